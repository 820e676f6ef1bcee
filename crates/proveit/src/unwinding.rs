//! The unwinding: a tree of vertices at cut points, with labels and covers (*Heap Interpolant
//! Synthesis*, Definitions 1, 2, 3 and 8).
//!
//! **Invariant (well-labelled):** for every edge, what the label of a vertex leads to at the
//! location of a labelled child entails the child's label; a covered vertex's label entails that of
//! the vertex that covers it, which is not covered itself and was made before it. So covering a
//! vertex uncovers later ones only, and covering comes to an end.

use trellis_patterns::pattern::{Label, Pattern};

/// The number of a vertex, in the order in which vertices were made.
pub type VertexId = usize;

/// A vertex of the unwinding.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Whose child it is.
    pub parent: Option<VertexId>,
    /// The block it is at: the entry, or a loop head.
    pub block: usize,
    /// What holds there; `None` is the universal pattern, of which nothing was asked yet.
    pub label: Option<Label>,
    /// Its children, if it was expanded: one for every loop head that comes next.
    pub children: Option<Vec<VertexId>>,
    /// The vertex that covers it.
    pub covered_by: Option<VertexId>,
    /// It was cut off: a label above it became weaker.
    pub is_gone: bool,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub struct Unwinding {
    /// By number; the first is the root.
    pub vertices: Vec<Vertex>,
}

impl Unwinding {
    /// A root with what a procedure starts from.
    pub fn new(entry: usize, starts: Vec<Pattern>) -> Unwinding {
        let mut tree = Unwinding::default();
        tree.add(None, entry);
        tree.vertices[0].label = Some(Label(starts));
        tree
    }

    /// A new vertex.
    pub fn add(&mut self, parent: Option<VertexId>, block: usize) -> VertexId {
        self.vertices.push(Vertex {
            parent,
            block,
            label: None,
            children: None,
            covered_by: None,
            is_gone: false,
        });
        self.vertices.len() - 1
    }

    /// From the root to a vertex.
    pub fn path(&self, v: VertexId) -> Vec<VertexId> {
        let mut path: Vec<VertexId> =
            std::iter::successors(Some(v), |v| self.vertices[*v].parent).collect();
        path.reverse();
        path
    }

    /// Whether one is an ancestor of the other, or the same.
    pub fn is_above(&self, above: VertexId, v: VertexId) -> bool {
        self.path(v).contains(&above)
    }

    /// Whether a vertex or an ancestor is covered.
    pub fn is_covered(&self, v: VertexId) -> bool {
        self.path(v).iter().any(|u| self.vertices[*u].covered_by.is_some())
    }

    /// The next leaf that is neither covered nor expanded, the deepest first: its ancestors are
    /// closed already.
    pub fn open_leaf(&self) -> Option<VertexId> {
        let open = |v: &VertexId| {
            let vertex = &self.vertices[*v];
            !vertex.is_gone && vertex.children.is_none() && !self.is_covered(*v)
        };
        (0..self.vertices.len()).rev().find(open)
    }

    /// The vertices that may cover `v`: earlier ones at the same block, labelled and uncovered.
    pub fn candidates(&self, v: VertexId) -> Vec<VertexId> {
        let block = self.vertices[v].block;
        let fits = |w: &VertexId| {
            let vertex = &self.vertices[*w];
            let here = vertex.block == block && vertex.label.is_some() && !vertex.is_gone;
            here && !self.is_above(v, *w) && !self.is_covered(*w)
        };
        (0..v).filter(fits).collect()
    }

    /// COVERP (Algorithm 6): `v` is covered by `w`, if `entails` says so of their labels.
    pub fn cover(
        &mut self,
        v: VertexId,
        w: VertexId,
        entails: impl Fn(&Label, &Label) -> bool,
    ) -> bool {
        let (Some(mine), Some(its)) = (&self.vertices[v].label, &self.vertices[w].label) else {
            return false;
        };
        if self.is_covered(v) || !entails(mine, its) {
            return false;
        }
        self.vertices[v].covered_by = Some(w);
        // A covered vertex covers nobody, and neither do those below it.
        for x in 0..self.vertices.len() {
            if self.vertices[x].covered_by.is_some_and(|y| self.is_above(v, y)) {
                self.vertices[x].covered_by = None;
            }
        }
        true
    }

    /// A vertex has a new label: whoever it covered is uncovered.
    pub fn relabel(&mut self, v: VertexId, label: Label) {
        for x in &mut self.vertices {
            if x.covered_by == Some(v) {
                x.covered_by = None;
            }
        }
        self.vertices[v].covered_by = None;
        self.vertices[v].label = Some(label);
    }

    /// The vertices below one are cut off; it is a leaf again.
    pub fn prune(&mut self, v: VertexId) {
        for x in 0..self.vertices.len() {
            if x != v && self.is_above(v, x) {
                self.vertices[x].is_gone = true;
            }
        }
        for x in 0..self.vertices.len() {
            if self.vertices[x].covered_by.is_some_and(|y| self.vertices[y].is_gone) {
                self.vertices[x].covered_by = None;
            }
        }
        self.vertices[v].children = None;
    }

    /// A vertex has to be asked for its label again: it is an open leaf.
    pub fn reopen(&mut self, v: VertexId) {
        self.prune(v);
        self.vertices[v].label = None;
        self.vertices[v].covered_by = None;
    }

    /// The vertices that are there.
    pub fn present(&self) -> impl Iterator<Item = (VertexId, &Vertex)> {
        self.vertices.iter().enumerate().filter(|(_, v)| !v.is_gone)
    }

    /// How many vertices are covered.
    pub fn covers(&self) -> usize {
        self.present().filter(|(_, v)| v.covered_by.is_some()).count()
    }
}
