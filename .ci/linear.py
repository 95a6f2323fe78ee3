"""Whether checking a file is work in proportion to its size: instructions for 100 kB and for 1 MB, counted by valgrind.

usage: linear.py BINARY      the ratio may be 12 at most, what a start costs taken off on both sides
"""
import json, os, pathlib, re, shutil, subprocess, sys, tempfile

binary = os.path.abspath(sys.argv[1])
MOST = 12
if not shutil.which("valgrind"):
    sys.exit("FAILED: valgrind is not on this machine")

# A piece of a file; the number makes its names its own, so that a file is not one name again and again.
PIECES = {
    "plain code": """
class Shelf{n} extends Map {{
  constructor() {{ super(); this.label{n} = "a"; this.list = []; }}
  put{n}(key, value) {{ this.set(key, value); this.list.push(key.toUpperCase()); return this; }}
}}
function fill{n}(shelf = new Shelf{n}(), rest) {{
  let text = "a{n}";
  text = text.slice(1);
  if (typeof rest === "string") text += rest.trim();
  for (const part of text.split(",")) {{ shelf.put{n}(part, part.length); }}
  return [...shelf.values()].filter(Boolean).map((one) => one.toFixed(2)).join("{n}");
}}
fill{n}().padStart(3).lenght{n};
exports.fill{n} = fill{n};
""",
    "one variable set again and again": """
thing = other.part{n}(thing);
thing.member{n};
if (thing) {{ thing = thing.next; }}
""",
    "one class with many members": """
Wide.prototype.part{n} = function () {{ this.field{n} = this.field{m}; return this.part{m}(); }};
""",
    "one chain": """
held = held.then((given) => given.part{n}).catch(() => []).finally(() => {{}});
""",
}
HEADS = {
    "one variable set again and again": "let thing, other;\n",
    "one class with many members": "function Wide() {}\nWide.prototype = Object.create(Map.prototype);\n",
    "one chain": "let held = Promise.resolve([]);\n",
}


def text_of(kind, size):
    parts, length, n = [HEADS.get(kind, "")], 0, 0
    while length < size:
        parts.append(PIECES[kind].format(n=n, m=max(n - 1, 0)))
        length += len(parts[-1])
        n += 1
    return "".join(parts)


def instructions(folder, text):
    (folder / "main.js").write_text(text)
    env = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), XDG_STATE_HOME=str(folder / "state"))
    counted = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder / 'counts'}", binary,
         "call", "check_symbols", json.dumps({"paths": ["main.js"]}), "--json", "--root", str(folder)],
        capture_output=True, text=True, env=env)
    found = re.search(r"I\s+refs:\s+([\d,]+)", counted.stderr)
    if counted.returncode not in (0, 1) or not found:
        sys.exit(f"FAILED: {counted.stderr[-500:]}")
    return int(found[1].replace(",", ""))


worst = 0.0
with tempfile.TemporaryDirectory() as held:
    folder = pathlib.Path(held)
    (folder / "groundline.toml").write_text('builtins = ["ecmascript", "node"]\n')
    instructions(folder, "Math.max(1);\n")
    start = instructions(folder, "Math.max(1);\n")
    for kind in PIECES:
        small = instructions(folder, text_of(kind, 100_000)) - start
        large = instructions(folder, text_of(kind, 1_000_000)) - start
        worst = max(worst, large / small)
        print(f"{kind}: {small / 1e6:.0f} million instructions for 100 kB, {large / 1e6:.0f} for 1 MB: {large / small:.1f} times")
sys.exit(0 if worst <= MOST else f"FAILED: {worst:.1f} times the work for ten times the text, at most {MOST}")
