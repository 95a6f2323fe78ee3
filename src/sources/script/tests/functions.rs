//! Functions, classes and object literals: parameters, types, `this`.

use super::*;

fn signature(script: &Script, idx: usize) -> String {
    let function = &script.functions[idx];
    let shown = |a: &Option<Annotation>| a.as_ref().map_or("-".to_string(), |a| a.text.to_string());
    let parameters: Vec<_> = function
        .parameters
        .iter()
        .map(|p| {
            let name = p.binding.map_or("{}", |b| script.bindings[b.idx()].name.as_str());
            let optional = if p.optional { "?" } else { "" };
            let rest = if p.rest { "..." } else { "" };
            format!("{rest}{name}{optional}: {}", shown(&p.annotation))
        })
        .collect();
    format!("({}) => {}", parameters.join(", "), shown(&function.returns_annotation))
}

/// What `this` means at the last `this` of a text.
fn this_in(text: &str) -> This {
    let script = ts(text);
    let last = script.expressions.iter().rev().find(|e| e.kind == ExpressionKind::This).unwrap();
    script.this_of(last.scope)
}

#[test]
fn jsdoc_gives_types_to_functions_wherever_they_are_kept() {
    let doc = "/**\n * @param {A} a\n * @param {B} [b]\n * @param {{c: C}} options\n * @param {C} options.c\n\
               * @param {...D} d\n * @returns {E}\n */\n";
    for code in [
        "function f(a, b, {c}, ...d) {}",
        "const f = (a, b, {c}, ...d) => 1",
        "export function f(a, b, {c}, ...d) {}",
        "x.y = function (a, b, {c}, ...d) {}",
        "export const f = function (a, b, {c}, ...d) {}",
        "x.y = z = (a, b, {c}, ...d) => 1",
        "export default (a, b, {c}, ...d) => 1",
        "module.exports = async function (a, b, {c}, ...d) {}",
    ] {
        let script = js(&format!("{doc}{code}"));
        assert_eq!(signature(&script, 0), "(a: A, b?: B, {}: {c: C}, ...d: ...D) => E", "{code}");
    }
    for code in [
        "({\nDOC m(a) {} })",
        "({\nDOC m: a => 1 })",
        "class C {\nDOC m(a) {} }",
        "class C {\nDOC static m = a => 1 }",
        "f(DOC function (a) {})",
    ] {
        let script = js(&code.replace("DOC", "/** @param {A} a @x\n @returns {E} */"));
        let last = script.functions.iter().position(|f| !f.parameters.is_empty()).unwrap();
        assert_eq!(signature(&script, last), "(a: A) => E", "{code}");
    }
}

#[test]
fn comments_in_between_do_not_part_a_doc_from_its_function_and_code_does() {
    let text = "/** @param {A} a */\n// note\nfunction f(a) {}\nfunction g(a) {}";
    assert_eq!(signature(&js(text), 0), "(a: A) => -");
    assert_eq!(signature(&js(text), 1), "(a: -) => -");
}

#[test]
fn a_jsdoc_cast_is_an_assertion() {
    let text = "const a = /** @type {A} */ (b.c); /** @type {T} */\nthis.d = null";
    let script = js(text);
    let casts: Vec<_> = script
        .expressions
        .iter()
        .filter_map(|e| match &e.kind {
            ExpressionKind::As(_, a) => Some((e.span.of(text), a.text.as_str(), a.dialect)),
            _ => None,
        })
        .collect();
    assert_eq!(casts, [("b.c", "A", Dialect::JsDoc), ("null", "T", Dialect::JsDoc)]);
}

#[test]
fn typescript_signatures_are_kept_as_text() {
    let text = "function f<T>(this: W, a?: T, b: B = 1, ...c: C[]): a is A { return x }";
    let script = ts(text);
    assert_eq!(signature(&script, 0), "(a?: T, b?: B, ...c: C[]) => a is A");
    assert_eq!(script.functions[0].type_parameters, ["T"]);
}

#[test]
fn a_function_knows_how_it_runs_and_what_it_returns() {
    let text = "async function* a() { return b; if (c) return } const d = async () => e; function f() { if (g) { return h } else { throw 1 } }";
    let script = js(text);
    let shown: Vec<_> = script
        .functions
        .iter()
        .map(|f| {
            let returns: Vec<_> = f.returns.iter().map(|r| expression(&script, text, *r)).collect();
            (f.flow, returns.join(","), f.may_return_nothing)
        })
        .collect();
    assert_eq!(
        shown,
        [
            (Flow::AsyncGenerator, "b".to_string(), true),
            (Flow::Async, "e".to_string(), false),
            (Flow::Plain, "h".to_string(), false)
        ]
    );
}

#[test]
fn classes_have_members_of_all_kinds() {
    let text = "class C<T> extends a.B { constructor(private p: P, q) {} x: X = 1; static y; get z() {} set z(v) {} \
                async m() {} #n; [Symbol.iterator]() {} abstract o(): O }";
    let script = ts(text);
    let class = &script.classes[0];
    let shown: Vec<_> = class
        .members
        .iter()
        .map(|m| {
            assert_eq!(m.span.of(text), m.name);
            let fixed = if m.is_static { "static " } else { "" };
            format!("{fixed}{:?} {}", m.kind, m.name)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Field p",
            "Field x",
            "static Field y",
            "Getter z",
            "Setter z",
            "Method m",
            "Field #n",
            "Method o"
        ]
    );
    assert!(class.members[0].parameter.is_some() && class.constructor.is_some());
    assert!(!class.may_have_more && class.extends.is_some());
    assert_eq!(class.type_parameters, ["T"]);
    assert!(ts("@d class C {}").classes[0].may_have_more);
    assert!(ts("@d export class C {}").classes[0].may_have_more);
    assert!(ts("class C { [a]() {} }").classes[0].may_have_more);
    assert!(ts("class C { [key: string]: any }").classes[0].may_have_more);
}

#[test]
fn this_is_found_from_the_scope() {
    let class = ClassId(0);
    for text in [
        "class C { m() { this } }",
        "class C { m() { () => { if (a) { this } } } }",
        "class C { x = this }",
        "class C { x = () => this }",
        "class C { constructor() { this } }",
        "class C { x = function () { this } }",
    ] {
        assert_eq!(this_in(text), This::Instance(class), "{text}");
    }
    for text in [
        "class C { static m() { this } }",
        "class C { static { this } }",
        "class C { static x = () => this }",
    ] {
        assert_eq!(this_in(text), This::Statics(class), "{text}");
    }
    for text in
        ["({ m() { this } })", "({ m: function () { () => this } })", "({ get m() { this } })"]
    {
        assert_eq!(this_in(text), This::Object(ObjectId(0)), "{text}");
    }
    assert_eq!(this_in("({ m: () => this })"), This::File);
    assert_eq!(this_in("this"), This::File);
    assert_eq!(this_in("class C { [this.a]() {} }"), This::File);
    assert_eq!(this_in("function f() { this }"), This::Function(FunctionId(0)));
    assert_eq!(
        this_in("class C { m() { a(function () { this }) } }"),
        This::Function(FunctionId(1))
    );
}

#[test]
fn object_literals_have_plain_and_unknown_properties() {
    let text = "({ a, 'b-c': 1, d() {}, get e() {}, ...f, 7: g, [h]: 1 })";
    let script = js(text);
    let object = &script.objects[0];
    let shown: Vec<_> = object
        .properties
        .iter()
        .map(|p| {
            assert_eq!(p.span.of(text), p.name);
            format!("{:?} {}", p.kind, p.name)
        })
        .collect();
    assert_eq!(shown, ["Field a", "Field b-c", "Method d", "Getter e", "Field 7"]);
    assert_eq!(object.spreads.len(), 1);
    assert!(object.may_have_more);
    assert!(!js("({ a: 1, [Symbol.iterator]() {} })").objects[0].may_have_more);
}

#[test]
fn immediately_called_functions_and_exports_lower_like_any_code() {
    let text = "(function (root, factory) { root.a = factory(); })(this, function () { return b.c });\n\
                exports.x = exports.y = void 0; !function () { d.e }();";
    assert_eq!(accesses(&js(text), text), "root.a =; b.c; exports.x =; exports.y =; d.e");
}

#[test]
fn strings_are_read_with_their_escapes() {
    let text = r#"f("a\n\x41\u0042\u{43}\'", 'd')"#;
    let script = js(text);
    let texts: Vec<_> = script
        .expressions
        .iter()
        .filter_map(|e| match &e.kind {
            ExpressionKind::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["a\nABC'", "d"]);
}
