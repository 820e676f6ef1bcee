//! Cells that nobody reaches any more.
//!
//! A summary node has no lost cells as long as every plain node is reached: the way on which a
//! variable reached such a cell at the start of the run leaves the plain nodes over a field that the
//! run has neither written nor freed.

use crate::pattern::{Pattern, Target};
use crate::reach::{certain, possible};
use crate::words::Words;

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

/// Whether every cell is reached in every heap.
pub(super) fn nothing_lost(words: &Words, pattern: &Pattern) -> bool {
    let roots = roots(pattern);
    let (certain, possible) = (certain(words, pattern, &roots), possible(pattern, &roots));
    let nodes = pattern.nodes.iter().enumerate();
    nodes.into_iter().all(|(n, node)| if node.summary { possible[n] } else { certain[n] })
}

/// The pattern without what is lost: a case for every choice of the plain nodes that may or may not
/// be reached, and whether something is missing in it. `None` if there are too many.
pub(super) fn collected(words: &Words, pattern: &Pattern) -> Option<Vec<(Pattern, bool)>> {
    let mut out = Vec::new();
    let mut todo = vec![(pattern.clone(), false, vec![false; pattern.nodes.len()])];
    while let Some((case, missing, assumed)) = todo.pop() {
        if out.len() + todo.len() > MOST_CASES {
            return None;
        }
        let roots = roots(&case);
        let possible = possible(&case, &roots);
        let (case, missing, assumed) = match possible.iter().all(|p| *p) {
            true => (case, missing, assumed),
            false => {
                let kept: Vec<usize> = (0..possible.len()).filter(|n| possible[*n]).collect();
                let assumed = kept.iter().map(|n| assumed[*n]).collect();
                (case.reordered(&kept), true, assumed)
            }
        };
        let certain = certain(words, &case, &self::roots(&case));
        let unsure = |n: &usize| !case.nodes[*n].summary && !certain[*n] && !assumed[*n];
        let Some(n) = (0..case.nodes.len()).find(unsure) else {
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
