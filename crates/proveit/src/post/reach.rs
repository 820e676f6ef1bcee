//! Which nodes are reached in every heap of a pattern, and what is lost when a pointer changes.
//!
//! Whatever a cell reached before a pointer changed, it still reaches, but for what went through that
//! pointer. So a change loses cells exactly if the cell that the pointer led to is not reached any
//! more; [`certain`] says where that is excluded, and so does [`Predicate::Entered`]: a cell that some
//! field leads to is reached if what may lead to it does not depend on it.

use trellis_patterns::pattern::{Pattern, Sharing, Target};
use trellis_patterns::words::{PatternWords, Predicate};

use super::coerce::incoming;
use super::colours::widen_entered;

/// The plain nodes that the variables reach in every heap.
pub fn certain(words: &PatternWords, pattern: &Pattern) -> Vec<bool> {
    let mut sure = vec![false; pattern.nodes.len()];
    let mut todo: Vec<usize> = Vec::new();
    for var in &pattern.vars {
        if let Target::Node(n) = *var
            && !std::mem::replace(&mut sure[n], true)
        {
            todo.push(n);
        }
    }
    while let Some(n) = todo.pop() {
        for f in 0..pattern.nodes[n].fields.len() {
            for (m, node) in pattern.nodes.iter().enumerate() {
                if !sure[m] && !node.summary && inevitable(words, pattern, n, f, m) {
                    sure[m] = true;
                    todo.push(m);
                }
            }
        }
    }
    sure
}

/// Whether the cell of the plain node `from` reaches that of `to` over one field in every heap.
///
/// A way that never ends would come back to a cell, which then has two of these fields leading to
/// it (or is `from`); so it must leave nodes that are not shared, and can end nowhere but in `to`.
pub fn inevitable(
    words: &PatternWords,
    pattern: &Pattern,
    from: usize,
    field: usize,
    to: usize,
) -> bool {
    walk(words, pattern, from, field, |t| match t {
        Target::Node(n) if n == to => Step::Arrive,
        Target::Node(_) => Step::On,
        _ => Step::Fail,
    })
}

/// What to make of a target on a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The way ends well here.
    Arrive,
    /// It goes on, if it leads to a node.
    On,
    /// It must not lead here.
    Fail,
}

/// Whether every way over `field` from the plain node `from` arrives, after one step or more.
pub fn walk(
    words: &PatternWords,
    pattern: &Pattern,
    from: usize,
    field: usize,
    judge: impl Fn(Target) -> Step,
) -> bool {
    let record = pattern.nodes[from].record;
    let edge = words.records[record].pointers[field].edge;
    let twice = Sharing::pair(edge, edge);
    let mut seen: Vec<usize> = Vec::new();
    let mut todo = vec![from];
    while let Some(n) = todo.pop() {
        for t in pattern.nodes[n].fields[field].iter() {
            match (judge(t), t) {
                (Step::Arrive, _) => {}
                (Step::On, Target::Node(t)) if t != from && pattern.nodes[t].record == record => {
                    if !seen.contains(&t) {
                        seen.push(t);
                        todo.push(t);
                    }
                }
                _ => return false,
            }
        }
    }
    // A way can come back only to a shared cell.
    let on_cycle = |n: usize| {
        let mut ahead: Vec<usize> = Vec::new();
        let mut todo = vec![n];
        while let Some(k) = todo.pop() {
            for t in pattern.nodes[k].fields[field].nodes() {
                if judge(Target::Node(t)) == Step::On && !ahead.contains(&t) {
                    ahead.push(t);
                    todo.push(t);
                }
            }
        }
        ahead.contains(&n)
    };
    seen.iter().all(|n| !pattern.nodes[*n].sharing.includes(twice) || !on_cycle(*n))
}

/// The nodes that may be reached from some, themselves included.
pub fn ahead(pattern: &Pattern, from: &[usize]) -> Vec<bool> {
    let mut seen = vec![false; pattern.nodes.len()];
    let mut todo = from.to_vec();
    while let Some(n) = todo.pop() {
        if !std::mem::replace(&mut seen[n], true) {
            todo.extend(pattern.nodes[n].fields.iter().flat_map(|t| t.nodes()));
        }
    }
    seen
}

/// A pattern after pointers to the plain nodes `cut` were overwritten.
#[derive(Clone, Debug)]
pub struct Settled {
    /// What is left, without cells that nothing reaches.
    pub pattern: Pattern,
    /// Whether cells may have been lost.
    pub lost: bool,
}

/// Drops what nothing reaches any more.
pub fn settle(words: &PatternWords, mut pattern: Pattern, cut: &[usize]) -> Settled {
    let mut sure = certain(words, &pattern);
    let lost = lost(words, &pattern, cut, &mut sure);
    if lost.is_empty() {
        return Settled { pattern, lost: false };
    }
    // What only they led to may be gone, and a plain node stands for a cell that is there.
    let doubtful = ahead(&pattern, &lost);
    for n in (0..pattern.nodes.len()).filter(|n| doubtful[*n] && !sure[*n]) {
        pattern.nodes[n].summary = true;
    }
    // What is gone may be all that led to a cell.
    (0..pattern.nodes.len()).for_each(|n| widen_entered(words, &mut pattern, n));
    let reachable = pattern.reachable();
    let order: Vec<usize> = (0..pattern.nodes.len()).filter(|n| reachable[*n]).collect();
    let pattern =
        if order.len() < pattern.nodes.len() { pattern.reordered(&order) } else { pattern };
    Settled { pattern, lost: true }
}

/// The nodes among `cut` that may not be reached any more; those that are become sure.
fn lost(words: &PatternWords, pattern: &Pattern, cut: &[usize], sure: &mut [bool]) -> Vec<usize> {
    let entered = |n: usize| {
        let node = &pattern.nodes[n];
        let lane = words.records[node.record].predicate(Predicate::Entered);
        lane.is_some_and(|lane| !node.summary && node.colours.iter().all(|c| c.get(lane) == 1))
    };
    loop {
        let unsure: Vec<usize> = cut.iter().copied().filter(|m| !sure[*m]).collect();
        let behind = ahead(pattern, &unsure);
        let held = |m: &&usize| {
            let from = incoming(words, pattern, **m);
            entered(**m) && from.iter().all(|(_, k, _)| sure[*k] || !behind[*k])
        };
        match unsure.iter().find(held) {
            Some(m) => sure[*m] = true,
            None => return unsure,
        }
    }
}
