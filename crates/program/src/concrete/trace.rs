//! Runs, step by step, and replays of them.

use std::collections::VecDeque;

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
    /// How many steps there were between the first [`BEGINNING`] entries and the others: of a long
    /// run only the beginning and the end are kept.
    pub skipped: usize,
    /// The state in which it ended (for a failed check: in which the check failed).
    pub last: State,
    /// How it ended; `None` if the step bound was reached.
    pub finish: Option<Finish>,
}

/// So many steps at the beginning of a long run are kept,
pub const BEGINNING: usize = 300;
/// and so many at its end.
const ENDING: usize = 1200;

impl Trace {
    /// The steps at the end without a gap: all, unless the run is long.
    pub fn ending(&self) -> &[TraceStep] {
        let gap = if self.skipped > 0 { BEGINNING } else { 0 };
        &self.steps[gap..]
    }

    /// How many instructions the run has executed.
    pub fn instructions(&self) -> usize {
        self.steps.len() + self.skipped
    }
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
        let mut ending = VecDeque::new();
        let mut skipped = 0;
        let mut finish = None;
        for _ in 0..max_steps {
            let point = current_point(&state);
            let step = TraceStep { state: state.clone(), point, span: self.program.span_at(point) };
            if steps.len() < BEGINNING {
                steps.push(step);
            } else {
                if ending.len() == ENDING {
                    ending.pop_front();
                    skipped += 1;
                }
                ending.push_back(step);
            }
            finish = self.step(&mut state, chooser);
            if finish.is_some() {
                break;
            }
        }
        steps.extend(ending);
        Trace { steps, skipped, last: state, finish }
    }
}

/// The instruction that a state is about to execute.
pub fn current_point(state: &State) -> Point {
    let frame = state.top();
    Point { proc: frame.proc, block: frame.block, instr: frame.instr }
}
