//! Terms, with what is known of the class of the object.

use trellis_hol::{Kind, Op, Term as HolTerm, Type};
use trellis_program::TypeId;
use trellis_program::ir::CmpOp;
use trellis_program::spec::{ArithOp, FieldRef, Formula, HolMeaning, Label, Term};

use super::Translator;
use super::build::{and, is_null, is_there};

/// What objects a term may be; all but [`Of::Nothing`] may also be null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// Null, or no object at all: a number.
    Nothing,
    /// An object of a class.
    Class(TypeId),
    /// An object of no class of the program.
    Stranger,
    /// Any object.
    Any,
}

/// A term of the contract language.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) term: Term,
    pub(super) of: Of,
}

impl Typed {
    pub(super) const NULL: Typed = Typed { term: Term::Null, of: Of::Nothing };
}

fn number(term: Term) -> Typed {
    Typed { term, of: Of::Nothing }
}

impl Translator<'_> {
    /// What a pointer to a type leads to.
    pub(super) fn pointee(&self, ty: TypeId) -> Of {
        match self.universe.classes.contains(&ty) {
            true => Of::Class(ty),
            false => Of::Any,
        }
    }

    pub(super) fn term(&mut self, term: &HolTerm) -> Option<Typed> {
        match &term.kind {
            Kind::Var(v) => self.vars.get(v).cloned(),
            Kind::Int(i) => Some(number(Term::Int(*i))),
            Kind::Symbol(s) => match &self.clause.meanings[s.0 as usize] {
                HolMeaning::Argument(i) if term.ty != Type::Bool => {
                    Some(Typed { term: self.args.get(*i)?.clone(), of: *self.kinds.get(*i)? })
                }
                _ => None,
            },
            Kind::Op(Op::Null, _) => Some(Typed::NULL),
            Kind::Op(op @ (Op::Plus | Op::Minus | Op::Times), sides) => {
                let op = match op {
                    Op::Plus => ArithOp::Add,
                    Op::Minus => ArithOp::Sub,
                    _ => ArithOp::Mul,
                };
                let (a, b) = (self.term(&sides[0])?.term, self.term(&sides[1])?.term);
                Some(number(Term::Arith(op, Box::new(a), Box::new(b))))
            }
            Kind::Op(Op::Negate, a) => Some(number(Term::Neg(Box::new(self.term(&a[0])?.term)))),
            Kind::Op(Op::Old, a) => {
                let inner = self.at(Label::Pre, |t| t.term(&a[0]))?;
                let term = match inner.term {
                    Term::Null => Term::Null,
                    term => Term::At(Label::Pre, Box::new(term)),
                };
                Some(Typed { term, of: inner.of })
            }
            Kind::Apply(head, args) => {
                let field = self.field(head)?.clone();
                let [object] = &args[..] else { return None };
                let object = self.term(object)?;
                self.read(&field, object)
            }
            _ => None,
        }
    }

    pub(super) fn field(&self, head: &HolTerm) -> Option<&FieldRef> {
        let Kind::Symbol(s) = head.kind else { return None };
        match &self.clause.meanings[s.0 as usize] {
            HolMeaning::Field(f) => Some(f),
            _ => None,
        }
    }

    /// A field of an object. Fields that hold objects are total: null, an object of another class
    /// and, at entry, one that was not there yet have null.
    pub(super) fn read(&self, field: &FieldRef, object: Typed) -> Option<Typed> {
        let pointee = match field.scalar {
            trellis_program::Scalar::Ptr(to) => Some(self.pointee(to)),
            _ => None,
        };
        match object.of {
            Of::Class(class) if class == field.owner => {}
            Of::Any => return None,
            _ => return pointee.map(|_| Typed::NULL),
        }
        let object = object.term;
        let addr = match field.offset {
            0 => object.clone(),
            by => Term::Offset(Box::new(object.clone()), by.into()),
        };
        let load = Term::Load { addr: Box::new(addr), scalar: field.scalar };
        let Some(of) = pointee else { return Some(number(load)) };
        let mut conditions = Vec::new();
        if !self.is_there(&object) {
            conditions.push(is_there(&object));
        }
        if self.may_be_new(&object) {
            conditions.push(Formula::Alloc(object));
        }
        let term = match and(conditions) {
            Formula::Const(true) => load,
            there => Term::Ite(Box::new(there), Box::new(load), Box::new(Term::Null)),
        };
        Some(Typed { term, of })
    }

    /// Whether a term is known not to be null.
    pub(super) fn is_there(&self, term: &Term) -> bool {
        self.not_null.contains(term)
    }

    /// Whether a term may be an object that was not there at entry, where entry is spoken of.
    pub(super) fn may_be_new(&self, term: &Term) -> bool {
        self.label == Label::Pre && matches!(term, Term::Bound(_) | Term::At(Label::Here, _))
    }

    pub(super) fn equal(&self, a: Typed, b: Typed) -> Formula {
        let differ = match (a.of, b.of) {
            (Of::Class(x), Of::Class(y)) => x != y,
            (Of::Class(_), Of::Stranger) | (Of::Stranger, Of::Class(_)) => true,
            _ => false,
        };
        let null = |t: &Typed| match self.is_there(&t.term) {
            true => Formula::Const(false),
            false => is_null(t.term.clone()),
        };
        match (&a.term, &b.term) {
            // Objects of different classes are equal only if they are none.
            _ if differ => and(vec![null(&a), null(&b)]),
            (Term::Null, _) => null(&b),
            (_, Term::Null) => null(&a),
            (x, y) if x == y && a.of != Of::Nothing => Formula::Const(true),
            _ => Formula::Cmp(CmpOp::Eq, a.term, b.term),
        }
    }
}
