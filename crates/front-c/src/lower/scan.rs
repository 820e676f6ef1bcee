//! `scanf` and its kin: what is read from a stream is any value that the conversion can have.
//!
//! Input may end, or not fit, before every conversion, and then the rest of the arguments is not
//! written; the result says how many were. A word has any length, so one without a width is longer
//! than any place for it. What `sscanf` reads stands in memory: a model reads it.
//!
//! **Invariant.** A format that is not known to the letter is unsupported, since it says what is
//! written.

use lang_c::ast::Expression;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{BinOp, BlockId, CmpOp, Expr, InstrKind, Reg, Terminator};
use trellis_program::source::Span;
use trellis_program::types::{IntKind, Scalar, Type};

use super::conversions::{Conversion, Part, What, parts};
use super::declarator::MAX_BYTES;
use super::literal::string_bytes;
use super::place::Place;
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

/// The functions of the model (`models/scan.c`).
pub const MODELS: [&str; 7] = [
    "trellis_scan_space",
    "trellis_scan_literal",
    "trellis_scan_number",
    "trellis_scan_character",
    "trellis_scan_text",
    "trellis_scan_set",
    "trellis_scan_ended",
];

impl<'a> Lower<'a> {
    /// A call of `scanf`, `fscanf` or `sscanf`.
    pub fn scan(&mut self, origin: Origin, arguments: &'a [Node<Expression>], span: CSpan) -> Val {
        let at = self.at(span);
        let format = usize::from(origin != Origin::Standard);
        let parts = match &arguments[format].node {
            Expression::StringLiteral(s) => match string_bytes(&s.node) {
                Some(bytes) => parts(&bytes, self.types.model().long().bits),
                None => Err("a wide string"),
            },
            _ => Err("a format that is not a string literal"),
        };
        let parts = match parts {
            Ok(all) => all,
            Err(reason) => return self.unsupported(at, reason),
        };
        let assigns = |p: &&Part| matches!(p, Part::Conversion(c) if c.assigns);
        if parts.iter().filter(assigns).count() > arguments.len() - format - 1 {
            return self.unsupported(at, "a format with more conversions than arguments");
        }
        let mut text = None;
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
                _ => text = Some(value),
            }
        }
        let operands: Vec<_> = operands.iter().map(|(mark, e)| (*mark, Some(e))).collect();
        self.unsequenced(&operands, at);
        let mut values = values.into_iter();
        let result = self.temp(self.ty.int, at);
        let end = self.f.builder.block();
        let mut done = 0;
        let mut text = text.map(|t| Reading::new(self, t, at));
        for part in &parts {
            let (to, counts) = match part {
                Part::Conversion(c) if c.assigns => (values.next(), c.what != What::Count),
                _ => (None, false),
            };
            let read = match (&mut text, part) {
                (Some(text), part) => self.read_part(text, part, to, result, done, end, at),
                (None, Part::Conversion(c)) => {
                    if c.what != What::Count {
                        self.may_stop(result, done, end, at);
                    }
                    to.map_or(Ok(()), |(to, place)| self.read_into(c, to, place))
                }
                (None, _) => Ok(()),
            };
            if let Err(reason) = read {
                return self.unsupported(at, reason);
            }
            done += i64::from(counts);
        }
        let value = Expr::Int(done);
        self.emit(InstrKind::Assign { dst: result, value }, at);
        self.f.builder.start(end, at);
        Val { e: Expr::Reg(result), ty: self.ty.int }
    }

    /// Reads a part of the format from a text; where it does not fit, all ends.
    #[allow(clippy::too_many_arguments)]
    fn read_part(
        &mut self,
        text: &Reading,
        part: &Part,
        to: Option<(Val, CSpan)>,
        result: Reg,
        done: i64,
        end: BlockId,
        at: Span,
    ) -> Result<(), &'static str> {
        let place = Expr::Reg(text.place);
        let (name, mut args, skips) = match part {
            Part::Blank => ("trellis_scan_space", vec![place], true),
            Part::Literal(c) => {
                ("trellis_scan_literal", vec![place, Expr::Int((*c as i8).into())], false)
            }
            Part::Conversion(c) => {
                let width = Expr::Int(c.width.map_or(-1, i64::from));
                match &c.what {
                    What::Number(_, base) => {
                        let args = vec![place, Expr::Int(*base), width];
                        ("trellis_scan_number", args, true)
                    }
                    What::Character => ("trellis_scan_character", vec![place], false),
                    What::Word => ("trellis_scan_text", vec![place, width], true),
                    What::Set(set, without) => {
                        let set = match self.bytes_place(set.clone(), None).place {
                            Place::Mem(address) => address,
                            _ => Expr::Null,
                        };
                        let without = Expr::Int((*without).into());
                        ("trellis_scan_set", vec![place, set, without, width], false)
                    }
                    What::Count => {
                        let Some((to, _)) = to else { return Ok(()) };
                        if self.place_kind(&to, 32).is_none() {
                            return Err(OTHER_SIZE);
                        }
                        let start = Box::new(text.start.clone());
                        let value = Expr::Diff(Box::new(place), start, 1);
                        let value = Expr::Convert(IntKind::INT, Box::new(value));
                        let scalar = Scalar::Int(IntKind::INT);
                        self.emit(InstrKind::Store { addr: to.e, scalar, value }, at);
                        return Ok(());
                    }
                }
            }
        };
        let mut number = None;
        if let Part::Conversion(c) = part {
            let bits = match c.what {
                What::Number(bits, _) => bits,
                _ => 8,
            };
            let kind = match &to {
                Some((to, _)) => Some(self.place_kind(to, bits).ok_or(OTHER_SIZE)?),
                None => None,
            };
            args.push(match (&c.what, &to) {
                (What::Number(..), _) => {
                    let wide = self.types.intern(Type::Int(IntKind::SIZE));
                    let object = self.temp_object(wide, at);
                    number = Some((object, kind));
                    Expr::Addr(object)
                }
                (_, Some((to, _))) => to.e.clone(),
                (_, None) => Expr::Null,
            });
        }
        let behind = self.model_call(name, args, at);
        let [fits, fails] = [(); 2].map(|()| self.f.builder.block());
        let there = Expr::Cmp(CmpOp::Ne, None, Box::new(behind.clone()), Box::new(Expr::Null));
        self.end_branch(there, fits, fails, at);
        self.f.builder.start(fails, at);
        let value = match done {
            0 => {
                let skips = Expr::Int(skips.into());
                let args = vec![Expr::Reg(text.place), skips];
                let ended = self.model_call("trellis_scan_ended", args, at);
                fold::binary(BinOp::Sub, IntKind::INT, Expr::Int(0), ended)
            }
            n => Expr::Int(n),
        };
        self.emit(InstrKind::Assign { dst: result, value }, at);
        self.f.builder.end(Terminator::Goto(end), at);
        self.f.builder.open(fits);
        self.emit(InstrKind::Assign { dst: text.place, value: behind }, at);
        if let (Some((object, Some(kind))), Some((to, _))) = (number, to) {
            let wide = self.types.intern(Type::Int(IntKind::SIZE));
            let wide = self.temp(wide, at);
            let scalar = Scalar::Int(IntKind::SIZE);
            self.emit(InstrKind::Load { dst: wide, addr: Expr::Addr(object), scalar }, at);
            let value = fold::convert(kind, IntKind::SIZE, Expr::Reg(wide));
            let scalar = Scalar::Int(kind);
            self.emit(InstrKind::Store { addr: to.e, scalar, value }, at);
        }
        Ok(())
    }

    /// The kind of the integers that a place has, if they have so many bits.
    fn place_kind(&self, to: &Val, bits: u8) -> Option<IntKind> {
        let kind = self.types.pointee(to.ty).and_then(|t| self.int_kind(t));
        kind.filter(|k| k.bits == bits)
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

    /// Puts any value that a conversion can have into a place.
    fn read_into(&mut self, c: &Conversion, to: Val, span: CSpan) -> Result<(), &'static str> {
        let at = self.at(span);
        let bits = match c.what {
            What::Number(bits, _) => bits,
            What::Count => 32,
            What::Character | What::Word | What::Set(..) => 8,
        };
        let kind = self.place_kind(&to, bits).ok_or(OTHER_SIZE)?;
        if matches!(c.what, What::Word | What::Set(..)) {
            self.read_word(c.width, to, kind, at);
            return Ok(());
        }
        let ty = self.types.intern(Type::Int(kind));
        let value = self.havoc(ty, None, at).e;
        let scalar = Scalar::Int(kind);
        self.emit(InstrKind::Store { addr: to.e, scalar, value }, at);
        Ok(())
    }

    /// At least one character that is not zero, and a zero.
    fn read_word(&mut self, most: Option<u32>, to: Val, kind: IntKind, at: Span) {
        let scalar = Scalar::Int(kind);
        if most.is_none() {
            // Input can always be longer than the place.
            let [beyond, within] = [(); 2].map(|()| self.f.builder.block());
            let too_long = self.any_truth(at);
            self.end_branch(too_long, beyond, within, at);
            self.f.builder.start(beyond, at);
            let addr = fold::offset(to.e.clone(), MAX_BYTES as i64);
            self.emit(InstrKind::Store { addr, scalar, value: Expr::Int(1) }, at);
            self.f.builder.end(Terminator::Abort, at);
            self.f.builder.open(within);
        }
        let place = self.temp(to.ty, at);
        let left = self.temp(self.ty.int, at);
        self.emit(InstrKind::Assign { dst: place, value: to.e }, at);
        let value = Expr::Int(most.map_or(1, i64::from));
        self.emit(InstrKind::Assign { dst: left, value }, at);
        let [head, exit, may] = [(); 3].map(|()| self.f.builder.block());
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
        let room = fold::compare(CmpOp::Gt, Some(int), Expr::Reg(left), Expr::Int(0));
        self.end_branch(room, may, exit, at);
        self.f.builder.open(may);
        let more = self.any_truth(at);
        self.end_branch(more, head, exit, at);
        self.f.builder.open(exit);
        self.emit(InstrKind::Store { addr: Expr::Reg(place), scalar, value: Expr::Int(0) }, at);
    }
}

const OTHER_SIZE: &str = "a place for input of another size than its conversion";

/// A text that is being read.
struct Reading {
    start: Expr,
    /// Holds the place of what comes next.
    place: Reg,
}

impl Reading {
    fn new(lower: &mut Lower<'_>, text: Val, at: Span) -> Reading {
        let pointer = lower.pointer_to(lower.ty.char);
        let [start, place] = [(); 2].map(|()| lower.temp(pointer, at));
        lower.emit(InstrKind::Assign { dst: start, value: text.e }, at);
        lower.emit(InstrKind::Assign { dst: place, value: Expr::Reg(start) }, at);
        Reading { start: Expr::Reg(start), place }
    }
}
