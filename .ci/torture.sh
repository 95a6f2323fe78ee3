#!/usr/bin/env bash
# Runs the public torture test of fingerprints through the real binary: every way to change a tree or to hide a change must
# be answered right. usage: torture.sh BINARY      BENCH: the benchmarks' folder (default: shared/bench beside the repository)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bench="${BENCH:-$here/../../shared/bench}/fingerprint"
[ -d "$bench" ] || { echo "FAILED: no torture test at $bench: set BENCH" >&2; exit 1; }
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$bench/." "$work/"
chmod -R u+w "$work"
adapter="bash $work/adapters/groundline.sh"
said=$(FP_TAKE="$adapter take $binary" FP_COMPARE="$adapter compare $binary" python3 "$work/torture.py") || { echo "$said"; exit 1; }
echo "$said" | tail -3
grep -q 'silent misses 0, false alarms 0' <<<"$said"
