//! Tests of the pattern engine on whole programs.

mod post;
mod programs;
mod random;
mod search;
mod unwinding;
