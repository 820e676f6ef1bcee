//! Ghost code: only contracts may see what it computes.

use lang_c::ast;
use lang_c::span::Span as CSpan;
use trellis_program::ir::{Expr, Reg};

use super::Lower;
use super::place::Place;

impl Lower<'_> {
    fn is_ghost_variable(&self, reg: Reg) -> bool {
        match reg {
            Reg::Local(v) => self.f.vars[v.0 as usize].is_ghost,
            Reg::Global(g) => self.globals[g.0 as usize].is_ghost,
        }
    }

    /// Real code must not mention a ghost variable.
    pub fn check_ghost_use(&mut self, reg: Reg, name: &str, span: CSpan) {
        if self.is_ghost_variable(reg) && !self.in_ghost(span) {
            let span = self.at(span);
            self.error(span, format!("`{name}` is a ghost: only contracts may use it"));
        }
    }

    /// Ghost code must only write ghost variables.
    pub fn check_ghost_write(&mut self, place: &Place, span: CSpan) {
        if !self.in_ghost(span) {
            return;
        }
        let root = match place {
            Place::Reg(r) => Some(*r),
            Place::Mem(e) | Place::Packed(e) | Place::Bits(e, _) => root_variable(e),
            Place::Unknown => None,
        };
        if !root.is_some_and(|r| self.is_ghost_variable(r)) {
            let span = self.at(span);
            self.error(span, "ghost code may only assign ghost variables");
        }
    }

    /// Ghost code is declarations and expressions; anything else could change what the program
    /// does.
    pub fn check_ghost_statement(&mut self, statement: &ast::Statement, span: CSpan) {
        if self.in_ghost(span) && !matches!(statement, ast::Statement::Expression(_)) {
            let span = self.at(span);
            self.error(span, "ghost code may only declare and assign");
        }
    }

    /// The body of an `if` or a loop must not be ghost code: without it, the next statement would
    /// be the body.
    pub fn check_ghost_body(&mut self, span: CSpan) {
        if self.in_ghost(span) {
            let span = self.at(span);
            self.error(span, "put braces around this ghost code and the statement after it");
        }
    }
}

/// The variable whose object an address certainly lies in.
fn root_variable(e: &Expr) -> Option<Reg> {
    match e {
        Expr::Addr(r) => Some(*r),
        Expr::Offset(a, _) => root_variable(a),
        Expr::Index { base, .. } => root_variable(base),
        _ => None,
    }
}
