//! Contract formulas that follow fields step by step.

use trellis_program::spec::{Derived, FieldRef, Formula, Label, SetOp, Term};
use trellis_program::{CmpOp, Reg, Scalar};

use super::code::Returned;
use super::{Lowering, Outside};
use crate::program::{Fact, IntExpr, Number, Over, Path, Source};
use crate::words::Slot;

impl Lowering<'_> {
    /// A formula over the present state; `\result` is what is returned.
    pub(super) fn fact(
        &self,
        formula: &Formula,
        returned: Option<&Returned>,
    ) -> Result<Fact, Outside> {
        let at = At { lowering: self, returned, old: false };
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
}

impl At<'_, '_> {
    fn fact(&self, formula: &Formula) -> Result<Fact, Outside> {
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
            // How the heap was at entry is not known.
            Formula::Derived(_) | Formula::Reach { .. } if self.old => {
                return Err("the heap as it was at entry".to_owned());
            }
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
                Derived::Sorted(..) => return Err("`sorted` in a formula".to_owned()),
            },
            Formula::Reach { field, strict, from, to } => Fact::Reach {
                strict: *strict,
                over: self.over(field)?,
                from: self.path(from)?,
                to: self.path(to)?,
            },
            Formula::Forall(..) | Formula::Exists(..) => return Err("a quantifier".to_owned()),
            Formula::In(..) | Formula::Subset(..) => return Err("a set in a formula".to_owned()),
            Formula::Separated(terms) => {
                let paths = terms.iter().map(|t| self.path(t)).collect::<Result<Vec<_>, _>>()?;
                let null = Path { start: Source::Null, fields: Vec::new() };
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
            Formula::Pred(..) => return Err("a predicate in a formula".to_owned()),
            Formula::Hol(..) => return Err("a formula of higher-order logic".to_owned()),
        })
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
            Term::Null => plain(Source::Null),
            Term::Reg(r) => {
                let var = words.pointer(self.slot(*r)?).ok_or("another kind of variable")?;
                plain(Source::Var(var))
            }
            Term::Result => {
                plain(self.returned.and_then(|r| r.pointer).ok_or("`\\result` of another kind")?)
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
            (None, Source::Var(v)) => words.pointers[v].to,
            (None, Source::Null) => None,
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
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}
