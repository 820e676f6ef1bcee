//! Which examples a drawing fits: what the page shows after every edit.

use serde::Serialize;

use super::drawing::EdgeRef;

/// A drawing against all examples of a question.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Comparison {
    /// One for each positive, negative, and heap of an implication, in this order.
    pub fits: Vec<Fit>,
}

/// A drawing against an example.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fit {
    /// The name of the example; `a.before` and `a.after` for an implication `a`.
    pub example: String,
    /// Does it fit?
    pub fits: bool,
    /// The node of each cell, as far as the matching came.
    pub mapping: Vec<Option<String>>,
    /// Why it does not fit.
    pub clash: Option<Clash>,
    /// If it fits: the *maybe*s that let it in.
    pub slack: Vec<Slack>,
}

/// The first place where a heap does not fit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Clash {
    /// Why, for people, without a full stop.
    pub sentence: String,
    /// The cell, counted from 0.
    pub cell: Option<usize>,
    /// The node.
    pub node: Option<String>,
    /// An edge that is in the way.
    pub edge: Option<EdgeRef>,
    /// An edge that would be needed.
    pub missing: Option<EdgeRef>,
}

/// A word or a variable that is *maybe* on a node that the heap uses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Slack {
    /// The node.
    pub node: String,
    /// The predicate or variable.
    pub word: String,
}

impl Comparison {
    /// The result of an example.
    pub fn of(&self, example: &str) -> Option<&Fit> {
        self.fits.iter().find(|f| f.example == example)
    }
}
