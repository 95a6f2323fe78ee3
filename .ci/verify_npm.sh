#!/usr/bin/env bash
# `groundline verify` around the tests of a real npm project: what the runner leaves (coverage, its cache) voids nothing, a
# snapshot that it rewrites does, and a test that fails is a FAIL. usage: verify_npm.sh BINARY
set -euo pipefail
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/verify-npm"
mkdir -p "$work"
cat >"$work/package.json" <<'JSON'
{
  "name": "verified", "version": "1.0.0", "private": true,
  "devDependencies": { "jest": "30.5.2" },
  "jest": { "cacheDirectory": "<rootDir>/.cache/jest" }
}
JSON
(cd "$work" && npm install --no-audit --no-fund --loglevel=error >/dev/null)
beside=$(dirname "$work")
export GROUNDLINE_STATE="$beside/verify-npm-state" GROUNDLINE_CACHE="$beside/verify-npm-cache"
cd "$work"
rm -rf .git .cache coverage src tests "$GROUNDLINE_STATE" "$GROUNDLINE_CACHE"
mkdir -p src tests/__snapshots__
printf 'node_modules/\n.cache/\n' >.gitignore
cat >src/receipt.js <<'JS'
exports.total = (lines) => lines.reduce((sum, line) => sum + line.price * line.count, 0);
exports.receipt = (lines) => ({ lines: lines.length, total: exports.total(lines) });
JS
cat >tests/receipt.test.js <<'JS'
const { receipt, total } = require('../src/receipt');
const lines = [{ price: 3, count: 2 }, { price: 5, count: 1 }];
test('a total is what all lines cost', () => expect(total(lines)).toBe(11));
test('a receipt is as it was', () => expect(receipt(lines)).toMatchSnapshot());
JS
git init -q -b main
npx jest --ci=false >/dev/null 2>&1
git add -A
git -c user.name=t -c user.email=t@example.invalid commit -qm x

# said STATUS WORD COMMAND...: verifies the command, and says whether that went as it should.
said() {
  local status=$1 word=$2 got=0 text
  shift 2
  text=$("$binary" verify --root . -- "$@" 2>"$beside/verify-npm-errors") || got=$?
  text=$(sed -n "/^\(PASS\|FAIL\|VOID\|UNKNOWN\)  /,\$p" <<<"$text")
  if [ "$got" != "$status" ] || [ "${text%% *}" != "$word" ]; then
    printf 'FAILED: %s: status %s instead of %s:\n%s\n' "$*" "$got" "$status" "$text"
    exit 1
  fi
  printf '%s  %s\n' "$word" "$*"
  printf '%s\n' "$text" >"$beside/verify-npm-said"
}

said 0 PASS npx jest --ci --coverage
grep -q 'coverage' "$beside/verify-npm-said" || { echo "FAILED: the coverage is not told"; exit 1; }
[ -f coverage/lcov.info ] && [ -d .cache/jest ] || { echo "FAILED: the runner left nothing"; exit 1; }
sed -i 's/sum + line/sum - line/' src/receipt.js
said 1 FAIL npx jest --ci --coverage
said 3 VOID npx jest --ci=false -u
grep -q 'edited  tests/__snapshots__/receipt.test.js.snap' "$beside/verify-npm-said" || { echo "FAILED: the snapshot is not named"; cat "$beside/verify-npm-said"; exit 1; }
echo "verified: coverage and cache void nothing, a rewritten snapshot does"
