//! Calls replaced by the bodies of the procedures they call.
//!
//! Symbolic engines see one procedure without calls. [`inline`] gives them a copy of the program in
//! which the body of one procedure calls nothing: every call has become a copy of the callee's body
//! with variables and blocks of its own, the callee's contract has become assertions, and a callee
//! without a body has become what its contract says.
//!
//! * `bind`: arguments to parameters, and the variables of one activation
//! * `copy`: a body, renamed, with every return leading back to the caller
//! * `contract`: `requires`, `ensures` and `assigns` of a callee
//! * `walks`: recursive predicates that are reachability
//! * `recall`: formulas of a callee, with `\old` replaced by what was kept at the call
//! * `effects`: which procedures change nothing
//! * `functions`: functions that are passed as arguments
//! * `kept`: recursive calls, which stay if one asks for that; `local`: contracts that can be used there
//!
//! **Invariant: the interpreter cannot tell.** From the same initial heap, with the same choices,
//! the new body ends as the old one does: with the same value, or with the failure of a check of the
//! same kind at the same place in the source. Where that cannot be done (recursion, a contract that
//! compares memory with memory at the call) the answer is a refusal. Three things are not
//! instructions and so need care:
//! * `--check acyclic` looks at memory when any procedure returns; [`Origin::returns`] says where.
//! * A quantified integer ranges over a sample that depends on the variables there are, and there
//!   are more of them now.
//! * That a body mentions a local object only while it lives is taken from the front end.

mod bind;
mod contract;
mod copy;
mod effects;
mod functions;
mod kept;
mod local;
mod recall;
mod walks;

use std::collections::{BTreeMap, BTreeSet};

use crate::cfg;
use crate::ir::{
    Block, BlockId, Expr, Instr, InstrKind, ProcId, Program, Reg, Terminator, Var, VarId,
};
use crate::judgement::Refusal;
use crate::source::Span;
use crate::types::TypeId;

pub use kept::{changes_memory, promised};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineLimits {
    /// Most blocks of the new body.
    pub blocks: usize,
    /// Most calls inside each other.
    pub depth: usize,
    /// What becomes of recursive calls.
    pub recursion: Recursion,
}

/// What becomes of recursive calls, which no body can replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// They are refused.
    Refused,
    /// Calls that the procedure makes of itself stay, for whoever knows what a contract says of them
    /// ([`promised`]).
    OfItself,
    /// Calls of procedures that may call themselves again stay, for whoever follows these as well.
    Stays,
}

impl Default for InlineLimits {
    fn default() -> InlineLimits {
        InlineLimits { blocks: 2000, depth: 30, recursion: Recursion::Refused }
    }
}

/// A program in which one procedure calls nothing.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The program; all procedures but one are as they were.
    pub program: Program,
    /// The procedure without calls.
    pub proc: ProcId,
    /// Where its blocks and variables come from.
    pub origin: Origin,
}

/// Where the parts of a new body come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// For every block, the one it is a copy or a part of.
    pub blocks: Vec<(ProcId, BlockId)>,
    /// For every variable, the one it is a copy of (or whose value at the call it holds); `None`
    /// for a result and other values without a variable.
    pub vars: Vec<Option<(ProcId, VarId)>>,
    /// The blocks that end with the return of a callee.
    pub returns: BTreeSet<BlockId>,
}

/// A copy of the program in which the body of `proc` has no calls.
///
/// # Errors
/// A refusal for every call that cannot be replaced.
pub fn inline(
    program: &Program,
    proc: ProcId,
    limits: InlineLimits,
) -> Result<Inlined, Vec<Refusal>> {
    let mut inliner = Inliner::new(program, proc, limits);
    inliner.expand(0..inliner.blocks.len());
    inliner.finish()
}

/// A copy of the program in which `proc`, and every procedure that it may call again and again, calls
/// nothing but the latter.
///
/// # Errors
/// A refusal for every call that cannot be replaced.
pub fn inline_to_recursion(program: &Program, proc: ProcId) -> Result<Inlined, Vec<Refusal>> {
    let limits = InlineLimits { recursion: Recursion::Stays, ..InlineLimits::default() };
    let mut recursive = cfg::recursive_procs(program, proc);
    recursive.remove(&proc);
    let mut program = program.clone();
    for callee in recursive {
        program = inline(&program, callee, limits)?.program;
    }
    inline(&program, proc, limits)
}

/// Why calls of a procedure cannot be replaced, in one refusal.
pub fn first_refusal(program: &Program, proc: ProcId, refusals: Vec<Refusal>) -> Refusal {
    let none = || Refusal::at(program.proc(proc).span, "calls that cannot be replaced");
    refusals.into_iter().next().unwrap_or_else(none)
}

/// Most blocks times variables: whoever takes a body without calls keeps something of every variable
/// at every block.
const MOST_SLOTS: usize = 50_000_000;

/// A body under construction.
struct Inliner<'p> {
    program: &'p Program,
    root: ProcId,
    limits: InlineLimits,
    /// Procedures that change memory or globals.
    writers: BTreeSet<ProcId>,
    /// Procedures whose calls stay.
    recursive: BTreeSet<ProcId>,
    /// At `exit` every variable keeps its object from being leaked, so none may outlive its call.
    exits: bool,
    /// The program with the types that new variables need.
    out: Program,
    blocks: Vec<Block>,
    vars: Vec<Var>,
    origin: Origin,
    /// How many copies of a procedure there are.
    copies: BTreeMap<ProcId, u32>,
    /// The procedures whose bodies enclose the blocks at hand, outermost first.
    stack: Vec<ProcId>,
    /// Registers that are never written, by type.
    undefined: BTreeMap<TypeId, VarId>,
    refusals: Vec<Refusal>,
    /// It has more blocks than it may have.
    too_large: bool,
}

/// A call instruction.
struct Call {
    dst: Option<Reg>,
    proc: ProcId,
    args: Vec<Expr>,
    span: Span,
}

impl<'p> Inliner<'p> {
    fn new(program: &'p Program, root: ProcId, limits: InlineLimits) -> Inliner<'p> {
        let procedure = program.proc(root);
        let blocks = procedure.body.as_ref().map_or_else(Vec::new, |b| b.blocks.clone());
        let procs = cfg::reachable_procs(program, root);
        let mut blocks_of_all = procs.iter().flat_map(|p| program.proc(*p).blocks());
        let exits = blocks_of_all.any(|b| matches!(b.term, Terminator::Exit));
        Inliner {
            program,
            root,
            limits,
            writers: effects::writers(program, &procs),
            recursive: match limits.recursion {
                Recursion::Stays => cfg::recursive_procs(program, root),
                Recursion::Refused | Recursion::OfItself => BTreeSet::new(),
            },
            exits,
            out: program.clone(),
            origin: Origin {
                blocks: (0..blocks.len() as u32).map(|b| (root, BlockId(b))).collect(),
                vars: (0..procedure.vars.len() as u32).map(|v| Some((root, VarId(v)))).collect(),
                returns: BTreeSet::new(),
            },
            blocks,
            vars: procedure.vars.clone(),
            copies: BTreeMap::new(),
            stack: vec![root],
            undefined: BTreeMap::new(),
            refusals: Vec::new(),
            too_large: false,
        }
    }

    fn finish(mut self) -> Result<Inlined, Vec<Refusal>> {
        if self.blocks.len().saturating_mul(self.vars.len()) > MOST_SLOTS {
            let of = self.program.proc(self.root);
            let reason = format!("`{}` has too many blocks and variables", of.name);
            self.refusals.push(Refusal::at(of.span, reason));
        }
        if !self.refusals.is_empty() {
            return Err(self.refusals);
        }
        walks::replace(&mut self.out);
        let procedure = &mut self.out.procs[self.root.0 as usize];
        procedure.vars = self.vars;
        if let Some(body) = &mut procedure.body {
            body.blocks = self.blocks;
        }
        Ok(Inlined { program: self.out, proc: self.root, origin: self.origin })
    }

    /// Replaces every call in the given blocks.
    fn expand(&mut self, blocks: std::ops::Range<usize>) {
        for block in blocks {
            let mut at = BlockId(block as u32);
            while let Some((call, next)) = self.split_at_call(at) {
                // Nobody takes what is too large, so nothing more is made of it.
                if self.too_large {
                    return;
                }
                if let Err(refusal) = self.replace(call, at, next) {
                    self.refuse(refusal);
                }
                at = next;
            }
        }
    }

    /// Cuts a block at its first call, if there is one; what follows the call is a new block.
    fn split_at_call(&mut self, at: BlockId) -> Option<(Call, BlockId)> {
        let block = &mut self.blocks[at.0 as usize];
        let is_call = |i: &Instr| matches!(i.kind, InstrKind::Call { .. });
        let position = block.instrs.iter().position(is_call)?;
        let rest = block.instrs.split_off(position + 1);
        // Each part would keep room for all the parts behind it.
        block.instrs.shrink_to_fit();
        let Some(Instr { kind: InstrKind::Call { dst, proc, args }, span }) = block.instrs.pop()
        else {
            return None;
        };
        let origin = self.origin.blocks[at.0 as usize];
        let (term, term_span) = (block.term.clone(), block.term_span);
        let next = self.new_block(Block { instrs: rest, term, term_span }, origin);
        let block = &mut self.blocks[at.0 as usize];
        block.term = Terminator::Goto(next);
        block.term_span = span;
        Some((Call { dst, proc, args, span }, next))
    }

    /// Puts the callee between the end of `at` and the start of `next`.
    fn replace(&mut self, call: Call, at: BlockId, next: BlockId) -> Result<(), Refusal> {
        match self.limits.recursion {
            Recursion::OfItself if self.stays(&call) => return self.keep_call(&call, at, next),
            Recursion::Stays if self.recursive.contains(&call.proc) => {
                return self.keep_as_it_is(call, at);
            }
            _ => {}
        }
        self.admit(&call)?;
        let mut activation = self.bind(&call, at)?;
        let bound = self.blocks[at.0 as usize].instrs.len();
        self.assert_requires(&mut activation, &call, at)?;
        match &self.program.proc(call.proc).body {
            None => self.apply_contract(&mut activation, &call, at)?,
            Some(body) => {
                let first = self.blocks.len();
                self.copy(&mut activation, &call, body, at, next)?;
                self.stack.push(call.proc);
                self.expand(first..first + body.blocks.len());
                self.stack.pop();
            }
        }
        // What the contract remembers of the call is kept as soon as the parameters are bound.
        self.blocks[at.0 as usize].instrs.splice(bound..bound, activation.kept);
        self.deliver(activation.target, &activation.vars, &call, next);
        Ok(())
    }

    /// Whether a call may be replaced at all.
    fn admit(&mut self, call: &Call) -> Result<(), Refusal> {
        let callee = self.program.proc(call.proc);
        let refuse = |reason: String| Err(Refusal::at(call.span, reason));
        if self.stack.contains(&call.proc) {
            return refuse(format!(
                "a recursive call of `{}`; this engine follows only calls that end",
                callee.name
            ));
        }
        if self.stack.len() > self.limits.depth {
            return refuse(format!("more than {} calls inside each other", self.limits.depth));
        }
        let more = callee.body.as_ref().map_or(0, |b| b.blocks.len());
        if self.blocks.len() + more > self.limits.blocks {
            self.too_large = true;
            let name = &self.program.proc(self.root).name;
            return refuse(format!(
                "`{name}` with everything it calls has more than {} blocks",
                self.limits.blocks
            ));
        }
        if call.args.len() != callee.params {
            return refuse(format!(
                "a call of `{}` with {} arguments for {} parameters",
                callee.name,
                call.args.len(),
                callee.params
            ));
        }
        Ok(())
    }

    /// Remembers a refusal; the same code may have been copied several times.
    fn refuse(&mut self, refusal: Refusal) {
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    fn new_block(&mut self, block: Block, origin: (ProcId, BlockId)) -> BlockId {
        self.blocks.push(block);
        self.origin.blocks.push(origin);
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn new_var(&mut self, var: Var, origin: Option<(ProcId, VarId)>) -> VarId {
        self.vars.push(var);
        self.origin.vars.push(origin);
        VarId(self.vars.len() as u32 - 1)
    }

    /// The type of a variable of the new body.
    fn type_of(&self, reg: Reg) -> TypeId {
        match reg {
            Reg::Local(v) => self.vars[v.0 as usize].ty,
            Reg::Global(g) => self.program.global(g).ty,
        }
    }

    fn emit(&mut self, at: BlockId, kind: InstrKind, span: Span) {
        self.blocks[at.0 as usize].instrs.push(Instr { kind, span });
    }
}
