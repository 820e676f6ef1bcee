//! The values of a formula for all values of one variable at once.
//!
//! Atoms are copied from the structure, connectives work on whole rows, and what does not depend on
//! the variable is evaluated once. This is what most of the time of an analysis goes into.
//!
//! **Contract**: the entry of every wanted individual is the value that the formula has if the
//! variable stands for it. Other entries mean nothing.

use super::eval::Evaluator;
use super::formula::{Closure, Formula, Time, Var};
use super::predicates::PredId;
use super::structure::KleeneStructure;
use super::value::Kleene;

/// Structures with more individuals are evaluated one by one.
pub(super) const WIDTH: usize = 32;

/// By individual.
pub(super) type Row = [Kleene; WIDTH];

/// A set of individuals.
pub(super) type Wanted = u32;

/// The first so many individuals.
pub(super) fn first(count: usize) -> Wanted {
    debug_assert!(count <= WIDTH);
    if count == WIDTH { Wanted::MAX } else { (1 << count) - 1 }
}

impl<'a> Evaluator<'a> {
    /// The values of a formula for all values of a variable.
    pub(super) fn row(&mut self, formula: &'a Formula, var: Var, wanted: Wanted) -> Row {
        match formula {
            Formula::Const(value) => [*value; WIDTH],
            Formula::Atom(p, args, time) => {
                let structure = match time {
                    Time::Before => self.before,
                    Time::After => self.after,
                };
                self.atom_row(structure, *p, args, var)
            }
            Formula::Eq(a, b) => self.equality_row(*a, *b, var),
            Formula::Not(a) => self.row(a, var, wanted).map(|v| !v),
            Formula::And(parts) => self.parts_row(parts, var, wanted, Kleene::False),
            Formula::Or(parts) => self.parts_row(parts, var, wanted, Kleene::True),
            Formula::Closure(c) if !c.step.mentions(var) || c.ends.contains(&var) => {
                self.closure_row(c, var)
            }
            Formula::Exists(..) | Formula::Forall(..) | Formula::Closure(_) => {
                if !formula.mentions(var) {
                    return [self.formula(formula); WIDTH];
                }
                let mut row = [Kleene::Maybe; WIDTH];
                let outer = self.value_of(var);
                for (u, value) in row.iter_mut().enumerate().take(self.before.size()) {
                    if wanted >> u & 1 != 0 {
                        self.bind(var, u);
                        *value = self.formula(formula);
                    }
                }
                self.bind(var, outer);
                row
            }
        }
    }

    /// A conjunction, which `False` decides, or a disjunction, which `True` decides.
    fn parts_row(
        &mut self,
        parts: &'a [Formula],
        var: Var,
        mut wanted: Wanted,
        decisive: Kleene,
    ) -> Row {
        let mut row = [!decisive; WIDTH];
        for part in parts {
            if wanted == 0 {
                break;
            }
            let next = self.row(part, var, wanted);
            for (value, next) in row.iter_mut().zip(next) {
                *value = match decisive {
                    Kleene::False => value.and(next),
                    _ => value.or(next),
                };
            }
            for (u, value) in row.iter().enumerate() {
                wanted &= !(Wanted::from(*value == decisive) << u);
            }
        }
        row
    }

    fn atom_row(&self, structure: &KleeneStructure, p: PredId, args: &[Var], var: Var) -> Row {
        let n = structure.size();
        let values = &structure.values[structure.range(p)];
        let mut row = [Kleene::Maybe; WIDTH];
        match *args {
            [a] if a == var => row[..n].copy_from_slice(values),
            [a, b] if a == var && b == var => {
                (0..n).for_each(|u| row[u] = values[u * n + u]);
            }
            [a, b] if b == var => {
                let start = self.value_of(a) * n;
                row[..n].copy_from_slice(&values[start..start + n]);
            }
            [a, b] if a == var => {
                let column = self.value_of(b);
                (0..n).for_each(|u| row[u] = values[u * n + column]);
            }
            [a, b] => row = [values[self.value_of(a) * n + self.value_of(b)]; WIDTH],
            [a] => row = [values[self.value_of(a)]; WIDTH],
            _ => row = [values[0]; WIDTH],
        }
        row
    }

    fn equality_row(&self, a: Var, b: Var, var: Var) -> Row {
        let n = self.before.size();
        let mut row = [Kleene::False; WIDTH];
        let fixed = match (a == var, b == var) {
            (true, true) => {
                (0..n).for_each(|u| row[u] = self.before.equal(u, u));
                return row;
            }
            (false, false) => {
                return [self.before.equal(self.value_of(a), self.value_of(b)); WIDTH];
            }
            (true, false) => self.value_of(b),
            (false, true) => self.value_of(a),
        };
        row[fixed] = self.before.equal(fixed, fixed);
        row
    }

    /// A closure whose steps do not depend on the variable.
    fn closure_row(&mut self, c: &'a Closure, var: Var) -> Row {
        let n = self.before.size();
        let (from, to) = (self.value_of(c.from), self.value_of(c.to));
        self.with_closure(c, |table| {
            let mut row = [Kleene::Maybe; WIDTH];
            for (u, value) in row.iter_mut().enumerate().take(n) {
                let from = if c.from == var { u } else { from };
                let to = if c.to == var { u } else { to };
                *value = table[from * n + to];
            }
            row
        })
    }
}
