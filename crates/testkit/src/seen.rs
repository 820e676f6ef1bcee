//! Which constructs of the heap program a procedure has, by name. The matches are exhaustive: a new
//! construct must get a name here, and its place in the tables of the tests.

use std::collections::BTreeSet;

use trellis_program::cfg::reachable_procs;
use trellis_program::ir::{Cond, Expr, InstrKind, Terminator};
use trellis_program::{ProcId, Program};

/// The constructs that were met.
#[derive(Default)]
pub struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// That the constructs of a table were met, and no others.
    ///
    /// # Panics
    /// If not so.
    pub fn assert_just(&self, table: &[&str]) {
        let missing: Vec<_> = table.iter().filter(|name| !self.0.contains(*name)).collect();
        let more: Vec<_> = self.0.iter().filter(|name| !table.contains(name)).collect();
        assert!(
            missing.is_empty() && more.is_empty(),
            "not seen: {missing:?}; also seen: {more:?}"
        );
    }

    /// Notes what a procedure and those that it calls have.
    pub fn procedures(&mut self, program: &Program, proc: ProcId) {
        for id in reachable_procs(program, proc) {
            for block in program.proc(id).body.iter().flat_map(|b| &b.blocks) {
                for instr in &block.instrs {
                    self.instruction(&instr.kind);
                }
                self.terminator(&block.term);
            }
        }
    }

    fn instruction(&mut self, kind: &InstrKind) {
        let (name, exprs): (_, Vec<&Expr>) = match kind {
            InstrKind::Assign { value, .. } => ("assign", vec![value]),
            InstrKind::Load { addr, .. } => ("load", vec![addr]),
            InstrKind::Store { addr, value, .. } => ("store", vec![addr, value]),
            InstrKind::Copy { dst, src, size, .. } => ("copy", vec![dst, src, size]),
            InstrKind::Fill { dst, byte, size } => ("fill", vec![dst, byte, size]),
            InstrKind::Alloc { size, .. } => ("alloc", vec![size]),
            InstrKind::Retype { ptr, .. } => ("retype", vec![ptr]),
            InstrKind::Free { ptr } => ("free", vec![ptr]),
            InstrKind::BeginLocal { .. } => ("begin local", vec![]),
            InstrKind::BeginArray { count, .. } => ("begin array", vec![count]),
            InstrKind::EndLocal { .. } => ("end local", vec![]),
            InstrKind::Call { args, .. } => ("call", args.iter().collect()),
            InstrKind::Havoc { .. } => ("havoc", vec![]),
            InstrKind::Assume { cond } => match cond {
                Cond::Expr(e) => ("assume", vec![e]),
                Cond::Spec(_) => ("assume spec", vec![]),
            },
            InstrKind::Assert { cond, .. } => match cond {
                Cond::Expr(e) => ("assert", vec![e]),
                Cond::Spec(_) => ("assert spec", vec![]),
            },
            InstrKind::Unsupported { .. } => ("unsupported", vec![]),
        };
        self.0.insert(name);
        exprs.into_iter().for_each(|e| self.expr(e));
    }

    fn terminator(&mut self, term: &Terminator) {
        let (name, value) = match term {
            Terminator::Goto(_) => ("goto", None),
            Terminator::Branch { cond, .. } => ("branch", Some(cond)),
            Terminator::Return(value) => ("return", value.as_ref()),
            Terminator::Exit => ("exit", None),
            Terminator::ExitFreed => ("exit freed", None),
            Terminator::Abort => ("abort", None),
        };
        self.0.insert(name);
        value.into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        let (name, parts): (_, Vec<&Expr>) = match e {
            Expr::Int(_) => ("int", vec![]),
            Expr::Null => ("null", vec![]),
            Expr::Reg(_) => ("reg", vec![]),
            Expr::Addr(_) => ("addr", vec![]),
            Expr::Unary(_, _, a) => ("unary", vec![a]),
            Expr::Binary(_, _, a, b) => ("binary", vec![a, b]),
            Expr::Cmp(_, _, a, b) => ("cmp", vec![a, b]),
            Expr::Not(a) => ("not", vec![a]),
            Expr::Convert(_, a) => ("convert", vec![a]),
            Expr::ToPtr(a) => ("toptr", vec![a]),
            Expr::Offset(a, _) => ("offset", vec![a]),
            Expr::Index { base, index, .. } => ("index", vec![base, index]),
            Expr::Diff(a, b, _) => ("diff", vec![a, b]),
            Expr::Extent(a, _) => ("extent", vec![a]),
        };
        self.0.insert(name);
        parts.into_iter().for_each(|p| self.expr(p));
    }
}
