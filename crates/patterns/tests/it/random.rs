//! Words, random patterns over them, and all small heaps.

use std::collections::BTreeSet;

use trellis_patterns::heap::{Cell, Heap, Place};
use trellis_patterns::pattern::{Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::values::{Orders, Partition, Values};
use trellis_patterns::words::{
    Colour, DataField, PatternWords, PointerField, PointerStart, PointerVar, Predicate, Record,
    ScalarVar, Slot,
};
use trellis_program::{IntKind, TypeId, VarId};
use trellis_testkit::random::Random;

/// One record with the given pointer fields and one `_Bool`, and some variables.
pub fn words(
    fields: &[&str],
    vars: &[&str],
    scalars: &[&str],
    predicates: &[Predicate],
) -> PatternWords {
    let pointer = |(edge, name): (usize, &&str)| PointerField {
        name: (*name).to_owned(),
        offset: 8 + 8 * edge as u32,
        to: Some(0),
        edge,
    };
    let data = DataField { name: "data".into(), offset: 0, kind: IntKind::BOOL };
    let var = |(i, name): (usize, &&str)| PointerVar {
        name: (*name).to_owned(),
        slot: Slot::Local(VarId(i as u32)),
        to: Some(0),
        is_temp: false,
        is_entry: false,
        start: PointerStart::Undefined,
    };
    let scalar = |(i, name): (usize, &&str)| ScalarVar {
        name: (*name).to_owned(),
        slot: Slot::Local(VarId(100 + i as u32)),
        kind: IntKind::BOOL,
        is_temp: false,
        is_entry: false,
        start: None,
    };
    let mut words = PatternWords {
        records: vec![Record {
            ty: TypeId(0),
            name: "struct node".into(),
            size: 8 + 8 * fields.len() as u32,
            pointers: fields.iter().enumerate().map(pointer).collect(),
            data: vec![data],
            predicates: Vec::new(),
        }],
        pointers: vars.iter().enumerate().map(var).collect(),
        scalars: scalars.iter().enumerate().map(scalar).collect(),
        pairs: Vec::new(),
        partition: Partition::new([0, 1], false),
    };
    for predicate in predicates {
        assert!(words.add_predicate(0, *predicate));
    }
    words
}

/// Some words with predicates of every kind.
pub fn kinds_of_words() -> Vec<PatternWords> {
    let data = Predicate::Data(0);
    vec![
        words(&["next"], &["l", "x"], &[], &[data]),
        words(&["next"], &["l"], &["d"], &[data, Predicate::Against { field: 0, scalar: 0 }]),
        words(
            &["next"],
            &["l"],
            &[],
            &[data, Predicate::Neighbour { field: 0, over: 0, other: 0 }],
        ),
        words(&["next", "prev"], &["l"], &[], &[Predicate::Inverse { over: 0, back: 1 }]),
        words(&["next"], &["l", "x"], &[], &[Predicate::Is { field: 0, pointer: 1 }]),
        words(&["left", "right"], &["t"], &[], &[]),
        words(&["left", "right"], &["t", "x"], &[], &[Predicate::Entered]),
    ]
}

/// All heaps of up to so many cells, pointers null or to cells, each once.
pub fn all_heaps(words: &PatternWords, cells: usize, freed: bool) -> Vec<Heap> {
    let mut out = BTreeSet::new();
    for n in 0..=cells {
        let mut places = vec![Place::Null];
        if freed {
            places.push(Place::Freed);
        }
        places.extend((0..n).map(Place::Cell));
        let fields = words.records[0].pointers.len();
        let speaks = words.records[0].predicates.iter().any(|p| {
            matches!(
                p,
                Predicate::Data(_) | Predicate::Against { .. } | Predicate::Neighbour { .. }
            )
        });
        let values: Vec<Option<i128>> =
            if speaks { vec![None, Some(0), Some(1)] } else { vec![None] };
        let mut digits = vec![0usize; words.pointers.len() + n * fields + n + words.scalars.len()];
        let bases: Vec<usize> = (0..digits.len())
            .map(|i| {
                let pointers = words.pointers.len() + n * fields;
                if i < pointers {
                    places.len()
                } else if i < pointers + n {
                    values.len()
                } else {
                    2
                }
            })
            .collect();
        loop {
            let mut at = digits.iter();
            let mut place = || places[*at.next().unwrap()];
            let vars = (0..words.pointers.len()).map(|_| place()).collect();
            let pointers: Vec<Vec<Place>> =
                (0..n).map(|_| (0..fields).map(|_| place()).collect()).collect();
            let cells = pointers
                .into_iter()
                .map(|pointers| Cell {
                    record: 0,
                    pointers,
                    data: vec![values[*at.next().unwrap()]],
                })
                .collect();
            let scalars = (0..words.scalars.len()).map(|_| Some(*at.next().unwrap() as i128));
            let heap = Heap { scalars: scalars.collect(), vars, cells };
            let normal = heap.normalised();
            if normal.cells.len() == n {
                out.insert(normal);
            }
            let Some(i) = (0..digits.len()).find(|i| digits[*i] + 1 < bases[*i]) else { break };
            digits[i] += 1;
            digits[..i].fill(0);
        }
    }
    out.into_iter().collect()
}

/// A pattern at random; most have some heaps.
pub fn pattern(words: &PatternWords, random: &mut Random, freed: bool) -> Pattern {
    let nodes = 1 + random.below(4) as usize;
    let record = &words.records[0];
    let edges = words.edges();
    let node = |i: usize, random: &mut Random| {
        let mut fields = Vec::new();
        for _ in &record.pointers {
            let mut targets = Targets::NONE;
            if random.below(2) == 0 {
                targets = targets.or(Targets::NULL);
            }
            if freed && random.below(6) == 0 {
                targets = targets.or(Targets::FREED);
            }
            for n in 0..nodes {
                if random.below(2) == 0 || n == i + 1 {
                    targets = targets.or(Targets::node(n));
                }
            }
            fields.push(targets);
        }
        let mut colours = BTreeSet::new();
        for colour in all_colours(words) {
            if random.below(3) != 0 {
                colours.insert(colour);
            }
        }
        let sharing = match random.below(3) {
            0 => Sharing::NONE,
            1 => Sharing::all(edges),
            _ => Sharing(random.below(64)).and_all(edges),
        };
        Node { record: 0, summary: random.below(2) == 0, sharing, colours, fields }
    };
    let mut nodes: Vec<Node> = (0..nodes).map(|i| node(i, random)).collect();
    let vars: Vec<Target> = words
        .pointers
        .iter()
        .enumerate()
        .map(|(i, _)| match random.below(4) {
            0 if i > 0 => Target::Null,
            1 if freed => Target::Freed,
            _ => Target::Node(random.below(nodes.len() as u64) as usize),
        })
        .collect();
    for v in &vars {
        if let Target::Node(n) = v {
            nodes[*n].summary = false;
        }
    }
    let some = |random: &mut Random| Values(2 + 2 * random.below(3));
    Pattern {
        scalars: words.scalars.iter().map(|_| some(random)).collect(),
        orders: words.pairs.iter().map(|_| Orders::ANY).collect(),
        vars,
        nodes,
    }
}

trait AndAll {
    fn and_all(self, edges: usize) -> Sharing;
}

impl AndAll for Sharing {
    fn and_all(self, edges: usize) -> Sharing {
        Sharing(self.0 & Sharing::all(edges).0)
    }
}

/// Every colour that the numbers of values allow.
pub fn all_colours(words: &PatternWords) -> Vec<Colour> {
    let mut out = vec![Colour::default()];
    for (i, p) in words.records[0].predicates.iter().enumerate() {
        let values = words.values_of(*p);
        out = out.iter().flat_map(|c| (0..values).map(move |v| c.with(i, v))).collect();
    }
    out
}
