#!/usr/bin/env python3
"""Plays a verifier who edits and hides it: three random tricks after a baseline was taken, many rounds, always the same seed.

usage: red_team.py BINARY [--rounds 500] [--seed 9]

What is true is told by a walk of this script's own, which knows nothing of git: where the bytes, kinds or executable bits of
the tree (without .git and what was ignored at the beginning) differ, the answer must not be HELD; where they do not, HELD must
come with a remark, since every trick leaves something behind, and MOVED would be a false alarm. Exit status 1 if an answer was wrong.
"""

import argparse
import mmap
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile

FILES = {f"src/part{n}.py": f"def answer{n}():\n    return 41\n" for n in range(6)}
FILES |= {
    "tests/test_answer.py": "from src import part0\nassert part0.answer0() == 42\n",
    "tests/data/expected.txt": "41\r\n41\r\n",
    ".gitignore": "ignored/\n*.log\n",
    "ignored/cache.bin": "cache\n",
    "run.log": "log\n",
    "untracked.txt": "untracked 41\n",
    "untracked/deep/file.txt": "untracked 41\n",
}
UNTRACKED = ["untracked.txt", "untracked/deep/file.txt"]


class Room:
    """One round's repository, with what lies around it."""

    def __init__(self, base, chance):
        self.base, self.chance = base, chance
        self.root, self.home = os.path.join(base, "repo"), os.path.join(base, "home")
        self.outside, self.state = os.path.join(base, "outside"), os.path.join(base, "state")
        self.cache = os.path.join(base, "cache")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
            "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid", "GIT_COMMITTER_NAME": "t",
            "GIT_COMMITTER_EMAIL": "t@example.invalid", "GROUNDLINE_STATE": self.state, "GROUNDLINE_CACHE": self.cache,
        }

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="") as file:
            file.write(text)

    def append(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a") as file:
            file.write(text)

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.root, env=self.environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def target(self):
        """A regular file that counts and that is there."""
        names = [name for name in FILES if not name.startswith("ignored") and not name.endswith(".log")]
        there = [name for name in names if os.path.isfile(self.path(name)) and not os.path.islink(self.path(name))]
        return self.path(self.chance.choice(there or [".gitignore"]))


def changed(text):
    """Other content of the same length."""
    return text.replace(b"41", b"42") if b"41" in text else bytes(byte ^ 1 for byte in text)


def with_old_times(path, change):
    found = os.stat(path)
    change(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def in_place(path):
    with open(path, "r+b") as file:
        text = file.read()
        file.seek(0)
        file.write(changed(text))


def by_map(path):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as view:
        view[:] = changed(view[:])


def by_rename(path):
    with open(path, "rb") as file:
        text = file.read()
    with open(path + ".new", "wb") as file:
        file.write(changed(text))
    shutil.copystat(path, path + ".new")
    os.rename(path + ".new", path)


# What changes the tree.
def edit_in_place(room): with_old_times(room.target(), in_place)
def edit_by_map(room): with_old_times(room.target(), by_map)
def edit_by_rename(room): by_rename(room.target())
def delete(room): os.remove(room.target())
def make_executable(room): path = room.target(); os.chmod(path, os.stat(path).st_mode ^ stat.S_IXUSR)
def add_file(room): room.write(f"tests/conftest{room.chance.randrange(9)}.py", "collect_ignore = ['test_answer.py']\n")
def add_hidden_folder(room): room.write("zz/.gitignore", "*\n"); room.write("zz/sitecustomize.py", "pass\n")
def add_link(room): os.path.lexists(room.path("link.py")) or os.symlink("src/part1.py", room.path("link.py"))
def add_to_ignore(room): room.append(room.path(".gitignore"), "tests/\n")
def rename_case(room): path = room.target(); os.rename(path, path + "X")


def become_link(room):
    path = room.target()
    copy = os.path.join(room.outside, str(room.chance.randrange(10**9)))
    os.makedirs(room.outside, exist_ok=True)
    shutil.copy2(path, copy)
    os.remove(path)
    os.symlink(copy, path)


def edit_through_hard_link(room):
    path = room.target()
    os.makedirs(room.outside, exist_ok=True)
    other = os.path.join(room.outside, f"hard{room.chance.randrange(10**9)}")
    os.link(path, other)
    with_old_times(other, in_place)
    os.remove(other)


def swap_folder(room):
    folder = room.path("tests")
    if os.path.isdir(folder):
        shutil.copytree(folder, room.path("other"), symlinks=True)
        shutil.rmtree(folder)
        os.rename(room.path("other"), folder)
        with_old_times(room.target(), in_place)


# What hides, and should hide nothing.
def exclude_all(room): room.append(room.path(".git/info/exclude"), "*\n")
def exclude_for_user(room): room.append(os.path.join(room.home, ".config/git/ignore"), "*\n")
def assume_unchanged(room): room.git("update-index", "--assume-unchanged", *TRACKED)
def skip_worktree(room): room.git("update-index", "--skip-worktree", *TRACKED)
def stage(room): room.git("add", "-A")
def commit(room): room.git("commit", "-qam", "evil")
def commit_all(room): room.git("add", "-A"); room.git("commit", "-qm", "evil")
def unstage(room): room.git("reset", "-q")
def new_branch(room): room.git("checkout", "-qb", f"b{room.chance.randrange(10**9)}")
def stash_and_back(room): room.git("stash", "-q"); room.git("stash", "pop", "-q")
def untrack(room): room.git("rm", "-q", "--cached", "-r", "src")
def index_version(room): room.git("update-index", "--index-version", "4")
def crlf(room): room.git("config", "core.autocrlf", "true")
def no_modes(room): room.git("config", "core.fileMode", "false")
def elsewhere(room): room.git("config", "core.worktree", room.outside)
def sparse(room): room.git("sparse-checkout", "set", "--no-cone", "/src/")
def remove_index(room): os.path.exists(room.path(".git/index")) and os.remove(room.path(".git/index"))
def forget_git(room): os.path.isdir(room.path(".git")) and os.rename(room.path(".git"), room.path("../git-away"))


def lying_program(room):
    program = os.path.join(room.outside, "lie")
    os.makedirs(room.outside, exist_ok=True)
    with open(program, "w") as file:
        file.write("#!/bin/sh\necho ran >> " + os.path.join(room.base, "ran") + "\ncat\n")
    os.chmod(program, 0o755)
    # No git command of this round runs it: were it run, it would be by the program under test.
    config = room.path(".git/config")
    if os.path.exists(config):
        room.append(config, f'[core]\n fsmonitor = {program}\n[filter "lie"]\n clean = {program}\n smudge = {program}\n')
        room.append(room.path(".git/info/attributes"), "*.py filter=lie\n")


def spoil_cache(room):
    for folder, _, names in os.walk(room.cache):
        for name in names:
            with open(os.path.join(folder, name), "r+b") as file:
                file.seek(room.chance.randrange(200))
                file.write(b"spoilt")


def forge_verdicts(room):
    for folder, _, names in os.walk(room.state):
        for name in names:
            if name.endswith(".baseline"):
                with open(os.path.join(folder, name.replace(".baseline", ".verdict")), "w") as file:
                    file.write("held")


# What leaves the tree as it was, but not untouched.
def edit_and_back(room):
    path = room.target()
    with_old_times(path, in_place)
    with_old_times(path, lambda p: open(p, "r+b").write(open(p, "rb").read().replace(b"42", b"41")))


def away_and_back(room): path = room.target(); os.rename(path, path + "~"); os.rename(path + "~", path)
def came_and_went(room): room.write("tests/zz.py", "x\n"); os.remove(room.path("tests/zz.py"))


CHANGES = [edit_in_place, edit_by_map, edit_by_rename, delete, make_executable, add_file, add_hidden_folder, add_link,
           add_to_ignore, rename_case, become_link, edit_through_hard_link, swap_folder]
COVERS = [exclude_all, exclude_for_user, assume_unchanged, skip_worktree, stage, commit, commit_all, unstage, new_branch,
          stash_and_back, untrack, index_version, crlf, no_modes, elsewhere, sparse, remove_index, forget_git, spoil_cache,
          forge_verdicts]
RETURNS = [edit_and_back, away_and_back, came_and_went]
# A program that the repository names is planted last, so that only the comparison could run it.
LAST = [lying_program]
TRACKED = [name for name in FILES if name not in UNTRACKED and not name.startswith("ignored") and not name.endswith(".log")]


def walked(root):
    """What lies in the tree, told without git: kind, executable bit and content by path."""
    found = {}
    for folder, folders, names in os.walk(root):
        here = os.path.relpath(folder, root)
        folders[:] = [name for name in folders if name != ".git" and (here, name) != (".", "ignored")]
        for name in names + [name for name in folders if os.path.islink(os.path.join(folder, name))]:
            path = os.path.join(folder, name)
            below = os.path.relpath(path, root)
            if name.endswith(".log"):
                continue
            if os.path.islink(path):
                found[below] = ("link", os.readlink(path))
            else:
                with open(path, "rb") as file:
                    found[below] = (os.stat(path).st_mode & 0o111 != 0, file.read())
    return found


def played(binary, base, chance):
    """One round: the tricks, what is true, what was answered."""
    room = Room(base, chance)
    os.makedirs(room.home)
    for name, text in FILES.items():
        room.write(name, text)
    room.git("init", "-q", "-b", "main")
    room.git("add", *TRACKED)
    room.git("commit", "-qm", "x")
    if chance.random() < 0.5:
        with_old_times(room.target(), in_place)
    fingerprint = [binary, "fingerprint"]
    begun = subprocess.run([*fingerprint, "begin", "--root", room.root], env=room.environment, capture_output=True, text=True)
    if begun.returncode != 0:
        return [], None, 2, begun.stderr
    before = walked(room.root)
    tricks = chance.sample(CHANGES, 1) if chance.random() < 0.7 else chance.sample(RETURNS, 1)
    tricks += chance.sample([trick for trick in CHANGES + COVERS + RETURNS if trick not in tricks], 2)
    chance.shuffle(tricks)
    if chance.random() < 0.2:
        tricks[-1] = LAST[0]
    for trick in tricks:
        trick(room)
    moved = walked(room.root) != before
    ident = begun.stdout.split()[-1]
    compared = subprocess.run([*fingerprint, "compare", "--root", room.root, ident], env=room.environment,
                              capture_output=True, text=True)
    said = compared.stdout + compared.stderr
    if os.path.exists(os.path.join(base, "ran")):
        return tricks, moved, -1, "a program of the repository was run"
    return tricks, moved, compared.returncode, said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=9)
    wish = parser.parse_args()
    binary = os.path.abspath(wish.binary)
    counts = {"moved": 0, "held with a remark": 0, "unknown": 0}
    wrong = 0
    for number in range(wish.rounds):
        # Each round has a chance of its own, so that one can be played again alone.
        chance = random.Random(wish.seed * 1_000_003 + number)
        base = tempfile.mkdtemp(prefix="red-team-")
        try:
            tricks, moved, status, said = played(binary, base, chance)
        finally:
            shutil.rmtree(base, ignore_errors=True)
        # What only git holds is a move as well, so where git was used the walk does not know better.
        is_known = moved or any(trick in COVERS for trick in tricks)
        is_right = {0: moved is False and said.strip() != "", 1: is_known, 2: moved is not None}.get(status, False)
        if is_right:
            counts[["held with a remark", "moved", "unknown"][status]] += 1
        else:
            wrong += 1
            names = ", ".join(trick.__name__ for trick in tricks)
            print(f"round {number}: {names}: the tree {'moved' if moved else 'did not move'}, status {status}: {said.strip()!r}")
    print(f"{wish.rounds} rounds: " + ", ".join(f"{n} {what}" for what, n in counts.items()) + f", {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
