//! `sprintf` and `snprintf`: the format is read here, what its parts write is a model
//! (`models/format.c`).
//!
//! **Invariant.** A format that is not known to the letter, or has a part that no model writes, is
//! unsupported.

use lang_c::ast::Expression;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, InstrKind};
use trellis_program::source::Span;
use trellis_program::types::IntKind;

use super::conversions::{length, number};
use super::literal::string_bytes;
use super::place::Place;
use super::scope::Symbol;
use super::{Lower, Val};

/// The functions of the model.
pub const MODELS: [&str; 6] = [
    "trellis_put_text",
    "trellis_put_character",
    "trellis_put_number",
    "trellis_sign",
    "trellis_magnitude",
    "trellis_put_end",
];

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(Vec<u8>),
    Argument(Directive),
}

/// A conversion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Directive {
    left: bool,
    zeros: bool,
    /// What stands before a number that is not negative.
    plus: u8,
    width: u32,
    precision: Option<u32>,
    bits: u8,
    conversion: u8,
}

impl<'a> Lower<'a> {
    /// A call of `snprintf` (with room) or `sprintf`; the format is the argument of this number.
    pub fn format(&mut self, arguments: &'a [Node<Expression>], format: usize, span: CSpan) -> Val {
        let at = self.at(span);
        let parts = match &arguments[format].node {
            Expression::StringLiteral(s) => match string_bytes(&s.node) {
                Some(bytes) => parts(&bytes, self.types.model().long().bits),
                None => Err("a wide string"),
            },
            _ => Err("a format that is not a string literal"),
        };
        let given = arguments.len() - format - 1;
        let parts = match parts {
            Ok(parts) if arguments_of(&parts) <= given => parts,
            Ok(_) => return self.unsupported(at, "a format with more conversions than arguments"),
            Err(reason) => return self.unsupported(at, reason),
        };
        let (mut values, mut operands) = (Vec::new(), Vec::new());
        for (i, a) in arguments.iter().enumerate().filter(|(i, _)| *i != format) {
            let mark = self.f.builder.mark();
            let value = match i {
                0 => self.pointer_argument(a),
                i if i < format => {
                    let e = self.size_argument(a);
                    Val { e, ty: self.ty.size }
                }
                _ => self.rvalue(a),
            };
            operands.push((mark, value.e.clone()));
            values.push(self.in_register(value, a.span));
        }
        let operands: Vec<_> = operands.iter().map(|(mark, e)| (*mark, Some(e))).collect();
        self.unsequenced(&operands, at);
        let to = values[0].e.clone();
        let room = if format == 2 { values[1].e.clone() } else { Expr::Int(-1) };
        let mut values = values.into_iter().skip(format);
        let place = [to, room];
        let mut position = Expr::Int(0);
        for part in &parts {
            position = match part {
                Part::Text(bytes) => {
                    let text = match self.bytes_place(bytes.clone(), None).place {
                        Place::Mem(address) => address,
                        _ => Expr::Null,
                    };
                    let most = Expr::Int(-1);
                    let rest = [text, most, Expr::Int(0), Expr::Int(0)];
                    self.put("trellis_put_text", &place, position, &rest, at)
                }
                Part::Argument(d) => {
                    let value = values.next().unwrap_or_else(|| self.unknown());
                    match self.put_argument(d, &place, position, value, span) {
                        Ok(position) => position,
                        Err(reason) => return self.unsupported(at, reason),
                    }
                }
            };
        }
        let [to, room] = place;
        self.model_call("trellis_put_end", vec![to, room, position.clone()], at);
        let result = Val { e: position, ty: self.ty.size };
        self.convert(result, self.ty.int, span)
    }

    fn put_argument(
        &mut self,
        d: &Directive,
        place: &[Expr; 2],
        position: Expr,
        value: Val,
        span: CSpan,
    ) -> Result<Expr, &'static str> {
        let at = self.at(span);
        let (width, left) = (Expr::Int(d.width.into()), Expr::Int(d.left.into()));
        match d.conversion {
            b's' if !self.is_pointer(value.ty) => Err("a string that is not one"),
            b's' => {
                let most = Expr::Int(d.precision.map_or(-1, i64::from));
                let rest = [value.e, most, width, left];
                Ok(self.put("trellis_put_text", place, position, &rest, at))
            }
            _ if self.int_kind(value.ty).is_none() => Err("a number that is not one"),
            b'c' => {
                let c = self.convert(value, self.ty.int, span).e;
                Ok(self.put("trellis_put_character", place, position, &[c, width, left], at))
            }
            conversion => {
                let signed = matches!(conversion, b'd' | b'i');
                let own = IntKind { bits: d.bits, signed };
                let own = self.types.intern(trellis_program::types::Type::Int(own));
                let value = self.convert(value, own, span);
                let wide = if signed { IntKind::LONG } else { IntKind::SIZE };
                let wide = self.types.intern(trellis_program::types::Type::Int(wide));
                let value = self.convert(value, wide, span).e;
                let (sign, value) = if signed {
                    let plus = Expr::Int(d.plus.into());
                    let sign = self.model_call("trellis_sign", vec![value.clone(), plus], at);
                    (sign, self.model_call("trellis_magnitude", vec![value], at))
                } else {
                    (Expr::Int(0), value)
                };
                let (base, ten) = match conversion {
                    b'x' => (16, b'a'),
                    b'X' => (16, b'A'),
                    b'o' => (8, b'a'),
                    _ => (10, b'a'),
                };
                let zeros = Expr::Int((d.zeros && !d.left).into());
                let [base, ten] = [base, i64::from(ten)].map(Expr::Int);
                let rest = [value, sign, base, ten, width, left, zeros];
                Ok(self.put("trellis_put_number", place, position, &rest, at))
            }
        }
    }

    /// Calls a function of the model; the position behind what it wrote.
    fn put(
        &mut self,
        name: &str,
        place: &[Expr; 2],
        position: Expr,
        rest: &[Expr],
        at: Span,
    ) -> Expr {
        let mut all = place.to_vec();
        all.push(position);
        all.extend_from_slice(rest);
        self.model_call(name, all, at)
    }

    /// Calls a function of a model, which is there because the program mentions what needs it.
    pub fn model_call(&mut self, name: &str, args: Vec<Expr>, at: Span) -> Expr {
        let Some(Symbol::Function(f)) = self.linked(name) else {
            return self.unsupported(at, "a format without its model").e;
        };
        let proc = self.need_proc(f);
        let ret = self.procs[proc.0 as usize].ret;
        let dst = (ret != self.ty.void).then(|| self.temp(ret, at));
        self.emit(InstrKind::Call { dst, proc, args }, at);
        dst.map_or(Expr::Int(0), Expr::Reg)
    }
}

fn arguments_of(parts: &[Part]) -> usize {
    parts.iter().filter(|p| matches!(p, Part::Argument(_))).count()
}

/// The parts of a format.
fn parts(format: &[u8], long: u8) -> Result<Vec<Part>, &'static str> {
    let mut all = Vec::new();
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        if byte != b'%' {
            text.push(byte);
        } else if let Some(more) = rest.strip_prefix(b"%") {
            text.push(b'%');
            rest = more;
        } else {
            if !text.is_empty() {
                all.push(Part::Text(std::mem::take(&mut text)));
            }
            let (one, more) = directive(rest, long)?;
            all.push(Part::Argument(one));
            rest = more;
        }
    }
    if !text.is_empty() {
        all.push(Part::Text(text));
    }
    Ok(all)
}

/// A conversion, without its `%`, and what follows it.
fn directive(format: &[u8], long: u8) -> Result<(Directive, &[u8]), &'static str> {
    const REASON: &str = "this conversion of a format";
    let mut d = Directive::default();
    let mut rest = format;
    loop {
        match rest.split_first() {
            Some((b'-', more)) => (d.left, rest) = (true, more),
            Some((b'0', more)) => (d.zeros, rest) = (true, more),
            Some((b'+', more)) => (d.plus, rest) = (b'+', more),
            Some((b' ', more)) => (d.plus, rest) = (d.plus.max(b' '), more),
            _ => break,
        }
    }
    (d.width, rest) = number(rest)?;
    if let Some(more) = rest.strip_prefix(b".") {
        let (precision, more) = number(more)?;
        (d.precision, rest) = (Some(precision), more);
    }
    let (length, more) = length(rest, long);
    (d.bits, rest) = (length.unwrap_or(32), more);
    let Some((&conversion, rest)) = rest.split_first() else { return Err(REASON) };
    d.conversion = conversion;
    let plain = d.precision.is_none();
    match conversion {
        b's' if length.is_none() && !d.zeros => Ok((d, rest)),
        b'c' if length.is_none() && plain && !d.zeros => Ok((d, rest)),
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if plain => Ok((d, rest)),
        _ => Err(REASON),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_parts() {
        let of = |f: &str| parts(f.as_bytes(), 64);
        let text = |t: &str| Part::Text(t.as_bytes().to_vec());
        assert_eq!(of("100%% sure"), Ok(vec![text("100% sure")]));
        let plain = Directive { bits: 32, ..Directive::default() };
        let number =
            Directive { zeros: true, width: 5, conversion: b'd', bits: 64, ..plain.clone() };
        let string =
            Directive { left: true, width: 3, precision: Some(2), conversion: b's', ..plain };
        let all = vec![text("a"), Part::Argument(number), Part::Argument(string), text("b")];
        assert_eq!(of("a%05ld%-3.2sb"), Ok(all));
        for wrong in ["%", "%n", "%f", "%*d", "%.3d", "%ls", "%1$d", "%05s", "%99999999999d", "%p"]
        {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
