//! Integers of a graph with each other, and with the lengths of lists.
//!
//! [`Relations`] are linear equations between the symbols of a graph, among which are the numbers of
//! elements of summaries ([`crate::Summary::count`]). An inequality is an equation with a symbol that
//! stands for no value of the graph, a *slack*: `a <= b` is `b = a + d`, where `d` is in the range from
//! 0 on. What equations and ranges say together is found by intervals ([`Graph::bounds`],
//! [`Graph::refine`]).
//!
//! **Invariant.** For every memory of a graph there are numbers for its symbols that are in their
//! ranges and fulfil all equations, modulo 2^64; registers and cells hold those of their symbols, and a
//! summary has as many elements as its count says.

use serde::{Deserialize, Serialize};
use trellis_program::IntKind;

use crate::eval::full;
use crate::graph::{Graph, Kind, Node};
use crate::linear::{Form, System};
use crate::unfold::emptied;
use crate::value::{Range, Symbol, Value};

/// More elements no list has: each is at an address of its own, and holds a pointer, of 8 bytes.
pub const MOST_ELEMENTS: i64 = 1 << 60;

/// What is known of integers beside their ranges.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relations {
    /// Equations between symbols.
    #[serde(with = "crate::evidence::equations")]
    pub rows: System,
    /// Symbols that stand for no value of the graph.
    pub slack: Vec<Symbol>,
}

/// An interval of whole numbers.
type Interval = (i128, i128);

/// As many numbers as registers can hold: 2^64.
const MODULUS: i128 = 1 << 64;

impl Range {
    fn interval(self) -> Interval {
        (self.lo.into(), self.hi.into())
    }

    /// Those between two numbers.
    fn within(self, (lo, hi): Interval) -> Range {
        let cut = |i: i128| i64::try_from(i).unwrap_or(if i < 0 { i64::MIN } else { i64::MAX });
        let none = lo > self.hi.into() || hi < self.lo.into();
        match none {
            true => Range::between(1, 0),
            false => Range { lo: self.lo.max(cut(lo)), hi: self.hi.min(cut(hi)), ..self }.trimmed(),
        }
    }
}

impl Relations {
    /// The symbols that equations speak of.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut all: Vec<Symbol> =
            self.rows.rows().flat_map(|row| row.terms.iter().map(|(s, _)| *s)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Graph {
    /// A value as a sum, if equations can speak of it.
    pub fn form(&self, value: Value) -> Option<Form> {
        match value {
            Value::Int(i) => Some(Form::number(i)),
            Value::Sym(s) => Some(Form::symbol(s)),
            _ => None,
        }
    }

    /// Between which numbers the sum lies that a form is, its factors taken as signed numbers; by
    /// ranges alone.
    fn interval(&self, form: &Form) -> Option<Interval> {
        /// With larger factors nothing is found out.
        const MOST_FACTOR: u64 = 1 << 40;
        let mut sum = (i128::from(form.constant), i128::from(form.constant));
        for (s, a) in &form.terms {
            let (lo, hi) = self.ranges[*s as usize].interval();
            (a.unsigned_abs() <= MOST_FACTOR && form.terms.len() < 1 << 10).then_some(())?;
            let (x, y) = (lo * i128::from(*a), hi * i128::from(*a));
            sum = (sum.0 + x.min(y), sum.1 + x.max(y));
        }
        Some(sum)
    }

    /// The same by equations, too. If nothing is between the two numbers, there are no memories.
    pub fn bounds(&self, form: &Form) -> Option<Interval> {
        let own = self.interval(form)?;
        let Some(relations) = &self.relations else { return Some(own) };
        if relations.rows.is_empty() {
            return Some(own);
        }
        let mut best = own;
        let mut narrow = |other: Option<Interval>| {
            // The sums are equal modulo 2^64: they are equal if they are not far apart.
            if let Some((lo, hi)) = other
                && own.1 - lo < MODULUS
                && hi - own.0 < MODULUS
            {
                best = (best.0.max(lo), best.1.min(hi));
            }
        };
        let reduced = relations.rows.reduced(form);
        narrow(self.interval(&reduced));
        for s in relations.symbols() {
            let symbol = Form::symbol(s);
            let other = relations.rows.reduced(&symbol);
            let range = self.ranges[s as usize].interval();
            // The form is a symbol and a rest, or a rest without it.
            for sign in [1, -1] {
                let rest = reduced.plus(-sign, &other);
                if let Some((lo, hi)) = self.interval(&rest) {
                    narrow(Some(match sign {
                        1 => (lo + range.0, hi + range.1),
                        _ => (lo - range.1, hi - range.0),
                    }));
                }
            }
        }
        for bits in [32, 16, 8] {
            // What is known of the last bits.
            let number = relations.rows.reduced(&form.times(1 << (64 - bits))).as_number();
            if let Some(number) = number.filter(|n| n.trailing_zeros() >= 64 - bits) {
                let (last, modulus) = (i128::from(number >> (64 - bits)), 1i128 << bits);
                let up = (last - best.0).rem_euclid(modulus);
                let down = (best.1 - last).rem_euclid(modulus);
                best = (best.0 + up, best.1 - down);
            }
        }
        Some(best)
    }

    /// The same, with one more inequality where these do not tell whether a number is positive.
    pub(crate) fn bounds_closely(&self, form: &Form) -> Option<Interval> {
        /// With more of them it takes too long.
        const MOST: usize = 12;
        let mut best = self.bounds(form)?;
        let Some(relations) = &self.relations else { return Some(best) };
        let reduced = relations.rows.reduced(form);
        for s in relations.slack.iter().take(MOST) {
            if best.0 > 0 || best.1 < 0 {
                break;
            }
            let own = relations.rows.reduced(&Form::symbol(*s));
            let (low, high) = self.ranges[*s as usize].interval();
            for factor in factors(&reduced, &own) {
                let rest = form.plus(factor.wrapping_neg(), &Form::symbol(*s));
                let Some((lo, hi)) = self.bounds(&rest) else { continue };
                let (x, y) = (low * i128::from(factor), high * i128::from(factor));
                let (lo, hi) = (lo + x.min(y), hi + x.max(y));
                // As above: equal modulo 2^64, and not far apart.
                if best.1 - lo < MODULUS && hi - best.0 < MODULUS {
                    best = (best.0.max(lo), best.1.min(hi));
                }
            }
        }
        Some(best)
    }

    /// A value that is a sum, modulo 2^64, and in a range.
    pub fn define(&mut self, form: &Form, range: Range) -> Value {
        let bounds = self.bounds(form);
        let Some(relations) = &self.relations else { return Value::Range(range) };
        let reduced = relations.rows.reduced(form);
        if let Some(number) = reduced.as_number() {
            return Value::Int(number);
        }
        let is_it = |s: &Symbol| relations.rows.reduced(&Form::symbol(*s)) == reduced;
        if let Some(s) = (0..self.ranges.len() as Symbol).find(is_it) {
            return Value::Sym(s);
        }
        let fits = |(lo, hi): &Interval| i64::try_from(*lo).is_ok() && i64::try_from(*hi).is_ok();
        let range = bounds.filter(fits).map_or(range, |b| range.within(b));
        self.ranges.push(if range.is_empty() { full(IntKind::LONG) } else { range });
        let new = self.ranges.len() as Symbol - 1;
        self.relate(Form::symbol(new).minus(&reduced));
        Value::Sym(new)
    }

    /// A value of a type whose last bits are those of a sum: what is left when it wraps around.
    pub fn define_wrapped(&mut self, form: &Form, kind: IntKind) -> Value {
        let all = full(kind);
        let Some(relations) = &self.relations else { return Value::Range(all) };
        let factor = 1i64 << (64 - u32::from(kind.bits));
        let is_it = |s: &Symbol| {
            let difference = Form::symbol(*s).minus(form).times(factor);
            all.includes(self.ranges[*s as usize]) && relations.rows.entails(&difference)
        };
        if let Some(s) = (0..self.ranges.len() as Symbol).find(is_it) {
            return self.ranges[s as usize].single().map_or(Value::Sym(s), Value::Int);
        }
        self.ranges.push(all);
        let new = self.ranges.len() as Symbol - 1;
        self.relate(Form::symbol(new).minus(form).times(factor));
        Value::Sym(new)
    }

    /// The quotient and the remainder of a sum that is not negative by a positive number.
    pub fn divided(
        &mut self,
        form: &Form,
        by: i64,
        (lo, hi): (i64, i64),
    ) -> Option<(Value, Value)> {
        let relations = self.relations.as_ref()?;
        let remainders = Range::between(0, by - 1);
        let rest = |q: Symbol| form.plus(by.wrapping_neg(), &Form::symbol(q));
        // Where nothing wraps around there is one quotient only.
        let quotients = Range::between(0, i64::MAX / by - 1);
        let is_rest = |q: Symbol, r: &&Symbol| {
            remainders.includes(self.ranges[**r as usize])
                && quotients.includes(self.ranges[q as usize])
                && relations.rows.entails(&rest(q).minus(&Form::symbol(**r)))
        };
        let old = (0..self.ranges.len() as Symbol)
            .find_map(|q| Some((q, *relations.slack.iter().find(|r| is_rest(q, r))?)));
        if let Some((q, r)) = old {
            return Some((Value::Sym(q), Value::Sym(r)));
        }
        self.ranges.push(Range::between(lo / by, hi / by));
        let q = self.ranges.len() as Symbol - 1;
        let r = self.slack(&rest(q), remainders)?;
        Some((Value::Sym(q), Value::Sym(r)))
    }

    /// Says that a sum is 0, modulo 2^64.
    pub fn relate(&mut self, row: Form) {
        if let Some(relations) = &mut self.relations {
            relations.rows.add(row);
        }
    }

    /// Says that a sum is in a range; gives the slack.
    pub fn slack(&mut self, form: &Form, range: Range) -> Option<Symbol> {
        self.relations.as_ref()?;
        self.ranges.push(range);
        let slack = self.ranges.len() as Symbol - 1;
        self.relate(Form::symbol(slack).minus(form));
        self.relations.as_mut()?.slack.push(slack);
        Some(slack)
    }

    /// Says that one symbol is smaller than another one.
    pub fn order(&mut self, less: Symbol, more: Symbol) {
        let difference = Form::symbol(more).minus(&Form::symbol(less));
        let fits = |(_, hi): Interval| i64::try_from(hi).ok().filter(|_| self.relations.is_some());
        match self.interval(&difference).and_then(fits) {
            Some(hi) if hi >= 1 => {
                self.slack(&difference, Range::between(1, hi));
            }
            _ => self.less.push((less, more)),
        }
    }

    /// How many there are without some of them, if that may be: of a number that is not known, another
    /// one that is not known.
    pub(crate) fn fewer(&mut self, count: Value, by: i64) -> Value {
        let rest = Range::between(0, MOST_ELEMENTS);
        match count {
            Value::Int(i) => Value::Int(i.saturating_sub(by)),
            Value::Range(r) => {
                let less = |i: i64| i.saturating_sub(by).clamp(0, MOST_ELEMENTS);
                Value::Range(Range::between(less(r.lo), less(r.hi)))
            }
            Value::Sym(s) if self.relations.is_some() => {
                self.define(&Form::symbol(s).minus(&Form::number(by)), rest)
            }
            Value::Sym(_) => Value::Range(rest),
            v => v,
        }
    }

    /// Takes over the symbols of a graph that has become of this one.
    pub(crate) fn take_numbers(&mut self, from: Graph) {
        self.ranges = from.ranges;
        self.relations = from.relations;
    }

    /// Gives names to all integers that have none.
    #[must_use]
    pub(crate) fn all_named(&self) -> Graph {
        let mut out = self.counts_named();
        let mut ranges = std::mem::take(&mut out.ranges);
        let mut name = |v: Value| match v {
            Value::Range(r) => {
                ranges.push(r);
                Value::Sym(ranges.len() as Symbol - 1)
            }
            v => v,
        };
        let registers = out.locals.iter_mut().chain(&mut out.globals).chain(&mut out.held);
        registers.for_each(|v| *v = name(*v));
        for node in out.nodes.iter_mut().flatten() {
            std::sync::Arc::make_mut(node).map(&mut name);
        }
        out.ranges = ranges;
        out
    }

    /// Gives names to the numbers of elements that have none.
    #[must_use]
    pub(crate) fn counts_named(&self) -> Graph {
        let mut out = self.clone();
        for id in self.ids() {
            let Node::Summary(s) = self.node(id) else { continue };
            let range = match s.count {
                Value::Range(r) => r,
                Value::Any if s.kind == Kind::Segment => {
                    Range::between(s.least.into(), MOST_ELEMENTS)
                }
                _ => continue,
            };
            out.ranges.push(range);
            let named = Value::Sym(out.ranges.len() as Symbol - 1);
            if let Node::Summary(s) = out.node_mut(id) {
                s.count = named;
            }
        }
        out
    }

    /// Finds out what equations say of ranges, and which symbols are equal. Whether there may be a
    /// memory.
    pub fn refine(&mut self) -> bool {
        /// Ranges that still become smaller after so many rounds may stay as they are.
        const ROUNDS: usize = 12;
        if self.relations.is_none() {
            return true;
        }
        for _ in 0..ROUNDS {
            let before = (self.ranges.clone(), self.relations.clone());
            let mut possible = self.refine_counts();
            let rows: Vec<Form> = self.equations().rows().cloned().collect();
            possible &= rows.iter().all(|row| self.refine_row(row));
            possible &= self.refine_symbols();
            if !possible || self.equations().is_contradictory() {
                return false;
            }
            if (&before.0, &before.1) == (&self.ranges, &self.relations) {
                break;
            }
        }
        true
    }

    fn equations(&self) -> &System {
        static NONE: System = System::NONE;
        self.relations.as_ref().map_or(&NONE, |r| &r.rows)
    }

    /// Puts a symbol into an interval; whether it may be there.
    fn narrow(&mut self, s: Symbol, interval: Interval) -> bool {
        let range = self.ranges[s as usize].within(interval);
        if range.is_empty() {
            return false;
        }
        if range != self.ranges[s as usize] {
            self.ranges[s as usize] = range;
            if let Some(i) = range.single() {
                self.set_symbol(s, Value::Int(i));
            }
        }
        true
    }

    /// Counts are as many as summaries have at least, and the other way round.
    fn refine_counts(&mut self) -> bool {
        let ids: Vec<u32> = self.ids().collect();
        for id in ids {
            // An earlier one may have been the only way to it.
            let Some(Node::Summary(s)) = self.nodes[id as usize].as_deref() else { continue };
            let (count, least) = (s.count, s.least);
            let Some(range) = self.range(count) else { continue };
            let possible = (i128::from(least), i128::from(MOST_ELEMENTS));
            let range = range.within(possible);
            if range.is_empty() {
                return false;
            }
            match count {
                Value::Sym(s) if !self.narrow(s, possible) => return false,
                _ => {}
            }
            if range.hi == 0 {
                if let Some(without) = emptied(self, id) {
                    *self = without;
                }
            } else if range.lo >= 1
                && least == 0
                && let Node::Summary(s) = self.node_mut(id)
            {
                s.least = 1;
            }
        }
        true
    }

    /// If a row says that a sum is one number, its symbols cannot be far from the others.
    fn refine_row(&mut self, row: &Form) -> bool {
        let twos = row.twos();
        let divided = Form {
            terms: row.terms.iter().map(|(s, a)| (*s, a >> twos)).collect(),
            constant: row.constant >> twos,
        };
        let modulus = MODULUS >> twos;
        let Some((lo, hi)) = self.interval(&divided) else { return true };
        let first = lo + (-lo).rem_euclid(modulus);
        if first > hi {
            return false;
        }
        if first + modulus <= hi {
            return true;
        }
        for (s, a) in &divided.terms {
            let Some((lo, hi)) = self.interval(&divided) else { return true };
            let (x, y) = self.ranges[*s as usize].interval();
            let a = i128::from(*a);
            let (least, most) = ((x * a).min(y * a), (x * a).max(y * a));
            // What the multiple of the symbol is: the number without all others.
            let (lo, hi) = (first - (hi - most), first - (lo - least));
            let (down, up) =
                (|n: i128, a: i128| n.div_euclid(a), |n: i128, a: i128| -(-n).div_euclid(a));
            let interval = match a > 0 {
                true => (up(lo, a), down(hi, a)),
                false => (up(-hi, -a), down(-lo, -a)),
            };
            if !self.narrow(*s, interval) {
                return false;
            }
        }
        true
    }

    /// Symbols that are sums of few others are where these are; equal ones become one.
    fn refine_symbols(&mut self) -> bool {
        let symbols = self.relations.as_ref().map_or(Vec::new(), Relations::symbols);
        for s in &symbols {
            if let Some(bounds) = self.bounds(&Form::symbol(*s))
                && !self.narrow(*s, bounds)
            {
                return false;
            }
        }
        for (i, s) in symbols.iter().enumerate() {
            for t in &symbols[..i] {
                let difference = Form::symbol(*s).minus(&Form::symbol(*t));
                let (one, two) = (self.ranges[*s as usize], self.ranges[*t as usize]);
                if one.single().is_some() || two.single().is_some() {
                    continue;
                }
                let near = i128::from(one.hi) - i128::from(two.lo) < 1 << 32
                    && i128::from(two.hi) - i128::from(one.lo) < 1 << 32;
                let rows = self.equations();
                let equal =
                    rows.entails(&difference) || (near && rows.entails(&difference.times(1 << 32)));
                if equal {
                    if !self.narrow(*t, one.interval()) {
                        return false;
                    }
                    let same = self.ranges[*t as usize];
                    self.ranges[*s as usize] = same;
                    if self.stands_somewhere(*s) {
                        self.set_symbol(*s, same.single().map_or(Value::Sym(*t), Value::Int));
                    }
                }
            }
        }
        true
    }

    fn stands_somewhere(&self, s: Symbol) -> bool {
        let is_it = |v: Value| v == Value::Sym(s);
        self.roots().any(is_it)
            || self.ids().any(|id| self.node(id).values().into_iter().any(is_it))
    }
}

impl Relations {
    /// With other names for symbols; those without one are forgotten.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(Symbol) -> Option<Symbol>) -> Relations {
        let slack = self.slack.iter().filter_map(|s| name(*s)).collect();
        Relations { rows: self.rows.renamed(name), slack }
    }
}

impl Graph {
    /// What is known of the symbols that stand somewhere, and of the slacks that say something of
    /// them: each is given by an equation, and in the order of these.
    pub(crate) fn relations_of(&self, symbols: &[Symbol]) -> Option<Relations> {
        let known = self.relations.as_ref()?;
        let mut slack: Vec<Symbol> =
            known.slack.iter().copied().filter(|s| !symbols.contains(s)).collect();
        slack.sort_unstable();
        slack.dedup();
        let keep = |slack: &[Symbol]| {
            known.rows.renamed(|s| (symbols.contains(&s) || slack.contains(&s)).then_some(s))
        };
        let mut rows = keep(&slack);
        for s in slack.clone() {
            let others: Vec<Symbol> = slack.iter().copied().filter(|o| *o != s).collect();
            let without = keep(&others);
            let given = given_by(&rows, s, &others);
            let graph = Graph {
                ranges: self.ranges.clone(),
                relations: Some(Relations { rows: without.clone(), slack: others.clone() }),
                ..Graph::default()
            };
            // One that follows from the others says nothing.
            let says = given.as_ref().is_some_and(|form| {
                let bounds = graph.bounds(form);
                let (lo, hi) = self.ranges[s as usize].interval();
                !bounds.is_some_and(|(x, y)| lo <= x && y <= hi)
            });
            if !says {
                (slack, rows) = (others, without);
            }
        }
        let position = |s: &Symbol| symbols.iter().position(|o| o == s);
        let all = slack.clone();
        slack.sort_by_cached_key(|s| {
            let others: Vec<Symbol> = all.iter().copied().filter(|o| o != s).collect();
            let form = given_by(&rows, *s, &others).unwrap_or_default();
            let terms: Vec<_> = form.terms.iter().map(|(s, a)| (position(s), *a)).collect();
            (terms, form.constant, self.ranges[*s as usize])
        });
        Some(Relations { rows, slack })
    }
}

/// How often one sum may be in another one, by what they have in common.
fn factors(form: &Form, part: &Form) -> Vec<i64> {
    /// Larger ones are no sizes of elements.
    const MOST: u64 = 1 << 16;
    let mut all = Vec::new();
    for (s, a) in form.terms.iter().take(4) {
        let Some((_, b)) = part.terms.iter().find(|(t, _)| t == s) else { continue };
        let small = |i: i64| i != 0 && i.unsigned_abs() <= MOST;
        if small(*a) && small(*b) && a % b == 0 && !all.contains(&(a / b)) {
            all.push(a / b);
        }
    }
    all
}

/// What a symbol is, in symbols that are no slacks.
pub(crate) fn given_by(rows: &System, s: Symbol, others: &[Symbol]) -> Option<Form> {
    let last = Symbol::MAX >> 3;
    let rows = rows.renamed(|o| match o == s {
        true => Some(last),
        false => (!others.contains(&o)).then_some(o),
    });
    let row = rows.rows().find(|row| row.terms.first().is_some_and(|(s, _)| *s == last))?;
    let rest = Form { terms: row.terms[1..].to_vec(), constant: row.constant };
    (row.terms[0].1 == 1).then(|| rest.times(-1))
}
