//! Inference of predicates from the text of the system (sections 4 and 7).
//!
//! Every pointer variable has its singleton predicate. The others come from the checks, backwards: the
//! atoms of the guards of paths from a location, those into errors included, and the atoms of what is
//! needed at the next location, before the path. Predicates of the user are added as they are.
//!
//! **Invariant.** Predicates have no quantifiers, so that what heaps say is universal; they speak of
//! what matters at their location, and no two are each other's negation.

use std::collections::BTreeSet;

use trellis_logic::{Formula, FormulaId, FunId, RelId, RelKind, Subst, TermId};
use trellis_predicates::instantiate::idle_arguments;
use trellis_solver::Unknown;
use trellis_transys::{LocationId, Target};

use crate::atoms::{Rank, leads_on, suggested};
use crate::cube::MOST;
use crate::predicates::Predicate;
use crate::propagate::{Propagated, can_be_said};
use crate::questions::Questions;
use crate::written::Written;

/// How often what is needed at a location is taken back over the paths into it.
const ROUNDS: usize = 3;

/// The predicates at every location to begin with; `given` are predicates of the user.
///
/// # Errors
/// If a solver does not know.
pub fn infer(
    questions: &mut Questions<'_>,
    propagated: &[Propagated],
    given: &[FormulaId],
) -> Result<Vec<Vec<Predicate>>, Unknown> {
    let locations = questions.system.locations.len();
    let mut all: Vec<Vec<Predicate>> = vec![Vec::new(); locations];
    for (location, here) in all.iter_mut().enumerate().skip(1) {
        singletons(questions, location, &propagated[location], here);
        for &formula in given {
            if can_be_said(questions, location, formula) {
                add(questions, here, formula);
            }
        }
    }
    for location in 1..locations {
        let moving = moving(questions, location);
        let paths = questions.system.paths.iter().filter(|p| p.from.0 == location);
        let guards: Vec<FormulaId> = paths.flat_map(|p| p.guards.iter().copied()).collect();
        for guard in guards {
            take(questions, location, &moving, &propagated[location], guard, &mut all[location]);
        }
    }
    for _ in 0..ROUNDS {
        let mut grew = false;
        for path in 0..questions.system.paths.len() {
            let (from, to) = (questions.system.paths[path].from, questions.system.paths[path].to);
            let Target::Location(to) = to else { continue };
            if from.0 == 0 {
                continue;
            }
            let moving = moving(questions, from.0);
            let update = questions.system.paths[path].update.clone();
            for predicate in all[to.0].clone() {
                let before = questions.system.arena.expand(predicate.formula, &update);
                let here = &mut all[from.0];
                grew |= take(questions, from.0, &moving, &propagated[from.0], before, here);
            }
        }
        if !grew {
            break;
        }
    }
    for (location, here) in all.iter_mut().enumerate().skip(1) {
        leave_out(questions, LocationId(location), &propagated[location].facts, here)?;
    }
    Ok(all)
}

/// Leaves out what is reached from x where that is nothing but x itself and null for all that was
/// propagated: singleton predicates say that already. And where it is only what x is below, as with the
/// parents of trees: what is below x says more.
fn leave_out(
    questions: &mut Questions<'_>,
    location: LocationId,
    facts: &[FormulaId],
    here: &mut Vec<Predicate>,
) -> Result<(), Unknown> {
    let mut solver = (questions.factory)();
    let axioms = questions.system.axioms.clone();
    questions.assert(&mut *solver, &axioms)?;
    questions.assert(&mut *solver, facts)?;
    let known: Vec<FormulaId> = axioms.iter().chain(facts).copied().collect();
    let mut written = Written::new(questions, location, &known);
    let null = questions.system.arena.constant(questions.system.symbols.null);
    let mut kept = Vec::new();
    for predicate in here.drain(..) {
        if let Some(root) = root(questions, predicate.formula) {
            let object = questions.object;
            let above = above(questions, predicate.formula, root);
            let arena = &mut questions.system.arena;
            let said = arena.subst(predicate.formula, &Subst::single(questions.var, object));
            let mut assumptions = vec![said, arena.ne(object, root), arena.ne(object, null)];
            assumptions.extend(above.map(|above| arena.not(above)));
            if !written.is_possible(questions, &mut *solver, &assumptions)? {
                continue;
            }
        }
        kept.push(predicate);
    }
    *here = kept;
    Ok(())
}

/// The x of a predicate that says that the object is reached from x.
fn root(questions: &mut Questions<'_>, formula: FormulaId) -> Option<TermId> {
    let system = &mut questions.system;
    let v = system.arena.var_term(questions.var);
    let of_one = |formula: FormulaId| match system.arena.formula(formula) {
        Formula::Rel(rel, args) if args.len() == 2 && args[1] == v && leads_on(system, *rel) => {
            Some(args[0])
        }
        _ => None,
    };
    match system.arena.formula(formula) {
        Formula::Or(parts) => {
            let roots: BTreeSet<Option<TermId>> = parts.iter().map(|&p| of_one(p)).collect();
            let mut roots = roots.into_iter();
            roots.next().flatten().filter(|_| roots.next().is_none())
        }
        _ => of_one(formula),
    }
}

/// For a list that x is on, that x is in a subtree of the object, if there are trees.
fn above(questions: &mut Questions<'_>, formula: FormulaId, x: TermId) -> Option<FormulaId> {
    let system = &mut questions.system;
    let Formula::Rel(rel, _) = system.arena.formula(formula) else { return None };
    let is_list = matches!(system.vocabulary.rel(*rel).kind, RelKind::Closure { .. });
    let trees = system.symbols.pointers.iter().filter(|f| f.set.is_some());
    let sides: Vec<RelId> = trees.map(|f| f.relation.now).collect();
    let args = [questions.object, x];
    let sides: Vec<FormulaId> = sides.into_iter().map(|r| system.arena.rel(r, &args)).collect();
    (is_list && !sides.is_empty()).then(|| system.arena.or(sides))
}

/// Adds a formula as a predicate, unless it is there, or there is no room; says whether it did.
pub fn add(questions: &mut Questions<'_>, here: &mut Vec<Predicate>, formula: FormulaId) -> bool {
    let opposite = questions.system.arena.not(formula);
    let known = here.iter().any(|p| p.formula == formula || p.formula == opposite);
    let is_plain = questions.system.arena.is_quantifier_free(formula);
    let says = formula != FormulaId::TRUE && formula != FormulaId::FALSE;
    if known || !is_plain || !says || here.len() >= MOST {
        return false;
    }
    here.push(Predicate { formula, single: None });
    true
}

/// `x = v` for null and every pointer variable that matters.
fn singletons(
    questions: &mut Questions<'_>,
    location: usize,
    propagated: &Propagated,
    here: &mut Vec<Predicate>,
) {
    let mut idle = idle_arguments(&questions.system);
    idle.extend(&propagated.copies);
    let system = &mut questions.system;
    let v = system.arena.var_term(questions.var);
    let constants = system.locations[location].constants.iter().copied();
    let pointers = constants
        .filter(|f| system.vocabulary.fun(*f).result == system.symbols.obj && !idle.contains(f));
    let pointers: Vec<FunId> = [system.symbols.null].into_iter().chain(pointers).collect();
    for fun in pointers {
        let x = system.arena.constant(fun);
        let formula = system.arena.eq(x, v);
        if here.len() < MOST && here.iter().all(|p| p.single != Some(x)) {
            here.push(Predicate { formula, single: Some(x) });
        }
    }
}

/// Takes in the predicates that a formula suggests from the beginning.
fn take(
    questions: &mut Questions<'_>,
    location: usize,
    moving: &BTreeSet<FunId>,
    propagated: &Propagated,
    formula: FormulaId,
    here: &mut Vec<Predicate>,
) -> bool {
    let mut grew = false;
    let formula = questions.system.arena.expand(formula, &propagated.same);
    for (rank, predicate) in suggested(questions, location, moving, formula) {
        if rank == Rank::First {
            grew |= add(questions, here, predicate);
        }
    }
    grew
}

/// The variables that a path from the location changes.
pub fn moving(questions: &mut Questions<'_>, location: usize) -> BTreeSet<FunId> {
    let system = &mut questions.system;
    let constants = system.locations[location].constants.clone();
    let mut moving = BTreeSet::new();
    for path in 0..system.paths.len() {
        let (from, to) = (system.paths[path].from.0, system.paths[path].to);
        if from != location || !matches!(to, Target::Location(_)) {
            continue;
        }
        for &fun in &constants {
            let before = system.arena.constant(fun);
            if system.arena.expand_term(before, &system.paths[path].update) != before {
                moving.insert(fun);
            }
        }
    }
    moving
}
