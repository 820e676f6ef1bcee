//! Proofs of answers: from a run of the solver to something that an independent checker accepts.

pub(crate) mod log;
