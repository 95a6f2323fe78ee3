"""Time from process start to the answer of initialize / discover; stdout must be JSON lines only."""
import json, subprocess, sys, time, statistics
binary, n = sys.argv[1], 60
meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
for method, params in (("initialize", hello), ("server/discover", {"_meta": meta})):
    first, end = [], []
    for _ in range(n):
        began = time.perf_counter()
        p = subprocess.Popen([binary, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdin.write((json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n").encode())
        p.stdin.flush()
        line = p.stdout.readline()
        first.append((time.perf_counter() - began) * 1000)
        assert json.loads(line)["result"], line
        before = time.perf_counter()
        p.stdin.close()
        rest, err = p.stdout.read(), p.stderr.read()
        assert rest == b"" and err == b"" and p.wait() == 0, (rest, err)
        end.append((time.perf_counter() - before) * 1000)
    q = lambda xs, f: sorted(xs)[int(len(xs) * f)]
    print(f"{method}: p50 {statistics.median(first):.1f} p95 {q(first, .95):.1f} ms; end p50 {statistics.median(end):.1f} p95 {q(end, .95):.1f} ms")
