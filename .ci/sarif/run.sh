#!/usr/bin/env bash
# Checks a project that has findings and holds the SARIF log to the published schema of 2.1.0.
# usage: run.sh BINARY      The schema is taken from an npm package that carries it, so nothing of it is kept here.
set -euo pipefail
binary=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/sarif"
mkdir -p "$work"
if [ ! -e "$work/package/lib/schemas/sarif-2.1.0-rtm.5.json" ]; then
  (cd "$work" && timeout 100 npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >/dev/null && tar xzf microsoft-jest-sarif-1.0.0-beta.0.tgz)
fi
if [ ! -x "$work/venv/bin/python" ]; then
  python3 -m venv "$work/venv"
  timeout 100 "$work/venv/bin/pip" install --quiet jsonschema==4.26.0
fi
rm -rf "$work/project"
cp -r "$here/../../tests/projects/kiln" "$work/project"
printf '%s\n' 'kiln.heatUp(900);' 'kiln.cooldown();' 'kiln.heatTo();' 'kiln.heatTo({ hot: true });' 'kiln.degrees = 3;' \
  'kiln.shelf(1).pieces();' '// groundline-allow nothing' >"$work/project/ä b.js"
"$binary" check --format sarif --root "$work/project" --cache "$work/cache" >"$work/log.sarif" || [ $? -eq 1 ]
"$work/venv/bin/python" "$here/holds.py" "$work/package/lib/schemas/sarif-2.1.0-rtm.5.json" "$work/log.sarif"
