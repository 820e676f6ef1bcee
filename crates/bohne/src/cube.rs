//! Cubes: partial maps from predicates to truth values (section 3.2).
//!
//! Predicates are known by their numbers. A **complete** cube maps all of them, and is no more than the
//! bits of its values ([`Bits`]).
//!
//! **Invariant.** What a cube does not map has no value: its bit is zero.

/// The values of all predicates of an object, by their numbers.
pub type Bits = u64;

/// Most predicates of a location.
pub const MOST: usize = 60;

/// A partial map from predicates to truth values; its meaning is the conjunction of the literals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ObjectCube {
    /// The predicates that it maps.
    care: Bits,
    /// Their values.
    values: Bits,
}

impl ObjectCube {
    /// The cube that maps nothing, and says nothing.
    pub const TOP: ObjectCube = ObjectCube { care: 0, values: 0 };

    /// The cube that maps some predicates as `bits` has them.
    pub fn of(care: Bits, bits: Bits) -> ObjectCube {
        ObjectCube { care, values: bits & care }
    }

    /// The value of a predicate, if there is one.
    pub fn get(self, predicate: usize) -> Option<bool> {
        has(self.care, predicate).then(|| has(self.values, predicate))
    }

    /// The same with one more literal.
    #[must_use]
    pub fn with(self, predicate: usize, value: bool) -> ObjectCube {
        let bit = 1 << predicate;
        let values = if value { self.values | bit } else { self.values & !bit };
        ObjectCube { care: self.care | bit, values }
    }

    /// Whether a complete cube is below this one: C ⊑ C'.
    pub fn covers(self, complete: Bits) -> bool {
        (complete ^ self.values) & self.care == 0
    }

    /// Whether another cube is below this one.
    pub fn is_above(self, other: ObjectCube) -> bool {
        self.care & !other.care == 0 && self.covers(other.values)
    }

    /// The smallest cube above both.
    #[must_use]
    pub fn join(self, other: ObjectCube) -> ObjectCube {
        let care = self.care & other.care & !(self.values ^ other.values);
        ObjectCube::of(care, self.values)
    }

    /// The literals, by the numbers of their predicates.
    pub fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..u64::BITS as usize).filter_map(move |i| Some((i, self.get(i)?)))
    }
}

/// Whether a bit is set.
pub fn has(bits: Bits, predicate: usize) -> bool {
    bits >> predicate & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_keeps_what_both_say() {
        let (a, b) = (ObjectCube::of(0b111, 0b101), ObjectCube::of(0b011, 0b011));
        let both = a.join(b);
        assert_eq!(both, ObjectCube::of(0b001, 0b001));
        assert!(both.is_above(a) && both.is_above(b));
        assert!(!a.is_above(both));
    }

    #[test]
    fn literals_are_what_was_said() {
        let cube = ObjectCube::TOP.with(3, true).with(0, false).with(3, false);
        assert_eq!(cube.literals().collect::<Vec<_>>(), [(0, false), (3, false)]);
        assert!(cube.covers(0b0110));
        assert!(!cube.covers(0b1000));
    }
}
