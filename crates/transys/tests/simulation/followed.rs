//! What of programs was seen to be followed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use trellis_program::concrete::Failure;
use trellis_program::spec::Formula;
use trellis_program::{BlockId, CheckKind, Cond, Expr, InstrKind, ProcId, Program, Terminator};

use crate::run::{End, Run};
use trellis_testkit::constructs::{self, Names};

/// In which ways a contract was seen to be followed. One that is checked is an open error exactly
/// where it is not true; one that is assumed lets paths go on where it is true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    True,
    False,
    Undefined,
}

/// The names of instructions and expressions that were followed, of the checks that failed, and of
/// the constructs of contracts with what they were part of.
#[derive(Default)]
pub struct Followed {
    instructions: BTreeSet<&'static str>,
    expressions: BTreeSet<&'static str>,
    failures: BTreeSet<&'static str>,
    contracts: BTreeMap<&'static str, BTreeSet<Truth>>,
    accepted: Names,
}

impl Followed {
    /// The constructs of contracts that were followed in any way.
    pub fn contracts(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.contracts.keys().copied()
    }

    /// The constructs of contracts in procedures that have a transition system.
    pub fn accepted(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.accepted.iter().copied()
    }

    /// A procedure that has a transition system.
    pub fn accept(&mut self, program: &Program, proc: ProcId) {
        self.accepted.extend(constructs::of_procedure(program, proc));
    }

    /// A check that failed in the machine and is an open error in the system.
    pub fn failure(&mut self, program: &Program, failure: &Failure) {
        self.failures.insert(failure.kind.name());
        let (proc, point) = (failure.point.proc, failure.point);
        let procedure = program.proc(proc);
        let block = procedure.body.as_ref().map(|b| &b.blocks[point.block.0 as usize]);
        let instr = block.and_then(|b| b.instrs.get(point.instr as usize)).map(|i| &i.kind);
        let formula = match (failure.kind, instr) {
            (CheckKind::Postcondition, _) => {
                procedure.contract.ensures.get(failure.clause as usize).map(|c| &c.formula)
            }
            (_, Some(InstrKind::Assert { cond: Cond::Spec(f), .. })) => Some(f),
            _ => None,
        };
        let truth = if failure.undefined { Truth::Undefined } else { Truth::False };
        if let Some(f) = formula {
            self.contract(constructs::of_formula(program, proc, f), truth);
        }
        if failure.kind == CheckKind::Assigns {
            self.contract(constructs::of_assigns(program, proc), truth);
        }
    }

    /// A precondition that held.
    pub fn precondition(&mut self, program: &Program, proc: ProcId) {
        for clause in &program.proc(proc).contract.requires {
            self.contract(constructs::of_formula(program, proc, &clause.formula), Truth::True);
        }
    }

    /// Contracts that held on the way, and were found to be no open errors; or that were assumed.
    pub fn held(&mut self, program: &Program, proc: ProcId, run: &Run) {
        let procedure = program.proc(proc);
        let Some(body) = &procedure.body else { return };
        let blocks = run.blocks.iter().map(|b| &body.blocks[b.0 as usize]);
        let inside = blocks.flat_map(|b| &b.instrs).filter_map(|i| match &i.kind {
            InstrKind::Assume { cond: Cond::Spec(f) }
            | InstrKind::Assert { cond: Cond::Spec(f), .. } => Some(f),
            _ => None,
        });
        let mut held: Vec<&Formula> = inside.collect();
        if run.end == End::Returned {
            held.extend(procedure.contract.ensures.iter().map(|c| &c.formula));
            self.contract(constructs::of_assigns(program, proc), Truth::True);
        }
        for formula in held {
            self.contract(constructs::of_formula(program, proc, formula), Truth::True);
        }
    }

    fn contract(&mut self, names: Names, truth: Truth) {
        for name in names {
            self.contracts.entry(name).or_default().insert(truth);
        }
    }

    /// Blocks that were passed.
    pub fn blocks(&mut self, program: &Program, proc: ProcId, blocks: &[BlockId]) {
        let Some(body) = &program.proc(proc).body else { return };
        for block in blocks {
            let block = &body.blocks[block.0 as usize];
            for instr in &block.instrs {
                self.instruction(&instr.kind);
                self.through_place(program, proc, &instr.kind);
            }
            if let Terminator::Branch { cond, .. } = &block.term {
                self.expression(cond);
            }
        }
    }

    /// Accesses through pointers to variables and fields, which were replaced.
    fn through_place(&mut self, program: &Program, proc: ProcId, kind: &InstrKind) {
        let to_scalar = |e: &Expr| match e {
            Expr::Reg(reg) => {
                let to = program.types.pointee(program.reg_type(proc, *reg));
                to.is_some_and(|to| program.types.scalar(to).is_some())
            }
            _ => false,
        };
        let name = match kind {
            InstrKind::Load { addr, .. } if to_scalar(addr) => "load, through a place",
            InstrKind::Store { addr, .. } if to_scalar(addr) => "store, through a place",
            InstrKind::Assign { value: Expr::Addr(_), .. } => "assign, a place",
            _ => return,
        };
        self.instructions.insert(name);
    }

    fn instruction(&mut self, kind: &InstrKind) {
        let (name, parts): (&str, Vec<&Expr>) = match kind {
            InstrKind::Assign { value, .. } => ("assign", vec![value]),
            InstrKind::Load { addr, .. } => ("load", vec![addr]),
            InstrKind::Store { addr, value, .. } => ("store", vec![addr, value]),
            InstrKind::Copy { dst, src, size, .. } => ("copy", vec![dst, src, size]),
            InstrKind::Fill { dst, byte, size } => ("fill", vec![dst, byte, size]),
            InstrKind::Alloc { size, ty: Some(_), .. } => ("alloc, typed", vec![size]),
            InstrKind::Alloc { size, ty: None, .. } => ("alloc, untyped", vec![size]),
            InstrKind::Retype { ptr, .. } => ("retype", vec![ptr]),
            InstrKind::Free { ptr } => ("free", vec![ptr]),
            InstrKind::BeginLocal { .. } => ("begin local", vec![]),
            InstrKind::BeginArray { count, .. } => ("begin array", vec![count]),
            InstrKind::EndLocal { .. } => ("end local", vec![]),
            InstrKind::Call { .. } => ("call", vec![]),
            InstrKind::Havoc { .. } => ("havoc", vec![]),
            InstrKind::Assume { cond: Cond::Expr(e) } => ("assume, code", vec![e]),
            InstrKind::Assume { cond: Cond::Spec(_) } => ("assume, contract", vec![]),
            InstrKind::Assert { cond: Cond::Expr(e), .. } => ("assert, code", vec![e]),
            InstrKind::Assert { cond: Cond::Spec(_), .. } => ("assert, contract", vec![]),
            InstrKind::Unsupported { .. } => ("unsupported", vec![]),
        };
        self.instructions.insert(name);
        parts.into_iter().for_each(|e| self.expression(e));
    }

    fn expression(&mut self, e: &Expr) {
        let (name, parts): (&str, Vec<&Expr>) = match e {
            Expr::Int(_) => ("integer", vec![]),
            Expr::Null => ("null", vec![]),
            Expr::Reg(_) => ("variable", vec![]),
            Expr::Addr(_) => ("address", vec![]),
            Expr::Unary(_, _, a) => ("unary", vec![a]),
            Expr::Binary(_, _, a, b) => ("binary", vec![a, b]),
            Expr::Cmp(_, Some(kind), a, b) if kind.signed => ("compare, signed", vec![a, b]),
            Expr::Cmp(_, Some(_), a, b) => ("compare, unsigned", vec![a, b]),
            Expr::Cmp(_, None, a, b) => ("compare, pointers", vec![a, b]),
            Expr::Not(a) => ("not", vec![a]),
            Expr::Convert(_, a) => ("convert", vec![a]),
            Expr::ToPtr(a) => ("to pointer", vec![a]),
            Expr::Offset(a, _) => ("offset", vec![a]),
            Expr::Index { base, index, .. } => ("index", vec![base, index]),
            Expr::Diff(a, b, _) => ("difference", vec![a, b]),
            Expr::Extent(a, _) => ("extent", vec![a]),
        };
        self.expressions.insert(name);
        parts.into_iter().for_each(|e| self.expression(e));
    }
}

impl fmt::Display for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sets = [
            ("instructions", &self.instructions),
            ("expressions", &self.expressions),
            ("failing checks", &self.failures),
        ];
        for (name, set) in sets {
            writeln!(f, "{name}:")?;
            set.iter().try_for_each(|n| writeln!(f, "  {n}"))?;
        }
        writeln!(f, "contracts:")?;
        for (name, ways) in &self.contracts {
            let way = |t: &Truth| match t {
                Truth::True => "true",
                Truth::False => "false",
                Truth::Undefined => "undefined",
            };
            let ways: Vec<&str> = ways.iter().map(way).collect();
            writeln!(f, "  {name}: {}", ways.join(", "))?;
        }
        Ok(())
    }
}
