//! Tests of the sll engine.

mod best;
mod rows;
