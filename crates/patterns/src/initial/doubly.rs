//! Inputs that are heads of doubly linked lists.
//!
//! If every input is null or the head of such a list (`dll`, and nothing before it), over the only two
//! pointer fields of its record, then the lists are all there is: from a head one field leads along
//! its list, the other one back, and from the head nowhere. No cell is in two lists, because the way
//! back from it ends at one head. A cell is led to by the one before it and by the one after it, and
//! by nothing else.

use std::collections::BTreeSet;

use crate::facts::truths;
use crate::pattern::{MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use crate::program::{Fact, Path, Start};
use crate::words::{Colour, PatternWords, Predicate};

use super::{any_pattern, bare, copy_entry_values};

/// The fields of all lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fields {
    record: usize,
    next: usize,
    back: usize,
}

/// The fields of the lists, if every input is null or a head.
pub(super) fn heads(
    words: &PatternWords,
    inputs: &[usize],
    requires: &[Fact],
    colours: &[BTreeSet<Colour>],
) -> Option<Fields> {
    let mut parts = Vec::new();
    requires.iter().for_each(|f| conjuncts(f, &mut parts));
    let list = |x: usize| {
        parts.iter().find_map(|f| match f {
            Fact::Doubly { over, back, from, to } if *from == var(x) && *to == null() => {
                Some(Fields { record: over.record, next: over.field, back: *back })
            }
            _ => None,
        })
    };
    let fields = list(*inputs.first()?)?;
    let all = words.records[fields.record].pointers.len() == 2
        && fields.next != fields.back
        && inputs.iter().all(|x| list(*x) == Some(fields))
        && inputs.iter().all(|x| words.pointers[*x].to == Some(fields.record));
    let head = |x: &usize| {
        let way: Vec<Option<usize>> = inputs.iter().map(|y| (y == x).then_some(0)).collect();
        let Some(mut other) = any_pattern(words, inputs, &way, colours) else { return false };
        let before = &mut other.nodes[0].fields[fields.back];
        *before = before.without(Targets::NULL);
        // Only what speaks of this input alone: the others are not always null.
        let alone = |f: &&&Fact| {
            let mut paths = Vec::new();
            f.paths(&mut paths);
            paths.iter().all(|p| p.start == Start::Null || p.start == Start::Var(*x))
        };
        parts.iter().filter(alone).any(|f| !truths(words, &other, f).may_be_true())
    };
    (all && inputs.iter().all(head)).then_some(fields)
}

fn var(x: usize) -> Path {
    Path { start: Start::Var(x), fields: Vec::new() }
}

fn null() -> Path {
    Path { start: Start::Null, fields: Vec::new() }
}

fn conjuncts<'f>(fact: &'f Fact, out: &mut Vec<&'f Fact>) {
    match fact {
        Fact::And(parts) => parts.iter().for_each(|f| conjuncts(f, out)),
        other => out.push(other),
    }
}

/// The pattern of a way to place the inputs: a list each.
pub(super) fn pattern(
    words: &PatternWords,
    inputs: &[usize],
    way: &[Option<usize>],
    fields: Fields,
    colours: &[BTreeSet<Colour>],
) -> Option<Pattern> {
    let Fields { record, next, back } = fields;
    let of = &words.records[record];
    let mut pattern = bare(words);
    let lists = way.iter().flatten().max().map_or(0, |m| m + 1);
    if 2 * lists > MOST_NODES {
        return None;
    }
    let undone = |colour: &Colour| {
        of.predicates.iter().enumerate().all(|(lane, p)| match p {
            Predicate::Inverse { .. } => colour.get(lane) != 1,
            _ => true,
        })
    };
    let kept: BTreeSet<Colour> = colours[record].iter().copied().filter(undone).collect();
    let node = |summary: bool, sharing: Sharing, before: Targets, after: Targets| {
        let mut led = vec![Targets::NONE; 2];
        (led[next], led[back]) = (after, before);
        Node { record, summary, sharing, colours: kept.clone(), fields: led }
    };
    let both = Sharing::pair(of.pointers[next].edge, of.pointers[back].edge);
    let rest = |list: usize| Targets::node(lists + list);
    for list in 0..lists {
        let after = Targets::NULL.or(rest(list));
        pattern.nodes.push(node(false, Sharing::NONE, Targets::NULL, after));
    }
    for list in 0..lists {
        let (before, after) = (Targets::node(list).or(rest(list)), Targets::NULL.or(rest(list)));
        pattern.nodes.push(node(true, both, before, after));
    }
    for (input, list) in inputs.iter().zip(way) {
        pattern.vars[*input] = list.map_or(Target::Null, Target::Node);
    }
    copy_entry_values(words, &mut pattern);
    Some(pattern)
}
