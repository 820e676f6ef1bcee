//! Graphs in few words: what variables lead to, written where it hangs.
//!
//! `in = cell{down: list over down of {serial: 0}, serial: 0}, out = null`. An object stands where the
//! only pointer to it is; others are called by a variable, or by number. A summary is a *list over* its
//! links or a *tree over* its children; a list goes on to null unless it says where.
//!
//! **Invariant.** It says no more than [`super::graph`] does, and less: values that can be any, and
//! variables that are not shown or were never written, are left out.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::{Storage, TypeTable};

use crate::code::Code;
use crate::graph::{Alt, Graph, Kind, Node, Object, Summary};
use crate::value::{End, Formal, Place, Range, Symbol, Value};

/// What a graph says, fact by fact, each what it is about (`in =`) and what that is: what variables
/// hold, then what has no variable. `is_shown` chooses among the local variables.
pub fn short(
    code: &Code<'_>,
    graph: &Graph,
    is_shown: &dyn Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let program = code.program;
    let locals = code.program.proc(code.proc).vars.iter().zip(&graph.locals);
    let locals = locals.filter(|(v, _)| !v.is_temp && is_shown(&v.name));
    let locals = locals.map(|(v, value)| (v.name.as_str(), v.storage, *value));
    let globals = program.globals.iter().zip(&graph.globals).filter(|(g, _)| !g.is_const);
    let globals = globals.map(|(g, value)| (g.name.as_str(), g.storage, *value));
    let mut naming = Naming::of(&program.types, graph);
    let mut values = Vec::new();
    let mut order: Vec<&str> = Vec::new();
    for (name, storage, value) in locals.chain(globals) {
        order.push(name);
        match value {
            Value::Any | Value::Undef => {}
            Value::Ptr(p) if storage == Storage::Object => naming.owned(p.node, name),
            Value::Ptr(p) if is_start(p) => naming.named(p.node, name),
            value => {
                naming.uses_also(value);
                values.push((name, value));
            }
        }
    }
    naming.settle(&super::interesting(code, graph));
    let mut facts: Vec<(String, String)> =
        values.iter().map(|(name, value)| ((*name).to_owned(), naming.value(*value))).collect();
    facts.retain(|(_, value)| value != "any");
    facts.extend(naming.heads());
    // In the order of the variables, so that what differs in one of them only is seen to.
    let first =
        |about: &str| about.split(',').next().and_then(|v| order.iter().position(|o| *o == v));
    facts.sort_by_key(|(about, _)| first(about).unwrap_or(order.len()));
    facts.iter_mut().for_each(|(about, _)| about.push_str(" ="));
    facts.extend(graph.lost.then(|| ("memory was lost".to_owned(), String::new())));
    facts
}

fn is_start(p: Place) -> bool {
    p.end == End::First && p.off == 0 && p.at.is_none()
}

/// The nodes of a graph, or of an alternative, and what they are called.
struct Naming<'a> {
    types: &'a TypeTable,
    nodes: BTreeMap<u32, &'a Node>,
    ranges: &'a [Range],
    /// Symbols that stand in several places: only these are called by number.
    several: BTreeSet<Symbol>,
    /// The variables of a node.
    names: BTreeMap<u32, Vec<String>>,
    /// How many pointers to a node there are, and those to its start.
    uses: BTreeMap<u32, (usize, usize)>,
    /// Nodes that are written where the only pointer to them is.
    inner: BTreeSet<u32>,
    /// What the parameters of an alternative are.
    params: Vec<String>,
    /// The element of an alternative, which is said where the summary is.
    element: Option<u32>,
}

impl<'a> Naming<'a> {
    fn of(types: &'a TypeTable, graph: &'a Graph) -> Naming<'a> {
        let nodes = graph.ids().map(|id| (id, graph.node(id))).collect();
        let mut naming = Naming::with(types, nodes, Vec::new());
        naming.ranges = &graph.ranges;
        let values = naming.nodes.values().flat_map(|n| n.values());
        let all = graph.locals.iter().chain(&graph.globals).copied().chain(values);
        let mut seen = BTreeSet::new();
        naming.several =
            all.filter_map(Value::mentions).filter(|symbol| !seen.insert(*symbol)).collect();
        naming
    }

    fn with(types: &'a TypeTable, nodes: BTreeMap<u32, &'a Node>, params: Vec<String>) -> Self {
        let mut uses: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for place in nodes.values().flat_map(|n| n.values()).filter_map(Value::place) {
            let of = uses.entry(place.node).or_default();
            of.0 += 1;
            of.1 += usize::from(is_start(place));
        }
        Naming {
            types,
            nodes,
            ranges: &[],
            several: BTreeSet::new(),
            names: BTreeMap::new(),
            uses,
            inner: BTreeSet::new(),
            params,
            element: None,
        }
    }

    /// A variable points somewhere else than to a start, so its node needs a name.
    fn uses_also(&mut self, value: Value) {
        if let Some(place) = value.place() {
            self.uses.entry(place.node).or_default().0 += 1;
        }
    }

    /// A variable is this object.
    fn owned(&mut self, node: u32, name: &str) {
        self.names.entry(node).or_default().insert(0, name.to_owned());
    }

    /// A variable points to it.
    fn named(&mut self, node: u32, name: &str) {
        self.names.entry(node).or_default().push(name.to_owned());
    }

    /// Finds what stands inside of something else, of the nodes that are of interest.
    fn settle(&mut self, interesting: &BTreeSet<u32>) {
        self.nodes.retain(|id, _| interesting.contains(id));
        let has_one = |id: &u32| self.uses.get(id) == Some(&(1, 1));
        let inner = |id: &&u32| has_one(id) && !self.names.contains_key(id);
        self.inner = self.nodes.keys().filter(inner).copied().collect();
        // Of objects that only lead to one another, one has to be the beginning.
        loop {
            let mut reached = BTreeSet::new();
            let outer = self.nodes.keys().filter(|id| !self.inner.contains(id));
            let mut todo: Vec<u32> = outer.copied().collect();
            while let Some(id) = todo.pop() {
                let values = self.nodes.get(&id).map(|n| n.values()).unwrap_or_default();
                let inner = values.into_iter().filter_map(Value::place).map(|p| p.node);
                todo.extend(inner.filter(|id| self.inner.contains(id) && reached.insert(*id)));
            }
            match self.inner.iter().find(|id| !reached.contains(id)).copied() {
                Some(lost) => self.inner.remove(&lost),
                None => break,
            };
        }
    }

    /// Every node that is no part of another one, after its name.
    fn heads(&self) -> Vec<(String, String)> {
        let is_said = |id: &u32| self.inner.contains(id) || self.element == Some(*id);
        let outer = self.nodes.iter().filter(|(id, _)| !is_said(id));
        let mut heads: Vec<(bool, (String, String))> = outer
            .map(|(id, node)| {
                let names = self.names.get(id).map(|names| names.join(", "));
                let is_numbered = names.is_none();
                let head = names.unwrap_or_else(|| format!("#{id}"));
                (is_numbered, (head, self.node(node)))
            })
            .collect();
        heads.sort_by_key(|(is_numbered, _)| *is_numbered);
        heads.into_iter().map(|(_, head)| head).collect()
    }

    fn node(&self, node: &Node) -> String {
        match node {
            Node::Object(o) => self.object(o),
            Node::Buffer(b) => super::buffer(&self.symbols(), b),
            Node::Summary(s) => self.summary(s),
            Node::Child { .. } => "a subtree".to_owned(),
            Node::Arguments(a) => super::arguments(&self.symbols(), a),
        }
    }

    /// A graph without nodes that knows the symbols.
    fn symbols(&self) -> Graph {
        Graph { ranges: self.ranges.to_vec(), ..Graph::default() }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Any => "any".to_owned(),
            Value::Undef => "?".to_owned(),
            Value::Sym(s) if !self.several.contains(&s) => {
                self.ranges.get(s as usize).map_or("any".to_owned(), |r| super::range(*r))
            }
            Value::Sym(s) => match self.ranges.get(s as usize).map(|r| super::range(*r)) {
                Some(range) if range != "any" => format!("v{s} ({range})"),
                _ => format!("v{s}"),
            },
            Value::Ptr(p) => self.place(p),
            Value::Formal(Formal::Param(k), 0) => {
                self.params.get(usize::from(k)).cloned().unwrap_or_else(|| "any".to_owned())
            }
            value => super::value(&Graph::default(), value),
        }
    }

    fn place(&self, p: Place) -> String {
        let node = self.nodes.get(&p.node);
        if self.inner.contains(&p.node) && is_start(p) {
            return node.map_or("?".to_owned(), |node| self.node(node));
        }
        let name = match self.names.get(&p.node).and_then(|names| names.first()) {
            Some(name) => name.clone(),
            None => format!("#{}", p.node),
        };
        let end = if p.end == End::Last { "last of " } else { "" };
        let at = match (p.at, p.off) {
            (Some(s), _) => format!(" at {}", self.value(Value::Sym(s))),
            (None, 0) => String::new(),
            (None, off) => match node.and_then(|n| self.member(n, off)) {
                Some(member) if member.starts_with('[') => member,
                Some(member) => format!(".{member}"),
                None => format!("{off:+}"),
            },
        };
        format!("{end}{name}{at}")
    }

    /// The struct, or else the field, that begins so many bytes into an object or an element.
    fn member(&self, node: &Node, off: i32) -> Option<String> {
        let object = match node {
            Node::Object(o) => o,
            Node::Summary(s) => s.element()?,
            Node::Buffer(_) | Node::Child { .. } | Node::Arguments(_) => return None,
        };
        let layout = self.types.layout(object.ty?)?;
        let cell = layout.cells.iter().find(|c| i64::from(c.offset) == i64::from(off))?;
        let path = cell.path.as_str();
        Some(path.rsplit_once('.').map_or(path, |(outer, _)| outer).to_owned())
    }

    /// The cells of an object that say something, with their names.
    fn cells(&self, o: &Object) -> Vec<(String, Value)> {
        let layout = o.ty.and_then(|ty| self.types.layout(ty));
        let path = |i: usize| layout.and_then(|l| l.cells.get(i)).map(|c| c.path.clone());
        let cells = o.cells.iter().enumerate();
        cells.map(|(i, value)| (path(i).unwrap_or_default(), *value)).collect()
    }

    /// What cells hold: `left: null, key: 5`.
    fn content<'c>(&self, cells: impl Iterator<Item = &'c (String, Value)>) -> String {
        let said = cells.filter_map(|(name, value)| {
            let text = self.value(*value);
            match (text == "any", name.is_empty()) {
                (true, _) => None,
                (false, true) => Some(text),
                (false, false) => Some(format!("{name}: {text}")),
            }
        });
        said.collect::<Vec<_>>().join(", ")
    }

    fn object(&self, o: &Object) -> String {
        let name = super::type_name(self.types, o.ty);
        let name = name.strip_prefix("struct ").unwrap_or(&name);
        let cells = self.cells(o);
        match &cells[..] {
            [(path, value)] if path.is_empty() => self.value(*value),
            cells => format!("{name}{{{}}}", self.content(cells.iter())),
        }
    }

    fn summary(&self, s: &Summary) -> String {
        let params: Vec<String> = s.params.iter().map(|v| self.value(*v)).collect();
        let namings: Vec<Naming<'_>> =
            s.alts.iter().map(|alt| Naming::alternative(self.types, alt, &params)).collect();
        let elements: Vec<Vec<(String, Value)>> = s
            .alts
            .iter()
            .zip(&namings)
            .map(|(alt, naming)| alt.root().map(|o| naming.cells(o)).unwrap_or_default())
            .collect();
        // The fields that lead on, or back, in every element.
        let common = |leads: &dyn Fn(&Naming<'_>, Value) -> bool| -> Vec<&str> {
            let of = |i: usize, name: &str| {
                elements[i].iter().any(|(n, v)| n == name && leads(&namings[i], *v))
            };
            let first = elements.first().map(Vec::as_slice).unwrap_or_default();
            let names = first.iter().map(|(name, _)| name.as_str());
            names.filter(|name| (0..elements.len()).all(|i| of(i, name))).collect()
        };
        let over = common(&|naming, value| match s.kind {
            Kind::Segment => matches!(value, Value::Formal(Formal::Next, _)),
            Kind::Tree => naming.is_child(value),
        });
        let back = common(&|_, value| matches!(value, Value::Formal(Formal::Prev, _)));
        let mut contents: Vec<String> = Vec::new();
        for (naming, cells) in namings.iter().zip(&elements) {
            let rest = cells.iter().filter(|(name, _)| {
                !over.contains(&name.as_str()) && !back.contains(&name.as_str())
            });
            let mut text = format!("{{{}}}", naming.content(rest));
            let heads = naming.heads();
            for (name, node) in &heads {
                text.push_str(&format!(" with {name} = {node}"));
            }
            if !heads.is_empty() {
                text = format!("({text})");
            }
            if !contents.contains(&text) {
                contents.push(text);
            }
        }
        let is_list = s.kind == Kind::Segment;
        let mut out = match s.least {
            0 => String::new(),
            1 => "nonempty ".to_owned(),
            n => format!("{n} or more in a "),
        };
        out.push_str(match (is_list, back.is_empty()) {
            (true, true) => "list",
            (true, false) => "doubly linked list",
            (false, _) => "tree",
        });
        let mut say = |word: &str, text: &str| out.push_str(&format!(" {word} {text}"));
        let links: Vec<&str> = if is_list { [over, back].concat() } else { over };
        if !links.is_empty() {
            say("over", &links.join("/"));
        }
        match &contents[..] {
            [one] if one == "{}" => {}
            [one] => say("of", one),
            several => say("of", &format!("({})", several.join(" or "))),
        }
        let looks_back = is_list && s.looks_back();
        match (s.prev, s.next) {
            (_, Value::Null) if !looks_back => {}
            (Value::Null, Value::Null) => {}
            (_, next) if !looks_back => say("to", &self.value(next)),
            (prev, next) => {
                say("between", &format!("{} and {}", self.value(prev), self.value(next)));
            }
        }
        out
    }

    /// An element of a summary, with what belongs to it.
    fn alternative(types: &'a TypeTable, alt: &'a Alt, params: &[String]) -> Naming<'a> {
        let ids = 0..u32::try_from(alt.nodes.len()).unwrap_or(u32::MAX);
        let nodes: BTreeMap<u32, &Node> = ids.zip(&alt.nodes).collect();
        let mut naming = Naming::with(types, nodes, params.to_vec());
        naming.named(0, "it");
        let all: BTreeSet<u32> = naming.nodes.keys().copied().collect();
        naming.settle(&all);
        naming.element = Some(0);
        naming
    }

    fn is_child(&self, value: Value) -> bool {
        let node = value.place().and_then(|p| self.nodes.get(&p.node));
        matches!(node, Some(Node::Child { .. }))
    }
}
