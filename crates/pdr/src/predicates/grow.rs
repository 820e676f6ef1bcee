//! The search over predicates, with more families as long as there is no invariant.
//!
//! **Invariant.** *No invariant* is given only for the last set of families: no Boolean combination
//! of their predicates is an invariant that excludes the errors (*Property-Directed Shape
//! Analysis*, Theorem 1). Where families are chosen by need, that set has all families that say
//! something.

use trellis_predicates::{Families, Need, Selection, instantiate};
use trellis_transys::{TransitionSystem, UserPredicate};

use crate::query::Factory;
use crate::search::{Config, Generaliser, Outcome, Statistics, run};

/// What a search over predicates came to.
#[derive(Debug)]
pub struct Growth {
    /// How the last search ended.
    pub outcome: Outcome,
    /// All searches together; the frames are those of the last one.
    pub statistics: Statistics,
    /// The system of the last search.
    pub system: TransitionSystem,
    /// The families of the last search.
    pub families: Families,
    /// How many predicates it had, at all locations.
    pub predicates: usize,
    /// How many searches there were.
    pub searches: usize,
}

/// Searches for an invariant over the selected predicates, or a bad state. `user` are the
/// predicates of the program, translated for the system, that are used as well; the `generaliser`
/// of the configuration is not looked at.
pub fn run_with_families(
    system: &TransitionSystem,
    user: &[UserPredicate],
    factory: &Factory<'_>,
    config: &Config,
    selection: &Selection,
) -> Growth {
    let mut need = Need::new(selection.families.clone());
    let mut total = Statistics::default();
    let mut searches = 0;
    loop {
        searches += 1;
        let families = need.families();
        let mut system = system.clone();
        let predicates = instantiate(&mut system, &families, user);
        let count = predicates.iter().map(Vec::len).sum();
        let config = Config { generaliser: Generaliser::Predicates(predicates), ..config.clone() };
        let (outcome, statistics, system) = run(system, factory, &config);
        total = add(total, statistics);
        if let Outcome::NoInvariant(trace) = &outcome
            && selection.grows
            && need.grow(&system, trace.last().map(|state| &system.paths[state.path]))
        {
            continue;
        }
        let statistics = total;
        return Growth { outcome, statistics, system, families, predicates: count, searches };
    }
}

fn add(before: Statistics, last: Statistics) -> Statistics {
    Statistics {
        frames: last.frames,
        queries: before.queries + last.queries,
        blocking: before.blocking + last.blocking,
        pushing: before.pushing + last.pushing,
        lemmas: before.lemmas + last.lemmas,
        seconds: before.seconds + last.seconds,
        solver_seconds: before.solver_seconds + last.solver_seconds,
    }
}
