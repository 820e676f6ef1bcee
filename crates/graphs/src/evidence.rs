//! Graphs as data in files.
//!
//! A file may come from anybody: [`read`] accepts only graphs that are well-formed for the program,
//! so that whoever follows them meets neither a pointer to nothing nor a cell that is not there.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use trellis_program::concrete::Lifetime;
use trellis_program::{BlockId, TypeTable};

use crate::check::Invariant;
use crate::code::Code;
use crate::graph::{Alt, Graph, Kind, Node, Object, Summary};
use crate::value::{Formal, NodeId, Value};

/// Graphs at every loop head of a procedure without calls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graphs {
    /// One for every loop head.
    pub loops: Vec<LoopGraphs>,
}

/// The graphs of a loop head.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopGraphs {
    /// The block of the heap program that begins there, calls replaced.
    pub block: u32,
    /// One of these fits every memory there.
    pub graphs: Vec<Graph>,
}

/// An invariant for a file.
pub fn write(invariant: &Invariant) -> Graphs {
    let one = |(block, graphs): (&BlockId, &Vec<Graph>)| LoopGraphs {
        block: block.0,
        graphs: graphs.iter().map(Graph::normalised).collect(),
    };
    Graphs { loops: invariant.iter().map(one).collect() }
}

/// Most graphs, nodes of one, values of a node.
const MOST: usize = 5_000;
/// Summaries inside each other.
const MOST_NESTED: usize = 12;

/// The invariant of a file.
///
/// # Errors
/// If a graph is none of the procedure.
pub fn read(code: &Code<'_>, graphs: &Graphs) -> Result<Invariant, String> {
    let mut out = Invariant::new();
    for l in &graphs.loops {
        let block = BlockId(l.block);
        if !code.heads.contains(&block) {
            return Err(format!("block {} is no loop head", l.block));
        }
        if l.graphs.len() > MOST || out.insert(block, l.graphs.clone()).is_some() {
            return Err(format!("too many graphs at block {}", l.block));
        }
        for graph in &l.graphs {
            well_formed(code, graph)?;
        }
    }
    Ok(out)
}

fn well_formed(code: &Code<'_>, graph: &Graph) -> Result<(), String> {
    let vars = code.program.proc(code.proc).vars.len();
    if graph.locals.len() != vars || graph.globals.len() != code.program.globals.len() {
        return Err("a graph with other variables".to_owned());
    }
    if graph.nodes.len() > MOST || graph.ranges.len() > MOST || graph.less.len() > MOST {
        return Err("a graph that is too large".to_owned());
    }
    let symbols = graph.ranges.len() as u32;
    if graph.ranges.iter().any(|r| r.is_empty())
        || graph.less.iter().any(|(a, b)| *a >= symbols || *b >= symbols)
    {
        return Err("a symbol without values".to_owned());
    }
    let here =
        MaySay { types: &code.program.types, nodes: graph.nodes.len(), symbols, inside: None };
    here.values(graph.roots())?;
    for id in graph.ids() {
        here.node(graph.node(id), 0)?;
    }
    Ok(())
}

/// Where values stand, and so what they may speak of.
struct MaySay<'a> {
    types: &'a TypeTable,
    nodes: usize,
    symbols: u32,
    /// In an alternative of a summary of this kind with so many parameters.
    inside: Option<(Kind, usize)>,
}

impl MaySay<'_> {
    fn values(&self, values: impl IntoIterator<Item = Value>) -> Result<(), String> {
        for v in values {
            let well = match v {
                Value::Ptr(p) => (p.node as usize) < self.nodes,
                Value::Sym(s) => s < self.symbols,
                Value::Range(r) => !r.is_empty(),
                Value::Formal(Formal::Param(k), _) => {
                    self.inside.is_some_and(|(_, n)| usize::from(k) < n)
                }
                Value::Formal(Formal::Next, _) => {
                    self.inside.is_some_and(|(kind, _)| kind == Kind::Segment)
                }
                Value::Formal(Formal::Prev, _) => self.inside.is_some(),
                Value::Any => self.inside.is_none(),
                Value::Undef | Value::Null | Value::Int(_) | Value::Freed | Value::Mixed => true,
            };
            if !well {
                return Err(format!("a value without a meaning: {v:?}"));
            }
        }
        Ok(())
    }

    fn node(&self, node: &Node, depth: usize) -> Result<(), String> {
        if depth > MOST_NESTED {
            return Err("summaries that are nested too deep".to_owned());
        }
        match node {
            Node::Object(o) => self.object(o),
            Node::Summary(s) => self.summary(s, depth),
            Node::Child { prev, .. } => match self.inside {
                Some((Kind::Tree, _)) => self.values([*prev]),
                _ => Err("a child outside of a tree".to_owned()),
            },
        }
    }

    fn object(&self, o: &Object) -> Result<(), String> {
        const MOST_BYTES: u32 = 1 << 24;
        let known = o.ty.is_none_or(|ty| (ty.0 as usize) < self.types.ids().count());
        if !known || o.size > MOST_BYTES || (self.inside.is_some() && o.life != Lifetime::Heap) {
            return Err("an object of an unknown kind".to_owned());
        }
        let alike = Object::new(self.types, o.ty, o.size, o.life, o.zeroed);
        if alike.cells.len() != o.cells.len() {
            return Err("an object with other cells than its type has".to_owned());
        }
        self.values(o.cells.iter().copied())
    }

    fn summary(&self, s: &Summary, depth: usize) -> Result<(), String> {
        self.values(s.values())?;
        if s.alts.is_empty() || s.alts.len() > MOST || s.params.len() > 200 {
            return Err("a summary without elements, or of too many kinds".to_owned());
        }
        let inside =
            MaySay { nodes: 0, symbols: 0, inside: Some((s.kind, s.params.len())), ..*self };
        for alt in s.alts.iter() {
            let Some(root) = alt.root() else {
                return Err("an alternative without an element".to_owned());
            };
            if !s.element().is_some_and(|e| e.is_like(root)) || alt.nodes.len() > MOST {
                return Err("alternatives with elements of different kinds".to_owned());
            }
            let inside = MaySay { nodes: alt.nodes.len(), ..inside };
            alt.nodes.iter().try_for_each(|n| inside.node(n, depth + 1))?;
            each_is_reached(alt)?;
        }
        Ok(())
    }
}

/// All nodes of an alternative belong to the element.
fn each_is_reached(alt: &Alt) -> Result<(), String> {
    let mut seen: BTreeSet<NodeId> = BTreeSet::from([0]);
    let mut todo = vec![0];
    while let Some(id) = todo.pop() {
        for p in alt.nodes[id as usize].values().into_iter().filter_map(Value::place) {
            if seen.insert(p.node) {
                todo.push(p.node);
            }
        }
    }
    match seen.len() == alt.nodes.len() {
        true => Ok(()),
        false => Err("an alternative with nodes that nobody reaches".to_owned()),
    }
}

/// Types by their numbers.
pub(crate) mod type_number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use trellis_program::TypeId;

    pub fn serialize<S: Serializer>(ty: &Option<TypeId>, s: S) -> Result<S::Ok, S::Error> {
        ty.map(|ty| ty.0).serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<TypeId>, D::Error> {
        Ok(Option::<u32>::deserialize(d)?.map(TypeId))
    }
}

/// Lifetimes by their names.
pub(crate) mod lifetime {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use trellis_program::concrete::Lifetime;

    const NAMES: [(&str, Lifetime); 3] =
        [("heap", Lifetime::Heap), ("local", Lifetime::Local), ("global", Lifetime::Global)];

    pub fn serialize<S: Serializer>(life: &Lifetime, s: S) -> Result<S::Ok, S::Error> {
        NAMES.iter().find(|(_, l)| l == life).map_or("heap", |(n, _)| n).serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Lifetime, D::Error> {
        let name = String::deserialize(d)?;
        let found = NAMES.iter().find(|(n, _)| *n == name);
        let unknown = || serde::de::Error::custom("heap, local or global is expected");
        found.map(|(_, l)| *l).ok_or_else(unknown)
    }
}

/// What graphs share is written where it is used.
pub(crate) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::graph::Alt;

    pub fn serialize<S: Serializer>(alts: &Arc<Vec<Alt>>, s: S) -> Result<S::Ok, S::Error> {
        alts.as_ref().serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Arc<Vec<Alt>>, D::Error> {
        Ok(Arc::new(Vec::deserialize(d)?))
    }
}

/// Nodes of a graph in which none was removed.
pub(crate) mod all_there {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::graph::Node;

    pub fn serialize<S: Serializer>(nodes: &[Option<Arc<Node>>], s: S) -> Result<S::Ok, S::Error> {
        nodes.iter().flatten().map(Arc::as_ref).collect::<Vec<_>>().serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<Vec<Option<Arc<Node>>>, D::Error> {
        Ok(Vec::<Node>::deserialize(d)?.into_iter().map(|n| Some(Arc::new(n))).collect())
    }
}
