#!/usr/bin/env bash
# Sends 100,000 mutated messages to one running server: it goes on, answers each request once, and its memory stays flat.
# usage: mutate.sh BINARY [COUNT]
set -euo pipefail
[ $# -ge 1 ] && [ -x "$1" ] || { echo "usage: mutate.sh BINARY [COUNT] (a built groundline)" >&2; exit 2; }
GROUNDLINE_PROGRAM=$(realpath "$1")
GROUNDLINE_MUTATIONS=${2:-100000}
export GROUNDLINE_PROGRAM GROUNDLINE_MUTATIONS
cd "$(dirname "${BASH_SOURCE[0]}")/.."
said=$(cargo test --quiet --test suite -- --exact --nocapture \
  mutations::mutated_messages_end_nothing_and_each_request_is_answered_once 2>&1) || { echo "$said"; exit 1; }
# A test that was renamed would run nothing, and pass.
grep "^$GROUNDLINE_MUTATIONS messages" <<<"$said" || { echo "$said"; echo "FAILED: nothing was sent"; exit 1; }
