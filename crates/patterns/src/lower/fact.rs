//! Contract formulas that follow fields step by step.

use trellis_program::dll::as_doubly_linked;
use trellis_program::embedding::contains;
use trellis_program::spec::{
    Binder, BoundId, Derived, FieldRef, Formula, Label, PredId, SetOp, Sort, Term,
};
use trellis_program::{CmpOp, Reg, Scalar};

use super::code::Returned;
use super::{Lowering, Outside};
use crate::program::{Fact, IntExpr, Number, Over, Path, Start};
use crate::words::Slot;

impl Lowering<'_> {
    /// A formula over the present state; `\result` is what is returned.
    pub(super) fn fact(
        &self,
        formula: &Formula,
        returned: Option<&Returned>,
    ) -> Result<Fact, Outside> {
        let at = At { lowering: self, returned, old: false, env: &[] };
        at.fact(formula)
    }
}

/// How terms are read.
#[derive(Clone, Copy)]
struct At<'a, 'p> {
    lowering: &'a Lowering<'p>,
    returned: Option<&'a Returned>,
    /// Inside `\old`.
    old: bool,
    /// Objects of quantifiers, and arguments of predicates.
    env: &'a [(BoundId, Argument)],
}

/// What a name of a contract stands for.
#[derive(Clone)]
enum Argument {
    /// A pointer, and the record that it points to by its type.
    Pointer(Path, Option<usize>),
    Number(Number),
}

impl At<'_, '_> {
    fn fact(&self, formula: &Formula) -> Result<Fact, Outside> {
        if let Some((next, back, x, y)) = as_doubly_linked(formula) {
            return self.doubly(next, back, x, y);
        }
        let all = |fs: &[Formula]| fs.iter().map(|f| self.fact(f)).collect::<Result<Vec<_>, _>>();
        Ok(match formula {
            Formula::Const(b) => Fact::Const(*b),
            Formula::Not(f) => Fact::Not(Box::new(self.fact(f)?)),
            Formula::And(fs) => Fact::And(all(fs)?),
            Formula::Or(fs) => Fact::Or(all(fs)?),
            Formula::Implies(a, b) => {
                Fact::Or(vec![Fact::Not(Box::new(self.fact(a)?)), self.fact(b)?])
            }
            Formula::Iff(a, b) => Fact::Iff(Box::new(self.fact(a)?), Box::new(self.fact(b)?)),
            Formula::Cmp(op, a, b) => self.comparison(*op, a, b)?,
            // How the heap was at entry is not known.
            Formula::Alloc(_)
            | Formula::Valid(..)
            | Formula::Derived(_)
            | Formula::Reach { .. }
                if self.old =>
            {
                return Err("the heap as it was at entry".to_owned());
            }
            Formula::Alloc(t) => Fact::Alloc(self.path(t)?),
            // Every cell is large enough.
            Formula::Valid(t, bytes) => {
                let records = &self.lowering.words.records;
                if records.iter().any(|r| r.size < *bytes) {
                    return Err("`\\valid` of more than one record".to_owned());
                }
                Fact::Alloc(self.path(t)?)
            }
            Formula::At(label, f) => At { old: *label == Label::Pre, ..*self }.fact(f)?,
            Formula::Derived(d) => match &**d {
                Derived::ListSegment(f, a, b) => {
                    Fact::Segment { over: self.over(f)?, from: self.path(a)?, to: self.path(b)? }
                }
                Derived::Cyclic(f, a) => {
                    let (from, to) = (self.path(a)?, self.path(a)?);
                    Fact::Reach { strict: true, over: self.over(f)?, from, to }
                }
                Derived::Stable(f, a) => Fact::Stable(self.over(f)?, self.path(a)?),
                Derived::Reverse(..) => return Err("`rev` in a formula".to_owned()),
                Derived::Sorted(f, key, a, b) => {
                    let (over, from, to) = (self.over(f)?, self.path(a)?, self.path(b)?);
                    let record = &self.lowering.words.records[over.record];
                    let key =
                        record.data_at(i64::from(key.offset)).ok_or("a key of another type")?;
                    Fact::Sorted { over, key, from, to }
                }
                Derived::Tree(..) => return Err("`tree` in a formula".to_owned()),
                Derived::ReachOver(..) => {
                    return Err("`reach` over several fields in a formula".to_owned());
                }
            },
            Formula::Reach { field, strict, from, to } => Fact::Reach {
                strict: *strict,
                over: self.over(field)?,
                from: self.path(from)?,
                to: self.path(to)?,
            },
            Formula::Forall(binders, body) => self.quantified(binders, &|at| at.fact(body))?,
            Formula::Exists(binders, body) => {
                let none = |at: &At<'_, '_>| Ok(Fact::Not(Box::new(at.fact(body)?)));
                Fact::Not(Box::new(self.quantified(binders, &none)?))
            }
            Formula::In(..) | Formula::Subset(..) => return Err("a set in a formula".to_owned()),
            Formula::Separated(terms) => {
                let paths = terms.iter().map(|t| self.path(t)).collect::<Result<Vec<_>, _>>()?;
                let null = Path { start: Start::Null, fields: Vec::new() };
                let mut all = Vec::new();
                for (i, a) in paths.iter().enumerate() {
                    for b in &paths[..i] {
                        let same = Fact::Same(a.clone(), b.clone());
                        let is_null = Fact::Same(a.clone(), null.clone());
                        all.push(Fact::Or(vec![Fact::Not(Box::new(same)), is_null]));
                    }
                }
                Fact::And(all)
            }
            Formula::Pred(id, args) => self.predicate(*id, args)?,
            Formula::Hol(..) => return Err("a formula of higher-order logic".to_owned()),
        })
    }

    fn doubly(
        &self,
        next: &FieldRef,
        back: &FieldRef,
        x: &Term,
        y: &Term,
    ) -> Result<Fact, Outside> {
        if self.old {
            return Err("the heap as it was at entry".to_owned());
        }
        let (over, back) = (self.over(next)?, self.over(back)?.field);
        Ok(Fact::Doubly { over, back, from: self.path(x)?, to: self.path(y)? })
    }

    /// A formula about all objects.
    fn quantified(
        &self,
        binders: &[Binder],
        body: &dyn Fn(&At<'_, '_>) -> Result<Fact, Outside>,
    ) -> Result<Fact, Outside> {
        if self.old {
            return Err("the heap as it was at entry".to_owned());
        }
        let mut env = self.env.to_vec();
        let mut records = Vec::new();
        let words = &self.lowering.words;
        let types = &self.lowering.program.types;
        for binder in binders {
            let Sort::Ptr(ty) = binder.sort else {
                return Err("a quantifier over something else than objects".to_owned());
            };
            let record = words.record(ty).ok_or("a quantifier over other objects")?;
            let others = words.records.iter().enumerate().filter(|(r, _)| *r != record);
            if others.into_iter().any(|(_, r)| contains(types, r.ty, ty)) {
                return Err("a quantifier over parts of objects".to_owned());
            }
            let bound = binder.id.0 as usize;
            let path = Path { start: Start::Bound(bound), fields: Vec::new() };
            env.push((binder.id, Argument::Pointer(path, Some(record))));
            records.push((record, bound));
        }
        let inner = body(&At { env: &env, ..*self })?;
        Ok(records.into_iter().rev().fold(inner, |body, (record, bound)| Fact::Forall {
            record,
            bound,
            body: Box::new(body),
        }))
    }

    /// The definition of a predicate of the user.
    fn predicate(&self, id: PredId, args: &[Term]) -> Result<Fact, Outside> {
        let predicate = &self.lowering.program.predicates[id.0 as usize];
        let Some(body) = &predicate.body else {
            return Err(format!("the uninterpreted predicate `{}`", predicate.name));
        };
        if predicate.is_recursive {
            return Err(format!("the recursive predicate `{}`", predicate.name));
        }
        let mut env = Vec::new();
        for (param, arg) in predicate.params.iter().zip(args) {
            let value = match param.sort {
                Sort::Ptr(ty) => Argument::Pointer(self.path(arg)?, self.lowering.words.record(ty)),
                Sort::Int => Argument::Number(self.number(arg)?),
                Sort::Set(_) => return Err("a set in a formula".to_owned()),
            };
            env.push((param.id, value));
        }
        At { env: &env, ..*self }.fact(body)
    }

    fn argument(&self, id: BoundId) -> Option<&Argument> {
        self.env.iter().rev().find(|(b, _)| *b == id).map(|(_, a)| a)
    }

    /// A field from a record to itself.
    fn over(&self, field: &FieldRef) -> Result<Over, Outside> {
        let words = &self.lowering.words;
        let record = words.record(field.owner).ok_or("a field of another record")?;
        let number = words.records[record].pointer_at(i64::from(field.offset));
        let number = number.ok_or("a field of another record")?;
        match words.records[record].pointers[number].to == Some(record) {
            true => Ok(Over { record, field: number }),
            false => Err("a field to another record".to_owned()),
        }
    }

    /// `\inter(content(f, a), content(f, b))`.
    fn intersection(&self, term: &Term) -> Option<Result<Fact, Outside>> {
        let Term::SetOp(SetOp::Inter, a, b) = term else { return None };
        let (Term::Content(f, a), Term::Content(g, b)) = (&**a, &**b) else { return None };
        (f == g && !self.old)
            .then(|| Ok(Fact::Disjoint(self.over(f)?, self.path(a)?, self.path(b)?)))
    }

    fn comparison(&self, op: CmpOp, a: &Term, b: &Term) -> Result<Fact, Outside> {
        let empty = |t: &Term| matches!(t, Term::EmptySet);
        let sides = [(a, b), (b, a)];
        let disjoint =
            sides.into_iter().find_map(|(a, b)| self.intersection(a).filter(|_| empty(b)));
        if let (CmpOp::Eq, Some(disjoint)) = (op, disjoint) {
            return disjoint;
        }
        if let (Ok(a), Ok(b)) = (self.path(a), self.path(b)) {
            let same = Fact::Same(a, b);
            return match op {
                CmpOp::Eq => Ok(same),
                CmpOp::Ne => Ok(Fact::Not(Box::new(same))),
                _ => Err("the order of pointers".to_owned()),
            };
        }
        Ok(Fact::Cmp(op, self.number(a)?, self.number(b)?))
    }

    fn slot(&self, reg: Reg) -> Result<Slot, Outside> {
        let assigned = |p: Option<bool>| p != Some(true);
        match reg {
            Reg::Local(v) if self.old => {
                // A parameter that never changes has one word for both.
                let words = &self.lowering.words;
                let pointer = words.pointer(Slot::Local(v)).map(|p| words.pointers[p].is_entry);
                let scalar = words.scalar(Slot::Local(v)).map(|s| words.scalars[s].is_entry);
                if assigned(pointer) && assigned(scalar) {
                    return Ok(Slot::Entry(v));
                }
                Ok(Slot::Local(v))
            }
            Reg::Local(v) => Ok(Slot::Local(v)),
            Reg::Global(_) if self.old => Err("a global as it was at entry".to_owned()),
            Reg::Global(g) => Ok(Slot::Global(g)),
        }
    }

    fn path(&self, term: &Term) -> Result<Path, Outside> {
        let words = &self.lowering.words;
        let plain = |start| Ok(Path { start, fields: Vec::new() });
        match term {
            Term::Null => plain(Start::Null),
            Term::Reg(r) => {
                let var = words.pointer(self.slot(*r)?).ok_or("another kind of variable")?;
                plain(Start::Var(var))
            }
            Term::Bound(id) => match self.argument(*id) {
                Some(Argument::Pointer(path, _)) => Ok(path.clone()),
                _ => Err("a name that stands for something else".to_owned()),
            },
            Term::Result => {
                let pointer = self.returned.and_then(|r| r.pointer);
                plain(pointer.ok_or("`\\result` of another kind")?.into())
            }
            Term::Load { addr, scalar: Scalar::Ptr(_) } if !self.old => {
                let (path, record, offset) = self.place(addr)?;
                let field = words.records[record].pointer_at(offset);
                let field = field.ok_or("something else than a field")?;
                let mut fields = path.fields;
                fields.push((record, field));
                Ok(Path { start: path.start, fields })
            }
            Term::At(label, t) => At { old: *label == Label::Pre, ..*self }.path(t),
            _ => Err("a term that is not followed".to_owned()),
        }
    }

    /// The cell and the offset of an address.
    fn place(&self, addr: &Term) -> Result<(Path, usize, i64), Outside> {
        let (base, offset) = match addr {
            Term::Offset(base, by) => (&**base, *by),
            base => (base, 0),
        };
        let path = self.path(base)?;
        let words = &self.lowering.words;
        let record = match (path.fields.last(), path.start) {
            (Some((r, f)), _) => words.records[*r].pointers[*f].to,
            (None, Start::Var(v)) => words.pointers[v].to,
            (None, Start::Bound(_)) => match base {
                Term::Bound(id) => self.argument(*id).and_then(|a| match a {
                    Argument::Pointer(_, record) => *record,
                    Argument::Number(_) => None,
                }),
                _ => None,
            },
            (None, Start::Null) => None,
        };
        Ok((path, record.ok_or("a `void *` that is followed")?, offset))
    }

    fn number(&self, term: &Term) -> Result<Number, Outside> {
        let words = &self.lowering.words;
        Ok(match term {
            Term::Int(i) => Number::Const(*i),
            Term::Reg(r) => {
                let slot = self.slot(*r)?;
                Number::Scalar(words.scalar(slot).ok_or("another kind of variable")?)
            }
            Term::Bound(id) => match self.argument(*id) {
                Some(Argument::Number(number)) => number.clone(),
                _ => return Err("a name that stands for something else".to_owned()),
            },
            Term::Result => match self.returned.and_then(|r| r.number.as_ref()) {
                Some(IntExpr::Scalar(s)) => Number::Scalar(*s),
                Some(IntExpr::Const(c)) => {
                    let ret = self.lowering.program.proc(self.lowering.proc).ret;
                    let kind = match self.lowering.program.types.scalar(ret) {
                        Some(Scalar::Int(kind)) => kind,
                        _ => return Err("`\\result` of another kind".to_owned()),
                    };
                    Number::Const(kind.value(*c))
                }
                _ => return Err("`\\result` that is computed".to_owned()),
            },
            Term::Load { addr, scalar: Scalar::Int(_) } if !self.old => {
                let (path, record, offset) = self.place(addr)?;
                let field = words.records[record].data_at(offset);
                Number::Data(path, record, field.ok_or("something else than a field")?)
            }
            Term::At(label, t) => At { old: *label == Label::Pre, ..*self }.number(t)?,
            _ => return Err("a term that is not followed".to_owned()),
        })
    }
}

/// The parts of a conjunction.
pub(super) fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        list if as_doubly_linked(list).is_some() => vec![list],
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}
