//! Being built.

pub mod acsl;
