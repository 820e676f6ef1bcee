//! Is a drawing well formed? Drawings come from outside, so everything is looked at: sizes, names,
//! and the rules of chapter 6 that the editor keeps.

use std::collections::{BTreeMap, BTreeSet};

use super::drawing::{Drawing, Edge, Kind, Node, Truth};
use super::words::Wording;

/// Most nodes of a drawing.
pub const MOST_NODES: usize = 64;
/// Most edges of a drawing.
pub const MOST_EDGES: usize = 1024;
/// How far from the corner of the canvas a node may be.
pub const FARTHEST: i32 = 100_000;
/// Longest name of a node.
const LONGEST: usize = 32;

impl Drawing {
    /// Is this a drawing over these words?
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check(&self, words: &Wording) -> Result<(), String> {
        if self.nodes.len() > MOST_NODES || self.edges.len() > MOST_EDGES {
            return Err(format!("a drawing has at most {MOST_NODES} nodes and {MOST_EDGES} edges"));
        }
        let mut ids = BTreeSet::new();
        for node in &self.nodes {
            node.check(words)?;
            if !ids.insert(node.id.as_str()) {
                return Err(format!("there are two nodes `{}`", node.id));
            }
        }
        for variable in &words.variables {
            self.one_place(&variable.name)?;
        }
        self.edges(words)
    }

    /// A variable that is certainly somewhere is nowhere else.
    fn one_place(&self, variable: &str) -> Result<(), String> {
        let values = self.nodes.iter().map(|n| n.variable(variable));
        let somewhere: Vec<Truth> = values.filter(|v| *v != Truth::False).collect();
        if somewhere.contains(&Truth::True) && somewhere.len() > 1 {
            return Err(format!("`{variable}` points to one node only if it certainly does"));
        }
        Ok(())
    }

    fn edges(&self, words: &Wording) -> Result<(), String> {
        let mut known: BTreeMap<(&str, &str), Vec<&Edge>> = BTreeMap::new();
        for edge in &self.edges {
            let Edge { from, field, to, value } = edge;
            let (Some(source), Some(_)) = (self.node(from), self.node(to)) else {
                return Err(format!("the edge `{from}` to `{to}` has no node at an end"));
            };
            if source.kind != Kind::Cells || !words.fields(&source.record).contains(field) {
                return Err(format!("`{from}` has no field `{field}`"));
            }
            if *value == Truth::False {
                return Err(format!("the edge `{from}` to `{to}` is none, so it is left out"));
            }
            let of_field = known.entry((from, field)).or_default();
            if of_field.iter().any(|e| e.to == *to) {
                return Err(format!("there are two edges `{field}` from `{from}` to `{to}`"));
            }
            of_field.push(edge);
        }
        for ((from, field), edges) in known {
            if edges.len() > 1 && edges.iter().any(|e| e.value == Truth::True) {
                return Err(format!("a certain edge `{field}` of `{from}` is the only one"));
            }
        }
        Ok(())
    }
}

impl Node {
    fn check(&self, words: &Wording) -> Result<(), String> {
        let Node { id, kind, record, summary, variables, words: said, x, y } = self;
        let fixed = match kind {
            Kind::Cells => None,
            Kind::Null => Some("null"),
            Kind::Freed => Some("freed"),
            Kind::Unset => Some("unset"),
        };
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if id.is_empty() || id.len() > LONGEST || !id.chars().all(letters) {
            return Err("the name of a node is letters and digits".to_owned());
        }
        match fixed {
            Some(name) if id != name => return Err(format!("`{id}` must be called `{name}`")),
            None if ["null", "freed", "unset"].contains(&id.as_str()) => {
                return Err(format!("`{id}` is no name for cells"));
            }
            _ => {}
        }
        if fixed.is_some() && (*summary || !said.is_empty() || !record.is_empty()) {
            return Err(format!("`{id}` has no cells, so nothing is said of them"));
        }
        if fixed.is_none() && !words.records.iter().any(|r| r.name == *record) {
            return Err(format!("there is no record type `{record}`"));
        }
        if let Some(name) =
            variables.keys().find(|v| !words.variables.iter().any(|w| w.name == **v))
        {
            return Err(format!("there is no variable `{name}`"));
        }
        for (name, value) in said {
            let Some(predicate) = words.predicate(name) else {
                return Err(format!("there is no word `{name}`"));
            };
            if !predicate.record.is_empty() && predicate.record != *record {
                return Err(format!("`{name}` is not said of `{record}`"));
            }
            if !predicate.values.contains(value) {
                return Err(format!("`{name}` cannot have this value"));
            }
        }
        if ![x, y].into_iter().all(|v| (-FARTHEST..=FARTHEST).contains(v)) {
            return Err(format!("`{id}` is too far away"));
        }
        Ok(())
    }
}
