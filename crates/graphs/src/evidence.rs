//! Graphs as data in files.
//!
//! A file may come from anybody: [`read`] accepts only graphs that are well-formed for the program,
//! so that whoever follows them meets neither a pointer to nothing nor a cell that is not there.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use trellis_program::concrete::Lifetime;
use trellis_program::{BlockId, TypeTable};

use crate::arguments::{Arguments, is_string};
use crate::buffer::{Buffer, Tail, is_bytes};
use crate::check::{Case, Invariant, Loops};
use crate::code::{Code, Codes};
use crate::graph::{Alt, Graph, Kind, Node, Object, Summary};
use crate::value::{Formal, NodeId, Value};

/// Graphs at every loop head of a whole program, and at the calls of what is recursive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graphs {
    /// One for every loop head of what it begins with.
    pub loops: Vec<LoopGraphs>,
    /// What recursive procedures do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseGraphs>,
}

impl Graphs {
    /// Whether no graph tells of memory that was lost.
    pub fn lose_nothing(&self) -> bool {
        let keeps = |g: &Graph| !g.may_have_lost();
        let loops = |loops: &[LoopGraphs]| loops.iter().flat_map(|l| &l.graphs).all(keeps);
        let case = |c: &CaseGraphs| keeps(&c.entry) && loops(&c.loops) && c.exits.iter().all(keeps);
        loops(&self.loops) && self.cases.iter().all(case)
    }
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

/// What a procedure does when it is called in a memory of one graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseGraphs {
    /// The procedure.
    pub procedure: String,
    /// The graph at the call.
    pub entry: Graph,
    /// Its loop heads.
    pub loops: Vec<LoopGraphs>,
    /// One of these fits every memory at its return.
    pub exits: Vec<Graph>,
}

/// An invariant for a file.
pub fn write(codes: &Codes<'_>, invariant: &Invariant) -> Graphs {
    let case = |case: &Case| CaseGraphs {
        procedure: codes.main.program.proc(case.proc).name.clone(),
        entry: case.entry.normalised(),
        loops: write_loops(&case.loops),
        exits: case.exits.iter().map(Graph::normalised).collect(),
    };
    let cases = invariant.cases.iter().map(case).collect();
    Graphs { loops: write_loops(&invariant.loops), cases }
}

fn write_loops(loops: &Loops) -> Vec<LoopGraphs> {
    let one = |(block, graphs): (&BlockId, &Vec<Graph>)| LoopGraphs {
        block: block.0,
        graphs: graphs.iter().map(Graph::normalised).collect(),
    };
    loops.iter().map(one).collect()
}

/// Most graphs, nodes of one, values of a node.
const MOST: usize = 5_000;
/// Summaries inside each other.
const MOST_NESTED: usize = 12;

/// The invariant of a file.
///
/// # Errors
/// If a graph is none of the program.
pub fn read(codes: &Codes<'_>, graphs: &Graphs) -> Result<Invariant, String> {
    let loops = read_loops(&codes.main, &graphs.loops, 0)?;
    let mut cases = Vec::new();
    if graphs.cases.len() > MOST {
        return Err("too many cases".to_owned());
    }
    for case in &graphs.cases {
        let Some(code) = codes.find(&case.procedure) else {
            return Err(format!("`{}` is not called again and again", case.procedure));
        };
        let vars = code.program.proc(code.proc).vars.len();
        let held = case.entry.held.len();
        well_formed(code, &case.entry, (vars, held))?;
        if case.exits.len() > MOST || held > MOST {
            return Err(format!("too many graphs at the return of `{}`", case.procedure));
        }
        case.exits.iter().try_for_each(|exit| well_formed(code, exit, (1, held)))?;
        let loops = read_loops(code, &case.loops, held)?;
        let (entry, exits) = (case.entry.clone(), case.exits.clone());
        cases.push(Case { proc: code.proc, entry, loops, exits });
    }
    Ok(Invariant { loops, cases })
}

fn read_loops(code: &Code<'_>, loops: &[LoopGraphs], held: usize) -> Result<Loops, String> {
    let vars = code.program.proc(code.proc).vars.len();
    let mut out = Loops::new();
    for l in loops {
        let block = BlockId(l.block);
        if !code.heads.contains(&block) {
            return Err(format!("block {} is no loop head", l.block));
        }
        if l.graphs.len() > MOST || out.insert(block, l.graphs.clone()).is_some() {
            return Err(format!("too many graphs at block {}", l.block));
        }
        l.graphs.iter().try_for_each(|graph| well_formed(code, graph, (vars, held)))?;
    }
    Ok(out)
}

/// With so many locals, and so many pointers that callers hold.
fn well_formed(
    code: &Code<'_>,
    graph: &Graph,
    (locals, held): (usize, usize),
) -> Result<(), String> {
    let globals = code.program.globals.len();
    if (graph.locals.len(), graph.globals.len(), graph.held.len()) != (locals, globals, held) {
        return Err("a graph with other variables".to_owned());
    }
    if graph.nodes.len() > MOST || graph.ranges.len() > MOST || graph.less.len() > MOST {
        return Err("a graph that is too large".to_owned());
    }
    let symbols = graph.ranges.len() as u32;
    let is_counted = |id| graph.node(id).summary().is_some_and(|s| s.count != Value::Any);
    let related = match &graph.relations {
        Some(r) => r.symbols().iter().chain(&r.slack).all(|s| *s < symbols),
        None => !graph.ids().any(is_counted),
    };
    if !related {
        return Err("equations without symbols".to_owned());
    }
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
    let beside = |v: Value| {
        v.place().is_some_and(|p| p.at.is_some() && graph.node(p.node).buffer().is_none())
    };
    if graph.roots().chain(graph.ids().flat_map(|id| graph.node(id).values())).any(beside) {
        return Err("an unknown place in something that is no buffer".to_owned());
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
                Value::Ptr(p) => {
                    (p.node as usize) < self.nodes && p.at.is_none_or(|s| s < self.symbols)
                }
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
            Node::Buffer(b) => self.buffer(b),
            Node::Arguments(a) => self.arguments(a),
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

    fn buffer(&self, b: &Buffer) -> Result<(), String> {
        let is_number = |v: Value| matches!(v, Value::Int(_) | Value::Sym(_) | Value::Range(_));
        let known = b.ty.is_none_or(|ty| {
            (ty.0 as usize) < self.types.ids().count() && is_bytes(self.types, ty)
        });
        if b.passed {
            let well = known && b.is_as_passed() && is_number(b.length);
            well.then_some(()).ok_or("a string of the host of an unknown kind")?;
            return self.values([b.length]);
        }
        if !known || (self.inside.is_some() && b.life != Lifetime::Heap) {
            return Err("a buffer of an unknown kind".to_owned());
        }
        if !is_number(b.size) || !is_number(b.length) {
            return Err("a buffer without a size".to_owned());
        }
        if b.more != Value::Any && (!is_number(b.more) || b.tail != Tail::Zero) {
            return Err("a second string without a first one".to_owned());
        }
        self.values([b.size, b.length].into_iter().chain(Some(b.more).filter(|v| is_number(*v))))
    }

    fn arguments(&self, a: &Arguments) -> Result<(), String> {
        let is_number = |v: Value| matches!(v, Value::Int(_) | Value::Sym(_) | Value::Range(_));
        let known = (a.element.0 as usize) < self.types.ids().count()
            && is_string(self.types, a.element)
            && self.types.size_of(a.element) == Some(a.step);
        let found = |(at, string): &(Value, Value)| is_number(*at) && string.place().is_some();
        let well = known && is_number(a.end) && a.seen.iter().all(found);
        if !well || self.inside.is_some() || a.seen.len() > MOST {
            return Err("arguments of an unknown kind".to_owned());
        }
        self.values(a.values())
    }

    fn summary(&self, s: &Summary, depth: usize) -> Result<(), String> {
        self.values(s.around())?;
        let counted = match s.count {
            Value::Any => true,
            Value::Sym(c) => c < self.symbols,
            Value::Int(i) => i >= 0,
            Value::Range(r) => !r.is_empty(),
            _ => false,
        };
        // Elements that hold a pointer.
        let countable = s.kind == Kind::Segment && s.element().is_some_and(|e| e.size >= 8);
        if !counted || (s.count != Value::Any && (self.inside.is_some() || !countable)) {
            return Err("a summary that cannot be counted".to_owned());
        }
        let most = if s.kind == Kind::Tree { 1 } else { MOST as u32 };
        if s.alts.is_empty() || s.alts.len() > MOST || s.params.len() > 200 || s.least > most {
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

/// Equations by their forms.
pub(crate) mod equations {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::linear::{Form, System};

    /// Most equations, and symbols of one.
    const MOST: usize = 200;
    /// Symbols have smaller numbers.
    const MOST_SYMBOLS: u32 = 1 << 20;

    pub fn serialize<S: Serializer>(system: &System, s: S) -> Result<S::Ok, S::Error> {
        system.rows().collect::<Vec<_>>().serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<System, D::Error> {
        let rows = Vec::<Form>::deserialize(d)?;
        let small =
            |f: &Form| f.terms.len() <= MOST && f.terms.iter().all(|(s, _)| *s < MOST_SYMBOLS);
        match rows.len() <= MOST && rows.iter().all(small) {
            // Terms may be in any order there.
            true => {
                Ok(System::of(rows.iter().filter_map(|row| row.mapped(|s| Some(Form::symbol(s))))))
            }
            false => Err(serde::de::Error::custom("too many equations")),
        }
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

/// A type by its number.
pub(crate) mod one_type_number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use trellis_program::TypeId;

    pub fn serialize<S: Serializer>(ty: &TypeId, s: S) -> Result<S::Ok, S::Error> {
        ty.0.serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<TypeId, D::Error> {
        Ok(TypeId(u32::deserialize(d)?))
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
