//! The meaning function γ (section 3.2): what cubes, Boolean heaps and sets of them say of a state.

use trellis_logic::{Arena, FormulaId, VarId};

use crate::cube::ObjectCube;
use crate::heap::Heap;

/// The conjunction of the literals of a cube, given what its predicates say.
pub fn of_cube(arena: &mut Arena, says: &[FormulaId], cube: ObjectCube) -> FormulaId {
    let literals = literals(arena, says, cube);
    arena.and(literals)
}

/// The literals of a cube.
pub fn literals(arena: &mut Arena, says: &[FormulaId], cube: ObjectCube) -> Vec<FormulaId> {
    cube.literals().map(|(i, value)| literal(arena, says[i], value)).collect()
}

/// A formula or its negation.
pub fn literal(arena: &mut Arena, formula: FormulaId, value: bool) -> FormulaId {
    if value { formula } else { arena.not(formula) }
}

/// That an object is in one of the cubes of a heap.
pub fn of_object(arena: &mut Arena, says: &[FormulaId], heap: &Heap) -> FormulaId {
    let cubes: Vec<FormulaId> =
        heap.paths().into_iter().map(|cube| of_cube(arena, says, cube)).collect();
    arena.or(cubes)
}

/// That every object is in one of the cubes of a heap.
pub fn of_heap(arena: &mut Arena, var: VarId, says: &[FormulaId], heap: &Heap) -> FormulaId {
    let body = of_object(arena, says, heap);
    arena.forall(&[var], body)
}

/// That this is so for one of several heaps.
pub fn of_heaps(arena: &mut Arena, var: VarId, says: &[FormulaId], heaps: &[Heap]) -> FormulaId {
    let heaps: Vec<FormulaId> = heaps.iter().map(|heap| of_heap(arena, var, says, heap)).collect();
    arena.or(heaps)
}
