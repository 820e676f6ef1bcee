//! Drawings of heaps: a plain value, and two ways to show it.
//!
//! A [`Drawing`] is made from a [`Structure`](crate::structure::Structure), or by an interpreter
//! from its own state. It is shown as [text](Drawing::to_text) for a terminal or as
//! [SVG](Drawing::to_svg) for a page.
//!
//! **Invariant**: both outputs depend on the drawing only, and list things in the order in which
//! they were added.

pub mod from_structure;
mod layout;
mod routes;
mod svg;
mod text;

pub use text::TextStyle;

/// The position of a node in its drawing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIndex(pub usize);

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// At a node.
    Node(NodeIndex),
    /// Nowhere, on purpose.
    Null,
    /// At memory that is not there, or nobody knows where.
    Dangling,
}

/// A cell of the heap.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Node {
    /// What to call it.
    pub label: String,
    /// Fields that are not pointers, with their values: `data`, `3`. A bare fact has an empty
    /// value.
    pub values: Vec<(String, String)>,
    /// The memory was freed.
    pub freed: bool,
    /// The node stands for one or more cells.
    pub summary: bool,
}

impl Node {
    /// A node with a label and nothing else.
    pub fn new(label: impl Into<String>) -> Self {
        Node { label: label.into(), ..Node::default() }
    }

    /// The same node with one more value.
    pub fn with_value(mut self, field: impl Into<String>, value: impl Into<String>) -> Self {
        self.values.push((field.into(), value.into()));
        self
    }
}

/// A pointer field of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The node that has the field.
    pub from: NodeIndex,
    /// The name of the field.
    pub field: String,
    /// Where it points.
    pub to: Target,
    /// It may also not point there: an abstract heap. A node can have several such edges of one
    /// field.
    pub maybe: bool,
}

/// A pointer variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The name of the variable.
    pub name: String,
    /// Where it points.
    pub to: Target,
}

/// A heap to be drawn.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Drawing {
    /// The cells.
    pub nodes: Vec<Node>,
    /// The pointer fields.
    pub edges: Vec<Edge>,
    /// The variables.
    pub pointers: Vec<Pointer>,
    /// The field that makes lists, whose arrows need no name. If it is not given, the only field
    /// is taken, or else one that is called `next`.
    pub list_field: Option<String>,
}

impl Drawing {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a cell.
    pub fn add_node(&mut self, node: Node) -> NodeIndex {
        self.nodes.push(node);
        NodeIndex(self.nodes.len() - 1)
    }

    /// Adds a pointer field.
    pub fn add_edge(&mut self, from: NodeIndex, field: impl Into<String>, to: Target) {
        self.edges.push(Edge { from, field: field.into(), to, maybe: false });
    }

    /// Adds a pointer field that may point somewhere, drawn dashed.
    pub fn add_maybe_edge(&mut self, from: NodeIndex, field: impl Into<String>, to: Target) {
        self.edges.push(Edge { from, field: field.into(), to, maybe: true });
    }

    /// Adds a variable.
    pub fn add_pointer(&mut self, name: impl Into<String>, to: Target) {
        self.pointers.push(Pointer { name: name.into(), to });
    }

    /// The pointer fields of a node, the list field first.
    fn edges_of(&self, node: NodeIndex) -> Vec<&Edge> {
        let list_field = self.main_field();
        let mut edges: Vec<&Edge> = self.edges.iter().filter(|e| e.from == node).collect();
        edges.sort_by_key(|e| Some(e.field.as_str()) != list_field);
        edges
    }

    /// The field whose arrows need no name.
    fn main_field(&self) -> Option<&str> {
        if let Some(field) = &self.list_field {
            return Some(field);
        }
        let first = self.edges.first()?.field.as_str();
        match self.edges.iter().all(|e| e.field == first) {
            true => Some(first),
            false => self.edges.iter().map(|e| e.field.as_str()).find(|&f| f == "next"),
        }
    }

    /// Where the list field of a node points; nowhere if that is not certain.
    fn next(&self, node: NodeIndex) -> Option<Target> {
        let list_field = self.main_field()?;
        let mut edges = self.edges.iter().filter(|e| e.from == node && e.field == list_field);
        match (edges.next(), edges.next()) {
            (Some(edge), None) if !edge.maybe => Some(edge.to),
            _ => None,
        }
    }

    /// The variables grouped by target, in the order in which a reader would start: a variable that
    /// points into the list of another comes after it. Dangling ones are not grouped.
    fn pointer_groups(&self) -> Vec<(Vec<&str>, Target)> {
        let mut groups: Vec<(Vec<&str>, Target)> = Vec::new();
        for pointer in &self.pointers {
            match groups.iter_mut().find(|(_, to)| *to == pointer.to) {
                Some((names, Target::Node(_) | Target::Null)) => names.push(&pointer.name),
                _ => groups.push((vec![&pointer.name], pointer.to)),
            }
        }
        let reaches = |from: Target, to: Target| self.list_from(from).contains(&to);
        let inner = |to: Target| {
            groups
                .iter()
                .any(|&(_, other)| other != to && reaches(other, to) && !reaches(to, other))
        };
        let rank = |to: Target| match to {
            Target::Node(_) => u8::from(inner(to)),
            Target::Null => 2,
            Target::Dangling => 3,
        };
        let ranks: Vec<u8> = groups.iter().map(|&(_, to)| rank(to)).collect();
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&i| ranks[i]);
        order.into_iter().map(|i| groups[i].clone()).collect()
    }

    /// The nodes on the list that starts at a target, each once.
    fn list_from(&self, start: Target) -> Vec<Target> {
        let mut list = Vec::new();
        let mut at = Some(start);
        while let Some(Target::Node(node)) = at {
            if list.contains(&Target::Node(node)) {
                break;
            }
            list.push(Target::Node(node));
            at = self.next(node);
        }
        list
    }

    /// The nodes in the order in which both renderers meet them: from the variables along the list
    /// field first, then what else they reach, then what nothing reaches.
    fn roots(&self) -> Vec<NodeIndex> {
        let mut roots: Vec<NodeIndex> = Vec::new();
        for (_, to) in self.pointer_groups() {
            if let Target::Node(node) = to {
                roots.push(node);
            }
        }
        let is_target = |n| self.edges.iter().any(|e| e.to == Target::Node(n) && e.from != n);
        let all = || (0..self.nodes.len()).map(NodeIndex);
        roots.extend(all().filter(|&n| !is_target(n)));
        roots.extend(all());
        let mut seen = vec![false; self.nodes.len()];
        roots.retain(|n| !std::mem::replace(&mut seen[n.0], true));
        roots
    }
}
