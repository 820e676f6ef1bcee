//! What an expression evaluates to in a graph: `concrete::eval` of the machine, with symbols.
//!
//! Where the answer depends on something that the graph leaves open, evaluation does not guess: it
//! says what it has to know ([`Need`]), [`crate::split`] makes the cases, and the instruction is
//! executed again in each of them.

use std::cmp::Ordering;

use trellis_program::concrete::State;
use trellis_program::concrete::eval as machine;
use trellis_program::{BinOp, CheckKind, CmpOp, Expr, IntKind, Reg, UnOp};

use crate::graph::{Graph, Node, Summary};
use crate::linear::Form;
use crate::value::{End, NodeId, Place, Range, Symbol, Value};

/// What has to be known before an instruction can be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// The element at an end of a summary.
    Element(NodeId, End),
    /// Whether a summary has elements.
    Elements(NodeId),
    /// On which side of a number a symbol is: below it, or not.
    Below(Symbol, i64),
    /// Whether a symbol is a number.
    Equal(Symbol, i64),
    /// The order of two symbols.
    Order(Symbol, Symbol),
    /// The number that a symbol is.
    Number(Symbol),
    /// One of the numbers in a range, for a value that has no name.
    Pick(Range),
}

/// Why an instruction was not executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Cases have to be told apart first.
    Need(Need),
    /// A check may fail.
    Fails(CheckKind),
    /// Outside of what graphs can follow.
    Outside(String),
    /// No execution goes on here.
    Ends,
}

impl Stop {
    pub(crate) fn outside(reason: &str) -> Stop {
        Stop::Outside(reason.to_owned())
    }
}

/// Largest number of cases that one integer is split into.
const MOST_NUMBERS: u128 = 64;

/// Evaluates expressions of one instruction.
pub struct Eval<'g> {
    /// Where; sums of symbols get a name there.
    pub graph: &'g mut Graph,
    /// Whether signed overflow is an error.
    pub overflow: bool,
    /// The numbers that were picked for values without a name, in the order of evaluation.
    pub picks: &'g [i64],
    /// How many of them were used.
    pub used: usize,
}

const POINTER_ARITHMETIC: &str = "arithmetic on the integer value of a pointer";
const MIXED: &str = "bytes of a value that was written through another type";
const NO_ARRAY: &str = "the length of something that is no array";
const UNUSED: &str = "a value that was thought to be unused";

impl Eval<'_> {
    /// The slot of a register.
    fn slot(&self, reg: Reg) -> Value {
        match reg {
            Reg::Local(v) => self.graph.locals[v.0 as usize],
            Reg::Global(g) => self.graph.globals[g.0 as usize],
        }
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// If it has none, or cases have to be told apart.
    pub fn eval(&mut self, expr: &Expr) -> Result<Value, Stop> {
        Ok(match expr {
            Expr::Int(i) => Value::Int(*i),
            Expr::Null => Value::Null,
            Expr::Reg(r) | Expr::Addr(r) => readable(self.slot(*r))?,
            Expr::Unary(op, kind, a) => {
                let a = self.eval(a)?;
                self.unary(*op, *kind, a)?
            }
            Expr::Binary(op, kind, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.binary(*op, *kind, a, b)?
            }
            Expr::Cmp(op, kind, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.compare(*op, *kind, a, b)?
            }
            Expr::Not(a) => {
                let a = self.eval(a)?;
                match self.truth(a)? {
                    Truth::Known(t) => Value::Int(i64::from(!t)),
                    Truth::Either => Value::Range(Range::between(0, 1)),
                    Truth::Undefined => Value::Undef,
                }
            }
            Expr::Convert(kind, a) => {
                let a = self.eval(a)?;
                self.convert(*kind, a)?
            }
            Expr::ToPtr(a) => match self.eval(a)? {
                Value::Int(0) => Value::Null,
                Value::Sym(s) if self.graph.ranges[s as usize].contains(0) => {
                    return Err(Stop::Need(Need::Equal(s, 0)));
                }
                // No object: it can be copied and compared, and an access through it fails.
                Value::Int(i) => Value::Int(i),
                Value::Sym(_) | Value::Range(_) => {
                    return Err(Stop::outside("an integer used as a pointer"));
                }
                v => v,
            },
            Expr::Offset(a, by) => {
                let a = self.eval(a)?;
                self.shift(a, *by)?
            }
            Expr::Index { base, index, size } => {
                let index = self.eval(index)?;
                let base = self.eval(base)?;
                match (index, base) {
                    (Value::Undef, _) => Value::Undef,
                    (index @ (Value::Int(_) | Value::Sym(_)), Value::Ptr(p))
                        if self.graph.node(p.node).is_measured() =>
                    {
                        self.graph.moved_by(p, index, *size)?
                    }
                    (index, _) => {
                        let i = self.number(index)?;
                        let by = i.checked_mul(i64::from(*size));
                        let by =
                            by.ok_or_else(|| Stop::outside("a pointer far outside its object"))?;
                        self.shift(base, by)?
                    }
                }
            }
            Expr::Diff(a, b, size) => match (self.eval(a)?, self.eval(b)?) {
                (Value::Undef, _) | (_, Value::Undef) => Value::Undef,
                (Value::Null, Value::Null) => Value::Int(0),
                (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node && p.at != q.at => match *size {
                    0 | 1 => self.graph.distance(p, q)?,
                    _ => return Err(Stop::outside("the difference of unrelated pointers")),
                },
                (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node && p.end == q.end => {
                    Value::Int((i64::from(p.off) - i64::from(q.off)) / i64::from((*size).max(1)))
                }
                _ => return Err(Stop::outside("the difference of unrelated pointers")),
            },
            Expr::Extent(a, size) => match self.eval(a)? {
                Value::Ptr(p) if p.off == 0 && p.at.is_none() => match self.graph.node(p.node) {
                    Node::Buffer(b) if *size <= 1 && !b.passed => b.size,
                    Node::Object(o) => Value::Int(i64::from(o.size / (*size).max(1))),
                    Node::Summary(s) if s.may_be_empty() => {
                        return Err(Stop::Need(Need::Elements(p.node)));
                    }
                    node => match node.summary().and_then(Summary::element) {
                        Some(o) => Value::Int(i64::from(o.size / (*size).max(1))),
                        None => return Err(Stop::outside(NO_ARRAY)),
                    },
                },
                Value::Null => return Err(Stop::Fails(CheckKind::NullDeref)),
                Value::Undef => Value::Undef,
                _ => return Err(Stop::outside(NO_ARRAY)),
            },
        })
    }

    /// The number that a value is, if it can be only one of a few.
    fn number(&mut self, value: Value) -> Result<i64, Stop> {
        let too_many = || Stop::outside("an index or a size that is not known");
        match value {
            Value::Int(i) => Ok(i),
            Value::Sym(s) if self.graph.ranges[s as usize].count() <= MOST_NUMBERS => {
                Err(Stop::Need(Need::Number(s)))
            }
            Value::Range(r) if r.count() <= MOST_NUMBERS => match self.picks.get(self.used) {
                Some(pick) => {
                    self.used += 1;
                    Ok(*pick)
                }
                None => Err(Stop::Need(Need::Pick(r))),
            },
            Value::Sym(_) | Value::Range(_) => Err(too_many()),
            _ => Err(Stop::outside(POINTER_ARITHMETIC)),
        }
    }

    /// A size in bytes.
    ///
    /// # Errors
    /// If it is not known, or too large.
    pub fn size(&mut self, expr: &Expr) -> Result<u32, Stop> {
        /// As for the machine.
        const MOST_BYTES: i64 = 1 << 24;
        match self.eval(expr)? {
            Value::Undef => Err(Stop::Fails(CheckKind::Uninit)),
            value => match self.number(value)? {
                n if (0..=MOST_BYTES).contains(&n) => Ok(n as u32),
                _ => Err(Stop::outside("a very large size")),
            },
        }
    }

    fn shift(&self, base: Value, by: i64) -> Result<Value, Stop> {
        match base {
            Value::Ptr(p) => {
                self.graph.may_move(p, by)?;
                let off = i64::from(p.off).checked_add(by).and_then(|o| i32::try_from(o).ok());
                let far = || Stop::outside("a pointer far outside its object");
                let off = off.ok_or_else(far)?;
                // Where there may be no element, what takes its place moves instead.
                if let Node::Summary(s) = self.graph.node(p.node)
                    && s.may_be_empty()
                    && by != 0
                {
                    return Err(Stop::Need(Need::Elements(p.node)));
                }
                Ok(Value::Ptr(Place { off, ..p }))
            }
            Value::Null if by == 0 => Ok(Value::Null),
            Value::Null => Err(Stop::Fails(CheckKind::NullDeref)),
            Value::Undef => Ok(Value::Undef),
            Value::Freed => Ok(Value::Freed),
            Value::Int(i) => match i.checked_add(by) {
                Some(0) => Ok(Value::Null),
                Some(i) => Ok(Value::Int(i)),
                None => Err(Stop::outside("a pointer far outside its object")),
            },
            _ => Err(Stop::outside("an integer used as a pointer")),
        }
    }

    fn unary(&mut self, op: UnOp, kind: IntKind, a: Value) -> Result<Value, Stop> {
        if op == UnOp::Neg
            && let Some(form) = self.graph.form(a).filter(|_| self.relates(&[a]))
        {
            return self.sum(kind, &form.times(-1));
        }
        match a {
            Value::Int(i) => {
                constant(&Expr::Unary(op, kind, Box::new(Expr::Int(i))), self.overflow)
            }
            Value::Undef if kind.signed && op == UnOp::Neg && self.overflow => {
                Err(Stop::Fails(CheckKind::Overflow))
            }
            Value::Undef => Ok(Value::Undef),
            Value::Sym(_) | Value::Range(_) => {
                let (lo, hi) = self.math(kind, a);
                let (lo, hi) = match op {
                    UnOp::Neg => (-hi, -lo),
                    UnOp::BitNot => (!hi, !lo),
                };
                self.fit(kind, lo, hi, op == UnOp::Neg)
            }
            _ => Err(Stop::outside(POINTER_ARITHMETIC)),
        }
    }

    /// Whether equations are kept, and one of some integers is not known.
    fn relates(&self, values: &[Value]) -> bool {
        self.graph.relations.is_some() && values.iter().any(|v| matches!(v, Value::Sym(_)))
    }

    /// A sum, brought into the range of a type.
    fn sum(&mut self, kind: IntKind, form: &Form) -> Result<Value, Stop> {
        let all = full(kind);
        let bounds = self.graph.bounds(form);
        // Of 64 bits all are kept, and registers hold them as a signed number.
        let fits = |(lo, hi): (i128, i128)| i128::from(all.lo) <= lo && hi <= i128::from(all.hi);
        let range =
            bounds.filter(|b| fits(*b)).map(|(lo, hi)| Range::between(lo as i64, hi as i64));
        match range {
            Some(range) if range.lo > range.hi => Err(Stop::Ends),
            Some(range) => Ok(self.graph.define(form, range)),
            None if kind.signed && self.overflow => Err(Stop::Fails(CheckKind::Overflow)),
            None if kind.bits == 64 => Ok(self.graph.define(form, all)),
            None => Ok(self.graph.define_wrapped(form, kind)),
        }
    }

    /// A value between two numbers, brought into the range of a type.
    fn fit(&self, kind: IntKind, lo: i128, hi: i128, may_overflow: bool) -> Result<Value, Stop> {
        let fits = |i: i128| kind.value(kind.wrap(i)) == i;
        if fits(lo) && fits(hi) {
            let range = full_or(kind, Range::between(kind.wrap(lo), kind.wrap(hi)));
            return Ok(range.single().map_or(Value::Range(range), Value::Int));
        }
        match may_overflow && self.overflow && kind.signed {
            true => Err(Stop::Fails(CheckKind::Overflow)),
            false => Ok(Value::Range(full(kind))),
        }
    }

    /// Between which mathematical numbers a value of a type lies.
    fn math(&self, kind: IntKind, value: Value) -> (i128, i128) {
        let r = self.graph.range(value).unwrap_or(full(kind));
        match r.lo < 0 && r.hi >= 0 && kind.bits == 64 && !kind.signed {
            true => (0, i128::from(u64::MAX)),
            false => (kind.value(r.lo), kind.value(r.hi)),
        }
    }

    fn binary(&mut self, op: BinOp, kind: IntKind, a: Value, b: Value) -> Result<Value, Stop> {
        use BinOp::*;
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => {
                let expr = Expr::Binary(op, kind, Box::new(Expr::Int(a)), Box::new(Expr::Int(b)));
                return constant(&expr, self.overflow);
            }
            (Value::Undef, _) | (_, Value::Undef) => return self.undefined(op, kind, b),
            (v @ Value::Ptr(_), Value::Int(by)) if op == Add => return self.shift(v, by),
            (Value::Int(by), v @ Value::Ptr(_)) if op == Add => return self.shift(v, by),
            (v @ Value::Ptr(_), Value::Int(by)) if op == Sub => {
                return self.shift(v, by.wrapping_neg());
            }
            (Value::Ptr(p), Value::Ptr(q)) if op == Sub && p.node == q.node && p.at != q.at => {
                return self.graph.distance(p, q);
            }
            (Value::Ptr(p), Value::Ptr(q)) if op == Sub && p.node == q.node && p.end == q.end => {
                return Ok(Value::Int(i64::from(p.off) - i64::from(q.off)));
            }
            _ if self.graph.range(a).is_none() || self.graph.range(b).is_none() => {
                return Err(Stop::outside(POINTER_ARITHMETIC));
            }
            // Nothing changes.
            (v, Value::Int(0)) | (Value::Int(0), v) if matches!(op, Or | Xor) => return Ok(v),
            _ => {}
        }
        if self.relates(&[a, b])
            && let (Some(x), Some(y)) = (self.graph.form(a), self.graph.form(b))
        {
            match (op, x.as_number(), y.as_number()) {
                (Add, ..) => return self.sum(kind, &x.plus(1, &y)),
                (Sub, ..) => return self.sum(kind, &x.minus(&y)),
                (Mul, Some(n), _) => return self.sum(kind, &y.times(n)),
                (Mul, _, Some(n)) => return self.sum(kind, &x.times(n)),
                (Div | Rem, _, Some(n)) if n > 0 => {
                    if let Some((quotient, rest)) = self.divided(&x, a, n) {
                        return Ok(if op == Div { quotient } else { rest });
                    }
                }
                _ => {}
            }
        }
        let ((al, ah), (bl, bh)) = (self.math(kind, a), self.math(kind, b));
        match op {
            Add => self.fit(kind, al + bl, ah + bh, true),
            Sub => self.fit(kind, al - bh, ah - bl, true),
            Mul => {
                let corners = [(al, bl), (al, bh), (ah, bl), (ah, bh)];
                let products: Option<Vec<i128>> =
                    corners.iter().map(|(a, b)| a.checked_mul(*b)).collect();
                match products {
                    Some(p) => {
                        let (lo, hi) = (p.iter().min(), p.iter().max());
                        self.fit(kind, *lo.unwrap_or(&0), *hi.unwrap_or(&0), true)
                    }
                    None => self.fit(kind, i128::MIN, i128::MAX, true),
                }
            }
            Div | Rem
                if bl <= 0 && bh >= 0 && self.graph.range(b).is_some_and(|r| r.contains(0)) =>
            {
                Err(Stop::Fails(CheckKind::DivByZero))
            }
            Div | Rem
                if kind.signed && bl <= -1 && bh >= -1 && al == -(1i128 << (kind.bits - 1)) =>
            {
                Err(Stop::Fails(CheckKind::DivByZero))
            }
            Div if bl == bh && bl > 0 => self.fit(kind, al / bl, ah / bl, false),
            Div => Ok(Value::Range(full(kind))),
            Rem => {
                let most = bl.abs().max(bh.abs()) - 1;
                let lo = if al >= 0 { 0 } else { -(most.min(-al)) };
                let hi = if ah <= 0 { 0 } else { most.min(ah) };
                self.fit(kind, lo, hi, false)
            }
            And if al >= 0 && bl >= 0 => self.fit(kind, 0, ah.min(bh), false),
            And | Or | Xor => Ok(Value::Range(full(kind))),
            Shl | Shr if bl < 0 || bh >= i128::from(kind.bits) => match self.overflow {
                true => Err(Stop::Fails(CheckKind::Overflow)),
                false => Err(Stop::outside("a shift by a negative or too large amount")),
            },
            Shl if kind.signed && self.overflow => Err(Stop::Fails(CheckKind::Overflow)),
            Shr if bl == bh => self.fit(kind, al >> bl, ah >> bl, false),
            Shl | Shr => Ok(Value::Range(full(kind))),
        }
    }

    /// The quotient and the remainder by a positive number, of what is not negative.
    fn divided(&mut self, form: &Form, value: Value, by: i64) -> Option<(Value, Value)> {
        let range = self.graph.range(value).filter(|r| r.lo >= 0)?;
        self.graph.divided(form, by, (range.lo, range.hi))
    }

    /// An operation one operand of which was never written: it fails if it does for some value.
    fn undefined(&self, op: BinOp, kind: IntKind, b: Value) -> Result<Value, Stop> {
        use BinOp::*;
        let known = match b {
            Value::Int(b) => Some(kind.value(b)),
            _ => None,
        };
        match op {
            Div | Rem if !known.is_some_and(|b| b != 0 && (b != -1 || !kind.signed)) => {
                Err(Stop::Fails(CheckKind::DivByZero))
            }
            Shl | Shr if !known.is_some_and(|b| (0..i128::from(kind.bits)).contains(&b)) => {
                Err(Stop::Fails(CheckKind::Overflow))
            }
            Add | Sub | Mul | Shl if kind.signed && self.overflow => {
                Err(Stop::Fails(CheckKind::Overflow))
            }
            _ => Ok(Value::Undef),
        }
    }

    fn convert(&mut self, kind: IntKind, a: Value) -> Result<Value, Stop> {
        Ok(match a {
            Value::Int(i) => Value::Int(kind.wrap(i.into())),
            Value::Null => Value::Int(0),
            Value::Sym(_) | Value::Range(_) => {
                let r = self.graph.range(a).unwrap_or(full(kind));
                if kind.bits == 1 {
                    return Ok(match self.truth(a)? {
                        Truth::Known(t) => Value::Int(t.into()),
                        _ => Value::Range(Range::between(0, 1)),
                    });
                }
                let same = |i: i64| kind.wrap(i.into()) == i;
                match same(r.lo) && same(r.hi) {
                    true => a,
                    false => match self.graph.form(a).filter(|_| self.relates(&[a])) {
                        Some(form) => self.graph.define_wrapped(&form, kind),
                        None => Value::Range(full(kind)),
                    },
                }
            }
            Value::Ptr(p)
                if self.graph.node(p.node).summary().is_some_and(Summary::may_be_empty) =>
            {
                return Err(Stop::Need(Need::Elements(p.node)));
            }
            Value::Ptr(_) | Value::Freed if kind.bits == 1 => Value::Int(1),
            Value::Ptr(_) | Value::Freed if kind.bits == 64 => a,
            Value::Ptr(_) | Value::Freed => {
                return Err(Stop::outside("a pointer cut to a small integer"));
            }
            v => v,
        })
    }

    /// Whether a value is true in a condition.
    ///
    /// # Errors
    /// If cases have to be told apart.
    pub fn truth(&self, value: Value) -> Result<Truth, Stop> {
        Ok(match value {
            Value::Int(i) => Truth::Known(i != 0),
            Value::Null => Truth::Known(false),
            Value::Freed => Truth::Known(true),
            Value::Ptr(p) => match self.graph.node(p.node) {
                Node::Summary(s) if s.may_be_empty() => {
                    return Err(Stop::Need(Need::Elements(p.node)));
                }
                _ => Truth::Known(true),
            },
            Value::Undef => Truth::Undefined,
            Value::Sym(s) if !self.graph.ranges[s as usize].contains(0) => Truth::Known(true),
            Value::Sym(s) => return Err(Stop::Need(Need::Equal(s, 0))),
            Value::Range(r) if !r.contains(0) => Truth::Known(true),
            Value::Range(_) => Truth::Either,
            Value::Any => return Err(Stop::outside(UNUSED)),
            Value::Mixed | Value::Formal(..) => return Err(Stop::outside(MIXED)),
        })
    }

    pub(crate) fn compare(
        &mut self,
        op: CmpOp,
        kind: Option<IntKind>,
        a: Value,
        b: Value,
    ) -> Result<Value, Stop> {
        let holds = |order: Ordering| Ok(Value::Int(op.holds(order).into()));
        let differ = || {
            let unordered = || Stop::outside("the order of unrelated pointers");
            let answer = op.apply_equality(false).ok_or_else(unordered)?;
            Ok(Value::Int(answer.into()))
        };
        let kind = kind.unwrap_or(IntKind::LONG);
        for v in [a, b] {
            if let Value::Ptr(p) = v
                && let Node::Summary(s) = self.graph.node(p.node)
                && s.may_be_empty()
            {
                return Err(Stop::Need(Need::Elements(p.node)));
            }
        }
        match (a, b) {
            (Value::Undef, _) | (_, Value::Undef) => Ok(Value::Undef),
            (Value::Int(a), Value::Int(b)) => holds(kind.value(a).cmp(&kind.value(b))),
            (Value::Null, Value::Null | Value::Int(0)) | (Value::Int(0), Value::Null) => {
                holds(Ordering::Equal)
            }
            (Value::Null | Value::Int(0), Value::Ptr(_) | Value::Freed)
            | (Value::Ptr(_) | Value::Freed, Value::Null | Value::Int(0)) => differ(),
            (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node && p.at != q.at => {
                let (p, q) = (self.graph.position(p)?, self.graph.position(q)?);
                self.compare(op, Some(IntKind::LONG), p, q)
            }
            (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node && p.end == q.end => {
                holds(p.off.cmp(&q.off))
            }
            // The first element may be the last one.
            (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node => {
                Err(Stop::Need(Need::Element(p.node, End::First)))
            }
            (Value::Ptr(p), Value::Ptr(q)) => match self.may_coincide(p, q) {
                true => {
                    Err(Stop::outside("a comparison that depends on where objects lie in memory"))
                }
                false => differ(),
            },
            (Value::Ptr(_) | Value::Freed, Value::Int(i))
            | (Value::Int(i), Value::Ptr(_) | Value::Freed) => match machine::may_be_address(i) {
                true => Err(Stop::outside("a comparison of a pointer with a number")),
                false => differ(),
            },
            (Value::Null, Value::Int(_)) | (Value::Int(_), Value::Null) => differ(),
            (Value::Freed, Value::Ptr(_) | Value::Freed) | (Value::Ptr(_), Value::Freed) => {
                Err(Stop::outside("a comparison of a pointer to freed memory"))
            }
            _ if self.graph.range(a).is_some() && self.graph.range(b).is_some() => {
                self.compare_numbers(op, kind, a, b)
            }
            (Value::Null, Value::Sym(s)) | (Value::Sym(s), Value::Null) => {
                match self.graph.ranges[s as usize].contains(0) {
                    true => Err(Stop::Need(Need::Equal(s, 0))),
                    false => differ(),
                }
            }
            _ => Err(Stop::outside("a comparison of a pointer with a number")),
        }
    }

    /// Whether pointers to different objects may be equal, as for the machine; freed memory was
    /// asked about before.
    fn may_coincide(&self, p: Place, q: Place) -> bool {
        // Its size is not known; but its start is inside.
        let start = |p: Place| p.off == 0 && p.at.is_none();
        let object = |p: Place| match self.graph.node(p.node) {
            Node::Object(o) => Some((o.size, o.literal)),
            Node::Buffer(b) if start(p) => Some((u32::MAX, b.literal)),
            Node::Summary(s) => s.element().map(|o| (o.size, o.literal)),
            // Behind it there may be anything.
            Node::Arguments(_) if start(p) => Some((u32::MAX, false)),
            Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => None,
        };
        // They may be the same.
        let passed = |p: Place| self.graph.node(p.node).buffer().is_some_and(|b| b.passed);
        if passed(p) && passed(q) {
            return true;
        }
        let (Some(a), Some(b)) = (object(p), object(q)) else { return true };
        let outside = |at: Place, size: u32, other: Place| {
            let (off, size) = (i64::from(at.off), i64::from(size));
            off < 0 || off > size || (off == size && size > 0 && other.off == 0)
        };
        outside(p, a.0, q) || outside(q, b.0, p) || (a.1 || b.1)
    }

    fn compare_numbers(&self, op: CmpOp, kind: IntKind, a: Value, b: Value) -> Result<Value, Stop> {
        let holds = |order: Ordering| Ok(Value::Int(op.holds(order).into()));
        if a == b && matches!(a, Value::Sym(_)) {
            return holds(Ordering::Equal);
        }
        let (Some(ra), Some(rb)) = (self.graph.range(a), self.graph.range(b)) else {
            return Err(Stop::outside(POINTER_ARITHMETIC));
        };
        // Unsigned 64-bit numbers are kept with the bits of signed ones: tell the halves apart.
        if kind.bits == 64 && !kind.signed && !op.is_equality() {
            for (v, r) in [(a, ra), (b, rb)] {
                if r.lo < 0 && r.hi >= 0 {
                    return match v {
                        Value::Sym(s) => Err(Stop::Need(Need::Below(s, 0))),
                        _ => Ok(Value::Range(Range::between(0, 1))),
                    };
                }
            }
        }
        // Whether two are equal does not depend on how their bits are read.
        let value = |i: i64| if op.is_equality() { i128::from(i) } else { kind.value(i) };
        let ((al, ah), (bl, bh)) = ((value(ra.lo), value(ra.hi)), (value(rb.lo), value(rb.hi)));
        if ah < bl {
            return holds(Ordering::Less);
        }
        if al > bh {
            return holds(Ordering::Greater);
        }
        let one = |r: Range| r.single();
        if op.is_equality() {
            let disjoint = match (one(ra), one(rb)) {
                (_, Some(b)) => !ra.contains(b),
                (Some(a), _) => !rb.contains(a),
                _ => false,
            };
            if disjoint {
                return holds(Ordering::Less);
            }
        } else {
            // Ends that touch decide, too.
            match op {
                CmpOp::Le | CmpOp::Gt if ah <= bl => {
                    return Ok(Value::Int((op == CmpOp::Le).into()));
                }
                CmpOp::Ge | CmpOp::Lt if al >= bh => {
                    return Ok(Value::Int((op == CmpOp::Ge).into()));
                }
                _ => {}
            }
        }
        // As registers hold them the order is the same from here on: both halves were told apart.
        if self.relates(&[a, b])
            && let (Some(x), Some(y)) = (self.graph.form(a), self.graph.form(b))
            && let Some((lo, hi)) = self.graph.bounds_closely(&x.minus(&y))
        {
            let order = |sign: i128| if sign < 0 { Ordering::Less } else { Ordering::Greater };
            match (lo, hi) {
                (lo, hi) if lo > hi => return Err(Stop::Ends),
                (0, 0) => return holds(Ordering::Equal),
                (lo, hi) if hi < 0 || lo > 0 => return holds(order(lo)),
                (_, 0) if matches!(op, CmpOp::Le | CmpOp::Gt) => {
                    return Ok(Value::Int((op == CmpOp::Le).into()));
                }
                (0, _) if matches!(op, CmpOp::Ge | CmpOp::Lt) => {
                    return Ok(Value::Int((op == CmpOp::Ge).into()));
                }
                _ => {}
            }
        }
        match (a, b, one(ra), one(rb)) {
            (Value::Sym(s), _, _, Some(c)) => Err(Stop::Need(cut(op, s, c, false))),
            (_, Value::Sym(s), Some(c), _) => Err(Stop::Need(cut(op, s, c, true))),
            (Value::Sym(s), Value::Sym(t), ..) => {
                if self.graph.less.contains(&(s, t)) {
                    holds(Ordering::Less)
                } else if self.graph.less.contains(&(t, s)) {
                    holds(Ordering::Greater)
                } else {
                    Err(Stop::Need(Need::Order(s, t)))
                }
            }
            _ => Ok(Value::Range(Range::between(0, 1))),
        }
    }
}

/// What tells a comparison of a symbol with a number; `turned` if the number stands on the left.
fn cut(op: CmpOp, s: Symbol, c: i64, turned: bool) -> Need {
    match (op, turned) {
        (CmpOp::Eq | CmpOp::Ne, _) => Need::Equal(s, c),
        // s < c, s >= c; c > s, c <= s.
        (CmpOp::Lt | CmpOp::Ge, false) | (CmpOp::Gt | CmpOp::Le, true) => Need::Below(s, c),
        // s <= c, s > c; c >= s, c < s. The end of all numbers was decided by ranges.
        (CmpOp::Le | CmpOp::Gt, false) | (CmpOp::Ge | CmpOp::Lt, true) => {
            Need::Below(s, c.saturating_add(1))
        }
    }
}

/// Whether a condition holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It does, or not.
    Known(bool),
    /// Both may be.
    Either,
    /// It depends on a value that was never written.
    Undefined,
}

fn readable(value: Value) -> Result<Value, Stop> {
    match value {
        Value::Any => Err(Stop::outside(UNUSED)),
        Value::Mixed | Value::Formal(..) => Err(Stop::outside(MIXED)),
        v => Ok(v),
    }
}

/// All numbers of a type, as registers hold them.
pub fn full(kind: IntKind) -> Range {
    match (kind.bits, kind.signed) {
        (1, _) => Range::between(0, 1),
        (64, _) => Range::between(i64::MIN, i64::MAX),
        (bits, true) => Range::between(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => Range::between(0, (1 << bits) - 1),
    }
}

/// A range whose ends are in order as registers hold them, else everything.
fn full_or(kind: IntKind, range: Range) -> Range {
    if range.lo <= range.hi { range } else { full(kind) }
}

/// The machine evaluates what has no variables.
fn constant(expr: &Expr, overflow: bool) -> Result<Value, Stop> {
    use trellis_program::concrete::Value as Concrete;
    match machine::eval(&State::default(), expr, overflow) {
        Ok(Concrete::Int(i)) => Ok(Value::Int(i)),
        Ok(_) => Err(Stop::outside(POINTER_ARITHMETIC)),
        Err(machine::EvalError::Check(kind)) => Err(Stop::Fails(kind)),
        Err(machine::EvalError::Unsupported(reason)) => Err(Stop::outside(reason)),
    }
}
