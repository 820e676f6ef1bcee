//! What the drawings of a question may speak of, in the user's own names.

use serde::Serialize;

use super::drawing::Truth;

/// All words of a question.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Wording {
    /// The record types of cells. The first is that of a new node.
    pub records: Vec<Record>,
    /// The pointer variables.
    pub variables: Vec<Variable>,
    /// What may be said of a cell.
    pub predicates: Vec<Predicate>,
}

/// A type of cells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its pointer fields, in the order of the program.
    pub fields: Vec<String>,
}

/// A pointer variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// A few words, for example its type.
    pub meaning: String,
}

/// Something that may be said of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Predicate {
    /// As it is shown on a node, for example `data == 1`.
    pub name: String,
    /// One or two letters for small drawings, each predicate its own.
    pub letter: String,
    /// A few words.
    pub meaning: String,
    /// The record type that it is said of; empty: of all.
    pub record: String,
    /// The values that can be drawn, for example only *maybe* and *false*.
    pub values: Vec<Truth>,
}

impl Wording {
    /// The pointer fields of a record type.
    pub fn fields(&self, record: &str) -> &[String] {
        self.records.iter().find(|r| r.name == record).map_or(&[], |r| &r.fields)
    }

    /// The predicate of a name.
    pub fn predicate(&self, name: &str) -> Option<&Predicate> {
        self.predicates.iter().find(|p| p.name == name)
    }
}
