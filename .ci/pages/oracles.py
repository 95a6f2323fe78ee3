#!/usr/bin/env python3
"""The member index mined from pages alone, held against an independent reading of the same api.

    oracles.py GROUNDLINE SOURCE PAGES_ROOT GLOB ORACLE_JSON [--all]

ORACLE_JSON is {interface: {"members": [..], "parents": [..]}}; a parent is compared by its last name. Its key "#by" says what
interfaces are called by: their names, their sides ("X static") or the files of their pages. Prints recall, precision
and parents, as they are and without what differences.tsv explains (source, what, interface, member, why; `*` stands for any);
lists every difference that it does not explain. Exit status 1 below 0.97, 0.985 and 0.98 of the explained figures.
"""
import fnmatch
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def mined(groundline, root, glob, by):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([groundline, "build", "--pages", glob, "--out", folder, "--cache", folder + "/c", "--allow-outside", "--root", root],
                       check=False, stdout=subprocess.DEVNULL)
        graph = json.loads((Path(folder) / "pages" / "symbols.json").read_text())
        sources = json.loads((Path(folder) / "pages" / "provenance.json").read_text())["sources"]
    found = {}

    def called(key):
        one = graph["interfaces"].get(key)
        if by == "file" and one:
            source = sources[one.get("at", [0, 0])[0]]
            return Path(source["path"] if isinstance(source, dict) else source).stem
        if by == "sides" and key.startswith("typeof "):
            return plain(key) + " static"
        return plain(key)

    for key, one in graph["interfaces"].items():
        name = called(key)
        if one["kind"] in ("globals", "module", "namespace") and not one.get("constructs"):
            continue
        entry = found.setdefault(name, {"members": set(), "parents": set()})
        entry["members"] |= set(one.get("members", {}))
        if not key.startswith("typeof "):
            entry["parents"] |= {called(parent) if by == "file" else last(parent) for parent in one.get("extends", [])}
    return found


def plain(key):
    return re.sub(r'import\("[^"]*"\)\.?', "", key.removeprefix("typeof "))


def last(name):
    return plain(name).split("<")[0].rsplit(".", 1)[-1]


def explanations(source):
    rows = [line.split("\t") for line in (HERE / "differences.tsv").read_text().splitlines() if line and not line.startswith("#")]
    return [row for row in rows if row[0] == source]


def main():
    show_all = "--all" in sys.argv
    groundline, source, root, glob, oracle = [a for a in sys.argv[1:] if a != "--all"]
    oracle = json.loads(Path(oracle).read_text())
    by = oracle.pop("#by", "name")
    theirs = {name: {"members": set(one["members"]), "parents": {last(p) for p in one["parents"]}}
              for name, one in oracle.items() if name}
    ours = mined(groundline, root, glob, by)
    known = explanations(source)
    used = set()

    def explained(what, interface, member):
        for idx, row in enumerate(known):
            if row[1] == what and fnmatch.fnmatchcase(interface, row[2]) and fnmatch.fnmatchcase(member, row[3]):
                used.add(idx)
                return True
        return False

    by_last = {}
    for name in theirs:
        by_last.setdefault(last(name), name)
    mine_by_last = {}
    for name in ours:
        mine_by_last.setdefault(last(name), name)

    def whole(table, names, interface, seen=None):
        """All members of an interface, inherited ones too."""
        seen = seen if seen is not None else set()
        if interface in seen or interface not in table:
            return set()
        seen.add(interface)
        all_of = set(table[interface]["members"])
        for parent in table[interface]["parents"]:
            all_of |= whole(table, names, names.get(parent, parent), seen)
        return all_of

    tallies = {"members": [0, 0, 0], "found": [0, 0, 0], "parents": [0, 0, 0]}
    unexplained = []

    def count(tally, holds, what, interface, member):
        right, wrong, forgiven = tallies[tally]
        if holds:
            right += 1
        elif explained(what, interface, member):
            wrong, forgiven = wrong + 1, forgiven + 1
        else:
            wrong += 1
            unexplained.append((what, interface, member))
        tallies[tally] = [right, wrong, forgiven]

    for name, one in sorted(theirs.items()):
        if name not in ours:
            # An interface that no page is about is one difference, and all its members are not found.
            for member in sorted(one["members"]):
                count("members", False, "missing", name, member)
            continue
        mine = whole(ours, mine_by_last, name)
        for member in sorted(one["members"]):
            count("members", member in mine, "missing", name, member)
        for parent in sorted(one["parents"]):
            count("parents", parent in ours[name]["parents"], "parent", name, parent)
    for name, one in sorted(ours.items()):
        all_of = whole(theirs, by_last, name)
        for member in sorted(one["members"]):
            count("found", member in all_of, "extra", name, member)
        for parent in sorted(one["parents"]):
            if name in theirs and parent not in theirs[name]["parents"]:
                count("parents", False, "extra-parent", name, parent)

    def share(tally, forgiving):
        right, wrong, forgiven = tallies[tally]
        wrong -= forgiven if forgiving else 0
        return right / (right + wrong) if right + wrong else 1.0

    said = [f"{share(t, False):.4f}" for t in ("members", "found", "parents")]
    clean = [share(t, True) for t in ("members", "found", "parents")]
    print(f"{source}: mined {len(ours)} interfaces, {sum(len(o['members']) for o in ours.values())} members; oracle {len(theirs)}, "
          f"{sum(len(o['members']) for o in theirs.values())}")
    print(f"  as it is   recall {said[0]}  precision {said[1]}  parents {said[2]}")
    print(f"  explained  recall {clean[0]:.4f}  precision {clean[1]:.4f}  parents {clean[2]:.4f}  "
          f"({sum(t[2] for t in tallies.values())} differences in the table, {len(unexplained)} not)")
    for what, interface, member in unexplained if show_all else unexplained[:25]:
        print(f"  {what}  {interface}.{member}")
    for idx, row in enumerate(known):
        if idx not in used:
            print(f"  the table explains what is no difference: {' '.join(row[1:4])}")
    sys.exit(0 if clean[0] >= 0.97 and clean[1] >= 0.985 and clean[2] >= 0.98 else 1)


if __name__ == "__main__":
    main()
