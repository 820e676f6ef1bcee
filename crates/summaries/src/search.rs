//! The fixed point: graphs at loop heads, until nothing new arrives.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use trellis_graphs::check::{Halt, Invariant, STEPS};
use trellis_graphs::embed::embeds;
use trellis_graphs::step::Trouble;
use trellis_graphs::{Code, Graph, Value};
use trellis_program::{BlockId, Budget, StopReason};

use crate::Precision;
use crate::fold::Folder;
use crate::join::union;
use crate::widen::{Thresholds, join_numbers, skeleton};

/// Most graphs at one loop head.
const MOST_GRAPHS: usize = 300;

/// Most graphs that are followed from loop to loop with one precision.
const MOST_BLOCKS: u64 = 2_000;

/// Most nodes on the heap that are kept apart; a list that is not summarised has ever more.
const MOST_NODES: usize = 30;

/// Why no invariant was found.
#[derive(Debug)]
pub enum Failed {
    /// A check is not excluded, or the code goes beyond graphs: the graph before that, and the graphs
    /// at loop heads on the way there.
    Trouble(Box<(Trouble, Graph)>, Vec<(BlockId, Graph)>),
    /// The budget is over.
    Stopped(StopReason),
    /// There are more graphs at a loop than are looked at.
    TooMany(BlockId, Vec<Graph>),
    /// More graphs were followed than one precision is worth.
    TooLong,
}

/// Finds graphs at the loop heads of a procedure that are an invariant.
///
/// # Errors
/// If none was found.
pub fn search(code: &Code<'_>, precision: Precision, budget: &Budget) -> Result<Invariant, Failed> {
    let mut start = match code.start() {
        Ok(start) => start,
        Err(refusal) => {
            let trouble = Trouble::Outside { span: refusal.span, reason: refusal.reason };
            return Err(Failed::Trouble(Box::new((trouble, Graph::default())), Vec::new()));
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
        parents: BTreeMap::new(),
        from: None,
        blocks: 0,
    };
    if code.heads.contains(&entry) {
        search.arrive(entry, &start).map_err(|halt| search.failed(halt))?;
    } else {
        let meet = |block, graph: Graph| search.arrive(block, &graph);
        let ran = code.run_to_heads(entry, start, budget, meet);
        ran.map_err(|halt| search.failed(halt))?;
    }
    while let Some((block, graph)) = search.todo.pop_front() {
        if search.blocks > MOST_BLOCKS {
            return Err(Failed::TooLong);
        }
        // What was covered meanwhile needs no more steps.
        if !search.found.get(&block).is_some_and(|all| all.contains(&graph)) {
            continue;
        }
        search.from = Some((block, graph.clone()));
        let meet = |block, graph: Graph| search.arrive(block, &graph);
        let ran = code.run_to_heads(block, graph, budget, meet);
        search.blocks += 1;
        ran.map_err(|halt| search.failed(halt))?;
    }
    Ok(search.found)
}

/// The same, but what objects on the heap hold is not known to be equal to anything.
fn without_sharing(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    for node in out.nodes.iter_mut().flatten().filter(|n| Code::is_heap(n)) {
        Arc::make_mut(node).map(&mut |v| match v {
            Value::Sym(s) => Value::Range(graph.ranges[s as usize]),
            v => v,
        });
    }
    out.normalised()
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
    /// Where graphs came from.
    parents: BTreeMap<(BlockId, Graph), (BlockId, Graph)>,
    /// How many graphs were followed from loop to loop.
    blocks: u64,
    /// What is being followed.
    from: Option<(BlockId, Graph)>,
}

impl Search<'_> {
    /// A graph at a loop head: nothing new, or one more to follow.
    fn arrive(&mut self, block: BlockId, graph: &Graph) -> Result<(), Halt> {
        let mut graph = graph.normalised();
        graph.less.clear();
        if !self.precision.constants {
            graph = without_sharing(&graph);
        }
        if self.is_known(block, &graph) {
            return Ok(());
        }
        let mut graph = self.folder.fold(&graph).normalised();
        if self.is_known(block, &graph) {
            return Ok(());
        }
        let on_heap = |id: &u32| trellis_graphs::Code::is_heap(graph.node(*id));
        if graph.ids().filter(on_heap).count() > MOST_NODES {
            return Err(Halt::Unexpected(block, Box::new(graph)));
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
        loop {
            known.retain(|old| !embeds(old, &graph, &mut { STEPS }));
            match known.iter().find_map(|old| union(&graph, old)) {
                Some(both) => graph = both,
                None => break,
            }
        }
        if known.len() >= MOST_GRAPHS {
            return Err(Halt::Unexpected(block, Box::new(graph)));
        }
        if let Some(from) = &self.from {
            self.parents.entry((block, graph.clone())).or_insert_with(|| from.clone());
        }
        known.push(graph.clone());
        self.todo.push_back((block, graph));
        Ok(())
    }

    /// What ended the search, and the way there.
    fn failed(&self, halt: Halt) -> Failed {
        match halt {
            Halt::Trouble(trouble) => {
                let mut way: Vec<(BlockId, Graph)> = self.from.clone().into_iter().collect();
                while let Some(before) = way.last().and_then(|at| self.parents.get(at)) {
                    if way.contains(before) {
                        break;
                    }
                    way.push(before.clone());
                }
                way.reverse();
                Failed::Trouble(trouble, way)
            }
            Halt::Stopped(reason) => Failed::Stopped(reason),
            Halt::Unexpected(block, _) => {
                Failed::TooMany(block, self.found.get(&block).cloned().unwrap_or_default())
            }
        }
    }

    fn is_known(&self, block: BlockId, graph: &Graph) -> bool {
        let known = self.found.get(&block).into_iter().flatten();
        known.into_iter().any(|old| embeds(graph, old, &mut { STEPS }))
    }
}
