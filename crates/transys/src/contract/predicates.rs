//! The predicates that the user defined, as formulas of a transition system.
//!
//! **Invariant.** The formula of a predicate has no free variables but its parameters, and in every
//! state it is true of objects exactly if the definition is.

use trellis_logic::{Arena, Formula, FormulaId, Quantifier, VarId};
use trellis_program::spec::{Formula as Clause, Predicate, Sort};
use trellis_program::view::{self, Spot};
use trellis_program::{Program, Refusal, Span};

use crate::contract::relational::{Mode, Relational};
use crate::system::TransitionSystem;

/// A predicate of the user over objects.
#[derive(Clone, Debug)]
pub struct UserPredicate {
    /// Its name.
    pub name: String,
    /// Its parameters, each with where it points.
    pub params: Vec<(VarId, Spot)>,
    /// Its definition.
    pub formula: FormulaId,
}

/// Translates a predicate of the program, by its name.
///
/// # Errors
/// If there is none, or it speaks of something that the system does not have.
pub fn user_predicate(
    program: &Program,
    system: &mut TransitionSystem,
    name: &str,
) -> Result<UserPredicate, Refusal> {
    let Some(predicate) = program.predicates.iter().find(|p| p.name == name) else {
        let span = program.proc(system.proc).span;
        return Err(Refusal::at(span, format!("a predicate {name} that is not defined")));
    };
    translate(system, predicate).map_err(|reason| Refusal::at(predicate.span, reason))
}

/// The predicates with a definition and with nothing but pointers for parameters.
pub fn user_predicates(program: &Program) -> Vec<(String, Span)> {
    let over_pointers = |p: &&Predicate| p.params.iter().all(|b| matches!(b.sort, Sort::Ptr(_)));
    let defined = program.predicates.iter().filter(|p| p.body.is_some()).filter(over_pointers);
    defined.map(|p| (p.name.clone(), p.span)).collect()
}

fn translate(
    system: &mut TransitionSystem,
    predicate: &Predicate,
) -> Result<UserPredicate, String> {
    let Some(body) = &predicate.body else {
        return Err("a predicate without a definition".into());
    };
    let vocabulary = system.symbols.view.clone();
    let mut view_arena = Arena::new();
    let mut params = Vec::new();
    for binder in &predicate.params {
        let Sort::Ptr(ty) = binder.sort else {
            return Err("a predicate over something else than pointers".into());
        };
        let spot = vocabulary.pointee(ty).map_err(|e| e.reason)?;
        let inner = view_arena.variable(binder.name.clone(), vocabulary.obj);
        params.push((inner, system.arena.variable(binder.name.clone(), system.symbols.obj), spot));
    }
    // The parameters are bound by a quantifier around the definition, which is then taken away.
    let closed = Clause::Forall(predicate.params.clone(), Box::new(body.clone()));
    let closed = view::formula(&vocabulary, &mut view_arena, &closed).map_err(|e| e.reason)?;
    let open = match view_arena.formula(closed).clone() {
        Formula::Quant(Quantifier::Forall, vars, body) => {
            let is_param = |v: &VarId| params.iter().any(|(inner, _, _)| inner == v);
            let own: Vec<VarId> = vars.iter().copied().filter(|v| !is_param(v)).collect();
            view_arena.forall(&own, body)
        }
        _ => closed,
    };
    let may_allocate = system.symbols.alloc.now != system.symbols.alloc.entry;
    let mut relational = Relational {
        symbols: &mut system.symbols,
        logic: &mut system.vocabulary,
        arena: &mut system.arena,
        view: &view_arena,
        mode: Mode::Check,
        may_dangle: may_allocate,
        may_allocate,
        own: None,
        fresh: 0,
        universal: 0,
        existential: 0,
    };
    let formula = relational.holds(open)?;
    let params = params.into_iter().map(|(_, var, spot)| (var, spot)).collect();
    Ok(UserPredicate { name: predicate.name.clone(), params, formula })
}
