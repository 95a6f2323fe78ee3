//! What is done with each member, told from the expressions around it once all of them are there.

use super::{ExprId, ExpressionKind, Receiver, Script, Usage};

/// Fills in usage and tests, and puts accesses and writes in the order of the text.
pub(super) fn settle(script: &mut Script) {
    let usages = usages(script);
    let tested = tested(script);
    for access in &mut script.accesses {
        match access.receiver {
            Receiver::Expression(member, _) => {
                access.usage = usages[member.idx()];
                access.tested = tested[member.idx()] && access.usage == Usage::Read;
            }
            Receiver::Value(_) => {}
        }
    }
    script.accesses.sort_by_key(|a| a.span);
    let expressions = &script.expressions;
    script.writes.sort_by_key(|w| expressions[w.target.idx()].span.end);
}

/// The usage of every expression, as far as it is a member.
fn usages(script: &Script) -> Vec<Usage> {
    let mut usages = vec![Usage::Read; script.expressions.len()];
    for write in &script.writes {
        usages[write.target.idx()] = Usage::Written;
    }
    let mut mark = |id: ExprId, usage: Usage| usages[bare(script, id).idx()] = usage;
    for expression in &script.expressions {
        match &expression.kind {
            ExpressionKind::Call(call) => mark(call.callee, Usage::Called),
            ExpressionKind::Tagged(tag) => mark(*tag, Usage::Called),
            ExpressionKind::New(call) => mark(call.callee, Usage::Constructed),
            ExpressionKind::Assign(operator, Some(target), _) if operator != "=" => {
                mark(*target, Usage::Changed);
            }
            ExpressionKind::Unary(operator, operand) => match operator.as_str() {
                "++" | "--" => mark(*operand, Usage::Changed),
                "delete" => mark(*operand, Usage::Deleted),
                _ => {}
            },
            _ => {}
        }
    }
    usages
}

/// An expression without assertions around it.
fn bare(script: &Script, mut id: ExprId) -> ExprId {
    while let ExpressionKind::As(inner, _) | ExpressionKind::Same(inner) =
        &script.expressions[id.idx()].kind
    {
        id = *inner;
    }
    id
}

/// Of every expression, whether it is only asked whether it is there.
///
/// Wholes come behind their parts, so going backwards tells each part what the whole is used for.
fn tested(script: &Script) -> Vec<bool> {
    let mut tested = vec![false; script.expressions.len()];
    for guard in &script.guards {
        tested[guard.test.idx()] = true;
    }
    for (idx, expression) in script.expressions.iter().enumerate().rev() {
        let is_tested = tested[idx];
        match &expression.kind {
            ExpressionKind::Logical(_, left, right) => {
                tested[left.idx()] = true;
                tested[right.idx()] |= is_tested;
            }
            ExpressionKind::Conditional(test, yes, no) => {
                tested[test.idx()] = true;
                tested[yes.idx()] |= is_tested;
                tested[no.idx()] |= is_tested;
            }
            ExpressionKind::Unary(operator, operand) => {
                tested[operand.idx()] |= matches!(operator.as_str(), "!" | "typeof");
            }
            ExpressionKind::As(inner, _)
            | ExpressionKind::Same(inner)
            | ExpressionKind::Sequence(inner) => tested[inner.idx()] |= is_tested,
            ExpressionKind::Binary(operator, left, right)
                if matches!(operator.as_str(), "==" | "!=" | "===" | "!==") =>
            {
                tested[left.idx()] |= is_nothing(script, *right);
                tested[right.idx()] |= is_nothing(script, *left);
            }
            _ => {}
        }
    }
    tested
}

/// Whether an expression is `undefined`, `null` or `void 0`.
fn is_nothing(script: &Script, id: ExprId) -> bool {
    match &script.expressions[id.idx()].kind {
        ExpressionKind::Null => true,
        ExpressionKind::Name(name, _) => name == "undefined",
        ExpressionKind::Unary(operator, _) => operator == "void",
        _ => false,
    }
}
