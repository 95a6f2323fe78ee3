"""Runs the binary over every project of projects.tsv and compares its findings with findings.tsv.

A row of findings.tsv (right does not mean that the code fails: declarations leave things out, and comments name wrong types): project, file, line, column, member, receiver type, verdict (right: the code uses what its declared
api has not; false: a false alarm, which is a bug), reason. Whoever adds a row has looked at the code.
"""
import json, pathlib, subprocess, sys

binary, target, here, mode = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
projects = [l.split("\t") for l in (here / "projects.tsv").read_text().splitlines() if l and not l.startswith("#")]
table = here / "findings.tsv"
rows = [l.split("\t") for l in table.read_text().splitlines() if l and not l.startswith("#")] if table.exists() else []
judged = {tuple(r[:5]): r for r in rows}
seen, files, accesses, known, apis, deprecated, kinds = {}, 0, 0, 0, set(), 0, {}

for project in projects:
    name, wanted = project[0], int(project[4])
    root = target / name
    done = subprocess.run([binary, "call", "check_symbols", '{"paths":["code"]}', "--json", "--all", "--root", str(root),
                           "--cache", str(target / ".cache")], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"FAILED: {name}: {done.stderr.strip()[-500:] or done.stdout[-500:]}")
    answer = json.loads(done.stdout)
    files += wanted
    counts = answer["counts"]
    accesses += sum(counts.values())
    known += counts["known"]
    apis.update(a.rsplit("@", 1)[0] for a in project[1].split())
    for f in answer["findings"]:
        # What its declaration calls deprecated is so by definition; these are only counted.
        if f["kind"] == "deprecated":
            deprecated += 1
            continue
        kinds[f["kind"]] = kinds.get(f["kind"], 0) + 1
        seen[(name, f["file"], str(f["line"]), str(f["column"]), f["member"])] = f

if mode == "--list":
    for key, f in sorted(seen.items(), key=lambda kv: (kv[0][0], kv[0][1], int(kv[0][2]), int(kv[0][3]))):
        old = judged.get(key)
        print("\t".join([*key, f["receiver_type"], *(old[6:] if old else ["", f["message"]])]))
    sys.exit(0)

new, gone = sorted(seen.keys() - judged.keys()), sorted(judged.keys() - seen.keys())
for key in new:
    print("not looked at:", *key, "|", seen[key]["message"])
for key in gone:
    print("no longer found:", *key)
false = [k for k, r in judged.items() if r[6] != "right"]
print(f"{len(projects)} projects, {files} files, {accesses} accesses, {known} known; {len(seen)} findings, "
      f"{len(false)} of them false alarms ({1000 * len(false) / max(accesses, 1):.3f} per 1,000 accesses); apis: {', '.join(sorted(apis))}")
print(", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())) + f", deprecated {deprecated}")
sys.exit(1 if new or gone or files < 100 or len(apis) < 4 else 0)
