//! What pointers keep from being lost, in every memory of a graph.
//!
//! [`Graph::reach`] says what may be reached, which is what must not be thrown away. Whether memory is
//! leaked wants the opposite: from the last element of a list that is linked forward nobody comes to
//! the first one, and what only elements speak of is lost where there are none.
//!
//! **Invariant.** What is said to be held is reached in every memory of the graph, so what is not may be
//! lost.

use std::collections::BTreeSet;

use trellis_program::concrete::Lifetime;

use crate::graph::{Alt, Graph, Kind, Node, Summary};
use crate::value::{End, Formal, NodeId, Place, Value};

/// What is surely reached from some values.
#[derive(Default)]
pub(crate) struct Held {
    /// The nodes that are, with all their objects.
    pub(crate) whole: BTreeSet<NodeId>,
    /// Where pointers lead that are.
    pub(crate) places: BTreeSet<Place>,
    /// The ends of summaries that were met.
    met: BTreeSet<(NodeId, End)>,
    /// In an alternative: the surroundings that its element leads to.
    formals: BTreeSet<Formal>,
}

impl Held {
    fn walk<'n>(node: &dyn Fn(NodeId) -> Option<&'n Node>, from: Vec<Value>) -> Held {
        let mut held = Held::default();
        let mut todo = from;
        while let Some(value) = todo.pop() {
            let p = match value {
                Value::Ptr(p) => p,
                Value::Formal(f, _) => {
                    held.formals.insert(f);
                    continue;
                }
                _ => continue,
            };
            held.places.insert(p);
            match node(p.node) {
                Some(Node::Object(o)) if held.whole.insert(p.node) => {
                    todo.extend(o.cells.iter().copied());
                }
                Some(Node::Buffer(_) | Node::Child { .. }) => {
                    held.whole.insert(p.node);
                }
                Some(Node::Summary(s)) => {
                    let end = if s.kind == Kind::Tree { End::First } else { p.end };
                    if held.met.insert((p.node, end)) {
                        held.enter(p.node, s, end, &mut todo);
                    }
                }
                Some(Node::Arguments(a)) if held.whole.insert(p.node) => todo.extend(a.values()),
                Some(Node::Object(_) | Node::Arguments(_)) | None => {}
            }
        }
        held
    }

    /// A pointer leads to an end of a summary.
    fn enter(&mut self, id: NodeId, s: &Summary, end: End, todo: &mut Vec<Value>) {
        let Some(leads) = leads(&s.alts) else { return };
        let (next, prev) = (leads.contains(&Formal::Next), leads.contains(&Formal::Prev));
        let all = match (s.kind, end) {
            (Kind::Tree, _) => true,
            (Kind::Segment, End::First) => next,
            (Kind::Segment, End::Last) => prev,
        };
        if all {
            self.whole.insert(id);
        }
        // Should there be no elements, a pointer to the first one is what follows, and one to the last
        // one is what comes before.
        let some = !s.may_be_empty();
        if next && s.kind == Kind::Segment && (end == End::First || some) {
            todo.push(s.next);
        }
        if prev && (end == End::Last || some) {
            todo.push(s.prev);
        }
        if some {
            let spoken = |k: usize| leads.contains(&Formal::Param(k as u8));
            todo.extend(s.params.iter().enumerate().filter(|(k, _)| spoken(*k)).map(|(_, v)| *v));
        }
    }
}

/// The surroundings that every element leads to, whatever it looks like; `None` if one does not lead
/// to all that belongs to it.
fn leads(alts: &[Alt]) -> Option<BTreeSet<Formal>> {
    let one = |alt: &Alt| {
        let node = |id: NodeId| alt.nodes.get(id as usize);
        let held = Held::walk(&node, vec![Value::to(0, 0)]);
        (held.whole.len() == alt.nodes.len()).then_some(held.formals)
    };
    let mut all = alts.iter().map(one);
    let first = all.next()??;
    all.try_fold(first, |known, more| Some(known.intersection(&more?).copied().collect()))
}

impl Graph {
    /// What some values surely keep, by ways through some nodes only.
    pub(crate) fn held_by(&self, from: Vec<Value>, through: impl Fn(NodeId) -> bool) -> Held {
        let node = |id: NodeId| self.nodes.get(id as usize)?.as_deref().filter(|_| through(id));
        Held::walk(&node, from)
    }

    /// Whether some object on the heap may be out of reach for ever.
    pub fn may_have_lost(&self) -> bool {
        let held = self.held_by(self.roots().collect(), |_| true).whole;
        let on_heap = |id: &NodeId| match self.node(*id) {
            Node::Object(o) => o.life == Lifetime::Heap,
            Node::Buffer(b) => b.life == Lifetime::Heap,
            Node::Summary(_) | Node::Child { .. } => true,
            Node::Arguments(_) => false,
        };
        self.lost || self.ids().filter(on_heap).any(|id| !held.contains(&id))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use trellis_program::TypeTable;

    use super::*;
    use crate::graph::Object;

    const NEXT: Value = Value::Formal(Formal::Next, 0);
    const PREV: Value = Value::Formal(Formal::Prev, 0);
    const PARAM: Value = Value::Formal(Formal::Param(0), 0);

    fn object(cells: &[Value]) -> Node {
        let new = Object::new(&TypeTable::default(), None, 16, Lifetime::Heap, false);
        Node::Object(Object { cells: cells.to_vec(), ..new })
    }

    /// A list between two objects, the second one a parameter, too, with elements of some looks, at
    /// least so many; registers point to its first and last element.
    fn loses(looks: &[&[Value]], least: u32, first: bool, last: bool) -> bool {
        let mut graph = Graph::default();
        let before = graph.add(object(&[]));
        let behind = graph.add(object(&[]));
        let alts = looks.iter().map(|cells| Alt { nodes: vec![object(cells)] }).collect();
        let list = graph.add(Node::Summary(Summary {
            kind: Kind::Segment,
            alts: Arc::new(alts),
            link: 0,
            back: 0,
            next: Value::to(behind, 0),
            prev: Value::to(before, 0),
            params: vec![Value::to(behind, 0)],
            least,
            count: Value::Any,
        }));
        let at = |end| Value::Ptr(Place::new(list, end, 0));
        graph.locals.extend(first.then_some(at(End::First)));
        graph.locals.extend(last.then_some(at(End::Last)));
        graph.may_have_lost()
    }

    #[test]
    fn a_list_is_held_by_the_end_that_leads_through_it() {
        let doubly = [NEXT, PREV];
        assert!(!loses(&[&doubly], 1, true, false));
        assert!(!loses(&[&doubly], 1, false, true));
        // Nothing leads back.
        assert!(loses(&[&[NEXT]], 1, false, true));
        assert!(loses(&[&[NEXT]], 1, true, true), "what comes before is held by nobody");
        assert!(loses(&[&[PREV]], 1, true, false));
        assert!(loses(&[&doubly, &[PREV]], 1, true, false), "some elements lead nowhere");
    }

    #[test]
    fn what_elements_speak_of_is_lost_without_elements() {
        assert!(loses(&[&[NEXT, PREV]], 0, true, false), "what comes before an empty list");
        assert!(!loses(&[&[NEXT, PREV]], 0, true, true));
        assert!(loses(&[&[PREV, PARAM]], 0, false, true));
        assert!(!loses(&[&[PREV, PARAM]], 1, false, true));
        assert!(loses(&[&[PREV, PARAM], &[PREV]], 1, false, true), "some elements do not say it");
    }

    #[test]
    fn what_belongs_to_elements_is_held_by_them() {
        let list = |own: Vec<Node>| {
            let mut graph = Graph::default();
            let list = graph.add(Node::Summary(Summary {
                kind: Kind::Segment,
                alts: Arc::new(vec![Alt { nodes: own }]),
                link: 0,
                back: 0,
                next: Value::Null,
                prev: Value::Null,
                params: vec![],
                least: 1,
                count: Value::Any,
            }));
            graph.locals.push(Value::to(list, 0));
            graph.may_have_lost()
        };
        assert!(!list(vec![object(&[NEXT, Value::to(1, 0)]), object(&[])]));
        assert!(list(vec![object(&[NEXT, Value::Null]), object(&[])]));
        // By items, of which there may be none.
        let items = |least| {
            Node::Summary(Summary {
                kind: Kind::Segment,
                alts: Arc::new(vec![Alt { nodes: vec![object(&[NEXT, PARAM])] }]),
                link: 0,
                back: 0,
                next: Value::Null,
                prev: Value::Null,
                params: vec![Value::to(2, 0)],
                least,
                count: Value::Any,
            })
        };
        let element = object(&[NEXT, Value::to(1, 0)]);
        assert!(!list(vec![element.clone(), items(1), object(&[])]));
        assert!(list(vec![element, items(0), object(&[])]));
    }
}
