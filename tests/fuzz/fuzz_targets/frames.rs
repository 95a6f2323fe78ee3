//! Any bytes as one line of a conversation; if they are a call, its arguments for every tool, about a small project.
#![no_main]

use groundline::deeds::opened::confined;
use groundline::server::rehearsal;
use groundline::session::{Session, Settings};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A project beside which no call may look, with state in memory only.
static PROJECT: LazyLock<(TempDir, Session)> = LazyLock::new(|| {
    let dir = TempDir::new().expect("a temporary folder can be made");
    let put = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("it can be written");
    put("groundline.toml", "builtins = [\"ecmascript\"]\n[[api]]\nname = \"kiln\"\nversion = \"1\"\ndeclarations = [\"*.d.ts\"]\n");
    put("kiln.d.ts", "/** Fires pieces. */\ninterface Kiln { heatTo(degrees: number): void; shelf(n: number): Kiln }\ndeclare const kiln: Kiln;\n");
    put("main.js", "const shelf = kiln.shelf(1);\nshelf.heatTo(3);\nkiln.setHeat(2);\n");
    let here = dir.path().canonicalize().expect("it was just made");
    let settings = Settings { here: here.clone(), ..Settings::default() };
    let settings = confined(settings, &[here]).expect("it is a root");
    (dir, Session::new(settings))
});

fuzz_target!(|line: &[u8]| {
    rehearsal::put(line, &PROJECT.1);
});
