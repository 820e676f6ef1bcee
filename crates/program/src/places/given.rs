//! Pointers to scalars that a caller passes.
//!
//! A pointer of the initial heap leads to the start of an object of its type, so where nothing else
//! can lead to such objects, a parameter `p` that is not null leads to one of its own. That object
//! may as well be a global: a new one, called `*p`, whose address `p` gets in a new first block. What
//! the contract says of `p` it says of that address, and [`super::places`] does the rest.
//!
//! **Invariant.** The initial heaps of the new procedure are those of the old one, but for the
//! lifetime of the object and for `p`, which is no argument any more ([`Placed::initial`] is the way
//! back); runs from them are the same as long as nobody frees the object or keeps its address. So a
//! parameter counts as given only if the new global can be replaced.

use std::collections::BTreeSet;

use super::Placed;
use crate::concrete::initial::InitialHeap;
use crate::concrete::memory::Lifetime;
use crate::ir::{
    Block, BlockId, CmpOp, Cond, Expr, Global, GlobalId, Instr, InstrKind, ProcId, Program, Reg,
    Storage, Terminator, VarId,
};
use crate::spec::{Assigns, Contract, Formula, Label, Rewrite, Term};
use crate::types::{Scalar, Type, TypeId};

/// A parameter, and the global that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Given {
    pub(super) param: VarId,
    pub(super) object: GlobalId,
}

/// The parameters that lead to objects of their own, as far as the contract tells.
pub(super) fn candidates(program: &Program, proc: ProcId) -> BTreeSet<VarId> {
    let procedure = program.proc(proc);
    let calls = procedure.instrs().any(|i| matches!(i.kind, InstrKind::Call { .. }));
    if procedure.body.is_none() || procedure.is_whole_program() || program.is_collected() || calls {
        return BTreeSet::new();
    }
    let conjuncts: Vec<&Formula> =
        procedure.contract.requires.iter().flat_map(|c| c.formula.conjuncts()).collect();
    let to = |v: VarId| program.types.pointee(procedure.var(v).ty);
    let fits = |v: &VarId| {
        let is_scalar =
            |to: TypeId| matches!(program.types.scalar(to), Some(Scalar::Int(_) | Scalar::Ptr(_)));
        let size = |to: TypeId| program.types.size_of(to).unwrap_or(0);
        procedure.var(*v).storage == Storage::Register
            && to(*v).is_some_and(|to| {
                is_scalar(to)
                    && !program.globals.iter().any(|g| may_be(program, g, to))
                    && conjuncts.iter().any(|f| is_there(f, *v, size(to)))
            })
    };
    let all: Vec<VarId> = (0..procedure.params as u32).map(VarId).filter(fits).collect();
    let apart = |a: VarId, b: VarId| {
        a == b || to(a) != to(b) || conjuncts.iter().any(|f| separates(f, a, b))
    };
    all.iter().copied().filter(|a| all.iter().all(|b| apart(*a, *b))).collect()
}

/// Whether a pointer to a type may lead to a global.
fn may_be(program: &Program, global: &Global, to: TypeId) -> bool {
    let mut ty = global.ty;
    while let Type::Array(element, _) = program.types.get(ty) {
        ty = *element;
    }
    global.storage == Storage::Object && ty == to
}

/// Whether a conjunct says that a parameter is not null.
fn is_there(f: &Formula, v: VarId, size: u32) -> bool {
    let here = Term::Reg(Reg::Local(v));
    match f {
        Formula::Valid(t, bytes) => *t == here && *bytes <= size,
        Formula::Cmp(CmpOp::Ne, a, b) => [(a, b), (b, a)].contains(&(&here, &Term::Null)),
        _ => false,
    }
}

fn separates(f: &Formula, a: VarId, b: VarId) -> bool {
    let has = |terms: &[Term], v: VarId| terms.contains(&Term::Reg(Reg::Local(v)));
    matches!(f, Formula::Separated(terms) if has(terms, a) && has(terms, b))
}

/// The program in which some parameters lead to globals of their own.
pub(super) fn with_globals(
    program: &Program,
    proc: ProcId,
    params: &BTreeSet<VarId>,
) -> (Program, Vec<Given>) {
    let mut program = program.clone();
    let mut all = Vec::new();
    for &param in params {
        let object = GlobalId(program.globals.len() as u32);
        let var = program.proc(proc).var(param);
        let Some(ty) = program.types.pointee(var.ty) else { continue };
        let (name, span) = (format!("*{}", var.name), var.span);
        let (storage, is_const, is_ghost) = (Storage::Object, false, false);
        let init = Vec::new();
        program.globals.push(Global { name, ty, storage, init, is_const, is_ghost, span });
        all.push(Given { param, object });
    }
    let sizes = all
        .iter()
        .map(|given| program.types.size_of(program.global(given.object).ty).unwrap_or(0))
        .collect();
    let procedure = &mut program.procs[proc.0 as usize];
    let written: BTreeSet<Reg> = procedure.instrs().filter_map(|i| i.kind.dst()).collect();
    let mut of_entry = Addresses { all: all.clone(), sizes, in_contract: true };
    of_entry.contract(&mut procedure.contract);
    // In the code a parameter that is written has other values, too.
    let kept = |given: &Given| !written.contains(&Reg::Local(given.param));
    let (all_here, sizes) = all
        .iter()
        .zip(&of_entry.sizes)
        .filter(|(given, _)| kept(given))
        .map(|(given, size)| (*given, *size))
        .unzip();
    let mut here = Addresses { all: all_here, sizes, in_contract: false };
    let span = procedure.span;
    if let Some(body) = &mut procedure.body {
        for instr in body.blocks.iter_mut().flat_map(|b| &mut b.instrs) {
            if let InstrKind::Assume { cond: Cond::Spec(f) }
            | InstrKind::Assert { cond: Cond::Spec(f), .. } = &mut instr.kind
            {
                *f = here.formula(f);
            }
        }
        let set = |given: &Given| InstrKind::Assign {
            dst: Reg::Local(given.param),
            value: Expr::Addr(Reg::Global(given.object)),
        };
        let instrs = all.iter().map(|given| Instr { kind: set(given), span }).collect();
        let term = Terminator::Goto(body.entry);
        body.blocks.push(Block { instrs, term, term_span: span });
        body.entry = BlockId(body.blocks.len() as u32 - 1);
    }
    (program, all)
}

/// Formulas that speak of the new globals instead of the parameters.
struct Addresses {
    all: Vec<Given>,
    /// Of the objects, in bytes.
    sizes: Vec<u32>,
    /// There a variable is a parameter, which has a value.
    in_contract: bool,
}

impl Addresses {
    fn contract(&mut self, contract: &mut Contract) {
        for clause in contract.requires.iter_mut().chain(&mut contract.ensures) {
            clause.formula = self.formula(&clause.formula);
        }
        if let Assigns::Places(items, _) = &mut contract.assigns {
            for item in items {
                item.addr = self.term(&item.addr);
                item.filter = item.filter.as_ref().map(|f| self.formula(f));
            }
        }
    }

    /// The size of the new global at an address.
    fn object(&self, term: &Term) -> Option<u32> {
        let Term::Addr(Reg::Global(g)) = term else { return None };
        self.all.iter().zip(&self.sizes).find(|(given, _)| given.object == *g).map(|(_, s)| *s)
    }

    /// Whether a term is always a pointer with a value: only then it is separated from an object
    /// that it cannot lead to.
    fn has_value(&self, term: &Term) -> bool {
        match term {
            Term::Bound(_) | Term::Addr(_) | Term::Null => true,
            Term::Reg(_) => self.in_contract,
            Term::Load { addr, .. } => self.in_contract && self.object(addr).is_some(),
            Term::At(Label::Pre, inner) => self.has_value(inner),
            _ => false,
        }
    }
}

impl Rewrite for Addresses {
    fn formula(&mut self, formula: &Formula) -> Formula {
        let new = formula.with_parts(self);
        match &new {
            Formula::Valid(t, bytes) if self.object(t).is_some_and(|size| *bytes <= size) => {
                Formula::Const(true)
            }
            Formula::Alloc(t) if self.object(t).is_some() => Formula::Const(true),
            Formula::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), a, Term::Null)
            | Formula::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), Term::Null, a)
                if self.object(a).is_some() =>
            {
                Formula::Const(*op == CmpOp::Ne)
            }
            Formula::Separated(terms) if terms.iter().all(|t| self.has_value(t)) => {
                let ours: Vec<&Term> = terms.iter().filter(|t| self.object(t).is_some()).collect();
                let twice = (1..ours.len()).any(|i| ours[..i].contains(&ours[i]));
                let others: Vec<Term> =
                    terms.iter().filter(|t| self.object(t).is_none()).cloned().collect();
                match (twice, others.len()) {
                    (true, _) => Formula::Const(false),
                    (false, 0 | 1) => Formula::Const(true),
                    (false, _) => Formula::Separated(others),
                }
            }
            _ => new,
        }
    }

    fn term(&mut self, term: &Term) -> Term {
        if let Term::Reg(Reg::Local(v)) = term
            && let Some(given) = self.all.iter().find(|given| given.param == *v)
        {
            return Term::Addr(Reg::Global(given.object));
        }
        match term.with_parts(self) {
            // An address is the same in every state.
            Term::At(_, inner) if self.object(&inner).is_some() => *inner,
            new => new,
        }
    }
}

impl Placed {
    /// The initial heap of the procedure as its callers see it that one of the procedure before
    /// pointers were replaced stands for: where parameters lead to globals of their own, they lead
    /// to objects of the caller.
    pub fn initial(&self, mut heap: InitialHeap) -> InitialHeap {
        for given in self.given.iter().rev() {
            let Some(value) = heap.globals.pop() else { break };
            if let Some(p) = value.pointer() {
                heap.memory.objects[p.obj.0 as usize].lifetime = Lifetime::Heap;
            }
            if let Some(arg) = heap.args.get_mut(given.param.0 as usize) {
                *arg = value;
            }
        }
        heap
    }
}
