//! Tests of the sll engine.

mod best;
mod examples;
mod formulas;
mod random;
mod rows;
mod speed;
mod views;
