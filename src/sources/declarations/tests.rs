use super::*;
use crate::types::{Access, MemberKind, Presence, Writing};

/// The only item that `text` declares.
fn only(text: &str) -> What {
    let mut declared = declarations(text);
    assert_eq!(declared.body.items.len(), 1, "{text}: {:?}", declared.holes);
    declared.body.items.remove(0).what
}

/// What `type X = …` means, printed.
fn meaning(of: &str) -> String {
    match only(&format!("type X = {of};")) {
        What::Alias { means, .. } => means.to_string(),
        other => panic!("{other:?}"),
    }
}

fn class(text: &str) -> Class {
    match only(text) {
        What::Class(class) => class,
        other => panic!("{other:?}"),
    }
}

#[test]
fn types_are_kept_as_far_as_members_need_them() {
    for (written, kept) in [
        ("A.B<C> | null", "A.B<C> | null"),
        ("readonly string[]", "string[]"),
        ("ReadonlyArray<A>", "ReadonlyArray<A>"),
        ("[a: A, b?: B, ...C[]]", "[A, B, C]"),
        ("[...A[], B]", "(A | B)[]"),
        ("(this: Window, ev: Event) => any", "(this: Window, ev: Event) => any"),
        ("abstract new <T>(x?: T, ...y: T[]) => Foo<T>", "new <T>(x?: T, ...y: T[]) => Foo<T>"),
        ("keyof typeof x", "keyof typeof x"),
        ("import('m').A.B<C>", "import(\"m\").A.B<C>"),
        ("typeof import('m')", "typeof import(\"m\")"),
        ("unique symbol", "symbol"),
        ("-1 | 'a' | `b` | 2n | true", "-1 | \"a\" | \"b\" | bigint | true"),
        ("({ a }: A, [b]: B) => asserts x is C", "(_: A, _: B) => void"),
        ("(x: any) => x is Foo", "(x: any) => x is Foo"),
        ("(A | B) | (B | C)", "A | B | C"),
        ("T[K]['x']", "T[K][\"x\"]"),
    ] {
        assert_eq!(meaning(written), kept, "{written}");
    }
}

#[test]
fn what_cannot_be_represented_is_opaque_and_no_hole() {
    for (written, why) in [
        ("A extends B ? C : D", "conditional type"),
        ("{ [K in keyof T]: T[K] }", "mapped type"),
        ("`a${string}`", "template type"),
    ] {
        assert_eq!(meaning(written), format!("opaque(\"{why}\")"));
        assert_eq!(declarations(&format!("type X = {written};")).holes, []);
    }
}

#[test]
fn whether_the_dom_is_there_is_answered_with_no() {
    let written =
        "typeof globalThis extends { onmessage: any; Foo: infer T } ? T : { new (): Foo }";
    assert_eq!(meaning(written), "{ new (): Foo }");
}

#[test]
fn large_unions_are_cut_and_deep_types_end() {
    let texts: Vec<String> = (0..100_000).map(|i| format!("'a{i}'")).collect();
    assert_eq!(meaning(&texts.join("|")), "string");
    let names: Vec<String> = (0..100_000).map(|i| format!("A{i}")).collect();
    assert_eq!(meaning(&names.join("|")), "opaque(\"large union\")");
    let deep = format!("{}string{}", "Array<".repeat(1_000), ">".repeat(1_000));
    assert!(meaning(&deep).contains("opaque(\"deeply nested type\")"));
    assert!(meaning(&format!("A{}", "[]".repeat(1_900))).contains("opaque"));
}

#[test]
fn an_interface_has_members_calls_and_index_signatures() {
    let text = "interface A<T = string> extends B<T>, C.D {
        (x: T): void;
        new (x: T): A<T>;
        [key: string]: any;
        readonly size: number;
        when?: (x: T) => void;
        go(x: string): number;
        go(x: number): string;
        get both(): T; set both(value: T);
        get only(): T;
        [Symbol.iterator](): Iterator<T>;
        'quoted-name': 1;
        [computed]: 2;
    }";
    let What::Interface { type_parameters, extends, shape } = only(text) else { panic!() };
    assert_eq!(type_parameters[0].to_string(), "T = string");
    assert_eq!(extends.iter().map(ToString::to_string).collect::<Vec<_>>(), ["B<T>", "C.D"]);
    assert_eq!((shape.calls.len(), shape.constructs.len(), shape.index.len()), (1, 1, 1));
    assert_eq!(shape.members["go"].signatures.len(), 2);
    assert_eq!(shape.members["go"].at, (0, 7));
    assert_eq!(shape.members["when"].kind, MemberKind::Property);
    assert_eq!(shape.members["when"].presence, Presence::Maybe);
    assert_eq!(shape.members["size"].writing, Writing::Refused);
    assert_eq!(shape.members["both"].writing, Writing::Allowed);
    assert_eq!(shape.members["only"].writing, Writing::Refused);
    assert!(shape.members.contains_key("@@iterator"));
    assert!(shape.members.contains_key("quoted-name"));
    let holes = declarations(text).holes;
    assert_eq!(holes, [Gap { line: 13, what: "computed member name".into() }]);
}

#[test]
fn a_class_has_two_sides() {
    let found = class(
        "declare abstract class A<T> extends B.C<T> implements I {
            constructor(x: T);
            static make(): A<any>;
            static readonly version: string;
            #secret; private hidden: number; protected inner(): void;
            abstract go(): void;
            accessor level: number;
            name?: string;
        }",
    );
    assert_eq!(
        found.base,
        Base::Named(
            crate::types::TypeName::global("B.C"),
            vec![crate::types::Type::named(crate::types::TypeName::global("T"))]
        )
    );
    assert_eq!(found.statics.constructs.len(), 1);
    assert_eq!(found.statics.members.keys().collect::<Vec<_>>(), ["make", "version"]);
    assert_eq!(found.instance.members["#secret"].access, Access::Private);
    assert_eq!(found.instance.members["hidden"].access, Access::Private);
    assert_eq!(found.instance.members["inner"].access, Access::Protected);
    assert!(found.instance.members.contains_key("level"));
}

#[test]
fn sources_are_read_as_far_as_they_declare() {
    let found = class(
        "export class A { n = 1; constructor(readonly b: B) {} go(x: string): void; go(x: any) { } made() { return 1 } }",
    );
    assert_eq!(found.instance.members["n"].declared.to_string(), "1");
    assert_eq!(found.instance.members["b"].writing, Writing::Refused);
    assert_eq!(found.instance.members["go"].signatures.len(), 1);
    assert!(found.instance.members["made"].signatures[0].to_string().contains("opaque"));
    let declared = declarations("export let a = 'x', b = 2 as B; export const c = () => 1; foo();");
    assert_eq!(declared.body.items.len(), 3);
    assert_eq!(declared.holes, []);
}

#[test]
fn enum_members_are_numbers_or_strings() {
    let What::Enum(found) =
        only("declare enum E { A, B = 1 << 2, C = 'c', D = C, F = `f`, G = 'a' + 1 }")
    else {
        panic!()
    };
    let texts: Vec<&str> =
        found.iter().filter(|c| c.value == ConstantKind::Text).map(|c| c.name.as_str()).collect();
    assert_eq!(texts, ["C", "D", "F", "G"]);
}

#[test]
fn imports_and_exports_are_kept_as_written() {
    let declared = declarations(
        "import d, * as ns from 'a'; import { x as y, type z } from 'b'; import r = require('c'); import q = N.M;
        export { y, z as w }; export type { T } from 'd'; export * from 'e'; export * as f from 'f';
        export default y; export as namespace G; export const v: number; export {};",
    );
    assert_eq!(declared.form, Form::Module);
    assert_eq!(declared.body.imports.len(), 6);
    assert_eq!(declared.body.exports.len(), 7);
    assert_eq!(declared.umd, [("G".into(), 3)]);
    assert_eq!(declared.body.items[0].exported, Exported::Said);
    let types: Vec<&Export> =
        declared.body.exports.iter().filter(|e| e.sides == Sides::Types).collect();
    assert_eq!(types.len(), 1);
}

#[test]
fn blocks_keep_what_stands_in_them() {
    let declared = declarations(
        "declare module 'x' { import a = require('b'); interface I {} global { var g: a.T; } export = I; }
        declare namespace A.B { let c: number; namespace D { } }",
    );
    assert_eq!(declared.form, Form::Script);
    assert_eq!(declared.modules[0].body.globals.len(), 1);
    assert_eq!(declared.modules[0].body.exports.len(), 1);
    let What::Namespace(outer) = &declared.body.items[0].what else { panic!() };
    let What::Namespace(inner) = &outer.items[0].what else { panic!() };
    assert_eq!(inner.items.len(), 2);
}

#[test]
fn deprecation_is_read_above_the_declaration() {
    let declared = declarations(
        "/** @deprecated Use b. */\nexport declare const a: number;\n/** Fine. */\nexport declare const b: number;
        interface I {\n /** @deprecated */\n x(): void;\n x(y: number): void;\n /** @deprecated Gone. */ readonly z: 1 }",
    );
    assert_eq!(declared.body.items[0].deprecated.as_deref(), Some("Use b."));
    assert_eq!(declared.body.items[1].deprecated, None);
    let What::Interface { shape, .. } = &declared.body.items[2].what else { panic!() };
    assert_eq!(shape.members["x"].deprecated, None);
    assert_eq!(shape.members["z"].deprecated.as_deref(), Some("Gone."));
}

#[test]
fn a_broken_file_gives_holes_and_what_could_be_read() {
    let declared = declarations("declare const { a }: B;\ndeclare var ok: number;");
    assert_eq!(declared.holes[0].what, "destructuring declaration");
    assert_eq!(declared.body.items.len(), 1);
    assert!(!declarations("interface {{{").holes.is_empty());
    let found = declarations_of([&"(".repeat(3_000), "declare var fine: 1;"].into_iter());
    assert_eq!(found[0].holes[0].what, "the file nests too deep to be parsed");
    assert_eq!(found[1].body.items.len(), 1);
}

#[test]
fn nesting_just_below_the_bound_does_not_overflow() {
    for (open, close) in [("[", "]"), ("(", ")"), ("Array<", ">"), ("{a:", "}"), ("(a:", ")=>b")] {
        declarations(&format!("type A = {}x{};", open.repeat(1_900), close.repeat(1_900)));
    }
    // `A extends B ? C : ` counts four times.
    let n = 2_400;
    for chain in ["keyof ", "A extends B ? C : ", "() => ", "new () => ", "readonly "] {
        declarations(&format!("type A = {}x;", chain.repeat(n)));
    }
    for chain in ["!", "- ", "new ", "a ? b : ", "x = ", "() => ", "await ", "typeof "] {
        declarations(&format!("const a = {}x;", chain.repeat(n)));
    }
    declarations(&"if (a) b; else ".repeat(9_000));
    declarations(&format!("const a = {};", "[".repeat(1_900) + &"]".repeat(1_900)));
}
