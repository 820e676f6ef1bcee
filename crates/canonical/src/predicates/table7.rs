//! The canonical abstraction of uninterrupted lists (paper 002, section 5, Table 7).
//!
//! | predicate | definition |
//! |---|---|
//! | `is(v)` | v is heap-shared |
//! | `ul(v, w)` | a list leads from v to w, with no interruption between them (Table 5: UList) |
//! | `x.s1(v)`, `x.s2(v)`, … | the auxiliary variables of section 3.3 |
//! | `cul[x](v)` | an uninterrupted list leads from x to v, for program and auxiliary variables |
//!
//! Individuals are named by the variables and by `cul`, as in the paper. `is` and `ul` are not
//! abstraction predicates: they add nothing to the names, and carry what the others are computed
//! from. An *interruption* is a node that is shared or that a program variable points to; so all
//! interruptions up to the sharing depth have names of their own, and `ul` between them is definite.
//!
//! Updates. A statement changes edges only at interruptions, so these are easy. It makes at most one
//! interruption r vanish (then two lists become one) and at most one node a become an interruption
//! (then a list becomes two). A node that loses its last variable, or its last but one edge, is r.
//! For heaps without garbage this is exact.
//!
//! **Sharing depth**: auxiliary variables beyond the depth are left out; a depth of ⌊log2 n⌋ + 1 names
//! all shared nodes of n variables.

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

    fn interruption(&self, core: &Core, v: Var) -> Formula {
        Formula::or([core.pointed(v), self.is(v)])
    }

    /// UList of Table 5.
    fn list_definition(core: &Core, shared: PredId) -> Formula {
        let plain = |v: Var| Formula::or([core.pointed(v), Formula::atom(shared, &[v])]).not();
        let step = Formula::and([core.next(A, B), plain(A), plain(B)]);
        let between = Formula::or([
            Formula::and([Formula::eq(A, B), plain(A)]),
            Formula::closure(step, [A, B], A, B),
        ]);
        let longer = Formula::and([core.next(V, A), core.next(B, W), between]);
        Formula::or([core.next(V, W), Formula::exists(A, Formula::exists(B, longer))])
    }

    /// The update of `ul`, where `edges` is its value after the change of edges and before that of
    /// interruptions.
    fn list_update(&self, core: &Core, edges: impl Fn(Var, Var) -> Formula) -> Update {
        let before = |v: Var| self.interruption(core, v);
        let after =
            |v: Var| Formula::or([core.pointed_after(v), Formula::after(self.ids().shared, &[v])]);
        let vanishes = Formula::and([before(M), after(M).not()]);
        let joined = |v: Var, w: Var| {
            let through = Formula::and([vanishes.clone(), edges(v, M), edges(M, w)]);
            Formula::or([edges(v, w), Formula::exists(M, through)])
        };
        let appears = Formula::and([after(B), before(B).not()]);
        let behind = Formula::and([appears, joined(V, B), joined(B, W)]);
        let formula = Formula::and([joined(V, W), Formula::exists(B, behind).not()]);
        set(self.ids().list, formula)
    }

    /// Two different interruptions, both satisfying `counts`, have lists to v.
    fn entered_twice(&self, core: &Core, counts: impl Fn(Var) -> Formula) -> Formula {
        let enters = |u: Var| Formula::and([self.interruption(core, u), counts(u), self.ul(u, V)]);
        let body = Formula::and([enters(A), enters(B), Formula::eq(A, B).not()]);
        Formula::exists(A, Formula::exists(B, body))
    }

    /// One or more uninterrupted lists lead from one node, an interruption, to another.
    fn lists(&self, core: &Core, from: Var, to: Var) -> Formula {
        let step = Formula::and([self.interruption(core, A), self.ul(A, B)]);
        Formula::closure(step, [A, B], from, to)
    }
}

impl Instrumentation for Table7 {
    fn declare(&mut self, core: &Core, predicates: &mut Predicates) {
        let shared = Predicate::instrumentation("is", 1, core.shared()).no_abstraction();
        let shared = predicates.declare(shared);
        let list = Self::list_definition(core, shared);
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
        self.ids = Some(Ids { shared, list });
    }

    fn updates(&self, core: &Core, statement: Statement) -> Vec<Update> {
        let ids = self.ids();
        let unchanged = |v: Var, w: Var| self.ul(v, w);
        match statement {
            Statement::Null(_) | Statement::Copy(..) | Statement::Load(..) => {
                vec![self.list_update(core, unchanged)]
            }
            Statement::New(..) => {
                vec![set(ids.shared, self.is(V)), self.list_update(core, unchanged)]
            }
            Statement::StoreNull(x) | Statement::Free(x) => {
                let twice = self.entered_twice(core, |u| core.points(x, u).not());
                let shared = [self.is(V), Formula::or([core.successor(x).not(), twice])];
                let edges = |v: Var, w: Var| Formula::and([self.ul(v, w), core.points(x, v).not()]);
                vec![set(ids.shared, Formula::and(shared)), self.list_update(core, edges)]
            }
            Statement::Store(x, t) => {
                let entered =
                    Formula::exists(A, Formula::and([self.interruption(core, A), self.ul(A, V)]));
                let second = Formula::and([core.points(t, V), entered]);
                let edges = |v: Var, w: Var| {
                    let edge = Formula::and([core.points(x, v), core.points(t, w)]);
                    Formula::or([self.ul(v, w), edge])
                };
                vec![
                    set(ids.shared, Formula::or([self.is(V), second])),
                    self.list_update(core, edges),
                ]
            }
            Statement::Collect => {
                let garbage = self.garbage(core);
                let leaves = |u: Var| garbage.with(&[u]);
                let from_garbage = Formula::exists(A, Formula::and([leaves(A), self.ul(A, V)]));
                let twice = self.entered_twice(core, |u| leaves(u).not());
                let shared = [self.is(V), Formula::or([from_garbage.not(), twice])];
                vec![set(ids.shared, Formula::and(shared)), self.list_update(core, unchanged)]
            }
            Statement::StoreData(..) | Statement::Skip => Vec::new(),
        }
    }

    fn constraints(&self, core: &Core) -> Vec<Constraint> {
        let inner = |v: Var| self.interruption(core, v).not();
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
                    core.next(V, A).not(),
                    self.ul(V, W).not(),
                    Formula::eq(A, W),
                    Formula::and([self.ul(A, W), inner(A)]),
                ],
            ),
            clause(
                "an edge before a list is a list",
                3,
                [core.next(V, A).not(), inner(A).not(), self.ul(A, W).not(), self.ul(V, W)],
            ),
            clause(
                "a list goes on before its last edge",
                3,
                [
                    core.next(A, W).not(),
                    self.is(W),
                    self.ul(V, W).not(),
                    Formula::eq(V, A),
                    Formula::and([self.ul(V, A), inner(A)]),
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
        core.at(x, |u| Formula::or([Formula::eq(u, V), self.lists(core, u, V)])).with(&[v])
    }

    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        core.at(x, |u| self.lists(core, u, u))
    }

    fn reaches_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        let cycle = Formula::and([self.interruption(core, V), self.lists(core, V, V)]);
        Formula::exists(V, Formula::and([self.reached(core, x, V), cycle]))
    }
}
