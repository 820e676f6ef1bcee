//! Lists that may have cycles: a field is its betweenness, `between(next, x, y, z)`: z is reached from
//! x, and y lies on the shortest way, ends included.
//!
//! **Invariant.** The models of the axioms are exactly the betweenness relations of functions, in
//! which null leads to itself; so nothing is forbidden or excluded. It costs more than the closure:
//! questions about the entry are asked in it, and a field is seen so only if its precondition allows
//! cycles and nothing that could be added to it is missing.

use trellis_logic::{FormulaId, RelId, SortId, Structure, TermId, Vocabulary};

use super::edges::{EdgeRules, Rule};
use super::{FieldAt, Fields, HeapLogic, HeapTheory};
use crate::symbols::PointerField;

#[derive(Debug)]
pub(super) struct Cycles;

impl HeapTheory for Cycles {
    fn declare(&self, logic: &mut Vocabulary, obj: SortId, name: String, _: &str) -> RelId {
        let field = logic.field(name, obj, obj);
        logic.between("between", field)
    }

    fn edge_rules(&self) -> Option<EdgeRules> {
        Some(edge_rules)
    }

    fn reach(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId, y: TermId) -> FormulaId {
        heap.arena.rel(heap.fields.relation(at), &[x, y, y])
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn has_cycles(&self) -> bool {
        true
    }

    /// An object that reaches nothing but itself is a cycle, so it must reach null.
    fn isolated(&self, heap: &mut HeapLogic<'_>, at: FieldAt, x: TermId) -> FormulaId {
        let null = heap.null();
        let (alone, ends) = (heap.alone(at, x), heap.reach(at, x, null));
        heap.arena.and([alone, ends])
    }

    /// The element that comes first on the way to all others; if there are no others, the element is
    /// a cycle of its own.
    fn read(&self, model: &Structure, fields: Fields<'_>, at: FieldAt, x: u32) -> Option<u32> {
        let (between, null) = (fields.relation(at), model.constant(fields.null));
        let ahead: Vec<u32> = (0..model.size(fields.obj))
            .filter(|&y| y != x && model.rel(between, &[x, y, y]))
            .collect();
        let first = |y: &u32| ahead.iter().all(|z| model.rel(between, &[x, *y, *z]));
        let next = ahead.iter().copied().find(first).unwrap_or(x);
        (Some(next) != null).then_some(next)
    }

    fn write(
        &self,
        out: &mut Structure,
        fields: Fields<'_>,
        at: FieldAt,
        next: &dyn Fn(usize, u32) -> u32,
    ) -> Result<(), String> {
        let between = fields.relation(at);
        let null = out.constant(fields.null);
        for x in 0..out.size(fields.obj) {
            let mut way = vec![x];
            while way.last().copied() != null {
                let y = next(at.field, way[way.len() - 1]);
                if way.contains(&y) {
                    break;
                }
                way.push(y);
            }
            for (i, &z) in way.iter().enumerate() {
                for &y in &way[..=i] {
                    out.set_rel(between, &[x, y, z], true);
                }
            }
        }
        Ok(())
    }

    fn closure(&self, _field: &PointerField) -> Option<RelId> {
        None
    }

    fn meaning(&self, field: &str) -> String {
        format!("y lies on the shortest way from x to z over `{field}`")
    }

    fn word(&self, field: &str) -> Option<String> {
        Some(format!("between({field})"))
    }
}

/// The next node comes first on the way to whatever is reached besides the beginning; a node that
/// leads to itself reaches nothing else.
fn edge_rules(
    heap: &mut HeapLogic<'_>,
    at: FieldAt,
    edge: FormulaId,
    [x, y, z]: [TermId; 3],
) -> Vec<Rule> {
    let on = heap.reach(at, x, z);
    let (moves, away) = (heap.arena.ne(x, y), heap.arena.ne(x, z));
    let first = heap.arena.rel(heap.fields.relation(at), &[x, y, z]);
    let (stays, alone) = (heap.arena.not(moves), heap.arena.not(away));
    vec![(vec![edge, on, away], vec![first]), (vec![edge, stays, on], vec![alone])]
}
