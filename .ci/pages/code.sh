#!/usr/bin/env bash
# Checks published code written for Electron with nothing but Electron's pages, and holds every finding against electron.d.ts.
# usage: code.sh BINARY      CORPORA as for run.sh, which must have run before: it brings electron.d.ts
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pages=$(find "${CORPORA:-$here/../../../shared/corpora}/electron" -type d -path '*docs/api' | head -1)
[ -n "$pages" ] || { echo "FAILED: no pages of Electron: set CORPORA" >&2; exit 1; }
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/electron"
types="$work/node_modules/electron/electron.d.ts"
[ -f "$types" ] || { echo "FAILED: $types is not there: run run.sh first" >&2; exit 1; }
code="$work/code"
mkdir -p "$code"
while read -r package; do
  folder="$code/${package//\//__}"
  [ -f "$folder/package.json" ] && continue
  rm -rf "$folder.part" && mkdir -p "$folder.part"
  (cd "$folder.part" && timeout 120 npm pack --silent "$package" >/dev/null && tar xzf ./*.tgz --strip-components=1 && rm -f ./*.tgz)
  mv "$folder.part" "$folder"
done <"$here/packages.txt"
python3 "$here/code.py" "$1" "$code" "$pages" "$types"
