//! Boolean heaps: sets of cubes, as binary decision diagrams (section 3.2).
//!
//! A [`Heap`] stands for the states in which every object is in one of its cubes. Diagrams are
//! canonical, so heaps are identified up to subsumption of cubes, as the paper has it; they are
//! values without a manager, so a set of heaps is an ordinary collection, and nothing depends on
//! the order in which heaps are made.
//!
//! **Invariant.** All heaps of a location have the variables of its [`HeapSpace`].

use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet};

use crate::cube::{Bits, ObjectCube};

/// Where the heaps of a location live.
#[derive(Clone, Debug)]
pub struct HeapSpace {
    variables: BddVariableSet,
    count: usize,
}

/// A Boolean heap.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap(Bdd);

impl HeapSpace {
    /// For so many predicates, at most [`MOST`](crate::cube::MOST).
    pub fn new(count: usize) -> HeapSpace {
        HeapSpace { variables: BddVariableSet::new_anonymous(count as u16), count }
    }

    /// How many predicates there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All predicates, as bits.
    pub fn all(&self) -> Bits {
        (1 << self.count) - 1
    }

    /// The heap without cubes, which no state satisfies.
    pub fn none(&self) -> Heap {
        Heap(self.variables.mk_false())
    }

    /// The heap of all cubes, which says nothing.
    pub fn any(&self) -> Heap {
        Heap(self.variables.mk_true())
    }

    /// The heap of one cube.
    pub fn of(&self, cube: ObjectCube) -> Heap {
        let literals = cube.literals().map(|(i, value)| (BddVariable::from_index(i), value));
        let clause = BddPartialValuation::from_values_iter(literals);
        Heap(self.variables.mk_conjunctive_clause(&clause))
    }

    /// The heap of one complete cube.
    pub fn complete(&self, bits: Bits) -> Heap {
        self.of(ObjectCube::of(self.all(), bits))
    }

    /// The heap of several complete cubes.
    pub fn of_all(&self, cubes: impl IntoIterator<Item = Bits>) -> Heap {
        cubes.into_iter().fold(self.none(), |heap, bits| heap.join(&self.complete(bits)))
    }
}

impl Heap {
    /// The cubes of both.
    #[must_use]
    pub fn join(&self, other: &Heap) -> Heap {
        Heap(self.0.or(&other.0))
    }

    /// The cubes that are in both.
    #[must_use]
    pub fn meet(&self, other: &Heap) -> Heap {
        Heap(self.0.and(&other.0))
    }

    /// The cubes that are not in the other one.
    #[must_use]
    pub fn without(&self, other: &Heap) -> Heap {
        Heap(self.0.and_not(&other.0))
    }

    /// Whether there is no cube.
    pub fn is_empty(&self) -> bool {
        self.0.is_false()
    }

    /// Whether every cube is in the other one: H ⊑ H'.
    pub fn is_below(&self, other: &Heap) -> bool {
        self.without(other).is_empty()
    }

    /// Whether a complete cube is in it.
    pub fn contains(&self, bits: Bits) -> bool {
        let count = usize::from(self.0.num_vars());
        let values = (0..count).map(|i| bits >> i & 1 == 1).collect();
        self.0.eval_in(&biodivine_lib_bdd::BddValuation::new(values))
    }

    /// The complete cubes, in a fixed order.
    pub fn cubes(&self) -> impl Iterator<Item = Bits> + '_ {
        self.0.sat_valuations().map(|valuation| {
            let bits = valuation.as_vector().iter().enumerate();
            bits.fold(0, |all, (i, value)| all | u64::from(*value) << i)
        })
    }

    /// Disjoint cubes, not complete ones, that together are the heap.
    pub fn paths(&self) -> Vec<ObjectCube> {
        self.0.sat_clauses().map(|clause| of_clause(&clause)).collect()
    }

    /// Few cubes that together are the heap.
    pub fn few_cubes(&self) -> Vec<ObjectCube> {
        self.0.to_optimized_dnf().iter().map(of_clause).collect()
    }

    /// Few cubes none of which an object may be in; what is left is the heap.
    pub fn few_exclusions(&self) -> Vec<ObjectCube> {
        self.0.not().to_optimized_dnf().iter().map(of_clause).collect()
    }

    /// The smallest cube above all cubes; nothing if there are none.
    pub fn hull(&self) -> Option<ObjectCube> {
        Some(of_clause(&self.0.necessary_clause()?))
    }

    /// How many nodes its diagram has.
    pub fn size(&self) -> usize {
        self.0.size()
    }
}

fn of_clause(clause: &BddPartialValuation) -> ObjectCube {
    let literals = clause.to_values().into_iter();
    literals.fold(ObjectCube::TOP, |cube, (variable, value)| cube.with(variable.to_index(), value))
}

/// Adds heaps to others, but for those that are below one of them; gives those that were added.
pub fn add_new(known: &mut Vec<Heap>, found: Vec<Heap>) -> Vec<Heap> {
    let mut new: Vec<Heap> = Vec::new();
    for heap in found {
        let old = known.iter().any(|other| heap.is_below(other));
        if !old && !heap.is_empty() {
            new.retain(|other| !other.is_below(&heap));
            known.retain(|other| !other.is_below(&heap));
            known.push(heap.clone());
            new.push(heap);
        }
    }
    new
}
