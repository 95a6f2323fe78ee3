#!/usr/bin/env bash
# Stands between a client and a server on stdio and keeps what was said, so that a test can look at the wire itself:
# LOG.in what the client wrote, LOG.out what the server wrote, LOG.status how the server ended once its input was closed.
# usage: wire.sh LOG COMMAND [ARGUMENT...]
log=$1
shift
"$@" < <(tee "$log.in") > >(tee "$log.out")
echo $? >"$log.status"
# The last process substitution is the one that writes LOG.out: it is whole when this script ends.
wait $!
