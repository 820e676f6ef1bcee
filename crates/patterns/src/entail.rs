//! Whether all heaps of a pattern fit a label.
//!
//! First an *embedding* of the pattern into one disjunct: a map of nodes to nodes that every
//! heap's mapping can be composed with; then, for lists, *inclusion* by simulation of sets of nodes.
//! Where there is neither, the pattern is split into cases ([`crate::unfold`]), each of which may fit
//! another disjunct.
//!
//! **Sound and incomplete:** *yes* is true of all heaps; *no* means that no proof was found. The
//! paper's Definition 7 omits the conditions on summary nodes and predicates; they are here.

use crate::embed::{Item, Miss, embed};
use crate::include::includes;
use crate::pattern::{Label, Pattern, Target, Targets};
use crate::unfold::{self, tidy};
use crate::values::Orders;
use crate::words::PatternWords;

/// Most cases that one pattern is split into.
const MOST_CASES: usize = 500;
/// How often one case is split, and how often a cell is taken out of a summary node for it.
const MOST_SPLITS: usize = 12;
const MOST_FIELDS: usize = 3;

/// A map of the nodes of a pattern to those of a weaker one.
///
/// # Errors
/// The first thing that does not fit.
pub fn embedding(
    words: &PatternWords,
    pattern: &Pattern,
    weaker: &Pattern,
) -> Result<Vec<usize>, Miss> {
    let scalars = pattern.scalars.iter().zip(&weaker.scalars);
    if let Some(i) = scalars.into_iter().position(|(a, b)| !b.includes(*a)) {
        return Err(Miss::Scalar(i));
    }
    for (i, (a, b)) in pattern.orders.iter().zip(&weaker.orders).enumerate() {
        if !b.includes(a.and(possible_orders(words, pattern, words.pairs[i]))) {
            return Err(Miss::Order(i));
        }
    }
    let mut items: Vec<Item> = pattern.nodes.iter().map(item).collect();
    for (x, (mine, its)) in pattern.vars.iter().zip(&weaker.vars).enumerate() {
        match (mine, its) {
            (_, Target::Dead) => {}
            (Target::Node(n), Target::Node(m)) => {
                if items[*n].pinned.is_some_and(|p| p != *m) {
                    return Err(Miss::Variable(x));
                }
                items[*n].pinned = Some(*m);
            }
            (Target::Node(_) | Target::Dead, _) => return Err(Miss::Variable(x)),
            (end, other) if end == other => {}
            _ => return Err(Miss::Variable(x)),
        }
    }
    embed(&items, weaker)
}

fn item(node: &crate::pattern::Node) -> Item {
    let fields = node.fields.iter().map(|t| (Targets(t.0 & 7), t.nodes().collect()));
    Item {
        record: node.record,
        plain: !node.summary,
        sharing: node.sharing,
        colours: node.colours.iter().copied().collect(),
        fields: fields.collect(),
        pinned: None,
    }
}

/// The orders that the classes of two variables leave.
fn possible_orders(words: &PatternWords, pattern: &Pattern, (a, b): (usize, usize)) -> Orders {
    let mut out = Orders::NONE;
    for x in pattern.scalars[a].classes() {
        for y in pattern.scalars[b].classes() {
            let (x, y) = ((x, words.scalars[a].kind), (y, words.scalars[b].kind));
            out = out.or(words.partition.orders(x, y));
        }
    }
    out
}

/// Whether all heaps of a pattern fit some disjunct of a label, as far as this can tell.
///
/// # Errors
/// The first case of the pattern for which there is no proof.
pub fn entails(words: &PatternWords, pattern: &Pattern, label: &Label) -> Result<(), Box<Pattern>> {
    let Some(pattern) = tidy(words, pattern) else { return Ok(()) };
    let mut todo = vec![Case { pattern, splits: 0, fields: 0 }];
    let mut cases = 0;
    while let Some(case) = todo.pop() {
        if label.0.iter().any(|q| is_included(words, &case.pattern, q)) {
            continue;
        }
        cases += 1;
        match if cases < MOST_CASES { case.split(words, label) } else { None } {
            Some(parts) => todo.extend(parts),
            None => return Err(Box::new(case.pattern)),
        }
    }
    Ok(())
}

/// Whether all heaps of a pattern fit one other, by an embedding or along lists.
fn is_included(words: &PatternWords, pattern: &Pattern, weaker: &Pattern) -> bool {
    match embedding(words, pattern, weaker) {
        Ok(_) => true,
        Err(Miss::Scalar(_) | Miss::Order(_) | Miss::Variable(_)) => false,
        Err(_) => includes(pattern, weaker),
    }
}

/// A case of the pattern in question.
struct Case {
    pattern: Pattern,
    splits: usize,
    fields: usize,
}

impl Case {
    /// Cases of it that together are the same.
    fn split(&self, words: &PatternWords, label: &Label) -> Option<Vec<Case>> {
        if self.splits == MOST_SPLITS {
            return None;
        }
        let by_field = self.fields < MOST_FIELDS;
        let (parts, by_field) = split(words, &self.pattern, label, by_field)?;
        let (splits, fields) = (self.splits + 1, self.fields + usize::from(by_field));
        Some(parts.into_iter().map(|pattern| Case { pattern, splits, fields }).collect())
    }
}

/// Cases of a pattern that together are the pattern, by what a label may depend on; whether they are
/// those of a field.
fn split(
    words: &PatternWords,
    pattern: &Pattern,
    label: &Label,
    by_field: bool,
) -> Option<(Vec<Pattern>, bool)> {
    // A disjunct that differs in where variables are will not take any part.
    let near = |q: &&Pattern| {
        let vars = pattern.vars.iter().zip(&q.vars);
        vars.into_iter().all(|(mine, its)| match (mine, its) {
            (_, Target::Dead) | (Target::Node(_), Target::Node(_)) => true,
            (mine, its) => mine == its,
        })
    };
    let near: Vec<&Pattern> = label.0.iter().filter(near).collect();
    if near.is_empty() {
        return None;
    }
    for (i, values) in pattern.scalars.iter().enumerate() {
        let differs = near.iter().any(|q| !q.scalars[i].includes(*values));
        if differs && values.0.count_ones() > 1 {
            return Some((unfold::by_scalar(words, pattern, i), false));
        }
    }
    for (i, orders) in pattern.orders.iter().enumerate() {
        let differs = near.iter().any(|q| !q.orders[i].includes(*orders));
        if differs && orders.0.count_ones() > 1 {
            return Some((unfold::by_order(words, pattern, i), false));
        }
    }
    for (n, node) in pattern.nodes.iter().enumerate() {
        if !node.summary && node.colours.len() > 1 {
            return Some((unfold::by_colour(words, pattern, n), false));
        }
    }
    for (n, node) in pattern.nodes.iter().enumerate() {
        for (f, targets) in node.fields.iter().enumerate() {
            if by_field && !node.summary && targets.0.count_ones() > 1 {
                let parts = unfold::by_field(words, pattern, n, f);
                return (!parts.is_empty()).then_some((parts, true));
            }
        }
    }
    let summary = |n: &&crate::pattern::Node| n.summary && n.colours.len() > 1;
    if let Some(n) = pattern.nodes.iter().position(|n| summary(&n)) {
        return unfold::apart(words, pattern, n).map(|p| (vec![p], false));
    }
    None
}
