//! Random executions of a whole program, for what lies behind the bounds of the search.
//!
//! A program that reads its input in a loop has more executions of a few rounds than can be looked
//! at, and its bug may need a few more. Executions at random go far, and there is time for many. The
//! one that fails is made shorter afterwards, so that a reader need not look at what does not matter.
//!
//! **Invariant:** the numbers are not random: the same program gives the same executions.

use std::ops::ControlFlow;

use trellis_program::concrete::{Chooser, Failure, Finish, InitialHeap, Machine, Scripted, State};
use trellis_program::{Budget, ProcId, Program};

use crate::heaps::HeapSpace;
use crate::{Config, Violation};

/// Most blocks of an execution.
const STEPS: usize = 5_000;
/// Most choices of an execution.
const CHOICES: usize = 200;
/// Most starts that are tried: with no arguments, with one, …
const STARTS: usize = 256;
/// Most executions to make one shorter.
const SHORTENINGS: usize = 2_000;

/// Runs a whole program at random, until a check fails or the budget is over. A unit of its work is
/// a block.
pub fn sample(
    program: &Program,
    proc: ProcId,
    config: &Config,
    budget: &Budget,
) -> Option<Violation> {
    let machine = Machine::new(program, config.machine_options(program, proc));
    let starts = starts(&machine, proc, config);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let runs = Runs { machine: &machine, proc };
    while !starts.is_empty() && budget.check().is_ok() {
        let start = &starts[random.choose(starts.len() as u32) as usize];
        let mut chooser = Recorded { random: &mut random, taken: Vec::new() };
        let (failure, blocks) = runs.run(start, &mut chooser);
        let choices = chooser.taken;
        budget.work.spend(blocks as u64 + 1);
        if let Some(failure) = failure {
            return Some(runs.shorten(Violation { initial: start.clone(), choices, failure }));
        }
    }
    None
}

fn starts(machine: &Machine<'_>, proc: ProcId, config: &Config) -> Vec<InitialHeap> {
    let mut starts = Vec::new();
    let space = HeapSpace::new(machine, proc);
    for objects in 0..=config.objects {
        let flow = space.for_each(objects, &mut |heap| {
            starts.push(heap.clone());
            if starts.len() < STARTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if flow.is_break() {
            break;
        }
    }
    starts
}

struct Runs<'m> {
    machine: &'m Machine<'m>,
    proc: ProcId,
}

impl Runs<'_> {
    /// The failure of an execution, if it has one, and how many blocks it takes.
    fn run(&self, start: &InitialHeap, chooser: &mut dyn Bounded) -> (Option<Failure>, usize) {
        let mut state: State = self.machine.start(self.proc, start);
        let mut blocks = 0;
        while blocks < STEPS && chooser.goes_on() {
            match self.machine.step(&mut state, chooser) {
                Some(Finish::Failed(failure)) => return (Some(failure), blocks),
                Some(_) => break,
                None => blocks += usize::from(state.top().instr == 0),
            }
        }
        (None, blocks)
    }

    /// The same failure with fewer choices, and with smaller ones. Where choices end, all others are
    /// the first.
    fn shorten(&self, found: Violation) -> Violation {
        let mut best = found;
        let mut left = SHORTENINGS;
        let mut part = best.choices.len().div_ceil(2);
        while part > 0 && left > 0 {
            let mut at = 0;
            while at < best.choices.len() && left > 0 {
                left -= 1;
                let mut choices = best.choices.clone();
                choices.drain(at..(at + part).min(choices.len()));
                let mut scripted = Scripted::new(&choices);
                let (failure, _) = self.run(&best.initial, &mut scripted);
                match failure {
                    Some(failure) if failure.same_check(&best.failure) => {
                        best = Violation { choices, failure, ..best };
                    }
                    _ => at += part,
                }
            }
            part /= 2;
        }
        while best.choices.last() == Some(&0) {
            best.choices.pop();
        }
        best
    }
}

/// A chooser that may have had enough.
trait Bounded: Chooser {
    fn goes_on(&self) -> bool;
}

impl Bounded for Scripted<'_> {
    fn goes_on(&self) -> bool {
        true
    }
}

/// Random choices, written down.
struct Recorded<'r> {
    random: &'r mut Random,
    taken: Vec<u32>,
}

impl Chooser for Recorded<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.random.choose(options);
        self.taken.push(choice);
        choice
    }
}

impl Bounded for Recorded<'_> {
    fn goes_on(&self) -> bool {
        self.taken.len() < CHOICES
    }
}

/// Marsaglia's xorshift, which is enough to try things.
struct Random(u64);

impl Chooser for Random {
    fn choose(&mut self, options: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % u64::from(options.max(1))) as u32
    }
}
