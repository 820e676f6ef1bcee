//! Members of packed structs: at any address, so they are copied byte by byte.
//!
//! A load or store is of a scalar at an address that suits its type. That of a packed member may not,
//! and whoever takes it and accesses the member through a pointer does what no compiler promises.

use lang_c::span::Span as CSpan;
use trellis_program::ir::{Expr, InstrKind};
use trellis_program::source::Span;
use trellis_program::types::TypeId;

use super::{Lower, Val};

impl Lower<'_> {
    /// The address of a copy of a scalar.
    pub fn unpacked(&mut self, address: Expr, ty: TypeId, span: CSpan) -> Expr {
        let at = self.at(span);
        let copy = Expr::Addr(self.lasting_object(ty, at));
        self.copy_scalar(copy.clone(), address, ty, at);
        copy
    }

    /// Writes a scalar to any address.
    pub fn write_packed(&mut self, address: Expr, ty: TypeId, value: Val, at: Span) {
        let copy = Expr::Addr(self.lasting_object(ty, at));
        let scalar = self.scalar(ty);
        self.emit(InstrKind::Store { addr: copy.clone(), scalar, value: value.e }, at);
        self.copy_scalar(address, copy, ty, at);
    }

    fn copy_scalar(&mut self, dst: Expr, src: Expr, ty: TypeId, at: Span) {
        let size = Expr::Int(i64::from(self.types.size_of(ty).unwrap_or(0)));
        self.emit(InstrKind::Copy { dst, src, size, may_overlap: true }, at);
    }
}
