//! The abstract heaps at every point of a procedure, for people to look at.

use trellis_program::Span;
use trellis_program::checks::Point;
use trellis_sll::analyse::Outcome;
use trellis_sll::heap::Heap;
use trellis_sll::program::ListProgram;
use trellis_sll::view::canonical::{Table, canonical};
use trellis_sll::view::{self, predicates};

use super::Sll;
use crate::engine::{Budget, Task};

/// How heaps are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// One line a shape; every segment has a set of lengths.
    #[default]
    Shape,
    /// The true predicates of *Predicate and Canonical Abstraction*, Table 6.
    Predicates,
    /// The three-valued structure of Table 7.
    Canonical,
    /// The three-valued structure of Table 8, with a linear number of predicates.
    Linear,
}

/// The heaps at one point: the start of a block.
#[derive(Clone, Debug)]
pub struct PointStates {
    /// What comes next.
    pub place: Span,
    /// A loop begins here.
    pub is_loop_head: bool,
    /// How deep in inlined calls.
    pub depth: usize,
    /// Each heap as lines of text.
    pub heaps: Vec<Vec<String>>,
    /// Each heap as an SVG document.
    pub drawings: Vec<String>,
}

/// All points of a procedure.
#[derive(Clone, Debug)]
pub struct ProcedureStates {
    /// By block, in the order in which they are reached.
    pub points: Vec<PointStates>,
    /// Everything was looked at.
    pub complete: bool,
    /// How many abstract heaps of the paper there are.
    pub count: u64,
}

/// Analyses a procedure and shows what was found.
pub fn states(engine: &Sll, task: &Task<'_>, budget: &Budget, view: View) -> ProcedureStates {
    let (program, analysis) = engine.analysed(task, budget);
    let depth_limit = engine.sharing.0;
    let names: Vec<String> = program.vars.iter().map(|v| v.name.clone()).collect();
    let field = program.node.as_ref().map_or("next", |n| n.field.as_str());
    let mut points = Vec::new();
    for (i, block) in program.blocks.iter().enumerate() {
        let found = analysis.states.of_block(i);
        if found.is_empty() {
            continue;
        }
        let shown: Vec<Heap> = match view {
            View::Shape => found.into_iter().cloned().collect(),
            _ => singles(&found),
        };
        let table = match view {
            View::Linear => Table::Eight,
            _ => Table::Seven { depth: depth_limit },
        };
        let lines = |h: &Heap| match view {
            View::Shape => vec![view::shape(&program, h)],
            View::Predicates => vec![predicates::predicates(&names, h, depth_limit).join(" ")],
            View::Canonical | View::Linear => canonical(&names, h, table).lines(),
        };
        points.push(PointStates {
            place: place(task, &program, i),
            is_loop_head: block.is_loop_head,
            depth: call_depth(&program, block.at.context),
            heaps: shown.iter().map(lines).collect(),
            drawings: shown
                .iter()
                .map(|h| canonical(&names, h, table).drawing(field).to_svg())
                .collect(),
        });
    }
    ProcedureStates {
        points,
        complete: analysis.outcome == Outcome::Finished && analysis.unsupported.is_empty(),
        count: analysis.states.count(),
    }
}

/// The heaps of the paper that some heaps stand for, each once.
fn singles(heaps: &[&Heap]) -> Vec<Heap> {
    let all: std::collections::BTreeSet<Heap> = heaps.iter().flat_map(|h| h.singles()).collect();
    all.into_iter().collect()
}

/// The code that a block begins with.
pub(super) fn place(task: &Task<'_>, program: &ListProgram, block: usize) -> Span {
    let at = program.blocks[block].at;
    let proc = program.contexts[at.context].proc;
    task.program.span_at(Point { proc, block: at.block, instr: at.instr })
}

fn call_depth(program: &ListProgram, mut context: usize) -> usize {
    let mut depth = 0;
    while let Some((caller, ..)) = program.contexts[context].caller {
        depth += 1;
        context = caller;
    }
    depth
}
