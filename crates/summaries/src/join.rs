//! Two alternatives as one that says what both say.
//!
//! Objects are joined cell by cell. A pointer to the first element of a segment, and what follows
//! that segment, are joined as a segment that may be empty; so are null and a tree. An object and a
//! summary of such are joined as a summary.

use std::collections::BTreeMap;
use std::sync::Arc;

use trellis_graphs::{
    Alt, Buffer, End, Formal, Graph, Kind, Node, NodeId, Object, Place, Range, Summary, Tail, Value,
};
use trellis_program::TypeTable;
use trellis_program::concrete::Lifetime;

use crate::Precision;
use crate::widen::hull;

/// Most alternatives of a summary.
pub const MOST_ALTS: usize = 6;

/// Most lists in a row that are looked at as perhaps not there: each may be tried in two ways.
const MOST_PENDING: usize = 4;

/// What is needed to join.
pub struct Joiner<'a> {
    /// How much may be lost.
    pub precision: Precision,
    /// The integers that a parameter may be.
    pub param_range: &'a dyn Fn(u8) -> Option<Range>,
    /// Whether elements are alike enough for one list.
    pub alike: &'a dyn Fn(&[Alt]) -> bool,
}

impl Joiner<'_> {
    /// Adds an alternative to others; `None` if there are too many.
    pub fn add(&self, alts: &mut Vec<Alt>, alt: Alt) -> Option<()> {
        if alts.contains(&alt) {
            return Some(());
        }
        for i in 0..alts.len() {
            if let Some(joined) = self.join(&alts[i], &alt) {
                let changed = joined != alts[i];
                alts[i] = joined.clone();
                // Others may now be like it.
                if changed && alts.len() > 1 {
                    let joined = alts.remove(i);
                    let rest = std::mem::take(alts);
                    alts.push(joined);
                    for other in rest {
                        self.add(alts, other)?;
                    }
                }
                alts.sort();
                return Some(());
            }
        }
        alts.push(alt);
        alts.sort();
        (alts.len() <= MOST_ALTS).then_some(())
    }

    /// Both as one, if they are alike enough.
    pub fn join(&self, a: &Alt, b: &Alt) -> Option<Alt> {
        let orders = if self.precision.uniform { &[false, true][..] } else { &[false] };
        orders.iter().find_map(|left_first| self.joined(a, b, *left_first))
    }

    fn joined(&self, a: &Alt, b: &Alt, left_first: bool) -> Option<Alt> {
        let mut work = Work { left_first, ..Work::new(self, a, b, false) };
        work.node(0, 0)?;
        work.finish()?;
        // All belongings have to be met on both sides.
        let met = |n: usize, side: fn(&Pair) -> Option<NodeId>| {
            (0..n as NodeId).all(|i| work.pairs.keys().any(|k| side(k) == Some(i)))
        };
        let all = met(a.nodes.len(), |k| k.0) && met(b.nodes.len(), |k| k.1);
        all.then_some(Alt { nodes: work.out })
    }
}

/// Two graphs that are equal but for one list or tree that one of them has and the other has not, as
/// one in which it may be empty. Nothing is lost.
pub fn union(a: &Graph, b: &Graph, precision: Precision) -> Option<Graph> {
    if a.nodes.len().abs_diff(b.nodes.len()) != 1
        || a.relations.is_some()
        || (&a.ranges, &a.less, a.lost) != (&b.ranges, &b.less, b.lost)
        || a.held.len() != b.held.len()
    {
        return None;
    }
    // The registers are the cells of one more object.
    let alt = |graph: &Graph| {
        let mut registers = Object::new(&TypeTable::default(), None, 0, Lifetime::Local, false);
        registers.cells = graph.roots().collect();
        let rest = graph.ids().map(|id| graph.node(id).clone());
        let mut nodes: Vec<Node> = std::iter::once(Node::Object(registers)).chain(rest).collect();
        for node in &mut nodes {
            node.map(&mut |v| match v {
                Value::Ptr(p) => Value::Ptr(Place { node: p.node + 1, ..p }),
                v => v,
            });
        }
        Alt { nodes }
    };
    let (a, b, like) = (alt(a), alt(b), a);
    let joiner = Joiner { precision, param_range: &|_| None, alike: &|_| true };
    let mut work = Work::new(&joiner, &a, &b, true);
    work.node(0, 0)?;
    work.finish()?;
    let all = work.pairs.len() == a.nodes.len().max(b.nodes.len());
    if !all || work.alone.len() > 1 {
        return None;
    }
    let mut nodes = work.out;
    for node in &mut nodes {
        node.map(&mut |v| match v {
            Value::Ptr(p) => Value::Ptr(Place { node: p.node.wrapping_sub(1), ..p }),
            v => v,
        });
    }
    let registers = nodes.remove(0).values();
    let (locals, others) = registers.split_at(like.locals.len());
    let (globals, held) = others.split_at(like.globals.len());
    let joined = Graph {
        nodes: nodes.into_iter().map(|n| Some(Arc::new(n))).collect(),
        locals: locals.to_vec(),
        globals: globals.to_vec(),
        held: held.to_vec(),
        ranges: like.ranges.clone(),
        less: Vec::new(),
        relations: None,
        lost: like.lost,
    };
    Some(joined.normalised())
}

type Pair = (Option<NodeId>, Option<NodeId>);

struct Work<'a> {
    joiner: &'a Joiner<'a>,
    a: &'a Alt,
    b: &'a Alt,
    out: Vec<Node>,
    /// Nodes of both, and what they have become.
    pairs: BTreeMap<Pair, NodeId>,
    /// Nodes of one side alone, which still say what they hold in the numbers of that side; and what
    /// follows them, where that is known already.
    alone: Vec<(NodeId, bool, Option<Value>)>,
    /// What pointers to a node of one side alone are on the other side.
    instead: BTreeMap<Pair, Value>,
    /// Lists of one side of which it is being found out what follows them: rings have no end.
    pending: Vec<Pair>,
    /// Of which side lists come first where both have one.
    left_first: bool,
    /// Whether nothing may be lost: all is equal, but for what is there on one side only.
    exact: bool,
}

impl<'a> Work<'a> {
    fn new(joiner: &'a Joiner<'a>, a: &'a Alt, b: &'a Alt, exact: bool) -> Work<'a> {
        let (out, pairs, alone) = (Vec::new(), BTreeMap::new(), Vec::new());
        let (instead, pending, left_first) = (BTreeMap::new(), Vec::new(), false);
        Work { joiner, a, b, out, pairs, alone, instead, pending, left_first, exact }
    }

    /// Says what nodes of one side hold in the numbers of the join.
    fn finish(&mut self) -> Option<()> {
        for (k, left, next) in std::mem::take(&mut self.alone) {
            let side = |pair: &Pair| if left { pair.0 } else { pair.1 };
            let number: BTreeMap<NodeId, NodeId> =
                self.pairs.iter().filter_map(|(p, k)| Some((side(p)?, *k))).collect();
            let mut well = true;
            self.out[k as usize].map(&mut |v| match v {
                Value::Ptr(p) => match number.get(&p.node) {
                    Some(node) => Value::Ptr(Place { node: *node, ..p }),
                    None => {
                        well = false;
                        v
                    }
                },
                v => v,
            });
            if let (Node::Summary(s), Some(next)) = (&mut self.out[k as usize], next) {
                s.next = next;
            }
            well.then_some(())?;
        }
        Some(())
    }

    fn used(&self, i: NodeId, j: NodeId) -> bool {
        self.pairs.keys().any(|(a, b)| *a == Some(i) || *b == Some(j))
    }

    /// The join of two nodes.
    fn node(&mut self, i: NodeId, j: NodeId) -> Option<NodeId> {
        if let Some(k) = self.pairs.get(&(Some(i), Some(j))) {
            return Some(*k);
        }
        if self.used(i, j) {
            return None;
        }
        let k = self.out.len() as NodeId;
        let (a, b) = (self.a.nodes[i as usize].clone(), self.b.nodes[j as usize].clone());
        self.out.push(a.clone());
        self.pairs.insert((Some(i), Some(j)), k);
        let joined = match (&a, &b) {
            (Node::Object(x), Node::Object(y)) => {
                if !x.is_like(y) {
                    return None;
                }
                let mut o = x.clone();
                for (c, (v, w)) in x.cells.iter().zip(&y.cells).enumerate() {
                    o.cells[c] = self.value(*v, *w)?;
                }
                Node::Object(o)
            }
            (Node::Buffer(x), Node::Buffer(y)) => Node::Buffer(self.buffers(x, y)?),
            (Node::Summary(x), Node::Summary(y)) => Node::Summary(self.summaries(x, y)?),
            (Node::Child { prev, empty }, Node::Child { prev: other, empty: may }) => {
                Node::Child { prev: self.value(*prev, *other)?, empty: *empty || *may }
            }
            _ => return None,
        };
        self.out[k as usize] = joined;
        Some(k)
    }

    fn buffers(&mut self, x: &Buffer, y: &Buffer) -> Option<Buffer> {
        x.is_like(y).then_some(())?;
        if self.exact && x.tail != y.tail {
            return None;
        }
        let size = self.value(x.size, y.size)?;
        let (length, tail) = match x.tail == y.tail {
            true => (self.value(x.length, y.length)?, x.tail),
            false => (Value::Int(0), Tail::Unknown),
        };
        let more = match (x.more, y.more) {
            (Value::Any, _) | (_, Value::Any) if self.exact && x.more != y.more => return None,
            (Value::Any, _) | (_, Value::Any) => Value::Any,
            (more, other) if tail == Tail::Zero => self.value(more, other)?,
            _ => Value::Any,
        };
        Some(Buffer { size, length, tail, more, ..x.clone() })
    }

    fn summaries(&mut self, x: &Summary, y: &Summary) -> Option<Summary> {
        if (x.kind, x.link, x.back, x.params.len()) != (y.kind, y.link, y.back, y.params.len()) {
            return None;
        }
        let mut alts = (*x.alts).clone();
        if self.exact && (x.alts != y.alts || x.least != y.least) {
            return None;
        }
        if x.alts != y.alts {
            for alt in y.alts.iter() {
                self.joiner.add(&mut alts, alt.clone())?;
            }
            if !self.exact && x.kind == Kind::Segment && !(self.joiner.alike)(&alts) {
                return None;
            }
        }
        let params: Option<Vec<Value>> =
            x.params.iter().zip(&y.params).map(|(v, w)| self.value(*v, *w)).collect();
        Some(Summary {
            alts: Arc::new(alts),
            next: self.value(x.next, y.next)?,
            prev: self.value(x.prev, y.prev)?,
            params: params?,
            least: x.least.min(y.least),
            ..x.clone()
        })
    }

    /// The join of two values.
    fn value(&mut self, v: Value, w: Value) -> Option<Value> {
        match (v, w) {
            (Value::Ptr(p), Value::Ptr(q)) => {
                if (p.end, p.off, p.at) != (q.end, q.off, q.at) {
                    return None;
                }
                let may = self.joiner.precision.uniform && (!self.exact || self.alone.is_empty());
                let before = may.then(|| {
                    (self.out.clone(), self.pairs.clone(), self.alone.clone(), self.instead.clone())
                });
                if let Some(node) = self.node(p.node, q.node) {
                    return Some(Value::Ptr(Place { node, ..p }));
                }
                // A list that is there on one side only, in front of what both have.
                let before = before?;
                [self.left_first, !self.left_first].into_iter().find_map(|left| {
                    (self.out, self.pairs, self.alone, self.instead) = before.clone();
                    self.in_front(if left { p } else { q }, if left { w } else { v }, left)
                })
            }
            (v, w) if v == w => Some(v),
            (Value::Ptr(p), other) => self.maybe(p, other, true),
            (other, Value::Ptr(p)) => self.maybe(p, other, false),
            (v, w) => self.numbers(v, w),
        }
    }

    fn numbers(&self, v: Value, w: Value) -> Option<Value> {
        if self.exact {
            return None;
        }
        if self.joiner.precision.constants
            && let (Value::Int(_), _) | (_, Value::Int(_)) = (v, w)
        {
            return None;
        }
        let range = |v: Value| match v {
            Value::Int(i) => Some(Range::one(i)),
            Value::Range(r) => Some(r),
            Value::Formal(Formal::Param(k), 0) => (self.joiner.param_range)(k),
            _ => None,
        };
        Some(Value::Range(hull(range(v)?, range(w)?)))
    }

    /// A pointer to a list on one side, where the other side has what follows it.
    fn in_front(&mut self, p: Place, other: Value, left: bool) -> Option<Value> {
        let side = if left { self.a } else { self.b };
        let pair = if left { (Some(p.node), None) } else { (None, Some(p.node)) };
        let Node::Summary(s) = &side.nodes[p.node as usize] else { return None };
        let first = p.end == End::First && p.off == s.link && s.kind == Kind::Segment;
        if !first {
            return None;
        }
        if let Some(k) = self.pairs.get(&pair) {
            let same = self.instead.get(&pair) == Some(&other);
            return same.then_some(Value::Ptr(Place { node: *k, ..p }));
        }
        let known = |(a, b): &Pair| if left { *a } else { *b } == Some(p.node);
        if self.exact && !self.alone.is_empty() {
            return None;
        }
        if self.pairs.keys().any(known) {
            return None;
        }
        let most = if self.exact { 1 } else { MOST_PENDING };
        if self.pending.contains(&pair) || self.pending.len() >= most {
            return None;
        }
        let node = Node::Summary(Summary { least: 0, ..s.clone() });
        self.pending.push(pair);
        let next = match left {
            true => self.value(s.next, other),
            false => self.value(other, s.next),
        };
        self.pending.pop();
        let next = next?;
        let k = self.out.len() as NodeId;
        self.out.push(node);
        self.pairs.insert(pair, k);
        self.instead.insert(pair, other);
        self.alone.push((k, left, Some(next)));
        Some(Value::Ptr(Place { node: k, ..p }))
    }

    /// A pointer on one side, and what takes its place if nothing is there on the other.
    fn maybe(&mut self, p: Place, other: Value, left: bool) -> Option<Value> {
        let side = if left { self.a } else { self.b };
        let pair = if left { (Some(p.node), None) } else { (None, Some(p.node)) };
        let follows_is = |next: Value| next == other && !matches!(other, Value::Ptr(_));
        let mut node = side.nodes[p.node as usize].clone();
        match &mut node {
            Node::Summary(s) => {
                let follows = match s.kind {
                    Kind::Segment => s.next,
                    Kind::Tree => Value::Null,
                };
                if p.end != End::First || p.off != s.link {
                    return None;
                }
                // Behind a list that is not there may be another one that is not.
                let follows_too = match follows {
                    Value::Ptr(q) if self.joiner.precision.uniform => {
                        let fits = self.pending.len() < MOST_PENDING;
                        fits && !self.pending.contains(&pair) && {
                            self.pending.push(pair);
                            let empty = self.maybe(q, other, left).is_some();
                            self.pending.pop();
                            empty
                        }
                    }
                    _ => false,
                };
                if !follows_too && !follows_is(follows) {
                    return None;
                }
                s.least = 0;
            }
            Node::Child { empty, .. } if other == Value::Null => *empty = true,
            _ => return None,
        }
        if let Some(k) = self.pairs.get(&pair) {
            let same = self.instead.get(&pair) == Some(&other);
            return same.then_some(Value::Ptr(Place { node: *k, ..p }));
        }
        if self.exact && !self.alone.is_empty() {
            return None;
        }
        let k = self.out.len() as NodeId;
        self.out.push(node);
        self.pairs.insert(pair, k);
        self.instead.insert(pair, other);
        self.alone.push((k, left, None));
        Some(Value::Ptr(Place { node: k, ..p }))
    }
}
