//! Bit-fields: their types in expressions, and what is left of a value that is stored in one.

use lang_c::span::Span as CSpan;
use trellis_program::ir::{BinOp, Expr};
use trellis_program::source::Span;
use trellis_program::types::{BitField, IntKind, Type, TypeId};

use super::{Lower, Val, fold};

impl Lower<'_> {
    /// The type of a bit-field's value: `int` if that has all its values. gcc computes with wider ones
    /// in as many bits as they have, which no type of ours has.
    pub fn promoted_bits(&mut self, bits: BitField, at: Span) -> TypeId {
        let kind = match bits.width {
            ..32 => IntKind::INT,
            32 => IntKind { bits: 32, signed: bits.kind.signed },
            64 => bits.kind,
            _ => {
                self.unsupported(at, "the value of a bit-field that is wider than `int`");
                bits.kind
            }
        };
        self.types.intern(Type::Int(kind))
    }

    /// What a bit-field holds after a value of its declared type was stored there.
    pub fn kept_bits(&mut self, bits: BitField, value: Val, span: CSpan) -> Val {
        let at = self.at(span);
        let ty = self.promoted_bits(bits, at);
        let free = i64::from(64 - bits.width);
        let e = match value.e {
            Expr::Int(n) => Expr::Int(bits.wrap(n)),
            e if free == 0 || bits.kind == IntKind::BOOL => e,
            e => {
                const WIDE: IntKind = IntKind { bits: 64, signed: false };
                let kind = IntKind { bits: 64, signed: bits.kind.signed };
                let wide = Expr::Convert(WIDE, Box::new(e));
                let top = fold::binary(BinOp::Shl, WIDE, wide, Expr::Int(free));
                let top = Expr::Convert(kind, Box::new(top));
                let back = fold::binary(BinOp::Shr, kind, top, Expr::Int(free));
                Expr::Convert(self.kind_of(ty), Box::new(back))
            }
        };
        self.in_register(Val { e, ty }, span)
    }
}
