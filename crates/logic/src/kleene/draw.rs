//! Pictures of three-valued structures.
//!
//! An individual is a box, a summary has a double border (in text, a star). Values `Maybe` are
//! dashed edges, and a question mark after a fact. A variable that points nowhere is drawn at null;
//! one that is defined by others is left out.
//! Predicates appear as their [`Shown`] says.

use super::predicates::Shown;
use super::structure::KleeneStructure;
use super::value::Kleene;
use crate::drawing::{Drawing, Node, NodeIndex, Target};

impl KleeneStructure {
    /// The structure as a drawing, to be shown as text or SVG.
    pub fn drawing(&self) -> Drawing {
        let mut drawing = Drawing::new();
        for u in 0..self.size() {
            let mut node = Node::new((u + 1).to_string());
            node.summary = self.is_summary(u);
            drawing.add_node(node);
        }
        for p in self.predicates.ids() {
            let predicate = self.predicates.get(p);
            let name = &predicate.name;
            for tuple in self.tuples(predicate.arity) {
                let value = self.get(p, &tuple);
                match (predicate.shown, &tuple[..], value) {
                    (_, _, Kleene::False) | (Shown::Hidden, ..) => {}
                    (Shown::Pointer, &[u], Kleene::True) => {
                        drawing.add_pointer(name, Target::Node(NodeIndex(u)));
                    }
                    (Shown::Edge, &[u, v], Kleene::True) => {
                        drawing.add_edge(NodeIndex(u), name, Target::Node(NodeIndex(v)));
                    }
                    (Shown::Edge, &[u, v], Kleene::Maybe) => {
                        drawing.add_maybe_edge(NodeIndex(u), name, Target::Node(NodeIndex(v)));
                    }
                    (_, &[u], _) => {
                        let sign = if value == Kleene::Maybe { "?" } else { "" };
                        drawing.nodes[u].values.push((format!("{name}{sign}"), String::new()));
                    }
                    _ => {}
                }
            }
            let nowhere = (0..self.size())
                .all(|u| predicate.arity != 1 || self.get(p, &[u]) == Kleene::False);
            if predicate.shown == Shown::Pointer && nowhere && predicate.definition.is_none() {
                drawing.add_pointer(name, Target::Null);
            }
        }
        drawing
    }

    /// The facts that belong to no individual: predicates without places that are not false.
    pub fn facts(&self) -> Vec<String> {
        let nullary = self.predicates.ids().filter(|&p| self.predicates.get(p).arity == 0);
        nullary
            .filter_map(|p| match self.get(p, &[]) {
                Kleene::False => None,
                Kleene::Maybe => Some(format!("{}?", self.predicates.get(p).name)),
                Kleene::True => Some(self.predicates.get(p).name.clone()),
            })
            .collect()
    }
}
