//! The list type and the pointer variables of a procedure.

use trellis_program::cfg::live_in;
use trellis_program::embedding::embedded_input;
use trellis_program::ir::InstrKind;
use trellis_program::{Expr, ProcId, Procedure, Program, Refusal, Reg, Scalar, Storage, VarId};
use trellis_shapes::locals::{assigned_locals, mentions_entry_value};
use trellis_shapes::node::{EMBEDDED, NodeType, is_opaque};

use crate::core::{Garbage, VarIndex};

/// Which predicates stand for what.
#[derive(Clone, Debug)]
pub struct Variables {
    /// The list node.
    pub node: NodeType,
    /// Byte offset and name of the integer fields that are followed: those that are read where an
    /// allocated object may have left them undefined.
    pub data: Vec<(u32, String)>,
    /// Byte offsets of all integer fields, with their types.
    pub integers: Vec<(u32, Scalar)>,
    /// The names of the variables.
    pub names: Vec<String>,
    /// By local of the procedure.
    pub locals: Vec<Option<VarIndex>>,
    /// By parameter, the variable that holds its value at entry.
    pub entries: Vec<Option<VarIndex>>,
    /// The variable for the result.
    pub result: Option<VarIndex>,
    /// The variable that holds the field of a node while the node is copied, if one is.
    pub copied: Option<VarIndex>,
    /// By local of the procedure, the one value that it ever has after it is written.
    pub constants: Vec<Option<i64>>,
}

impl Variables {
    /// Finds the list type and the variables.
    pub fn of(program: &Program, proc: ProcId, garbage: Garbage) -> Result<Self, Refusal> {
        let procedure = program.proc(proc);
        let refuse = |reason: &str| Err(Refusal::at(procedure.span, reason));
        let Some(body) = &procedure.body else {
            return refuse("a procedure without a body");
        };
        let types = &program.types;
        let mut node = None;
        for var in &procedure.vars {
            let Some(pointee) = types.pointee(var.ty) else {
                continue;
            };
            if types.as_record(pointee).is_some() && *node.get_or_insert(pointee) != pointee {
                return refuse("pointers to several types");
            }
        }
        let Some(node) = node else {
            return refuse("no pointers to a struct");
        };
        let (Some(layout), Some(record)) = (types.layout(node), types.as_record(node)) else {
            return refuse("pointers to an incomplete type");
        };
        let name_at = |offset: u32| {
            let fields = &types.record(record).fields;
            let field = fields.iter().find(|f| f.offset == offset);
            field.map_or_else(|| offset.to_string(), |f| f.name.clone())
        };
        let (mut pointers, mut integers) = (Vec::new(), Vec::new());
        for cell in &layout.cells {
            match cell.scalar {
                Scalar::Ptr(target) if target == node => pointers.push(cell.offset),
                Scalar::Ptr(_) => return refuse("a node with a pointer to another type"),
                _ => integers.push((cell.offset, cell.scalar)),
            }
        }
        let &[offset] = &pointers[..] else {
            return refuse("a node that does not have exactly one pointer");
        };
        let Some(node) = NodeType::new(types, node, offset) else {
            return refuse("a node with a union");
        };
        if let Some(span) = embedded_input(program, proc, node.record) {
            return Err(Refusal::at(span, EMBEDDED));
        }
        let mut params = procedure.vars[..procedure.params].iter();
        if let Some(var) = params.find(|v| is_opaque(types, v.ty)) {
            return Err(Refusal::at(var.span, "a `void *` argument"));
        }
        let live = live_in(body, procedure.vars.len());
        let at_entry = &live[body.entry.0 as usize];
        let undefined = (procedure.params..procedure.vars.len()).find(|&v| at_entry[v]);
        if let Some(v) = undefined {
            let var = &procedure.vars[v];
            let reason = format!("`{}`, which may be read before it is written", var.name);
            return Err(Refusal::at(var.span, reason));
        }
        let mut variables = Variables {
            node,
            data: Vec::new(),
            integers,
            names: Vec::new(),
            locals: Vec::new(),
            entries: Vec::new(),
            result: None,
            copied: None,
            constants: constants(procedure),
        };
        variables.find_data(procedure, name_at);
        variables.declare(program, procedure, garbage)?;
        Ok(variables)
    }

    /// Integer fields that are read, if some object may not have them written.
    fn find_data(&mut self, procedure: &Procedure, name_at: impl Fn(u32) -> String) {
        let fresh = |k: &InstrKind| matches!(k, InstrKind::Alloc { zeroed: false, .. });
        let allocates = procedure.instrs().any(|i| fresh(&i.kind));
        let loads = procedure.instrs().any(|i| match &i.kind {
            InstrKind::Load { scalar, .. } => !scalar.is_ptr(),
            InstrKind::Copy { .. } => true,
            _ => false,
        });
        if allocates && loads {
            self.data = self.integers.iter().map(|&(o, _)| (o, name_at(o))).collect();
        }
    }

    fn declare(
        &mut self,
        program: &Program,
        procedure: &Procedure,
        garbage: Garbage,
    ) -> Result<(), Refusal> {
        let types = &program.types;
        let used = mentioned(procedure);
        for (i, var) in procedure.vars.iter().enumerate() {
            // What nobody mentions, such as the arguments of `main` that it does not look at.
            if i >= procedure.params && var.storage == Storage::Register && !used[i] {
                self.locals.push(None);
                continue;
            }
            let is_list = self.node.is_pointer(types, var.ty);
            match (var.storage, is_list, types.pointee(var.ty)) {
                (Storage::Object, ..) => {
                    let reason = format!("`{}`, which lives in memory", var.name);
                    return Err(Refusal::at(var.span, reason));
                }
                (Storage::Register, true, _) => {
                    self.locals.push(Some(self.names.len()));
                    self.names.push(var.name.clone());
                }
                (Storage::Register, false, Some(_)) => {
                    let reason = format!("`{}`, a pointer to another type", var.name);
                    return Err(Refusal::at(var.span, reason));
                }
                (Storage::Register, false, None) => self.locals.push(None),
            }
        }
        let assigned = assigned_locals(procedure);
        let needed = |p| garbage == Garbage::Leaks || mentions_entry_value(procedure, p);
        for p in procedure.param_ids() {
            let local = self.locals[p.0 as usize];
            let kept = match (local, assigned.contains(&p)) {
                (Some(_), true) if needed(p) => {
                    self.names.push(format!("\\old({})", procedure.var(p).name));
                    Some(self.names.len() - 1)
                }
                (local, false) => local,
                (_, true) => None,
            };
            self.entries.push(kept);
        }
        if types.pointee(procedure.ret).is_some() {
            self.names.push("\\result".into());
            self.result = Some(self.names.len() - 1);
        }
        if procedure.instrs().any(|i| matches!(i.kind, InstrKind::Copy { .. })) {
            self.names.push("%copy".into());
            self.copied = Some(self.names.len() - 1);
        }
        Ok(())
    }

    /// The variables that are gone after a return.
    pub fn locals_that_die(&self) -> Vec<VarIndex> {
        let kept = |x: &VarIndex| self.entries.contains(&Some(*x)) || self.result == Some(*x);
        (0..self.names.len()).filter(|x| !kept(x)).collect()
    }
}

/// By local, the constant that all its assignments assign; parameters come from outside.
fn constants(procedure: &Procedure) -> Vec<Option<i64>> {
    fn literal(e: &Expr) -> Option<i64> {
        match e {
            Expr::Int(i) => Some(*i),
            Expr::Convert(kind, a) => Some(kind.wrap(literal(a)?.into())),
            _ => None,
        }
    }
    let mut seen: Vec<Vec<Option<i64>>> = vec![Vec::new(); procedure.vars.len()];
    (0..procedure.params).for_each(|p| seen[p].push(None));
    for instr in procedure.instrs() {
        let Some(Reg::Local(VarId(v))) = instr.kind.dst() else {
            continue;
        };
        seen[v as usize].push(match &instr.kind {
            InstrKind::Assign { value, .. } => literal(value),
            _ => None,
        });
    }
    let same = |values: Vec<Option<i64>>| {
        let first = values.first().copied().flatten();
        first.filter(|_| values.iter().all(|v| *v == first))
    };
    seen.into_iter().map(same).collect()
}

/// Which variables code or contract mention.
fn mentioned(procedure: &Procedure) -> Vec<bool> {
    let mut used = vec![false; procedure.vars.len()];
    let mut mention = |reg: Reg| {
        if let Reg::Local(v) = reg {
            used[v.0 as usize] = true;
        }
    };
    procedure.instrs().filter_map(|i| i.kind.dst()).for_each(&mut mention);
    for e in procedure.blocks().flat_map(trellis_program::Block::exprs) {
        e.visit(&mut |e| {
            if let Expr::Reg(r) | Expr::Addr(r) = e {
                mention(*r);
            }
        });
    }
    for formula in procedure.formulas() {
        formula.visit(&mut |_| {}, &mut |t| {
            if let trellis_program::spec::Term::Reg(r) | trellis_program::spec::Term::Addr(r) = t {
                mention(*r);
            }
        });
    }
    used
}
