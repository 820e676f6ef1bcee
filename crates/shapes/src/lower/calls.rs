//! Calls and returns: callees are inlined, their contracts are checked where they are called and
//! where they return, as the machine does it.

use trellis_program::ir::Expr;
use trellis_program::spec::Assigns;
use trellis_program::{CheckKind, ProcId, Reg, VarId};

use super::{Lowering, MOST_CONTEXTS, scan};
use crate::contract::fact;
use crate::locals::{assigned_locals, mentions_entry_value};
use crate::program::{BlockStart, Exit, IntExpr, Op, Slot, Source};

impl Lowering<'_> {
    /// Lowers a call; the block ends with it if the callee has a body.
    pub(super) fn call(
        &mut self,
        context: usize,
        dst: Option<Reg>,
        callee: ProcId,
        args: &[Expr],
    ) -> Option<Exit> {
        let refuse = |lowering: &mut Self, reason: String| {
            lowering.push(Op::Unsupported(reason));
            Some(Exit::Stop)
        };
        let name = self.program.proc(callee).name.clone();
        if self.is_active(context, callee) {
            return refuse(self, format!("the recursive call of `{name}`"));
        }
        if self.out.contexts.len() >= MOST_CONTEXTS {
            return refuse(self, "more calls than can be inlined".to_owned());
        }
        let (block, next) = (self.point.block, self.point.instr + 1);
        let inner = self.open_context(callee, Some((context, block, next)), dst);
        if let Err(reason) = self.pass(context, inner, args) {
            return refuse(self, reason);
        }
        for (i, clause) in self.program.proc(callee).contract.requires.iter().enumerate() {
            if !self.settings.checks.contains(CheckKind::Precondition) {
                break;
            }
            match fact(&self.slots(inner), &clause.formula) {
                Ok(fact) => {
                    let kind = CheckKind::Precondition;
                    self.push(Op::Assert { kind, clause: i as u32, fact });
                }
                Err(reason) => {
                    let reason = format!("the precondition of `{name}`: {reason}");
                    return refuse(self, reason);
                }
            }
        }
        let Some(body) = self.program.body(callee) else {
            return self.unknown_code(context, dst, callee);
        };
        Some(Exit::Goto(self.number(BlockStart { context: inner, block: body.entry, instr: 0 })))
    }

    /// Whether a procedure is on the stack already.
    fn is_active(&self, context: usize, proc: ProcId) -> bool {
        let mut at = Some(context);
        while let Some(c) = at {
            if self.out.contexts[c].proc == proc {
                return true;
            }
            at = self.out.contexts[c].caller.map(|(parent, ..)| parent);
        }
        false
    }

    /// Arguments to parameters; locals start undefined; entry values are kept.
    fn pass(&mut self, context: usize, inner: usize, args: &[Expr]) -> Result<(), String> {
        let params = self.program.proc(self.out.contexts[inner].proc).params;
        let (mut vars, mut ints) = (Vec::new(), Vec::new());
        for slot in &self.out.contexts[inner].vars[params..] {
            match slot {
                Slot::List(x) => vars.push(*x),
                Slot::Int(i) => ints.push(*i),
                Slot::None => {}
            }
        }
        self.push(Op::Reset { vars, ints });
        for (v, arg) in args.iter().enumerate().take(params) {
            match self.out.contexts[inner].vars[v] {
                Slot::List(dst) => {
                    let value = self.pointer(context, arg)?;
                    self.push(Op::Assign { dst, value });
                }
                Slot::Int(dst) => {
                    let value = self.scalar(context, arg)?;
                    self.push(Op::Int { dst, value });
                }
                Slot::None => return Err("a struct passed by value".to_owned()),
            }
        }
        for (copy, param) in self.keep_entry_values(inner) {
            self.push(Op::Assign { dst: copy, value: Source::Var(param) });
        }
        Ok(())
    }

    /// A procedure without a body: it may return anything.
    fn unknown_code(&mut self, context: usize, dst: Option<Reg>, callee: ProcId) -> Option<Exit> {
        let proc = self.program.proc(callee);
        let writes_nothing =
            matches!(&proc.contract.assigns, Assigns::Places(places, _) if places.is_empty());
        let is_pointer = self.program.types.pointee(proc.ret).is_some();
        let reason = match dst.map(|d| self.slot(context, d)) {
            _ if !writes_nothing => {
                format!("a call of `{}`, which has no body and may write memory", proc.name)
            }
            // It may point to new memory, also where nobody takes it.
            _ if is_pointer => {
                format!("the pointer that `{}`, which has no body, returns", proc.name)
            }
            None => return None,
            Some(Slot::Int(dst)) => {
                self.push(Op::Int { dst, value: IntExpr::Opaque(Vec::new()) });
                return None;
            }
            Some(Slot::List(_) | Slot::None) => {
                format!("what `{}`, which has no body, returns", proc.name)
            }
        };
        self.push(Op::Unsupported(reason));
        Some(Exit::Stop)
    }

    pub(super) fn return_from(&mut self, context: usize, value: Option<&Expr>) -> Exit {
        match self.leave(context, value) {
            Ok(exit) => exit,
            Err(reason) => {
                self.push(Op::Unsupported(reason));
                Exit::Stop
            }
        }
    }

    fn leave(&mut self, context: usize, value: Option<&Expr>) -> Result<Exit, String> {
        let proc = self.out.contexts[context].proc;
        let result = self.results[context];
        if let Some(value) = value {
            self.arithmetic(value);
            match result {
                Slot::List(dst) => {
                    let value = self.pointer(context, value)?;
                    self.push(Op::Assign { dst, value });
                }
                Slot::Int(dst) => {
                    let value = self.scalar(context, value)?;
                    self.push(Op::Int { dst, value });
                }
                Slot::None => return Err("a struct returned by value".to_owned()),
            }
        }
        let checks = self.settings.checks;
        let here = self.span;
        for (i, clause) in self.program.proc(proc).contract.ensures.iter().enumerate() {
            if !checks.contains(CheckKind::Postcondition) {
                break;
            }
            self.span = clause.span;
            let fact = fact(&self.slots(context), &clause.formula)?;
            self.push(Op::Assert { kind: CheckKind::Postcondition, clause: i as u32, fact });
        }
        if checks.contains(CheckKind::Assigns)
            && let Assigns::Places(_, span) = &self.program.proc(proc).contract.assigns
        {
            let effects = scan::effects(self.program, proc);
            if effects.writes || !effects.assigned.is_empty() {
                self.span = *span;
                return Err("an `assigns` clause of a procedure that writes".to_owned());
            }
        }
        self.span = here;
        if checks.contains(CheckKind::Acyclic) {
            self.acyclic();
        }
        let Some((caller, block, instr)) = self.out.contexts[context].caller else {
            let roots = self.return_roots();
            if checks.contains(CheckKind::Leak) {
                self.push(Op::Leak { roots });
            } else if self.out.track_garbage {
                self.push(Op::Keep { roots });
            }
            return Ok(Exit::Stop);
        };
        if let Some(dst) = self.out.contexts[context].result {
            match (self.slot(caller, dst), result) {
                (Slot::List(dst), Slot::List(x)) => {
                    self.push(Op::Assign { dst, value: Source::Var(x) });
                }
                (Slot::Int(dst), Slot::Int(i)) => {
                    self.push(Op::Int { dst, value: IntExpr::Var(i) });
                }
                _ => return Err("a result of this type".to_owned()),
            }
        }
        Ok(Exit::Goto(self.number(BlockStart { context: caller, block, instr })))
    }

    /// What the caller of the outermost procedure still holds: the arguments it passed, the result,
    /// and globals.
    fn return_roots(&self) -> Vec<usize> {
        let lists = |s: &Slot| if let Slot::List(x) = s { Some(*x) } else { None };
        let mut roots: Vec<usize> = self.out.contexts[0].entry.iter().filter_map(lists).collect();
        roots.extend(lists(&self.results[0]));
        roots.extend(self.global_roots());
        roots
    }

    /// What the user's variables of all active procedures hold; see
    /// [`trellis_program::concrete::State::frame_roots`].
    pub(super) fn frame_roots(&self, context: usize) -> Vec<usize> {
        let mut roots = self.global_roots();
        let mut at = Some(context);
        while let Some(c) = at {
            let vars = &self.program.proc(self.out.contexts[c].proc).vars;
            for (var, slot) in vars.iter().zip(&self.out.contexts[c].vars) {
                if let (Slot::List(x), false) = (slot, var.is_ghost || var.is_temp) {
                    roots.push(*x);
                }
            }
            at = self.out.contexts[c].caller.map(|(parent, ..)| parent);
        }
        roots
    }

    fn global_roots(&self) -> Vec<usize> {
        let real = |reg: &Reg| match reg {
            Reg::Global(g) => !self.program.global(*g).is_ghost,
            Reg::Local(_) => false,
        };
        let lists = self.out.globals.iter().filter(|(reg, _)| real(reg));
        lists.filter_map(|(_, s)| if let Slot::List(x) = s { Some(*x) } else { None }).collect()
    }

    /// Finds a place for the entry value of every parameter that is needed later: the parameter
    /// itself if nothing assigns it, else a copy. Answers the copies to make.
    pub(super) fn keep_entry_values(&mut self, context: usize) -> Vec<(usize, usize)> {
        let proc = self.out.contexts[context].proc;
        let of = self.program.proc(proc);
        let assigned = assigned_locals(of);
        let outermost_roots = context == 0 && self.out.track_garbage;
        let mut copies = Vec::new();
        for v in 0..of.params {
            let id = VarId(v as u32);
            let needed = outermost_roots || mentions_entry_value(of, id);
            let slot = self.out.contexts[context].vars[v];
            let kept = match slot {
                _ if !needed => Slot::None,
                slot if !assigned.contains(&id) => slot,
                Slot::List(param) => {
                    let name = format!("\\old({})", self.out.vars[param].name);
                    let copy = self.new_slot(of.vars[v].ty, name, false);
                    if let Slot::List(copy) = copy {
                        copies.push((copy, param));
                    }
                    copy
                }
                Slot::Int(_) | Slot::None => Slot::None,
            };
            self.out.contexts[context].entry[v] = kept;
        }
        copies
    }
}
