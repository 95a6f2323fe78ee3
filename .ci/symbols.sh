#!/usr/bin/env bash
# Runs the symbol benchmark through the real binary and holds its figures to what the README states.
# usage: symbols.sh BINARY SET      SET: public, or surfaces with commas; `node` needs the package registry only
# SYMBENCH: the benchmark's folder (default: shared/bench/symbols beside the repository)
set -euo pipefail
binary=$1
set_=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench="${SYMBENCH:-$here/../../shared/bench/symbols}"
[ -d "$bench" ] || { echo "FAILED: no symbol benchmark at $bench: set SYMBENCH" >&2; exit 1; }
export SYMBENCH_DIR="${SYMBENCH_DIR:-${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/symbench}"
mkdir -p "$SYMBENCH_DIR"
tools="$SYMBENCH_DIR/.bench"
rm -rf "$tools"
cp -r "$bench" "$tools"
chmod -R u+w "$tools"
stamp="$SYMBENCH_DIR/.built-$set_"
if [ ! -e "$stamp" ]; then
  (cd "$tools" && timeout 900 node fetch.js "$set_" && timeout 900 node build.js "$set_")
  touch "$stamp"
fi
out="$SYMBENCH_DIR/groundline-$set_.jsonl"
XDG_CACHE_HOME="$SYMBENCH_DIR/cache" python3 "$tools/run_groundline.py" "$binary" "$set_" "$out"
(cd "$tools" && node score.js "$set_" "$out" --name groundline --json "$SYMBENCH_DIR/score-$set_.json" --misses "$SYMBENCH_DIR/misses-$set_.jsonl")
python3 "$here/symbols_hold.py" "$SYMBENCH_DIR/score-$set_.json"
