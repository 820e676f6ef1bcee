//! Fields that contracts speak of for all objects at once, but that nobody follows in a row: a
//! relation holds what their cells hold, null included.
//!
//! These are the derived fields of *Symbolic Shape Analysis* (`prev` beside `next`, the upper
//! levels of a skip list), which an invariant constrains in terms of the fields that make up the
//! structure, and fields of elements. What a cell holds is an atom, so that such invariants are
//! universal; a closure would have to exclude cycles, which they do not do in the logic.
//!
//! **Invariant.** In every state, each object has one value. The axioms say that there is at most
//! one: that there is one is no universal formula. So a structure may lack values that no path has
//! read.

use trellis_logic::{Definitions, FormulaId, RelId, SortId, Structure, TermId, Vocabulary};

use trellis_program::view::{Kind, Spot};

use super::edges::EdgeRules;
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;

#[derive(Debug)]
pub(super) struct Cells;

impl HeapTheory for Cells {
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, _: &str) -> RelId {
        logic.state_relation(name, &[obj, obj])
    }

    fn axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        let vars = ["$x", "$y", "$z"].map(|n| heap.arena.variable(n, heap.fields.obj));
        let [x, y, z] = vars.map(|v| heap.arena.var_term(v));
        let null = heap.null();
        let cell = heap.fields.relation(at);
        let arena = &mut *heap.arena;
        let (xy, xz) = (arena.rel(cell, &[x, y]), arena.rel(cell, &[x, z]));
        let (both, same) = (arena.and([xy, xz]), arena.eq(y, z));
        let one = arena.implies(both, same);
        let of_null = arena.rel(cell, &[null, y]);
        let nothing = arena.not(of_null);
        vec![arena.forall(&vars, one), arena.forall(&vars[1..2], nothing)]
    }

    /// A field that leads to other objects than those that have it never leads back to its own.
    fn one_step_axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        if !matches!(heap.fields.all[at.field].kind, Kind::Ptr(Spot::At { .. })) {
            return Vec::new();
        }
        let var = heap.arena.variable("$x", heap.fields.obj);
        let x = heap.arena.var_term(var);
        let back = heap.arena.rel(heap.fields.relation(at), &[x, x]);
        let other = heap.arena.not(back);
        vec![heap.arena.forall(&[var], other)]
    }

    fn edge_rules(&self) -> Option<EdgeRules> {
        None
    }

    fn may_lack(&self) -> bool {
        true
    }

    fn load(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        heap.arena.rel(heap.fields.relation(at), &[x, y])
    }

    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let null = heap.null();
        let cell = heap.fields.relation(at);
        let parts = [heap.arena.eq(x, y), heap.arena.eq(y, null), heap.arena.rel(cell, &[x, y])];
        heap.arena.or(parts)
    }

    fn is_transitive(&self) -> bool {
        false
    }

    fn has_cycles(&self) -> bool {
        true
    }

    fn store(&self, heap: &mut HeapLogic<'_>, field: usize, x: TermId, y: TermId) -> Definitions {
        let cell = heap.fields.relation(FieldAt::now(field));
        let vars = ["$a", "$b"].map(|n| heap.arena.variable(n, heap.fields.obj));
        let arena = &mut *heap.arena;
        let [a, b] = vars.map(|v| arena.var_term(v));
        let (here, new, before) = (arena.eq(a, x), arena.eq(b, y), arena.rel(cell, &[a, b]));
        let (changed, elsewhere) = (arena.and([here, new]), arena.not(here));
        let kept = arena.and([elsewhere, before]);
        let after = arena.or([changed, kept]);
        let mut definitions = Definitions::new();
        definitions.define_rel(cell, &vars, after);
        definitions
    }

    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId {
        let var = heap.arena.variable("$a", heap.fields.obj);
        let null = heap.null();
        let cell = heap.fields.relation(at);
        let arena = &mut *heap.arena;
        let any = arena.var_term(var);
        let to = arena.rel(cell, &[any, x]);
        let none = arena.not(to);
        let (none, ends) = (arena.forall(&[var], none), arena.rel(cell, &[x, null]));
        arena.and([none, ends])
    }

    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32> {
        let (cell, null) = (fields.relation(at), model.constant(fields.null));
        (0..model.size(fields.obj)).find(|&y| Some(y) != null && model.rel(cell, &[x, y]))
    }

    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        let (cell, null) = (fields.relation(at), out.constant(fields.null));
        for x in (0..out.size(fields.obj)).filter(|x| Some(*x) != null) {
            out.set_rel(cell, &[x, next(at.field, x)], true);
        }
        Ok(())
    }

    fn closure(&self, _field: &PointerField) -> Option<RelId> {
        None
    }

    fn meaning(&self, field: &str) -> String {
        format!("the field `{field}` of x holds y")
    }

    fn word(&self, _field: &str) -> Option<String> {
        None
    }
}
