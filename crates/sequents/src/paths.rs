//! Guesses about loops that follow a field: where the walk has come from, where it leads, and what
//! holds of every object that it has passed.
//!
//! A variable walks along a field if a run round the loop takes it from an object to what the field
//! has there. It started where another run brought it to the loop. Whatever has led on, at an object
//! that was passed, is known of it: a search has passed no object that it looks for.

use std::collections::BTreeMap;

use trellis_hol::{Kind, Op, Quantifier, SymbolId, Term, Type};

use crate::build::{
    and, apply, bind, eq, implies, ne, not, null, op, or, replace_symbols, symbol, var,
};
use crate::conditions::Conditions;
use crate::reduce::Reducer;
use crate::sequent::symbols;

/// A variable that walks along a field.
struct Walk {
    variable: SymbolId,
    field: Term,
    /// Where it can have started.
    starts: Vec<Term>,
    /// What was known of it when it went on.
    went_on: Vec<Term>,
}

impl Conditions {
    /// The guesses about walks at a loop, given the objects that may matter.
    pub(crate) fn walks(&mut self, location: usize, objects: &[Term]) -> Vec<Term> {
        let mut all = Vec::new();
        for walk in self.walking(location) {
            let v = symbol(walk.variable, Type::Obj);
            for start in &walk.starts {
                all.push(self.leads(&walk.field, start, &v));
                let is_null = eq(v.clone(), null());
                all.push(or(vec![is_null, self.leads(&walk.field, start, &v)]));
            }
            for other in objects.iter().filter(|o| **o != v) {
                all.push(self.leads(&walk.field, &v, other));
                all.push(ne(v.clone(), other.clone()));
            }
            for start in &walk.starts {
                for known in &walk.went_on {
                    all.push(self.passed(&walk, start, known));
                }
            }
        }
        all
    }

    fn leads(&mut self, field: &Term, from: &Term, to: &Term) -> Term {
        let fresh = &mut self.signature.fresh;
        let (x, y) = (fresh.binder("x", Type::Obj), fresh.binder("y", Type::Obj));
        let step = eq(apply(field.clone(), vec![var(&x)]), var(&y));
        let relation = bind(Quantifier::Lambda, vec![x, y], step);
        op(Op::Reaches, vec![relation, from.clone(), to.clone()], Type::Bool)
    }

    /// Of every object between the start and the variable something holds that held of the variable.
    fn passed(&mut self, walk: &Walk, start: &Term, known: &Term) -> Term {
        let n = self.signature.fresh.binder("n", Type::Obj);
        let v = symbol(walk.variable, Type::Obj);
        let before = and(vec![
            ne(var(&n), null()),
            self.leads(&walk.field, start, &var(&n)),
            not(self.leads(&walk.field, &v, &var(&n))),
        ]);
        let held = replace_symbols(known, &BTreeMap::from([(walk.variable, var(&n))]));
        let domain = self.signature.domain(&self.program.clone(), self.proc);
        let fresh = &mut self.signature.fresh;
        Reducer { fresh, domain }.quantified(Quantifier::Forall, vec![n], implies(before, held))
    }

    fn walking(&self, location: usize) -> Vec<Walk> {
        let head = self.locations[location].block;
        let mut walks: Vec<Walk> = Vec::new();
        let rounds = self.locations[location].runs.arrivals.iter().filter(|a| a.head == head);
        for round in rounds {
            for (variable, value) in &round.state {
                let Some(field) = step_from(value, *variable) else { continue };
                let new = |w: &Walk| w.variable != *variable || w.field != field;
                if walks.iter().all(new) {
                    walks.push(Walk {
                        variable: *variable,
                        field,
                        starts: Vec::new(),
                        went_on: Vec::new(),
                    });
                }
                for walk in walks.iter_mut().filter(|w| w.variable == *variable) {
                    let known = round.hypotheses.iter().flat_map(conjuncts);
                    for h in known.filter(|h| symbols(h).contains(variable)) {
                        if !walk.went_on.contains(h) {
                            walk.went_on.push(h.clone());
                        }
                    }
                }
            }
        }
        for walk in &mut walks {
            for (from, other) in self.locations.iter().enumerate() {
                let arrivals = other.runs.arrivals.iter().filter(|a| a.head == head);
                for value in arrivals.filter_map(|a| a.state.get(&walk.variable)) {
                    let stays = symbols(value).iter().all(|s| self.stays(*s, location));
                    if from != location && stays && !walk.starts.contains(value) {
                        walk.starts.push(value.clone());
                    }
                }
            }
        }
        walks
    }
}

/// The field, if a value is that of a field at a variable.
fn step_from(value: &Term, variable: SymbolId) -> Option<Term> {
    let Kind::Apply(head, args) = &value.kind else { return None };
    let [arg] = &args[..] else { return None };
    let plain = matches!(head.kind, Kind::Symbol(_)) && value.ty == Type::Obj;
    (plain && arg.kind == Kind::Symbol(variable)).then(|| (**head).clone())
}

fn conjuncts(t: &Term) -> Vec<&Term> {
    match &t.kind {
        Kind::Op(Op::And, parts) => parts.iter().flat_map(conjuncts).collect(),
        _ => vec![t],
    }
}
