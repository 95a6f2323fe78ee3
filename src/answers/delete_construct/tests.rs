use super::*;
use crate::base::Name;
use crate::corpus::Corpus;
use crate::datagraph::Key;
use crate::datagraph::documentation::Construct;
use crate::datagraph::documentation::{Evidence, Symbol};

fn construct(owner: &str, opens: &str, closes: &str) -> Construct {
    let key = Key::of_type(crate::types::TypeName::global(owner));
    Construct {
        name: opens.into(),
        declared_by: Vec::new(),
        opened_by: Symbol::member(key.clone(), opens),
        middle: Vec::new(),
        closed_by: Symbol::member(key, closes),
        contains: Vec::new(),
        order: Vec::new(),
        evidence: Evidence::Strong,
        example: None,
    }
}

fn constructs() -> Vec<Construct> {
    vec![
        construct("Layout", "blockStart", "blockEnd"),
        construct("Layout", "tableStart", "tableEnd"),
        construct("Layout", "holdStart", "holdEnd"),
        construct("Table", "rowStart", "rowEnd"),
        construct("Table", "headStart", "headEnd"),
    ]
}

fn planned(text: &str, wanted: &Wanted) -> Planned {
    let constructs = constructs();
    let constructs: Vec<&Construct> = constructs.iter().collect();
    let corpus = Corpus::new(Vec::new());
    let known = Known { constructs: &constructs, corpus: &corpus };
    plan(("a.ts", text), Language::TypeScript, known, wanted)
}

fn whole(text: &str, wanted: &Wanted) -> Plan {
    match planned(text, wanted) {
        Planned::Plan(plan) => *plan,
        other => panic!("{other:?}"),
    }
}

/// What is left, and the lines that are kept.
fn without(text: &str, variable: &str) -> (String, Vec<(u32, Because)>) {
    let plan = whole(text, &Wanted::Variable(variable.into()));
    (plan.left, plan.kept)
}

#[test]
fn a_variable_goes_with_every_line_that_configures_it() {
    let text = "\
before();
const box = layout.makeBlock();
box.x = 1;
box.edges.top.width = 2;

box.setPair(
  1,
  2,
);
delete box.y;
after();
";
    assert_eq!(without(text, "box"), ("before();\nafter();\n".into(), vec![]));
}

#[test]
fn an_opener_takes_everything_up_to_its_closer() {
    let text = "\
const table = layout.makeTable();
const column = table.addColumn(3);
column.share = 1;
layout.tableStart(table);
table.headStart().continuedText = 'x';
layout.write('a');
layout.tableStart(other());
layout.tableEnd();
for (const line of lines) {
  const row = table.rowStart();
  row.put(line);
  table.rowEnd();
}
layout.tableEnd();
layout.tableEnd();
";
    assert_eq!(without(text, "table"), ("layout.tableEnd();\n".into(), vec![]));
    for line in [1, 4, 14] {
        assert_eq!(whole(text, &Wanted::Line(line)).left, "layout.tableEnd();\n", "{line}");
    }
    assert_eq!(whole(text, &Wanted::Line(3)).lines, [(2, 3)]);
    assert_eq!(whole(text, &Wanted::Line(11)).lines, [(10, 12)]);
}

#[test]
fn a_construct_without_a_variable_goes_by_its_opener_or_closer() {
    let text = "a();\nlayout.holdStart();\nlayout.write('x');\nlayout.holdEnd();\nb();\n";
    for line in [2, 4] {
        let plan = whole(text, &Wanted::Line(line));
        assert_eq!((plan.left.as_str(), plan.variable), ("a();\nb();\n", None));
    }
}

#[test]
fn what_lives_on_between_opener_and_closer_stays_and_is_said() {
    let text = "\
let total = 0;
const mark = layout.makeMark();
mark.height = 2;
const box = layout.makeBlock();
layout.blockStart(box);
for (const line of lines) {
  total += line.pence;
  layout.write(line.title);
}
layout.place(mark);
if (!lines.length) return;
const size = box.measure();
layout.blockEnd();
show(total, size);
";
    let (left, kept) = without(text, "box");
    assert_eq!(
        left,
        "\
let total = 0;
const mark = layout.makeMark();
mark.height = 2;
for (const line of lines) {
  total += line.pence;
}
layout.place(mark);
if (!lines.length) return;
const size = box.measure();
show(total, size);
"
    );
    assert_eq!(
        kept,
        [
            (7, Because::Belongs("total".into())),
            (10, Because::Belongs("mark".into())),
            (11, Because::Leaves),
            (12, Because::Declares("size".into(), 14)),
            (12, Because::Makes { made: "size".into(), line: 14, gone: "box".into() }),
        ]
    );
}

#[test]
fn a_construct_of_another_variable_stays_whole() {
    let text = "\
const inner = layout.makeBlock();
inner.x = 1;
const box = layout.makeBlock();
layout.blockStart(box);
layout.write('gone');
layout.blockStart(inner);
layout.write('stays');
layout.blockEnd();
layout.blockEnd();
";
    let (left, kept) = without(text, "box");
    assert_eq!(
        left,
        "const inner = layout.makeBlock();\ninner.x = 1;\nlayout.blockStart(inner);\nlayout.write('stays');\nlayout.blockEnd();\n"
    );
    assert_eq!(kept.len(), 3);
    assert_eq!(kept[0], (6, Because::Belongs("inner".into())));
}

#[test]
fn what_uses_it_for_something_else_is_kept_and_said() {
    let text = "\
function f() {
  const box = layout.makeBlock();
  box.x = 1;
  const area = box.width * 2;
  terms.pour(box);
  const list = [];
  list.push(box);
  show(area);
  if (box.x) {
    box.y = 2;
  }
  return box;
}
";
    let (left, kept) = without(text, "box");
    assert!(
        left.starts_with("function f() {\n  const area = box.width * 2;\n  const list"),
        "{left}"
    );
    assert_eq!(
        kept,
        [
            (4, Because::Makes { made: "area".into(), line: 8, gone: "box".into() }),
            (7, Because::Takes { owner: "list".into(), gone: "box".into() }),
            (9, Because::Uses("box".into())),
            (9, Because::Emptied),
            (12, Because::Returns("box".into())),
        ]
    );
    let after = whole(text, &Wanted::Variable("box".into())).kept_after();
    let made = Because::Makes { made: "area".into(), line: 5, gone: "box".into() };
    assert_eq!(after[0], (2, made));
    assert_eq!(
        after[4].0,
        left.lines().position(|line| line.contains("return")).unwrap() as u32 + 1
    );
}

#[test]
fn of_several_declarators_only_one_goes() {
    let text = "const a = 1, box = make(), c = 2;\nbox.x = a;\nuse(a, c);\n";
    let (left, kept) = without(text, "box");
    assert_eq!(left, "const a = 1, c = 2;\nuse(a, c);\n");
    assert_eq!(kept, [(1, Because::Shortened)]);
    let last = "let a,\n  box = make();\nbox.x = 1;\nuse(a);\n";
    assert_eq!(without(last, "box").0, "let a\n  ;\nuse(a);\n");
    let first = "let box = make(),\n    a = 2;\nuse(a);\n";
    // `let` alone on its line would be read as a name.
    assert_eq!(planned(first, &Wanted::Variable("box".into())), Planned::Breaks(vec![]));
}

#[test]
fn a_shadowed_name_is_untouched() {
    let text = "\
const box = a();
box.x = 1;
function f(box) {
  box.y = 2;
}
function g() {
  const box = b();
  box.z = 3;
}
";
    let several = planned(text, &Wanted::Variable("box".into()));
    let named =
        |lines: &[u32]| lines.iter().map(|n| ("box".into(), *n)).collect::<Vec<(Name, u32)>>();
    assert_eq!(several, Planned::Several(named(&[1, 3, 7])));
    let left = whole(text, &Wanted::Both("box".into(), 2)).left;
    assert_eq!(
        left,
        text.split_once("function").map(|(_, rest)| format!("function{rest}")).unwrap()
    );
    let plan = whole(text, &Wanted::Line(8));
    assert_eq!(plan.lines, [(7, 8)]);
    assert_eq!(plan.kept, [(6, Because::Emptied)]);
    let parameter = whole(text, &Wanted::Line(4));
    assert_eq!(parameter.lines, [(4, 4)]);
    assert_eq!(parameter.kept, [(3, Because::Shares("box".into())), (3, Because::Emptied)]);
}

#[test]
fn what_nothing_uses_any_more_is_pointed_out() {
    let text = "\
import { mist, moss } from 'inks';
function fill() {}
// The box.
const box = make(fill);
box.fill = mist;
export const other = moss;
";
    let (_, kept) = without(text, "box");
    assert_eq!(
        kept,
        [
            (1, Because::Unused("mist".into())),
            (2, Because::Unused("fill".into())),
            (3, Because::Comment),
        ]
    );
}

#[test]
fn loops_that_only_fill_it_go_with_it() {
    let text = "\
const table = make();
orders.forEach((order) => table.putRow(order));
orders.forEach((order) => {
  table.putRow(order);
});
for (const order of orders) table.putRow(order);
orders.each((order) => {
  sum.add(order);
  table.putRow(order);
});
if (first) table.x = 1; else sum.reset();
";
    let (left, kept) = without(text, "table");
    assert_eq!(
        left,
        "orders.each((order) => {\n  sum.add(order);\n});\nif (first) table.x = 1; else sum.reset();\n"
    );
    assert_eq!(kept, [(11, Because::Uses("table".into())), (11, Because::Body)]);
}

#[test]
fn a_construct_that_is_never_closed_is_said() {
    let text = "const box = make();\nlayout.blockStart(box);\nlayout.write('x');\n";
    let plan = whole(text, &Wanted::Variable("box".into()));
    assert_eq!(plan.left, "layout.write('x');\n");
    assert_eq!(plan.unclosed, [(2, "blockEnd".into())]);
}

#[test]
fn what_is_not_there_is_said_with_what_is_near() {
    let text = "const boxes = make();\nlayout.write('x');\n";
    let near = planned(text, &Wanted::Variable("boxs".into()));
    let expected = Nothing::Undeclared { name: "boxs".into(), near: vec!["boxes".into()] };
    assert_eq!(near, Planned::Nothing(expected));
    assert_eq!(planned(text, &Wanted::Line(2)), Planned::Nothing(Nothing::NoVariable(2)));
    let far = Nothing::NoLine { line: 9, n_lines: 3 };
    assert_eq!(planned(text, &Wanted::Line(9)), Planned::Nothing(far));
}

#[test]
fn a_deletion_that_would_change_what_stays_is_refused() {
    // Without the line between them, the two others would be one call.
    let text = "const a = f\nbox.x = 1;\n(g)(a)\nconst box = make();\n";
    let plan = planned(text, &Wanted::Variable("box".into()));
    assert_eq!(plan, Planned::Breaks(vec![(2, 2), (4, 4)]));
}

#[test]
fn broken_text_is_left_alone_and_the_rest_is_not() {
    let text = "const box = make();\nbox.x = 1;\nfunction f( {\n  box.y = 2;\n";
    if let Planned::Plan(plan) = planned(text, &Wanted::Variable("box".into())) {
        assert!(plan.left.len() <= text.len());
    }
}

/// Deleting what any line sets up only takes away: what is left is the text without some characters.
fn only_takes_away(text: &str) {
    for line in 0..=text.lines().count() + 1 {
        if let Planned::Plan(plan) = planned(text, &Wanted::Line(crate::base::to_u32(line))) {
            let mut rest = text.chars();
            let is_part = plan.left.chars().all(|c| rest.any(|other| other == c));
            assert!(is_part, "line {line} of\n{text}\nleaves\n{}", plan.left);
            assert!(plan.left.lines().count() <= text.lines().count());
            let gone: Vec<u32> = plan.lines.iter().flat_map(|(a, b)| *a..=*b).collect();
            assert_eq!(crate::base::to_u32(gone.len()), plan.n_lines());
        }
    }
}

#[test]
fn no_deletion_puts_anything_in() {
    let sample = [
        include_str!("../../../datagraphs/folio/sample/invoice.js"),
        include_str!("../../../datagraphs/folio/sample/statement.js"),
        include_str!("../../../datagraphs/folio/sample/catalogue.js"),
        include_str!("../../../datagraphs/folio/sample/labels/shelf-labels.js"),
        include_str!("../../../datagraphs/folio/sample/drafts/invoice-draft.js"),
    ];
    for text in sample {
        only_takes_away(text);
        only_takes_away(&text.replace('\n', "\r\n"));
    }
}

#[test]
fn any_text_is_survived() {
    let text = include_str!("../../../datagraphs/folio/sample/statement.js");
    let mut state = 7_u64;
    for _ in 0..60 {
        // Pieces of real code in a wild order are half written in every way.
        let mut wild = String::new();
        while wild.len() < 600 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % text.len();
            let piece = text.get(at..(at + 40).min(text.len())).unwrap_or("é𝒳");
            wild.push_str(piece);
        }
        only_takes_away(&wild);
    }
}

#[test]
fn every_line_that_would_name_nothing_is_told() {
    let text = "\
let box = layout.makeBlock();
[box, x] = [1, 2];
({ box } = y);
for (box of boxes) run();
type Kind = typeof box;
layout.keep({ box: 1 }, 'box', z.box); // box
";
    let (left, kept) = without(text, "box");
    assert!(!left.contains("makeBlock"), "{left}");
    let lines: std::collections::BTreeSet<u32> = kept.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 5].into(), "{kept:?}");
}

#[test]
fn what_is_declared_inside_and_used_by_what_stays_is_told() {
    let text = "\
const table = layout.makeTable();
const row = table.rowStart();
const inner = layout.makeBlock('i');
layout.blockStart(inner);
layout.blockEnd();
table.rowEnd();
";
    let (left, kept) = without(text, "row");
    assert!(!left.contains("rowStart") && left.contains("blockStart(inner)"), "{left}");
    assert!(kept.contains(&(4, Because::Uses("inner".into()))), "{kept:?}");
}
