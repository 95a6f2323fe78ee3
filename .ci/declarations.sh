#!/usr/bin/env bash
# Mines the declarations of large published packages and compares what comes of them with the committed counts: no file is
# lost, nothing panics. usage: declarations.sh BINARY [--write]
set -euo pipefail
binary=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/declarations"
mkdir -p "$work"
cp "$here/declarations.json" "$work/package.json"
(cd "$work" && timeout 300 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --legacy-peer-deps --loglevel=error)
rm -rf "$work/cache"
"$binary" build --root "$work" --cache "$work/cache" --declarations 'node_modules/types-for-adobe/Photoshop/2015.5/*.d.ts' \
  >"$work/built.txt" 2>"$work/progress.txt" || { cat "$work/built.txt" "$work/progress.txt"; exit 1; }
# name, version, counts; where it is installed differs between machines
sed -e 's/  installed in .*//' -e 's/ in \/.*//' "$work/built.txt" | grep -v '^note' >"$work/counts.txt"
if [ "${2:-}" = --write ]; then cp "$work/counts.txt" "$here/declarations.txt"; exit 0; fi
diff "$here/declarations.txt" "$work/counts.txt" || { echo "what is mined from the pinned packages has changed: read the difference"; exit 1; }
grep -c . "$work/counts.txt" | sed 's/$/ apis mined as before/'
