#!/usr/bin/env python3
"""How long checking takes, against the TypeScript compiler (7, native) on the same files in the same run.

usage: check_speed.py BINARY [--runs N] [--surfaces a,b]
needs SYMBENCH_DIR: the symbol benchmark as its fetch.js and build.js leave it, with its tools.
Prints medians of whole processes: CPU (user and system) and wall seconds over `src` of each surface, with the index on disk
and with mining it first; and of one file of about 500 lines, a call in the running server against a compiler process.
"""
import argparse, json, os, pathlib, resource, shutil, statistics, subprocess, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("binary")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--surfaces", default="apps-script,k6,dom,node")
asked = parser.parse_args()
binary = os.path.abspath(asked.binary)
base = pathlib.Path(os.environ["SYMBENCH_DIR"])
tsc = base / "tools/node_modules/ts7/bin/tsc"
SCRIPTS = (".js", ".mjs", ".cjs", ".jsx")
cache = tempfile.mkdtemp()
env = dict(os.environ, XDG_CACHE_HOME=cache, XDG_STATE_HOME=cache)


def timed(command, folder):
    """CPU and wall seconds of one process, and the most memory it had in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def medians(runs):
    return [statistics.median(column) for column in zip(*runs)]


def declarations(root):
    listed = [line.strip() for line in (root / "dts.txt").read_text().splitlines() if line.strip()]
    return [d if os.path.isabs(d) else str(base / d if (base / d).exists() else root / d) for d in listed]


def server_median(root, path, calls=60):
    """The median of calls to check one file in a running server, in seconds."""
    command = [binary, "serve", "--allow-outside", "--root", str(root)]
    server = subprocess.Popen(command, cwd=root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def say(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    def answer(to):
        while True:
            line = server.stdout.readline()
            if not line:
                raise SystemExit("FAILED: the server ended")
            message = json.loads(line)
            if message.get("id") == to:
                return message

    say({"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "speed", "version": "0"}}})
    answer(0)
    say({"method": "notifications/initialized"})
    times = []
    for n in range(1, calls + 1):
        began = time.monotonic()
        say({"id": n, "method": "tools/call", "params": {"name": "check_symbols", "arguments": {"paths": [path]}}})
        answer(n)
        times.append(time.monotonic() - began)
    server.stdin.close()
    server.wait()
    return statistics.median(times[5:])


total = {"tsc": [0.0, 0.0], "ours": [0.0, 0.0], "mined": [0.0, 0.0]}
for name in asked.surfaces.split(","):
    root = base / "public" / name
    listed = declarations(root)
    (root / "groundline.toml").write_text(f'builtins = []\n[[api]]\nname = "{name}"\nversion = "0"\ndeclarations = {json.dumps(listed)}\n')
    files = sorted(str(f.relative_to(root)) for f in (root / "src").rglob("*") if f.suffix in SCRIPTS)
    check = [binary, "call", "check_symbols", json.dumps({"paths": files}), "--json", "--all", "--allow-outside", "--root", str(root)]
    build = [binary, "build", "--allow-outside", "--root", str(root)]
    compile_ = ["node", str(tsc), "-p", "tsconfig.src.json", "--pretty", "false"]
    timed(build, root), timed(check, root), timed(compile_, root)
    runs = {"tsc": [], "ours": [], "build": []}
    for _ in range(asked.runs):
        runs["tsc"].append(timed(compile_, root))
        runs["ours"].append(timed(check, root))
        runs["build"].append(timed(build, root))
    theirs, ours, built = (medians(runs[k]) for k in ("tsc", "ours", "build"))
    for at in (0, 1):
        total["tsc"][at] += theirs[at]
        total["ours"][at] += ours[at]
        total["mined"][at] += ours[at] + built[at]
    print(f"{name:12} tsc 7: cpu {theirs[0]:.2f} wall {theirs[1]:.2f} s, {theirs[2]:.0f} MB | check: cpu {ours[0]:.2f} wall {ours[1]:.2f} s, {ours[2]:.0f} MB | mining: cpu {built[0]:.2f} wall {built[1]:.2f} s", flush=True)

for kind, what in (("ours", "index on disk"), ("mined", "mined in the same run")):
    cpu, wall = (total["tsc"][at] / total[kind][at] for at in (0, 1))
    print(f"all, {what}: cpu {total[kind][0]:.2f} s against {total['tsc'][0]:.2f}, {cpu:.1f} times less; wall {total[kind][1]:.2f} against {total['tsc'][1]:.2f}, {wall:.1f} times less")

name = asked.surfaces.split(",")[-1]
root = base / "public" / name
near = min((f for f in (root / "src").rglob("*.js")), key=lambda f: abs(len(f.read_text(errors="replace").splitlines()) - 500))
path = str(near.relative_to(root))
config = json.loads((root / "tsconfig.src.json").read_text())
kept = [f for f in config.get("files", []) if f.endswith(".d.ts")]
alone = root / "tsconfig.one.json"
alone.write_text(json.dumps({**config, "files": [*kept, path], "include": []}))
theirs = medians([timed(["node", str(tsc), "-p", alone.name, "--pretty", "false"], root) for _ in range(asked.runs)])
alone.unlink()
ours = server_median(root, path)
print(f"{path}, {len(near.read_text().splitlines())} lines: tsc 7 {theirs[1] * 1000:.0f} ms, a call in the server {ours * 1000:.2f} ms (median), 1/{theirs[1] / ours:.0f}")
shutil.rmtree(cache)
