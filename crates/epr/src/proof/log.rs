//! What a run of the solver has to remember for its proof: which instances of which clauses it
//! used, and which laws of equality.
//!
//! Clauses of definitions are not remembered as instances of their own: the proof names
//! subformulas in its own way.
//!
//! **Invariant**: if the logged instances of the parts and the logged laws hold, then so do all
//! clauses that the SAT solver was given, for some meaning of the definitions.

use rustsat::types::Lit;
use trellis_logic::SortId;

use crate::clause::OpenTerm;
use crate::terms::{Args, Ground};

/// A clause that was made from a part of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Origin(u32);

/// What was used so far.
#[derive(Default)]
pub(crate) struct Log {
    /// The part whose clauses are being made.
    pub(crate) part: usize,
    /// By clause: the part, and what became of the part's variables.
    clauses: Vec<(usize, Vec<OpenTerm>)>,
    instances: Vec<(Origin, Args)>,
    pub(crate) laws: Vec<Vec<Lit>>,
}

impl Log {
    /// The variables of a part before anything was done to them.
    pub(crate) fn images(vars: &[SortId]) -> Vec<OpenTerm> {
        (0..vars.len() as u32).map(OpenTerm::Var).collect()
    }

    /// A clause of the present part, with what became of the part's variables.
    pub(crate) fn clause(&mut self, images: Vec<OpenTerm>) -> Origin {
        self.clauses.push((self.part, images));
        Origin(self.clauses.len() as u32 - 1)
    }

    /// An instance of a clause was added.
    pub(crate) fn instance(&mut self, origin: Origin, tuple: &[Ground]) {
        self.instances.push((origin, tuple.into()));
    }

    /// The instances that were added: the part, and for each of its variables the term; `None`
    /// where any will do.
    pub(crate) fn instances(&self) -> impl Iterator<Item = (usize, Vec<Option<Ground>>)> {
        self.instances.iter().map(|(origin, tuple)| {
            let (part, images) = &self.clauses[origin.0 as usize];
            let term = |image: &OpenTerm| match image {
                OpenTerm::Var(v) => tuple.get(*v as usize).copied(),
                OpenTerm::Ground(term) => Some(*term),
                OpenTerm::App(..) => unreachable!("a variable is replaced by nothing but these"),
            };
            (*part, images.iter().map(term).collect())
        })
    }
}
