//! Invariants of tracked predicates, shown by provers: where the formulas of a procedure are of
//! higher-order logic, and no transition system can be built.
//!
//! This is a smaller domain than sets of Boolean heaps: one Boolean heap a loop, of which only short
//! cubes are used. An invariant is a conjunction of what types say, of the clauses of the precondition
//! that are kept (section 6), of what the user states, and of clauses over tracked predicates, each
//! about all objects: no object is in the cube that the clause denies. State predicates are literals
//! like all others, so what is known of the state stays in every context.
//!
//! The strongest such invariant is found from above: everything is assumed everywhere, and what a run
//! does not keep is removed, until nothing changes. Clauses become longer only while checks are open;
//! last come guesses that can be read off the procedure ([`trellis_sequents::infer`]).
//!
//! **Invariant.** What is returned was shown by provers, every part of it, in the end.

use std::time::Duration;

use trellis_logic::{Budget, StopReason};
use trellis_program::CheckKind;
use trellis_provers::Team;
use trellis_provers::conditions::{Inquiry, NotShown, Shown};
use trellis_provers::team::Effort;
use trellis_sequents::conditions::Check;
use trellis_sequents::{Candidate, Conditions, What};

/// Literals of the longest clauses that are tried.
const LONGEST: usize = 3;
/// Time for a question while the invariant is looked for.
const SEARCH: Duration = Duration::from_millis(400);
/// The same for a question about paths.
const SEARCH_PATHS: Duration = Duration::from_millis(1000);

/// An invariant with the proof of it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The parts of the invariant at every cut point; the entry has none.
    pub invariant: Vec<Vec<Candidate>>,
    /// Who showed what.
    pub shown: Vec<Shown>,
}

/// What came of the search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No check fails.
    Verified(Found),
    /// This check was not shown.
    Open(Check),
    /// The budget is over.
    Stopped(StopReason),
}

/// Looks for an invariant.
pub fn search(conditions: &mut Conditions, team: &Team, budget: &Budget) -> Outcome {
    let mut search = Search { inquiry: Inquiry { conditions, team, budget } };
    search.run().unwrap_or_else(Outcome::Stopped)
}

struct Search<'a> {
    inquiry: Inquiry<'a>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Outcome, StopReason> {
        let loops = self.inquiry.conditions.locations.len();
        let mut kept: Vec<Vec<Candidate>> = vec![Vec::new(); loops];
        let mut open = None;
        for width in 0..=LONGEST {
            let mut candidates = self.candidates(width, &kept);
            if width > 0 && candidates.iter().zip(&kept).all(|(c, k)| c.len() == k.len()) {
                continue;
            }
            self.remove(&mut candidates)?;
            kept = candidates;
            match self.inquiry.prove(&kept) {
                Ok(shown) => return Ok(Outcome::Verified(Found { invariant: kept, shown })),
                Err(NotShown::Stopped(reason)) => return Err(reason),
                Err(NotShown::Check(check)) => open = Some(check),
                // Removal has shown it; what a longer question does not show stays open.
                Err(NotShown::Part(_)) => {}
            }
            if loops == 1 || self.inquiry.conditions.tracked.is_empty() {
                break;
            }
        }
        if loops > 1 {
            match self.guess(&kept)? {
                Ok(found) => return Ok(Outcome::Verified(found)),
                Err(NotShown::Check(check)) => open = Some(check),
                Err(_) => {}
            }
        }
        let span = self.inquiry.conditions.locations[0].span;
        let invariant = Check { kind: CheckKind::LoopInvariant, span };
        Ok(Outcome::Open(open.unwrap_or(invariant)))
    }

    /// The same with guesses besides, where predicates of the user are not enough.
    fn guess(&mut self, kept: &[Vec<Candidate>]) -> Result<Result<Found, NotShown>, StopReason> {
        let mut candidates = kept.to_vec();
        for (location, own) in candidates.iter_mut().enumerate().skip(1) {
            let before: Vec<What> = own.iter().map(|c| c.what.clone()).collect();
            let given = self.inquiry.conditions.given(location);
            own.extend(given.into_iter().filter(|c| !before.contains(&c.what)));
            own.extend(self.inquiry.conditions.inferred(location));
        }
        self.remove(&mut candidates)?;
        match self.inquiry.prove(&candidates) {
            Ok(shown) => Ok(Ok(Found { invariant: candidates, shown })),
            Err(NotShown::Stopped(reason)) => Err(reason),
            Err(why) => Ok(Err(why)),
        }
    }

    /// The candidates of a stage: what was kept before, and clauses of so many literals.
    fn candidates(&mut self, width: usize, kept: &[Vec<Candidate>]) -> Vec<Vec<Candidate>> {
        let mut all = kept.to_vec();
        for (location, own) in all.iter_mut().enumerate().skip(1) {
            if width == 0 {
                own.extend(self.inquiry.conditions.given(location));
                continue;
            }
            // What was removed may be kept beside longer clauses.
            let before: Vec<What> = own.iter().map(|c| c.what.clone()).collect();
            let given = self.inquiry.conditions.given(location);
            own.extend(given.into_iter().filter(|c| !before.contains(&c.what)));
            let count = self.inquiry.conditions.tracked.len();
            for length in 1..=width {
                for literals in clauses(count, length) {
                    if !is_redundant(&literals, &before) {
                        own.extend(self.inquiry.conditions.clause(&literals));
                    }
                }
            }
        }
        all
    }

    /// Removes what runs do not keep, until all is kept.
    fn remove(&mut self, candidates: &mut [Vec<Candidate>]) -> Result<(), StopReason> {
        loop {
            let mut changed = false;
            for from in 0..candidates.len() {
                for arrival in 0..self.inquiry.conditions.locations[from].runs.arrivals.len() {
                    changed |= self.remove_at(from, arrival, candidates)?;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn remove_at(
        &mut self,
        from: usize,
        arrival: usize,
        candidates: &mut [Vec<Candidate>],
    ) -> Result<bool, StopReason> {
        let to = &self.inquiry.conditions.locations[from].runs.arrivals[arrival];
        let Some(to) = self.inquiry.conditions.location(to.head) else { return Ok(false) };
        let mut lost = Vec::new();
        for (i, candidate) in candidates[to].iter().enumerate() {
            let effort = match Conditions::is_about_paths(candidate) {
                true => Effort { time: SEARCH_PATHS, everyone: true },
                false => Effort { time: SEARCH, everyone: false },
            };
            let known = &candidates[from];
            if self.inquiry.arrives(from, arrival, known, candidate, effort)?.is_none() {
                lost.push(i);
            }
        }
        for i in lost.iter().rev() {
            candidates[to].remove(*i);
        }
        Ok(!lost.is_empty())
    }
}

/// All clauses of so many different predicates.
fn clauses(predicates: usize, length: usize) -> Vec<Vec<(usize, bool)>> {
    let mut all: Vec<Vec<(usize, bool)>> = vec![Vec::new()];
    for _ in 0..length {
        all = all
            .iter()
            .flat_map(|clause| {
                let next = clause.last().map_or(0, |(i, _)| i + 1);
                (next..predicates).flat_map(move |i| {
                    [true, false].map(|value| {
                        let mut longer = clause.clone();
                        longer.push((i, value));
                        longer
                    })
                })
            })
            .collect();
    }
    all
}

/// Whether a clause follows from a kept one, or a shorter one says the same beside it.
fn is_redundant(literals: &[(usize, bool)], kept: &[What]) -> bool {
    kept.iter().any(|what| match what {
        What::Clause(own) => {
            let implied = own.iter().all(|l| literals.contains(l));
            let shortens = matches!(&own[..], [(i, v)] if literals.contains(&(*i, !v)));
            implied || shortens
        }
        _ => false,
    })
}
