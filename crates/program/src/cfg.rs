//! Facts about control-flow graphs: successors, reachable blocks, loop heads, callees, liveness.

use std::collections::BTreeSet;

use crate::ir::{BlockId, Body, InstrKind, ProcId, Program, Reg, Terminator, VarId};
use crate::spec::Term;

/// Where a block can go.
pub fn successors(term: &Terminator) -> impl Iterator<Item = BlockId> + use<> {
    let (a, b) = match term {
        Terminator::Goto(t) => (Some(*t), None),
        Terminator::Branch { then, els, .. } => (Some(*then), Some(*els)),
        Terminator::Return(_) | Terminator::Exit | Terminator::Abort => (None, None),
    };
    a.into_iter().chain(b)
}

/// The targets of back edges of a depth-first search from the entry: every cycle passes one.
pub fn loop_heads(body: &Body) -> BTreeSet<BlockId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; body.blocks.len()];
    let mut heads = BTreeSet::new();
    let mut stack = vec![(body.entry, false)];
    while let Some((b, leaving)) = stack.pop() {
        let mark = &mut marks[b.0 as usize];
        if leaving {
            *mark = Mark::Done;
            continue;
        }
        if *mark != Mark::New {
            continue;
        }
        *mark = Mark::Open;
        stack.push((b, true));
        for s in successors(&body.blocks[b.0 as usize].term) {
            match marks[s.0 as usize] {
                Mark::New => stack.push((s, false)),
                Mark::Open => {
                    heads.insert(s);
                }
                Mark::Done => {}
            }
        }
    }
    heads
}

/// `root` and every procedure that can be called from it, in order of their ids.
pub fn reachable_procs(program: &Program, root: ProcId) -> BTreeSet<ProcId> {
    let mut seen = BTreeSet::from([root]);
    let mut todo = vec![root];
    while let Some(p) = todo.pop() {
        todo.extend(program.proc(p).callees().filter(|c| seen.insert(*c)));
    }
    seen
}

/// For every block, the local registers whose value at its start may still be read.
pub fn live_in(body: &Body, vars: usize) -> Vec<Vec<bool>> {
    let mut live = vec![vec![false; vars]; body.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (b, block) in body.blocks.iter().enumerate().rev() {
            let mut now = vec![false; vars];
            for s in successors(&block.term) {
                for (n, l) in now.iter_mut().zip(&live[s.0 as usize]) {
                    *n |= l;
                }
            }
            if let Some(e) = block.term.expr() {
                expr_liveness(e, &mut now);
            }
            for instr in block.instrs.iter().rev() {
                instr_liveness(&instr.kind, &mut now);
            }
            if now != live[b] {
                live[b] = now;
                changed = true;
            }
        }
    }
    live
}

fn read(live: &mut [bool], reg: Reg) {
    if let Reg::Local(VarId(v)) = reg {
        live[v as usize] = true;
    }
}

/// What an expression reads is live.
pub(crate) fn expr_liveness(e: &crate::ir::Expr, live: &mut [bool]) {
    e.visit_regs(&mut |r| read(live, r));
}

/// From what is live behind an instruction to what is live before it.
pub(crate) fn instr_liveness(kind: &InstrKind, live: &mut [bool]) {
    if let Some(Reg::Local(VarId(v))) = kind.dst() {
        live[v as usize] = false;
    }
    kind.exprs().for_each(|e| e.visit_regs(&mut |r| read(live, r)));
    if let Some(f) = kind.formula() {
        f.visit(&mut |_| {}, &mut |t| {
            if let Term::Reg(r) | Term::Addr(r) = t {
                read(live, *r);
            }
        });
    }
}

/// Temporaries that receive a nondeterministic value and are read only as the condition of
/// branches: whether such a value is zero is all that matters of it.
pub fn truth_only_temporaries(program: &Program) -> BTreeSet<(ProcId, Reg)> {
    let mut out = BTreeSet::new();
    for (p, proc) in program.procs.iter().enumerate() {
        let Some(body) = &proc.body else { continue };
        let mut wanted = BTreeSet::new();
        for instr in body.instrs() {
            if let InstrKind::Havoc { dst: Reg::Local(v), scalar: crate::Scalar::Int(_) } =
                instr.kind
                && proc.var(v).is_temp
            {
                wanted.insert(v);
            }
        }
        for block in &body.blocks {
            let mut other = |r: Reg| {
                if let Reg::Local(v) = r {
                    wanted.remove(&v);
                }
            };
            for instr in &block.instrs {
                let mut live = vec![false; proc.vars.len()];
                instr_liveness(&instr.kind, &mut live);
                (0..).zip(live).filter(|(_, l)| *l).for_each(|(i, _)| other(Reg::Local(VarId(i))));
            }
            match &block.term {
                Terminator::Return(Some(e)) => e.visit_regs(&mut other),
                Terminator::Branch { cond, .. } => visit_beside_truth(cond, &mut other),
                _ => {}
            }
        }
        out.extend(wanted.into_iter().map(|v| (ProcId(p as u32), Reg::Local(v))));
    }
    out
}

/// Registers of a condition whose value matters beyond being zero or not.
fn visit_beside_truth(cond: &crate::Expr, f: &mut impl FnMut(Reg)) {
    use crate::{CmpOp, Expr};
    match cond {
        Expr::Reg(_) => {}
        Expr::Not(a) => visit_beside_truth(a, f),
        Expr::Cmp(CmpOp::Eq | CmpOp::Ne, _, a, b) if **b == Expr::Int(0) => {
            visit_beside_truth(a, f)
        }
        e => e.visit_regs(f),
    }
}
