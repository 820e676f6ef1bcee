//! The embedded solver against brute force, itself, and known theorems about heaps.

mod damaged_proofs;
mod determinism;
mod heap;
mod incremental;
mod limits;
mod memory;
mod oracle;
mod proofs;
mod random;
mod refusals;
mod validity;
