//! What can be told of a procedure before it is lowered: the list node, effects, constants.

use std::collections::BTreeSet;

use trellis_program::cfg::reachable_procs;
use trellis_program::concrete::spec_eval::formula_traits;
use trellis_program::embedding::embedded_input;
use trellis_program::ir::{Expr, GlobalId, InstrKind};
use trellis_program::spec::{Derived, FieldRef, Formula, Term};
use trellis_program::{
    Block, Global, ProcId, Program, Refusal, Reg, Scalar, Storage, Type, TypeId, VarId,
};

use super::Lowering;
use super::expr::address;
use crate::locals::mentions;
use crate::node::{EMBEDDED, NodeType, is_opaque};
use crate::program::Slot;

impl Lowering<'_> {
    /// Whether a value of this type is a list variable: a pointer to the node, or a `void *` that
    /// may become one.
    pub(super) fn is_list_pointer(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match &self.out.node {
            Some(node) => node.is_pointer(types, ty),
            None => is_opaque(types, ty),
        }
    }

    /// Whether nodes may be reached at entry by other ways than list variables: over a pointer
    /// field that is not followed, or through an input that points to something else than numbers.
    pub(super) fn may_hide_nodes(&self) -> bool {
        let types = &self.program.types;
        let layout = self.out.node.as_ref().and_then(|n| types.layout(n.record));
        let fields = layout.map_or(0, |l| l.cells.iter().filter(|c| c.scalar.is_ptr()).count());
        let is_node = |ty: TypeId| types.pointee(ty).is_some_and(|to| self.is_node(to));
        let leads_on = |ty: TypeId| match types.pointee(ty) {
            Some(to) => !is_node(ty) && !matches!(types.get(to), Type::Int(_)),
            None => types.layout(ty).is_some_and(|l| l.cells.iter().any(|c| c.scalar.is_ptr())),
        };
        let proc = self.program.proc(self.out.proc);
        let params = || proc.vars[..proc.params].iter();
        if params().any(|v| v.storage == Storage::Object && is_node(v.ty)) {
            return true;
        }
        let params = params().map(|v| v.ty);
        // Globals in registers that nobody mentions are null.
        let matters = |i: u32, g: &Global| {
            !g.is_const
                && (g.storage == Storage::Object || self.effects.globals.contains(&GlobalId(i)))
        };
        let globals = (0..).zip(&self.program.globals).filter(|(i, g)| matters(*i, g));
        let globals = globals.map(|(_, g)| g.ty);
        fields > 1 || params.chain(globals).any(leads_on)
    }

    /// What of the inputs cannot be followed, with its place.
    pub(super) fn outside_at_entry(&self) -> Option<Refusal> {
        let program = self.program;
        let proc = program.proc(self.out.proc);
        // What a `void *` points to is not known.
        let params = proc.vars[..proc.params].iter().zip(0..);
        let mut params = params.filter(|(v, _)| is_opaque(&program.types, v.ty));
        if let Some((var, _)) = params.find(|(_, id)| mentions(proc, VarId(*id))) {
            let what = format!("`{}`, an argument of type `void *`", var.name);
            return Some(Refusal::at(var.span, what));
        }
        for (reg, slot) in &self.out.globals {
            let (Reg::Global(id), Slot::List(x)) = (reg, slot) else {
                continue;
            };
            let global = program.global(*id);
            if is_opaque(&program.types, global.ty) && self.out.inputs.contains(x) {
                let what = format!("`{}`, a global of type `void *`", global.name);
                return Some(Refusal::at(global.span, what));
            }
            let starts = |list: &[usize]| list.contains(x);
            if !starts(&self.out.inputs) && !starts(&self.out.nulls) {
                let what = format!("`{}`, a pointer to a global variable", global.name);
                return Some(Refusal::at(global.span, what));
            }
        }
        let node = self.out.node.as_ref().filter(|_| !self.out.inputs.is_empty())?;
        let span = embedded_input(program, self.out.proc, node.record)?;
        Some(Refusal::at(span, EMBEDDED))
    }

    pub(super) fn is_node(&self, ty: TypeId) -> bool {
        self.out.node.as_ref().is_some_and(|n| n.record == ty)
    }
}

/// What the procedures of a call graph do.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Globals that code or contracts mention.
    pub globals: BTreeSet<GlobalId>,
    /// Globals that are assigned.
    pub assigned: BTreeSet<GlobalId>,
    /// Memory is written.
    pub writes: bool,
    /// Memory is freed.
    pub frees: bool,
    /// Memory is allocated.
    pub allocates: bool,
}

/// What `root` and everything it calls does.
pub(super) fn effects(program: &Program, root: ProcId) -> Effects {
    let mut effects = Effects::default();
    for id in reachable_procs(program, root) {
        let proc = program.proc(id);
        for formula in proc.formulas() {
            effects.globals.extend(formula_traits(program, id, formula).globals_read);
        }
        proc.instrs().for_each(|i| effects.instruction(&i.kind));
        proc.blocks().flat_map(Block::exprs).for_each(|e| effects.read(e));
    }
    effects
}

impl Effects {
    fn instruction(&mut self, kind: &InstrKind) {
        if let Some(Reg::Global(g)) = kind.dst() {
            self.globals.insert(g);
            self.assigned.insert(g);
        }
        match kind {
            InstrKind::Store { .. } | InstrKind::Copy { .. } | InstrKind::Fill { .. } => {
                self.writes = true;
            }
            InstrKind::Free { .. } => self.frees = true,
            InstrKind::Alloc { .. } => self.allocates = true,
            // Locals in memory are outside, and a callee without a body writes nothing or is.
            InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Call { .. }
            | InstrKind::Assign { .. }
            | InstrKind::Load { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Assume { .. }
            | InstrKind::Assert { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    fn read(&mut self, e: &Expr) {
        e.visit_regs(&mut |r| {
            if let Reg::Global(g) = r {
                self.globals.insert(g);
            }
        });
    }
}

/// Whether a formula after entry looks at nodes that no variable may reach any more.
pub(super) fn looks_at_all_nodes(program: &Program, root: ProcId) -> bool {
    reachable_procs(program, root).into_iter().any(|id| {
        let proc = program.proc(id);
        let ensures = proc.contract.ensures.iter().map(|c| &c.formula);
        let inner = proc.contract.requires.iter().filter(|_| id != root).map(|c| &c.formula);
        let all = ensures.chain(inner).chain(proc.body_formulas());
        all.into_iter().any(|f| formula_traits(program, id, f).has_pointer_quantifier)
    })
}

/// The list node: the first record with a pointer to itself that code follows or a contract names.
pub(super) fn node_type(program: &Program, root: ProcId) -> Option<NodeType> {
    let procs = reachable_procs(program, root);
    let followed = procs.iter().flat_map(|id| {
        program.proc(*id).instrs().filter_map(|i| match &i.kind {
            InstrKind::Load { addr, scalar, .. } | InstrKind::Store { addr, scalar, .. } => {
                followed_field(program, *id, addr, *scalar)
            }
            _ => None,
        })
    });
    let mut named = Vec::new();
    for id in &procs {
        for formula in program.proc(*id).formulas() {
            fields(formula, &mut named);
        }
    }
    let first = followed.chain(named).next().or_else(|| only_list(program, &procs));
    let (record, offset) = first?;
    NodeType::new(&program.types, record, offset)
}

/// The record and offset of an access to a pointer from a record to itself.
pub(super) fn followed_field(
    program: &Program,
    proc: ProcId,
    addr: &Expr,
    scalar: Scalar,
) -> Option<(TypeId, u32)> {
    let (reg, offset) = address(addr)?;
    let record = program.types.pointee(program.reg_type(proc, reg))?;
    (scalar == Scalar::Ptr(record)).then_some((record, u32::try_from(offset).ok()?))
}

/// The fields that a formula follows.
fn fields(formula: &Formula, out: &mut Vec<(TypeId, u32)>) {
    let mut found: Vec<FieldRef> = Vec::new();
    let mut in_terms: Vec<FieldRef> = Vec::new();
    formula.visit(
        &mut |f| match f {
            Formula::Reach { field, .. } => found.push(field.clone()),
            Formula::Derived(d) => match &**d {
                Derived::Sorted(f, ..) | Derived::Reverse(f, ..) => found.push(f.clone()),
                d => found.extend(d.fields().into_iter().cloned()),
            },
            _ => {}
        },
        &mut |t| {
            if let Term::Content(f, _) = t {
                in_terms.push(f.clone());
            }
        },
    );
    let all = found.into_iter().chain(in_terms);
    out.extend(all.filter(|f| f.scalar == Scalar::Ptr(f.owner)).map(|f| (f.owner, f.offset)));
}

/// The record that some variable points to, if it has exactly one pointer to itself.
fn only_list(program: &Program, procs: &BTreeSet<ProcId>) -> Option<(TypeId, u32)> {
    let types = &program.types;
    let vars = procs.iter().flat_map(|id| &program.proc(*id).vars);
    vars.filter_map(|v| types.pointee(v.ty)).find_map(|record| {
        let layout = types.layout(record)?;
        let mut to_itself = layout.cells.iter().filter(|c| c.scalar == Scalar::Ptr(record));
        let only = to_itself.next()?;
        to_itself.next().is_none().then_some((record, only.offset))
    })
}

/// The integer constants that code compares with or assigns, and 0 and 1.
pub(super) fn constants(program: &Program, root: ProcId) -> Vec<i64> {
    let mut out = BTreeSet::from([0, 1]);
    for id in reachable_procs(program, root) {
        program.proc(id).blocks().flat_map(Block::exprs).for_each(|e| literals(e, &mut out));
    }
    out.into_iter().collect()
}

fn literals(e: &Expr, out: &mut BTreeSet<i64>) {
    match e {
        Expr::Int(i) => {
            out.insert(*i);
        }
        Expr::Not(a) | Expr::Convert(_, a) => literals(a, out),
        Expr::Cmp(_, _, a, b) => {
            literals(a, out);
            literals(b, out);
        }
        _ => {}
    }
}
