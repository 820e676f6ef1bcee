//! `scanf` and its kin: what is read is any value that the conversion can have.
//!
//! Input may end, or not fit, before every conversion, and then the rest of the arguments is not
//! written; the result says how many were.
//!
//! **Invariant.** A format that is not known to the letter is unsupported, since it says what is
//! written.

use lang_c::ast::Expression;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{BinOp, BlockId, CmpOp, Expr, InstrKind, Reg, Terminator};
use trellis_program::source::Span;
use trellis_program::types::{IntKind, Scalar, Type};

use super::format::number;
use super::literal::string_bytes;
use super::{Lower, Val, fold};

/// Where input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Standard input.
    Standard,
    /// The stream that the first argument is.
    Stream,
    /// The string that the first argument is.
    Text,
}

/// A conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    what: What,
    /// Whether it has an argument.
    assigns: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// An integer of so many bits.
    Number(u8),
    /// One character.
    Character,
    /// At least one character, at most so many, and a zero.
    Text(Option<u32>),
    /// How much was read so far, which is no input of its own.
    Count,
}

impl<'a> Lower<'a> {
    /// A call of `scanf`, `fscanf` or `sscanf`.
    pub fn scan(&mut self, origin: Origin, arguments: &'a [Node<Expression>], span: CSpan) -> Val {
        let at = self.at(span);
        let format = usize::from(origin != Origin::Standard);
        let conversions = match &arguments[format].node {
            Expression::StringLiteral(s) => match string_bytes(&s.node) {
                Some(bytes) => conversions(&bytes),
                None => Err("a wide string"),
            },
            _ => Err("a format that is not a string literal"),
        };
        let conversions = match conversions {
            Ok(all) => all,
            Err(reason) => return self.unsupported(at, reason),
        };
        if conversions.iter().filter(|c| c.assigns).count() > arguments.len() - format - 1 {
            return self.unsupported(at, "a format with more conversions than arguments");
        }
        let (mut values, mut operands) = (Vec::new(), Vec::new());
        for (i, a) in arguments.iter().enumerate().filter(|(i, _)| *i != format) {
            if i < format && origin == Origin::Stream && self.is_stream(a) {
                continue;
            }
            let mark = self.f.builder.mark();
            let value = self.rvalue(a);
            operands.push((mark, value.e.clone()));
            let value = self.in_register(value, a.span);
            match origin {
                _ if i > format => values.push((value, a.span)),
                Origin::Stream => self.use_stream(value, a.span, at),
                _ => self.read_string(value, false, a.span),
            }
        }
        let operands: Vec<_> = operands.iter().map(|(mark, e)| (*mark, Some(e))).collect();
        self.unsequenced(&operands, at);
        let mut values = values.into_iter();
        let result = self.temp(self.ty.int, at);
        let end = self.f.builder.block();
        let mut done = 0;
        for conversion in conversions {
            if conversion.what != What::Count {
                self.may_stop(result, done, end, at);
            }
            if conversion.assigns
                && let Some((to, place)) = values.next()
                && let Err(reason) = self.read_into(conversion.what, to, place)
            {
                return self.unsupported(at, reason);
            }
            done += i64::from(conversion.assigns && conversion.what != What::Count);
        }
        let value = Expr::Int(done);
        self.emit(InstrKind::Assign { dst: result, value }, at);
        self.f.builder.start(end, at);
        Val { e: Expr::Reg(result), ty: self.ty.int }
    }

    /// Input may end here, after so many conversions.
    fn may_stop(&mut self, result: Reg, done: i64, end: BlockId, at: Span) {
        let [stop, next] = [(); 2].map(|()| self.f.builder.block());
        let stops = self.any_truth(at);
        self.end_branch(stops, stop, next, at);
        self.f.builder.start(stop, at);
        // Before the first one it is the end of the file, too.
        let value = match done {
            0 => {
                let ended = self.any_truth(at);
                fold::binary(BinOp::Sub, IntKind::INT, Expr::Int(0), ended)
            }
            n => Expr::Int(n),
        };
        self.emit(InstrKind::Assign { dst: result, value }, at);
        self.f.builder.end(Terminator::Goto(end), at);
        self.f.builder.open(next);
    }

    /// 0 or 1.
    fn any_truth(&mut self, at: Span) -> Expr {
        let bool = self.types.intern(Type::Int(IntKind::BOOL));
        let any = self.havoc(bool, None, at);
        fold::convert(IntKind::INT, IntKind::BOOL, any.e)
    }

    fn read_into(&mut self, what: What, to: Val, span: CSpan) -> Result<(), &'static str> {
        let at = self.at(span);
        let pointee = self.types.pointee(to.ty).and_then(|t| self.int_kind(t));
        let Some(kind) = pointee else {
            return Err("a place for input that is none of a number or of characters");
        };
        let bits = match what {
            What::Number(bits) => bits,
            What::Count => 32,
            What::Character | What::Text(_) => 8,
        };
        if kind.bits != bits {
            return Err("a place for input of another size than its conversion");
        }
        match what {
            What::Text(most) => self.read_text(most, to, kind, at),
            _ => {
                let ty = self.types.intern(Type::Int(kind));
                let value = self.havoc(ty, None, at).e;
                let scalar = Scalar::Int(kind);
                self.emit(InstrKind::Store { addr: to.e, scalar, value }, at);
            }
        }
        Ok(())
    }

    /// At least one character that is not zero, and a zero.
    fn read_text(&mut self, most: Option<u32>, to: Val, kind: IntKind, at: Span) {
        let place = self.temp(to.ty, at);
        let left = self.temp(self.ty.int, at);
        let scalar = Scalar::Int(kind);
        self.emit(InstrKind::Assign { dst: place, value: to.e }, at);
        let value = Expr::Int(most.map_or(1, i64::from));
        self.emit(InstrKind::Assign { dst: left, value }, at);
        let [head, exit] = [(); 2].map(|()| self.f.builder.block());
        self.f.builder.start(head, at);
        let ty = self.types.intern(Type::Int(kind));
        let any = self.havoc(ty, None, at).e;
        let int = IntKind::INT;
        let any = fold::convert(int, kind, any);
        let is_zero = fold::compare(CmpOp::Eq, Some(int), any.clone(), Expr::Int(0));
        // A zero becomes a one.
        let value = fold::convert(kind, int, fold::binary(BinOp::Or, int, any, is_zero));
        self.emit(InstrKind::Store { addr: Expr::Reg(place), scalar, value }, at);
        let value = fold::offset(Expr::Reg(place), 1);
        self.emit(InstrKind::Assign { dst: place, value }, at);
        if most.is_some() {
            let value = fold::binary(BinOp::Sub, int, Expr::Reg(left), Expr::Int(1));
            self.emit(InstrKind::Assign { dst: left, value }, at);
        }
        let may = self.f.builder.block();
        let room = fold::compare(CmpOp::Gt, Some(int), Expr::Reg(left), Expr::Int(0));
        self.end_branch(room, may, exit, at);
        self.f.builder.open(may);
        let more = self.any_truth(at);
        self.end_branch(more, head, exit, at);
        self.f.builder.open(exit);
        self.emit(InstrKind::Store { addr: Expr::Reg(place), scalar, value: Expr::Int(0) }, at);
    }
}

/// What a format reads, in order.
fn conversions(format: &[u8]) -> Result<Vec<Conversion>, &'static str> {
    const REASON: &str = "this conversion of input";
    let mut all = Vec::new();
    let mut rest = format;
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        if byte != b'%' {
            continue;
        }
        if let Some(more) = rest.strip_prefix(b"%") {
            rest = more;
            continue;
        }
        let assigns = !rest.starts_with(b"*");
        rest = rest.strip_prefix(b"*").unwrap_or(rest);
        let (width, more) = number(rest)?;
        rest = more;
        let lengths: [(&[u8], u8); 7] =
            [(b"hh", 8), (b"h", 16), (b"ll", 64), (b"l", 64), (b"z", 64), (b"j", 64), (b"t", 64)];
        let length = lengths.into_iter().find_map(|(w, bits)| Some((rest.strip_prefix(w)?, bits)));
        rest = length.map_or(rest, |(more, _)| more);
        let Some((&conversion, more)) = rest.split_first() else { return Err(REASON) };
        rest = more;
        let bits = length.map_or(32, |(_, bits)| bits);
        let most = (width > 0).then_some(width);
        let what = match conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => What::Number(bits),
            b'n' if length.is_none() => What::Count,
            b'c' if length.is_none() && width <= 1 => What::Character,
            b's' if length.is_none() => What::Text(most),
            b'[' if length.is_none() => {
                rest = behind_set(rest).ok_or(REASON)?;
                What::Text(most)
            }
            _ => return Err(REASON),
        };
        all.push(Conversion { what, assigns });
    }
    Ok(all)
}

/// What follows a set of characters, `^]…]` or `…]`.
fn behind_set(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"^").unwrap_or(text);
    // The first one is in the set, be it a bracket.
    let (_, text) = text.split_first()?;
    let close = text.iter().position(|b| *b == b']')?;
    Some(&text[close + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_what_is_written() {
        let of = |f: &str| conversions(f.as_bytes());
        let one = |what| Conversion { what, assigns: true };
        let some = [one(What::Number(32)), one(What::Text(Some(9))), one(What::Number(64))];
        assert_eq!(of("%d, %9s%lu"), Ok(some.to_vec()));
        let skipped = Conversion { what: What::Text(None), assigns: false };
        assert_eq!(of("%*s%%%c"), Ok(vec![skipped, one(What::Character)]));
        assert_eq!(of("%[^]x]%n"), Ok(vec![one(What::Text(None)), one(What::Count)]));
        for wrong in ["%", "%f", "%p", "%2c", "%ls", "%[a", "%m"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
