//! Updates: one pointer, one field, one cell, one integer at a time, and what that does to colours.
//!
//! A predicate that an update may change is given all its values first; coerce then leaves those
//! that the new graph allows. A node whose cells need not all be concerned keeps its old colours
//! besides.

use std::collections::{BTreeMap, BTreeSet};

use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::program::{Access, IntExpr, Source};
use trellis_patterns::values::{Orders, Values};
use trellis_patterns::words::{Colour, Order, Predicate, Words};
use trellis_program::CheckKind;

use super::coerce::{coerce, incoming, mask_of};
use super::focus::{edge_number, focus};
use super::reach::settle;
use super::values::{Evaluator, known_orders, singles, split};
use super::{Post, Results, TooLarge, target};

impl Post<'_> {
    fn words(&self) -> &Words {
        &self.program.words
    }

    /// What is left when pointers to the nodes `cut` were overwritten.
    fn finish(&self, pattern: Pattern, cut: &[usize], to: &mut Results<'_>) {
        let settled = settle(self.words(), pattern, cut);
        if settled.lost {
            self.failed(to, CheckKind::Leak, 0);
        }
        to.out.extend(coerce(self.words(), settled.pattern));
    }

    /// `dst` leads elsewhere.
    pub(super) fn assign(
        &self,
        pattern: &Pattern,
        dst: usize,
        value: Target,
        to: &mut Results<'_>,
    ) {
        let mut next = pattern.clone();
        let old = std::mem::replace(&mut next.vars[dst], value);
        let compares =
            |p: &Predicate| matches!(p, Predicate::Is { pointer, .. } if *pointer == dst);
        widen_all(self.words(), &mut next, &compares);
        let cut: Vec<usize> = node_of(old).into_iter().collect();
        self.finish(next, &cut, to);
    }

    /// Some variables are not read any more.
    pub fn forget(
        &self,
        pattern: &Pattern,
        pointers: &[bool],
        scalars: &[bool],
    ) -> (Option<Pattern>, bool) {
        let mut next = pattern.clone();
        let mut cut = Vec::new();
        for (v, live) in pointers.iter().enumerate() {
            if !live && next.vars[v] != Target::Dead {
                cut.extend(node_of(std::mem::replace(&mut next.vars[v], Target::Dead)));
                let is =
                    |p: &Predicate| matches!(p, Predicate::Is { pointer, .. } if *pointer == v);
                widen_all(self.words(), &mut next, &is);
            }
        }
        for (s, live) in scalars.iter().enumerate() {
            if !live {
                next.scalars[s] = anything(self.words(), s);
                self.forget_orders(&mut next, s);
            }
        }
        let settled = settle(self.words(), next, &cut);
        (coerce(self.words(), settled.pattern), settled.lost)
    }

    fn forget_orders(&self, pattern: &mut Pattern, scalar: usize) {
        for (i, (a, b)) in self.words().pairs.iter().enumerate() {
            if *a == scalar || *b == scalar {
                pattern.orders[i] = Orders::ANY;
            }
        }
        let against =
            |p: &Predicate| matches!(p, Predicate::Against { scalar: s, .. } if *s == scalar);
        widen_all(self.words(), pattern, &against);
    }

    /// `var->field = value`.
    pub(super) fn store(
        &self,
        pattern: &Pattern,
        at: &Access,
        value: Source,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let Some(node) = self.node(pattern, at.var, at.record, to) else { return Ok(()) };
        // Which cell loses the pointer has to be known.
        for case in focus(self.words(), pattern, node, at.field)? {
            let (node, new) = (self.there(&case, at), target(&case, value));
            let mut next = case;
            let cut = lead(self.words(), &mut next, (node, at.field), new);
            self.finish(next, &cut, to);
        }
        Ok(())
    }

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

    fn know_order(&self, pattern: &mut Pattern, a: usize, b: usize, orders: Orders) {
        let pair = (a.min(b), a.max(b));
        if let Some(i) = self.words().pairs.iter().position(|p| *p == pair) {
            let orders = if a < b { orders } else { orders.turned() };
            if orders != Orders::NONE {
                pattern.orders[i] = pattern.orders[i].and(orders);
            }
        }
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
    fn write_data(
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

    /// `dst = malloc(…)`.
    pub(super) fn allocate(
        &self,
        pattern: &Pattern,
        dst: usize,
        record: usize,
        zeroed: bool,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let mut next = pattern.clone();
        let node = next.nodes.len();
        if node >= MOST_NODES {
            return Err(TooLarge);
        }
        let of = &self.words().records[record];
        let field = if zeroed { Targets::NULL } else { Targets::UNDEFINED };
        let zero = self.words().partition.class(0) as u8 + 1;
        let mut colours = BTreeSet::from([Colour::default()]);
        for (lane, predicate) in of.predicates.iter().enumerate() {
            let values: Vec<u8> = match predicate {
                Predicate::Data(_) => vec![if zeroed { zero } else { 0 }],
                other => (0..self.words().values_of(*other)).collect(),
            };
            colours = with_lane(&colours, lane, &values);
        }
        let fields = vec![field; of.pointers.len()];
        let sharing = Sharing::NONE;
        next.nodes.push(Node { record, summary: false, sharing, colours, fields });
        self.assign(&next, dst, Target::Node(node), to);
        Ok(())
    }

    /// The cell of a plain node is freed.
    pub(super) fn free(
        &self,
        pattern: &Pattern,
        node: usize,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        // What its fields led to may be lost, so each has to be known.
        let var = (0..pattern.vars.len()).find(|v| pattern.vars[*v] == Target::Node(node));
        let Some(var) = var else { return Ok(()) };
        let at = |p: &Pattern| node_of(p.vars[var]).unwrap_or(node);
        let mut cases = vec![pattern.clone()];
        for field in 0..pattern.nodes[node].fields.len() {
            let mut next = Vec::new();
            for case in cases {
                next.extend(focus(self.words(), &case, at(&case), field)?);
            }
            cases = next;
        }
        for case in cases {
            let node = at(&case);
            let mut next = case;
            let cut: Vec<usize> = next.nodes[node]
                .fields
                .iter()
                .flat_map(|t| t.nodes())
                .filter(|n| *n != node)
                .collect();
            self.dangle(&mut next, node);
            // The node leaves; later ones move up.
            let order: Vec<usize> = (0..next.nodes.len()).filter(|n| *n != node).collect();
            let next = next.reordered(&order);
            let cut: Vec<usize> = cut.iter().map(|n| n - usize::from(*n > node)).collect();
            self.finish(next, &cut, to);
        }
        Ok(())
    }

    /// Everything that leads to a node leads to freed memory.
    fn dangle(&self, pattern: &mut Pattern, node: usize) {
        let words = self.words();
        let mut variables = Vec::new();
        for (v, t) in pattern.vars.iter_mut().enumerate().filter(|(_, t)| **t == Target::Node(node))
        {
            *t = Target::Freed;
            variables.push(v);
        }
        let is = |p: &Predicate| matches!(p, Predicate::Is { pointer, .. } if variables.contains(pointer));
        widen_all(words, pattern, &is);
        for k in (0..pattern.nodes.len()).filter(|k| *k != node) {
            for f in 0..pattern.nodes[k].fields.len() {
                let targets = pattern.nodes[k].fields[f];
                if !targets.includes(Targets::node(node)) {
                    continue;
                }
                let certain = is_certain(pattern, k, f);
                pattern.nodes[k].fields[f] =
                    targets.without(Targets::node(node)).or(Targets::FREED);
                widen_field(words, pattern, k, f, certain);
            }
        }
    }

    /// `*dst = *src`: a store of every field.
    pub(super) fn copy(
        &self,
        pattern: &Pattern,
        dst: usize,
        src: usize,
        record: usize,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let Some(_) = self.node(pattern, src, record, to) else { return Ok(()) };
        let Some(_) = self.node(pattern, dst, record, to) else { return Ok(()) };
        if pattern.vars[dst] == pattern.vars[src] {
            to.out.push(pattern.clone());
            return Ok(());
        }
        let at = |p: &Pattern, v: usize| node_of(p.vars[v]).unwrap_or_default();
        let of = &self.words().records[record];
        let mut cases = vec![pattern.clone()];
        for field in 0..of.pointers.len() {
            for var in [src, dst] {
                let mut next = Vec::new();
                for case in cases {
                    next.extend(focus(self.words(), &case, at(&case, var), field)?);
                }
                cases = next;
            }
        }
        for case in cases {
            for colour in case.nodes[at(&case, src)].colours.clone() {
                let mut next = case.clone();
                let (node, from) = (at(&next, dst), at(&next, src));
                next.nodes[from].colours = BTreeSet::from([colour]);
                let mut cut = Vec::new();
                for field in 0..of.pointers.len() {
                    let value = next.nodes[from].fields[field].only().unwrap_or(Target::Dead);
                    cut.extend(lead(self.words(), &mut next, (node, field), value));
                }
                for field in 0..of.data.len() {
                    let classes = match of.predicate(Predicate::Data(field)) {
                        Some(lane) => match usize::from(colour.get(lane)).checked_sub(1) {
                            None => Values::UNDEFINED,
                            Some(class) => Values::class(class),
                        },
                        None => continue,
                    };
                    self.write_data(&mut next, (node, field), classes, None);
                }
                self.finish(next, &cut, to);
            }
        }
        Ok(())
    }

    /// All fields of a cell become zero or null.
    pub(super) fn zero(
        &self,
        pattern: &Pattern,
        var: usize,
        record: usize,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let Some(_) = self.node(pattern, var, record, to) else { return Ok(()) };
        let at = |p: &Pattern| node_of(p.vars[var]).unwrap_or_default();
        let of = &self.words().records[record];
        let mut cases = vec![pattern.clone()];
        for field in 0..of.pointers.len() {
            let mut next = Vec::new();
            for case in cases {
                next.extend(focus(self.words(), &case, at(&case), field)?);
            }
            cases = next;
        }
        let zero = Values::class(self.words().partition.class(0));
        for case in cases {
            let mut next = case;
            let node = at(&next);
            let mut cut = Vec::new();
            for field in 0..of.pointers.len() {
                cut.extend(lead(self.words(), &mut next, (node, field), Target::Null));
            }
            for field in 0..of.data.len() {
                self.write_data(&mut next, (node, field), zero, None);
            }
            self.finish(next, &cut, to);
        }
        Ok(())
    }

    /// Everything must be reachable from these when the procedure ends.
    pub(super) fn leak(&self, pattern: &Pattern, roots: &[Source], to: &mut Results<'_>) {
        let keeps = |v: usize| roots.contains(&Source::Var(v));
        let mut next = pattern.clone();
        let mut cut = Vec::new();
        for v in (0..next.vars.len()).filter(|v| !keeps(*v)) {
            cut.extend(node_of(std::mem::replace(&mut next.vars[v], Target::Dead)));
        }
        let is = |p: &Predicate| matches!(p, Predicate::Is { .. });
        widen_all(self.words(), &mut next, &is);
        self.finish(next, &cut, to);
    }
}

fn node_of(target: Target) -> Option<usize> {
    match target {
        Target::Node(n) => Some(n),
        _ => None,
    }
}

/// Any value of an integer variable, or none.
pub fn anything(words: &Words, scalar: usize) -> Values {
    words.partition.all(words.scalars[scalar].kind).or(Values::UNDEFINED)
}

fn orders_of(order: u8) -> Orders {
    Orders(1u8.checked_shl(u32::from(order)).unwrap_or(0) >> 1)
}

/// Whether every cell of a node, which is one, leads to exactly one cell.
fn is_certain(pattern: &Pattern, node: usize, field: usize) -> bool {
    !pattern.nodes[node].summary && pattern.is_certain(node, field)
}

/// The field of a plain node, certain before, leads elsewhere; returns the node it led to.
fn lead(words: &Words, next: &mut Pattern, at: (usize, usize), new: Target) -> Vec<usize> {
    let (node, field) = at;
    let old = std::mem::replace(&mut next.nodes[node].fields[field], Targets::of(new));
    if new == Target::Dead {
        // Nobody should have read it: anything may be there.
        next.nodes[node].fields[field] = Targets::UNDEFINED;
    }
    widen_field(words, next, node, field, true);
    // Cells that lead here and are led back to are known by the new value.
    let record = next.nodes[node].record;
    for k in 0..next.nodes.len() {
        let of = &words.records[next.nodes[k].record];
        for (lane, predicate) in of.predicates.iter().enumerate() {
            let Predicate::Inverse { over, back } = *predicate else { continue };
            let leads = next.nodes[k].fields[over].includes(Targets::node(node));
            if back != field || !leads || of.pointers[over].to != Some(record) || (k, over) == at {
                continue;
            }
            let value = if new == Target::Node(k) { 2 } else { 1 };
            let certain = is_certain(next, k, over);
            relabel(next, k, lane, &[value], certain, |c| c.get(lane) != 0);
        }
    }
    if let Target::Node(t) = new {
        let edge = edge_number(words, next, at);
        for (other, k, f) in incoming(words, next, t) {
            if (k, f) != at {
                next.nodes[t].sharing = next.nodes[t].sharing.or(Sharing::pair(edge, other));
            }
        }
    }
    old.nodes().collect()
}

/// What is said of where a field leads may be anything now.
fn widen_field(words: &Words, pattern: &mut Pattern, node: usize, field: usize, certain: bool) {
    let record = &words.records[pattern.nodes[node].record];
    for (lane, predicate) in record.predicates.iter().enumerate() {
        let concerned = match *predicate {
            Predicate::Inverse { over, .. } | Predicate::Neighbour { over, .. } => over == field,
            Predicate::Is { field: f, .. } => f == field,
            Predicate::Data(_) | Predicate::Against { .. } => false,
        };
        if concerned {
            let values: Vec<u8> = (0..words.values_of(*predicate)).collect();
            relabel(pattern, node, lane, &values, certain, |_| true);
        }
    }
}

/// What these predicates say of any cell may be anything now.
fn widen_all(words: &Words, pattern: &mut Pattern, concerned: &dyn Fn(&Predicate) -> bool) {
    for node in 0..pattern.nodes.len() {
        let record = &words.records[pattern.nodes[node].record];
        for (lane, predicate) in record.predicates.iter().enumerate().filter(|(_, p)| concerned(p))
        {
            let values: Vec<u8> = (0..words.values_of(*predicate)).collect();
            relabel(pattern, node, lane, &values, true, |_| true);
        }
    }
}

/// Gives a predicate of the cells of a node these values; if not all cells are concerned for sure,
/// the old colours stay besides.
fn relabel(
    pattern: &mut Pattern,
    node: usize,
    lane: usize,
    values: &[u8],
    all: bool,
    which: impl Fn(&Colour) -> bool,
) {
    let old = &pattern.nodes[node].colours;
    let (changed, kept): (BTreeSet<Colour>, BTreeSet<Colour>) =
        old.iter().copied().partition(&which);
    let mut new = with_lane(&changed, lane, values);
    new.extend(kept);
    if !all {
        new.extend(changed);
    }
    pattern.nodes[node].colours = new;
}

fn with_lane(colours: &BTreeSet<Colour>, lane: usize, values: &[u8]) -> BTreeSet<Colour> {
    let all = colours.iter().flat_map(|c| values.iter().map(move |v| c.with(lane, *v)));
    all.collect()
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
