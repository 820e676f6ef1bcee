//! Patterns from a few words, so that tests can be read.
//!
//! `l=a d=1; a data=0 next=b,null; b* data=0,1 next=b,null shared`: variables first, then nodes. A
//! star is a summary node. A variable that is not named is dead if it may be, and else undefined; an
//! integer, a data field or a field that is not named may be anything.

use trellis_patterns::check::Labels;
use trellis_patterns::pattern::{Label, Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::program::PatternProgram;
use trellis_patterns::values::{Orders, Values};
use trellis_patterns::words::{Colour, PatternWords, Predicate};

/// Labels of several heads: the first line names a block's number among the heads, in order.
pub fn labels(code: &PatternProgram, texts: &[&[&str]]) -> Labels {
    let heads: Vec<usize> = code.heads.iter().copied().collect();
    assert_eq!(heads.len(), texts.len(), "a label for every loop");
    heads
        .iter()
        .zip(texts)
        .map(|(head, texts)| {
            (*head, Label(texts.iter().map(|t| pattern(code, *head, t)).collect()))
        })
        .collect()
}

/// A pattern at a block.
pub fn pattern(code: &PatternProgram, block: usize, text: &str) -> Pattern {
    let words = &code.words;
    let mut parts = text.split(';').map(str::trim);
    let vars = parts.next().unwrap_or_default();
    let nodes: Vec<&str> = parts.collect();
    let names: Vec<&str> =
        nodes.iter().map(|n| n.split_whitespace().next().unwrap().trim_end_matches('*')).collect();
    let target = |name: &str| match name {
        "null" => Target::Null,
        "freed" => Target::Freed,
        "undefined" => Target::Undefined,
        "dead" => Target::Dead,
        name => Target::Node(names.iter().position(|n| *n == name).expect(name)),
    };
    let live = &code.blocks[block].live_pointers;
    let start = |live: &bool| if *live { Target::Undefined } else { Target::Dead };
    let mut out = Pattern {
        scalars: words
            .scalars
            .iter()
            .map(|s| words.partition.all(s.kind).or(Values::UNDEFINED))
            .collect(),
        orders: words.pairs.iter().map(|_| Orders::ANY).collect(),
        vars: live.iter().map(start).collect(),
        nodes: Vec::new(),
    };
    for item in vars.split_whitespace() {
        let (name, value) = item.split_once('=').expect(item);
        if let Some(p) = words.pointers.iter().position(|p| p.name == name) {
            out.vars[p] = target(value);
        } else {
            let s = words.scalars.iter().position(|s| s.name == name).expect(name);
            out.scalars[s] = classes(words, value);
        }
    }
    out.nodes = nodes.iter().map(|n| node(words, n, &target)).collect();
    assert_eq!(out.fault(words), None, "{text}");
    out
}

fn classes(words: &PatternWords, text: &str) -> Values {
    let value = |v: &str| match v {
        "undefined" => Values::UNDEFINED,
        "other" => Values::class(words.partition.class(1_000_000)),
        v => Values::class(words.partition.class(v.parse().expect(v))),
    };
    text.split(',').map(value).fold(Values::NONE, Values::or)
}

fn node(words: &PatternWords, text: &str, target: &dyn Fn(&str) -> Target) -> Node {
    let mut items = text.split_whitespace();
    let name = items.next().unwrap();
    let record = &words.records[0];
    let mut sharing = Sharing::NONE;
    let mut fields = vec![Targets::NULL; record.pointers.len()];
    let mut lanes: Vec<Vec<u8>> = record
        .predicates
        .iter()
        .map(|p| match p {
            Predicate::Data(f) => {
                let all = words.partition.all(record.data[*f].kind);
                all.classes().map(|c| c as u8 + 1).collect()
            }
            p => (0..words.values_of(*p)).collect(),
        })
        .collect();
    for item in items {
        let Some((key, value)) = item.split_once('=') else {
            sharing = match item {
                "shared" => Sharing::all(words.edges()),
                // One incoming field of each of two kinds.
                "both" => Sharing::pair(0, 1),
                _ => panic!("{text}"),
            };
            continue;
        };
        if let Some(f) = record.pointers.iter().position(|f| f.name == key) {
            let targets = value.split(',').map(|t| Targets::of(target(t)));
            fields[f] = targets.fold(Targets::NONE, Targets::or);
        } else if let Some(f) = record.data.iter().position(|f| f.name == key) {
            let p = record.predicate(Predicate::Data(f)).expect("data that is read");
            let set = classes(words, value);
            lanes[p] = set.classes().map(|c| c as u8 + 1).collect();
            lanes[p].extend(set.may_be_undefined().then_some(0));
        } else {
            // `back=0,2`: the values of the only other predicate.
            assert_eq!(key, "back", "{text}");
            let p = record.predicates.len() - 1;
            lanes[p] = value.split(',').map(|v| v.parse().expect(v)).collect();
        }
    }
    let mut colours = vec![Colour::default()];
    for (p, values) in lanes.iter().enumerate() {
        colours = colours.iter().flat_map(|c| values.iter().map(move |v| c.with(p, *v))).collect();
    }
    let colours = colours.into_iter().collect();
    Node { record: 0, summary: name.ends_with('*'), sharing, colours, fields }
}
