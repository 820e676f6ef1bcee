//! Runs, step by step, and replays of them.

use crate::checks::Point;
use crate::concrete::initial::InitialHeap;
use crate::concrete::state::State;
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
    /// The state in which it ended (for a failed check: in which the check failed).
    pub last: State,
    /// How it ended; `None` if the step bound was reached.
    pub finish: Option<Finish>,
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
        let mut steps = Vec::new();
        for _ in 0..max_steps {
            let point = current_point(&state);
            let span = self.program.span_at(point);
            steps.push(TraceStep { state: state.clone(), point, span });
            if let Some(finish) = self.step(&mut state, chooser) {
                return Trace { steps, last: state, finish: Some(finish) };
            }
        }
        Trace { steps, last: state, finish: None }
    }
}

/// The instruction that a state is about to execute.
pub fn current_point(state: &State) -> Point {
    let frame = state.top();
    Point { proc: frame.proc, block: frame.block, instr: frame.instr }
}
