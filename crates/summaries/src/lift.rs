//! What an element of a list or tree looks like, by itself: the object and all that belongs to it
//! alone, with its surroundings as formals.

use std::collections::BTreeMap;

use trellis_graphs::{Alt, End, Formal, Graph, Node, NodeId, Value};
use trellis_program::concrete::Lifetime;

use crate::Precision;

/// Who points to whom.
pub struct References {
    /// For every node, the nodes that hold a pointer to it, with the end that they point to; a node
    /// is listed once a pointer.
    pub to: Vec<Vec<(NodeId, End)>>,
    /// The nodes that registers point to, and objects that are near to these.
    pub held: Vec<bool>,
    /// How often a symbol occurs.
    pub symbols: Vec<u32>,
}

impl References {
    /// Those of a graph.
    pub fn of(graph: &Graph, precision: Precision) -> References {
        let mut all = References {
            to: vec![Vec::new(); graph.nodes.len()],
            held: vec![false; graph.nodes.len()],
            symbols: vec![0; graph.ranges.len()],
        };
        for v in graph.roots() {
            match v {
                Value::Ptr(p) => all.held[p.node as usize] = true,
                Value::Sym(s) => all.symbols[s as usize] += 1,
                _ => {}
            }
            if let Some(s) = v.place().and_then(|p| p.at) {
                all.symbols[s as usize] += 1;
            }
        }
        for id in graph.ids() {
            for v in graph.node(id).values() {
                match v {
                    Value::Ptr(p) => all.to[p.node as usize].push((id, p.end)),
                    Value::Sym(s) => all.symbols[s as usize] += 1,
                    _ => {}
                }
            }
        }
        if precision.anchors {
            for id in graph.ids().filter(|id| all.held[*id as usize]).collect::<Vec<_>>() {
                let Some(anchor) = graph.node(id).object() else { continue };
                for p in anchor.cells.iter().filter_map(|v| v.place()) {
                    let other = graph.node(p.node).object();
                    all.held[p.node as usize] |= other.is_some_and(|o| o.ty != anchor.ty);
                }
            }
        }
        for _ in 0..precision.near {
            let held: Vec<NodeId> = graph.ids().filter(|id| all.held[*id as usize]).collect();
            for id in held {
                for p in graph.node(id).values().into_iter().filter_map(Value::place) {
                    all.held[p.node as usize] |= graph.node(p.node).summary().is_none();
                }
            }
        }
        all
    }
}

/// Most nodes that may belong to one element.
const MOST_NODES: usize = 8;

/// The nodes that belong to an element alone, the element first: those on the heap to which only
/// others of them point. `None` if there are too many.
pub fn belongings(
    graph: &Graph,
    refs: &References,
    element: NodeId,
    others: &[NodeId],
) -> Option<Vec<NodeId>> {
    let with_roots = collected(graph, refs, element, others, true);
    let is_closed = |own: &Vec<NodeId>| {
        let is_inside = |id: &NodeId| refs.to[*id as usize].iter().all(|(f, _)| own.contains(f));
        own.iter().skip(1).all(is_inside)
    };
    // What hangs at a root may be pointed to by others after all.
    match with_roots.as_ref().is_some_and(is_closed) {
        true => with_roots,
        false => collected(graph, refs, element, others, false),
    }
}

fn collected(
    graph: &Graph,
    refs: &References,
    element: NodeId,
    others: &[NodeId],
    roots: bool,
) -> Option<Vec<NodeId>> {
    let mut own = vec![element];
    let mut at = 0;
    // A node may have to wait until all that point to it are there.
    let mut again = true;
    while again {
        again = false;
        while at < own.len() {
            at += 1;
        }
        let candidates: Vec<NodeId> = own
            .iter()
            .flat_map(|id| graph.node(*id).values())
            .filter_map(Value::place)
            .map(|p| p.node)
            .collect();
        for id in candidates {
            let heap = match graph.node(id) {
                Node::Object(o) => o.life == Lifetime::Heap,
                // A string of the host may be said as often as it is used.
                Node::Buffer(b) => b.life == Lifetime::Heap || b.passed,
                Node::Summary(_) => true,
                Node::Arguments(_) | Node::Child { .. } => false,
            };
            let is_own = heap
                && !own.contains(&id)
                && !others.contains(&id)
                && !refs.held[id as usize]
                && refs.to[id as usize].iter().all(|(from, _)| {
                    own.contains(from) || *from == id || (roots && hangs_at(graph, refs, *from, id))
                });
            if is_own {
                own.push(id);
                again = true;
                if own.len() > MOST_NODES {
                    return None;
                }
            }
        }
    }
    Some(own)
}

/// Whether all that leads to a node comes from a root or head, which points to itself as the node does.
fn hangs_at(graph: &Graph, refs: &References, id: NodeId, root: NodeId) -> bool {
    let to_root = |v: &Value| v.place().is_some_and(|p| p.node == root);
    let is_root = graph.node(root).object().is_some_and(|o| o.cells.iter().any(to_root));
    is_root && refs.to[id as usize].iter().all(|(from, _)| *from == root || *from == id)
}

/// What an element has around it.
pub struct Surroundings<'a> {
    /// What follows it, as the pointer to it says; `None` for elements of trees.
    pub next: Option<Value>,
    /// What comes before it.
    pub prev: Option<Value>,
    /// The parameters so far; more may be added.
    pub params: &'a mut Vec<Value>,
    /// The cells of the element that lead to children.
    pub children: &'a [usize],
    /// Where in the element its children point back to.
    pub back: i32,
    /// The cells of the element that are what comes before it, and how much further.
    pub prev_cells: &'a [(usize, i32)],
    /// The cell of the element that leads to what follows.
    pub link_cell: Option<usize>,
    /// An alternative that this one may be like.
    pub hint: Option<&'a Alt>,
}

/// An element and its belongings as an alternative.
pub fn lift(
    graph: &Graph,
    refs: &References,
    own: &[NodeId],
    around: &mut Surroundings<'_>,
) -> Option<Alt> {
    let local: BTreeMap<NodeId, NodeId> =
        own.iter().enumerate().map(|(i, id)| (*id, i as NodeId)).collect();
    // Symbols that occur only here are any number.
    let mut inside = vec![0u32; graph.ranges.len()];
    for id in own {
        for v in graph.node(*id).values() {
            if let Value::Sym(s) = v {
                inside[s as usize] += 1;
            }
        }
    }
    let mut children: Vec<Node> = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    for (n, id) in own.iter().enumerate() {
        let mut node = graph.node(*id).clone();
        let is_element = n == 0;
        let mut cell = 0;
        let mut well = true;
        let hints: Vec<Value> =
            around.hint.and_then(|h| h.nodes.get(n)).map(Node::values).unwrap_or_default();
        node.map(&mut |v| {
            let here = cell;
            cell += 1;
            let hint = hints.get(here).copied();
            let lifted = formal(graph, refs, v, here, is_element, hint, &local, &inside, around);
            let lifted = lifted.unwrap_or_else(|()| {
                children.push(Node::Child { prev: Value::to(0, around.back), empty: true });
                Value::to((own.len() + children.len() - 1) as NodeId, 0)
            });
            well &= lifted != Value::Mixed || v == Value::Mixed;
            lifted
        });
        if !well {
            return None;
        }
        if let Node::Summary(s) = &mut node {
            s.count = Value::Any;
        }
        nodes.push(node);
    }
    nodes.extend(children);
    Some(Alt { nodes })
}

/// A value of an element as an alternative says it; an error where a child hangs.
#[allow(clippy::too_many_arguments)]
fn formal(
    graph: &Graph,
    refs: &References,
    v: Value,
    cell: usize,
    is_element: bool,
    hint: Option<Value>,
    local: &BTreeMap<NodeId, NodeId>,
    inside: &[u32],
    around: &mut Surroundings<'_>,
) -> Result<Value, ()> {
    if is_element && around.children.contains(&cell) {
        return Err(());
    }
    if is_element && around.link_cell == Some(cell) {
        return Ok(Value::Formal(Formal::Next, 0));
    }
    if is_element && let Some((_, by)) = around.prev_cells.iter().find(|(c, _)| *c == cell) {
        return Ok(Value::Formal(Formal::Prev, *by));
    }
    // What could be several things is what the hint says.
    match (hint, around.next, around.prev) {
        (Some(Value::Formal(Formal::Next, d)), Some(next), _) if next.shifted(d) == Some(v) => {
            return Ok(Value::Formal(Formal::Next, d));
        }
        (Some(Value::Formal(Formal::Prev, d)), _, Some(prev)) if prev.shifted(d) == Some(v) => {
            return Ok(Value::Formal(Formal::Prev, d));
        }
        _ => {}
    }
    Ok(match v {
        // Alternatives have no symbols.
        Value::Ptr(p) if p.at.is_some() && local.contains_key(&p.node) => Value::Mixed,
        Value::Ptr(p) => {
            if let Some(i) = local.get(&p.node) {
                return Ok(Value::Ptr(trellis_graphs::Place { node: *i, ..p }));
            }
            if let Some(d) = around.next.and_then(|next| v.distance(next)) {
                return Ok(Value::Formal(Formal::Next, d));
            }
            if let Some(d) = around.prev.and_then(|prev| v.distance(prev)) {
                return Ok(Value::Formal(Formal::Prev, d));
            }
            parameter(v, around)
        }
        Value::Sym(s)
            if graph.relations.is_none() && refs.symbols[s as usize] > inside[s as usize] =>
        {
            parameter(v, around)
        }
        Value::Sym(s) => Value::Range(graph.ranges[s as usize]),
        v => v,
    })
}

fn parameter(v: Value, around: &mut Surroundings<'_>) -> Value {
    for (k, p) in around.params.iter().enumerate() {
        if let Some(d) = v.distance(*p)
            && (d == 0 || matches!(v, Value::Ptr(_)))
        {
            return Value::Formal(Formal::Param(k as u8), d);
        }
    }
    if around.params.len() >= 8 {
        return Value::Mixed;
    }
    around.params.push(v);
    Value::Formal(Formal::Param(around.params.len() as u8 - 1), 0)
}
