//! Paths over several fields at once: `reach({f, g}, x, y)` and `tree(f, g, x)`.
//!
//! Null has no successors here and is nobody's: both are about nodes. Neither has a place whose
//! field cannot be read or was never written.

use std::collections::BTreeSet;

use super::paths::Next;
use super::terms::Place;
use super::{Evaluator, Truth};
use crate::concrete::memory::Pointer;
use crate::spec::FieldRef;

/// What a walk over several fields finds.
struct Walk {
    /// The places, the first one included.
    seen: BTreeSet<Pointer>,
    /// Whether some place was come to twice.
    twice: bool,
    /// Whether some field has no value.
    stops: bool,
    /// Whether some value is not chosen yet.
    open: bool,
}

impl Evaluator<'_> {
    fn walk(&self, fields: &[FieldRef], from: Pointer) -> Walk {
        let mut walk =
            Walk { seen: BTreeSet::from([from]), twice: false, stops: false, open: false };
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            for field in fields {
                match self.next(field, at) {
                    Next::To(p) if walk.seen.insert(p) => todo.push(p),
                    Next::To(_) => walk.twice = true,
                    Next::Null => {}
                    Next::Stop => walk.stops = true,
                    Next::Open => walk.open = true,
                }
            }
        }
        walk
    }

    pub(super) fn reach_over(&self, fields: &[FieldRef], from: Place, to: Place) -> Truth {
        let (Some(from), Some(to)) = (from, to) else { return Truth::False };
        let walk = self.walk(fields, from);
        match walk.seen.contains(&to) {
            true => Truth::True,
            false if walk.open => Truth::Undefined,
            false => Truth::False,
        }
    }

    pub(super) fn tree(&self, fields: &[FieldRef], root: Place) -> Truth {
        let Some(root) = root else { return Truth::True };
        let walk = self.walk(fields, root);
        match walk.twice {
            true => Truth::False,
            false if walk.stops || walk.open => Truth::Undefined,
            false => Truth::True,
        }
    }
}
