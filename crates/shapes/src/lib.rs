//! Abstract heaps of possibly cyclic singly linked lists (*Predicate and Canonical Abstraction*),
//! and what they mean.
//!
//! * [`node`], [`locals`], [`mod@pointer`], [`contract`]: what every engine of lists wants to know
//!   of a heap program: the list node, what changes, expressions and contracts as facts about lists
//! * [`program`]: a small language of lists; [`lower`]: from a heap program to it
//! * [`live`], [`initialised`]: which variables matter, which data was written
//! * [`heap`]: abstract heaps; [`text`]: the same for people; [`evidence`]: the same for files
//! * [`concrete`]: abstract heaps of concrete ones, by definition, and back
//! * [`mod@check`]: abstract heaps at the starts of blocks are checked with the concrete machine
//!
//! **Invariant:** nothing here searches, and nothing here says what a statement does to an abstract
//! heap. Whoever believes the lowering, the definition of abstraction and the machine needs to
//! believe no engine.

pub mod check;
pub mod concrete;
pub mod contract;
pub mod evidence;
pub mod heap;
pub mod initialised;
pub mod live;
pub mod locals;
pub mod lower;
pub mod node;
pub mod pointer;
pub mod program;
pub mod text;
