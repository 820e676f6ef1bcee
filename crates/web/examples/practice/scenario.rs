//! The programs of the practice games.

use std::collections::BTreeMap;

use trellis_report::game::{
    Drawing, Edge, Example, Kind, Level, Node, Place, Predicate, Record, Truth, Variable, Wording,
};

use crate::heap::{NULL, cell, follow, label, list, on, trim};

/// A program with one loop that appends to a list, and a check behind it.
#[derive(Clone)]
pub struct Scenario {
    pub level: Level,
    pub source: &'static str,
    pub words: Wording,
    pub start: Drawing,
    /// The line of each question; a drawing is asked for each.
    pub places: Vec<u32>,
    pub check: u32,
    /// The value of the cell that is appended behind one with this value.
    pub append: fn(bool) -> bool,
    /// Is `on` of every cell as it should be? Given the value before.
    pub good: fn(Option<bool>, bool) -> bool,
    /// Lengths of the heaps that are shown at the start.
    pub shown: Vec<usize>,
    pub back: bool,
    /// The largest heaps that are tried.
    pub largest: usize,
}

impl Scenario {
    /// The heap after `n` cells were appended, starting with one.
    pub fn reached(&self, n: usize) -> Example {
        let mut ons = vec![true];
        while ons.len() < n {
            ons.push((self.append)(ons[ons.len() - 1]));
        }
        let mut heap = list(&ons, self.back);
        label(&mut heap, &self.words);
        heap
    }

    /// Why a heap fails the check behind the loop.
    pub fn fails(&self, heap: &Example) -> Option<String> {
        let mut at = heap.variables.get("x").copied().unwrap_or(NULL);
        let (mut before, mut from, mut steps) = (None, NULL, 0);
        while at != NULL {
            let value = on(heap, at)?;
            if !(self.good)(before, value) {
                return Some(format!("it fails the check on line {}", self.check));
            }
            if self.back && follow(heap, at, "prev") != Some(from) {
                return Some("a pointer back does not lead back".to_owned());
            }
            (before, from) = (Some(value), at);
            at = follow(heap, at, "next")?;
            steps += 1;
            if steps > heap.cells.len() {
                return Some("the check never ends: there is a cycle".to_owned());
            }
        }
        match heap.variables.get("y") {
            Some(Place::Cell(_)) => None,
            _ => Some("y points to no cell, so appending fails".to_owned()),
        }
    }

    /// What one more turn of the loop makes of a heap.
    pub fn step(&self, heap: &Example) -> Option<Example> {
        let Place::Cell(last) = *heap.variables.get("y")? else { return None };
        let value = on(heap, Place::Cell(last))?;
        let mut next = heap.clone();
        let new = Place::Cell(next.cells.len());
        next.cells[last].fields.insert("next".to_owned(), new);
        let mut fields = BTreeMap::from([("next".to_owned(), NULL)]);
        if self.back {
            fields.insert("prev".to_owned(), Place::Cell(last));
        }
        next.cells.push(cell((self.append)(value), fields));
        next.variables.insert("y".to_owned(), new);
        // What was behind the last cell is lost.
        let mut next = trim(&next);
        label(&mut next, &self.words);
        Some(next)
    }
}

const ALT_LIST: &str = include_str!("alt_list.c");
const FIRST_STEPS: &str = include_str!("first_steps.c");
const DOUBLY: &str = include_str!("doubly.c");

/// All of them.
pub fn all() -> Vec<Scenario> {
    vec![first_steps(), alt_list(), doubly(), large()]
}

fn words(fields: &[&str], said: &[(&str, &str, &str)]) -> Wording {
    let variable =
        |name: &str, meaning: &str| Variable { name: name.into(), meaning: meaning.into() };
    Wording {
        records: vec![Record {
            name: "node".to_owned(),
            fields: fields.iter().map(|f| (*f).to_owned()).collect(),
        }],
        variables: vec![variable("x", "first cell of the list"), variable("y", "cell added last")],
        predicates: said
            .iter()
            .map(|(name, letter, meaning)| predicate(name, letter, meaning))
            .collect(),
    }
}

fn predicate(name: &str, letter: &str, meaning: &str) -> Predicate {
    use Truth::{False, Maybe, True};
    let values = if name == "shared" { vec![Maybe, False] } else { vec![True, Maybe, False] };
    let (name, letter, meaning) = (name.to_owned(), letter.to_owned(), meaning.to_owned());
    Predicate { name, letter, meaning, record: String::new(), values }
}

const ON: (&str, &str, &str) = ("on", "o", "the field on is not 0");
const SHARED: (&str, &str, &str) = ("shared", "s", "two edges lead here");
const BACK: (&str, &str, &str) = ("back", "b", "prev of the next cell leads back");

fn level(id: &str, title: &str, sentence: &str, tour: bool) -> Level {
    Level { id: id.into(), title: title.into(), sentence: sentence.into(), tour }
}

fn node(id: &str, summary: bool, labels: &[(&str, Truth)], x: i32, y: i32) -> Node {
    let kind = if id == "null" { Kind::Null } else { Kind::Cells };
    let record = if id == "null" { "" } else { "node" }.to_owned();
    let (words, variables) = labels
        .iter()
        .map(|(n, v)| ((*n).to_owned(), *v))
        .partition(|l: &(String, Truth)| !["x", "y"].contains(&l.0.as_str()));
    Node { id: id.to_owned(), kind, record, summary, variables, words, x, y }
}

fn edge(from: &str, field: &str, to: &str) -> Edge {
    Edge { from: from.into(), field: field.into(), to: to.into(), value: Truth::Maybe }
}

fn first_steps() -> Scenario {
    use Truth::{False, Maybe, True};
    Scenario {
        level: level(
            "first_steps",
            "First steps",
            "A list that grows: the tour explains the page.",
            true,
        ),
        source: FIRST_STEPS,
        words: words(&["next"], &[ON, SHARED]),
        start: Drawing {
            nodes: vec![
                node(
                    "n1",
                    false,
                    &[("x", True), ("y", Maybe), ("on", True), ("shared", False)],
                    32,
                    160,
                ),
                node("null", false, &[], 440, 174),
            ],
            edges: vec![edge("n1", "next", "null")],
        },
        places: vec![8, 14],
        check: 14,
        append: |_| true,
        good: |_, on| on,
        shown: vec![1, 2, 3],
        back: false,
        largest: 3,
    }
}

fn alt_list() -> Scenario {
    use Truth::{False, Maybe, True};
    Scenario {
        level: level("alt_list", "Alternating list", "The values along the list alternate.", false),
        source: ALT_LIST,
        words: words(&["next"], &[ON, SHARED]),
        start: Drawing {
            nodes: vec![
                node(
                    "n1",
                    false,
                    &[("x", True), ("y", Maybe), ("on", True), ("shared", False)],
                    32,
                    224,
                ),
                node("n2", true, &[("y", Maybe), ("shared", False)], 272, 344),
                node("null", false, &[], 536, 248),
            ],
            edges: vec![
                edge("n1", "next", "n2"),
                edge("n2", "next", "n2"),
                edge("n2", "next", "null"),
            ],
        },
        places: vec![8],
        check: 15,
        append: |on| !on,
        good: |before, on| before.map_or(on, |b| b != on),
        shown: vec![1, 2, 3, 4],
        back: false,
        largest: 4,
    }
}

fn doubly() -> Scenario {
    use Truth::{False, Maybe, True};
    Scenario {
        level: level(
            "doubly",
            "There and back",
            "Two fields: every pointer back leads back.",
            false,
        ),
        source: DOUBLY,
        words: words(&["next", "prev"], &[ON, SHARED, BACK]),
        start: Drawing {
            nodes: vec![
                node(
                    "n1",
                    false,
                    &[("x", True), ("y", Maybe), ("on", True), ("shared", False)],
                    32,
                    160,
                ),
                node("n2", true, &[("y", Maybe), ("shared", False)], 272, 296),
                node("null", false, &[], 536, 184),
            ],
            edges: vec![
                edge("n1", "next", "n2"),
                edge("n1", "prev", "null"),
                edge("n2", "next", "null"),
            ],
        },
        places: vec![8],
        check: 16,
        append: |_| true,
        good: |_, on| on,
        shown: vec![1, 2, 3],
        back: true,
        largest: 2,
    }
}

/// Twenty heaps and twelve nodes, to measure with.
fn large() -> Scenario {
    use Truth::{False, Maybe, True};
    let mut scenario = alt_list();
    scenario.level = level("large", "Twelve nodes", "A large pattern, to measure with.", false);
    let mut nodes = vec![node(
        "n1",
        false,
        &[("x", True), ("y", Maybe), ("on", True), ("shared", False)],
        32,
        64,
    )];
    let mut edges = vec![edge("n1", "next", "null"), edge("n1", "next", "n2")];
    for i in 2..12 {
        let (column, row) = ((i - 1) % 4, (i - 1) / 4);
        let labels = [("y", Maybe), ("shared", False)];
        nodes.push(node(&format!("n{i}"), true, &labels, 32 + 232 * column, 64 + 176 * row));
        edges.push(edge(&format!("n{i}"), "next", "null"));
        edges.push(edge(&format!("n{i}"), "next", &format!("n{}", if i < 11 { i + 1 } else { 2 })));
    }
    nodes.push(node("null", false, &[], 1000, 240));
    scenario.start = Drawing { nodes, edges };
    scenario.shown = (1..=20).collect();
    scenario
}
