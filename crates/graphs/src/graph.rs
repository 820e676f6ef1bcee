//! Memory graphs: objects, and summaries of any number of them.
//!
//! A [`Graph`] is the memory of a machine at one place of a procedure, in which parts may be
//! summarised. A [`Summary`] stands for the elements of a list segment, or of a tree, any number of
//! them; what an element looks like is one of its *alternatives*, small graphs whose node 0 is the
//! element and whose other nodes belong to it alone: nested lists, trees, the lower levels of a skip
//! list. An alternative speaks of its surroundings by [`Formal`]s: the next element, the previous one
//! (the parent, in a tree), and parameters that are the same for all elements.
//!
//! What a summary means is what [`crate::unfold`] makes of it, and nothing else.
//!
//! **Invariants.** Different nodes are different objects. Every pointer leads to a node of the graph.
//! Alternatives of one summary have elements of one type and size, on the heap.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trellis_program::concrete as machine;
use trellis_program::concrete::{Lifetime, Memory, ObjId};
use trellis_program::{Scalar, TypeId, TypeTable};

use crate::arguments::Arguments;
use crate::buffer::Buffer;
use crate::linear::Form;
use crate::numbers::Relations;
use crate::value::{End, Formal, NodeId, Place, Range, Symbol, Value};

/// One object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Element type; `None` while untyped.
    #[serde(with = "crate::evidence::type_number")]
    pub ty: Option<TypeId>,
    /// Size in bytes.
    pub size: u32,
    /// Who owns it.
    #[serde(with = "crate::evidence::lifetime")]
    pub life: Lifetime,
    /// Whether the bytes that belong to no cell began as zeros.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zeroed: bool,
    /// A literal: may share its memory with another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub literal: bool,
    /// There before the first instruction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub initial: bool,
    /// Declared as constant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant: bool,
    /// What its cells hold.
    pub cells: Vec<Value>,
}

impl Object {
    /// The object as the machine knows it, alone in a memory without contents: what finds cells.
    pub(crate) fn memory(&self) -> Memory {
        let object = machine::Object {
            ty: self.ty,
            size: self.size,
            start: 0,
            cells: self.cells.len() as u32,
            lifetime: self.life,
            live: true,
            initial: self.initial,
            zeroed: self.zeroed,
            literal: self.literal,
            marks: 0,
        };
        Memory { objects: vec![object], ..Memory::default() }
    }

    /// An object of the machine, without its contents.
    pub(crate) fn of_machine(o: &machine::Object) -> Object {
        Object {
            ty: o.ty,
            size: o.size,
            life: o.lifetime,
            zeroed: o.zeroed,
            literal: o.literal,
            initial: o.initial,
            constant: false,
            cells: Vec::new(),
        }
    }

    /// A new one, with the cells that the machine gives it.
    pub fn new(
        types: &TypeTable,
        ty: Option<TypeId>,
        size: u32,
        life: Lifetime,
        zeroed: bool,
    ) -> Object {
        let mut memory = Memory::default();
        let fill = |s: Scalar| match zeroed {
            true => machine::Value::zero(s),
            false => machine::Value::Undef,
        };
        let id = memory.allocate(types, ty, size, life, fill);
        memory.objects[id.0 as usize].zeroed = zeroed;
        Object::with_cells(&memory, id)
    }

    /// Gives an untyped object its element type.
    pub fn retype(&mut self, types: &TypeTable, ty: TypeId) {
        let mut memory = self.memory();
        memory.retype(types, ObjId(0), ty, |_| machine::Value::Undef);
        if memory.object(ObjId(0)).ty != self.ty {
            let constant = self.constant;
            *self = Object::with_cells(&memory, ObjId(0));
            self.constant = constant;
        }
    }

    fn with_cells(memory: &Memory, id: ObjId) -> Object {
        let mut object = Object::of_machine(memory.object(id));
        object.cells = memory
            .cells_of(id)
            .iter()
            .map(|v| match v {
                machine::Value::Null => Value::Null,
                machine::Value::Int(i) => Value::Int(*i),
                _ => Value::Undef,
            })
            .collect();
        object
    }

    /// Whether two are of one kind: all but what they hold.
    pub fn is_like(&self, other: &Object) -> bool {
        self.ty == other.ty
            && self.size == other.size
            && self.life == other.life
            && self.zeroed == other.zeroed
            && self.literal == other.literal
            && self.initial == other.initial
            && self.constant == other.constant
            && self.cells.len() == other.cells.len()
    }
}

/// What an element of a summary, with what belongs to it alone, may look like.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alt {
    /// Its nodes, the element first.
    pub nodes: Vec<Node>,
}

impl Alt {
    /// The element.
    pub fn root(&self) -> Option<&Object> {
        match self.nodes.first() {
            Some(Node::Object(o)) => Some(o),
            _ => None,
        }
    }
}

/// How the elements of a summary hang together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// One behind the other.
    Segment,
    /// As a tree, whose elements have [`Node::Child`]ren.
    Tree,
}

/// Any number of elements.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// How they hang together.
    pub kind: Kind,
    /// What an element may look like.
    #[serde(with = "crate::evidence::shared")]
    pub alts: Arc<Vec<Alt>>,
    /// Where in the next element a pointer with [`crate::Formal::Next`] points.
    pub link: i32,
    /// Where in the previous element a pointer with [`crate::Formal::Prev`] points.
    pub back: i32,
    /// What follows the last element of a segment.
    pub next: Value,
    /// What comes before the first element.
    pub prev: Value,
    /// The parameters of the alternatives.
    pub params: Vec<Value>,
    /// How many elements there are at least. If there may be none: then pointers to the first one are
    /// what follows, and pointers to the last one are what comes before. A tree is followed by null, and
    /// has at least one element or none.
    pub least: u32,
    /// How many elements of a segment there are, for [`crate::numbers`]; anything if nobody asks, as
    /// in alternatives and of trees.
    #[serde(default = "not_counted", skip_serializing_if = "is_not_counted")]
    pub count: Value,
}

fn not_counted() -> Value {
    Value::Any
}

fn is_not_counted(count: &Value) -> bool {
    *count == Value::Any
}

impl Summary {
    /// The element of the first alternative: all have one like it.
    pub fn element(&self) -> Option<&Object> {
        self.alts.first().and_then(Alt::root)
    }

    /// Whether there may be no element at all.
    pub fn may_be_empty(&self) -> bool {
        self.least == 0
    }

    /// Whether elements say what comes before them.
    pub fn looks_back(&self) -> bool {
        let says = |v: Value| matches!(v, Value::Formal(Formal::Prev, _));
        self.alts.iter().flat_map(|a| &a.nodes).any(|n| n.values().into_iter().any(says))
    }

    /// Its values that are not in alternatives: its count, and what is around it.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        [self.count].into_iter().chain(self.around())
    }

    /// What is around it.
    pub fn around(&self) -> impl Iterator<Item = Value> + '_ {
        [self.next, self.prev].into_iter().chain(self.params.iter().copied())
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        [&mut self.count, &mut self.next, &mut self.prev].into_iter().chain(&mut self.params)
    }
}

/// A node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Node {
    /// One object.
    Object(Object),
    /// One object of characters, of which it is not known how many, or which.
    Buffer(Buffer),
    /// The array of strings that the host passes.
    Arguments(Arguments),
    /// Any number of objects.
    Summary(Summary),
    /// In alternatives of trees: what hangs below, a tree of the same kind.
    Child {
        /// What comes before it.
        prev: Value,
        /// Whether it may be null.
        empty: bool,
    },
}

impl Node {
    /// The object.
    pub fn object(&self) -> Option<&Object> {
        match self {
            Node::Object(o) => Some(o),
            _ => None,
        }
    }

    /// The buffer.
    pub fn buffer(&self) -> Option<&Buffer> {
        match self {
            Node::Buffer(b) => Some(b),
            _ => None,
        }
    }

    /// Whether places in it may be sums of symbols.
    pub(crate) fn is_measured(&self) -> bool {
        matches!(self, Node::Buffer(_) | Node::Arguments(_))
    }

    /// The summary.
    pub fn summary(&self) -> Option<&Summary> {
        match self {
            Node::Summary(s) => Some(s),
            _ => None,
        }
    }

    /// What it holds.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Node::Object(o) => o.cells.clone(),
            Node::Buffer(b) => vec![b.size, b.length, b.more],
            Node::Arguments(a) => a.values(),
            Node::Summary(s) => s.values().collect(),
            Node::Child { prev, .. } => vec![*prev],
        }
    }

    /// Changes what it holds.
    pub fn map(&mut self, f: &mut impl FnMut(Value) -> Value) {
        match self {
            Node::Object(o) => o.cells.iter_mut().for_each(|v| *v = f(*v)),
            Node::Buffer(b) => {
                b.size = f(b.size);
                b.length = f(b.length);
                b.more = f(b.more);
            }
            Node::Arguments(a) => a.map(f),
            Node::Summary(s) => s.values_mut().for_each(|v| *v = f(*v)),
            Node::Child { prev, .. } => *prev = f(*prev),
        }
    }
}

/// A memory with summaries.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// Its nodes; `None` where one was removed.
    #[serde(with = "crate::evidence::all_there")]
    pub nodes: Vec<Option<Arc<Node>>>,
    /// One value a local: its value if it is a register, else a pointer to its object.
    pub locals: Vec<Value>,
    /// One value a global, in the same way.
    pub globals: Vec<Value>,
    /// During a call: the pointers into this memory from what only callers reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<Value>,
    /// The ranges of symbols.
    pub ranges: Vec<Range>,
    /// Pairs of symbols the first of which is smaller, as registers hold them.
    pub less: Vec<(Symbol, Symbol)>,
    /// What else is known of symbols; `None` if nobody asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relations: Option<Relations>,
    /// Whether an object was lost: live, on the heap, and out of reach for ever.
    pub lost: bool,
}

impl Graph {
    /// A node.
    ///
    /// # Panics
    /// If it is not there.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes[id as usize].as_ref().expect("pointers lead to nodes")
    }

    /// A node, to be changed.
    ///
    /// # Panics
    /// If it is not there.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        Arc::make_mut(self.nodes[id as usize].as_mut().expect("pointers lead to nodes"))
    }

    /// The nodes there are.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0u32..).zip(&self.nodes).filter(|(_, n)| n.is_some()).map(|(i, _)| i)
    }

    /// A new node.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(Some(Arc::new(node)));
        self.nodes.len() as u32 - 1
    }

    /// A new symbol, or the number if there is only one.
    pub fn fresh(&mut self, range: Range) -> Value {
        match range.single() {
            Some(i) => Value::Int(i),
            None => {
                self.ranges.push(range.trimmed());
                Value::Sym(self.ranges.len() as u32 - 1)
            }
        }
    }

    /// Gives names to the integers in registers, and to the sizes of buffers: an expression that reads
    /// one twice reads the same.
    pub fn name_registers(&mut self) {
        for id in self.ids().collect::<Vec<_>>() {
            self.name_buffer(id);
        }
        for i in 0..self.locals.len() {
            if let Value::Range(r) = self.locals[i] {
                self.locals[i] = self.fresh(r);
            }
        }
        for i in 0..self.globals.len() {
            if let Value::Range(r) = self.globals[i] {
                self.globals[i] = self.fresh(r);
            }
        }
    }

    /// The integers that a value may be.
    pub fn range(&self, value: Value) -> Option<Range> {
        match value {
            Value::Int(i) => Some(Range::one(i)),
            Value::Sym(s) => Some(self.ranges[s as usize]),
            Value::Range(r) => Some(r),
            _ => None,
        }
    }

    /// All registers, and what callers hold.
    pub fn roots(&self) -> impl Iterator<Item = Value> + '_ {
        self.locals.iter().chain(&self.globals).chain(&self.held).copied()
    }

    /// Changes every value.
    pub fn map(&mut self, mut f: impl FnMut(Value) -> Value) {
        for v in self.locals.iter_mut().chain(&mut self.globals).chain(&mut self.held) {
            *v = f(*v);
        }
        for node in self.nodes.iter_mut().flatten() {
            let touched = node.values().into_iter().any(|v| f(v) != v);
            if touched {
                Arc::make_mut(node).map(&mut f);
            }
        }
    }

    /// Puts a value in the place of a symbol.
    pub fn set_symbol(&mut self, symbol: Symbol, value: Value) {
        if self.relations.is_some()
            && let Some(form) = self.form(value)
        {
            self.relate(Form::symbol(symbol).minus(&form));
            if let Value::Int(i) = value {
                self.ranges[symbol as usize] = Range::one(i);
            }
        }
        self.map(|v| match v {
            Value::Sym(s) if s == symbol => value,
            // Where a pointer leads to far outside is not followed, so it never is.
            Value::Ptr(p) if p.at == Some(symbol) => match value {
                Value::Int(i) => match i32::try_from(i).ok().and_then(|i| p.off.checked_add(i)) {
                    Some(off) => Value::Ptr(Place { off, at: None, ..p }),
                    None => Value::Mixed,
                },
                Value::Sym(other) => Value::Ptr(Place { at: Some(other), ..p }),
                _ => Value::Mixed,
            },
            v => v,
        });
        if let Value::Sym(other) = value {
            for (a, b) in &mut self.less {
                for s in [a, b] {
                    if *s == symbol {
                        *s = other;
                    }
                }
            }
        }
        let gone = |s: &Symbol| *s == symbol;
        self.less.retain(|(a, b)| !gone(a) && !gone(b));
    }

    /// Removes an object; pointers to it lead nowhere.
    pub fn free(&mut self, id: NodeId) {
        self.nodes[id as usize] = None;
        self.map(|v| match v {
            Value::Ptr(p) if p.node == id => Value::Freed,
            v => v,
        });
    }

    /// Forgets what comes before summaries, where their elements do not say it and nobody points to
    /// the last one, which would be that if there is none.
    fn forget_prev(&mut self) {
        let mut by_last = vec![false; self.nodes.len()];
        let held = self.ids().flat_map(|id| self.node(id).values()).chain(self.roots());
        for p in held.filter_map(Value::place).filter(|p| p.end == End::Last) {
            by_last[p.node as usize] = true;
        }
        for (node, by_last) in self.nodes.iter_mut().zip(by_last) {
            if let Some(node) = node
                && let Node::Summary(s) = &**node
                && (s.kind == Kind::Tree || !by_last)
                && s.prev != Value::Null
                && !s.looks_back()
                && let Node::Summary(s) = Arc::make_mut(node)
            {
                s.prev = Value::Null;
            }
        }
    }

    /// Drops nodes that no register reaches, and notes whether the heap lost one.
    pub fn collect(&mut self) {
        self.forget_prev();
        let roots: Vec<Value> = self.roots().collect();
        let reached = self.reach(&roots);
        for (i, slot) in self.nodes.iter_mut().enumerate() {
            if reached[i] {
                continue;
            }
            self.lost |= match slot.as_deref() {
                Some(Node::Object(o)) => o.life == Lifetime::Heap,
                Some(Node::Buffer(b)) => b.life == Lifetime::Heap,
                // What may be empty may have been nothing.
                Some(Node::Summary(_)) => true,
                Some(Node::Arguments(_) | Node::Child { .. }) | None => false,
            };
            *slot = None;
        }
    }

    /// The nodes that values reach.
    pub fn reach(&self, from: &[Value]) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut todo: Vec<NodeId> = from.iter().filter_map(|v| v.place()).map(|p| p.node).collect();
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut seen[id as usize], true) {
                let values = self.node(id).values();
                todo.extend(values.into_iter().filter_map(Value::place).map(|p| p.node));
            }
        }
        seen
    }

    /// The object a pointer leads to, if it is one and no summary.
    pub fn object(&self, place: Place) -> Option<&Object> {
        self.node(place.node).object()
    }

    /// Numbers nodes and symbols in the order in which walks from the registers meet them, so that
    /// graphs that differ in numbers only are equal. Symbols that occur once become ranges.
    #[must_use]
    pub fn normalised(&self) -> Graph {
        let mut order: Vec<NodeId> = Vec::new();
        let mut number: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        let mut occurs = vec![0u32; self.ranges.len()];
        let mut symbols: Vec<Symbol> = Vec::new();
        let mut meet = |v: Value, order: &mut Vec<NodeId>| {
            if let Value::Ptr(p) = v
                && number[p.node as usize].is_none()
            {
                number[p.node as usize] = Some(order.len() as u32);
                order.push(p.node);
            }
            if let Some(s) = v.mentions() {
                if occurs[s as usize] == 0 {
                    symbols.push(s);
                }
                // A pointer has no range to take the place of a symbol.
                occurs[s as usize] += if v.symbol().is_some() { 1 } else { 2 };
            }
        };
        self.roots().for_each(|v| meet(v, &mut order));
        let mut at = 0;
        while at < order.len() {
            let values = self.node(order[at]).values();
            values.into_iter().for_each(|v| meet(v, &mut order));
            at += 1;
        }
        let relations = self.relations_of(&symbols);
        let related = relations.as_ref().map_or(Vec::new(), Relations::symbols);
        symbols.retain(|s| occurs[*s as usize] > 1 || related.contains(s));
        symbols.extend(relations.iter().flat_map(|r| &r.slack));
        let mut names: Vec<Option<Symbol>> = vec![None; self.ranges.len()];
        for (i, s) in symbols.iter().enumerate() {
            names[*s as usize] = Some(i as u32);
        }
        let rename = |v: Value| match v {
            Value::Ptr(p) => {
                let node = number[p.node as usize].expect("every pointer was met");
                // Of an object both ends are the same.
                let is_object = self.node(p.node).summary().is_none();
                let at = p.at.map(|s| names[s as usize].expect("every symbol was met"));
                Value::Ptr(Place { node, end: if is_object { End::First } else { p.end }, at, ..p })
            }
            Value::Sym(s) => match names[s as usize] {
                Some(new) => Value::Sym(new),
                None => match self.ranges[s as usize].single() {
                    Some(i) => Value::Int(i),
                    None => Value::Range(self.ranges[s as usize]),
                },
            },
            v => v,
        };
        let mut less: Vec<_> = self
            .less
            .iter()
            .filter_map(|(a, b)| Some((names[*a as usize]?, names[*b as usize]?)))
            .collect();
        less.sort_unstable();
        less.dedup();
        let nodes = order.iter().map(|id| {
            let mut node = self.node(*id).clone();
            node.map(&mut |v| rename(v));
            Some(Arc::new(node))
        });
        Graph {
            nodes: nodes.collect(),
            locals: self.locals.iter().map(|v| rename(*v)).collect(),
            globals: self.globals.iter().map(|v| rename(*v)).collect(),
            held: self.held.iter().map(|v| rename(*v)).collect(),
            ranges: symbols.iter().map(|s| self.ranges[*s as usize]).collect(),
            less,
            relations: relations.map(|r| r.renamed(|s| names[s as usize])),
            lost: self.lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(cells: Vec<Value>) -> Object {
        let types = TypeTable::default();
        Object { cells, ..Object::new(&types, None, 16, Lifetime::Heap, false) }
    }

    /// A list in front of which something stands, and registers.
    fn with_list(kind: Kind, element: Vec<Value>, locals: &[Value]) -> (Graph, NodeId) {
        let mut graph = Graph::default();
        let before = graph.add(Node::Object(object(vec![])));
        let list = graph.add(Node::Summary(Summary {
            kind,
            alts: Arc::new(vec![Alt { nodes: vec![Node::Object(object(element))] }]),
            link: 0,
            back: 0,
            next: Value::Null,
            prev: Value::to(before, 0),
            params: Vec::new(),
            least: 1,
            count: Value::Any,
        }));
        graph.locals = locals.to_vec();
        graph.locals.push(Value::to(list, 0));
        (graph, list)
    }

    const NEXT: Value = Value::Formal(Formal::Next, 0);
    const PREV: Value = Value::Formal(Formal::Prev, 0);

    fn prev_of(graph: &Graph, list: NodeId) -> Value {
        graph.node(list).summary().expect("a summary").prev
    }

    #[test]
    fn what_comes_before_is_forgotten_where_nobody_says_it() {
        let (mut graph, list) = with_list(Kind::Segment, vec![NEXT], &[]);
        graph.forget_prev();
        assert_eq!(prev_of(&graph, list), Value::Null);
        // Nothing keeps what stood before any more, so it is lost.
        graph.collect();
        assert!(graph.lost);
    }

    #[test]
    fn what_elements_say_comes_before_stays() {
        for kind in [Kind::Segment, Kind::Tree] {
            let (mut graph, list) = with_list(kind, vec![NEXT, PREV], &[]);
            let before = prev_of(&graph, list);
            graph.collect();
            assert_eq!(prev_of(&graph, list), before, "{kind:?}");
            assert!(!graph.lost);
        }
    }

    #[test]
    fn what_belongings_of_elements_say_comes_before_stays() {
        let (mut graph, list) = with_list(Kind::Segment, vec![NEXT, Value::to(1, 0)], &[]);
        let Node::Summary(s) = graph.node_mut(list) else { panic!("a summary") };
        let own = Node::Object(object(vec![PREV]));
        s.alts = Arc::new(
            s.alts
                .iter()
                .map(|a| Alt { nodes: a.nodes.iter().cloned().chain([own.clone()]).collect() })
                .collect(),
        );
        let before = prev_of(&graph, list);
        graph.collect();
        assert_eq!(prev_of(&graph, list), before);
    }

    #[test]
    fn what_the_last_one_would_be_without_elements_stays() {
        // A register, and then another object, point to the last element; should there be none, that
        // is what comes before.
        let last = Value::Ptr(Place::new(1, End::Last, 0));
        let (mut graph, list) = with_list(Kind::Segment, vec![NEXT], &[last]);
        let before = prev_of(&graph, list);
        graph.collect();
        assert_eq!(prev_of(&graph, list), before);
        let (mut graph, list) = with_list(Kind::Segment, vec![NEXT], &[]);
        let holder = graph.add(Node::Object(object(vec![last])));
        graph.locals.push(Value::to(holder, 0));
        graph.collect();
        assert_eq!(prev_of(&graph, list), before);
        // A tree has no last element.
        let (mut graph, list) = with_list(Kind::Tree, vec![NEXT], &[last]);
        graph.forget_prev();
        assert_eq!(prev_of(&graph, list), Value::Null);
    }
}
