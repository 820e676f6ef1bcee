//! Heap patterns on the machine: from every small heap that fits a label, reachable or not, every
//! way to the next loop head, where the label there must fit.
//!
//! Whether a heap fits is decided by `patterns::matching` on both sides; what a statement does, by
//! the interpreter alone.

use trellis_logic::Budget;
use trellis_logic::drawing::TextStyle;
use trellis_patterns::enumerate::{Found, Samples, each};
use trellis_patterns::heap::Heap;
use trellis_patterns::machine::{heap_of, state_of};
use trellis_patterns::matching::fits;
use trellis_patterns::pattern::Pattern;
use trellis_program::concrete::drawing::draw;
use trellis_program::concrete::{Choices, Finish, Machine, State};
use trellis_program::{BlockId, Program, Rejected};

use super::states::Flow;
use super::{Contradiction, Coverage, Extent, Objection, Work};
use crate::patterns::Understood;

/// Integers that stand for a class of which there are many.
const SAMPLES: Samples = Samples(2);

/// Runs the machine from all small heaps of patterns. The program is the one that they are about,
/// calls replaced.
///
/// # Errors
/// If the patterns are no invariant on the machine, or the machine cannot tell.
pub fn check_patterns_on_machine(
    program: &Program,
    understood: &Understood,
    extent: &Extent,
    budget: &Budget,
) -> Result<Coverage, Objection> {
    let machine = Machine::new(program, extent.machine.clone());
    let mut work = Work { left: extent.work, budget, spent: 0, stopped: None };
    let mut coverage = Coverage::default();
    let runs = Runs { program, machine: &machine, understood };
    for objects in 0..=extent.objects {
        let mut found = None;
        let flow = runs.of_size(objects, &mut work, &mut coverage, &mut found);
        if let Some(contradiction) = found {
            return Err(Rejected::Wrong(Box::new(contradiction)));
        }
        if let Some(why) = work.stopped {
            return Err(why.into());
        }
        if flow.is_break() {
            break;
        }
        coverage.objects = Some(objects);
    }
    Ok(coverage)
}

struct Runs<'a> {
    program: &'a Program,
    machine: &'a Machine<'a>,
    understood: &'a Understood,
}

impl Runs<'_> {
    fn of_size(
        &self,
        objects: usize,
        work: &mut Work<'_>,
        coverage: &mut Coverage,
        found: &mut Option<Contradiction>,
    ) -> Flow {
        let words = &self.understood.code.words;
        for (head, label) in &self.understood.labels {
            for pattern in &label.0 {
                each(words, pattern, objects, SAMPLES, &mut |step| match step {
                    Found::Step => work.spend(1),
                    Found::Heap(heap) => {
                        coverage.states += 1;
                        self.from(*head, heap, work, found)
                    }
                })?;
            }
        }
        Flow::Continue(())
    }

    /// Every way from a heap at a loop head to the next one.
    fn from(
        &self,
        head: usize,
        heap: &Heap,
        work: &mut Work<'_>,
        found: &mut Option<Contradiction>,
    ) -> Flow {
        let code = &self.understood.code;
        let at = BlockId(head as u32);
        let start = state_of(self.program, code.proc, &code.words, at, heap);
        let mut choices = Choices::default();
        loop {
            choices.rewind();
            let mut state = start.clone();
            let end = loop {
                work.spend(1)?;
                if let Some(finish) = self.machine.step(&mut state, &mut choices) {
                    break Err(finish);
                }
                let top = state.top();
                let block = top.block.0 as usize;
                if top.instr == 0 && code.heads.contains(&block) {
                    break Ok(block);
                }
            };
            let what = match end {
                Ok(block) => {
                    work.spend(10)?;
                    self.fails(block, &state)
                }
                Err(Finish::Failed(failure)) => {
                    let span = self.program.span_at(failure.point);
                    let place = self.program.sources.locate(span);
                    Some(format!("it fails the check `{}` at {place}", failure.kind))
                }
                // Two pointers to freed memory may be the same or not; no heap says so.
                Err(_) => None,
            };
            if let Some(what) = what {
                let from = code.blocks[head].span;
                *found = Some(Contradiction { from, state: self.draw(&start), what });
                return Flow::Break(());
            }
            if !choices.advance() {
                return Flow::Continue(());
            }
        }
    }

    /// What is wrong with a state at a loop head.
    fn fails(&self, block: usize, state: &State) -> Option<String> {
        let code = &self.understood.code;
        let place = self.program.sources.locate(code.blocks[block].span);
        let heap = match heap_of(self.program, code.proc, &code.words, state) {
            Ok(heap) => heap,
            Err(why) => return Some(format!("it arrives at {place} with {why}")),
        };
        let fits = |p: &Pattern| fits(&code.words, p, &heap).is_ok();
        let label = self.understood.labels.get(&block);
        if label.is_some_and(|l| l.0.iter().any(fits)) {
            return None;
        }
        let there = self.draw(state);
        Some(format!("it arrives at {place} in a state that fits no pattern:\n{there}"))
    }

    fn draw(&self, state: &State) -> String {
        draw(self.program, state).to_text(TextStyle::default())
    }
}
