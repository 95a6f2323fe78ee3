#!/usr/bin/env bash
# Mines the built-in datagraphs from the pinned packages again and compares them with what is committed, byte for byte.
# usage: builtins.sh BINARY [--write]      --write puts what was mined into datagraphs/
set -euo pipefail
binary=$1
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/builtins"
mkdir -p "$work"
cp "$top/.ci/builtins.json" "$work/package.json"
(cd "$work" && timeout 300 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error)
rm -rf "$work/mined"
mkdir -p "$work/mined"
"$binary" build --builtins "$work" --out "$work/mined"
if [ "${2:-}" = --write ]; then
  cp -r "$work/mined/." "$top/datagraphs/"
  exit 0
fi
for name in ecmascript web node; do
  diff -rq "$work/mined/$name" "$top/datagraphs/$name" || { echo "datagraphs/$name is not what its packages give"; exit 1; }
done
total=$(cat "$top"/datagraphs/{ecmascript,web,node}/* | wc -c)
echo "ecmascript, web and node: the same bytes, $total in all"
