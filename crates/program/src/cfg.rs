//! Facts about control-flow graphs: successors, reachable blocks, loop heads, callees, liveness.

use std::collections::BTreeSet;

use crate::ir::{BlockId, Body, InstrKind, ProcId, Program, Reg, Terminator, VarId};
use crate::spec::Term;

/// Where a block can go.
pub fn successors(term: &Terminator) -> impl Iterator<Item = BlockId> + use<> {
    let (a, b) = match term {
        Terminator::Goto(t) => (Some(*t), None),
        Terminator::Branch { then, els, .. } => (Some(*then), Some(*els)),
        Terminator::Return(_) | Terminator::Exit | Terminator::ExitFreed | Terminator::Abort => {
            (None, None)
        }
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

/// The procedures that can be called from `root`, or are it, and may call themselves again.
pub fn recursive_procs(program: &Program, root: ProcId) -> BTreeSet<ProcId> {
    let comes_back = |p: &ProcId| {
        let mut callees = program.proc(*p).callees();
        callees.any(|c| reachable_procs(program, c).contains(p))
    };
    reachable_procs(program, root).into_iter().filter(comes_back).collect()
}

/// For every block, the local registers whose value at its start may still be read.
pub fn live_in(body: &Body, vars: usize) -> Vec<Vec<bool>> {
    let dense = |set: BTreeSet<u32>| {
        let mut all = vec![false; vars];
        set.into_iter().for_each(|v| all[v as usize] = true);
        all
    };
    live_sets(body).into_iter().map(dense).collect()
}

/// The same as sets: a large procedure has many registers, few of which are live at a time.
pub fn live_sets(body: &Body) -> Vec<BTreeSet<u32>> {
    let facts: Vec<(BTreeSet<u32>, BTreeSet<u32>)> = body.blocks.iter().map(block_facts).collect();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); body.blocks.len()];
    for (b, block) in (0u32..).zip(&body.blocks) {
        successors(&block.term).for_each(|s| before[s.0 as usize].push(b));
    }
    let mut live: Vec<BTreeSet<u32>> = facts.iter().map(|(read, _)| read.clone()).collect();
    // Every register goes back from where it is read to where it is written.
    let mut todo: Vec<u32> = (0..body.blocks.len() as u32).collect();
    let mut waits = vec![true; body.blocks.len()];
    while let Some(b) = todo.pop() {
        waits[b as usize] = false;
        for &p in &before[b as usize] {
            let written = &facts[p as usize].1;
            let known = &live[p as usize];
            let new: Vec<u32> = live[b as usize]
                .iter()
                .filter(|v| !written.contains(v) && !known.contains(v))
                .copied()
                .collect();
            if !new.is_empty() {
                live[p as usize].extend(new);
                if !std::mem::replace(&mut waits[p as usize], true) {
                    todo.push(p);
                }
            }
        }
    }
    live
}

/// The local registers that a block reads before it writes them, and those that it writes.
fn block_facts(block: &crate::ir::Block) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    for instr in &block.instrs {
        visit_reads(&instr.kind, &mut |r| {
            if let Reg::Local(VarId(v)) = r
                && !writes.contains(&v)
            {
                reads.insert(v);
            }
        });
        if let Some(Reg::Local(VarId(v))) = instr.kind.dst() {
            writes.insert(v);
        }
    }
    if let Some(e) = block.term.expr() {
        e.visit_regs(&mut |r| {
            if let Reg::Local(VarId(v)) = r
                && !writes.contains(&v)
            {
                reads.insert(v);
            }
        });
    }
    (reads, writes)
}

/// The registers that a block writes.
pub fn written(block: &crate::ir::Block) -> impl Iterator<Item = Reg> {
    block.instrs.iter().filter_map(|i| i.kind.dst())
}

/// The registers that an instruction reads.
pub fn visit_reads(kind: &InstrKind, f: &mut impl FnMut(Reg)) {
    kind.exprs().for_each(|e| e.visit_regs(f));
    if let Some(formula) = kind.formula() {
        formula.visit(&mut |_| {}, &mut |t| {
            if let Term::Reg(r) | Term::Addr(r) = t {
                f(*r);
            }
        });
    }
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
    visit_reads(kind, &mut |r| read(live, r));
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
            block.instrs.iter().for_each(|instr| visit_reads(&instr.kind, &mut other));
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
