//! Tests of the sll engine.

mod rows;
