//! What can be told of a procedure before it is lowered: records, variables, constants.

use std::collections::BTreeSet;

use trellis_program::concrete::spec_eval::formula_traits;
use trellis_program::embedding::embedded_input;
use trellis_program::ir::{Init, InstrKind};
use trellis_program::spec::{Derived, Formula, Term};
use trellis_program::{
    Block, CheckKind, CmpOp, Expr, Global, GlobalId, IntKind, ProcId, Program, Refusal, Reg,
    Scalar, Storage, Type, TypeId, VarId,
};

use super::Settings;
use super::code::is_register;
use crate::values::{Partition, Values};
use crate::words::{
    DataField, MOST_EDGES, PatternWords, PointerField, PointerStart, PointerVar, Predicate, Record,
    ScalarVar, Slot,
};

/// Records of more cells than this are refused.
const MOST_CELLS: usize = 32;
/// Most variables.
const MOST_VARIABLES: usize = 1000;

/// The words of a procedure without calls, with a predicate for every data field that is read.
pub(super) fn words(
    program: &Program,
    proc: ProcId,
    settings: &Settings,
) -> Result<PatternWords, Refusal> {
    let mut scan = Scan {
        program,
        proc,
        settings,
        mentioned: mentioned(program, proc),
        words: PatternWords {
            records: Vec::new(),
            pointers: Vec::new(),
            scalars: Vec::new(),
            pairs: Vec::new(),
            partition: partition(program, proc),
        },
    };
    scan.records()?;
    scan.globals()?;
    scan.locals()?;
    scan.refuse_inputs()?;
    scan.predicates();
    Ok(scan.words)
}

struct Scan<'a> {
    program: &'a Program,
    proc: ProcId,
    settings: &'a Settings,
    /// Registers that code or contracts mention.
    mentioned: BTreeSet<Reg>,
    words: PatternWords,
}

impl Scan<'_> {
    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::at(self.program.proc(self.proc).span, reason))
    }

    /// The types of cells that registers in use lead to, over any pointer fields.
    fn records(&mut self) -> Result<(), Refusal> {
        let types = &self.program.types;
        let regs = self.mentioned.iter().map(|r| self.program.reg_type(self.proc, *r));
        let procedure = self.program.proc(self.proc);
        let params = procedure.vars[..procedure.params].iter().map(|v| v.ty);
        let mut todo: Vec<TypeId> = regs.chain(params).filter_map(|ty| types.pointee(ty)).collect();
        let instrs = procedure.instrs();
        todo.extend(instrs.filter_map(|i| match &i.kind {
            InstrKind::Alloc { ty: Some(ty), .. } | InstrKind::Retype { ty, .. } => Some(*ty),
            _ => None,
        }));
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some(ty) = todo.pop() {
            let Some(layout) = types.layout(ty).filter(|_| seen.insert(ty)) else { continue };
            let is_cell = !matches!(types.get(ty), Type::Void | Type::Func(_) | Type::Array(..));
            if !is_cell || layout.size == 0 {
                continue;
            }
            if layout.cells.len() > MOST_CELLS {
                return self.refuse(format!("`{}`, which has many fields", types.name(ty)));
            }
            if layout.overlaps {
                return self.refuse(format!("`{}`, which has a union", types.name(ty)));
            }
            if types.has_const(ty) {
                return self.refuse(format!("`{}`, which has constant fields", types.name(ty)));
            }
            found.push(ty);
            todo.extend(layout.cells.iter().filter_map(|c| match c.scalar {
                Scalar::Ptr(to) => Some(to),
                Scalar::Int(_) | Scalar::Float(_) | Scalar::Bits(_) => None,
            }));
        }
        // Records in the order of their types, so that their numbers do not depend on the search.
        found.sort_unstable();
        let mut edges = 0;
        for ty in &found {
            let Some(layout) = types.layout(*ty) else { continue };
            let number = |to: TypeId| found.binary_search(&to).ok();
            let (mut pointers, mut data) = (Vec::new(), Vec::new());
            for cell in &layout.cells {
                let name =
                    if cell.path.is_empty() { "value".to_owned() } else { cell.path.clone() };
                match cell.scalar {
                    Scalar::Ptr(to) => {
                        let field =
                            PointerField { name, offset: cell.offset, to: number(to), edge: edges };
                        pointers.push(field);
                        edges += 1;
                    }
                    Scalar::Int(kind) => data.push(DataField { name, offset: cell.offset, kind }),
                    // Nothing is computed with them.
                    Scalar::Float(_) | Scalar::Bits(_) => {}
                }
            }
            let (name, size) = (types.name(*ty), layout.size);
            let predicates = Vec::new();
            self.words.records.push(Record { ty: *ty, name, size, pointers, data, predicates });
        }
        match edges > MOST_EDGES {
            true => self.refuse(format!("records with {edges} pointer fields together")),
            false => Ok(()),
        }
    }

    fn pointer_to(&self, ty: TypeId) -> Option<Option<usize>> {
        let to = self.program.types.pointee(ty)?;
        Some(self.words.record(to))
    }

    fn add(
        &mut self,
        name: String,
        slot: Slot,
        ty: TypeId,
        is_temp: bool,
        start: (PointerStart, Option<Values>),
    ) {
        if let Some(to) = self.pointer_to(ty) {
            let start = start.0;
            self.words.pointers.push(PointerVar {
                name,
                slot,
                to,
                is_temp,
                is_entry: false,
                start,
            });
        } else if let Some(Scalar::Int(kind)) = self.program.types.scalar(ty) {
            let start = start.1;
            self.words.scalars.push(ScalarVar {
                name,
                slot,
                kind,
                is_temp,
                is_entry: false,
                start,
            });
        }
    }

    fn globals(&mut self) -> Result<(), Refusal> {
        let whole = self.program.is_whole_program(self.proc);
        for (i, global) in (0u32..).zip(&self.program.globals) {
            let slot = Slot::Global(GlobalId(i));
            if !is_register(global.storage) || !self.mentioned.contains(&Reg::Global(GlobalId(i))) {
                continue;
            }
            let start = match whole || global.is_const {
                true => self.global_start(global)?,
                false => (PointerStart::Input, None),
            };
            self.add(global.name.clone(), slot, global.ty, false, start);
        }
        Ok(())
    }

    /// How a global starts that has its initial value.
    fn global_start(&self, global: &Global) -> Result<(PointerStart, Option<Values>), Refusal> {
        let kind = match self.program.types.scalar(global.ty) {
            Some(Scalar::Int(kind)) => kind,
            _ => IntKind::LONG,
        };
        let class = |v: i64| Some(Values::class(self.words.partition.of(kind, v)));
        match global.init.first().map(|(_, _, init)| *init) {
            None | Some(Init::Null | Init::Int(0)) => Ok((PointerStart::Null, class(0))),
            Some(Init::Int(v)) => Ok((PointerStart::Null, class(v))),
            Some(Init::Addr(..)) => {
                let what = format!("`{}`, a pointer to a global variable", global.name);
                Err(Refusal::at(global.span, what))
            }
        }
    }

    fn locals(&mut self) -> Result<(), Refusal> {
        let procedure = self.program.proc(self.proc);
        let dst = |i: &trellis_program::Instr| i.kind.dst();
        let assigned: BTreeSet<Reg> = procedure.instrs().filter_map(dst).collect();
        for (i, var) in (0u32..).zip(&procedure.vars) {
            let id = VarId(i);
            let is_param = (i as usize) < procedure.params;
            if !is_register(var.storage) {
                if is_param {
                    let what = format!("`{}`, a parameter in memory", var.name);
                    return Err(Refusal::at(var.span, what));
                }
                continue;
            }
            // A parameter that nobody mentions still keeps cells from being leaked.
            if !is_param && !self.mentioned.contains(&Reg::Local(id)) {
                continue;
            }
            let start = match is_param {
                true => (PointerStart::Input, None),
                false => (PointerStart::Undefined, Some(Values::UNDEFINED)),
            };
            self.add(var.name.clone(), Slot::Local(id), var.ty, var.is_temp, start);
            if is_param {
                self.entry_value(id, assigned.contains(&Reg::Local(id)));
            }
        }
        if self.words.pointers.len() + self.words.scalars.len() > MOST_VARIABLES {
            return self.refuse("a procedure with many variables");
        }
        Ok(())
    }

    /// A parameter as it was passed: the same variable, or one more if it changes.
    fn entry_value(&mut self, id: VarId, changes: bool) {
        let wanted = self.settings.checks.contains(CheckKind::Leak) || self.reads_entry_values();
        if let Some(p) = self.words.pointer(Slot::Local(id)) {
            if !changes {
                self.words.pointers[p].is_entry = true;
            } else if wanted {
                let of = self.words.pointers[p].clone();
                let (name, slot) = (format!("\\old({})", of.name), Slot::Entry(id));
                let start = PointerStart::Same(p);
                self.words.pointers.push(PointerVar { name, slot, start, ..of });
            }
        } else if let Some(s) = self.words.scalar(Slot::Local(id)) {
            // How the two are ordered at the start is not said: only unchanged ones are known.
            self.words.scalars[s].is_entry = !changes;
        }
    }

    /// Whether a contract may read parameters as they were passed.
    fn reads_entry_values(&self) -> bool {
        let (mut formulas, mut terms) = (false, false);
        for formula in contracts(self.program, self.proc) {
            formula.visit(&mut |f| formulas |= matches!(f, Formula::At(..)), &mut |t| {
                terms |= matches!(t, Term::At(..));
            });
        }
        formulas || terms
    }

    /// Inputs that lead to memory without words.
    fn refuse_inputs(&self) -> Result<(), Refusal> {
        let procedure = self.program.proc(self.proc);
        let inputs = self.words.pointers.iter().filter(|p| p.start == PointerStart::Input);
        let mut reached = BTreeSet::new();
        for input in inputs {
            let span = match input.slot {
                Slot::Local(v) | Slot::Entry(v) => procedure.var(v).span,
                Slot::Global(g) => self.program.global(g).span,
            };
            let Some(record) = input.to else {
                let what = format!("`{}`, an input that points to no record", input.name);
                return Err(Refusal::at(span, what));
            };
            let mut todo = vec![record];
            while let Some(r) = todo.pop() {
                if !reached.insert(r) {
                    continue;
                }
                for field in &self.words.records[r].pointers {
                    let Some(to) = field.to else {
                        let what = format!("`{}`, which leads to unknown memory", input.name);
                        return Err(Refusal::at(span, what));
                    };
                    todo.push(to);
                }
            }
        }
        for record in &reached {
            let ty = self.words.records[*record].ty;
            // Bytes of one number are another, so such inputs may overlap.
            if !matches!(self.program.types.get(ty), Type::Record(_)) {
                let what = "an input that leads to something else than a struct";
                return Err(Refusal::at(procedure.span, what));
            }
            if let Some(span) = embedded_input(self.program, self.proc, ty) {
                return Err(Refusal::at(span, "an input that may be a part of something else"));
            }
        }
        let whole = self.program.is_whole_program(self.proc);
        // Objects that nobody mentions may still lead to cells.
        for (i, global) in (0u32..).zip(&self.program.globals).filter(|_| !whole) {
            let layout = self.program.types.layout(global.ty);
            let leads = layout.is_some_and(|l| l.cells.iter().any(|c| c.scalar.is_ptr()));
            let object = global.storage == Storage::Object;
            let named = self.mentioned.contains(&Reg::Global(GlobalId(i)));
            if leads && !global.is_const && object && (named || !reached.is_empty()) {
                let what = format!("`{}`, a global in memory", global.name);
                return Err(Refusal::at(global.span, what));
            }
        }
        Ok(())
    }

    /// A predicate for every data field that code reads or a contract mentions.
    fn predicates(&mut self) {
        for record in 0..self.words.records.len() {
            for field in 0..self.words.records[record].data.len() {
                let offset = self.words.records[record].data[field].offset;
                let ty = self.words.records[record].ty;
                if self.is_read(ty, offset) {
                    self.words.add_predicate(record, Predicate::Data(field));
                }
            }
        }
    }

    /// Whether code or a contract may read a field at an offset.
    fn is_read(&self, ty: TypeId, offset: u32) -> bool {
        let procedure = self.program.proc(self.proc);
        let mut found = false;
        for instr in procedure.instrs() {
            if let InstrKind::Load { addr, scalar: Scalar::Int(_), .. } = &instr.kind
                && let Some((reg, at)) = super::expr::address(addr)
            {
                let to = self.program.types.pointee(self.program.reg_type(self.proc, reg));
                let fits = to == Some(ty) || to.is_none_or(|t| self.words.record(t).is_none());
                found |= fits && at == i64::from(offset);
            }
            found |= matches!(instr.kind, InstrKind::Copy { .. });
        }
        for formula in contracts(self.program, self.proc) {
            let keys = &mut |f: &Formula| {
                if let Formula::Derived(d) = f
                    && let Derived::Sorted(_, key, ..) = &**d
                {
                    found |= key.offset == offset;
                }
            };
            formula.visit(keys, &mut |_| {});
            formula.visit(&mut |_| {}, &mut |t| {
                if let Term::Load { addr, scalar: Scalar::Int(_) } = t {
                    let at = if let Term::Offset(_, by) = &**addr { *by } else { 0 };
                    found |= at == i64::from(offset);
                }
            });
        }
        found
    }
}

/// The formulas of a procedure, and the definitions of all predicates that they mention.
fn contracts(program: &Program, proc: ProcId) -> Vec<&Formula> {
    let mut out: Vec<&Formula> = program.proc(proc).formulas().collect();
    let mut seen = BTreeSet::new();
    let mut at = 0;
    while at < out.len() {
        let mut called = Vec::new();
        out[at].visit(
            &mut |f| {
                if let Formula::Pred(id, _) = f {
                    called.push(*id);
                }
            },
            &mut |_| {},
        );
        let bodies = called.into_iter().filter(|id| seen.insert(*id));
        out.extend(bodies.filter_map(|id| program.predicates[id.0 as usize].body.as_ref()));
        at += 1;
    }
    out
}

/// The registers that code or contracts mention.
fn mentioned(program: &Program, proc: ProcId) -> BTreeSet<Reg> {
    let procedure = program.proc(proc);
    let mut out: BTreeSet<Reg> = procedure.instrs().filter_map(|i| i.kind.dst()).collect();
    for e in procedure.blocks().flat_map(Block::exprs) {
        e.visit_regs(&mut |r| {
            out.insert(r);
        });
        e.visit(&mut |e| {
            if let Expr::Addr(r) = e {
                out.insert(*r);
            }
        });
    }
    for formula in procedure.formulas() {
        formula.visit(&mut |_| {}, &mut |t| {
            if let Term::Reg(r) | Term::Addr(r) = t {
                out.insert(*r);
            }
        });
        let globals = formula_traits(program, proc, formula).globals_read;
        out.extend(globals.into_iter().map(Reg::Global));
    }
    out
}

/// The integers that the code tells apart: its constants, 0 and 1.
fn partition(program: &Program, proc: ProcId) -> Partition {
    let procedure = program.proc(proc);
    let mut constants = BTreeSet::from([0i128, 1]);
    let mut ordered = false;
    // How many bytes there are is nothing that data is compared with.
    let is_size = |kind: &InstrKind| {
        matches!(kind, InstrKind::Alloc { .. } | InstrKind::Copy { .. } | InstrKind::Fill { .. })
    };
    let values = procedure.instrs().filter(|i| !is_size(&i.kind)).flat_map(|i| i.kind.exprs());
    let conditions = procedure.blocks().filter_map(|b| b.term.expr());
    for e in values.chain(conditions) {
        literals(e, None, &mut constants, &mut ordered);
    }
    for formula in contracts(program, proc) {
        formula.visit(
            &mut |f| match f {
                Formula::Cmp(op, ..) => ordered |= !op.is_equality(),
                Formula::Derived(d) => ordered |= matches!(**d, Derived::Sorted(..)),
                _ => {}
            },
            &mut |t| {
                if let Term::Int(i) = t {
                    constants.insert(*i);
                }
            },
        );
    }
    Partition::new(constants, ordered)
}

/// Constants with the type in which they stand, and whether something is ordered.
fn literals(e: &Expr, kind: Option<IntKind>, out: &mut BTreeSet<i128>, ordered: &mut bool) {
    let below = match e {
        Expr::Int(i) => {
            out.insert(kind.map_or(i128::from(*i), |k| k.value(*i)));
            return;
        }
        Expr::Cmp(op, kind, ..) => {
            *ordered |= !matches!(op, CmpOp::Eq | CmpOp::Ne);
            *kind
        }
        Expr::Unary(_, kind, _) | Expr::Binary(_, kind, ..) | Expr::Convert(kind, _) => Some(*kind),
        _ => None,
    };
    e.operands().for_each(|a| literals(a, below, out, ordered));
}
