//! Tests of the sll engine.

mod best;
mod contracts;
mod evidence;
mod examples;
mod families;
mod formulas;
mod large;
mod random;
mod rows;
mod views;
