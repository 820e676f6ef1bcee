//! Contract terms: loads become fields, offsets disappear into spots.

use trellis_logic::{ArithOp, TermId};

use super::Untranslatable;
use super::formula::{Meaning, Translator};
use super::spots::Spot;
use super::vocabulary::{FieldSymbol, Kind};
use crate::ir::{Reg, VarId};
use crate::spec::{self, BoundId, FieldRef, Label, Term};
use crate::types::Scalar;

/// A pointer in the logic: the object, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    pub(super) term: TermId,
    pub(super) spot: Spot,
}

/// The value of a term that is not a set.
#[derive(Clone, Copy, Debug)]
pub(super) enum Val {
    Int(TermId),
    Ptr(Pointer),
}

impl Val {
    fn new(term: TermId, kind: Kind) -> Val {
        match kind {
            Kind::Int => Val::Int(term),
            Kind::Ptr(spot) => Val::Ptr(Pointer { term, spot }),
        }
    }
}

/// So many elements in bytes.
fn bytes_of(elements: i128, size: u32) -> Option<i64> {
    i64::try_from(elements.checked_mul(size.into())?).ok()
}

/// A refusal.
pub(super) fn no<T>(reason: impl Into<String>) -> Result<T, Untranslatable> {
    Err(Untranslatable::new(reason))
}

impl<'a> Translator<'a> {
    pub(super) fn value(&mut self, term: &'a Term) -> Result<Val, Untranslatable> {
        match term {
            Term::Int(i) => Ok(Val::Int(self.exact.arena.num(*i))),
            Term::Null => Ok(Val::Ptr(self.null())),
            Term::Reg(r) => {
                let symbol = self.exact.vocabulary.reg(*r)?;
                let fun = symbol.fun.at(self.view);
                Ok(Val::new(self.exact.arena.constant(fun), symbol.kind))
            }
            Term::Addr(r) => self.address(*r).map(Val::Ptr),
            Term::Bound(b) => match self.binding(*b)? {
                Meaning::Int(t) => Ok(Val::Int(*t)),
                Meaning::Ptr(p) => Ok(Val::Ptr(*p)),
                Meaning::Set(_) => no("a set used as a value"),
            },
            Term::Result => {
                let Some(symbol) = self.exact.vocabulary.result else {
                    return no("the result is not a value of the logic");
                };
                Ok(Val::new(self.exact.arena.constant(symbol.fun.now), symbol.kind))
            }
            Term::Load { addr, scalar } => self.load(addr, *scalar),
            Term::Offset(t, bytes) => self.moved(t, *bytes).map(Val::Ptr),
            Term::Index { base, index, size } => match **index {
                Term::Int(i) => match bytes_of(i, *size) {
                    Some(bytes) => self.moved(base, bytes).map(Val::Ptr),
                    None => no("a pointer far outside its object"),
                },
                _ => no("an array element whose number is not a constant"),
            },
            Term::Neg(t) => {
                let (zero, t) = (self.exact.arena.num(0), self.int(t)?);
                Ok(Val::Int(self.exact.arena.arith(ArithOp::Sub, zero, t)))
            }
            Term::Arith(op, a, b) => {
                let op = match op {
                    spec::ArithOp::Add => ArithOp::Add,
                    spec::ArithOp::Sub => ArithOp::Sub,
                    spec::ArithOp::Mul => ArithOp::Mul,
                    spec::ArithOp::Div | spec::ArithOp::Rem => return no("a division"),
                };
                let (a, b) = (self.int(a)?, self.int(b)?);
                Ok(Val::Int(self.exact.arena.arith(op, a, b)))
            }
            Term::Ite(c, a, b) => self.conditional(c, a, b),
            Term::At(label, t) => self.at(*label, |s| s.value(t)),
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => {
                no("a set used as a value")
            }
        }
    }

    pub(super) fn null(&mut self) -> Pointer {
        let null = self.exact.vocabulary.null;
        Pointer { term: self.exact.arena.constant(null), spot: Spot::Null }
    }

    /// A pointer term; the integer 0 is null.
    pub(super) fn pointer(&mut self, term: &'a Term) -> Result<Pointer, Untranslatable> {
        match self.value(term)? {
            Val::Ptr(p) => Ok(p),
            Val::Int(_) if matches!(term, Term::Int(0)) => Ok(self.null()),
            Val::Int(_) => no("an integer used as a pointer"),
        }
    }

    pub(super) fn int(&mut self, term: &'a Term) -> Result<TermId, Untranslatable> {
        match self.value(term)? {
            Val::Int(t) => Ok(t),
            Val::Ptr(_) => no("a pointer used as an integer"),
        }
    }

    fn binding(&self, id: BoundId) -> Result<&Meaning, Untranslatable> {
        let scope = &self.bound[self.scope..];
        match scope.iter().rev().find(|(b, _)| *b == id) {
            Some((_, meaning)) => Ok(meaning),
            None => no("a variable that nothing binds"),
        }
    }

    fn address(&mut self, reg: Reg) -> Result<Pointer, Untranslatable> {
        let vocabulary = self.exact.vocabulary;
        let Some(&(fun, ty)) = vocabulary.addresses.get(&reg) else {
            return no("the address of a constant object");
        };
        let Some(spot) = vocabulary.spots.of_object(ty) else {
            return no("the address of an object of unknown type");
        };
        Ok(Pointer { term: self.exact.arena.constant(fun), spot })
    }

    fn load(&mut self, addr: &'a Term, scalar: Scalar) -> Result<Val, Untranslatable> {
        if self.view == Label::Pre
            && let Some((v, offset)) = parameter_address(addr)
            && (v.0 as usize) < self.exact.vocabulary.params
        {
            // As it was passed: its own object is younger than the entry state.
            return match self.exact.vocabulary.reg(Reg::Local(v)) {
                Ok(symbol) if offset == 0 => {
                    let entry = self.exact.arena.constant(symbol.fun.entry);
                    Ok(Val::new(entry, symbol.kind))
                }
                _ => no("the entry value of a struct that was passed by value"),
            };
        }
        let at = self.undropped(addr)?;
        let (family, position) = match at.spot {
            Spot::At { family, at } => (family, at),
            Spot::Start => return no("memory read through a pointer without a type"),
            Spot::Null => return no("memory read through the null literal"),
        };
        let field = self.exact.vocabulary.cell(family, position, scalar)?;
        let (fun, kind) = (field.fun.at(self.view), field.kind);
        Ok(Val::new(self.exact.arena.app(fun, &[at.term]), kind))
    }

    /// A pointer whose offset is only in its spot: fit for a load, which null does not survive.
    fn undropped(&mut self, term: &'a Term) -> Result<Pointer, Untranslatable> {
        let (base, bytes) = match term {
            Term::Offset(base, bytes) => (base, *bytes),
            Term::Index { base, index, size } if matches!(**index, Term::Int(_)) => {
                let Term::Int(i) = **index else { return no("an array element") };
                let Some(bytes) = bytes_of(i, *size) else {
                    return no("a pointer far outside its object");
                };
                (base, bytes)
            }
            _ => return self.pointer(term),
        };
        let base = self.undropped(base)?;
        match self.exact.vocabulary.shift(base.spot, bytes) {
            Some(spot) => Ok(Pointer { term: base.term, spot }),
            None => no("an offset into an object of unknown type"),
        }
    }

    /// `&p->f`: the same object, but undefined where `p` is null.
    fn moved(&mut self, base: &'a Term, bytes: i64) -> Result<Pointer, Untranslatable> {
        let base = self.pointer(base)?;
        let Some(spot) = self.exact.vocabulary.shift(base.spot, bytes) else {
            return no("an offset into an object of unknown type");
        };
        if bytes == 0 {
            return Ok(base);
        }
        let arena = &mut *self.exact.arena;
        let null = arena.constant(self.exact.vocabulary.null);
        let undefined = arena.constant(self.exact.vocabulary.undefined);
        let is_null = arena.eq(base.term, null);
        // What comes from an address or from another offset is not null.
        let defined = match arena.term(base.term) {
            trellis_logic::Term::Ite(_, u, _) if *u == undefined => true,
            trellis_logic::Term::App(fun, _) => {
                self.exact.vocabulary.addresses.values().any(|(f, _)| f == fun)
            }
            _ => false,
        };
        let term = if defined { base.term } else { arena.ite(is_null, undefined, base.term) };
        Ok(Pointer { term, spot })
    }

    fn conditional(
        &mut self,
        c: &'a spec::Formula,
        a: &'a Term,
        b: &'a Term,
    ) -> Result<Val, Untranslatable> {
        let c = self.formula(c)?;
        let (a, b) = (self.value(a)?, self.value(b)?);
        let (ta, tb, kind) = match (a, b) {
            (Val::Int(a), Val::Int(b)) => (a, b, Kind::Int),
            (Val::Ptr(a), Val::Ptr(b)) => {
                let spot = common_spot(a.spot, b.spot)?;
                (a.term, b.term, Kind::Ptr(spot))
            }
            _ => return no("a conditional between a pointer and an integer"),
        };
        let constant = c == trellis_logic::FormulaId::TRUE || c == trellis_logic::FormulaId::FALSE;
        if ta == tb && !constant {
            return no("a conditional whose sides are the same");
        }
        Ok(Val::new(self.exact.arena.ite(c, ta, tb), kind))
    }

    /// The pointer field of `reach(f, …)`; it leads from its type back to its type.
    pub(super) fn link(&self, field: &FieldRef) -> Result<(Link<'a>, Spot), Untranslatable> {
        let vocabulary = self.exact.vocabulary;
        let symbol = vocabulary.field(field.owner, field.offset, field.scalar)?;
        let place = vocabulary.pointee(field.owner)?;
        let Some(closure) = symbol.closure.filter(|_| symbol.kind == Kind::Ptr(place)) else {
            return no(format!("`{}` does not lead back to where it starts", field.name));
        };
        Ok((Link { symbol, closure: closure.at(self.view) }, place))
    }

    /// A pointer to the type that a field is followed from.
    pub(super) fn linked(&mut self, term: &'a Term, place: Spot) -> Result<TermId, Untranslatable> {
        let p = self.pointer(term)?;
        if p.spot == Spot::Null || p.spot == place {
            return Ok(p.term);
        }
        no("a path from or to another place of an object")
    }
}

/// The spot of a pointer that is one of two.
pub(super) fn common_spot(a: Spot, b: Spot) -> Result<Spot, Untranslatable> {
    match (a, b) {
        (Spot::Null, spot) | (spot, Spot::Null) => Ok(spot),
        _ if a == b => Ok(a),
        _ => no("pointers to different places of an object taken together"),
    }
}

/// A field that can be followed.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pub(super) symbol: &'a FieldSymbol,
    pub(super) closure: trellis_logic::RelId,
}

/// The variable and offset of `&v.f`.
fn parameter_address(term: &Term) -> Option<(VarId, i64)> {
    match term {
        Term::Addr(Reg::Local(v)) => Some((*v, 0)),
        Term::Offset(t, bytes) => parameter_address(t).map(|(v, o)| (v, o + bytes)),
        _ => None,
    }
}
