//! Labels at loop heads as plain data, for files.
//!
//! **Invariant:** what is read from a file is checked: names must be those of the procedure, every
//! number must be of something that is there, and everything is bounded. Reading never panics,
//! whatever the file says.

use serde::{Deserialize, Serialize};

use crate::check::Labels;
use crate::pattern::{Label, MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use crate::program::PatternProgram;
use crate::values::{Orders, Values};
use crate::words::{Colour, MOST_PREDICATES, PatternWords, Predicate};

/// More patterns than this are not read.
pub const MOST_PATTERNS: usize = 100_000;
/// More colours of all nodes together are not read.
pub const MOST_COLOURS: usize = 200_000;
/// More pairs of integer variables are not read.
const MOST_PAIRS: usize = 1000;

/// Labels that are an invariant of a procedure, all calls replaced.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patterns {
    /// The pointer variables, in the order of `points`.
    pub pointers: Vec<String>,
    /// The integer variables, in the order of `integers`.
    pub integers: Vec<String>,
    /// The integers that are told apart.
    pub constants: Vec<String>,
    /// Whether other integers are told apart by where they lie between those.
    pub ordered: bool,
    /// The kinds of cells.
    pub records: Vec<RecordWords>,
    /// Pairs of integer variables, in the order of `orders`.
    pub pairs: Vec<(usize, usize)>,
    /// One entry for every loop that is reached.
    pub labels: Vec<BlockLabel>,
}

/// What is said of the cells of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordWords {
    /// The record.
    pub record: String,
    /// Its predicates, in the order of the colours' values.
    pub predicates: Vec<Said>,
}

/// A predicate; fields and variables by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Said {
    /// The class of a data field.
    Data(usize),
    /// A data field against an integer variable.
    Against(usize, usize),
    /// A data field, over a pointer field, against a data field there.
    Neighbour(usize, usize, usize),
    /// Over a pointer field, and back.
    Inverse(usize, usize),
    /// A pointer field is a pointer variable.
    Is(usize, usize),
    /// Some field leads to the cell.
    Entered,
}

/// The label at a loop head.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockLabel {
    /// The block of the procedure, calls replaced.
    pub block: usize,
    /// One of these describes the state whenever the block begins.
    pub patterns: Vec<WrittenPattern>,
}

/// A pattern.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenPattern {
    /// Where every pointer variable is: `null`, `freed`, `undefined`, `dead`, or a node's number.
    pub points: Vec<String>,
    /// What every integer variable may be: 0 for undefined, else 1 + the class.
    pub integers: Vec<Vec<u8>>,
    /// How pairs are ordered: 1 for less, 2 for equal, 4 for greater, added.
    pub orders: Vec<u8>,
    /// The nodes.
    pub nodes: Vec<WrittenNode>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenNode {
    /// The number of its record.
    pub record: usize,
    /// Zero or more cells instead of one.
    pub summary: bool,
    /// Pairs of pointer fields that may share a cell, as bits.
    pub sharing: u64,
    /// The values of all predicates, in every way that cells may have them.
    pub colours: Vec<Vec<u8>>,
    /// Where every pointer field leads: as `points`.
    pub fields: Vec<Vec<String>>,
}

const ENDS: [(&str, Target); 4] = [
    ("null", Target::Null),
    ("freed", Target::Freed),
    ("undefined", Target::Undefined),
    ("dead", Target::Dead),
];

/// Labels as data.
pub fn write(code: &PatternProgram, labels: &Labels) -> Patterns {
    let words = &code.words;
    let record = |r: &crate::words::Record| RecordWords {
        record: r.name.clone(),
        predicates: r.predicates.iter().map(|p| said(*p)).collect(),
    };
    let label = |(block, label): (&usize, &Label)| BlockLabel {
        block: *block,
        patterns: label.0.iter().map(|p| write_pattern(words, p)).collect(),
    };
    Patterns {
        pointers: words.pointers.iter().map(|p| p.name.clone()).collect(),
        integers: words.scalars.iter().map(|s| s.name.clone()).collect(),
        constants: words.partition.constants().iter().map(i128::to_string).collect(),
        ordered: words.partition.is_ordered(),
        records: words.records.iter().map(record).collect(),
        pairs: words.pairs.clone(),
        labels: labels.iter().map(label).collect(),
    }
}

fn said(predicate: Predicate) -> Said {
    match predicate {
        Predicate::Data(f) => Said::Data(f),
        Predicate::Against { field, scalar } => Said::Against(field, scalar),
        Predicate::Neighbour { field, over, other } => Said::Neighbour(field, over, other),
        Predicate::Inverse { over, back } => Said::Inverse(over, back),
        Predicate::Is { field, pointer } => Said::Is(field, pointer),
        Predicate::Entered => Said::Entered,
    }
}

fn predicate(said: Said) -> Predicate {
    match said {
        Said::Data(f) => Predicate::Data(f),
        Said::Against(field, scalar) => Predicate::Against { field, scalar },
        Said::Neighbour(field, over, other) => Predicate::Neighbour { field, over, other },
        Said::Inverse(over, back) => Predicate::Inverse { over, back },
        Said::Is(field, pointer) => Predicate::Is { field, pointer },
        Said::Entered => Predicate::Entered,
    }
}

fn write_pattern(words: &PatternWords, pattern: &Pattern) -> WrittenPattern {
    let values = |v: &Values| {
        let undefined = v.may_be_undefined().then_some(0);
        undefined.into_iter().chain(v.classes().map(|c| c as u8 + 1)).collect()
    };
    let node = |n: &Node| WrittenNode {
        record: n.record,
        summary: n.summary,
        sharing: n.sharing.0,
        colours: n
            .colours
            .iter()
            .map(|c| (0..words.records[n.record].predicates.len()).map(|p| c.get(p)).collect())
            .collect(),
        fields: n.fields.iter().map(|t| t.iter().map(target).collect()).collect(),
    };
    WrittenPattern {
        points: pattern.vars.iter().map(|t| target(*t)).collect(),
        integers: pattern.scalars.iter().map(values).collect(),
        orders: pattern.orders.iter().map(|o| o.0).collect(),
        nodes: pattern.nodes.iter().map(node).collect(),
    }
}

fn target(target: Target) -> String {
    let end = ENDS.iter().find(|(_, end)| *end == target);
    match (end, target) {
        (Some((name, _)), _) => (*name).to_owned(),
        (None, Target::Node(n)) => n.to_string(),
        (None, _) => "undefined".to_owned(),
    }
}

/// The labels of a procedure, from data; its words get the predicates that the data speaks of.
///
/// # Errors
/// If the data is not about this procedure, or is no set of labels.
pub fn read(code: &mut PatternProgram, patterns: &Patterns) -> Result<Labels, String> {
    let words = &code.words;
    let pointers = words.pointers.iter().map(|p| &p.name);
    let integers = words.scalars.iter().map(|s| &s.name);
    if !pointers.eq(&patterns.pointers) || !integers.eq(&patterns.integers) {
        return Err("the variables are not those of the procedure".to_owned());
    }
    let constants = words.partition.constants().iter().map(i128::to_string);
    if !constants.eq(patterns.constants.iter().cloned())
        || words.partition.is_ordered() != patterns.ordered
    {
        return Err("the constants are not those of the procedure".to_owned());
    }
    let records = words.records.iter().map(|r| &r.name);
    if !records.eq(patterns.records.iter().map(|r| &r.record)) {
        return Err("the records are not those of the procedure".to_owned());
    }
    read_words(&mut code.words, patterns)?;
    bounded(patterns)?;
    let mut labels = Labels::new();
    for label in &patterns.labels {
        let wrong = |why: String| format!("block {}: {why}", label.block);
        if !code.heads.contains(&label.block) {
            return Err(wrong("no loop begins there".to_owned()));
        }
        let read = label.patterns.iter().map(|p| read_pattern(&code.words, p));
        let read = read.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        if labels.insert(label.block, Label(read)).is_some() {
            return Err(format!("block {} is there twice", label.block));
        }
    }
    Ok(labels)
}

fn bounded(patterns: &Patterns) -> Result<(), String> {
    let all = || patterns.labels.iter().flat_map(|l| &l.patterns);
    let nodes = || all().flat_map(|p| &p.nodes);
    if all().count() > MOST_PATTERNS {
        return Err("too many patterns".to_owned());
    }
    if all().any(|p| p.nodes.len() > MOST_NODES) {
        return Err("too many nodes".to_owned());
    }
    match nodes().map(|n| n.colours.len()).sum::<usize>() > MOST_COLOURS {
        true => Err("too many colours".to_owned()),
        false => Ok(()),
    }
}

/// The predicates and pairs that the data speaks of.
fn read_words(words: &mut PatternWords, patterns: &Patterns) -> Result<(), String> {
    for (r, said) in patterns.records.iter().enumerate() {
        if said.predicates.len() > MOST_PREDICATES {
            return Err("too many predicates".to_owned());
        }
        words.records[r].predicates.clear();
        for s in &said.predicates {
            if !words.add_predicate(r, predicate(*s)) {
                return Err(format!("`{}` has no such predicate", said.record));
            }
        }
    }
    if patterns.pairs.len() > MOST_PAIRS {
        return Err("too many pairs of variables".to_owned());
    }
    words.pairs.clear();
    for (a, b) in &patterns.pairs {
        if a >= b || *b >= words.scalars.len() || words.pairs.contains(&(*a, *b)) {
            return Err("a pair of variables that there is not".to_owned());
        }
        words.pairs.push((*a, *b));
    }
    Ok(())
}

fn read_pattern(words: &PatternWords, written: &WrittenPattern) -> Result<Pattern, String> {
    let nodes = written.nodes.len();
    let target = |text: &String| match ENDS.iter().find(|(name, _)| name == text) {
        Some((_, end)) => Ok(*end),
        None => match text.parse::<usize>().ok().filter(|n| *n < nodes) {
            Some(n) => Ok(Target::Node(n)),
            None => Err(format!("{text:?} is no node")),
        },
    };
    let values = |classes: &Vec<u8>| {
        classes.iter().try_fold(Values::NONE, |all, v| match usize::from(*v) {
            0 => Ok(all.or(Values::UNDEFINED)),
            v if v <= words.partition.len() => Ok(all.or(Values::class(v - 1))),
            v => Err(format!("there is no class {v}")),
        })
    };
    let pattern = Pattern {
        scalars: written.integers.iter().map(values).collect::<Result<_, _>>()?,
        orders: written.orders.iter().map(|o| Orders(*o)).collect(),
        vars: written.points.iter().map(target).collect::<Result<_, _>>()?,
        nodes: written
            .nodes
            .iter()
            .map(|n| read_node(words, n, &target))
            .collect::<Result<_, _>>()?,
    };
    pattern.fault(words).map_or(Ok(pattern), Err)
}

fn read_node(
    words: &PatternWords,
    written: &WrittenNode,
    target: &dyn Fn(&String) -> Result<Target, String>,
) -> Result<Node, String> {
    let record = words.records.get(written.record).ok_or("a node of an unknown record")?;
    let colour = |values: &Vec<u8>| {
        if values.len() != record.predicates.len() {
            return Err("a colour without a value for every predicate".to_owned());
        }
        let lanes = values.iter().enumerate();
        Ok(lanes.fold(Colour::default(), |c, (p, v)| c.with(p, *v)))
    };
    let targets = |all: &Vec<String>| {
        all.iter().try_fold(Targets::NONE, |set, text| match target(text)? {
            Target::Dead => Err("a field that is dead".to_owned()),
            t => Ok(set.or(Targets::of(t))),
        })
    };
    Ok(Node {
        record: written.record,
        summary: written.summary,
        sharing: Sharing(written.sharing),
        colours: written.colours.iter().map(colour).collect::<Result<_, _>>()?,
        fields: written.fields.iter().map(targets).collect::<Result<_, _>>()?,
    })
}
