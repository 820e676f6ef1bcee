//! The canonical abstraction of uninterrupted lists (*Predicate and Canonical Abstraction*, section
//! 5, Table 7).
//!
//! | predicate | definition |
//! |---|---|
//! | `is(v)` | v is heap-shared |
//! | `int(v)` | v is an interruption: shared, or a program variable points to it |
//! | `ul(v, w)` | a list leads from v to w, with no interruption between them (Table 5: UList) |
//! | `x.s1(v)`, `x.s2(v)`, … | the auxiliary variables of section 3.3 |
//! | `cul[x](v)` | an uninterrupted list leads from x to v, for program and auxiliary variables |
//!
//! Individuals are named by the variables and by `cul`, as in the paper. `is`, `int` and `ul` are
//! not abstraction predicates: they add nothing to the names, and carry what the others are
//! computed from. All interruptions up to the sharing depth have names of their own, so `ul`
//! between them is definite.
//!
//! Updates. A statement changes edges only at interruptions, so these are easy. It makes at most
//! one node an interruption (then a list becomes two), and at most one interruption vanish, namely
//! a node that loses its last variable or its last edge but one (then two lists become one). For
//! heaps without garbage this is exact.
//!
//! **Sharing depth**: auxiliary variables beyond the depth are left out; a depth of ⌊log2 n⌋ + 1
//! names all shared nodes of n variables.

use trellis_logic::kleene::{
    Constraint, Formula, PredId, Predicate, Predicates, Property, Shown, Update, Var,
};

use super::{Instrumentation, clause};
use crate::core::{A, B, Core, Statement, V, VarIndex, W};

/// Another variable to be bound.
const M: Var = Var::new(4);

/// The predicates of Table 7.
#[derive(Clone, Default, Debug)]
pub struct Table7 {
    /// How many auxiliary variables each variable has; all that can be needed if it is not given.
    pub sharing: Option<usize>,
    ids: Option<Ids>,
}

#[derive(Clone, Copy, Debug)]
struct Ids {
    shared: PredId,
    interruption: PredId,
    list: PredId,
}

fn set(predicate: PredId, formula: Formula) -> Update {
    Update { predicate, formula }
}

impl Table7 {
    /// With so many auxiliary variables for each variable.
    pub fn with_sharing(depth: usize) -> Self {
        Table7 { sharing: Some(depth), ids: None }
    }

    /// # Panics
    ///
    /// If the predicates have not been declared.
    fn ids(&self) -> Ids {
        self.ids.expect("predicates are declared before they are used")
    }

    fn is(&self, v: Var) -> Formula {
        Formula::atom(self.ids().shared, &[v])
    }

    fn ul(&self, v: Var, w: Var) -> Formula {
        Formula::atom(self.ids().list, &[v, w])
    }

    fn interruption(&self, v: Var) -> Formula {
        Formula::atom(self.ids().interruption, &[v])
    }

    /// UList of Table 5.
    fn list_definition(core: &Core, interruption: PredId) -> Formula {
        let plain = |v: Var| Formula::atom(interruption, &[v]).not();
        let step = Formula::and([core.next(A, B), plain(A), plain(B)]);
        let between = Formula::or([
            Formula::and([Formula::eq(A, B), plain(A)]),
            Formula::closure(step, [A, B], A, B),
        ]);
        let rest = Formula::exists(B, Formula::and([core.next(B, W), between]));
        let longer = Formula::exists(A, Formula::and([core.next(V, A), rest]));
        Formula::or([core.next(V, W), longer])
    }

    /// The update of `ul`, where `edges` is its value after the change of edges and before that of
    /// interruptions.
    fn list_update(&self, edges: impl Fn(Var, Var) -> Formula) -> Update {
        let before = |v: Var| self.interruption(v);
        let after = |v: Var| Formula::after(self.ids().interruption, &[v]);
        // First the new interruption, so that no cycle is ever without one.
        let appears = Formula::and([after(M), before(M).not()]);
        let parted = |v: Var, w: Var| {
            let behind = Formula::and([appears.clone(), edges(v, M), edges(M, w)]);
            Formula::and([edges(v, w), Formula::exists(M, behind).not()])
        };
        let vanishes = Formula::and([before(B), after(B).not()]);
        let through = Formula::and([vanishes, parted(V, B), parted(B, W)]);
        let formula = Formula::or([parted(V, W), Formula::exists(B, through)]);
        set(self.ids().list, formula)
    }

    /// Two different interruptions, both satisfying `counts`, have lists to v.
    fn entered_twice(&self, counts: impl Fn(Var) -> Formula) -> Formula {
        let enters = |u: Var| Formula::and([self.interruption(u), counts(u), self.ul(u, V)]);
        let second = Formula::and([enters(B), Formula::eq(A, B).not()]);
        Formula::exists(A, Formula::and([enters(A), Formula::exists(B, second)]))
    }

    /// One or more uninterrupted lists lead from one node, an interruption, to another.
    fn lists(&self, from: Var, to: Var) -> Formula {
        let step = Formula::and([self.interruption(A), self.ul(A, B)]);
        Formula::closure(step, [A, B], from, to)
    }
}

impl Instrumentation for Table7 {
    fn declare(&mut self, core: &Core, predicates: &mut Predicates) {
        let shared = Predicate::instrumentation("is", 1, core.shared()).no_abstraction();
        let shared = predicates.declare(shared);
        let interruption = Formula::or([core.pointed(V), Formula::atom(shared, &[V])]);
        let interruption = Predicate::instrumentation("int", 1, interruption)
            .no_abstraction()
            .shown(Shown::Hidden);
        let interruption = predicates.declare(interruption);
        let list = Self::list_definition(core, interruption);
        let list = predicates.declare(Predicate::instrumentation("ul", 2, list));
        let full_depth = core.vars.len().max(1).ilog2() as usize + 1;
        let depth = self.sharing.unwrap_or(full_depth);
        let is = |v: Var| Formula::atom(shared, &[v]);
        for &x in &core.vars {
            let name = predicates.get(x).name.clone();
            // The variable itself, then x.s1, x.s2, …, each with its list.
            let mut names = vec![x];
            for k in 0..=depth {
                let from = names[k];
                let label = predicates.get(from).name.clone();
                let body = Formula::and([Formula::atom(from, &[A]), Formula::atom(list, &[A, V])]);
                let lists = Formula::exists(A, body);
                let cul = Predicate::instrumentation(format!("cul[{label}]"), 1, lists);
                let cul = predicates.declare(cul);
                if k == depth {
                    break;
                }
                let seen = Formula::or(names[1..].iter().map(|&s| Formula::atom(s, &[V])));
                let definition = Formula::and([
                    Formula::atom(cul, &[V]),
                    is(V),
                    core.pointed(V).not(),
                    seen.not(),
                ]);
                let auxiliary =
                    Predicate::instrumentation(format!("{name}.s{}", k + 1), 1, definition)
                        .with(Property::Unique)
                        .shown(Shown::Pointer);
                names.push(predicates.declare(auxiliary));
            }
        }
        self.ids = Some(Ids { shared, interruption, list });
    }

    fn updates(&self, core: &Core, statement: Statement) -> Vec<Update> {
        let ids = self.ids();
        let unchanged = |v: Var, w: Var| self.ul(v, w);
        match statement {
            Statement::Null(_) | Statement::Copy(..) | Statement::Load(..) => {
                vec![self.list_update(unchanged)]
            }
            Statement::New(..) => {
                vec![set(ids.shared, self.is(V)), self.list_update(unchanged)]
            }
            Statement::StoreNull(x) | Statement::Free(x) => {
                let twice = self.entered_twice(|u| core.points(x, u).not());
                let shared = [self.is(V), Formula::or([core.successor(x).not(), twice])];
                let edges = |v: Var, w: Var| Formula::and([self.ul(v, w), core.points(x, v).not()]);
                vec![set(ids.shared, Formula::and(shared)), self.list_update(edges)]
            }
            Statement::Store(x, t) => {
                let entered =
                    Formula::exists(A, Formula::and([self.interruption(A), self.ul(A, V)]));
                let second = Formula::and([core.points(t, V), entered]);
                let edges = |v: Var, w: Var| {
                    let edge = Formula::and([core.points(x, v), core.points(t, w)]);
                    Formula::or([self.ul(v, w), edge])
                };
                vec![set(ids.shared, Formula::or([self.is(V), second])), self.list_update(edges)]
            }
            Statement::Collect => {
                let garbage = self.garbage(core);
                let leaves = |u: Var| garbage.with(&[u]);
                let from_garbage = Formula::exists(A, Formula::and([leaves(A), self.ul(A, V)]));
                let twice = self.entered_twice(|u| leaves(u).not());
                let shared = [self.is(V), Formula::or([from_garbage.not(), twice])];
                vec![set(ids.shared, Formula::and(shared)), self.list_update(unchanged)]
            }
            Statement::StoreData(..) | Statement::Skip => Vec::new(),
        }
    }

    fn constraints(&self, core: &Core) -> Vec<Constraint> {
        let inner = |v: Var| self.interruption(v).not();
        vec![
            clause(
                "two edges lead to shared nodes only",
                3,
                [core.next(W, V).not(), core.next(A, V).not(), Formula::eq(W, A), self.is(V)],
            ),
            clause("an edge is a list", 2, [core.next(V, W).not(), self.ul(V, W)]),
            clause(
                "a list goes on behind its first edge",
                3,
                [
                    core.next(V, W).not(),
                    self.ul(V, A).not(),
                    Formula::eq(W, A),
                    Formula::and([self.ul(W, A), inner(W)]),
                ],
            ),
            clause(
                "an edge before a list is a list",
                3,
                [core.next(V, W).not(), inner(W).not(), self.ul(W, A).not(), self.ul(V, A)],
            ),
            clause(
                "a list goes on before its last edge",
                3,
                [
                    core.next(V, W).not(),
                    self.is(W),
                    self.ul(A, W).not(),
                    Formula::eq(A, V),
                    Formula::and([self.ul(A, V), inner(V)]),
                ],
            ),
            clause(
                "a list ends at one interruption",
                3,
                [self.ul(V, W).not(), self.ul(V, A).not(), inner(W), inner(A), Formula::eq(W, A)],
            ),
        ]
    }

    fn reached(&self, core: &Core, x: VarIndex, v: Var) -> Formula {
        core.at(x, |u| Formula::or([Formula::eq(u, V), self.lists(u, V)])).with(&[v])
    }

    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        core.at(x, |u| self.lists(u, u))
    }

    fn reaches_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        let cycle = Formula::and([self.interruption(V), self.lists(V, V)]);
        Formula::exists(V, Formula::and([self.reached(core, x, V), cycle]))
    }
}
