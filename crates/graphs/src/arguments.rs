//! What the host passes to a program: `argv`, so many pointers to strings and a null pointer behind
//! them.
//!
//! [`Arguments`] is the array. Its strings are made when the program loads one of its pointers: buffers
//! that are *passed* ([`Buffer::passed`]). Nobody knows whether two of these are the same string, so
//! they are never written (that is refused, as writing the array is), and pointers to two of them are not
//! compared. What was loaded is remembered, so that a place that is read twice holds the same.
//!
//! **Invariant.** Passed buffers end with a zero, which is their last byte; places in the array are
//! multiples of the size of a pointer.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use trellis_program::concrete::Lifetime;
use trellis_program::{CheckKind, IntKind, Refusal, Scalar, Span, TypeId, TypeTable};

use crate::buffer::{Buffer, Tail};
use crate::code::Code;
use crate::eval::Stop;
use crate::graph::{Graph, Node, Object};
use crate::value::{NodeId, Place, Range, Value};

/// No host passes a longer string.
pub const LONGEST: i64 = 1 << 27;

/// An array of strings that the host passes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// What it has elements of: pointers to characters.
    #[serde(with = "crate::evidence::one_type_number")]
    pub element: TypeId,
    /// Bytes of an element.
    pub step: u32,
    /// How many bytes the pointers have; the null pointer comes behind them.
    pub end: Value,
    /// Places in bytes, and what was found there.
    pub seen: Vec<(Value, Value)>,
}

impl Arguments {
    /// Values that it says, for walks.
    pub(crate) fn values(&self) -> Vec<Value> {
        let seen = self.seen.iter().flat_map(|(at, string)| [*at, *string]);
        std::iter::once(self.end).chain(seen).collect()
    }

    /// Changes them.
    pub(crate) fn map(&mut self, f: &mut impl FnMut(Value) -> Value) {
        self.end = f(self.end);
        for (at, string) in &mut self.seen {
            *at = f(*at);
            *string = f(*string);
        }
    }

    /// Whether two are of one kind.
    pub fn is_like(&self, other: &Arguments) -> bool {
        (self.element, self.step) == (other.element, other.step)
    }

    /// What was found at a place that is a number.
    pub(crate) fn seen_at(&self, at: Value) -> Option<Value> {
        let known = matches!(at, Value::Int(_) | Value::Sym(_));
        self.seen.iter().find(|(place, _)| known && *place == at).map(|(_, string)| *string)
    }
}

/// Whether values of a type are pointers to characters.
pub(crate) fn is_string(types: &TypeTable, ty: TypeId) -> bool {
    character(types, ty).is_some()
}

/// What strings of a type have.
fn character(types: &TypeTable, ty: TypeId) -> Option<TypeId> {
    let of = types.pointee(ty)?;
    matches!(types.scalar(of), Some(Scalar::Int(kind)) if kind.bits == 8).then_some(of)
}

/// The type of the elements of a parameter that is an array of strings.
pub(crate) fn strings(types: &TypeTable, param: TypeId) -> Option<TypeId> {
    types.pointee(param).filter(|element| is_string(types, *element))
}

impl Graph {
    /// Forgets what was found where no register says it any more: a loop finds ever more.
    pub(crate) fn forget_seen(&mut self) {
        let registers = self.locals.iter().chain(&self.globals).chain(&self.held);
        let held: Vec<NodeId> = registers.filter_map(|v| v.place()).map(|p| p.node).collect();
        let is_held = |string: Value| string.place().is_some_and(|p| held.contains(&p.node));
        for id in self.ids().collect::<Vec<_>>() {
            let keeps = |(at, string): &(Value, Value)| {
                matches!(at, Value::Int(_) | Value::Sym(_)) && is_held(*string)
            };
            if let Node::Arguments(a) = self.node(id)
                && !a.seen.iter().all(keeps)
                && let Node::Arguments(a) = self.node_mut(id)
            {
                a.seen.retain(keeps);
            }
        }
    }

    /// An array of so many strings.
    pub(crate) fn pass(&mut self, types: &TypeTable, element: TypeId, count: Value) -> Value {
        let step = types.size_of(element).unwrap_or(8).max(1);
        let most = Range::between(0, i64::from(i32::MAX) * i64::from(step));
        let end = match self.form(count) {
            Some(form) => self.define(&form.times(step.into()), most),
            None => Value::Range(most),
        };
        let end = crate::step::named(self, end);
        let id = self.add(Node::Arguments(Arguments { element, step, end, seen: Vec::new() }));
        Value::to(id, 0)
    }

    /// Whether a pointer that leads into an array of strings may be moved by so many bytes.
    pub(crate) fn may_move(&self, place: Place, by: i64) -> Result<(), Stop> {
        match self.node(place.node) {
            Node::Arguments(a) if by % i64::from(a.step) != 0 => {
                Err(Stop::outside("bytes of the array of arguments"))
            }
            _ => Ok(()),
        }
    }

    /// A string that the host passed.
    fn a_string(&mut self, character: TypeId) -> Value {
        let length = self.fresh(Range::between(0, LONGEST));
        let id = self.add(Node::Buffer(Buffer::passed_by_host(character, length)));
        Value::to(id, 0)
    }

    /// The size of a buffer.
    pub(crate) fn size_of_buffer(&mut self, b: &Buffer) -> Result<Value, Stop> {
        match b.passed {
            true => self.sum_of(b.length, 1, Value::Int(1)),
            false => Ok(b.size),
        }
    }
}

impl Buffer {
    /// One of the strings of the host.
    pub(crate) fn passed_by_host(character: TypeId, length: Value) -> Buffer {
        Buffer {
            ty: Some(character),
            life: Lifetime::Global,
            literal: false,
            initial: true,
            constant: false,
            passed: true,
            size: Value::Any,
            length,
            tail: Tail::Zero,
            more: Value::Any,
        }
    }

    /// Whether it is as the host makes strings.
    pub(crate) fn is_as_passed(&self) -> bool {
        let like = Buffer { length: Value::Any, ..self.clone() };
        self.ty.is_some_and(|ty| like == Buffer::passed_by_host(ty, Value::Any))
    }
}

impl Code<'_> {
    /// Loads from an array of strings; `None` if it is none.
    pub(crate) fn load_string(
        &self,
        graph: &mut Graph,
        at: Value,
        scalar: Scalar,
    ) -> Result<Option<Value>, Stop> {
        let Value::Ptr(p) = at else { return Ok(None) };
        let Node::Arguments(a) = graph.node(p.node) else { return Ok(None) };
        let (end, element) = (a.end, a.element);
        let known = character(&self.program.types, element).filter(|_| scalar.is_ptr());
        let Some(character) = known else {
            return Err(Stop::outside("bytes of the array of arguments"));
        };
        let position = graph.position(p)?;
        if graph.order_of(position, Value::Int(0))? == Ordering::Less {
            return Err(Stop::Fails(CheckKind::Bounds));
        }
        match graph.order_of(position, end)? {
            Ordering::Greater => Err(Stop::Fails(CheckKind::Bounds)),
            Ordering::Equal => Ok(Some(Value::Null)),
            Ordering::Less => {
                let before = match graph.node(p.node) {
                    Node::Arguments(a) => a.seen_at(position),
                    _ => None,
                };
                let string = match before {
                    Some(string) => string,
                    None => graph.a_string(character),
                };
                if before.is_none()
                    && let Node::Arguments(a) = graph.node_mut(p.node)
                {
                    a.seen.push((position, string));
                }
                Ok(Some(string))
            }
        }
    }

    /// What the host passed, in a graph of a state of the machine: what was there before the first
    /// instruction and is no global.
    ///
    /// # Errors
    /// If it is not as hosts pass it.
    pub(crate) fn recognise_passed(&self, graph: &mut Graph, span: Span) -> Result<(), Refusal> {
        let types = &self.program.types;
        let globals: Vec<NodeId> =
            graph.globals.iter().filter_map(|v| v.place()).map(|p| p.node).collect();
        let of_host = |graph: &Graph, id: &NodeId| {
            graph
                .node(*id)
                .object()
                .is_some_and(|o| o.initial && o.life == Lifetime::Global && !globals.contains(id))
        };
        let all: Vec<NodeId> = graph.ids().filter(|id| of_host(graph, id)).collect();
        for id in all {
            let Some(object) = graph.node(id).object() else { continue };
            let made = match object.ty {
                Some(ty) if is_string(types, ty) => self.array_of(object, ty).map(Node::Arguments),
                Some(ty) => string_of(object, ty).map(Node::Buffer),
                None => None,
            };
            let unusual = || Refusal::at(span, "arguments that no host passes");
            *graph.node_mut(id) = made.ok_or_else(unusual)?;
        }
        Ok(())
    }

    fn array_of(&self, object: &Object, element: TypeId) -> Option<Arguments> {
        let step = self.program.types.size_of(element)?;
        let (last, strings) = object.cells.split_last()?;
        let at = |i: usize| Value::Int(i as i64 * i64::from(step));
        let seen: Vec<(Value, Value)> =
            strings.iter().enumerate().map(|(i, v)| (at(i), *v)).collect();
        let well = *last == Value::Null && strings.iter().all(|v| v.place().is_some());
        let end = at(strings.len());
        well.then_some(Arguments { element, step, end, seen })
    }
}

/// An object as one of the host's strings.
fn string_of(object: &Object, ty: TypeId) -> Option<Buffer> {
    let (last, characters) = object.cells.split_last()?;
    let is_character = |v: &Value| matches!(v, Value::Int(i) if *i != 0);
    let well = *last == Value::Int(0)
        && characters.iter().all(is_character)
        && object.size as usize == object.cells.len();
    well.then(|| Buffer::passed_by_host(ty, Value::Int(characters.len() as i64)))
}

/// How many arguments there are at least, if a precondition says that of the first parameter.
pub(crate) fn least_count(procedure: &trellis_program::Procedure) -> i64 {
    use trellis_program::spec::{Formula, Term};
    use trellis_program::{CmpOp, Reg, VarId};
    let says = |f: &Formula| match f {
        Formula::Cmp(CmpOp::Ge, Term::Reg(Reg::Local(VarId(0))), Term::Int(least)) => {
            i64::try_from(*least).ok()
        }
        _ => None,
    };
    let all = procedure.contract.requires.iter().filter_map(|c| says(&c.formula));
    all.max().unwrap_or(0).max(0)
}

/// The numbers of arguments that a host may pass.
pub(crate) fn counts(procedure: &trellis_program::Procedure, kind: IntKind) -> Range {
    let all = crate::eval::full(kind);
    Range::between(least_count(procedure).max(all.lo), all.hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_at_a_place_is_found_there_again() {
        let string = Value::to(1, 0);
        let a = Arguments {
            element: TypeId(0),
            step: 8,
            end: Value::Int(16),
            seen: vec![
                (Value::Int(8), string),
                (Value::Range(Range::between(0, 8)), Value::to(2, 0)),
            ],
        };
        assert_eq!(a.seen_at(Value::Int(8)), Some(string));
        assert_eq!(a.seen_at(Value::Int(0)), None);
        // Of a range there is no second copy: it is another place each time.
        assert_eq!(a.seen_at(Value::Range(Range::between(0, 8))), None);
    }
}
