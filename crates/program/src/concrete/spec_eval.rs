//! What a contract formula means on a concrete state. Interface first; the body is being written.

use crate::concrete::memory::{Memory, Value};
use crate::concrete::state::PreState;
use crate::ir::Program;
use crate::spec::Formula;

/// Kleene's three truth values. `Undefined`: the formula reads memory that is not there, or, in a
/// partial heap, a value that is not chosen yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Truth {
    False,
    Undefined,
    True,
}

/// Everything a formula can see.
#[derive(Clone, Copy)]
pub struct SpecEnv<'a> {
    /// The program.
    pub program: &'a Program,
    /// Memory now.
    pub memory: &'a Memory,
    /// Globals now, as in [`crate::concrete::State::globals`].
    pub globals: &'a [Value],
    /// Slots of the procedure's variables now (objects: a pointer to the object).
    pub locals: &'a [Value],
    /// The parameters at entry (for an object parameter: the value passed, not an address).
    pub entry: &'a [Value],
    /// Memory and globals at entry; `None` when it was not kept because no clause looks at it
    /// (then only parameters can be read under `Pre`), or when entry is now.
    pub pre: Option<&'a PreState>,
    /// What the procedure returns, in `ensures`.
    pub result: Option<Value>,
}

impl SpecEnv<'_> {
    /// The truth of a formula.
    pub fn truth(&self, formula: &Formula) -> Truth {
        let _ = formula;
        Truth::Undefined
    }
}
