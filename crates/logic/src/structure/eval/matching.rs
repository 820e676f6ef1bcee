//! Quantifiers over several variables, by matching.
//!
//! `forall x y z: a(x) || b(x, y) || c(z)` is a disjunction under every assignment. A part whose
//! variables all have values is looked at before the next variable gets one: where it is true, all
//! assignments that begin like this are done. An existential quantifier is the same about the
//! negation. So a clause of eight variables costs about as much as finding its negation in the
//! structure, and not the eighth power of its size.
//!
//! **Invariant.** The value is the one that trying all assignments gives, undefined ones included.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{EvalError, Evaluator};
use crate::arena::{Arena, Formula, Quantifier};
use crate::ids::{FormulaId, SortId, VarId};
use crate::structure::Value;

/// How to go about the quantifiers of formulas of one arena.
#[derive(Clone, Default)]
pub struct Plans(RefCell<BTreeMap<FormulaId, Option<Arc<Plan>>>>);

impl fmt::Debug for Plans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plans")
    }
}

impl Plans {
    /// The plan for a quantified formula; none where all assignments are tried in turn.
    pub(super) fn of(
        &self,
        arena: &Arena,
        id: FormulaId,
        quantifier: Quantifier,
        vars: &[VarId],
        body: FormulaId,
    ) -> Option<Arc<Plan>> {
        let make = || Plan::new(arena, quantifier, vars, body).map(Arc::new);
        self.0.borrow_mut().entry(id).or_insert_with(make).clone()
    }
}

/// In which order variables get values, and what can be looked at when.
pub(super) struct Plan {
    /// The truth value that decides the quantifier.
    decisive: bool,
    vars: Vec<VarId>,
    /// By how many variables have values: parts, each with the sign under which it is one of the
    /// disjunction.
    parts: Vec<Vec<(FormulaId, bool)>>,
    body: FormulaId,
}

impl Plan {
    /// The plan for a quantifier; none where one variable is all, or where integers are.
    pub(super) fn new(
        arena: &Arena,
        quantifier: Quantifier,
        vars: &[VarId],
        body: FormulaId,
    ) -> Option<Plan> {
        let integer = |v: &VarId| arena.var(*v).sort == SortId::INT;
        if vars.len() < 2 || vars.iter().any(integer) {
            return None;
        }
        let mut all = Vec::new();
        disjuncts(arena, body, quantifier == Quantifier::Forall, &mut all);
        let mut todo: Vec<(FormulaId, bool)> = all;
        let mut bound: Vec<VarId> = Vec::new();
        let mut left = vars.to_vec();
        let mut parts = vec![ready(arena, &mut todo, &left)];
        while !left.is_empty() {
            // The variable that lets most parts be looked at, else the one that most parts have.
            let worth = |i: &usize| {
                let others: Vec<VarId> = left.iter().copied().filter(|v| *v != left[*i]).collect();
                let free = |f: FormulaId| arena.free_vars(f);
                let done =
                    todo.iter().filter(|(f, _)| !free(*f).iter().any(|v| others.contains(v)));
                let has = todo.iter().filter(|(f, _)| free(*f).contains(&left[*i]));
                (done.count(), has.count(), std::cmp::Reverse(*i))
            };
            let next = (0..left.len()).max_by_key(worth).unwrap_or_default();
            bound.push(left.remove(next));
            parts.push(ready(arena, &mut todo, &left));
        }
        let decisive = quantifier == Quantifier::Exists;
        Some(Plan { decisive, vars: bound, parts, body })
    }
}

/// Takes out the parts that have none of some variables.
fn ready(
    arena: &Arena,
    todo: &mut Vec<(FormulaId, bool)>,
    without: &[VarId],
) -> Vec<(FormulaId, bool)> {
    let waits = |f: FormulaId| arena.free_vars(f).iter().any(|v| without.contains(v));
    let (later, now) = todo.iter().partition(|(f, _)| waits(*f));
    *todo = later;
    now
}

/// The parts of a formula, or of its negation, as a disjunction.
fn disjuncts(arena: &Arena, id: FormulaId, sign: bool, out: &mut Vec<(FormulaId, bool)>) {
    match arena.formula(id) {
        Formula::Not(a) => disjuncts(arena, *a, !sign, out),
        Formula::Or(parts) if sign => parts.iter().for_each(|p| disjuncts(arena, *p, true, out)),
        Formula::And(parts) if !sign => parts.iter().for_each(|p| disjuncts(arena, *p, false, out)),
        Formula::Implies(a, b) if sign => {
            disjuncts(arena, *a, false, out);
            disjuncts(arena, *b, true, out);
        }
        _ => out.push((id, sign)),
    }
}

impl Evaluator<'_> {
    /// The value of the quantifier with this plan.
    pub(super) fn by_plan(&mut self, plan: &Arc<Plan>) -> Result<bool, EvalError> {
        self.at_depth(plan, 0, false)
    }

    /// The value when so many variables have values, and whether a part was undefined on the way.
    fn at_depth(
        &mut self,
        plan: &Arc<Plan>,
        depth: usize,
        mut undefined: bool,
    ) -> Result<bool, EvalError> {
        for &(part, sign) in &plan.parts[depth] {
            match self.formula(part) {
                Ok(value) if value == sign => return Ok(!plan.decisive),
                Ok(_) => {}
                Err(EvalError::Stopped) => return Err(EvalError::Stopped),
                Err(_) => undefined = true,
            }
        }
        let Some(&var) = plan.vars.get(depth) else {
            // Which part is to blame is what the formula says.
            return if undefined { self.formula(plan.body) } else { Ok(plan.decisive) };
        };
        let mut result = Ok(!plan.decisive);
        for x in 0..self.structure.size(self.arena.var(var).sort) {
            self.tick()?;
            self.env.push((var, Value::Elem(x)));
            let value = self.at_depth(plan, depth + 1, undefined);
            self.env.pop();
            match value {
                Ok(value) if value == plan.decisive => return Ok(value),
                Ok(_) => {}
                Err(EvalError::Stopped) => return Err(EvalError::Stopped),
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    }
}
