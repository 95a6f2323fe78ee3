//! What a project's modules export to one another, in whole projects.

use crate::program::Folder;
use serde_json::{Value, json};
use std::fs;

const DESK: &str = "builtins = [\"ecmascript\"]\n[[api]]\nname = \"desk\"\nversion = \"1\"\ndeclarations = [\"desk.d.ts\"]\n";

const DECLARED: &str = "interface Sheet { opacity: number }\n\
declare class Emitter { on(event: string): this; emit(event: string): boolean }\n\
declare function require(name: string): any;\ndeclare const module: any;\n\
declare function sheet(): Sheet;\n";

/// What is found in `main.js`, as `member of type`, where the project holds these files too.
fn found(main: &str, beside: &[(&str, &str)]) -> Vec<String> {
    let folder = Folder::empty();
    let own = [("groundline.toml", DESK), ("desk.d.ts", DECLARED), ("main.js", main)];
    for (path, text) in own.iter().chain(beside) {
        let path = folder.project().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let call = format!("{}\n", json!({ "paths": ["main.js"] }));
    let (_, output, error) = folder.run(&["call", "check_symbols", "-", "--json"], &call);
    let answer: Value =
        serde_json::from_str(&output).unwrap_or_else(|why| panic!("{why}: {output}{error}"));
    let findings = answer["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|f| {
            format!("{} of {}", f["member"].as_str().unwrap(), f["receiver_type"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn what_a_function_of_another_module_gives_is_known() {
    let beside = [(
        "lib/make.js",
        "export function make() { return sheet(); }\nexport const one = sheet();",
    )];
    let main = "import { make, one } from './lib/make';\nmake().opacty;\none.opacty;\none.opacity;";
    assert_eq!(found(main, &beside), ["opacty of Sheet", "opacty of Sheet"]);
}

#[test]
fn common_js_exports_are_known_whole_and_by_name() {
    let beside = [
        ("make.js", "exports.make = () => sheet();"),
        ("index.js", "module.exports = { again: require('./make').make };"),
    ];
    let main =
        "const { again } = require('.');\nagain().opacty;\nrequire('./make.js').make().opacty;";
    assert_eq!(found(main, &beside), ["opacty of Sheet", "opacty of Sheet"]);
}

#[test]
fn an_instance_of_a_class_has_what_it_and_its_base_have() {
    let beside = [(
        "runner.js",
        "class Runner extends Emitter { constructor() { super(); this.name = 'a'; } run() { return this; } }\n\
         module.exports = Runner;",
    )];
    let main = "/** @typedef {import('./runner.js')} Runner */\n\
        const Made = require('./runner');\n\
        /** @param {Runner} runner */\n\
        function start(runner) { runner.emitt('x'); runner.name; runner.run().onn('x'); }\n\
        class Fast extends Made { go() { this.emitts('x'); this.run(); } }\n\
        new Made().once;";
    assert_eq!(
        found(main, &beside),
        ["emitt of Runner", "onn of Runner", "emitts of ", "once of Runner"]
    );
}

#[test]
fn what_a_module_makes_itself_is_open() {
    let beside = [(
        "own.js",
        "class Plain { a() {} }\nfunction helper() {}\nclass Mixed extends mixin(Emitter) {}\n\
         export { Plain, helper, Mixed };\nexport default { one: 1 };",
    )];
    let main = "import own, { Plain, helper, Mixed, missing } from './own';\n\
        new Plain().b;\nhelper.b;\nnew Mixed().b;\nown.two;\nmissing.three;";
    assert_eq!(found(main, &beside), Vec::<String>::new());
}

#[test]
fn modules_that_import_one_another_end() {
    let beside = [
        (
            "a.js",
            "import { b } from './b';\nexport function a() { return b(); }\nexport * from './b';",
        ),
        (
            "b.js",
            "import { a } from './a';\nexport function b() { return a(); }\nexport * from './a';",
        ),
    ];
    assert_eq!(found("import { a } from './a';\na().opacty;", &beside), Vec::<String>::new());
}

#[test]
fn no_file_outside_of_the_root_is_read() {
    assert_eq!(
        found("import { a } from '../../a';\na().b;\nrequire('../x').b;", &[]),
        Vec::<String>::new()
    );
}
