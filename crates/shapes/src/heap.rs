//! Abstract heaps: interruptions and the uninterrupted segments between them (*Predicate and
//! Canonical Abstraction*, §3).
//!
//! An *interruption* is a list node that a variable points to or that has two or more predecessors.
//! Every interruption has one outgoing *segment*, which leads to an interruption or to an end of
//! all lists: null, a field that was never written, or memory that was freed. A segment of length
//! 1 is one field; a longer one passes nodes that nobody else points to. Of lengths only the class
//! is kept: 1, 2, or more.
//!
//! A [`Heap`] stands for several abstract heaps of the paper that agree in all but lengths: every
//! segment has a *set* of length classes, and all combinations are meant. [`Heap::singles`] lists
//! them. This loses nothing, because every transformer is exact on such sets, and it keeps the
//! number of heaps small.
//!
//! **Invariant** (kept by [`Heap::normalise`]): every node is an interruption and reachable from a
//! variable; nodes are numbered in the order in which walks from the variables meet them. So equal
//! heaps are equal values.

use smallvec::SmallVec;

/// Where a variable or the end of a segment points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ref(u8);

impl Ref {
    /// Null.
    pub const NULL: Ref = Ref(0xff);
    /// Never written.
    pub const UNDEF: Ref = Ref(0xfe);
    /// Memory that was freed; which memory is not known any more.
    pub const DANGLING: Ref = Ref(0xfd);
    /// A node that has no name; only in what an abstraction of sharing shows of a heap.
    pub const DEEP: Ref = Ref(0xfc);
    /// The ends of lists.
    pub const ENDS: [Ref; 3] = [Ref::NULL, Ref::UNDEF, Ref::DANGLING];
    /// More interruptions than this cannot be numbered.
    pub const MOST_NODES: usize = 0xf0;

    /// An interruption.
    pub fn node(index: usize) -> Ref {
        debug_assert!(index < Ref::MOST_NODES);
        Ref(index as u8)
    }

    /// The interruption, if it is one.
    pub fn index(self) -> Option<usize> {
        ((self.0 as usize) < Ref::MOST_NODES).then_some(self.0 as usize)
    }

    /// A byte of its own.
    pub fn byte(self) -> u8 {
        self.0
    }
}

impl std::fmt::Debug for Ref {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Ref::NULL => f.write_str("null"),
            Ref::UNDEF => f.write_str("undef"),
            Ref::DANGLING => f.write_str("dangling"),
            Ref::DEEP => f.write_str("deep"),
            Ref(i) => write!(f, "{i}"),
        }
    }
}

/// A set of length classes of a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lengths(pub u8);

impl Lengths {
    /// Length 1.
    pub const ONE: Lengths = Lengths(1);
    /// Length 2.
    pub const TWO: Lengths = Lengths(2);
    /// Length 3 or more.
    pub const MORE: Lengths = Lengths(4);
    /// Length 2 or more.
    pub const LONG: Lengths = Lengths(6);
    /// Any length.
    pub const ANY: Lengths = Lengths(7);
    /// The three classes.
    pub const CLASSES: [Lengths; 3] = [Lengths::ONE, Lengths::TWO, Lengths::MORE];

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in both.
    pub fn and(self, other: Lengths) -> Lengths {
        Lengths(self.0 & other.0)
    }

    /// What is in one of them.
    pub fn or(self, other: Lengths) -> Lengths {
        Lengths(self.0 | other.0)
    }

    /// Whether everything in `other` is in this one.
    pub fn includes(self, other: Lengths) -> bool {
        self.0 & other.0 == other.0
    }

    /// The lengths of two segments in a row: 1 + 1 is 2, everything else is more.
    pub fn then(self, next: Lengths) -> Lengths {
        let ones = self.0 & next.0 & 1;
        let longer = (self.0 | next.0) & 6 != 0;
        Lengths(ones << 1 | u8::from(longer) << 2)
    }

    /// What is left of a segment of length 2 or more behind its first field.
    pub fn rest(self) -> Lengths {
        let after_two = (self.0 & 2) >> 1;
        Lengths(if self.0 & 4 != 0 { after_two | 6 } else { after_two })
    }

    /// Its classes.
    pub fn classes(self) -> impl Iterator<Item = Lengths> {
        Lengths::CLASSES.into_iter().filter(move |c| self.includes(*c))
    }
}

/// What has become unreachable on the way to a heap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Garbage(pub u8);

impl Garbage {
    /// Nothing.
    pub const NONE: Garbage = Garbage(0);
    /// Some node.
    pub const SOME: Garbage = Garbage(1);
    /// Some node on a cycle.
    pub const CYCLE: Garbage = Garbage(3);

    /// Whether something was lost.
    pub fn any(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether a cycle was lost.
    pub fn cyclic(self) -> bool {
        self.0 & 2 != 0
    }

    /// Both.
    pub fn and(self, other: Garbage) -> Garbage {
        Garbage(self.0 | other.0)
    }
}

/// The outgoing segment of an interruption.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Segment {
    /// Where it ends.
    pub to: Ref,
    /// How long it may be.
    pub lengths: Lengths,
}

/// An abstract heap; see the module's text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Heap {
    /// One entry a variable.
    pub vars: SmallVec<[Ref; 16]>,
    /// The outgoing segments of the interruptions.
    pub nodes: SmallVec<[Segment; 16]>,
    /// What was lost, if anyone wants to know.
    pub garbage: Garbage,
    /// Small integers of the program, as codes of the lowered program.
    pub ints: SmallVec<[u8; 8]>,
}

impl Heap {
    /// No node; every variable is undefined.
    pub fn empty(vars: usize, ints: usize) -> Heap {
        Heap {
            vars: SmallVec::from_elem(Ref::UNDEF, vars),
            nodes: SmallVec::new(),
            garbage: Garbage::NONE,
            ints: SmallVec::from_elem(crate::program::ANY_INT, ints),
        }
    }

    /// A new node; where it is used is up to the caller.
    pub fn push(&mut self, to: Ref, lengths: Lengths) -> Ref {
        self.nodes.push(Segment { to, lengths });
        Ref::node(self.nodes.len() - 1)
    }

    /// The interruptions from one on, in order, each once.
    pub fn path(&self, from: Ref) -> SmallVec<[usize; 16]> {
        let mut seen = 0u128;
        let mut seen_high = 0u128;
        let mut path = SmallVec::new();
        let mut at = from;
        while let Some(i) = at.index() {
            let (word, bit) = if i < 128 { (&mut seen, i) } else { (&mut seen_high, i - 128) };
            if *word >> bit & 1 != 0 {
                break;
            }
            *word |= 1 << bit;
            path.push(i);
            at = self.nodes[i].to;
        }
        path
    }

    /// Where a walk from a reference ends; `None` if it never does.
    pub fn end(&self, from: Ref) -> Option<Ref> {
        match self.path(from).last() {
            None => Some(from),
            Some(&last) => Some(self.nodes[last].to).filter(|to| to.index().is_none()),
        }
    }

    /// Whether an interruption lies on a cycle.
    pub fn on_cycle(&self, node: usize) -> bool {
        let first = self.nodes[node].to;
        self.path(first).contains(&node)
    }

    /// Drops what no variable reaches, joins segments at nodes that are no interruptions any more,
    /// and numbers the rest. Says what was dropped.
    pub fn normalise(&mut self) -> Garbage {
        let n = self.nodes.len();
        let mut named: SmallVec<[bool; 24]> = SmallVec::from_elem(false, n);
        let mut reached: SmallVec<[bool; 24]> = SmallVec::from_elem(false, n);
        let mut entered: SmallVec<[u8; 24]> = SmallVec::from_elem(0, n);
        for v in &self.vars {
            let Some(i) = v.index() else { continue };
            named[i] = true;
            let mut at = *v;
            while let Some(i) = at.index() {
                if std::mem::replace(&mut reached[i], true) {
                    break;
                }
                at = self.nodes[i].to;
                if let Some(j) = at.index() {
                    entered[j] = entered[j].saturating_add(1);
                }
            }
        }
        let garbage = self.lost(&reached);
        let keep = |i: usize| named[i] || entered[i] >= 2;
        let mut number: SmallVec<[u8; 24]> = SmallVec::from_elem(0xff, n);
        let mut nodes: SmallVec<[Segment; 16]> = SmallVec::new();
        for v in self.vars.iter() {
            let mut at = *v;
            while let Some(i) = at.index() {
                if number[i] != 0xff {
                    break;
                }
                number[i] = nodes.len() as u8;
                let mut segment = self.nodes[i];
                while let Some(j) = segment.to.index().filter(|j| !keep(*j)) {
                    let next = self.nodes[j];
                    segment = Segment { to: next.to, lengths: segment.lengths.then(next.lengths) };
                }
                nodes.push(segment);
                at = segment.to;
            }
        }
        let rename = |r: Ref| r.index().map_or(r, |i| Ref(number[i]));
        self.vars.iter_mut().for_each(|v| *v = rename(*v));
        nodes.iter_mut().for_each(|s| s.to = rename(s.to));
        self.nodes = nodes;
        garbage
    }

    /// What is not reached.
    fn lost(&self, reached: &[bool]) -> Garbage {
        if reached.iter().all(|r| *r) {
            return Garbage::NONE;
        }
        let mut lost = (0..self.nodes.len()).filter(|i| !reached[*i]);
        if lost.any(|i| self.on_cycle(i)) { Garbage::CYCLE } else { Garbage::SOME }
    }

    /// The heaps of the paper that this one stands for: one class a segment.
    pub fn singles(&self) -> Vec<Heap> {
        let mut out = vec![self.clone()];
        for i in 0..self.nodes.len() {
            out = out
                .into_iter()
                .flat_map(|h| {
                    h.nodes[i].lengths.classes().map(move |c| {
                        let mut one = h.clone();
                        one.nodes[i].lengths = c;
                        one
                    })
                })
                .collect();
        }
        out
    }

    /// Everything but the lengths, as bytes.
    pub fn shape_key(&self, out: &mut Vec<u8>) {
        out.clear();
        out.push(self.garbage.0);
        out.extend_from_slice(&self.ints);
        out.extend(self.vars.iter().map(|v| v.byte()));
        out.extend(self.nodes.iter().map(|s| s.to.byte()));
    }

    /// Whether this heap has all the lengths of another one of the same shape.
    pub fn includes(&self, other: &[Lengths]) -> bool {
        self.nodes.iter().zip(other).all(|(s, l)| s.lengths.includes(*l))
    }

    /// Its lengths, node by node.
    pub fn lengths(&self) -> SmallVec<[Lengths; 16]> {
        self.nodes.iter().map(|s| s.lengths).collect()
    }
}
