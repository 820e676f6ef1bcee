//! Integers as patterns see them: classes of a finite partition, and sets of classes.
//!
//! The constants of a procedure cut the integers into classes: each constant alone, and what lies
//! between. Where the procedure orders nothing, everything that is no constant is one class.
//!
//! **Invariant:** every integer is in exactly one class. A set of classes also says whether the
//! value may be *undefined*, that is, never written.

use std::cmp::Ordering;

use trellis_program::{CmpOp, IntKind};

/// Most classes of a partition: the bits of [`Values`] without the one for *undefined*.
pub const MOST_CLASSES: usize = 62;

/// The classes of integers that patterns tell apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The constants, ascending, as mathematical integers.
    constants: Vec<i128>,
    /// Whether what lies below, between and above the constants is told apart.
    ordered: bool,
}

/// The number of a class.
pub type Class = usize;

impl Partition {
    /// The partition of some constants; of too many only the smallest ones in absolute value count.
    pub fn new(constants: impl IntoIterator<Item = i128>, ordered: bool) -> Partition {
        let most = if ordered { (MOST_CLASSES - 1) / 2 } else { MOST_CLASSES - 1 };
        let mut constants: Vec<i128> = constants.into_iter().collect();
        constants.sort_by_key(|c| (c.unsigned_abs(), *c));
        constants.dedup();
        constants.truncate(most);
        constants.sort_unstable();
        Partition { constants, ordered }
    }

    /// The constants, ascending.
    pub fn constants(&self) -> &[i128] {
        &self.constants
    }

    /// Whether classes of other values are ordered.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// How many classes there are, empty ones included.
    pub fn len(&self) -> usize {
        let constants = self.constants.len();
        if self.ordered { 2 * constants + 1 } else { constants + 1 }
    }

    /// Never: there is always the class of other values.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The class of an integer.
    pub fn class(&self, value: i128) -> Class {
        match (self.constants.binary_search(&value), self.ordered) {
            (Ok(i), true) => 2 * i + 1,
            (Err(i), true) => 2 * i,
            (Ok(i), false) => i,
            (Err(_), false) => self.constants.len(),
        }
    }

    /// The only integer of a class, if it is one of the constants.
    pub fn constant(&self, class: Class) -> Option<i128> {
        match self.ordered {
            true => (class % 2 == 1).then(|| self.constants.get(class / 2).copied())?,
            false => self.constants.get(class).copied(),
        }
    }

    /// The least and the greatest integer of a class that a type has; `None` if it has none. What
    /// is unordered may have holes.
    pub fn range(&self, class: Class, kind: IntKind) -> Option<(i128, i128)> {
        let (least, greatest) = limits(kind);
        if let Some(c) = self.constant(class) {
            return (least <= c && c <= greatest).then_some((c, c));
        }
        if self.ordered {
            let at = class / 2;
            let low = at.checked_sub(1).map_or(least, |i| (self.constants[i] + 1).max(least));
            let high = self.constants.get(at).map_or(greatest, |c| (c - 1).min(greatest));
            return (low <= high).then_some((low, high));
        }
        let is_other = |v: &i128| self.constants.binary_search(v).is_err();
        // There are fewer constants than steps of this search.
        let low = (least..=greatest).take(MOST_CLASSES).find(is_other)?;
        let high = (least..=greatest).rev().take(MOST_CLASSES).find(is_other)?;
        Some((low, high))
    }

    /// Every defined value of a type.
    pub fn all(&self, kind: IntKind) -> Values {
        let classes = (0..self.len()).filter(|c| self.range(*c, kind).is_some());
        classes.fold(Values::NONE, |all, c| all.or(Values::class(c)))
    }

    /// The classes of the integers from `low` to `high`.
    pub fn between(&self, low: i128, high: i128) -> Values {
        let mut out = Values::NONE;
        if low > high {
            return out;
        }
        for c in self.constants.iter().filter(|c| low <= **c && **c <= high) {
            out = out.or(Values::class(self.class(*c)));
        }
        // What is no constant lies beside one, or at the ends.
        let beside = self.constants.iter().flat_map(|c| [c - 1, c + 1]);
        for v in beside.chain([low, high]).filter(|v| low <= *v && *v <= high) {
            out = out.or(Values::class(self.class(v)));
        }
        out
    }

    /// The class of a wrapped value of a type.
    pub fn of(&self, kind: IntKind, wrapped: i64) -> Class {
        self.class(kind.value(wrapped))
    }

    /// How two classes of values of two types may be ordered.
    pub fn orders(&self, a: (Class, IntKind), b: (Class, IntKind)) -> Orders {
        let (Some(x), Some(y)) = (self.range(a.0, a.1), self.range(b.0, b.1)) else {
            return Orders::NONE;
        };
        let mut out = Orders::NONE;
        if x.0 < y.1 {
            out = out.or(Orders::LESS);
        }
        if x.1 > y.0 {
            out = out.or(Orders::GREATER);
        }
        if a.0 == b.0 && x.0 <= y.1 && y.0 <= x.1 {
            out = out.or(Orders::EQUAL);
        }
        out
    }
}

/// The least and the greatest integer of a type.
pub fn limits(kind: IntKind) -> (i128, i128) {
    match (kind.bits, kind.signed) {
        (1, _) => (0, 1),
        (bits, true) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        (bits, false) => (0, (1i128 << bits) - 1),
    }
}

/// A set of classes, and whether the value may be undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Values(pub u64);

impl Values {
    /// No value at all.
    pub const NONE: Values = Values(0);
    /// Never written.
    pub const UNDEFINED: Values = Values(1);

    /// One class.
    pub fn class(class: Class) -> Values {
        Values(2 << class)
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Union.
    #[must_use]
    pub fn or(self, other: Values) -> Values {
        Values(self.0 | other.0)
    }

    /// Intersection.
    #[must_use]
    pub fn and(self, other: Values) -> Values {
        Values(self.0 & other.0)
    }

    /// Whether all of the other set are in this one.
    pub fn includes(self, other: Values) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the value may be undefined.
    pub fn may_be_undefined(self) -> bool {
        self.0 & 1 != 0
    }

    /// The classes, ascending.
    pub fn classes(self) -> impl Iterator<Item = Class> {
        (0..63).filter(move |c| self.0 & (2 << c) != 0)
    }

    /// The only class, if the value is defined and there is one.
    pub fn only(self) -> Option<Class> {
        let bits = self.0 & !1;
        (!self.may_be_undefined() && bits.is_power_of_two())
            .then(|| bits.trailing_zeros() as usize - 1)
    }
}

/// How two integers may be ordered: a set of less, equal, greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Orders(pub u8);

impl Orders {
    /// Not comparable: one of them is undefined, or not there.
    pub const NONE: Orders = Orders(0);
    /// The first is smaller.
    pub const LESS: Orders = Orders(1);
    /// Both are equal.
    pub const EQUAL: Orders = Orders(2);
    /// The first is greater.
    pub const GREATER: Orders = Orders(4);
    /// Any.
    pub const ANY: Orders = Orders(7);

    /// Union.
    #[must_use]
    pub fn or(self, other: Orders) -> Orders {
        Orders(self.0 | other.0)
    }

    /// Intersection.
    #[must_use]
    pub fn and(self, other: Orders) -> Orders {
        Orders(self.0 & other.0)
    }

    /// Whether all of the other set are in this one.
    pub fn includes(self, other: Orders) -> bool {
        self.0 & other.0 == other.0
    }

    /// The order of two integers.
    pub fn of(order: Ordering) -> Orders {
        match order {
            Ordering::Less => Orders::LESS,
            Ordering::Equal => Orders::EQUAL,
            Ordering::Greater => Orders::GREATER,
        }
    }

    /// The same seen from the other side.
    #[must_use]
    pub fn turned(self) -> Orders {
        Orders(self.0 & 2 | (self.0 & 1) << 2 | self.0 >> 2 & 1)
    }

    /// The orders in which a comparison holds.
    pub fn holding(op: CmpOp) -> Orders {
        let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        let holding = all.into_iter().filter(|o| op.holds(*o));
        holding.fold(Orders::NONE, |out, o| out.or(Orders::of(o)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: IntKind = IntKind { bits: 8, signed: true };

    /// Everything is compared with its definition over all integers of a small type.
    #[test]
    fn classes_are_what_they_say() {
        for (constants, ordered) in
            [(vec![0, 1], false), (vec![0, 1, 5], true), (vec![-128, 127], true), (vec![], true)]
        {
            let p = Partition::new(constants.clone(), ordered);
            for class in 0..p.len() {
                let members: Vec<i128> = (-128..128).filter(|v| p.class(*v) == class).collect();
                let ends = members.first().map(|l| (*l, *members.last().unwrap()));
                assert_eq!(p.range(class, I8), ends, "{constants:?} {class}");
            }
            for (low, high) in [(-128, 127), (0, 0), (0, 1), (1, 4), (2, 4), (-3, 6), (4, 3)] {
                let classes = (low..=high).map(|v| Values::class(p.class(v)));
                let expected = classes.fold(Values::NONE, Values::or);
                assert_eq!(p.between(low, high), expected, "{constants:?} {low} {high}");
            }
            for (a, b) in (0..p.len()).flat_map(|a| (0..p.len()).map(move |b| (a, b))) {
                let mut orders = Orders::NONE;
                for (x, y) in (-128..128).flat_map(|x| (-128..128).map(move |y| (x, y))) {
                    if (p.class(x), p.class(y)) == (a, b) {
                        orders = orders.or(Orders::of(x.cmp(&y)));
                    }
                }
                assert!(p.orders((a, I8), (b, I8)).includes(orders), "{constants:?} {a} {b}");
            }
        }
        assert_eq!(Partition::new([0, 1], false).all(IntKind::BOOL), Values(0b110));
    }
}
