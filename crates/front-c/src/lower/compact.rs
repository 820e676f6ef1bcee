//! Large procedures with fewer temporaries.
//!
//! Every load and call has a temporary of its own, which reads well and costs nothing, as long as
//! there are few: a state has room for all of them. In a procedure with thousands of statements,
//! temporaries that live within one block share a few registers.
//!
//! **Invariant.** Two temporaries share a register only if they have one type and no instruction
//! lies in the lives of both. What is chosen nondeterministically keeps its own register: that only
//! its truth matters is seen by where that register is read.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::cfg::visit_reads;
use trellis_program::ir::{
    Block, Body, Cond, Expr, InstrKind, Procedure, Reg, Storage, Terminator, VarId,
};
use trellis_program::types::TypeId;

/// Procedures with fewer variables stay as they are.
const MANY: usize = 1_000;

/// Where a temporary lives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// Nowhere yet.
    None,
    /// In this block, up to this instruction (behind the last one: its end).
    Within(u32, usize),
    /// Beyond a block, or it is nobody's to share.
    Beyond,
}

/// Lets temporaries share registers, if there are many.
pub fn compact(procedure: &mut Procedure) {
    if procedure.vars.len() < MANY || procedure.formulas().next().is_some() {
        return;
    }
    let Some(body) = &procedure.body else { return };
    let lives = lives(procedure, body);
    let shared = share(procedure, body, &lives);
    let mut new = vec![VarId(0); procedure.vars.len()];
    let mut vars = Vec::new();
    for (i, var) in procedure.vars.iter().enumerate() {
        if shared[i] == i as u32 {
            new[i] = VarId(vars.len() as u32);
            vars.push(var.clone());
        }
    }
    let new: Vec<VarId> = shared.iter().map(|s| new[*s as usize]).collect();
    procedure.vars = vars;
    let blocks = procedure.body.iter_mut().flat_map(|b| &mut b.blocks);
    blocks.for_each(|block| rename_block(block, &new));
}

fn lives(procedure: &Procedure, body: &Body) -> Vec<Life> {
    let mut lives = vec![Life::Beyond; procedure.vars.len()];
    for (i, var) in procedure.vars.iter().enumerate().skip(procedure.params) {
        if var.is_temp && var.storage == Storage::Register {
            lives[i] = Life::None;
        }
    }
    for (b, block) in (0u32..).zip(&body.blocks) {
        for (i, instr) in block.instrs.iter().enumerate() {
            visit_reads(&instr.kind, &mut |r| read(&mut lives, r, b, i));
            if let InstrKind::BeginLocal { var } | InstrKind::EndLocal { var } = instr.kind {
                lives[var.0 as usize] = Life::Beyond;
            }
            if let Some(Reg::Local(v)) = instr.kind.dst() {
                let chosen = matches!(instr.kind, InstrKind::Havoc { .. });
                let life = &mut lives[v.0 as usize];
                *life = match *life {
                    Life::None if !chosen => Life::Within(b, i),
                    Life::Within(at, _) if at == b && !chosen => Life::Within(b, i),
                    _ => Life::Beyond,
                };
            }
        }
        if let Some(e) = block.term.expr() {
            e.visit_regs(&mut |r| read(&mut lives, r, b, block.instrs.len()));
        }
    }
    lives
}

/// A register is read in a block; one that was not written there before lives beyond it.
fn read(lives: &mut [Life], reg: Reg, block: u32, instr: usize) {
    let Reg::Local(v) = reg else { return };
    let life = &mut lives[v.0 as usize];
    *life = match *life {
        Life::Within(at, _) if at == block => Life::Within(block, instr),
        _ => Life::Beyond,
    };
}

/// For every variable the one whose register it has.
fn share(procedure: &Procedure, body: &Body, lives: &[Life]) -> Vec<u32> {
    let mut shared: Vec<u32> = (0..procedure.vars.len() as u32).collect();
    let mut free: BTreeMap<TypeId, BTreeSet<u32>> = BTreeMap::new();
    for (b, block) in (0u32..).zip(&body.blocks) {
        // Those in use, by where they are free again.
        let mut used: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut begun: BTreeSet<u32> = BTreeSet::new();
        for (i, instr) in block.instrs.iter().enumerate() {
            if let Some(Reg::Local(v)) = instr.kind.dst()
                && let Life::Within(at, until) = lives[v.0 as usize]
                && at == b
                && begun.insert(v.0)
            {
                let pool = free.entry(procedure.var(v).ty).or_default();
                let register = pool.pop_first().unwrap_or(v.0);
                shared[v.0 as usize] = register;
                used.entry(until).or_default().push(register);
            }
            // What ends here may be written by the next instruction, not by this one.
            for register in used.remove(&i).unwrap_or_default() {
                free.entry(procedure.vars[register as usize].ty).or_default().insert(register);
            }
        }
        for register in used.into_values().flatten() {
            free.entry(procedure.vars[register as usize].ty).or_default().insert(register);
        }
    }
    shared
}

fn rename_block(block: &mut Block, new: &[VarId]) {
    for instr in &mut block.instrs {
        match &mut instr.kind {
            InstrKind::Assign { dst, value: e }
            | InstrKind::Load { dst, addr: e, .. }
            | InstrKind::Alloc { dst, size: e, .. } => {
                rename(dst, new);
                rename_in(e, new);
            }
            InstrKind::Store { addr, value, .. } => {
                rename_in(addr, new);
                rename_in(value, new);
            }
            InstrKind::Copy { dst: a, src: b, size: c, .. }
            | InstrKind::Fill { dst: a, byte: b, size: c } => {
                [a, b, c].into_iter().for_each(|e| rename_in(e, new));
            }
            InstrKind::Retype { ptr: e, .. } | InstrKind::Free { ptr: e } => rename_in(e, new),
            InstrKind::BeginLocal { var } | InstrKind::EndLocal { var } => {
                *var = new[var.0 as usize];
            }
            InstrKind::BeginArray { var, count, .. } => {
                *var = new[var.0 as usize];
                rename_in(count, new);
            }
            InstrKind::Call { dst, args, .. } => {
                dst.iter_mut().for_each(|d| rename(d, new));
                args.iter_mut().for_each(|e| rename_in(e, new));
            }
            InstrKind::Havoc { dst, .. } => rename(dst, new),
            InstrKind::Assume { cond } | InstrKind::Assert { cond, .. } => {
                if let Cond::Expr(e) = cond {
                    rename_in(e, new);
                }
            }
            InstrKind::Unsupported { .. } => {}
        }
    }
    match &mut block.term {
        Terminator::Branch { cond: e, .. } | Terminator::Return(Some(e)) => rename_in(e, new),
        Terminator::Goto(_)
        | Terminator::Return(None)
        | Terminator::Exit
        | Terminator::ExitFreed
        | Terminator::Abort => {}
    }
}

fn rename(reg: &mut Reg, new: &[VarId]) {
    if let Reg::Local(v) = reg {
        *v = new[v.0 as usize];
    }
}

fn rename_in(e: &mut Expr, new: &[VarId]) {
    match e {
        Expr::Reg(r) | Expr::Addr(r) => rename(r, new),
        Expr::Unary(_, _, a)
        | Expr::Not(a)
        | Expr::Convert(_, a)
        | Expr::ToPtr(a)
        | Expr::Offset(a, _)
        | Expr::Extent(a, _) => rename_in(a, new),
        Expr::Binary(_, _, a, b)
        | Expr::Cmp(_, _, a, b)
        | Expr::Diff(a, b, _)
        | Expr::Index { base: a, index: b, .. } => {
            rename_in(a, new);
            rename_in(b, new);
        }
        Expr::Int(_) | Expr::Null => {}
    }
}
