//! Which of the stated invariants are enough.
//!
//! Invariants that a program proposes may be too many, too long, or wrong. Those that are not kept
//! fall away until the rest is inductive (Houdini: Flanagan and Leino, *Houdini, an Annotation
//! Assistant for ESC/Java*); then the longest that the others can do without go as well.

use std::collections::BTreeSet;

use trellis_logic::{FormulaId, Fragment, fragment};
use trellis_program::{CheckKind, Span};
use trellis_solver::validity::{BySolver, Prover, Question, Validity};
use trellis_solver::{Context, Limits};
use trellis_transys::{ErrorKind, LocationId, Target, TransitionSystem};

use super::{Located, Work};
use crate::engine::{Budget, Task};
use crate::pdr::{LANGUAGES, SolverFactory};
use crate::verdict::UnknownReason;

/// What is left of proposed invariants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sifted {
    /// At these places, and with all others that are stated they verify the procedure.
    Enough(BTreeSet<Span>),
    /// At these places; they are kept, but something else is missing.
    Kept(BTreeSet<Span>),
}

/// The places of proposed invariants that are enough; what is short is preferred. A refusal tells the
/// place of one that cannot be read.
///
/// # Errors
/// If nobody can tell.
pub fn sift(
    task: &Task<'_>,
    budget: &Budget,
    factory: &SolverFactory,
    proposed: &dyn Fn(Span) -> bool,
) -> Result<Sifted, UnknownReason> {
    let work = Work { task, budget, factory };
    let placed = work.placed()?;
    let (mut last, mut kept) = (None, None::<BTreeSet<Span>>);
    for language in LANGUAGES {
        let (system, stated) = match work.system(&placed, &work.options(language)) {
            Ok(read) => read,
            Err(why) => {
                last.get_or_insert(why);
                continue;
            }
        };
        let mut sieve = Sieve { system, stated, limits: Limits::of(budget), factory, proposed };
        sieve.drop_what_cannot_be_assumed();
        sieve.drop_what_is_not_kept();
        if sieve.is_safe() {
            sieve.drop_what_is_not_needed(budget);
            return Ok(Sifted::Enough(sieve.left()));
        }
        budget.check().map_err(|why| UnknownReason::stopped(why, budget))?;
        let left = sieve.left();
        if kept.as_ref().is_none_or(|kept| kept.len() < left.len()) {
            kept = Some(left);
        }
    }
    match kept {
        Some(kept) => Ok(Sifted::Kept(kept)),
        None => Err(last.unwrap_or(UnknownReason::Work)),
    }
}

struct Sieve<'a> {
    system: TransitionSystem,
    /// What is left, by location.
    stated: Vec<Vec<Located>>,
    limits: Limits,
    factory: &'a SolverFactory,
    /// What may fall away.
    proposed: &'a dyn Fn(Span) -> bool,
}

impl Sieve<'_> {
    /// The places of the proposals that are left.
    fn left(&self) -> BTreeSet<Span> {
        let all = self.stated.iter().flatten().map(|(span, _)| *span);
        all.filter(|span| (self.proposed)(*span)).collect()
    }

    fn follows(&mut self, facts: &[FormulaId], claims: &[FormulaId]) -> bool {
        let system = &mut self.system;
        let mut context = Context { vocabulary: &system.vocabulary, arena: &mut system.arena };
        let make = &**self.factory;
        let mut prover = BySolver::new("the solver", make);
        let question = Question { facts, claims };
        matches!(prover.prove(&mut context, &question, &self.limits), Validity::Valid)
    }

    /// What is known at the beginning of a path that is taken.
    fn facts(&self, path: usize) -> Vec<FormulaId> {
        let path = &self.system.paths[path];
        let mut facts = self.system.axioms.clone();
        match path.from {
            LocationId::ENTRY => facts.extend(&self.system.initial),
            from => facts.extend(self.stated[from.0].iter().map(|(_, clause)| *clause)),
        }
        facts.extend(&path.guards);
        facts
    }

    /// What must hold at the end of a path, in terms of its beginning.
    fn claims(&mut self, path: usize, to: LocationId) -> Vec<FormulaId> {
        let (arena, update) = (&mut self.system.arena, &self.system.paths[path].update);
        self.stated[to.0].iter().map(|(_, clause)| arena.expand(*clause, update)).collect()
    }

    /// Leaves out what a solver can show but not assume: with it no question would have an answer.
    fn drop_what_cannot_be_assumed(&mut self) {
        let TransitionSystem { arena, vocabulary, .. } = &mut self.system;
        for clauses in &mut self.stated {
            clauses.retain(|(span, clause)| {
                let beyond = matches!(fragment(arena, vocabulary, *clause), Fragment::Beyond(_));
                !(beyond && (self.proposed)(*span))
            });
        }
    }

    fn drop_what_is_not_kept(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for path in 0..self.system.paths.len() {
                let Target::Location(to) = self.system.paths[path].to else { continue };
                let claims = self.claims(path, to);
                let facts = self.facts(path);
                if claims.is_empty() || self.follows(&facts, &claims) {
                    continue;
                }
                let kept: Vec<bool> =
                    claims.iter().map(|&claim| self.follows(&facts, &[claim])).collect();
                let mut kept = kept.into_iter();
                self.stated[to.0].retain(|_| kept.next() != Some(false));
                changed = true;
            }
        }
    }

    /// Whether nothing fails but proposals that were dropped.
    fn is_safe(&mut self) -> bool {
        let left: BTreeSet<Span> = self.stated.iter().flatten().map(|(span, _)| *span).collect();
        (0..self.system.paths.len()).all(|path| {
            let Target::Error(bad) = self.system.paths[path].to else { return true };
            let is_stated = bad.kind == ErrorKind::Check(CheckKind::LoopInvariant);
            if is_stated && !left.contains(&bad.span) && (self.proposed)(bad.span) {
                return true;
            }
            let facts = self.facts(path);
            self.follows(&facts, &[FormulaId::FALSE])
        })
    }

    /// Whether everything that is left is kept.
    fn is_kept(&mut self) -> bool {
        (0..self.system.paths.len()).all(|path| {
            let Target::Location(to) = self.system.paths[path].to else { return true };
            let claims = self.claims(path, to);
            let facts = self.facts(path);
            claims.is_empty() || self.follows(&facts, &claims)
        })
    }

    /// Leaves out what the rest does without, the longest first.
    fn drop_what_is_not_needed(&mut self, budget: &Budget) {
        let mut all: Vec<(usize, Span)> = Vec::new();
        for (at, clauses) in self.stated.iter().enumerate() {
            let proposed = clauses.iter().filter(|(span, _)| (self.proposed)(*span));
            all.extend(proposed.map(|(span, _)| (at, *span)));
        }
        all.sort_by_key(|(_, span)| std::cmp::Reverse((span.end - span.start, span.start)));
        for (at, span) in all {
            if budget.check().is_err() {
                return;
            }
            let before = self.stated[at].clone();
            self.stated[at].retain(|(other, _)| *other != span);
            if !(self.is_kept() && self.is_safe()) {
                self.stated[at] = before;
            }
        }
    }
}
