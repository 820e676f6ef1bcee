//! Fields that nobody follows in a row: a relation holds their single steps to what is not null.
//!
//! Such a field may lead to any object, so a closure could not exclude cycles; in single steps these
//! are nothing special, and no heap is forbidden or excluded.
//!
//! **Invariant.** There is at most one step from each place, none from null, and none to it.

use trellis_logic::{FormulaId, RelId, SortId, Structure, TermId, Vocabulary};
use trellis_solver::theory;

use super::edges::EdgeRules;
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;

#[derive(Debug)]
pub(super) struct Steps;

impl HeapTheory for Steps {
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, _: &str) -> RelId {
        logic.state_relation(name, &[obj, obj])
    }

    fn axioms(&self, _heap: &mut HeapLogic<'_>, _at: FieldAt) -> Vec<FormulaId> {
        // Its fields have paths of one step, all of them; the axioms are below.
        Vec::new()
    }

    fn one_step_axioms(&self, heap: &mut HeapLogic<'_>, at: FieldAt) -> Vec<FormulaId> {
        theory::single_steps(heap.arena, heap.vocabulary, heap.fields.relation(at))
    }

    fn edge_rules(&self) -> Option<EdgeRules> {
        None
    }

    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        let null = heap.null();
        let step = heap.fields.relation(at);
        let parts = [heap.arena.eq(x, y), heap.arena.eq(y, null), heap.arena.rel(step, &[x, y])];
        heap.arena.or(parts)
    }

    fn is_transitive(&self) -> bool {
        false
    }

    fn has_cycles(&self) -> bool {
        true
    }

    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId {
        let var = heap.arena.variable("$a", heap.fields.obj);
        let any = heap.arena.var_term(var);
        let steps = heap.fields.relation(at);
        let (to, from) = (heap.arena.rel(steps, &[any, x]), heap.arena.rel(steps, &[x, any]));
        let some = heap.arena.or([to, from]);
        let none = heap.arena.not(some);
        heap.arena.forall(&[var], none)
    }

    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32> {
        let steps = fields.relation(at);
        (0..model.size(fields.obj)).find(|&y| model.rel(steps, &[x, y]))
    }

    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        let (steps, null) = (fields.relation(at), out.constant(fields.null));
        for x in (0..out.size(fields.obj)).filter(|x| Some(*x) != null) {
            let y = next(at.field, x);
            if Some(y) != null {
                out.set_rel(steps, &[x, y], true);
            }
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
