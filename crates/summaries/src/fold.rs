//! Lists and trees become summaries.
//!
//! Two neighbours of a list, objects or segments, become one segment, if nothing else points between
//! them and no register into them. A node with its children becomes a tree in the same way, from the
//! leaves up. Inner structures come first: of all pairs the one is taken whose elements have the
//! fewest belongings.
//!
//! **Invariant.** Every memory of a graph is one of the folded graph.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trellis_graphs::numbers::MOST_ELEMENTS;
use trellis_graphs::{
    Alt, Buffer, End, Formal, Graph, Kind, Node, NodeId, Object, Place, Range, Summary, Value,
};
use trellis_program::concrete::Lifetime;
use trellis_program::{Scalar, TypeId, TypeTable};

use crate::Precision;
use crate::join::Joiner;
use crate::lift::{References, Surroundings, belongings, lift};
use crate::tree::is_way_down;

/// How nodes of a type hang together in lists, as was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListShape {
    link_cell: usize,
    link: i32,
    prev_cells: Vec<(usize, i32)>,
    back: i32,
}

/// How nodes of a type hang together in trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TreeShape {
    pub(crate) children: Vec<usize>,
    pub(crate) prev_cells: Vec<(usize, i32)>,
    pub(crate) back: i32,
}

/// Folds graphs, and remembers what lists and trees look like.
pub struct Folder<'p> {
    pub(crate) types: &'p TypeTable,
    precision: Precision,
    /// A skip list has one for every level.
    lists: BTreeMap<TypeId, Vec<ListShape>>,
    pub(crate) trees: BTreeMap<TypeId, TreeShape>,
    /// What elements of lists without parameters may look like wherever there is one, by type: one
    /// entry for every kind of list.
    looks: BTreeMap<TypeId, Vec<Vec<Alt>>>,
    /// The cells by which nodes of a type point to one of them that they all hang at, and it itself.
    hubs: BTreeSet<(TypeId, usize)>,
}

/// An element of a segment, or a whole one, on its way into a new segment.
struct Part {
    id: NodeId,
    own: Vec<NodeId>,
    alts: Vec<Alt>,
    next: Value,
    prev: Value,
    least: u32,
    count: Value,
}

impl<'p> Folder<'p> {
    /// One that has seen nothing.
    pub fn new(types: &'p TypeTable, precision: Precision) -> Folder<'p> {
        let (lists, trees, hubs) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Folder { types, precision, lists, trees, looks: BTreeMap::new(), hubs }
    }

    /// Folds what can be folded.
    pub fn fold(&mut self, graph: &Graph) -> Graph {
        let mut graph = graph.clone();
        if self.precision.texts {
            self.fold_bytes(&mut graph);
        }
        self.see_hubs(&graph);
        loop {
            let refs = References::of(&graph, self.precision);
            let next = if self.precision.trees { self.fold_tree(&graph, &refs) } else { None };
            let next = next.or_else(|| self.fold_list(&graph, &refs));
            match next.or_else(|| self.fold_leaf(&graph, &refs)) {
                Some(next) => graph = next,
                None => break,
            }
        }
        if self.precision.uniform {
            self.make_uniform(&mut graph);
        }
        graph
    }

    /// All lists of a kind have elements that look as those of any of them were seen to look.
    fn make_uniform(&mut self, graph: &mut Graph) {
        for id in graph.ids().collect::<Vec<_>>() {
            let Some(s) = graph.node(id).summary() else { continue };
            let Some(ty) = s.element().and_then(|o| o.ty) else { continue };
            if s.kind != Kind::Segment || !s.params.is_empty() {
                continue;
            }
            let mut kinds = self.looks.remove(&ty).unwrap_or_default();
            let shape = self.trees.get(&ty);
            let with_these = |known: &Vec<Alt>| {
                let all = self.joined(graph, &[], known.iter().chain(s.alts.iter()).cloned())?;
                are_alike(self.types, self.precision, &all, shape).then_some(all)
            };
            let found = kinds.iter().enumerate();
            let found = found.filter_map(|(i, k)| Some((i, with_these(k)?))).next();
            match found {
                Some((i, all)) => {
                    if let Node::Summary(s) = graph.node_mut(id) {
                        s.alts = Arc::new(all.clone());
                    }
                    kinds[i] = all;
                }
                None => kinds.push((*s.alts).clone()),
            }
            self.looks.insert(ty, kinds);
        }
    }

    /// Arrays of characters become buffers.
    fn fold_bytes(&self, graph: &mut Graph) {
        for id in graph.ids().collect::<Vec<_>>() {
            let Some(object) = graph.node(id).object() else { continue };
            let buffer = Buffer::of(self.types, object, |v| graph.range(v));
            let alone = object.size == 1 && object.life != Lifetime::Heap;
            if let Some(buffer) = buffer.filter(|_| !alone) {
                *graph.node_mut(id) = Node::Buffer(buffer);
            }
        }
    }

    /// Remembers which cells lead to a root or head: nodes point there, and so does that one.
    fn see_hubs(&mut self, graph: &Graph) {
        for id in graph.ids() {
            let Some(object) = graph.node(id).object() else { continue };
            let Some(ty) = object.ty else { continue };
            for (cell, to) in cell_places(object).filter(|(_, to)| to.node != id) {
                let Some(other) = graph.node(to.node).object() else { continue };
                let back = other.cells.get(cell).and_then(|v| v.place());
                if other.is_like(object) && back == Some(to) {
                    self.hubs.insert((ty, cell));
                }
            }
        }
    }

    /// Whether a node is one that others of its kind point to, and itself.
    pub(crate) fn is_hub(&self, graph: &Graph, id: NodeId) -> bool {
        let Some(object) = graph.node(id).object() else { return false };
        let to_self = cell_places(object).filter(|(_, to)| to.node == id).map(|(c, _)| c);
        object.ty.is_some_and(|ty| to_self.into_iter().any(|c| self.hubs.contains(&(ty, c))))
    }

    /// A leaf becomes a tree, where trees were seen, and a node a list, where that is wanted: how many
    /// nodes they have does not matter then.
    fn fold_leaf(&self, graph: &Graph, refs: &References) -> Option<Graph> {
        let may = |id: &NodeId| is_free(graph, refs, *id) && graph.node(*id).object().is_some();
        let mut alone = graph.ids().filter(may);
        alone.find_map(|id| match self.may_be_tree(graph, id) {
            true => Some(self.tree_at(graph, refs, id, true)?.0),
            false if self.precision.eager => self.promote_list(graph, refs, id),
            false => None,
        })
    }

    /// One pair of neighbours becomes a segment.
    fn fold_list(&mut self, graph: &Graph, refs: &References) -> Option<Graph> {
        let mut pairs: Vec<(usize, NodeId, NodeId, Option<usize>)> = Vec::new();
        let singled_out = |id| {
            self.is_hub(graph, id) || (self.precision.strict && is_singled_out(graph, refs, id))
        };
        for a in graph.ids().filter(|a| is_free(graph, refs, *a) && !singled_out(*a)) {
            let links: Vec<(Option<usize>, Place)> = match graph.node(a) {
                Node::Object(o) => cell_places(o).map(|(c, p)| (Some(c), p)).collect(),
                Node::Summary(s) if s.kind == Kind::Segment => {
                    s.next.place().map(|p| (None, p)).into_iter().collect()
                }
                _ => continue,
            };
            for (cell, p) in links {
                let b = p.node;
                if self.precision.last && is_last(graph, refs, a, b) {
                    continue;
                }
                if b == a || !is_free(graph, refs, b) || !alike(graph, a, b) || singled_out(b) {
                    continue;
                }
                if graph.node(b).summary().is_some() && p.end != End::First {
                    continue;
                }
                let size = |id: NodeId| belongings(graph, refs, id, &[a, b]).map(|own| own.len());
                let (Some(x), Some(y)) = (size(a), size(b)) else { continue };
                pairs.push((x.max(y), a, b, cell));
            }
        }
        pairs.sort();
        pairs.into_iter().find_map(|(_, a, b, cell)| self.pair(graph, a, b, cell))
    }

    /// Two neighbours as one segment.
    fn pair(&mut self, graph: &Graph, a: NodeId, b: NodeId, cell: Option<usize>) -> Option<Graph> {
        let graph = &self.promoted(graph, &[a, b]);
        let refs = &References::of(graph, self.precision);
        let (node_a, node_b) = (graph.node(a).clone(), graph.node(b).clone());
        // Where neighbours point into each other.
        let (link, back, prev_cells) = match (&node_a, &node_b) {
            (Node::Summary(s), _) | (_, Node::Summary(s)) => (s.link, s.back, prev_cells_of(s)),
            (Node::Object(x), Node::Object(y)) => {
                let link = x.cells[cell?].place()?.off;
                let (back, cells) = pointers_back(y, a, cell?);
                // From the other end, so that all lists of a kind are read in one direction.
                if self.is_backwards(x, cell?, &cells) {
                    return None;
                }
                let leads_on = y.cells[cell?].place().is_some_and(|p| p.node != a && p.node != b);
                (self.precision.promote || leads_on).then_some(())?;
                (link, back, cells)
            }
            _ => return None,
        };
        let mut params: Vec<Value> = match (&node_a, &node_b) {
            (Node::Summary(s), _) | (_, Node::Summary(s)) => s.params.clone(),
            _ => Vec::new(),
        };
        let hint = match (&node_a, &node_b) {
            (Node::Summary(s), _) | (_, Node::Summary(s)) => s.alts.first().cloned(),
            _ => None,
        };
        let link_cell = cell.or_else(|| hint.as_ref().and_then(link_cell_of));
        let first = match &node_a {
            Node::Object(o) => {
                let next = o.cells[cell?];
                (next == Value::Ptr(Place::new(b, End::First, link))).then_some(())?;
                let prev = prev_value(o, &prev_cells)?;
                let hint = hint.as_ref();
                let around =
                    Around { next, prev, link_cell: cell?, prev_cells: &prev_cells, back, hint };
                element(graph, refs, a, &[b], &around, &mut params)?
            }
            Node::Summary(s) => {
                let to_b = Value::Ptr(Place::new(b, End::First, link));
                (s.next == to_b && s.link == link && s.back == back).then_some(())?;
                whole(a, s)
            }
            Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => return None,
        };
        let last_of_a = match &node_a {
            Node::Object(_) => Value::to(a, back),
            _ => Value::Ptr(Place::new(a, End::Last, back)),
        };
        let folded = match &node_b {
            Node::Object(o) => {
                let hint = hint.as_ref().or(first.alts.first());
                let prev = prev_value(o, &prev_cells)?;
                (prev_cells.is_empty() || prev == last_of_a).then_some(())?;
                let ways = link_candidates(graph, refs, o, b, link_cell?, &prev_cells);
                let along = |c: usize| {
                    let next = o.cells[c];
                    let prev_cells = &prev_cells;
                    let around = Around { next, prev, link_cell: c, prev_cells, back, hint };
                    let mut params = params.clone();
                    let part = element(graph, refs, b, &[a], &around, &mut params)?;
                    self.segment(graph, refs, &first, &part, link, back, params)
                };
                // The fewer kinds of elements there are, the more it is a list.
                let all = ways.into_iter().filter_map(along);
                all.min_by_key(|(kinds, _)| *kinds)?.1
            }
            Node::Summary(s) => {
                (prev_cells.is_empty() || s.prev == last_of_a).then_some(())?;
                (s.link == link && s.back == back && s.kind == Kind::Segment).then_some(())?;
                let mut part = whole(b, s);
                let renamed = rename_params(&part.alts, &s.params, &mut params)?;
                part.alts = renamed;
                self.segment(graph, refs, &first, &part, link, back, params)?.1
            }
            Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => return None,
        };
        if let (Node::Object(x), Node::Object(_), Some(cell)) = (&node_a, &node_b, cell)
            && let Some(ty) = x.ty
        {
            let shape = ListShape { link_cell: cell, link, prev_cells, back };
            let known = self.lists.entry(ty).or_default();
            let levels = self.precision.uniform && known.iter().all(|s| s.link_cell != cell);
            if known.is_empty() || levels {
                known.push(shape);
            }
        }
        Some(folded)
    }

    /// Whether neighbours of a doubly linked list are looked at against the direction in which lists of
    /// their kind were read before.
    fn is_backwards(&self, o: &Object, link_cell: usize, prev_cells: &[(usize, i32)]) -> bool {
        let has = |cells: &[(usize, i32)], cell: usize| cells.iter().any(|(c, _)| *c == cell);
        let backwards =
            |s: &ListShape| has(prev_cells, s.link_cell) && has(&s.prev_cells, link_cell);
        self.shapes_of(o).iter().any(backwards)
    }

    /// How nodes like an object hang together in lists, as was seen.
    fn shapes_of(&self, o: &Object) -> &[ListShape] {
        o.ty.and_then(|ty| self.lists.get(&ty)).map_or(&[], Vec::as_slice)
    }

    #[allow(clippy::too_many_arguments)]
    fn segment(
        &self,
        graph: &Graph,
        refs: &References,
        first: &Part,
        second: &Part,
        link: i32,
        back: i32,
        params: Vec<Value>,
    ) -> Option<(usize, Graph)> {
        let (a, b) = (first.id, second.id);
        let inner = |from: &NodeId| first.own.contains(from) || second.own.contains(from);
        let a_is_object = graph.node(a).object().is_some();
        let b_is_object = graph.node(b).object().is_some();
        // From outside, only the first element of the first part and the last one of the second one
        // may be pointed to.
        let first_is_inside = refs.to[a as usize]
            .iter()
            .any(|(from, end)| !a_is_object && *end == End::Last && !inner(from));
        let second_is_inside = refs.to[b as usize]
            .iter()
            .any(|(from, end)| !b_is_object && *end == End::First && !inner(from) && *from != a);
        let points_inside = |v: &Value| match v {
            Value::Ptr(p) if p.node == a => !a_is_object && p.end == End::Last,
            Value::Ptr(p) if p.node == b => !b_is_object && p.end == End::First,
            _ => false,
        };
        if first_is_inside
            || second_is_inside
            || params.iter().any(points_inside)
            || params.iter().any(|v| {
                v.place().is_some_and(|p| {
                    (first.own.contains(&p.node) && p.node != a)
                        || (second.own.contains(&p.node) && p.node != b)
                })
            })
        {
            return None;
        }
        let both = first.alts.iter().chain(&second.alts).cloned();
        let alts = self.joined(graph, &params, both)?;
        let ty = alts.first().and_then(Alt::root).and_then(|o| o.ty);
        let shape = ty.and_then(|ty| self.trees.get(&ty));
        if self.precision.strict && !are_alike(self.types, self.precision, &alts, shape) {
            return None;
        }
        let (alts, params) = without_unused(alts, &params);
        let kinds = alts.len();
        let mut out = graph.clone();
        let count = match self.precision.lengths {
            true => together(&mut out, first.count, second.count),
            false => Value::Any,
        };
        first.own.iter().chain(&second.own).for_each(|id| out.nodes[*id as usize] = None);
        let id = out.add(Node::Summary(Summary {
            kind: Kind::Segment,
            alts: Arc::new(alts),
            link,
            back,
            next: second.next,
            prev: first.prev,
            params,
            least: (first.least + second.least).min(self.precision.least),
            count,
        }));
        out.map(|v| match v {
            Value::Ptr(p) if p.node == a => Value::Ptr(Place { node: id, end: End::First, ..p }),
            Value::Ptr(p) if p.node == b => Value::Ptr(Place { node: id, end: End::Last, ..p }),
            v => v,
        });
        Some((kinds, out))
    }

    pub(crate) fn joined(
        &self,
        graph: &Graph,
        params: &[Value],
        alts: impl IntoIterator<Item = Alt>,
    ) -> Option<Vec<Alt>> {
        let param_range = |k: u8| params.get(k as usize).and_then(|v| graph.range(*v));
        let precision = self.precision;
        let alike = |alts: &[Alt]| {
            let ty = alts.first().and_then(Alt::root).and_then(|o| o.ty);
            let shape = ty.and_then(|ty| self.trees.get(&ty));
            !precision.uniform || are_alike(self.types, precision, alts, shape)
        };
        let joiner = Joiner { precision, param_range: &param_range, alike: &alike };
        let mut all = Vec::new();
        for alt in alts {
            joiner.add(&mut all, alt)?;
        }
        Some(all)
    }

    /// The same with lists and trees of one node, among the belongings of elements, as summaries: so
    /// that elements with more and with less of them are alike.
    fn promoted(&self, graph: &Graph, elements: &[NodeId]) -> Graph {
        let mut graph = graph.clone();
        if !self.precision.promote {
            return graph;
        }
        loop {
            let refs = References::of(&graph, self.precision);
            let mut candidates: Vec<(usize, NodeId)> = Vec::new();
            for e in elements {
                let own = belongings(&graph, &refs, *e, elements).unwrap_or_default();
                // What follows is of the same kind, and may be the last.
                let stays = |id: &NodeId| {
                    elements.contains(id) || (self.precision.last && alike(&graph, *id, *e))
                };
                for id in own.into_iter().filter(|id| !stays(id)) {
                    if graph.node(id).object().is_some() {
                        let size = belongings(&graph, &refs, id, elements).map_or(99, |o| o.len());
                        candidates.push((size, id));
                    }
                }
            }
            candidates.sort_unstable();
            let step =
                candidates.into_iter().find_map(|(_, id)| match self.may_be_tree(&graph, id) {
                    true => self.tree_at(&graph, &refs, id, true).map(|(graph, _)| graph),
                    false => self.promote_list(&graph, &refs, id),
                });
            // A tree that takes in an element is none of its belongings.
            let has_elements = |g: &Graph| elements.iter().all(|e| g.nodes[*e as usize].is_some());
            match step.filter(has_elements) {
                Some(next) => graph = next,
                None => return graph,
            }
        }
    }

    /// Whether a node is rather one of a tree than one of a list.
    fn may_be_tree(&self, graph: &Graph, id: NodeId) -> bool {
        let Some(object) = graph.node(id).object() else { return false };
        let looks_back = self.shapes_of(object).iter().any(|s| !s.prev_cells.is_empty());
        self.precision.trees && own_cells(self.types, object).len() >= 2 && !looks_back
    }

    /// A node becomes a list of one element: in the way in which it says the least of its surroundings.
    /// So a node of the upper level of a skip list is one there, and owns what it skips.
    fn promote_list(&self, graph: &Graph, refs: &References, id: NodeId) -> Option<Graph> {
        let object = graph.node(id).object().filter(|_| !self.is_hub(graph, id))?;
        let ways = self.shapes_of(object).iter();
        let ways = ways.filter_map(|shape| self.promote_along(graph, refs, id, object, shape));
        ways.min_by_key(|(said, _)| *said).map(|(_, graph)| graph)
    }

    /// The same in one way; with how many parameters the element has.
    fn promote_along(
        &self,
        graph: &Graph,
        refs: &References,
        id: NodeId,
        object: &Object,
        shape: &ListShape,
    ) -> Option<(usize, Graph)> {
        let next = *object.cells.get(shape.link_cell)?;
        let prev = prev_value(object, &shape.prev_cells)?;
        let around = Around {
            next,
            prev,
            link_cell: shape.link_cell,
            prev_cells: &shape.prev_cells,
            back: shape.back,
            hint: None,
        };
        // What follows is another node, or nothing.
        (!self.precision.uniform || matches!(next, Value::Ptr(_) | Value::Null)).then_some(())?;
        let mut params = Vec::new();
        let part = element(graph, refs, id, &[], &around, &mut params)?;
        let said = params.len();
        // One more way to another node: elsewhere there may be more elements, but not here.
        let leads_on = |v: &Value| {
            v.place().is_some_and(|p| alike(graph, id, p.node) && !self.is_hub(graph, p.node))
        };
        if self.precision.uniform && params.iter().any(leads_on) {
            return None;
        }
        if params.iter().any(|v| v.place().is_some_and(|p| part.own.contains(&p.node))) {
            return None;
        }
        let mut out = graph.clone();
        part.own.iter().for_each(|id| out.nodes[*id as usize] = None);
        let (link, back) = (shape.link, shape.back);
        let new = out.add(Node::Summary(Summary {
            kind: Kind::Segment,
            alts: Arc::new(part.alts),
            link,
            back,
            next,
            prev,
            params,
            least: 1,
            count: if self.precision.lengths { Value::Int(1) } else { Value::Any },
        }));
        out.map(|v| match v {
            Value::Ptr(p) if p.node == id => Value::Ptr(Place { node: new, ..p }),
            v => v,
        });
        // What comes before the first element of a ring is the last one.
        if let Node::Summary(s) = out.node_mut(new)
            && let Value::Ptr(p) = &mut s.prev
            && p.node == new
        {
            p.end = End::Last;
        }
        Some((said, out))
    }
}

/// What an element of a list has around it.
struct Around<'a> {
    next: Value,
    prev: Value,
    link_cell: usize,
    prev_cells: &'a [(usize, i32)],
    back: i32,
    hint: Option<&'a Alt>,
}

/// Whether alternatives hang together in the same way, and differ only in what they carry; or are the
/// ways down a tree, where all but the child that leads on belongs to the element.
fn are_alike(
    types: &TypeTable,
    precision: Precision,
    alts: &[Alt],
    shape: Option<&TreeShape>,
) -> bool {
    let near = |v: Value| matches!(v, Value::Formal(Formal::Next | Formal::Prev, _));
    let links = |alt: &Alt| -> Vec<(usize, Value)> {
        let Some(o) = alt.root() else { return Vec::new() };
        let own = own_cells(types, o);
        let told_apart = |v: Value| precision.constants && matches!(v, Value::Int(_));
        let is_link = |(c, v): &(usize, Value)| near(*v) || own.contains(c) || told_apart(*v);
        o.cells.iter().copied().enumerate().filter(is_link).collect()
    };
    if alts.windows(2).all(|w| links(&w[0]) == links(&w[1])) {
        return true;
    }
    let Some(shape) = shape else { return false };
    let outside = |alt: &Alt| -> BTreeSet<u8> {
        let values = alt.nodes.iter().flat_map(Node::values);
        let param = |v: Value| match v {
            Value::Formal(Formal::Param(k), _) => Some(k),
            _ => None,
        };
        values.filter_map(param).collect()
    };
    alts.len() <= shape.children.len()
        && alts.iter().all(|alt| is_way_down(alt, shape))
        && alts.windows(2).all(|w| outside(&w[0]) == outside(&w[1]))
}

/// An object as a part of a segment.
fn element(
    graph: &Graph,
    refs: &References,
    id: NodeId,
    neighbours: &[NodeId],
    around: &Around<'_>,
    params: &mut Vec<Value>,
) -> Option<Part> {
    let near = [around.next, around.prev].into_iter().filter_map(Value::place).map(|p| p.node);
    let others: Vec<NodeId> = neighbours.iter().copied().chain(near).filter(|n| *n != id).collect();
    let own = belongings(graph, refs, id, &others)?;
    let has_prev = !around.prev_cells.is_empty();
    let mut surroundings = Surroundings {
        next: Some(around.next),
        prev: has_prev.then_some(around.prev),
        params,
        children: &[],
        back: around.back,
        prev_cells: around.prev_cells,
        link_cell: Some(around.link_cell),
        hint: around.hint,
    };
    let alt = lift(graph, refs, &own, &mut surroundings)?;
    let prev = around.prev;
    let count = Value::Int(1);
    Some(Part { id, own, alts: vec![alt], next: around.next, prev, least: 1, count })
}

/// A segment as a part of a longer one.
fn whole(id: NodeId, s: &Summary) -> Part {
    let alts = (*s.alts).clone();
    Part { id, own: vec![id], alts, next: s.next, prev: s.prev, least: s.least, count: s.count }
}

/// How many elements two parts have together.
fn together(graph: &mut Graph, first: Value, second: Value) -> Value {
    let (Some(a), Some(b)) = (graph.form(first), graph.form(second)) else { return Value::Any };
    match graph.relations.is_some() {
        true => graph.define(&a.plus(1, &b), Range::between(0, MOST_ELEMENTS)),
        false => Value::Any,
    }
}

/// Alternatives over other parameters.
pub(crate) fn rename_params(alts: &[Alt], from: &[Value], to: &mut Vec<Value>) -> Option<Vec<Alt>> {
    let mut number = Vec::new();
    for v in from {
        let k = to.iter().position(|p| p == v).unwrap_or_else(|| {
            to.push(*v);
            to.len() - 1
        });
        number.push(u8::try_from(k).ok()?);
    }
    (to.len() <= 8).then_some(())?;
    let rename = |alt: &Alt| {
        let mut alt = alt.clone();
        for node in &mut alt.nodes {
            node.map(&mut |v| match v {
                Value::Formal(Formal::Param(k), d) => {
                    Value::Formal(Formal::Param(number[k as usize]), d)
                }
                v => v,
            });
        }
        alt
    };
    Some(alts.iter().map(rename).collect())
}

/// The same without parameters that no alternative uses.
pub(crate) fn without_unused(alts: Vec<Alt>, params: &[Value]) -> (Vec<Alt>, Vec<Value>) {
    let mut used = BTreeSet::new();
    for v in alts.iter().flat_map(|a| &a.nodes).flat_map(Node::values) {
        if let Value::Formal(Formal::Param(k), _) = v {
            used.insert(k);
        }
    }
    let number: BTreeMap<u8, u8> = used.iter().copied().zip(0..).collect();
    let kept = used.iter().filter_map(|k| params.get(*k as usize).copied()).collect();
    let rename = |mut alt: Alt| {
        for node in &mut alt.nodes {
            node.map(&mut |v| match v {
                Value::Formal(Formal::Param(k), d) => Value::Formal(Formal::Param(number[&k]), d),
                v => v,
            });
        }
        alt
    };
    let mut alts: Vec<Alt> = alts.into_iter().map(rename).collect();
    alts.sort();
    (alts, kept)
}

/// Whether a node is the only one to point to something else that a register holds: which node that
/// is would be lost among others.
fn is_singled_out(graph: &Graph, refs: &References, id: NodeId) -> bool {
    let Some(object) = graph.node(id).object() else { return false };
    let is_payload = |p: &Place| {
        let other = graph.node(p.node).object();
        other.is_some_and(|o| o.life == Lifetime::Heap && o.ty != object.ty)
    };
    let mut payloads = cell_places(object).map(|(_, p)| p).filter(is_payload);
    payloads.any(|p| {
        let to = &refs.to[p.node as usize];
        refs.held[p.node as usize] && to.iter().all(|(from, _)| *from == id)
    })
}

/// Whether a node that another one leads to leads to no third one of its kind, but for those that
/// registers point to: a sentinel, or where a walk has come to.
fn is_last(graph: &Graph, refs: &References, before: NodeId, id: NodeId) -> bool {
    let Some(object) = graph.node(id).object() else { return false };
    let leads_on = |p: Place| {
        p.node != before && p.node != id && !refs.held[p.node as usize] && alike(graph, id, p.node)
    };
    !cell_places(object).any(|(_, p)| leads_on(p))
}

/// Whether a node may be folded: on the heap, and no register points to it.
pub(crate) fn is_free(graph: &Graph, refs: &References, id: NodeId) -> bool {
    let heap = match graph.node(id) {
        Node::Object(o) => o.life == Lifetime::Heap && o.ty.is_some() && !o.cells.is_empty(),
        Node::Summary(_) => true,
        Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => false,
    };
    heap && !refs.held[id as usize]
}

/// Whether two nodes have elements of one kind.
pub(crate) fn alike(graph: &Graph, a: NodeId, b: NodeId) -> bool {
    let element = |id: NodeId| match graph.node(id) {
        Node::Object(o) => Some(o),
        Node::Summary(s) => s.element(),
        Node::Buffer(_) | Node::Arguments(_) | Node::Child { .. } => None,
    };
    match (element(a), element(b)) {
        (Some(x), Some(y)) => x.is_like(y),
        _ => false,
    }
}

/// The cells of an object that are pointers, with where they point.
fn cell_places(o: &Object) -> impl Iterator<Item = (usize, Place)> + '_ {
    o.cells.iter().enumerate().filter_map(|(i, v)| Some((i, v.place()?)))
}

/// The cells of an object that point to another one, but for one cell: where to, and how much further
/// than the first of them.
pub(crate) fn pointers_back(o: &Object, to: NodeId, but: usize) -> (i32, Vec<(usize, i32)>) {
    let mut found: Vec<(usize, i32)> = cell_places(o)
        .filter(|(c, p)| p.node == to && *c != but)
        .map(|(c, p)| (c, p.off))
        .collect();
    let back = found.first().map_or(0, |(_, off)| *off);
    found.iter_mut().for_each(|(_, off)| *off -= back);
    (back, found)
}

/// The cells of elements that are what comes before.
pub(crate) fn prev_cells_of(s: &Summary) -> Vec<(usize, i32)> {
    let of_alt = |alt: &Alt| -> Vec<(usize, i32)> {
        let cells = alt.root().map(|o| o.cells.clone()).unwrap_or_default();
        let prev = |(i, v): (usize, Value)| match v {
            Value::Formal(Formal::Prev, d) => Some((i, d)),
            _ => None,
        };
        cells.into_iter().enumerate().filter_map(prev).collect()
    };
    s.alts.first().map(of_alt).unwrap_or_default()
}

/// The cell of an element that leads to the next one.
fn link_cell_of(alt: &Alt) -> Option<usize> {
    let cells = &alt.root()?.cells;
    cells.iter().position(|v| *v == Value::Formal(Formal::Next, 0))
}

/// What comes before an element, if its cells agree; null where no cell says it.
pub(crate) fn prev_value(o: &Object, prev_cells: &[(usize, i32)]) -> Option<Value> {
    let Some((c, d)) = prev_cells.first() else { return Some(Value::Null) };
    let prev = o.cells.get(*c)?.shifted(-d)?;
    let agree = prev_cells.iter().all(|(c, d)| o.cells.get(*c).copied() == prev.shifted(*d));
    agree.then_some(prev)
}

/// The cells that may lead on from an element: the usual one first, then those that lead out of it (on
/// the way down a tree).
fn link_candidates(
    graph: &Graph,
    refs: &References,
    o: &Object,
    id: NodeId,
    usual: usize,
    prev_cells: &[(usize, i32)],
) -> Vec<usize> {
    let own = belongings(graph, refs, id, &[]).unwrap_or_default();
    let others = cell_places(o)
        .filter(|(c, p)| {
            *c != usual
                && prev_cells.iter().all(|(d, _)| d != c)
                && alike(graph, id, p.node)
                && !own.contains(&p.node)
        })
        .map(|(c, _)| c);
    std::iter::once(usual).chain(others).collect()
}

/// The cells of an object whose type is a pointer to the object's own type.
pub(crate) fn own_cells(types: &TypeTable, o: &Object) -> Vec<usize> {
    let Some(layout) = o.ty.and_then(|ty| types.layout(ty)) else { return Vec::new() };
    if layout.cells.len() != o.cells.len() {
        return Vec::new();
    }
    let is_own = |s: Scalar| matches!(s, Scalar::Ptr(ty) if Some(ty) == o.ty);
    (0..o.cells.len()).filter(|i| is_own(layout.cells[*i].scalar)).collect()
}
