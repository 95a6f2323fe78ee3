//! Text that is half written, and text that is made to do harm.

use super::*;

/// What texts that nest too deep are made of.
const PIECES: &[&str] = &[
    "(",
    "[",
    "{",
    "f(",
    "a=>",
    "!",
    "a?b:",
    "a?",
    "new ",
    "`${",
    "function f(){",
    "({a:",
    "[a,{",
    "a=",
    "a.b(",
    "<a>",
    "class A{",
    "class A extends ",
    "if(a)",
    "else ",
    "a+(",
    "a.",
    "a<",
    "async(",
    "{a:[",
    "for(;;)",
    "a:",
    "({[",
    "x=>{",
    "yield ",
    "try{",
    "switch(a){case ",
    "[[[",
    "import(",
    "...",
    "export ",
    "@a ",
    "} ",
    ") ",
    "'\n",
    "a||(",
    "/*",
    "/** @type {",
    "/a",
    "[/",
    "/[",
    "<!--",
    "`",
    "a/b/",
    "\\u{",
];

fn seen(text: &str) -> String {
    accesses(&js(text), text)
}

fn broken(text: &str) -> Vec<String> {
    js(text).broken.iter().map(|s| s.of(text).to_string()).collect()
}

#[test]
fn a_half_written_statement_at_the_end_loses_nothing_before_it() {
    assert_eq!(seen("const a = b.c;\na.d();\na.e."), "b.c; a.d()");
    assert_eq!(broken("const a = b.c;\na.d();\na.e."), ["a.e."]);
    assert_eq!(seen("function f(a) {\n  a.b();\n  a.c(\n"), "a.b()");
    assert_eq!(seen("x.each(a => {\n  a.b();\n  if (a.c) {\n    a.d();\n"), "a.b(); a.d()");
}

#[test]
fn names_that_lie_around_loose_mean_nothing_known() {
    let text = "function f(app) {\n  app.one();\n  app.two(\n";
    let script = js(text);
    let name = &script.expressions[find(&script, text, "app").idx()];
    let ExpressionKind::Name(_, Some(binding)) = name.kind else { panic!("bound") };
    assert_eq!(script.bindings[binding.idx()].kind, BindingKind::Declared);
    assert!(matches!(script.this_of(name.scope), This::Function(_)));
}

#[test]
fn declarations_in_broken_text_hold_in_the_rest_of_the_file() {
    let text = "function f() {\n const a = 1;\n }\n g(\n const b = c.d;\n }}}\n b.e; f();";
    let script = js(text);
    for name in ["f", "b"] {
        assert!(script.bindings.iter().any(|b| b.name == name), "{name}");
    }
}

#[test]
fn the_parser_s_guesses_are_no_accesses() {
    assert_eq!(seen("a.b.\nvar c = d.e;"), "a.b; d.e");
    assert_eq!(seen("f(a.b c.d)"), "a.b");
    assert_eq!(seen("a.b.;\nc.d()"), "a.b; c.d()");
    assert_eq!(seen("const x = { a: b.c, d: e.f\nconst g = h.i;"), "b.c; e.f; h.i");
    assert!(js("const x = { a: b.c, d: e.f\nconst g = h.i;").writes.is_empty());
    assert_eq!(
        seen("promise.\n  then(a.b).\n  catch(c)"),
        "promise.then(); a.b; promise.\n  then(a.b).catch()"
    );
}

#[test]
fn broken_lists_of_arguments_have_no_known_length() {
    for text in ["f(a, @, b)", "f(a, b"] {
        let script = js(text);
        let call = script.expressions.iter().rev().find_map(|e| match &e.kind {
            ExpressionKind::Call(call) => Some(call.clone()),
            _ => None,
        });
        let is_open = |c: Box<Call>| c.arguments.iter().any(|a| matches!(a, Argument::Spread(_)));
        assert!(call.is_none_or(is_open), "{text}");
    }
}

#[test]
fn long_chains_are_read_whole() {
    let calls = format!("a{}", ".b().c".repeat(5_000));
    assert_eq!(js(&calls).accesses.len(), 10_000);
    let sum = format!("x = a{}", " + b.c".repeat(5_000));
    assert_eq!(js(&sum).accesses.len(), 5_000);
    let branches = format!("if (a.b) c;{}", " else if (a.b) c;".repeat(3_000));
    assert_eq!(js(&branches).accesses.len(), 3_001);
    let choices = format!("x = {}0", "a.b ? c : ".repeat(3_000));
    assert_eq!(js(&choices).accesses.len(), 3_000);
    let parentheses = format!("{}a.b{}", "(".repeat(4_000), ")".repeat(4_000));
    assert_eq!(js(&parentheses).accesses.len(), 1);
    for text in [calls, sum, branches, choices, parentheses] {
        assert_eq!(js(&text).broken, [], "{}", &text[..20]);
    }
}

#[test]
fn texts_made_to_nest_too_deep_overflow_nothing() {
    let n = 50_000;
    for language in [Language::JavaScript, Language::TypeScript, Language::Tsx] {
        for piece in PIECES {
            let text = piece.repeat(n / piece.len());
            let script = script(&text, language);
            assert!(script.broken.iter().all(|s| s.end as usize <= text.len()), "{piece}");
        }
    }
}

#[test]
fn what_is_too_deep_is_broken_and_the_rest_is_whole() {
    let text = format!("a.b; {}c.d{}; e.f", "f(".repeat(1_000), ")".repeat(1_000));
    assert_eq!(seen(&text), "a.b; e.f");
    assert_eq!(js(&text).broken.len(), 1);
    let text = format!("a.b; {}c.d{}; e.f", "f(".repeat(9_000), ")".repeat(9_000));
    assert_eq!(seen(&text), "a.b; e.f");
}

#[test]
fn a_text_that_is_too_large_is_broken_whole() {
    let text = "a.b;".repeat(1 << 20) + ";";
    let script = js(&text);
    assert!(script.accesses.is_empty());
    assert_eq!(script.broken, [Span::new(0, text.len())]);
}

#[test]
fn any_cut_of_a_text_is_read() {
    let text = "/** @type {A} */ const { a, b: [c = d.é] } = `x${f.g}`; class C extends D { #p = 1; static { h.i } }\n\
                for (const [k, v] of m.n) { if (!k?.o) continue; x.y = (a, ...b) => <p.q r={s}>{t}</p.q> }";
    for (at, _) in text.char_indices() {
        for language in [Language::JavaScript, Language::TypeScript, Language::Tsx] {
            for part in [&text[..at], &text[at..]] {
                let script = script(part, language);
                assert!(script.accesses.iter().all(|a| a.span.of(part) == a.name));
            }
        }
    }
}

#[test]
fn a_hundred_thousand_of_anything_in_one_another_overflow_nothing() {
    for piece in ["(", "f(", "a=>", "a+(", "{", "if(a)b;else ", "!"] {
        let script = js(&piece.repeat(100_000));
        assert!(!script.broken.is_empty(), "{piece}");
    }
}

#[test]
fn methods_of_a_class_that_is_never_closed_are_read() {
    let text = "class C extends D {\n  m(a) { a.b(); this.c }\n  n() {\n    d.e();\n    f.g.";
    assert_eq!(seen(text), "a.b(); this.c; d.e()");
    let text = "class C {\n  m() { a.b(); }\n  n() { a.c(; }\n  o() { e.f() }\n}\ng.h;";
    assert_eq!(seen(text), "a.b(); a.c(); e.f(); g.h");
}
