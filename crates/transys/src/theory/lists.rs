//! Lists without cycles: a field is its reflexive transitive closure, `reach(next, x, y)`
//! (*Property-Directed Shape Analysis*, section 3), a partial order in which what an object reaches
//! is linear, with null as the end of every list.
//!
//! **Invariant.** The models of the axioms are exactly the closures of fields without cycles. So a
//! store that would close a cycle is forbidden, and a precondition must exclude cycles.

use trellis_logic::{FormulaId, RelId, SortId, Structure, TermId, Vocabulary};
use trellis_solver::theory;

use super::edges::{EdgeRules, Rule};
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;
use crate::system::ErrorKind;

#[derive(Debug)]
pub(super) struct Lists;

impl HeapTheory for Lists {
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, _: &str) -> RelId {
        let field = logic.field(name, obj, obj);
        logic.closure("reach", field)
    }

    fn edge_rules(&self) -> Option<EdgeRules> {
        Some(edge_rules)
    }

    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        heap.arena.rel(heap.fields.relation(at), &[x, y])
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn has_cycles(&self) -> bool {
        false
    }

    fn forbidden_store(
        &self,
        heap: &mut HeapLogic<'_>,
        field: usize,
        x: TermId,
        y: TermId,
    ) -> Option<(ErrorKind, FormulaId)> {
        // One that leads to objects that do not have it closes no cycle.
        let closure = heap.fields.relation(FieldAt::now(field));
        let can = heap.fields.all[field].recursive;
        let cycle = can.then(|| theory::makes_cycle(heap.arena, heap.vocabulary, closure, x, y))?;
        Some((ErrorKind::Cycle, cycle))
    }

    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId {
        heap.alone(at, x)
    }

    fn excluded(
        &self,
        entry: &mut HeapLogic<'_>,
        at: FieldAt,
        x: TermId,
    ) -> Option<(FormulaId, String)> {
        let field = &entry.fields.all[at.field];
        if !field.recursive {
            return None;
        }
        let reason = format!("a precondition that allows cycles over `{}`", field.name);
        let null = entry.null();
        let ends = entry.reach(at, x, null);
        Some((entry.arena.not(ends), reason))
    }

    fn included(&self, fields: Fields<'_>, field: usize, object: &str) -> Option<String> {
        Some(format!("reach({}, {object}, NULL)", fields.all[field].name))
    }

    /// The nearest element, from which all others are reached.
    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32> {
        let (closure, null) = (fields.relation(at), model.constant(fields.null));
        let ahead: Vec<u32> = (0..model.size(fields.obj))
            .filter(|&y| y != x && Some(y) != null && model.rel(closure, &[x, y]))
            .collect();
        let first = |y: &u32| ahead.iter().all(|z| model.rel(closure, &[*y, *z]));
        ahead.iter().copied().find(first)
    }

    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        let (closure, size) = (fields.relation(at), out.size(fields.obj));
        let null = out.constant(fields.null);
        for x in 0..size {
            let (mut y, mut steps) = (x, 0);
            out.set_rel(closure, &[x, y], true);
            while Some(y) != null {
                if steps == size {
                    return Err(format!("a cycle over `{}`", fields.all[at.field].name));
                }
                y = next(at.field, y);
                out.set_rel(closure, &[x, y], true);
                steps += 1;
            }
        }
        Ok(())
    }

    fn closure(&self, field: &PointerField) -> Option<RelId> {
        Some(field.relation.now)
    }

    fn meaning(&self, field: &str) -> String {
        format!("y is reached from x over `{field}` in zero or more steps")
    }

    fn word(&self, field: &str) -> Option<String> {
        Some(format!("reach({field})"))
    }
}

/// What is reached besides the beginning is reached from the next node, which is another one.
fn edge_rules(
    heap: &mut HeapLogic<'_>,
    at: FieldAt,
    edge: FormulaId,
    [x, y, z]: [TermId; 3],
) -> Vec<Rule> {
    let (on, first) = (heap.reach(at, x, z), heap.reach(at, y, z));
    let (moves, away) = (heap.arena.ne(x, y), heap.arena.ne(x, z));
    vec![(vec![edge, on, away], vec![first]), (vec![edge], vec![moves])]
}
