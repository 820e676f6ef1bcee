//! Properties of single steps as properties of all paths.
//!
//! If `x->f == y ==> P(x, y)` holds of all objects, and P(x, y) and P(y, z) give P(x, z) wherever y
//! is on the way from x to z, then by induction on the way P(x, y) holds wherever y is reached from
//! x and is another object; and the other way round a step leads to another object, where there are
//! no cycles. So "keys never decrease", "what a node leads to is in the list", "nothing leads to the
//! first node" become formulas about paths, which are atoms.
//!
//! **Invariant.** [`Universal::lifted`] follows from its clause.

use trellis_logic::{Formula, FormulaId, Subst, Term, TermId, VarId};

use super::{Leave, Universal};
use crate::theory::FieldAt;

/// `x->f == y`, a premise of a clause.
#[derive(Clone, Copy)]
struct Premise {
    literal: FormulaId,
    at: FieldAt,
    from: TermId,
    to: TermId,
}

/// The ends of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Apart,
    /// They may be one, on a cycle.
    Any,
}

impl Universal<'_, '_> {
    /// A clause over universal variables without steps among its premises; nothing if it has no
    /// such form.
    pub(super) fn lifted(
        &mut self,
        mut clause: Vec<FormulaId>,
        mut vars: Vec<VarId>,
    ) -> Option<FormulaId> {
        self.name_ends(&mut clause, &mut vars);
        self.join_ends(&mut clause, &mut vars);
        let mut ends = Vec::new();
        loop {
            let premises = self.premises(&clause);
            if premises.is_empty() {
                break;
            }
            let without = |premise: &Premise| -> Vec<FormulaId> {
                clause.iter().copied().filter(|literal| *literal != premise.literal).collect()
            };
            if let Some(premise) = premises.iter().find(|p| !self.is_bound(p.from, &vars)) {
                let rest = without(premise);
                return self.without_constant(*premise, rest, vars);
            }
            let all: Vec<(Premise, Vec<FormulaId>)> =
                premises.into_iter().map(|p| (p, without(&p))).collect();
            let carried =
                all.iter().find(|(p, rest)| self.carries_over(*p, rest, &vars, Ends::Apart));
            clause = match carried {
                Some((premise, rest)) => {
                    ends.extend(self.all_end(*premise, rest, &vars));
                    self.over_paths(*premise, rest.clone())
                }
                None => all.into_iter().find_map(|(p, rest)| self.weaker(p, rest))?,
            };
        }
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for literal in clause {
            let free = self.builder.arena.free_vars(literal).iter().any(|v| vars.contains(v));
            let spelled = self.spelled_out(literal);
            if free { inside.push(spelled) } else { outside.push(spelled) }
        }
        let arena = &mut self.builder.arena;
        let inside = arena.or(inside);
        outside.push(arena.forall(&vars, inside));
        ends.push(arena.or(outside));
        Some(arena.and(ends))
    }

    /// What a clause says of a step, of every path.
    fn over_paths(&mut self, premise: Premise, mut rest: Vec<FormulaId>) -> Vec<FormulaId> {
        let reached = self.heap().reach(premise.at, premise.from, premise.to);
        let arena = &mut self.builder.arena;
        rest.extend([arena.eq(premise.from, premise.to), arena.not(reached)]);
        rest
    }

    /// That all paths over a field end, where what every step does no path from an object to itself
    /// can do.
    fn all_end(
        &mut self,
        premise: Premise,
        rest: &[FormulaId],
        vars: &[VarId],
    ) -> Option<FormulaId> {
        if !self.symbols.pointers[premise.at.field].theory.has_cycles() {
            return None;
        }
        let Term::Var(end) = *self.builder.arena.term(premise.to) else { return None };
        let null = self.heap().null();
        let arena = &mut self.builder.arena;
        let said = arena.or(rest.iter().copied());
        let back = arena.subst(said, &Subst::single(end, premise.from));
        let (never, nothing) = (arena.not(back), arena.eq(premise.from, null));
        let strict = arena.or([nothing, never]);
        let strict = arena.forall(vars, strict);
        if !self.is_valid(strict) || !self.carries_over(premise, rest, vars, Ends::Any) {
            return None;
        }
        let (var, x) = self.variable();
        let ends = self.heap().reach(premise.at, x, null);
        Some(self.builder.arena.forall(&[var], ends))
    }

    /// The steps that a clause has among its premises.
    fn premises(&self, clause: &[FormulaId]) -> Vec<Premise> {
        let arena = &self.builder.arena;
        let premise = |&literal: &FormulaId| {
            let Formula::Not(atom) = arena.formula(literal) else { return None };
            let Formula::Rel(rel, args) = arena.formula(*atom) else { return None };
            let at = *self.steps.get(rel)?;
            Some(Premise { literal, at, from: args[0], to: args[1] })
        };
        clause.iter().filter_map(premise).collect()
    }

    fn is_bound(&self, term: TermId, vars: &[VarId]) -> bool {
        matches!(self.builder.arena.term(term), Term::Var(v) if vars.contains(v))
    }

    /// `x->f == c` is `x->f == y` with y = c.
    fn name_ends(&mut self, clause: &mut Vec<FormulaId>, vars: &mut Vec<VarId>) {
        for premise in self.premises(clause) {
            let fixed = !self.is_bound(premise.from, vars) && !self.is_bound(premise.to, vars);
            if self.is_bound(premise.to, vars) && premise.to != premise.from || fixed {
                continue;
            }
            let (var, end) = self.variable();
            vars.push(var);
            let step = self.heap().load(premise.at, premise.from, end);
            let arena = &mut self.builder.arena;
            let (step, other) = (arena.not(step), arena.ne(end, premise.to));
            clause.retain(|literal| *literal != premise.literal);
            clause.extend([step, other]);
        }
    }

    /// A cell holds one value, so that two names of it are one.
    fn join_ends(&mut self, clause: &mut Vec<FormulaId>, vars: &mut Vec<VarId>) {
        loop {
            let premises = self.premises(clause);
            self.compare_ends(clause, &premises);
            let twins = premises.iter().enumerate().find_map(|(i, a)| {
                let same = |b: &&Premise| b.at == a.at && b.from == a.from && b.to != a.to;
                premises[..i].iter().find(same).map(|b| (*a, *b))
            });
            let Some((a, b)) = twins else { return };
            let Term::Var(var) = *self.builder.arena.term(a.to) else { return };
            if !vars.contains(&var) {
                return;
            }
            vars.retain(|v| *v != var);
            let by = Subst::single(var, b.to);
            let renamed: Vec<FormulaId> =
                clause.iter().map(|&literal| self.builder.arena.subst(literal, &by)).collect();
            *clause = renamed;
            clause.sort_unstable();
            clause.dedup();
            clause.retain(|literal| *literal != FormulaId::FALSE);
        }
    }

    /// Where `x->f == y` is a premise, `x->f == z` says that y is z.
    fn compare_ends(&mut self, clause: &mut [FormulaId], premises: &[Premise]) {
        for literal in clause {
            let Formula::Rel(rel, args) = self.builder.arena.formula(*literal) else { continue };
            let (from, to) = match (self.steps.get(rel), &args[..]) {
                (Some(at), &[from, to]) => ((*at, from), to),
                _ => continue,
            };
            if let Some(same) = premises.iter().find(|p| (p.at, p.from) == from) {
                *literal = self.builder.arena.eq(same.to, to);
            }
        }
    }

    /// What one object leads to is some object, not one for each value of the variables.
    fn without_constant(
        &mut self,
        premise: Premise,
        clause: Vec<FormulaId>,
        vars: Vec<VarId>,
    ) -> Option<FormulaId> {
        let step = self.heap().load(premise.at, premise.from, premise.to);
        let step = self.spelled_out(step);
        let null = self.heap().null();
        if !self.is_bound(premise.to, &vars) {
            let rest = self.lifted(clause, vars)?;
            let arena = &mut self.builder.arena;
            let other = arena.not(step);
            return Some(arena.or([other, rest]));
        }
        let Term::Var(end) = *self.builder.arena.term(premise.to) else { return None };
        let others: Vec<VarId> = vars.into_iter().filter(|v| *v != end).collect();
        let rest = self.lifted(clause, others)?;
        let arena = &mut self.builder.arena;
        let nothing = arena.eq(premise.from, null);
        let body = arena.and([step, rest]);
        let leads = arena.exists(&[end], body);
        Some(arena.or([nothing, leads]))
    }

    /// A clause without a step among its premises that follows from it, if less may be known: what
    /// is reached from the next object is reached from the one before.
    fn weaker(&mut self, premise: Premise, clause: Vec<FormulaId>) -> Option<Vec<FormulaId>> {
        if self.leave == Leave::Refuse {
            return None;
        }
        let Term::Var(y) = *self.builder.arena.term(premise.to) else { return None };
        let mut out = Vec::new();
        for literal in clause {
            if !self.builder.arena.free_vars(literal).contains(&y) {
                out.push(literal);
                continue;
            }
            let by = Subst::single(y, premise.from);
            let before = self.builder.arena.subst(literal, &by);
            let step = self.step(premise.at, premise.from, premise.to);
            let arena = &mut self.builder.arena;
            let both = arena.and([step, literal]);
            // Where there are no cycles, what is reached behind an object is another one.
            let strict = match arena.formula(before).clone() {
                Formula::Rel(_, args) if args.len() > 1 => {
                    let apart = arena.ne(premise.from, args[args.len() - 1]);
                    arena.and([before, apart])
                }
                _ => before,
            };
            let follows = [strict, before].into_iter().find(|&before| {
                let arena = &mut self.builder.arena;
                let follows = arena.implies(both, before);
                let vars = arena.free_vars(follows).to_vec();
                let follows = arena.forall(&vars, follows);
                self.is_valid(follows)
            });
            out.push(follows?);
        }
        let null = self.heap().null();
        out.push(self.builder.arena.eq(premise.from, null));
        self.left_out = true;
        Some(out)
    }

    /// Whether what a clause says of the ends of a step it says of the ends of every path.
    fn carries_over(
        &mut self,
        premise: Premise,
        rest: &[FormulaId],
        vars: &[VarId],
        ends: Ends,
    ) -> bool {
        let variable = |term| match self.builder.arena.term(term) {
            Term::Var(v) => Some(*v),
            _ => None,
        };
        let (Some(x), Some(y)) = (variable(premise.from), variable(premise.to)) else {
            return false;
        };
        let (z, zt) = self.variable();
        let (xt, yt) = (premise.from, premise.to);
        let arena = &mut self.builder.arena;
        let first = arena.or(rest.iter().copied());
        let second = arena.subst(first, &Subst::from_iter([(x, yt), (y, zt)]));
        let both = arena.subst(first, &Subst::single(y, zt));
        let mut quantified = vars.to_vec();
        quantified.push(z);
        // By the first step of the way, or by the last.
        [true, false].into_iter().any(|at_the_start| {
            let parts = match at_the_start {
                true => [self.step(premise.at, xt, yt), self.way(premise.at, yt, zt)],
                false => [self.way(premise.at, xt, yt), self.step(premise.at, yt, zt)],
            };
            let arena = &mut self.builder.arena;
            let apart = match ends {
                Ends::Apart => arena.ne(xt, zt),
                Ends::Any => FormulaId::TRUE,
            };
            let premises = arena.and([parts[0], parts[1], apart, first, second]);
            let carries = arena.implies(premises, both);
            let carries = arena.forall(&quantified, carries);
            self.is_valid(carries)
        })
    }

    fn step(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let step = self.heap().load(at, x, y);
        let apart = self.builder.arena.ne(x, y);
        self.builder.arena.and([step, apart])
    }

    /// y is reached from x, and is another object.
    fn way(&mut self, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let reached = self.heap().reach(at, x, y);
        let apart = self.builder.arena.ne(x, y);
        self.builder.arena.and([reached, apart])
    }
}
