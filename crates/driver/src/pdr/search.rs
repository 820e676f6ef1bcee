//! The searches behind the engines, and what one round of a plan leaves for the next.
//!
//! A search with diagrams that its limit of work has stopped is kept ([`Paused`]); the next round of
//! the engine goes on with it as if it had not been stopped.

use trellis_pdr::predicates::{Selection, run_with_families};
use trellis_pdr::{Config, Outcome, Search, Strategy};
use trellis_program::Placed;
use trellis_transys::{TransitionSystem, user_predicate};

use super::{Attempt, OUTSIDE};
use crate::verdict::UnknownReason;

/// What a search came to.
pub(super) struct Found {
    pub(super) outcome: Outcome,
    pub(super) statistics: trellis_pdr::Statistics,
    pub(super) source: Source,
    /// What no invariant could be made of, as a sentence, if the system does not say.
    pub(super) language: Option<String>,
}

/// Where the system of a search is.
pub(super) enum Source {
    /// In the search, which can go on.
    Search(Box<Search>),
    /// Here, after a search over families.
    Families(Box<TransitionSystem>),
}

/// A search that a round of a plan has left for the next one.
pub(crate) struct Paused {
    /// How its system was built.
    pub(super) options: trellis_transys::Options,
    pub(super) strategy: Strategy,
    pub(super) search: Box<Search>,
}

impl Paused {
    /// Whether it is the one for a system built in this way, in this strategy.
    pub(crate) fn is_for(&self, options: &trellis_transys::Options, strategy: Strategy) -> bool {
        self.options == *options && self.strategy == strategy
    }
}

impl Attempt<'_> {
    /// Searches with diagrams; goes on where an earlier round has stopped, if there was one.
    pub(super) fn search(
        &self,
        placed: &Placed,
        options: &trellis_transys::Options,
    ) -> Result<Found, UnknownReason> {
        let config = Config { strategy: self.strategy, ..Config::default() };
        let mut search = match self.task.resume(options, self.strategy) {
            Some(paused) => paused.search,
            None => Box::new(Search::new(self.system(placed, options)?, config)),
        };
        let outcome = search.run(&self.factory, &self.limits());
        let statistics = search.statistics();
        let source = Source::Search(search);
        Ok(Found { outcome, statistics, source, language: None })
    }

    /// Searches with predicates.
    pub(super) fn search_families(
        &self,
        placed: &Placed,
        options: &trellis_transys::Options,
        selection: &Selection,
    ) -> Result<Found, UnknownReason> {
        let mut system = self.system(placed, options)?;
        let config = Config { strategy: self.strategy, limits: self.limits(), ..Config::default() };
        let user =
            selection.user.iter().map(|name| user_predicate(&placed.program, &mut system, name));
        let user = user
            .collect::<Result<Vec<_>, _>>()
            .map_err(|refusal| UnknownReason::refused(&[refusal], OUTSIDE))?;
        let grown = run_with_families(&system, &user, &self.factory, &config, selection);
        let language = format!(
            "no combination of the {} predicates of the families {} is an invariant",
            grown.predicates, grown.families
        );
        let source = Source::Families(Box::new(grown.system));
        let (outcome, statistics) = (grown.outcome, grown.statistics);
        Ok(Found { outcome, statistics, source, language: Some(language) })
    }
}
