//! Pointers to variables and to fields replaced by what they point to.
//!
//! The logic has objects, and a pointer in it is an object: which of its cells is meant is told by
//! types ([`crate::view`]). A `T **` needs more: it may point to a variable, or to one of several
//! fields. After calls are replaced ([`crate::inline()`]) the places that such a pointer can have
//! are few and known, so [`places`] gives engines a procedure in which every one of them is a
//! register of its own:
//!
//! * for a variable `a`, whether `p == &a`: 0 or 1;
//! * for a field `next` of `struct node`, the node: null if `p` is no `next`;
//! * if it may outlive one of its variables, whether it has: `p` is dead.
//!
//! At most one of them is neither zero nor null; null has none. A load or store through the pointer
//! is a case split, and a variable that is reached in no other way lives in a register again.
//!
//! * `given`: parameters that lead to objects of their own
//! * `flow`: which pointers and variables can be replaced, and which places there are; which
//!   expressions are places
//! * `lower`: the code
//! * `split`: loads, stores and comparisons as case splits
//! * `formulas`: contracts
//! * `states`: states of the old procedure as states of the new one, and back
//!
//! **Invariant: the interpreter cannot tell.** From the same initial heap, with the same choices, the
//! new body ends as the old one does: with the same value, or with the failure of a check of the same
//! kind at the same place in the source. It is stricter in one thing: to compare a pointer that was
//! never set, or to take the address of a field of one, fails at once. What cannot be replaced stays
//! as it was, and is refused by whoever cannot follow it. The old blocks keep their numbers.

mod flow;
mod formulas;
mod given;
mod lower;
mod split;
mod states;

use crate::inline::Inlined;
use crate::ir::{BlockId, ProcId, Program, Reg, VarId};
use crate::types::TypeId;

/// Where a pointer can point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// A scalar variable.
    Variable(Reg),
    /// A scalar in objects of a struct type.
    Field {
        /// The struct.
        owner: TypeId,
        /// In bytes from its start.
        offset: i64,
    },
}

/// A pointer and the registers that stand for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The pointer of the old procedure; the new one never writes nor reads it.
    pub var: VarId,
    /// The register of every place, in the order of the places: a truth value for a variable, a
    /// pointer to the struct for a field.
    pub at: Vec<(Place, VarId)>,
    /// Whether it points to a variable that is gone: a truth value.
    pub dead: Option<VarId>,
}

impl Pointer {
    /// The register of a place.
    pub fn register(&self, place: Place) -> Option<VarId> {
        self.at.iter().find(|(p, _)| *p == place).map(|(_, register)| *register)
    }
}

/// A program in which one procedure has no pointers to variables, as far as they could be replaced.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The program; all procedures but one are as they were.
    pub program: Program,
    /// The program before, calls replaced.
    pub before: Program,
    /// The procedure.
    pub proc: ProcId,
    /// The variables that were in memory and are in registers now.
    pub variables: Vec<Reg>,
    /// The pointers that were replaced.
    pub pointers: Vec<Pointer>,
    /// The parameters that lead to globals of their own, which come last in `before`.
    given: Vec<given::Given>,
}

impl Placed {
    /// A procedure in which nothing is replaced.
    pub fn unchanged(program: Program, proc: ProcId) -> Placed {
        let before = program.clone();
        Placed {
            program,
            before,
            proc,
            variables: Vec::new(),
            pointers: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Whether nothing was replaced.
    pub fn is_unchanged(&self) -> bool {
        self.variables.is_empty() && self.pointers.is_empty()
    }

    /// Whether the old procedure has this block.
    pub fn is_old(&self, block: BlockId) -> bool {
        (block.0 as usize) < self.before.proc(self.proc).blocks().count()
    }
}

/// The procedure without calls, its pointers to variables and fields replaced.
pub fn places(inlined: &Inlined) -> Placed {
    let (program, proc) = (&inlined.program, inlined.proc);
    let mut params = given::candidates(program, proc);
    while !params.is_empty() {
        let (program, given) = given::with_globals(program, proc, &params);
        let flow = flow::Flow::new(&program, proc, &params);
        let replaced = |g: &given::Given| {
            flow.pointers.contains(&g.param) && flow.variables.contains(&Reg::Global(g.object))
        };
        if given.iter().all(replaced) {
            return Placed { given, ..lower::lower(&program, proc, &flow) };
        }
        let kept = given.iter().filter(|g| replaced(g)).map(|g| g.param).collect();
        params = kept;
    }
    let flow = flow::Flow::new(program, proc, &params);
    match flow.is_empty() {
        true => Placed::unchanged(program.clone(), proc),
        false => lower::lower(program, proc, &flow),
    }
}
