//! Imports, exports, languages, and what hosts put before the code.

use super::*;

fn imports(script: &Script, text: &str) -> String {
    let shown = script.imports.iter().map(|i| {
        let binding = i.binding.map_or("-", |b| script.bindings[b.idx()].name.as_str());
        let only = if i.type_only { " type" } else { "" };
        format!("{:?} at {} of {} as {binding}{only}", i.imported, i.span.of(text), i.module)
    });
    shown.collect::<Vec<_>>().join("; ")
}

fn exports(script: &Script) -> String {
    let shown = script.exports.iter().map(|e| {
        let of = |n: &Option<Name>| n.clone().unwrap_or_else(|| "-".into());
        let expression = if e.expression.is_some() { " expression" } else { "" };
        format!("{} of {} as {}{expression}", of(&e.local), of(&e.module), e.name)
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn imports_tell_module_name_and_binding() {
    let text =
        "import a, { b, c as d, default as e } from 'm'; import * as f from \"n\"; import 'o'";
    assert_eq!(
        imports(&js(text), text),
        "Default at a of m as a; Name(\"b\") at b of m as b; \
        Name(\"c\") at c of m as d; Default at default of m as e; Everything at f of n as f; Nothing at 'o' of o as -"
    );
    let text = "import type { A } from 'm'; import { type B, C } from 'n'; import r = require('q')";
    assert_eq!(
        imports(&ts(text), text),
        "Name(\"A\") at A of m as A type; Name(\"B\") at B of n as B type; \
        Name(\"C\") at C of n as C; Required at r of q as r"
    );
}

#[test]
fn exports_tell_name_and_source() {
    let text = "export const { a, b: [c] } = d; export function f() {} export class G {}\n\
                export { a as x, f }; export * from 'm'; export * as n from 'o'; export { default, y as z } from 'p'";
    assert_eq!(
        exports(&js(text)),
        "a of - as a; c of - as c; f of - as f; G of - as G; a of - as x; f of - as f; \
        - of m as *; * of o as n; default of p as default; y of p as z"
    );
    assert_eq!(exports(&js("export default class A {}")), "A of - as default");
    assert_eq!(exports(&js("export default function f() {}")), "f of - as default");
    assert_eq!(exports(&js("export default function () {}")), "- of - as default expression");
    assert_eq!(exports(&js("export default a.b")), "- of - as default expression");
    assert_eq!(
        exports(&ts("export = a; namespace N { export const b = 1 } export type T = 1")),
        "a of - as export= expression; T of - as T"
    );
}

#[test]
fn the_ending_of_a_file_tells_its_language() {
    let languages = ["a.js", "b/c.MJS", "a.gs", "a.jsx", "a.jsxinc", "a.ts", "a.cts", "a.tsx"]
        .map(Language::of_path);
    use Language::{JavaScript, Tsx, TypeScript};
    assert_eq!(
        languages.map(Option::unwrap),
        [JavaScript, JavaScript, JavaScript, JavaScript, JavaScript, TypeScript, TypeScript, Tsx]
    );
    for path in ["a.d.ts", "a.d.mts", "a.jsxbin", "a.json", "js", "a.js/b"] {
        assert_eq!(Language::of_path(path), None, "{path}");
    }
}

#[test]
fn what_hosts_and_pages_put_into_scripts_breaks_nothing() {
    for text in [
        "#!/usr/bin/env node\na.b",
        "\u{feff}#!/usr/bin/env node\na.b",
        "<!-- hide\na.b\n-->",
        "#target photoshop\na.b",
        "  #include \"lib/x.jsx\"\na.b",
        "\u{feff}a.b",
        "#targetengine \"s\"\r\na.b\r\n",
    ] {
        let script = js(text);
        assert_eq!(accesses(&script, text), "a.b", "{text}");
        assert_eq!(script.broken, [], "{text}");
    }
}

#[test]
fn awaiting_parentheses_is_no_call() {
    let text = "const a = await (b.c); await(d)";
    let is_await = |e: &&Expression| matches!(e.kind, ExpressionKind::Await(_));
    assert_eq!(js(text).expressions.iter().filter(is_await).count(), 2);
}

#[test]
fn dynamic_imports_know_their_module() {
    let text = "import('m').then(f); import(g.h); import.meta.url";
    let script = js(text);
    assert_eq!(script.expressions[1].kind, ExpressionKind::ImportCall(Some("m".into())));
    assert_eq!(accesses(&script, text), "import('m').then(); g.h; import.meta.url");
}
