//! The colours of nodes after a run: values of predicates that look at something that was written are
//! computed anew.

use std::collections::BTreeSet;

use super::{Names, Number, Origin, Results};
use crate::pattern::{Pattern, Target, Targets};
use crate::values::{Orders, Values};
use crate::words::{Colour, Order, Predicate};

impl Results<'_> {
    /// The colours of a node now: of every old one, what it may have become.
    pub(super) fn colours(
        &self,
        names: &Names<'_>,
        now: &Pattern,
        node: usize,
    ) -> Result<BTreeSet<Colour>, String> {
        /// More colours of one node are not followed.
        const MOST_COLOURS: usize = 100_000;
        let origin = names.origins[node];
        let old = match origin {
            Origin::Summary(n) => self.before.nodes[n].colours.clone(),
            Origin::Object(id) => match self.partial.nodes.get(&id) {
                Some(n) => self.before.nodes[*n].colours.clone(),
                None => [Colour::default()].into(),
            },
        };
        let predicates = &self.words.records[now.nodes[node].record].predicates;
        let mut out = BTreeSet::new();
        for colour in old {
            let mut made = vec![Colour::default()];
            for (lane, predicate) in predicates.iter().enumerate() {
                let values = self.lane(names, now, node, colour, lane, *predicate);
                let each = made.iter().flat_map(|c| values.iter().map(|v| c.with(lane, *v)));
                made = each.collect();
            }
            out.extend(made);
            if out.len() > MOST_COLOURS {
                return Err("too many colours".to_owned());
            }
        }
        Ok(out)
    }

    /// The values that a predicate may have now for a cell of an old colour.
    fn lane(
        &self,
        names: &Names<'_>,
        now: &Pattern,
        node: usize,
        old: Colour,
        lane: usize,
        predicate: Predicate,
    ) -> BTreeSet<u8> {
        let (origin, record) = (names.origins[node], now.nodes[node].record);
        let of = &self.words.records[record];
        let same = || BTreeSet::from([old.get(lane)]);
        match predicate {
            Predicate::Data(f) => match self.data(origin, record, f) {
                Number::Old(_) => same(),
                number => class_values(self.values(number)),
            },
            Predicate::Against { field: f, scalar } => {
                let (data, kind) = (self.old_data(origin, record, f, old), of.data[f].kind);
                let its = (self.scalar(scalar), self.words.scalars[scalar].kind);
                let possible = order_values(data.iter().map(|d| self.compared((*d, kind), its)));
                let unwritten = self.is_old(origin, of.data[f].offset);
                // The variable holds what some variable held at the start: that has a value.
                let held = match its.0 {
                    Number::Symbol(s) => {
                        let held = self.partial.started.iter().filter(|(_, t)| **t == s);
                        let lanes = held.filter_map(|(v, _)| {
                            of.predicate(Predicate::Against { field: f, scalar: *v })
                        });
                        lanes.into_iter().next()
                    }
                    Number::Class(c) => {
                        let is_constant = self.words.partition.constant(c).is_some();
                        let same = self.before.scalars[scalar] == Values::class(c);
                        (is_constant && same).then_some(lane)
                    }
                    Number::Undefined | Number::Old(_) => None,
                };
                match held.filter(|_| unwritten) {
                    Some(lane) => possible.into_iter().filter(|v| *v == old.get(lane)).collect(),
                    None => possible,
                }
            }
            Predicate::Neighbour { field: f, over, other } => {
                self.neighbour(names, now, node, old, lane, (f, over, other))
            }
            Predicate::Inverse { over, back } => {
                self.inverse(names, now, node, old, lane, (over, back))
            }
            Predicate::Is { field: f, pointer } => {
                let (targets, var) = (now.nodes[node].fields[f], now.vars[pointer]);
                let same_targets = match var {
                    Target::Null => Targets::NULL,
                    Target::Node(n) => Targets::node(n),
                    Target::Freed | Target::Undefined => Targets::NONE,
                    Target::Dead => return BTreeSet::from([0, 1]),
                };
                let mut out = BTreeSet::new();
                if !targets.and(same_targets).is_none() {
                    out.insert(1);
                }
                if !targets.without(same_targets).is_none() {
                    out.insert(0);
                }
                let unwritten = self.is_old(origin, of.pointers[f].offset);
                let before = Targets::of(self.before.vars[pointer]);
                let unmoved = self.before.vars[pointer] != Target::Dead
                    && self.renamed(names, before) == Targets::of(var);
                if unwritten && unmoved && out.len() > 1 { same() } else { out }
            }
            Predicate::Entered => self.entered(names, now, node, old.get(lane)),
        }
    }

    /// Fields that the run has not seen lead where they led before. An object that one of them led to
    /// is still entered, unless that field may be one that the run has overwritten or freed.
    fn entered(&self, names: &Names<'_>, now: &Pattern, node: usize, old: u8) -> BTreeSet<u8> {
        let Origin::Object(id) = names.origins[node] else { return BTreeSet::from([old]) };
        let me = Targets::node(node);
        let plain = || now.nodes.iter().filter(|n| !n.summary);
        if plain().any(|n| n.fields.contains(&me)) {
            return BTreeSet::from([1]);
        }
        let Some(before) = self.partial.nodes.get(&id) else { return BTreeSet::from([0]) };
        let led = |(n, from): (&usize, &trellis_program::concrete::ObjId)| {
            let of = &self.before.nodes[*n];
            let gone = !names.number.contains_key(from);
            let fields = self.words.records[of.record].pointers.iter().zip(&of.fields);
            let changed = fields.filter(|(f, _)| gone || self.is_written(*from, f.offset));
            changed.into_iter().any(|(_, t)| t.includes(Targets::node(*before)))
        };
        match old {
            1 if self.partial.objects.iter().any(led) => BTreeSet::from([0, 1]),
            old => BTreeSet::from([old]),
        }
    }

    /// The numbers that a data field may be, given the old colour of its cell.
    fn old_data(&self, origin: Origin, record: usize, f: usize, old: Colour) -> Vec<Number> {
        match self.data(origin, record, f) {
            Number::Old(Some(lane)) => vec![match old.get(lane) {
                0 => Number::Undefined,
                v => Number::Class(usize::from(v) - 1),
            }],
            Number::Old(None) => vec![Number::Undefined, Number::Old(None)],
            number => vec![number],
        }
    }

    /// How two numbers compare: a set of orders, and whether one may be undefined.
    fn compared(
        &self,
        a: (Number, trellis_program::IntKind),
        b: (Number, trellis_program::IntKind),
    ) -> (Orders, bool) {
        let undefined = self.values(a.0).may_be_undefined() || self.values(b.0).may_be_undefined();
        (self.orders(a, b), undefined)
    }

    fn neighbour(
        &self,
        names: &Names<'_>,
        now: &Pattern,
        node: usize,
        old: Colour,
        lane: usize,
        (f, over, other): (usize, usize, usize),
    ) -> BTreeSet<u8> {
        let (origin, record) = (names.origins[node], now.nodes[node].record);
        let of = &self.words.records[record];
        let mine_old =
            self.is_old(origin, of.data[f].offset) && self.is_old(origin, of.pointers[over].offset);
        self.for_each_cell(now, node, over, |there, out| {
            let (its_origin, its_record) = (names.origins[there], now.nodes[there].record);
            let its = &self.words.records[its_record].data[other];
            if mine_old && self.is_old(its_origin, its.offset) {
                out.insert(old.get(lane));
                return;
            }
            let data = self.old_data(origin, record, f, old);
            let number = self.data(its_origin, its_record, other);
            let compared =
                data.iter().map(|d| self.compared((*d, of.data[f].kind), (number, its.kind)));
            let mut orders = order_values(compared);
            if let Some(known) = self.against_start(origin, record, f, &[old].into(), number) {
                orders.retain(|o| known.contains(o));
            }
            let its_old = self.old_colours(its_origin);
            if let [mine] = data.as_slice()
                && let Some(known) =
                    self.against_start(its_origin, its_record, other, &its_old, *mine)
            {
                orders.retain(|o| known.contains(&turned(*o)));
            }
            let here = (origin, record, f, &BTreeSet::from([old]));
            let there = (its_origin, its_record, other, &its_old);
            if let Some(known) = self.composed(here, there) {
                orders.retain(|o| known.contains(o));
            }
            out.extend(orders);
        })
    }

    /// How a data field that the run has not written is ordered against a number that a variable held
    /// at the start, if the colours of its cell say so.
    fn against_start(
        &self,
        origin: Origin,
        record: usize,
        f: usize,
        colours: &BTreeSet<Colour>,
        number: Number,
    ) -> Option<BTreeSet<u8>> {
        let of = &self.words.records[record];
        let Number::Symbol(symbol) = number else { return None };
        let unwritten = self.is_old(origin, of.data[f].offset);
        let held = self.partial.started.iter().filter(|(_, s)| **s == symbol);
        let mut lanes = held
            .filter_map(|(v, _)| of.predicate(Predicate::Against { field: f, scalar: *v }))
            .filter(|_| unwritten);
        let lane = lanes.next()?;
        Some(colours.iter().map(|c| c.get(lane)).collect())
    }

    /// How two data fields that the run has not written are ordered by how both are ordered against
    /// what one variable held at the start.
    fn composed(&self, a: Unwritten<'_>, b: Unwritten<'_>) -> Option<BTreeSet<u8>> {
        let unwritten = |(origin, record, f, _): Unwritten<'_>| {
            self.is_old(origin, self.words.records[record].data[f].offset)
        };
        if !unwritten(a) || !unwritten(b) || b.3.is_empty() {
            return None;
        }
        let mut known: Option<BTreeSet<u8>> = None;
        for (lane, predicate) in self.words.records[a.1].predicates.iter().enumerate() {
            let Predicate::Against { field, scalar } = *predicate else { continue };
            let there = Predicate::Against { field: b.2, scalar };
            let Some(other) = self.words.records[b.1].predicate(there) else { continue };
            if field != a.2 {
                continue;
            }
            let pairs = a.3.iter().flat_map(|c| b.3.iter().map(|d| (c.get(lane), d.get(other))));
            let orders: BTreeSet<u8> = pairs.flat_map(|(x, y)| through(x, y)).copied().collect();
            known = Some(match known {
                None => orders,
                Some(known) => known.intersection(&orders).copied().collect(),
            });
        }
        known
    }

    /// The colours of a node at the start; none of a new object.
    fn old_colours(&self, origin: Origin) -> BTreeSet<Colour> {
        let node = match origin {
            Origin::Summary(n) => Some(n),
            Origin::Object(id) => self.partial.nodes.get(&id).copied(),
        };
        node.map(|n| self.before.nodes[n].colours.clone()).unwrap_or_default()
    }

    fn inverse(
        &self,
        names: &Names<'_>,
        now: &Pattern,
        node: usize,
        old: Colour,
        lane: usize,
        (over, back): (usize, usize),
    ) -> BTreeSet<u8> {
        let origin = names.origins[node];
        let of = &self.words.records[now.nodes[node].record];
        let mine_old = self.is_old(origin, of.pointers[over].offset);
        self.for_each_cell(now, node, over, |there, out| {
            let offset = self.words.records[now.nodes[there].record].pointers[back].offset;
            let its_old = self.is_old(names.origins[there], offset);
            let (leads, me) = (now.nodes[there].fields[back], Targets::node(node));
            if mine_old && its_old {
                // As it was, unless the cell there is gone.
                out.insert(old.get(lane));
                return;
            }
            // A cell that the run has not seen is nowhere that the run wrote.
            let back_here = leads.includes(me) && (its_old || !now.nodes[node].summary);
            if back_here {
                out.insert(2);
            }
            if now.nodes[node].summary || leads != me {
                out.insert(1);
            }
        })
    }

    /// Whether a field is as it was at the start.
    fn is_old(&self, origin: Origin, offset: u32) -> bool {
        match origin {
            Origin::Summary(_) => true,
            Origin::Object(id) => !self.is_written(id, offset),
        }
    }

    /// The values of a predicate about what a field leads to: none of them where that is no cell of
    /// its record, else what is said of the node there.
    fn for_each_cell(
        &self,
        now: &Pattern,
        node: usize,
        over: usize,
        said: impl Fn(usize, &mut BTreeSet<u8>),
    ) -> BTreeSet<u8> {
        let to = self.words.records[now.nodes[node].record].pointers[over].to;
        let mut out = BTreeSet::new();
        for target in now.nodes[node].fields[over].iter() {
            match target {
                Target::Node(m) if Some(now.nodes[m].record) == to => said(m, &mut out),
                _ => drop(out.insert(0)),
            }
        }
        out
    }
}

/// A data field of a cell, with the colours that the cell had at the start.
type Unwritten<'a> = (Origin, usize, usize, &'a BTreeSet<Colour>);

/// The orders of two numbers that are ordered so against a third.
fn through(a: u8, b: u8) -> &'static [u8] {
    const LESS: u8 = Order::Less as u8;
    const EQUAL: u8 = Order::Equal as u8;
    const GREATER: u8 = Order::Greater as u8;
    match (a, b) {
        (LESS, EQUAL | GREATER) | (EQUAL, GREATER) => &[LESS],
        (GREATER, EQUAL | LESS) | (EQUAL, LESS) => &[GREATER],
        (EQUAL, EQUAL) => &[EQUAL],
        (LESS, LESS) | (GREATER, GREATER) => &[LESS, EQUAL, GREATER],
        _ => &[Order::None as u8, LESS, EQUAL, GREATER],
    }
}

/// An order the other way round.
fn turned(order: u8) -> u8 {
    match order {
        o if o == Order::Less as u8 => Order::Greater as u8,
        o if o == Order::Greater as u8 => Order::Less as u8,
        other => other,
    }
}

fn class_values(values: Values) -> BTreeSet<u8> {
    let undefined = values.may_be_undefined().then_some(0);
    undefined.into_iter().chain(values.classes().map(|c| c as u8 + 1)).collect()
}

fn order_values(compared: impl Iterator<Item = (Orders, bool)>) -> BTreeSet<u8> {
    let mut out = BTreeSet::new();
    for (orders, undefined) in compared {
        if undefined {
            out.insert(Order::None as u8);
        }
        let each = [
            (Orders::LESS, Order::Less),
            (Orders::EQUAL, Order::Equal),
            (Orders::GREATER, Order::Greater),
        ];
        let there = each.into_iter().filter(|(o, _)| orders.includes(*o));
        out.extend(there.map(|(_, v)| v as u8));
    }
    out
}
