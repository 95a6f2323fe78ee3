//! What texts become, printed short: the printer, and the tests by subject.

mod accesses;
mod bindings;
mod broken;
mod parsers;
mod functions;
mod modules;

use super::*;

/// The script of a JavaScript text.
fn js(text: &str) -> Script {
    script(text, Language::JavaScript)
}

/// The script of a TypeScript text.
fn ts(text: &str) -> Script {
    script(text, Language::TypeScript)
}

/// Every access, `receiver.name` and what is done with it.
fn accesses(script: &Script, text: &str) -> String {
    let shown = script.accesses.iter().map(|access| {
        assert_eq!(access.span.of(text), access.name, "the span must hold the name");
        let receiver = match access.receiver {
            Receiver::Expression(_, receiver) => expression(script, text, receiver),
            Receiver::Value(of) => format!("<{}>", value(script, text, of)),
        };
        let usage = match access.usage {
            Usage::Read => "",
            Usage::Called => "()",
            Usage::Constructed => " new",
            Usage::Written => " =",
            Usage::Changed => " +=",
            Usage::Deleted => " deleted",
        };
        let tested = if access.tested { " tested" } else { "" };
        format!("{receiver}.{}{usage}{tested}", access.name)
    });
    shown.collect::<Vec<_>>().join("; ")
}

/// Every binding with its kind, type and values.
fn bindings(script: &Script, text: &str) -> String {
    let shown = script.bindings.iter().map(|binding| {
        let values: Vec<_> = binding.values.iter().map(|id| value(script, text, *id)).collect();
        let of_type =
            binding.annotation.as_ref().map_or(String::new(), |a| format!(": {}", a.text));
        format!("{:?} {}{of_type} = {}", binding.kind, binding.name, values.join(" | "))
    });
    shown.collect::<Vec<_>>().join("; ")
}

fn expression(script: &Script, text: &str, id: ExprId) -> String {
    script.expressions[id.idx()].span.of(text).to_string()
}

fn value(script: &Script, text: &str, id: ValueId) -> String {
    match &script.values[id.idx()] {
        Value::Expression(id) => expression(script, text, *id),
        Value::ElementOf { iterable, awaited } => {
            let awaited = if *awaited { "awaited " } else { "" };
            format!("each {awaited}of {}", expression(script, text, *iterable))
        }
        Value::KeyOf(object) => format!("key of {}", expression(script, text, *object)),
        Value::Parameter { index, rest, .. } => {
            format!("{}parameter {index}", if *rest { "rest " } else { "" })
        }
        Value::Import(idx) => {
            let import = &script.imports[*idx as usize];
            format!("import {:?} of {}", import.imported, import.module)
        }
        Value::Function(_) => "function".to_string(),
        Value::Class(_) => "class".to_string(),
        Value::Piece { of, step } => {
            let step = match step {
                Step::Member(name) => format!(".{name}"),
                Step::Computed => "[?]".to_string(),
                Step::Element(idx) => format!("[{idx}]"),
                Step::OtherMembers | Step::OtherElements => "...".to_string(),
            };
            format!("<{}>{step}", value(script, text, *of))
        }
        Value::Caught => "caught".to_string(),
        Value::Unknown => "?".to_string(),
    }
}

/// The first expression whose text is `wanted`.
fn find(script: &Script, text: &str, wanted: &str) -> ExprId {
    let idx = script.expressions.iter().position(|e| e.span.of(text) == wanted).unwrap();
    ExprId(idx as u32)
}

/// What `wanted` is given to.
fn context_of(script: &Script, text: &str, wanted: &str) -> Context {
    script.expressions[find(script, text, wanted).idx()].context
}
