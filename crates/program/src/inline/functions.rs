//! Functions that are passed as arguments: where a call passes a function by its name, and the callee
//! never writes that parameter, the copy of its body is for this function alone. A call through the
//! parameter is a branch over all functions of its type; of it one arm is left, so that what the
//! others do, or that they call each other, is nobody's business.

use std::collections::BTreeMap;

use super::{Call, Inliner, effects};
use crate::cfg;
use crate::ir::{Block, BlockId, CmpOp, Expr, Reg, Storage, Terminator, VarId};
use crate::types::IntKind;

impl Inliner<'_> {
    /// The parameters of a callee that are known functions. Formulas may mention parameters by
    /// their names, so a procedure with formulas gets all of them passed.
    pub(super) fn known_functions(&self, call: &Call) -> BTreeMap<VarId, Expr> {
        let callee = self.program.proc(call.proc);
        let mut known = BTreeMap::new();
        if callee.body.is_none() || callee.formulas().next().is_some() || self.stays(call) {
            return known;
        }
        let written = effects::written_locals(callee);
        for (v, arg) in callee.param_ids().zip(&call.args) {
            let var = callee.var(v);
            let to = self.program.types.pointee(var.ty);
            let is_pointer = to.is_some_and(|ty| self.program.types.is_function(ty));
            let is_read_only = var.storage == Storage::Register && !written.contains(&v.0);
            if is_pointer && is_read_only && self.is_function(arg) {
                known.insert(v, arg.clone());
            }
        }
        known
    }

    /// Whether an argument is a function, or null.
    fn is_function(&self, arg: &Expr) -> bool {
        match arg {
            Expr::Null => true,
            Expr::Addr(Reg::Global(g)) => {
                self.program.types.is_function(self.program.global(*g).ty)
            }
            _ => false,
        }
    }

    /// Leaves nothing in blocks from a number on that the entry does not lead to.
    pub(super) fn empty_unreachable(&mut self, entry: BlockId, first: usize) {
        let mut seen = vec![false; self.blocks.len()];
        let mut todo = vec![entry];
        while let Some(b) = todo.pop() {
            if (b.0 as usize) >= first && !std::mem::replace(&mut seen[b.0 as usize], true) {
                todo.extend(cfg::successors(&self.blocks[b.0 as usize].term));
            }
        }
        for b in (first..self.blocks.len()).filter(|b| !seen[*b]) {
            let term_span = self.blocks[b].term_span;
            self.blocks[b] = Block { instrs: Vec::new(), term: Terminator::Abort, term_span };
        }
    }
}

/// A comparison; of a known function with a constant, what it gives.
pub(super) fn compared(
    known: bool,
    op: CmpOp,
    kind: Option<IntKind>,
    (a, b): (Box<Expr>, Box<Expr>),
) -> Expr {
    let is_constant = |e: &Expr| matches!(e, Expr::Null | Expr::Addr(Reg::Global(_)));
    match op {
        _ if !known || !is_constant(&a) || !is_constant(&b) => Expr::Cmp(op, kind, a, b),
        CmpOp::Eq => Expr::Int((a == b).into()),
        CmpOp::Ne => Expr::Int((a != b).into()),
        _ => Expr::Cmp(op, kind, a, b),
    }
}

/// A negation; of a constant, what it gives.
pub(super) fn negated(a: Box<Expr>) -> Expr {
    match *a {
        Expr::Int(i) => Expr::Int((i == 0).into()),
        _ => Expr::Not(a),
    }
}
