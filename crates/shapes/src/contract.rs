//! Contract formulas as facts about lists.
//!
//! Memory of procedure entry (`\old(reach(…))`) is not kept by engines of lists, so a formula about
//! it is outside unless nothing is written, freed or allocated: then the past looks like the present.
//!
//! **Contract**: a fact says what the formula says, for the values that a [`SlotMap`] names. What
//! cannot be said is [`Outside`].

use trellis_program::ir::CmpOp;
use trellis_program::spec::{
    ArithOp, BoundId, Derived, FieldRef, Formula, Label, Sort, Term as SpecTerm,
};
use trellis_program::{ProcId, Program, Reg, Scalar, TypeId};

use crate::node::NodeType;
use crate::program::{Fact, IntExpr, Number, SetTerm, Slot, Term};

/// Why something is outside, as a noun phrase.
pub type Outside = String;

/// What the names of a procedure stand for where a formula or an expression of it is read.
pub trait SlotMap {
    /// The program.
    fn program(&self) -> &Program;

    /// The procedure.
    fn proc(&self) -> ProcId;

    /// The list node, if there is one.
    fn node(&self) -> Option<&NodeType>;

    /// Where a register is kept.
    fn slot(&self, reg: Reg) -> Slot;

    /// Where the value is kept that a register had at entry.
    ///
    /// # Errors
    /// If it is not kept.
    fn entry_slot(&self, reg: Reg) -> Result<Slot, Outside>;

    /// Where the result is kept.
    fn result(&self) -> Slot;

    /// Whether memory may be another one than at entry.
    fn memory_changes(&self) -> bool;

    /// Whether there may be nodes that no list variable reaches, and that `ls` must not overlook.
    fn may_hide_nodes(&self) -> bool;
}

/// A contract formula as a fact.
///
/// # Errors
/// If it cannot be said.
pub fn fact(slots: &dyn SlotMap, formula: &Formula) -> Result<Fact, Outside> {
    Formulas { slots, label: Label::Here, bound: Vec::new() }.formula(formula)
}

/// Whether a formula is just an `ls`.
pub(crate) fn is_segment(formula: &Formula) -> bool {
    matches!(formula, Formula::Derived(d) if matches!(**d, Derived::ListSegment(..)))
}

/// What an argument of a predicate stands for.
#[derive(Clone)]
enum Argument {
    Pointer(Term),
    Int(Number),
    Set(SetTerm),
}

/// One formula being read.
struct Formulas<'s> {
    slots: &'s dyn SlotMap,
    label: Label,
    bound: Vec<(BoundId, Argument)>,
}

fn both<T>(a: Result<T, Outside>, b: Result<T, Outside>) -> Result<(Box<T>, Box<T>), Outside> {
    Ok((Box::new(a?), Box::new(b?)))
}

impl Formulas<'_> {
    fn formula(&mut self, formula: &Formula) -> Result<Fact, Outside> {
        Ok(match formula {
            Formula::Const(b) => Fact::Const(*b),
            Formula::Not(f) => Fact::Not(Box::new(self.formula(f)?)),
            Formula::And(fs) => Fact::And(self.formulas(fs)?),
            Formula::Or(fs) => Fact::Or(self.formulas(fs)?),
            Formula::Implies(a, b) => {
                Fact::Or(vec![Fact::Not(Box::new(self.formula(a)?)), self.formula(b)?])
            }
            Formula::Iff(a, b) => {
                let (a, b) = both(self.formula(a), self.formula(b))?;
                Fact::Iff(a, b)
            }
            Formula::Cmp(op, a, b) => self.comparison(*op, a, b)?,
            Formula::In(x, s) => Fact::In(self.pointer(x)?, self.set(s)?),
            Formula::Subset(a, b) => Fact::Subset(self.set(a)?, self.set(b)?),
            Formula::Forall(..) | Formula::Exists(..) => {
                return Err("a quantifier in a contract".to_owned());
            }
            Formula::Reach { field, strict, from, to } => {
                self.memory(field)?;
                Fact::Reach { strict: *strict, from: self.pointer(from)?, to: self.pointer(to)? }
            }
            Formula::Derived(d) => self.derived(d)?,
            Formula::Alloc(t) => {
                self.now()?;
                Fact::Alloc(self.pointer(t)?)
            }
            Formula::Valid(t, bytes) => {
                self.now()?;
                let size = self.slots.node().map_or(0, |n| n.size);
                let pointer = self.pointer(t)?;
                if *bytes <= size { Fact::Alloc(pointer) } else { Fact::Const(false) }
            }
            Formula::Separated(ts) => {
                let places: Result<_, _> = ts.iter().map(|t| self.pointer(t)).collect();
                Fact::Separated(places?)
            }
            Formula::Pred(id, args) => {
                let predicate = &self.slots.program().predicates[id.0 as usize];
                let Some(body) = &predicate.body else {
                    return Err(format!("the uninterpreted predicate `{}`", predicate.name));
                };
                if predicate.is_recursive {
                    return Err(format!("the recursive predicate `{}`", predicate.name));
                }
                let mut bound = Vec::new();
                for (param, arg) in predicate.params.iter().zip(args) {
                    let value = match param.sort {
                        Sort::Ptr(_) => Argument::Pointer(self.pointer(arg)?),
                        Sort::Int => Argument::Int(self.int(arg)?),
                        Sort::Set(_) => Argument::Set(self.set(arg)?),
                    };
                    bound.push((param.id, value));
                }
                let outer = std::mem::replace(&mut self.bound, bound);
                let fact = self.formula(body);
                self.bound = outer;
                fact?
            }
            Formula::Hol(..) => return Err("a formula of higher-order logic".to_owned()),
            Formula::At(label, f) => self.at(*label, |s| s.formula(f))?,
        })
    }

    fn formulas(&mut self, fs: &[Formula]) -> Result<Vec<Fact>, Outside> {
        fs.iter().map(|f| self.formula(f)).collect()
    }

    fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.label, label);
        let value = f(self);
        self.label = before;
        value
    }

    /// Memory is looked at: only the memory of now is known.
    fn now(&self) -> Result<(), Outside> {
        if self.label == Label::Pre && self.slots.memory_changes() {
            return Err("memory as it was at entry".to_owned());
        }
        Ok(())
    }

    /// Memory is followed over a field: it must be the one of the list node.
    fn memory(&self, field: &FieldRef) -> Result<(), Outside> {
        self.now()?;
        let followed = self.slots.node().is_some_and(|n| n.is_followed(field));
        if followed { Ok(()) } else { Err(format!("the field `{}` beside the list's", field.name)) }
    }

    fn derived(&mut self, derived: &Derived) -> Result<Fact, Outside> {
        match derived {
            Derived::ListSegment(..) if self.slots.may_hide_nodes() => {
                Err("`ls` where nodes may be that no list variable reaches".to_owned())
            }
            Derived::ListSegment(f, a, b) => {
                self.memory(f)?;
                Ok(Fact::ListSegment(self.pointer(a)?, self.pointer(b)?))
            }
            Derived::Stable(f, a) => {
                self.memory(f)?;
                Ok(Fact::Stable(self.pointer(a)?))
            }
            Derived::Cyclic(f, a) => {
                self.memory(f)?;
                Ok(Fact::Cyclic(self.pointer(a)?))
            }
            Derived::Reverse(..) => Err("`rev`, which needs two fields".to_owned()),
            Derived::Sorted(..) => Err("`sorted`, which is about data".to_owned()),
            Derived::Tree(..) => Err("`tree`, which is not about lists".to_owned()),
            Derived::ReachOver(..) => Err("`reach` over several fields".to_owned()),
        }
    }

    fn comparison(&mut self, op: CmpOp, a: &SpecTerm, b: &SpecTerm) -> Result<Fact, Outside> {
        let negated = |fact: Fact| match op {
            CmpOp::Eq => Ok(fact),
            CmpOp::Ne => Ok(Fact::Not(Box::new(fact))),
            _ => Err("the order of pointers".to_owned()),
        };
        if self.is_set(a) || self.is_set(b) {
            return negated(Fact::SameSet(self.set(a)?, self.set(b)?));
        }
        match (self.pointer(a), self.pointer(b)) {
            (Ok(a), Ok(b)) => negated(Fact::Same(a, b)),
            (pa, pb) => match (self.int(a), self.int(b)) {
                (Ok(a), Ok(b)) => Ok(Fact::Cmp(op, a, b)),
                (a, b) => {
                    // The more telling reason of the side that is no pointer.
                    let reason =
                        if pa.is_err() { a.err().or(pa.err()) } else { b.err().or(pb.err()) };
                    Err(reason.unwrap_or_else(|| "a comparison of unlike things".to_owned()))
                }
            },
        }
    }

    fn is_set(&self, term: &SpecTerm) -> bool {
        match term {
            SpecTerm::Content(..)
            | SpecTerm::EmptySet
            | SpecTerm::Singleton(_)
            | SpecTerm::SetOp(..) => true,
            SpecTerm::At(_, t) => self.is_set(t),
            SpecTerm::Bound(b) => matches!(self.binding(*b), Some(Argument::Set(_))),
            _ => false,
        }
    }

    fn binding(&self, id: BoundId) -> Option<&Argument> {
        self.bound.iter().rev().find(|(b, _)| *b == id).map(|(_, v)| v)
    }

    /// Where a register is kept, in the state that is looked at.
    fn slot(&self, reg: Reg) -> Result<Slot, Outside> {
        match self.label {
            Label::Pre => self.slots.entry_slot(reg),
            Label::Here => Ok(self.slots.slot(reg)),
        }
    }

    fn pointer(&mut self, term: &SpecTerm) -> Result<Term, Outside> {
        Ok(match term {
            SpecTerm::Null => Term::Null,
            SpecTerm::Reg(r) => match self.slot(*r)? {
                Slot::List(x) => Term::Var(x),
                Slot::Int(_) | Slot::None => return Err("a value that is no list".to_owned()),
            },
            SpecTerm::Result => match self.slots.result() {
                Slot::List(x) => Term::Var(x),
                Slot::Int(_) | Slot::None => return Err("a result that is no list".to_owned()),
            },
            SpecTerm::Load { addr, scalar } => {
                let node = self.slots.node().ok_or("memory that is no list node")?;
                if *scalar != node.scalar() {
                    return Err("data of a node".to_owned());
                }
                self.now()?;
                let (base, at) = match &**addr {
                    SpecTerm::Offset(base, at) => (&**base, *at),
                    base => (base, 0),
                };
                let base = self.pointer(base)?;
                if at != i64::from(node.offset) {
                    return Err("a second pointer field of the list node".to_owned());
                }
                Term::Next(Box::new(base))
            }
            SpecTerm::Bound(b) => match self.binding(*b) {
                Some(Argument::Pointer(t)) => t.clone(),
                _ => return Err("a bound variable that is no pointer".to_owned()),
            },
            SpecTerm::At(label, t) => self.at(*label, |s| s.pointer(t))?,
            SpecTerm::Ite(c, a, b) => {
                let c = self.formula(c)?;
                Term::Ite(Box::new(c), Box::new(self.pointer(a)?), Box::new(self.pointer(b)?))
            }
            SpecTerm::Addr(_) => return Err("the address of a variable".to_owned()),
            SpecTerm::Offset(..) | SpecTerm::Index { .. } => {
                return Err("pointer arithmetic".to_owned());
            }
            SpecTerm::Int(_)
            | SpecTerm::Neg(_)
            | SpecTerm::Arith(..)
            | SpecTerm::Content(..)
            | SpecTerm::EmptySet
            | SpecTerm::Singleton(_)
            | SpecTerm::SetOp(..) => return Err("a term that is no pointer".to_owned()),
        })
    }

    /// A number that a register of a type holds.
    fn number_of(&self, slot: Slot, ty: TypeId) -> Result<Number, Outside> {
        match (slot, self.slots.program().types.scalar(ty)) {
            (Slot::Int(i), Some(Scalar::Int(kind))) => {
                Ok(Number { value: IntExpr::Var(i), kind: Some(kind) })
            }
            _ => Err("a value that is no number".to_owned()),
        }
    }

    fn int(&mut self, term: &SpecTerm) -> Result<Number, Outside> {
        let exactly = |value: IntExpr| Number { value, kind: None };
        let (program, proc) = (self.slots.program(), self.slots.proc());
        Ok(match term {
            SpecTerm::Int(i) => match i64::try_from(*i) {
                Ok(i) => exactly(IntExpr::Const(i)),
                Err(_) => return Err("a number above the signed 64-bit ones".to_owned()),
            },
            SpecTerm::Reg(r) => self.number_of(self.slot(*r)?, program.reg_type(proc, *r))?,
            SpecTerm::Result => self.number_of(self.slots.result(), program.proc(proc).ret)?,
            SpecTerm::Bound(b) => match self.binding(*b) {
                Some(Argument::Int(e)) => e.clone(),
                _ => return Err("a bound variable that is no number".to_owned()),
            },
            SpecTerm::At(label, t) => self.at(*label, |s| s.int(t))?,
            SpecTerm::Neg(t) => exactly(IntExpr::Opaque(vec![self.int(t)?.value])),
            // Division by zero has no value, which an unknown number cannot say.
            SpecTerm::Arith(ArithOp::Add | ArithOp::Sub | ArithOp::Mul, a, b) => {
                exactly(IntExpr::Opaque(vec![self.int(a)?.value, self.int(b)?.value]))
            }
            SpecTerm::Arith(ArithOp::Div | ArithOp::Rem, ..) => {
                return Err("a division in a contract".to_owned());
            }
            SpecTerm::Load { .. } => return Err("data of a node".to_owned()),
            SpecTerm::Null
            | SpecTerm::Addr(_)
            | SpecTerm::Offset(..)
            | SpecTerm::Index { .. }
            | SpecTerm::Ite(..)
            | SpecTerm::Content(..)
            | SpecTerm::EmptySet
            | SpecTerm::Singleton(_)
            | SpecTerm::SetOp(..) => return Err("a term that is no number".to_owned()),
        })
    }

    fn set(&mut self, term: &SpecTerm) -> Result<SetTerm, Outside> {
        Ok(match term {
            SpecTerm::EmptySet => SetTerm::Empty,
            SpecTerm::Singleton(t) => SetTerm::Singleton(self.pointer(t)?),
            SpecTerm::Content(f, h) => {
                self.memory(f)?;
                SetTerm::Content(self.pointer(h)?)
            }
            SpecTerm::SetOp(op, a, b) => {
                let (a, b) = both(self.set(a), self.set(b))?;
                SetTerm::Op(*op, a, b)
            }
            SpecTerm::At(label, t) => self.at(*label, |s| s.set(t))?,
            SpecTerm::Bound(b) => match self.binding(*b) {
                Some(Argument::Set(s)) => s.clone(),
                _ => return Err("a bound variable that is no set".to_owned()),
            },
            SpecTerm::Int(_)
            | SpecTerm::Null
            | SpecTerm::Reg(_)
            | SpecTerm::Addr(_)
            | SpecTerm::Result
            | SpecTerm::Load { .. }
            | SpecTerm::Offset(..)
            | SpecTerm::Index { .. }
            | SpecTerm::Neg(_)
            | SpecTerm::Arith(..)
            | SpecTerm::Ite(..) => return Err("a term that is no set".to_owned()),
        })
    }
}
