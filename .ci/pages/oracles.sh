#!/usr/bin/env bash
# Member indexes mined from pages alone, in eight formats, each against an independent reading of the same api.
# usage: oracles.sh BINARY     CORPORA: folder of documentation nobody here wrote (default: shared/corpora beside the repository)
# Pages and declarations come from npm and from packages of Debian; what cannot be had is said and fails. With MIRRORS, a
# folder of bare repositories (owner+name/repo), a ninth is measured: API Documenter's Markdown, which Obsidian publishes.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binary=$1
corpora=${CORPORA:-$here/../../../shared/corpora}
work="${GROUNDLINE_CI_DIR:-${TMPDIR:-/tmp}/groundline-ci}/oracles"
mkdir -p "$work/deb" && cd "$work" || exit 1
failed=0
[ -f package.json ] || echo '{"private": true}' >package.json
timeout 400 npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error typescript@5.9.3 typedoc@0.28.20 \
  typedoc-plugin-markdown@4 @types/jquery@4.0.1 obsidian@1.12.3 ol@10.11.0 || exit 1
modules="$work/node_modules"
declared() { node "$here/declared.mjs" "$work" "$@"; }
held() { python3 "$here/oracles.py" "$binary" "$@" || failed=1; }
options='{"target":"es2022","module":"esnext","moduleResolution":"bundler","skipLibCheck":true,"types":[],"lib":["es2022","dom"]}'

# DocFX YAML: its own `uid` lines, read without a parser of YAML.
[ -d "$corpora/office-scripts" ] && [ -d "$corpora/jquery" ] || { echo "FAILED: no documentation at $corpora: set CORPORA" >&2; exit 1; }
python3 "$here/read.py" office "$corpora/office-scripts" >office.json
held office "$corpora/office-scripts" "$(cd "$corpora" && pwd)/office-scripts/**/*.yml" office.json
# jQuery XML against @types/jquery.
declared "$modules"/@types/jquery/*.d.ts >jquery-types.json
python3 "$here/read.py" jquery jquery-types.json >jquery.json
held jquery "$corpora/jquery" "$(cd "$corpora" && pwd)/jquery/entries/*.xml" jquery.json
# TypeDoc's JSON of OpenLayers against its declarations, read by the TypeScript compiler.
if [ ! -f typedoc-json/ol.json ]; then
  echo "{\"compilerOptions\":$options,\"include\":[\"node_modules/ol/**/*.d.ts\"],\"exclude\":[]}" >tsconfig.ol.json
  mkdir -p typedoc-json
  timeout 400 npx typedoc --json typedoc-json/ol.json --tsconfig tsconfig.ol.json --entryPointStrategy expand --entryPoints node_modules/ol \
    --exclude '**/node_modules/ol/node_modules/**' --skipErrorChecking --logLevel Error
fi
find "$modules/ol" -name '*.d.ts' -not -path '*/ol/node_modules/*' -print0 | sort -z | xargs -0 node "$here/declared.mjs" "$work" >ol.json
held typedoc-json "$work/typedoc-json" "$work/typedoc-json/*.json" ol.json
# TypeDoc's HTML and Markdown of Obsidian's api against its declarations.
echo "{\"compilerOptions\":$options,\"files\":[\"node_modules/obsidian/obsidian.d.ts\"]}" >tsconfig.obsidian.json
for form in html markdown; do
  [ -d "typedoc-$form" ] && continue
  plugin=(); [ "$form" = markdown ] && plugin=(--plugin typedoc-plugin-markdown)
  timeout 200 npx typedoc "${plugin[@]}" --tsconfig tsconfig.obsidian.json --skipErrorChecking --logLevel Error \
    --entryPoints node_modules/obsidian/obsidian.d.ts --out "typedoc-$form"
done
declared "$modules/obsidian/obsidian.d.ts" >obsidian.json
held typedoc-html "$work/typedoc-html" "$work/typedoc-html/**/*.html" obsidian.json
held typedoc-markdown "$work/typedoc-markdown" "$work/typedoc-markdown/**/*.md" obsidian.json
# API Documenter's Markdown, as Obsidian publishes it, against the declarations of that version.
if [ -n "${MIRRORS:-}" ]; then
  rm -rf documenter && mkdir -p documenter
  git -C "$MIRRORS/obsidianmd+obsidian-developer-docs/repo" archive HEAD "en/Reference/TypeScript API" | tar x -C documenter || failed=1
  held api-documenter "$work/documenter" "$work/documenter/en/Reference/TypeScript API/**/*.md" obsidian.json
fi
# qdoc's and Sphinx' HTML from Debian: the separate pages of all members, and the inventory.
packages=(qtdeclarative5-doc-html qtquickcontrols2-5-doc-html python-jinja2-doc)
if [ ! -d deb/x ]; then
  (cd deb && { timeout 200 apt-get download "${packages[@]}" || { timeout 200 apt-get update && timeout 200 apt-get download "${packages[@]}"; }; } >/dev/null 2>&1
   for package in *.deb; do dpkg -x "$package" x; done) || { echo "FAILED: Debian's packages of pages cannot be had" >&2; exit 1; }
fi
python3 "$here/read.py" qml deb/x/usr/share/qt5/doc >qml.json
held qdoc "$work/deb/x" "$work/deb/x/usr/share/qt5/doc/*/qml-*.html" qml.json
sphinx=deb/x/usr/share/doc/python-jinja2-doc/html
python3 "$here/read.py" sphinx "$sphinx/objects.inv" >sphinx.json
held sphinx "$work/$sphinx" "$work/$sphinx/*.html" sphinx.json
# Electron's Markdown against electron.d.ts.
electron=$(bash "$here/run.sh" "$binary") || failed=1
printf "electron: "; grep -E "^(mined|precision)" <<<"$electron"
exit $failed
