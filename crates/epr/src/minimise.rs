//! Smaller cores and smaller models, within a budget of checks.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use crate::candidate::Candidate;
use crate::check::{Outcome, Query};
use crate::ground::Grounding;

/// The literals of the assumptions, each with the assumptions that it is part of.
pub(crate) struct Assumed {
    /// By assumption: its literals.
    pub(crate) lits: Vec<Vec<Lit>>,
}

impl Assumed {
    /// The literals of some assumptions.
    pub(crate) fn of(&self, which: &[usize]) -> Vec<Lit> {
        let count = which.iter().map(|&i| self.lits[i].len()).sum();
        let mut lits: Vec<Lit> = Vec::with_capacity(count);
        which.iter().for_each(|&i| lits.extend_from_slice(&self.lits[i]));
        let mut seen = FxHashSet::with_capacity_and_hasher(lits.len(), rustc_hash::FxBuildHasher);
        lits.retain(|&l| seen.insert(l));
        lits
    }

    /// Assumptions out of `which` that have all these literals: few, and ascending.
    pub(crate) fn containing(&self, mut core: Vec<Lit>, which: &[usize]) -> Vec<usize> {
        let mut chosen = Vec::new();
        for &i in which {
            let before = core.len();
            core.retain(|l| !self.lits[i].contains(l));
            if core.len() < before {
                chosen.push(i);
            }
        }
        debug_assert!(core.is_empty(), "a core consists of assumptions");
        chosen.sort_unstable();
        chosen
    }
}

/// Drops assumptions from a core until each is needed or the budget is used up.
///
/// An assumption without which there is a model is needed in every smaller core too; a conflict
/// without it may lose others at the same time.
pub(crate) fn core(
    query: &Query<'_>,
    ground: &mut Grounding,
    assumed: &Assumed,
    mut core: Vec<usize>,
    mut checks: u32,
) -> Vec<usize> {
    let mut needed = Vec::new();
    while let Some(candidate) = core.iter().copied().rev().find(|i| !needed.contains(i)) {
        if checks == 0 {
            break;
        }
        checks -= 1;
        let rest: Vec<usize> = core.iter().copied().filter(|&i| i != candidate).collect();
        match query.solve(ground, &assumed.of(&rest)) {
            // Those that are known to be needed come first, so that they account for what they can.
            Outcome::Conflict(lits) => {
                let mut order = needed.clone();
                order.extend(rest.iter().filter(|i| !needed.contains(i)));
                core = assumed.containing(lits, &order);
            }
            Outcome::Model(_) => needed.push(candidate),
            Outcome::Unknown(_) => break,
        }
    }
    core
}

/// Merges elements of a model, greedily, as long as the budget lasts.
pub(crate) fn model(
    query: &Query<'_>,
    ground: &mut Grounding,
    lits: &[Lit],
    best: &mut Candidate,
    mut checks: u32,
) {
    let mut lits = lits.to_vec();
    let mut distinct = rustc_hash::FxHashSet::default();
    'again: loop {
        for sort in query.vocabulary.sorts() {
            let elements = best.elements(sort);
            for (i, &a) in elements.iter().enumerate().rev() {
                for &b in &elements[..i] {
                    if !distinct.insert((a, b)) {
                        continue;
                    }
                    if checks == 0 {
                        return;
                    }
                    checks -= 1;
                    let equal = ground.atoms.eq(&mut ground.sat, a, b);
                    lits.push(equal);
                    match query.solve(ground, &lits) {
                        Outcome::Model(mut smaller) if smaller.size() < best.size() => {
                            smaller.tabulate_all(ground);
                            *best = smaller;
                            continue 'again;
                        }
                        Outcome::Model(_) | Outcome::Conflict(_) => {
                            lits.pop();
                        }
                        Outcome::Unknown(_) => return,
                    }
                }
            }
        }
        return;
    }
}
