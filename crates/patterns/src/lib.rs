//! Heap patterns (*Heap Interpolant Synthesis*), and what they mean.
//!
//! * [`words`]: what the patterns of a procedure speak of; [`values`]: integers in classes
//! * [`program`]: a small language of heap statements; [`mod@lower`]: from a heap program to it
//! * [`pattern`]: patterns, as sets of heaps; [`heap`]: concrete heaps; [`machine`]: those of
//!   states
//! * [`matching`]: whether a heap fits; [`mod@embed`]: the search behind it; [`enumerate`]: all
//!   heaps
//! * [`unfold`]: cases; [`entail`]: inclusion; [`reach`], [`facts`]: what holds in all heaps
//! * [`initial`]: the patterns of all initial heaps
//! * [`mod@check`]: labels at loop heads are checked with the concrete machine
//! * [`text`], [`drawing`]: patterns for people; [`formula`]: for contracts; [`evidence`]: for
//!   files
//!
//! **Invariant:** nothing here searches, and nothing here says what a statement does to a pattern.
//! Whoever believes the words, the definition of fitting and the machine needs to believe no
//! engine.

pub mod check;
pub mod drawing;
pub mod embed;
pub mod entail;
pub mod enumerate;
pub mod evidence;
pub mod facts;
pub mod formula;
pub mod heap;
mod include;
pub mod initial;
pub mod lower;
pub mod machine;
pub mod matching;
pub mod pattern;
pub mod program;
pub mod reach;
pub mod text;
pub mod unfold;
pub mod values;
pub mod words;

pub use lower::{Settings, lower};
pub use pattern::{Label, Node, Pattern, Sharing, Target, Targets};
pub use program::PatternProgram;
pub use values::{Orders, Partition, Values};
pub use words::{Colour, Order, PatternWords, Predicate, Slot};
