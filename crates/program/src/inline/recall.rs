//! Formulas of a callee in terms of the caller's variables, now.
//!
//! In the caller there is no state "at the call" to look at. What a formula says under `\old` is
//! replaced: a parameter or a global in a register by a register that kept its value, memory by
//! memory now if the callee changes nothing. Anything else is lost, and the formula with it.
//!
//! **Invariant:** no [`Term::At`] and no [`Formula::At`] is left; in the new body they would mean
//! the entry of the caller.

use super::Inliner;
use super::bind::{Activation, Entry, Target};
use crate::concrete::spec_eval::{formula_traits, parameter_address};
use crate::ir::{Expr, Instr, InstrKind, Reg, VarId};
use crate::spec::{Derived, Formula, Label, PredId, Term};
use crate::types::{IntKind, Scalar, Type, TypeId};

/// One translation.
pub(super) struct Recall<'a, 'p> {
    inliner: &'a mut Inliner<'p>,
    activation: &'a mut Activation,
    label: Label,
    /// What cannot be recalled.
    lost: Option<&'static str>,
}

const MEMORY: &str = "memory or globals";
/// A register holds the bits of such a number, memory and globals the number itself.
const WIDE: &str = "a 64-bit unsigned number";

impl<'a, 'p> Recall<'a, 'p> {
    pub(super) fn new(
        inliner: &'a mut Inliner<'p>,
        activation: &'a mut Activation,
    ) -> Recall<'a, 'p> {
        Recall { inliner, activation, label: Label::Here, lost: None }
    }

    /// What the formula says of the time of the call and cannot be told.
    pub(super) fn lost(self) -> Option<&'static str> {
        self.lost
    }

    fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.label, label);
        let value = f(self);
        self.label = before;
        value
    }

    /// Memory, or a global, is looked at.
    fn look_at_memory(&mut self) {
        if self.label == Label::Pre && self.inliner.writers.contains(&self.activation.proc) {
            self.lost = Some(MEMORY);
        }
    }

    pub(super) fn formula(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::Const(b) => Formula::Const(*b),
            Formula::Not(f) => Formula::Not(self.boxed(f)),
            Formula::And(fs) => Formula::And(fs.iter().map(|f| self.formula(f)).collect()),
            Formula::Or(fs) => Formula::Or(fs.iter().map(|f| self.formula(f)).collect()),
            Formula::Implies(a, b) => Formula::Implies(self.boxed(a), self.boxed(b)),
            Formula::Iff(a, b) => Formula::Iff(self.boxed(a), self.boxed(b)),
            Formula::Cmp(op, a, b) => Formula::Cmp(*op, self.term(a), self.term(b)),
            Formula::In(a, b) => Formula::In(self.term(a), self.term(b)),
            Formula::Subset(a, b) => Formula::Subset(self.term(a), self.term(b)),
            // Variables range over what there is now, also under `\old`.
            Formula::Forall(binders, f) => Formula::Forall(binders.clone(), self.boxed(f)),
            Formula::Exists(binders, f) => Formula::Exists(binders.clone(), self.boxed(f)),
            Formula::Reach { field, strict, from, to } => {
                self.look_at_memory();
                let (from, to) = (self.term(from), self.term(to));
                Formula::Reach { field: field.clone(), strict: *strict, from, to }
            }
            Formula::Derived(d) => {
                self.look_at_memory();
                Formula::Derived(Box::new(self.derived(d)))
            }
            Formula::Alloc(t) => {
                self.look_at_memory();
                Formula::Alloc(self.term(t))
            }
            Formula::Valid(t, bytes) => {
                self.look_at_memory();
                Formula::Valid(self.term(t), *bytes)
            }
            Formula::Separated(ts) => Formula::Separated(self.terms(ts)),
            Formula::Pred(id, ts) => {
                self.predicate(*id);
                Formula::Pred(*id, self.terms(ts))
            }
            Formula::Hol(clause, ts) => {
                // What it says of the entry of the callee cannot be taken out of it.
                if clause.formula.looks_back() {
                    self.at(Label::Pre, Self::look_at_memory);
                }
                self.look_at_memory();
                Formula::Hol(clause.clone(), self.terms(ts))
            }
            Formula::At(label, f) => self.at(*label, |r| r.formula(f)),
        }
    }

    fn boxed(&mut self, f: &Formula) -> Box<Formula> {
        Box::new(self.formula(f))
    }

    fn terms(&mut self, ts: &[Term]) -> Vec<Term> {
        ts.iter().map(|t| self.term(t)).collect()
    }

    fn derived(&mut self, d: &Derived) -> Derived {
        match d {
            Derived::ListSegment(f, a, b) => {
                Derived::ListSegment(f.clone(), self.term(a), self.term(b))
            }
            Derived::Stable(f, a) => Derived::Stable(f.clone(), self.term(a)),
            Derived::Reverse(f, g, a, b) => {
                Derived::Reverse(f.clone(), g.clone(), self.term(a), self.term(b))
            }
            Derived::Sorted(f, g, a, b) => {
                Derived::Sorted(f.clone(), g.clone(), self.term(a), self.term(b))
            }
            Derived::Cyclic(f, a) => Derived::Cyclic(f.clone(), self.term(a)),
            Derived::ReachOver(fs, a, b) => {
                Derived::ReachOver(fs.clone(), self.term(a), self.term(b))
            }
            Derived::Tree(fs, a) => Derived::Tree(fs.clone(), self.term(a)),
        }
    }

    /// A user's predicate is about the state in which it is used.
    fn predicate(&mut self, id: PredId) {
        let program = self.inliner.program;
        let Some(body) = &program.predicates[id.0 as usize].body else { return };
        let then = Formula::At(Label::Pre, Box::new(body.clone()));
        if formula_traits(program, self.activation.proc, &then).mentions_pre_memory {
            self.look_at_memory();
        }
    }

    fn term(&mut self, term: &Term) -> Term {
        let boxed = |r: &mut Self, t: &Term| Box::new(r.term(t));
        match term {
            Term::Int(i) => Term::Int(*i),
            Term::Null => Term::Null,
            Term::EmptySet => Term::EmptySet,
            Term::Bound(b) => Term::Bound(*b),
            Term::Reg(r) => self.register(*r),
            Term::Addr(r) => Term::Addr(self.activation.reg(*r)),
            Term::Result => match self.activation.target {
                Target::Register(var) => Term::Reg(Reg::Local(var)),
                Target::Nowhere | Target::Caller(_) | Target::Object(_) => Term::Result,
            },
            Term::Load { addr, scalar } => self.load(addr, *scalar),
            Term::Offset(t, bytes) => Term::Offset(boxed(self, t), *bytes),
            Term::Index { base, index, size } => {
                let (base, index) = (boxed(self, base), boxed(self, index));
                Term::Index { base, index, size: *size }
            }
            Term::Neg(t) => Term::Neg(boxed(self, t)),
            Term::Arith(op, a, b) => Term::Arith(*op, boxed(self, a), boxed(self, b)),
            Term::Ite(c, a, b) => Term::Ite(self.boxed(c), boxed(self, a), boxed(self, b)),
            Term::At(label, t) => self.at(*label, |r| r.term(t)),
            Term::Content(f, t) => {
                self.look_at_memory();
                Term::Content(f.clone(), boxed(self, t))
            }
            Term::Singleton(t) => Term::Singleton(boxed(self, t)),
            Term::SetOp(op, a, b) => Term::SetOp(*op, boxed(self, a), boxed(self, b)),
        }
    }

    fn register(&mut self, reg: Reg) -> Term {
        let proc = self.inliner.program.proc(self.activation.proc);
        match reg {
            // A local that is no parameter did not exist; it keeps its current value.
            Reg::Local(v) if self.label == Label::Pre && (v.0 as usize) < proc.params => {
                self.parameter(v)
            }
            Reg::Global(_)
                if self.label == Label::Pre
                    && self.inliner.writers.contains(&self.activation.proc) =>
            {
                self.global(reg)
            }
            _ => Term::Reg(self.activation.reg(reg)),
        }
    }

    /// What was passed for a parameter.
    fn parameter(&mut self, v: VarId) -> Term {
        let copy = self.activation.vars[v.0 as usize];
        let proc = self.inliner.program.proc(self.activation.proc);
        let is_written = super::effects::written_locals(proc).contains(&v.0);
        let is_kept = self.activation.entry.contains_key(&Entry::Param(v));
        if !is_written && !is_kept {
            return Term::Reg(Reg::Local(copy));
        }
        let (name, ty) = (proc.var(v).name.clone(), proc.var(v).ty);
        let value = Expr::local(copy);
        self.keep(Entry::Param(v), &name, ty, |dst| InstrKind::Assign { dst, value })
    }

    fn global(&mut self, reg: Reg) -> Term {
        let program = self.inliner.program;
        let ty = program.reg_type(self.activation.proc, reg);
        self.narrow(program.types.scalar(ty));
        let name = program.reg_name(self.activation.proc, reg).to_string();
        let value = Expr::Reg(reg);
        self.keep(Entry::Global(reg), &name, ty, |dst| InstrKind::Assign { dst, value })
    }

    fn load(&mut self, addr: &Term, scalar: Scalar) -> Term {
        let proc = self.inliner.program.proc(self.activation.proc);
        if self.label == Label::Pre
            && let Some((v, offset)) = parameter_address(addr)
            && (v.0 as usize) < proc.params
        {
            return self.load_parameter(v, offset, scalar);
        }
        self.look_at_memory();
        Term::Load { addr: Box::new(self.term(addr)), scalar }
    }

    /// A parameter in memory, as it was passed.
    fn load_parameter(&mut self, v: VarId, offset: i64, scalar: Scalar) -> Term {
        let proc = self.inliner.program.proc(self.activation.proc);
        let var = proc.var(v);
        self.narrow(Some(scalar));
        if self.inliner.program.types.scalar(var.ty).is_some() {
            if offset != 0 {
                self.lost = Some("a part of a parameter");
            }
            return self.parameter(v);
        }
        let ty = match scalar {
            Scalar::Ptr(to) => Type::Ptr(to),
            Scalar::Int(kind) => Type::Int(kind),
            Scalar::Float(bits) => Type::Float(bits),
        };
        let ty = self.inliner.type_id(ty);
        let name = format!("{}+{offset}", var.name);
        let copy = Reg::Local(self.activation.vars[v.0 as usize]);
        let addr = match offset {
            0 => Expr::Addr(copy),
            by => Expr::Offset(Box::new(Expr::Addr(copy)), by),
        };
        self.keep(Entry::Cell(v, offset), &name, ty, |dst| InstrKind::Load { dst, addr, scalar })
    }

    fn narrow(&mut self, scalar: Option<Scalar>) {
        if matches!(scalar, Some(Scalar::Int(IntKind { bits: 64, signed: false }))) {
            self.lost = Some(WIDE);
        }
    }

    /// The register that keeps a value; `fill` makes the instruction that writes it when the
    /// parameters are bound.
    fn keep(
        &mut self,
        what: Entry,
        name: &str,
        ty: TypeId,
        fill: impl FnOnce(Reg) -> InstrKind,
    ) -> Term {
        if let Some(var) = self.activation.entry.get(&what) {
            return Term::Reg(Reg::Local(*var));
        }
        let name = format!("{}.\\old({name})", self.activation.prefix);
        let origin = match what {
            Entry::Param(v) | Entry::Cell(v, _) => Some((self.activation.proc, v)),
            Entry::Global(_) => None,
        };
        let span = self.activation.span;
        let var = self.inliner.register(name, ty, span, origin);
        let dst = Reg::Local(var);
        self.activation.kept.push(Instr { kind: fill(dst), span });
        self.activation.entry.insert(what, var);
        Term::Reg(dst)
    }
}
