#!/usr/bin/env bash
# Mines Electron's documentation pages and compares the member index with electron.d.ts of the closest version.
# usage: run.sh BINARY      CORPORA: folder of documentation nobody here wrote (default: shared/corpora beside the repository)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pages=$(find "${CORPORA:-$here/../../../shared/corpora}/electron" -type d -path '*docs/api' | head -1)
[ -n "$pages" ] || { echo "FAILED: no pages of Electron: set CORPORA" >&2; exit 1; }
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/electron"
mkdir -p "$work"
echo '{"private": true, "dependencies": {"electron": "45.0.0-alpha.10"}}' >"$work/package.json"
(cd "$work" && timeout 200 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error)
python3 "$here/electron.py" "$1" "$pages" "$work/node_modules/electron/electron.d.ts" | tail -30
