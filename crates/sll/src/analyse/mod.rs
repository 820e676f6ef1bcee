//! All abstract heaps that a procedure can reach, block by block.
//!
//! * `step`: what one step does to one heap
//! * [`states`]: the heaps that were reached, with how
//!
//! **Invariant:** when [`Outcome::Finished`] is answered, every concrete state at the start of a
//! block is described by a heap of that block; if there is also no alarm and nothing unsupported,
//! no execution violates a check.

pub mod states;
mod step;

use std::collections::BTreeMap;

use trellis_program::checks::Point;
use trellis_program::{Alarm, Budget, CheckKind, CheckSet, Refusal, Span, StopReason};

use crate::heap::{Heap, Ref};
use crate::inputs::inputs;
use crate::program::{ANY_INT, ListProgram};
use crate::sharing::Sharing;
use crate::transform::Transformer;
use states::{StateId, States};

/// How to analyse, and for how long.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The checks that are on.
    pub checks: CheckSet,
    /// To which depth shared nodes are told apart; `None` for all.
    pub sharing: Option<usize>,
    /// When to stop; memory is for states.
    pub budget: Budget,
}

/// How a check comes to fail.
#[derive(Clone, Debug)]
pub struct Way {
    /// The heap in which it fails.
    pub heap: Heap,
    /// The state at the start of the block.
    pub from: StateId,
}

/// How an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything was looked at.
    Finished,
    /// Not everything.
    Stopped(StopReason),
}

/// What a step on one heap costs, in units of work.
const STEP: u64 = 5;

/// What was found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// How it ended.
    pub outcome: Outcome,
    /// The heaps at the starts of blocks.
    pub states: States,
    /// Checks that may fail, the first way to each.
    pub alarms: Vec<Alarm<Way>>,
    /// Places outside the small language that may be reached.
    pub unsupported: Vec<Refusal>,
    /// How many abstract heaps the procedure can start from.
    pub inputs: u64,
    /// How many steps were taken.
    pub steps: u64,
}

/// Analyses a program.
pub fn analyse(program: &ListProgram, options: &Options) -> Analysis {
    let mut engine = Engine {
        program,
        options,
        transformer: Transformer { track_garbage: program.track_garbage },
        sharing: Sharing::new(program, options.sharing),
        states: States::new(program.blocks.len()),
        alarms: BTreeMap::new(),
        unsupported: BTreeMap::new(),
        steps: 0,
    };
    let mut stopped = None;
    let inputs = inputs(program, &mut |count| {
        stopped = engine.too_many(count);
        stopped.is_some()
    });
    let count = inputs.as_ref().map_or(0, |all| all.len() as u64);
    for heap in inputs.into_iter().flatten() {
        for heap in engine.sharing.close(heap) {
            engine.arrive(0, heap, None);
        }
    }
    let outcome = stopped.unwrap_or_else(|| engine.run());
    let mut alarms: Vec<Alarm<Way>> = engine.alarms.into_values().collect();
    alarms.sort_by_key(|a| a.way.from);
    Analysis {
        outcome,
        states: engine.states,
        alarms,
        unsupported: engine.unsupported.into_values().collect(),
        inputs: count,
        steps: engine.steps,
    }
}

struct Engine<'a> {
    program: &'a ListProgram,
    options: &'a Options,
    transformer: Transformer,
    sharing: Sharing,
    states: States,
    /// By place and kind.
    alarms: BTreeMap<(Point, CheckKind, u32), Alarm<Way>>,
    unsupported: BTreeMap<Span, Refusal>,
    steps: u64,
}

impl Engine<'_> {
    /// Works until no heap is new.
    fn run(&mut self) -> Outcome {
        let mut since_check = 0u32;
        while let Some((id, block)) = self.states.next() {
            since_check += 1;
            self.options.budget.work.spend(STEP);
            if since_check.is_multiple_of(64)
                && let Some(stop) = self.out_of_budget()
            {
                return stop;
            }
            self.block(id, block);
        }
        Outcome::Finished
    }

    /// Why not to go on with so many inputs, if so.
    fn too_many(&self, count: usize) -> Option<Outcome> {
        /// With more, what a procedure can start from says nothing about it any more.
        const MOST_INPUTS: usize = 1_000_000;
        let bytes = (count * size_of::<Heap>()) as u64;
        self.options.budget.work.spend(STEP);
        if count > MOST_INPUTS || self.options.budget.memory.is_some_and(|m| bytes > m) {
            return Some(Outcome::Stopped(StopReason::Memory));
        }
        self.out_of_budget()
    }

    fn out_of_budget(&self) -> Option<Outcome> {
        let budget = &self.options.budget;
        let full = || budget.memory.is_some_and(|m| self.states.bytes() > m);
        let why = budget.check().err().or_else(|| full().then_some(StopReason::Memory));
        why.map(Outcome::Stopped)
    }

    /// A heap reaches the start of a block: what does not matter there is forgotten.
    fn arrive(&mut self, block: usize, mut heap: Heap, from: Option<StateId>) {
        let target = &self.program.blocks[block];
        let mut changed = false;
        for (var, live) in heap.vars.iter_mut().zip(&target.live_vars) {
            if !live && *var != Ref::UNDEF {
                *var = Ref::UNDEF;
                changed = true;
            }
        }
        for (int, live) in heap.ints.iter_mut().zip(&target.live_ints) {
            if !live {
                *int = ANY_INT;
            }
        }
        if changed {
            self.transformer.finish(&mut heap);
        }
        // What is forgotten may be what told two shared nodes apart.
        for heap in self.sharing.close(heap) {
            self.states.insert(block, heap, from);
        }
    }
}
