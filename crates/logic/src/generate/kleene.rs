//! Random three-valued structures and formulas over them.

use std::sync::Arc;

use crate::generate::tape::Tape;
use crate::kleene::{Formula, Kleene, KleeneStructure, PredId, Predicate, Predicates, Var};

/// A table with predicates of every arity; some of the unary ones are abstraction predicates.
pub fn predicates(tape: &mut Tape) -> Arc<Predicates> {
    let mut predicates = Predicates::new();
    for i in 0..tape.below(2) {
        predicates.declare(Predicate::core(format!("b{i}"), 0));
    }
    for i in 0..=tape.below(3) {
        let predicate = Predicate::core(format!("p{i}"), 1);
        predicates.declare(match tape.chance(25) {
            true => predicate.no_abstraction(),
            false => predicate,
        });
    }
    for i in 0..=tape.below(2) {
        predicates.declare(Predicate::core(format!("r{i}"), 2));
    }
    Arc::new(predicates)
}

/// A structure with up to `size` individuals in which everything is definite.
pub fn definite(tape: &mut Tape, predicates: &Arc<Predicates>, size: u32) -> KleeneStructure {
    let n = tape.below(size + 1) as usize;
    let mut structure = KleeneStructure::new(predicates.clone(), n);
    for p in predicates.ids() {
        for tuple in structure.tuples(predicates.get(p).arity) {
            structure.set(p, &tuple, tape.chance(45));
        }
    }
    structure
}

/// A structure with up to `size` individuals, some of them summaries, and values `Maybe`.
pub fn indefinite(tape: &mut Tape, predicates: &Arc<Predicates>, size: u32) -> KleeneStructure {
    let mut structure = definite(tape, predicates, size);
    for u in 0..structure.size() {
        structure.set_summary(u, tape.chance(30));
    }
    for p in predicates.ids() {
        for tuple in structure.tuples(predicates.get(p).arity) {
            if tape.chance(30) {
                structure.set(p, &tuple, Kleene::Maybe);
            }
        }
    }
    structure
}

/// A formula with the first `places` variables free.
pub fn formula(tape: &mut Tape, predicates: &Predicates, places: usize, depth: u32) -> Formula {
    let scope = (0..places).map(Var::new).collect();
    Builder { tape, predicates, scope }.formula(depth)
}

struct Builder<'a> {
    tape: &'a mut Tape,
    predicates: &'a Predicates,
    scope: Vec<Var>,
}

impl Builder<'_> {
    fn formula(&mut self, depth: u32) -> Formula {
        if depth == 0 {
            return self.atom();
        }
        match self.tape.below(8) {
            0 => self.atom(),
            1 => self.formula(depth - 1).not(),
            2 => Formula::and([self.formula(depth - 1), self.formula(depth - 1)]),
            3 => Formula::or([self.formula(depth - 1), self.formula(depth - 1)]),
            4 | 5 => {
                let var = Var::new(self.scope.len());
                self.scope.push(var);
                let body = self.formula(depth - 1);
                self.scope.pop();
                Formula::exists(var, body)
            }
            6 => {
                let var = Var::new(self.scope.len());
                self.scope.push(var);
                let body = self.formula(depth - 1);
                self.scope.pop();
                Formula::forall(var, body)
            }
            _ => {
                let (Some(from), Some(to)) = (self.var(), self.var()) else {
                    return self.atom();
                };
                let ends = [Var::new(self.scope.len()), Var::new(self.scope.len() + 1)];
                self.scope.extend(ends);
                let step = self.formula(depth - 1);
                self.scope.truncate(self.scope.len() - 2);
                Formula::closure(step, ends, from, to)
            }
        }
    }

    fn var(&mut self) -> Option<Var> {
        self.tape.pick(&self.scope).copied()
    }

    fn atom(&mut self) -> Formula {
        let usable: Vec<PredId> = self
            .predicates
            .ids()
            .filter(|&p| self.predicates.get(p).arity == 0 || !self.scope.is_empty())
            .collect();
        if self.tape.chance(15)
            && let (Some(a), Some(b)) = (self.var(), self.var())
        {
            return Formula::eq(a, b);
        }
        match self.tape.pick(&usable).copied() {
            Some(p) => {
                let arity = self.predicates.get(p).arity;
                let args: Vec<Var> = (0..arity).filter_map(|_| self.var()).collect();
                Formula::atom(p, &args)
            }
            None => Formula::Const(self.tape.chance(50).into()),
        }
    }
}
