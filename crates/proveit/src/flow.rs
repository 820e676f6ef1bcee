//! From one cut point to the next: all loop-free ways at once.
//!
//! The unwinding has vertices at the entry and at loop heads only (*large blocks*), and errors are
//! obligations of vertices, so one [`flow`] says everything about a vertex: where it goes with which
//! patterns, and what may go wrong on the way.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::Work;
use trellis_patterns::pattern::{Label, Pattern};

use crate::post::{Event, Post, What};

/// What a label leads to.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// By loop head.
    pub to: BTreeMap<usize, Label>,
    /// What may go wrong on the way.
    pub events: Vec<Event>,
}

/// More patterns on the way than this are not followed.
const MOST_PATTERNS: usize = 5000;

/// There are too many patterns on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany;

/// Follows a label from a block to the loop heads that come next.
///
/// # Errors
/// If there are too many patterns on the way.
pub fn flow(post: &Post<'_>, block: usize, label: &Label, work: &Work) -> Result<Flow, TooMany> {
    let mut out = Flow::default();
    let mut seen: BTreeSet<(usize, Pattern)> = BTreeSet::new();
    let mut todo: Vec<(usize, Pattern)> = label.0.iter().map(|p| (block, p.clone())).collect();
    let mut found: BTreeMap<usize, BTreeSet<Pattern>> = BTreeMap::new();
    while let Some((at, pattern)) = todo.pop() {
        work.spend(cost(post, at, &pattern));
        for (to, pattern) in through(post, at, &pattern, &mut out.events) {
            let Some(pattern) = enter(post, to, &pattern, &mut out.events) else { continue };
            if post.program.heads.contains(&to) {
                found.entry(to).or_default().insert(pattern);
            } else if seen.insert((to, pattern.clone())) {
                todo.push((to, pattern));
            }
        }
        let too_large = out.events.iter().any(|e| e.what == What::TooLarge);
        if too_large || seen.len() > MOST_PATTERNS {
            return Err(TooMany);
        }
    }
    out.to =
        found.into_iter().map(|(head, all)| (head, Label(all.into_iter().collect()))).collect();
    Ok(out)
}

/// What the code of a block costs on one pattern, in units of work.
pub fn cost(post: &Post<'_>, block: usize, pattern: &Pattern) -> u64 {
    /// What a step costs on a pattern of few nodes, and how many are few.
    const STEP: u64 = 12;
    const FEW: u64 = 4;
    let nodes = pattern.nodes.len() as u64;
    STEP * (post.program.blocks[block].steps.len() as u64 + 1) * (1 + nodes * nodes / (FEW * FEW))
}

/// What the code of one block makes of a pattern.
pub fn through(
    post: &Post<'_>,
    block: usize,
    pattern: &Pattern,
    events: &mut Vec<Event>,
) -> Vec<(usize, Pattern)> {
    let code = &post.program.blocks[block];
    let (mut patterns, mut next) = (vec![pattern.clone()], Vec::new());
    for step in &code.steps {
        for pattern in patterns.drain(..) {
            post.step(step, &pattern, &mut next, events);
        }
        std::mem::swap(&mut patterns, &mut next);
    }
    patterns.iter().flat_map(|p| post.exit(&code.exit, p, events)).collect()
}

/// A pattern at the start of a block, without what is not read any more.
pub fn enter(
    post: &Post<'_>,
    block: usize,
    pattern: &Pattern,
    events: &mut Vec<Event>,
) -> Option<Pattern> {
    let code = &post.program.blocks[block];
    let (kept, lost) = post.forget(pattern, &code.live_pointers, &code.live_scalars);
    if lost {
        events.extend(post.lost(block, pattern));
    }
    kept
}
