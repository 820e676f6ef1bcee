//! Parts of invariants that can be read off a procedure, where nobody names predicates.
//!
//! * bounds: an integer that changes is compared with small constants, with other integers and with
//!   lengths of arrays;
//! * objects: one that is kept in a variable is not null, or was made since the entry;
//! * copies: a variable that the loop does not change has the value that it came with;
//! * walks along a field, in `crate::paths`;
//! * frames: what existed at the entry still has its values;
//! * weaker postconditions: a clause of the postcondition, or an assertion, with a variable in place
//!   of the result, and one that changes in place of a bound (the usual way from a goal to an
//!   invariant).
//!
//! All of them are guesses, and most are wrong: whoever uses them shows them.

use std::collections::BTreeMap;

use trellis_hol::{Kind, Op, Quantifier, Term, Type};
use trellis_program::spec::Formula;
use trellis_program::{CheckKind, Cond, InstrKind, Reg, Scalar, cfg};

use crate::build::{
    apply, bind, element, eq, implies, int, le, lt, map_parts, ne, not, null, replace_symbols, var,
};
use crate::conditions::{Candidate, Conditions, What};
use crate::convert::Converter;
use crate::signature::{Item, View};

/// More guesses about one loop are not made.
const MOST: usize = 120;

impl Conditions {
    /// The guesses about a loop.
    pub fn inferred(&mut self, location: usize) -> Vec<Candidate> {
        let objects: Vec<Term> = self
            .variables(location, false)
            .into_iter()
            .map(|(v, _)| v)
            .filter(|v| v.ty == Type::Obj)
            .collect();
        let mut terms = self.walks(location, &objects);
        terms.extend(self.copies(location));
        terms.extend(self.goals(location));
        terms.extend(self.objects(location));
        terms.extend(self.frames());
        terms.extend(self.bounds(location));
        let mut all: Vec<Candidate> = Vec::new();
        for term in terms {
            let symbols = self.signature.symbols.clone();
            let text = trellis_hol::Formula { symbols, term: term.clone() }.to_string();
            let what = What::Inferred(text);
            if all.len() < MOST && all.iter().all(|c| c.what != what) {
                all.push(Candidate { what, term });
            }
        }
        all
    }

    /// The variables that matter at a loop, with their types: those that change, or all.
    fn variables(&mut self, location: usize, only_changing: bool) -> Vec<(Term, Scalar)> {
        let (program, proc) = (self.program.clone(), self.proc);
        let procedure = program.proc(proc);
        let Some(body) = &procedure.body else { return Vec::new() };
        let live = cfg::live_in(body, procedure.vars.len());
        let live = &live[self.locations[location].block.0 as usize];
        let mut all = Vec::new();
        for (item, [now, entry]) in self.signature.items() {
            let Item::Reg(reg) = item else { continue };
            let matters = match reg {
                Reg::Local(v) => live.get(v.0 as usize).copied().unwrap_or(false),
                Reg::Global(_) => true,
            };
            let scalar = program.types.scalar(program.reg_type(proc, reg));
            if let Some(scalar) = scalar.filter(|_| matters && (now != entry || !only_changing)) {
                all.push((self.signature.term(now), scalar));
            }
        }
        all
    }

    /// Variables with the values that they have whenever the loop begins.
    fn copies(&mut self, location: usize) -> Vec<Term> {
        let head = self.locations[location].block;
        let mut all = Vec::new();
        for (variable, _) in self.variables(location, true) {
            let Kind::Symbol(s) = variable.kind else { continue };
            let mut values: Vec<&Term> = Vec::new();
            for (from, cut) in self.locations.iter().enumerate() {
                let arrivals = cut.runs.arrivals.iter().filter(|a| a.head == head);
                for value in arrivals.filter_map(|a| a.state.get(&s)) {
                    let same = from == location && *value == variable;
                    if !same && !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
            if let [value] = values[..]
                && crate::sequent::symbols(value).iter().all(|s| self.stays(*s, location))
            {
                all.push(eq(variable, value.clone()));
            }
        }
        all
    }

    fn bounds(&mut self, location: usize) -> Vec<Term> {
        let mut ends = vec![int(0), int(1)];
        for (variable, scalar) in self.variables(location, false) {
            let of_array = |s: Scalar| match s {
                Scalar::Ptr(to) => self.program.types.scalar(to).is_some(),
                _ => false,
            };
            if variable.ty == Type::Int {
                ends.push(variable);
            } else if of_array(scalar) {
                let length = self.signature.length();
                ends.push(apply(self.signature.term(length), vec![variable]));
            }
        }
        let mut all = Vec::new();
        let changing = self.variables(location, true);
        for (variable, _) in changing.iter().filter(|(v, _)| v.ty == Type::Int) {
            for end in ends.iter().filter(|e| *e != variable) {
                all.push(le(end.clone(), variable.clone()));
                all.push(le(variable.clone(), end.clone()));
                all.push(lt(variable.clone(), end.clone()));
            }
        }
        all
    }

    fn objects(&mut self, location: usize) -> Vec<Term> {
        let (program, proc) = (self.program.clone(), self.proc);
        let existed = match self.signature.allocates() {
            true => self.signature.item(&program, proc, Item::Allocated, View::Entry),
            false => None,
        };
        let mut all = Vec::new();
        for (variable, _) in self.variables(location, true) {
            if variable.ty == Type::Obj {
                all.push(ne(variable.clone(), null()));
                let existed = existed.map(|e| self.signature.term(e));
                all.extend(existed.map(|e| not(element(variable, e))));
            }
        }
        all
    }

    fn frames(&mut self) -> Vec<Term> {
        let (program, proc) = (self.program.clone(), self.proc);
        if !self.signature.allocates() {
            return Vec::new();
        }
        let existed = self.signature.item(&program, proc, Item::Allocated, View::Entry);
        let Some(existed) = existed.map(|e| self.signature.term(e)) else { return Vec::new() };
        let mut all = Vec::new();
        for (item, [now, entry]) in self.signature.items() {
            let depth = match item {
                Item::Field(..) => 1,
                Item::Elements(_) => 2,
                Item::Reg(_) | Item::Allocated => continue,
            };
            if now == entry {
                continue;
            }
            let types = [Type::Obj, Type::Int].into_iter().take(depth);
            let binders: Vec<_> = types.map(|t| self.signature.fresh.binder("x", t)).collect();
            let args: Vec<Term> = binders.iter().map(var).collect();
            let was = apply(self.signature.term(entry), args.clone());
            let same = eq(apply(self.signature.term(now), args.clone()), was);
            let body = implies(element(args[0].clone(), existed.clone()), same);
            all.push(bind(Quantifier::Forall, binders, body));
        }
        all
    }

    /// What the procedure must show in the end, weakened.
    fn goals(&mut self, location: usize) -> Vec<Term> {
        let program = self.program.clone();
        let procedure = program.proc(self.proc);
        let asserted =
            procedure.body.iter().flat_map(|b| b.instrs()).filter_map(|i| match &i.kind {
                // Those of a procedure that is called are assertions here.
                InstrKind::Assert {
                    kind: CheckKind::SpecAssert | CheckKind::Postcondition,
                    cond: Cond::Spec(f),
                } => Some((f, i.span)),
                _ => None,
            });
        let ensures = procedure.contract.ensures.iter().map(|c| (&c.formula, c.span));
        let formulas: Vec<(&Formula, _)> = ensures.chain(asserted).collect();
        let mut all = Vec::new();
        for (formula, span) in formulas {
            let mut reader = Converter::new(&program, self.proc, &mut self.signature, span);
            let Ok(claimed) = reader.claimed(formula) else { continue };
            for goal in self.for_results(&claimed, location) {
                all.extend(self.for_bounds(&goal, location));
                all.push(goal);
            }
        }
        all
    }

    /// A goal with each variable of its type in place of the result, or of a variable that has no
    /// value yet.
    fn for_results(&mut self, goal: &Term, location: usize) -> Vec<Term> {
        let mentioned = crate::sequent::symbols(goal);
        let live = self.variables(location, false);
        let later = self.signature.items().into_iter().filter_map(|(item, [now, entry])| {
            let is_live = live.iter().any(|(v, _)| v.kind == Kind::Symbol(now));
            (matches!(item, Item::Reg(_)) && now != entry && !is_live).then_some(now)
        });
        let results = self.signature.results().into_iter().chain(later);
        let result = results.into_iter().find(|r| mentioned.contains(r));
        let Some(result) = result else { return vec![goal.clone()] };
        let ty = self.signature.term(result).ty;
        let variables = self.variables(location, true);
        let fitting = variables.into_iter().filter(|(v, _)| v.ty == ty);
        fitting.map(|(v, _)| replace_symbols(goal, &BTreeMap::from([(result, v)]))).collect()
    }

    /// A goal about all integers below a bound, for those below a variable that changes.
    fn for_bounds(&mut self, goal: &Term, location: usize) -> Vec<Term> {
        let mut bounds: Vec<Term> = Vec::new();
        goal.visit(&mut |t| {
            if let Kind::Op(Op::Less | Op::LessEq, sides) = &t.kind
                && matches!(sides[0].kind, Kind::Var(_))
                && is_closed(&sides[1])
                && !bounds.contains(&sides[1])
            {
                bounds.push(sides[1].clone());
            }
        });
        let variables = self.variables(location, true);
        let integers: Vec<Term> =
            variables.into_iter().map(|(v, _)| v).filter(|v| v.ty == Type::Int).collect();
        let pairs = bounds.iter().flat_map(|b| integers.iter().map(move |v| (b, v)));
        pairs.map(|(bound, v)| below(goal, bound, v)).collect()
    }
}

fn is_closed(t: &Term) -> bool {
    let mut closed = true;
    t.visit(&mut |part| closed &= !matches!(part.kind, Kind::Var(_)));
    closed
}

/// A formula in which variables are compared with another bound.
fn below(t: &Term, bound: &Term, by: &Term) -> Term {
    match &t.kind {
        Kind::Op(o @ (Op::Less | Op::LessEq), sides)
            if matches!(sides[0].kind, Kind::Var(_)) && sides[1] == *bound =>
        {
            crate::build::op(*o, vec![sides[0].clone(), by.clone()], Type::Bool)
        }
        _ => map_parts(t, &mut |part| below(part, bound, by)),
    }
}
