//! Expressions in a symbolic state: variables, addresses, comparisons.
//!
//! **Invariant.** A value is in terms of the path's beginning. What a pointer's place in its object is
//! is known from types alone, so the cells that code can touch are known before any path is.

use trellis_logic::{FormulaId, FunId};
use trellis_program::view::{Cell, CellKind, Kind, ProgramVocabulary, Spot};
use trellis_program::{CheckKind, CmpOp, Expr, IntKind, Program, Refusal, Reg, Scalar, Span};

use crate::execute::integers::constant;
use crate::execute::state::{IntValue, Run, Value};
use crate::execute::{Builder, Step};
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
        Scalar::Float(_) | Scalar::Bits(_) => return None,
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
                _ if self.is_never_set(reg) => return Ok(Value::Undef),
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

    /// Whether nothing gives a local a value: it stands for none.
    fn is_never_set(&self, reg: Reg) -> bool {
        let mut instrs = self.program.proc(self.view().proc).instrs();
        matches!(reg, Reg::Local(_)) && !instrs.any(|i| i.kind.dst() == Some(reg))
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
            Expr::Addr(r) if is_constant(self.program, e) || self.is_constant_local(*r) => {
                return no("the address of a constant object");
            }
            Expr::Addr(r) => self.address_of(run, *r, span)?,
            Expr::Unary(_, kind, a) => match self.eval(run, a, span)? {
                Value::Undef => self.cannot_overflow(span).map(|()| Value::Undef)?,
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
            Expr::Extent(..) => return no("the length of an array"),
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

    fn is_constant_local(&self, reg: Reg) -> bool {
        match reg {
            Reg::Local(v) => self.program.proc(self.view().proc).var(v).is_const,
            Reg::Global(_) => false,
        }
    }

    /// Refuses a write to a constant object, or `at` a place that may be in a constant member.
    /// Writes by name or through a pointer to the struct with that member were looked at when the
    /// code was read.
    pub(crate) fn writable(&self, e: &Expr, at: Value, span: Span) -> Step<()> {
        let types = &self.program.types;
        let mut base = e;
        while let Expr::Offset(a, _)
        | Expr::Index { base: a, .. }
        | Expr::Convert(_, a)
        | Expr::ToPtr(a) = base
        {
            base = a;
        }
        let is_known = match base {
            Expr::Reg(r) => {
                let to = types.pointee(self.program.reg_type(self.view().proc, *r));
                to.is_some_and(|ty| types.has_const(ty))
            }
            base => matches!(base, Expr::Addr(_)),
        };
        let member = match at {
            Value::Ptr(_, Spot::At { family, .. }) if !is_known => {
                self.view().family(family).any(|(ty, _, _)| types.has_const(ty))
            }
            _ => false,
        };
        if member || is_constant(self.program, e) {
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
}
