//! Writes to constant objects and members, which C does not define.
//!
//! What an lvalue names is known when it is lowered. A write through a pointer to a struct is looked
//! at when the body is finished: a `const` member may be written while nobody has declared the
//! object, that is, in memory that the procedure has just allocated. Where else a pointer leads is
//! for the engines to say.

use trellis_program::ir::{Body, Expr, Instr, InstrKind, Procedure, Reg};
use trellis_program::source::Diagnostic;
use trellis_program::types::{TypeId, TypeTable};

use super::Lower;
use super::fresh::{Fresh, fresh_variables};
use super::place::{Lval, Place};

const REASON: &str = "a write to a constant object";

impl Lower<'_> {
    /// Refuses a write to a place, by name, that was declared `const`.
    pub fn check_written(&mut self, lval: &Lval, span: trellis_program::Span) {
        let constant = match &lval.place {
            Place::Reg(reg) => self.is_constant(*reg),
            Place::Mem(addr) | Place::Packed(addr) | Place::Bits(addr, _) => {
                let bytes = self.types.size_of(lval.ty).map_or(u64::MAX, u64::from);
                self.is_constant_place(addr, bytes)
            }
            _ => false,
        };
        if constant {
            self.unsupported(span, REASON);
        }
    }

    /// Refuses a write of so many bytes to an address, by name, that is in a constant object.
    pub fn check_written_bytes(&mut self, addr: &Expr, size: &Expr, span: trellis_program::Span) {
        let bytes = match size {
            Expr::Int(n) => *n as u64,
            _ => u64::MAX,
        };
        if self.is_constant_place(addr, bytes) {
            self.unsupported(span, REASON);
        }
    }

    fn is_constant(&self, reg: Reg) -> bool {
        match reg {
            Reg::Local(v) => self.f.vars[v.0 as usize].is_const,
            Reg::Global(g) => self.globals[g.0 as usize].is_const,
        }
    }

    fn is_constant_place(&self, addr: &Expr, bytes: u64) -> bool {
        let (base, from) = root(addr);
        let Expr::Addr(reg) = base else { return false };
        self.is_constant(*reg) || touches(&self.types, self.variable_storage(*reg).0, from, bytes)
    }

    /// Refuses writes to `const` members through pointers in the finished bodies.
    pub fn settle_writes(&mut self) {
        if !self.types.ids().any(|ty| self.types.has_const(ty)) {
            return;
        }
        for proc in &mut self.procs {
            let Some(body) = &proc.body else { continue };
            let places = writes(&self.types, &self.globals, proc, body);
            let Some(body) = &mut proc.body else { continue };
            for (block, i) in places.into_iter().rev() {
                let instrs = &mut body.blocks[block].instrs;
                let span = instrs[i].span;
                let kind = InstrKind::Unsupported { reason: REASON.to_owned() };
                instrs.insert(i, Instr { kind, span });
                let message = format!("not supported: {REASON}");
                self.diagnostics.push(Diagnostic::unsupported(span, message));
            }
        }
    }
}

/// The writes of a body to `const` members, by block and place in it.
fn writes(
    types: &TypeTable,
    globals: &[trellis_program::ir::Global],
    proc: &Procedure,
    body: &Body,
) -> Vec<(usize, usize)> {
    let fresh = fresh_variables(proc, body, &Default::default(), Fresh::Allocated);
    let may_write = |addr: &Expr, bytes: u64| {
        let (Expr::Reg(reg), from) = root(addr) else { return false };
        let ty = match reg {
            Reg::Local(v) if fresh.contains(v) => return false,
            Reg::Local(v) => proc.vars[v.0 as usize].ty,
            Reg::Global(g) => globals[g.0 as usize].ty,
        };
        types.pointee(ty).is_some_and(|to| touches(types, to, from, bytes))
    };
    let writes = |instr: &Instr| match &instr.kind {
        InstrKind::Store { addr, scalar, .. } => may_write(addr, types.bytes(*scalar).into()),
        InstrKind::Copy { dst, .. } | InstrKind::Fill { dst, .. } => may_write(dst, u64::MAX),
        _ => false,
    };
    let blocks = body.blocks.iter().enumerate();
    let all = blocks.flat_map(|(b, block)| block.instrs.iter().enumerate().map(move |i| (b, i)));
    all.filter(|(_, (_, instr))| writes(instr)).map(|(b, (i, _))| (b, i)).collect()
}

/// What an address is built on, and how many bytes from there; none if that is not known.
fn root(addr: &Expr) -> (&Expr, Option<u64>) {
    match addr {
        Expr::Offset(base, by) => {
            let (base, from) = root(base);
            (base, from.and_then(|f| f.checked_add_signed(*by)))
        }
        Expr::Index { base, .. } => (root(base).0, None),
        Expr::Convert(_, a) | Expr::ToPtr(a) => root(a),
        base => (base, Some(0)),
    }
}

/// Whether a write from there on meets a `const` member; of an array of such values, any.
fn touches(types: &TypeTable, ty: TypeId, from: Option<u64>, bytes: u64) -> bool {
    let size = types.size_of(ty).map_or(u64::MAX, u64::from);
    match from {
        Some(from) if from.saturating_add(bytes) <= size => {
            types.touches_const(ty, from, from + bytes)
        }
        _ => types.has_const(ty),
    }
}
