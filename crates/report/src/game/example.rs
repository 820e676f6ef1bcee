//! A concrete heap, as a person sees it.

use std::collections::BTreeMap;

use serde::Serialize;

/// A heap with a name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Example {
    /// Unique in its question: `1`, `2`, … for those that must fit, `A`, `B`, … for those that must not.
    pub name: String,
    /// The cells, those that variables reach first.
    pub cells: Vec<Cell>,
    /// Where the pointer variables point.
    pub variables: BTreeMap<String, Place>,
    /// The values of other variables.
    pub scalars: Vec<Scalar>,
    /// How it comes about, or how it leads to the failure; may be empty.
    pub trace: Vec<TraceStep>,
    /// A remark: where it comes from, which check fails.
    pub note: String,
}

/// A cell.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cell {
    /// Its record type.
    pub record: String,
    /// Which predicates hold; one that is not listed does not apply.
    pub words: BTreeMap<String, bool>,
    /// Where its pointer fields lead.
    pub fields: BTreeMap<String, Place>,
    /// Its other fields.
    pub data: Vec<Scalar>,
}

/// Where a pointer leads: a cell, counted from 0, or one of the places without cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(untagged)]
pub enum Place {
    /// A cell.
    Cell(usize),
    /// A place that is no cell.
    Named(Named),
}

/// A place that is no cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// The null pointer.
    Null,
    /// Memory that was freed.
    Freed,
    /// A pointer that was never written.
    Unset,
}

impl Named {
    /// The name of the node that stands for it.
    pub fn node(self) -> &'static str {
        match self {
            Named::Null => "null",
            Named::Freed => "freed",
            Named::Unset => "unset",
        }
    }
}

/// A value that is no pointer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Scalar {
    /// The variable or field.
    pub name: String,
    /// Its value, as the program would write it.
    pub value: String,
}

/// A line that is run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TraceStep {
    /// The line of the source.
    pub line: u32,
    /// What happens.
    pub text: String,
    /// The heap after it, where it is another one than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap: Option<Box<Example>>,
}

/// A pattern that fits the first heap must fit the second: the program leads from one to the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Implication {
    /// Unique in its question, for example `a`.
    pub name: String,
    /// The heap before.
    pub before: Example,
    /// The heap that the program makes of it.
    pub after: Example,
}
