//! A pattern as a person draws it: three-valued labels, places on the canvas.
//!
//! A *plain* node stands for exactly one cell, a *summary* node for zero or more. `null`, freed memory
//! and a pointer that was never written are nodes of their own kinds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A value of a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// For every cell.
    True,
    /// For some cells, perhaps.
    Maybe,
    /// For no cell.
    False,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Cells of the heap.
    #[default]
    Cells,
    /// The null pointer.
    Null,
    /// Memory that was freed.
    Freed,
    /// A pointer that was never written.
    Unset,
}

/// A pattern as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// The nodes; each has its own `id`.
    pub nodes: Vec<Node>,
    /// The edges that are not *none*.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Its name; `null`, `freed` and `unset` are those of the other kinds.
    pub id: String,
    /// What it is.
    #[serde(default)]
    pub kind: Kind,
    /// The record type of its cells; empty for other kinds.
    #[serde(default)]
    pub record: String,
    /// Zero or more cells, not exactly one.
    #[serde(default)]
    pub summary: bool,
    /// The variables that point here; one that is not listed does not.
    #[serde(default)]
    pub variables: BTreeMap<String, Truth>,
    /// The predicates of its cells; one that is not listed is *maybe*.
    #[serde(default)]
    pub words: BTreeMap<String, Truth>,
    /// Left edge on the canvas.
    #[serde(default)]
    pub x: i32,
    /// Upper edge on the canvas.
    #[serde(default)]
    pub y: i32,
}

/// An edge that is there, certainly or perhaps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// The node that it leaves.
    pub from: String,
    /// The field.
    pub field: String,
    /// The node that it leads to.
    pub to: String,
    /// `true` (then it is the only one of its field and node) or `maybe`.
    pub value: Truth,
}

/// An edge by its ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EdgeRef {
    /// The node that it leaves.
    pub from: String,
    /// The field.
    pub field: String,
    /// The node that it leads to.
    pub to: String,
}

impl Drawing {
    /// The node of a name.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().find(|n| n.id == id)
    }

    /// The value of an edge.
    pub fn edge(&self, from: &str, field: &str, to: &str) -> Truth {
        let found = self.edges.iter().find(|e| e.from == from && e.field == field && e.to == to);
        found.map_or(Truth::False, |e| e.value)
    }
}

impl Node {
    /// Does a variable point here?
    pub fn variable(&self, name: &str) -> Truth {
        self.variables.get(name).copied().unwrap_or(Truth::False)
    }

    /// Does a predicate hold of its cells?
    pub fn word(&self, name: &str) -> Truth {
        self.words.get(name).copied().unwrap_or(Truth::Maybe)
    }
}

impl Truth {
    /// Does a definite value agree?
    pub fn allows(self, value: bool) -> bool {
        match self {
            Truth::True => value,
            Truth::Maybe => true,
            Truth::False => !value,
        }
    }
}
