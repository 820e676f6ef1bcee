//! Coerce: what no heap of a pattern can have is left out.
//!
//! Every rule follows from the meaning of a pattern (`trellis_patterns::pattern`): a colour needs
//! targets under which it is true, a target needs a colour that allows it, a cell that something
//! certain leads to has no other incoming field unless its sharing says so, and every cell is
//! reached from a variable.
//!
//! **Invariant:** the result has the heaps of the pattern, and `None` is answered only where it has
//! none.

use trellis_patterns::pattern::{Pattern, Sharing, Target, Targets};
use trellis_patterns::values::{Orders, Values};
use trellis_patterns::words::{Colour, Order, PatternWords, Predicate};

use super::focus::edge_number;

/// The same heaps with less that could be; `None` if there is no heap.
pub fn coerce(words: &PatternWords, mut pattern: Pattern) -> Option<Pattern> {
    loop {
        let before = pattern.clone();
        scalars(words, &mut pattern)?;
        colours(words, &mut pattern);
        edges(words, &mut pattern);
        entries(words, &mut pattern);
        back_edges(words, &mut pattern);
        sharing(words, &mut pattern)?;
        pattern = without_empty(pattern)?;
        if pattern == before {
            return Some(pattern);
        }
    }
}

/// Values of integer variables that their orders exclude, and orders that values exclude.
fn scalars(words: &PatternWords, pattern: &mut Pattern) -> Option<()> {
    for (i, &(a, b)) in words.pairs.iter().enumerate() {
        let undefined = |v: usize| pattern.scalars[v].may_be_undefined();
        if undefined(a) || undefined(b) {
            continue;
        }
        let kinds = (words.scalars[a].kind, words.scalars[b].kind);
        let known = pattern.orders[i];
        let (mut left, mut right, mut orders) = (Values::NONE, Values::NONE, Orders::NONE);
        for x in pattern.scalars[a].classes() {
            for y in pattern.scalars[b].classes() {
                let both = words.partition.orders((x, kinds.0), (y, kinds.1)).and(known);
                if both != Orders::NONE {
                    (left, right) = (left.or(Values::class(x)), right.or(Values::class(y)));
                    orders = orders.or(both);
                }
            }
        }
        (pattern.scalars[a], pattern.scalars[b], pattern.orders[i]) = (left, right, orders);
        if orders == Orders::NONE {
            return None;
        }
    }
    pattern.scalars.iter().all(|s| !s.is_none()).then_some(())
}

/// Colours for which some field has no target.
fn colours(words: &PatternWords, pattern: &mut Pattern) {
    for k in 0..pattern.nodes.len() {
        let node = &pattern.nodes[k];
        let keep = |c: &Colour| {
            let fields = node.fields.iter().enumerate();
            against(words, pattern, node.record, *c)
                && fields
                    .into_iter()
                    .all(|(f, t)| t.iter().any(|t| permits(words, pattern, k, *c, f, t)))
        };
        let kept = node.colours.iter().copied().filter(keep).collect();
        pattern.nodes[k].colours = kept;
    }
}

/// Whether the data of a colour can be ordered against integer variables as the colour says.
fn against(words: &PatternWords, pattern: &Pattern, record: usize, colour: Colour) -> bool {
    words.records[record].predicates.iter().enumerate().all(|(lane, predicate)| match *predicate {
        Predicate::Against { field, scalar } => {
            let orders = orders_against(words, pattern, record, colour, field, scalar);
            orders & 1 << colour.get(lane) != 0
        }
        _ => true,
    })
}

/// The orders, as a mask of [`Order`], that a data field and an integer variable may have by their
/// classes.
pub fn orders_against(
    words: &PatternWords,
    pattern: &Pattern,
    record: usize,
    colour: Colour,
    field: usize,
    scalar: usize,
) -> u8 {
    let of = &words.records[record];
    let values = pattern.scalars[scalar];
    let kind = words.scalars[scalar].kind;
    let Some(class) = class_of(words, record, colour, field) else { return 0b1111 };
    let Some(class) = class else { return 1 << Order::None as u8 };
    let mut mask = if values.may_be_undefined() { 1 << Order::None as u8 } else { 0 };
    for v in values.classes() {
        mask |= mask_of(words.partition.orders((class, of.data[field].kind), (v, kind)));
    }
    mask
}

/// The class of a data field in a colour: `None` if no predicate tells, `Some(None)` if undefined.
#[allow(clippy::option_option)]
pub fn class_of(
    words: &PatternWords,
    record: usize,
    colour: Colour,
    field: usize,
) -> Option<Option<usize>> {
    let lane = words.records[record].predicate(Predicate::Data(field))?;
    Some(usize::from(colour.get(lane)).checked_sub(1))
}

/// Orders as a mask over [`Order`].
pub fn mask_of(orders: Orders) -> u8 {
    // Less, equal, greater follow each other in both.
    orders.0 << 1
}

/// Whether a cell of `k` with this colour can have a field that leads there.
fn permits(
    words: &PatternWords,
    p: &Pattern,
    k: usize,
    colour: Colour,
    field: usize,
    to: Target,
) -> bool {
    let predicates = &words.records[p.nodes[k].record].predicates;
    predicates.iter().enumerate().all(|(lane, predicate)| {
        let mask = match *predicate {
            Predicate::Inverse { over, back } if over == field => {
                inverse(words, p, k, over, back, to)
            }
            Predicate::Is { field: f, pointer } if f == field => is_same(p, pointer, to),
            Predicate::Neighbour { field: own, over, other } if over == field => {
                neighbour(words, p, k, colour, (own, over, other), to)
            }
            _ => return true,
        };
        mask & 1 << colour.get(lane) != 0
    })
}

/// The values that [`Predicate::Inverse`] may have for a cell of `k` whose field leads there.
fn inverse(
    words: &PatternWords,
    p: &Pattern,
    k: usize,
    over: usize,
    back: usize,
    to: Target,
) -> u8 {
    let there = words.records[p.nodes[k].record].pointers[over].to;
    match to {
        Target::Node(t) if Some(p.nodes[t].record) == there => {
            let backs = p.nodes[t].fields[back];
            let leads_back = if backs.includes(Targets::node(k)) { 1 << 2 } else { 0 };
            let only = backs == Targets::node(k) && !p.nodes[k].summary;
            leads_back | if only { 0 } else { 1 << 1 }
        }
        _ => 1 << 0,
    }
}

/// The values that [`Predicate::Is`] may have for a field that leads there.
fn is_same(p: &Pattern, pointer: usize, to: Target) -> u8 {
    match (p.vars[pointer], to) {
        (Target::Dead, _) => 0b11,
        (Target::Null, Target::Null) => 0b10,
        (Target::Node(v), Target::Node(t)) if v == t => 0b10,
        _ => 0b01,
    }
}

/// The values that [`Predicate::Neighbour`] may have for a cell of `k` whose field leads there.
fn neighbour(
    words: &PatternWords,
    p: &Pattern,
    k: usize,
    colour: Colour,
    (own, over, other): (usize, usize, usize),
    to: Target,
) -> u8 {
    const NONE: u8 = 1 << Order::None as u8;
    let record = p.nodes[k].record;
    let pointer = &words.records[record].pointers[over];
    let Target::Node(t) = to else { return NONE };
    let there = p.nodes[t].record;
    if pointer.to != Some(there) {
        return NONE;
    }
    let (Some(mine), kind) =
        (class_of(words, record, colour, own), words.records[record].data[own].kind)
    else {
        return 0b1111;
    };
    let mut mask = 0;
    for c in &p.nodes[t].colours {
        let its = class_of(words, there, *c, other);
        mask |= match (mine, its) {
            (_, None) => 0b1111,
            (None, _) | (_, Some(None)) => NONE,
            (Some(x), Some(Some(y))) => {
                let other_kind = words.records[there].data[other].kind;
                let orders = words.partition.orders((x, kind), (y, other_kind));
                mask_of(orders.and(by_scalars(words, (record, colour, own), (there, *c, other))))
            }
        };
    }
    mask
}

/// How two data fields may be ordered by how both are ordered against one integer variable.
fn by_scalars(
    words: &PatternWords,
    (ra, a, field): (usize, Colour, usize),
    (rb, b, other): (usize, Colour, usize),
) -> Orders {
    let mut out = Orders::ANY;
    for (lane, predicate) in words.records[ra].predicates.iter().enumerate() {
        let Predicate::Against { field: f, scalar } = *predicate else { continue };
        let same = Predicate::Against { field: other, scalar };
        let Some(there) = words.records[rb].predicate(same).filter(|_| f == field) else {
            continue;
        };
        out = out.and(composed(a.get(lane), b.get(there)));
    }
    out
}

/// `a` against `b`, where both are known against a third.
fn composed(a: u8, b: u8) -> Orders {
    const LESS: u8 = Order::Less as u8;
    const EQUAL: u8 = Order::Equal as u8;
    const GREATER: u8 = Order::Greater as u8;
    match (a, b) {
        (LESS, EQUAL | GREATER) | (EQUAL, GREATER) => Orders::LESS,
        (GREATER, EQUAL | LESS) | (EQUAL, LESS) => Orders::GREATER,
        (EQUAL, EQUAL) => Orders::EQUAL,
        _ => Orders::ANY,
    }
}

/// Targets that no colour allows.
fn edges(words: &PatternWords, pattern: &mut Pattern) {
    for k in 0..pattern.nodes.len() {
        for f in 0..pattern.nodes[k].fields.len() {
            let node = &pattern.nodes[k];
            let targets = node.fields[f];
            let allowed =
                |t: &Target| node.colours.iter().any(|c| permits(words, pattern, k, *c, f, *t));
            let kept = targets.iter().filter(allowed);
            let kept = kept.fold(Targets::NONE, |out, t| out.or(Targets::of(t)));
            pattern.nodes[k].fields[f] = kept;
        }
    }
}

/// Whether something leads to cells, as their colours say: what no variable is at is reached over a
/// field.
fn entries(words: &PatternWords, pattern: &mut Pattern) {
    for n in 0..pattern.nodes.len() {
        let record = &words.records[pattern.nodes[n].record];
        let Some(lane) = record.predicate(Predicate::Entered) else { continue };
        let me = Targets::node(n);
        let may = pattern.nodes.iter().any(|k| k.fields.iter().any(|t| t.includes(me)));
        let must = pattern.nodes.iter().any(|k| !k.summary && k.fields.contains(&me))
            || pattern.nodes[n].summary
            || !pattern.vars.contains(&Target::Node(n));
        let node = &mut pattern.nodes[n];
        node.colours.retain(|c| if c.get(lane) == 0 { !must } else { may });
        if !node.colours.is_empty() && node.colours.iter().all(|c| c.get(lane) == 0) {
            let all = pattern.nodes.iter_mut().flat_map(|k| &mut k.fields);
            all.for_each(|targets| *targets = targets.without(me));
        }
    }
}

/// Where a cell is known to be led back to, or known not to be.
fn back_edges(words: &PatternWords, pattern: &mut Pattern) {
    for k in 0..pattern.nodes.len() {
        let record = &words.records[pattern.nodes[k].record];
        for (lane, predicate) in record.predicates.iter().enumerate() {
            let Predicate::Inverse { over, back } = *predicate else { continue };
            let node = &pattern.nodes[k];
            let Some(Target::Node(t)) = node.fields[over].only() else { continue };
            if node.summary || pattern.nodes[t].summary || node.colours.is_empty() {
                continue;
            }
            let all = |value: u8| node.colours.iter().all(|c| c.get(lane) == value);
            let (led_back, not) = (all(2), all(1));
            let backs = &mut pattern.nodes[t].fields[back];
            if led_back {
                *backs = backs.and(Targets::node(k));
            } else if not {
                *backs = backs.without(Targets::node(k));
            }
        }
    }
}

/// What leads to a node: the edge number, the node it comes from, and its field.
pub fn incoming(words: &PatternWords, pattern: &Pattern, to: usize) -> Vec<(usize, usize, usize)> {
    let mut out = Vec::new();
    for (k, node) in pattern.nodes.iter().enumerate() {
        for (f, targets) in node.fields.iter().enumerate() {
            if targets.includes(Targets::node(to)) {
                out.push((edge_number(words, pattern, (k, f)), k, f));
            }
        }
    }
    out
}

/// Edges to where sharing does not allow them beside a certain one; sharing without edges for it.
fn sharing(words: &PatternWords, pattern: &mut Pattern) -> Option<()> {
    for t in 0..pattern.nodes.len() {
        let all = incoming(words, pattern, t);
        let allowed = pattern.nodes[t].sharing;
        if !pattern.nodes[t].summary {
            for &(e, k, f) in &all {
                let certain =
                    !pattern.nodes[k].summary && pattern.nodes[k].fields[f] == Targets::node(t);
                if !certain {
                    continue;
                }
                for &(o, k2, f2) in all.iter().filter(|o| (o.1, o.2) != (k, f)) {
                    if !allowed.includes(Sharing::pair(e, o)) {
                        let targets = &mut pattern.nodes[k2].fields[f2];
                        *targets = targets.without(Targets::node(t));
                        // The field of a plain node that is left without a target has no heap.
                        if targets.is_none() && !pattern.nodes[k2].summary {
                            return None;
                        }
                    }
                }
            }
        }
        let possible = possible_sharing(pattern, &incoming(words, pattern, t));
        pattern.nodes[t].sharing = Sharing(allowed.0 & possible.0);
    }
    Some(())
}

/// The pairs of fields that may both lead to one cell, by what leads to its node.
pub fn possible_sharing(pattern: &Pattern, incoming: &[(usize, usize, usize)]) -> Sharing {
    let mut out = Sharing::NONE;
    for (i, (e, k, _)) in incoming.iter().enumerate() {
        if pattern.nodes[*k].summary {
            out = out.or(Sharing::pair(*e, *e));
        }
        incoming[..i].iter().for_each(|(o, _, _)| out = out.or(Sharing::pair(*e, *o)));
    }
    out
}

/// Nodes that have no cell leave; if a plain one has none, there is no heap.
fn without_empty(pattern: Pattern) -> Option<Pattern> {
    let reachable = pattern.reachable();
    let has_cells = |n: &usize| {
        let node = &pattern.nodes[*n];
        reachable[*n] && !node.colours.is_empty() && node.fields.iter().all(|t| !t.is_none())
    };
    let order: Vec<usize> = (0..pattern.nodes.len()).filter(has_cells).collect();
    if order.len() == pattern.nodes.len() {
        return Some(pattern);
    }
    let gone = (0..pattern.nodes.len()).filter(|n| !order.contains(n));
    let plain = gone.into_iter().any(|n| !pattern.nodes[n].summary);
    (!plain).then(|| pattern.reordered(&order))
}
