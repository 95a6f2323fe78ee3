//! Which names are declared, where they hold, and what they are given.

use super::*;

fn declared(text: &str) -> String {
    bindings(&js(text), text)
}

/// The declaration that the last name of a text means, by its line.
fn meant(text: &str) -> Option<String> {
    let script = js(text);
    let last = script.expressions.iter().filter(|e| matches!(e.kind, ExpressionKind::Name(..)));
    let ExpressionKind::Name(_, binding) = last.max_by_key(|e| e.span).unwrap().kind.clone() else {
        panic!("a name")
    };
    let binding = &script.bindings[binding?.idx()];
    Some(format!("{:?} {}", binding.kind, binding.span.start))
}

#[test]
fn a_binding_holds_every_value_in_the_order_of_the_text() {
    assert_eq!(declared("let a; a = f(); a += 1; a ||= g; a++"), "Let a = f() | a += 1 | g | a++");
    assert_eq!(declared("a = 1; var a = 2; var a = 3"), "Var a = 2 | 3 | 1");
    assert_eq!(declared("let a, b; a = b = c"), "Let a = b = c; Let b = c");
    assert_eq!(
        declared("function f(a) { var a = a || {} }"),
        "Function f = function; Parameter a = parameter 0 | a || {}"
    );
}

#[test]
fn patterns_give_pieces_of_the_whole_and_defaults_are_second_values() {
    assert_eq!(
        declared("const { a, b: [, c = 1], ...d } = e"),
        "Const a = <e>.a; Const c = <<e>.b>[1] | 1; Const d = <e>..."
    );
    assert_eq!(
        declared("function f({ a } = b, ...[c]) {}"),
        "Function f = function; Parameter a = <parameter 0>.a | <b>.a; Parameter c = <rest parameter 1>[0]"
    );
    assert_eq!(declared("let a, b; ({ a, c: b = 1 } = d)"), "Let a = <d>.a; Let b = <d>.c | 1");
}

#[test]
fn loops_and_catch_give_elements_keys_and_what_was_caught() {
    assert_eq!(
        declared("for (const a of b) ; for (var c in d) ; for await (let e of f) ;"),
        "Const a = each of b; Var c = key of d; Let e = each awaited of f"
    );
    assert_eq!(
        declared("let a; for (a of b) ; try {} catch (c) {}"),
        "Let a = each of b; Catch c = caught"
    );
}

#[test]
fn var_and_functions_hoist_and_let_stays_in_its_block() {
    assert_eq!(meant("{ var a }\na"), Some("Var 6".to_string()));
    assert_eq!(meant("{ function a() {} }\na"), Some("Function 11".to_string()));
    assert_eq!(meant("{ let a }\na"), None);
    assert_eq!(meant("function f() { var a }\na"), None);
    assert_eq!(meant("function f() { return a } var a; f"), Some("Function 9".to_string()));
    assert_eq!(meant("let a; { let a; a }"), Some("Let 13".to_string()));
}

#[test]
fn a_function_or_class_expression_has_its_own_name_inside_only() {
    assert_eq!(meant("(function f() { f })"), Some("Function 10".to_string()));
    assert_eq!(meant("(function f() {})\nf"), None);
    assert_eq!(meant("(function f(f) { f })"), Some("Parameter 12".to_string()));
    assert_eq!(meant("(class C { m() { C } })"), Some("Class 7".to_string()));
}

#[test]
fn arguments_and_names_in_a_with_block_mean_nothing_known() {
    assert_eq!(meant("var arguments; function f() { () => arguments }"), None);
    assert_eq!(meant("var arguments; () => arguments"), Some("Var 4".to_string()));
    assert_eq!(meant("var a; with (b) { a }"), None);
    assert_eq!(meant("with (b) { let a; a }"), Some("Let 15".to_string()));
}

#[test]
fn typescript_declarations_are_names_of_which_nothing_is_known() {
    let text = "enum E { A = x.y } namespace N.M { let z } declare const d: D; import I = a.b; \
                declare global { interface Window {} var g: G }";
    let script = ts(text);
    assert_eq!(
        bindings(&script, text),
        "Declared E = ?; Declared N = ?; Let z = ; Declared d: D = ; \
        Declared I = ?; Declared g: G = "
    );
    assert_eq!(script.scopes[0].types, ["E", "Window"]);
    assert_eq!(accesses(&script, text), "x.y");
}

#[test]
fn a_class_and_a_namespace_of_one_name_are_one_binding_of_which_nothing_is_known() {
    let text = "class C {} namespace C { export const a = 1 } function f(): A; function f() {}";
    assert_eq!(
        bindings(&ts(text), text),
        "Declared C = class | ?; Const a = 1; Function f = function | function"
    );
}

#[test]
fn types_of_code_and_comments_belong_to_their_scope() {
    let text = "interface A {} type B = 1; class C {} function f() { type D = 1 }";
    let script = ts(text);
    assert_eq!(script.scopes[0].types, ["A", "B", "C"]);
    assert!(script.scopes.iter().any(|s| s.types == ["D"]));
    assert_eq!(js("/** @typedef {{a: B}} P */\n/** @callback Q */").scopes[0].types, ["P", "Q"]);
}

#[test]
fn variables_take_their_type_from_annotation_or_comment() {
    assert_eq!(
        declared("/** @type {A<B>} */\nconst a = 1, b = 2"),
        "Const a: A<B> = 1; Const b = 2"
    );
    let text = "let a: A | B = 1; try {} catch (e: unknown) {}";
    assert_eq!(bindings(&ts(text), text), "Let a: A | B = 1; Catch e: unknown = caught");
}
