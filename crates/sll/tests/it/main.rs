//! Tests of the sll engine.

mod best;
mod examples;
mod formulas;
mod large;
mod random;
mod rows;
mod views;
