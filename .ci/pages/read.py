#!/usr/bin/env python3
"""What pages list, read without Groundline, as an oracle for `oracles.py`.

    read.py office FOLDER        the `uid` lines of DocFX's YAML
    read.py qml FOLDER           qdoc's separate pages of all members, and the links behind Inherits
    read.py sphinx OBJECTS_INV   the inventory that Sphinx writes beside its pages
    read.py jquery DECLARED      what declared.mjs says of @types/jquery, by the names that jQuery's pages use
"""
import json
import re
import sys
import zlib
from html import unescape
from pathlib import Path


def office(folder):
    found = {}
    for path in sorted(Path(folder).rglob("*.yml")):
        owner = None
        # A long text goes on in the line below.
        for line in re.sub(r"uid: >-\n +", "uid: ", path.read_text()).splitlines():
            said = re.match(r"^( *)(- )?uid: '?([^' ]+)'?$", line)
            if not said:
                continue
            uid = said[3].split("!")[-1]
            if not said[1] and not said[2]:
                owner, kind = uid.rsplit(":", 1) if ":" in uid else (None, "")
                if kind in ("type", ""):
                    owner = None
                if owner:
                    found[owner] = {"members": [], "parents": []}
            elif owner and ":member" in uid:
                found[owner]["members"].append(re.split(r"[#.]", uid.split(":member")[0])[-1])
    return found


def qml(folder):
    found = {"#by": "file"}
    for path in sorted(Path(folder).rglob("qml-*-members.html")):
        own = path.with_name(path.name.replace("-members.html", ".html"))
        if not own.exists():
            continue
        text, page = path.read_text(errors="replace"), own.read_text(errors="replace")
        names = re.findall(r'<li class="fn">.*?<a href="[^"#]*#([\w.]+?)-(?:attached-)?(?:prop|method|signal)">', text)
        inherits = re.search(r'Inherits:</td>.*?<a href="([^"#]+)\.html', page, re.S)
        found[own.stem] = {"members": sorted({unescape(n).split(".")[0] for n in names}),
                           "parents": [inherits[1].rsplit("/", 1)[-1]] if inherits else []}
    return found


def sphinx(inventory):
    raw = Path(inventory).read_bytes()
    # Four lines of text, then compressed ones: name, domain:role, priority, place, title.
    lines = zlib.decompress(raw.split(b"\n", 4)[4]).decode().splitlines()
    said = [line.split(" ")[:2] for line in lines]
    types = {name for name, role in said if role in ("py:class", "py:exception")}

    def called(name):
        """A type's name without its module; one inside of another is called with that."""
        outer, _, last = name.rpartition(".")
        return f"{called(outer)}.{last}" if outer in types else last

    found = {called(name): {"members": [], "parents": []} for name in types}
    for name, role in said:
        if role in ("py:method", "py:attribute", "py:property") and name.count("."):
            owner, member = name.rsplit(".", 1)
            found.setdefault(called(owner), {"members": [], "parents": []})["members"].append(member)
    return found


def jquery(declared):
    said = json.loads(Path(declared).read_text())
    groups = {"jQuery": ["JQuery"], "jQuery static": ["JQueryStatic"], "jQuery.Deferred": ["JQuery.Deferred", "JQuery.PromiseBase"],
              "jQuery.Callbacks": ["JQuery.Callbacks"], "jQuery.Event": ["JQuery.Event", "JQuery.TriggeredEvent", "JQuery.UIEventBase"]}
    found = {"#by": "sides"}
    for name, parts in groups.items():
        members = {m for part in parts for m in said.get(part, {"members": []})["members"]}
        found[name] = {"members": sorted(members), "parents": []}
    return found


print(json.dumps({"office": office, "qml": qml, "sphinx": sphinx, "jquery": jquery}[sys.argv[1]](sys.argv[2])))
