//! The names that a script reads and that nothing declares: neither the script nor an api that holds here.
//!
//! Most of them are brought by something that is not seen: another script, a page, a test runner, the code around a
//! snippet. So each comes with what speaks for that, and the text with how much of it may be claimed.

use super::environments::{is_brought_elsewhere, is_called_elsewhere};
use super::suggest::{Candidate, is_slip, suggest};
use crate::base::{Name, Span};
use crate::corpus::{Corpus, Reason};
use crate::datagraph::Key;
use crate::sources::script::{
    BindingKind, ExprId, ExpressionKind, ScopeId, ScopeKind, Script, StatementKind, Usage,
};
use crate::types::TypeName;
use std::collections::{BTreeMap, BTreeSet};

/// A text that reads more unknown names than this runs somewhere that is not known here.
const MAX_UNKNOWN: usize = 40;

/// How many names of a piece of code are compared with the names of apis.
const MAX_COMPARED: usize = 400;

/// Names under which scripts reach the global scope.
pub const GLOBAL_OBJECTS: [&str; 6] = ["window", "globalThis", "self", "global", "top", "parent"];

/// Whether a text is all that its names can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A file, or what is to become one.
    Whole,
    /// A piece of something: what it does not declare may stand around it.
    Piece,
}

/// Which unknown names of a text are claimed to be inventions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// All: it is a module, or has nothing that other scripts give it.
    All,
    /// All, unless a page of the project loads what is not seen: it is a script among others.
    OutsideOfPages,
    /// Only slips of a name that an api declares.
    Slips,
}

/// A name that nothing declares, where it is read.
#[derive(Debug, Clone)]
pub struct FreeName {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// How it is used.
    pub usage: Usage,
    /// Why nothing is claimed of it, where that is known from the text alone.
    pub doubt: Option<Reason>,
    /// Names that hold where it stands and that may be meant.
    pub near: Vec<Name>,
}

/// The free names of a script, and which of them may be claimed.
pub fn free_names(
    corpus: &Corpus,
    script: &Script,
    text: &str,
    extent: Extent,
) -> (Claim, Vec<FreeName>) {
    let usages = usages(script);
    let asked = asked(script);
    let types: BTreeSet<&Name> = script.scopes.iter().flat_map(|s| &s.types).collect();
    let mut of_name: BTreeMap<Name, Option<Reason>> = BTreeMap::new();
    let mut found: Vec<(ExprId, FreeName)> = Vec::new();
    for (idx, expression) in (0u32..).zip(&script.expressions) {
        let ExpressionKind::Name(name, None) = &expression.kind else { continue };
        if is_of_language(name) || corpus.globals(name).next().is_some() {
            continue;
        }
        let id = ExprId(idx);
        let usage = usages.get(&id).copied().unwrap_or(Usage::Read);
        let by_name = of_name.entry(name.clone()).or_insert_with(|| {
            let is_type = types.contains(name)
                || corpus.has(&Key::of_value(TypeName::global(name.as_str())))
                || corpus.has_type(&TypeName::global(name.as_str()));
            doubt_of(script, name, &asked, is_type)
        });
        let doubt = match by_name {
            Some(why) => Some(why.clone()),
            None if is_open(script, expression.scope) => Some(Reason::OwnCode),
            None if usage == Usage::Called && is_called_elsewhere(name) => {
                Some(Reason::UnknownName(name.clone()))
            }
            None => None,
        };
        let span = expression.span;
        found.push((id, FreeName { name: name.clone(), span, usage, doubt, near: Vec::new() }));
    }
    let unknown: BTreeSet<Name> =
        found.iter().filter(|(_, f)| f.doubt.is_none()).map(|(_, f)| f.name.clone()).collect();
    let claim = match unknown.len() {
        0..=MAX_UNKNOWN => claim(corpus, script, text, extent),
        _ => Claim::Slips,
    };
    match claim {
        Claim::All | Claim::OutsideOfPages => {
            for (id, free) in found.iter_mut().filter(|(_, f)| f.doubt.is_none()).take(256) {
                free.near = near(script, *id, free);
            }
        }
        Claim::Slips => {
            let slips = slips(corpus, &unknown);
            for (_, free) in found.iter_mut().filter(|(_, f)| f.doubt.is_none()) {
                if !slips.contains(&free.name) {
                    free.doubt = Some(Reason::UnknownName(free.name.clone()));
                }
            }
        }
    }
    (claim, found.into_iter().map(|(_, free)| free).collect())
}

/// Words that the grammar takes for names in broken text, and names that are part of the language itself.
fn is_of_language(name: &str) -> bool {
    matches!(
        name,
        "undefined"
            | "arguments"
            | "globalThis"
            | "NaN"
            | "Infinity"
            | "eval"
            | "async"
            | "await"
            | "break"
            | "case"
            | "catch"
            | "class"
            | "const"
            | "continue"
            | "debugger"
            | "default"
            | "delete"
            | "do"
            | "else"
            | "enum"
            | "export"
            | "extends"
            | "finally"
            | "for"
            | "function"
            | "if"
            | "implements"
            | "import"
            | "in"
            | "instanceof"
            | "interface"
            | "let"
            | "new"
            | "null"
            | "of"
            | "package"
            | "private"
            | "protected"
            | "public"
            | "return"
            | "static"
            | "super"
            | "switch"
            | "this"
            | "throw"
            | "try"
            | "type"
            | "typeof"
            | "var"
            | "void"
            | "while"
            | "with"
            | "yield"
            | ""
    )
}

/// Why nothing is claimed of a name wherever it stands in the text.
fn doubt_of(
    script: &Script,
    name: &Name,
    asked: &BTreeSet<&Name>,
    is_type: bool,
) -> Option<Reason> {
    if script.announced.contains(name) || script.free_writes.binary_search(name).is_ok() {
        return Some(Reason::ProjectSets);
    }
    if asked.contains(name) {
        return Some(Reason::Guarded);
    }
    if is_type {
        return Some(Reason::OwnCode);
    }
    let is_constant = !name.chars().any(char::is_lowercase);
    let is_marked = name.starts_with(['_', '$']) || name.chars().count() < 2;
    // Bundlers put values in place of constants.
    (is_constant || is_marked || is_brought_elsewhere(name))
        .then(|| Reason::UnknownName(name.clone()))
}

/// Names that the script asks for before it uses them: with `typeof`, or as a member of the global scope.
fn asked(script: &Script) -> BTreeSet<&Name> {
    let free = |id: ExprId| match &script.expressions[id.idx()].kind {
        ExpressionKind::Name(name, None) => Some(name),
        _ => None,
    };
    let is_global_object =
        |id: ExprId| free(id).is_some_and(|o| GLOBAL_OBJECTS.contains(&o.as_str()));
    let mut asked = BTreeSet::new();
    for expression in &script.expressions {
        match &expression.kind {
            ExpressionKind::Unary(operator, operand) if operator == "typeof" => {
                asked.extend(free(*operand));
            }
            ExpressionKind::Member { object, name, .. } if is_global_object(*object) => {
                asked.insert(name);
            }
            ExpressionKind::Binary(operator, left, right) if operator == "in" => {
                if let ExpressionKind::Text(name) = &script.expressions[left.idx()].kind
                    && is_global_object(*right)
                {
                    asked.insert(name);
                }
            }
            _ => {}
        }
    }
    asked
}

/// Whether names in this scope may come from something around it: an object, or another part of a namespace.
fn is_open(script: &Script, scope: ScopeId) -> bool {
    script.outwards(scope).any(|scope| {
        matches!(script.scopes[scope.idx()].kind, ScopeKind::With | ScopeKind::Namespace)
    })
}

/// What is done with names, where it is more than reading.
fn usages(script: &Script) -> BTreeMap<ExprId, Usage> {
    let used = script.expressions.iter().filter_map(|e| match &e.kind {
        ExpressionKind::Call(call) => Some((call.callee, Usage::Called)),
        ExpressionKind::Tagged(tag) => Some((*tag, Usage::Called)),
        ExpressionKind::New(call) => Some((call.callee, Usage::Constructed)),
        _ => None,
    });
    used.filter(|(id, _)| {
        matches!(script.expressions[id.idx()].kind, ExpressionKind::Name(_, None))
    })
    .collect()
}

fn claim(corpus: &Corpus, script: &Script, text: &str, extent: Extent) -> Claim {
    let returns = script.statements.iter().any(|s| {
        s.within.is_none()
            && s.kind == StatementKind::Leaves
            && s.span.of(text).starts_with("return")
    });
    let evaluates = script.expressions.iter().any(|e| match &e.kind {
        ExpressionKind::Call(call) => matches!(
            &script.expressions[call.callee.idx()].kind,
            ExpressionKind::Name(name, None)
                if matches!(name.as_str(), "eval" | "importScripts" | "load" | "require_once")
        ),
        _ => false,
    });
    let is_part = extent == Extent::Piece || !script.broken.is_empty() || returns || evaluates;
    if is_part || takes_in_others(text) || !knows_environment(corpus) {
        return Claim::Slips;
    }
    match is_module(script) {
        true => Claim::All,
        false => Claim::OutsideOfPages,
    }
}

/// Whether a comment or directive takes other scripts in.
fn takes_in_others(text: &str) -> bool {
    ["@include", "#include", "@require", "@grant", "#import", "@import", "evalFile"]
        .iter()
        .any(|sign| text.contains(sign))
}

/// Whether something that holds here lists the global names of the place where the code runs.
fn knows_environment(corpus: &Corpus) -> bool {
    let key = Key::globals();
    let all: Vec<_> = corpus
        .graphs
        .iter()
        .filter_map(|g| Some((&g.api, g.interfaces.get(&key)?)))
        .filter(|(_, globals)| !globals.shape.members.is_empty())
        .collect();
    all.iter().any(|(api, _)| *api != "ecmascript")
        && all.iter().all(|(_, globals)| globals.open.is_none())
}

/// Whether what a script declares at its top stays its own: it imports or exports, and does not ask whether it may.
pub fn is_module(script: &Script) -> bool {
    let free = |id: ExprId, wanted: &[&str]| {
        matches!(
            &script.expressions[id.idx()].kind,
            ExpressionKind::Name(name, None) if wanted.contains(&name.as_str())
        )
    };
    if !script.imports.is_empty() || !script.exports.is_empty() {
        return true;
    }
    let exports = script.writes.iter().any(|write| {
        let ExpressionKind::Member { object, name, .. } =
            &script.expressions[write.target.idx()].kind
        else {
            return false;
        };
        let of_exports = matches!(
            &script.expressions[object.idx()].kind,
            ExpressionKind::Member { object, name, .. }
                if name == "exports" && free(*object, &["module"])
        );
        free(*object, &["exports"]) || name == "exports" && free(*object, &["module"]) || of_exports
    });
    let asks = script.expressions.iter().any(|e| match &e.kind {
        ExpressionKind::Unary(operator, operand) => {
            operator == "typeof" && free(*operand, &["module", "exports", "define", "require"])
        }
        _ => false,
    });
    exports && !asks
}

/// Names that hold where a name stands and that may be meant.
fn near(script: &Script, id: ExprId, free: &FreeName) -> Vec<Name> {
    let called = matches!(free.usage, Usage::Called | Usage::Constructed);
    let scopes = script.outwards(script.expressions[id.idx()].scope);
    let names = scopes.flat_map(|scope| &script.scopes[scope.idx()].names);
    let candidates: Vec<Candidate> = names
        .take(2_000)
        .map(|(name, binding)| Candidate {
            name: name.clone(),
            callable: match script.bindings[binding.idx()].kind {
                BindingKind::Function | BindingKind::Class => true,
                BindingKind::Const
                | BindingKind::Let
                | BindingKind::Var
                | BindingKind::Parameter
                | BindingKind::Import
                | BindingKind::Catch
                | BindingKind::Declared => false,
            },
        })
        .collect();
    suggest(&free.name, called, &candidates)
}

/// Which of these names are a slip of a name that an api declares.
fn slips(corpus: &Corpus, names: &BTreeSet<Name>) -> BTreeSet<Name> {
    let key = Key::globals();
    let globals: Vec<&Name> = corpus
        .graphs
        .iter()
        .filter_map(|g| g.interfaces.get(&key))
        .flat_map(|globals| globals.shape.members.keys())
        .collect();
    let compared = names.iter().take(MAX_COMPARED);
    compared.filter(|name| globals.iter().any(|global| is_slip(name, global))).cloned().collect()
}
