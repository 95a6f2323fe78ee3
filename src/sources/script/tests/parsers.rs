//! The two parsers against each other: what both read gives the same script.

use super::*;

/// Texts of every form, a line each.
const TEXTS: &str = r#"
'use strict'; "not one"; f();
var a = 1, b, { c, d: e = 2, 'f': g, [h]: i, ...j } = k; let [l, , m = 3, [n], ...o] = p; const q = 0x1f, r = 12n;
if (a) b(); else if (c) { d(); } else e(); if (/* ) */ a) ; if ((a)) b
for (let i = 0, n = a.length; i < n; i++) b(i); for (;;) { break; } for (a.b = 1; ; a.b += 2) continue; for (var x = 1; x; ) {}
for (const [k, v] of Object.entries(o)) { f(k, v); } for (var k in o) if (o[k]) continue; for (a.b of c) ; for ({ a, b: [c] } of d) {}
async function f() { for await (const x of y) { await x.z; } return await Promise.all([a(), b()]); }
while (a.b) { c(); } do d(); while (e.f); do { g(); } while (h)
a: for (;;) { continue a; } b: { break b; } c: while (1) break c;
switch (a.kind) { case 'b': c(); break; case d.e: default: return; } switch (x) {} switch (y /* { */) { case 1: { z(); } }
try { a(); } catch (e) { e.message; } finally { b(); } try { c(); } catch { } try { d() } catch ({ message }) { message.length; }
with (a) { b; c.d; } debugger; ; throw new Error(`a ${b} c ${d.e(`f ${g}`)} h`);
function f(a, b = 1, { c, d = 2 }, [e] = [], ...rest) { return; } function* g() { const x = yield; yield* a(); yield b.c; }
const f = function named(a) { return named(a - 1); }, g = async (x) => x.y, h = z => ({ ...z, w: 1 }), i = async v => { }, j = () => {};
class A extends B.C { static #p = 1; q = this.r; static s = () => this.t; ['u' + v] = 2; 'w x' = 3; 4 = 5; z; constructor(a) { super(a); this.#m(); } }
class A { get a() { return 1; } set a(v) { } static get b() { return A; } static async *c() { } async d() { } *e() { } #m() { return #m in this; } static { this.x = 1; } [Symbol.iterator]() { } get; static; async }
const A = class { m() { return super.m(); } }, B = class C extends (D, E) { };
const o = { a, b: c, 'd': e, 1: f, [g.h]: i, j() { return this.b; }, get k() { return 1; }, set k(v) { }, async l() { }, *m() { }, async *n() { }, ...p, __proto__: q, get: 1, set, async };
a.b.c(d.e, ...f).g[h](i)`j ${k.l}`.m; new N; new N.O(p); new (q())(); new N().r; new (s.t); a?.b?.[c]?.(d).e; (a?.b).c; a?.(); import.meta.url; import('m'); import(n, o).then(p);
x = y = z; x += 1; x.y ||= 2; x[y] ??= z; ({ a, b: c.d, e = 1, 'f': [g], ...h } = i); [a, b.c, , d = 1, ...e[f]] = g; (x) ? y : z ? w : v; x = (a, b), c;
!a; -b.c; +d; ~e; typeof f; void 0; delete g.h; i++; --j.k; l ** m; n in o; p instanceof Q; r, s.t; a < b; a >> b >>> c << d; a % b / c; (a && b) || (c ?? d);
/** @type {Foo} */ let a = b; /** @param {string} x */ function f(x) { } const c = /** @type {Bar} */ (d.e); /* global g, h */ a.b; // groundline-allow b: why
/** @returns {X} */ exports.f = function () { return /** @type {Y} */ (z); }; module.exports = { /** @type {Z} */ a: 1, /** doc */ b() { } }; A.prototype.m = function (p) { return this.n; };
var re = /[/]\/(?<n>a)/giu, s = 'a\'b\u{61}\x61\n', t = "c\
d"; var e = a / b / c; if (a) /re/.test(b); undefined; null; true; false; this.a; arguments[0]; new.target; function f() { new.target.name; }
import d from 'm'; import * as n from "m"; import e, { a, b as c, default as f, 'x y' as g } from 'm'; import 'side'; import j from './j.json' with { type: 'json' };
export { a, b as c, d as default }; export * from 'm'; export * as n from 'm'; export { e, default as f3 } from 'm'; export const g = 1, { h } = i; export function k() { } export class L { } export async function l() { }
export default function () { this.a; };
export default function named() { }
export default class { }
export default class N extends M { }
export default a.b;
export default { data() { return this.x; } };
export default async () => { };
var \u0061b = 1; ab.c; var ünï = {}; ünï.x; let of = 1, get = 2, async = 3, static_ = 4; of.a; get.b; async.c; let async1 = async;
label: function g() { } if (1) function h() { } var { length } = 'x', { a: { b = 1 } = {} } = c;
a
b.c
(d)
"#;

fn shown(text: &str, syntax: &syntax::Syntax) -> String {
    format!("{:#?}", read::lowered(text, syntax, Language::JavaScript, Vec::new()))
}

#[test]
fn every_form_gives_the_same_script() {
    for text in TEXTS.lines() {
        let Some(fast) = whole::whole(text, Language::JavaScript) else {
            // One text is cut at the end of a line.
            assert!(text.ends_with('\\') || text.starts_with("d\";"), "{text}");
            continue;
        };
        let (fast, slow) =
            (shown(text, &fast), shown(text, &syntax::Syntax::of(text, Language::JavaScript)));
        let differs = fast.lines().zip(slow.lines()).position(|(a, b)| a != b);
        let near = |of: &str, at: usize| {
            let lines = of.lines().skip(at.saturating_sub(8)).take(16);
            lines.map(str::trim).collect::<Vec<_>>().join(" ")
        };
        if let Some(at) = differs {
            panic!("{text}\nfast: {}\nslow: {}", near(&fast, at), near(&slow, at));
        }
        assert_eq!(fast.lines().count(), slow.lines().count(), "{text}");
    }
}

#[test]
fn what_is_not_read_here_is_left_to_the_other_parser() {
    let left = [
        "a.b(",
        "<A/>",
        "let a: B = c",
        "@d class A { }",
        "using a = b",
        "\u{feff}a.b",
        "import source a from 'b'",
        "a b c",
        "var a = 08n;",
    ];
    for text in left {
        assert!(whole::whole(text, Language::JavaScript).is_none(), "{text}");
    }
    assert!(whole::whole("a.b", Language::TypeScript).is_none());
}

#[test]
fn the_deepest_text_that_is_read_overflows_nothing() {
    let nested = [
        ("(", "1", ")", 990),
        ("a(", "1", ")", 990),
        ("{", "", "}", 990),
        ("[", "1", "]", 990),
        ("function a(){", "", "}", 990),
        ("class A{a(){", "", "}}", 490),
        ("`${", "1", "}`", 990),
        ("!", "a", "", 5_900),
        ("a?b:", "c", "", 2_900),
        ("x=>", "1", "", 5_900),
        ("if(a)", "b", "", 5_900),
        ("if(a)b;else ", "c", "", 2_900),
        ("new ", "a", "", 5_900),
        ("a.", "b", "", 200_000),
        ("a+", "b", "", 5_000),
        ("a&&", "b", "", 100_000),
        ("x=", "1", "", 5_900),
        ("a:", ";", "", 5_900),
        ("do ", ";", "while(0);", 5_900),
        ("for(;;)", ";", "", 5_900),
        ("class extends ", "a", "{}", 2_900),
    ];
    for (open, middle, close, n) in nested {
        let text = format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        let text = if open == "class extends " { format!("({text})") } else { text };
        assert!(whole::whole(&text, Language::JavaScript).is_some(), "{open}");
        let deeper = format!("{}{middle}{}", open.repeat(n * 10), close.repeat(n * 10));
        let _ = whole::whole(&deeper, Language::JavaScript);
    }
}
