//! Names that nothing declares, in whole projects: what else the project holds decides whether they are claimed.

use crate::program::Folder;
use serde_json::{Value, json};
use std::fs;

const KILN: &str = "builtins = [\"ecmascript\"]\n[[api]]\nname = \"kiln\"\nversion = \"1\"\ndeclarations = [\"kiln.d.ts\"]\n";

/// A project whose `main.js` fires the kiln with a name that it does not declare, beside these files.
fn project(beside: &[(&str, &str)]) -> Folder {
    let folder = Folder::empty();
    let declared = "interface Kiln { fire(heat: number): Kiln }\ndeclare const kiln: Kiln;\n";
    let own = [
        ("groundline.toml", KILN),
        ("kiln.d.ts", declared),
        ("main.js", "kiln.fire(heatOf(kiln));\n"),
    ];
    for (path, text) in own.iter().chain(beside) {
        let path = folder.project().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn answer(folder: &Folder, arguments: &Value) -> Value {
    let call = format!("{arguments}\n");
    let (_, output, error) = folder.run(&["call", "check_symbols", "-", "--json"], &call);
    serde_json::from_str(&output).unwrap_or_else(|why| panic!("{why}: {output}{error}"))
}

/// How many names of `main.js` are found, where the project holds these files too.
fn n_found(beside: &[(&str, &str)]) -> usize {
    let answer = answer(&project(beside), &json!({ "paths": ["main.js"] }));
    answer["findings"].as_array().unwrap().len()
}

#[test]
fn a_name_that_no_file_of_the_project_gives_is_found() {
    let found = answer(&project(&[]), &json!({ "paths": ["main.js"] }));
    let finding = &found["findings"][0];
    assert_eq!(finding["kind"], "name");
    assert_eq!(finding["member"], "heatOf");
    assert_eq!(finding["message"], "nothing here declares heatOf");
    assert_eq!((&finding["line"], &finding["column"]), (&json!(1), &json!(11)));
}

#[test]
fn a_module_keeps_its_names_and_other_scripts_do_not() {
    assert_eq!(n_found(&[("more.js", "export function heatOf() {}")]), 1);
    assert_eq!(n_found(&[("more.js", "exports.x = 1; function heatOf() {}")]), 1);
    assert_eq!(n_found(&[("more.js", "function heatOf() {}")]), 0);
    assert_eq!(n_found(&[("more.js", "export default (globalThis.heatOf = () => 1);")]), 0);
}

#[test]
fn what_pages_settings_declarations_and_vendored_scripts_give_is_there() {
    assert_eq!(n_found(&[("more.d.ts", "declare function heatOf(kiln: Kiln): number;")]), 0);
    assert_eq!(n_found(&[("more.ts", "declare global { function heatOf(): number }")]), 0);
    assert_eq!(n_found(&[("page.html", "<div id=\"heatOf\"></div>")]), 0);
    assert_eq!(n_found(&[("page.html", "<script>function heatOf() {}</script>")]), 0);
    assert_eq!(n_found(&[("page.html", "<script src=\"https://a.example/heat.js\"></script>")]), 0);
    assert_eq!(n_found(&[("page.html", "<script src=\"main.js\"></script>")]), 1);
    assert_eq!(
        n_found(&[("eslint.config.js", "export default { globals: { heatOf: true } };")]),
        0
    );
    assert_eq!(n_found(&[(".eslintrc.json", "{ \"globals\": { \"heatOf\": true } }")]), 0);
    assert_eq!(n_found(&[("vendor/heat.min.js", "!function(e){e.heatOf=1}(this)")]), 0);
}

#[test]
fn code_in_a_call_is_a_piece_unless_it_is_a_module_with_a_place() {
    let folder = project(&[]);
    let n = |arguments: &Value| answer(&folder, arguments)["findings"].as_array().unwrap().len();
    let module = "export const heat = heatOf(kiln);";
    assert_eq!(n(&json!({ "code": module })), 0);
    assert_eq!(n(&json!({ "code": "heatOf(kiln)", "path": "new.js" })), 0);
    assert_eq!(n(&json!({ "code": module, "path": "new.js" })), 1);
}
