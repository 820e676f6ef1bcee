//! What is believed of callers that nobody sees, as clauses of a precondition.
//!
//! * The start of a whole program ([`Procedure::is_whole_program`]): parameters of `main` that it
//!   never looks at are none, and the host passes at least a name ([`Arguments::Usual`]).
//! * A procedure without a contract, if arguments are to be valid ([`Arguments::Valid`]): pointers
//!   are not null, structures are acyclic and disjoint (`valid`).
//!
//! **Invariant.** Only the procedure that is looked at is told: what it passes on, to itself too, is
//! whatever it passes. So a procedure that calls itself gets a twin without these clauses, which its
//! calls go to. Everything that is believed is said in [`Program::granted`].

mod valid;

pub use valid::{Habit, habits, links};

use crate::ir::{Arguments, InstrKind, ProcId, Procedure, Program, Reg, Storage, VarId};
use crate::source::Span;
use crate::spec::{Formula, Promise, Term};
use crate::types::Scalar;

/// The sliced program in which the procedure has the precondition that is believed of its callers.
pub(crate) fn settle(mut program: Program, proc: ProcId) -> Program {
    if program.is_whole_program(proc) {
        forget_unread(&mut program, proc);
        count_arguments(&mut program, proc);
    } else if program.arguments == Arguments::Valid && !program.proc(proc).has_contract {
        let (clauses, granted) = valid::clauses(&program, proc);
        demand(&mut program, proc, clauses);
        program.granted.extend(granted);
    }
    program
}

/// The same procedure where some of its pointer parameters are not null.
pub fn with_present(program: &Program, proc: ProcId, params: &[usize]) -> Program {
    let mut program = program.clone();
    let clauses = params.iter().map(|&i| valid::not_null(&program, proc, i)).collect();
    demand(&mut program, proc, clauses);
    program
}

/// The same whole program, started with nothing at all; `None` if it does not look.
pub fn without_name(program: &Program, proc: ProcId) -> Option<Program> {
    let has_count = program.is_whole_program(proc) && count_of(program, proc).is_some();
    if !has_count || program.arguments == Arguments::Any {
        return None;
    }
    let mut program = Program { granted: Vec::new(), ..program.clone() };
    let procedure = &mut program.procs[proc.0 as usize];
    let none = compared(procedure.span, crate::ir::CmpOp::Eq, 0);
    procedure.contract.requires = vec![none];
    Some(program)
}

/// Adds clauses to the precondition of a procedure, but not of its calls of itself.
fn demand(program: &mut Program, proc: ProcId, clauses: Vec<Promise>) {
    if clauses.is_empty() {
        return;
    }
    let called = program.procs.iter().any(|p| p.callees().any(|callee| callee == proc));
    if called {
        let twin = ProcId(program.procs.len() as u32);
        program.procs.push(program.proc(proc).clone());
        let bodies = program.procs.iter_mut().filter_map(|p| p.body.as_mut());
        for instr in bodies.flat_map(|b| &mut b.blocks).flat_map(|b| &mut b.instrs) {
            if let InstrKind::Call { proc: callee, .. } = &mut instr.kind
                && *callee == proc
            {
                *callee = twin;
            }
        }
    }
    program.procs[proc.0 as usize].contract.requires.extend(clauses);
}

/// Makes locals of the last parameters of `main`, as far as nobody reads them.
fn forget_unread(program: &mut Program, main: ProcId) {
    let called = program.procs.iter().any(|p| p.callees().any(|callee| callee == main));
    let procedure = &mut program.procs[main.0 as usize];
    if called {
        return;
    }
    let unread = |p: &Procedure, i: usize| {
        p.vars[i].storage == Storage::Register && !mentions(p, Reg::Local(VarId(i as u32)))
    };
    while procedure.params > 0 && unread(procedure, procedure.params - 1) {
        procedure.params -= 1;
    }
}

/// Whether code or contract read a variable.
fn mentions(procedure: &Procedure, reg: Reg) -> bool {
    let mut found = false;
    for e in procedure.blocks().flat_map(crate::ir::Block::exprs) {
        e.visit(&mut |e| {
            found |= matches!(e, crate::ir::Expr::Reg(r) | crate::ir::Expr::Addr(r) if *r == reg);
        });
    }
    for formula in procedure.formulas() {
        formula.visit(&mut |_| {}, &mut |t| {
            found |= matches!(t, Term::Reg(r) | Term::Addr(r) if *r == reg);
        });
    }
    found
}

/// Says how many arguments `main` is given, if it has such a parameter.
fn count_arguments(program: &mut Program, main: ProcId) {
    let Some(span) = count_of(program, main) else { return };
    let least = i128::from(program.arguments != Arguments::Any);
    demand(program, main, vec![compared(span, crate::ir::CmpOp::Ge, least)]);
    if least == 1 {
        let name = &program.proc(main).vars[0].name;
        program.granted.push(format!("`main` is given its name (`{name}` is at least 1)"));
    }
}

/// Where the parameter for the number of arguments is declared.
fn count_of(program: &Program, main: ProcId) -> Option<Span> {
    let procedure = program.proc(main);
    let count = procedure.vars[..procedure.params].first()?;
    let is_count = matches!(program.types.scalar(count.ty), Some(Scalar::Int(_)))
        && count.storage == Storage::Register;
    is_count.then_some(count.span)
}

/// A clause about the first parameter.
fn compared(span: Span, op: crate::ir::CmpOp, with: i128) -> Promise {
    let count = Term::Reg(Reg::Local(VarId(0)));
    Promise { formula: Formula::Cmp(op, count, Term::Int(with)), span }
}
