//! Does a heap fit a drawing? The matching of the verifier decides; what is added here is a sentence
//! about the first place where it does not, and a way to show it.

use trellis_patterns::embed::Miss;
use trellis_patterns::heap::{Heap, Place};
use trellis_patterns::matching::fits;
use trellis_patterns::{Target, Targets};
use trellis_report::game::{Clash, Drawing, EdgeRef, Fit, Kind, Slack, Truth};

use super::reading::{Meant, Reader};

/// A drawing against a heap.
pub(super) fn compare(
    reader: &Reader,
    drawing: &Drawing,
    meant: &[Meant],
    heap: &Heap,
    name: &str,
) -> Fit {
    let mut misses = Vec::new();
    for (i, case) in meant.iter().enumerate() {
        match fits(&reader.words, &case.pattern, heap) {
            Ok(mapping) => {
                let named = |n: &Option<usize>| n.map(|n| case.nodes[n].clone());
                let mapping: Vec<_> = mapping.iter().map(named).collect();
                let slack = slack(reader, drawing, &mapping);
                let example = name.to_owned();
                return Fit { example, fits: true, mapping, clash: None, slack };
            }
            Err(miss) => misses.push((i, miss)),
        }
    }
    let (mapping, clash) = explain(reader, drawing, meant, heap, &misses);
    Fit { example: name.to_owned(), fits: false, mapping, clash: Some(clash), slack: Vec::new() }
}

/// Why a heap fits no case: of the case whose variables are placed as in the heap.
fn explain(
    reader: &Reader,
    drawing: &Drawing,
    meant: &[Meant],
    heap: &Heap,
    misses: &[(usize, Miss)],
) -> (Vec<Option<String>>, Clash) {
    let none = vec![None; heap.cells.len()];
    let alike = misses.iter().filter(|(i, _)| reader.alike(&meant[*i].pattern.vars, heap));
    // The case that gets farthest says most.
    let tried = alike.map(|(i, miss)| (walk(reader, &meant[*i], heap), *i, miss));
    let best = tried.max_by_key(|((mapping, _), i, _)| {
        (mapping.iter().flatten().count(), std::cmp::Reverse(*i))
    });
    let Some(((mapping, clash), i, miss)) = best else {
        return (none, nowhere(reader, drawing, heap));
    };
    let clash = clash.unwrap_or_else(|| of_miss(reader, &meant[i], heap, miss));
    (mapping, clash)
}

/// No case has the variables where the heap has them.
fn nowhere(reader: &Reader, drawing: &Drawing, heap: &Heap) -> Clash {
    for &x in &reader.pointers {
        let name = &reader.words.pointers[x].name;
        let at = |kind: Kind| {
            drawing.nodes.iter().any(|n| n.kind == kind && n.variable(name) != Truth::False)
        };
        let (there, where_) = match heap.vars[x] {
            Place::Null => (at(Kind::Null), "null"),
            Place::Freed => (at(Kind::Freed), "freed"),
            Place::Undefined => (at(Kind::Unset), "unset"),
            Place::Cell(_) => (at(Kind::Cells), ""),
        };
        if !there && where_.is_empty() {
            let sentence = format!("{name} points to a cell, but no node has {name}");
            return Clash { sentence, ..Clash::default() };
        }
        if !there {
            let sentence = format!("{name} is {where_} here, but {where_} has no {name}");
            return Clash { sentence, node: Some(where_.to_owned()), ..Clash::default() };
        }
    }
    let names = reader.pointers.iter().map(|x| reader.words.pointers[*x].name.as_str());
    let sentence =
        format!("no node has the right ones of {} together", names.collect::<Vec<_>>().join(", "));
    Clash { sentence, ..Clash::default() }
}

/// Places cells one after the other, without looking back: where that fails first.
fn walk(reader: &Reader, case: &Meant, heap: &Heap) -> (Vec<Option<String>>, Option<Clash>) {
    let (words, pattern) = (&reader.words, &case.pattern);
    let mut at: Vec<Option<usize>> = vec![None; heap.cells.len()];
    let mut queue = Vec::new();
    let shown =
        |at: &[Option<usize>]| at.iter().map(|n| n.map(|n| case.nodes[n].clone())).collect();
    let allows = |node: usize, cell: usize| {
        let n = &pattern.nodes[node];
        n.record == heap.cells[cell].record && n.colours.contains(&heap.colour(words, cell))
    };
    let wants = |node: usize, cell: usize| {
        let id = &case.nodes[node];
        let saying = reader.sayings.iter().filter(|s| s.record == heap.cells[cell].record);
        let mut saying = saying.filter(|s| {
            let n = &pattern.nodes[node];
            let mut any = n.colours.iter();
            match s.about {
                super::saying::About::Value(p, values) => {
                    let is = s.holds(words, heap, cell);
                    !any.any(|c| (values >> c.get(p) & 1 == 1) == is)
                }
                super::saying::About::Shared(_) => false,
            }
        });
        let number = cell + 1;
        let sentence = match saying.next() {
            Some(s) => {
                let is = s.holds(words, heap, cell);
                format!("cell {number} has {} {is}, but {id} wants it {}", s.name, !is)
            }
            None => format!("{id} does not allow what cell {number} holds"),
        };
        Clash { sentence, cell: Some(cell), node: Some(id.clone()), ..Clash::default() }
    };
    for (target, place) in pattern.vars.iter().zip(&heap.vars) {
        let (Target::Node(n), Place::Cell(c)) = (target, place) else { continue };
        if at[*c].is_none() {
            at[*c] = Some(*n);
            queue.push(*c);
            if !allows(*n, *c) {
                return (shown(&at), Some(wants(*n, *c)));
            }
        }
    }
    let mut next = 0;
    while let Some(cell) = queue.get(next).copied() {
        next += 1;
        let Some(node) = at[cell] else { continue };
        let record = &words.records[heap.cells[cell].record];
        for (f, place) in heap.cells[cell].pointers.iter().enumerate() {
            let leads = pattern.nodes[node].fields[f];
            let (field, from) = (record.pointers[f].name.clone(), case.nodes[node].clone());
            let (ok, name, to) = match place {
                Place::Null => {
                    (leads.includes(Targets::NULL), "null".to_owned(), Some("null".to_owned()))
                }
                Place::Freed => (
                    leads.includes(Targets::FREED),
                    "freed memory".to_owned(),
                    Some("freed".to_owned()),
                ),
                Place::Undefined => (
                    leads.includes(Targets::UNDEFINED),
                    "nothing yet".to_owned(),
                    Some("unset".to_owned()),
                ),
                Place::Cell(t) if at[*t].is_some() => {
                    let there = at[*t].unwrap_or(0);
                    (
                        leads.includes(Targets::node(there)),
                        format!("cell {}", t + 1),
                        Some(case.nodes[there].clone()),
                    )
                }
                Place::Cell(t) => {
                    let taken = |n: usize| !pattern.nodes[n].summary && at.contains(&Some(n));
                    let fit = |n: &usize| allows(*n, *t) && !taken(*n);
                    let best = leads.nodes().find(fit);
                    let any = (0..pattern.nodes.len()).find(fit);
                    if let Some(n) = best {
                        at[*t] = Some(n);
                        queue.push(*t);
                        continue;
                    }
                    let to = any.map(|n| case.nodes[n].clone());
                    if to.is_none()
                        && let Some(n) = leads.nodes().next()
                    {
                        let twice = taken(n) && allows(n, *t);
                        at[*t] = Some(n);
                        let clash = if twice { once(case, n) } else { wants(n, *t) };
                        return (shown(&at), Some(clash));
                    }
                    (false, format!("cell {}", t + 1), to)
                }
            };
            if ok {
                continue;
            }
            let number = cell + 1;
            let sentence = match &to {
                Some(to) => format!(
                    "{field} of cell {number} leads to {name}, but no edge {field} leads from {from} to {to}"
                ),
                None => {
                    format!("{field} of cell {number} leads to {name}, and no node is there for it")
                }
            };
            let missing = to.map(|to| EdgeRef { from: from.clone(), field: field.clone(), to });
            let clash = Clash { sentence, cell: Some(cell), node: Some(from), edge: None, missing };
            return (shown(&at), Some(clash));
        }
    }
    (shown(&at), None)
}

fn once(case: &Meant, node: usize) -> Clash {
    let id = &case.nodes[node];
    let sentence = format!("{id} stands for exactly one cell, and two cells need it");
    Clash { sentence, node: Some(id.clone()), ..Clash::default() }
}

/// What the matching itself says.
fn of_miss(reader: &Reader, case: &Meant, heap: &Heap, miss: &Miss) -> Clash {
    let at = |sentence: String, cell: Option<usize>, node: Option<&String>| Clash {
        sentence,
        cell,
        node: node.cloned(),
        ..Clash::default()
    };
    let words = &reader.words;
    match miss {
        Miss::Scalar(s) => at(
            format!("{} has a value that no heap that must fit has", words.scalars[*s].name),
            None,
            None,
        ),
        Miss::Order(_) => at("two numbers are in another order".to_owned(), None, None),
        Miss::Variable(x) => {
            at(format!("{} is at another place", words.pointers[*x].name), None, None)
        }
        Miss::Record(c) => at(format!("no node has the type of cell {}", c + 1), Some(*c), None),
        Miss::Colour(c) => {
            at(format!("no node that is left allows what cell {} holds", c + 1), Some(*c), None)
        }
        Miss::Shared(c) => at(
            format!("two edges lead to cell {}, and no node for it is shared", c + 1),
            Some(*c),
            None,
        ),
        Miss::Field { cell, field } => {
            let name = &words.records[heap.cells[*cell].record].pointers[*field].name;
            at(format!("{name} of cell {} leads where no edge leads", cell + 1), Some(*cell), None)
        }
        Miss::Missing(n) => {
            let id = case.nodes.get(*n);
            let name = id.map_or("a node", String::as_str);
            at(format!("{name} stands for exactly one cell, and no cell is left for it"), None, id)
        }
        Miss::Twice(c) => {
            let sentence = format!(
                "the node of cell {} stands for exactly one cell, and another needs it",
                c + 1
            );
            at(sentence, Some(*c), None)
        }
        Miss::Together => at("every part fits, but not all together".to_owned(), None, None),
        Miss::TooHard => at("the search for a way to fit it was given up".to_owned(), None, None),
    }
}

/// The *maybe*s on nodes that a heap uses.
fn slack(reader: &Reader, drawing: &Drawing, mapping: &[Option<String>]) -> Vec<Slack> {
    let used = |id: &str| mapping.iter().flatten().any(|m| m == id);
    let mut out = Vec::new();
    for node in drawing.nodes.iter().filter(|n| n.kind == Kind::Cells && used(&n.id)) {
        let record = reader.words.records.iter().position(|r| r.name == node.record);
        for saying in reader.sayings.iter().filter(|s| Some(s.record) == record) {
            if node.word(&saying.name) == Truth::Maybe {
                out.push(Slack { node: node.id.clone(), word: saying.name.clone() });
            }
        }
    }
    out
}
