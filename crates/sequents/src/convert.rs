//! Clauses of the user as formulas over the [`Signature`].
//!
//! Definitions are written out, `old` chooses the symbols of the entry, quantified objects are taken
//! from those that exist. The result is reduced, and speaks of *now*; what holds in another state is
//! had by replacing symbols.
//!
//! Of the contract language, into which the front end puts what it can say, variables, fields,
//! elements, quantifiers over objects and paths (`reaching`) are read; the rest is refused.

use std::collections::BTreeMap;

use trellis_hol::{Kind, Op, Quantifier, Term, VarId};
use trellis_program::spec::{
    ArithOp, Binder as SpecBinder, BoundId, Formula, HolClause, HolMeaning, Label, Sort,
    Term as SpecTerm,
};
use trellis_program::{CmpOp, ProcId, Program, Refusal, Reg, Scalar, Span, TypeId};

use crate::build::{
    and, apply, bind, element, eq, implies, int, ite, le, lt, not, null, op, or, truth, var,
};
use crate::defined::{Hidden, holds, known};
use crate::reduce::Reducer;
use crate::signature::{Item, Signature, View, elements_of, logical};

/// Reads clauses of one procedure.
pub struct Converter<'a> {
    /// The program, in which the procedure calls nothing.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// The symbols; grows.
    pub signature: &'a mut Signature,
    /// Where the clause stands that is being read.
    pub span: Span,
    /// Bound variables of the contract language, with their sorts.
    bound: BTreeMap<BoundId, (Term, Sort)>,
}

type Names = BTreeMap<VarId, Term>;

impl<'a> Converter<'a> {
    /// For the clauses of a procedure that calls nothing; the signature grows.
    pub fn new(
        program: &'a Program,
        proc: ProcId,
        signature: &'a mut Signature,
        span: Span,
    ) -> Converter<'a> {
        Converter { program, proc, signature, span, bound: BTreeMap::new() }
    }

    pub(crate) fn no<T>(&self, what: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::at(self.span, what))
    }

    /// A formula as a hypothesis.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn assumed(&mut self, formula: &Formula) -> Result<Term, Refusal> {
        let term = self.formula(formula, View::Now)?;
        let term = self.reduced(&term);
        let term = known(self.signature, &term);
        let term = self.signature.without_strict(&term);
        Ok(self.reduced(&term))
    }

    /// A formula as something to be shown.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn claimed(&mut self, formula: &Formula) -> Result<Term, Refusal> {
        let term = self.formula(formula, View::Now)?;
        let term = self.reduced(&term);
        let term = holds(self.signature, &term).map_err(|Hidden(_)| {
            Refusal::at(self.span, "a set or relation that may be undefined")
        })?;
        let term = self.signature.without_strict(&term);
        Ok(self.reduced(&term))
    }

    /// A term of a clause, of any type.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn value(&mut self, clause: &HolClause, args: &[SpecTerm]) -> Result<Term, Refusal> {
        let term = self.clause(clause, args, View::Now)?;
        Ok(self.reduced(&term))
    }

    /// A term without abbreviations.
    pub fn reduced(&mut self, term: &Term) -> Term {
        let domain = self.signature.domain(self.program, self.proc);
        Reducer { fresh: &mut self.signature.fresh, domain }.reduce(term)
    }

    /// The symbol of a part of the state.
    ///
    /// # Errors
    /// If the logic does not have it.
    pub fn item(&mut self, item: Item, view: View) -> Result<Term, Refusal> {
        match self.signature.item(self.program, self.proc, item, view) {
            Some(id) => Ok(self.signature.term(id)),
            None => self.no("a value that is no number, truth value or object"),
        }
    }

    fn clause(
        &mut self,
        clause: &HolClause,
        args: &[SpecTerm],
        view: View,
    ) -> Result<Term, Refusal> {
        let mut reader = Reader { converter: self, clause, args };
        reader.read(&clause.formula.term, &Names::new(), view)
    }

    pub(crate) fn formula(&mut self, f: &Formula, view: View) -> Result<Term, Refusal> {
        let all = |c: &mut Self, fs: &[Formula]| -> Result<Vec<Term>, Refusal> {
            fs.iter().map(|f| c.formula(f, view)).collect()
        };
        Ok(match f {
            Formula::Const(value) => truth(*value),
            Formula::Not(a) => not(self.formula(a, view)?),
            Formula::And(fs) => self.conjunction(fs, view)?,
            Formula::Or(fs) => or(all(self, fs)?),
            Formula::Implies(a, b) => implies(self.formula(a, view)?, self.formula(b, view)?),
            Formula::Iff(a, b) => eq(self.formula(a, view)?, self.formula(b, view)?),
            Formula::Cmp(by, a, b) => {
                let (a, b) = (self.spec_term(a, view)?, self.spec_term(b, view)?);
                let (a, b) = alike(a, b);
                compare(*by, a, b)
            }
            Formula::Hol(clause, args) => self.clause(clause, args, view)?,
            Formula::Forall(binders, body) => {
                self.quantified(Quantifier::Forall, binders, body, view)?
            }
            Formula::Exists(binders, body) => {
                self.quantified(Quantifier::Exists, binders, body, view)?
            }
            Formula::Reach { field, strict: false, from, to } => {
                self.reach(std::slice::from_ref(field), from, to, view)?
            }
            Formula::Derived(d) => self.derived(d, view)?,
            Formula::Alloc(t) => self.allocated(t, view)?,
            Formula::At(Label::Pre, a) => self.formula(a, View::Entry)?,
            Formula::At(Label::Here, a) => self.formula(a, View::Now)?,
            _ => return self.no("this formula of the contract language"),
        })
    }

    pub(crate) fn spec_term(&mut self, t: &SpecTerm, view: View) -> Result<Term, Refusal> {
        Ok(match t {
            SpecTerm::Int(i) => int(*i),
            SpecTerm::Null => null(),
            SpecTerm::Reg(reg) => {
                // A variable that is no parameter has no value at entry: the machine takes its
                // value now.
                let params = self.program.proc(self.proc).params;
                let view = match reg {
                    Reg::Local(v) if v.0 as usize >= params => View::Now,
                    _ => view,
                };
                self.item(Item::Reg(*reg), view)?
            }
            SpecTerm::Result => {
                let ret = self.program.proc(self.proc).ret;
                let ty = self.program.types.scalar(ret).and_then(logical);
                match ty {
                    Some(ty) => {
                        let id = self.signature.result(&ty);
                        self.signature.term(id)
                    }
                    _ => return self.no("a result of this type"),
                }
            }
            SpecTerm::Neg(a) => {
                let a = self.spec_term(a, view)?;
                op(Op::Negate, vec![a], trellis_hol::Type::Int)
            }
            SpecTerm::Arith(by, a, b) => {
                let by = match by {
                    ArithOp::Add => Op::Plus,
                    ArithOp::Sub => Op::Minus,
                    ArithOp::Mul => Op::Times,
                    ArithOp::Div | ArithOp::Rem => return self.no("division in a contract"),
                };
                let args = vec![self.spec_term(a, view)?, self.spec_term(b, view)?];
                op(by, args, trellis_hol::Type::Int)
            }
            SpecTerm::Bound(id) => match self.bound.get(id) {
                Some((term, _)) => term.clone(),
                None => return self.no("a variable that nothing binds"),
            },
            SpecTerm::Load { addr, scalar } => self.load(addr, *scalar, view)?,
            SpecTerm::Ite(c, a, b) => {
                let c = self.formula(c, view)?;
                ite(c, self.spec_term(a, view)?, self.spec_term(b, view)?)
            }
            SpecTerm::At(Label::Pre, a) => self.spec_term(a, View::Entry)?,
            SpecTerm::At(Label::Here, a) => self.spec_term(a, View::Now)?,
            _ => return self.no("a term of the contract language that reads memory"),
        })
    }

    /// A quantifier over objects of a class, which are those that exist, and null.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[SpecBinder],
        body: &Formula,
        view: View,
    ) -> Result<Term, Refusal> {
        let (mut new, mut of_class) = (Vec::new(), Vec::new());
        for b in binders {
            let Sort::Ptr(to) = b.sort else { return self.no("a quantifier over numbers or sets") };
            let own = self.signature.fresh.binder(b.name.clone(), trellis_hol::Type::Obj);
            match self.program.types.get(to) {
                trellis_program::Type::Void => {}
                trellis_program::Type::Record(_) => {
                    let class = self.class_set(to);
                    of_class.push(element(var(&own), class));
                }
                _ => return self.no("a quantifier over places of this type"),
            }
            self.bound.insert(b.id, (var(&own), b.sort));
            new.push(own);
        }
        let body = self.formula(body, view)?;
        let body = match quantifier {
            Quantifier::Exists => and(vec![and(of_class), body]),
            _ => implies(and(of_class), body),
        };
        let domain = self.signature.domain(self.program, self.proc);
        let fresh = &mut self.signature.fresh;
        Ok(Reducer { fresh, domain }.quantified(quantifier, new, body))
    }

    /// A field of an object, or an element of an array. Unlike in higher-order formulas, a field of
    /// null is undefined.
    fn load(&mut self, addr: &SpecTerm, scalar: Scalar, view: View) -> Result<Term, Refusal> {
        let (base, offset) = match addr {
            SpecTerm::Offset(base, by) => (&**base, *by),
            SpecTerm::Index { base, index, .. } => {
                let Some(ty) = logical(scalar) else { return self.no("an element of this type") };
                let elements = self.item(Item::Elements(elements_of(&ty)), view)?;
                let args = vec![self.spec_term(base, view)?, self.spec_term(index, view)?];
                return Ok(apply(elements, args));
            }
            base => (base, 0),
        };
        let owner = self.pointee(base).filter(|o| self.program.types.as_record(*o).is_some());
        let (Some(owner), Ok(offset)) = (owner, u32::try_from(offset)) else {
            return self.no("a term of the contract language that reads memory");
        };
        let base = self.spec_term(base, view)?;
        let item = Item::Field(owner, offset);
        self.item(item, view)?;
        match self.signature.strict(self.program, self.proc, item, view) {
            Some(field) => Ok(apply(field, vec![base])),
            None => self.no("a field of this type"),
        }
    }

    /// The type that a term points to.
    pub(crate) fn pointee(&self, t: &SpecTerm) -> Option<TypeId> {
        let types = &self.program.types;
        match t {
            SpecTerm::Reg(reg) => types.pointee(self.program.reg_type(self.proc, *reg)),
            SpecTerm::Result => types.pointee(self.program.proc(self.proc).ret),
            SpecTerm::Bound(id) => match self.bound.get(id)?.1 {
                Sort::Ptr(to) => Some(to),
                _ => None,
            },
            SpecTerm::Load { scalar: Scalar::Ptr(to), .. } => Some(*to),
            SpecTerm::At(_, inner) => self.pointee(inner),
            _ => None,
        }
    }

    fn class_set(&mut self, ty: TypeId) -> Term {
        let id = self.signature.class(self.program, ty);
        self.signature.term(id)
    }
}

/// Both as truth values, where one of them is.
fn alike(a: Term, b: Term) -> (Term, Term) {
    use trellis_hol::Type::{Bool, Int};
    let as_truth = |t: Term| ne_zero(t);
    match (&a.ty, &b.ty) {
        (Bool, Int) => (a, as_truth(b)),
        (Int, Bool) => (as_truth(a), b),
        _ => (a, b),
    }
}

fn ne_zero(t: Term) -> Term {
    match t.kind {
        Kind::Int(i) => truth(i != 0),
        _ => not(eq(t, int(0))),
    }
}

/// A comparison.
pub fn compare(by: CmpOp, a: Term, b: Term) -> Term {
    match by {
        CmpOp::Eq => eq(a, b),
        CmpOp::Ne => not(eq(a, b)),
        CmpOp::Lt => lt(a, b),
        CmpOp::Le => le(a, b),
        CmpOp::Gt => lt(b, a),
        CmpOp::Ge => le(b, a),
    }
}

/// Reads one clause.
struct Reader<'r, 'a> {
    converter: &'r mut Converter<'a>,
    clause: &'r HolClause,
    args: &'r [SpecTerm],
}

impl Reader<'_, '_> {
    fn read(&mut self, t: &Term, names: &Names, view: View) -> Result<Term, Refusal> {
        match &t.kind {
            Kind::Comment(_, inner) => self.read(inner, names, view),
            Kind::Var(v) => match names.get(v) {
                Some(term) => Ok(term.clone()),
                None => self.converter.no("a variable that nothing binds"),
            },
            Kind::Int(_) => Ok(t.clone()),
            Kind::Symbol(_) => self.symbol(t, view),
            Kind::Op(Op::Old, args) => self.read(&args[0], names, View::Entry),
            Kind::Op(Op::Element1, args) => {
                let elements = Item::Elements(elements_of(&t.ty));
                let elements = self.converter.item(elements, view)?;
                let array = self.read(&args[0], names, view)?;
                let index = self.read(&args[1], names, view)?;
                Ok(apply(elements, vec![array, index]))
            }
            Kind::Op(Op::Card, args) => {
                let set = self.read(&args[0], names, view)?;
                Ok(self.counted(set, &t.ty))
            }
            Kind::Op(Op::List, _) => self.converter.no("a list"),
            Kind::Op(o, args) => {
                let args: Result<Vec<_>, _> =
                    args.iter().map(|a| self.read(a, names, view)).collect();
                Ok(op(*o, args?, t.ty.clone()))
            }
            Kind::Apply(head, args) => {
                let head = self.read(head, names, view)?;
                let args: Result<Vec<_>, _> =
                    args.iter().map(|a| self.read(a, names, view)).collect();
                Ok(apply(head, args?))
            }
            Kind::Bind(q, binders, body) => {
                let mut inner = names.clone();
                let mut new = Vec::new();
                for b in binders {
                    let own = self.converter.signature.fresh.binder(b.name.clone(), b.ty.clone());
                    inner.insert(b.id, var(&own));
                    new.push(own);
                }
                let body = self.read(body, &inner, view)?;
                let (program, proc) = (self.converter.program, self.converter.proc);
                let domain = match q {
                    Quantifier::Forall | Quantifier::Exists => {
                        self.converter.signature.domain(program, proc)
                    }
                    _ => None,
                };
                let fresh = &mut self.converter.signature.fresh;
                Ok(Reducer { fresh, domain }.quantified(*q, new, body))
            }
        }
    }

    /// How many members a set has among the objects there are.
    fn counted(&mut self, set: Term, ty: &trellis_hol::Type) -> Term {
        let trellis_hol::Type::Set(of) = &set.ty else { return set };
        let x = self.converter.signature.fresh.binder("x", (**of).clone());
        let mut inside = vec![element(var(&x), set.clone())];
        let (program, proc) = (self.converter.program, self.converter.proc);
        if x.ty == trellis_hol::Type::Obj
            && let Some(domain) = self.converter.signature.domain(program, proc)
        {
            inside.push(element(var(&x), domain));
        }
        let set = bind(Quantifier::Comprehension, vec![x], and(inside));
        op(Op::Card, vec![set], ty.clone())
    }

    fn symbol(&mut self, t: &Term, view: View) -> Result<Term, Refusal> {
        let Kind::Symbol(s) = t.kind else { return Ok(t.clone()) };
        let meaning = self.clause.meanings.get(s.0 as usize).cloned();
        let converter = &mut *self.converter;
        match meaning {
            Some(HolMeaning::Argument(i)) => {
                let Some(arg) = self.args.get(i) else { return converter.no("a missing argument") };
                let value = converter.spec_term(arg, view)?;
                match (&value.ty, &t.ty) {
                    (a, b) if a == b => Ok(value),
                    (trellis_hol::Type::Int, trellis_hol::Type::Bool) => Ok(ne_zero(value)),
                    _ => converter.no("a variable of another type than the formula says"),
                }
            }
            Some(HolMeaning::Field(field)) => {
                converter.item(Item::Field(field.owner, field.offset), view)
            }
            Some(HolMeaning::Class(ty)) => Ok(converter.class_set(ty)),
            Some(HolMeaning::Objects) => Ok(op(Op::Universe, vec![], t.ty.clone())),
            Some(HolMeaning::Allocated) => match converter.signature.allocates() {
                true => converter.item(Item::Allocated, view),
                false => Ok(op(Op::Universe, vec![], t.ty.clone())),
            },
            Some(HolMeaning::Length) => {
                let id = converter.signature.length();
                Ok(converter.signature.term(id))
            }
            Some(HolMeaning::Defined) => {
                let definition = self.clause.formula.symbol(s).definition.clone();
                match definition {
                    Some(definition) => self.read(&definition, &Names::new(), view),
                    None => converter.no("a specification variable without a definition"),
                }
            }
            Some(HolMeaning::Mark(_)) | None => converter.no("a set that nothing defines"),
        }
    }
}
