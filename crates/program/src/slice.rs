//! The part of a program that one procedure needs.
//!
//! A file may have thousands of procedures, and whoever looks at one of them should not pay for the
//! others. Types, globals, predicates and sources stay as they are, so types, globals, predicates and
//! spans keep their numbers and places; procedures that are not called disappear. What is believed of
//! callers that nobody sees becomes part of the precondition ([`crate::arguments`]).

use crate::arguments;
use crate::cfg::reachable_procs;
use crate::ir::{InstrKind, ProcId, Program, Tracked};

/// A program with a procedure and what it calls, in the order of the whole program, and the
/// procedure's number there.
pub fn slice(program: &Program, proc: ProcId) -> (Program, ProcId) {
    let kept: Vec<ProcId> = reachable_procs(program, proc).into_iter().collect();
    // Everything that is called is kept.
    let number = |p: ProcId| ProcId(kept.binary_search(&p).unwrap_or_default() as u32);
    let procs = kept.iter().map(|&p| {
        let mut procedure = program.proc(p).clone();
        let blocks = procedure.body.iter_mut().flat_map(|b| &mut b.blocks);
        for instr in blocks.flat_map(|b| &mut b.instrs) {
            if let InstrKind::Call { proc, .. } = &mut instr.kind {
                *proc = number(*proc);
            }
        }
        procedure
    });
    let tracked = program.tracked.iter().filter(|t| kept.contains(&t.proc));
    let tracked = tracked.map(|t| Tracked { proc: number(t.proc), ..t.clone() });
    let sliced = Program {
        sources: program.sources.clone(),
        types: program.types.clone(),
        globals: program.globals.clone(),
        procs: procs.collect(),
        predicates: program.predicates.clone(),
        memory: program.memory,
        tracked: tracked.collect(),
        arguments: program.arguments,
        granted: Vec::new(),
    };
    let proc = number(proc);
    (arguments::settle(sliced, proc), proc)
}
