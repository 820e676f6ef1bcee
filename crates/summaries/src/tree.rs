//! Trees become summaries: a node with its children, from the leaves up; and the ways down a tree, when
//! nothing points into them any more.

use std::sync::Arc;

use trellis_graphs::{Alt, End, Formal, Graph, Kind, Node, NodeId, Place, Summary, Value};

use crate::fold::{
    Folder, TreeShape, alike, is_free, own_cells, pointers_back, prev_cells_of, prev_value,
    rename_params, without_unused,
};
use crate::lift::{References, Surroundings, belongings, lift};

impl Folder<'_> {
    /// A node and its children become a tree.
    pub(crate) fn fold_tree(&mut self, graph: &Graph, refs: &References) -> Option<Graph> {
        let may = |id: &NodeId| match graph.node(*id) {
            Node::Object(_) => true,
            Node::Summary(s) => s.kind == Kind::Segment,
            Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => false,
        };
        let found = graph
            .ids()
            .filter(|id| is_free(graph, refs, *id) && may(id))
            .find_map(|id| Some((id, self.tree_at(graph, refs, id, false)?)));
        let (id, (folded, shape)) = found?;
        if let Some(ty) = graph.node(id).object().and_then(|o| o.ty) {
            self.trees.entry(ty).or_insert(shape);
        }
        Some(folded)
    }

    pub(crate) fn tree_at(
        &self,
        graph: &Graph,
        refs: &References,
        id: NodeId,
        alone: bool,
    ) -> Option<(Graph, TreeShape)> {
        let object = match graph.node(id) {
            Node::Object(_) if self.is_hub(graph, id) => return None,
            Node::Object(o) => o,
            // A way down, at the end of which is a tree, is one.
            Node::Summary(s) => s.element()?,
            Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => return None,
        };
        let segment = graph.node(id).summary();
        let ty = object.ty?;
        let own_kind = own_cells(self.types, object);
        if own_kind.len() < 2 || (segment.is_some() && !self.trees.contains_key(&ty)) {
            return None;
        }
        let hanging: Vec<Value> = match segment {
            Some(s) => vec![s.next],
            None => own_kind.iter().map(|c| object.cells[*c]).collect(),
        };
        let below: Vec<NodeId> = hanging
            .into_iter()
            .filter_map(Value::place)
            .filter(|p| p.off == 0 && p.node != id && is_tree_like(graph, refs, p.node, id))
            .map(|p| p.node)
            .collect();
        let alone = alone || segment.is_some();
        let shape = match (below.is_empty(), self.trees.get(&ty)) {
            (_, Some(shape)) => shape.clone(),
            (true, None) => return None,
            (false, None) => {
                let (back, mut prev_cells) = below
                    .iter()
                    .filter_map(|child| match graph.node(*child) {
                        Node::Object(o) => Some(pointers_back(o, id, usize::MAX)),
                        Node::Summary(s) => Some((s.back, prev_cells_of(s))),
                        Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => None,
                    })
                    .next()?;
                // Nobody is above itself: such a cell leads to the root.
                let is_self = |c: usize| object.cells[c].place().is_some_and(|p| p.node == id);
                prev_cells.retain(|(c, _)| !is_self(*c));
                let is_child = |c: &usize| {
                    prev_cells.iter().all(|(p, _)| p != c)
                        && match object.cells[*c] {
                            Value::Null => true,
                            Value::Ptr(p) => below.contains(&p.node),
                            _ => false,
                        }
                };
                let children: Vec<usize> = own_kind.into_iter().filter(is_child).collect();
                TreeShape { children, prev_cells, back }
            }
        };
        if shape.children.len() < 2 || (below.is_empty() && !alone) {
            return None;
        }
        let mut params = Vec::new();
        let mut alts = Vec::new();
        let mut gone = Vec::new();
        let prev = match segment {
            Some(s) => s.prev,
            None => prev_value(object, &shape.prev_cells)?,
        };
        self.branch(graph, refs, id, &shape, prev, &mut params, &mut alts, &mut gone)?;
        if params.iter().any(|v| v.place().is_some_and(|p| gone.contains(&p.node) && p.node != id))
        {
            return None;
        }
        // Nobody else points below the root.
        let inside = |n: &&NodeId| **n != id;
        let outside = gone.iter().filter(inside).any(|n| {
            refs.held[*n as usize] || refs.to[*n as usize].iter().any(|(f, _)| !gone.contains(f))
        });
        if outside {
            return None;
        }
        let alts = self.joined(graph, &params, alts)?;
        let (alts, params) = without_unused(alts, &params);
        let mut out = graph.clone();
        gone.iter().for_each(|id| out.nodes[*id as usize] = None);
        let new = out.add(Node::Summary(Summary {
            kind: Kind::Tree,
            alts: Arc::new(alts),
            link: 0,
            back: shape.back,
            next: Value::Null,
            prev,
            params,
            least: 1,
            count: Value::Any,
        }));
        out.map(|v| match v {
            Value::Ptr(p) if p.node == id => Value::Ptr(Place { node: new, end: End::First, ..p }),
            v => v,
        });
        Some((out, shape))
    }

    /// A node of a tree, and all below it.
    #[allow(clippy::too_many_arguments)]
    fn branch(
        &self,
        graph: &Graph,
        refs: &References,
        id: NodeId,
        shape: &TreeShape,
        prev: Value,
        params: &mut Vec<Value>,
        alts: &mut Vec<Alt>,
        gone: &mut Vec<NodeId>,
    ) -> Option<()> {
        if gone.len() > 16 {
            return None;
        }
        match graph.node(id) {
            Node::Summary(s) if s.kind == Kind::Segment => {
                let prev_fits = shape.prev_cells.is_empty() || s.prev == prev;
                (s.back == shape.back && s.link == 0 && prev_fits).then_some(())?;
                for alt in s.alts.iter() {
                    alts.extend(way_down_as_tree(alt, shape, &s.params, params)?);
                }
                gone.push(id);
                match s.next {
                    Value::Null => {}
                    Value::Ptr(p) if p.off == 0 && !gone.contains(&p.node) => {
                        alike(graph, id, p.node).then_some(())?;
                        let up = Place::new(id, End::Last, shape.back);
                        let up = Value::Ptr(up);
                        self.branch(graph, refs, p.node, shape, up, params, alts, gone)?;
                    }
                    _ => return None,
                }
            }
            Node::Summary(s) => {
                let prev_fits = prev_cells_of(s).is_empty() || s.prev == prev;
                (s.kind == Kind::Tree && s.back == shape.back && s.link == 0 && prev_fits)
                    .then_some(())?;
                alts.extend(rename_params(&s.alts, &s.params, params)?);
                gone.push(id);
            }
            Node::Object(o) => {
                (prev_value(o, &shape.prev_cells)? == prev || shape.prev_cells.is_empty())
                    .then_some(())?;
                let children: Vec<NodeId> = shape
                    .children
                    .iter()
                    .filter_map(|c| o.cells.get(*c).copied())
                    .map(|v| match v {
                        Value::Null => Some(None),
                        Value::Ptr(p) if p.off == 0 => Some(Some(p.node)),
                        _ => None,
                    })
                    .collect::<Option<Vec<_>>>()?
                    .into_iter()
                    .flatten()
                    .collect();
                let once = |c: &NodeId| children.iter().filter(|d| *d == c).count() == 1;
                if children.contains(&id)
                    || !children.iter().all(once)
                    || children.iter().any(|c| gone.contains(c) || !alike(graph, id, *c))
                {
                    return None;
                }
                let prev_node = prev.place().map(|p| p.node);
                let others: Vec<NodeId> = children.iter().copied().chain(prev_node).collect();
                let own = belongings(graph, refs, id, &others)?;
                let mut around = Surroundings {
                    next: None,
                    prev: (!shape.prev_cells.is_empty()).then_some(prev),
                    params,
                    children: &shape.children,
                    back: shape.back,
                    prev_cells: &shape.prev_cells,
                    link_cell: None,
                    hint: None,
                };
                alts.push(lift(graph, refs, &own, &mut around)?);
                gone.extend(&own);
                for child in children {
                    let up = Value::to(id, shape.back);
                    self.branch(graph, refs, child, shape, up, params, alts, gone)?;
                }
            }
            Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => return None,
        }
        Some(())
    }
}

/// Whether an element of a segment is a node of a tree one of whose children is the next element.
pub(crate) fn is_way_down(alt: &Alt, shape: &TreeShape) -> bool {
    let Some(o) = alt.root() else { return false };
    let at = |c: &usize| o.cells.get(*c).copied().unwrap_or(Value::Undef);
    let leads_on = |v: Value| matches!(v, Value::Formal(Formal::Next, _));
    let own = |v: Value| matches!(v, Value::Null | Value::Ptr(_)) || leads_on(v);
    let ways = shape.children.iter().filter(|c| leads_on(at(c))).count();
    let back = |(c, _): &(usize, i32)| matches!(at(c), Value::Formal(Formal::Prev, _));
    ways == 1 && shape.children.iter().all(|c| own(at(c))) && shape.prev_cells.iter().all(back)
}

/// An element on the way down a tree as a node of a tree, with what the trees beside the way are made
/// of.
fn way_down_as_tree(
    alt: &Alt,
    shape: &TreeShape,
    own: &[Value],
    params: &mut Vec<Value>,
) -> Option<Vec<Alt>> {
    is_way_down(alt, shape).then_some(())?;
    let mut alts = Vec::new();
    let root = alt.root()?;
    let mut beside: Vec<NodeId> = Vec::new();
    for c in &shape.children {
        if let Value::Ptr(p) = root.cells[*c] {
            let Node::Summary(s) = &alt.nodes[p.node as usize] else { return None };
            let said = |v: &Value| match v {
                Value::Formal(Formal::Param(k), d) => own.get(*k as usize)?.shifted(*d),
                Value::Ptr(_) | Value::Formal(..) => None,
                v => Some(*v),
            };
            let outside: Option<Vec<Value>> = s.params.iter().map(said).collect();
            (s.kind == Kind::Tree && p.off == 0 && s.back == shape.back).then_some(())?;
            alts.extend(rename_params(&s.alts, &outside?, params)?);
            beside.push(p.node);
        }
    }
    // All that is left belongs to the element as before.
    let mut number: Vec<Option<NodeId>> = Vec::new();
    let mut kept = 0;
    for i in 0..alt.nodes.len() as NodeId {
        let stays = !beside.contains(&i);
        number.push(stays.then_some(kept));
        kept += NodeId::from(stays);
    }
    let mut children = 0;
    let mut nodes: Vec<Node> = Vec::new();
    let mut well = true;
    for (i, node) in alt.nodes.iter().enumerate().filter(|(i, _)| number[*i].is_some()) {
        let mut node = node.clone();
        let mut cell = 0;
        node.map(&mut |v| {
            let here = cell;
            cell += 1;
            if i == 0 && shape.children.contains(&here) {
                children += 1;
                return Value::to(kept + children - 1, 0);
            }
            match v {
                Value::Ptr(p) => match number[p.node as usize] {
                    Some(node) => Value::Ptr(Place { node, ..p }),
                    None => {
                        well = false;
                        v
                    }
                },
                Value::Formal(Formal::Next, _) => {
                    well = false;
                    v
                }
                v => v,
            }
        });
        nodes.push(node);
    }
    let child = Node::Child { prev: Value::to(0, shape.back), empty: true };
    nodes.extend((0..children).map(|_| child.clone()));
    let renamed = rename_params(&[Alt { nodes }], own, params)?;
    alts.extend(renamed);
    well.then_some(alts)
}

/// Whether a node hangs below another one alone.
fn is_tree_like(graph: &Graph, refs: &References, id: NodeId, above: NodeId) -> bool {
    let kind = match graph.node(id) {
        Node::Object(_) => true,
        Node::Summary(s) => s.kind == Kind::Tree,
        Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => false,
    };
    let from_above = refs.to[id as usize].iter().filter(|(f, _)| *f == above).count();
    kind && alike(graph, id, above) && !refs.held[id as usize] && from_above == 1
}
