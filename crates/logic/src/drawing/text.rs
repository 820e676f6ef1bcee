//! Drawings as plain text for a terminal.
//!
//! ```text
//! h,x → 1{data=5} → 2{data=7} → null      variables, values, a list
//! t → 3 → (2)                             (2) is shown elsewhere: sharing, or a cycle
//! 2 -prev→ (1)                            other fields have their name on the arrow
//! p → dangling
//! x → 4* ⇢ (4*), ⇢ null                  4* is a summary; its edges are maybe there
//! ```
//!
//! **Invariant**: every node is introduced exactly once, with its values and flags; every other
//! mention of it is `(label)`, or the label at the beginning of a line that lists its other fields.

use crate::drawing::{Drawing, NodeIndex, Target};

/// How to write arrows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TextStyle {
    /// `→`
    #[default]
    Unicode,
    /// `->`
    Ascii,
}

impl TextStyle {
    fn arrow(self) -> &'static str {
        match self {
            TextStyle::Unicode => "→",
            TextStyle::Ascii => "->",
        }
    }

    fn maybe_arrow(self) -> &'static str {
        match self {
            TextStyle::Unicode => "⇢",
            TextStyle::Ascii => "..>",
        }
    }
}

impl Drawing {
    /// The drawing as lines of text, without a newline at the end.
    pub fn to_text(&self, style: TextStyle) -> String {
        let mut text = Text { drawing: self, style, shown: vec![false; self.nodes.len()] };
        let mut lines = Vec::new();
        let mut order: Vec<NodeIndex> = Vec::new();
        for (names, to) in self.pointer_groups() {
            let list = text.list(to, &mut order);
            lines.push(format!("{} {} {list}", names.join(","), style.arrow()));
        }
        let mut described = 0;
        text.other_fields(&mut described, &mut order, &mut lines);
        for root in self.roots() {
            if !text.shown[root.0] {
                let list = text.list(Target::Node(root), &mut order);
                // The line with its fields introduces it, if its name is all that there is to say.
                if list != text.name(root) || self.edges_of(root).is_empty() {
                    lines.push(list);
                }
                text.other_fields(&mut described, &mut order, &mut lines);
            }
        }
        lines.join("\n")
    }
}

struct Text<'a> {
    drawing: &'a Drawing,
    style: TextStyle,
    shown: Vec<bool>,
}

impl Text<'_> {
    /// A target and the list that starts there, as far as it was not shown before.
    fn list(&mut self, start: Target, order: &mut Vec<NodeIndex>) -> String {
        let mut parts = Vec::new();
        let mut at = Some(start);
        while let Some(target) = at {
            at = None;
            parts.push(match target {
                Target::Null => "null".to_string(),
                Target::Dangling => "dangling".to_string(),
                Target::Node(n) if self.shown[n.0] => {
                    format!("({})", self.name(n))
                }
                Target::Node(n) => {
                    self.shown[n.0] = true;
                    order.push(n);
                    at = self.drawing.next(n);
                    self.introduce(n)
                }
            });
        }
        parts.join(&format!(" {} ", self.style.arrow()))
    }

    /// The label, with a star on a summary.
    fn name(&self, index: NodeIndex) -> String {
        let node = &self.drawing.nodes[index.0];
        format!("{}{}", node.label, if node.summary { "*" } else { "" })
    }

    fn introduce(&self, index: NodeIndex) -> String {
        let node = &self.drawing.nodes[index.0];
        let mut facts: Vec<String> = node
            .values
            .iter()
            .map(|(field, value)| match value.is_empty() {
                true => field.clone(),
                false => format!("{field}={value}"),
            })
            .collect();
        facts.extend(node.freed.then(|| "freed".to_string()));
        match facts.is_empty() {
            true => self.name(index),
            false => format!("{}{{{}}}", self.name(index), facts.join(", ")),
        }
    }

    /// One line for each node, from `order[*described]` on, that has fields which no list shows;
    /// nodes that these lines introduce are appended to `order`, and get their lines too.
    fn other_fields(
        &mut self,
        described: &mut usize,
        order: &mut Vec<NodeIndex>,
        lines: &mut Vec<String>,
    ) {
        let drawing = self.drawing;
        while *described < order.len() {
            let node = order[*described];
            *described += 1;
            let mut fields = Vec::new();
            for edge in drawing.edges_of(node) {
                let is_main = Some(edge.field.as_str()) == drawing.main_field();
                if is_main && drawing.next(node).is_some() {
                    continue;
                }
                let to = self.list(edge.to, order);
                let arrow = match edge.maybe {
                    true => self.style.maybe_arrow(),
                    false => self.style.arrow(),
                };
                fields.push(match is_main {
                    true => format!("{arrow} {to}"),
                    false => format!("-{}{arrow} {to}", edge.field),
                });
            }
            if !fields.is_empty() {
                lines.push(format!("{} {}", self.name(node), fields.join(", ")));
            }
        }
    }
}
