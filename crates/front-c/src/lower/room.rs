//! Strings that are copied into an array inside of a struct: they must fit that array.
//!
//! The machine knows the bounds of objects only, as it does for indices (see `element`); so a call
//! that names the array asserts that what it writes there fits.

use lang_c::ast::Expression;
use lang_c::span::Node;
use trellis_program::CheckKind;
use trellis_program::ir::{BinOp, CmpOp, Cond, Expr, InstrKind};
use trellis_program::source::Span;
use trellis_program::types::Type;

use super::{Lower, fold};

/// The models that tell how long strings are.
pub const LENGTH_MODELS: [&str; 2] = ["trellis_length", "trellis_length_up_to"];

/// The functions whose models write a string to their first argument.
pub const WRITERS: [&str; 5] = ["strcpy", "stpcpy", "strcat", "strncpy", "strncat"];

impl<'a> Lower<'a> {
    /// Asserts that what a function of the library writes fits the array that is named.
    pub fn check_room(
        &mut self,
        function: usize,
        arguments: &'a [Node<Expression>],
        args: &[Expr],
        at: Span,
    ) {
        let name = self.functions[function].name.clone();
        let is_member = arguments.first().is_some_and(|a| matches!(a.node, Expression::Member(_)));
        if !is_member
            || !WRITERS.contains(&name.as_str())
            || self.whole.units[self.functions[function].unit].wanted.is_none()
        {
            return;
        }
        let ty = self.type_of(&arguments[0]);
        let Type::Array(element, room) = *self.types.get(ty) else { return };
        if room == 0 || self.int_kind(element).is_none_or(|k| k.bits != 8) {
            return;
        }
        let kind = self.types.model().size();
        let length = |l: &mut Self, of: &Expr| l.model_call(LENGTH_MODELS[0], vec![of.clone()], at);
        let ended = |e: Expr| fold::binary(BinOp::Add, kind, e, Expr::Int(1));
        let need = match (name.as_str(), args) {
            ("strcpy" | "stpcpy", [_, from]) => ended(length(self, from)),
            ("strcat", [to, from]) => {
                let (a, b) = (length(self, to), length(self, from));
                ended(fold::binary(BinOp::Add, kind, a, b))
            }
            ("strncpy", [_, _, n]) => n.clone(),
            ("strncat", [to, from, n]) => {
                let a = length(self, to);
                let b = self.model_call(LENGTH_MODELS[1], vec![from.clone(), n.clone()], at);
                ended(fold::binary(BinOp::Add, kind, a, b))
            }
            _ => return,
        };
        let fits = fold::compare(CmpOp::Le, Some(kind), need, Expr::Int(room as i64));
        let cond = Cond::Expr(fits);
        self.emit(InstrKind::Assert { kind: CheckKind::Bounds, cond }, at);
    }
}
