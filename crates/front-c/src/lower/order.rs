//! Operands whose order C leaves open: those of `+` or `==`, the arguments of a call, the two sides
//! of an assignment.
//!
//! They are lowered from left to right, as one compiler may do; another one goes from right to left.
//! Where that could be told apart, because one operand writes what another one reads or writes, the
//! place is outside the subset.
//!
//! What a call does is known only when all bodies are lowered, so expressions with calls are looked
//! at in the end. Memory is told apart by the size and kind of what is read and written, and by
//! places with the same base; what a procedure has allocated itself is nobody else's business.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::ir::{
    Body, Expr, GlobalId, Instr, InstrKind, ProcId, Procedure, Reg, Storage, Var, VarId,
};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::types::Scalar;

use super::Lower;
use super::builder::Mark;

const REASON: &str = "an expression whose meaning depends on the order of evaluation";

/// A piece of memory as far as accesses are told apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Piece {
    Pointer,
    /// A number of so many bytes.
    Number(u32),
    /// Any of it.
    All,
}

/// An access to memory: what, and where, if that is a variable and a number of bytes.
#[derive(Clone, Debug)]
struct Access {
    piece: Piece,
    at: Option<(Expr, i64)>,
    bytes: i64,
}

impl Access {
    fn scalar(addr: &Expr, scalar: Scalar) -> Access {
        let piece = match scalar {
            Scalar::Ptr(_) => Piece::Pointer,
            _ => Piece::Number(scalar.bytes()),
        };
        let (base, offset) = match addr {
            Expr::Offset(base, by) => (&**base, *by),
            base => (base, 0),
        };
        let named = matches!(base, Expr::Reg(_) | Expr::Addr(_));
        let at = named.then(|| (base.clone(), offset));
        Access { piece, at, bytes: i64::from(scalar.bytes()) }
    }

    fn all() -> Access {
        Access { piece: Piece::All, at: None, bytes: 0 }
    }

    fn meets(&self, other: &Access) -> bool {
        if let (Some((a, i)), Some((b, j))) = (&self.at, &other.at) {
            if a == b {
                return i < &(j + other.bytes) && j < &(i + self.bytes);
            }
            if matches!((a, b), (Expr::Addr(_), Expr::Addr(_))) {
                return false;
            }
        }
        meet(&self.piece, &other.piece)
    }
}

fn meet(a: &Piece, b: &Piece) -> bool {
    a == b || *a == Piece::All || *b == Piece::All
}

/// What an operand does, calls aside.
#[derive(Clone, Debug, Default)]
struct Effects {
    reads: BTreeSet<Reg>,
    writes: BTreeSet<Reg>,
    loads: Vec<Access>,
    stores: Vec<Access>,
    calls: Vec<(ProcId, Span)>,
}

impl Effects {
    fn instr(&mut self, instr: &Instr) {
        let kind = &instr.kind;
        kind.exprs().for_each(|e| self.reads(e));
        self.writes.extend(kind.dst());
        match kind {
            InstrKind::Load { addr, scalar, .. } => self.loads.push(Access::scalar(addr, *scalar)),
            InstrKind::Store { addr, scalar, .. } => {
                self.stores.push(Access::scalar(addr, *scalar));
            }
            InstrKind::Copy { .. } => {
                self.loads.push(Access::all());
                self.stores.push(Access::all());
            }
            InstrKind::Fill { .. } | InstrKind::Free { .. } => self.stores.push(Access::all()),
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

    /// Forgets registers that the front end made for this operand alone.
    fn without_temporaries(mut self, vars: &[Var]) -> Effects {
        let of_user = |r: &Reg| !matches!(r, Reg::Local(v) if vars[v.0 as usize].is_temp);
        self.reads.retain(of_user);
        self.writes.retain(of_user);
        self
    }

    /// Whether the order matters, whatever is called.
    fn disturbs(&self, other: &Effects) -> bool {
        let meets = |a: &Access| other.loads.iter().chain(&other.stores).any(|b| a.meets(b));
        self.writes.iter().any(|r| other.reads.contains(r) || other.writes.contains(r))
            || self.stores.iter().any(meets)
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
        let pieces = |list: &[Access]| list.iter().map(|a| a.piece.clone()).collect();
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
        self.loads.extend(other.loads.iter().cloned());
        self.stores.extend(other.stores.iter().cloned());
    }

    fn disturbs(&self, other: &Summary) -> bool {
        let meets = |a: &Piece| other.loads.iter().chain(&other.stores).any(|b| meet(a, b));
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
    /// expression if another order could be told apart. `of` are the values that came out.
    pub fn unsequenced(&mut self, operands: &[(Mark, Option<&Expr>)], span: Span) {
        if self.f.is_scratch || operands.len() < 2 {
            return;
        }
        let ends = operands.iter().skip(1).map(|o| o.0).chain([self.f.builder.mark()]);
        let effects: Vec<Effects> = operands
            .iter()
            .zip(ends)
            .map(|(&(from, value), to)| {
                let mut effects = Effects::default();
                self.f.builder.emitted(from, to, |i| effects.instr(i), |_| ());
                let mut conditions = Vec::new();
                self.f.builder.emitted(from, to, |_| (), |e| conditions.push(e.clone()));
                conditions.iter().chain(value).for_each(|e| effects.reads(e));
                effects.without_temporaries(&self.f.vars)
            })
            .collect();
        if pairs(&effects).any(|(a, b)| a.disturbs(b) || b.disturbs(a)) {
            self.unsupported(span, REASON);
        } else if let Some(&(_, call)) = effects.iter().flat_map(|e| &e.calls).next() {
            self.f.doubts.push(Doubt { proc: ProcId(0), call, operands: effects });
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
        let summaries = summaries(&self.procs, self.globals.len() as u32);
        for doubt in doubts {
            let all: Vec<Summary> =
                doubt.operands.iter().map(|e| Summary::of(e, &summaries)).collect();
            if pairs(&all).any(|(a, b)| a.disturbs(b) || b.disturbs(a)) {
                self.refuse_at(doubt.proc, doubt.call);
            }
        }
    }

    /// A call in a finished body is outside the subset.
    fn refuse_at(&mut self, proc: ProcId, call: Span) {
        let Some(body) = &mut self.procs[proc.0 as usize].body else { return };
        for block in &mut body.blocks {
            let is_call = |i: &Instr| i.kind.callee().is_some() && i.span == call;
            if let Some(i) = block.instrs.iter().position(is_call) {
                let kind = InstrKind::Unsupported { reason: REASON.to_owned() };
                block.instrs.insert(i, Instr { kind, span: call });
                let message = format!("not supported: {REASON}");
                self.diagnostics.push(Diagnostic::unsupported(call, message));
                return;
            }
        }
    }
}

fn pairs<T>(list: &[T]) -> impl Iterator<Item = (&T, &T)> {
    list.iter().enumerate().flat_map(move |(i, a)| list[i + 1..].iter().map(move |b| (a, b)))
}

/// What every procedure does, as a least fixed point.
fn summaries(procs: &[Procedure], globals: u32) -> Vec<Summary> {
    let makers = makers(procs);
    let direct: Vec<Option<Effects>> =
        procs.iter().map(|p| p.body.as_ref().map(|b| outer_effects(p, b, &makers))).collect();
    // What a contract stands for may look at everything.
    let reader = Summary {
        reads: (0..globals).map(GlobalId).collect(),
        loads: BTreeSet::from([Piece::All]),
        ..Summary::default()
    };
    let mut all = vec![Summary::default(); procs.len()];
    loop {
        let next: Vec<Summary> = direct
            .iter()
            .map(|d| d.as_ref().map_or_else(|| reader.clone(), |e| Summary::of(e, &all)))
            .collect();
        if next == all {
            return all;
        }
        all = next;
    }
}

/// What a body does beside calls, to its own variables and to what it has just allocated.
fn outer_effects(proc: &Procedure, body: &Body, makers: &BTreeSet<usize>) -> Effects {
    let fresh = fresh_variables(proc, body, makers);
    let mut effects = Effects::default();
    for block in &body.blocks {
        block.instrs.iter().for_each(|i| effects.instr(i));
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

/// The procedures that return new memory or null only.
fn makers(procs: &[Procedure]) -> BTreeSet<usize> {
    let mut makers: BTreeSet<usize> = (0..procs.len()).collect();
    loop {
        let makes = |i: &usize| {
            let Some(body) = &procs[*i].body else { return false };
            let fresh = fresh_variables(&procs[*i], body, &makers);
            let is_new = |e: &Expr| is_fresh(e, &fresh);
            body.blocks.iter().all(|b| match &b.term {
                trellis_program::Terminator::Return(Some(e)) => is_new(e),
                _ => true,
            })
        };
        let next: BTreeSet<usize> = makers.iter().copied().filter(makes).collect();
        if next == makers {
            return makers;
        }
        makers = next;
    }
}

/// The registers of a procedure that never hold anything but new memory, its locals, or null.
fn fresh_variables(proc: &Procedure, body: &Body, makers: &BTreeSet<usize>) -> BTreeSet<VarId> {
    let mut defined: BTreeMap<VarId, Vec<&InstrKind>> = BTreeMap::new();
    for instr in body.instrs() {
        if let Some(Reg::Local(v)) = instr.kind.dst() {
            defined.entry(v).or_default().push(&instr.kind);
        }
    }
    let candidates = (proc.params..proc.vars.len())
        .filter(|v| proc.vars[*v].storage == Storage::Register)
        .map(|v| VarId(v as u32));
    let mut fresh: BTreeSet<VarId> = candidates.collect();
    loop {
        let holds = |kind: &&InstrKind| match kind {
            InstrKind::Alloc { .. } => true,
            InstrKind::Call { proc, .. } => makers.contains(&(proc.0 as usize)),
            InstrKind::Assign { value, .. } => is_fresh(value, &fresh),
            _ => false,
        };
        let next: BTreeSet<VarId> = fresh
            .iter()
            .copied()
            .filter(|v| defined.get(v).is_none_or(|kinds| kinds.iter().all(holds)))
            .collect();
        if next == fresh {
            return fresh;
        }
        fresh = next;
    }
}

fn is_fresh(e: &Expr, fresh: &BTreeSet<VarId>) -> bool {
    match e {
        Expr::Null | Expr::Addr(Reg::Local(_)) => true,
        Expr::Reg(Reg::Local(v)) => fresh.contains(v),
        Expr::Offset(base, _) => is_fresh(base, fresh),
        _ => false,
    }
}
