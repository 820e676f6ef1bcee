//! Tests of the sll engine.

mod best;
mod formulas;
mod random;
mod rows;
mod views;
