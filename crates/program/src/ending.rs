//! Programs whose ends are seen differently, for properties that are about more than the checks say.
//!
//! * [`freeing_all`]: what is on the heap when a program ends, in whatever way, is a leak.
//! * [`unannotated`]: only the code counts, and not what is said about it.
//! * [`ending_anywhere`]: a program may end at any loop or recursive call, with all its variables, so
//!   that what is lost in a run that never ends is a leak, too.
//!
//! All are programs like all others, so engines, interpreter and certifiers have nothing to learn.

use crate::cfg::{loop_heads, reachable_procs, recursive_procs};
use crate::checks::CheckKind;
use crate::ir::{
    Block, BlockId, Body, Cond, Expr, Global, GlobalId, Instr, InstrKind, ProcId, Procedure,
    Program, Reg, Storage, Terminator, Var, VarId,
};
use crate::source::Span;
use crate::types::{IntKind, Scalar, Type, TypeTable};

/// The same program without checks that are annotations, and where calls of the error function are
/// calls like all others.
pub fn unannotated(program: &Program, main: ProcId, errors: bool) -> Program {
    let mut out = program.clone();
    let is_noted = |i: &Instr| {
        matches!(
            i.kind,
            InstrKind::Assert { kind: CheckKind::SpecAssert | CheckKind::LoopInvariant, .. }
        ) || (!errors && matches!(i.kind, InstrKind::Assert { kind: CheckKind::ErrorCall, .. }))
    };
    for p in reachable_procs(program, main) {
        let body = out.procs[p.0 as usize].body.iter_mut();
        body.flat_map(|b| &mut b.blocks).for_each(|b| b.instrs.retain(|i| !is_noted(i)));
    }
    out
}

/// The same program, where everything has to be freed when it ends: when `main` returns, at `exit`, at
/// `abort`, and where an assertion fails.
pub fn freeing_all(program: &Program, main: ProcId) -> Program {
    let mut out = program.clone();
    let is_recursive = recursive_procs(program, main).contains(&main);
    for p in reachable_procs(program, main) {
        let Some(body) = &mut out.procs[p.0 as usize].body else { continue };
        for b in 0..body.blocks.len() {
            end_at_assertions(body, b);
        }
        for block in &mut body.blocks {
            let at = block.term_span;
            match block.term {
                Terminator::Return(_) if p == main && is_recursive => {
                    let reason = "a recursive `main`, where everything has to be freed".to_owned();
                    block.instrs.push(Instr { kind: InstrKind::Unsupported { reason }, span: at });
                }
                // What is put where the host can reach it is not freed, either.
                Terminator::Return(_) if p == main && program.proc(main).params > 0 => {
                    block.term = Terminator::ExitFreed;
                }
                Terminator::Return(_) if p == main => {
                    block.instrs.extend(forget_globals(program, at));
                }
                Terminator::Exit | Terminator::Abort => block.term = Terminator::ExitFreed,
                _ => {}
            }
        }
    }
    out
}

/// Assertions of the code become branches, one of which ends the program. What stands behind the
/// first one moves to a new block at the end, which is looked at in its turn.
fn end_at_assertions(body: &mut Body, block: usize) {
    let is_assertion = |i: &Instr| {
        matches!(i.kind, InstrKind::Assert { kind: CheckKind::Assertion, cond: Cond::Expr(_) })
    };
    let mut at = block;
    while let Some(i) = body.blocks[at].instrs.iter().position(is_assertion) {
        let new = BlockId(body.blocks.len() as u32);
        let block = &mut body.blocks[at];
        let rest = block.instrs.split_off(i + 1);
        let Some(Instr { kind: InstrKind::Assert { cond: Cond::Expr(cond), .. }, span }) =
            block.instrs.pop()
        else {
            return;
        };
        let ends = BlockId(new.0 + 1);
        let term = std::mem::replace(
            &mut block.term,
            match cond {
                Expr::Int(0) => Terminator::Goto(ends),
                cond => Terminator::Branch { cond, then: new, els: ends },
            },
        );
        let term_span = std::mem::replace(&mut block.term_span, span);
        body.blocks.push(Block { instrs: rest, term, term_span });
        let term = Terminator::ExitFreed;
        body.blocks.push(Block { instrs: Vec::new(), term, term_span: span });
        at = new.0 as usize;
    }
}

/// Stores of null to all pointers in globals.
fn forget_globals(program: &Program, span: Span) -> Vec<Instr> {
    let one = |(i, global): (u32, &Global)| {
        let reg = Reg::Global(GlobalId(i));
        forget(&program.types, reg, global.ty, global.storage, span)
    };
    (0u32..).zip(&program.globals).filter(|(_, g)| !g.is_const).flat_map(one).collect()
}

fn forget(
    types: &TypeTable,
    reg: Reg,
    ty: crate::types::TypeId,
    storage: Storage,
    span: Span,
) -> Vec<Instr> {
    let instr = |kind| Instr { kind, span };
    match storage {
        Storage::Register if types.pointee(ty).is_some() => {
            vec![instr(InstrKind::Assign { dst: reg, value: Expr::Null })]
        }
        Storage::Register => Vec::new(),
        Storage::Object => {
            let Some(layout) = types.layout(ty) else {
                let reason = "a variable whose pointers are not known".to_owned();
                return vec![instr(InstrKind::Unsupported { reason })];
            };
            let pointers = layout.cells.iter().filter(|c| c.scalar.is_ptr());
            let store = |cell: &crate::types::CellInfo| {
                let addr = Expr::Offset(Box::new(Expr::Addr(reg)), i64::from(cell.offset));
                instr(InstrKind::Store { addr, scalar: cell.scalar, value: Expr::Null })
            };
            pointers.map(store).collect()
        }
    }
}

/// The same program, which may end at every loop and every recursive call.
pub fn ending_anywhere(program: &Program, main: ProcId) -> Program {
    let mut out = program.clone();
    let int = out.types.find(&Type::Int(IntKind::INT));
    let recursive = recursive_procs(program, main);
    for p in reachable_procs(program, main) {
        let Some(ty) = int else { return out };
        end_at_loops(&mut out.procs[p.0 as usize], ty, recursive.contains(&p));
    }
    out
}

/// Puts a choice to end before every loop head, and at the start of what is recursive.
fn end_at_loops(procedure: &mut Procedure, int: crate::types::TypeId, is_recursive: bool) {
    let Some(body) = &mut procedure.body else { return };
    let mut heads = loop_heads(body);
    heads.extend(is_recursive.then_some(body.entry));
    if heads.is_empty() {
        return;
    }
    let ends = VarId(procedure.vars.len() as u32);
    let span = procedure.span;
    procedure.vars.push(Var {
        name: "%end".to_owned(),
        ty: int,
        storage: Storage::Register,
        is_temp: true,
        is_ghost: false,
        is_const: false,
        span,
    });
    let at = body.blocks[body.entry.0 as usize].term_span;
    let exit = BlockId(body.blocks.len() as u32);
    body.blocks.push(Block { instrs: Vec::new(), term: Terminator::Exit, term_span: at });
    for head in heads {
        // The code of the head moves to a new block, so whoever comes to it comes to the choice.
        let moved = BlockId(body.blocks.len() as u32);
        let block = body.blocks[head.0 as usize].clone();
        let term_span = block.term_span;
        body.blocks.push(block);
        let reg = Reg::Local(ends);
        let havoc = InstrKind::Havoc { dst: reg, scalar: Scalar::Int(IntKind::INT) };
        body.blocks[head.0 as usize] = Block {
            instrs: vec![Instr { kind: havoc, span: term_span }],
            term: Terminator::Branch { cond: Expr::Reg(reg), then: exit, els: moved },
            term_span,
        };
    }
}
