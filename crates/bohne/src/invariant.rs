//! The invariant that the heaps of a location are, for people and for checkers.
//!
//! Where the heaps of a location, joined, are enough, the invariant is universal clauses: no object is
//! in a cube that is excluded. Otherwise it is the disjunction of the heaps; what all of them exclude
//! stands before it.

use trellis_logic::{Arena, FormulaId, VarId};

use crate::cube::ObjectCube;
use crate::heap::Heap;
use crate::meaning;
use crate::predicates::Predicates;

/// What heaps at a location say, as a conjunction: universal clauses, and the disjunction if there are
/// several.
pub fn clauses(
    arena: &mut Arena,
    var: VarId,
    predicates: &Predicates,
    heaps: &[Heap],
) -> (Vec<FormulaId>, Option<FormulaId>) {
    let says: Vec<FormulaId> = predicates.all.iter().map(|p| p.formula).collect();
    let joined = heaps.iter().fold(predicates.space.none(), |all, heap| all.join(heap));
    let mut out: Vec<FormulaId> = joined
        .few_exclusions()
        .into_iter()
        .map(|cube| exclusion(arena, var, &says, cube))
        .collect();
    let mut whole = None;
    if heaps.len() > 1 {
        let mut parts = Vec::new();
        for heap in heaps {
            // What all heaps exclude need not be said again.
            let missing = joined.without(heap);
            let exclusions = smaller_exclusions(predicates, heap, &missing);
            let said: Vec<FormulaId> =
                exclusions.into_iter().map(|cube| exclusion(arena, var, &says, cube)).collect();
            parts.push(arena.and(said));
        }
        whole = Some(arena.or(parts)).filter(|&f| f != FormulaId::TRUE);
    }
    out.retain(|&f| f != FormulaId::TRUE);
    (out, whole)
}

/// Cubes outside a heap that together have all of some others.
fn smaller_exclusions(predicates: &Predicates, heap: &Heap, missing: &Heap) -> Vec<ObjectCube> {
    let mut left = missing.clone();
    let mut out = Vec::new();
    for cube in heap.few_exclusions() {
        let part = predicates.space.of(cube);
        if !left.meet(&part).is_empty() {
            left = left.without(&part);
            out.push(cube);
        }
    }
    out
}

/// That no object is in a cube.
fn exclusion(arena: &mut Arena, var: VarId, says: &[FormulaId], cube: ObjectCube) -> FormulaId {
    let literals: Vec<FormulaId> =
        cube.literals().map(|(i, value)| meaning::literal(arena, says[i], !value)).collect();
    let clause = arena.or(literals);
    arena.forall(&[var], clause)
}
