//! The heap theory.

mod edges;
