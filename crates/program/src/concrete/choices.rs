//! The values that nondeterminism chooses from.

use std::sync::atomic::Ordering;

use crate::concrete::memory::{ObjId, Value};
use crate::concrete::state::State;
use crate::concrete::step::{Chooser, Machine};
use crate::types::{IntKind, Scalar};

impl Machine<'_> {
    /// The values a nondeterministic integer of this kind is chosen from. A negative number stands
    /// for the unsigned 64-bit one with the same bits, as it does everywhere in the machine.
    pub fn int_domain(&self, kind: IntKind) -> impl Iterator<Item = i64> + '_ {
        let fits = move |i: &i64| kind.wrap(i128::from(*i)) == *i;
        self.options.ints.iter().copied().filter(fits)
    }

    /// The integers to choose from for a cell that is no pointer.
    pub fn domain_of(&self, scalar: Scalar) -> Vec<i64> {
        match scalar {
            Scalar::Int(kind) => self.int_domain(kind).collect(),
            Scalar::Bits(field) => {
                let fits = |i: &i64| field.wrap(*i) == *i;
                self.int_domain(field.kind).filter(fits).collect()
            }
            Scalar::Ptr(_) | Scalar::Float(_) => Vec::new(),
        }
    }

    pub(super) fn choose_value(
        &self,
        state: &State,
        scalar: Scalar,
        truth_only: bool,
        chooser: &mut dyn Chooser,
    ) -> Value {
        let is_truth = truth_only || matches!(scalar, Scalar::Int(IntKind { bits: 1, .. }));
        if !is_truth {
            self.sampled.store(true, Ordering::Relaxed);
        }
        match scalar {
            Scalar::Int(_) if is_truth => Value::Int(chooser.choose_truth().into()),
            Scalar::Int(kind) => {
                let pick = match self.int_domain(kind).next() {
                    Some(_) => chooser.choose_integer(&mut self.int_domain(kind)),
                    None => chooser.choose(1),
                };
                Value::Int(self.int_domain(kind).nth(pick as usize).unwrap_or(0))
            }
            Scalar::Ptr(pointee) => {
                // Of a `void *` or a pointer to an incomplete type, nothing is known but that it
                // points to some object.
                let types = &self.program.types;
                let any = types.size_of(pointee).is_none();
                let fits = |o: &ObjId| {
                    let object = state.memory.object(*o);
                    let is_function = object.ty.is_some_and(|ty| types.is_function(ty));
                    object.live
                        && match object.ty {
                            Some(ty) if is_function => types.called_alike(pointee, ty),
                            ty => any || ty == Some(pointee),
                        }
                };
                let count = state.memory.ids().filter(fits).count() as u32;
                match chooser.choose(count + 1) {
                    0 => Value::Null,
                    n => state
                        .memory
                        .ids()
                        .filter(fits)
                        .nth(n as usize - 1)
                        .map_or(Value::Null, Value::to_start),
                }
            }
            Scalar::Bits(_) => {
                let values = self.domain_of(scalar);
                let pick = chooser.choose(values.len().max(1) as u32);
                Value::Int(values.get(pick as usize).copied().unwrap_or(0))
            }
            Scalar::Float(_) => Value::Undef,
        }
    }

    pub(super) fn choose_marks(&self, chooser: &mut dyn Chooser) -> u32 {
        self.marks.iter().fold(0, |m, &bit| if bit < 32 { m | chooser.choose(2) << bit } else { m })
    }
}

/// All truth assignments of uninterpreted predicates at one object, given their bits.
pub fn mark_sets(bits: &[u32]) -> Vec<u32> {
    let mut sets = vec![0];
    for bit in bits.iter().filter(|b| **b < 32) {
        sets = sets.iter().flat_map(|s| [*s, s | 1 << bit]).collect();
    }
    sets
}
