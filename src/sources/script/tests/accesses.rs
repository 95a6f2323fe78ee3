//! Which members are accessed, what is done with them, and where a test's outcome is known.

use super::*;

fn seen(text: &str) -> String {
    accesses(&js(text), text)
}

#[test]
fn every_member_behind_a_dot_is_an_access_and_one_in_brackets_is_not() {
    assert_eq!(
        seen("a.b['c'].d?.e; this.#f; super.g"),
        "a.b; a.b['c'].d; a.b['c'].d.e; this.#f; super.g"
    );
}

#[test]
fn accesses_lie_in_templates_defaults_computed_keys_decorators_and_jsx() {
    assert_eq!(seen("`${a.b}`; f`${c.d}`"), "a.b; c.d");
    assert_eq!(seen("function f(x = a.b, { y = c.d } = e.f) {}"), "a.b; <parameter 1>.y; c.d; e.f");
    assert_eq!(seen("({ [a.b]: 1 }); class C { [c.d]() {} @e.f g = h.i }"), "a.b; c.d; e.f; h.i");
    assert_eq!(seen("<a.b c={d.e} {...f.g}>{h.i}</a.b>"), "a.b; d.e; f.g; h.i");
}

#[test]
fn patterns_take_members_from_what_they_are_given() {
    assert_eq!(seen("const { a, b: { c }, ...d } = e"), "<e>.a; <e>.b; <<e>.b>.c");
    assert_eq!(seen("({ a, b: c.d } = e)"), "<e>.a; <e>.b; c.d =");
    assert_eq!(seen("for (const { a } of b.c) ;"), "<each of b.c>.a; b.c");
    assert_eq!(seen("const { 'a': b, [c]: d } = e; const [, { f }] = g"), "<<g>[1]>.f");
}

#[test]
fn usage_tells_reads_calls_constructions_and_writes_apart() {
    assert_eq!(seen("a.b; a.c(); new a.d(); a.e`x`; (a.f)()"), "a.b; a.c(); a.d new; a.e(); a.f()");
    assert_eq!(seen("a.b = 1; a.c += 1; a.d++; delete a.e"), "a.b =; a.c +=; a.d +=; a.e deleted");
    assert_eq!(seen("[a.b] = c; for (a.d of e) ; a.f.g = 1"), "a.b =; a.d =; a.f; a.f.g =");
    assert_eq!(seen("new (f().g)(); new a.b.C"), "f().g new; a.b; a.b.C new");
}

#[test]
fn what_is_only_asked_for_is_tested() {
    assert_eq!(seen("if (a.b) a.c; while (!a.d) ;"), "a.b tested; a.c; a.d tested");
    assert_eq!(
        seen("a.b && a.c; a.d || 1; a.e ? 1 : 2"),
        "a.b tested; a.c; a.d tested; a.e tested"
    );
    assert_eq!(
        seen("typeof a.b == 'x'; a.c === undefined; null != a.d; a.e == 1"),
        "a.b tested; a.c tested; a.d tested; a.e"
    );
    assert_eq!(seen("if (x && (a.b || a.c())) ;"), "a.b tested; a.c()");
}

#[test]
fn types_imports_and_exports_hold_no_accesses() {
    let text = "import { a as b } from 'm'; export { b as c }; let x: n.T = y as n.U; \
                class C<T extends n.V> extends p.Q<n.R> implements n.S { f?: n.W }";
    assert_eq!(accesses(&ts(text), text), "p.Q");
}

#[test]
fn typescript_marks_are_seen_through() {
    let text = "a!.b; (a as T).c; (<T>a).d; a.e!(); (a.f as any) = 1; g<T>(a.h)";
    assert_eq!(accesses(&ts(text), text), "a!.b; a as T.c; <T>a.d; a.e(); a.f =; a.h");
}

#[test]
fn writes_know_what_is_written_and_in_which_function() {
    let text = "function f() { this.a = 1; this.b += 2; [this.c] = d; this['e'] = this.g = 3 }";
    let script = js(text);
    let shown: Vec<_> = script
        .writes
        .iter()
        .map(|w| {
            assert_eq!(w.function, Some(FunctionId(0)));
            (expression(&script, text, w.target), w.value.map(|v| expression(&script, text, v)))
        })
        .collect();
    let shown: Vec<_> = shown.iter().map(|(t, v)| (t.as_str(), v.as_deref())).collect();
    let wanted = [
        ("this.a", Some("1")),
        ("this.b", None),
        ("this.c", None),
        ("this['e']", Some("this.g = 3")),
        ("this.g", Some("3")),
    ];
    assert_eq!(shown, wanted);
}

fn guards(text: &str) -> String {
    let script = js(text);
    let list = |spans: &[Span]| spans.iter().map(|s| s.of(text)).collect::<Vec<_>>().join(" & ");
    let shown = script.guards.iter().map(|guard| {
        let test = expression(&script, text, guard.test);
        format!("{test} holds [{}] fails [{}]", list(&guard.holds), list(&guard.fails))
    });
    shown.collect::<Vec<_>>().join("; ")
}

#[test]
fn guards_tell_where_a_test_holds_and_where_it_fails() {
    assert_eq!(guards("if (a) b; else c;"), "a holds [b;] fails [c;]");
    assert_eq!(
        guards("a && b || c ? d : e"),
        "a holds [b] fails []; a && b holds [] fails [c]; a && b || c holds [d] fails [e]"
    );
    assert_eq!(
        guards("for (;a;b) c; while (d) e;"),
        "a holds [b & c;] fails []; d holds [e;] fails []"
    );
}

#[test]
fn an_early_exit_is_known_in_the_rest_of_the_block() {
    assert_eq!(
        guards("function f() { if (!a) return; b }"),
        "!a holds [] fails [ b }]".replace("[]", "[return;]")
    );
    assert_eq!(
        guards("{ if (a) b; else { throw c } d }"),
        "a holds [b; &  d }] fails [{ throw c }]"
    );
    assert_eq!(
        guards("for (;;) { if (a) continue; else if (b) break; c }"),
        "a holds [continue;] fails [if (b) break; &  c }]; b holds [break;] fails [ c }]"
    );
    assert_eq!(
        guards("{ if (a) b(); else if (c) throw 1; d }"),
        "a holds [b();] fails [if (c) throw 1;]; c holds [throw 1;] fails []"
    );
}

#[test]
fn expressions_know_what_they_are_given_to() {
    let text = "f(a ? b : (c, d), ...e); const g = h || i; j.k = l; ({ m: n }); [o]; () => p;";
    let script = js(text);
    let Context::Branch(whole) = context_of(&script, text, "b") else { panic!("a branch") };
    let call = find(&script, text, "f(a ? b : (c, d), ...e)");
    assert_eq!(script.expressions[whole.idx()].context, Context::Argument(call, 0));
    assert!(matches!(context_of(&script, text, "d"), Context::Branch(_)));
    assert_eq!(context_of(&script, text, "a"), Context::Free);
    assert_eq!(context_of(&script, text, "e"), Context::Free);
    assert_eq!(context_of(&script, text, "h || i"), Context::Initialises(BindingId(0)));
    assert_eq!(context_of(&script, text, "l"), Context::AssignedTo(find(&script, text, "j.k")));
    assert_eq!(context_of(&script, text, "n"), Context::Property(ObjectId(0), 0));
    assert_eq!(context_of(&script, text, "o"), Context::Element(find(&script, text, "[o]")));
    assert_eq!(context_of(&script, text, "p"), Context::Returned(FunctionId(0)));
}

#[test]
fn parts_come_before_wholes() {
    let text = "a.b(c => { return { d: [e.f] } }, class extends g {}).h = i ? j : k.l`m${n}`";
    for (idx, e) in js(text).expressions.iter().enumerate() {
        match e.context {
            Context::Branch(whole) | Context::Argument(whole, _) | Context::Element(whole) => {
                assert!(whole.idx() > idx);
            }
            _ => {}
        }
    }
}
