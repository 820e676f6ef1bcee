//! The patterns that a procedure starts from.
//!
//! Inputs are null or lead to any cells of their records; all data is defined. Where there is one
//! record with one pointer field and few inputs, there is a pattern for every graph of the cells at
//! which lists begin, meet or are entered, with a summary node for every stretch between; else one
//! for every way in which inputs are null or the same, with a summary node a record, or a list each
//! where all are heads of doubly linked ones. What `requires` excludes for sure is left out.
//!
//! **Invariant:** every initial heap that satisfies `requires` fits one of the patterns.

mod doubly;

use std::collections::BTreeSet;

use trellis_program::Refusal;

use crate::facts::{Truths, truths, without_false};
use crate::pattern::{MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use crate::program::{Fact, Number, Path, PatternProgram, Start};
use crate::unfold::{self, tidy};
use crate::values::{Orders, Values};
use crate::words::{Colour, PatternWords, PointerStart, Predicate};

/// Of more inputs than this only null and aliasing are told apart.
const MOST_CHAINS: usize = 3;
/// How often one pattern is split by what `requires` looks at.
const MOST_SPLITS: usize = 8;
/// More patterns than this are refused.
const MOST_PATTERNS: usize = 20_000;
/// More colours of one node are refused.
const MOST_COLOURS: usize = 20_000;

/// The patterns of all initial heaps, over the words of the program as they are now.
///
/// # Errors
/// If there are too many.
pub fn starts(
    program: &PatternProgram,
    span: trellis_program::Span,
) -> Result<Vec<Pattern>, Refusal> {
    let words = &program.words;
    let many = || Refusal::at(span, "inputs with too many initial heaps");
    let inputs: Vec<usize> = (0..words.pointers.len())
        .filter(|p| words.pointers[*p].start == PointerStart::Input)
        .collect();
    let colours: Option<Vec<BTreeSet<Colour>>> =
        (0..words.records.len()).map(|r| colours(words, r)).collect();
    let colours = colours.ok_or_else(many)?;
    let made = match chains_only(words, &inputs) {
        Some(record) => {
            let mut graphs = Vec::new();
            let graph = Graph { named: vec![None; inputs.len()], next: Vec::new() };
            fill(&graph, 0, 2 * inputs.len(), &mut graphs);
            graphs.iter().map(|g| chain_pattern(words, record, &inputs, g, &colours)).collect()
        }
        None => {
            let heads = doubly::heads(words, &inputs, &program.requires, &colours);
            let pattern = |way: &Vec<Option<usize>>| match heads {
                Some(fields) => doubly::pattern(words, &inputs, way, fields, &colours),
                None => any_pattern(words, &inputs, way, &colours),
            };
            let ways = ways(words, &inputs).ok_or_else(many)?;
            ways.iter().map(pattern).collect::<Option<Vec<_>>>().ok_or_else(many)?
        }
    };
    let mut kept = Vec::new();
    let mut todo: Vec<(Pattern, usize)> =
        made.iter().rev().filter_map(|p| Some((tidy(words, p)?, 0))).collect();
    while let Some((pattern, splits)) = todo.pop() {
        let refined = program.requires.iter().try_fold(pattern, |p, f| without_false(words, &p, f));
        let Some(pattern) = refined else { continue };
        let truths = |f: &Fact| truths(words, &pattern, f);
        if !program.requires.iter().all(|f| truths(f).may_be_true()) {
            continue;
        }
        let open = program.requires.iter().filter(|f| truths(f) != Truths::TRUE);
        let mut cases = open.filter_map(|f| cases(words, &pattern, f));
        match cases.next().filter(|_| splits < MOST_SPLITS) {
            Some(cases) => todo.extend(cases.into_iter().rev().map(|c| (c, splits + 1))),
            None => kept.push(pattern),
        }
        if kept.len() + todo.len() > MOST_PATTERNS {
            return Err(many());
        }
    }
    Ok(kept)
}

/// Cases by what a formula looks at first that the pattern leaves open.
fn cases(words: &PatternWords, pattern: &Pattern, fact: &Fact) -> Option<Vec<Pattern>> {
    let of_path = |path: &Path| -> Result<Option<Vec<Pattern>>, usize> {
        let Start::Var(v) = path.start else { return Ok(None) };
        let Target::Node(mut at) = pattern.vars[v] else { return Ok(None) };
        for (record, field) in &path.fields {
            let node = &pattern.nodes[at];
            if node.summary || node.record != *record {
                return Ok(None);
            }
            match node.fields[*field].only() {
                Some(Target::Node(n)) if !pattern.nodes[n].summary => at = n,
                Some(Target::Node(_)) | None => {
                    let cases = unfold::by_field(words, pattern, at, *field);
                    return Ok((!cases.is_empty()).then_some(cases));
                }
                Some(_) => return Ok(None),
            }
        }
        Err(at)
    };
    let of_number = |number: &Number| match number {
        Number::Const(_) => None,
        Number::Scalar(s) => {
            let open = pattern.scalars[*s].0.count_ones() > 1;
            open.then(|| unfold::by_scalar(words, pattern, *s))
        }
        Number::Data(path, ..) => match of_path(path) {
            Ok(cases) => cases,
            Err(at) => {
                let open = pattern.nodes[at].colours.len() > 1;
                open.then(|| unfold::by_colour(words, pattern, at))
            }
        },
    };
    let of_path = |path: &Path| of_path(path).ok().flatten();
    match fact {
        Fact::Const(_) => None,
        Fact::Not(f) => cases(words, pattern, f),
        Fact::And(fs) | Fact::Or(fs) => fs.iter().find_map(|f| cases(words, pattern, f)),
        Fact::Iff(a, b) => cases(words, pattern, a).or_else(|| cases(words, pattern, b)),
        Fact::Cmp(_, a, b) => of_number(a).or_else(|| of_number(b)),
        Fact::Same(a, b)
        | Fact::Reach { from: a, to: b, .. }
        | Fact::Segment { from: a, to: b, .. }
        | Fact::Sorted { from: a, to: b, .. }
        | Fact::Doubly { from: a, to: b, .. }
        | Fact::Disjoint(_, a, b) => of_path(a).or_else(|| of_path(b)),
        Fact::Forall { .. } => None,
        Fact::Alloc(a) | Fact::Stable(_, a) => of_path(a),
    }
}

/// The record of all inputs, if it has one pointer field, to itself, and inputs are few.
fn chains_only(words: &PatternWords, inputs: &[usize]) -> Option<usize> {
    let mut records = inputs.iter().map(|p| words.pointers[*p].to);
    let record = records.next()??;
    let one = records.all(|r| r == Some(record)) && inputs.len() <= MOST_CHAINS;
    let fields = &words.records[record].pointers;
    (one && fields.len() == 1 && fields[0].to == Some(record)).then_some(record)
}

/// Every colour of a cell with defined data.
fn colours(words: &PatternWords, record: usize) -> Option<BTreeSet<Colour>> {
    let of = &words.records[record];
    let mut out = BTreeSet::from([Colour::default()]);
    for (lane, predicate) in of.predicates.iter().enumerate() {
        let values: Vec<u8> = match predicate {
            Predicate::Data(f) => {
                words.partition.all(of.data[*f].kind).classes().map(|c| c as u8 + 1).collect()
            }
            other => (0..words.values_of(*other)).collect(),
        };
        out = out.iter().flat_map(|c| values.iter().map(|v| c.with(lane, *v))).collect();
        if out.len() > MOST_COLOURS {
            return None;
        }
    }
    Some(out)
}

/// A pattern without nodes, all variables as they start; inputs are null.
fn bare(words: &PatternWords) -> Pattern {
    let var = |start: PointerStart| match start {
        PointerStart::Undefined => Target::Undefined,
        PointerStart::Null | PointerStart::Input | PointerStart::Same(_) => Target::Null,
    };
    let scalar = |s: &crate::words::ScalarVar| s.start.unwrap_or(words.partition.all(s.kind));
    Pattern {
        scalars: words.scalars.iter().map(scalar).collect(),
        orders: words.pairs.iter().map(|_| Orders::ANY).collect(),
        vars: words.pointers.iter().map(|p| var(p.start)).collect(),
        nodes: Vec::new(),
    }
}

/// Entry values are those of their parameters.
fn copy_entry_values(words: &PatternWords, pattern: &mut Pattern) {
    for (x, var) in words.pointers.iter().enumerate() {
        if let PointerStart::Same(p) = var.start {
            pattern.vars[x] = pattern.vars[p];
        }
    }
    debug_assert!(pattern.scalars.iter().all(|s| *s != Values::NONE));
}

/// Where inputs lead, and the chains between the cells that matter.
#[derive(Clone)]
struct Graph {
    /// By input, its cell; `None` for null.
    named: Vec<Option<usize>>,
    /// By cell, where its chain leads next; `None` for null.
    next: Vec<Option<usize>>,
}

/// Fills the inputs and then the chains of the cells that come up, each with null, a cell that is
/// there, or the next new one; keeps the graphs in which every cell is an input or a meeting.
fn fill(graph: &Graph, at: usize, most: usize, out: &mut Vec<Graph>) {
    let inputs = graph.named.len();
    let cell = at.checked_sub(inputs);
    if cell == Some(graph.next.len()) {
        let entered = |c: usize| graph.next.iter().filter(|t| **t == Some(c)).count();
        let matters = |c: usize| graph.named.contains(&Some(c)) || entered(c) > 1;
        if (0..graph.next.len()).all(matters) {
            out.push(graph.clone());
        }
        return;
    }
    let known = graph.next.len();
    let new = (known < most).then_some(known);
    for target in std::iter::once(None).chain((0..known).chain(new).map(Some)) {
        let mut next = graph.clone();
        if target == Some(known) {
            next.next.push(None);
        }
        match cell {
            None => next.named[at] = target,
            Some(c) => next.next[c] = target,
        }
        fill(&next, at + 1, most, out);
    }
}

fn chain_pattern(
    words: &PatternWords,
    record: usize,
    inputs: &[usize],
    graph: &Graph,
    colours: &[BTreeSet<Colour>],
) -> Pattern {
    let mut pattern = bare(words);
    let cells = graph.next.len();
    let edge = words.records[record].pointers[0].edge;
    let node = |summary: bool, shared: bool, field: Targets| Node {
        record,
        summary,
        sharing: if shared { Sharing::pair(edge, edge) } else { Sharing::NONE },
        colours: colours[record].clone(),
        fields: vec![field],
    };
    let target = |c: usize| graph.next[c].map_or(Targets::NULL, Targets::node);
    for c in 0..cells {
        let shared = graph.next.iter().filter(|t| **t == Some(c)).count() > 1;
        pattern.nodes.push(node(false, shared, target(c).or(Targets::node(cells + c))));
    }
    for c in 0..cells {
        pattern.nodes.push(node(true, false, target(c).or(Targets::node(cells + c))));
    }
    for (input, cell) in inputs.iter().zip(&graph.named) {
        pattern.vars[*input] = cell.map_or(Target::Null, Target::Node);
    }
    copy_entry_values(words, &mut pattern);
    pattern
}

/// Every way in which inputs are null or the same; `None` if there are too many.
fn ways(words: &PatternWords, inputs: &[usize]) -> Option<Vec<Vec<Option<usize>>>> {
    let mut ways: Vec<Vec<Option<usize>>> = vec![Vec::new()];
    for input in inputs {
        let to = words.pointers[*input].to;
        let mut next = Vec::new();
        for way in &ways {
            let new = way.iter().flatten().max().map_or(0, |m| m + 1);
            let same = |c: &usize| {
                let first = way.iter().position(|w| *w == Some(*c));
                first.is_some_and(|i| words.pointers[inputs[i]].to == to)
            };
            let cells = (0..new).filter(same).chain([new]).map(Some);
            for cell in std::iter::once(None).chain(cells) {
                let mut longer = way.clone();
                longer.push(cell);
                next.push(longer);
            }
        }
        ways = next;
        if ways.len() > MOST_PATTERNS {
            return None;
        }
    }
    Some(ways)
}

/// The pattern of a way to place the inputs; anything else is possible.
fn any_pattern(
    words: &PatternWords,
    inputs: &[usize],
    way: &[Option<usize>],
    colours: &[BTreeSet<Colour>],
) -> Option<Pattern> {
    let mut pattern = bare(words);
    let cells = way.iter().flatten().max().map_or(0, |m| m + 1);
    let mut records: Vec<usize> = vec![0; cells];
    for (input, cell) in inputs.iter().zip(way) {
        pattern.vars[*input] = cell.map_or(Target::Null, Target::Node);
        if let (Some(c), Some(r)) = (cell, words.pointers[*input].to) {
            records[*c] = r;
        }
    }
    records.extend(0..words.records.len());
    if records.len() > MOST_NODES {
        return None;
    }
    for (i, record) in records.iter().enumerate() {
        let field = |f: &crate::words::PointerField| {
            let there = (0..records.len()).filter(|n| Some(records[*n]) == f.to);
            there.fold(Targets::NULL, |t, n| t.or(Targets::node(n)))
        };
        pattern.nodes.push(Node {
            record: *record,
            summary: i >= cells,
            sharing: Sharing::all(words.edges()),
            colours: colours[*record].clone(),
            fields: words.records[*record].pointers.iter().map(field).collect(),
        });
    }
    copy_entry_values(words, &mut pattern);
    Some(pattern)
}
