//! All checks that fail, each with a smallest run.
//!
//! The heaps are those of an exploration, in the same order, on one thread; where it would end with
//! a violation, this goes on. So of every check the run is the one that would have been found if it
//! were the only one that fails.

use std::ops::ControlFlow;

use trellis_program::concrete::Machine;
use trellis_program::{ProcId, Program};

use crate::heaps::HeapSpace;
use crate::search::{Searcher, Workspace};
use crate::{Config, Violation};

/// What fails.
#[derive(Clone, Debug)]
pub struct Collected {
    /// One a check, in the order in which they were found: fewest objects first.
    pub violations: Vec<Violation>,
    /// Whether everything up to the bounds was looked at.
    pub all: bool,
}

/// Collects up to so many violations within the budget.
pub fn collect(program: &Program, proc: ProcId, config: &Config, most: usize) -> Collected {
    let machine = Machine::new(program, config.machine_options(program, proc));
    let stop = || {
        config.budget.work.spend(1);
        config.budget.check().is_err()
    };
    let space = HeapSpace::new(&machine, proc).with_arrays(config.objects).stopping(&stop);
    let searcher = Searcher::new(&machine, proc, config);
    let (mut work, mut found) = (Workspace::default(), Vec::new());
    let flow = (0..=config.objects).try_for_each(|objects| {
        space.for_each(objects, &mut |heap| {
            let stopped = searcher.search_all(heap, &mut work, &mut found);
            match stopped.is_some() || found.len() >= most || config.budget.check().is_err() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })
    });
    found.truncate(most);
    let all = flow.is_continue() && !work.stats.was_cut();
    Collected { violations: found.into_iter().map(|(_, violation)| violation).collect(), all }
}
