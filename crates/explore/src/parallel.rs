//! Many initial heaps on several threads, with a deterministic answer.
//!
//! The enumerator hands out partial heaps in a fixed order; workers complete and search them. The
//! violation with the smallest number wins, so the answer is that of one thread working in order.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use trellis_program::concrete::Machine;
use trellis_program::{ProcId, Program};

use crate::heaps::{HeapSpace, Partial};
use crate::search::{Found, Searcher, Workspace};
use crate::{Config, Exploration, Outcome, Progress, Stats, StopReason, Violation};

/// Integers left open in a handed-out heap: enough work to be worth handing out.
const OPEN_INTS: usize = 5;
/// Heaps handed out at a time.
const BATCH: usize = 1024;

/// Explores all initial heaps, by number of objects.
pub fn explore_all(
    program: &Program,
    proc: ProcId,
    config: &Config,
    progress: &Progress,
) -> Exploration {
    let machine = Machine::new(program, config.machine_options(program, proc));
    let stop = || {
        config.budget.work.spend(1);
        config.budget.check().is_err()
    };
    let longest = config.longest.unwrap_or(config.objects);
    let space = HeapSpace::new(&machine, proc).with_arrays(longest).stopping(&stop);
    let searcher = Searcher::new(&machine, proc, config);
    let mut pool = Pool {
        space: &space,
        searcher: &searcher,
        config,
        progress,
        workers: (0..config.threads.max(1)).map(|_| Mutex::default()).collect(),
        ended: None,
    };
    for objects in 0..=config.objects {
        progress.objects.store(objects as u64, Ordering::Relaxed);
        let mut batch = Vec::with_capacity(BATCH);
        let flow = space.for_each_partial(objects, OPEN_INTS, &mut |partial| {
            batch.push(partial);
            if batch.len() < BATCH {
                return ControlFlow::Continue(());
            }
            let flow = pool.run(&batch);
            batch.clear();
            flow
        });
        if flow.is_break() || pool.run(&batch).is_break() {
            // Broken off between heaps: nobody has said why yet.
            pool.ended = pool.ended.or_else(|| config.budget.check().err().map(End::Stopped));
            break;
        }
    }
    let all = pool.ended.is_none();
    let unsatisfied = if all { machine.unsatisfied_calls() } else { Vec::new() };
    let (outcome, stats) = pool.finish();
    let closed = program.is_whole_program(proc) && program.proc(proc).params == 0;
    let sampled = !machine.chose_from_all();
    let exhausted = matches!(outcome, Outcome::Exhausted);
    let complete = closed && exhausted && !stats.was_cut() && !sampled;
    Exploration { outcome, stats, complete, sampled, unsatisfied }
}

/// How an exploration ends early.
enum End {
    Violated(Box<Violation>),
    Stopped(StopReason),
}

struct Pool<'a> {
    space: &'a HeapSpace<'a>,
    searcher: &'a Searcher<'a>,
    config: &'a Config,
    progress: &'a Progress,
    workers: Vec<Mutex<Workspace>>,
    ended: Option<End>,
}

impl Pool<'_> {
    /// Searches a batch of partial heaps; breaks when the exploration has ended.
    fn run(&mut self, batch: &[Partial]) -> ControlFlow<()> {
        let next = AtomicUsize::new(0);
        let first = AtomicU64::new(u64::MAX);
        let ends: Mutex<Vec<(u64, End)>> = Mutex::default();
        let work = |worker: &Mutex<Workspace>| {
            let mut workspace = worker.lock().expect("a worker does not panic");
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= batch.len() || i as u64 > first.load(Ordering::Relaxed) {
                    return;
                }
                if let Some(end) = self.search(&batch[i], &mut workspace) {
                    first.fetch_min(i as u64, Ordering::Relaxed);
                    ends.lock().expect("no panic while held").push((i as u64, end));
                }
            }
        };
        match self.workers.as_slice() {
            [only] => work(only),
            workers if batch.len() > 1 => std::thread::scope(|scope| {
                workers.iter().for_each(|w| drop(scope.spawn(|| work(w))));
            }),
            workers => work(&workers[0]),
        }
        let mut ends = ends.into_inner().expect("no panic while held");
        ends.sort_by_key(|(i, _)| *i);
        match ends.into_iter().next() {
            Some((_, end)) => {
                self.ended = Some(end);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn search(&self, partial: &Partial, workspace: &mut Workspace) -> Option<End> {
        let mut end = None;
        let flow = self.space.complete(partial.clone(), &mut |heap| {
            if let Err(reason) = self.config.budget.check() {
                end = Some(End::Stopped(reason));
                return ControlFlow::Break(());
            }
            let before = workspace.stats.states;
            let found = self.searcher.search(heap, workspace);
            self.progress.heaps.fetch_add(1, Ordering::Relaxed);
            self.progress.states.fetch_add(workspace.stats.states - before, Ordering::Relaxed);
            end = match found {
                Found::Nothing => return ControlFlow::Continue(()),
                Found::Violation(v) => Some(End::Violated(v)),
                Found::Stopped(reason) => Some(End::Stopped(reason)),
            };
            ControlFlow::Break(())
        });
        match flow {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(()) => {
                end.or_else(|| self.config.budget.check().err().map(End::Stopped))
            }
        }
    }

    fn finish(self) -> (Outcome, Stats) {
        let mut stats = Stats::default();
        let mut unsupported = None;
        for worker in self.workers {
            let workspace = worker.into_inner().expect("a worker does not panic");
            stats.add(&workspace.stats);
            // The smallest place, so that the answer does not depend on who came first.
            unsupported = unsupported.into_iter().chain(workspace.unsupported).min();
        }
        let outcome = match (self.ended, unsupported) {
            (Some(End::Violated(v)), _) => Outcome::Violated(v),
            (Some(End::Stopped(reason)), _) => Outcome::Unfinished(reason.into()),
            (None, Some(refusal)) => Outcome::Unfinished(refusal.into()),
            (None, None) if stats.heaps == 0 => Outcome::NoHeap,
            (None, None) => Outcome::Exhausted,
        };
        (outcome, stats)
    }
}
