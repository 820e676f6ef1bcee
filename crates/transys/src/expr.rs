//! Expressions in a symbolic state.

use trellis_logic::{FormulaId, FunId, TermId};
use trellis_program::view::{Cell, CellKind, Kind, ProgramVocabulary, Spot};
use trellis_program::{
    BinOp, CheckKind, CmpOp, Expr, IntKind, Program, Refusal, Reg, Scalar, Span,
};

use crate::execute::{Builder, Step};
use crate::state::{IntValue, Run, Value};
use crate::symbols::{Flag, RegSymbol};

/// The field that an address of this scalar type is, by its function in the view.
pub(crate) fn address_cell(view: &ProgramVocabulary, addr: &Expr, scalar: Scalar) -> Option<FunId> {
    match static_spot(view, addr)? {
        Spot::At { family, at } => Some(view.cell(family, at, scalar).ok()?.fun.now),
        _ => None,
    }
}

/// The cell that an address of this scalar type is.
pub(crate) fn address_in(view: &ProgramVocabulary, addr: &Expr, scalar: Scalar) -> Option<Cell> {
    let kind = match scalar {
        Scalar::Ptr(_) => CellKind::Ptr,
        Scalar::Int(kind) => CellKind::Int(kind),
        Scalar::Float(_) => return None,
    };
    match static_spot(view, addr)? {
        Spot::At { family, at } => Some(Cell { family, at, kind }),
        _ => None,
    }
}

/// Where a pointer expression points, from types alone.
fn static_spot(view: &ProgramVocabulary, e: &Expr) -> Option<Spot> {
    match e {
        Expr::Reg(r) => match view.reg(*r).ok()?.kind {
            Kind::Ptr(spot) => Some(spot),
            Kind::Int => None,
        },
        Expr::Addr(r) => {
            let (_, _, ty) = view.addresses().find(|(reg, _, _)| reg == r)?;
            view.object_spot(ty)
        }
        Expr::Offset(a, by) => view.shift(static_spot(view, a)?, *by),
        Expr::Index { base, index, size } => match **index {
            Expr::Int(i) => view.shift(static_spot(view, base)?, i.checked_mul(i64::from(*size))?),
            _ => None,
        },
        Expr::Convert(_, a) | Expr::ToPtr(a) => static_spot(view, a),
        _ => None,
    }
}

/// Whether a pointer expression names a place in a constant object.
fn is_constant(program: &Program, e: &Expr) -> bool {
    match e {
        Expr::Addr(Reg::Global(g)) => program.globals[g.0 as usize].is_const,
        Expr::Offset(a, _) | Expr::Index { base: a, .. } | Expr::Convert(_, a) | Expr::ToPtr(a) => {
            is_constant(program, a)
        }
        _ => false,
    }
}

impl Builder<'_> {
    /// The value of a variable; forks nothing: where it may have none, that is an error.
    fn register(&mut self, run: &mut Run, reg: Reg, span: Span) -> Step<Value> {
        let Some(symbol) = self.symbols.regs.get(&reg).copied() else {
            let reason = match self.symbols.view.reg(reg) {
                Err(e) => e.reason,
                Ok(_) => "a variable that the logic does not have".into(),
            };
            return Err(Refusal::at(span, reason).into());
        };
        if let Some(&known) = run.constants.get(&reg) {
            return Ok(constant(known));
        }
        if let Some(&unset) = self.symbols.unset.get(&reg) {
            let unset = self.arena.rel(unset, &[]);
            match self.arena.expand(unset, &run.now) {
                FormulaId::TRUE => return Ok(Value::Undef),
                FormulaId::FALSE => {}
                // Stricter than the interpreter, which fails when the value is used.
                maybe => self.error(run, CheckKind::Uninit, span, maybe)?,
            }
        }
        Ok(match symbol.now {
            RegSymbol::Ptr(fun) => {
                let Ok(Kind::Ptr(spot)) = self.symbols.view.reg(reg).map(|r| r.kind) else {
                    return Err(Refusal::at(span, "a variable of changing kind").into());
                };
                let constant = self.arena.constant(fun);
                Value::Ptr(self.arena.expand_term(constant, &run.now), spot)
            }
            RegSymbol::Int(flag) => Value::Int(self.read_flag(run, flag)),
        })
    }

    pub(crate) fn read_flag(&mut self, run: &Run, flag: Flag<FunId>) -> IntValue {
        match flag {
            Flag::Truth(rel) => {
                let atom = self.arena.rel(rel, &[]);
                IntValue::Truth(self.arena.expand(atom, &run.now))
            }
            Flag::Data(fun) => {
                let constant = self.arena.constant(fun);
                IntValue::Data(self.arena.expand_term(constant, &run.now))
            }
        }
    }

    pub(crate) fn eval(&mut self, run: &mut Run, e: &Expr, span: Span) -> Step<Value> {
        let no = |reason: &str| Err(Refusal::at(span, reason).into());
        Ok(match e {
            Expr::Int(i) => Value::Int(IntValue::Const(*i)),
            Expr::Null => Value::Ptr(self.null(), Spot::Null),
            Expr::Reg(r) => self.register(run, *r, span)?,
            // Whoever has it may write through it.
            Expr::Addr(_) if is_constant(self.program, e) => {
                return no("the address of a constant object");
            }
            Expr::Addr(r) => self.address_of(run, *r, span)?,
            Expr::Unary(_, kind, a) => match self.eval(run, a, span)? {
                Value::Undef => Value::Undef,
                Value::Int(IntValue::Const(i)) => match e {
                    Expr::Unary(trellis_program::UnOp::Neg, ..) => {
                        self.known(*kind, -kind.value(i), span)?
                    }
                    _ => constant(kind.wrap(!kind.value(i))),
                },
                _ => self.arithmetic(span)?,
            },
            Expr::Binary(op, kind, a, b) => {
                let (a, b) = (self.eval(run, a, span)?, self.eval(run, b, span)?);
                self.binary(*op, *kind, a, b, span)?
            }
            Expr::Cmp(op, kind, a, b) => {
                let (a, b) = (self.eval(run, a, span)?, self.eval(run, b, span)?);
                self.compare(*op, *kind, a, b, span)?
            }
            Expr::Not(a) => match self.eval(run, a, span)? {
                Value::Undef => Value::Undef,
                value => {
                    let truth = self.truth(run, value);
                    Value::Int(IntValue::Bool(self.arena.not(truth)))
                }
            },
            Expr::Convert(kind, a) => {
                let from = self.int_kind(a);
                let value = self.eval(run, a, span)?;
                self.convert(run, *kind, from, value, span)
            }
            Expr::ToPtr(a) => match self.eval(run, a, span)? {
                Value::Int(IntValue::Const(0)) => Value::Ptr(self.null(), Spot::Null),
                value @ (Value::Ptr(..) | Value::Undef) => value,
                Value::Int(_) => return no("an integer used as a pointer"),
            },
            Expr::Offset(a, by) => match self.eval(run, a, span)? {
                Value::Ptr(term, spot) => {
                    if *by != 0 {
                        let null = self.null();
                        let is_null = self.arena.eq(term, null);
                        self.error(run, CheckKind::NullDeref, span, is_null)?;
                    }
                    match self.symbols.view.shift(spot, *by) {
                        Some(spot) => Value::Ptr(term, spot),
                        None => return no("an offset into an object of unknown type"),
                    }
                }
                Value::Undef => Value::Undef,
                Value::Int(_) => return no("an integer used as a pointer"),
            },
            Expr::Index { base, index, size } => match **index {
                Expr::Int(i) => {
                    let Some(by) = i.checked_mul(i64::from(*size)) else {
                        return no("a pointer far outside its object");
                    };
                    self.eval(run, &Expr::Offset(base.clone(), by), span)?
                }
                _ => return no("an array element whose number is not a constant"),
            },
            Expr::Diff(..) => return no("the difference of two pointers"),
        })
    }

    fn address_of(&mut self, run: &Run, variable: Reg, span: Span) -> Step<Value> {
        let Some(&(fun, ty)) = self.symbols.addresses.get(&variable) else {
            return Err(Refusal::at(span, "the address of a constant object").into());
        };
        let Some(spot) = self.symbols.view.object_spot(ty) else {
            let reason = "the address of an object of unknown type";
            return Err(Refusal::at(span, reason).into());
        };
        let constant = self.arena.constant(fun);
        Ok(Value::Ptr(self.arena.expand_term(constant, &run.now), spot))
    }

    /// Refuses a write to a constant object.
    pub(crate) fn writable(&self, e: &Expr, span: Span) -> Step<()> {
        if is_constant(self.program, e) {
            return Err(Refusal::at(span, "a write to a constant object").into());
        }
        Ok(())
    }

    /// The object and the spot of an address that is about to be accessed: null is left to the
    /// access itself.
    pub(crate) fn address(&mut self, run: &mut Run, e: &Expr, span: Span) -> Step<Value> {
        let (base, by) = match e {
            Expr::Offset(base, by) => (base, *by),
            Expr::Index { base, index, size } if matches!(**index, Expr::Int(_)) => {
                let Expr::Int(i) = **index else { return self.eval(run, e, span) };
                match i.checked_mul(i64::from(*size)) {
                    Some(by) => (base, by),
                    None => {
                        let reason = "a pointer far outside its object";
                        return Err(Refusal::at(span, reason).into());
                    }
                }
            }
            Expr::Addr(r) => return self.address_of(run, *r, span),
            _ => return self.eval(run, e, span),
        };
        match self.address(run, base, span)? {
            Value::Ptr(term, spot) => match self.symbols.view.shift(spot, by) {
                Some(spot) => Ok(Value::Ptr(term, spot)),
                None => Err(Refusal::at(span, "an offset into an object of unknown type").into()),
            },
            Value::Undef => Ok(Value::Undef),
            Value::Int(_) => Err(Refusal::at(span, "an integer used as a pointer").into()),
        }
    }

    /// The result of an operation on constants.
    fn known(&mut self, kind: IntKind, exact: i128, span: Span) -> Step<Value> {
        let wrapped = kind.wrap(exact);
        let overflows = kind.signed && i128::from(wrapped) != exact;
        if overflows && self.options.checks.contains(CheckKind::Overflow) {
            return Err(Refusal::at(span, "arithmetic with overflow checks").into());
        }
        Ok(constant(wrapped))
    }

    fn arithmetic(&mut self, span: Span) -> Step<Value> {
        if self.options.checks.contains(CheckKind::Overflow) {
            return Err(Refusal::at(span, "arithmetic with overflow checks").into());
        }
        Ok(self.any(span))
    }

    fn binary(&mut self, op: BinOp, kind: IntKind, a: Value, b: Value, span: Span) -> Step<Value> {
        let (a, b) = match (a, b) {
            (Value::Undef, _) | (_, Value::Undef) => return Ok(Value::Undef),
            (Value::Int(a), Value::Int(b)) => (a, b),
            _ => return Err(Refusal::at(span, "arithmetic on a pointer's value").into()),
        };
        let divides = matches!(op, BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr);
        match (a, b) {
            (IntValue::Const(a), IntValue::Const(b)) => {
                let (a, b) = (kind.value(a), kind.value(b));
                let exact = match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    _ => return self.divide(op, IntValue::Const(b as i64), span),
                };
                self.known(kind, exact, span)
            }
            _ if divides => self.divide(op, b, span),
            _ => self.arithmetic(span),
        }
    }

    /// A division or shift that cannot fail yields some value.
    fn divide(&mut self, op: BinOp, by: IntValue, span: Span) -> Step<Value> {
        match (op, by) {
            (BinOp::Div | BinOp::Rem, IntValue::Const(d)) if d != 0 && d != -1 => {
                self.arithmetic(span)
            }
            (BinOp::Shl | BinOp::Shr, IntValue::Const(d)) if (0..32).contains(&d) => {
                self.arithmetic(span)
            }
            _ => Err(Refusal::at(span, "a division or shift by a value").into()),
        }
    }

    fn compare(
        &mut self,
        op: CmpOp,
        kind: Option<IntKind>,
        a: Value,
        b: Value,
        span: Span,
    ) -> Step<Value> {
        let formula = match (a, b) {
            (Value::Undef, _) | (_, Value::Undef) => return Ok(Value::Undef),
            (Value::Ptr(a, at), Value::Ptr(b, bt)) => {
                if self.symbols.view.meet(at, bt).is_none() {
                    let reason = "pointers to different places of an object compared";
                    return Err(Refusal::at(span, reason).into());
                }
                match op {
                    CmpOp::Eq => self.arena.eq(a, b),
                    CmpOp::Ne => self.arena.ne(a, b),
                    _ => return Err(Refusal::at(span, "the order of pointers").into()),
                }
            }
            (Value::Ptr(a, _), Value::Int(IntValue::Const(0)))
            | (Value::Int(IntValue::Const(0)), Value::Ptr(a, _)) => {
                let null = self.null();
                match op {
                    CmpOp::Eq => self.arena.eq(a, null),
                    CmpOp::Ne => self.arena.ne(a, null),
                    _ => return Err(Refusal::at(span, "the order of pointers").into()),
                }
            }
            (Value::Int(a), Value::Int(b)) => match self.compare_ints(op, kind, a, b) {
                Some(formula) => formula,
                None => return Ok(self.any(span)),
            },
            _ => return Err(Refusal::at(span, "a pointer compared with an integer").into()),
        };
        Ok(Value::Int(IntValue::Bool(formula)))
    }

    fn compare_ints(
        &mut self,
        op: CmpOp,
        kind: Option<IntKind>,
        a: IntValue,
        b: IntValue,
    ) -> Option<FormulaId> {
        let kind = kind.unwrap_or(IntKind::LONG);
        if let (IntValue::Const(a), IntValue::Const(b)) = (a, b) {
            let (a, b) = (kind.value(a), kind.value(b));
            return Some(if op.apply(a, b) { FormulaId::TRUE } else { FormulaId::FALSE });
        }
        // Truth against a constant needs no order.
        if op.is_equality() {
            let truth = match (a, b) {
                (IntValue::Bool(f) | IntValue::Truth(f), IntValue::Const(0))
                | (IntValue::Const(0), IntValue::Bool(f) | IntValue::Truth(f)) => {
                    Some(self.arena.not(f))
                }
                (IntValue::Bool(f), IntValue::Const(1))
                | (IntValue::Const(1), IntValue::Bool(f)) => Some(f),
                _ => None,
            };
            if let Some(equal) = truth {
                return Some(if op == CmpOp::Eq { equal } else { self.arena.not(equal) });
            }
        }
        let (a, b) = (self.as_data(a, kind)?, self.as_data(b, kind)?);
        Some(match op {
            CmpOp::Eq => self.arena.eq(a, b),
            CmpOp::Ne => self.arena.ne(a, b),
            CmpOp::Le => self.at_most(a, b),
            CmpOp::Ge => self.at_most(b, a),
            CmpOp::Lt => {
                let ge = self.at_most(b, a);
                self.arena.not(ge)
            }
            CmpOp::Gt => {
                let le = self.at_most(a, b);
                self.arena.not(le)
            }
        })
    }

    pub(crate) fn at_most(&mut self, a: TermId, b: TermId) -> FormulaId {
        self.arena.rel(self.symbols.at_most, &[a, b])
    }

    /// An integer of a type as a term of the data, which are mathematical integers; `None` if it is
    /// not exactly known.
    pub(crate) fn as_data(&mut self, value: IntValue, kind: IntKind) -> Option<TermId> {
        match value {
            IntValue::Data(term) => Some(term),
            IntValue::Const(i) => Some(self.data_constant(kind.value(i))),
            IntValue::Bool(f) => {
                let (one, zero) = (self.data_constant(1), self.data_constant(0));
                Some(self.arena.ite(f, one, zero))
            }
            IntValue::Truth(_) | IntValue::Any => None,
        }
    }

    /// Whether a value is true as a condition; what is not known is chosen.
    pub(crate) fn truth(&mut self, run: &mut Run, value: Value) -> FormulaId {
        match value {
            Value::Ptr(term, _) => {
                let null = self.null();
                self.arena.ne(term, null)
            }
            Value::Int(IntValue::Const(0)) => FormulaId::FALSE,
            Value::Int(IntValue::Const(_)) => FormulaId::TRUE,
            Value::Int(IntValue::Bool(f) | IntValue::Truth(f)) => f,
            Value::Int(IntValue::Data(term)) => {
                let zero = self.data_constant(0);
                self.arena.ne(term, zero)
            }
            Value::Int(IntValue::Any) | Value::Undef => self.choose_truth(run),
        }
    }

    fn convert(
        &mut self,
        run: &mut Run,
        to: IntKind,
        from: Option<IntKind>,
        value: Value,
        span: Span,
    ) -> Value {
        match value {
            Value::Undef => Value::Undef,
            Value::Ptr(..) if to.bits == 64 => value,
            _ if to == IntKind::BOOL => {
                let truth = self.truth(run, value);
                Value::Int(IntValue::Bool(truth))
            }
            Value::Ptr(..) => self.any(span),
            Value::Int(IntValue::Const(i)) => {
                let exact = from.map_or(i128::from(i), |k| k.value(i));
                constant(to.wrap(exact))
            }
            Value::Int(IntValue::Bool(_)) => value,
            Value::Int(_) if from.is_some_and(|from| keeps(from, to)) => value,
            Value::Int(_) => self.any(span),
        }
    }

    /// A value that nothing is known about.
    fn any(&mut self, span: Span) -> Value {
        self.imprecise.insert(span);
        Value::Int(IntValue::Any)
    }

    /// The type of an integer expression, if it is plain to see.
    fn int_kind(&self, e: &Expr) -> Option<IntKind> {
        match e {
            Expr::Reg(r) => {
                let ty = self.program.reg_type(self.symbols.view.proc, *r);
                match self.program.types.scalar(ty)? {
                    Scalar::Int(kind) => Some(kind),
                    _ => None,
                }
            }
            Expr::Convert(kind, _) | Expr::Unary(_, kind, _) | Expr::Binary(_, kind, _, _) => {
                Some(*kind)
            }
            Expr::Cmp(..) | Expr::Not(_) => Some(IntKind::INT),
            _ => None,
        }
    }
}

fn constant(i: i64) -> Value {
    Value::Int(IntValue::Const(i))
}

/// Whether every value of one type is the same value of the other.
fn keeps(from: IntKind, to: IntKind) -> bool {
    match (from.signed, to.signed) {
        (true, false) => false,
        (false, true) => from.bits < to.bits,
        _ => from.bits <= to.bits,
    }
}
