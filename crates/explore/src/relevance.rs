//! Which parts of an initial heap can influence a run.
//!
//! An integer cell that no code and no contract reads need not be enumerated: one value stands for
//! all. A pointer that nobody mentions is null, unless a formula is about all objects. The analysis goes by the static types of the variables that addresses are made from, and gives
//! up (every integer is relevant) where an address is not a variable plus a constant.

use std::collections::BTreeSet;

use trellis_program::concrete::spec_eval::{Traits, formula_traits};
use trellis_program::spec::{Assigns, AssignsItem, Formula, PredId, Term};
use trellis_program::{
    Block, CmpOp, Expr, GlobalId, InstrKind, ProcId, Program, Reg, Scalar, TypeId, UnOp, VarId, cfg,
};

/// What matters.
#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// Integer cells and globals that code or contracts read.
    reads: Traits,
    /// Parameters of the analysed procedure that are mentioned.
    params: BTreeSet<u32>,
    /// Constants that integers are compared with.
    constants: BTreeSet<i64>,
    /// Whether some comparison orders integers against a constant.
    orders_constants: bool,
    /// Recursive predicates that were looked into, and of which procedure.
    entered: BTreeSet<(PredId, ProcId)>,
}

impl Relevance {
    /// What matters to `proc` and everything it calls.
    pub fn of(program: &Program, proc: ProcId) -> Relevance {
        let mut r = Relevance::default();
        let (mut stores_ints, mut compares_with_entry) = (false, false);
        for p in cfg::reachable_procs(program, proc) {
            let procedure = program.proc(p);
            for formula in procedure.formulas() {
                r.formula(program, p, formula, p == proc);
            }
            if let Assigns::Places(items, _) = &procedure.contract.assigns {
                compares_with_entry = true;
                items.iter().for_each(|i| r.assigns(program, p, i, p == proc));
            }
            for instr in procedure.instrs() {
                stores_ints |=
                    matches!(instr.kind, InstrKind::Store { scalar: Scalar::Int(_), .. });
                r.load(program, p, &instr.kind);
                // What a global pointed to may be lost when it is written.
                if let Some(reg @ Reg::Global(_)) = instr.kind.dst()
                    && program.types.pointee(program.reg_type(p, reg)).is_some()
                {
                    r.reg(reg, p == proc);
                }
            }
            for e in procedure.blocks().flat_map(Block::exprs) {
                r.expr(e, p == proc);
            }
        }
        // An `assigns` clause compares every cell with its old value.
        r.reads.reads_any_int |= stores_ints && compares_with_entry;
        if r.reads.has_pointer_quantifier {
            r.bystanders(program, proc);
        }
        r
    }

    /// A formula about all objects also sees those that nobody mentions. One variable of each type
    /// that leads to such objects will do: more of them would only make the same objects be reached
    /// in more ways.
    fn bystanders(&mut self, program: &Program, proc: ProcId) {
        let params = 0..program.proc(proc).params as u32;
        let params = params.map(|i| Reg::Local(VarId(i)));
        let globals = (0..program.globals.len() as u32).map(|i| Reg::Global(GlobalId(i)));
        let mut seen = BTreeSet::new();
        for reg in params.chain(globals) {
            let ty = program.reg_type(proc, reg);
            let mentioned = match reg {
                Reg::Local(v) => self.param(v.0 as usize),
                Reg::Global(g) => self.global(g.0 as usize),
            };
            if !mentioned && program.types.pointee(ty).is_some() && seen.insert(ty) {
                self.reg(reg, true);
            }
        }
    }

    /// Whether an integer cell of an object type matters.
    pub fn cell(&self, program: &Program, ty: TypeId, offset: u32) -> bool {
        // The second test is for objects that are read through a pointer to another type.
        self.reads.reads_int(&program.types, ty, offset)
            || self.reads.ints_read.iter().any(|(_, o)| *o == offset)
    }

    /// Whether a global matters.
    pub fn global(&self, index: usize) -> bool {
        self.reads.globals_read.contains(&GlobalId(index as u32))
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
                self.reads.globals_read.insert(g);
            }
        }
    }

    /// The integer that a load reads.
    fn load(&mut self, program: &Program, proc: ProcId, kind: &InstrKind) {
        let pointee = |e: &Expr| match e {
            Expr::Reg(r) => program.types.pointee(program.reg_type(proc, *r)),
            Expr::Addr(r) => Some(program.reg_type(proc, *r)),
            _ => None,
        };
        // What a part of a struct is copied to may be read as anything; a whole one keeps its type.
        if let InstrKind::Copy { dst, src, size, .. } = kind {
            let ty = pointee(src).filter(|ty| pointee(dst) == Some(*ty));
            let bytes = ty.and_then(|ty| program.types.size_of(ty)).map(i64::from);
            self.reads.reads_any_int |= bytes.is_none_or(|b| *size != Expr::Int(b));
        }
        if let InstrKind::Load { addr, scalar, .. } = kind
            && !matches!(scalar, Scalar::Ptr(_))
        {
            let (base, offset) = match addr {
                Expr::Offset(base, offset) => (&**base, *offset),
                base => (base, 0),
            };
            let record = pointee(base).filter(|t| program.types.as_record(*t).is_some());
            // A character of a wider member, or a member of a union, is told by other cells.
            let is_cell = |ty: TypeId, offset: u32| {
                let layout = program.types.layout(ty).filter(|l| !l.overlaps);
                layout.is_some_and(|l| match scalar {
                    Scalar::Bits(b) => l.bits_at(offset, b.shift, b.width).is_some(),
                    scalar => l.cell_at(offset, program.types.bytes(*scalar)).is_some(),
                })
            };
            match (record, u32::try_from(offset)) {
                (Some(ty), Ok(offset)) if is_cell(ty, offset) => {
                    self.reads.ints_read.insert((ty, offset));
                }
                _ => self.reads.reads_any_int = true,
            }
        }
    }

    fn expr(&mut self, e: &Expr, root: bool) {
        e.visit(&mut |e| {
            if let Expr::Reg(r) | Expr::Addr(r) = e {
                self.reg(*r, root);
            }
            if let Expr::Cmp(op, Some(_), a, b) = e {
                let compared = [a, b].into_iter().filter_map(|side| constant_of(side));
                compared.for_each(|c| self.constant(*op, c));
            }
        });
    }

    fn constant(&mut self, op: CmpOp, c: i64) {
        self.constants.insert(c);
        self.orders_constants |= !op.is_equality();
    }

    fn formula(&mut self, program: &Program, proc: ProcId, f: &Formula, root: bool) {
        self.reads.merge(formula_traits(program, proc, f));
        let (mut preds, mut constants, mut regs) = (Vec::new(), Vec::new(), Vec::new());
        f.visit(
            &mut |f| match f {
                Formula::Pred(p, _) => preds.push(*p),
                Formula::Cmp(op, Term::Int(c), _) | Formula::Cmp(op, _, Term::Int(c)) => {
                    // Above the signed ones: the bits of an unsigned one.
                    constants.push((*op, *c as i64));
                }
                Formula::Hol(clause, _) => {
                    let literals = clause.literals().into_iter();
                    constants.extend(literals.map(|c| (CmpOp::Le, c as i64)));
                }
                _ => {}
            },
            &mut |t| {
                if let Term::Reg(r) | Term::Addr(r) = t {
                    regs.push(*r);
                }
            },
        );
        constants.into_iter().for_each(|(op, c)| self.constant(op, c));
        regs.into_iter().for_each(|r| self.reg(r, root));
        for p in preds {
            let predicate = &program.predicates[p.0 as usize];
            if predicate.is_recursive && !self.entered.insert((p, proc)) {
                continue;
            }
            if let Some(body) = &predicate.body {
                self.formula(program, proc, body, root);
            }
        }
    }

    fn assigns(&mut self, program: &Program, proc: ProcId, item: &AssignsItem, root: bool) {
        // The address is a term of some formula: an equation with itself will do.
        let addr = Formula::Cmp(CmpOp::Eq, item.addr.clone(), item.addr.clone());
        self.formula(program, proc, &addr, root);
        if let Some(f) = &item.filter {
            self.formula(program, proc, f, root);
        }
        if let Some(reg) = item.global {
            self.reg(reg, root);
        }
    }
}

/// The integers to choose from: a few small ones, and each constant that the code or a contract
/// compares with, with its neighbours. One above the signed 64-bit integers is kept as the signed
/// one with the same bits.
pub fn int_values(program: &Program, proc: ProcId) -> Vec<i64> {
    /// More values than this make the number of heaps explode for little insight, so neighbours
    /// are added only up to here.
    const MOST: usize = 8;
    /// Every constant tells a branch of its own; a table of them is cut off here.
    const MOST_CONSTANTS: usize = 32;
    let r = Relevance::of(program, proc);
    let mut values = BTreeSet::from([0, 1, 2]);
    let least = r.constants.first().copied().unwrap_or(0);
    if r.orders_constants || least < 0 {
        values.insert(-1);
    }
    let by_size = |values: &mut Vec<i64>| values.sort_by_key(|v| (v.unsigned_abs(), *v));
    let mut constants: Vec<i64> = r.constants.iter().copied().collect();
    by_size(&mut constants);
    values.extend(constants.iter().take(MOST_CONSTANTS));
    let mut neighbours: Vec<i64> =
        constants.iter().flat_map(|c| [c.wrapping_sub(1), c.wrapping_add(1)]).collect();
    by_size(&mut neighbours);
    for v in neighbours {
        if values.len() < MOST {
            values.insert(v);
        }
    }
    values.into_iter().collect()
}

/// The constant that an expression is, conversions around it included.
fn constant_of(e: &Expr) -> Option<i64> {
    match e {
        Expr::Int(c) => Some(*c),
        Expr::Convert(kind, e) => constant_of(e).map(|c| kind.wrap(c.into())),
        Expr::Unary(UnOp::Neg, kind, e) => constant_of(e).map(|c| kind.wrap(-kind.value(c))),
        _ => None,
    }
}
