#!/usr/bin/env bash
# Lays out published npm packages' own source as small projects with the typed API it is written against:
#   TARGET/<name>/package.json, node_modules/, code/
# The list is projects.tsv beside this script. A project that is there already and complete is left alone.
# usage: fetch.sh TARGET [NAME...]      FETCH_JOBS=2 (npm runs at once)  FETCH_RECORD=FILE (append counts and digests, do not compare)
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { echo "usage: fetch.sh TARGET [NAME...]" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
target=$(cd "$1" && pwd)
shift
jobs=${FETCH_JOBS:-2}
record=${FETCH_RECORD:-}
scripts='.*\.(js|mjs|cjs|jsx|ts|tsx|mts|cts)'
for tool in npm node tar sha256sum; do
  command -v "$tool" >/dev/null || { echo "fetch.sh: no $tool" >&2; exit 1; }
done

# package.json of a project: exact versions, and the module type of the code's package where known.
manifest() { # name type package@version...
  node -e '
    const [name, type, ...specs] = process.argv.slice(1);
    const out = { name: "real-" + name, private: true };
    if (type !== "-") out.type = type;
    out.dependencies = {};
    for (const s of specs) { const at = s.lastIndexOf("@"); out.dependencies[s.slice(0, at)] = s.slice(at + 1); }
    process.stdout.write(JSON.stringify(out, null, 2) + "\n");' "$@"
}

count() { find "$1" -type f -regextype posix-extended -regex "$scripts" ! -regex '.*\.d\.(ts|mts|cts)' | wc -l; }

digest() { (cd "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16); }

project() { # one line of projects.tsv
  local name api code folders files want how extra ambient
  IFS=$'\t' read -r name api code folders files want how extra ambient <<<"$1"
  local dir="$target/$name" stamp pkg src type
  stamp=$(printf '%s' "$1" | sha256sum | cut -c1-16)
  if [ "$(cat "$dir/.done" 2>/dev/null)" = "$stamp" ]; then return 0; fi
  rm -rf "$dir"
  mkdir -p "$dir/code"
  pkg=${code%@*}
  local -a deps=()
  read -r -a deps <<<"$api"
  if [ "$extra" != - ]; then local -a more=(); read -r -a more <<<"$extra"; deps+=("${more[@]}"); fi
  if [ "$how" = install ] && [ "$pkg" != "${deps[0]%@*}" ]; then deps+=("$code"); fi
  manifest "$name" - "${deps[@]}" >"$dir/package.json"
  (cd "$dir" && timeout 100 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --legacy-peer-deps \
    --prefer-offline --loglevel=error >npm.log 2>&1) || { echo "$name: npm install failed" >&2; tail -5 "$dir/npm.log" >&2; return 1; }
  if [ "$how" = alone ]; then
    src="$dir/.packed"
    mkdir -p "$src"
    (cd "$src" && timeout 100 npm pack "$code" --ignore-scripts --prefer-offline --loglevel=error >>../npm.log 2>&1 &&
      tar xzf ./*.tgz --strip-components=1) || { echo "$name: npm pack failed" >&2; tail -5 "$dir/npm.log" >&2; return 1; }
  else
    src="$dir/node_modules/$pkg"
  fi
  local folder
  for folder in $folders; do
    [ -e "$src/$folder" ] || { echo "$name: $code has no $folder" >&2; return 1; }
    (cd "$src" && find "$folder" -type f -regextype posix-extended -regex "$scripts" ! -name '*.min.*' ! -path '*/node_modules/*' -print0 |
      xargs -0 -r cp --parents -t "$dir/code")
  done
  type=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).type || "-"' "$src/package.json")
  manifest "$name" "$type" "${deps[@]}" >"$dir/package.json"
  # Not needed for types and heavy: source maps, bundles, data, and the code's own package unless its code imports it by name.
  find "$dir/node_modules" -type f \( -name '*.map' -o -name '*.min.*' -o -size +512k \) \
    ! -name '*.d.ts' ! -name '*.d.mts' ! -name '*.d.cts' ! -name package.json -delete
  rm -rf "$dir/.packed" "$dir"/node_modules/phaser/{src,plugins,changelog}
  if [ "$how" = install ] && ! grep -rqE "(from|import|require)[ (]*['\"]$pkg['\"/]" "$dir/code"; then rm -rf "$dir/node_modules/$pkg"; fi
  local n d
  n=$(count "$dir/code")
  d=$(digest "$dir/code")
  if [ -n "$record" ]; then
    printf '%s\t%s\t%s\n' "$name" "$n" "$d" >>"$record"
  elif [ "$n" != "$files" ] || [ "$d" != "$want" ]; then
    echo "$name: $n files ($d), projects.tsv says $files ($want)" >&2
    return 1
  fi
  # A package of alternatives (one set of declarations a host version) says nothing by itself: the project names the set.
  case $ambient in
    */types-for-adobe/*)
      printf 'builtins = ["ecmascript"]\n[[api]]\nname = "adobe"\nversion = "%s"\ndeclarations = ["%s"]\n' \
        "${deps[0]##*@}" "$ambient" >"$dir/groundline.toml" ;;
  esac
  rm -f "$dir/npm.log"
  printf '%s' "$stamp" >"$dir/.done"
}

wanted=" $* "
failed=0
running=0
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  name=${line%%$'\t'*}
  if [ $# -gt 0 ] && [[ $wanted != *" $name "* ]]; then continue; fi
  if [ "$running" -ge "$jobs" ]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
  project "$line" &
  running=$((running + 1))
done <"$here/projects.tsv"
while [ "$running" -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
if [ "$failed" -ne 0 ]; then
  echo "fetch.sh: not complete, see above" >&2
  exit 1
fi
