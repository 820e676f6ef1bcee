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
use crate::spec::{Formula, Label, PredId, Rewrite, Term};
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

    /// A user's predicate is about the state in which it is used.
    fn predicate(&mut self, id: PredId) {
        let program = self.inliner.program;
        let Some(body) = &program.predicates[id.0 as usize].body else { return };
        let then = Formula::At(Label::Pre, Box::new(body.clone()));
        if formula_traits(program, self.activation.proc, &then).mentions_pre_memory {
            self.look_at_memory();
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
            Scalar::Bits(field) => Type::Int(field.kind),
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

impl Rewrite for Recall<'_, '_> {
    fn formula(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::At(label, f) => return self.at(*label, |r| r.formula(f)),
            Formula::Reach { .. }
            | Formula::Derived(_)
            | Formula::Alloc(_)
            | Formula::Valid(..) => self.look_at_memory(),
            Formula::Pred(id, _) => self.predicate(*id),
            Formula::Hol(clause, _) => {
                // What it says of the entry of the callee cannot be taken out of it.
                if clause.formula.looks_back() {
                    self.at(Label::Pre, Self::look_at_memory);
                }
                self.look_at_memory();
            }
            // Variables range over what there is now, also under `\old`.
            Formula::Forall(..) | Formula::Exists(..) => {}
            Formula::Const(_)
            | Formula::Not(_)
            | Formula::And(_)
            | Formula::Or(_)
            | Formula::Implies(..)
            | Formula::Iff(..)
            | Formula::Cmp(..)
            | Formula::In(..)
            | Formula::Subset(..)
            | Formula::Separated(_) => {}
        }
        formula.with_parts(self)
    }

    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Reg(r) => self.register(*r),
            Term::Addr(r) => Term::Addr(self.activation.reg(*r)),
            Term::Result => match self.activation.target {
                Target::Register(var) => Term::Reg(Reg::Local(var)),
                Target::Nowhere | Target::Caller(_) | Target::Object(_) => Term::Result,
            },
            Term::Load { addr, scalar } => self.load(addr, *scalar),
            Term::At(label, t) => self.at(*label, |r| r.term(t)),
            Term::Content(..) => {
                self.look_at_memory();
                term.with_parts(self)
            }
            Term::Int(_)
            | Term::Null
            | Term::Bound(_)
            | Term::EmptySet
            | Term::Offset(..)
            | Term::Index { .. }
            | Term::Neg(_)
            | Term::Arith(..)
            | Term::Ite(..)
            | Term::Singleton(_)
            | Term::SetOp(..) => term.with_parts(self),
        }
    }
}
