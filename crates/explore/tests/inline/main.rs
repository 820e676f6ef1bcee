//! Inlining against the interpreter: a procedure with calls and its copy without calls end in the
//! same way, from every small heap and for every choice.
//!
//! * [`compare`] runs both;
//! * [`cases`] and [`contracts`] are small programs, one for every rule of a call;
//! * [`corpus`] are the examples, random programs, and contracts combined with bodies.

mod cases;
mod compare;
mod contracts;
mod corpus;
