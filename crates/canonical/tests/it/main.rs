//! The engine and its predicate sets: exactness of update formulas by enumeration of list heaps,
//! soundness of abstract steps, preconditions and predicates of the user, the rows of *Predicate
//! and Canonical Abstraction*, random programs against exploration, and another data structure than
//! lists.

mod contracts;
mod dll;
mod evidence;
mod families;
mod initial;
mod pictures;
mod random;
mod rows;
mod statements;
