#!/usr/bin/env python3
"""Measures how long the server takes from the start of its process to its first answer, over stdio, in both eras.

usage: start.py BINARY [RUNS]      fails where the median is over 30 ms
"""
import json, os, statistics, subprocess, sys, tempfile, time

binary, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60
meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
first = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "start", "version": "1"}},
    "server/discover": {"_meta": meta},
}


def once(method, folder):
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": first[method]}) + "\n"
    began = time.perf_counter()
    server = subprocess.Popen([binary, "serve", "--cache", folder + "/cache"], cwd=folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.stdin.write(line.encode())
    server.stdin.flush()
    answer = server.stdout.readline()
    took = (time.perf_counter() - began) * 1000
    server.stdin.close()
    server.wait(5)
    assert json.loads(answer)["id"] == 1 and "result" in json.loads(answer), answer
    return took


slow = False
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(folder + "/.git")
    for method in first:
        times = sorted(once(method, folder) for _ in range(runs))
        p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
        print(f"{method}: p50 {p50:.1f} ms, p95 {p95:.1f} ms over {runs} starts")
        slow |= p50 > 30
sys.exit(1 if slow else 0)
