//! Smaller cores and smaller models, within a budget of checks.

use rustsat::types::Lit;

use crate::candidate::Candidate;
use crate::check::{Outcome, Query};
use crate::ground::Grounding;
use crate::terms::Ground;

/// The literals of the assumptions, each with the assumptions that it is part of.
pub(crate) struct Assumed {
    /// By assumption: its literals.
    pub(crate) lits: Vec<Vec<Lit>>,
}

impl Assumed {
    /// The literals of some assumptions.
    pub(crate) fn of(&self, which: &[usize]) -> Vec<Lit> {
        let mut lits: Vec<Lit> = which.iter().flat_map(|&i| &self.lits[i]).copied().collect();
        let mut seen = rustc_hash::FxHashSet::default();
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

/// Drops assumptions from a core until each is needed, or not asked about, or the budget is used up.
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
    let keep = query.limits.keep;
    let mut needed: Vec<usize> = (0..keep).collect();
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
                order.retain(|i| rest.contains(i));
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
///
/// Most models that are asked about are small already, and that is one question: whether any two
/// of the elements can be one.
pub(crate) fn model(
    query: &Query<'_>,
    ground: &mut Grounding,
    lits: &[Lit],
    best: &mut Candidate,
    mut checks: u32,
) {
    let mut lits = lits.to_vec();
    let mut in_vain = rustc_hash::FxHashSet::default();
    while checks > 0 {
        checks -= 1;
        let pairs: Vec<(Ground, Ground)> =
            pairs(query, best).into_iter().filter(|p| !in_vain.contains(p)).collect();
        if pairs.is_empty() {
            return;
        }
        let some = ground.sat.variable(false);
        let mut clause = vec![!some];
        clause.extend(pairs.iter().map(|&(a, b)| ground.atoms.eq(&mut ground.sat, a, b)));
        ground.sat.add(&clause);
        lits.push(some);
        let found = query.solve(ground, &lits);
        lits.pop();
        // Nobody asks this again; the model can still be read.
        ground.sat.add(&[!some]);
        let Outcome::Model(mut smaller) = found else { return };
        let merged = (0..pairs.len()).filter(|&i| ground.sat.value(clause[i + 1]));
        if smaller.size() < best.size() {
            // The next one is to be smaller still.
            lits.extend(merged.map(|i| clause[i + 1]).next());
            smaller.tabulate_all(ground);
            *best = smaller;
        } else {
            in_vain.extend(merged.map(|i| pairs[i]));
        }
    }
}

/// The pairs of elements of a model that are of one sort.
fn pairs(query: &Query<'_>, model: &Candidate) -> Vec<(Ground, Ground)> {
    let mut pairs = Vec::new();
    for sort in query.vocabulary.sorts() {
        let elements = model.elements(sort);
        for (i, &a) in elements.iter().enumerate().rev() {
            pairs.extend(elements[..i].iter().map(|&b| (a, b)));
        }
    }
    pairs
}
