//! Expressions that are not evaluated, and constants: lowered into a procedure that is thrown away.

use lang_c::ast;
use lang_c::span::Node;
use trellis_program::source::{Diagnostic, Severity};
use trellis_program::types::{Type, TypeId};

use super::proc::Proc;
use super::{Lower, fold};

impl<'a> Lower<'a> {
    /// Runs `f` with a throw-away procedure that sees the current variables; returns its result
    /// and whether no instruction was needed.
    pub fn in_scratch<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let scratch = Proc {
            name: self.f.name.clone(),
            vars: self.f.vars.clone(),
            declared_at: self.f.declared_at.clone(),
            ret: self.f.ret,
            taken: std::mem::take(&mut self.f.taken),
            cursor: self.f.cursor,
            end: self.f.end,
            params: self.f.params,
            ..Proc::scratch(self.ty.void)
        };
        let kept = std::mem::replace(&mut self.f, scratch);
        let out = f(self);
        let scratch = std::mem::replace(&mut self.f, kept);
        self.f.taken = scratch.taken;
        let pure = scratch.builder.is_pure();
        (out, pure)
    }

    /// The type of an expression that is not evaluated, arrays as arrays.
    pub fn type_of(&mut self, e: &'a Node<ast::Expression>) -> TypeId {
        self.in_scratch(|l| l.undecayed_type(e)).0
    }

    /// The value of an integer constant expression.
    pub fn constant(
        &mut self,
        e: &'a Node<ast::Expression>,
    ) -> Option<(i64, trellis_program::IntKind)> {
        let errors = |l: &Self| {
            let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
            l.diagnostics.iter().filter(is_error).count()
        };
        let before = errors(self);
        let (value, pure) = self.in_scratch(|l| l.rvalue(e));
        match (fold::constant(&value.e), self.types.get(value.ty)) {
            (Some(n), Type::Int(kind)) if pure => Some((n, *kind)),
            _ if errors(self) > before => Some((0, trellis_program::IntKind::INT)),
            _ => None,
        }
    }
}
