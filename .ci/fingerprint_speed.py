#!/usr/bin/env python3
"""Times fingerprints against git on the same trees, whole processes in turn, and says what memory a file costs.

usage: fingerprint_speed.py BINARY [--files 20000,50000] [--rounds 9] [--slack 1.0]

A tree has N files of about 1.6 kB, all committed, 50 a folder. In each round, one after the other:
  status      git status --porcelain
  write-tree  git add -A and git write-tree with an empty index, the objects being there already
  begin       groundline fingerprint begin, its cache being warm
  compare     groundline fingerprint compare
Held against: begin at most 3 times status, compare at most 8 times status and 1.0 times write-tree, 400 bytes a file beyond
what an empty tree takes. Exit status 1 if one of them does not hold; --slack 2 lets each be twice as much, for a short run on a busy machine.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LIMITS = {"begin/status": 3.0, "compare/status": 8.0, "compare/write-tree": 1.0}
BYTES_A_FILE = 400
WORDS = "alpha beta gamma delta const return function export import value index array".split()


def make(root, n_files, environment):
    """A repository with so many files, committed."""
    random.seed(n_files)
    os.makedirs(root)
    for number in range(n_files):
        folder = os.path.join(root, f"pkg{number // 2500}", f"mod{number // 50 % 50:02}")
        if number % 50 == 0:
            os.makedirs(folder, exist_ok=True)
        words = []
        length = 0
        while length < 1600:
            words.append(random.choice(WORDS) + str(random.randrange(1000)))
            length += len(words[-1]) + 1
        with open(os.path.join(folder, f"file{number % 50:02}.js"), "w") as file:
            file.write(" ".join(words) + "\n")
    for command in (["init", "-q"], ["config", "gc.auto", "0"], ["config", "maintenance.auto", "false"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=root, env=environment, check=True)


def timed(command, root, environment):
    """Seconds, peak memory in bytes and the standard output of one process."""
    read, write = os.pipe()
    begun = time.perf_counter()
    child = subprocess.Popen(command, cwd=root, env=environment, stdout=write)
    os.close(write)
    with os.fdopen(read) as output:
        text = output.read()
    _, status, usage = os.wait4(child.pid, 0)
    took = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"FAILED: {' '.join(command)} ended with {child.returncode}: {text}")
    return took, usage.ru_maxrss * 1024, text


def write_tree(root, environment):
    index = os.path.join(root, ".git", "empty-index")
    if os.path.exists(index):
        os.remove(index)
    own = dict(environment, GIT_INDEX_FILE=index)
    took = timed(["git", "add", "-A"], root, own)[0] + timed(["git", "write-tree"], root, own)[0]
    os.remove(index)
    return took


def measured(binary, root, environment, rounds):
    """Medians in seconds, and peaks in bytes."""
    begin = [binary, "fingerprint", "begin", "--root", root]
    took = {name: [] for name in ("status", "write-tree", "begin", "compare")}
    peak = {"begin": 0, "compare": 0}
    # What was written a moment ago is read again; these runs also warm the caches of both.
    time.sleep(2.5)
    for _ in range(2):
        timed(["git", "status", "--porcelain"], root, environment)
        timed(begin, root, environment)
    for _ in range(rounds):
        took["status"].append(timed(["git", "status", "--porcelain"], root, environment)[0])
        took["write-tree"].append(write_tree(root, environment))
        seconds, memory, text = timed(begin, root, environment)
        took["begin"].append(seconds)
        peak["begin"] = max(peak["begin"], memory)
        compare = [binary, "fingerprint", "compare", "--root", root, text.split()[-1]]
        seconds, memory, text = timed(compare, root, environment)
        took["compare"].append(seconds)
        peak["compare"] = max(peak["compare"], memory)
    return {name: statistics.median(all) for name, all in took.items()}, peak


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--files", default="20000,50000")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--slack", type=float, default=1.0)
    wish = parser.parse_args()
    binary = os.path.abspath(wish.binary)
    work = tempfile.mkdtemp(prefix="fingerprint-speed-")
    environment = {
        "PATH": os.environ["PATH"], "HOME": work, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid",
        "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.invalid",
        "GROUNDLINE_CACHE": os.path.join(work, "cache"), "GROUNDLINE_STATE": os.path.join(work, "state"),
    }
    kept = True
    try:
        empty = os.path.join(work, "empty")
        make(empty, 1, environment)
        _, floor = measured(binary, empty, environment, 3)
        for n_files in (int(n) for n in wish.files.split(",")):
            root = os.path.join(work, str(n_files))
            make(root, n_files, environment)
            took, peak = measured(binary, root, environment, wish.rounds)
            print(f"{n_files} files: " + ", ".join(f"{name} {took[name] * 1000:.0f} ms" for name in took))
            for ratio, limit in LIMITS.items():
                above, below = ratio.split("/")
                value = took[above] / took[below]
                kept &= value <= limit * wish.slack
                print(f"  {ratio} {value:.2f} (at most {limit})")
            for name in peak:
                value = (peak[name] - floor[name]) / n_files
                kept &= value <= BYTES_A_FILE * wish.slack
                print(f"  {name}: {value:.0f} bytes a file (at most {BYTES_A_FILE}), peak {peak[name] >> 20} MB")
            shutil.rmtree(root, ignore_errors=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("all hold" if kept else "FAILED: not all hold")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
