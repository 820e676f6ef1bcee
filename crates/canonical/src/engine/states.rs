//! The structures of the points, and how each was reached.
//!
//! **Invariant**: a structure that was joined with another one is no longer among those of its
//! point, but it stays here, because others were reached from it.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use trellis_logic::kleene::KleeneStructure;

use super::JoinPolicy;

/// A structure at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(usize);

struct Node {
    point: usize,
    structure: KleeneStructure,
    /// What it was reached from.
    parent: Option<NodeId>,
}

/// The structures of one point.
#[derive(Default)]
struct Point {
    nodes: Vec<NodeId>,
    index: HashTable<NodeId>,
    /// The ones before this have been propagated.
    done: usize,
}

pub(super) struct States {
    nodes: Vec<Node>,
    points: Vec<Point>,
    join: JoinPolicy,
    bytes: u64,
}

fn hash(structure: &KleeneStructure) -> u64 {
    FxBuildHasher.hash_one(structure)
}

impl States {
    pub(super) fn new(points: usize, join: JoinPolicy) -> Self {
        let points = (0..points).map(|_| Point::default()).collect();
        States { nodes: Vec::new(), points, join, bytes: 0 }
    }

    /// How many were ever added.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next structure of a point that has not been propagated.
    pub(super) fn next(&mut self, point: usize) -> Option<(NodeId, KleeneStructure)> {
        let point = &mut self.points[point];
        let id = *point.nodes.get(point.done)?;
        point.done += 1;
        Some((id, self.nodes[id.0].structure.clone()))
    }

    /// Adds a structure; whether it was new.
    pub(super) fn add(
        &mut self,
        at: usize,
        structure: KleeneStructure,
        parent: Option<NodeId>,
    ) -> bool {
        let (nodes, point) = (&mut self.nodes, &mut self.points[at]);
        if point.index.find(hash(&structure), |id| nodes[id.0].structure == structure).is_some() {
            return false;
        }
        let structure = match self.join {
            JoinPolicy::Relational => structure,
            JoinPolicy::SameNames => {
                let joined = point
                    .nodes
                    .iter()
                    .enumerate()
                    .find_map(|(i, id)| Some((i, nodes[id.0].structure.join(&structure)?)));
                match joined {
                    None => structure,
                    Some((i, joined)) if joined == nodes[point.nodes[i].0].structure => {
                        return false;
                    }
                    Some((i, joined)) => {
                        // The old one is represented by the join, so it need not stay.
                        point.remove(i, nodes);
                        joined
                    }
                }
            }
        };
        self.bytes += structure.bytes() as u64;
        let id = NodeId(nodes.len());
        nodes.push(Node { point: at, structure, parent });
        point.nodes.push(id);
        point.insert(id, nodes);
        true
    }

    /// The points and structures on the way to a structure, which is the last.
    pub(super) fn trace(&self, id: NodeId) -> Vec<(usize, KleeneStructure)> {
        let mut trace = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let node = &self.nodes[id.0];
            trace.push((node.point, node.structure.clone()));
            next = node.parent;
        }
        trace.reverse();
        trace
    }

    /// The structures of every point, in the order in which they were found.
    pub(super) fn by_point(self) -> Vec<Vec<KleeneStructure>> {
        let mut nodes: Vec<Option<KleeneStructure>> =
            self.nodes.into_iter().map(|n| Some(n.structure)).collect();
        let take = |point: Point| point.nodes.iter().filter_map(|id| nodes[id.0].take()).collect();
        self.points.into_iter().map(take).collect()
    }
}

impl Point {
    fn insert(&mut self, id: NodeId, nodes: &[Node]) {
        let rehash = |id: &NodeId| hash(&nodes[id.0].structure);
        self.index.insert_unique(rehash(&id), id, rehash);
    }

    fn remove(&mut self, position: usize, nodes: &[Node]) {
        let id = self.nodes.remove(position);
        self.done -= usize::from(position < self.done);
        let found = self.index.find_entry(hash(&nodes[id.0].structure), |other| *other == id);
        if let Ok(entry) = found {
            entry.remove();
        }
    }
}
