//! The constant objects that the code may write by mistake: those whose address it gives away.
//!
//! Where nobody takes the address, a pointer leads there only if a caller has cast it so, and that
//! is not asked about.

use std::collections::BTreeSet;

use crate::ir::{
    Expr, GlobalId, Init, InstrKind, Procedure, Program, Reg, Storage, Terminator, VarId,
};
use crate::types::{TypeId, TypeTable};

/// The constant objects whose address is used for more than reading at once.
pub(super) fn given_away(program: &Program) -> Vec<GlobalId> {
    let mut taken = BTreeSet::new();
    for (_, _, init) in program.globals.iter().flat_map(|g| &g.init) {
        if let Init::Addr(g, _) = init {
            taken.insert(*g);
        }
    }
    for block in program.procs.iter().flat_map(Procedure::blocks) {
        for instr in &block.instrs {
            match &instr.kind {
                InstrKind::Assign { value, .. } => addresses(value, &mut taken),
                InstrKind::Store { addr, value, .. } => {
                    addresses(addr, &mut taken);
                    addresses(value, &mut taken);
                }
                InstrKind::Copy { dst, .. } | InstrKind::Fill { dst, .. } => {
                    addresses(dst, &mut taken);
                }
                InstrKind::Call { args, .. } => {
                    args.iter().for_each(|arg| addresses(arg, &mut taken));
                }
                _ => {}
            }
        }
        if let Terminator::Return(Some(value)) = &block.term {
            addresses(value, &mut taken);
        }
    }
    let constant = |g: &GlobalId| {
        let global = &program.globals[g.0 as usize];
        global.is_const && global.storage == Storage::Object
    };
    taken.into_iter().filter(constant).collect()
}

/// The constant objects among the locals of a procedure.
pub(super) fn locals(proc: &Procedure) -> Vec<VarId> {
    let vars = (0u32..).map(VarId).zip(&proc.vars);
    let constant = vars.filter(|(_, v)| v.is_const && v.storage == Storage::Object);
    constant.map(|(id, _)| id).collect()
}

/// Whether a write of so many bytes to an object, or to an array of such, meets a constant member.
pub(super) fn is_in_member(types: &TypeTable, ty: TypeId, offset: i64, bytes: u32) -> bool {
    let size = i64::from(types.size_of(ty).unwrap_or(0)).max(1);
    let (from, bytes) = (offset.rem_euclid(size) as u64, u64::from(bytes));
    match from + bytes <= size as u64 {
        true => types.touches_const(ty, from, from + bytes),
        false => types.has_const(ty),
    }
}

/// Whether a place is a local, or a part of one, by its name.
pub(super) fn is_named_local(place: &Expr) -> bool {
    match place {
        Expr::Addr(Reg::Local(_)) => true,
        Expr::Offset(base, _) | Expr::Index { base, .. } => is_named_local(base),
        _ => false,
    }
}

/// The globals whose address a value may be made of.
fn addresses(e: &Expr, out: &mut BTreeSet<GlobalId>) {
    match e {
        Expr::Addr(Reg::Global(g)) => {
            out.insert(*g);
        }
        Expr::Unary(_, _, a)
        | Expr::Convert(_, a)
        | Expr::ToPtr(a)
        | Expr::Offset(a, _)
        | Expr::Index { base: a, .. } => addresses(a, out),
        Expr::Binary(_, _, a, b) => {
            addresses(a, out);
            addresses(b, out);
        }
        Expr::Int(_)
        | Expr::Null
        | Expr::Reg(_)
        | Expr::Addr(Reg::Local(_))
        | Expr::Not(_)
        | Expr::Cmp(..)
        | Expr::Diff(..)
        | Expr::Extent(..) => {}
    }
}
