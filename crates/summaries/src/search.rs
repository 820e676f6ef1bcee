//! The fixed point: graphs at loop heads, until nothing new arrives.

use std::collections::{BTreeMap, VecDeque};

use trellis_graphs::check::{Halt, Invariant, STEPS};
use trellis_graphs::embed::embeds;
use trellis_graphs::step::Trouble;
use trellis_graphs::{Code, Graph};
use trellis_program::{BlockId, Budget, StopReason};

use crate::Precision;
use crate::fold::Folder;
use crate::widen::{Thresholds, join_numbers, skeleton};

/// Most graphs at one loop head.
const MOST_GRAPHS: usize = 1500;

/// Why no invariant was found.
#[derive(Debug)]
pub enum Failed {
    /// A check is not excluded, or the code goes beyond graphs; the graph before that.
    Trouble(Box<(Trouble, Graph)>),
    /// The budget is over.
    Stopped(StopReason),
    /// There are more graphs at a loop than are looked at.
    TooMany(BlockId),
}

/// Finds graphs at the loop heads of a procedure that are an invariant.
///
/// # Errors
/// If none was found.
pub fn search(
    code: &Code<'_>,
    precision: Precision,
    budget: &Budget,
) -> Result<Invariant, Failed> {
    let mut start = match code.start() {
        Ok(start) => start,
        Err(refusal) => {
            let trouble = Trouble::Outside { span: refusal.span, reason: refusal.reason };
            return Err(Failed::Trouble(Box::new((trouble, Graph::default()))));
        }
    };
    let entry = code.body().entry;
    code.tidy(&mut start, entry);
    let mut search = Search {
        folder: Folder::new(&code.program.types, precision),
        thresholds: Thresholds::of(code.program.proc(code.proc)),
        precision,
        found: Invariant::new(),
        variants: BTreeMap::new(),
        todo: VecDeque::new(),
    };
    if code.heads.contains(&entry) {
        search.arrive(entry, &start).map_err(failed)?;
    } else {
        let meet = |block, graph: Graph| search.arrive(block, &graph);
        code.run_to_heads(entry, start, budget, meet).map_err(failed)?;
    }
    while let Some((block, graph)) = search.todo.pop_front() {
        // What was covered meanwhile needs no more steps.
        if !search.found.get(&block).is_some_and(|all| all.contains(&graph)) {
            continue;
        }
        let meet = |block, graph: Graph| search.arrive(block, &graph);
        code.run_to_heads(block, graph, budget, meet).map_err(failed)?;
    }
    Ok(search.found)
}

fn failed(halt: Halt) -> Failed {
    match halt {
        Halt::Trouble(trouble) => Failed::Trouble(trouble),
        Halt::Stopped(reason) => Failed::Stopped(reason),
        Halt::Unexpected(block, _) => Failed::TooMany(block),
    }
}

struct Search<'p> {
    folder: Folder<'p>,
    thresholds: Thresholds,
    precision: Precision,
    found: Invariant,
    /// For every loop head and graph without integers, how many differ in integers only, and their
    /// join once there are many.
    variants: BTreeMap<(BlockId, Graph), (usize, Option<Graph>)>,
    todo: VecDeque<(BlockId, Graph)>,
}

impl Search<'_> {
    /// A graph at a loop head: nothing new, or one more to follow.
    fn arrive(&mut self, block: BlockId, graph: &Graph) -> Result<(), Halt> {
        let mut graph = graph.normalised();
        graph.less.clear();
        if self.is_known(block, &graph) {
            return Ok(());
        }
        let mut graph = self.folder.fold(&graph).normalised();
        if self.is_known(block, &graph) {
            return Ok(());
        }
        let (count, joined) = self.variants.entry((block, skeleton(&graph))).or_default();
        *count += 1;
        if let Some(old) = joined {
            graph = join_numbers(old, &graph, &self.thresholds);
            *joined = Some(graph.clone());
        } else if *count > self.precision.patience {
            *joined = Some(graph.clone());
        }
        let known = self.found.entry(block).or_default();
        known.retain(|old| !embeds(old, &graph, &mut { STEPS }));
        if known.len() >= MOST_GRAPHS {
            return Err(Halt::Unexpected(block, Box::new(graph)));
        }
        known.push(graph.clone());
        self.todo.push_back((block, graph));
        Ok(())
    }

    fn is_known(&self, block: BlockId, graph: &Graph) -> bool {
        let known = self.found.get(&block).into_iter().flatten();
        known.into_iter().any(|old| embeds(graph, old, &mut { STEPS }))
    }
}
