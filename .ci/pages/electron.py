#!/usr/bin/env python3
"""The member index mined from Electron's pages against `electron.d.ts`, by (interface, side, member, kind).

    electron.py GROUNDLINE PAGES_FOLDER ELECTRON_D_TS [--all]

PAGES_FOLDER is Electron's `docs/api`. The declarations are generated from pages too, one member a line, so they are
read here line by line, without Groundline. Prints precision, recall and every difference under its reason; exit status
1 below 0.98 or 0.95.
"""
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

EMITTING = {"on", "off", "once", "addListener", "removeListener", "addEventListener", "removeEventListener"}


def mined(groundline, pages):
    with tempfile.TemporaryDirectory() as folder:
        glob = str(Path(pages).resolve()) + "/**/*.md"
        subprocess.run([groundline, "build", "--pages", glob, "--out", folder, "--allow-outside", "--root", pages],
                       check=False, stdout=subprocess.DEVNULL)
        graph = json.loads((Path(folder) / "pages" / "symbols.json").read_text())
        sources = json.loads((Path(folder) / "pages" / "provenance.json").read_text())["sources"]
    index, where = set(), {}
    for key, one in graph["interfaces"].items():
        side = "value" if key.startswith("typeof ") else "type"
        name = re.sub(r'^typeof |import\("[^"]*"\)\.?', "", key.replace("typeof ", ""))
        if not name or one["kind"] == "module":
            continue
        name = name.rsplit(".", 1)[-1]
        for member, said in one.get("members", {}).items():
            at = said.get("at", [0, 0])
            source = sources[at[0]]
            place = f"{source['path'] if isinstance(source, dict) else source}:{at[1]}"
            if member in EMITTING and said.get("calls"):
                for call in said["calls"]:
                    event = re.match(r'\(event: "([^"]*)"', call)
                    if event:
                        index.add((name, side, event[1], "event"))
                        where[(name, side, event[1], "event")] = place
                if all(re.match(r'\(event: "', call) for call in said["calls"]):
                    continue
            kind = "event" if said.get("kind") == "event" else "method" if "calls" in said else "property"
            index.add((name, side, member, kind))
            where[(name, side, member, kind)] = place
    return index, where


def declared(path):
    index, inherits = set(), {}
    name, space = None, None
    for line in Path(path).read_text().splitlines():
        if opened := re.match(r"^(?:declare )?namespace (\w+)", line):
            space = opened[1]
        if opened := re.match(r"^  namespace (\w+)", line):
            space = opened[1]
        opened = re.match(r"^  (?:class|interface) (\w+)(?:<.*?>)?(?: extends ([\w.]+))?", line)
        if opened and space in ("Electron", "NodeJS"):
            name = opened[1]
            inherits[name] = opened[2]
            continue
        if line.startswith("  }"):
            name = None
        if not name:
            continue
        member = re.match(r"^    (static )?(readonly )?(?:'([^']+)'|([\w$]+))(\??)(<.*?>)?([(:])", line)
        if not member:
            continue
        side = "value" if member[1] else "type"
        spelt = member[3] or member[4]
        event = re.match(r"^    (?:static )?\w+\((?:event|type): '([^']*)'", line)
        if spelt in EMITTING and event:
            index.add((name, side, event[1], "event"))
        elif spelt != "constructor":
            index.add((name, side, spelt, "method" if member[7] == "(" else "property"))
    return index, inherits


def main():
    show_all = "--all" in sys.argv
    groundline, pages, types = [a for a in sys.argv[1:] if a != "--all"]
    ours, where = mined(groundline, pages)
    theirs, inherits = declared(types)
    names = {one[0] for one in theirs}
    by_place = defaultdict(set)
    for one in theirs:
        by_place[(one[0], one[2])].add(one)

    def inherited(one):
        parent = inherits.get(one[0])
        while parent:
            if (parent, *one[1:]) in theirs:
                return parent
            parent = inherits.get(parent)
        return None

    extra, lacking = defaultdict(list), defaultdict(list)
    n_right = 0
    for one in sorted(ours):
        if one in theirs:
            n_right += 1
        elif one[0] not in names:
            extra[f"the declarations have no {one[0]} of that kind"].append(one)
        elif inherited(one):
            n_right += 1
        elif by_place[(one[0], one[2])]:
            extra["another kind or side"].append(one)
        else:
            extra["no such member in this version"].append(one)
    mine = {one[0] for one in ours}
    text = "\n".join(p.read_text() for p in Path(pages).rglob("*.md"))
    n_listed = 0
    for one in sorted(theirs):
        listed = re.search(rf"(?<![\w-]){re.escape(one[2])}(?![\w-])", text)
        if one[0] not in mine:
            # Named only by the declarations: options and details that the pages describe inside of a list.
            lacking["(not counted) types that the generator names and no page does"].append(one)
            continue
        n_listed += 1
        if one in ours:
            continue
        if any((one[0], s, one[2], k) in ours for s in ("type", "value") for k in ("event", "method", "property")):
            lacking["another kind or side"].append(one)
        elif not listed:
            lacking["no page names it"].append(one)
        else:
            lacking["not found in its page"].append(one)
    n_lacking = sum(len(v) for k, v in lacking.items() if not k.startswith("(not"))
    unnamed = len(lacking.get("no page names it", []))
    precision = n_right / max(1, len(ours))
    recall = (n_listed - n_lacking) / max(1, n_listed - unnamed)
    kinds = Counter(one[3] for one in ours)
    print(f"mined {len(ours)} ({dict(sorted(kinds.items()))}), declared {len(theirs)}")
    print(f"precision {precision:.4f}  recall {recall:.4f} of what the pages list")
    for title, groups in (("mined and not declared", extra), ("declared and not mined", lacking)):
        for reason, found in sorted(groups.items()):
            print(f"\n{title}: {reason}: {len(found)}")
            for one in found if show_all or not reason.startswith("(") else found[:0]:
                print(f"  {one[0]}{'.' if one[1] == 'type' else ' static '}{one[2]}  {one[3]}  {where.get(one, '')}")
    sys.exit(0 if precision >= 0.98 and recall >= 0.95 else 1)


if __name__ == "__main__":
    main()
