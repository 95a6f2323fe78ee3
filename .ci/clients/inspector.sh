#!/usr/bin/env bash
# Proves that MCP Inspector, the protocol's own debugging client, lists our tool in each protocol era without one remark on
# its schema (--strict), that a call comes back with the invented member named, and that the era which was asked for is the
# one on the wire: a quiet fall back to the older one would pass every other check here.
# usage: inspector.sh BINARY PROJECT WORDS      WORDS must be in the answer
set -euo pipefail
binary=$1 project=$2 words=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
n_failed=0

ok() { echo "ok inspector $1"; }
failed() { # NAME CAUSE FILE...
  echo "FAILED inspector $1: $2"
  tail -qn 12 "${@:3}" | cut -c1-600 | sed 's/^/  /'
  n_failed=$((n_failed + 1))
}

strict_list() { # ERA
  local name="$1: tools/list --strict has no finding" status=0
  mcp-inspector --cli "$binary" serve --root "$project" --protocol-era "$1" --method tools/list --strict >list.out 2>list.err || status=$?
  if [ "$status" != 0 ]; then failed "$name" "exit status $status" list.err list.out
  elif [ -s list.err ]; then failed "$name" "it has remarks" list.err
  elif ! grep -q '"name": "check_symbols"' list.out; then failed "$name" "check_symbols is not listed" list.out
  else ok "$name"; fi
}

call() { # ERA
  local name="$1: tools/call names the invented member" status=0
  rm -f wire.*
  mcp-inspector --cli bash "$here/wire.sh" "$PWD/wire" "$binary" serve --root "$project" --protocol-era "$1" --method tools/call \
    --tool-name check_symbols --tool-args-json '{"paths":["drafts/invoice-draft.js"]}' >call.out 2>call.err || status=$?
  if [ "$status" != 0 ]; then failed "$name" "exit status $status" call.err call.out
  elif ! grep -qF "$words" call.out; then failed "$name" "no '$words' in the answer" call.out
  else ok "$name"; fi
}

# Looks at the wire of the call before.
wire() { # ERA
  local name="$1: that era is on the wire, and protocol lines only" spoken=modern
  if [ ! -s wire.in ] || [ ! -s wire.out ]; then failed "$name" "nothing was said"; return; fi
  if grep -q '"method":"initialize"' wire.in; then spoken=legacy; fi
  if [ "$spoken" != "${1/auto/modern}" ]; then failed "$name" "the talk was $spoken" wire.in wire.out
  elif grep -qv '^{"jsonrpc":"2.0",.*}$' wire.out; then failed "$name" "the server wrote other lines" wire.out
  else ok "$name"; fi
}

for era in legacy auto modern; do
  strict_list "$era"
  call "$era"
  wire "$era"
done
[ "$n_failed" = 0 ]
