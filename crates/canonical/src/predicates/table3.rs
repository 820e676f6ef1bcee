//! The standard predicates of TVLA for lists (*Predicate and Canonical Abstraction*, Table 3, and
//! its reference 23).
//!
//! | predicate | definition |
//! |---|---|
//! | `r[x](v)` | v is reached from x |
//! | `c(v)` | v lies on a cycle |
//! | `is(v)` | v is heap-shared |
//!
//! All are abstraction predicates. The update formulas are after reference 23. They are exact for
//! heaps without cycles. When a cycle is cut, what can still be reached along its rest depends on
//! the order of the nodes on it, which these predicates do not record: there reachability is
//! evaluated anew over the edges, and becomes indefinite. This is why `removeSegment` and
//! `reverse_cyclic` cannot be proved with this table. For `reverse_cyclic` the reason is the update
//! formula and not the predicates: [`CutRule::KeepsSuccessor`] adds the one case it needs.

use trellis_logic::kleene::{Constraint, Formula, PredId, Predicate, Predicates, Update, Var};

use super::{Instrumentation, clause, reached_by_path};
use crate::core::{A, B, Core, Statement, V, VarIndex, W};

/// What is known about reachability after a cycle has been cut.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CutRule {
    /// Reachability along the cut cycle is evaluated anew, as in reference 23.
    #[default]
    Published,
    /// A variable that points to the node behind the cut still reaches all that it reached.
    KeepsSuccessor,
}

/// The predicates of Table 3.
#[derive(Clone, Default, Debug)]
pub struct Table3 {
    /// How reachability is updated when a cycle is cut.
    pub cut_rule: CutRule,
    ids: Option<Ids>,
}

#[derive(Clone, Debug)]
struct Ids {
    shared: PredId,
    cyclic: PredId,
    reached: Vec<PredId>,
}

impl Table3 {
    /// With a rule for cut cycles.
    pub fn with_cut_rule(cut_rule: CutRule) -> Self {
        Table3 { cut_rule, ids: None }
    }

    /// # Panics
    ///
    /// If the predicates have not been declared.
    fn ids(&self) -> &Ids {
        self.ids.as_ref().expect("predicates are declared before they are used")
    }

    fn is(&self, v: Var) -> Formula {
        Formula::atom(self.ids().shared, &[v])
    }

    fn c(&self, v: Var) -> Formula {
        Formula::atom(self.ids().cyclic, &[v])
    }

    fn r(&self, x: VarIndex, v: Var) -> Formula {
        Formula::atom(self.ids().reached[x], &[v])
    }

    /// Cutting the field of x.
    fn cut(&self, core: &Core, x: VarIndex) -> Vec<Update> {
        let ids = self.ids();
        let is_x = |v: Var| core.points(x, v);
        let cycle_cut = core.at(x, |u| Formula::and([self.c(u), self.r(x, V)]));
        let still_shared = Formula::exists(
            A,
            Formula::exists(
                B,
                Formula::and([
                    core.next(A, V),
                    core.next(B, V),
                    is_x(A).not(),
                    is_x(B).not(),
                    Formula::eq(A, B).not(),
                ]),
            ),
        );
        let not_successor = core.successor(x).not();
        let mut updates = vec![
            set(ids.cyclic, Formula::and([self.c(V), cycle_cut.not()])),
            set(ids.shared, Formula::and([self.is(V), Formula::or([not_successor, still_shared])])),
        ];
        // Over the edges that are left.
        let step = Formula::after(core.n, &[A, B]);
        for z in 0..core.vars.len() {
            let anew = core.at(z, |u| {
                Formula::or([Formula::eq(u, V), Formula::closure(step.clone(), [A, B], u, V)])
            });
            let still_reached = match self.cut_rule {
                CutRule::Published => anew,
                CutRule::KeepsSuccessor => Formula::or([core.at(x, |u| core.at_next(u, z)), anew]),
            };
            let not_behind_x = Formula::or([
                core.at(x, |u| self.r(z, u)).not(),
                is_x(V),
                self.r(x, V).not(),
                Formula::and([core.at(x, |u| self.c(u)), still_reached]),
            ]);
            updates.push(set(ids.reached[z], Formula::and([self.r(z, V), not_behind_x])));
        }
        updates
    }
}

fn set(predicate: PredId, formula: Formula) -> Update {
    Update { predicate, formula }
}

impl Instrumentation for Table3 {
    fn declare(&mut self, core: &Core, predicates: &mut Predicates) {
        let shared = predicates.declare(Predicate::instrumentation("is", 1, core.shared()));
        let cyclic = predicates.declare(Predicate::instrumentation("c", 1, core.path(V, V)));
        let reached = (0..core.vars.len())
            .map(|x| {
                let name = format!("r[{}]", predicates.get(core.vars[x]).name);
                predicates.declare(Predicate::instrumentation(name, 1, reached_by_path(core, x)))
            })
            .collect();
        self.ids = Some(Ids { shared, cyclic, reached });
    }

    fn updates(&self, core: &Core, statement: Statement) -> Vec<Update> {
        let ids = self.ids();
        match statement {
            Statement::Null(x) => vec![set(ids.reached[x], Formula::Const(false.into()))],
            Statement::Copy(x, t) => vec![set(ids.reached[x], self.r(t, V))],
            Statement::Load(x, t) => {
                let behind = Formula::or([self.c(V), core.points(t, V).not()]);
                vec![set(ids.reached[x], Formula::and([self.r(t, V), behind]))]
            }
            Statement::New(x, _) => {
                let mut updates = vec![set(ids.cyclic, self.c(V)), set(ids.shared, self.is(V))];
                for z in 0..core.vars.len() {
                    let formula = match z == x {
                        true => Formula::atom(core.new, &[V]),
                        false => self.r(z, V),
                    };
                    updates.push(set(ids.reached[z], formula));
                }
                updates
            }
            Statement::StoreNull(x) | Statement::Free(x) => self.cut(core, x),
            Statement::Store(x, t) => {
                let closes = Formula::and([core.at(x, |u| self.r(t, u)), self.r(t, V)]);
                let entered = Formula::exists(A, core.next(A, V));
                let second = Formula::and([core.points(t, V), entered]);
                let mut updates = vec![
                    set(ids.cyclic, Formula::or([self.c(V), closes])),
                    set(ids.shared, Formula::or([self.is(V), second])),
                ];
                for z in 0..core.vars.len() {
                    let through_x = Formula::and([core.at(x, |u| self.r(z, u)), self.r(t, V)]);
                    updates.push(set(ids.reached[z], Formula::or([self.r(z, V), through_x])));
                }
                updates
            }
            Statement::Collect => {
                let garbage = self.garbage(core);
                let stays = |v: Var| garbage.with(&[v]).not();
                let from_garbage =
                    Formula::exists(A, Formula::and([garbage.with(&[A]), core.next(A, V)]));
                let pair = [core.next(A, V), core.next(B, V), stays(A), stays(B)];
                let different = Formula::eq(A, B).not();
                let body = Formula::and(pair.into_iter().chain([different]));
                let still_shared = Formula::exists(A, Formula::exists(B, body));
                let shared =
                    Formula::and([self.is(V), Formula::or([from_garbage.not(), still_shared])]);
                let mut updates = vec![set(ids.cyclic, self.c(V)), set(ids.shared, shared)];
                let unchanged = |z: VarIndex| set(ids.reached[z], self.r(z, V));
                updates.extend((0..core.vars.len()).map(unchanged));
                updates
            }
            Statement::StoreData(..) | Statement::Skip => Vec::new(),
        }
    }

    fn constraints(&self, core: &Core) -> Vec<Constraint> {
        let mut all = vec![
            clause(
                "two edges lead to shared nodes only",
                3,
                [core.next(W, V).not(), core.next(A, V).not(), Formula::eq(W, A), self.is(V)],
            ),
            clause("a cycle is not left", 2, [core.next(V, W).not(), self.c(V).not(), self.c(W)]),
            clause(
                "a cycle is entered at shared nodes only",
                2,
                [core.next(V, W).not(), self.c(W).not(), self.is(W), self.c(V)],
            ),
        ];
        for x in 0..core.vars.len() {
            all.push(clause("x reaches its node", 1, [core.points(x, V).not(), self.r(x, V)]));
            all.push(clause(
                "reachability follows edges",
                2,
                [self.r(x, V).not(), core.next(V, W).not(), self.r(x, W)],
            ));
            all.push(clause(
                "what is reached behind x has an edge from what is reached",
                1,
                [
                    self.r(x, V).not(),
                    core.points(x, V),
                    Formula::exists(A, Formula::and([self.r(x, A), core.next(A, V)])),
                ],
            ));
        }
        all
    }

    fn reached(&self, _: &Core, x: VarIndex, v: Var) -> Formula {
        self.r(x, v)
    }

    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        core.at(x, |u| self.c(u))
    }

    fn reaches_cycle(&self, _: &Core, x: VarIndex) -> Formula {
        Formula::exists(A, Formula::and([self.r(x, A), self.c(A)]))
    }
}
