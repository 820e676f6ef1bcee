//! Cells that nobody reaches any more.
//!
//! At the start of a run every cell is reached. A way to a cell breaks only where a variable or a
//! field is overwritten or goes with a cell that is freed; all of these led to plain nodes, because
//! they were asked for first. So nothing is lost if all nodes *cut* off like this, and all new
//! objects, are still reached: every other cell is reached from one of them, or as before.
//!
//! A node that some field leads to for sure is reached if all that may lead to it are: either nodes
//! that are reached for sure, or nodes that nothing cut off leads to, which are reached as before.

use crate::pattern::{Pattern, Target, Targets};
use crate::reach::{certain, possible};
use crate::words::{PatternWords, Predicate};

/// Most cases of what may be lost.
const MOST_CASES: usize = 64;

/// The same pattern, some variables not looked at any more.
pub(super) fn without_vars(pattern: &Pattern, keep: impl Fn(usize) -> bool) -> Pattern {
    let mut out = pattern.clone();
    for (x, target) in out.vars.iter_mut().enumerate() {
        if !keep(x) {
            *target = Target::Dead;
        }
    }
    out
}

fn roots(pattern: &Pattern) -> Vec<usize> {
    let node = |t: &Target| if let Target::Node(n) = t { Some(*n) } else { None };
    pattern.vars.iter().filter_map(node).collect()
}

/// A pattern that a run made, and the nodes that may not be reached any more.
pub(super) struct Made {
    pub pattern: Pattern,
    /// Plain nodes that something led to that is gone; new objects.
    pub cut: Vec<usize>,
}

impl Made {
    /// The same, some variables not looked at any more: what they lead to is cut off.
    pub(super) fn without_vars(&self, keep: impl Fn(usize) -> bool) -> Made {
        let gone = self.pattern.vars.iter().enumerate().filter(|(x, _)| !keep(*x));
        let at = gone.filter_map(|(_, t)| if let Target::Node(n) = t { Some(*n) } else { None });
        let mut cut = self.cut.clone();
        cut.extend(at);
        Made { pattern: without_vars(&self.pattern, keep), cut }
    }

    /// Whether every cell is reached in every heap.
    pub(super) fn nothing_lost(&self, words: &PatternWords) -> bool {
        let pattern = &self.pattern;
        let mut reached = certain(words, pattern, &roots(pattern));
        loop {
            let unsure: Vec<usize> = self.cut.iter().copied().filter(|n| !reached[*n]).collect();
            let behind = possible(pattern, &unsure);
            let led_to = |n: &&usize| {
                let me = Targets::node(**n);
                let mut from = pattern.nodes.iter().enumerate();
                is_entered(words, pattern, **n)
                    && from.all(|(k, node)| {
                        reached[k] || !behind[k] || !node.fields.iter().any(|t| t.includes(me))
                    })
            };
            match unsure.iter().find(led_to) {
                Some(n) => reached[*n] = true,
                None => return unsure.is_empty(),
            }
        }
    }

    /// The pattern without what is lost: a case for every choice of the plain nodes that may or may
    /// not be reached, and whether something is missing in it. `None` if there are too many.
    pub(super) fn collected(&self, words: &PatternWords) -> Option<Vec<(Pattern, bool)>> {
        match self.nothing_lost(words) {
            true => Some(vec![(self.pattern.clone(), false)]),
            false => cases(words, &self.pattern),
        }
    }
}

/// Whether some field leads to a plain node in every heap.
fn is_entered(words: &PatternWords, pattern: &Pattern, node: usize) -> bool {
    let of = &pattern.nodes[node];
    let lane = words.records[of.record].predicate(Predicate::Entered);
    lane.is_some_and(|lane| !of.summary && of.colours.iter().all(|c| c.get(lane) == 1))
}

/// What is lost may be all that led to a cell.
fn without_entries(words: &PatternWords, pattern: &mut Pattern) {
    for node in pattern.nodes.iter_mut().filter(|n| !n.summary) {
        if let Some(lane) = words.records[node.record].predicate(Predicate::Entered) {
            let both = node.colours.iter().flat_map(|c| [c.with(lane, 0), c.with(lane, 1)]);
            node.colours = both.collect();
        }
    }
}

fn cases(words: &PatternWords, pattern: &Pattern) -> Option<Vec<(Pattern, bool)>> {
    let mut out = Vec::new();
    let mut todo = vec![(pattern.clone(), false, vec![false; pattern.nodes.len()])];
    while let Some((case, missing, assumed)) = todo.pop() {
        if out.len() + todo.len() > MOST_CASES {
            return None;
        }
        let possible = possible(&case, &roots(&case));
        let (case, missing, assumed) = match possible.iter().all(|p| *p) {
            true => (case, missing, assumed),
            false => {
                let kept: Vec<usize> = (0..possible.len()).filter(|n| possible[*n]).collect();
                let assumed = kept.iter().map(|n| assumed[*n]).collect();
                (case.reordered(&kept), true, assumed)
            }
        };
        let certain = certain(words, &case, &roots(&case));
        let unsure = |n: &usize| !case.nodes[*n].summary && !certain[*n] && !assumed[*n];
        let Some(n) = (0..case.nodes.len()).find(unsure) else {
            let mut case = case;
            if missing {
                without_entries(words, &mut case);
            }
            out.push((case, missing));
            continue;
        };
        let mut reached = assumed.clone();
        reached[n] = true;
        let kept: Vec<usize> = (0..case.nodes.len()).filter(|m| *m != n).collect();
        let rest = kept.iter().map(|m| assumed[*m]).collect();
        todo.push((case.reordered(&kept), true, rest));
        todo.push((case, missing, reached));
    }
    Some(out)
}
