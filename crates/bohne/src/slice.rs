//! The part of an invariant that is needed: what excludes the errors, what keeps that, and so on. The
//! cores of the solvers say which clauses are used.
//!
//! **Invariant.** A slice is inductive by itself and excludes the errors.

use std::collections::BTreeSet;

use trellis_logic::FormulaId;
use trellis_solver::{Solver, Unknown};
use trellis_transys::{LocationId, Target};

use crate::questions::{Questions, Reply};
use crate::reach::Errors;

/// A clause by its location and its number there.
type Place = (usize, usize);

/// The clauses that are needed, by location. The disjunction of the heaps at a location, if there is
/// one, stands for itself: it says more than all clauses, and is hard to show, so it is the last resort.
///
/// # Errors
/// If a solver does not know, or the clauses are no invariant that excludes the errors.
pub fn slice(
    questions: &mut Questions<'_>,
    clauses: &[Vec<FormulaId>],
    disjunctions: &[Option<FormulaId>],
) -> Result<Vec<Vec<FormulaId>>, Unknown> {
    let asked = questions.counts.questions;
    let simple: Vec<usize> = clauses.iter().map(Vec::len).collect();
    let both = clauses.iter().zip(disjunctions);
    let clauses: Vec<Vec<FormulaId>> =
        both.map(|(own, whole)| own.iter().chain(whole).copied().collect()).collect();
    let (needed, todo) = (BTreeSet::new(), Vec::new());
    let mut slicing = Slicing { questions, clauses: &clauses, simple, needed, todo };
    slicing.safe()?;
    slicing.keep()?;
    let Slicing { needed, .. } = slicing;
    // The final check is not part of what the paper counts.
    questions.counts.slicing += questions.counts.questions - asked;
    questions.counts.questions = asked;
    let is_needed = |location: usize, i: usize| needed.contains(&(location, i));
    let some = clauses.iter().enumerate().map(|(location, here)| {
        let here = here.iter().enumerate().filter(|(i, _)| is_needed(location, *i));
        here.map(|(_, clause)| *clause).collect()
    });
    Ok(some.collect())
}

struct Slicing<'w, 'a> {
    questions: &'w mut Questions<'a>,
    clauses: &'w [Vec<FormulaId>],
    /// How many of them come before the disjunction.
    simple: Vec<usize>,
    needed: BTreeSet<Place>,
    /// Those whose own support is still to be found.
    todo: Vec<Place>,
}

impl Slicing<'_, '_> {
    /// Takes in what excludes the errors.
    fn safe(&mut self) -> Result<(), Unknown> {
        for location in 1..self.clauses.len() {
            let errors = Errors::new(self.questions, LocationId(location), &[])?;
            if let Some(mut solver) = errors.into_solver() {
                self.support(&mut *solver, location, None)?;
            }
        }
        Ok(())
    }

    /// Takes in what keeps the clauses that are needed.
    fn keep(&mut self) -> Result<(), Unknown> {
        let mut solvers = Vec::new();
        for path in 0..self.questions.system.paths.len() {
            let one = &self.questions.system.paths[path];
            let between = one.from != LocationId::ENTRY && matches!(one.to, Target::Location(_));
            solvers.push(between.then(|| self.questions.solver_of_path(path)).transpose()?);
        }
        while let Some((location, i)) = self.todo.pop() {
            for (path, solver) in solvers.iter_mut().enumerate() {
                let system = &mut self.questions.system;
                let (from, to) = (system.paths[path].from.0, system.paths[path].to);
                if let Some(solver) = solver
                    && to == Target::Location(LocationId(location))
                {
                    let clause = self.clauses[location][i];
                    let after = system.arena.expand(clause, &system.paths[path].update);
                    let denied = system.arena.not(after);
                    self.support(&mut **solver, from, Some(denied))?;
                }
            }
        }
        Ok(())
    }

    /// Takes in clauses at a location that contradict something: those that are needed anyway if they
    /// do, else what the solver uses of all; the disjunction only if there is no other way.
    fn support(
        &mut self,
        solver: &mut dyn Solver,
        location: usize,
        denied: Option<FormulaId>,
    ) -> Result<(), Unknown> {
        let count = self.clauses[location].len();
        let own: Vec<usize> =
            (0..count).filter(|&i| self.needed.contains(&(location, i))).collect();
        let all = [own, (0..self.simple[location]).collect(), (0..count).collect()];
        for chosen in all {
            let clauses = chosen.iter().map(|&i| self.clauses[location][i]);
            let assumed: Vec<FormulaId> = clauses.chain(denied).collect();
            if let Reply::Core(core) = self.questions.ask(solver, &assumed)? {
                for place in core.into_iter().filter_map(|i| Some((location, *chosen.get(i)?))) {
                    if self.needed.insert(place) {
                        self.todo.push(place);
                    }
                }
                return Ok(());
            }
        }
        Err(Unknown::Incomplete("the heaps that were found are no invariant".into()))
    }
}
