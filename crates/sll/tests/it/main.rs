//! Tests of the sll engine.

mod best;
mod clauses;
mod constructs;
mod contracts;
mod evidence;
mod examples;
mod families;
mod formulas;
mod large;
mod random;
mod rows;
mod seen;
mod views;
mod wide;
