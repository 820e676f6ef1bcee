//! Runs, step by step, and replays of them.
//!
//! A trace has every state, unless that were too much to keep: then those of its beginning and of its
//! end, and how many are left out between them.

use std::collections::VecDeque;

use crate::checks::Point;
use crate::concrete::initial::InitialHeap;
use crate::concrete::memory::{Lifetime, Object, Value};
use crate::concrete::state::{Frame, State};
use crate::concrete::step::{Chooser, Finish, Machine};
use crate::ir::ProcId;
use crate::source::Span;

/// A state and the instruction that is about to run in it.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The state before the instruction.
    pub state: State,
    /// The instruction.
    pub point: Point,
    /// Where it stands in the source.
    pub span: Span,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// One entry an executed instruction or terminator.
    pub steps: Vec<TraceStep>,
    /// What is not there because it was too much.
    pub gap: Option<Gap>,
    /// The state in which it ended (for a failed check: in which the check failed).
    pub last: State,
    /// How it ended; `None` if the step bound was reached.
    pub finish: Option<Finish>,
}

/// Steps of a long run that were not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The first step behind them, in [`Trace::steps`].
    pub before: usize,
    /// How many there are.
    pub steps: usize,
}

impl Trace {
    /// How many instructions were executed.
    pub fn len(&self) -> usize {
        self.steps.len() + self.gap.map_or(0, |gap| gap.steps)
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The most heap objects that live in one of its states.
    pub fn most_heap_objects(&self) -> usize {
        let states = self.steps.iter().map(|step| &step.state).chain([&self.last]);
        let is_there = |object: &&Object| object.live && object.lifetime == Lifetime::Heap;
        states.map(|s| s.memory.objects.iter().filter(is_there).count()).max().unwrap_or(0)
    }
}

/// Most bytes of the states that are kept of the beginning of a run, and of its end.
const KEPT: usize = 48 << 20;

/// The steps of a run that are kept.
#[derive(Default)]
struct Recorder {
    head: Vec<TraceStep>,
    tail: VecDeque<TraceStep>,
    head_bytes: usize,
    tail_bytes: usize,
    dropped: usize,
}

impl Recorder {
    fn push(&mut self, step: TraceStep) {
        let bytes = size(&step.state);
        if self.tail.is_empty() && self.head_bytes + bytes <= KEPT {
            self.head_bytes += bytes;
            self.head.push(step);
            return;
        }
        self.tail_bytes += bytes;
        self.tail.push_back(step);
        while self.tail_bytes > KEPT && self.tail.len() > 1 {
            let old = self.tail.pop_front();
            self.tail_bytes -= old.map_or(0, |step| size(&step.state));
            self.dropped += 1;
        }
    }

    fn finish(self, last: State, finish: Option<Finish>) -> Trace {
        let Recorder { head: mut steps, tail, dropped, .. } = self;
        let gap = (dropped > 0).then_some(Gap { before: steps.len(), steps: dropped });
        steps.extend(tail);
        Trace { steps, gap, last, finish }
    }
}

/// About how many bytes a state takes.
fn size(state: &State) -> usize {
    let values = state.regs.len() + state.globals.len() + state.memory.cells.len();
    values * size_of::<Value>()
        + state.memory.objects.len() * size_of::<Object>()
        + state.frames.len() * size_of::<Frame>()
        + size_of::<TraceStep>()
}

/// Makes the choices of a list; 0 when the list is used up.
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    choices: std::slice::Iter<'a, u32>,
}

impl<'a> Scripted<'a> {
    /// The choices to make, in order.
    pub fn new(choices: &'a [u32]) -> Scripted<'a> {
        Scripted { choices: choices.iter() }
    }
}

impl Chooser for Scripted<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        self.choices.next().map_or(0, |c| (*c).min(options - 1))
    }
}

impl Machine<'_> {
    /// Runs `proc` from an initial heap for at most `max_steps` instructions.
    pub fn run(
        &self,
        proc: ProcId,
        heap: &InitialHeap,
        chooser: &mut dyn Chooser,
        max_steps: usize,
    ) -> Trace {
        self.run_from(self.start(proc, heap), chooser, max_steps)
    }

    /// Runs on from a state for at most `max_steps` instructions.
    pub fn run_from(&self, mut state: State, chooser: &mut dyn Chooser, max_steps: usize) -> Trace {
        let mut steps = Recorder::default();
        for _ in 0..max_steps {
            let point = current_point(&state);
            let span = self.program.span_at(point);
            steps.push(TraceStep { state: state.clone(), point, span });
            if let Some(finish) = self.step(&mut state, chooser) {
                return steps.finish(state, Some(finish));
            }
        }
        steps.finish(state, None)
    }
}

/// The instruction that a state is about to execute.
pub fn current_point(state: &State) -> Point {
    let frame = state.top();
    Point { proc: frame.proc, block: frame.block, instr: frame.instr }
}
