//! Terms: integers, places and sets of places.

use smallvec::SmallVec;

use super::{Binding, Evaluator, Truth};
use crate::concrete::memory::{Memory, Pointer, Value};
use crate::ir::{Reg, VarId};
use crate::spec::{ArithOp, BoundId, FieldRef, Label, SetOp, Term};
use crate::types::{Scalar, Type, TypeTable};

/// What a pointer points to; `None` is null.
pub(super) type Place = Option<Pointer>;

/// A set of places, sorted and without repetition.
pub(super) type Set = SmallVec<[Place; 8]>;

/// The value of a term that is not a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Val {
    /// A mathematical integer.
    Int(i128),
    /// A pointer.
    Place(Place),
}

impl Val {
    /// What a register or cell holds; `None` if it is not defined (yet).
    pub(super) fn of(value: Value, scalar: Option<Scalar>) -> Option<Val> {
        match value {
            Value::Undef | Value::Open | Value::Piece(..) | Value::Bytes => None,
            Value::Null => Some(Val::Place(None)),
            Value::Ptr(p) => Some(Val::Place(Some(p))),
            Value::Int(i) => Some(Val::Int(match scalar {
                Some(Scalar::Int(kind)) => kind.value(i),
                _ => i.into(),
            })),
        }
    }
}

/// Reads a scalar. The pointer may be to an object that this memory does not have yet.
pub(super) fn load(
    memory: &Memory,
    types: &TypeTable,
    at: Pointer,
    scalar: Scalar,
) -> Option<Value> {
    if at.obj.0 as usize >= memory.objects.len() {
        return None;
    }
    memory.load(types, Value::Ptr(at), scalar).ok()
}

/// A place moved by some bytes; null moves nowhere.
fn moved(place: Place, bytes: i128) -> Option<Val> {
    let Some(p) = place else {
        return (bytes == 0).then_some(Val::Place(None));
    };
    let off = i32::try_from(i128::from(p.off).checked_add(bytes)?).ok()?;
    Some(Val::Place(Some(Pointer { obj: p.obj, off })))
}

impl<'a> Evaluator<'a> {
    /// The value of an integer or pointer term.
    pub(super) fn value(&mut self, term: &'a Term) -> Option<Val> {
        match term {
            Term::Int(i) => Some(Val::Int(*i)),
            Term::Null => Some(Val::Place(None)),
            Term::Reg(r) => self.register(*r),
            Term::Addr(r) => Val::of(self.slot(*r)?, None),
            Term::Bound(b) => match self.binding(*b)? {
                Binding::Val(v) => Some(*v),
                Binding::Nothing | Binding::Set(_) => None,
            },
            Term::Result => {
                let program = self.env.program;
                let scalar = program.types.scalar(program.proc(self.env.proc).ret);
                Val::of(self.env.result?, scalar)
            }
            Term::Load { addr, scalar } => self.load(addr, *scalar),
            Term::Offset(t, bytes) => {
                let place = self.place(t)?;
                moved(place, (*bytes).into())
            }
            Term::Index { base, index, size } => {
                let place = self.place(base)?;
                let index = self.int(index)?;
                moved(place, index.checked_mul((*size).into())?)
            }
            Term::Neg(t) => Some(Val::Int(self.int(t)?.checked_neg()?)),
            Term::Arith(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                Some(Val::Int(match op {
                    ArithOp::Add => a.checked_add(b)?,
                    ArithOp::Sub => a.checked_sub(b)?,
                    ArithOp::Mul => a.checked_mul(b)?,
                    ArithOp::Div => a.checked_div(b)?,
                    ArithOp::Rem => a.checked_rem(b)?,
                }))
            }
            Term::Ite(c, a, b) => match self.truth(c) {
                Truth::True => self.value(a),
                Truth::False => self.value(b),
                Truth::Undefined => None,
            },
            Term::At(label, t) => self.at(*label, |e| e.value(t)),
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => None,
        }
    }

    /// The value of a pointer term.
    pub(super) fn place(&mut self, term: &'a Term) -> Option<Place> {
        match self.value(term)? {
            Val::Place(p) => Some(p),
            Val::Int(0) => Some(None),
            Val::Int(_) => None,
        }
    }

    fn int(&mut self, term: &'a Term) -> Option<i128> {
        match self.value(term)? {
            Val::Int(i) => Some(i),
            Val::Place(_) => None,
        }
    }

    fn binding(&self, id: BoundId) -> Option<&Binding> {
        let scope = &self.bound[self.scope..];
        scope.iter().rev().find(|(b, _)| *b == id).map(|(_, v)| v)
    }

    /// The slot of a variable now; object variables keep their address, so it is theirs always.
    fn slot(&self, reg: Reg) -> Option<Value> {
        match reg {
            Reg::Local(v) => self.env.locals.get(v.0 as usize).copied(),
            Reg::Global(g) => self.env.globals.get(g.0 as usize).copied(),
        }
    }

    fn register(&self, reg: Reg) -> Option<Val> {
        let old = self.view == Label::Pre;
        let value = match (reg, self.env.pre) {
            (Reg::Local(v), _) if old && (v.0 as usize) < self.env.entry.len() => {
                self.env.entry[v.0 as usize]
            }
            (Reg::Global(g), Some(pre)) if old => pre.globals[g.0 as usize],
            _ => self.slot(reg)?,
        };
        let program = self.env.program;
        Val::of(value, program.types.scalar(program.reg_type(self.env.proc, reg)))
    }

    fn load(&mut self, addr: &'a Term, scalar: Scalar) -> Option<Val> {
        if self.view == Label::Pre
            && let Some((v, offset)) = parameter_address(addr)
            && (v.0 as usize) < self.env.entry.len()
        {
            return self.load_parameter(v, offset, scalar);
        }
        let at = self.place(addr)??;
        let value = load(self.memory(), &self.env.program.types, at, scalar)?;
        Val::of(value, Some(scalar))
    }

    /// A parameter in memory, as it was passed: its own object is younger than the entry state.
    fn load_parameter(&mut self, v: VarId, offset: i64, scalar: Scalar) -> Option<Val> {
        let passed = self.env.entry[v.0 as usize];
        if !self.is_aggregate(v) {
            return (offset == 0).then(|| Val::of(passed, Some(scalar)))?;
        }
        // An aggregate is passed as the address to copy from.
        let Val::Place(Some(at)) = moved(Some(passed.pointer()?), offset.into())? else {
            return None;
        };
        let value = load(self.memory(), &self.env.program.types, at, scalar)?;
        Val::of(value, Some(scalar))
    }

    fn is_aggregate(&self, v: VarId) -> bool {
        let slot = self.env.locals.get(v.0 as usize).and_then(|s| s.pointer());
        let ty = slot.and_then(|p| self.env.memory.object(p.obj).ty);
        let types = &self.env.program.types;
        ty.is_some_and(|t| matches!(types.get(t), Type::Record(_) | Type::Array(..)))
    }

    /// Whether a term denotes a set, by its shape.
    pub(super) fn is_set(&self, term: &Term) -> bool {
        match term {
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => true,
            Term::At(_, t) => self.is_set(t),
            Term::Ite(_, a, b) => self.is_set(a) || self.is_set(b),
            Term::Bound(b) => matches!(self.binding(*b), Some(Binding::Set(_))),
            _ => false,
        }
    }

    /// The value of a set term.
    pub(super) fn set(&mut self, term: &'a Term) -> Option<Set> {
        match term {
            Term::EmptySet => Some(Set::new()),
            Term::Singleton(t) => Some(SmallVec::from_iter([self.place(t)?])),
            Term::Content(f, h) => {
                let from = self.place(h)?;
                self.content(f, from)
            }
            Term::SetOp(op, a, b) => {
                let (mut a, mut b) = (self.set(a)?, self.set(b)?);
                match op {
                    SetOp::Inter => a.retain(|x| b.binary_search(x).is_ok()),
                    SetOp::Diff => a.retain(|x| b.binary_search(x).is_err()),
                    SetOp::Union => {
                        b.retain(|x| a.binary_search(x).is_err());
                        a.append(&mut b);
                        a.sort_unstable();
                    }
                }
                Some(a)
            }
            Term::At(label, t) => self.at(*label, |e| e.set(t)),
            Term::Ite(c, a, b) => match self.truth(c) {
                Truth::True => self.set(a),
                Truth::False => self.set(b),
                Truth::Undefined => None,
            },
            Term::Bound(b) => match self.binding(*b)? {
                Binding::Set(s) => Some((**s).clone()),
                Binding::Nothing | Binding::Val(_) => None,
            },
            _ => None,
        }
    }

    /// `\in(x, s)`; of a `content` it is decided by walking, so a partial path may be enough.
    pub(super) fn member(&mut self, x: &'a Term, s: &'a Term) -> Truth {
        let Some(place) = self.place(x) else {
            return Truth::Undefined;
        };
        if let Term::Content(field, h) = s {
            return match self.place(h) {
                Some(_) if place.is_none() => Truth::False,
                Some(from) => self.reach(field, false, from, place),
                None => Truth::Undefined,
            };
        }
        match self.set(s) {
            Some(s) => s.binary_search(&place).is_ok().into(),
            None => Truth::Undefined,
        }
    }

    fn content(&self, field: &FieldRef, from: Place) -> Option<Set> {
        let mut set: Set = self.orbit(field, from).all()?.map(Some).collect();
        set.sort_unstable();
        Some(set)
    }
}

/// The variable and offset of `&v.f`.
pub(crate) fn parameter_address(term: &Term) -> Option<(VarId, i64)> {
    match term {
        Term::Addr(Reg::Local(v)) => Some((*v, 0)),
        Term::Offset(t, bytes) => parameter_address(t).map(|(v, o)| (v, o + bytes)),
        _ => None,
    }
}
