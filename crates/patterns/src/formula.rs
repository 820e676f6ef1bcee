//! Labels as contract formulas, so that another run can use what one has found.
//!
//! A pattern has a form in the logic of contracts where chains over one field say it: where variables
//! are, what reaches what, and what holds of the cells on the way from one variable to the next. For
//! every pattern the formulas are made from the graph (`candidates`), and only those are kept that
//! [`crate::facts`] knows to be true in all its heaps; a label is their disjunction.
//!
//! **Invariant:** the formula of a label is true in every heap of the label. Other heaps may satisfy it
//! too: sharing, and what no variable of the source names, is not said.

mod chains;
mod print;

use std::cell::Cell;
use std::collections::BTreeMap;

use trellis_program::CmpOp;

use crate::facts::{Truths, truths_within};
use crate::pattern::{Label, Pattern, Target};
use crate::program::{Fact, Number, Over, Path, Start};
use crate::values::Values;
use crate::words::{PatternWords, Predicate, Slot};

/// Longer formulas are nothing that a person would give to another run.
const MOST_CHARACTERS: usize = 2000;

/// How much is looked at for one label: the formula is a gift, and costs less than the proof.
const MOST_WORK: usize = 200_000;

/// A label as a formula of a contract, if there is something to say, in names of the procedure.
pub fn label(words: &PatternWords, label: &Label) -> Option<String> {
    let mut parts = Vec::new();
    let work = Cell::new(MOST_WORK);
    for pattern in &label.0 {
        let facts = pattern_facts(words, pattern, &work);
        if facts.is_empty() || work.get() == 0 {
            return None;
        }
        let texts: Vec<String> = facts.iter().map(|f| print::fact(words, f)).collect();
        parts.push(texts.join(" && "));
    }
    parts.sort();
    parts.dedup();
    let text = match parts.as_slice() {
        [] => "\\false".to_owned(),
        [one] => one.clone(),
        many => many.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" || "),
    };
    (text.chars().count() <= MOST_CHARACTERS).then_some(text)
}

/// What is true in all heaps of a pattern.
fn pattern_facts(words: &PatternWords, pattern: &Pattern, work: &Cell<usize>) -> Vec<Fact> {
    let all = candidates(words, pattern, work).into_iter();
    all.filter(|fact| truths_within(words, pattern, fact, work) == Truths::TRUE).collect()
}

/// Formulas that may be true in all heaps of a pattern.
fn candidates(words: &PatternWords, pattern: &Pattern, work: &Cell<usize>) -> Vec<Fact> {
    let mut out = scalars(words, pattern);
    let named = named(words, pattern);
    for vars in named.values() {
        out.extend(vars[1..].iter().map(|v| Fact::Same(var(*v), var(vars[0]))));
    }
    let first: Vec<usize> = named.values().map(|vars| vars[0]).collect();
    for (v, target) in pattern.vars.iter().enumerate() {
        if *target == Target::Null && is_named(words, v) {
            out.push(Fact::Same(var(v), null()));
        }
    }
    out.extend(first.iter().map(|v| not(Fact::Same(var(*v), null()))));
    for (i, x) in first.iter().enumerate() {
        for y in &first[..i] {
            if words.pointers[*x].to == words.pointers[*y].to {
                out.push(not(Fact::Same(var(*x), var(*y))));
            }
        }
    }
    for x in &first {
        data(words, pattern, *x, &mut out);
        let Some(record) = words.pointers[*x].to else { continue };
        let fields = 0..words.records[record].pointers.len();
        let own = |f: &usize| words.records[record].pointers[*f].to == Some(record);
        for field in fields.filter(own) {
            let chain = chains::Chain { words, pattern, first: &first, x: *x, work };
            chain.candidates(Over { record, field }, &mut out);
        }
    }
    out
}

/// What integer variables are.
fn scalars(words: &PatternWords, pattern: &Pattern) -> Vec<Fact> {
    let mut out = Vec::new();
    for (s, var) in words.scalars.iter().enumerate() {
        let values = pattern.scalars[s];
        let all = words.partition.all(var.kind);
        let known = !values.may_be_undefined() && values.classes().any(|_| true) && values != all;
        let plain = !var.is_temp && is_identifier(&var.name);
        if known && plain && !matches!(var.slot, Slot::Entry(_)) {
            out.push(one_of(words, &Number::Scalar(s), values));
        }
    }
    out
}

/// What the data of a variable's cell is.
fn data(words: &PatternWords, pattern: &Pattern, x: usize, out: &mut Vec<Fact>) {
    let Target::Node(n) = pattern.vars[x] else { return };
    let node = &pattern.nodes[n];
    for (lane, predicate) in words.records[node.record].predicates.iter().enumerate() {
        let Predicate::Data(field) = *predicate else { continue };
        let mut values = Values::NONE;
        for colour in &node.colours {
            values = values.or(match colour.get(lane) {
                0 => Values::UNDEFINED,
                v => Values::class(usize::from(v) - 1),
            });
        }
        let kind = words.records[node.record].data[field].kind;
        if !values.may_be_undefined() && values != words.partition.all(kind) {
            out.push(one_of(words, &Number::Data(var(x), node.record, field), values));
        }
    }
}

/// A number is of one of these classes.
fn one_of(words: &PatternWords, number: &Number, values: Values) -> Fact {
    let each: Vec<Fact> = values.classes().map(|c| class(words, number, c)).collect();
    match each.len() {
        1 => each.into_iter().next().unwrap_or(Fact::Const(true)),
        _ => Fact::Or(each),
    }
}

fn class(words: &PatternWords, number: &Number, class: usize) -> Fact {
    let partition = &words.partition;
    let cmp = |op: CmpOp, c: i128| Fact::Cmp(op, number.clone(), Number::Const(c));
    if let Some(c) = partition.constant(class) {
        return cmp(CmpOp::Eq, c);
    }
    if !partition.is_ordered() {
        let kind = match number {
            Number::Scalar(s) => words.scalars[*s].kind,
            Number::Data(_, r, f) => words.records[*r].data[*f].kind,
            Number::Const(_) => return Fact::Const(true),
        };
        let (low, high) = crate::values::limits(kind);
        let inside = partition.constants().iter().filter(|c| low <= **c && **c <= high);
        return Fact::And(inside.map(|c| cmp(CmpOp::Ne, *c)).collect());
    }
    let at = class / 2;
    let above = at.checked_sub(1).map(|i| cmp(CmpOp::Gt, partition.constants()[i]));
    let below = partition.constants().get(at).map(|c| cmp(CmpOp::Lt, *c));
    Fact::And(above.into_iter().chain(below).collect())
}

/// By node, the variables of the source at it.
fn named(words: &PatternWords, pattern: &Pattern) -> BTreeMap<usize, Vec<usize>> {
    let mut out: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (v, target) in pattern.vars.iter().enumerate().filter(|(v, _)| is_named(words, *v)) {
        if let Target::Node(n) = target {
            out.entry(*n).or_default().push(v);
        }
    }
    out
}

fn is_named(words: &PatternWords, v: usize) -> bool {
    let var = &words.pointers[v];
    !var.is_temp && is_identifier(&var.name) && !matches!(var.slot, Slot::Entry(_))
}

/// Variables of calls that were replaced have other names.
fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn var(x: usize) -> Path {
    Path { start: Start::Var(x), fields: Vec::new() }
}

fn null() -> Path {
    Path { start: Start::Null, fields: Vec::new() }
}

fn not(fact: Fact) -> Fact {
    Fact::Not(Box::new(fact))
}
