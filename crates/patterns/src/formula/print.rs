//! Formulas as they are written in contracts.

use trellis_program::CmpOp;

use crate::program::{Fact, Number, Over, Path, Start};
use crate::words::PatternWords;

/// A formula that can stand beside `&&`.
pub(super) fn fact(words: &PatternWords, fact: &Fact) -> String {
    let text = formula(words, fact);
    match fact {
        Fact::Or(parts) if parts.len() != 1 => format!("({text})"),
        Fact::Iff(..) | Fact::Forall { .. } => format!("({text})"),
        _ => text,
    }
}

fn formula(words: &PatternWords, f: &Fact) -> String {
    let path = |p: &Path| path(words, p);
    let field = |over: &Over| &words.records[over.record].pointers[over.field].name;
    let joined = |parts: &[Fact], by: &str, none: &str| match parts.is_empty() {
        true => none.to_owned(),
        false => parts.iter().map(|p| fact(words, p)).collect::<Vec<_>>().join(by),
    };
    match f {
        Fact::Const(true) => "\\true".to_owned(),
        Fact::Const(false) => "\\false".to_owned(),
        Fact::Not(inner) => match &**inner {
            Fact::Same(a, b) => format!("{} != {}", path(a), path(b)),
            Fact::Reach { .. }
            | Fact::Segment { .. }
            | Fact::Stable(..)
            | Fact::Sorted { .. }
            | Fact::Doubly { .. }
            | Fact::Alloc(_) => format!("!{}", formula(words, inner)),
            _ => format!("!({})", formula(words, inner)),
        },
        Fact::And(parts) => joined(parts, " && ", "\\true"),
        Fact::Or(parts) => {
            implication(words, parts).unwrap_or_else(|| joined(parts, " || ", "\\false"))
        }
        Fact::Iff(a, b) => format!("{} <==> {}", fact(words, a), fact(words, b)),
        Fact::Same(a, b) => format!("{} == {}", path(a), path(b)),
        Fact::Cmp(op, a, b) => {
            let op = match op {
                CmpOp::Eq => "==",
                CmpOp::Ne => "!=",
                CmpOp::Lt => "<",
                CmpOp::Le => "<=",
                CmpOp::Gt => ">",
                CmpOp::Ge => ">=",
            };
            format!("{} {op} {}", number(words, a), number(words, b))
        }
        Fact::Alloc(p) => format!("alloc({})", path(p)),
        Fact::Reach { strict, over, from, to } => {
            let name = if *strict { "reach1" } else { "reach" };
            format!("{name}({}, {}, {})", field(over), path(from), path(to))
        }
        Fact::Segment { over, from, to } => {
            format!("ls({}, {}, {})", field(over), path(from), path(to))
        }
        Fact::Stable(over, p) => format!("stable({}, {})", field(over), path(p)),
        Fact::Disjoint(over, a, b) => {
            let f = field(over);
            format!("\\inter(content({f}, {}), content({f}, {})) == \\empty", path(a), path(b))
        }
        Fact::Sorted { over, key, from, to } => {
            let key = &words.records[over.record].data[*key].name;
            format!("sorted({}, {key}, {}, {})", field(over), path(from), path(to))
        }
        Fact::Doubly { over, back, from, to } => {
            let back = &words.records[over.record].pointers[*back].name;
            format!("dll({}, {back}, {}, {})", field(over), path(from), path(to))
        }
        Fact::Forall { record, bound, body } => {
            let ty = &words.records[*record].name;
            format!("\\forall {ty} *{}; {}", name(*bound), formula(words, body))
        }
    }
}

/// `!a || !b || c` as `a && b ==> c`.
fn implication(words: &PatternWords, parts: &[Fact]) -> Option<String> {
    let premise = |f: &&Fact| matches!(f, Fact::Not(_));
    let premises: Vec<String> = parts
        .iter()
        .take_while(premise)
        .filter_map(|f| if let Fact::Not(inner) = f { Some(fact(words, inner)) } else { None })
        .collect();
    let rest = &parts[premises.len()..];
    if premises.is_empty() || rest.is_empty() {
        return None;
    }
    let rest: Vec<String> = rest.iter().map(|f| alternative(words, f, rest.len())).collect();
    Some(format!("{} ==> {}", premises.join(" && "), rest.join(" || ")))
}

/// A conjunction stands in parentheses beside others.
fn alternative(words: &PatternWords, f: &Fact, of: usize) -> String {
    match f {
        Fact::And(parts) if of > 1 && parts.len() > 1 => format!("({})", formula(words, f)),
        _ => fact(words, f),
    }
}

fn name(bound: usize) -> String {
    if bound == 0 { "v".to_owned() } else { format!("v{bound}") }
}

fn path(words: &PatternWords, path: &Path) -> String {
    let start = match path.start {
        Start::Null => "NULL".to_owned(),
        Start::Var(v) => words.pointers[v].name.clone(),
        Start::Bound(b) => name(b),
    };
    path.fields.iter().fold(start, |text, (record, field)| {
        format!("{text}->{}", words.records[*record].pointers[*field].name)
    })
}

fn number(words: &PatternWords, number: &Number) -> String {
    match number {
        Number::Const(c) => c.to_string(),
        Number::Scalar(s) => words.scalars[*s].name.clone(),
        Number::Data(p, record, field) => {
            format!("{}->{}", path(words, p), words.records[*record].data[*field].name)
        }
    }
}
