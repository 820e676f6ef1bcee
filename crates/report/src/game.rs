//! The documents of the pattern game (*Heap Interpolant Synthesis*, chapter 6): what a person at
//! the page is shown, what she draws, and what she is answered. `docs/src/schema/game-1.json`
//! describes them all; change them together.
//!
//! * [`drawing`]: a pattern as it is drawn, with the places of its nodes
//! * [`words`]: what a drawing may speak of
//! * [`example`]: a concrete heap, as a person sees it
//! * [`view`]: the whole game at a moment: program, question, examples, unwinding
//! * [`comparison`]: which examples a drawing fits, and why not
//! * [`answer`]: what became of a submitted drawing; hints; what a summary node stands for
//! * [`check`]: is a drawing well formed? Drawings come from outside
//! * [`desk`]: what the server of the page adds: the draft, the levels, which tab edits
//! * [`journal`]: the file of a game
//!
//! **Invariants.** These are values without behaviour: who decides is behind
//! `trellis_session::game`. What comes from outside ([`Drawing`], [`Journal`](journal::Journal)) is
//! bounded and checked before anyone looks at it.

pub mod answer;
pub mod check;
pub mod comparison;
pub mod desk;
pub mod drawing;
pub mod example;
pub mod journal;
pub mod view;
pub mod words;

pub use answer::{Answer, Hint, Meaning, Meant, Trouble};
pub use comparison::{Clash, Comparison, Fit, Slack};
pub use desk::{Asked, Desk, Judged, Level, Refused};
pub use drawing::{Drawing, Edge, EdgeRef, Kind, Node, Truth};
pub use example::{Cell, Example, Implication, Named, Place, Scalar, TraceStep};
pub use view::{Function, Program, Question, State, Tree, Vertex, VertexState, View};
pub use words::{Predicate, Record, Variable, Wording};

/// Name and version of the layout of the documents.
pub const GAME_SCHEMA: &str = "trellis-game/1";
