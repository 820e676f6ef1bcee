//! Recording queries.

pub mod nodes;
