//! The heap theory: how pointer fields are seen in the logic.
//!
//! A field is a function that programs follow any number of times, which EPR cannot say. So a
//! theory sees a field through a relation of its own choice, and answers everything that depends on
//! the choice: what the relation satisfies, what a load finds, what a store changes and when it
//! leaves the heaps that the theory has, and which heap a model is. A [`PointerField`] has its
//! theory as a value; nobody else asks which one it is.
//!
//! | theory | `x->f` is seen through | heaps |
//! |---|---|---|
//! | [`Lists`] | the closure: y is reached from x (*Property-Directed Shape Analysis*, section 3) | no field has a cycle |
//! | [`Cycles`] | betweenness: y lies on the way from x to z | all |
//! | [`Forest`] | the subtree: y lies below x, at this field (fields of a set, such as left and right) | every node has one parent at most |
//! | [`Graphs`] | betweenness, single steps, and what is reached over the set | all; for questions about the entry |
//! | [`Steps`] | single steps: the cell of x holds y | all, but nobody follows the field in a row |
//! | [`Cells`] | single steps, those to null included | all, but nobody follows the field in a row |
//!
//! A new theory is a file with an implementation of [`HeapTheory`], a row of the table in
//! [`theory_of`], and a row in the tests, which hold every theory against all small heaps (theories
//! of several fields together: `tree_tests`).
//!
//! **Invariants.** Axioms are universal; loads have universal quantifiers only; a store is a
//! quantifier-free substitution. All of them are exact on the heaps of the theory: a load holds of
//! exactly what the cell holds, and a store that is not forbidden gives the relation of the heap
//! after it. [`HeapTheory::read`] gives back the heap that [`HeapTheory::write`] wrote.

mod cells;
mod cycles;
mod edges;
mod forest;
mod graphs;
mod lists;
mod logic;
pub(crate) mod sets;
pub(crate) mod single;
mod steps;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_tests;

use std::fmt;

use trellis_logic::{Definitions, FormulaId, RelId, SortId, Structure, TermId, Vocabulary};
use trellis_program::view::{Kind, Spot};
use trellis_solver::theory;

use crate::symbols::PointerField;
use crate::system::ErrorKind;

pub use logic::{FieldAt, Fields, HeapLogic};

use cells::Cells;
use cycles::Cycles;
use edges::EdgeRules;
use forest::Forest;
use graphs::Graphs;
use lists::Lists;
use steps::Steps;

/// What symbols are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// For the paths of the procedure.
    Paths,
    /// For questions about the entry, which come first: whether its heaps are ones that the theory
    /// of the paths has. So the theory must know all heaps.
    Entry,
}

/// How contracts follow a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Followed {
    /// By itself, if at all.
    Alone,
    /// With others, which lead to the children of trees.
    InSet,
    /// By itself, where the precondition allows cycles over it.
    Around,
    /// Not at all, though they speak of it for all objects at once: see [`single`].
    Never,
}

/// The theory of a pointer field whose values are of a kind.
///
/// A pointer of no struct type may lead to any object, back to its own included, and nobody follows
/// it in a row.
pub(crate) fn theory_of(
    kind: Kind,
    followed: Followed,
    purpose: Purpose,
) -> &'static dyn HeapTheory {
    let typed = matches!(kind, Kind::Ptr(Spot::At { .. }));
    let in_set = followed == Followed::InSet;
    match purpose {
        _ if followed == Followed::Never => &Cells,
        _ if !typed => &Steps,
        Purpose::Paths if in_set => &Forest,
        Purpose::Paths if followed == Followed::Around => &Cycles,
        Purpose::Paths => &Lists,
        Purpose::Entry if in_set => &Graphs,
        Purpose::Entry => &Cycles,
    }
}

/// A way to see pointer fields in the logic. Formulas are about one of the two states that a field
/// is in, see [`FieldAt`]; a theory finds the relations of other fields beside its own, since what
/// a field of a tree leads to depends on all of them.
///
/// What is given here serves theories that have all heaps and whose relation is one that
/// [`trellis_solver::theory`] knows.
pub trait HeapTheory: fmt::Debug + Send + Sync {
    /// Declares the relation of a field; `name` is that of the field in one of its states, `set`
    /// lists the set it is in, `{left, right}`.
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, set: &str) -> RelId;

    /// What the relation of any field satisfies: the laws that solvers know of its kind.
    fn axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        theory::axioms_of(heap.arena, heap.vocabulary, heap.fields.relation(at))
    }

    /// What the relation satisfies besides if the field leads to other objects than those that have
    /// it, so that all paths have one step.
    fn one_step_axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        vec![heap.paths_of_one_step(at)]
    }

    /// How single steps relate to the relation, where they may stand beside it as words of their
    /// own; nothing if the relation has them already.
    fn edge_rules(&self) -> Option<EdgeRules>;

    /// Whether single steps must stand beside the relation.
    fn needs_edges(&self) -> bool {
        false
    }

    /// Whether a structure of the axioms may lack what a cell holds.
    fn may_lack(&self) -> bool {
        false
    }

    /// `x->f == y`. For a null x it says no or, where null leads to itself, that y is null.
    fn load(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        theory::successor(heap.arena, heap.vocabulary, heap.fields.relation(at), x, y)
    }

    /// y is reached from x over the field in zero or more steps, or, if not
    /// [`is_transitive`](HeapTheory::is_transitive), in at most one. A field of a set counts with
    /// all of the set.
    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId;

    /// As [`reach`](HeapTheory::reach), over this field alone; may have a universal quantifier.
    ///
    /// # Errors
    /// Why that cannot be said.
    fn path(
        &self,
        heap: &mut HeapLogic<'_>,
        at: FieldAt,
        x: TermId,
        y: TermId,
    ) -> Result<FormulaId, String> {
        Ok(self.reach(heap, at, x, y))
    }

    /// The node y is what the field of x holds, or is reached from there over the set of the field;
    /// nothing if no formula without quantifiers says so.
    fn subtree(
        &self,
        _heap: &mut HeapLogic<'_>,
        _at: FieldAt,
        _x: TermId,
        _y: TermId,
    ) -> Option<FormulaId> {
        None
    }

    /// No node is reached from x in two ways over the set of the field.
    ///
    /// # Errors
    /// Why that cannot be said.
    fn tree(&self, _: &mut HeapLogic<'_>, _: FieldAt, _x: TermId) -> Result<FormulaId, String> {
        Err("`tree` over fields that are not those of a tree".into())
    }

    /// Whether [`reach`](HeapTheory::reach) follows the field any number of times.
    fn is_transitive(&self) -> bool;

    /// Whether some of its heaps have cycles over one field. If not, then what is reached in one or
    /// more steps is what is reached besides the beginning itself.
    fn has_cycles(&self) -> bool;

    /// The relations that a store to a field changes.
    fn changed(&self, fields: Fields<'_>, field: usize) -> Vec<RelId> {
        vec![fields.all[field].relation.now]
    }

    /// The store `x->f = y`, where x is not null, as a substitution for
    /// [`changed`](HeapTheory::changed); right where the store is not forbidden.
    fn store(&self, heap: &mut HeapLogic<'_>, field: usize, x: TermId, y: TermId) -> Definitions {
        let relation = heap.fields.relation(FieldAt::now(field));
        theory::store(heap.arena, heap.vocabulary, relation, x, y)
    }

    /// When the store `x->f = y` makes a heap that the theory does not have, and what to call it;
    /// nothing if it never does.
    fn forbidden_store(
        &self,
        _heap: &mut HeapLogic<'_>,
        _field: usize,
        _x: TermId,
        _y: TermId,
    ) -> Option<(ErrorKind, FormulaId)> {
        None
    }

    /// No field leads to an object, and the object leads nowhere.
    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId;

    /// That an object of a heap lies on something that this theory does not have, with the words
    /// for a user whose precondition allows it; nothing if the theory has all heaps. The formula is
    /// in the symbols for questions about the entry, whose theory has all heaps.
    fn excluded(
        &self,
        _entry: &mut HeapLogic<'_>,
        _at: FieldAt,
        _x: TermId,
    ) -> Option<(FormulaId, String)> {
        None
    }

    /// What a precondition says of an object, in the user's words, to keep it from being excluded;
    /// nothing if the theory has all heaps.
    fn included(&self, _fields: Fields<'_>, _field: usize, _object: &str) -> Option<String> {
        None
    }

    /// What a field of an element holds in a model; nothing if that is null.
    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32>;

    /// Writes the relation of a field in a heap into a structure, in which null has its element:
    /// `next` gives what a field, by its number, of an element holds.
    ///
    /// # Errors
    /// If the theory does not have this heap, what is in the way.
    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String>;

    /// The closure of a field, if that is its relation.
    fn closure(&self, field: &PointerField) -> Option<RelId>;

    /// What the relation of a field says of x and y, for readers.
    fn meaning(&self, field: &str) -> String;

    /// What formulas call the relation of a field, where it says more than what cells hold.
    fn word(&self, field: &str) -> Option<String>;
}
