//! Random executions of a whole program, for what lies behind the bounds of the search.
//!
//! A program that reads its input in a loop has more executions of a few rounds than can be looked
//! at, and its bug may need a few more. Executions at random go far, and there is time for many. One
//! that comes to a block where none has been with so many objects is kept, and others begin like it,
//! most of them up to the end of a line of input: so a row of tests is passed one after the other.
//! Half of the executions have more integers to choose from, and are told lines that the program may
//! know ([`crate::typing`]), as input and as arguments. Every execution likes some truth values more
//! than others, at each place of its own, so that some loops end soon and some late. The one that
//! fails is made shorter afterwards, so that a reader need not look at what does not matter.
//!
//! **Invariant:** the numbers are not random: the same program gives the same executions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

use trellis_program::checks::Point;
use trellis_program::concrete::{
    Chooser, Failure, Finish, InitialHeap, Lifetime, Machine, MachineOptions, Object, Scripted,
    State,
};
use trellis_program::{BlockId, Budget, ProcId, Program};

use crate::arguments::with_strings;
use crate::heaps::HeapSpace;
use crate::narrow;
use crate::typing::{NAMES, Typist};
use crate::{Config, Violation};

/// Most blocks of an execution.
const STEPS: usize = 20_000;
/// Most choices of an execution.
const CHOICES: usize = 1_000;
/// Most starts that are tried: with no arguments, with one, …
const STARTS: usize = 256;
/// Most executions to make one shorter.
const SHORTENINGS: usize = 2_000;
/// Most arguments that are made up, more or less.
const ARGUMENTS: u32 = 8;
/// Most objects that are counted where an execution is.
const OBJECTS: usize = 3;

/// A violation that a random execution has shown.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The violation.
    pub violation: Violation,
    /// The integers that its choices were made among, if not those of the configuration.
    pub ints: Option<Vec<i64>>,
}

/// Runs a whole program at random, until a check fails or the budget is over. A unit of its work is
/// a block. Other seeds give other executions.
pub fn sample(
    program: &Program,
    proc: ProcId,
    config: &Config,
    seed: u64,
    budget: &Budget,
) -> Option<Sampled> {
    let options = config.machine_options(program, proc);
    let typist = Typist::of(program, proc);
    let ints = match &config.int_values {
        Some(ints) => ints.clone(),
        None => typist.integers(program, proc, &options.ints),
    };
    let machine = Machine::new(program, options.clone());
    let mut random = Random(MIX ^ seed);
    let mut plain = Sampling::new(&machine, proc, starts(&machine, proc, config), None);
    let knowing = Machine::new(program, MachineOptions { ints: ints.clone(), ..options });
    let told = config.int_values.is_none().then_some(&typist);
    let mut told = Sampling::new(&knowing, proc, plain.starts.clone(), told);
    while budget.check().is_ok() && !plain.starts.is_empty() {
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
    typist: Option<&'m Typist>,
    /// Where executions have been, and with how many objects.
    seen: BTreeSet<(ProcId, BlockId, usize)>,
    /// Those that came to a new place.
    kept: Vec<Kept>,
    /// Where a program may ask whether there is another character, and whether it does, as far as
    /// was seen.
    continues: BTreeMap<Point, bool>,
    /// Which procedures are models of the library.
    models: Vec<bool>,
}

/// What an execution starts with.
#[derive(Clone)]
struct Start {
    heap: InitialHeap,
    /// The arguments of the program, if they were made up.
    arguments: Option<Vec<Vec<i64>>>,
}

/// An execution that others may begin like, or what one begins with.
struct Kept {
    start: Start,
    choices: Vec<u32>,
    /// Where lines of input ended, among its choices.
    lines: Vec<usize>,
}

impl<'m> Sampling<'m> {
    fn new(
        machine: &'m Machine<'m>,
        proc: ProcId,
        starts: Vec<InitialHeap>,
        typist: Option<&'m Typist>,
    ) -> Sampling<'m> {
        let program = machine.program;
        let models = program.procs.iter().map(|p| program.sources.is_model(p.span)).collect();
        Sampling {
            runs: Runs { machine, proc },
            starts,
            typist,
            seen: BTreeSet::new(),
            kept: Vec::new(),
            continues: BTreeMap::new(),
            models,
        }
    }

    fn once(&mut self, random: &mut Random, budget: &Budget) -> Option<Violation> {
        let Kept { start, choices: begin, lines } = self.beginning(random);
        let likes = random.next();
        let mut chooser = Recorded {
            random,
            likes,
            begin: &begin,
            typist: self.typist,
            names: [1, 2, NAMES.len()][(likes % 3) as usize],
            typed: VecDeque::new(),
            lines,
            at: None,
            asked: None,
            continues: &mut self.continues,
            models: &self.models,
            taken: Vec::new(),
        };
        let mut is_new = false;
        let seen = &mut self.seen;
        let (failure, blocks) =
            self.runs.run(&start.heap, &mut chooser, &mut |at| is_new |= seen.insert(at));
        let (choices, lines) = (chooser.taken, chooser.lines);
        budget.work.spend(blocks as u64 + 1);
        match failure {
            Some(failure) => {
                Some(self.runs.shorten(Violation { initial: start.heap, choices, failure }))
            }
            None => {
                if is_new {
                    self.kept.push(Kept { start, choices, lines });
                }
                None
            }
        }
    }

    /// Where an execution starts, and the choices that it begins with: every other one like an
    /// execution that was kept, up to some choice.
    fn beginning(&self, random: &mut Random) -> Kept {
        let kept = self.kept.len() as u32;
        if kept > 0 && random.choose(2) == 0 {
            let like = &self.kept[random.choose(kept) as usize];
            return self.one_more_argument(like, random).unwrap_or_else(|| like.up_to_some(random));
        }
        let start = self.made_up(random).unwrap_or_else(|| {
            let heap = self.starts[random.choose(self.starts.len() as u32) as usize].clone();
            Start { heap, arguments: None }
        });
        start.alone()
    }

    /// Half of the time the same start with an argument more, if its arguments were made up.
    fn one_more_argument(&self, like: &Kept, random: &mut Random) -> Option<Kept> {
        let (typist, arguments) = (self.typist?, like.start.arguments.as_ref()?);
        if random.choose(2) > 0 || arguments.len() >= 2 * ARGUMENTS as usize {
            return None;
        }
        let mut arguments = arguments.clone();
        arguments.push(typist.argument(NAMES.len(), random));
        self.with_arguments(arguments).map(Start::alone)
    }

    /// Half of the time a start with arguments that are made up, if the program takes any.
    fn made_up(&self, random: &mut Random) -> Option<Start> {
        let typist = self.typist.filter(|_| self.takes_arguments())?;
        if random.choose(2) > 0 {
            return None;
        }
        // Its name first.
        let mut arguments = vec![vec![i64::from(b'p')]];
        let others = 0..random.choose(ARGUMENTS);
        arguments.extend(others.map(|_| typist.argument(NAMES.len(), random)));
        self.with_arguments(arguments)
    }

    fn takes_arguments(&self) -> bool {
        self.runs.machine.program.proc(self.runs.proc).params >= 2
    }

    fn with_arguments(&self, arguments: Vec<Vec<i64>>) -> Option<Start> {
        let (heap, _) = with_strings(self.runs.machine.program, self.runs.proc, &arguments)?;
        Some(Start { heap, arguments: Some(arguments) })
    }
}

impl Start {
    /// With no choices made.
    fn alone(self) -> Kept {
        Kept { start: self, choices: Vec::new(), lines: Vec::new() }
    }
}

impl Kept {
    /// Its beginning, up to the end of a line or up to any choice.
    fn up_to_some(&self, random: &mut Random) -> Kept {
        let anywhere = random.choose(4) == 0 || self.lines.is_empty();
        let length = match anywhere {
            true => random.choose(self.choices.len() as u32 + 1) as usize,
            false => self.lines[random.choose(self.lines.len() as u32) as usize],
        };
        let lines = self.lines.iter().copied().filter(|end| *end <= length).collect();
        Kept { start: self.start.clone(), choices: self.choices[..length].to_vec(), lines }
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
        see: &mut dyn FnMut((ProcId, BlockId, usize)),
    ) -> (Option<Failure>, usize) {
        let mut state: State = self.machine.start(self.proc, start);
        let mut blocks = 0;
        while blocks < STEPS && chooser.goes_on() {
            let top = state.top();
            chooser.come_to(Point { proc: top.proc, block: top.block, instr: top.instr });
            match self.machine.step(&mut state, chooser) {
                Some(Finish::Failed(failure)) => return (Some(failure), blocks),
                Some(_) => break,
                None if state.top().instr == 0 => {
                    blocks += 1;
                    see((state.top().proc, state.top().block, objects(&state)));
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

/// How many objects there are on the heap, as far as they are counted.
fn objects(state: &State) -> usize {
    let on_heap = |o: &&Object| o.live && o.lifetime == Lifetime::Heap;
    state.memory.objects.iter().filter(on_heap).take(OBJECTS).count()
}

/// A chooser that may have had enough.
trait Bounded: Chooser {
    fn goes_on(&self) -> bool;

    /// The next instruction is this one.
    fn come_to(&mut self, _: Point) {}
}

impl Bounded for Scripted<'_> {
    fn goes_on(&self) -> bool {
        true
    }
}

/// Random choices behind some that are given, written down.
struct Recorded<'r> {
    random: &'r mut Random,
    /// What this execution likes, mixed with the place of a choice.
    likes: u64,
    begin: &'r [u32],
    typist: Option<&'r Typist>,
    /// Of how many names it is told.
    names: usize,
    /// What is left of the line that is being typed.
    typed: VecDeque<i64>,
    /// Where lines have ended.
    lines: Vec<usize>,
    /// The instruction that is being executed.
    at: Option<Point>,
    /// Where the program has asked for a truth value, and whether it got a yes, if nothing came
    /// behind it.
    asked: Option<(Point, bool)>,
    continues: &'r mut BTreeMap<Point, bool>,
    models: &'r [bool],
    taken: Vec<u32>,
}

fn is_blank(character: i64) -> bool {
    character == i64::from(b' ') || character == i64::from(b'\n')
}

/// How often an execution says yes at a place, of so many times: most of them, and the steady ones,
/// which fill a buffer.
const OF: u32 = 128;
const LIKED: [u32; 4] = [16, 64, 64, 112];
const STEADY: [u32; 4] = [1, 1, 127, 127];

/// Characters and what `getchar` returns: integers up to here, and more than two.
const CHARACTERS: i64 = 255;

impl Recorded<'_> {
    /// The choice that is given for this place, if it is one.
    fn given(&self, options: u32) -> Option<u32> {
        let choice = *self.begin.get(self.taken.len())?;
        Some(choice.min(options.max(1) - 1))
    }

    fn take(&mut self, choice: u32) -> u32 {
        self.taken.push(choice);
        choice
    }

    /// Whether a place reads all characters, as the models of the library do. Any other does so in
    /// half of the executions, like `getchar`, or reads words, like `scanf`, which end where the next
    /// character is a blank.
    fn reads_lines(&self, at: Point) -> bool {
        self.models[at.proc.0 as usize] || self.likes & 2 == 0
    }

    /// What is typed next: of the line that was begun, or of a new one.
    fn next_typed(&mut self) -> Option<i64> {
        if self.at.is_some_and(|at| !self.reads_lines(at)) {
            while self.typed.front().is_some_and(|c| is_blank(*c)) {
                self.typed.pop_front();
            }
        }
        let typist = self.typist?;
        if self.typed.is_empty() && self.random.choose(4) > 0 {
            self.typed = typist.line(self.names, self.random).into();
        }
        let next = self.typed.pop_front()?;
        if self.typed.is_empty() {
            self.lines.push(self.taken.len() + 1);
        }
        Some(next)
    }
}

impl Chooser for Recorded<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        self.asked = None;
        let choice = self.given(options).unwrap_or_else(|| self.random.choose(options));
        self.take(choice)
    }

    fn choose_truth(&mut self) -> u32 {
        let at = self.at;
        let choice = self.given(2).unwrap_or_else(|| {
            if let (Some(at), Some(next)) = (at, self.typed.front())
                && self.continues.get(&at) == Some(&true)
            {
                return u32::from(self.reads_lines(at) || !is_blank(*next));
            }
            let [steady, liked] = [self.likes, place(at) ^ self.likes]
                .map(|bits| (bits.wrapping_mul(MIX) >> 62) as usize);
            let liked = if steady == 0 { STEADY[liked] } else { LIKED[liked] };
            u32::from(self.random.choose(OF) < liked)
        });
        self.asked = at.map(|at| (at, choice == 1));
        self.take(choice)
    }

    fn choose_integer(&mut self, domain: &mut dyn Iterator<Item = i64>) -> u32 {
        let domain: Vec<i64> = domain.collect();
        let options = domain.len() as u32;
        let asked = self.asked.take();
        let characters = options > 2 && domain.iter().all(|c| *c <= CHARACTERS);
        if let (Some((asked, yes)), Some(at), true) = (asked, self.at, characters)
            && asked.proc == at.proc
        {
            // Behind a no there is no other character, unless the question was another.
            let continues = self.continues.entry(asked).or_insert(yes);
            *continues &= yes;
        }
        if let Some(choice) = self.given(options) {
            return self.take(choice);
        }
        // What `getchar` returns may be checked after it is chosen, so others type everywhere.
        let typing = characters || self.likes & 1 == 0;
        let wanted = if typing { self.next_typed() } else { None };
        match wanted.and_then(|w| domain.iter().position(|v| *v == w)) {
            Some(place) => self.take(place as u32),
            None => {
                let choice = self.random.choose(options);
                self.take(choice)
            }
        }
    }
}

impl Bounded for Recorded<'_> {
    fn goes_on(&self) -> bool {
        self.taken.len() < CHOICES
    }

    fn come_to(&mut self, at: Point) {
        self.at = Some(at);
    }
}

/// An odd number that mixes bits.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number for a place.
fn place(at: Option<Point>) -> u64 {
    at.map_or(0, |at| {
        let bits = u64::from(at.proc.0) << 40 ^ u64::from(at.block.0) << 12 ^ u64::from(at.instr);
        bits.wrapping_mul(MIX)
    })
}

/// Marsaglia's xorshift, which is enough to try things.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

impl Chooser for Random {
    fn choose(&mut self, options: u32) -> u32 {
        ((self.next() >> 32) % u64::from(options.max(1))) as u32
    }
}
