//! What a pattern says of a contract formula: which truth values it has in heaps of the pattern.
//!
//! **Invariant:** the answer has every truth value that some heap of the pattern gives the formula,
//! and maybe more. Chains over one field are followed as in [`crate::reach`].
//!
//! * `chains`: along one field; `lists`: `sorted` and `dll`
//! * `quantified`: objects that a quantifier speaks of

mod chains;
mod lists;
mod quantified;

use std::cell::Cell;

use crate::pattern::{Node, Pattern, Target, Targets};
use crate::program::{Fact, Number, Path, Start};
use crate::unfold;
use crate::values::{Orders, Values};
use crate::words::{Colour, PatternWords, Predicate};
use quantified::Spot;
pub use quantified::without_false;
use trellis_program::concrete::spec_eval::Truth;
use trellis_program::{CmpOp, IntKind};

/// A set of truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Truths(u8);

impl Truths {
    const NONE: Truths = Truths(0);
    /// True in all heaps.
    pub const TRUE: Truths = Truths(1);
    /// False in all heaps.
    pub const FALSE: Truths = Truths(2);
    /// Undefined in all heaps: memory is read that is not there.
    pub const UNDEFINED: Truths = Truths(4);
    const EITHER: Truths = Truths(3);
    const ANY: Truths = Truths(7);

    /// Whether it may be true.
    pub fn may_be_true(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether a truth value is one of them.
    pub fn includes(self, truth: Truth) -> bool {
        let bit = match truth {
            Truth::True => 1,
            Truth::False => 2,
            Truth::Undefined => 4,
        };
        self.0 & bit != 0
    }

    fn of(truth: bool) -> Truths {
        if truth { Truths::TRUE } else { Truths::FALSE }
    }

    fn or(self, other: Truths) -> Truths {
        Truths(self.0 | other.0)
    }

    fn not(self) -> Truths {
        Truths(self.0 & 4 | (self.0 & 1) << 1 | self.0 >> 1 & 1)
    }

    /// Every pair of values through a connective, in Kleene's logic.
    fn both(self, other: Truths, f: impl Fn(Option<bool>, Option<bool>) -> Option<bool>) -> Truths {
        let mut out = Truths::NONE;
        for a in self.values() {
            for b in other.values() {
                out = out.or(match f(a, b) {
                    Some(truth) => Truths::of(truth),
                    None => Truths::UNDEFINED,
                });
            }
        }
        out
    }

    fn values(self) -> impl Iterator<Item = Option<bool>> {
        let all = [(1, Some(true)), (2, Some(false)), (4, None)];
        all.into_iter().filter(move |(bit, _)| self.0 & bit != 0).map(|(_, v)| v)
    }

    fn and(self, other: Truths) -> Truths {
        self.both(other, |a, b| match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        })
    }
}

/// Whether a formula is true in all heaps of a pattern, as far as this can tell: where the pattern
/// leaves it open, cases are tried.
pub fn holds(words: &PatternWords, pattern: &Pattern, fact: &Fact) -> bool {
    /// Most cases that are tried, and how deep.
    const MOST: (usize, usize) = (300, 6);
    let Some(pattern) = unfold::tidy(words, pattern) else { return true };
    let mut todo = vec![(pattern, 0)];
    let mut cases = 0;
    while let Some((case, depth)) = todo.pop() {
        if truths(words, &case, fact) == Truths::TRUE {
            continue;
        }
        cases += 1;
        let parts = match cases < MOST.0 && depth < MOST.1 {
            true => split(words, &case),
            false => None,
        };
        match parts {
            Some(parts) => todo.extend(parts.into_iter().map(|p| (p, depth + 1))),
            None => return false,
        }
    }
    true
}

fn split(words: &PatternWords, pattern: &Pattern) -> Option<Vec<Pattern>> {
    let plain = || pattern.nodes.iter().enumerate().filter(|(_, n)| !n.summary);
    for (n, node) in plain() {
        let open = |t: &Targets| t.0.count_ones() > 1;
        if let Some(f) = node.fields.iter().position(open) {
            return Some(unfold::by_field(words, pattern, n, f)).filter(|parts| !parts.is_empty());
        }
    }
    let coloured = plain().find(|(_, n)| n.colours.len() > 1);
    if let Some((n, _)) = coloured {
        return Some(unfold::by_colour(words, pattern, n));
    }
    let scalar = pattern.scalars.iter().position(|s| s.0.count_ones() > 1)?;
    Some(unfold::by_scalar(words, pattern, scalar))
}

/// Parts of formulas that are looked at for one question, once an object; a formula with quantifiers
/// over nodes of many colours would take for ever.
const MOST_WORK: usize = 200_000;

/// The truth values of a formula in heaps of a pattern.
pub fn truths(words: &PatternWords, pattern: &Pattern, fact: &Fact) -> Truths {
    truths_within(words, pattern, fact, &Cell::new(MOST_WORK))
}

/// The same, with so much work left; any truth value if it is not enough.
pub fn truths_within(
    words: &PatternWords,
    pattern: &Pattern,
    fact: &Fact,
    work: &Cell<usize>,
) -> Truths {
    At { words, pattern, env: &[], work }.fact(fact)
}

#[derive(Clone, Copy)]
struct At<'a> {
    words: &'a PatternWords,
    pattern: &'a Pattern,
    /// Where the paths of quantified objects lead.
    env: &'a [(Path, Spot)],
    /// How much may still be looked at.
    work: &'a Cell<usize>,
}

/// Where a path may lead; whether memory may be missing on the way.
struct Ends {
    targets: Targets,
    missing: bool,
    /// Nobody knows.
    dead: bool,
}

impl At<'_> {
    fn fact(&self, fact: &Fact) -> Truths {
        let Some(left) = self.work.get().checked_sub(1) else { return Truths::ANY };
        self.work.set(left);
        match fact {
            Fact::Const(b) => Truths::of(*b),
            Fact::Not(f) => self.fact(f).not(),
            Fact::And(fs) => fs.iter().fold(Truths::TRUE, |t, f| t.and(self.fact(f))),
            Fact::Or(fs) => {
                fs.iter().fold(Truths::FALSE, |t, f| t.not().and(self.fact(f).not()).not())
            }
            Fact::Iff(a, b) => self.fact(a).both(self.fact(b), |a, b| Some(a? == b?)),
            Fact::Same(a, b) => self.same(a, b),
            Fact::Cmp(op, a, b) => self.compare(*op, a, b),
            Fact::Alloc(path) => self.ends(path).each(|t| match t {
                Target::Node(_) => Truths::TRUE,
                Target::Null | Target::Freed => Truths::FALSE,
                Target::Undefined | Target::Dead => Truths::UNDEFINED,
            }),
            Fact::Reach { strict, over, from, to } => self.reach(*strict, *over, from, to),
            Fact::Segment { over, from, to } => self.segment(*over, from, to),
            Fact::Stable(over, path) => self.ends(path).each(|t| self.stable(*over, t)),
            Fact::Disjoint(over, a, b) => self.disjoint(*over, a, b),
            Fact::Sorted { over, key, from, .. } => self.sorted(*over, *key, from),
            Fact::Doubly { over, back, from, to } => self.doubly(*over, *back, from, to),
            Fact::Forall { record, bound, body } => self.forall(*record, *bound, body),
        }
    }

    fn ends(&self, path: &Path) -> Ends {
        let start = match path.start {
            Start::Null => Target::Null,
            Start::Var(v) => self.pattern.vars[v],
            Start::Bound(_) => return Ends::of(self.spot(path)),
        };
        let dead = start == Target::Dead;
        let mut ends = Ends { targets: Targets::of(start), missing: false, dead };
        for (record, field) in &path.fields {
            let mut next = Targets::NONE;
            for target in ends.targets.iter() {
                match target {
                    Target::Node(n) if self.pattern.nodes[n].record == *record => {
                        next = next.or(self.pattern.nodes[n].fields[*field]);
                    }
                    // What a field of another record is, is not said here.
                    Target::Node(_) => ends.dead = true,
                    _ => ends.missing = true,
                }
            }
            ends.targets = next;
        }
        ends
    }

    fn same(&self, a: &Path, b: &Path) -> Truths {
        if a == b && a.fields.is_empty() && a.start == Start::Null {
            return Truths::TRUE;
        }
        if let Some(known) = self.known_same(a, b).or_else(|| self.known_same(b, a)) {
            return known;
        }
        let (x, y) = (self.ends(a), self.ends(b));
        if x.dead || y.dead {
            return Truths::ANY;
        }
        let mut out = if x.missing || y.missing { Truths::UNDEFINED } else { Truths::NONE };
        for s in x.targets.iter() {
            for t in y.targets.iter() {
                out = out.or(match (s, t) {
                    (Target::Undefined, _) | (_, Target::Undefined) => Truths::UNDEFINED,
                    (Target::Null, Target::Null) => Truths::TRUE,
                    (Target::Freed, Target::Freed) => Truths::EITHER,
                    // Freed memory may be where a later object is.
                    (Target::Freed, Target::Node(_)) | (Target::Node(_), Target::Freed) => {
                        Truths::ANY
                    }
                    (Target::Node(n), Target::Node(m)) if n == m => {
                        match self.pattern.nodes[n].summary {
                            true => Truths::EITHER,
                            false => Truths::TRUE,
                        }
                    }
                    _ => Truths::FALSE,
                });
            }
        }
        out
    }

    /// The classes of a number, its type, and whether memory may be missing.
    fn number(&self, number: &Number) -> (Vec<(i128, i128)>, Values, bool) {
        let partition = &self.words.partition;
        let ranges = |values: Values, kind: IntKind| -> Vec<(i128, i128)> {
            values.classes().filter_map(|c| partition.range(c, kind)).collect()
        };
        match number {
            Number::Const(c) => (vec![(*c, *c)], Values::class(partition.class(*c)), false),
            Number::Scalar(s) => {
                let (values, kind) = (self.pattern.scalars[*s], self.words.scalars[*s].kind);
                (ranges(values, kind), values, false)
            }
            Number::Data(path, record, field) => {
                let ends = self.ends(path);
                let of = &self.words.records[*record];
                let kind = of.data[*field].kind;
                let lane = of.predicate(Predicate::Data(*field));
                let mut values = Values::NONE;
                let mut missing = ends.missing || ends.dead;
                for target in ends.targets.iter() {
                    let node = match target {
                        Target::Node(n) => &self.pattern.nodes[n],
                        _ => {
                            missing = true;
                            continue;
                        }
                    };
                    if node.record != *record {
                        missing = true;
                        values = values.or(partition.all(kind)).or(Values::UNDEFINED);
                        continue;
                    }
                    let Some(lane) = lane else {
                        values = values.or(partition.all(kind)).or(Values::UNDEFINED);
                        continue;
                    };
                    for colour in self.colours(path, node) {
                        values = values.or(match colour.get(lane) {
                            0 => Values::UNDEFINED,
                            v => Values::class(usize::from(v) - 1),
                        });
                    }
                }
                if ends.dead {
                    values = partition.all(kind);
                }
                (ranges(values, kind), values, missing)
            }
        }
    }

    fn compare(&self, op: CmpOp, a: &Number, b: &Number) -> Truths {
        let ((xs, x, no_x), (ys, y, no_y)) = (self.number(a), self.number(b));
        let mut out = Truths::NONE;
        if no_x || no_y || x.may_be_undefined() || y.may_be_undefined() {
            out = Truths::UNDEFINED;
        }
        let mut orders = Orders::NONE;
        for p in &xs {
            for q in &ys {
                if p.0 < q.1 {
                    orders = orders.or(Orders::LESS);
                }
                if p.1 > q.0 {
                    orders = orders.or(Orders::GREATER);
                }
                if p.0 <= q.1 && q.0 <= p.1 {
                    orders = orders.or(Orders::EQUAL);
                }
            }
        }
        if !self.words.partition.is_ordered() {
            orders = self.unordered(orders, (a, x), (b, y));
        }
        orders = orders.and(self.known_orders(a, b));
        let holding = Orders::holding(op);
        if orders.and(holding) != Orders::NONE {
            out = out.or(Truths::TRUE);
        }
        if orders.0 & !holding.0 != 0 {
            out = out.or(Truths::FALSE);
        }
        out
    }

    /// Without orders, ranges have holes: values of different classes are not equal.
    fn unordered(&self, orders: Orders, a: (&Number, Values), b: (&Number, Values)) -> Orders {
        let is_exact =
            |(n, v): (&Number, Values)| !matches!(n, Number::Const(_)) || v.only().is_some();
        match is_exact(a) && is_exact(b) && Values(a.1.and(b.1).0 & !1).is_none() {
            true => Orders(orders.0 & !Orders::EQUAL.0),
            false => orders,
        }
    }

    /// What the pattern says of the order of two numbers itself.
    fn known_orders(&self, a: &Number, b: &Number) -> Orders {
        if a == b {
            return Orders::EQUAL;
        }
        match (a, b) {
            (Number::Scalar(s), Number::Scalar(t)) => {
                let pair = (*s.min(t), *s.max(t));
                let at = self.words.pairs.iter().position(|p| *p == pair);
                match at.map(|i| self.pattern.orders[i]) {
                    None => Orders::ANY,
                    Some(o) if s < t => o,
                    Some(o) => o.turned(),
                }
            }
            (Number::Data(path, record, field), Number::Scalar(s)) => {
                self.against(path, *record, *field, *s)
            }
            (Number::Scalar(s), Number::Data(path, record, field)) => {
                self.against(path, *record, *field, *s).turned()
            }
            (Number::Data(p, r, f), Number::Data(q, _, g)) => {
                let there = self.neighbour((p, *r, *f), (q, *g));
                let here = self.neighbour((q, *r, *g), (p, *f));
                there.and(here.turned())
            }
            _ => Orders::ANY,
        }
    }

    fn against(&self, path: &Path, record: usize, field: usize, scalar: usize) -> Orders {
        self.lane_orders(path, record, Predicate::Against { field, scalar })
    }

    /// How the data of a cell is ordered against that of the one that its field leads to.
    fn neighbour(&self, here: (&Path, usize, usize), there: (&Path, usize)) -> Orders {
        let ((path, record, field), (next, other)) = (here, there);
        let Some(((r, over), before)) = next.fields.split_last() else { return Orders::ANY };
        if *r != record || next.start != path.start || before != path.fields {
            return Orders::ANY;
        }
        self.lane_orders(path, record, Predicate::Neighbour { field, over: *over, other })
    }

    /// What a predicate that compares says of the cell at the end of a path.
    fn lane_orders(&self, path: &Path, record: usize, predicate: Predicate) -> Orders {
        let lane = self.words.records[record].predicate(predicate);
        let (Some(lane), Some(Target::Node(n))) = (lane, self.ends(path).targets.only()) else {
            return Orders::ANY;
        };
        let node = &self.pattern.nodes[n];
        if node.record != record {
            return Orders::ANY;
        }
        let of = [Orders::NONE, Orders::LESS, Orders::EQUAL, Orders::GREATER];
        let orders = self.colours(path, node).into_iter().map(|c| of[usize::from(c.get(lane)) % 4]);
        orders.fold(Orders::NONE, Orders::or)
    }

    /// The colours of the cell at the end of a path, which is one of a node.
    fn colours(&self, path: &Path, node: &Node) -> Vec<Colour> {
        match self.spot(path) {
            Spot::Cell(_, colour) if matches!(path.start, Start::Bound(_)) => vec![colour],
            _ => node.colours.iter().copied().collect(),
        }
    }
}

impl Ends {
    /// The truth values at every end.
    fn each(&self, f: impl Fn(Target) -> Truths) -> Truths {
        if self.dead {
            return Truths::ANY;
        }
        let start = if self.missing { Truths::UNDEFINED } else { Truths::NONE };
        self.targets.iter().fold(start, |t, target| t.or(f(target)))
    }
}
