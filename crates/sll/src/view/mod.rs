//! Abstract heaps for people: as shapes, in the predicate form and in the canonical form of the
//! paper.
//!
//! * [`shape`]: `x ->+ y -> NULL, t = NULL`, for a set of length classes a segment
//! * [`predicates`]: the true predicates of *Predicate and Canonical Abstraction*, Table 6
//! * [`canonical`]: the three-valued structure of Table 7, or of the linear Table 8
//! * [`names`]: the auxiliary variables that name shared nodes

pub mod canonical;
pub mod names;
pub mod predicates;

pub use trellis_shapes::text::{disjunction, facts, node_names, shape};
