//! What help shows at its end: commands that work, and what their exit status says.

pub(super) const EXAMPLES: &str = "\
Examples:
  groundline tour                        see what it does, on a project that it brings along
  groundline check                       check every script of this project
  groundline check src --format json     check one folder, as data
  groundline call check_symbols '{\"code\": \"[1].atIndex(0)\"}'
  groundline init                        show how Claude Code, Codex, Cursor and others register it

Exit status: 0 nothing found, 1 findings, 2 it could not be done.";

pub(super) const SERVE_EXAMPLES: &str = "\
Register it, for example:
  claude mcp add groundline -- groundline serve
  codex mcp add groundline -- groundline serve
  gemini mcp add -s user groundline groundline serve

groundline init shows it for every host.

It ends when its standard input does. Over HTTP it ends when it is told to, and calls in flight may finish:
  groundline serve --http 127.0.0.1:8765";

pub(super) const INIT_EXAMPLES: &str = "\
Examples:
  groundline init
  groundline init --host claude-code --root ../shop
  groundline init --host codex --http 127.0.0.1:8765";

pub(super) const CALL_EXAMPLES: &str = "\
Examples:
  groundline call check_symbols '{\"paths\": [\"src/report.js\"]}'
  groundline call check_symbols '{\"paths\": \"src\"}' --json --all
  groundline call find_in_files '{\"pattern\": \"box.width\"}'
  printf '%s\\n' '{\"code\": \"a.b\"}' '{\"code\": \"a.c\"}' | groundline call check_symbols -";

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  groundline check
  groundline check src scripts/export.ts
  groundline check --changed             what changed since HEAD, before a commit
  groundline check --baseline old.json --write-baseline
  groundline check --baseline old.json   only what is new counts
  groundline check --format sarif        for code hosts; --format github annotates a pull request
  groundline check --format json --root ../shop

Exit status: 0 clean, 1 findings, 2 it could not check.";

pub(super) const FINGERPRINT_EXAMPLES: &str = "\
Examples:
  id=$(groundline fingerprint begin --allow 'out/**' | tail -n 1)
  npm test
  groundline fingerprint compare $id

compare prints a line for each path that moved, with how before it, or each remark.
Exit status: 0 held, 1 moved, 2 unknown.";

pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  groundline verify -- npm test
  groundline verify --timeout 600 --allow 'reports/**' -- cargo test
  groundline verify --attest checked.json -- npm test
  groundline verify --check checked.json

Behind the command's own output stands the verdict: PASS or FAIL, as the command said it, over a tree that held still; VOID, the tree
moved while the command ran, and what it said is about no tree; UNKNOWN, it could not be told.
Exit status: 0 PASS, 1 FAIL, 2 UNKNOWN, 3 VOID.";

pub(super) const SYMBOLS_EXAMPLES: &str = "\
Examples:
  groundline symbols tableStart
  groundline symbols 'Layout.*' --api folio
  groundline symbols 'Array.*' --api ecmascript";

pub(super) const BUILD_EXAMPLES: &str = "\
Examples:
  groundline build --explain
  groundline build --declarations 'types/**/*.d.ts' --explain
  groundline build --pages 'docs/**/*.md' --explain
  groundline build --out datagraphs";
