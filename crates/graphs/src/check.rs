//! Graphs at the loop heads of a procedure are an invariant: every memory that the procedure starts
//! from, and every memory of a graph, leads to memories of graphs at the next loop heads, and no
//! check fails on the way.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::{BlockId, Budget, NoResult, Refusal, Rejected};

use crate::code::Code;
use crate::embed::embeds;
use crate::graph::Graph;
use crate::step::Trouble;
use crate::text;

/// Graphs at loop heads.
pub type Invariant = BTreeMap<BlockId, Vec<Graph>>;

/// Steps for one comparison of two graphs.
pub const STEPS: u64 = 20_000;

impl Code<'_> {
    /// Follows a graph from the start of a block to the next loop heads; `meet` is given what
    /// arrives there.
    ///
    /// # Errors
    /// If it cannot be followed, or the budget is over.
    pub fn run_to_heads(
        &self,
        from: BlockId,
        graph: Graph,
        budget: &Budget,
        mut meet: impl FnMut(BlockId, Graph) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut todo = vec![(from, graph)];
        // Where ways meet, what is the same is followed once.
        let mut seen: BTreeMap<BlockId, BTreeSet<Graph>> = BTreeMap::new();
        while let Some((at, graph)) = todo.pop() {
            budget.check().map_err(Halt::Stopped)?;
            budget.work.spend(1);
            let arrivals = self.run_block(at, graph).map_err(Halt::Trouble)?;
            for (block, mut graph) in arrivals {
                self.tidy(&mut graph, block);
                if self.heads.contains(&block) {
                    meet(block, graph)?;
                } else if self.joins.contains(&block) {
                    let graph = graph.normalised();
                    if seen.entry(block).or_default().insert(graph.clone()) {
                        todo.push((block, graph));
                    }
                } else {
                    todo.push((block, graph));
                }
            }
        }
        Ok(())
    }
}

/// Why following a graph ended early.
#[derive(Debug)]
pub enum Halt {
    /// It cannot be followed further.
    Trouble(Box<(Trouble, Graph)>),
    /// The budget is over.
    Stopped(trellis_program::StopReason),
    /// What arrived is not what was expected.
    Unexpected(BlockId, Box<Graph>),
}

/// Checks an invariant; gives how many graphs were followed.
///
/// # Errors
/// If it is none, or cannot be judged.
pub fn check(code: &Code<'_>, invariant: &Invariant, budget: &Budget) -> Result<usize, Rejected> {
    let line = |block: BlockId| {
        let span = code.body().block(block).span_at(0);
        code.program.sources.line_col(span).0
    };
    let wrong = |halt: Halt| match halt {
        Halt::Stopped(reason) => Rejected::Unjudged(NoResult::Stopped(reason)),
        Halt::Trouble(trouble) => match trouble.0 {
            Trouble::Outside { span, reason } => {
                Rejected::Unjudged(Refusal::at(span, reason).into())
            }
            Trouble::Alarm { kind, span, .. } => Rejected::Wrong(format!(
                "{kind} is not excluded in line {}",
                code.program.sources.line_col(span).0
            )),
        },
        Halt::Unexpected(block, graph) => Rejected::Wrong(format!(
            "a memory arrives at the loop in line {} that fits no graph: {}",
            line(block),
            text::graph(code, &graph)
        )),
    };
    let fits = |block: BlockId, graph: Graph| {
        let graph = graph.normalised();
        let known = invariant.get(&block).into_iter().flatten();
        match known.into_iter().any(|g| embeds(&graph, g, &mut { STEPS })) {
            true => Ok(()),
            false => Err(Halt::Unexpected(block, Box::new(graph))),
        }
    };
    let mut count = 1;
    let mut start = code.start().map_err(Rejected::from)?;
    let entry = code.body().entry;
    code.tidy(&mut start, entry);
    if code.heads.contains(&entry) {
        fits(entry, start).map_err(wrong)?;
    } else {
        code.run_to_heads(entry, start, budget, fits).map_err(wrong)?;
    }
    for (block, graphs) in invariant {
        for graph in graphs {
            code.run_to_heads(*block, graph.clone(), budget, fits).map_err(wrong)?;
            count += 1;
        }
    }
    Ok(count)
}
