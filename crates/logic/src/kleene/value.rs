//! The three truth values.
//!
//! Two orders matter. In the *truth* order `False < Maybe < True`, so conjunction is the minimum and
//! disjunction the maximum. In the *information* order `Maybe` lies above both others: it says less.

use std::ops::Not;

/// A truth value of Kleene's logic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Kleene {
    /// Holds nowhere.
    #[default]
    False,
    /// Holds or does not.
    Maybe,
    /// Holds everywhere.
    True,
}

impl Kleene {
    /// Conjunction.
    pub fn and(self, other: Kleene) -> Kleene {
        self.min(other)
    }

    /// Disjunction.
    pub fn or(self, other: Kleene) -> Kleene {
        self.max(other)
    }

    /// The least informative of the two: what they agree on, else `Maybe`.
    pub fn join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Maybe }
    }

    /// Whether `other` says the same or less.
    pub fn is_below(self, other: Kleene) -> bool {
        self == other || other == Kleene::Maybe
    }

    /// Whether it is true or false.
    pub fn is_definite(self) -> bool {
        self != Kleene::Maybe
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Self {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl Not for Kleene {
    type Output = Kleene;

    fn not(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Maybe => Kleene::Maybe,
            Kleene::True => Kleene::False,
        }
    }
}
