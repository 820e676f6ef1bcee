//! Heaps, and all small ones.

use std::collections::BTreeMap;

use trellis_report::game::{Cell, Example, Named, Place, Scalar, Wording};

/// The null pointer.
pub const NULL: Place = Place::Named(Named::Null);

/// A heap of a list: the values of `on` along it; `x` at the first cell, `y` at the last.
pub fn list(ons: &[bool], back: bool) -> Example {
    let at = |i: usize| if i < ons.len() { Place::Cell(i) } else { NULL };
    let cells = ons.iter().enumerate().map(|(i, on)| {
        let mut fields = BTreeMap::from([("next".to_owned(), at(i + 1))]);
        if back {
            fields.insert("prev".to_owned(), if i == 0 { NULL } else { Place::Cell(i - 1) });
        }
        cell(*on, fields)
    });
    let last = if ons.is_empty() { NULL } else { Place::Cell(ons.len() - 1) };
    let variables = BTreeMap::from([("x".to_owned(), at(0)), ("y".to_owned(), last)]);
    Example { cells: cells.collect(), variables, ..Example::default() }
}

/// A cell.
pub fn cell(on: bool, fields: BTreeMap<String, Place>) -> Cell {
    let data = vec![Scalar { name: "on".to_owned(), value: u8::from(on).to_string() }];
    let words = BTreeMap::from([("on".to_owned(), on)]);
    Cell { record: "node".to_owned(), words, fields, data }
}

/// Where a field of a place leads; `None`: there is no cell.
pub fn follow(heap: &Example, place: Place, field: &str) -> Option<Place> {
    let Place::Cell(i) = place else { return None };
    heap.cells.get(i)?.fields.get(field).copied()
}

/// The value of `on` at a place.
pub fn on(heap: &Example, place: Place) -> Option<bool> {
    let Place::Cell(i) = place else { return None };
    heap.cells.get(i)?.words.get("on").copied()
}

/// Drops cells that no variable reaches, and numbers the others in the order of a walk.
pub fn trim(heap: &Example) -> Example {
    let mut order: Vec<usize> = Vec::new();
    let see = |place: &Place, order: &mut Vec<usize>| {
        if let Place::Cell(i) = place
            && !order.contains(i)
        {
            order.push(*i);
        }
    };
    heap.variables.values().for_each(|p| see(p, &mut order));
    let mut k = 0;
    while k < order.len() {
        heap.cells[order[k]].fields.values().for_each(|p| see(p, &mut order));
        k += 1;
    }
    let moved = |place: &Place| match place {
        Place::Cell(i) => order.iter().position(|o| o == i).map_or(NULL, Place::Cell),
        named => *named,
    };
    let move_all = |places: &BTreeMap<String, Place>| {
        places.iter().map(|(name, place)| (name.clone(), moved(place))).collect()
    };
    let cells = order.iter().map(|i| {
        let cell = &heap.cells[*i];
        Cell { fields: move_all(&cell.fields), ..cell.clone() }
    });
    Example { cells: cells.collect(), variables: move_all(&heap.variables), ..heap.clone() }
}

/// Says of every cell what the words speak of.
pub fn label(heap: &mut Example, words: &Wording) {
    let cells = heap.cells.clone();
    for (i, cell) in heap.cells.iter_mut().enumerate() {
        let leads = |c: &Cell| c.fields.get("next") == Some(&Place::Cell(i));
        let shared = cells.iter().filter(|c| leads(c)).count() > 1;
        let back = match cell.fields.get("next") {
            Some(Place::Cell(n)) => cells[*n].fields.get("prev") == Some(&Place::Cell(i)),
            _ => true,
        };
        for (word, value) in [("shared", shared), ("back", back)] {
            if words.predicate(word).is_some() {
                cell.words.insert(word.to_owned(), value);
            }
        }
    }
}

/// All heaps of exactly `n` cells that are reached in the order of their numbers, each once.
pub fn all(words: &Wording, n: usize) -> Vec<Example> {
    let fields = words.fields("node");
    let mut out = Vec::new();
    let base = n + 1;
    let slots = words.variables.len() + n * fields.len();
    let place = |k: usize| if k == n { NULL } else { Place::Cell(k) };
    for code in 0..base.pow(slots as u32) {
        let mut rest = code;
        let mut next = || {
            let k = rest % base;
            rest /= base;
            place(k)
        };
        let variables: BTreeMap<String, Place> =
            words.variables.iter().map(|v| (v.name.clone(), next())).collect();
        let links: Vec<BTreeMap<String, Place>> =
            (0..n).map(|_| fields.iter().map(|f| (f.clone(), next())).collect()).collect();
        if !in_order(&variables, &links) {
            continue;
        }
        for bits in 0..1usize << n {
            let cells = links.iter().enumerate().map(|(i, l)| cell(bits >> i & 1 == 1, l.clone()));
            let cells = cells.collect();
            let mut heap = Example { cells, variables: variables.clone(), ..Example::default() };
            label(&mut heap, words);
            out.push(heap);
        }
    }
    out
}

/// Does walking from the variables find the cells in the order of their numbers, and all of them?
fn in_order(variables: &BTreeMap<String, Place>, links: &[BTreeMap<String, Place>]) -> bool {
    let mut found: Vec<usize> = Vec::new();
    let see = |place: &Place, found: &mut Vec<usize>| {
        if let Place::Cell(i) = place
            && !found.contains(i)
        {
            found.push(*i);
        }
    };
    variables.values().for_each(|p| see(p, &mut found));
    let mut k = 0;
    while k < found.len() {
        links[found[k]].values().for_each(|p| see(p, &mut found));
        k += 1;
    }
    found.len() == links.len() && found.iter().enumerate().all(|(i, c)| i == *c)
}
