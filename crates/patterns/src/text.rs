//! Patterns for people.
//!
//! Integers and variables without a cell first, then nodes in the order in which variables reach
//! them: `d = 0; l → a(data = 1) ⇢ b* | null; b*(data = 0) ⇢ b* | null`. A summary node has a star;
//! `→` leads to one cell for sure, `⇢` to one of several.

use std::fmt::Write;

use trellis_program::IntKind;

use crate::pattern::{Label, Node, Pattern, Sharing, Target, Targets};
use crate::values::{Orders, Values};
use crate::words::{Colour, PatternWords, Predicate};

/// A label, one pattern a line.
pub fn label(words: &PatternWords, label: &Label) -> String {
    let lines = label.0.iter().map(|p| pattern(words, p));
    lines.collect::<Vec<_>>().join("\n")
}

/// A pattern in one line.
pub fn pattern(words: &PatternWords, pattern: &Pattern) -> String {
    let parts = parts(words, pattern, &|_| true);
    if parts.is_empty() { "an empty heap".to_owned() } else { parts.join("; ") }
}

/// The same fact by fact, each with nothing that is said of it. `is_shown` chooses among the variables;
/// those that hold nothing are left out.
pub fn facts(
    words: &PatternWords,
    pattern: &Pattern,
    is_shown: &dyn Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let holds_nothing = |part: &String| {
        let end = part.rsplit(' ').next();
        end == Some("undefined") && !part.contains('→') && !part.contains(" or ")
    };
    let parts = parts(words, pattern, is_shown);
    parts.into_iter().filter(|p| !holds_nothing(p)).map(|part| (part, String::new())).collect()
}

fn parts(words: &PatternWords, pattern: &Pattern, is_shown: &dyn Fn(&str) -> bool) -> Vec<String> {
    let order = order(pattern);
    let mut parts = Vec::new();
    let is_said = |name: &str| !name.starts_with('%') && is_shown(name);
    for (x, var) in words.pointers.iter().enumerate() {
        match pattern.vars[x] {
            Target::Dead | Target::Node(_) => {}
            _ if !is_said(&var.name) => {}
            end => parts.push(format!("{} = {}", var.name, target(pattern, &order, end))),
        }
    }
    for (s, var) in words.scalars.iter().enumerate() {
        let all = words.partition.all(var.kind).or(Values::UNDEFINED);
        let is_any = pattern.scalars[s].includes(words.partition.all(var.kind));
        if !pattern.scalars[s].includes(all) && !is_any && is_said(&var.name) {
            parts.push(format!("{} {}", var.name, values(words, pattern.scalars[s], var.kind)));
        }
    }
    for ((a, b), orders) in words.pairs.iter().zip(&pattern.orders) {
        let (a, b) = (&words.scalars[*a].name, &words.scalars[*b].name);
        if let Some(symbol) = order_symbol(*orders).filter(|_| is_shown(a) && is_shown(b)) {
            parts.push(format!("{a} {symbol} {b}"));
        }
    }
    for n in &order {
        parts.push(node(words, pattern, &order, *n));
    }
    parts
}

/// Nodes in the order in which variables reach them.
pub fn order(pattern: &Pattern) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    let mut seen = vec![false; pattern.nodes.len()];
    let mut visit = |n: usize, out: &mut Vec<usize>| {
        if !std::mem::replace(&mut seen[n], true) {
            out.push(n);
        }
    };
    for var in &pattern.vars {
        if let Target::Node(n) = var {
            visit(*n, &mut out);
        }
    }
    let mut next = 0;
    while let Some(n) = out.get(next).copied() {
        for targets in &pattern.nodes[n].fields {
            targets.nodes().for_each(|m| visit(m, &mut out));
        }
        next += 1;
    }
    (0..pattern.nodes.len()).for_each(|n| visit(n, &mut out));
    out
}

/// The name of a node: a letter, and a star if it is a summary.
pub fn name(pattern: &Pattern, order: &[usize], node: usize) -> String {
    let at = order.iter().position(|n| *n == node).unwrap_or(node);
    let letter = char::from(b'a' + (at % 26) as u8);
    let round = if at < 26 { String::new() } else { (at / 26).to_string() };
    format!("{letter}{round}{}", if pattern.nodes[node].summary { "*" } else { "" })
}

fn target(pattern: &Pattern, order: &[usize], target: Target) -> String {
    match target {
        Target::Null => "null".to_owned(),
        Target::Freed => "freed".to_owned(),
        Target::Undefined => "undefined".to_owned(),
        Target::Dead => "any".to_owned(),
        Target::Node(n) => name(pattern, order, n),
    }
}

fn node(words: &PatternWords, pattern: &Pattern, order: &[usize], n: usize) -> String {
    let node = &pattern.nodes[n];
    let record = &words.records[node.record];
    let vars: Vec<&str> = pattern.vars_at(n).map(|x| words.pointers[x].name.as_str()).collect();
    let mut out = match vars.is_empty() {
        true => name(pattern, order, n),
        false => format!("{} → {}", vars.join(", "), name(pattern, order, n)),
    };
    let says = colours(words, node);
    if !says.is_empty() {
        let _ = write!(out, "({says})");
    }
    for (field, targets) in record.pointers.iter().zip(&node.fields) {
        let arrow = if targets.only().is_some_and(|t| is_one(pattern, t)) { "→" } else { "⇢" };
        let all = order_targets(pattern, order, *targets);
        let _ = write!(out, " {}{arrow} {all}", field_name(words, &field.name));
    }
    let sharing = sharing(words, node.sharing);
    if !sharing.is_empty() {
        let _ = write!(out, " [{sharing}]");
    }
    out
}

/// The only pointer field needs no name.
fn field_name(words: &PatternWords, name: &str) -> String {
    if words.edges() == 1 { String::new() } else { format!("{name} ") }
}

fn is_one(pattern: &Pattern, target: Target) -> bool {
    !matches!(target, Target::Node(n) if pattern.nodes[n].summary)
}

fn order_targets(pattern: &Pattern, order: &[usize], targets: Targets) -> String {
    let nodes = order.iter().filter(|n| targets.includes(Targets::node(**n)));
    let nodes = nodes.map(|n| name(pattern, order, *n));
    let ends = Targets(targets.0 & 7);
    let ends = ends.iter().map(|t| target(pattern, order, t));
    let all: Vec<String> = nodes.chain(ends).collect();
    if all.is_empty() { "nowhere".to_owned() } else { all.join(" | ") }
}

/// Which fields may share a cell.
pub fn sharing(words: &PatternWords, sharing: Sharing) -> String {
    if sharing == Sharing::NONE {
        return String::new();
    }
    if words.edges() == 1 || sharing == Sharing::all(words.edges()) {
        return "shared".to_owned();
    }
    let name =
        |e: usize| words.edge(e).map_or("?", |(r, f)| words.records[r].pointers[f].name.as_str());
    let mut pairs = Vec::new();
    for b in 0..words.edges() {
        for a in 0..=b {
            if sharing.includes(Sharing::pair(a, b)) {
                pairs.push(format!("{}+{}", name(a), name(b)));
            }
        }
    }
    format!("shared by {}", pairs.join(", "))
}

/// What is said of the cells of a node: predicate by predicate if that is all, else every colour.
pub fn colours(words: &PatternWords, node: &Node) -> String {
    let record = &words.records[node.record];
    let lanes: Vec<Vec<u8>> = (0..record.predicates.len())
        .map(|p| {
            let mut values: Vec<u8> = node.colours.iter().map(|c| c.get(p)).collect();
            values.sort_unstable();
            values.dedup();
            values
        })
        .collect();
    let product: usize = lanes.iter().map(Vec::len).product();
    if product == node.colours.len() {
        let each = record.predicates.iter().zip(&lanes);
        let said = each.filter_map(|(p, values)| predicate(words, node.record, *p, values));
        return said.collect::<Vec<_>>().join(", ");
    }
    let one = |c: &Colour| {
        let each = record.predicates.iter().enumerate();
        let said = each.filter_map(|(i, p)| predicate(words, node.record, *p, &[c.get(i)]));
        said.collect::<Vec<_>>().join(", ")
    };
    node.colours.iter().map(one).collect::<Vec<_>>().join(" or ")
}

/// What some values of a predicate say; nothing if they are all that there are.
pub fn predicate(
    words: &PatternWords,
    record: usize,
    predicate: Predicate,
    allowed: &[u8],
) -> Option<String> {
    let of = &words.records[record];
    let has = |v: u8| allowed.contains(&v);
    let orders = || {
        let all = [(1, Orders::LESS), (2, Orders::EQUAL), (3, Orders::GREATER)];
        let there = all.into_iter().filter(|(v, _)| has(*v));
        order_symbol(there.fold(Orders::NONE, |o, (_, order)| o.or(order)))
    };
    match predicate {
        Predicate::Data(f) => {
            let mut set = Values::NONE;
            for v in allowed {
                set = set.or(match v {
                    0 => Values::UNDEFINED,
                    v => Values::class(usize::from(*v) - 1),
                });
            }
            let (name, kind) = (&of.data[f].name, of.data[f].kind);
            let all = words.partition.all(kind);
            (set != all).then(|| format!("{name} {}", values(words, set, kind)))
        }
        Predicate::Against { field, scalar } => {
            let (name, other) = (&of.data[field].name, &words.scalars[scalar].name);
            orders().map(|symbol| format!("{name} {symbol} {other}"))
        }
        Predicate::Neighbour { field, over, other } => {
            let to = of.pointers[over].to?;
            let (name, next) = (&of.data[field].name, &of.pointers[over].name);
            let other = &words.records[to].data[other].name;
            orders().map(|symbol| format!("{name} {symbol} {next}->{other}"))
        }
        Predicate::Inverse { over, back } => {
            let to = of.pointers[over].to?;
            let (over, back) = (&of.pointers[over].name, &words.records[to].pointers[back].name);
            match (has(1), has(2)) {
                (false, true) => Some(format!("{over}->{back} is back")),
                (true, false) => Some(format!("{over}->{back} is not back")),
                _ => None,
            }
        }
        Predicate::Is { field, pointer } => {
            let (field, var) = (&of.pointers[field].name, &words.pointers[pointer].name);
            match (has(0), has(1)) {
                (false, true) => Some(format!("{field} = {var}")),
                (true, false) => Some(format!("{field} ≠ {var}")),
                _ => None,
            }
        }
        // A cell that no variable is at is entered, or nobody would reach it.
        Predicate::Entered => match (has(0), has(1)) {
            (true, false) => Some("no field leads here".to_owned()),
            _ => None,
        },
    }
}

/// How orders are written; nothing if all or none are possible.
pub fn order_symbol(orders: Orders) -> Option<&'static str> {
    Some(match orders.0 {
        1 => "<",
        2 => "=",
        3 => "≤",
        4 => ">",
        5 => "≠",
        6 => "≥",
        _ => return None,
    })
}

/// A set of classes after the name of what has them: `= 0`, `> 5`, `= 0 or undefined`.
pub fn values(words: &PatternWords, values: Values, kind: IntKind) -> String {
    let partition = &words.partition;
    let (low, high) = crate::values::limits(kind);
    let mut parts: Vec<String> = Vec::new();
    for class in values.classes() {
        let part = match (partition.constant(class), partition.range(class, kind)) {
            (Some(c), _) => format!("= {c}"),
            (None, None) => continue,
            (None, Some(_)) if !partition.is_ordered() => "is another number".to_owned(),
            (None, Some((l, h))) if l == h => format!("= {l}"),
            (None, Some((l, h))) if l == low && h == high => "is any number".to_owned(),
            (None, Some((l, h))) if l == low => format!("< {}", h + 1),
            (None, Some((l, h))) if h == high => format!("> {}", l - 1),
            (None, Some((l, h))) => format!("= {l}…{h}"),
        };
        // `= 0 or 1`.
        match (parts.first().is_some_and(|p| p.starts_with("= ")), part.strip_prefix("= ")) {
            (true, Some(number)) => parts.push(number.to_owned()),
            _ => parts.push(part),
        }
    }
    if values.may_be_undefined() {
        parts.push("undefined".to_owned());
    }
    if parts.is_empty() { "has no value".to_owned() } else { parts.join(" or ") }
}
