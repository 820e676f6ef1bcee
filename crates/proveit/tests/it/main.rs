//! Tests of the pattern engine on whole programs.

mod formula;
mod labels;
mod post;
mod programs;
mod random;
mod search;
mod unwinding;
