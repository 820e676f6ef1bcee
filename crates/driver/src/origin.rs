//! Where the null pointer of a failed run comes from.
//!
//! A procedure without a contract says nothing of its arguments. That one of them may be null is for
//! its callers to exclude, unless the procedure itself reckons with it: then dereferencing it is a
//! mistake of the procedure.
//!
//! **Invariant.** A parameter is named only if its value, as it was passed and copied from register
//! to register, is what is dereferenced, and if nothing on the run looked at it before, other than
//! comparing it with another argument. In doubt the answer is `None`, and the violation stays one.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::concrete::Trace;
use trellis_program::{CheckKind, Expr, InstrKind, ProcId, Program, Reg, Storage, Terminator};

use crate::verdict::Counterexample;

/// For every frame, the registers that hold a parameter of the outermost procedure as it was passed.
type Frames = Vec<BTreeMap<u32, usize>>;

/// The parameter of the procedure that is null and dereferenced, if that is all that is wrong.
pub fn null_argument(program: &Program, proc: ProcId, found: &Counterexample) -> Option<usize> {
    let Trace { steps, gap, .. } = &found.trace;
    if found.failure.kind != CheckKind::NullDeref || gap.is_some() {
        return None;
    }
    let procedure = program.proc(proc);
    let passed = |i: &usize| {
        procedure.vars[*i].storage == Storage::Register
            && program.types.pointee(procedure.vars[*i].ty).is_some()
    };
    let first = (0..procedure.params).filter(passed).map(|i| (i as u32, i)).collect();
    let mut walk = Walk { frames: vec![first], compared: BTreeSet::new(), returned: None };
    for (i, step) in steps.iter().enumerate() {
        let last = i + 1 == steps.len();
        let depth = step.state.frames.len();
        walk.enter(depth);
        let block = program.body(step.point.proc)?.block(step.point.block);
        match block.instrs.get(step.point.instr as usize) {
            Some(instr) if last => return walk.blamed(&instr.kind),
            Some(instr) => {
                let next = &steps[i + 1].state;
                let entered = (next.frames.len() > depth).then(|| next.top().proc);
                walk.instruction(program, &instr.kind, entered);
            }
            None if last => return None,
            None => walk.terminator(program, &block.term, steps[i + 1].state.top()),
        }
    }
    None
}

struct Walk {
    frames: Frames,
    /// Parameters that something on the way looked at.
    compared: BTreeSet<usize>,
    /// What the last return has passed.
    returned: Option<usize>,
}

impl Walk {
    /// Frames that have returned are gone; a new one was made where it was called.
    fn enter(&mut self, depth: usize) {
        self.frames.truncate(depth);
        self.frames.resize(depth, BTreeMap::new());
    }

    /// The parameter that a register holds.
    fn holds(&self, reg: Reg) -> Option<usize> {
        match reg {
            Reg::Local(v) => self.frames.last()?.get(&v.0).copied(),
            Reg::Global(_) => None,
        }
    }

    /// The parameter that an expression is, possibly moved.
    fn is(&self, e: &Expr) -> Option<usize> {
        match e {
            Expr::Reg(r) => self.holds(*r),
            Expr::Offset(e, _) | Expr::Index { base: e, .. } | Expr::ToPtr(e) => self.is(e),
            Expr::Convert(_, e) => self.is(e),
            _ => None,
        }
    }

    /// Whatever is compared, negated or computed with was looked at. That two arguments are compared
    /// with each other says nothing of null.
    fn look(&mut self, e: &Expr) {
        let mut seen = Vec::new();
        e.visit(&mut |e| match e {
            Expr::Cmp(_, _, a, b) if self.is(a).is_some() && self.is(b).is_some() => {}
            Expr::Cmp(..) | Expr::Not(_) | Expr::Binary(..) | Expr::Diff(..) | Expr::Unary(..) => {
                e.visit_regs(&mut |r| seen.push(r));
            }
            _ => {}
        });
        let compared: Vec<usize> = seen.into_iter().filter_map(|r| self.holds(r)).collect();
        self.compared.extend(compared);
    }

    fn set(&mut self, reg: Reg, holds: Option<usize>) {
        if let (Reg::Local(v), Some(frame)) = (reg, self.frames.last_mut()) {
            match holds {
                Some(param) => frame.insert(v.0, param),
                None => frame.remove(&v.0),
            };
        }
    }

    fn instruction(&mut self, program: &Program, kind: &InstrKind, entered: Option<ProcId>) {
        kind.exprs().for_each(|e| self.look(e));
        if let Some(formula) = kind.formula() {
            let mut seen = Vec::new();
            formula.visit(&mut |_| {}, &mut |t| {
                if let trellis_program::spec::Term::Reg(r) = t {
                    seen.push(*r);
                }
            });
            let compared: Vec<usize> = seen.into_iter().filter_map(|r| self.holds(r)).collect();
            self.compared.extend(compared);
        }
        match (kind, entered) {
            (InstrKind::Assign { dst, value }, _) => {
                let holds = self.is(value);
                self.set(*dst, holds);
            }
            (InstrKind::Call { args, dst, .. }, Some(callee)) => {
                let registers = &program.proc(callee).vars;
                let held = |(i, arg): (usize, &Expr)| {
                    let register = registers.get(i)?.storage == Storage::Register;
                    self.is(arg).filter(|_| register).map(|param| (i as u32, param))
                };
                let frame = args.iter().enumerate().filter_map(held).collect();
                dst.iter().for_each(|d| self.set(*d, None));
                self.frames.push(frame);
            }
            _ => {
                if let Some(dst) = kind.dst() {
                    self.set(dst, None);
                }
            }
        }
    }

    fn terminator(
        &mut self,
        program: &Program,
        term: &Terminator,
        next: &trellis_program::concrete::Frame,
    ) {
        match term {
            Terminator::Branch { cond, .. } => {
                self.look(cond);
                self.compared.extend(self.is(cond));
            }
            Terminator::Return(value) => {
                value.iter().for_each(|e| self.look(e));
                self.returned = value.as_ref().and_then(|e| self.is(e));
                self.frames.pop();
                // The caller stands behind its call.
                let call = program.body(next.proc).and_then(|b| {
                    b.block(next.block).instrs.get((next.instr as usize).wrapping_sub(1))
                });
                if let Some(InstrKind::Call { dst: Some(dst), .. }) = call.map(|i| &i.kind) {
                    let holds = self.returned.take();
                    self.set(*dst, holds);
                }
            }
            Terminator::Goto(_) | Terminator::Exit | Terminator::ExitFreed | Terminator::Abort => {}
        }
    }

    /// The parameter that an instruction fails to dereference.
    fn blamed(&self, kind: &InstrKind) -> Option<usize> {
        let addresses: Vec<&Expr> = match kind {
            InstrKind::Load { addr, .. } | InstrKind::Store { addr, .. } => vec![addr],
            InstrKind::Copy { dst, src, .. } => vec![dst, src],
            InstrKind::Fill { dst, .. } => vec![dst],
            _ => return None,
        };
        let [param] = addresses.iter().filter_map(|e| self.is(e)).collect::<Vec<_>>()[..] else {
            return None;
        };
        (!self.compared.contains(&param)).then_some(param)
    }
}
