//! Operands whose order C leaves open: those of `+` or `==`, the arguments of a call, the two sides
//! of an assignment.
//!
//! They are lowered from left to right, as one compiler may do; another one goes from right to left.
//! Where that could be told apart, because one operand writes what another one reads or writes, the
//! place is outside the subset, unless only whole calls disturb each other: these are made in every
//! order ([`super::reorder`]); or only pointers in memory, at addresses that the program can compare
//! (`(*t)->left = (*t)->right = NULL`): then it is outside where they are the same.
//!
//! What a call does is known only when all bodies are lowered, so expressions with calls are looked
//! at in the end. What a procedure has allocated itself is nobody else's business, and neither is what
//! the front end makes for one operand.

use std::collections::BTreeSet;

use trellis_program::ir::{
    Body, CmpOp, Expr, Global, GlobalId, Instr, InstrKind, ProcId, Procedure, Reg, Terminator, Var,
};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::Assigns;
use trellis_program::types::{IntKind, Type, TypeTable};

use super::Lower;
use super::access::{Access, Declared, Piece};
use super::builder::Mark;
use super::fresh::{Fresh, fresh_variables, makers};
use super::reorder;

const REASON: &str = "an expression whose meaning depends on the order of evaluation";

/// Outside of the subset, but only if the program gets there.
pub const SHARED: &str = "operands that write and read one place in memory";

/// What an operand does, calls aside.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    reads: BTreeSet<Reg>,
    writes: BTreeSet<Reg>,
    loads: Vec<Access>,
    stores: Vec<Access>,
    calls: Vec<(ProcId, Span)>,
}

impl Effects {
    fn instr(&mut self, instr: &Instr, declared: Declared<'_>) {
        let kind = &instr.kind;
        kind.exprs().for_each(|e| self.reads(e));
        self.writes.extend(kind.dst());
        match kind {
            InstrKind::Load { addr, scalar, .. } => {
                self.loads.push(Access::scalar(addr, *scalar, declared));
            }
            InstrKind::Store { addr, scalar, .. } => {
                self.stores.push(Access::scalar(addr, *scalar, declared));
            }
            InstrKind::Copy { dst, src, size, .. } => {
                self.loads.push(Access::block(src, Some(size), declared));
                self.stores.push(Access::block(dst, Some(size), declared));
            }
            InstrKind::Fill { dst, size, .. } => {
                self.stores.push(Access::block(dst, Some(size), declared));
            }
            InstrKind::Free { ptr } => self.stores.push(Access::block(ptr, None, declared)),
            InstrKind::Call { proc, .. } => self.calls.push((*proc, instr.span)),
            _ => {}
        }
    }

    fn reads(&mut self, e: &Expr) {
        e.visit(&mut |e| {
            if let Expr::Reg(r) = e {
                self.reads.insert(*r);
            }
        });
    }

    fn is_nothing(&self) -> bool {
        self.only_reads() && self.reads.is_empty() && self.loads.is_empty()
    }

    fn only_reads(&self) -> bool {
        self.writes.is_empty() && self.stores.is_empty() && self.calls.is_empty()
    }

    /// Forgets registers and objects that the front end made for this operand alone.
    fn without_temporaries(mut self, vars: &[Var]) -> Effects {
        let of_user = |r: &Reg| !matches!(r, Reg::Local(v) if vars[v.0 as usize].is_temp);
        self.reads.retain(of_user);
        self.writes.retain(of_user);
        let outside = |a: &Access| match &a.at {
            Some((Expr::Addr(r), _)) => of_user(r),
            _ => true,
        };
        self.loads.retain(outside);
        self.stores.retain(outside);
        self
    }

    /// Whether the order matters, whatever is called.
    fn disturbs(&self, other: &Effects, types: &TypeTable) -> bool {
        let touched = || other.loads.iter().chain(&other.stores);
        let meets = |a: &Access| touched().any(|b| a.meets(b, types));
        self.writes.iter().any(|r| other.reads.contains(r) || other.writes.contains(r))
            || self.stores.iter().any(meets)
    }

    /// The pairs of addresses that must not be equal for the order not to matter; `None` if it may
    /// matter anyway.
    fn must_differ(&self, other: &Effects, types: &TypeTable) -> Option<Vec<(Expr, Expr)>> {
        let kept = |r: &Reg| !self.writes.contains(r) && !other.writes.contains(r);
        if self.writes.iter().any(|r| other.reads.contains(r) || other.writes.contains(r)) {
            return None;
        }
        let touched = || other.loads.iter().chain(&other.stores);
        let met = self
            .stores
            .iter()
            .flat_map(|a| touched().filter(|b| a.meets(b, types)).map(move |b| (a, b)));
        let address = |a: &Access| {
            a.pointer_at().filter(|(base, _)| match base {
                Expr::Reg(r) => kept(r),
                _ => true,
            })
        };
        let whole = |(base, off): (Expr, i64)| Expr::Offset(Box::new(base), off);
        met.map(|(a, b)| Some((whole(address(a)?), whole(address(b)?)))).collect()
    }
}

/// What a procedure does to its surroundings, its callees included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Summary {
    reads: BTreeSet<GlobalId>,
    writes: BTreeSet<GlobalId>,
    loads: BTreeSet<Piece>,
    stores: BTreeSet<Piece>,
}

impl Summary {
    fn of(effects: &Effects, summaries: &[Summary]) -> Summary {
        let globals = |regs: &BTreeSet<Reg>| {
            let global = |r: &Reg| match r {
                Reg::Global(g) => Some(*g),
                Reg::Local(_) => None,
            };
            regs.iter().filter_map(global).collect()
        };
        let pieces = |list: &[Access]| list.iter().map(|a| a.piece).collect();
        let mut all = Summary {
            reads: globals(&effects.reads),
            writes: globals(&effects.writes),
            loads: pieces(&effects.loads),
            stores: pieces(&effects.stores),
        };
        for (callee, _) in &effects.calls {
            all.add(&summaries[callee.0 as usize]);
        }
        all
    }

    fn add(&mut self, other: &Summary) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.loads.extend(&other.loads);
        self.stores.extend(&other.stores);
    }

    fn disturbs(&self, other: &Summary, types: &TypeTable) -> bool {
        let touched = || other.loads.iter().chain(&other.stores);
        let meets = |a: &Piece| touched().any(|b| a.meets(*b, types));
        self.writes.iter().any(|g| other.reads.contains(g) || other.writes.contains(g))
            || self.stores.iter().any(meets)
    }
}

/// An expression with calls in a procedure, to be looked at when all bodies are known.
#[derive(Debug)]
pub struct Doubt {
    proc: ProcId,
    /// One of the calls.
    call: Span,
    operands: Vec<Effects>,
}

impl Doubt {
    /// The same in a procedure.
    pub fn of(self, proc: ProcId) -> Doubt {
        Doubt { proc, ..self }
    }
}

impl<'a> Lower<'a> {
    /// Operands were lowered one after the other, each from its mark to the next one's: refuses the
    /// expression if another order could be told apart. With each comes the value that it has.
    pub fn unsequenced(&mut self, operands: &[(Mark, Option<&Expr>)], span: Span) {
        let ends = operands.iter().skip(1).map(|o| o.0).chain([self.f.builder.mark()]);
        let effects =
            operands.iter().zip(ends).map(|(o, end)| self.effects(o.0, end, o.1)).collect();
        self.in_any_order(effects, span);
    }

    /// What the code between two marks does, and the value that came out.
    pub fn effects(&self, from: Mark, to: Mark, value: Option<&Expr>) -> Effects {
        let mut effects = Effects::default();
        let declared = Declared { types: &self.types, vars: &self.f.vars, globals: &self.globals };
        self.f.builder.emitted(from, to, |i| effects.instr(i, declared), |_| ());
        let mut conditions = Vec::new();
        self.f.builder.emitted(from, to, |_| (), |e| conditions.push(e.clone()));
        conditions.iter().chain(value).for_each(|e| effects.reads(e));
        effects.without_temporaries(&self.f.vars)
    }

    /// Refuses an expression if the order of its operands could be told apart.
    pub fn in_any_order(&mut self, mut operands: Vec<Effects>, span: Span) {
        operands.retain(|e| !e.is_nothing());
        if self.f.is_scratch || operands.len() < 2 || operands.iter().all(Effects::only_reads) {
            return;
        }
        let disturbs =
            |(a, b): (&Effects, &Effects)| a.disturbs(b, &self.types) || b.disturbs(a, &self.types);
        if pairs(&operands).any(disturbs) {
            let both = |(a, b): (&Effects, &Effects)| {
                let (mut there, back) =
                    (a.must_differ(b, &self.types)?, b.must_differ(a, &self.types)?);
                there.extend(back);
                Some(there)
            };
            let apart: Option<Vec<Vec<(Expr, Expr)>>> = pairs(&operands).map(both).collect();
            match apart.filter(|_| operands.iter().all(|e| e.calls.is_empty())) {
                Some(all) => self.unless_equal(all.into_iter().flatten().collect(), span),
                None => {
                    self.unsupported(span, REASON);
                }
            }
        } else if let Some(&(_, call)) = operands.iter().flat_map(|e| &e.calls).next() {
            self.f.doubts.push(Doubt { proc: ProcId(0), call, operands });
        }
    }

    /// Goes on if no two addresses are equal; else it is outside the subset.
    fn unless_equal(&mut self, mut addresses: Vec<(Expr, Expr)>, span: Span) {
        addresses.dedup();
        for (a, b) in addresses {
            let (equal, apart) = (self.f.builder.block(), self.f.builder.block());
            let cond = Expr::Cmp(CmpOp::Eq, None, Box::new(a), Box::new(b));
            self.f.builder.end(Terminator::Branch { cond, then: equal, els: apart }, span);
            self.f.builder.start(equal, span);
            self.unsupported(span, SHARED);
            self.f.builder.end(Terminator::Abort, span);
            self.f.builder.start(apart, span);
        }
    }

    /// Refuses the code of an item of an initialiser, from a mark on, if it looks at the object that
    /// is being initialised, or takes that address anywhere but as its value (`read`: the place that
    /// the value is copied from). Where the item is evaluated `again`, or overwritten by another one,
    /// C does not say how often it is, so it must not matter.
    pub fn check_item(
        &mut self,
        from: Mark,
        object: &Expr,
        read: Option<&Expr>,
        again: bool,
        span: Span,
    ) {
        let mut mentioned = false;
        let mut look = |e: &Expr| e.visit(&mut |e| mentioned |= e == object);
        read.into_iter().for_each(&mut look);
        let to = self.f.builder.mark();
        let mut changes = false;
        self.f.builder.emitted(
            from,
            to,
            |i| {
                i.kind.exprs().for_each(&mut look);
                let temporary =
                    |r: Reg| matches!(r, Reg::Local(v) if self.f.vars[v.0 as usize].is_temp);
                changes |= match &i.kind {
                    InstrKind::Load { dst, .. } | InstrKind::Assign { dst, .. } => !temporary(*dst),
                    _ => true,
                };
            },
            |_| (),
        );
        if mentioned || (again && changes) {
            self.unsupported(span, REASON);
        }
    }

    /// Refuses an assignment to a register that the code since a mark writes, too.
    pub fn written_once(&mut self, target: Reg, since: Mark, span: Span) {
        let mut writes = false;
        let note = |i: &Instr| writes |= i.kind.dst() == Some(target);
        self.f.builder.emitted(since, self.f.builder.mark(), note, |_| ());
        if writes {
            self.unsupported(span, REASON);
        }
    }

    /// Refuses expressions whose operands call procedures that disturb each other.
    pub fn settle_doubts(&mut self) {
        let doubts = std::mem::take(&mut self.doubts);
        if doubts.is_empty() {
            return;
        }
        let summaries = summaries(&self.types, &self.procs, &self.globals);
        for doubt in doubts {
            let all: Vec<Summary> =
                doubt.operands.iter().map(|e| Summary::of(e, &summaries)).collect();
            let disturbs = |(a, b): (&Summary, &Summary)| {
                a.disturbs(b, &self.types) || b.disturbs(a, &self.types)
            };
            if pairs(&all).any(disturbs) {
                let calls = self.whole_calls(&doubt, &all, &summaries);
                let procedure = &mut self.procs[doubt.proc.0 as usize];
                let truth = self.types.intern(Type::Int(IntKind::BOOL));
                if !calls.is_some_and(|c| reorder::in_every_order(procedure, &c, truth)) {
                    self.refuse_at(doubt.proc, doubt.call);
                }
            }
        }
    }

    /// The calls whose order is all that can be told apart: one an operand, which disturbs nothing
    /// else of any operand and is not disturbed by it.
    fn whole_calls(
        &self,
        doubt: &Doubt,
        all: &[Summary],
        summaries: &[Summary],
    ) -> Option<Vec<Span>> {
        let beside = |e: &Effects| Effects { calls: Vec::new(), ..e.clone() };
        let others: Vec<Summary> =
            doubt.operands.iter().map(|e| Summary::of(&beside(e), summaries)).collect();
        let apart =
            |a: &Summary, b: &Summary| !a.disturbs(b, &self.types) && !b.disturbs(a, &self.types);
        let are_apart = others.iter().all(|o| all.iter().all(|a| apart(o, a)));
        let one_each = doubt.operands.iter().all(|e| e.calls.len() <= 1);
        let calls = doubt.operands.iter().flat_map(|e| &e.calls).map(|(_, span)| *span);
        (are_apart && one_each).then(|| calls.collect())
    }

    /// A call in a finished body is outside the subset, wherever it was copied to.
    fn refuse_at(&mut self, proc: ProcId, call: Span) {
        let Some(body) = &mut self.procs[proc.0 as usize].body else { return };
        let mut refused = false;
        for block in &mut body.blocks {
            let is_call = |i: &Instr| i.kind.callee().is_some() && i.span == call;
            if let Some(i) = block.instrs.iter().position(is_call) {
                let kind = InstrKind::Unsupported { reason: REASON.to_owned() };
                block.instrs.insert(i, Instr { kind, span: call });
                refused = true;
            }
        }
        if refused {
            let message = format!("not supported: {REASON}");
            self.diagnostics.push(Diagnostic::unsupported(call, message));
        }
    }
}

fn pairs<T>(list: &[T]) -> impl Iterator<Item = (&T, &T)> {
    list.iter().enumerate().flat_map(move |(i, a)| list[i + 1..].iter().map(move |b| (a, b)))
}

/// What every procedure does, as a least fixed point.
fn summaries(types: &TypeTable, procs: &[Procedure], globals: &[Global]) -> Vec<Summary> {
    let makers = makers(procs);
    let effects = |p: &Procedure| {
        let declared = Declared { types, vars: &p.vars, globals };
        p.body.as_ref().map(|b| outer_effects(p, b, declared, &makers))
    };
    let direct: Vec<Option<Effects>> = procs.iter().map(effects).collect();
    // What a contract stands for may look at everything, unless it says nothing at all.
    let reader = Summary {
        reads: (0..globals.len() as u32).map(GlobalId).collect(),
        loads: BTreeSet::from([Piece::ANY]),
        ..Summary::default()
    };
    let mut all = vec![Summary::default(); procs.len()];
    loop {
        let next: Vec<Summary> = direct
            .iter()
            .zip(procs)
            .map(|(direct, proc)| match direct {
                Some(effects) => Summary::of(effects, &all),
                None if is_any_number(types, proc) => Summary::default(),
                None => reader.clone(),
            })
            .collect();
        if next == all {
            return all;
        }
        all = next;
    }
}

/// What a body does beside calls, to its own variables and to what it has just allocated.
fn outer_effects(
    proc: &Procedure,
    body: &Body,
    declared: Declared<'_>,
    makers: &BTreeSet<usize>,
) -> Effects {
    let fresh = fresh_variables(proc, body, makers, Fresh::Own);
    let mut effects = Effects::default();
    for block in &body.blocks {
        block.instrs.iter().for_each(|i| effects.instr(i, declared));
        block.term.expr().into_iter().for_each(|e| effects.reads(e));
    }
    let is_outer = |a: &Access| match &a.at {
        Some((Expr::Reg(Reg::Local(v)), _)) => !fresh.contains(v),
        Some((Expr::Addr(Reg::Local(_)), _)) => false,
        _ => true,
    };
    effects.loads.retain(is_outer);
    effects.stores.retain(is_outer);
    effects
}

/// Whether calls of a procedure without a body are a choice of any number and nothing else.
fn is_any_number(types: &TypeTable, proc: &Procedure) -> bool {
    let contract = &proc.contract;
    matches!(&contract.assigns, Assigns::Places(places, _) if places.is_empty())
        && contract.requires.is_empty()
        && contract.ensures.is_empty()
        && types.scalar(proc.ret).is_none_or(|s| !s.is_ptr())
}
