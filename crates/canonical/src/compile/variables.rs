//! The list type and the pointer variables of a procedure.

use trellis_program::cfg::live_in;
use trellis_program::embedding::embedded_input;
use trellis_program::ir::InstrKind;
use trellis_program::spec::{FieldRef, Term};
use trellis_program::{
    Expr, ProcId, Procedure, Program, Refusal, Reg, Scalar, Storage, TypeId, VarId,
};

use crate::contract::Names;
use crate::core::{Garbage, VarIndex};

/// Which predicates stand for what.
#[derive(Clone, Debug)]
pub struct Variables {
    /// The node type.
    pub node: TypeId,
    /// Bytes of a node.
    pub size: u32,
    /// Byte offset of the list field, its name, its type.
    pub field: (u32, String, Scalar),
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
                Scalar::Ptr(target) if target == node => pointers.push((cell.offset, cell.scalar)),
                Scalar::Ptr(_) => return refuse("a node with a pointer to another type"),
                _ => integers.push((cell.offset, cell.scalar)),
            }
        }
        let &[(offset, scalar)] = &pointers[..] else {
            return refuse("a node that does not have exactly one pointer");
        };
        if layout.overlaps {
            return refuse("a node with a union");
        }
        if let Some(span) = embedded_input(program, proc, node) {
            let reason = "a list node that is a global, a member or an element";
            return Err(Refusal::at(span, reason));
        }
        let opaque = procedure.vars[..procedure.params].iter().find(|v| {
            let pointee = types.pointee(v.ty);
            pointee.is_some_and(|p| *types.get(p) == trellis_program::Type::Void)
        });
        if let Some(var) = opaque {
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
            size: layout.size,
            field: (offset, name_at(offset), scalar),
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
        for var in &procedure.vars {
            let pointee = types.pointee(var.ty);
            let is_list = pointee
                .is_some_and(|p| p == self.node || *types.get(p) == trellis_program::Type::Void);
            match (var.storage, is_list, pointee) {
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
        for p in procedure.param_ids() {
            let local = self.locals[p.0 as usize];
            let kept = match (local, is_assigned(procedure, p)) {
                (Some(_), true) if garbage == Garbage::Leaks || is_mentioned(procedure, p) => {
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

fn is_assigned(procedure: &Procedure, param: VarId) -> bool {
    procedure.instrs().any(|i| i.kind.dst() == Some(Reg::Local(param)))
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

/// Whether the contract looks at a parameter after the start.
fn is_mentioned(procedure: &Procedure, param: VarId) -> bool {
    let mut found = false;
    let clauses = procedure.contract.ensures.iter().map(|c| &c.formula);
    let inside = procedure.instrs().filter_map(|i| match &i.kind {
        InstrKind::Assert { cond: trellis_program::Cond::Spec(f), .. } => Some(f),
        _ => None,
    });
    for formula in clauses.chain(inside) {
        formula.visit(&mut |_| {}, &mut |t| found |= *t == Term::Reg(Reg::Local(param)));
    }
    found
}

impl Names for Variables {
    fn local(&self, var: VarId) -> Option<VarIndex> {
        self.locals.get(var.0 as usize).copied().flatten()
    }

    fn entry(&self, var: VarId) -> Option<VarIndex> {
        self.entries.get(var.0 as usize).copied().flatten()
    }

    fn result(&self) -> Option<VarIndex> {
        self.result
    }

    fn offset(&self) -> i64 {
        i64::from(self.field.0)
    }

    fn is_list_field(&self, field: &FieldRef) -> bool {
        field.owner == self.node && field.offset == self.field.0 && field.scalar == self.field.2
    }

    fn node_bytes(&self) -> u32 {
        self.size
    }
}
