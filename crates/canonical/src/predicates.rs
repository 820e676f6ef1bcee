//! Sets of instrumentation predicates for singly-linked lists.
//!
//! A set says which predicates there are, how statements change them (a predicate without an update
//! formula is evaluated anew, which is sound and seldom precise), which further constraints hold,
//! and how its predicates express reachability, on which garbage and contracts depend.

pub mod table3;
pub mod table7;
pub mod user;

use trellis_logic::kleene::{Action, Constraint, Formula, PredId, Predicates, Update, Var};

use crate::core::{Core, Garbage, Statement, V, VarIndex};
use crate::engine::Collector;

pub use table3::Table3;
pub use table7::Table7;
pub use user::{Definition, WithUser};

/// A set of instrumentation predicates.
///
/// All formulas are about heaps in which every object is reachable from a variable, except that
/// during [`Statement::Collect`] some objects are not.
pub trait Instrumentation {
    /// Declares the predicates; called once, after the core predicates.
    fn declare(&mut self, core: &Core, predicates: &mut Predicates);

    /// The update formulas of a statement, besides those of the core predicates.
    fn updates(&self, core: &Core, statement: Statement) -> Vec<Update> {
        let _ = (core, statement);
        Vec::new()
    }

    /// What holds of every heap, besides properties and definitions.
    fn constraints(&self, core: &Core) -> Vec<Constraint> {
        let _ = core;
        Vec::new()
    }

    /// Predicates that may tell long lists apart by their lengths; [`crate::initial`] has to know.
    fn counting(&self) -> &[PredId] {
        &[]
    }

    /// v is reached from the object at which x points, in any number of steps.
    fn reached(&self, core: &Core, x: VarIndex, v: Var) -> Formula;

    /// x points to an object on a cycle.
    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula;

    /// An object on a cycle is reached from x.
    fn reaches_cycle(&self, core: &Core, x: VarIndex) -> Formula;

    /// No variable reaches v, the first free variable.
    fn garbage(&self, core: &Core) -> Formula {
        let reached = (0..core.vars.len()).map(|x| self.reached(core, x, V));
        Formula::or(reached).not()
    }
}

/// What a statement does to core and instrumentation predicates.
pub fn action(core: &Core, instrumentation: &dyn Instrumentation, statement: Statement) -> Action {
    let mut action = core.action(statement, &instrumentation.garbage(core));
    action.updates.extend(instrumentation.updates(core, statement));
    action.name = format!("{statement:?}");
    action
}

/// How garbage leaves the heap; if it leaks, `lost` remembers it.
pub fn collector(
    core: &Core,
    instrumentation: &dyn Instrumentation,
    garbage: Garbage,
) -> Collector {
    let mut action = action(core, instrumentation, Statement::Collect);
    if garbage == Garbage::IsCollected {
        action.updates.retain(|u| u.predicate != core.lost);
    }
    Collector { garbage: instrumentation.garbage(core), action }
}

/// Everything that holds of every heap.
pub fn constraints(
    predicates: &Predicates,
    core: &Core,
    instrumentation: &dyn Instrumentation,
) -> Vec<Constraint> {
    let mut all = predicates.constraints();
    all.extend(instrumentation.constraints(core));
    all
}

impl<I: Instrumentation + ?Sized> Instrumentation for Box<I> {
    fn declare(&mut self, core: &Core, predicates: &mut Predicates) {
        (**self).declare(core, predicates);
    }

    fn updates(&self, core: &Core, statement: Statement) -> Vec<Update> {
        (**self).updates(core, statement)
    }

    fn constraints(&self, core: &Core) -> Vec<Constraint> {
        (**self).constraints(core)
    }

    fn counting(&self) -> &[PredId] {
        (**self).counting()
    }

    fn reached(&self, core: &Core, x: VarIndex, v: Var) -> Formula {
        (**self).reached(core, x, v)
    }

    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        (**self).on_cycle(core, x)
    }

    fn reaches_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        (**self).reaches_cycle(core, x)
    }

    fn garbage(&self, core: &Core) -> Formula {
        (**self).garbage(core)
    }
}

/// No instrumentation at all: everything by definition over the core predicates.
#[derive(Clone, Copy, Default, Debug)]
pub struct Plain;

impl Instrumentation for Plain {
    fn declare(&mut self, _: &Core, _: &mut Predicates) {}

    fn reached(&self, core: &Core, x: VarIndex, v: Var) -> Formula {
        reached_by_path(core, x).with(&[v])
    }

    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        core.at(x, |u| core.path(u, u))
    }

    fn reaches_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        let body = Formula::and([reached_by_path(core, x), core.path(V, V)]);
        Formula::exists(V, body)
    }
}

/// v is reached from x over the field, by definition.
pub(crate) fn reached_by_path(core: &Core, x: VarIndex) -> Formula {
    core.at(x, |u| Formula::or([Formula::eq(u, V), core.path(u, V)]))
}

/// A constraint from its disjuncts; `places` variables are free.
pub(crate) fn clause<const N: usize>(
    name: &str,
    places: usize,
    disjuncts: [Formula; N],
) -> Constraint {
    Constraint::new(name, places, disjuncts)
}
