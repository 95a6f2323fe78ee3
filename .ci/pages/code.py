"""Checks a folder of code twice: by the pages of an api, and by its declarations. The pages may find less, never anything else.

usage: code.py BINARY CODE PAGES TYPES
"""
import json, pathlib, re, subprocess, sys, tempfile

binary, code, pages, types = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
loads = re.compile(r"""require\(['"]electron['"]\)|from ['"]electron['"]""")
scripts = [p for p in code.rglob("*") if p.suffix in {".js", ".mjs", ".cjs", ".ts", ".tsx"} and not p.name.endswith(".d.ts") and p.is_file()]
n_files = sum(bool(loads.search(p.read_text(errors="replace"))) for p in scripts)

def accesses(source):
    """Every access by place, with its verdict."""
    with tempfile.TemporaryDirectory() as cache:
        (code / "groundline.toml").write_text(
            f'builtins = ["ecmascript", "web", "node"]\n[[api]]\nname = "electron"\nversion = "45"\n{source}\n')
        done = subprocess.run([binary, "call", "check_symbols", "{}", "--json", "--all", "--allow-outside", "--root", str(code),
                               "--cache", cache], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"FAILED: {done.stderr.strip()[-500:]}")
    return {(a["file"], a["line"], a["column"], a["member"]): a for a in json.loads(done.stdout)["accesses"]}

ours, theirs = accesses(f'pages = ["{pages}/**/*.md"]'), accesses(f'declarations = ["{types}"]')
invented = {k for k, a in ours.items() if a["verdict"] == "invented"}
known = sum(a["verdict"] == "known" and "electron" in a["receiver_type"] for a in ours.values())
false = sorted(k for k in invented if theirs.get(k, {}).get("verdict") != "invented")
for key in sorted(invented):
    print("contradicted:" if key in false else "agreed:", *key, "|", ours[key]["receiver_type"])
print(f"{n_files} files that load electron, of {len(scripts)}; {len(ours)} accesses, {known} known on types of electron; "
      f"{len(invented)} invented, {len(false)} of them contradicted by the declarations")
sys.exit(1 if false or n_files < 30 or known < 300 else 0)
