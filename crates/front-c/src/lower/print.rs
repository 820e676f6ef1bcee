//! Output functions: `printf` and its kin.
//!
//! They read strings up to their end and, by `%n`, write; what else they do, nobody sees. Invariant:
//! a format that is not known to the letter is unsupported, since it may ask for any of that.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::CheckKind;
use trellis_program::ir::{Cond, Expr, InstrKind, Terminator};
use trellis_program::source::Span;
use trellis_program::types::{IntKind, Scalar};

use super::literal::string_bytes;
use super::{Lower, Val, fold};

/// The models that functions with a list of arguments need.
pub const MODELS: [&str; 1] = ["trellis_format"];

/// What an output function does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Print {
    /// The argument that is a stream, which must be there.
    pub stream: Option<usize>,
    /// What it reads.
    pub reads: Reads,
}

impl Print {
    /// On standard output.
    pub const fn new(reads: Reads) -> Print {
        Print { stream: None, reads }
    }

    /// On the stream that the argument of this number is.
    pub const fn to(stream: usize, reads: Reads) -> Print {
        Print { stream: Some(stream), reads }
    }
}

/// What an output function reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// The argument of this number is a format for those behind it.
    Format(usize),
    /// The first argument is a string.
    Text,
    /// The same, or null.
    TextOrNull,
    /// It reads no memory.
    Value,
}

/// What a conversion of a format does with its argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    /// Looks at the value alone: numbers, addresses, widths given by `*`.
    Value,
    /// Reads a string.
    Text,
}

impl<'a> Lower<'a> {
    /// Evaluates the arguments of an output function and reads the strings among them.
    pub fn print(&mut self, print: Print, arguments: &'a [Node<Expression>], at: Span) {
        let mut operands = Vec::new();
        let mut values = Vec::new();
        for a in arguments {
            if self.is_stream(a) || is_constant(a) {
                values.push(None);
                continue;
            }
            let mark = self.f.builder.mark();
            let value = self.rvalue(a);
            operands.push((mark, value.e.clone()));
            values.push(Some(value));
        }
        let operands: Vec<_> = operands.iter().map(|(mark, e)| (*mark, Some(e))).collect();
        self.unsequenced(&operands, at);
        if let Some(i) = print.stream
            && let Some(stream) = values[i].clone()
        {
            self.use_stream(stream, arguments[i].span, at);
        }
        let texts = match self.texts(print.reads, arguments) {
            Ok(texts) => texts,
            Err(reason) => {
                self.unsupported(at, reason);
                return;
            }
        };
        for i in texts {
            match (&values[i], &arguments[i].node) {
                (Some(value), _) => {
                    self.read_string(
                        value.clone(),
                        print.reads == Reads::TextOrNull,
                        arguments[i].span,
                    );
                }
                (None, Expression::StringLiteral(_)) => {}
                (None, _) => drop(self.unsupported(at, "a string that is not one")),
            }
        }
    }

    /// `vprintf` and `vfprintf`: the format is read when they are called.
    pub fn print_list(
        &mut self,
        stream: Option<usize>,
        arguments: &'a [Node<Expression>],
        at: Span,
    ) {
        let (mut marks, mut values) = (Vec::new(), Vec::new());
        for (i, a) in arguments.iter().enumerate() {
            if stream == Some(i) && self.is_stream(a) {
                continue;
            }
            marks.push(self.f.builder.mark());
            values.push(self.rvalue(a));
        }
        let operands: Vec<_> = marks.into_iter().zip(values.iter().map(|v| Some(&v.e))).collect();
        self.unsequenced(&operands, at);
        if let Some(i) = stream.filter(|_| values.len() == 3) {
            self.use_stream(values[i].clone(), arguments[i].span, at);
        }
        let [.., format, list] = values.as_slice() else { return };
        let args = vec![Expr::Null, Expr::Int(0), format.e.clone(), list.e.clone()];
        self.model_call(MODELS[0], args, at);
    }

    /// `vsprintf` and `vsnprintf`: how many characters there are.
    pub fn format_list(
        &mut self,
        arguments: &'a [Node<Expression>],
        format: usize,
        at: Span,
    ) -> Val {
        let (mut marks, mut args) = (Vec::new(), Vec::new());
        for (i, a) in arguments.iter().enumerate() {
            marks.push(self.f.builder.mark());
            args.push(match i {
                1 if format == 2 => self.size_argument(a),
                _ => self.rvalue(a).e,
            });
        }
        let operands: Vec<_> = marks.into_iter().zip(args.iter().map(Some)).collect();
        self.unsequenced(&operands, at);
        if format == 1 {
            args.insert(1, Expr::Int(i64::from(i32::MAX)));
        }
        let count = self.model_call(MODELS[0], args, at);
        let e = fold::convert(IntKind::INT, IntKind::SIZE, count);
        Val { e, ty: self.ty.int }
    }

    /// A stream must be there and open. Its first bytes are a number, in the libraries of Linux and
    /// in the models; a stream that was closed is memory that was freed.
    pub fn use_stream(&mut self, stream: Val, span: CSpan, at: Span) {
        if !self.is_pointer(stream.ty) {
            self.unsupported(at, "a stream that is not one");
            return;
        }
        let stream = self.in_register(stream, span);
        let addr = stream.e.clone();
        let there = self.truth(stream, span);
        self.emit(InstrKind::Assert { kind: CheckKind::NullDeref, cond: Cond::Expr(there) }, at);
        let dst = self.temp(self.ty.int, at);
        self.emit(InstrKind::Load { dst, addr, scalar: Scalar::Int(IntKind::INT) }, at);
    }

    /// `stdout` and the like have no value here, and none is needed.
    pub fn is_stream(&self, a: &Node<Expression>) -> bool {
        matches!(&a.node, Expression::Identifier(id)
            if self.scopes.lookup(&id.node.name).is_none()
                && self.scopes.header_variables.contains_key(&id.node.name))
    }

    /// The numbers of the arguments that are read as strings.
    fn texts(
        &self,
        reads: Reads,
        arguments: &[Node<Expression>],
    ) -> Result<Vec<usize>, &'static str> {
        let at = match reads {
            Reads::Format(at) => at,
            Reads::Text | Reads::TextOrNull => return Ok(vec![0]),
            Reads::Value => return Ok(Vec::new()),
        };
        let Expression::StringLiteral(parts) = &arguments[at].node else {
            return Err("a format that is not a string literal");
        };
        let format = string_bytes(&parts.node).ok_or("a wide string")?;
        let conversions = conversions(&format)?;
        if arguments.len() <= at + conversions.len() {
            return Err("a format with more conversions than arguments");
        }
        let texts = conversions.iter().zip(at + 1..).filter(|(c, _)| **c == Conversion::Text);
        Ok(texts.map(|(_, i)| i).collect())
    }

    /// Reads the bytes of a string up to the zero at its end.
    pub fn read_string(&mut self, text: Val, may_be_null: bool, span: CSpan) {
        let at = self.at(span);
        if !self.is_pointer(text.ty) {
            self.unsupported(at, "a string that is not one");
            return;
        }
        let pointer = self.types.intern(trellis_program::types::Type::Ptr(self.ty.char));
        let place = self.temp(pointer, at);
        let byte = self.temp(self.ty.char, at);
        self.emit(InstrKind::Assign { dst: place, value: text.e }, at);
        let [head, more, exit] = [(); 3].map(|()| self.f.builder.block());
        if may_be_null {
            let there = self.truth(Val { e: Expr::Reg(place), ty: pointer }, span);
            self.end_branch(there, head, exit, at);
        }
        self.f.builder.start(head, at);
        let scalar = Scalar::Int(IntKind::CHAR);
        self.emit(InstrKind::Load { dst: byte, addr: Expr::Reg(place), scalar }, at);
        let goes_on = self.truth(Val { e: Expr::Reg(byte), ty: self.ty.char }, span);
        self.end_branch(goes_on, more, exit, at);
        self.f.builder.start(more, at);
        let value = fold::offset(Expr::Reg(place), 1);
        self.emit(InstrKind::Assign { dst: place, value }, at);
        self.f.builder.end(Terminator::Goto(head), at);
        self.f.builder.start(exit, at);
    }
}

/// Constants are not evaluated: strings that nobody else has, floating point.
fn is_constant(a: &Node<Expression>) -> bool {
    match &a.node {
        Expression::StringLiteral(_) => true,
        Expression::Constant(c) => matches!(c.node, ast::Constant::Float(_)),
        _ => false,
    }
}

/// What a format does with the arguments behind it, in order.
fn conversions(format: &[u8]) -> Result<Vec<Conversion>, &'static str> {
    let mut found = Vec::new();
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let (mut precise, mut long) = (false, false);
        loop {
            match bytes.next() {
                Some(b'%') => break,
                Some(b'*') => found.push(Conversion::Value),
                Some(b'.') => precise = true,
                Some(b'l') => long = true,
                Some(b'-' | b'+' | b' ' | b'#' | b'\'' | b'0'..=b'9') => {}
                Some(b'h' | b'q' | b'L' | b'j' | b'z' | b't') => {}
                Some(
                    b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'C' | b'p' | b'e' | b'E'
                    | b'f' | b'F' | b'g' | b'G' | b'a' | b'A',
                ) => {
                    found.push(Conversion::Value);
                    break;
                }
                // With a precision, the string need not end.
                Some(b's') if precise || long => return Err("this conversion of a string"),
                Some(b's') => {
                    found.push(Conversion::Text);
                    break;
                }
                Some(b'm') => break,
                Some(b'n') => return Err("the conversion `%n`"),
                _ => return Err("this format"),
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_to_the_letter() {
        use Conversion::{Text, Value};
        let of = |f: &str| conversions(f.as_bytes());
        assert_eq!(of("%%n 100%%"), Ok(vec![]));
        assert_eq!(of("%d %-5s|%*.2f %lu"), Ok(vec![Value, Text, Value, Value, Value]));
        for wrong in ["%n", "%hhn", "%5ln", "%.3s", "%ls", "%", "%1$d", "%y"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
