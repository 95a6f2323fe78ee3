#!/usr/bin/env bash
# Proves that MCP Inspector, the protocol's own debugging client, lists our tool in each protocol era without one remark on
# its schema (--strict), that a call comes back with the invented member named, and that the era which was asked for is the
# one on the wire: a quiet fall back to the older one would pass every other check here. Over HTTP also that every request
# brings the token.
# usage: inspector.sh WORDS stdio BINARY PROJECT      or      inspector.sh WORDS http URL TOKEN_FILE
# WORDS must be in the answer
set -euo pipefail
words=$1 door=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
n_failed=0
wire=
trap 'if [ -n "$wire" ]; then kill "$wire" 2>/dev/null || true; fi' EXIT

ok() { echo "ok inspector $door $1"; }
failed() { # NAME CAUSE FILE...
  echo "FAILED inspector $door $1: $2"
  tail -qn 12 "${@:3}" 2>/dev/null | cut -c1-600 | sed 's/^/  /'
  n_failed=$((n_failed + 1))
}

case $door in
  stdio)
    binary=$3 project=$4
    plain=("$binary" serve --root "$project")
    kept=(bash "$here/wire.sh" "$PWD/wire" "${plain[@]}") ;;
  http)
    url=$3 token=$(cat "$4")
    bearer=(--transport http --header "Authorization: Bearer $token")
    port=${url#http://127.0.0.1:}
    plain=("$url" "${bearer[@]}")
    python3 "$here/wire_http.py" "$PWD/wire" "${port%%/*}" &
    wire=$!
    for _ in {1..100}; do if [ -s wire.port ]; then break; fi; sleep 0.1; done
    kept=("http://127.0.0.1:$(cat wire.port)/mcp" "${bearer[@]}") ;;
  *) echo "no such door: $door" >&2; exit 2 ;;
esac

strict_list() { # ERA
  local name="$1: tools/list --strict has no finding" status=0
  mcp-inspector --cli "${plain[@]}" --protocol-era "$1" --method tools/list --strict >list.out 2>list.err || status=$?
  if [ "$status" != 0 ]; then failed "$name" "exit status $status" list.err list.out
  elif [ -s list.err ]; then failed "$name" "it has remarks" list.err
  elif ! grep -q '"name": "check_symbols"' list.out; then failed "$name" "check_symbols is not listed" list.out
  else ok "$name"; fi
}

call() { # ERA
  local name="$1: tools/call names the invented member" status=0
  rm -f wire.in wire.out wire.status
  mcp-inspector --cli "${kept[@]}" --protocol-era "$1" --method tools/call \
    --tool-name check_symbols --tool-args-json '{"paths":["drafts/invoice-draft.js"]}' >call.out 2>call.err || status=$?
  if [ "$status" != 0 ]; then failed "$name" "exit status $status" call.err call.out
  elif ! grep -qF "$words" call.out; then failed "$name" "no '$words' in the answer" call.out
  else ok "$name"; fi
}

# Looks at the wire of the call before.
era_on_the_wire() { # ERA
  local name="$1: that era is on the wire" spoken=modern
  if [ ! -s wire.in ] || [ ! -s wire.out ]; then failed "$name" "nothing was said"; return; fi
  if grep -aq '"method":"initialize"' wire.in; then spoken=legacy; fi
  if [ "$spoken" = "${1/auto/modern}" ]; then ok "$name"; else failed "$name" "the talk was $spoken" wire.in wire.out; fi
}

protocol_lines_only() { # ERA
  local name="$1: protocol lines only"
  if grep -qv '^{"jsonrpc":"2.0",.*}$' wire.out; then failed "$name" "the server wrote other lines" wire.out; else ok "$name"; fi
}

n_times() { # FILE GREP_ARGUMENT...
  { grep -ao "${@:2}" "$1" || true; } | wc -l
}

# A client that forgot it once would have been refused, and might have tried again.
token_each_time() { # ERA
  local name="$1: each request brings the token" n_requests n_tokens n_refused
  n_requests=$(n_times wire.in -E '(POST|GET|DELETE) /mcp HTTP/1\.1')
  n_tokens=$(n_times wire.in -iF "authorization: bearer $token")
  n_refused=$(n_times wire.out -E 'HTTP/1\.1 40[13]')
  if [ "$n_requests" -gt 0 ] && [ "$n_requests" = "$n_tokens" ] && [ "$n_refused" = 0 ]; then ok "$name"
  else failed "$name" "$n_requests requests, $n_tokens tokens, $n_refused refused" wire.in; fi
}

refused() {
  local name="another token is refused" status=0
  timeout -k 5 45 mcp-inspector --cli "$url" --transport http --header "Authorization: Bearer ${token}x" --method tools/list >list.out 2>list.err || status=$?
  if [ "$status" = 0 ] || grep -q check_symbols list.out; then failed "$name" "it was let in" list.out
  elif ! grep -q auth_required list.err list.out; then failed "$name" "exit status $status, and not for want of a token" list.err list.out
  else ok "$name"; fi
}

for era in legacy auto modern; do
  strict_list "$era"
  call "$era"
  era_on_the_wire "$era"
  if [ "$door" = stdio ]; then protocol_lines_only "$era"; else token_each_time "$era"; fi
done
if [ "$door" = http ]; then refused; fi
[ "$n_failed" = 0 ]
