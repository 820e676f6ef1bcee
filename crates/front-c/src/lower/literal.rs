//! Integer, character and string literals.

use lang_c::ast::{self, Constant, IntegerBase, IntegerSize};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, Global, GlobalId, Init, Reg, Storage};
use trellis_program::types::{IntKind, Scalar, Type};

use super::global::GlobalInfo;
use super::place::{Lval, Place};
use super::{Lower, Val};

impl Lower<'_> {
    pub fn literal(&mut self, c: &Node<Constant>) -> Val {
        match &c.node {
            Constant::Integer(i) => self.integer(i, c.span),
            Constant::Float(_) => {
                let at = self.at(c.span);
                self.unsupported(at, "a floating-point constant")
            }
            Constant::Character(text) => match character(text) {
                Some(value) => self.int(value),
                None => {
                    let at = self.at(c.span);
                    self.unsupported(at, "this character constant")
                }
            },
        }
    }

    fn integer(&mut self, i: &ast::Integer, span: CSpan) -> Val {
        let radix = match i.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if i.number.is_empty() { "0" } else { &i.number };
        let value = u64::from_str_radix(digits, radix).ok();
        let Some(value) = value.filter(|_| !i.suffix.imaginary) else {
            let at = self.at(span);
            return self.error(at, "this number is too large");
        };
        let decimal = i.base == IntegerBase::Decimal;
        let int = |bits, signed| IntKind { bits, signed };
        let fits = |k: IntKind| {
            let unsigned_max = if k.bits == 32 { u64::from(u32::MAX) } else { u64::MAX };
            value <= if k.signed { unsigned_max / 2 } else { unsigned_max }
        };
        let kind = [int(32, true), int(32, false), int(64, true), int(64, false)]
            .into_iter()
            .filter(|k| match i.suffix.size {
                IntegerSize::Int => true,
                IntegerSize::Long => k.bits >= self.types.model().long().bits,
                IntegerSize::LongLong => k.bits == 64,
            })
            .filter(|k| !(i.suffix.unsigned && k.signed))
            .filter(|k| k.signed || i.suffix.unsigned || !decimal)
            .find(|k| fits(*k))
            .unwrap_or(IntKind::SIZE);
        Val { e: Expr::Int(value as i64), ty: self.types.intern(Type::Int(kind)) }
    }

    /// The array that a string literal is.
    pub fn string_place(&mut self, parts: &[String], span: CSpan) -> Lval {
        match string_bytes(parts) {
            Some(bytes) => self.bytes_place(bytes, Some(span.start)),
            None => {
                let at = self.at(span);
                self.unsupported(at, "a wide string");
                Lval { place: Place::Unknown, ty: self.ty.unknown }
            }
        }
    }

    /// A constant array of characters, with its terminating zero. Each literal that stands in the
    /// code has its own, since C does not say whether those of the same text are one; without a
    /// place of its own, nobody asks.
    pub fn bytes_place(&mut self, bytes: Vec<u8>, at: Option<usize>) -> Lval {
        let ty = self.types.intern(Type::Array(self.ty.char, bytes.len() as u64 + 1));
        let same = self.strings.entry(bytes.clone()).or_default();
        let id = match same.get(&at) {
            Some(id) => *id,
            None => {
                let id = GlobalId(self.globals.len() as u32);
                let text = format!("{:?}", String::from_utf8_lossy(&bytes));
                let name = match same.len() {
                    0 => text,
                    n => format!("{text}#{}", n + 1),
                };
                same.insert(at, id);
                let cell = Scalar::Int(IntKind::CHAR);
                let init = bytes
                    .iter()
                    .enumerate()
                    .map(|(i, b)| (i as u32, cell, Init::Int(i64::from(*b as i8))))
                    .collect();
                self.globals.push(Global {
                    name,
                    ty,
                    storage: Storage::Object,
                    init,
                    is_const: true,
                    is_ghost: false,
                    span: self.nowhere(),
                });
                self.global_info.push(GlobalInfo { is_defined: true, ..GlobalInfo::default() });
                id
            }
        };
        Lval { place: Place::Mem(Expr::Addr(Reg::Global(id))), ty }
    }
}

/// The bytes of adjacent string literals, without the terminating zero; `None` if wide.
pub fn string_bytes(parts: &[String]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for part in parts {
        let part = part.trim();
        let body = part.strip_prefix("u8").unwrap_or(part);
        let body = body.strip_prefix('"')?.strip_suffix('"')?;
        unescape(body, &mut out)?;
    }
    Some(out)
}

/// The value of `'a'`, `'\n'`, `'\x41'`; several characters are combined as GCC does.
fn character(text: &str) -> Option<i64> {
    let body = text.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    let mut bytes = Vec::new();
    unescape(body, &mut bytes)?;
    match bytes.as_slice() {
        [] => None,
        [b] => Some(i64::from(*b as i8)),
        many if many.len() <= 4 => {
            let value = many.iter().fold(0u32, |v, b| v << 8 | u32::from(*b));
            Some(i64::from(value as i32))
        }
        _ => None,
    }
}

fn unescape(body: &str, out: &mut Vec<u8>) -> Option<()> {
    let bytes = body.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        i += 1;
        if b != b'\\' {
            out.push(b);
            continue;
        }
        let c = *bytes.get(i)?;
        i += 1;
        let simple = match c {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'\\' | b'\'' | b'"' | b'?' => c,
            b'x' => {
                let digits = bytes[i..].iter().take_while(|d| d.is_ascii_hexdigit()).count();
                let value = u32::from_str_radix(body.get(i..i + digits)?, 16).ok()?;
                i += digits;
                u8::try_from(value).ok()?
            }
            b'0'..=b'7' => {
                let start = i - 1;
                while i < bytes.len() && i < start + 3 && (b'0'..=b'7').contains(&bytes[i]) {
                    i += 1;
                }
                u8::try_from(u32::from_str_radix(body.get(start..i)?, 8).ok()?).ok()?
            }
            b'\n' => continue,
            b'u' | b'U' => {
                let digits = if c == b'u' { 4 } else { 8 };
                let value = u32::from_str_radix(body.get(i..i + digits)?, 16).ok()?;
                i += digits;
                let mut buffer = [0; 4];
                out.extend(char::from_u32(value)?.encode_utf8(&mut buffer).bytes());
                continue;
            }
            _ => return None,
        };
        out.push(simple);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(character("'a'"), Some(97));
        assert_eq!(character("'\\n'"), Some(10));
        assert_eq!(character("'\\xff'"), Some(-1));
        assert_eq!(character("'\\0'"), Some(0));
        assert_eq!(character("L'a'"), None);
        assert_eq!(string_bytes(&["\"a\\101\"".into(), "\"b\"".into()]), Some(b"aAb".to_vec()));
    }
}
