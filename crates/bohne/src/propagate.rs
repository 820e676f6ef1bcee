//! Propagation of precondition conjuncts (section 6): what the precondition says is assumed at every
//! location, and taken back where a path does not preserve it.
//!
//! The precondition speaks of the entry state. So each conjunct has up to three **readings** at a
//! location: of the entry state, which is always preserved; of the state now; and of the heap now from
//! the arguments as they were passed. At the entry nothing has changed yet, so that is a conjunct for
//! every symbol, too; where it is kept, predicates need not tell the entry from now.
//!
//! **Invariant.** What is left is inductive: it holds after every path from the entry, and after every
//! path between locations if it holds at the beginning.

use std::collections::BTreeSet;

use trellis_logic::{Definitions, Formula, FormulaId, FunId, fragment};
use trellis_solver::{Solver, Unknown};
use trellis_transys::{LocationId, Target};

use crate::questions::{Questions, Reply};
use crate::twins::{Changing, changing};
use crate::written::Written;

/// What holds at a location because of the precondition.
#[derive(Clone, Debug, Default)]
pub struct Propagated {
    /// The conjuncts.
    pub facts: Vec<FormulaId>,
    /// The copies of the entry that are still what they were, as the symbols of now.
    pub same: Definitions,
    /// The variables among these copies.
    pub copies: BTreeSet<FunId>,
}

/// Nothing, for every location.
pub fn nothing(questions: &Questions<'_>) -> Vec<Propagated> {
    vec![Propagated::default(); questions.system.locations.len()]
}

/// The conjuncts of the precondition that hold at every location.
///
/// # Errors
/// If a solver does not know.
pub fn propagate(questions: &mut Questions<'_>) -> Result<Vec<Propagated>, Unknown> {
    let asked = questions.counts.questions;
    let changing = changing(&questions.system.symbols);
    let mut candidates = readings(questions, &changing);
    let mut unchanged = Vec::new();
    for symbol in &changing {
        let system = &mut questions.system;
        let formula = symbol.unchanged(&mut system.arena, &system.vocabulary);
        unchanged.push((*symbol, formula));
        candidates.push(formula);
    }
    let mut held: Vec<Vec<FormulaId>> = Vec::new();
    for location in 0..questions.system.locations.len() {
        let here = if location == 0 { Vec::new() } else { candidates.clone() };
        held.push(here.into_iter().filter(|&f| can_be_said(questions, location, f)).collect());
    }
    settle(questions, &mut held)?;
    questions.counts.propagation += questions.counts.questions - asked;
    let mut out = Vec::new();
    for facts in held {
        let (mut same, mut copies) = (Definitions::new(), BTreeSet::new());
        for (symbol, formula) in &unchanged {
            if facts.contains(formula) {
                let system = &mut questions.system;
                symbol.define(&mut system.arena, &system.vocabulary, &mut same);
                copies.extend(symbol.constants().map(|(entry, _)| entry));
            }
        }
        let unchanged: Vec<FormulaId> = unchanged.iter().map(|(_, formula)| *formula).collect();
        let facts = different(questions, facts, &same, &unchanged);
        out.push(Propagated { facts, same, copies });
    }
    Ok(out)
}

/// The last of all readings that are the same where nothing has changed, and that nothing has.
fn different(
    questions: &mut Questions<'_>,
    facts: Vec<FormulaId>,
    same: &Definitions,
    unchanged: &[FormulaId],
) -> Vec<FormulaId> {
    let arena = &mut questions.system.arena;
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for &fact in facts.iter().rev() {
        let now = arena.expand(fact, same);
        let now = arena.alpha_normal(now);
        if unchanged.contains(&fact) || seen.insert(now) {
            out.push(fact);
        }
    }
    out.reverse();
    out
}

/// Takes formulas back until every path preserves what is left.
fn settle(questions: &mut Questions<'_>, held: &mut [Vec<FormulaId>]) -> Result<(), Unknown> {
    let mut solvers: Vec<Option<(Box<dyn Solver>, Written)>> = Vec::new();
    for path in 0..questions.system.paths.len() {
        if !matches!(questions.system.paths[path].to, Target::Location(_)) {
            solvers.push(None);
            continue;
        }
        let solver = questions.solver_of_path(path)?;
        let from = questions.system.paths[path].from;
        let mut known = questions.taken(path);
        known.extend(questions.known_at(from));
        solvers.push(Some((solver, Written::new(questions, from, &known))));
    }
    // What was asked about a path need not be asked again while what it starts from is the same.
    let mut settled: Vec<Option<usize>> = vec![None; solvers.len()];
    loop {
        let mut changed = false;
        for (path, solver) in solvers.iter_mut().enumerate() {
            let Some((solver, written)) = solver else { continue };
            let from = questions.system.paths[path].from.0;
            if settled[path] != Some(held[from].len()) {
                let before: usize = held.iter().map(Vec::len).sum();
                preserve(questions, &mut **solver, written, path, held)?;
                settled[path] = Some(held[from].len());
                changed |= held.iter().map(Vec::len).sum::<usize>() != before;
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// Takes back what a path does not preserve.
fn preserve(
    questions: &mut Questions<'_>,
    solver: &mut dyn Solver,
    written: &mut Written,
    path: usize,
    held: &mut [Vec<FormulaId>],
) -> Result<(), Unknown> {
    let (from, to) = (questions.system.paths[path].from, questions.system.paths[path].to);
    let Target::Location(to) = to else { return Ok(()) };
    let update = questions.system.paths[path].update.clone();
    loop {
        let arena = &mut questions.system.arena;
        let known: BTreeSet<FormulaId> = match from {
            LocationId::ENTRY => questions.system.initial.iter().copied().collect(),
            _ => held[from.0].iter().copied().collect(),
        };
        let is_known = |f: &FormulaId| *f == FormulaId::TRUE || known.contains(f);
        let after: Vec<FormulaId> = held[to.0].iter().map(|&f| arena.expand(f, &update)).collect();
        let open: Vec<FormulaId> = after.iter().filter(|f| !is_known(f)).copied().collect();
        if open.is_empty() {
            return Ok(());
        }
        let denied: Vec<FormulaId> = open.iter().map(|&f| arena.not(f)).collect();
        let denial = arena.or(denied);
        let mut assumptions: Vec<FormulaId> = match from {
            LocationId::ENTRY => Vec::new(),
            _ => held[from.0].clone(),
        };
        assumptions.push(denial);
        let model = match written.ask(questions, solver, &assumptions)? {
            Some(Reply::Model(model)) => questions.completed(*model),
            _ => return Ok(()),
        };
        let arena = &questions.system.arena;
        let fails = |f: &FormulaId| model.eval(arena, *f) == Ok(false);
        let kept: Vec<bool> = after.iter().map(|f| is_known(f) || !fails(f)).collect();
        if kept.iter().all(|&k| k) {
            return Err(Unknown::Incomplete("a model fails no conjunct".into()));
        }
        let mut kept = kept.into_iter();
        held[to.0].retain(|_| kept.next().unwrap_or(false));
    }
}

/// The conjuncts of the precondition in their readings.
fn readings(questions: &mut Questions<'_>, changing: &[Changing]) -> Vec<FormulaId> {
    let system = &mut questions.system;
    let mut conjuncts = Vec::new();
    for formula in system.initial.clone() {
        match system.arena.formula(formula) {
            Formula::And(parts) => conjuncts.extend(parts.iter().copied()),
            _ => conjuncts.push(formula),
        }
    }
    let (mut heap, mut state) = (Definitions::new(), Definitions::new());
    for symbol in changing {
        symbol.define(&mut system.arena, &system.vocabulary, &mut state);
        if !symbol.is_variable {
            symbol.define(&mut system.arena, &system.vocabulary, &mut heap);
        }
    }
    let mut out: Vec<FormulaId> = Vec::new();
    for conjunct in conjuncts {
        let readings =
            [conjunct, system.arena.expand(conjunct, &heap), system.arena.expand(conjunct, &state)];
        for reading in readings {
            // It is assumed, and shown.
            let opposite = system.arena.not(reading);
            let can_be_asked = [reading, opposite].into_iter().all(|formula| {
                fragment(&mut system.arena, &system.vocabulary, formula).is_decidable()
            });
            if can_be_asked && !out.contains(&reading) {
                out.push(reading);
            }
        }
    }
    out
}

/// Whether the state at a location has all symbols of a formula.
pub(crate) fn can_be_said(questions: &Questions<'_>, location: usize, formula: FormulaId) -> bool {
    let system = &questions.system;
    let (here, symbols) = (&system.locations[location], &system.symbols);
    let used = system.arena.symbols_in_use(formula);
    let fun = |f| {
        here.constants.contains(f)
            || here.functions.contains(f)
            || *f == symbols.null
            || symbols.constants.values().any(|c| c == f)
    };
    let rel =
        |r| here.relations.contains(r) || here.propositions.contains(r) || *r == symbols.at_most;
    used.funs.iter().all(fun) && used.rels.iter().all(rel)
}
