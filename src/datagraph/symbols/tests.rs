use super::*;
use crate::datagraph::{InterfaceKind, Side};
use crate::sources::declarations::declarations;
use crate::types::{Member, MemberKind, Writing};

/// Links files: (module name, text). Specifiers of these names mean these modules.
fn linked(files: &[(&str, &str)]) -> Datagraph {
    let known: BTreeMap<Name, Name> =
        files.iter().map(|(m, _)| ((*m).into(), (*m).into())).collect();
    let files = files.iter().map(|(module, text)| DeclarationFile {
        path: format!("{module}.d.ts").into(),
        hash: "0".into(),
        module: (*module).into(),
        resolved: known.clone(),
        declared: declarations(text),
    });
    mine("api".into(), "1".into(), files.collect(), BTreeMap::new())
}

/// Reads a name as it is printed: `A.B` or `m:A.B`.
fn name(text: &str) -> TypeName {
    match text.rsplit_once(':') {
        Some((module, path)) => TypeName::within(module, path),
        None => TypeName::global(text),
    }
}

fn side<'g>(graph: &'g Datagraph, of: &str, side: Side) -> &'g Interface {
    let key = Key { name: name(of), side };
    graph.interfaces.get(&key).unwrap_or_else(|| panic!("{of} in {:?}", graph.interfaces.keys()))
}

/// A member as it would be written.
fn shown(name: &str, member: &Member) -> String {
    match member.kind {
        MemberKind::Method => {
            member.signatures.iter().map(|s| format!("{name}{s}")).collect::<Vec<_>>().join("; ")
        }
        MemberKind::Property | MemberKind::Event => format!("{name}: {}", member.declared),
    }
}

fn members(interface: &Interface) -> Vec<String> {
    interface.shape.members.iter().map(|(name, member)| shown(name, member)).collect()
}

fn values(graph: &Datagraph, of: &str) -> Vec<String> {
    members(side(graph, of, Side::Value))
}

fn types(graph: &Datagraph, of: &str) -> Vec<String> {
    members(side(graph, of, Side::Type))
}

fn extends(interface: &Interface) -> Vec<String> {
    interface.extends.iter().map(ToString::to_string).collect()
}

fn stands(graph: &Datagraph, of: &str) -> String {
    graph.names.get(&name(of)).map_or("nothing".into(), ToString::to_string)
}

#[test]
fn globals_have_their_values_as_members() {
    let graph = linked(&[(
        "a",
        "interface Sheet { top(): Sheet } declare var Sheet: { new (): Sheet }; declare const desk: Sheet;
        declare function open(x: string): Sheet; declare function open(x: number): void; type Only = 1;",
    )]);
    assert_eq!(
        values(&graph, ""),
        [
            "Sheet: { new (): Sheet }",
            "desk: Sheet",
            "open(x: string): Sheet; open(x: number): void"
        ]
    );
    let globals = side(&graph, "", Side::Value);
    assert_eq!(globals.shape.members["desk"].writing, Writing::Refused);
    assert_eq!(globals.kind, InterfaceKind::Globals);
}

#[test]
fn names_are_resolved_from_the_inside_out() {
    let graph = linked(&[
        (
            "a",
            "declare namespace A { interface X { } namespace B { interface Y { x: X; y: B.Y; z: Z; t: A.X; p: Promise<X> } } }",
        ),
        ("b", "declare namespace A.B { interface Z { } } interface X { }"),
    ]);
    assert_eq!(
        types(&graph, "A.B.Y"),
        ["p: Promise<A.X>", "t: A.X", "x: A.X", "y: A.B.Y", "z: A.B.Z"]
    );
}

#[test]
fn a_type_parameter_hides_every_other_name() {
    let graph = linked(&[(
        "m",
        "interface T { } export interface A<T> { a: T; b<K>(k: K): T[]; c: U } export type U = T; type K = 1;",
    )]);
    assert_eq!(types(&graph, "m:A"), ["a: T", "b<K>(k: K): T[]", "c: import(\"m\").U"]);
    assert_eq!(graph.aliases[&name("m:U")].means.to_string(), "import(\"m\").T");
}

#[test]
fn a_modules_own_names_hide_globals() {
    let graph = linked(&[
        ("m", "type Event = string; export interface A { e: Event }"),
        ("g", "interface Event { }"),
    ]);
    assert_eq!(types(&graph, "m:A"), ["e: import(\"m\").Event"]);
}

#[test]
fn imports_lead_to_the_original_declaration() {
    let graph = linked(&[
        ("m", "export interface A { } export default class D { } export const v: number;"),
        ("n", "export { A as B, default as E } from 'm'; export * from 'm'; export { F } from 'other';"),
        (
            "o",
            "import { B, E, F } from 'n'; import * as all from 'n'; import X, { type Y } from 'other';
            export interface C { b: B; e: E; f: F; a: all.A; x: X; y: Y; i: import('n').B; t: typeof all.v }",
        ),
    ]);
    assert_eq!(
        types(&graph, "o:C"),
        [
            "a: import(\"m\").A",
            "b: import(\"m\").A",
            "e: import(\"m\").D",
            "f: import(\"other\").F",
            "i: import(\"m\").A",
            "t: typeof import(\"m\").v",
            "x: import(\"other\").default",
            "y: import(\"other\").Y"
        ]
    );
    assert_eq!(stands(&graph, "n:B"), "import(\"m\").A");
    assert_eq!(stands(&graph, "n:A"), "import(\"m\").A");
    assert_eq!(stands(&graph, "n:E"), "import(\"m\").D");
    assert_eq!(stands(&graph, "n:F"), "import(\"other\").F");
    assert_eq!(stands(&graph, "m:default"), "import(\"m\").D");
    assert_eq!(values(&graph, "m:"), ["default: typeof import(\"m\").D", "v: number"]);
    assert_eq!(
        values(&graph, "n:"),
        ["E: typeof import(\"m\").D", "F: typeof import(\"other\").F", "v: number"]
    );
}

#[test]
fn everything_from_another_package_is_inherited() {
    let graph =
        linked(&[("m", "export * from 'other'; export const a: 1;"), ("n", "export * from 'm';")]);
    assert_eq!(extends(side(&graph, "m:", Side::Value)), ["typeof import(\"other\")"]);
    assert_eq!(extends(side(&graph, "n:", Side::Value)), ["typeof import(\"other\")"]);
    assert_eq!(values(&graph, "n:"), ["a: 1"]);
}

#[test]
fn star_exports_in_a_circle_end() {
    let graph = linked(&[
        (
            "m",
            "export * from 'n'; import { Lost } from 'n'; export { Lost }; export interface A { l: Lost }",
        ),
        ("n", "export * from 'm'; import { Lost } from 'm'; export { Lost };"),
    ]);
    assert_eq!(stands(&graph, "n:A"), "import(\"m\").A");
    // It is declared nowhere: whatever it is, it is not denied.
    assert_eq!(values(&graph, "m:"), ["Lost: typeof import(\"n\").Lost"]);
}

#[test]
fn only_what_is_exported_is_a_member_of_a_module() {
    let graph = linked(&[
        ("m", "declare const hidden: { a: 1 }; export const seen: typeof hidden; export {};"),
        ("n", "declare const implied: 1; export interface A { }"),
    ]);
    assert_eq!(values(&graph, "m:"), ["seen: { a: 1 }"]);
    assert_eq!(values(&graph, "n:"), ["implied: 1"]);
}

#[test]
fn a_name_that_means_another_thing_outside_denies_nothing() {
    let graph =
        linked(&[("m", "interface A { inner: 1 } interface B { outer: A } export { B as A };")]);
    assert_eq!(types(&graph, "m:A"), ["inner: 1"]);
    assert_eq!(types(&graph, "m:B"), ["outer: import(\"m\").A"]);
    assert_eq!(stands(&graph, "m:A"), "nothing");
    assert!(side(&graph, "m:A", Side::Type).open.is_some());
}

#[test]
fn types_that_are_exported_as_types_are_no_values() {
    let graph = linked(&[("m", "declare class A { } export type { A };")]);
    assert_eq!(values(&graph, "m:"), [] as [&str; 0]);
}

#[test]
fn a_class_has_statics_and_instances() {
    let graph = linked(&[(
        "a",
        "declare class A<T> extends B<T> { constructor(x: T); static make(): A<any>; go(): T }
        declare class B<T> { } interface A<T> { more: T }
        declare namespace A { interface Options { } const version: string }",
    )]);
    let statics = side(&graph, "A", Side::Value);
    assert_eq!(statics.kind, InterfaceKind::Statics);
    assert_eq!(members(statics), ["make(): A<any>", "version: string"]);
    assert_eq!(statics.shape.constructs[0].to_string(), "<T>(x: T): A<T>");
    assert_eq!(extends(statics), ["typeof B"]);
    let instance = side(&graph, "A", Side::Type);
    assert_eq!(instance.kind, InterfaceKind::Class);
    assert_eq!(members(instance), ["go(): T", "more: T"]);
    assert_eq!(extends(instance), ["B<T>"]);
    assert_eq!(values(&graph, ""), ["A: typeof A", "B: typeof B"]);
    assert!(side(&graph, "B", Side::Value).shape.constructs.is_empty());
}

#[test]
fn a_class_inherits_what_its_base_constructs() {
    let graph = linked(&[(
        "m",
        "export interface Foo { } interface FooClass { new (): Foo } interface Mix { new <T>(x: T): Box<T> }
        interface Box<T> { } declare const Base: new () => Foo; declare const Named: FooClass & { a: 1 };
        declare const Generic: Mix; declare const Odd: any;
        export class A extends Base { } export class B extends Named { } export class C extends Generic<string> { }
        export class D extends Odd { } export class E extends mixin(A) { } export class F extends Outside { }",
    )]);
    assert_eq!(extends(side(&graph, "m:A", Side::Type)), ["import(\"m\").Foo"]);
    assert_eq!(extends(side(&graph, "m:B", Side::Type)), ["import(\"m\").Foo"]);
    assert_eq!(extends(side(&graph, "m:C", Side::Type)), ["import(\"m\").Box<string>"]);
    assert!(side(&graph, "m:D", Side::Type).open.is_some());
    assert!(side(&graph, "m:E", Side::Type).open.is_some());
    assert!(side(&graph, "m:E", Side::Value).open.is_some());
    assert_eq!(extends(side(&graph, "m:F", Side::Type)), ["Outside"]);
    assert_eq!(side(&graph, "m:A", Side::Type).open, None);
}

#[test]
fn inheriting_from_an_opaque_alias_leaves_an_interface_open() {
    let graph = linked(&[(
        "a",
        "type M<T> = { [K in keyof T]: 1 }; interface A extends M<B> { } type L = { x: 1 }; interface C extends L { }",
    )]);
    assert_eq!(side(&graph, "A", Side::Type).open.as_deref(), Some("extends M, a mapped type"));
    assert_eq!(side(&graph, "C", Side::Type).open, None);
    assert_eq!(extends(side(&graph, "C", Side::Type)), ["L"]);
}

#[test]
fn functions_with_members_have_a_value_side() {
    let graph = linked(&[(
        "a",
        "declare function f(x: string): void; declare function f(x: number): void;
        declare namespace f { const version: string } declare function g(): void; declare namespace g { type T = 1 }",
    )]);
    let side = side(&graph, "f", Side::Value);
    assert_eq!(side.kind, InterfaceKind::Function);
    assert_eq!((side.shape.calls.len(), members(side)), (2, vec!["version: string".to_string()]));
    assert_eq!(values(&graph, ""), ["f: typeof f", "g(): void"]);
}

#[test]
fn an_enum_is_a_value_and_an_alias() {
    let graph = linked(&[(
        "a",
        "declare enum E { A, B = 'b' } declare namespace E { function parse(x: string): E } interface I { e: E.A }",
    )]);
    assert_eq!(values(&graph, "E"), ["A: E", "B: E", "parse(x: string): E"]);
    assert_eq!(side(&graph, "E", Side::Value).kind, InterfaceKind::Enum);
    assert_eq!(graph.aliases[&name("E")].means.to_string(), "number | string");
    assert_eq!(types(&graph, "I"), ["e: E"]);
    assert_eq!(values(&graph, ""), ["E: typeof E"]);
}

#[test]
fn namespaces_are_values_where_they_hold_values() {
    let graph = linked(&[(
        "a",
        "declare namespace A { namespace B { let x: number } namespace C { interface I { } } export import D = A.B; }
        import E = A.B;",
    )]);
    assert_eq!(values(&graph, ""), ["A: typeof A", "E: typeof A.B"]);
    assert_eq!(values(&graph, "A"), ["B: typeof A.B", "D: typeof A.B"]);
    assert_eq!(stands(&graph, "A.D"), "A.B");
    assert_eq!(stands(&graph, "E"), "A.B");
    assert!(graph.interfaces.contains_key(&Key::of_type(name("A.C.I"))));
}

#[test]
fn export_equals_gives_a_value_and_its_namespaces_types() {
    let graph = linked(&[
        (
            "m",
            "declare class A { } declare namespace A { interface Stats { } const max: 1 } export = A;",
        ),
        ("f", "declare function f(): void; export = f;"),
        ("v", "declare const v: { a: 1 }; export = v;"),
        (
            "n",
            "import A = require('m'); import { Stats } from 'm'; export interface I { a: A; b: A.Stats; c: Stats; d: import('m').Stats; e: import('m') }",
        ),
    ]);
    let exports =
        |of: &str| side(&graph, of, Side::Value).exports.as_ref().map(ToString::to_string);
    assert_eq!(exports("m:").as_deref(), Some("typeof import(\"m\").A"));
    assert_eq!(exports("f:").as_deref(), Some("() => void"));
    assert_eq!(exports("v:").as_deref(), Some("{ a: 1 }"));
    assert_eq!(stands(&graph, "m:Stats"), "import(\"m\").A.Stats");
    assert_eq!(stands(&graph, "m:default"), "import(\"m\").A");
    assert_eq!(stands(&graph, "m:"), "import(\"m\").A");
    assert_eq!(
        types(&graph, "n:I"),
        [
            "a: import(\"m\").A",
            "b: import(\"m\").A.Stats",
            "c: import(\"m\").A.Stats",
            "d: import(\"m\").A.Stats",
            "e: import(\"m\").A"
        ]
    );
}

#[test]
fn a_default_export_is_a_member_named_default() {
    let graph = linked(&[
        ("m", "declare const app: { run(): void }; export default app;"),
        ("n", "export default function (): string;"),
        ("o", "export default interface Props { a: 1 }"),
        ("p", "declare const _default: { a: 1 }; export { _default as default }"),
    ]);
    assert_eq!(values(&graph, "m:"), ["default: { run(): void }"]);
    assert_eq!(values(&graph, "n:"), ["default(): string"]);
    assert_eq!(stands(&graph, "o:default"), "import(\"o\").Props");
    assert_eq!(values(&graph, "p:"), ["default: { a: 1 }"]);
}

#[test]
fn a_module_may_have_a_global_name() {
    let graph = linked(&[
        ("m", "export interface T { } export const v: 1; export as namespace Lib;"),
        ("g", "declare const x: Lib.T;"),
    ]);
    assert_eq!(values(&graph, ""), ["Lib: typeof import(\"m\")", "x: import(\"m\").T"]);
    assert_eq!(stands(&graph, "Lib"), "import(\"m\")");
}

#[test]
fn ambient_modules_are_merged_over_files() {
    let graph = linked(&[
        (
            "a",
            "declare module 'fs' { import { S } from 'stream'; function read(): S; interface Stats { } }",
        ),
        (
            "b",
            "declare module 'stream' { class S { } } declare module 'node:fs' { export * from 'fs' } declare module '*.css' { }",
        ),
        ("c", "declare module 'fs' { const extra: Stats; }"),
    ]);
    assert_eq!(
        values(&graph, "fs:"),
        [
            "default: typeof import(\"fs\")",
            "extra: import(\"fs\").Stats",
            "read(): import(\"stream\").S"
        ]
    );
    assert_eq!(values(&graph, "node:fs:")[1..], values(&graph, "fs:")[1..]);
    assert_eq!(stands(&graph, "node:fs:Stats"), "import(\"fs\").Stats");
}

#[test]
fn a_module_that_a_host_builds_in_is_its_own_default() {
    let graph = linked(&[
        ("a", "declare module 'fs' { function read(): void; interface Stats { } }"),
        (
            "m",
            "import fs from 'fs'; import n from 'n'; export interface I { s: fs.Stats; t: typeof fs; u: typeof n.v }",
        ),
        ("n", "export const v: { a: 1 };"),
    ]);
    assert_eq!(values(&graph, "fs:"), ["default: typeof import(\"fs\")", "read(): void"]);
    assert_eq!(stands(&graph, "fs:default"), "import(\"fs\")");
    assert_eq!(values(&graph, "n:"), ["v: { a: 1 }"]);
    assert_eq!(
        types(&graph, "m:I"),
        ["s: import(\"fs\").Stats", "t: typeof import(\"fs\")", "u: typeof import(\"n\").v"]
    );
}

#[test]
fn a_module_without_a_body_may_be_anything() {
    let graph =
        linked(&[("a", "declare module 'untyped'; declare module '*.css' { const x: 1; }")]);
    let exports = side(&graph, "untyped:", Side::Value).exports.as_ref();
    assert_eq!(exports.map(ToString::to_string).as_deref(), Some("any"));
    assert_eq!(graph.modules.keys().collect::<Vec<_>>(), ["untyped"]);
}

#[test]
fn what_is_declared_twice_counts_once() {
    let twice = "declare function f(x: string): void; declare class A { constructor(x: string); go(): void }";
    let graph = linked(&[("a", twice), ("b", twice)]);
    assert_eq!(values(&graph, ""), ["A: typeof A", "f(x: string): void"]);
    assert_eq!(types(&graph, "A"), ["go(): void"]);
    assert_eq!(side(&graph, "A", Side::Value).shape.constructs.len(), 1);
}

#[test]
fn a_member_of_a_value_is_looked_up_in_its_type() {
    let graph = linked(&[(
        "a",
        "declare const app: { desk: { top: 1 } }; declare class A { static s: 1 }
        interface I { a: typeof app.desk.top; b: typeof A.s }",
    )]);
    assert_eq!(types(&graph, "I"), ["a: typeof app[\"desk\"][\"top\"]", "b: typeof A[\"s\"]"]);
}

#[test]
fn additions_to_a_module_reach_what_it_exports() {
    let graph = linked(&[
        ("m", "export interface A { a: 1 }"),
        ("n", "export * from 'm'; export class B { }"),
        (
            "o",
            "import { C } from 'p'; declare module 'n' { interface A { b: C } interface B { c: C } interface New { } } export {};",
        ),
        ("p", "export interface C { }"),
        ("q", "declare module 'vue' { interface App { $x: string } } export {};"),
    ]);
    assert_eq!(types(&graph, "m:A"), ["a: 1", "b: import(\"p\").C"]);
    assert_eq!(types(&graph, "n:B"), ["c: import(\"p\").C"]);
    assert!(graph.interfaces.contains_key(&Key::of_type(name("n:New"))));
    assert_eq!(side(&graph, "vue:App", Side::Type).open.as_deref(), Some(AUGMENTS));
    assert!(!graph.interfaces.contains_key(&Key::of_value(name("vue:"))));
}

#[test]
fn global_blocks_add_to_the_global_scope() {
    let graph = linked(&[(
        "m",
        "import { X } from 'n'; declare global { interface Window { x: X; own: Own } var g: X; namespace N { interface I { } } }
        interface Own { } export interface A { w: Window; i: N.I }",
    ), ("n", "export interface X { }")]);
    assert_eq!(types(&graph, "Window"), ["own: import(\"m\").Own", "x: import(\"n\").X"]);
    assert_eq!(values(&graph, ""), ["g: import(\"n\").X"]);
    assert_eq!(types(&graph, "m:A"), ["i: N.I", "w: Window"]);
}

#[test]
fn declarations_of_one_interface_are_merged() {
    let graph = linked(&[
        ("a", "interface A<T> extends B { m(x: T): 1; p: 1 }"),
        ("b", "interface A<T> extends C { m(x: string): 2; p: 2; q: 3 }"),
    ]);
    assert_eq!(types(&graph, "A"), ["m(x: T): 1; m(x: string): 2", "p: 1", "q: 3"]);
    assert_eq!(extends(side(&graph, "A", Side::Type)), ["B", "C"]);
    assert_eq!(side(&graph, "A", Side::Type).shape.members["q"].at, (1, 1));
}

#[test]
fn the_order_of_files_does_not_matter() {
    let files =
        [("a", "interface A { x: 1 }"), ("b", "interface A { y: 2 }"), ("m", "export * from 'n'")];
    let mut turned = files;
    turned.reverse();
    assert_eq!(linked(&files), linked(&turned));
}
