//! `__builtin_types_compatible_p`, by which macros such as the kernel's `container_of` look at types.
//!
//! **Invariant.** What is answered is what the compiler answers. The types of a heap program know
//! neither qualifiers below a pointer nor which of its types of one width a number has (`long` and
//! `long long`, `double` and `_Float64`), so two types that are one here can still be two in C; then
//! there is no answer.

use lang_c::ast::Expression;
use lang_c::span::Node;
use trellis_program::source::Span;
use trellis_program::types::{IntKind, Type, TypeId};

use super::{Lower, Val};

impl<'a> Lower<'a> {
    /// The types are operands of `sizeof`, which `old` puts in.
    pub fn types_compatible(&mut self, operands: &'a [Node<Expression>], at: Span) -> Val {
        let mut types = Vec::new();
        for operand in operands {
            if let Expression::SizeOfTy(s) = &operand.node {
                types.push(self.type_name(&s.node.0));
            }
        }
        let answer = match types[..] {
            [a, b] => self.surely_compatible(a, b),
            _ => None,
        };
        match answer {
            Some(yes) => self.int(i64::from(yes)),
            None => self.unsupported(at, "whether these types are compatible"),
        }
    }

    /// Whether two types are compatible, but for their own qualifiers, if that is known.
    fn surely_compatible(&self, a: TypeId, b: TypeId) -> Option<bool> {
        if self.is_unknown(a) || self.is_unknown(b) {
            return None;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Void, Type::Void) => Some(true),
            (Type::Float(x), Type::Float(y)) => (x != y).then_some(false),
            (Type::Record(x), Type::Record(y)) => Some(x == y),
            (Type::Int(x), Type::Int(y)) if x == y => (*x == IntKind::BOOL).then_some(true),
            (Type::Int(_), Type::Int(_)) => Some(false),
            // What they lead to may be `const` in one of them.
            (Type::Ptr(x), Type::Ptr(y)) => self.surely_compatible(*x, *y).filter(|yes| !yes),
            (Type::Array(..), Type::Array(..)) | (Type::Func(_), Type::Func(_)) => None,
            _ => Some(false),
        }
    }
}
