//! What is to be shown: one condition a path.
//!
//! A path is a guard and an update, so every condition is about one state, the one at the path's
//! beginning: facts about it, and claims that must follow. A claim about the end of the path is the
//! invariant's clause with every symbol replaced by what the path makes of it.
//!
//! **Invariant.** Facts come from the system and from the invariant at the beginning of the path,
//! nothing else.

use trellis_logic::FormulaId;
use trellis_program::Span;
use trellis_transys::{BadState, LocationId, Target, TransitionSystem};

/// Something that must follow.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What for.
    pub kind: Kind,
    /// The path, by its index in the system.
    pub path: usize,
    /// What is known of the state at the path's beginning.
    pub facts: Vec<FormulaId>,
    /// What must follow: the clauses at the path's end, in order; nothing may be left if the path
    /// ends in an error, so then the claim is false.
    pub claims: Vec<FormulaId>,
}

/// What a condition is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The invariant at the end of a path from the entry.
    Initiation {
        /// The cut point at the end.
        to: LocationId,
    },
    /// The invariant at the end of a path from a loop.
    Consecution {
        /// The cut point at the beginning.
        from: LocationId,
        /// The cut point at the end.
        to: LocationId,
    },
    /// No path to a failing check.
    Safety {
        /// The cut point at the beginning.
        from: LocationId,
        /// What would fail.
        bad: BadState,
    },
}

impl Kind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Initiation { .. } => "initiation",
            Kind::Consecution { .. } => "consecution",
            Kind::Safety { .. } => "safety",
        }
    }

    /// Where the path begins.
    pub fn from(self) -> LocationId {
        match self {
            Kind::Initiation { .. } => LocationId::ENTRY,
            Kind::Consecution { from, .. } | Kind::Safety { from, .. } => from,
        }
    }

    /// The place that it is about: the loop, or the check.
    pub fn span(self, system: &TransitionSystem) -> Span {
        match self {
            Kind::Initiation { to } | Kind::Consecution { to, .. } => system.locations[to.0].span,
            Kind::Safety { bad, .. } => bad.span,
        }
    }
}

/// All conditions of an invariant, in the order of the paths.
pub fn conditions(system: &mut TransitionSystem, clauses: &[Vec<FormulaId>]) -> Vec<Condition> {
    let mut conditions = Vec::new();
    let invariant = |at: LocationId| clauses.get(at.0).map_or(&[][..], Vec::as_slice);
    for path in 0..system.paths.len() {
        let (from, to) = (system.paths[path].from, system.paths[path].to);
        let mut facts = system.axioms.clone();
        facts.extend(match from {
            LocationId::ENTRY => &system.initial,
            _ => invariant(from),
        });
        facts.extend(&system.paths[path].guards);
        let (kind, claims) = match to {
            Target::Error(bad) => (Kind::Safety { from, bad }, vec![FormulaId::FALSE]),
            Target::Location(to) => {
                let update = &system.paths[path].update;
                let arena = &mut system.arena;
                let claims = invariant(to).iter().map(|&c| arena.expand(c, update)).collect();
                let kind = match from {
                    LocationId::ENTRY => Kind::Initiation { to },
                    _ => Kind::Consecution { from, to },
                };
                (kind, claims)
            }
        };
        if !claims.is_empty() {
            conditions.push(Condition { kind, path, facts, claims });
        }
    }
    conditions
}
