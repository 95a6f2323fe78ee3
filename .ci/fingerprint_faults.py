#!/usr/bin/env python3
"""Ends `fingerprint begin` by SIGKILL at each of its system calls that open, write, force, rename or make something, and fills the
disk under it: what is kept is the older baseline or the newer one, whole, and nothing else is ever taken for one.

usage: fingerprint_faults.py BINARY      needs strace; the full disk is a tmpfs of its own where mounting is allowed
"""

import os
import shutil
import subprocess
import sys
import tempfile

CALLS = ["openat", "write", "fsync", "rename", "mkdir", "close", "unlink"]
MOST = 4000


class Room:
    """A project with a baseline, and what is kept of it."""

    def __init__(self, binary, base, n_files=40):
        self.binary, self.base = binary, base
        self.root, self.state = os.path.join(base, "project"), os.path.join(base, "state")
        self.environment = {"PATH": os.environ["PATH"], "HOME": base, "GROUNDLINE_CACHE": os.path.join(base, "cache"),
                            "GROUNDLINE_STATE": self.state}
        os.makedirs(self.root)
        for number in range(n_files):
            self.write(number, "old")

    def write(self, number, text):
        with open(os.path.join(self.root, f"file{number}.js"), "w") as file:
            file.write(text)

    def run(self, *arguments, before=()):
        command = [*before, self.binary, "fingerprint", *arguments, "--root", self.root]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True)

    def begin(self, before=()):
        done = self.run("begin", before=before)
        return done.returncode, (done.stdout.split() or [""])[-1], done.stdout

    def kept(self):
        found = []
        for _, _, names in os.walk(self.state):
            found += [name.removesuffix(".baseline") for name in names if name.endswith(".baseline")]
        return found

    def status(self, ident):
        return self.run("compare", ident).returncode


def killed_everywhere(binary, base):
    """For each call, once at its every occurrence; how often it was killed."""
    n_killed = 0
    for name in CALLS:
        for occurrence in range(1, MOST):
            room = Room(binary, os.path.join(base, f"{name}{occurrence}"))
            _, first, _ = room.begin()
            room.write(7, "new")
            inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={name}", "-e",
                      f"inject={name}:signal=SIGKILL:when={occurrence}"]
            status, second, _ = room.begin(before=inject)
            for ident in room.kept():
                expected = 1 if ident == first else 0
                assert room.status(ident) == expected, f"{name} {occurrence}: {ident} is not what it was"
            assert first in room.kept(), f"{name} {occurrence}: the older baseline is gone"
            if status == 0:
                assert second in room.kept(), f"{name} {occurrence}: an id was given and is not kept"
            # What was left behind hinders nobody.
            status_again, again, _ = room.begin()
            assert status_again == 0 and room.status(again) == 0, f"{name} {occurrence}: no new beginning"
            shutil.rmtree(room.base)
            if status == 0:
                break
            n_killed += 1
    return n_killed


def full_disk(binary, base):
    """The state folder on a tmpfs that fills up at every size; how often it was full, or none where nothing can be mounted."""
    room = Room(binary, os.path.join(base, "full"), n_files=400)
    os.makedirs(room.state)
    n_full = 0
    for pages in range(1, 64):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={pages * 4096}", "tmpfs", room.state], capture_output=True)
        if mounted.returncode != 0:
            return None
        try:
            status, ident, said = room.begin()
            assert status == 0, f"{pages} pages: {said}"
            is_kept = "kept in memory only" not in said
            assert room.kept() == ([ident] if is_kept else []), f"{pages} pages: a half baseline is kept"
            assert room.status(ident) == (0 if is_kept else 2), f"{pages} pages: the wrong verdict"
        finally:
            subprocess.run(["umount", room.state], check=True)
        if is_kept:
            assert n_full >= 4, f"a baseline takes several pages, and the disk was full {n_full} times"
            return n_full
        n_full += 1
    raise AssertionError("the disk was always full")


def main():
    binary = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="fingerprint-faults-")
    try:
        n_full = full_disk(binary, base)
        said = "no disk could be mounted" if n_full is None else f"a full disk at {n_full} sizes"
        print(f"{said}, killed at {killed_everywhere(binary, base)} system calls: the older baseline or the newer, whole")
    except AssertionError as wrong:
        print(f"FAILED: {wrong}")
        return 1
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
