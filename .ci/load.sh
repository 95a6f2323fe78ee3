#!/usr/bin/env bash
# The server under load, in short: no wrong or crossed answer, a flood that others hardly feel, flat memory, cheap
# handshakes. usage: load.sh BINARY [ARGUMENTS of tests/load instead of --smoke]
set -euo pipefail
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -gt 0 ] || set -- --smoke
exec cargo run --quiet --example load -- "$binary" "$@"
