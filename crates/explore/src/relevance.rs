//! Which parts of an initial heap can influence a run.
//!
//! An integer cell that no code and no contract reads need not be enumerated: one value stands for
//! all. The analysis goes by offset and width only, and gives up (everything of that width is
//! relevant) where an address is not a variable plus a constant.

use std::collections::BTreeSet;

use trellis_program::spec::{Assigns, AssignsItem, Derived, Formula, Term};
use trellis_program::{
    CmpOp, Cond, Expr, InstrKind, ProcId, Program, Reg, Scalar, Terminator, TypeId, cfg,
};

/// What matters.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// Byte offset and width of integer reads from records.
    fields: BTreeSet<(u32, u32)>,
    /// Widths at which any integer may be read.
    widths: BTreeSet<u32>,
    /// Globals mentioned.
    globals: BTreeSet<u32>,
    /// Parameters of the analysed procedure that are mentioned.
    params: BTreeSet<u32>,
    /// Constants that integers are compared with.
    constants: BTreeSet<i64>,
    /// Widths of integer stores; whether they matter as if they were reads, because an `assigns`
    /// clause compares cells with their old values.
    stored: BTreeSet<u32>,
    writes_matter: bool,
    /// Whether some comparison orders integers against a constant.
    orders_constants: bool,
}

impl Relevance {
    /// What matters to `proc` and everything it calls.
    pub fn of(program: &Program, proc: ProcId) -> Relevance {
        let mut r = Relevance::default();
        for p in cfg::reachable_procs(program, proc) {
            let procedure = program.proc(p);
            for clause in procedure.contract.requires.iter().chain(&procedure.contract.ensures) {
                r.formula(program, &clause.formula, p == proc);
            }
            if let Assigns::Places(items, _) = &procedure.contract.assigns {
                r.writes_matter = true;
                items.iter().for_each(|i| r.assigns(program, i, p == proc));
            }
            for block in procedure.body.iter().flat_map(|b| &b.blocks) {
                for instr in &block.instrs {
                    r.instr(program, p, &instr.kind, p == proc);
                }
                if let Terminator::Branch { cond: e, .. } | Terminator::Return(Some(e)) =
                    &block.term
                {
                    r.expr(e, p == proc);
                }
            }
        }
        if r.writes_matter {
            r.widths.extend(r.stored.clone());
        }
        r
    }

    /// Whether an integer cell of an object type matters.
    pub fn cell(&self, program: &Program, ty: TypeId, offset: u32, scalar: Scalar) -> bool {
        let width = scalar.bytes();
        let nested = || {
            program.types.as_record(ty).is_none_or(|r| {
                program.types.record(r).fields.iter().any(|f| program.types.scalar(f.ty).is_none())
            })
        };
        self.widths.contains(&width)
            || self.fields.contains(&(offset, width))
            || (self.fields.iter().any(|f| f.1 == width) && nested())
    }

    /// Whether a global matters.
    pub fn global(&self, index: usize) -> bool {
        self.globals.contains(&(index as u32))
    }

    /// Whether a parameter matters.
    pub fn param(&self, index: usize) -> bool {
        self.params.contains(&(index as u32))
    }

    fn reg(&mut self, reg: Reg, root: bool) {
        match reg {
            Reg::Local(v) if root => {
                self.params.insert(v.0);
            }
            Reg::Local(_) => {}
            Reg::Global(g) => {
                self.globals.insert(g.0);
            }
        }
    }

    fn read(&mut self, offset: Option<i64>, width: u32) {
        match offset.and_then(|o| u32::try_from(o).ok()) {
            Some(offset) => self.fields.insert((offset, width)),
            None => self.widths.insert(width),
        };
    }

    fn instr(&mut self, program: &Program, proc: ProcId, kind: &InstrKind, root: bool) {
        if let InstrKind::Load { addr, scalar: Scalar::Int(k), .. } = kind {
            let record_behind = |reg: Reg| {
                let ty = program.reg_type(proc, reg);
                let pointee = program.types.pointee(ty).unwrap_or(ty);
                program.types.as_record(pointee).is_some()
            };
            let offset = match addr {
                Expr::Reg(r) | Expr::Addr(r) if record_behind(*r) => Some(0),
                Expr::Offset(base, off) => match &**base {
                    Expr::Reg(r) | Expr::Addr(r) if record_behind(*r) => Some(*off),
                    _ => None,
                },
                _ => None,
            };
            self.read(offset, k.bytes());
        }
        match kind {
            InstrKind::Assign { value: e, .. }
            | InstrKind::Load { addr: e, .. }
            | InstrKind::Alloc { size: e, .. }
            | InstrKind::Retype { ptr: e, .. }
            | InstrKind::Free { ptr: e } => self.expr(e, root),
            InstrKind::Store { addr: a, value: b, scalar } => {
                self.stored.insert(scalar.bytes());
                self.expr(a, root);
                self.expr(b, root);
            }
            InstrKind::Copy { dst: a, src: b, size: c }
            | InstrKind::Fill { dst: a, byte: b, size: c } => {
                [a, b, c].into_iter().for_each(|e| self.expr(e, root));
            }
            InstrKind::Call { args, .. } => args.iter().for_each(|e| self.expr(e, root)),
            InstrKind::Assume { cond } | InstrKind::Assert { cond, .. } => match cond {
                Cond::Expr(e) => self.expr(e, root),
                Cond::Spec(f) => self.formula(program, f, root),
            },
            InstrKind::BeginLocal { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    fn expr(&mut self, e: &Expr, root: bool) {
        match e {
            Expr::Reg(r) | Expr::Addr(r) => self.reg(*r, root),
            Expr::Int(_) | Expr::Null => {}
            Expr::Unary(_, _, a)
            | Expr::Not(a)
            | Expr::Convert(_, a)
            | Expr::ToPtr(a)
            | Expr::Offset(a, _) => self.expr(a, root),
            Expr::Cmp(op, Some(_), a, b) => {
                for side in [a, b] {
                    if let Expr::Int(c) = **side {
                        self.constant(*op, c);
                    }
                }
                self.expr(a, root);
                self.expr(b, root);
            }
            Expr::Binary(_, _, a, b)
            | Expr::Cmp(_, None, a, b)
            | Expr::Index { base: a, index: b, .. }
            | Expr::Diff(a, b, _) => {
                self.expr(a, root);
                self.expr(b, root);
            }
        }
    }

    fn constant(&mut self, op: CmpOp, c: i64) {
        self.constants.insert(c);
        self.orders_constants |= !matches!(op, CmpOp::Eq | CmpOp::Ne);
    }

    fn formula(&mut self, program: &Program, f: &Formula, root: bool) {
        let (mut preds, mut derived, mut compared) = (Vec::new(), Vec::new(), Vec::new());
        let mut terms = Vec::new();
        f.visit(
            &mut |f| match f {
                Formula::Pred(p, _) => preds.push(*p),
                Formula::Derived(d) => derived.push((**d).clone()),
                Formula::Cmp(op, a, b) => {
                    for side in [a, b] {
                        if let Term::Int(c) = side {
                            compared.push((*op, *c));
                        }
                    }
                }
                _ => {}
            },
            &mut |t| terms.push(t.clone()),
        );
        for t in &terms {
            self.term(t, root);
        }
        compared.into_iter().for_each(|(op, c)| self.constant(op, c));
        for d in derived {
            if let Derived::Sorted(_, key, ..) = d {
                self.read(Some(key.offset.into()), key.scalar.bytes());
            }
        }
        for p in preds {
            if let Some(body) = &program.predicates[p.0 as usize].body {
                self.formula(program, body, root);
            }
        }
    }

    fn term(&mut self, t: &Term, root: bool) {
        match t {
            Term::Reg(r) | Term::Addr(r) => self.reg(*r, root),
            Term::Load { addr, scalar: Scalar::Int(k) } => {
                let offset = match &**addr {
                    Term::Offset(_, off) => Some(*off),
                    _ => None,
                };
                self.read(offset, k.bytes());
            }
            _ => {}
        }
    }

    fn assigns(&mut self, program: &Program, item: &AssignsItem, root: bool) {
        item.addr.visit(&mut |_| {}, &mut |t| self.term(t, root));
        if let Some(f) = &item.filter {
            self.formula(program, f, root);
        }
        if let Some(reg) = item.global {
            self.reg(reg, root);
        }
    }
}

/// The integers to choose from: a few small ones, and each constant that the code or a contract
/// compares with, with its neighbours.
pub fn int_values(program: &Program, proc: ProcId) -> Vec<i64> {
    /// More values than this make the number of heaps explode for little insight.
    const MOST: usize = 8;
    let r = Relevance::of(program, proc);
    let mut values = BTreeSet::from([0, 1, 2]);
    let least = r.constants.first().copied().unwrap_or(0);
    if r.orders_constants || least < 0 {
        values.insert(-1);
    }
    let mut wanted: Vec<i64> =
        r.constants.iter().flat_map(|c| [*c, c.saturating_sub(1), c.saturating_add(1)]).collect();
    wanted.sort_by_key(|v| (!r.constants.contains(v), v.unsigned_abs(), *v));
    for v in wanted {
        if values.len() < MOST {
            values.insert(v);
        }
    }
    values.into_iter().collect()
}
