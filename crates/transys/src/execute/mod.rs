//! Execution: what instructions do to a symbolic state (*Property-Directed Shape Analysis*, Table
//! 5), and the paths that this gives.
//!
//! [`state`] is a state in the middle of a path, [`expr`] evaluates expressions in it, `cells`,
//! `blocks` and `objects` read and change its memory, [`paths`] goes from block to block.
//!
//! **Invariant.** Where the concrete interpreter goes on, one of the runs goes on with a state that
//! its state satisfies; where it fails, a path into the error was recorded. What cannot be followed
//! is refused with its place.

mod blocks;
mod builder;
mod cells;
pub(crate) mod expr;
mod forest;
mod forget;
mod integers;
mod objects;
pub(crate) mod paths;
pub(crate) mod state;
mod summary;
mod undefined;

use trellis_logic::{FormulaId, TermId};
use trellis_program::spec::Formula;
use trellis_program::view::{Kind, Spot};
use trellis_program::{
    CheckKind, Cond, Instr, InstrKind, IntKind, Refusal, Reg, Scalar, Span, TypeId,
};

use crate::symbols::{Flag, RegSymbol};
use crate::system::ErrorKind;
use summary::Recursion;

pub(crate) use builder::{Builder, Step, Stop};
use state::{IntValue, Run, Value};

impl Builder<'_> {
    /// Executes one instruction. `others` receives runs that go on in another way.
    pub(crate) fn execute(
        &mut self,
        run: &mut Run,
        instr: &Instr,
        others: &mut Vec<Run>,
    ) -> Step<()> {
        let span = instr.span;
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let value = self.eval(run, value, span)?;
                self.set(run, *dst, value, span)
            }
            InstrKind::Load { dst, addr, scalar } => {
                let at = self.address(run, addr, span)?;
                let value = self.load(run, at, *scalar, span, others, *dst)?;
                self.set(run, *dst, value, span)
            }
            InstrKind::Store { addr, scalar, value } => {
                let at = self.address(run, addr, span)?;
                self.writable(addr, at, span)?;
                let value = self.eval(run, value, span)?;
                self.store(run, at, *scalar, value, span)
            }
            InstrKind::Copy { dst, src, size, .. } => {
                let to = self.place(run, dst, span)?;
                self.writable(dst, to, span)?;
                let (dst, src) = (to, self.place(run, src, span)?);
                let size = self.eval(run, size, span)?;
                self.copy(run, dst, src, size, span)
            }
            InstrKind::Fill { dst, byte, size } => {
                let to = self.place(run, dst, span)?;
                self.writable(dst, to, span)?;
                let dst = to;
                let (byte, size) = (self.eval(run, byte, span)?, self.eval(run, size, span)?);
                self.fill(run, dst, byte, size, span)
            }
            InstrKind::Alloc { dst, size, ty, zeroed } => {
                if self.options.malloc_may_fail {
                    let mut failed = run.clone();
                    let null = self.null();
                    self.set(&mut failed, *dst, Value::Ptr(null, Spot::Null), span)?;
                    others.push(failed);
                }
                let size = self.eval(run, size, span)?;
                let value = self.allocate(run, *ty, size, *zeroed, span)?;
                self.set(run, *dst, value, span)
            }
            InstrKind::Retype { ptr, ty } => self.retype(run, ptr, *ty, span),
            InstrKind::Free { ptr } => {
                let ptr = self.eval(run, ptr, span)?;
                self.free(run, ptr, span, others)
            }
            InstrKind::BeginLocal { var } => self.begin_local(run, Reg::Local(*var), span),
            InstrKind::BeginArray { .. } => {
                Err(Refusal::at(span, "an array of variable length").into())
            }
            InstrKind::EndLocal { var } => {
                self.end_local(run, Reg::Local(*var));
                Ok(())
            }
            InstrKind::Call { dst, proc, args } => {
                self.recursion(run, &Recursion { dst: *dst, proc: *proc, args, span }, others)
            }
            InstrKind::Havoc { dst, scalar } => {
                let value = self.choose(run, *scalar, span)?;
                self.set(run, *dst, value, span)
            }
            InstrKind::Assume { cond: Cond::Spec(f) } => {
                self.attach_all(run)?;
                let holds = self.clause(f, true, span)?;
                self.assume(run, holds)
            }
            InstrKind::Assume { cond: Cond::Expr(e) } => {
                let holds = self.condition(run, e, span)?;
                self.assume_now(run, holds)
            }
            InstrKind::Assert { kind, cond: Cond::Spec(f) } => self.require(run, *kind, f, span),
            InstrKind::Assert { kind, cond: Cond::Expr(e) } => {
                let holds = self.condition(run, e, span)?;
                let fails = self.arena.not(holds);
                if self.options.checks.contains(*kind) {
                    self.bad(run, ErrorKind::Check(*kind), span, fails);
                }
                self.assume_now(run, holds)
            }
            InstrKind::Unsupported { reason } => Err(Refusal::at(span, reason.clone()).into()),
        }
    }

    /// A contract formula must be true, if its check is on; the path goes on either way, but only
    /// where it is true: what fails is reported there.
    pub(crate) fn require(
        &mut self,
        run: &mut Run,
        kind: CheckKind,
        formula: &Formula,
        span: Span,
    ) -> Step<()> {
        if !self.options.checks.contains(kind) {
            return Ok(());
        }
        self.attach_all(run)?;
        let holds = self.clause(formula, false, span)?;
        let holds = self.arena.expand(holds, &run.now);
        let fails = self.arena.not(holds);
        self.bad(run, ErrorKind::Check(kind), span, fails);
        Ok(())
    }

    /// Whether a condition holds; an undefined one is an error.
    pub(crate) fn condition(
        &mut self,
        run: &mut Run,
        e: &trellis_program::Expr,
        span: Span,
    ) -> Step<FormulaId> {
        let value = self.eval(run, e, span)?;
        if value == Value::Undef {
            self.error(run, CheckKind::Uninit, span, FormulaId::TRUE)?;
        }
        Ok(self.truth(run, value))
    }

    /// Any value of a type.
    fn choose(&mut self, run: &mut Run, scalar: Scalar, span: Span) -> Step<Value> {
        match scalar {
            Scalar::Int(_) => Ok(Value::Int(IntValue::Any)),
            Scalar::Ptr(to) => {
                let spot = match self.view().pointee(to) {
                    Ok(spot @ Spot::At { .. }) => spot,
                    _ => return Err(Refusal::at(span, "a nondeterministic pointer").into()),
                };
                let object = self.choose_object(run);
                let null = self.null();
                let is_null = self.arena.eq(object, null);
                let mut parts = vec![self.holds_of(run, self.symbols.alloc.now, object)];
                if let Some(&rel) = self.symbols.types.get(&to) {
                    parts.push(self.arena.rel(rel, &[object]));
                }
                let valid = self.arena.and(parts);
                let either = self.arena.or([is_null, valid]);
                self.assume_now(run, either)?;
                Ok(Value::Ptr(object, spot))
            }
            Scalar::Float(_) => Err(Refusal::at(span, "a floating-point number").into()),
            Scalar::Bits(_) => Err(Refusal::at(span, "a bit-field").into()),
        }
    }

    /// Assigns a variable.
    pub(crate) fn set(&mut self, run: &mut Run, reg: Reg, value: Value, span: Span) -> Step<()> {
        let Some(symbol) = self.symbols.regs.get(&reg).copied() else {
            // Known until the next cut point, and only to what works on blocks of memory.
            if matches!(reg, Reg::Local(_)) {
                run.moved.insert(reg, value);
                return Ok(());
            }
            let reason = match self.view().reg(reg) {
                Err(e) => e.reason,
                Ok(_) => "a variable that the logic does not have".into(),
            };
            return Err(Refusal::at(span, reason).into());
        };
        match (symbol.now, value) {
            (RegSymbol::Int(_), Value::Int(IntValue::Const(i))) => {
                run.constants.insert(reg, i);
            }
            _ => {
                run.constants.remove(&reg);
            }
        }
        if let Some(&unset) = self.symbols.unset.get(&reg) {
            let truth = if value == Value::Undef { FormulaId::TRUE } else { FormulaId::FALSE };
            run.now.define_rel(unset, &[], truth);
        } else if value == Value::Undef {
            self.error(run, CheckKind::Uninit, span, FormulaId::TRUE)?;
        }
        let ty = self.program.reg_type(self.view().proc, reg);
        self.define(run, symbol.now, value, (self.kind_of(reg), ty), span)
    }

    fn kind_of(&self, reg: Reg) -> Option<Kind> {
        self.view().reg(reg).ok().map(|r| r.kind)
    }

    /// Gives a symbol of a variable its value; the variable is of a kind and of a type.
    pub(crate) fn define(
        &mut self,
        run: &mut Run,
        symbol: RegSymbol,
        value: Value,
        (kind, ty): (Option<Kind>, TypeId),
        span: Span,
    ) -> Step<()> {
        match (symbol, value) {
            (_, Value::Undef) => Ok(()),
            (RegSymbol::Ptr(fun), Value::Ptr(term, spot)) => {
                let Some(Kind::Ptr(wanted)) = kind else {
                    return Err(Refusal::at(span, "a pointer kept in an integer").into());
                };
                self.fits(run, term, spot, wanted, span)?;
                run.now.define_fun(fun, &[], term);
                Ok(())
            }
            (RegSymbol::Ptr(fun), Value::Int(IntValue::Const(0))) => {
                let null = self.null();
                run.now.define_fun(fun, &[], null);
                Ok(())
            }
            (RegSymbol::Int(Flag::Truth(rel)), value) => {
                let truth = self.truth(run, value);
                run.now.define_rel(rel, &[], truth);
                Ok(())
            }
            (RegSymbol::Int(Flag::Data(fun)), Value::Int(value)) => {
                let Some(Scalar::Int(int)) = self.program.types.scalar(ty) else {
                    return Err(Refusal::at(span, "a value that is no integer").into());
                };
                let term = self.data_or_any(run, value, int);
                run.now.define_fun(fun, &[], term);
                Ok(())
            }
            _ => Err(Refusal::at(span, "a pointer kept in an integer").into()),
        }
    }

    /// That a pointer is in the place where a variable or field points. A pointer without a type is
    /// taken for one with a type only where the object is known to have it, or gets it now.
    pub(crate) fn fits(
        &mut self,
        run: &mut Run,
        object: TermId,
        spot: Spot,
        wanted: Spot,
        span: Span,
    ) -> Step<()> {
        if self.view().meet(wanted, spot).is_none() {
            return Err(Refusal::at(span, "a pointer to another place of its object").into());
        }
        let (Spot::At { family, .. }, Spot::Start) = (wanted, spot) else { return Ok(()) };
        let known = run.typed.get(&object);
        let fits = known.is_some_and(|ty| self.view().family(family).any(|(t, _, _)| t == *ty));
        if fits || object == self.null() {
            return Ok(());
        }
        if let Some(memory) = run.untyped.get_mut(&object) {
            memory.awaited.get_or_insert(span);
            return Ok(());
        }
        Err(Refusal::at(span, "a pointer without a type used as one with a type").into())
    }

    /// An integer of a type as a term of the data; what is not known is chosen.
    pub(crate) fn data_or_any(&mut self, run: &mut Run, value: IntValue, kind: IntKind) -> TermId {
        match (self.as_data(value, kind), value) {
            (Some(term), _) => term,
            (None, IntValue::Truth(truth)) => {
                // Not zero exactly if the formula holds.
                let (term, zero) = (self.choose_data(run), self.data_constant(0));
                let nonzero = self.arena.ne(term, zero);
                let agrees = self.arena.iff(nonzero, truth);
                run.guards.push(agrees);
                term
            }
            (None, _) => self.choose_data(run),
        }
    }
}
