//! Operands whose order C leaves open: those of `+` or `==`, the arguments of a call, the two sides
//! of an assignment.
//!
//! They are lowered from left to right, as one compiler may do; another one goes from right to left.
//! Where that could be told apart, because one operand writes what another one reads or writes, the
//! place is outside the subset.
//!
//! What a call does is known only when all bodies are lowered, so expressions with calls are looked
//! at in the end. Memory is told apart by the size and kind of what is read and written, by the member
//! of a struct that it is, and by places with the same base; what a procedure has allocated itself is
//! nobody else's business.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::ir::{
    Body, Expr, Global, GlobalId, Instr, InstrKind, ProcId, Procedure, Reg, Storage, Var, VarId,
};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::types::{RecordId, Scalar, Type, TypeId, TypeTable};

use super::Lower;
use super::builder::Mark;

const REASON: &str = "an expression whose meaning depends on the order of evaluation";

/// The shape of what is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shape {
    Pointer,
    /// A number of so many bytes.
    Number(u32),
    /// Anything.
    Any,
}

/// A piece of memory as far as accesses of different procedures are told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Piece {
    shape: Shape,
    /// The struct that it was reached by, and the byte in it.
    field: Option<(RecordId, i64)>,
}

impl Piece {
    const ANY: Piece = Piece { shape: Shape::Any, field: None };

    fn meets(self, other: Piece, types: &TypeTable) -> bool {
        let shapes =
            self.shape == other.shape || self.shape == Shape::Any || other.shape == Shape::Any;
        let fields = match (self.field, other.field) {
            // Two structs of one type are the same or apart.
            (Some((r, i)), Some((s, j))) if r == s => i == j,
            (Some((r, _)), Some((s, _))) => related(types, r, s),
            _ => true,
        };
        shapes && fields
    }
}

/// Whether a record may lie in another one, or both in a third one in which members share memory.
fn related(types: &TypeTable, a: RecordId, b: RecordId) -> bool {
    let inside = |outer, inner| parts(types, outer).contains(&inner);
    inside(a, b)
        || inside(b, a)
        || types.records().any(|(r, record)| record.is_union && inside(r, a) && inside(r, b))
}

/// The records that are members of a record, and those of these.
fn parts(types: &TypeTable, record: RecordId) -> BTreeSet<RecordId> {
    let (mut found, mut todo) = (BTreeSet::new(), vec![record]);
    while let Some(r) = todo.pop() {
        for field in &types.record(r).fields {
            let mut ty = field.ty;
            while let Type::Array(element, _) = types.get(ty) {
                ty = *element;
            }
            if let Some(part) = types.as_record(ty)
                && found.insert(part)
            {
                todo.push(part);
            }
        }
    }
    found
}

fn has_union(types: &TypeTable, record: RecordId) -> bool {
    let is_union = |r: &RecordId| types.record(*r).is_union;
    is_union(&record) || parts(types, record).iter().any(is_union)
}

/// What the registers of a body are.
#[derive(Clone, Copy)]
struct Scope<'s> {
    types: &'s TypeTable,
    vars: &'s [Var],
    globals: &'s [Global],
}

impl Scope<'_> {
    fn ty(self, reg: Reg) -> TypeId {
        match reg {
            Reg::Local(v) => self.vars[v.0 as usize].ty,
            Reg::Global(g) => self.globals[g.0 as usize].ty,
        }
    }

    /// The record at an address, by the type of the variable that leads there.
    fn record(self, base: &Expr) -> Option<RecordId> {
        match base {
            Expr::Reg(r) => self.types.as_record(self.types.pointee(self.ty(*r))?),
            Expr::Addr(r) => self.types.as_record(self.ty(*r)),
            _ => None,
        }
    }
}

/// An access to memory: what, and where, if that is a variable and a number of bytes.
#[derive(Clone, Debug)]
struct Access {
    piece: Piece,
    at: Option<(Expr, i64)>,
    bytes: i64,
}

impl Access {
    fn scalar(addr: &Expr, scalar: Scalar, scope: Scope<'_>) -> Access {
        let shape = match scalar {
            Scalar::Ptr(_) => Shape::Pointer,
            _ => Shape::Number(scalar.bytes()),
        };
        let (base, offset) = match addr {
            Expr::Offset(base, by) => (&**base, *by),
            base => (base, 0),
        };
        let named = matches!(base, Expr::Reg(_) | Expr::Addr(_));
        let at = named.then(|| (base.clone(), offset));
        let bytes = i64::from(scalar.bytes());
        let piece = match scope.record(base) {
            // The members of a union have any shape.
            Some(r) if has_union(scope.types, r) => Piece::ANY,
            Some(r) if offset >= 0 && offset + bytes <= scope.types.record(r).size.into() => {
                Piece { shape, field: Some((r, offset)) }
            }
            _ => Piece { shape, field: None },
        };
        Access { piece, at, bytes }
    }

    fn any() -> Access {
        Access { piece: Piece::ANY, at: None, bytes: 0 }
    }

    fn meets(&self, other: &Access, types: &TypeTable) -> bool {
        if let (Some((a, i)), Some((b, j))) = (&self.at, &other.at) {
            if a == b {
                return i < &(j + other.bytes) && j < &(i + self.bytes);
            }
            if matches!((a, b), (Expr::Addr(_), Expr::Addr(_))) {
                return false;
            }
        }
        self.piece.meets(other.piece, types)
    }
}

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
    fn instr(&mut self, instr: &Instr, scope: Scope<'_>) {
        let kind = &instr.kind;
        kind.exprs().for_each(|e| self.reads(e));
        self.writes.extend(kind.dst());
        match kind {
            InstrKind::Load { addr, scalar, .. } => {
                self.loads.push(Access::scalar(addr, *scalar, scope));
            }
            InstrKind::Store { addr, scalar, .. } => {
                self.stores.push(Access::scalar(addr, *scalar, scope));
            }
            InstrKind::Copy { .. } => {
                self.loads.push(Access::any());
                self.stores.push(Access::any());
            }
            InstrKind::Fill { .. } | InstrKind::Free { .. } => self.stores.push(Access::any()),
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

    /// Forgets registers that the front end made for this operand alone.
    fn without_temporaries(mut self, vars: &[Var]) -> Effects {
        let of_user = |r: &Reg| !matches!(r, Reg::Local(v) if vars[v.0 as usize].is_temp);
        self.reads.retain(of_user);
        self.writes.retain(of_user);
        self
    }

    /// Whether the order matters, whatever is called.
    fn disturbs(&self, other: &Effects, types: &TypeTable) -> bool {
        let touched = || other.loads.iter().chain(&other.stores);
        let meets = |a: &Access| touched().any(|b| a.meets(b, types));
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
        let scope = Scope { types: &self.types, vars: &self.f.vars, globals: &self.globals };
        self.f.builder.emitted(from, to, |i| effects.instr(i, scope), |_| ());
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
            self.unsupported(span, REASON);
        } else if let Some(&(_, call)) = operands.iter().flat_map(|e| &e.calls).next() {
            self.f.doubts.push(Doubt { proc: ProcId(0), call, operands });
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
fn summaries(types: &TypeTable, procs: &[Procedure], globals: &[Global]) -> Vec<Summary> {
    let makers = makers(procs);
    let effects = |p: &Procedure| {
        let scope = Scope { types, vars: &p.vars, globals };
        p.body.as_ref().map(|b| outer_effects(p, b, scope, &makers))
    };
    let direct: Vec<Option<Effects>> = procs.iter().map(effects).collect();
    // What a contract stands for may look at everything.
    let reader = Summary {
        reads: (0..globals.len() as u32).map(GlobalId).collect(),
        loads: BTreeSet::from([Piece::ANY]),
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
fn outer_effects(
    proc: &Procedure,
    body: &Body,
    scope: Scope<'_>,
    makers: &BTreeSet<usize>,
) -> Effects {
    let fresh = fresh_variables(proc, body, makers, Fresh::Own);
    let mut effects = Effects::default();
    for block in &body.blocks {
        block.instrs.iter().for_each(|i| effects.instr(i, scope));
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
            let fresh = fresh_variables(&procs[*i], body, &makers, Fresh::Own);
            let is_new = |e: &Expr| is_fresh(e, &fresh, Fresh::Own);
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

/// What nobody outside a procedure has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fresh {
    /// New memory.
    Allocated,
    /// New memory and the locals of the procedure.
    Own,
}

/// The registers of a procedure that never hold anything else, null aside.
pub fn fresh_variables(
    proc: &Procedure,
    body: &Body,
    makers: &BTreeSet<usize>,
    what: Fresh,
) -> BTreeSet<VarId> {
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
            InstrKind::Assign { value, .. } => is_fresh(value, &fresh, what),
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

fn is_fresh(e: &Expr, fresh: &BTreeSet<VarId>, what: Fresh) -> bool {
    match e {
        Expr::Null => true,
        Expr::Addr(Reg::Local(_)) => what == Fresh::Own,
        Expr::Reg(Reg::Local(v)) => fresh.contains(v),
        Expr::Offset(base, _) => is_fresh(base, fresh, what),
        _ => false,
    }
}
