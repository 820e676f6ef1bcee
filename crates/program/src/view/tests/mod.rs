//! Contract formulas are as true in structures as they are in states.

mod agree;
mod formulas;
mod refusals;
mod samples;
mod states;
mod texts;
