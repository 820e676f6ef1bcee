//! What of programs was seen to be followed.

use std::collections::BTreeSet;
use std::fmt;

use trellis_program::{BlockId, CheckKind, Cond, Expr, InstrKind, ProcId, Program, Terminator};

/// The names of instructions and expressions that were followed, and of the checks that failed.
#[derive(Default)]
pub struct Followed {
    instructions: BTreeSet<&'static str>,
    expressions: BTreeSet<&'static str>,
    failures: BTreeSet<&'static str>,
}

impl Followed {
    /// A check that failed in the machine and is an open error in the system.
    pub fn failure(&mut self, kind: CheckKind) {
        self.failures.insert(kind.name());
    }

    /// Blocks that were passed.
    pub fn blocks(&mut self, program: &Program, proc: ProcId, blocks: &[BlockId]) {
        let Some(body) = &program.proc(proc).body else { return };
        let passed: BTreeSet<BlockId> = blocks.iter().copied().collect();
        for block in passed {
            let block = &body.blocks[block.0 as usize];
            block.instrs.iter().for_each(|i| self.instruction(&i.kind));
            if let Terminator::Branch { cond, .. } = &block.term {
                self.expression(cond);
            }
        }
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
        Ok(())
    }
}
