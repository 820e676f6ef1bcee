//! Inclusion of patterns along lists, by simulation of sets of nodes.
//!
//! An embedding maps all cells of a node to one node. That is too much to ask where the cells of one
//! node alternate between two of the other pattern. Where every cell that no variable points to has
//! one incoming field, and at most one outgoing one, such cells form words between cells that are
//! fixed; a word is followed with the *set* of nodes that its last cell may belong to, and whether
//! the word can end there is asked of any member.
//!
//! **Sound and incomplete:** only patterns of such lists are looked at, and in the weaker one every
//! plain node must be at a variable.

use std::collections::BTreeSet;

use crate::pattern::{Pattern, Sharing, Target, Targets};

/// Most pairs of a node and a set.
const MOST_PAIRS: usize = 20_000;

/// Whether all heaps of a pattern fit another one, integers aside; false if that cannot be told.
pub(crate) fn includes(pattern: &Pattern, weaker: &Pattern) -> bool {
    let Some(fixed) = fixed(pattern, weaker) else { return false };
    let free = |n: usize| fixed[n].is_none();
    let is_word = |n: usize| {
        let node = &pattern.nodes[n];
        node.fields.len() <= 1 && node.sharing == Sharing::NONE
    };
    let images: BTreeSet<usize> = fixed.iter().flatten().copied().collect();
    let all_fixed = weaker.nodes.iter().enumerate().all(|(m, q)| q.summary || images.contains(&m));
    if !all_fixed || !(0..pattern.nodes.len()).all(|n| !free(n) || is_word(n)) {
        return false;
    }
    let simulation = Simulation { pattern, weaker, fixed: &fixed };
    simulation.all_have_runs()
}

/// By node at a variable, the node that it belongs to; `None` if variables are elsewhere.
fn fixed(pattern: &Pattern, weaker: &Pattern) -> Option<Vec<Option<usize>>> {
    let mut fixed = vec![None; pattern.nodes.len()];
    for (mine, its) in pattern.vars.iter().zip(&weaker.vars) {
        match (mine, its) {
            (_, Target::Dead) => {}
            (Target::Node(n), Target::Node(m)) => {
                if fixed[*n].is_some_and(|old| old != *m) {
                    return None;
                }
                fixed[*n] = Some(*m);
            }
            (Target::Node(_) | Target::Dead, _) => return None,
            (a, b) if a == b => {}
            _ => return None,
        }
    }
    let images: Vec<usize> = fixed.iter().flatten().copied().collect();
    let distinct: BTreeSet<usize> = images.iter().copied().collect();
    (distinct.len() == images.len()).then_some(fixed)
}

struct Simulation<'a> {
    pattern: &'a Pattern,
    weaker: &'a Pattern,
    fixed: &'a [Option<usize>],
}

impl Simulation<'_> {
    fn all_have_runs(&self) -> bool {
        let mut seen: BTreeSet<(usize, Targets)> = BTreeSet::new();
        let mut todo = Vec::new();
        for (n, image) in self.fixed.iter().enumerate() {
            let Some(m) = image else { continue };
            let (mine, its) = (&self.pattern.nodes[n], &self.weaker.nodes[*m]);
            let fits = mine.record == its.record
                && its.sharing.includes(mine.sharing)
                && mine.colours.is_subset(&its.colours);
            if !fits {
                return false;
            }
            for f in 0..mine.fields.len() {
                if !self.follow(mine.fields[f], its.fields[f], &mut todo) {
                    return false;
                }
            }
        }
        while let Some((n, set)) = todo.pop() {
            if !seen.insert((n, set)) {
                continue;
            }
            if seen.len() > MOST_PAIRS {
                return false;
            }
            let Some(targets) = self.pattern.nodes[n].fields.first() else { continue };
            for target in targets.iter() {
                // Whoever of the set may lead there.
                let after = set.nodes().map(|m| self.weaker.nodes[m].fields[0]);
                let after = after.fold(Targets::NONE, Targets::or);
                if !self.follow(Targets::of(target), after, &mut todo) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether every target has partners among those that a set leads to; what comes next.
    fn follow(&self, targets: Targets, after: Targets, todo: &mut Vec<(usize, Targets)>) -> bool {
        targets.iter().all(|target| match target {
            Target::Node(n) => match self.fixed[n] {
                Some(m) => after.includes(Targets::node(m)),
                None => self.enter(n, after, todo),
            },
            end => after.includes(Targets::of(end)),
        })
    }

    /// A cell of a free node in every colour that it may have.
    fn enter(&self, n: usize, after: Targets, todo: &mut Vec<(usize, Targets)>) -> bool {
        let node = &self.pattern.nodes[n];
        node.colours.iter().all(|colour| {
            let partner = |m: &usize| {
                let its = &self.weaker.nodes[*m];
                its.summary && its.record == node.record && its.colours.contains(colour)
            };
            let set = after.nodes().filter(partner);
            let set = set.fold(Targets::NONE, |s, m| s.or(Targets::node(m)));
            todo.push((n, set));
            !set.is_none()
        })
    }
}
