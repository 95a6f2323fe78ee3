//! The test pages in `tests/pages`: a text of prose, an api and code, in which every finding is marked.
//!
//! A line whose first sign is `^` marks the line above it. The runner takes the marks out, checks the code, writes the
//! marks that the answer asks for, and compares. `UPDATE_EXPECT=1` writes them into the page.

use groundline::answers::check_symbols::{Checked, Code, Kind, Verdict, judge, silence};
use groundline::answers::free_names::Extent;
use groundline::answers::infer::Inference;
use groundline::answers::misuse::{Misuse, Wrong};
use groundline::answers::names::NameUses;
use groundline::answers::weighing::{allow, kind_of};
use groundline::base::{Name, Span, Stop};
use groundline::corpus::{Corpus, embedded};
use groundline::datagraph::Datagraph;
use groundline::datagraph::symbols::{DeclarationFile, mine};
use groundline::envelope::misuses::message;
use groundline::sources::declarations::declarations;
use groundline::sources::script::{Language, Script, script};
use groundline::sources::settings::levels::FindingKind;
use groundline::types::Type;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

#[test]
fn every_page_is_marked_as_its_code_is_judged() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let mut pages: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    assert!(!pages.is_empty(), "there are no pages in {}", folder.display());
    let mut wrong = String::new();
    for path in pages {
        let text = std::fs::read_to_string(&path).unwrap();
        let marked = marked_again(&text);
        if marked == text {
            continue;
        }
        match std::env::var_os("UPDATE_EXPECT") {
            Some(_) => std::fs::write(&path, marked).unwrap(),
            None => {
                let _ = writeln!(wrong, "{}:\n{}", path.display(), difference(&text, &marked));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}\nwrite the marks with UPDATE_EXPECT=1 and read the difference"
    );
}

/// The first lines in which two texts differ.
fn difference(expected: &str, found: &str) -> String {
    let mut said = String::new();
    let pairs: Vec<(Option<&str>, Option<&str>)> = {
        let mut a = expected.lines();
        let mut b = found.lines();
        std::iter::from_fn(|| match (a.next(), b.next()) {
            (None, None) => None,
            pair => Some(pair),
        })
        .collect()
    };
    for (a, b) in pairs.iter().filter(|(a, b)| a != b).take(6) {
        let _ =
            writeln!(said, "  page   {}\n  answer {}", a.unwrap_or("<end>"), b.unwrap_or("<end>"));
    }
    said
}

/// The page with the marks that its code gets.
fn marked_again(page: &str) -> String {
    let api = page_api(page);
    let ecmascript = embedded::datagraph("ecmascript").expect("ecmascript is embedded");
    let corpus = Corpus::new(vec![Arc::new(api), ecmascript]);
    let mut result = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(result, "{line}");
        let Some((language, extent)) = line.strip_prefix("```").and_then(code_of) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        result.push_str(&marked_code(&corpus, language, extent, &block));
        result.push_str("```\n");
    }
    result
}

/// A fence `js whole` is a file of its own, any other a piece of one.
fn code_of(fence: &str) -> Option<(Language, Extent)> {
    match fence.strip_suffix(" whole") {
        Some(fence) => Some((language_of(fence)?, Extent::Whole)),
        None => Some((language_of(fence)?, Extent::Piece)),
    }
}

fn language_of(fence: &str) -> Option<Language> {
    match fence {
        "js" => Some(Language::JavaScript),
        "ts" => Some(Language::TypeScript),
        "tsx" => Some(Language::Tsx),
        _ => None,
    }
}

/// Everything in the page's `ts api` fences, mined; a fence `ts api module` is the module of that name.
fn page_api(page: &str) -> Datagraph {
    let mut files = Vec::new();
    let mut modules = BTreeMap::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(named) = line.strip_prefix("```ts api") else { continue };
        let text: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        let module: Name = named.trim().into();
        if !module.is_empty() {
            modules.insert(module.clone(), module.clone());
        }
        files.push(DeclarationFile {
            path: format!("api-{}.d.ts", files.len()).into(),
            hash: "".into(),
            module,
            resolved: BTreeMap::new(),
            declared: declarations(&text.join("\n")),
        });
    }
    mine("page".into(), "".into(), files, modules)
}

fn is_mark(line: &str) -> bool {
    line.trim_start().starts_with('^')
}

/// One code block: its lines with the marks they get. Marks that ask for a type are kept and answered.
fn marked_code(corpus: &Corpus, language: Language, extent: Extent, block: &[&str]) -> String {
    let lines: Vec<&str> = block.iter().filter(|l| !is_mark(l)).copied().collect();
    let text = lines.join("\n");
    let script = script(&text, language);
    let code = Code { path: "page".into(), script, text: text.clone(), extent };
    let mut checked = vec![judge(corpus, &code, &Stop::default())];
    let uses = NameUses::of(&code.script, |_| true);
    silence(corpus, &mut checked, &uses);
    allow(&mut checked[0]);
    let mut marks = findings(&checked[0]);
    let mut inference = Inference::new(corpus, &code.script);
    let mut line_idx = 0u32;
    let mut starts = vec![0usize];
    starts.extend(text.match_indices('\n').map(|(i, _)| i + 1));
    for line in block {
        if !is_mark(line) {
            line_idx += 1;
            continue;
        }
        let Some((arrows, _)) = line.split_once(" : ") else { continue };
        let from = arrows.len() - arrows.trim_start().len();
        let start = starts[line_idx as usize - 1] + from;
        let span = Span::new(start, start + arrows.trim().len());
        let ty = type_at(&mut inference, &code.script, span);
        marks.push((line_idx, from, arrows.trim().len(), format!(": {ty}")));
    }
    marks.sort();
    let mut result = String::new();
    for (i, line) in lines.iter().enumerate() {
        let _ = writeln!(result, "{line}");
        for (_, from, width, said) in marks.iter().filter(|m| m.0 as usize == i + 1) {
            let _ = writeln!(result, "{}{} {said}", " ".repeat(*from), "^".repeat(*width));
        }
    }
    result
}

/// The findings as (line from 1, column from 0, width, text).
fn findings(checked: &Checked) -> Vec<(u32, usize, usize, String)> {
    checked
        .accesses
        .iter()
        .filter_map(|judged| {
            let Verdict::Invented(invention) = &judged.verdict else { return None };
            let mut said = match judged.kind {
                Kind::Member | Kind::Import => format!("invented in {}", invention.owner),
                Kind::Name => "nothing declares it".to_string(),
            };
            let names: Vec<&str> = invention.instead.iter().map(|s| s.member.as_str()).collect();
            if !names.is_empty() {
                let _ = write!(said, "; instead: {}", names.join(", "));
            }
            if kind_of(judged) == Some(FindingKind::Case) {
                said = said.replacen("invented in", "in another case in", 1);
            }
            let width = judged.member.chars().count();
            Some((judged.place.line, judged.place.column as usize - 1, width, said))
        })
        .chain(checked.misuses.iter().map(|misuse| {
            let place = misuse.place;
            (place.line, place.column as usize - 1, misuse.width as usize, misused(misuse))
        }))
        .collect()
}

/// What is wrong with a use, and what is meant instead.
fn misused(misuse: &Misuse) -> String {
    let said = message(misuse);
    let meant = match &misuse.wrong {
        Wrong::Deprecated { instead, .. } | Wrong::OptionKey { instead, .. } => instead.as_slice(),
        _ => &[],
    };
    let names: Vec<&str> = meant.iter().map(|m| m.name.as_str()).collect();
    if names.is_empty() { said } else { format!("{said}; instead: {}", names.join(", ")) }
}

/// The type of the name or expression that stands exactly there.
fn type_at(inference: &mut Inference<'_>, script: &Script, span: Span) -> String {
    let binding = script.bindings.iter().position(|b| b.span == span);
    let expression = script.expressions.iter().rposition(|e| e.span == span);
    let ty = match (binding, expression) {
        (Some(idx), _) => inference.binding(groundline::sources::script::BindingId(idx as u32)),
        (_, Some(idx)) => inference.expression(groundline::sources::script::ExprId(idx as u32)),
        _ => return "nothing stands here".into(),
    };
    match ty {
        Type::Own(own) => format!("{own:?}"),
        other => other.to_string(),
    }
}
