//! The value of a formula by Kleene's rules.
//!
//! **Contract** (the embedding theorem): if S [embeds](super::embed) into T by f, the value of a
//! formula in T under f of an assignment is that in S under the assignment, or `Maybe`. So what is
//! definite in an abstract structure holds in every heap that it describes.
//!
//! A closure is the greatest value of a path, where a path is worth its least step.

use super::formula::{Closure, Formula, Time, Var};
use super::row::{WIDTH, first};
use super::structure::KleeneStructure;
use super::value::Kleene;

/// As many as [`Var`] can number.
const VARIABLES: usize = 256;

/// Evaluates formulas in one structure, or in the two of an action.
pub struct Evaluator<'a> {
    pub(super) before: &'a KleeneStructure,
    pub(super) after: &'a KleeneStructure,
    /// By variable.
    env: [u16; VARIABLES],
    /// Closures whose steps have no other free variables, by the address of the closure.
    closures: Vec<(*const Closure, Vec<Kleene>)>,
}

impl<'a> Evaluator<'a> {
    /// For formulas about one structure.
    pub fn new(structure: &'a KleeneStructure) -> Self {
        Self::of_action(structure, structure)
    }

    /// For formulas about the structures before and after an action, which have the same
    /// individuals.
    pub fn of_action(before: &'a KleeneStructure, after: &'a KleeneStructure) -> Self {
        Evaluator { before, after, env: [0; VARIABLES], closures: Vec::new() }
    }

    /// The value of a formula whose free variables are the first ones, with these values.
    pub fn at(&mut self, formula: &'a Formula, args: &[usize]) -> Kleene {
        self.assign(args);
        self.formula(formula)
    }

    /// The value of a closed formula.
    pub fn closed(&mut self, formula: &'a Formula) -> Kleene {
        self.formula(formula)
    }

    /// The values of a formula for all tuples of its free variables, the first `places`, in the
    /// order of [`KleeneStructure::tuples`].
    pub(super) fn table(&mut self, formula: &'a Formula, places: usize) -> Vec<Kleene> {
        let n = self.before.size();
        let mut values = Vec::with_capacity(n.pow(places as u32));
        match places {
            0 => values.push(self.formula(formula)),
            1 => self.push_row(formula, Var::new(0), &mut values),
            _ => {
                for u in 0..n {
                    self.bind(Var::new(0), u);
                    self.push_row(formula, Var::new(1), &mut values);
                }
            }
        }
        values
    }

    /// Appends the values for all values of a variable.
    fn push_row(&mut self, formula: &'a Formula, var: Var, values: &mut Vec<Kleene>) {
        let n = self.before.size();
        if n <= WIDTH {
            values.extend_from_slice(&self.row(formula, var, first(n))[..n]);
            return;
        }
        for u in 0..n {
            self.bind(var, u);
            values.push(self.formula(formula));
        }
    }

    pub(super) fn assign(&mut self, args: &[usize]) {
        for (i, &u) in args.iter().enumerate() {
            self.bind(Var::new(i), u);
        }
    }

    pub(super) fn bind(&mut self, var: Var, individual: usize) -> usize {
        usize::from(std::mem::replace(&mut self.env[var.index()], individual as u16))
    }

    pub(super) fn value_of(&self, var: Var) -> usize {
        usize::from(self.env[var.index()])
    }

    /// The value of a formula under the current assignment.
    pub(super) fn formula(&mut self, formula: &'a Formula) -> Kleene {
        match formula {
            Formula::Const(value) => *value,
            Formula::Atom(p, args, time) => {
                let structure = match time {
                    Time::Before => self.before,
                    Time::After => self.after,
                };
                match **args {
                    [] => structure.get(*p, &[]),
                    [a] => structure.get(*p, &[self.value_of(a)]),
                    [a, b] => structure.get(*p, &[self.value_of(a), self.value_of(b)]),
                    _ => unreachable!("predicates have at most two places"),
                }
            }
            Formula::Eq(a, b) => self.before.equal(self.value_of(*a), self.value_of(*b)),
            Formula::Not(a) => !self.formula(a),
            Formula::And(parts) => {
                let mut value = Kleene::True;
                for part in parts {
                    value = value.and(self.formula(part));
                    if value == Kleene::False {
                        break;
                    }
                }
                value
            }
            Formula::Or(parts) => {
                let mut value = Kleene::False;
                for part in parts {
                    value = value.or(self.formula(part));
                    if value == Kleene::True {
                        break;
                    }
                }
                value
            }
            Formula::Exists(v, body) => {
                self.over_all(*v, body, Kleene::False, Kleene::or, Kleene::True)
            }
            Formula::Forall(v, body) => {
                self.over_all(*v, body, Kleene::True, Kleene::and, Kleene::False)
            }
            Formula::Closure(c) => self.closure(c),
        }
    }

    fn over_all(
        &mut self,
        var: Var,
        body: &'a Formula,
        neutral: Kleene,
        combine: fn(Kleene, Kleene) -> Kleene,
        decisive: Kleene,
    ) -> Kleene {
        let n = self.before.size();
        if n <= WIDTH {
            let row = self.row(body, var, first(n));
            return row[..n].iter().fold(neutral, |value, next| combine(value, *next));
        }
        let outer = self.bind(var, 0);
        let mut value = neutral;
        for u in 0..self.before.size() {
            self.bind(var, u);
            value = combine(value, self.formula(body));
            if value == decisive {
                break;
            }
        }
        self.bind(var, outer);
        value
    }

    fn closure(&mut self, c: &'a Closure) -> Kleene {
        let n = self.before.size();
        let (from, to) = (self.value_of(c.from), self.value_of(c.to));
        self.with_closure(c, |table| table[from * n + to])
    }

    /// Looks at the values of a closure for every pair.
    pub(super) fn with_closure<T>(
        &mut self,
        c: &'a Closure,
        look: impl FnOnce(&[Kleene]) -> T,
    ) -> T {
        let key: *const Closure = c;
        if let Some((_, table)) = self.closures.iter().find(|(k, _)| *k == key) {
            return look(table);
        }
        let table = self.closure_table(c);
        let found = look(&table);
        if c.step.free_vars().iter().all(|v| c.ends.contains(v)) {
            self.closures.push((key, table));
        }
        found
    }

    /// The value of the closure for every pair.
    fn closure_table(&mut self, c: &'a Closure) -> Vec<Kleene> {
        let n = self.before.size();
        let mut table = vec![Kleene::False; n * n];
        let outer = c.ends.map(|v| self.bind(v, 0));
        for a in 0..n {
            self.bind(c.ends[0], a);
            if n <= WIDTH {
                let row = self.row(&c.step, c.ends[1], first(n));
                table[a * n..(a + 1) * n].copy_from_slice(&row[..n]);
                continue;
            }
            for b in 0..n {
                self.bind(c.ends[1], b);
                table[a * n + b] = self.formula(&c.step);
            }
        }
        self.bind(c.ends[1], outer[1]);
        self.bind(c.ends[0], outer[0]);
        for m in 0..n {
            for a in 0..n {
                let first = table[a * n + m];
                if first == Kleene::False {
                    continue;
                }
                for b in 0..n {
                    table[a * n + b] = table[a * n + b].or(first.and(table[m * n + b]));
                }
            }
        }
        table
    }
}
