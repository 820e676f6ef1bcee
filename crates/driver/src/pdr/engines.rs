//! The PDR engines, and what they can be told.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use trellis_epr::EprSolver;
use trellis_pdr::Strategy;
use trellis_pdr::predicates::Selection;

use super::{Material, SolverFactory, answer};
use crate::engine::{Answer, Budget, Engine, Progress, Task};
use crate::registry::Entry;
use crate::settings::{Setting, Settings, Word, any_text, parse, words};

/// Universal invariants from diagrams (*Universal Invariants or Their Absence*).
#[derive(Clone)]
pub struct PdrForall {
    /// The solvers to ask.
    pub solver: SolverFactory,
    /// What invariants can speak of.
    pub vocabulary: WordsSetting,
    /// How to search.
    pub strategy: Strategy,
}

/// Invariants over given families of predicates (*Property-Directed Shape Analysis*).
#[derive(Clone)]
pub struct PdrPredicates {
    /// The solvers to ask.
    pub solver: SolverFactory,
    /// How to search.
    pub strategy: Strategy,
    /// Which predicates invariants are made of.
    pub predicates: Selection,
}

impl PdrForall {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "pdr-forall",
        about: "Universal invariants by property-directed reachability, with diagrams",
        settings: &[WordsSetting::SETTING, STRATEGY],
        make: |settings| {
            Arc::new(PdrForall {
                solver: solver(settings),
                vocabulary: settings.get_or_default(),
                strategy: settings.get_or_default(),
            })
        },
    };
}

impl PdrPredicates {
    /// How it is asked for.
    pub const ENTRY: Entry = Entry {
        name: "pdr-predicates",
        about: "Invariants over families of predicates by property-directed reachability",
        settings: &[STRATEGY, PREDICATES],
        make: |settings| {
            Arc::new(PdrPredicates {
                solver: solver(settings),
                strategy: settings.get_or_default(),
                predicates: settings.get_or_default(),
            })
        },
    };
}

const STRATEGY: Setting = Setting {
    name: "strategy",
    value: "NAME,…",
    help: "How to search, if not as usual: any-states, from-outside, newest-first (PDR engines)",
    words: any_text,
    default: None,
    parse: parse::<Strategy>,
};

/// The option for predicates, which another engine has too.
pub(crate) const PREDICATES: Setting = Setting {
    name: "predicates",
    value: "NAME,…",
    help: "The predicates of invariants (pdr-predicates): families of \
           Property-Directed Shape Analysis and predicates of \
           the program, such as `St,S,R,mine`; default: families by need. With canonical: \
           predicates of the program to be used besides; with bohne, those of at most one object",
    words: any_text,
    default: None,
    parse: parse::<Selection>,
};

/// The solver that is part of Trellis.
pub fn embedded() -> SolverFactory {
    Arc::new(|| Box::new(EprSolver::new(trellis_epr::Options::default())))
}

/// The solvers that were given, else the embedded one.
pub(crate) fn solver(settings: &Settings) -> SolverFactory {
    settings.get::<SolverFactory>().unwrap_or_else(embedded)
}

impl Default for PdrForall {
    fn default() -> PdrForall {
        PdrForall {
            solver: embedded(),
            vocabulary: WordsSetting::default(),
            strategy: Strategy::default(),
        }
    }
}

impl fmt::Debug for PdrForall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PdrForall")
    }
}

impl fmt::Debug for PdrPredicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PdrPredicates")
    }
}

impl Engine for PdrForall {
    fn name(&self) -> &'static str {
        PdrForall::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        answer(task, budget, &self.solver, self.strategy, Material::Diagrams(self.vocabulary))
    }
}

impl Engine for PdrPredicates {
    fn name(&self) -> &'static str {
        PdrPredicates::ENTRY.name
    }

    fn run(&self, task: &Task<'_>, budget: &Budget, _: &Progress) -> Answer {
        answer(task, budget, &self.solver, self.strategy, Material::Families(&self.predicates))
    }
}

/// What invariants can speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WordsSetting {
    /// The papers' relations first, richer ones where these are not enough.
    #[default]
    Auto,
    /// The papers' relations: reachability over each field, `alloc`, the order of data.
    Basic,
    /// The single steps of fields beside reachability.
    Edges,
}

impl Word for WordsSetting {
    const WORDS: &'static [(WordsSetting, &'static str, &'static str)] = &[
        (
            WordsSetting::Auto,
            "auto",
            "Those of the papers first, richer ones where these are not enough",
        ),
        (
            WordsSetting::Basic,
            "basic",
            "Those of the papers: reachability over each field, alloc, the order of data",
        ),
        (WordsSetting::Edges, "edges", "The single steps of fields beside reachability"),
    ];
}

impl WordsSetting {
    /// The option.
    pub const SETTING: Setting = Setting {
        name: "vocabulary",
        value: "VOCABULARY",
        help: "The relations of invariants (pdr-forall)",
        words: words::<WordsSetting>,
        default: Some("auto"),
        parse: parse::<WordsSetting>,
    };
}

impl FromStr for WordsSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<WordsSetting, String> {
        Word::of_word(text)
    }
}

impl fmt::Display for WordsSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
