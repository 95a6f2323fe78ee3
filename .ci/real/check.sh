#!/usr/bin/env bash
# Checks published code against the declarations that are installed beside it, and compares every finding with the list of
# those that were looked at. usage: check.sh BINARY [--list]      --list prints what is found, in the list's form
set -euo pipefail
binary=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target="${REAL_DIR:-${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/real}"
bash "$here/fetch.sh" "$target" >/dev/null
exec python3 "$here/check.py" "$binary" "$target" "$here" "${2:-}"
