//! What a transition system is.
//!
//! **Invariant.** Formulas, symbols and paths of one system are in its own arena and vocabulary.

use trellis_logic::{Arena, FormulaId, FunId, RelId, Vocabulary};
use trellis_program::{BlockId, CheckKind, CheckSet, ProcId, Span};

use crate::execute::paths::Path;
use crate::execute::state::Witnesses;
use crate::symbols::Symbols;

/// What to build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// What formulas can speak of.
    pub words: Words,
    /// Over how many fields in turn an object may be reached so as not to be leaked, at least: more
    /// make fewer false alarms, but a harder question.
    pub leak_turns: usize,
}

/// What formulas can speak of; richer words can say more, and cost more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Words {
    /// A pointer field is the relation of its theory, for lists the closure of the papers.
    #[default]
    Basic,
    /// The single steps of a field stand beside its relation.
    Edges,
}

/// A cut point; 0 is the entry of the procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationId(pub usize);

impl LocationId {
    /// The entry.
    pub const ENTRY: LocationId = LocationId(0);
}

/// A cut point: the entry or a loop head.
#[derive(Clone, Debug)]
pub struct Location {
    /// The block that begins there.
    pub block: BlockId,
    /// The loop's condition; for the entry, the procedure's name.
    pub span: Span,
    /// The constants of the state that matter there, and those that never change.
    pub constants: Vec<FunId>,
    /// The propositions of the state that matter there, and those that never change.
    pub propositions: Vec<RelId>,
    /// The relations and functions of objects that matter, entry copies included.
    pub relations: Vec<RelId>,
    /// The functions into the data that matter.
    pub functions: Vec<FunId>,
}

/// What goes wrong at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadState {
    /// What.
    pub kind: ErrorKind,
    /// Where.
    pub span: Span,
}

/// The kinds of bad states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A check fails.
    Check(CheckKind),
    /// A store closes a cycle, which the theory of its field does not have.
    Cycle,
    /// Stores give a node of a tree a second parent or close a cycle, which the theory of their
    /// fields does not have.
    Sharing,
}

/// A procedure in the logic.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The procedure.
    pub proc: ProcId,
    /// All symbols.
    pub vocabulary: Vocabulary,
    /// All formulas.
    pub arena: Arena,
    /// What the symbols stand for.
    pub symbols: Symbols,
    /// What holds of every state.
    pub axioms: Vec<FormulaId>,
    /// What holds at the entry.
    pub initial: Vec<FormulaId>,
    /// The cut points, the entry first.
    pub locations: Vec<Location>,
    /// All paths, those into errors included.
    pub paths: Vec<Path>,
    /// The witnesses of all paths.
    pub witnesses: Witnesses,
    /// Where values are less known than in the program: a bad state found there may not be one.
    pub imprecise: Vec<Span>,
    /// Whether the logic knows which objects are reached at the entry; if not, a bad state may be
    /// about one that nobody reaches.
    pub knows_reached: bool,
}
