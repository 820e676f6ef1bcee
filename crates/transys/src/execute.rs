//! Instructions in a symbolic state (paper 000, Table 5).

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Arena, Budget, FormulaId, RelId, Subst, TermId, Vocabulary};
use trellis_program::spec::Formula;
use trellis_program::view::{Kind, ProgramVocabulary, Spot};
use trellis_program::{
    CheckKind, Cond, Instr, InstrKind, IntKind, Program, Refusal, Reg, Scalar, Span, TypeId,
};

use crate::paths::{Path, Target};
use crate::state::{IntValue, Run, Value, Witnesses};
use crate::symbols::{Flag, RegSymbol, Symbols};
use crate::system::{BadState, ErrorKind, LocationId, Options};

/// Why a path does not go on.
pub(crate) enum Stop {
    /// It ends here: a check fails for sure, or an assumption is false.
    End,
    /// It cannot be followed.
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(refusal)
    }
}

/// One step of a path.
pub(crate) type Step<T> = Result<T, Stop>;

/// A transition system in the making.
pub(crate) struct Builder<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    /// What following the paths may cost.
    pub(crate) budget: Budget,
    pub(crate) view_arena: Arena,
    pub(crate) logic: Vocabulary,
    pub(crate) arena: Arena,
    pub(crate) symbols: Symbols,
    pub(crate) witnesses: Witnesses,
    /// The location that the paths being followed start from.
    pub(crate) from: LocationId,
    /// The constants that denote objects in the state there.
    pub(crate) live_pointers: Vec<trellis_logic::FunId>,
    pub(crate) locations: Vec<crate::system::Location>,
    pub(crate) paths: Vec<Path>,
    /// Contract formulas that were translated: holds, by the address of the formula.
    pub(crate) clauses: BTreeMap<(usize, bool), FormulaId>,
    /// Where values are less known than in the program.
    pub(crate) imprecise: BTreeSet<Span>,
    /// Whether objects can be freed, go out of scope, or be new.
    pub(crate) may_free: bool,
    pub(crate) may_allocate: bool,
    /// Whether objects can be lost: pointer fields or globals are written.
    pub(crate) may_unlink: bool,
    /// Cells that may be undefined at a cut point, and variables that may have no value there.
    pub(crate) undefined_at_cuts: BTreeSet<RelId>,
    /// How the heap is reached at the entry.
    pub(crate) shape: crate::shape::Shape,
}

impl Builder<'_> {
    pub(crate) fn view(&self) -> &ProgramVocabulary {
        &self.symbols.view
    }

    pub(crate) fn null(&mut self) -> TermId {
        self.arena.constant(self.symbols.null)
    }

    pub(crate) fn data_constant(&mut self, value: i128) -> TermId {
        let fun = self.symbols.constant(&mut self.logic, value);
        self.arena.constant(fun)
    }

    /// Adds a contract formula about the current state to the guards.
    pub(crate) fn assume(&mut self, run: &mut Run, formula: FormulaId) -> Step<()> {
        match self.arena.expand(formula, &run.now) {
            FormulaId::TRUE => Ok(()),
            FormulaId::FALSE => Err(Stop::End),
            guard => {
                run.guards.push(guard);
                Ok(())
            }
        }
    }

    /// A formula about the current state and some objects, in terms of the path's beginning. The
    /// objects are terms of the beginning, so they must not be expanded themselves.
    pub(crate) fn of_now<const N: usize>(
        &mut self,
        run: &Run,
        objects: [TermId; N],
        build: impl FnOnce(&mut Arena, &Vocabulary, [TermId; N]) -> FormulaId,
    ) -> FormulaId {
        let obj = self.symbols.obj;
        let vars: [_; N] = std::array::from_fn(|i| self.arena.variable(format!("$object{i}"), obj));
        let places = vars.map(|v| self.arena.var_term(v));
        let formula = build(&mut self.arena, &self.logic, places);
        let formula = self.arena.expand(formula, &run.now);
        let subst: Subst = vars.into_iter().zip(objects).collect();
        self.arena.subst(formula, &subst)
    }

    /// Whether a unary relation holds of an object now.
    pub(crate) fn holds_of(&mut self, run: &Run, rel: RelId, object: TermId) -> FormulaId {
        self.of_now(run, [object], |arena, _, [x]| arena.rel(rel, &[x]))
    }

    /// A check fails where the formula holds, which is about the path's beginning; the path goes
    /// on where not.
    pub(crate) fn error(
        &mut self,
        run: &mut Run,
        kind: CheckKind,
        span: Span,
        fails: FormulaId,
    ) -> Step<()> {
        if self.options.checks.contains(kind) {
            self.bad(run, ErrorKind::Check(kind), span, fails);
        }
        let passes = self.arena.not(fails);
        self.assume_now(run, passes)
    }

    /// An assumption about the state at the path's beginning.
    pub(crate) fn assume_now(&mut self, run: &mut Run, formula: FormulaId) -> Step<()> {
        match formula {
            FormulaId::TRUE => Ok(()),
            FormulaId::FALSE => Err(Stop::End),
            guard => {
                run.guards.push(guard);
                Ok(())
            }
        }
    }

    /// Records a path into an error, if the formula about its beginning can hold.
    pub(crate) fn bad(&mut self, run: &Run, kind: ErrorKind, span: Span, fails: FormulaId) {
        if fails == FormulaId::FALSE {
            return;
        }
        let mut guards = run.guards.clone();
        guards.push(fails);
        self.paths.push(Path {
            from: self.from,
            to: Target::Error(BadState { kind, span }),
            guards,
            update: trellis_logic::Definitions::new(),
            used: run.used,
            blocks: run.blocks.clone(),
        });
    }

    /// A new object witness.
    pub(crate) fn choose_object(&mut self, run: &mut Run) -> TermId {
        let i = run.used.objects;
        run.used.objects += 1;
        if i == self.witnesses.objects.len() {
            let fun = self.logic.constant(format!("α{}", i + 1), self.symbols.obj);
            self.witnesses.objects.push(fun);
        }
        self.arena.constant(self.witnesses.objects[i])
    }

    pub(crate) fn choose_data(&mut self, run: &mut Run) -> TermId {
        let i = run.used.data;
        run.used.data += 1;
        if i == self.witnesses.data.len() {
            let fun = self.logic.constant(format!("δ{}", i + 1), self.symbols.data);
            self.witnesses.data.push(fun);
        }
        self.arena.constant(self.witnesses.data[i])
    }

    pub(crate) fn choose_truth(&mut self, run: &mut Run) -> FormulaId {
        let i = run.used.truths;
        run.used.truths += 1;
        if i == self.witnesses.truths.len() {
            let rel = self.logic.relation(format!("β{}", i + 1), &[]);
            self.witnesses.truths.push(rel);
        }
        self.arena.rel(self.witnesses.truths[i], &[])
    }

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
                self.writable(addr, span)?;
                let (at, value) = (self.address(run, addr, span)?, self.eval(run, value, span)?);
                self.store(run, at, *scalar, value, span)
            }
            InstrKind::Copy { dst, src, size, .. } => {
                self.writable(dst, span)?;
                let (dst, src) = (self.place(run, dst, span)?, self.place(run, src, span)?);
                let size = self.eval(run, size, span)?;
                self.copy(run, dst, src, size, span)
            }
            InstrKind::Fill { dst, byte, size } => {
                self.writable(dst, span)?;
                let dst = self.place(run, dst, span)?;
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
            InstrKind::EndLocal { var } => {
                self.end_local(run, Reg::Local(*var));
                Ok(())
            }
            InstrKind::Call { .. } => Err(Refusal::at(span, "a call").into()),
            InstrKind::Havoc { dst, scalar } => {
                let value = self.choose(run, *scalar, span)?;
                self.set(run, *dst, value, span)
            }
            InstrKind::Assume { cond: Cond::Spec(f) } => {
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
