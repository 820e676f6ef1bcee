//! Examples: concrete heaps that the machine has reached, or that it follows into a failure.
//!
//! Positives are pooled by loop head (the paper's Figure 6.12 does so silently; with those of one
//! path alone, the strongest postcondition is always an answer and nothing ever generalises). A
//! negative is a heap of a candidate from which the machine runs into a failed check; one from
//! which it only leaves the label of a child is an *implication*: whoever accepts the first heap
//! must accept the second one there.

mod longer;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use trellis_patterns::PatternProgram;
use trellis_patterns::enumerate::{Flow as Go, Samples, heaps};
use trellis_patterns::heap::{Heap, Place};
use trellis_patterns::machine::{heap_of, state_of};
use trellis_patterns::matching::fits;
use trellis_patterns::pattern::{Label, MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::values::{Orders, Values};
use trellis_program::concrete::spec_eval::Truth;
use trellis_program::concrete::step::Failure;
use trellis_program::concrete::{Chooser, Finish, Machine, State};
use trellis_program::{BlockId, CheckSet, ProcId, Program, Work};

use crate::post::Post;

/// A heap that an oracle is shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Example {
    /// Without what is not read any more, cells in the order in which variables reach them.
    pub heap: Heap,
    /// Whether the machine reached it; else only patterns did.
    pub is_reached: bool,
}

/// A heap that must not fit, and why.
#[derive(Clone, Debug)]
pub struct Negative {
    /// The heap.
    pub heap: Heap,
    /// The check that fails from there.
    pub failure: Failure,
    /// The choices on the way.
    pub choices: Vec<u32>,
    /// The loop heads on the way, with the heaps there.
    pub way: Vec<(usize, Heap)>,
}

/// Whoever accepts a heap must accept another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implication {
    /// At the loop head of the question.
    pub before: Heap,
    /// The loop head that the machine gets to.
    pub block: usize,
    /// What it finds there.
    pub after: Heap,
}

/// What is known at a loop head.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Must fit.
    pub positives: Vec<Example>,
    /// Must not fit.
    pub negatives: Vec<Negative>,
    /// Must be respected.
    pub implications: Vec<Implication>,
}

impl Examples {
    /// One more positive; false if it is there already.
    pub fn must_fit(&mut self, heap: Heap, is_reached: bool) -> bool {
        let new = self.positives.iter().all(|e| e.heap != heap);
        if new {
            self.positives.push(Example { heap, is_reached });
        }
        new
    }
}

/// How a run from one cut point ends.
#[derive(Clone, Debug)]
pub enum End {
    /// At a loop head.
    Head(usize, Box<State>),
    /// A check fails.
    Failed(Failure),
    /// Otherwise.
    Done,
}

/// A way into a failure from an initial state.
#[derive(Clone, Debug)]
pub struct Crash {
    /// What the machine started from.
    pub start: Heap,
    /// All choices.
    pub choices: Vec<u32>,
    /// What fails.
    pub failure: Failure,
}

/// What the machine reached.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// By loop head, small heaps first.
    pub heaps: BTreeMap<usize, Vec<Heap>>,
    /// The first failure.
    pub crash: Option<Crash>,
}

/// Runs the machine between cut points.
pub struct Runner<'a> {
    /// The program without calls.
    pub program: &'a Program,
    /// The procedure.
    pub proc: ProcId,
    /// The same in the small language.
    pub patterns: &'a PatternProgram,
    /// The checks that are on.
    pub checks: CheckSet,
    /// The machine.
    pub machine: &'a Machine<'a>,
    /// Runs are counted here.
    pub work: &'a Work,
}

/// What a run from one loop head to the next costs, in units of work.
const RUN: u64 = 5;
/// Most ways to choose from one state to the next loop heads.
const MOST_WAYS: usize = 96;
/// Most instructions from one loop head to the next.
const MOST_STEPS: usize = 2000;
/// Heaps of one size of one pattern that are tried.
const MOST_HEAPS: usize = 200;
/// Cells of the largest heap that is tried.
const MOST_CELLS: usize = 6;

impl Runner<'_> {
    /// Everything that the machine can do from a state to the next cut points, with the choices.
    pub fn run(&self, state: &State) -> Vec<(Vec<u32>, End)> {
        let mut out = Vec::new();
        let mut script: Vec<u32> = Vec::new();
        loop {
            self.work.spend(RUN);
            let mut chooser = Script { script: &script, made: Vec::new(), options: Vec::new() };
            let mut now = state.clone();
            let end = self.to_the_next(&mut now, &mut chooser);
            let Script { made, options, .. } = chooser;
            out.push((made.clone(), end));
            // The next script in order: the last choice that has an alternative takes it.
            let Some(last) = (0..made.len()).rev().find(|i| made[*i] + 1 < options[*i]) else {
                break;
            };
            if out.len() >= MOST_WAYS {
                break;
            }
            script = made[..=last].to_vec();
            script[last] += 1;
        }
        out
    }

    fn to_the_next(&self, state: &mut State, chooser: &mut Script<'_>) -> End {
        for _ in 0..MOST_STEPS {
            match self.machine.step(state, chooser) {
                Some(Finish::Failed(failure)) => return End::Failed(failure),
                Some(_) => return End::Done,
                None => {}
            }
            let frame = state.top();
            let block = frame.block.0 as usize;
            if frame.instr == 0 && self.patterns.heads.contains(&block) {
                return End::Head(block, Box::new(state.clone()));
            }
        }
        End::Done
    }

    /// The heap of a state at a block, without what is not read any more; none if it is too large
    /// for any pattern of it.
    pub fn heap(&self, block: usize, state: &State) -> Option<Heap> {
        let words = &self.patterns.words;
        let found = heap_of(self.program, self.proc, words, state).ok();
        let mut heap = found.filter(|heap| heap.cells.len() <= MOST_NODES)?;
        let code = &self.patterns.blocks[block];
        for (place, live) in heap.vars.iter_mut().zip(&code.live_pointers) {
            if !live {
                *place = Place::Undefined;
            }
        }
        for (value, live) in heap.scalars.iter_mut().zip(&code.live_scalars) {
            if !live {
                *value = None;
            }
        }
        Some(heap.normalised())
    }

    /// A state at a block with this heap.
    pub fn state(&self, block: usize, heap: &Heap) -> State {
        let at = BlockId(block as u32);
        state_of(self.program, self.proc, &self.patterns.words, at, heap)
    }

    /// Whether a state at the entry satisfies `requires`.
    fn can_start(&self, state: &State) -> bool {
        let contract = &self.program.proc(self.proc).contract;
        let env = self.machine.env(state, None);
        contract.requires.iter().all(|clause| env.truth(&clause.formula) == Truth::True)
    }

    /// Runs from small initial heaps, breadth first, until so many heaps are known at every head.
    pub fn pool(&self, starts: &[Pattern], most: usize) -> Pool {
        let mut pool = Pool::default();
        let mut seen: BTreeSet<(usize, Heap)> = BTreeSet::new();
        let mut queue: VecDeque<(State, Heap, Vec<u32>)> = VecDeque::new();
        for start in starts {
            each_heap(self.patterns, start, 3, &mut |heap| {
                let heap = settled(heap);
                let state = self.state(self.patterns.entry, &heap);
                if self.can_start(&state) {
                    queue.push_back((state, heap, Vec::new()));
                }
                Go::Continue(())
            });
        }
        let mut runs = 0;
        while let Some((state, start, choices)) = queue.pop_front() {
            runs += 1;
            if runs > 40 * most {
                break;
            }
            for (made, end) in self.run(&state) {
                let choices: Vec<u32> = choices.iter().copied().chain(made).collect();
                match end {
                    End::Done => {}
                    End::Failed(failure) => {
                        let found = Crash { start: start.clone(), choices, failure };
                        pool.crash.get_or_insert(found);
                    }
                    End::Head(block, state) => {
                        let Some(heap) = self.heap(block, &state) else { continue };
                        let known = pool.heaps.entry(block).or_default();
                        if known.len() < most && seen.insert((block, heap.clone())) {
                            known.push(heap);
                            queue.push_back((*state, start.clone(), choices));
                        }
                    }
                }
            }
        }
        pool
    }

    /// Whether the machine runs into a failure from a state, within a bound, and how.
    fn failure(&self, block: usize, heap: &Heap) -> Option<Negative> {
        /// Loop heads that are passed on the way.
        const MOST_HEADS: usize = 60;
        let mut queue = VecDeque::from([(self.state(block, heap), Vec::new(), Vec::new())]);
        let mut seen = BTreeSet::new();
        while let Some((state, choices, way)) = queue.pop_front() {
            for (made, end) in self.run(&state) {
                let choices: Vec<u32> = choices.iter().copied().chain(made).collect();
                match end {
                    End::Done => {}
                    End::Failed(failure) => {
                        return Some(Negative { heap: heap.clone(), failure, choices, way });
                    }
                    End::Head(to, state) => {
                        let Some(after) = self.heap(to, &state) else { continue };
                        if seen.len() < MOST_HEADS && seen.insert((to, after.clone())) {
                            let mut way = way.clone();
                            way.push((to, after));
                            queue.push_back((*state, choices, way));
                        }
                    }
                }
            }
        }
        None
    }

    /// A heap of a candidate at a block that shows why it cannot be a label there: it leads into a
    /// failure, or out of what `allowed` says of the loop heads that come next.
    pub fn refute(
        &self,
        block: usize,
        label: &Label,
        allowed: &dyn Fn(usize, &Heap) -> bool,
    ) -> Option<Refutation> {
        let mut harmless = None;
        for cells in 0..=MOST_CELLS {
            let mut found = None;
            for pattern in &label.0 {
                let mut tried = 0;
                let _ = heaps(&self.patterns.words, pattern, cells, Samples(2), &mut |heap| {
                    tried += 1;
                    match self.refute_with(block, heap, allowed) {
                        Some(Refutation::Implication(i)) => {
                            harmless.get_or_insert(i);
                        }
                        Some(negative) => {
                            found = Some(negative);
                            return Go::Break(());
                        }
                        None => {}
                    }
                    if tried < MOST_HEAPS { Go::Continue(()) } else { Go::Break(()) }
                });
                if found.is_some() {
                    return found;
                }
            }
            if harmless.is_some() {
                break;
            }
        }
        harmless.map(Refutation::Implication)
    }

    fn refute_with(
        &self,
        block: usize,
        heap: &Heap,
        allowed: &dyn Fn(usize, &Heap) -> bool,
    ) -> Option<Refutation> {
        let state = self.state(block, heap);
        let clean = self.heap(block, &state)?;
        let mut harmless = None;
        for (choices, end) in self.run(&state) {
            match end {
                End::Done => {}
                End::Failed(failure) => {
                    let negative = Negative { heap: clean, failure, choices, way: Vec::new() };
                    return Some(Refutation::Negative(negative));
                }
                End::Head(to, state) => {
                    let Some(after) = self.heap(to, &state) else { continue };
                    if allowed(to, &after) {
                        continue;
                    }
                    if let Some(mut found) = self.failure(to, &after) {
                        found.way.insert(0, (to, after));
                        found.choices = choices.into_iter().chain(found.choices).collect();
                        return Some(Refutation::Negative(Negative { heap: clean, ..found }));
                    }
                    let before = clean.clone();
                    harmless.get_or_insert(Implication { before, block: to, after });
                }
            }
        }
        harmless.map(Refutation::Implication)
    }
}

/// Why a candidate is none.
#[derive(Clone, Debug)]
pub enum Refutation {
    /// A heap of it leads into a failure.
    Negative(Negative),
    /// A heap of it leads out of a label that comes next.
    Implication(Implication),
}

/// The same with zero for data that nobody speaks of: initial data is defined.
fn settled(heap: &Heap) -> Heap {
    let mut heap = heap.clone();
    for value in heap.cells.iter_mut().flat_map(|c| &mut c.data) {
        value.get_or_insert(0);
    }
    heap
}

/// Every heap of a pattern up to a number of cells, small ones first.
pub fn each_heap(
    program: &PatternProgram,
    pattern: &Pattern,
    most: usize,
    f: &mut dyn FnMut(&Heap) -> Go,
) {
    for cells in 0..=most {
        let mut tried = 0;
        let flow = heaps(&program.words, pattern, cells, Samples(2), &mut |heap| {
            tried += 1;
            f(heap)?;
            if tried < MOST_HEAPS { Go::Continue(()) } else { Go::Break(()) }
        });
        if flow.is_break() && tried < MOST_HEAPS {
            return;
        }
    }
}

/// Whether a label fits a heap.
pub fn accepts(program: &PatternProgram, label: &Label, heap: &Heap) -> bool {
    label.0.iter().any(|p| fits(&program.words, p, heap).is_ok())
}

/// The pattern of one heap at a block (*Heap Interpolant Synthesis*, Definition 6), without what is
/// not read there.
pub fn concrete(program: &PatternProgram, block: usize, heap: &Heap) -> Pattern {
    let exact = exact(program, heap);
    let code = &program.blocks[block];
    let post = Post { program, checks: CheckSet::default() };
    let (kept, _) = post.forget(&exact, &code.live_pointers, &code.live_scalars);
    kept.unwrap_or(exact)
}

/// The pattern that stands for one heap, all of it reachable.
pub fn exact(program: &PatternProgram, heap: &Heap) -> Pattern {
    let words = &program.words;
    let target = |p: &Place| match p {
        Place::Null => Target::Null,
        Place::Freed => Target::Freed,
        Place::Undefined => Target::Undefined,
        Place::Cell(c) => Target::Node(*c),
    };
    let mut incoming = vec![Vec::new(); heap.cells.len()];
    for cell in &heap.cells {
        for (field, place) in words.records[cell.record].pointers.iter().zip(&cell.pointers) {
            if let Place::Cell(to) = place {
                incoming[*to].push(field.edge);
            }
        }
    }
    let node = |(c, cell): (usize, &trellis_patterns::heap::Cell)| Node {
        record: cell.record,
        summary: false,
        sharing: Sharing::of(&incoming[c]),
        colours: BTreeSet::from([heap.colour(words, c)]),
        fields: cell.pointers.iter().map(|p| Targets::of(target(p))).collect(),
    };
    let value =
        |v: &Option<i128>| v.map_or(Values::UNDEFINED, |v| Values::class(words.partition.class(v)));
    let order = |(a, b): &(usize, usize)| match (heap.scalars[*a], heap.scalars[*b]) {
        (Some(a), Some(b)) => Orders::of(a.cmp(&b)),
        _ => Orders::ANY,
    };
    Pattern {
        scalars: heap.scalars.iter().map(value).collect(),
        orders: words.pairs.iter().map(order).collect(),
        vars: heap.vars.iter().map(target).collect(),
        nodes: heap.cells.iter().enumerate().map(node).collect(),
    }
}

struct Script<'s> {
    script: &'s [u32],
    made: Vec<u32>,
    options: Vec<u32>,
}

impl Chooser for Script<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.script.get(self.made.len()).copied().unwrap_or(0);
        self.made.push(choice);
        self.options.push(options);
        choice
    }
}
