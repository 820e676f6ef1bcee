//! Abstract heaps at the starts of blocks as plain data, for files.
//!
//! **Invariant:** what is read from a file is checked: names must be those of the program, every
//! reference must be to something that is there, and heaps must be in normal form. Reading never
//! panics, whatever the file says.

use serde::{Deserialize, Serialize};

use crate::heap::{Garbage, Heap, Lengths, Ref, Segment};
use crate::program::{ANY_INT, ListProgram, UNDEF_INT};

/// More heaps than this are not read.
pub const MOST_HEAPS: usize = 1_000_000;

/// Abstract heaps that are an invariant of a procedure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    /// Whether the blocks are those of the procedure with calls replaced by bodies beforehand.
    pub calls_replaced: bool,
    /// The list variables, in the order of the heaps' `points`.
    pub variables: Vec<String>,
    /// The integers, in the order of the heaps' `integers`.
    pub integers: Vec<String>,
    /// One entry for every block that is reached.
    pub blocks: Vec<BlockShapes>,
}

/// The heaps at the start of a block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockShapes {
    /// The block of the lowered procedure, calls replaced.
    pub block: usize,
    /// Whether a loop begins there, for people.
    pub is_loop: bool,
    /// One of these describes the state whenever the block begins.
    pub heaps: Vec<Shape>,
}

/// An abstract heap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Where every variable points: `null`, `undefined`, `freed`, or the number of a node.
    pub points: Vec<String>,
    /// The outgoing segments of the nodes.
    pub nodes: Vec<Link>,
    /// What is known of every integer: `any`, `undefined`, or its value.
    pub integers: Vec<String>,
    /// What has become unreachable: `nothing`, `something` or `a cycle`.
    pub lost: String,
}

/// A segment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Where it leads.
    pub to: String,
    /// The lengths that it may have: `1`, `2`, `3+`.
    pub lengths: Vec<String>,
}

const CLASSES: [(&str, Lengths); 3] =
    [("1", Lengths::ONE), ("2", Lengths::TWO), ("3+", Lengths::MORE)];
const ENDS: [(&str, Ref); 3] =
    [("null", Ref::NULL), ("undefined", Ref::UNDEF), ("freed", Ref::DANGLING)];
const LOST: [(&str, Garbage); 3] =
    [("nothing", Garbage::NONE), ("something", Garbage::SOME), ("a cycle", Garbage::CYCLE)];

/// Heaps by block as data; blocks without heaps are left out.
pub fn write(program: &ListProgram, heaps: &[Vec<Heap>]) -> Shapes {
    let block = |(i, heaps): (usize, &Vec<Heap>)| BlockShapes {
        block: i,
        is_loop: program.blocks[i].is_loop_head,
        heaps: heaps.iter().map(|h| write_heap(program, h)).collect(),
    };
    let reached = heaps.iter().enumerate().filter(|(_, heaps)| !heaps.is_empty());
    Shapes {
        calls_replaced: false,
        variables: program.vars.iter().map(|v| v.name.clone()).collect(),
        integers: program.ints.clone(),
        blocks: reached.map(block).collect(),
    }
}

fn write_heap(program: &ListProgram, heap: &Heap) -> Shape {
    let reference = |r: Ref| match r.index() {
        Some(i) => i.to_string(),
        None => ENDS.iter().find(|(_, end)| *end == r).map_or("undefined", |(n, _)| n).to_owned(),
    };
    let link = |s: &Segment| Link {
        to: reference(s.to),
        lengths: CLASSES
            .iter()
            .filter(|(_, class)| s.lengths.includes(*class))
            .map(|(name, _)| (*name).to_owned())
            .collect(),
    };
    let integer = |code: &u8| match *code {
        ANY_INT => "any".to_owned(),
        UNDEF_INT => "undefined".to_owned(),
        code => program.constants[code as usize].to_string(),
    };
    let lost = LOST.iter().find(|(_, g)| *g == heap.garbage).map_or("something", |(n, _)| n);
    Shape {
        points: heap.vars.iter().map(|r| reference(*r)).collect(),
        nodes: heap.nodes.iter().map(link).collect(),
        integers: heap.ints.iter().map(integer).collect(),
        lost: lost.to_owned(),
    }
}

/// The heaps of every block of a program, from data.
///
/// # Errors
/// If the data is not about this program, or is no set of heaps.
pub fn read(program: &ListProgram, shapes: &Shapes) -> Result<Vec<Vec<Heap>>, String> {
    let names: Vec<&str> = program.vars.iter().map(|v| v.name.as_str()).collect();
    if names != shapes.variables || program.ints != shapes.integers {
        return Err("the variables are not those of the procedure".to_owned());
    }
    if shapes.blocks.iter().map(|b| b.heaps.len()).sum::<usize>() > MOST_HEAPS {
        return Err("too many heaps".to_owned());
    }
    let mut heaps = vec![Vec::new(); program.blocks.len()];
    for block in &shapes.blocks {
        let Some(into) = heaps.get_mut(block.block) else {
            return Err(format!("there is no block {}", block.block));
        };
        if !into.is_empty() {
            return Err(format!("block {} is there twice", block.block));
        }
        for shape in &block.heaps {
            into.push(
                read_heap(program, shape).map_err(|why| format!("block {}: {why}", block.block))?,
            );
        }
    }
    Ok(heaps)
}

fn read_heap(program: &ListProgram, shape: &Shape) -> Result<Heap, String> {
    let nodes = shape.nodes.len();
    if nodes >= Ref::MOST_NODES {
        return Err("too many nodes".to_owned());
    }
    if shape.points.len() != program.vars.len() || shape.integers.len() != program.ints.len() {
        return Err("a heap does not say where every variable points".to_owned());
    }
    let reference = |text: &String| {
        if let Some((_, end)) = ENDS.iter().find(|(name, _)| name == text) {
            return Ok(*end);
        }
        let index = text.parse::<usize>().ok().filter(|i| *i < nodes);
        index.map(Ref::node).ok_or_else(|| format!("`{text}` is no node"))
    };
    let link = |link: &Link| {
        let mut lengths = Lengths(0);
        for text in &link.lengths {
            let class = CLASSES.iter().find(|(name, _)| name == text);
            let (_, class) = class.ok_or_else(|| format!("`{text}` is no length"))?;
            lengths = lengths.or(*class);
        }
        if lengths.is_empty() {
            return Err("a segment without a length".to_owned());
        }
        Ok(Segment { to: reference(&link.to)?, lengths })
    };
    let integer = |text: &String| match text.as_str() {
        "any" => Ok(ANY_INT),
        "undefined" => Ok(UNDEF_INT),
        text => {
            let value = text.parse::<i64>().map_err(|_| format!("`{text}` is no integer"))?;
            match program.code(value) {
                ANY_INT => Err(format!("{value} is no constant of the procedure")),
                code => Ok(code),
            }
        }
    };
    let lost = LOST.iter().find(|(name, _)| *name == shape.lost);
    let heap = Heap {
        vars: shape.points.iter().map(reference).collect::<Result<_, _>>()?,
        nodes: shape.nodes.iter().map(link).collect::<Result<_, _>>()?,
        garbage: lost.ok_or_else(|| format!("`{}` is nothing to lose", shape.lost))?.1,
        ints: shape.integers.iter().map(integer).collect::<Result<_, String>>()?,
    };
    let mut normal = heap.clone();
    normal.normalise();
    if normal != heap {
        return Err("a heap is not in normal form".to_owned());
    }
    Ok(heap)
}
