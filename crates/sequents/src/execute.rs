//! Loop-free code as facts and demands (forward weakest preconditions).
//!
//! A run walks from a cut point to the next ones. Its state gives every symbol of *now* a term over
//! the symbols where the run began; branches and assumptions are hypotheses; every check is an
//! demand from the hypotheses up to there, and a hypothesis afterwards.
//!
//! Integers wrap in the program: a sum is a new number that is the mathematical one where that fits.
//! Otherwise it is any number of the type, which is more than the machine does.

use std::collections::BTreeMap;

use trellis_hol::{Quantifier, SymbolId, Term, Type};
use trellis_program::spec::{Assigns, Formula};
use trellis_program::{
    BinOp, BlockId, Body, CheckKind, CheckSet, Cond, Expr, Instr, InstrKind, IntKind, ProcId,
    Program, Refusal, Reg, Scalar, Span, Terminator, TypeId, UnOp,
};

use crate::build::{
    and, apply, bind, element, eq, implies, int, is_truth, ite, le, lt, ne, not, null, op, or,
    replace_symbols, truth, update,
};
use crate::convert::{Converter, compare};
use crate::signature::{Address, Item, Signature, View, address, elements_of, logical, range};

/// What every symbol of now is worth.
pub type State = BTreeMap<SymbolId, Term>;

/// Something that must follow from hypotheses.
#[derive(Clone, Debug)]
pub struct Demand {
    /// What is known there, besides what holds where the run began.
    pub hypotheses: Vec<Term>,
    /// What must hold.
    pub goal: Term,
    /// Which check it is.
    pub kind: CheckKind,
    /// Where.
    pub span: Span,
}

/// A run that ends at a loop.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// What is known there, besides what holds where the run began.
    pub hypotheses: Vec<Term>,
    /// The state there.
    pub state: State,
    /// The loop head.
    pub head: BlockId,
}

/// All runs from one cut point.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// What they must show.
    pub demands: Vec<Demand>,
    /// Where they arrive.
    pub arrivals: Vec<Arrival>,
}

/// More runs from one cut point are refused.
const MOST_RUNS: usize = 500;

#[derive(Clone)]
struct Run {
    state: State,
    hypotheses: Vec<Term>,
}

/// Executes one procedure.
pub struct Executor<'a> {
    /// The program, in which the procedure calls nothing.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// Which checks are on.
    pub checks: CheckSet,
    /// The symbols.
    pub signature: &'a mut Signature,
    /// The loop heads.
    pub heads: Vec<BlockId>,
}

type Step<T> = Result<T, Refusal>;

impl Executor<'_> {
    /// All runs from a block, in a state.
    ///
    /// # Errors
    /// What cannot be followed.
    pub fn runs(&mut self, body: &Body, from: BlockId, state: State) -> Step<Runs> {
        let mut runs = Runs::default();
        let mut todo = vec![(from, Run { state, hypotheses: Vec::new() })];
        let mut walked = 0;
        while let Some((block, mut run)) = todo.pop() {
            walked += 1;
            let at = body.block(block);
            if walked > MOST_RUNS {
                return Err(Refusal::at(at.term_span, "code with so many branches"));
            }
            for instr in &at.instrs {
                self.instruction(instr, &mut run, &mut runs)?;
            }
            match &at.term {
                Terminator::Goto(target) => self.go(*target, run, &mut runs, &mut todo),
                Terminator::Branch { cond, then, els } => {
                    let (then, els) = (*then, *els);
                    let cond = self.condition(cond, &mut run, &mut runs, at.term_span)?;
                    let mut other = run.clone();
                    other.hypotheses.push(not(cond.clone()));
                    run.hypotheses.push(cond);
                    for (target, run) in [(els, other), (then, run)] {
                        if !run.hypotheses.last().is_some_and(|h| is_truth(h, false)) {
                            self.go(target, run, &mut runs, &mut todo);
                        }
                    }
                }
                Terminator::Return(value) => {
                    self.returned(value.as_ref(), run, &mut runs, at.term_span)?;
                }
                Terminator::Exit | Terminator::ExitFreed | Terminator::Abort => {}
            }
        }
        Ok(runs)
    }

    /// On to a block, or to a loop head, where the run ends.
    fn go(&self, target: BlockId, run: Run, runs: &mut Runs, todo: &mut Vec<(BlockId, Run)>) {
        match self.heads.contains(&target) {
            true => {
                let Run { state, hypotheses } = run;
                runs.arrivals.push(Arrival { hypotheses, state, head: target });
            }
            false => todo.push((target, run)),
        }
    }

    fn returned(
        &mut self,
        value: Option<&Expr>,
        mut run: Run,
        runs: &mut Runs,
        span: Span,
    ) -> Step<()> {
        let proc = self.program.proc(self.proc);
        if let Some(value) = value {
            let value = self.expr(value, &mut run, runs, span)?;
            if let Some(ty) = self.program.types.scalar(proc.ret).and_then(logical) {
                let value = coerce(value, &ty);
                let id = self.signature.result(&ty);
                run.state.insert(id, value);
            }
        }
        if matches!(proc.contract.assigns, Assigns::Places(..))
            && self.checks.contains(CheckKind::Assigns)
        {
            return Err(Refusal::at(span, "an assigns clause"));
        }
        for clause in &proc.contract.ensures {
            if self.checks.contains(CheckKind::Postcondition) {
                let goal = self.claimed(&clause.formula, &run, clause.span)?;
                self.require(goal, CheckKind::Postcondition, clause.span, &mut run, runs);
            }
        }
        Ok(())
    }

    /// An demand, and a hypothesis from then on; neither if the check is off.
    fn require(&mut self, goal: Term, kind: CheckKind, span: Span, run: &mut Run, runs: &mut Runs) {
        if !self.checks.contains(kind) || is_truth(&goal, true) {
            return;
        }
        let hypotheses = run.hypotheses.clone();
        runs.demands.push(Demand { hypotheses, goal: goal.clone(), kind, span });
        run.hypotheses.push(goal);
    }

    fn converter(&mut self, span: Span) -> Converter<'_> {
        Converter::new(self.program, self.proc, self.signature, span)
    }

    /// A term over now, in a state.
    pub fn instantiate(&mut self, t: &Term, state: &State) -> Term {
        let replaced = replace_symbols(t, state);
        let span = self.program.proc(self.proc).span;
        self.converter(span).reduced(&replaced)
    }

    fn claimed(&mut self, formula: &Formula, run: &Run, span: Span) -> Step<Term> {
        let term = self.converter(span).claimed(formula)?;
        Ok(self.instantiate(&term, &run.state))
    }

    fn item(&mut self, item: Item, span: Span) -> Step<SymbolId> {
        let id = self.signature.item(self.program, self.proc, item, View::Now);
        id.ok_or_else(|| Refusal::at(span, "a value that is no number, truth value or object"))
    }

    fn read(&mut self, item: Item, run: &Run, span: Span) -> Step<Term> {
        let id = self.item(item, span)?;
        Ok(run.state.get(&id).cloned().unwrap_or_else(|| self.signature.term(id)))
    }

    fn write(&mut self, item: Item, value: Term, run: &mut Run, span: Span) -> Step<()> {
        let id = self.item(item, span)?;
        let ty = self.signature.symbols[id.0 as usize].ty.clone();
        run.state.insert(id, coerce(value, &ty));
        Ok(())
    }

    /// A new value of a type.
    fn any(&mut self, name: &str, scalar: Scalar, run: &mut Run, span: Span) -> Step<Term> {
        let Some(ty) = logical(scalar) else {
            return Err(Refusal::at(span, "a value that is no number, truth value or object"));
        };
        let value = self.signature.constant(name, ty);
        let typed = self.signature.typed(self.program, self.proc, &value, scalar, View::Now);
        let typed = self.instantiate(&typed, &run.state);
        run.hypotheses.push(typed);
        Ok(value)
    }

    fn instruction(&mut self, instr: &Instr, run: &mut Run, runs: &mut Runs) -> Step<()> {
        let span = instr.span;
        let no = |what: &str| Err(Refusal::at(span, what));
        match &instr.kind {
            InstrKind::Assign { dst, value } => {
                let value = self.expr(value, run, runs, span)?;
                self.write(Item::Reg(*dst), value, run, span)
            }
            InstrKind::Load { dst, addr, scalar } => {
                let (item, args) = self.place(addr, *scalar, run, runs, span)?;
                let function = self.read(item, run, span)?;
                let value = self.instantiate(&apply(function, args), &State::new());
                self.write(Item::Reg(*dst), value, run, span)
            }
            InstrKind::Store { addr, scalar, value } => {
                let (item, mut args) = self.place(addr, *scalar, run, runs, span)?;
                let value = self.expr(value, run, runs, span)?;
                let Some(ty) = logical(*scalar) else { return no("a value of this type") };
                let value = coerce(value, &ty);
                let function = self.read(item, run, span)?;
                let object = args.remove(0);
                let value = match args.pop() {
                    Some(index) => {
                        let row = apply(function.clone(), vec![object.clone()]);
                        let row = self.instantiate(&row, &State::new());
                        update(row, index, value)
                    }
                    None => value,
                };
                self.write(item, update(function, object, value), run, span)
            }
            InstrKind::Alloc { dst, size, ty: Some(ty), zeroed: true } => {
                self.allocate(*dst, size, *ty, run, runs, span)
            }
            InstrKind::Havoc { dst, scalar } => {
                let value = self.any("any", *scalar, run, span)?;
                self.write(Item::Reg(*dst), value, run, span)
            }
            InstrKind::Assume { cond: Cond::Expr(e) } => {
                let cond = self.condition(e, run, runs, span)?;
                run.hypotheses.push(cond);
                Ok(())
            }
            InstrKind::Assume { cond: Cond::Spec(f) } => {
                let term = self.converter(span).assumed(f)?;
                let term = self.instantiate(&term, &run.state);
                run.hypotheses.push(term);
                Ok(())
            }
            InstrKind::Assert { kind, cond: Cond::Expr(e) } => {
                let cond = self.condition(e, run, runs, span)?;
                self.require(cond, *kind, span, run, runs);
                Ok(())
            }
            InstrKind::Assert { kind, cond: Cond::Spec(f) } => {
                if self.checks.contains(*kind) {
                    let goal = self.claimed(f, run, span)?;
                    self.require(goal, *kind, span, run, runs);
                }
                Ok(())
            }
            InstrKind::Unsupported { reason } => no(reason),
            _ => no("an instruction that Java does not have"),
        }
    }

    /// The function that an access is about and its arguments, after the checks of the access.
    fn place(
        &mut self,
        addr: &Expr,
        scalar: Scalar,
        run: &mut Run,
        runs: &mut Runs,
        span: Span,
    ) -> Step<(Item, Vec<Term>)> {
        let Some(ty) = logical(scalar) else {
            return Err(Refusal::at(span, "memory of this type"));
        };
        match address(self.program, self.proc, addr) {
            Some(Address::Field(base, owner, offset))
                if self.program.types.as_record(owner).is_some() =>
            {
                let base = self.expr(base, run, runs, span)?;
                self.object(&base, owner, run, runs, span);
                Ok((Item::Field(owner, offset), vec![base]))
            }
            Some(Address::Element(base, index)) => {
                let Some(of) = self.pointee(base) else {
                    return Err(Refusal::at(span, "an element of something that is no array"));
                };
                let base = self.expr(base, run, runs, span)?;
                let index = coerce(self.expr(index, run, runs, span)?, &Type::Int);
                self.object(&base, of, run, runs, span);
                let length = self.signature.length();
                let length = apply(self.signature.term(length), vec![base.clone()]);
                let inside = and(vec![le(int(0), index.clone()), lt(index.clone(), length)]);
                self.require(inside, CheckKind::Bounds, span, run, runs);
                Ok((Item::Elements(elements_of(&ty)), vec![base, index]))
            }
            _ => Err(Refusal::at(span, "an address that is neither a field nor an element")),
        }
    }

    fn pointee(&self, base: &Expr) -> Option<TypeId> {
        match base {
            Expr::Reg(reg) => self.program.types.pointee(self.program.reg_type(self.proc, *reg)),
            _ => None,
        }
    }

    /// That a value is an object of a class, not null.
    fn object(&mut self, value: &Term, class: TypeId, run: &mut Run, runs: &mut Runs, span: Span) {
        let class = self.signature.class(self.program, class);
        let goal = self.signature.of_class(value, class);
        self.require(goal, CheckKind::NullDeref, span, run, runs);
    }

    fn allocate(
        &mut self,
        dst: Reg,
        size: &Expr,
        ty: TypeId,
        run: &mut Run,
        runs: &mut Runs,
        span: Span,
    ) -> Step<()> {
        let x = self.signature.constant("new", Type::Obj);
        let class = self.signature.class(self.program, ty);
        let class = self.signature.of_class(&x, class);
        let exists = self.read(Item::Allocated, run, span)?;
        run.hypotheses.push(class);
        run.hypotheses
            .push(not(self.instantiate(&element(x.clone(), exists.clone()), &State::new())));
        match self.program.types.scalar(ty) {
            Some(scalar) => {
                let Some(of) = logical(scalar) else {
                    return Err(Refusal::at(span, "an array of this type"));
                };
                let length = self.array_length(size, scalar, run, runs, span)?;
                let nonnegative = le(int(0), length.clone());
                self.require(nonnegative, CheckKind::NegativeSize, span, run, runs);
                let has = self.signature.length();
                let has = apply(self.signature.term(has), vec![x.clone()]);
                run.hypotheses.push(eq(has, length));
                let arrays = self.signature.all_arrays();
                run.hypotheses.push(element(x.clone(), self.signature.term(arrays)));
                let i = self.signature.fresh.binder("i", Type::Int);
                let row = bind(Quantifier::Lambda, vec![i], zero(&of));
                let item = Item::Elements(elements_of(&of));
                let all = self.read(item, run, span)?;
                self.write(item, update(all, x.clone(), row), run, span)?;
            }
            None => {
                let one = |l: &&trellis_program::Layout| {
                    !l.overlaps && *size == Expr::Int(i64::from(l.size))
                };
                let Some(layout) = self.program.types.layout(ty).filter(one) else {
                    return Err(Refusal::at(span, "an object of this type"));
                };
                for cell in &layout.cells {
                    let Some(of) = logical(cell.scalar) else {
                        return Err(Refusal::at(span, "an object with fields of this type"));
                    };
                    let item = Item::Field(ty, cell.offset);
                    let field = self.read(item, run, span)?;
                    self.write(item, update(field, x.clone(), zero(&of)), run, span)?;
                }
            }
        }
        let set = Type::set(Type::Obj);
        let new = op(trellis_hol::Op::Listed, vec![x.clone()], set.clone());
        let all = op(trellis_hol::Op::Union, vec![exists, new], set);
        self.write(Item::Allocated, all, run, span)?;
        self.write(Item::Reg(dst), x, run, span)
    }

    /// How many elements a new array has.
    fn array_length(
        &mut self,
        size: &Expr,
        scalar: Scalar,
        run: &mut Run,
        runs: &mut Runs,
        span: Span,
    ) -> Step<Term> {
        let bytes = i64::from(self.program.types.bytes(scalar));
        match size {
            Expr::Binary(BinOp::Mul, _, count, by) if **by == Expr::Int(bytes) => match &**count {
                Expr::Convert(kind, count) if kind.bits == 64 => {
                    Ok(coerce(self.expr(count, run, runs, span)?, &Type::Int))
                }
                _ => Err(Refusal::at(span, "an array of this size")),
            },
            Expr::Int(n) if n % bytes == 0 => Ok(int(i128::from(n / bytes))),
            _ => Err(Refusal::at(span, "an array of this size")),
        }
    }

    fn condition(&mut self, e: &Expr, run: &mut Run, runs: &mut Runs, span: Span) -> Step<Term> {
        let value = self.expr(e, run, runs, span)?;
        Ok(coerce(value, &Type::Bool))
    }

    fn expr(&mut self, e: &Expr, run: &mut Run, runs: &mut Runs, span: Span) -> Step<Term> {
        let no = |what: &str| Err(Refusal::at(span, what));
        Ok(match e {
            Expr::Int(i) => int(i128::from(*i)),
            Expr::Null => null(),
            Expr::Reg(reg) => self.read(Item::Reg(*reg), run, span)?,
            Expr::Not(a) => not(self.condition(a, run, runs, span)?),
            Expr::Cmp(by, kind, a, b) => {
                if kind.is_some_and(|k| k.bits == 64 && !k.signed) {
                    return no("a comparison of unsigned numbers");
                }
                let (a, b) = (self.expr(a, run, runs, span)?, self.expr(b, run, runs, span)?);
                match (&a.ty, &b.ty) {
                    (Type::Bool, Type::Bool) if by.is_equality() => compare(*by, a, b),
                    (Type::Obj, Type::Obj) => compare(*by, a, b),
                    (Type::Obj, _) | (_, Type::Obj) => {
                        return no("a comparison of objects and numbers");
                    }
                    _ => compare(*by, coerce(a, &Type::Int), coerce(b, &Type::Int)),
                }
            }
            Expr::Unary(UnOp::Neg, kind, a) => {
                let a = coerce(self.expr(a, run, runs, span)?, &Type::Int);
                self.fitted(op(trellis_hol::Op::Negate, vec![a], Type::Int), *kind, run)
            }
            Expr::Unary(UnOp::BitNot, kind, _) => {
                self.any("bits", Scalar::Int(*kind), run, span)?
            }
            Expr::Binary(by, kind, a, b) => {
                let (a, b) = (self.expr(a, run, runs, span)?, self.expr(b, run, runs, span)?);
                self.binary(*by, *kind, a, b, run, runs, span)?
            }
            Expr::Convert(kind, a) => {
                let a = self.expr(a, run, runs, span)?;
                match (&a.ty, kind.bits) {
                    (Type::Obj, _) => return no("an object as a number"),
                    (_, 1) => coerce(a, &Type::Bool),
                    _ => self.fitted(coerce(a, &Type::Int), *kind, run),
                }
            }
            Expr::Extent(base, _) => {
                let base = self.expr(base, run, runs, span)?;
                let arrays = self.signature.all_arrays();
                let goal = self.signature.of_class(&base, arrays);
                self.require(goal, CheckKind::NullDeref, span, run, runs);
                let length = self.signature.length();
                apply(self.signature.term(length), vec![base])
            }
            Expr::Addr(_)
            | Expr::ToPtr(_)
            | Expr::Offset(..)
            | Expr::Index { .. }
            | Expr::Diff(..) => {
                return no("arithmetic on addresses");
            }
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn binary(
        &mut self,
        by: BinOp,
        kind: IntKind,
        a: Term,
        b: Term,
        run: &mut Run,
        runs: &mut Runs,
        span: Span,
    ) -> Step<Term> {
        use trellis_hol::Op;
        if a.ty == Type::Bool && b.ty == Type::Bool {
            match by {
                BinOp::And => return Ok(and(vec![a, b])),
                BinOp::Or => return Ok(or(vec![a, b])),
                BinOp::Xor => return Ok(not(eq(a, b))),
                _ => {}
            }
        }
        if a.ty == Type::Obj || b.ty == Type::Obj {
            return Err(Refusal::at(span, "arithmetic on objects"));
        }
        let (a, b) = (coerce(a, &Type::Int), coerce(b, &Type::Int));
        let exact = match by {
            BinOp::Add => Op::Plus,
            BinOp::Sub => Op::Minus,
            BinOp::Mul => Op::Times,
            BinOp::Div | BinOp::Rem => {
                let (least, _) = range(kind);
                let overflow = and(vec![eq(b.clone(), int(-1)), eq(a.clone(), int(least))]);
                let fine = and(vec![ne(b.clone(), int(0)), not(overflow)]);
                self.require(fine, CheckKind::DivByZero, span, run, runs);
                let value = self.any("quotient", Scalar::Int(kind), run, span)?;
                let plain = and(vec![le(int(0), a.clone()), lt(int(0), b.clone())]);
                let of = if by == BinOp::Div { Op::Div } else { Op::Mod };
                let exact = op(of, vec![a, b], Type::Int);
                run.hypotheses.push(implies(plain, eq(value.clone(), exact)));
                return Ok(value);
            }
            _ => return self.any("bits", Scalar::Int(kind), run, span),
        };
        Ok(self.fitted(op(exact, vec![a, b], Type::Int), kind, run))
    }

    /// A mathematical value brought into the range of a type.
    fn fitted(&mut self, exact: Term, kind: IntKind, run: &mut Run) -> Term {
        let (least, most) = range(kind);
        if let trellis_hol::Kind::Int(i) = exact.kind
            && (least..=most).contains(&i)
        {
            return exact;
        }
        let value = self.signature.constant("n", Type::Int);
        let within = |t: &Term| and(vec![le(int(least), t.clone()), le(t.clone(), int(most))]);
        run.hypotheses.push(within(&value));
        run.hypotheses.push(implies(within(&exact), eq(value.clone(), exact)));
        value
    }
}

/// A value as one of a type: truth values are 0 and 1, objects are true if they are not null.
fn coerce(value: Term, ty: &Type) -> Term {
    match (&value.ty, ty) {
        (Type::Int, Type::Bool) => match value.kind {
            trellis_hol::Kind::Int(i) => truth(i != 0),
            _ => ne(value, int(0)),
        },
        (Type::Obj, Type::Bool) => ne(value, null()),
        (Type::Bool, Type::Int) => ite(value, int(1), int(0)),
        _ => value,
    }
}

fn zero(ty: &Type) -> Term {
    match ty {
        Type::Obj => null(),
        Type::Int => int(0),
        _ => truth(false),
    }
}
