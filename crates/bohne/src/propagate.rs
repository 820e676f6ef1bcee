//! Propagation of precondition conjuncts (section 6): what the precondition says is assumed at every
//! location, and taken back where a path does not preserve it.
//!
//! The precondition speaks of the entry state. So each conjunct has up to three **readings** at a
//! location: of the entry state, which is always preserved; of the state now; and of the heap now from
//! the arguments as they were passed.
//!
//! **Invariant.** What is left is inductive: it holds after every path from the entry, and after every
//! path between locations if it holds at the beginning.

use std::collections::BTreeSet;

use trellis_logic::{Definitions, Formula, FormulaId, Fragment, fragment};
use trellis_solver::{Solver, Unknown};
use trellis_transys::{Flag, LocationId, RegSymbol, Symbols, Target};

use crate::questions::{Questions, Reply};

/// The conjuncts of the precondition that hold at every location.
///
/// # Errors
/// If a solver does not know.
pub fn propagate(questions: &mut Questions<'_>) -> Result<Vec<Vec<FormulaId>>, Unknown> {
    let asked = questions.counts.questions;
    let candidates = readings(questions);
    let mut held: Vec<Vec<FormulaId>> = Vec::new();
    for location in 0..questions.system.locations.len() {
        let here = if location == 0 { Vec::new() } else { candidates.clone() };
        held.push(here.into_iter().filter(|&f| can_be_said(questions, location, f)).collect());
    }
    let mut solvers: Vec<Option<Box<dyn Solver>>> = Vec::new();
    for path in 0..questions.system.paths.len() {
        let leads_on = matches!(questions.system.paths[path].to, Target::Location(_));
        solvers.push(leads_on.then(|| questions.solver_of_path(path)).transpose()?);
    }
    loop {
        let before: usize = held.iter().map(Vec::len).sum();
        for (path, solver) in solvers.iter_mut().enumerate() {
            if let Some(solver) = solver {
                preserve(questions, &mut **solver, path, &mut held)?;
            }
        }
        if held.iter().map(Vec::len).sum::<usize>() == before {
            questions.counts.propagation += questions.counts.questions - asked;
            return Ok(held);
        }
    }
}

/// Takes back what a path does not preserve.
fn preserve(
    questions: &mut Questions<'_>,
    solver: &mut dyn Solver,
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
        let after: Vec<FormulaId> = held[to.0].iter().map(|&f| arena.expand(f, &update)).collect();
        let open: Vec<FormulaId> = after.iter().filter(|f| !known.contains(f)).copied().collect();
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
        let model = match questions.ask(solver, &assumptions)? {
            Reply::Core(_) => return Ok(()),
            Reply::Model(model) => model,
        };
        let arena = &questions.system.arena;
        let fails = |f: FormulaId| model.eval(arena, f) == Ok(false);
        let kept: Vec<bool> = after.iter().map(|&f| known.contains(&f) || !fails(f)).collect();
        if kept.iter().all(|&k| k) {
            return Err(Unknown::Incomplete("a model fails no conjunct".into()));
        }
        let mut kept = kept.into_iter();
        held[to.0].retain(|_| kept.next().unwrap_or(false));
    }
}

/// The conjuncts of the precondition in their readings.
fn readings(questions: &mut Questions<'_>) -> Vec<FormulaId> {
    let mut conjuncts = Vec::new();
    for formula in questions.system.initial.clone() {
        match questions.system.arena.formula(formula) {
            Formula::And(parts) => conjuncts.extend(parts.iter().copied()),
            _ => conjuncts.push(formula),
        }
    }
    let (heap, state) = currents(questions);
    let system = &mut questions.system;
    let mut out: Vec<FormulaId> = Vec::new();
    for conjunct in conjuncts {
        let readings =
            [conjunct, system.arena.expand(conjunct, &heap), system.arena.expand(conjunct, &state)];
        for reading in readings {
            let kind = fragment(&mut system.arena, &system.vocabulary, reading);
            let is_universal = matches!(kind, Fragment::QuantifierFree | Fragment::Universal);
            if is_universal && !out.contains(&reading) {
                out.push(reading);
            }
        }
    }
    out
}

/// The symbols of the entry as those of now: of the heap, and of the variables as well.
fn currents(questions: &mut Questions<'_>) -> (Definitions, Definitions) {
    let system = &mut questions.system;
    let symbols: Symbols = system.symbols.clone();
    let (arena, vocabulary) = (&mut system.arena, &system.vocabulary);
    let mut heap = Definitions::new();
    let mut relation = |heap: &mut Definitions, entry, now| {
        if entry != now {
            let args = vocabulary.rel(entry).args.clone();
            let names = args.iter().enumerate();
            let vars: Vec<_> =
                names.map(|(i, sort)| arena.variable(format!("$a{i}"), *sort)).collect();
            let terms: Vec<_> = vars.iter().map(|v| arena.var_term(*v)).collect();
            let body = arena.rel(now, &terms);
            heap.define_rel(entry, &vars, body);
        }
    };
    relation(&mut heap, symbols.alloc.entry, symbols.alloc.now);
    for field in &symbols.pointers {
        relation(&mut heap, field.relation.entry, field.relation.now);
        if let Some(edge) = field.edge {
            relation(&mut heap, edge.entry, edge.now);
        }
    }
    for field in &symbols.integers {
        if let (Flag::Truth(entry), Flag::Truth(now)) = (field.entry, field.now) {
            relation(&mut heap, entry, now);
        }
    }
    for field in &symbols.integers {
        if let (Flag::Data(entry), Flag::Data(now)) = (field.entry, field.now)
            && entry != now
        {
            let var = arena.variable("$a0", symbols.obj);
            let term = arena.var_term(var);
            let body = arena.app(now, &[term]);
            heap.define_fun(entry, &[var], body);
        }
    }
    let mut state = heap.clone();
    for twin in symbols.regs.values().filter(|twin| twin.now != twin.entry) {
        match (twin.entry, twin.now) {
            (RegSymbol::Ptr(entry), RegSymbol::Ptr(now))
            | (RegSymbol::Int(Flag::Data(entry)), RegSymbol::Int(Flag::Data(now))) => {
                let now = arena.constant(now);
                state.define_fun(entry, &[], now);
            }
            (RegSymbol::Int(Flag::Truth(entry)), RegSymbol::Int(Flag::Truth(now))) => {
                let now = arena.rel(now, &[]);
                state.define_rel(entry, &[], now);
            }
            _ => {}
        }
    }
    (heap, state)
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
