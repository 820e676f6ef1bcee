//! Random executions of a whole program, for what lies behind the bounds of the search.
//!
//! A program that reads its input in a loop has more executions of a few rounds than can be looked
//! at, and its bug may need a few more. Executions at random go far, and there is time for many. One
//! that comes to a block where none has been is kept, and others begin like it: so a row of tests is
//! passed one after the other. Half of the executions have more integers to choose from, and words
//! that the program knows ([`crate::words`]), as input and as arguments. Others have habits: they make
//! nearly always the same choice, so that a line is long enough for a buffer to end, and long arguments. The one that fails
//! is made shorter afterwards, so that a reader need not look at what does not matter.
//!
//! **Invariant:** the numbers are not random: the same program gives the same executions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use trellis_program::concrete::{
    Chooser, Failure, Finish, InitialHeap, Machine, MachineOptions, Scripted, State,
};
use trellis_program::{BlockId, Budget, ProcId, Program};

use crate::arguments::with_strings;
use crate::heaps::HeapSpace;
use crate::narrow;
use crate::words::{ENDS, with_more, words};
use crate::{Config, Violation};

/// Most blocks of an execution.
const STEPS: usize = 5_000;
/// Most choices of an execution.
const CHOICES: usize = 200;
/// The same of one with habits, and how often it breaks with one: once in so many choices.
const HABITUAL: usize = 400;
const STEADY: u32 = 128;
/// Most starts that are tried: with no arguments, with one, …
const STARTS: usize = 256;
/// Most executions to make one shorter.
const SHORTENINGS: usize = 2_000;
/// Most arguments that are words.
const ARGUMENTS: u32 = 4;

/// A violation that a random execution has shown.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The violation.
    pub violation: Violation,
    /// The integers that its choices were made among, if not those of the configuration.
    pub ints: Option<Vec<i64>>,
}

/// Runs a whole program at random, until a check fails or the budget is over. A unit of its work is
/// a block.
pub fn sample(
    program: &Program,
    proc: ProcId,
    config: &Config,
    budget: &Budget,
) -> Option<Sampled> {
    let options = config.machine_options(program, proc);
    let words = if config.int_values.is_none() { words(program) } else { Vec::new() };
    let ints = match &config.int_values {
        Some(ints) => ints.clone(),
        None => with_more(program, proc, &options.ints, &words),
    };
    let machine = Machine::new(program, options.clone());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut plain = Sampling::new(&machine, proc, starts(&machine, proc, config), &[]);
    let knowing = Machine::new(program, MachineOptions { ints: ints.clone(), ..options });
    let mut told = Sampling::new(&knowing, proc, plain.starts.clone(), &words);
    let mut steady = Sampling::new(&machine, proc, plain.starts.clone(), &[]);
    steady.habits = Some(BTreeMap::new());
    let mut other = Random(0x2545_f491_4f6c_dd1d);
    while budget.check().is_ok() && !plain.starts.is_empty() {
        if let Some(violation) = steady.once(&mut other, budget) {
            return Some(Sampled { violation, ints: None });
        }
        if let Some(violation) = plain.once(&mut random, budget) {
            return Some(Sampled { violation, ints: None });
        }
        if let Some(violation) = told.once(&mut random, budget) {
            let mut few = narrow::integers(&knowing, proc, &violation);
            few.extend(machine.options.ints.iter().copied());
            let few: Vec<i64> = few.into_iter().collect();
            let options = MachineOptions { ints: few.clone(), ..machine.options.clone() };
            let narrow = Machine::new(program, options);
            return Some(match narrow::retold(&knowing, &narrow, proc, &violation) {
                Some(violation) => Sampled { violation, ints: Some(few) },
                None => Sampled { violation, ints: Some(ints) },
            });
        }
    }
    None
}

/// Executions of one machine.
struct Sampling<'m> {
    runs: Runs<'m>,
    starts: Vec<InitialHeap>,
    words: &'m [Vec<i64>],
    /// Where executions have been.
    seen: BTreeSet<(ProcId, BlockId)>,
    /// Those that came to a new place, and their starts.
    kept: Vec<(InitialHeap, Vec<u32>)>,
    /// If executions have habits: what they choose of so many options.
    habits: Option<BTreeMap<u32, u32>>,
}

impl<'m> Sampling<'m> {
    fn new(
        machine: &'m Machine<'m>,
        proc: ProcId,
        starts: Vec<InitialHeap>,
        words: &'m [Vec<i64>],
    ) -> Sampling<'m> {
        let (seen, kept) = (BTreeSet::new(), Vec::new());
        Sampling { runs: Runs { machine, proc }, starts, words, seen, kept, habits: None }
    }

    fn once(&mut self, random: &mut Random, budget: &Budget) -> Option<Violation> {
        let (start, begin) = self.beginning(random);
        let words = self.words;
        self.habits.iter_mut().for_each(BTreeMap::clear);
        let (taken, habits) = (Vec::new(), self.habits.as_mut());
        let mut chooser = Recorded { random, begin: &begin, words, typed: &[], taken, habits };
        let mut is_new = false;
        let seen = &mut self.seen;
        let (failure, blocks) =
            self.runs.run(&start, &mut chooser, &mut |at| is_new |= seen.insert(at));
        let choices = chooser.taken;
        budget.work.spend(blocks as u64 + 1);
        match failure {
            Some(failure) => {
                Some(self.runs.shorten(Violation { initial: start, choices, failure }))
            }
            None if is_new => {
                self.kept.push((start, choices));
                None
            }
            None => None,
        }
    }

    /// Where an execution starts, and the choices that it begins with: every other one like an
    /// execution that was kept, up to some choice.
    fn beginning(&self, random: &mut Random) -> (InitialHeap, Vec<u32>) {
        let kept = self.kept.len() as u32;
        if kept > 0 && random.choose(2) == 0 {
            let (start, choices) = &self.kept[random.choose(kept) as usize];
            let length = random.choose(choices.len() as u32 + 1) as usize;
            return (start.clone(), choices[..length].to_vec());
        }
        if !self.words.is_empty()
            && random.choose(2) == 0
            && let Some(start) = self.with_words(random)
        {
            return (start, Vec::new());
        }
        if self.habits.is_some()
            && random.choose(2) == 0
            && let Some(start) = self.with_long_arguments(random)
        {
            return (start, Vec::new());
        }
        (self.starts[random.choose(self.starts.len() as u32) as usize].clone(), Vec::new())
    }

    /// A start with long arguments, if the program takes some: of any length, and of those that fill
    /// the usual buffers.
    fn with_long_arguments(&self, random: &mut Random) -> Option<InitialHeap> {
        let program = self.runs.machine.program;
        let mut strings = vec![vec![i64::from(b'p')]];
        for _ in 0..=random.choose(2) {
            let length = match random.choose(3) {
                0 => 1 << random.choose(9),
                1 => (1 << random.choose(9)) - 1,
                _ => random.choose(300),
            };
            strings.push(vec![i64::from(b'a'); length as usize]);
        }
        with_strings(program, self.runs.proc, &strings).map(|(heap, _)| heap)
    }

    /// A start with words for arguments, if the program takes some: its name first, and now and then
    /// an option of one character.
    fn with_words(&self, random: &mut Random) -> Option<InitialHeap> {
        let program = self.runs.machine.program;
        let mut strings = vec![vec![i64::from(b'p')]];
        for _ in 0..random.choose(ARGUMENTS) {
            let word = &self.words[random.choose(self.words.len() as u32) as usize];
            strings.push(match random.choose(4) {
                0 => vec![i64::from(b'-'), word[random.choose(word.len() as u32) as usize]],
                _ => word.clone(),
            });
        }
        with_strings(program, self.runs.proc, &strings).map(|(heap, _)| heap)
    }
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
    fn run(
        &self,
        start: &InitialHeap,
        chooser: &mut dyn Bounded,
        see: &mut dyn FnMut((ProcId, BlockId)),
    ) -> (Option<Failure>, usize) {
        let mut state: State = self.machine.start(self.proc, start);
        let mut blocks = 0;
        while blocks < STEPS && chooser.goes_on() {
            match self.machine.step(&mut state, chooser) {
                Some(Finish::Failed(failure)) => return (Some(failure), blocks),
                Some(_) => break,
                None if state.top().instr == 0 => {
                    blocks += 1;
                    see((state.top().proc, state.top().block));
                }
                None => {}
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
                let (failure, _) = self.run(&best.initial, &mut scripted, &mut |_| {});
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

/// Random choices behind some that are given, written down.
struct Recorded<'r> {
    random: &'r mut Random,
    begin: &'r [u32],
    words: &'r [Vec<i64>],
    /// What is left of the word that is being typed.
    typed: &'r [i64],
    taken: Vec<u32>,
    /// What is nearly always chosen of so many options.
    habits: Option<&'r mut BTreeMap<u32, u32>>,
}

impl Recorded<'_> {
    /// The choice that is given for this place, if it is one.
    fn given(&self, options: u32) -> Option<u32> {
        let choice = *self.begin.get(self.taken.len())?;
        Some(choice.min(options.max(1) - 1))
    }

    /// A choice by habit, or any.
    fn pick(&mut self, options: u32) -> u32 {
        let any = self.random.choose(options);
        match &mut self.habits {
            Some(_) if self.random.choose(STEADY) == 0 => any,
            Some(habits) => *habits.entry(options).or_insert(any),
            None => any,
        }
    }
}

impl Chooser for Recorded<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.given(options).unwrap_or_else(|| self.pick(options));
        self.taken.push(choice);
        choice
    }

    fn choose_integer(&mut self, domain: &mut dyn Iterator<Item = i64>) -> u32 {
        let domain: Vec<i64> = domain.collect();
        let options = domain.len() as u32;
        if self.words.is_empty() || self.taken.len() < self.begin.len() {
            return self.choose(options);
        }
        if self.typed.is_empty() && self.random.choose(4) == 0 {
            self.typed = &self.words[self.random.choose(self.words.len() as u32) as usize];
        }
        let wanted = match self.typed.split_first() {
            Some((character, rest)) => {
                self.typed = rest;
                Some(*character)
            }
            None if self.random.choose(4) == 0 => {
                Some(ENDS[self.random.choose(ENDS.len() as u32) as usize])
            }
            None => None,
        };
        let place = wanted.and_then(|w| domain.iter().position(|v| *v == w));
        match place {
            Some(place) => {
                self.taken.push(place as u32);
                place as u32
            }
            None => self.choose(options),
        }
    }
}

impl Bounded for Recorded<'_> {
    fn goes_on(&self) -> bool {
        self.taken.len() < if self.habits.is_some() { HABITUAL } else { CHOICES }
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
