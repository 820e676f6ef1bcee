//! Cases of a pattern, and patterns without what cannot be.
//!
//! Every function here keeps the meaning: the cases of a pattern together have exactly its heaps.
//! Nothing is about statements.
//!
//! * [`by_scalar`], [`by_order`], [`by_colour`], [`by_field`]: one case for every value; a field
//!   that leads to a summary node gets a plain node of its own (*materialisation*)
//! * [`apart`]: a summary node becomes several, one a colour
//! * [`tidy`]: edges, colours and nodes go that no heap has

use crate::pattern::{MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use crate::values::{Orders, Values};
use crate::words::{Order, PatternWords, Predicate};

/// A case for every class of an integer variable.
pub fn by_scalar(words: &PatternWords, pattern: &Pattern, scalar: usize) -> Vec<Pattern> {
    let values = pattern.scalars[scalar];
    let classes = values.classes().map(Values::class);
    let undefined = values.may_be_undefined().then_some(Values::UNDEFINED);
    let cases = undefined.into_iter().chain(classes).map(|v| {
        let mut case = pattern.clone();
        case.scalars[scalar] = v;
        case
    });
    cases.filter_map(|c| tidy(words, &c)).collect()
}

/// A case for every order of two integer variables.
pub fn by_order(words: &PatternWords, pattern: &Pattern, pair: usize) -> Vec<Pattern> {
    let orders = [Orders::LESS, Orders::EQUAL, Orders::GREATER];
    let there = orders.into_iter().filter(|o| pattern.orders[pair].includes(*o));
    let cases = there.map(|o| {
        let mut case = pattern.clone();
        case.orders[pair] = o;
        case
    });
    cases.filter_map(|c| tidy(words, &c)).collect()
}

/// A case for every colour of a plain node.
pub fn by_colour(words: &PatternWords, pattern: &Pattern, node: usize) -> Vec<Pattern> {
    let cases = pattern.nodes[node].colours.iter().map(|c| {
        let mut case = pattern.clone();
        case.nodes[node].colours = [*c].into();
        case
    });
    cases.filter_map(|c| tidy(words, &c)).collect()
}

/// A case for every target of a field of a plain node. In the case of a summary node there is one
/// more node, the last one, to which the field leads; see [`tidy`] for its number. Empty if there
/// is no room for it.
pub fn by_field(
    words: &PatternWords,
    pattern: &Pattern,
    node: usize,
    field: usize,
) -> Vec<Pattern> {
    let mut cases = Vec::new();
    for target in pattern.nodes[node].fields[field].iter() {
        let mut case = pattern.clone();
        let target = match target {
            Target::Node(n) if pattern.nodes[n].summary => {
                if pattern.nodes.len() == MOST_NODES {
                    return Vec::new();
                }
                Target::Node(materialise(&mut case, n))
            }
            other => other,
        };
        case.nodes[node].fields[field] = Targets::of(target);
        cases.extend(tidy(words, &case));
    }
    cases
}

/// One cell of a summary node becomes a plain node, the last one: whatever may lead to the summary
/// node may lead to it.
fn materialise(pattern: &mut Pattern, node: usize) -> usize {
    let new = pattern.nodes.len();
    pattern.nodes.push(Node { summary: false, ..pattern.nodes[node].clone() });
    for targets in pattern.nodes.iter_mut().flat_map(|n| &mut n.fields) {
        if targets.includes(Targets::node(node)) {
            *targets = targets.or(Targets::node(new));
        }
    }
    new
}

/// The same with a summary node for every colour of one; `None` if there is no room.
pub fn apart(words: &PatternWords, pattern: &Pattern, node: usize) -> Option<Pattern> {
    let mut out = pattern.clone();
    let colours = std::mem::take(&mut out.nodes[node].colours);
    if pattern.nodes.len() + colours.len() > MOST_NODES + 1 {
        return None;
    }
    for (i, colour) in colours.into_iter().enumerate() {
        if i == 0 {
            out.nodes[node].colours = [colour].into();
            continue;
        }
        let new = out.nodes.len();
        out.nodes.push(Node { colours: [colour].into(), ..out.nodes[node].clone() });
        for targets in out.nodes.iter_mut().flat_map(|n| &mut n.fields) {
            if targets.includes(Targets::node(node)) {
                *targets = targets.or(Targets::node(new));
            }
        }
    }
    tidy(words, &out)
}

/// The same without what no heap of it has; `None` if it has no heap for sure. Nodes that are left
/// keep their order.
pub fn tidy(words: &PatternWords, pattern: &Pattern) -> Option<Pattern> {
    let mut out = pattern.clone();
    loop {
        let before = out.clone();
        out.scalars.iter().all(|s| !s.is_none()).then_some(())?;
        single_edges(words, &mut out)?;
        colours(words, &mut out);
        out = without_empty(&out)?;
        if out == before {
            return Some(out);
        }
    }
}

/// A plain node that a field leads to for sure has other incoming fields only as its sharing says.
fn single_edges(words: &PatternWords, pattern: &mut Pattern) -> Option<()> {
    let certain = certain_edges(words, pattern);
    for (to, edges) in certain.iter().enumerate() {
        let allowed = pattern.nodes[to].sharing;
        let numbers: Vec<usize> = edges.iter().map(|(_, _, e)| *e).collect();
        allowed.includes(Sharing::of(&numbers)).then_some(())?;
        let (from, into) = (0..pattern.nodes.len(), Targets::node(to));
        for n in from {
            let record = pattern.nodes[n].record;
            for f in 0..pattern.nodes[n].fields.len() {
                if edges.iter().any(|(m, g, _)| (*m, *g) == (n, f)) {
                    continue;
                }
                let edge = words.records[record].pointers[f].edge;
                let fits = edges.iter().all(|(_, _, e)| allowed.includes(Sharing::pair(*e, edge)));
                if !fits {
                    let targets = &mut pattern.nodes[n].fields[f];
                    *targets = targets.without(into);
                }
            }
        }
    }
    Some(())
}

/// By plain node, the fields that lead to it for sure: of which node, which one, its edge number.
fn certain_edges(words: &PatternWords, pattern: &Pattern) -> Vec<Vec<(usize, usize, usize)>> {
    let mut out = vec![Vec::new(); pattern.nodes.len()];
    for (n, node) in pattern.nodes.iter().enumerate().filter(|(_, n)| !n.summary) {
        for (f, targets) in node.fields.iter().enumerate() {
            if let Some(Target::Node(to)) = targets.only()
                && !pattern.nodes[to].summary
            {
                out[to].push((n, f, words.records[node.record].pointers[f].edge));
            }
        }
    }
    out
}

/// Colours that contradict where fields lead, or the classes of variables, and fields that
/// contradict colours.
fn colours(words: &PatternWords, pattern: &mut Pattern) {
    for n in 0..pattern.nodes.len() {
        let record = &words.records[pattern.nodes[n].record];
        for (lane, predicate) in record.predicates.iter().enumerate() {
            let allowed = |v: u8, colour| allows(words, pattern, n, *predicate, v, colour);
            let old = pattern.nodes[n].colours.iter();
            let kept = old.filter(|c| allowed(c.get(lane), **c)).copied().collect();
            pattern.nodes[n].colours = kept;
            restrict(pattern, n, lane, *predicate);
        }
    }
}

/// Whether a value of a predicate is possible for a cell of a node with a colour.
fn allows(
    words: &PatternWords,
    pattern: &Pattern,
    node: usize,
    predicate: Predicate,
    value: u8,
    colour: crate::words::Colour,
) -> bool {
    let of = &pattern.nodes[node];
    let record = &words.records[of.record];
    // The classes that a data field of a colour may have.
    let class = |record: usize, field: usize, colour: crate::words::Colour| {
        let at = words.records[record].predicate(Predicate::Data(field))?;
        Some(colour.get(at))
    };
    let kind = |record: usize, field: usize| words.records[record].data[field].kind;
    let is = |order: Orders| match value {
        v if v == Order::Less as u8 => order.includes(Orders::LESS),
        v if v == Order::Equal as u8 => order.includes(Orders::EQUAL),
        _ => order.includes(Orders::GREATER),
    };
    match predicate {
        Predicate::Data(field) => {
            value == 0
                || words.partition.range(usize::from(value) - 1, kind(of.record, field)).is_some()
        }
        Predicate::Against { field, scalar } => {
            let (mine, its) = (class(of.record, field, colour), pattern.scalars[scalar]);
            let Some(mine) = mine else { return true };
            if value == 0 {
                return mine == 0 || its.may_be_undefined();
            }
            let mine = |c: u8| (usize::from(c) - 1, kind(of.record, field));
            let its = its.classes().map(|c| (c, words.scalars[scalar].kind));
            class(of.record, field, colour).is_none_or(|c| {
                c != 0 && its.into_iter().any(|d| is(words.partition.orders(mine(c), d)))
            })
        }
        Predicate::Neighbour { field, over, other } => {
            let to = record.pointers[over].to;
            let cells = of.fields[over].nodes().filter(|n| Some(pattern.nodes[*n].record) == to);
            if value == 0 {
                return true;
            }
            let mine = class(of.record, field, colour);
            let kinds = (kind(of.record, field), to.map(|r| kind(r, other)));
            let (mine_kind, Some(its_kind)) = kinds else { return false };
            let fits = |mine: Option<u8>, its: Option<u8>| match (mine, its) {
                (Some(0), _) | (_, Some(0)) => false,
                (Some(a), Some(b)) => {
                    let (a, b) = (usize::from(a) - 1, usize::from(b) - 1);
                    is(words.partition.orders((a, mine_kind), (b, its_kind)))
                }
                _ => true,
            };
            cells.into_iter().any(|n| {
                let there = &pattern.nodes[n];
                there.colours.iter().any(|c| fits(mine, class(there.record, other, *c)))
            })
        }
        Predicate::Inverse { over, back } => {
            let to = record.pointers[over].to;
            let is_cell = |n: &usize| Some(pattern.nodes[*n].record) == to;
            let targets = of.fields[over];
            match value {
                0 => targets.without(Targets(targets.nodes().filter(is_cell).fold(0, bit))).0 != 0,
                1 => targets.nodes().filter(is_cell).any(|n| {
                    // A plain node may lead back to another cell of a summary node.
                    of.summary || pattern.nodes[n].fields[back] != Targets::node(node)
                }),
                _ => targets
                    .nodes()
                    .filter(is_cell)
                    .any(|n| pattern.nodes[n].fields[back].includes(Targets::node(node))),
            }
        }
        Predicate::Is { field, pointer } => {
            let (targets, var) = (of.fields[field], pattern.vars[pointer]);
            let same = match var {
                Target::Null => Targets::NULL,
                Target::Node(n) => Targets::node(n),
                // Nobody speaks of a dead variable: any value is possible.
                Target::Dead => return true,
                Target::Freed | Target::Undefined => Targets::NONE,
            };
            match value {
                0 => !targets.without(same).is_none(),
                _ => !targets.and(same).is_none(),
            }
        }
        Predicate::Entered => {
            let me = Targets::node(node);
            let from = || pattern.nodes.iter();
            match value {
                // What no variable is at is reached over a field.
                0 => {
                    let certain = |n: &Node| !n.summary && n.fields.contains(&me);
                    !of.summary
                        && pattern.vars.contains(&Target::Node(node))
                        && !from().any(certain)
                }
                _ => from().any(|n| n.fields.iter().any(|t| t.includes(me))),
            }
        }
    }
}

fn bit(set: u64, node: usize) -> u64 {
    set | Targets::node(node).0
}

/// Where fields lead if all colours of a node agree on a predicate.
fn restrict(pattern: &mut Pattern, node: usize, lane: usize, predicate: Predicate) {
    let mut values = pattern.nodes[node].colours.iter().map(|c| c.get(lane));
    let Some(value) = values.next() else { return };
    if values.any(|v| v != value) {
        return;
    }
    match predicate {
        Predicate::Inverse { over, back } if !pattern.nodes[node].summary => {
            // The cell there is known, so its field is.
            let Some(Target::Node(to)) = pattern.nodes[node].fields[over].only() else { return };
            if pattern.nodes[to].summary || pattern.nodes[to].fields.len() <= back {
                return;
            }
            let me = Targets::node(node);
            let targets = &mut pattern.nodes[to].fields[back];
            match value {
                1 => *targets = targets.without(me),
                2 => *targets = targets.and(me),
                _ => {}
            }
        }
        Predicate::Is { field, pointer } => {
            let same = match pattern.vars[pointer] {
                Target::Null => Targets::NULL,
                Target::Node(n) => Targets::node(n),
                Target::Freed | Target::Undefined | Target::Dead => return,
            };
            let targets = &mut pattern.nodes[node].fields[field];
            *targets = if value == 1 { targets.and(same) } else { targets.without(same) };
        }
        Predicate::Entered if value == 0 => {
            let all = pattern.nodes.iter_mut().flat_map(|n| &mut n.fields);
            all.for_each(|targets| *targets = targets.without(Targets::node(node)));
        }
        _ => {}
    }
}

/// Without summary nodes that have no cells; `None` if a plain node can have none, or nobody
/// reaches it.
fn without_empty(pattern: &Pattern) -> Option<Pattern> {
    let reached = pattern.reachable();
    let empty = |n: &Node| n.colours.is_empty() || n.fields.iter().any(|t| t.is_none());
    let mut kept = Vec::new();
    for (i, node) in pattern.nodes.iter().enumerate() {
        match (empty(node) || !reached[i], node.summary) {
            (false, _) => kept.push(i),
            (true, true) => {}
            (true, false) => return None,
        }
    }
    match kept.len() == pattern.nodes.len() {
        true => Some(pattern.clone()),
        false => Some(pattern.reordered(&kept)),
    }
}
