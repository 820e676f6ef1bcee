//! Integers change: a variable, or a data field of one cell.
//!
//! A statement is looked at for every class of every integer variable in it, and a cell that is read
//! for every value that its colours leave, so that what is known of both together stays known.

use std::collections::{BTreeMap, BTreeSet};

use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Pattern, Targets};
use trellis_patterns::program::{Access, IntExpr};
use trellis_patterns::values::{Orders, Values};
use trellis_patterns::words::{Colour, Order, PatternWords, Predicate};
use trellis_program::IntKind;

use super::coerce::{coerce, mask_of};
use super::colours::{is_certain, relabel, widen_all, with_lane};
use super::values::{Evaluator, known_orders, singles, split};
use super::{Post, Results};

impl Post<'_> {
    /// `dst = var->data`.
    pub(super) fn load_data(
        &self,
        pattern: &Pattern,
        dst: usize,
        from: &Access,
        to: &mut Results<'_>,
    ) {
        let Some(node) = self.node(pattern, from.var, from.record, to) else { return };
        let record = &self.words().records[from.record];
        let lane = record.predicate(Predicate::Data(from.field));
        // Cells that the integers can tell apart are looked at one by one.
        let pairs: Vec<(usize, usize)> = self.lanes_of_pairs(dst, from);
        let mut cases: BTreeMap<Vec<u8>, BTreeSet<Colour>> = BTreeMap::new();
        for colour in &pattern.nodes[node].colours {
            let data = lane.map_or(0, |l| colour.get(l));
            let key = std::iter::once(data).chain(pairs.iter().map(|(_, l)| colour.get(*l)));
            cases.entry(key.collect()).or_default().insert(*colour);
        }
        for (key, colours) in cases {
            let mut next = pattern.clone();
            next.nodes[node].colours = colours;
            self.forget_orders(&mut next, dst);
            next.scalars[dst] = match lane {
                None => anything(self.words(), dst),
                Some(_) => match usize::from(key[0]).checked_sub(1) {
                    None => Values::UNDEFINED,
                    Some(class) => Values::class(class),
                },
            };
            for ((other, _), order) in pairs.iter().zip(&key[1..]) {
                self.know_order(&mut next, dst, *other, orders_of(*order));
            }
            let equal = Predicate::Against { field: from.field, scalar: dst };
            if let Some(l) = record.predicate(equal)
                && key[0] != 0
            {
                let colours = &mut next.nodes[node].colours;
                colours.retain(|c| c.get(l) == Order::Equal as u8);
            }
            to.out.extend(coerce(self.words(), next));
        }
    }

    /// The integer variables whose order against `dst` is spoken of, with the lane that says how the
    /// field is ordered against them.
    fn lanes_of_pairs(&self, dst: usize, from: &Access) -> Vec<(usize, usize)> {
        let record = &self.words().records[from.record];
        let partner = |(a, b): &(usize, usize)| match dst {
            d if d == *a => Some(*b),
            d if d == *b => Some(*a),
            _ => None,
        };
        let others = self.words().pairs.iter().filter_map(partner);
        let lane = |s: usize| record.predicate(Predicate::Against { field: from.field, scalar: s });
        others.filter_map(|s| Some((s, lane(s)?))).collect()
    }

    /// `var->data = value`.
    pub(super) fn store_data(
        &self,
        pattern: &Pattern,
        at: &Access,
        value: &IntExpr,
        to: &mut Results<'_>,
    ) {
        if self.node(pattern, at.var, at.record, to).is_none() {
            return;
        }
        let kind = self.words().records[at.record].data[at.field].kind;
        for case in split(pattern, value) {
            let Some(case) = coerce(self.words(), case) else { continue };
            let node = self.there(&case, at);
            let mut evaluator = Evaluator::new(self.program, &case);
            let found = evaluator.eval(value, kind);
            let classes = found.map(|v| evaluator.classes(v));
            let copied = evaluator.variable(value);
            let faults = std::mem::take(&mut evaluator.faults);
            self.faults(to, &faults);
            let Some(classes) = classes else { continue };
            let mut next = case.clone();
            self.write_data(&mut next, (node, at.field), classes, copied);
            to.out.extend(coerce(self.words(), next));
        }
    }

    /// The data field of a plain node gets a value of these classes, that of an integer variable if
    /// one is given.
    pub(super) fn write_data(
        &self,
        next: &mut Pattern,
        (node, field): (usize, usize),
        classes: Values,
        copied: Option<usize>,
    ) {
        let words = self.words();
        let record = next.nodes[node].record;
        let predicates = &words.records[record].predicates;
        let mut colours = next.nodes[node].colours.clone();
        for (lane, predicate) in predicates.iter().enumerate() {
            let values: Vec<u8> = match *predicate {
                Predicate::Data(f) if f == field => singles(classes)
                    .into_iter()
                    .map(|v| v.only().map_or(0, |c| c as u8 + 1))
                    .collect(),
                Predicate::Against { field: f, scalar } if f == field => match copied {
                    Some(from) => {
                        let mut mask = mask_of(known_orders(self.program, next, from, scalar));
                        let undefined = |s: usize| next.scalars[s].may_be_undefined();
                        if undefined(from) || undefined(scalar) {
                            mask |= 1;
                        }
                        (0..4).filter(|v| mask & 1 << v != 0).collect()
                    }
                    None => (0..4).collect(),
                },
                Predicate::Neighbour { field: f, .. } if f == field => (0..4).collect(),
                _ => continue,
            };
            colours = with_lane(&colours, lane, &values);
        }
        next.nodes[node].colours = colours;
        // What is said of the cells before it changes too.
        for k in 0..next.nodes.len() {
            let of = &words.records[next.nodes[k].record];
            for (lane, predicate) in of.predicates.iter().enumerate() {
                let Predicate::Neighbour { over, other, .. } = *predicate else { continue };
                let leads = next.nodes[k].fields[over].includes(Targets::node(node));
                if leads && other == field && of.pointers[over].to == Some(record) {
                    let certain = is_certain(next, k, over);
                    relabel(next, k, lane, &[0, 1, 2, 3], certain, |_| true);
                }
            }
        }
    }

    /// `dst = value`.
    pub(super) fn set(&self, pattern: &Pattern, dst: usize, value: &IntExpr, to: &mut Results<'_>) {
        let kind = self.words().scalars[dst].kind;
        let mut results = Vec::new();
        for case in split(pattern, value) {
            let Some(case) = coerce(self.words(), case) else { continue };
            let mut evaluator = Evaluator::new(self.program, &case);
            let found = evaluator.eval(value, kind);
            let classes = found.map(|v| evaluator.classes(v));
            let copied = evaluator.variable(value);
            let faults = std::mem::take(&mut evaluator.faults);
            self.faults(to, &faults);
            let Some(classes) = classes else { continue };
            let mut next = case.clone();
            if copied != Some(dst) {
                self.forget_orders(&mut next, dst);
                next.scalars[dst] = classes;
            }
            if let Some(from) = copied.filter(|from| *from != dst) {
                self.copy_orders(&case, &mut next, from, dst);
            }
            results.extend(coerce(self.words(), next));
        }
        to.out.extend(results);
    }

    /// A number is computed and forgotten: the cases in which it has a value go on.
    pub(super) fn evaluate(
        &self,
        pattern: &Pattern,
        value: &IntExpr,
        kind: IntKind,
        to: &mut Results<'_>,
    ) {
        for case in split(pattern, value) {
            let Some(case) = coerce(self.words(), case) else { continue };
            let mut evaluator = Evaluator::new(self.program, &case);
            let has_value = evaluator.eval(value, kind).is_some();
            let faults = std::mem::take(&mut evaluator.faults);
            self.faults(to, &faults);
            if has_value {
                to.out.push(case);
            }
        }
    }

    /// What is known of one integer variable is known of its copy.
    fn copy_orders(&self, before: &Pattern, next: &mut Pattern, from: usize, dst: usize) {
        for other in 0..self.words().scalars.len() {
            if other == from {
                self.know_order(next, dst, from, Orders::EQUAL);
            } else if other != dst {
                let known = known_orders(self.program, before, from, other);
                self.know_order(next, dst, other, known);
            }
        }
        for node in &mut next.nodes {
            let record = &self.words().records[node.record];
            for (lane, predicate) in record.predicates.iter().enumerate() {
                let Predicate::Against { field, scalar } = *predicate else { continue };
                let twin = Predicate::Against { field, scalar: from };
                if let Some(of) = record.predicate(twin).filter(|_| scalar == dst) {
                    node.colours.retain(|c| c.get(lane) == c.get(of));
                }
            }
        }
    }

    /// An integer becomes any value of its type.
    pub(super) fn havoc(&self, pattern: &Pattern, dst: usize, to: &mut Results<'_>) {
        let mut next = pattern.clone();
        self.forget_orders(&mut next, dst);
        next.scalars[dst] = self.words().partition.all(self.words().scalars[dst].kind);
        to.out.extend(coerce(self.words(), next));
    }

    pub(super) fn know_order(&self, pattern: &mut Pattern, a: usize, b: usize, orders: Orders) {
        let pair = (a.min(b), a.max(b));
        if let Some(i) = self.words().pairs.iter().position(|p| *p == pair) {
            let orders = if a < b { orders } else { orders.turned() };
            if orders != Orders::NONE {
                pattern.orders[i] = pattern.orders[i].and(orders);
            }
        }
    }

    pub(super) fn forget_orders(&self, pattern: &mut Pattern, scalar: usize) {
        for (i, (a, b)) in self.words().pairs.iter().enumerate() {
            if *a == scalar || *b == scalar {
                pattern.orders[i] = Orders::ANY;
            }
        }
        let against =
            |p: &Predicate| matches!(p, Predicate::Against { scalar: s, .. } if *s == scalar);
        widen_all(self.words(), pattern, &against);
    }
}

/// Any value of an integer variable, or none.
pub fn anything(words: &PatternWords, scalar: usize) -> Values {
    words.partition.all(words.scalars[scalar].kind).or(Values::UNDEFINED)
}

fn orders_of(order: u8) -> Orders {
    Orders(1u8.checked_shl(u32::from(order)).unwrap_or(0) >> 1)
}

/// Narrows orders by a comparison of two integer variables that came out so.
pub fn refine_orders(program: &PatternProgram, pattern: &mut Pattern, cond: &IntExpr, holds: bool) {
    match cond {
        IntExpr::Not(inner) => refine_orders(program, pattern, inner, !holds),
        IntExpr::Cmp(op, _, a, b) => {
            let evaluator = Evaluator::new(program, pattern);
            let (Some(a), Some(b)) = (evaluator.variable(a), evaluator.variable(b)) else { return };
            let pair = (a.min(b), a.max(b));
            let Some(i) = program.words.pairs.iter().position(|p| *p == pair) else { return };
            let holding = Orders::holding(*op);
            let orders = if holds { holding } else { Orders(Orders::ANY.0 & !holding.0) };
            let orders = if a < b { orders } else { orders.turned() };
            pattern.orders[i] = pattern.orders[i].and(orders);
        }
        _ => {}
    }
}

/// Patterns that differ in the value of one integer variable only are one again.
pub fn regrouped(patterns: Vec<Pattern>) -> Vec<Pattern> {
    let mut out: Vec<Pattern> = Vec::new();
    'next: for pattern in patterns {
        for other in &mut out {
            if other.vars == pattern.vars
                && other.nodes == pattern.nodes
                && other.orders == pattern.orders
            {
                let differ =
                    other.scalars.iter().zip(&pattern.scalars).filter(|(a, b)| a != b).count();
                if differ <= 1 {
                    let both = other.scalars.iter_mut().zip(&pattern.scalars);
                    both.for_each(|(a, b)| *a = a.or(*b));
                    continue 'next;
                }
            }
        }
        out.push(pattern);
    }
    out
}
