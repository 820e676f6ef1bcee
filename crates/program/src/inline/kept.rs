//! Calls that stay: those that the procedure makes of itself, or all that are recursive.
//!
//! A recursive call cannot be replaced by a body. By induction on the depth of calls it does what the
//! contract of the procedure says, which is what is being shown: so the call stays where it is, its
//! `requires` are checked before it, and [`promised`] says what holds after it. Whoever follows the
//! code decides what the call may change.
//!
//! **Invariant:** the arguments of a call that stays are registers that nobody else writes.

use super::bind::Target;
use super::local::is_local;
use super::{Call, Inliner, effects};
use crate::cfg;
use crate::ir::{BlockId, Expr, InstrKind, ProcId, Program, Reg, Storage};
use crate::judgement::Refusal;
use crate::spec::{Assigns, Contract, Formula, Label, Promise, Rewrite, Term};

impl Inliner<'_> {
    /// Whether a call stays.
    pub(super) fn stays(&self, call: &Call) -> bool {
        let callee = self.program.proc(call.proc);
        let types = &self.program.types;
        let in_registers = callee.vars[..callee.params]
            .iter()
            .all(|v| v.storage == Storage::Register && types.scalar(v.ty).is_some());
        let returns_scalar = callee.ret_is_void(types) || types.scalar(callee.ret).is_some();
        call.proc == self.root
            && call.args.len() == callee.params
            && in_registers
            && returns_scalar
            && !self.uses_globals()
    }

    /// Whether the procedure, or what it calls, reads or writes a global.
    fn uses_globals(&self) -> bool {
        let is_global = |e: &Expr| {
            let mut found = false;
            e.visit(&mut |e| {
                found |= matches!(e, Expr::Reg(Reg::Global(_)) | Expr::Addr(Reg::Global(_)));
            });
            found
        };
        cfg::reachable_procs(self.program, self.root).into_iter().any(|p| {
            self.program.proc(p).blocks().any(|b| {
                let writes = b.instrs.iter().any(|i| matches!(i.kind.dst(), Some(Reg::Global(_))));
                writes || b.exprs().any(is_global)
            })
        })
    }

    /// Leaves a call where it is, at the end of its block.
    pub(super) fn keep_as_it_is(&mut self, call: Call, at: BlockId) -> Result<(), Refusal> {
        let callee = self.program.proc(call.proc);
        let Contract { requires, ensures, assigns, .. } = &callee.contract;
        let any = !requires.is_empty() || !ensures.is_empty();
        if any || matches!(assigns, Assigns::Places(..)) || call.args.len() != callee.params {
            let reason = format!("a recursive call of `{}`, which has a contract", callee.name);
            return Err(Refusal::at(call.span, reason));
        }
        let Call { dst, proc, args, span } = call;
        self.emit(at, InstrKind::Call { dst, proc, args }, span);
        Ok(())
    }

    /// Leaves a call where it is, between the checks of what it requires and the rest.
    pub(super) fn keep_call(
        &mut self,
        call: &Call,
        at: BlockId,
        next: BlockId,
    ) -> Result<(), Refusal> {
        let mut activation = self.bind(call, at)?;
        let bound = self.blocks[at.0 as usize].instrs.len();
        self.assert_requires(&mut activation, call, at)?;
        let params = self.program.proc(call.proc).param_ids();
        let args = params.map(|v| Expr::local(activation.vars[v.0 as usize])).collect();
        let dst = match activation.target {
            Target::Caller(dst) => Some(dst),
            Target::Register(var) => Some(Reg::Local(var)),
            Target::Nowhere | Target::Object(_) => None,
        };
        self.emit(at, InstrKind::Call { dst, proc: call.proc, args }, call.span);
        self.blocks[at.0 as usize].instrs.splice(bound..bound, activation.kept);
        self.deliver(activation.target, &activation.vars, call, next);
        Ok(())
    }
}

/// What holds after a call that stays: the `ensures` clauses of the callee, about the caller's
/// variables. Under `\old` they are about the state before the call. Nothing if a clause speaks of a
/// parameter that the callee may have changed, or the contract or an assertion of objects that a call
/// does not reach.
pub fn promised(
    program: &Program,
    proc: ProcId,
    args: &[Expr],
    result: Option<Reg>,
) -> Option<Vec<Promise>> {
    let callee = program.proc(proc);
    // What the code asserts is shown where all memory is reached; the call must not see more.
    if !callee.formulas().all(|formula| is_local(program, formula)) {
        return None;
    }
    let written = effects::written_locals(callee);
    let mut args_in_registers = Vec::new();
    for arg in args {
        let Expr::Reg(reg) = arg else { return None };
        args_in_registers.push(*reg);
    }
    let mut renamer =
        Renamer { args: args_in_registers, written, result, label: Label::Here, lost: false };
    let promise = |c: &Promise| Promise { formula: renamer.formula(&c.formula), span: c.span };
    let all: Vec<Promise> = callee.contract.ensures.iter().map(promise).collect();
    (!renamer.lost).then_some(all)
}

/// Whether a procedure, or what it calls, may change memory.
pub fn changes_memory(program: &Program, proc: ProcId) -> bool {
    let procs = cfg::reachable_procs(program, proc);
    effects::writers(program, &procs).contains(&proc)
}

struct Renamer {
    args: Vec<Reg>,
    written: std::collections::BTreeSet<u32>,
    result: Option<Reg>,
    label: Label,
    lost: bool,
}

impl Renamer {
    fn at<T>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.label, label);
        let value = f(self);
        self.label = before;
        value
    }

    fn register(&mut self, reg: Reg) -> Term {
        let Reg::Local(v) = reg else {
            self.lost = true;
            return Term::Reg(reg);
        };
        let Some(&arg) = self.args.get(v.0 as usize) else {
            self.lost = true;
            return Term::Reg(reg);
        };
        match self.label {
            // The value that was passed; the register holds it at all times.
            Label::Pre => Term::At(Label::Here, Box::new(Term::Reg(arg))),
            Label::Here => {
                self.lost |= self.written.contains(&v.0);
                Term::Reg(arg)
            }
        }
    }
}

impl Rewrite for Renamer {
    fn formula(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::At(label, f) => {
                Formula::At(*label, Box::new(self.at(*label, |r| r.formula(f))))
            }
            Formula::Hol(clause, _) => {
                // What it says of the entry of the callee cannot be taken out of it.
                self.lost |= clause.formula.looks_back();
                formula.with_parts(self)
            }
            _ => formula.with_parts(self),
        }
    }

    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Reg(r) => self.register(*r),
            Term::Addr(_) => {
                self.lost = true;
                term.clone()
            }
            Term::Result => match self.result {
                Some(reg) => Term::Reg(reg),
                None => {
                    self.lost = true;
                    Term::Result
                }
            },
            Term::At(label, t) => Term::At(*label, Box::new(self.at(*label, |r| r.term(t)))),
            _ => term.with_parts(self),
        }
    }
}
