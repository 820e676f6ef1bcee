//! Memory graphs with summaries, and what they mean.
//!
//! * [`value`], [`graph`]: graphs, summaries, alternatives
//! * [`arguments`]: what the host passes to a program
//! * [`buffer`]: arrays of characters of any length, strings among them
//! * [`linear`], [`numbers`]: equations between integers, and with the lengths of lists
//! * [`mod@unfold`]: what a summary stands for
//! * [`code`], [`eval`], [`step`], `access`, [`mod@split`]: what the code of a procedure does to graphs; [`call`]:
//!   what calls do; [`formula`]: what contract formulas say
//! * `held`: what pointers keep from being lost
//! * [`embed`]: when all memories of one graph are among those of another
//! * [`check`]: graphs at the loops of a procedure are an invariant
//! * [`instances`]: the small memories of a graph, for the machine
//! * [`evidence`]: graphs as data in files; [`text`]: graphs for people
//!
//! **Invariant:** nothing here searches: how summaries are found is the business of an engine.

pub(crate) mod access;
pub mod arguments;
pub mod buffer;
pub mod call;
pub mod check;
pub mod code;
pub mod embed;
pub mod eval;
pub mod evidence;
pub mod formula;
pub mod graph;
mod held;
pub mod instances;
pub mod linear;
pub mod numbers;
pub mod split;
pub mod step;
pub mod text;
pub mod unfold;
pub mod value;

pub use arguments::Arguments;
pub use buffer::{Buffer, Tail};
pub use code::{Code, Codes};
pub use graph::{Alt, Graph, Kind, Node, Object, Summary};
pub use value::{End, Formal, NodeId, Place, Range, Symbol, Value};
