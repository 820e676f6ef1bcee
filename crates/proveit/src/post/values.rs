//! Integer expressions over classes of integers.
//!
//! An expression is evaluated for one class of every integer variable in it, so that what it says
//! about several variables at once is not lost. The result is a class, or an interval.
//!
//! **Invariant:** whatever the machine computes from values of these classes is in the result, and
//! every check that it can fail is among the faults.

use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Pattern, Target};
use trellis_patterns::program::{IntExpr, Source};
use trellis_patterns::values::{Class, Orders, Values, limits};
use trellis_program::{BinOp, CheckKind, CmpOp, IntKind, UnOp};

/// What an expression may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Never written, or computed from that.
    Undefined,
    /// Some value of a class.
    Class(Class, IntKind),
    /// Some integer from the first to the second.
    Range(i128, i128),
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A check fails.
    Check(CheckKind),
    /// The machine does not know.
    Outside(&'static str),
}

/// Evaluates expressions in a pattern whose integer variables, as far as they matter, have one
/// class each.
pub struct Evaluator<'a> {
    program: &'a PatternProgram,
    pattern: &'a Pattern,
    /// What may go wrong.
    pub faults: Vec<Fault>,
}

/// Integer variables of an expression have too many combinations of classes to look at each.
const MOST_COMBINATIONS: usize = 256;

/// The patterns in which every integer variable of an expression has one class, or is undefined.
pub fn split(pattern: &Pattern, expr: &IntExpr) -> Vec<Pattern> {
    let mut out = vec![pattern.clone()];
    for s in scalars(expr) {
        let mut parts: Vec<Values> = singles(pattern.scalars[s]);
        if parts.len() * out.len() > MOST_COMBINATIONS {
            // Whether it is defined is never left open.
            let defined = Values(pattern.scalars[s].0 & !Values::UNDEFINED.0);
            parts.retain(|v| *v == Values::UNDEFINED);
            parts.push(defined);
        }
        let with = |p: &Pattern| {
            let p = p.clone();
            parts
                .iter()
                .map(move |v| {
                    let mut p = p.clone();
                    p.scalars[s] = *v;
                    p
                })
                .collect::<Vec<_>>()
        };
        out = out.iter().flat_map(with).collect();
    }
    out
}

/// Each class of a set alone, and undefined.
pub fn singles(values: Values) -> Vec<Values> {
    let undefined = values.may_be_undefined().then_some(Values::UNDEFINED);
    undefined.into_iter().chain(values.classes().map(Values::class)).collect()
}

/// The integer variables of an expression, each once.
pub fn scalars(expr: &IntExpr) -> Vec<usize> {
    let mut out = Vec::new();
    collect(expr, &mut out);
    out.sort_unstable();
    out.dedup();
    out
}

fn collect(expr: &IntExpr, out: &mut Vec<usize>) {
    match expr {
        IntExpr::Scalar(s) => out.push(*s),
        IntExpr::Const(_) | IntExpr::Truth(_) | IntExpr::Same(..) => {}
        IntExpr::Not(a) | IntExpr::Unary(_, _, a) | IntExpr::Convert(_, a) => collect(a, out),
        IntExpr::Cmp(_, _, a, b) | IntExpr::Binary(_, _, a, b) => {
            collect(a, out);
            collect(b, out);
        }
    }
}

impl<'a> Evaluator<'a> {
    /// For a pattern.
    pub fn new(program: &'a PatternProgram, pattern: &'a Pattern) -> Evaluator<'a> {
        Evaluator { program, pattern, faults: Vec::new() }
    }

    /// The value of an expression that stands where a type is expected; `None` if it has none for
    /// sure.
    pub fn eval(&mut self, expr: &IntExpr, kind: IntKind) -> Option<Value> {
        Some(match expr {
            IntExpr::Const(c) => exact(kind.value(*c)),
            IntExpr::Scalar(s) => self.scalar(*s),
            IntExpr::Truth(p) => match self.target(*p) {
                Target::Null => exact(0),
                Target::Node(_) | Target::Freed => exact(1),
                Target::Undefined | Target::Dead => Value::Undefined,
            },
            IntExpr::Same(a, b) => self.same(*a, *b)?,
            IntExpr::Not(a) => match self.truth(a)? {
                None => Value::Undefined,
                Some([may, may_not]) => truth_value([may_not, may]),
            },
            IntExpr::Cmp(op, kind, a, b) => self.compare(*op, *kind, a, b)?,
            IntExpr::Unary(op, kind, a) => self.unary(*op, *kind, a)?,
            IntExpr::Binary(op, kind, a, b) => self.binary(*op, *kind, a, b)?,
            IntExpr::Convert(kind, a) => {
                let value = self.eval(a, *kind)?;
                self.convert(*kind, value)
            }
        })
    }

    /// Whether a condition may hold and whether it may not; undefined is `None`.
    #[allow(clippy::option_option)]
    pub fn truth(&mut self, expr: &IntExpr) -> Option<Option<Truth>> {
        let value = self.eval(expr, IntKind::LONG)?;
        Some(match value {
            Value::Undefined => None,
            Value::Range(0, 0) => Some([false, true]),
            Value::Range(low, high) if low > 0 || high < 0 => Some([true, false]),
            Value::Range(..) => Some([true, true]),
            Value::Class(c, _) => match self.program.words.partition.class(0) {
                // Zero is always a constant of its own.
                zero if zero == c => Some([false, true]),
                _ => Some([true, false]),
            },
        })
    }

    /// The classes of a value.
    pub fn classes(&self, value: Value) -> Values {
        match value {
            Value::Undefined => Values::UNDEFINED,
            Value::Class(c, _) => Values::class(c),
            Value::Range(low, high) => self.program.words.partition.between(low, high),
        }
    }

    fn target(&self, source: Source) -> Target {
        match source {
            Source::Null => Target::Null,
            Source::Var(v) => self.pattern.vars[v],
        }
    }

    fn scalar(&self, s: usize) -> Value {
        let (values, kind) = (self.pattern.scalars[s], self.program.words.scalars[s].kind);
        let partition = &self.program.words.partition;
        match values.only() {
            Some(c) => match partition.constant(c) {
                Some(k) => exact(k),
                None => Value::Class(c, kind),
            },
            None if values == Values::UNDEFINED => Value::Undefined,
            // Not split: anything of its type.
            None => {
                let (low, high) = limits(kind);
                Value::Range(low, high)
            }
        }
    }

    fn same(&mut self, a: Source, b: Source) -> Option<Value> {
        Some(match (self.target(a), self.target(b)) {
            (Target::Undefined | Target::Dead, _) | (_, Target::Undefined | Target::Dead) => {
                Value::Undefined
            }
            (Target::Null, Target::Null) => exact(1),
            (Target::Node(x), Target::Node(y)) => exact((x == y).into()),
            (Target::Null, _) | (_, Target::Null) => exact(0),
            (Target::Freed, _) | (_, Target::Freed) if a == b => exact(1),
            _ => {
                self.faults.push(Fault::Outside("a comparison with a pointer to freed memory"));
                return None;
            }
        })
    }

    fn compare(&mut self, op: CmpOp, kind: IntKind, a: &IntExpr, b: &IntExpr) -> Option<Value> {
        let (x, y) = (self.eval(a, kind)?, self.eval(b, kind)?);
        if x == Value::Undefined || y == Value::Undefined {
            return Some(Value::Undefined);
        }
        let mut orders = self.orders(x, y);
        if let (Some(s), Some(t)) = (self.variable(a), self.variable(b)) {
            orders = orders.and(self.known_orders(s, t));
        }
        let holding = Orders::holding(op);
        let may = orders.and(holding) != Orders::NONE;
        let may_not = !holding.includes(orders);
        // Without any order there is no such state.
        (may || may_not).then(|| truth_value([may, may_not]))
    }

    /// The integer variable that an expression is, conversions that change no value included.
    pub fn variable(&self, expr: &IntExpr) -> Option<usize> {
        match expr {
            IntExpr::Scalar(s) => Some(*s),
            IntExpr::Convert(kind, inner) => self.variable(inner).filter(|s| {
                let (to, from) = (limits(*kind), limits(self.program.words.scalars[*s].kind));
                kind.bits > 1 && to.0 <= from.0 && from.1 <= to.1
            }),
            _ => None,
        }
    }

    /// What the pattern says of the order of two integer variables.
    fn known_orders(&self, a: usize, b: usize) -> Orders {
        known_orders(self.program, self.pattern, a, b)
    }

    fn orders(&self, a: Value, b: Value) -> Orders {
        let partition = &self.program.words.partition;
        if let (Value::Class(x, k), Value::Class(y, l)) = (a, b) {
            return partition.orders((x, k), (y, l));
        }
        let ((low, high), (least, most)) = (self.range(a), self.range(b));
        let mut out = Orders::NONE;
        if low < most {
            out = out.or(Orders::LESS);
        }
        if high > least {
            out = out.or(Orders::GREATER);
        }
        let common = self.classes(a).and(self.classes(b));
        if low <= most && least <= high && !common.is_none() {
            out = out.or(Orders::EQUAL);
        }
        out
    }

    fn range(&self, value: Value) -> (i128, i128) {
        match value {
            Value::Range(low, high) => (low, high),
            Value::Class(c, kind) => {
                self.program.words.partition.range(c, kind).unwrap_or(limits(kind))
            }
            Value::Undefined => limits(IntKind::LONG),
        }
    }

    fn unary(&mut self, op: UnOp, kind: IntKind, a: &IntExpr) -> Option<Value> {
        let value = self.eval(a, kind)?;
        if value == Value::Undefined {
            if op == UnOp::Neg && kind.signed {
                self.overflow()?;
            }
            return Some(Value::Undefined);
        }
        let (low, high) = self.range(value);
        match op {
            UnOp::Neg => self.fit(kind, -high, -low, true),
            UnOp::BitNot => self.fit(kind, !high, !low, false),
        }
    }

    fn binary(&mut self, op: BinOp, kind: IntKind, a: &IntExpr, b: &IntExpr) -> Option<Value> {
        let (x, y) = (self.eval(a, kind)?, self.eval(b, kind)?);
        let undefined = x == Value::Undefined || y == Value::Undefined;
        let ((al, ah), (bl, bh)) = (self.range(x), self.range(y));
        match op {
            BinOp::Div | BinOp::Rem => {
                let bad = y == Value::Undefined
                    || bl <= 0 && 0 <= bh
                    || kind.signed && bl <= -1 && -1 <= bh;
                if bad {
                    self.faults.push(Fault::Check(CheckKind::DivByZero));
                }
                if (bl, bh) == (0, 0) && y != Value::Undefined {
                    return None;
                }
            }
            BinOp::Shl | BinOp::Shr => {
                let fine = y != Value::Undefined && 0 <= bl && bh < i128::from(kind.bits);
                if !fine {
                    self.faults.push(match self.program.checks_overflow {
                        true => Fault::Check(CheckKind::Overflow),
                        false => Fault::Outside("a shift by a negative or too large amount"),
                    });
                }
                if op == BinOp::Shl && kind.signed && (al < 0 || x == Value::Undefined) {
                    self.overflow()?;
                }
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul if undefined && kind.signed => self.overflow()?,
            _ => {}
        }
        if undefined {
            return Some(Value::Undefined);
        }
        let known = al == ah && bl == bh;
        let corners = |f: fn(i128, i128) -> i128| {
            let all = [f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)];
            (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        };
        let (low, high) = match op {
            BinOp::Add => corners(|a, b| a + b),
            BinOp::Sub => corners(|a, b| a - b),
            BinOp::Mul => corners(i128::saturating_mul),
            BinOp::Div if known && bl != 0 => (al / bl, al / bl),
            BinOp::Rem if known && bl != 0 => (al % bl, al % bl),
            BinOp::And if known => (al & bl, al & bl),
            BinOp::Or if known => (al | bl, al | bl),
            BinOp::Xor if known => (al ^ bl, al ^ bl),
            BinOp::Shl if known && (0..64).contains(&bl) => (al << bl, al << bl),
            BinOp::Shr if known && (0..64).contains(&bl) => (al >> bl, al >> bl),
            // Small non-negative operands stay small.
            BinOp::And if al >= 0 && bl >= 0 => (0, ah.min(bh)),
            BinOp::Shl => {
                self.overflow()?;
                return Some(anything(kind));
            }
            _ => return Some(anything(kind)),
        };
        self.fit(kind, low, high, matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl))
    }

    /// A result in its type: signed overflow is a fault where that is checked, else it wraps.
    fn fit(&mut self, kind: IntKind, low: i128, high: i128, checked: bool) -> Option<Value> {
        let (least, most) = limits(kind);
        if least <= low && high <= most {
            return Some(Value::Range(low, high));
        }
        if kind.signed && checked && self.program.checks_overflow {
            self.faults.push(Fault::Check(CheckKind::Overflow));
            let (low, high) = (low.max(least), high.min(most));
            return (low <= high).then_some(Value::Range(low, high));
        }
        if low == high {
            return Some(exact(kind.value(kind.wrap(low))));
        }
        Some(anything(kind))
    }

    fn overflow(&mut self) -> Option<()> {
        if self.program.checks_overflow {
            self.faults.push(Fault::Check(CheckKind::Overflow));
        }
        Some(())
    }

    fn convert(&mut self, kind: IntKind, value: Value) -> Value {
        if value == Value::Undefined {
            return value;
        }
        let (least, most) = limits(kind);
        let (low, high) = self.range(value);
        if kind.bits == 1 {
            let zero = self.program.words.partition.class(0);
            let classes = self.classes(value);
            let may_be_zero = low <= 0 && 0 <= high && classes.includes(Values::class(zero));
            let may_be_other = (low, high) != (0, 0);
            return truth_value([may_be_other, may_be_zero]);
        }
        if least <= low && high <= most {
            return value;
        }
        if low == high { exact(kind.value(kind.wrap(low))) } else { anything(kind) }
    }
}

/// Whether something may hold, and whether it may not.
pub type Truth = [bool; 2];

fn truth_value([may, may_not]: Truth) -> Value {
    Value::Range(i128::from(!may_not), i128::from(may))
}

fn exact(v: i128) -> Value {
    Value::Range(v, v)
}

fn anything(kind: IntKind) -> Value {
    let (low, high) = limits(kind);
    Value::Range(low, high)
}

/// What a pattern says of the order of two integer variables, the first against the second.
pub fn known_orders(program: &PatternProgram, pattern: &Pattern, a: usize, b: usize) -> Orders {
    if a == b {
        return Orders::EQUAL;
    }
    let pair = (a.min(b), a.max(b));
    let Some(i) = program.words.pairs.iter().position(|p| *p == pair) else { return Orders::ANY };
    if a < b { pattern.orders[i] } else { pattern.orders[i].turned() }
}
