//! Matching, enumeration, unfolding and entailment against the definition of fitting, read off
//! [`trellis_patterns::pattern`] and written down once more as a search over all maps.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use trellis_patterns::entail::{embedding, entails};
use trellis_patterns::enumerate::{Samples, heaps};
use trellis_patterns::heap::{Heap, Place};
use trellis_patterns::matching::fits;
use trellis_patterns::pattern::{Label, Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::unfold;
use trellis_patterns::values::Values;
use trellis_patterns::words::{Colour, PatternWords, Predicate};
use trellis_testkit::random::Random;

use crate::random::{all_heaps, kinds_of_words, pattern};

/// Whether a map of cells to nodes is one by definition.
fn is_mapping(words: &PatternWords, pattern: &Pattern, heap: &Heap, map: &[usize]) -> bool {
    let plain_once = pattern
        .nodes
        .iter()
        .enumerate()
        .all(|(n, node)| node.summary || map.iter().filter(|m| **m == n).count() == 1);
    let vars = pattern.vars.iter().zip(&heap.vars).all(|(t, p)| leads(map, *p, *t));
    let scalars = pattern.scalars.iter().zip(&heap.scalars).all(|(allowed, value)| {
        let value = value.map_or(Values::UNDEFINED, |v| Values::class(words.partition.class(v)));
        allowed.includes(value)
    });
    let mut incoming = vec![Vec::new(); heap.cells.len()];
    for cell in &heap.cells {
        for (f, p) in cell.pointers.iter().enumerate() {
            if let Place::Cell(c) = p {
                incoming[*c].push(words.records[cell.record].pointers[f].edge);
            }
        }
    }
    plain_once
        && vars
        && scalars
        && heap.cells.iter().enumerate().all(|(c, cell)| {
            let node = &pattern.nodes[map[c]];
            let fields = cell.pointers.iter().zip(&node.fields);
            cell.record == node.record
                && node.colours.contains(&heap.colour(words, c))
                && node.sharing.includes(Sharing::of(&incoming[c]))
                && fields.into_iter().all(|(p, t)| t.iter().any(|t| leads(map, *p, t)))
        })
}

fn leads(map: &[usize], place: Place, target: Target) -> bool {
    match (place, target) {
        (_, Target::Dead)
        | (Place::Null, Target::Null)
        | (Place::Freed, Target::Freed)
        | (Place::Undefined, Target::Undefined) => true,
        (Place::Cell(c), Target::Node(n)) => map[c] == n,
        _ => false,
    }
}

/// Whether some map is a mapping: all are tried.
fn fits_by_definition(words: &PatternWords, pattern: &Pattern, heap: &Heap) -> bool {
    let (cells, nodes) = (heap.cells.len(), pattern.nodes.len());
    let all = nodes.pow(cells as u32);
    (0..all).any(|code| {
        let map: Vec<usize> = (0..cells).map(|c| code / nodes.pow(c as u32) % nodes).collect();
        is_mapping(words, pattern, heap, &map)
    })
}

/// Everything below, on one pattern and all small heaps.
fn check(words: &PatternWords, small: &[Heap], pattern: &Pattern, cells: usize) -> usize {
    assert_eq!(pattern.fault(words), None);
    let mut fitting = BTreeSet::new();
    for heap in small {
        let by_definition = fits_by_definition(words, pattern, heap);
        match fits(words, pattern, heap) {
            Ok(mapping) => {
                let map: Vec<usize> = mapping.into_iter().map(|n| n.expect("reachable")).collect();
                assert!(is_mapping(words, pattern, heap, &map), "{pattern:?}\n{heap:?}\n{map:?}");
            }
            Err(why) => assert!(!by_definition, "{pattern:?}\n{heap:?}\n{why:?}"),
        }
        if by_definition {
            fitting.insert(heap.clone());
        }
    }
    let mut found = BTreeSet::new();
    for n in 0..=cells {
        let flow = heaps(words, pattern, n, Samples(1), &mut |h| {
            assert_eq!(h.cells.len(), n);
            assert!(found.insert(h.clone()), "twice: {h:?}");
            ControlFlow::Continue(())
        });
        assert_eq!(flow, ControlFlow::Continue(()));
    }
    // What is dead or not spoken of is not part of the small heaps.
    assert_eq!(found, fitting, "{pattern:?}");
    let tidy = unfold::tidy(words, pattern);
    let of = |p: &Pattern| -> BTreeSet<Heap> {
        small.iter().filter(|h| fits(words, p, h).is_ok()).cloned().collect()
    };
    assert_eq!(tidy.as_ref().map(of).unwrap_or_default(), fitting, "{pattern:?}\n{tidy:?}");
    for parts in cases(words, pattern) {
        let union: BTreeSet<Heap> = parts.iter().flat_map(of).collect();
        assert_eq!(union, fitting, "{pattern:?}\n{parts:?}");
    }
    fitting.len()
}

/// Every way to split a pattern.
fn cases(words: &PatternWords, pattern: &Pattern) -> Vec<Vec<Pattern>> {
    let mut out = Vec::new();
    for s in 0..pattern.scalars.len() {
        out.push(unfold::by_scalar(words, pattern, s));
    }
    for (n, node) in pattern.nodes.iter().enumerate() {
        if node.summary {
            out.extend(unfold::apart(words, pattern, n).map(|p| vec![p]));
            continue;
        }
        out.push(unfold::by_colour(words, pattern, n));
        for f in 0..node.fields.len() {
            out.push(unfold::by_field(words, pattern, n, f));
        }
    }
    out
}

#[test]
fn fitting_enumeration_and_cases_are_what_they_say() {
    let (mut tried, mut fitting) = (0, 0);
    for (k, words) in kinds_of_words().iter().enumerate() {
        for freed in [false, true] {
            let cells = if words.edges() > 1 || words.pointers.len() > 1 || freed { 2 } else { 3 };
            let small = all_heaps(words, cells, freed);
            for seed in 0..40 {
                let mut random = Random::new(1000 * k as u64 + seed);
                let pattern = pattern(words, &mut random, freed);
                tried += 1;
                fitting += usize::from(check(words, &small, &pattern, cells) > 0);
            }
        }
    }
    // The generator makes patterns that mean something.
    assert!(fitting * 3 > tried, "{fitting} of {tried}");
}

#[test]
fn entailment_is_never_wrong() {
    let (mut yes, mut missed) = (0, 0);
    for (k, words) in kinds_of_words().iter().enumerate() {
        let cells = if words.edges() > 1 || words.pointers.len() > 1 { 2 } else { 3 };
        let small = all_heaps(words, cells, false);
        for seed in 0..150 {
            let mut random = Random::new(50_000 + 1000 * k as u64 + seed);
            let narrow = pattern(words, &mut random, false);
            let mut label = vec![widened(words, &narrow, &mut random)];
            label.push(pattern(words, &mut random, false));
            let included = small.iter().all(|h| {
                fits(words, &narrow, h).is_err() || label.iter().any(|p| fits(words, p, h).is_ok())
            });
            let said = entails(words, &narrow, &Label(label.clone())).is_ok();
            assert!(!said || included, "{narrow:?}\n{label:?}");
            assert!(embedding(words, &narrow, &narrow).is_ok(), "{narrow:?}");
            yes += usize::from(said);
            missed += usize::from(included && !said);
        }
    }
    assert!(yes > 200 && missed < yes, "{yes} proved, {missed} not");
}

/// A pattern with more heaps, or, now and then, other ones.
fn widened(words: &PatternWords, pattern: &Pattern, random: &mut Random) -> Pattern {
    let mut out = pattern.clone();
    for _ in 0..3 {
        let n = random.below(out.nodes.len() as u64) as usize;
        let at_variable = out.vars_at(n).next().is_some();
        match random.below(6) {
            0 if !at_variable => out.nodes[n].summary = true,
            1 => out.nodes[n].sharing = Sharing::all(words.edges()),
            2 => {
                let to = random.below(out.nodes.len() as u64) as usize;
                let f = random.below(words.edges() as u64) as usize;
                out.nodes[n].fields[f] = out.nodes[n].fields[f].or(Targets::node(to));
            }
            3 => out.nodes[n].colours.extend(crate::random::all_colours(words)),
            4 if n > 0 && !at_variable => out.nodes[n].fields[0] = Targets::NULL,
            _ => {}
        }
    }
    out
}

/// Where one node alternates between two there is no embedding, but inclusion along lists.
#[test]
fn lists_are_included_where_no_embedding_is() {
    let words = crate::random::words(&["next"], &["l"], &[], &[Predicate::Data(0)]);
    let colour = |v: u8| Colour::default().with(0, v + 1);
    let node = |summary, colours: &[u8], to: &[usize]| Node {
        record: 0,
        summary,
        sharing: Sharing::NONE,
        colours: colours.iter().map(|v| colour(*v)).collect(),
        fields: vec![to.iter().fold(Targets::NULL, |t, n| t.or(Targets::node(*n)))],
    };
    let pattern = |nodes: Vec<Node>| Pattern {
        scalars: Vec::new(),
        orders: Vec::new(),
        vars: vec![Target::Node(0)],
        nodes,
    };
    // Anything after a one; the other tells ones from zeros, which come in any order.
    let any = pattern(vec![node(false, &[1], &[1]), node(true, &[0, 1], &[1])]);
    let told = |ones: &[usize]| {
        pattern(vec![node(false, &[1], &[1, 2]), node(true, &[0], &[1, 2]), node(true, &[1], ones)])
    };
    assert!(embedding(&words, &any, &told(&[1, 2])).is_err());
    assert!(entails(&words, &any, &Label(vec![told(&[1, 2])])).is_ok());
    // Two ones in a row are not there.
    assert!(entails(&words, &any, &Label(vec![told(&[1])])).is_err());
}
