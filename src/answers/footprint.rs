//! The footprint of a variable: its declaration and every line that configures it, by binding and not by name.
//!
//! A line configures a variable if it assigns to it, writes a property of it or of what it holds, calls a method on it,
//! or hands it to a call. Multi-line statements count whole. Undeclared names have no footprint.

use crate::base::{Lines, Name, Span};
use crate::sources::script::{
    Argument, Binding, BindingId, BindingKind, Context, ExprId, ExpressionKind, Script, Value,
    ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A declaration that begins further before its name than this is not looked for.
const MAX_HEAD: usize = 2000;

/// The declaration of a variable and every line that configures it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footprint {
    /// The variable.
    pub variable: Name,
    /// Where it is declared.
    pub declared: u32,
    /// All lines, from 1, sorted.
    pub lines: Vec<u32>,
}

/// Which lines name which variables, and what configures each, for one text.
pub struct Footprints<'s> {
    script: &'s Script,
    text: &'s str,
    lines: Lines,
    named: BTreeMap<u32, BTreeSet<BindingId>>,
    configured: BTreeMap<BindingId, Vec<Span>>,
}

impl<'s> Footprints<'s> {
    /// Goes through the script of `text` once.
    pub fn of(script: &'s Script, text: &'s str) -> Footprints<'s> {
        let lines = Lines::of(text);
        let mut all =
            Footprints { script, text, lines, named: BTreeMap::new(), configured: BTreeMap::new() };
        for idx in 0..script.expressions.len() {
            all.learn(ExprId(crate::base::to_u32(idx)));
        }
        for write in &script.writes {
            if let Some(binding) = root_of(script, write.target) {
                let target = script.expressions[write.target.idx()].span;
                let value = write.value.map_or(target, |v| script.expressions[v.idx()].span);
                all.configures(binding, joined(target, value));
            }
        }
        for (idx, binding) in script.bindings.iter().enumerate() {
            if is_variable(script, binding) {
                let id = BindingId(crate::base::to_u32(idx));
                let line = all.lines.line(binding.span.start);
                all.named.entry(line).or_default().insert(id);
                let declaration = all.declaration(binding);
                all.configures(id, declaration);
            }
        }
        all
    }

    /// The footprints of the variables that stand on this line, in the order in which they are declared.
    pub fn at(&self, line: u32) -> Vec<Footprint> {
        let bindings = self.named.get(&line).into_iter().flatten();
        let mut found: Vec<Footprint> = bindings.map(|id| self.footprint(*id)).collect();
        found.sort_by(|a, b| (a.declared, &a.variable).cmp(&(b.declared, &b.variable)));
        found
    }

    fn footprint(&self, id: BindingId) -> Footprint {
        let binding = &self.script.bindings[id.idx()];
        let spans = self.configured.get(&id).into_iter().flatten();
        let lines: BTreeSet<u32> = spans.flat_map(|span| self.lines_of(*span)).collect();
        Footprint {
            variable: binding.name.clone(),
            declared: self.lines.line(binding.span.start),
            lines: lines.into_iter().collect(),
        }
    }

    fn lines_of(&self, span: Span) -> std::ops::RangeInclusive<u32> {
        let last = span.end.saturating_sub(1).max(span.start);
        self.lines.line(span.start)..=self.lines.line(last)
    }

    fn configures(&mut self, binding: BindingId, span: Span) {
        self.configured.entry(binding).or_default().push(span);
    }

    /// What one expression says of variables: which it names, and which it configures.
    fn learn(&mut self, id: ExprId) {
        let expression = &self.script.expressions[id.idx()];
        match &expression.kind {
            ExpressionKind::Name(_, Some(binding)) => {
                if !is_variable(self.script, &self.script.bindings[binding.idx()]) {
                    return;
                }
                let line = self.lines.line(expression.span.start);
                self.named.entry(line).or_default().insert(*binding);
                if let Some(call) = self.call_that_takes(id) {
                    self.configures(*binding, self.statement(call));
                }
            }
            ExpressionKind::Assign(_, Some(target), _) => {
                if let Some(binding) = root_of(self.script, *target) {
                    self.configures(binding, expression.span);
                }
            }
            ExpressionKind::Unary(operator, operand) => {
                let changes = matches!(operator.as_str(), "++" | "--" | "delete");
                if changes && let Some(binding) = root_of(self.script, *operand) {
                    self.configures(binding, expression.span);
                }
            }
            ExpressionKind::Call(call) => {
                let callee = &self.script.expressions[call.callee.idx()].kind;
                let is_method = !matches!(callee, ExpressionKind::Name(..));
                if is_method && let Some(binding) = root_of(self.script, call.callee) {
                    self.configures(binding, self.statement(id));
                }
            }
            _ => {}
        }
    }

    /// The call or construction that is handed this expression, alone or inside a literal.
    fn call_that_takes(&self, mut id: ExprId) -> Option<ExprId> {
        loop {
            id = match self.script.expressions[id.idx()].context {
                Context::Argument(call, _) => return Some(call),
                Context::Property(object, _) => self.script.objects[object.idx()].expression,
                Context::Element(array) => array,
                Context::Branch(whole) => whole,
                Context::Free => return self.spread_into(id),
                Context::AssignedTo(_)
                | Context::Initialises(_)
                | Context::Field(..)
                | Context::Returned(_) => return None,
            };
        }
    }

    /// The call that takes this expression as `...x`. A part comes before the whole, so it stands soon behind.
    fn spread_into(&self, id: ExprId) -> Option<ExprId> {
        let span = self.script.expressions[id.idx()].span;
        let behind = self.script.expressions.iter().enumerate().skip(id.idx() + 1).take(64);
        for (idx, expression) in behind {
            let (ExpressionKind::Call(call) | ExpressionKind::New(call)) = &expression.kind else {
                continue;
            };
            if expression.span.holds(span) && call.arguments.contains(&Argument::Spread(id)) {
                return Some(ExprId(crate::base::to_u32(idx)));
            }
        }
        None
    }

    /// An expression with the `name =` before it, where it has one, so that its first line is not lost.
    fn statement(&self, id: ExprId) -> Span {
        let expression = &self.script.expressions[id.idx()];
        match expression.context {
            Context::Initialises(binding) => {
                joined(self.script.bindings[binding.idx()].span, expression.span)
            }
            Context::AssignedTo(target) => {
                joined(self.script.expressions[target.idx()].span, expression.span)
            }
            _ => expression.span,
        }
    }

    /// From the keyword to the end of what it is given first.
    fn declaration(&self, binding: &Binding) -> Span {
        let name = binding.span;
        if matches!(binding.kind, BindingKind::Parameter | BindingKind::Catch) {
            return name;
        }
        let given = binding.values.first().and_then(|value| self.given(*value));
        let end = given.filter(|span| span.start >= name.end).map_or(name, |span| span);
        let from = (name.start as usize).saturating_sub(MAX_HEAD);
        let head = self.text.get(from..name.start as usize).unwrap_or("");
        let head = head.rsplit(';').next().unwrap_or(head);
        let keyword = ["const", "let", "var", "using"].iter().filter_map(|k| last_word(head, k));
        let start =
            keyword.max().map_or(name.start as usize, |at| name.start as usize - head.len() + at);
        joined(Span::new(start, name.end as usize), end)
    }

    /// The expression that a value comes from.
    fn given(&self, value: ValueId) -> Option<Span> {
        match &self.script.values[value.idx()] {
            Value::Expression(id) | Value::ElementOf { iterable: id, .. } | Value::KeyOf(id) => {
                Some(self.script.expressions[id.idx()].span)
            }
            Value::Piece { of, .. } => self.given(*of),
            Value::Parameter { .. }
            | Value::Import(_)
            | Value::Function(_)
            | Value::Class(_)
            | Value::Caught
            | Value::Unknown => None,
        }
    }
}

/// The variable at the left end of `a.b().c[0]`.
pub(super) fn root_of(script: &Script, id: ExprId) -> Option<BindingId> {
    let ExpressionKind::Name(_, Some(binding)) =
        &script.expressions[leftmost(script, id).idx()].kind
    else {
        return None;
    };
    is_variable(script, &script.bindings[binding.idx()]).then_some(*binding)
}

/// What stands at the left end of `a.b().c[0]`.
pub(super) fn leftmost(script: &Script, mut id: ExprId) -> ExprId {
    loop {
        id = match &script.expressions[id.idx()].kind {
            ExpressionKind::Member { object, .. } | ExpressionKind::Element { object, .. } => {
                *object
            }
            ExpressionKind::Call(call) => call.callee,
            ExpressionKind::As(inner, _) | ExpressionKind::Same(inner) => *inner,
            _ => return id,
        };
    }
}

fn joined(one: Span, two: Span) -> Span {
    Span { start: one.start.min(two.start), end: one.end.max(two.end) }
}

/// Where `word` stands last in `text`, alone.
fn last_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut places = text.rmatch_indices(word).map(|(at, _)| at);
    places
        .find(|at| !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// Whether it holds something that can be configured: no function, class or import.
pub(super) fn is_variable(script: &Script, binding: &Binding) -> bool {
    let names_code = binding.values.first().is_some_and(|value| {
        let Value::Expression(id) = &script.values[value.idx()] else { return false };
        let kind = &script.expressions[id.idx()].kind;
        matches!(kind, ExpressionKind::Function(_) | ExpressionKind::Class(_))
    });
    match binding.kind {
        BindingKind::Const | BindingKind::Let | BindingKind::Var => !names_code,
        BindingKind::Parameter | BindingKind::Catch => true,
        BindingKind::Function
        | BindingKind::Class
        | BindingKind::Import
        | BindingKind::Declared => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::script::{Language, script};

    /// The footprints at the first line that has `mark`.
    fn at(text: &str, mark: &str) -> Vec<(String, Vec<u32>)> {
        let script = script(text, Language::TypeScript);
        let line = 1 + text[..text.find(mark).unwrap()].matches('\n').count();
        let found = Footprints::of(&script, text).at(crate::base::to_u32(line));
        found.into_iter().map(|f| (f.variable.to_string(), f.lines)).collect()
    }

    fn one(variable: &str, lines: &[u32]) -> Vec<(String, Vec<u32>)> {
        vec![(variable.to_owned(), lines.to_vec())]
    }

    #[test]
    fn every_line_that_configures_belongs_to_it() {
        let text = "\
const box = layout.makeBlock();
box.x = 1;
other();
box.edges.top.width = 2;
box.setPair(1, 2);
layout.blockStart(box);
const area = box.width * 2;
delete box.y;
box.addColumn(0).share = 1;
box['z'] = 3;
box.n++;
layout.log(box.x);
f({ a: [box] });
f(...box);
";
        let whole = one("box", &[1, 2, 4, 5, 6, 8, 9, 10, 11, 13, 14]);
        assert_eq!(at(text, "box.x = 1"), whole);
        assert_eq!(at(text, "layout.log(box.x)"), whole);
        assert_eq!(at(text, "other()"), []);
    }

    #[test]
    fn a_shadowed_name_is_another_variable() {
        let text = "\
const box = a();
box.x = 1;
function f(box) {
  box.y = 2;
  { let box = b(); box.z = 3; }
}
function g() { box.w = 4; }
";
        assert_eq!(at(text, "box.x"), one("box", &[1, 2, 7]));
        assert_eq!(at(text, "box.y"), one("box", &[3, 4]));
        assert_eq!(at(text, "box.z"), one("box", &[5]));
    }

    #[test]
    fn what_goes_over_lines_comes_whole() {
        let text = "\
const box =
  layout.makeBlock(
    1);
box.onSplit = (page) => {
  log(page);
};
box
  .a()
  .b();
const {
  two = f(),
  one,
} = read(
  3);
one.x = 1;
";
        assert_eq!(at(text, ".b()"), []);
        assert_eq!(at(text, "box.onSplit"), {
            let mut both = one("box", &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
            both.extend(one("page", &[4, 5]));
            both
        });
        assert_eq!(at(text, "one.x"), one("one", &[10, 11, 12, 13, 14, 15]));
    }

    #[test]
    fn assignments_and_loops_declare_too() {
        let text = "let box;\nif (a) box = f();\nbox.x = 1;\nfor (const line of lines) {\n  put(line);\n}\n";
        assert_eq!(at(text, "box.x"), one("box", &[1, 2, 3]));
        assert_eq!(at(text, "put(line)"), one("line", &[4, 5]));
    }

    #[test]
    fn undeclared_names_functions_and_imports_have_none() {
        let text = "import { layout } from 'x';\nfunction f() {}\nconst g = () => f;\nlayout.a = 1; desk.b = 2; f.c = 3; g.d = 4;\n";
        assert_eq!(at(text, "layout.a"), []);
    }
}
