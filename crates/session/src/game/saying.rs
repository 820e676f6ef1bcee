//! What a person may say about the cells of a question: every value of every predicate of the
//! patterns as words that are true or false, and which fields may share a cell.
//!
//! A [`Saying`] is true at some values of one predicate; the sayings of a predicate tell its values
//! apart as far as people care. *Maybe* allows both.

use std::collections::BTreeSet;

use trellis_patterns::heap::Heap;
use trellis_patterns::{Colour, Order, PatternWords, Predicate, Sharing, Values};
use trellis_report::game::{self, Truth};

/// Something that may be said of a cell of a record.
#[derive(Clone, Debug)]
pub(super) struct Saying {
    /// As it is shown.
    pub name: String,
    /// The record.
    pub record: usize,
    /// What it is about.
    pub about: About,
    /// A few words.
    pub meaning: String,
}

/// What a saying is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum About {
    /// A predicate, by its number in the record, and the values at which it is true, as bits.
    Value(usize, u64),
    /// Two of these pairs of fields lead to the cell.
    Shared(Sharing),
}

/// All sayings of a question, given the heaps that are shown in it.
pub(super) fn sayings(words: &PatternWords, shown: &[&Heap], positives: &[&Heap]) -> Vec<Saying> {
    let mut out = Vec::new();
    for (record, of) in words.records.iter().enumerate() {
        for (i, predicate) in of.predicates.iter().enumerate() {
            let unset = shown.iter().any(|h| {
                let mut cells = (0..h.cells.len()).filter(|c| h.cells[*c].record == record);
                cells.any(|c| h.value(words, c, *predicate) == 0)
            });
            for (name, values, meaning) in values(words, record, *predicate, unset) {
                out.push(Saying { name, record, about: About::Value(i, values), meaning });
            }
        }
        out.extend(shared(words, record, positives));
    }
    // The same name for two records: each says which it means.
    let names: Vec<String> = out.iter().map(|s| s.name.clone()).collect();
    for saying in &mut out {
        if names.iter().filter(|n| **n == saying.name).count() > 1 {
            saying.name = format!("{}.{}", words.records[saying.record].name, saying.name);
        }
    }
    out
}

/// The sayings of a predicate: names, the values at which they are true, meanings.
fn values(
    words: &PatternWords,
    record: usize,
    predicate: Predicate,
    unset: bool,
) -> Vec<(String, u64, String)> {
    let of = &words.records[record];
    let bit = |v: Order| 1u64 << v as u64;
    let compare = |left: String, right: String, is_bool: bool| {
        let equal =
            (format!("{left} == {right}"), bit(Order::Equal), format!("{left} equals {right}"));
        let greater = (
            format!("{left} > {right}"),
            bit(Order::Greater),
            format!("{left} is greater than {right}"),
        );
        if is_bool { vec![equal] } else { vec![equal, greater] }
    };
    match predicate {
        Predicate::Data(f) => {
            let (name, kind) = (&of.data[f].name, of.data[f].kind);
            let class = |c: usize| 2u64 << c;
            let mut out = Vec::new();
            let constants = words.partition.constants();
            if kind.bits == 1 {
                let one = class(words.partition.class(1));
                out.push((name.clone(), one, format!("the field {name} is true")));
            } else {
                for c in constants {
                    let only = class(words.partition.class(*c));
                    out.push((format!("{name} == {c}"), only, format!("the field {name} is {c}")));
                }
                if words.partition.is_ordered() {
                    for c in constants {
                        let above = words.partition.class(*c) + 1..words.partition.len();
                        let above = above.map(class).fold(0, |all, b| all | b);
                        out.push((
                            format!("{name} > {c}"),
                            above,
                            format!("the field {name} is above {c}"),
                        ));
                    }
                }
            }
            if unset {
                out.push((
                    format!("{name} unset"),
                    1,
                    format!("the field {name} was never written"),
                ));
            }
            out
        }
        Predicate::Against { field, scalar } => {
            let is_bool = of.data[field].kind.bits == 1;
            compare(of.data[field].name.clone(), words.scalars[scalar].name.clone(), is_bool)
        }
        Predicate::Neighbour { field, over, other } => {
            let Some(to) = of.pointers[over].to else { return Vec::new() };
            let there = &words.records[to].data[other];
            let right = format!("{}->{}", of.pointers[over].name, there.name);
            compare(of.data[field].name.clone(), right, there.kind.bits == 1)
        }
        Predicate::Inverse { over, back } => {
            let Some(to) = of.pointers[over].to else { return Vec::new() };
            let (over, back) = (&of.pointers[over].name, &words.records[to].pointers[back].name);
            // True where it leads to no cell, too: nothing is wrong there.
            vec![(format!("{over}⇄{back}"), 0b101, format!("{back} of {over} leads back here"))]
        }
        Predicate::Is { field, pointer } => {
            let (field, var) = (&of.pointers[field].name, &words.pointers[pointer].name);
            vec![(format!("{field} == {var}"), 0b10, format!("{field} equals {var}"))]
        }
        Predicate::Entered => {
            vec![("entered".to_owned(), 0b10, "some field leads here".to_owned())]
        }
    }
}

/// Which fields may share a cell: pairs that the program makes have a word each, all others one.
fn shared(words: &PatternWords, record: usize, positives: &[&Heap]) -> Vec<Saying> {
    let edges = words.edges();
    let mut usual = BTreeSet::new();
    for heap in positives {
        for cell in (0..heap.cells.len()).filter(|c| heap.cells[*c].record == record) {
            let incoming = incoming(words, heap, cell);
            for (i, a) in incoming.iter().enumerate() {
                incoming[..i].iter().for_each(|b| {
                    usual.insert((*a.min(b), *a.max(b)));
                });
            }
        }
    }
    let name = |edge: usize| match words.edge(edge) {
        Some((r, f)) => words.records[r].pointers[f].name.clone(),
        None => edge.to_string(),
    };
    let all = (0..edges).flat_map(|b| (0..=b).map(move |a| (a, b)));
    let rest = all
        .filter(|p| !usual.contains(p))
        .fold(Sharing::NONE, |s, (a, b)| s.or(Sharing::pair(a, b)));
    let say = |name: String, sharing, meaning: String| Saying {
        name,
        record,
        about: About::Shared(sharing),
        meaning,
    };
    let mut out = Vec::new();
    for (a, b) in &usual {
        let names = format!("{}+{} in", name(*a), name(*b));
        let meaning = format!("{} and {} may both lead here", name(*a), name(*b));
        out.push(say(names, Sharing::pair(*a, *b), meaning));
    }
    if rest != Sharing::NONE {
        let meaning =
            if usual.is_empty() { "two edges may lead here" } else { "other edges may meet here" };
        out.push(say("shared".to_owned(), rest, meaning.to_owned()));
    }
    out
}

/// The edges that lead to a cell, by number.
pub(super) fn incoming(words: &PatternWords, heap: &Heap, cell: usize) -> Vec<usize> {
    let mut out = Vec::new();
    for from in &heap.cells {
        for (field, place) in words.records[from.record].pointers.iter().zip(&from.pointers) {
            if *place == trellis_patterns::heap::Place::Cell(cell) {
                out.push(field.edge);
            }
        }
    }
    out
}

impl Saying {
    /// Is it true of a cell?
    pub fn holds(&self, words: &PatternWords, heap: &Heap, cell: usize) -> bool {
        match self.about {
            About::Value(i, values) => values >> heap.colour(words, cell).get(i) & 1 == 1,
            About::Shared(pairs) => {
                let there = Sharing::of(&incoming(words, heap, cell));
                there.0 & pairs.0 != 0
            }
        }
    }

    /// As the page has it.
    fn shown(&self, words: &PatternWords, letter: String) -> game::Predicate {
        use Truth::{False, Maybe, True};
        let values = match self.about {
            About::Value(..) => vec![True, Maybe, False],
            // A pattern may allow that cells are shared; it cannot demand it.
            About::Shared(_) => vec![Maybe, False],
        };
        let record = words.records[self.record].name.clone();
        game::Predicate {
            name: self.name.clone(),
            letter,
            meaning: self.meaning.clone(),
            record,
            values,
        }
    }
}

/// Sayings as the page has them, each with a letter of its own.
pub(super) fn predicates(words: &PatternWords, sayings: &[Saying]) -> Vec<game::Predicate> {
    let mut taken = BTreeSet::new();
    let mut out = Vec::new();
    for saying in sayings {
        let letters = saying.name.chars().filter(|c| c.is_ascii_alphanumeric());
        let all = letters.map(|c| c.to_ascii_lowercase()).chain('a'..='z');
        let letter = all.into_iter().find(|c| !taken.contains(c)).unwrap_or('?');
        taken.insert(letter);
        out.push(saying.shown(words, letter.to_string()));
    }
    out
}

/// The colours that what is said of a node allows.
pub(super) fn colours(
    words: &PatternWords,
    record: usize,
    sayings: &[Saying],
    said: &dyn Fn(&str) -> Truth,
) -> BTreeSet<Colour> {
    let of = &words.records[record];
    let mut out = BTreeSet::from([Colour::default()]);
    for (i, predicate) in of.predicates.iter().enumerate() {
        let mut there: Vec<u8> = (0..words.values_of(*predicate)).collect();
        if let Predicate::Data(f) = predicate {
            // A class that the type does not have would only make the set larger.
            let all = words.partition.all(of.data[*f].kind);
            there.retain(|v| *v == 0 || all.includes(Values::class(usize::from(*v) - 1)));
        }
        for saying in sayings.iter().filter(|s| s.record == record) {
            if let About::Value(p, values) = saying.about
                && p == i
            {
                there.retain(|v| said(&saying.name).allows(values >> v & 1 == 1));
            }
        }
        // Where nothing can be said about unset data, it is not meant.
        let speaks_of_unset = sayings
            .iter()
            .any(|s| s.record == record && matches!(s.about, About::Value(p, 1) if p == i));
        if matches!(predicate, Predicate::Data(_)) && !speaks_of_unset {
            there.retain(|v| *v != 0);
        }
        out = out.iter().flat_map(|c| there.iter().map(|v| c.with(i, *v))).collect();
    }
    out
}

/// The sharing that what is said of a node allows.
pub(super) fn sharing(record: usize, sayings: &[Saying], said: &dyn Fn(&str) -> Truth) -> Sharing {
    let mut out = Sharing::NONE;
    for saying in sayings.iter().filter(|s| s.record == record) {
        if let About::Shared(pairs) = saying.about
            && said(&saying.name) != Truth::False
        {
            out = out.or(pairs);
        }
    }
    out
}
