//! Integers that are not known: a symbol with the classes that it may be in, and what is known of
//! the order of two symbols.
//!
//! The machine sees `Value::Open`; which symbol stands in a register or a memory cell is kept
//! beside it. Where the code decides on a symbol, every way is taken that its classes and orders
//! leave, and what was decided is remembered.

use std::collections::BTreeMap;

use trellis_program::concrete::{Chooser, State, Value};
use trellis_program::{BinOp, CheckKind, CmpOp, Expr, IntKind, Reg, UnOp};

use crate::values::{Orders, Partition, Values, limits};

/// An integer that is not known.
pub(super) type Symbol = usize;

/// What is known of a symbol.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub values: Values,
    pub kind: IntKind,
}

/// A value, or a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operand {
    Value(Value),
    Symbol(Symbol),
}

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// A check may fail.
    Check(CheckKind),
    /// Outside.
    Outside(String),
}

/// All symbols of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    known: Vec<Known>,
    orders: BTreeMap<(Symbol, Symbol), Orders>,
    /// By register: locals and entry values as in the state, then globals.
    pub registers: BTreeMap<Place, Symbol>,
    /// By memory cell.
    pub cells: BTreeMap<usize, Symbol>,
}

/// A register of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    Local(usize),
    Global(usize),
}

impl Place {
    pub(super) fn of(reg: Reg) -> Place {
        match reg {
            Reg::Local(v) => Place::Local(v.0 as usize),
            Reg::Global(g) => Place::Global(g.0 as usize),
        }
    }
}

impl Symbols {
    pub(super) fn fresh(&mut self, values: Values, kind: IntKind) -> Symbol {
        self.known.push(Known { values, kind });
        self.known.len() - 1
    }

    /// The classes of a symbol, and of all that are equal to it.
    pub(super) fn values(&self, symbol: Symbol) -> Values {
        let equal = |s: &Symbol| self.noted(symbol, *s) == Orders::EQUAL;
        let equal = (0..self.known.len()).filter(equal);
        equal.fold(self.known[symbol].values, |v, s| v.and(self.known[s].values))
    }

    /// What is known of the order of two symbols besides their classes.
    pub(super) fn noted(&self, a: Symbol, b: Symbol) -> Orders {
        if a == b {
            return Orders::EQUAL;
        }
        match self.orders.get(&(a.min(b), a.max(b))) {
            None => Orders::ANY,
            Some(o) if a < b => *o,
            Some(o) => o.turned(),
        }
    }

    /// Two symbols are ordered like this.
    pub(super) fn note(&mut self, a: Symbol, b: Symbol, orders: Orders) {
        if a != b {
            let both = self.noted(a, b).and(orders);
            let both = if a < b { both } else { both.turned() };
            self.orders.insert((a.min(b), a.max(b)), both);
        }
    }

    /// Forgets which symbol a register holds.
    pub(super) fn forget(&mut self, reg: Reg) {
        self.registers.remove(&Place::of(reg));
    }
}

/// The evaluation of expressions with symbols.
pub(super) struct Evaluation<'a> {
    pub symbols: &'a mut Symbols,
    pub state: &'a mut State,
    pub partition: &'a Partition,
    pub overflow: bool,
    pub chooser: &'a mut dyn Chooser,
}

impl Evaluation<'_> {
    /// Whether an expression reads a symbol.
    pub(super) fn is_open(&self, e: &Expr) -> bool {
        let mut open = false;
        e.visit_regs(&mut |r| open |= self.state.slot(r) == Value::Open);
        open
    }

    pub(super) fn eval(&mut self, e: &Expr) -> Result<Operand, Trouble> {
        use trellis_program::concrete::eval::{EvalError, eval};
        if !self.is_open(e) {
            return match eval(self.state, e, self.overflow) {
                Ok(v) => Ok(Operand::Value(v)),
                Err(EvalError::Check(kind)) => Err(Trouble::Check(kind)),
                Err(EvalError::Unsupported(reason)) => Err(Trouble::Outside(reason.to_owned())),
            };
        }
        match e {
            Expr::Reg(r) => self.register(*r),
            Expr::Convert(kind, a) => {
                let a = self.eval(a)?;
                self.convert(*kind, a)
            }
            Expr::Not(a) => {
                let a = self.eval(a)?;
                Ok(match self.truth(a) {
                    Some(t) => Operand::Value(Value::Int(i64::from(!t))),
                    None => Operand::Value(Value::Undef),
                })
            }
            Expr::Cmp(op, Some(kind), a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                Ok(self.compare(*op, *kind, a, b))
            }
            Expr::Unary(op, kind, a) => {
                let a = self.eval(a)?;
                self.unary(*op, *kind, a)
            }
            Expr::Binary(op, kind, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.binary(*op, *kind, a, b)
            }
            _ => Err(Trouble::Outside("an unknown integer used as a pointer".to_owned())),
        }
    }

    fn register(&mut self, reg: Reg) -> Result<Operand, Trouble> {
        let Some(symbol) = self.symbols.registers.get(&Place::of(reg)).copied() else {
            return Err(Trouble::Outside("a value that is not known".to_owned()));
        };
        match self.define(symbol) {
            true => Ok(Operand::Symbol(symbol)),
            false => Ok(Operand::Value(Value::Undef)),
        }
    }

    /// Whether a symbol is defined: where both is possible, one is chosen.
    pub(super) fn define(&mut self, symbol: Symbol) -> bool {
        let known = &mut self.symbols.known[symbol];
        if !known.values.may_be_undefined() {
            return true;
        }
        let defined = Values(known.values.0 & !1);
        if !defined.is_none() && self.chooser.choose(2) == 0 {
            known.values = defined;
            return true;
        }
        known.values = Values::UNDEFINED;
        // Whoever holds it holds an undefined value.
        for (place, s) in &self.symbols.registers {
            if *s == symbol {
                match place {
                    Place::Local(i) => self.state.regs[*i] = Value::Undef,
                    Place::Global(i) => self.state.globals[*i] = Value::Undef,
                }
            }
        }
        for (cell, s) in &self.symbols.cells {
            if *s == symbol {
                self.state.memory.cells[*cell] = Value::Undef;
            }
        }
        self.symbols.registers.retain(|_, s| *s != symbol);
        self.symbols.cells.retain(|_, s| *s != symbol);
        false
    }

    /// Whether an operand is not zero; `None` if it is undefined.
    pub(super) fn truth(&mut self, operand: Operand) -> Option<bool> {
        match operand {
            Operand::Value(v) => trellis_program::concrete::eval::truth(v),
            Operand::Symbol(s) => {
                let kind = self.symbols.known[s].kind;
                let zero = Operand::Value(Value::Int(0));
                match self.compare(CmpOp::Ne, kind, operand, zero) {
                    Operand::Value(Value::Int(t)) => Some(t != 0),
                    _ => None,
                }
            }
        }
    }

    fn compare(&mut self, op: CmpOp, kind: IntKind, a: Operand, b: Operand) -> Operand {
        let undefined = Operand::Value(Value::Undef);
        let (Some(x), Some(y)) = (self.as_known(kind, a), self.as_known(kind, b)) else {
            return undefined;
        };
        let wide = |k: &Known| {
            let ((l, h), (low, high)) = (limits(k.kind), limits(kind));
            low <= l && h <= high
        };
        let holding = Orders::holding(op);
        // A value that changes in the type of the comparison says nothing.
        if !wide(&x) || !wide(&y) {
            let holds = self.chooser.choose(2) == 1;
            return Operand::Value(Value::Int(i64::from(holds)));
        }
        let mut orders = Orders::NONE;
        for c in x.values.classes() {
            for d in y.values.classes() {
                orders = orders.or(self.partition.orders((c, x.kind), (d, y.kind)));
            }
        }
        if let (Operand::Symbol(s), Operand::Symbol(t)) = (a, b) {
            orders = orders.and(self.symbols.noted(s, t));
        }
        let (yes, no) = (orders.and(holding), Orders(orders.0 & !holding.0));
        let holds = match (yes == Orders::NONE, no == Orders::NONE) {
            (false, true) => true,
            (true, _) => false,
            (false, false) => self.chooser.choose(2) == 1,
        };
        let left = if holds { yes } else { no };
        self.remember(a, &y, left);
        self.remember(b, &x, left.turned());
        if let (Operand::Symbol(s), Operand::Symbol(t)) = (a, b) {
            self.symbols.note(s, t, left);
        }
        Operand::Value(Value::Int(i64::from(holds)))
    }

    /// What is known of an operand in a comparison; `None` if it is undefined.
    fn as_known(&self, kind: IntKind, operand: Operand) -> Option<Known> {
        match operand {
            Operand::Symbol(s) => {
                let kind = self.symbols.known[s].kind;
                Some(Known { values: self.symbols.values(s), kind })
            }
            Operand::Value(Value::Int(i)) => {
                let class = self.partition.of(kind, i);
                Some(Known { values: Values::class(class), kind })
            }
            Operand::Value(Value::Null) => {
                Some(Known { values: Values::class(self.partition.class(0)), kind })
            }
            Operand::Value(_) => None,
        }
    }

    /// A symbol keeps the classes that an order against something leaves.
    fn remember(&mut self, operand: Operand, other: &Known, left: Orders) {
        let Operand::Symbol(s) = operand else { return };
        let known = &mut self.symbols.known[s];
        let fits = |c: &usize| {
            other.values.classes().any(|d| {
                let orders = self.partition.orders((*c, known.kind), (d, other.kind));
                orders.and(left) != Orders::NONE
            })
        };
        let kept = known.values.classes().filter(fits);
        let kept = kept.fold(Values::NONE, |v, c| v.or(Values::class(c)));
        if !kept.is_none() {
            known.values = kept;
        }
    }

    fn convert(&mut self, kind: IntKind, a: Operand) -> Result<Operand, Trouble> {
        let symbol = match a {
            Operand::Symbol(s) => s,
            Operand::Value(Value::Int(i)) => {
                return Ok(Operand::Value(Value::Int(kind.wrap(i.into()))));
            }
            value => return Ok(value),
        };
        if kind.bits == 1 {
            let truth = self.truth(a);
            return Ok(Operand::Value(truth.map_or(Value::Undef, |t| Value::Int(i64::from(t)))));
        }
        let (low, high) = limits(kind);
        let known = &self.symbols.known[symbol];
        let inside = known.values.classes().all(|c| {
            let range = self.partition.range(c, known.kind);
            range.is_none_or(|(l, h)| low <= l && h <= high)
        });
        match inside {
            true => Ok(a),
            false => Ok(self.any(kind)),
        }
    }

    fn any(&mut self, kind: IntKind) -> Operand {
        Operand::Symbol(self.symbols.fresh(self.partition.all(kind), kind))
    }

    fn unary(&mut self, op: UnOp, kind: IntKind, a: Operand) -> Result<Operand, Trouble> {
        match op {
            UnOp::Neg => {
                let zero = Operand::Value(Value::Int(0));
                self.binary(BinOp::Sub, kind, zero, a)
            }
            UnOp::BitNot if a == Operand::Value(Value::Undef) => Ok(a),
            UnOp::BitNot => Ok(self.any(kind)),
        }
    }

    /// Sums and differences by the ranges of classes; of everything else nothing is known.
    fn binary(
        &mut self,
        op: BinOp,
        kind: IntKind,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Trouble> {
        let hazard = |kind| Err(Trouble::Check(kind));
        let constant = |o: Operand| match o {
            Operand::Value(Value::Int(i)) => Some(kind.value(i)),
            _ => None,
        };
        let signed = kind.signed && self.overflow;
        match op {
            BinOp::Div | BinOp::Rem => match self.division(kind, a, b) {
                Some(false) => {}
                // Where the check is off, only the executions end in which it fails.
                None if self.chooser.choose(2) == 1 => {}
                Some(true) | None => return hazard(CheckKind::DivByZero),
            },
            BinOp::Shl | BinOp::Shr => match constant(b) {
                Some(b) if (0..i128::from(kind.bits)).contains(&b) => {
                    if op == BinOp::Shl && signed {
                        return hazard(CheckKind::Overflow);
                    }
                }
                _ if self.overflow => return hazard(CheckKind::Overflow),
                _ => return Err(Trouble::Outside("a shift by an unknown amount".to_owned())),
            },
            BinOp::Mul if signed => return hazard(CheckKind::Overflow),
            BinOp::Add | BinOp::Sub => return self.sum(op, kind, a, b, signed),
            BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => {}
        }
        if [a, b].iter().any(|o| matches!(o, Operand::Value(Value::Undef))) {
            return Ok(Operand::Value(Value::Undef));
        }
        Ok(self.any(kind))
    }

    /// Whether a division fails; `None` if that depends on what the operands are.
    fn division(&self, kind: IntKind, a: Operand, b: Operand) -> Option<bool> {
        let Some(divisor) = self.as_known(kind, b) else { return Some(true) };
        let may_be = |known: &Known, value: i128| {
            known.values.includes(Values::class(self.partition.class(value)))
        };
        let known = |o: Operand, value: i128| matches!(o, Operand::Value(Value::Int(i)) if kind.value(i) == value);
        // The class of 0 has no other member.
        if divisor.values == Values::class(self.partition.class(0)) {
            return Some(true);
        }
        let is_symbol = |o: Operand| matches!(o, Operand::Symbol(_));
        let by_zero = is_symbol(b) && may_be(&divisor, 0);
        // The least integer of a signed type divided by -1.
        let negates = known(b, -1) || is_symbol(b) && may_be(&divisor, -1);
        let least = limits(kind).0;
        let dividend = self.as_known(kind, a);
        let is_least = match dividend {
            // The machine does not know an undefined one.
            None => true,
            Some(_) if !is_symbol(a) => known(a, least),
            Some(symbol) => may_be(&symbol, least),
        };
        let fails = by_zero || kind.signed && negates && is_least;
        if fails { None } else { Some(false) }
    }

    fn sum(
        &mut self,
        op: BinOp,
        kind: IntKind,
        a: Operand,
        b: Operand,
        signed: bool,
    ) -> Result<Operand, Trouble> {
        let (Some(x), Some(y)) = (self.as_known(kind, a), self.as_known(kind, b)) else {
            return match signed {
                true => Err(Trouble::Check(CheckKind::Overflow)),
                false => Ok(Operand::Value(Value::Undef)),
            };
        };
        let exact = |o: Operand, k: &Known, c: usize| match o {
            Operand::Value(Value::Int(i)) => Some((kind.value(i), kind.value(i))),
            _ => self.partition.range(c, k.kind),
        };
        let (low, high) = limits(kind);
        let mut values = Values::NONE;
        for c in x.values.classes() {
            for d in y.values.classes() {
                let (Some(p), Some(q)) = (exact(a, &x, c), exact(b, &y, d)) else { continue };
                let (l, h) = match op {
                    BinOp::Sub => (p.0 - q.1, p.1 - q.0),
                    _ => (p.0 + q.0, p.1 + q.1),
                };
                if l >= low && h <= high {
                    values = values.or(self.partition.between(l, h));
                    continue;
                }
                if signed {
                    return Err(Trouble::Check(CheckKind::Overflow));
                }
                values = self.partition.all(kind);
            }
        }
        Ok(match values.only().and_then(|c| self.partition.constant(c)) {
            Some(v) => Operand::Value(Value::Int(kind.wrap(v))),
            None => Operand::Symbol(self.symbols.fresh(values, kind)),
        })
    }
}
