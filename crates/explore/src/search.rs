//! Breadth-first search of the runs from one initial heap.
//!
//! A node is a state at the start of a block. Its successors are found by running the machine to
//! the next such state, once for every way to make the choices in between. Before a whole program
//! can make its first choice there is one run only: it is followed without keeping its states, as
//! far as [`STRAIGHT`](straight::STRAIGHT), which is further than the bound on steps.

use std::collections::{BTreeSet, VecDeque};

use trellis_program::checks::Point;
use trellis_program::concrete::spec_eval::formula_traits;
use trellis_program::concrete::{Choices, Failure, Finish, InitialHeap, Machine, State, Value};
use trellis_program::{
    Block, Body, CheckKind, InstrKind, ProcId, Program, Refusal, Reg, Storage, Terminator, cfg,
};

use crate::canonical::{self, Keep};
use crate::visited::{Seen, Visited};
use crate::{Config, Stats, StopReason, Violation};

use meter::{Meter, state_bytes};
use straight::Straight;

mod meter;
pub mod straight;

/// Where a failing check is for the user.
pub type Place = Point;

/// What one initial heap gave.
#[derive(Debug)]
pub enum Found {
    /// All runs up to the bounds were looked at, without a violation.
    Nothing,
    /// A shortest run that violates a check.
    Violation(Box<Violation>),
    /// A budget ran out.
    Stopped(StopReason),
}

/// What is the same for all initial heaps of a procedure.
pub struct Searcher<'m> {
    machine: &'m Machine<'m>,
    config: &'m Config,
    proc: ProcId,
    keep: Keep,
    /// For every procedure and block, the registers to forget at its start.
    dead: Vec<Vec<Vec<u32>>>,
    /// For every procedure and block, whether executing it may ask for a choice.
    may_choose: Vec<Vec<bool>>,
}

/// The memory of one worker, used again for every initial heap.
#[derive(Default)]
pub struct Workspace {
    visited: Visited,
    queue: VecDeque<(u32, State)>,
    key: Vec<u8>,
    choices: Choices,
    /// What all searches of this worker did.
    pub stats: Stats,
    /// The first place outside the subset that was reached.
    pub unsupported: Option<Refusal>,
}

impl Workspace {
    /// What a run that ended without a failure leaves to say.
    fn note(&mut self, finish: Finish) {
        match finish {
            Finish::Unsupported { span, reason } => {
                self.unsupported.get_or_insert(Refusal::at(span, reason));
            }
            Finish::TooDeep => self.stats.cut_by_choices += 1,
            Finish::Failed(_) | Finish::Returned(_) | Finish::Exited | Finish::Stopped => {}
        }
    }
}

/// Adds a violation of a check that is not in the list yet.
fn add(list: &mut Vec<(Place, Violation)>, place: Place, violation: Violation) {
    let known =
        |(p, v): &(Place, Violation)| *p == place && v.failure.same_check(&violation.failure);
    if !list.iter().any(known) {
        list.push((place, violation));
    }
}

impl<'m> Searcher<'m> {
    /// Prepares the search of a procedure.
    pub fn new(machine: &'m Machine<'m>, proc: ProcId, config: &'m Config) -> Searcher<'m> {
        let program = machine.program;
        let procs = cfg::reachable_procs(program, proc);
        let mut blocks = procs.iter().flat_map(|p| program.proc(*p).blocks());
        let leak = config.checks.contains(CheckKind::Leak);
        // At `exit` every variable counts as a root, so none may be forgotten early.
        let exits = blocks.any(|b| matches!(b.term, Terminator::Exit));
        // A cycle counts even if nobody can reach it any more.
        let allocated = config.checks.contains(CheckKind::Acyclic)
            || procs.iter().any(|p| quantifies(program, *p));
        Searcher {
            machine,
            config,
            proc,
            keep: Keep { allocated, leak },
            dead: program.procs.iter().map(|p| dead_registers(p, exits && leak)).collect(),
            may_choose: program
                .procs
                .iter()
                .map(|p| p.body.as_ref().map(|b| may_choose(machine, b)).unwrap_or_default())
                .collect(),
        }
    }

    /// Explores all runs from `heap`.
    pub fn search(&self, heap: &InitialHeap, work: &mut Workspace) -> Found {
        self.search_for(heap, work, None)
    }

    /// Explores all runs from `heap`, past the first that fails: of every failing check that is not
    /// in the list yet, a shortest run is added.
    pub fn search_all(
        &self,
        heap: &InitialHeap,
        work: &mut Workspace,
        list: &mut Vec<(Place, Violation)>,
    ) -> Option<StopReason> {
        match self.search_for(heap, work, Some(list)) {
            Found::Stopped(reason) => Some(reason),
            Found::Nothing | Found::Violation(_) => None,
        }
    }

    fn search_for(
        &self,
        heap: &InitialHeap,
        work: &mut Workspace,
        list: Option<&mut Vec<(Place, Violation)>>,
    ) -> Found {
        work.visited.clear();
        work.queue.clear();
        work.choices.restart();
        let mut first = self.machine.start(self.proc, heap);
        self.forget_dead(&mut first);
        let whole = self.machine.program.is_whole_program(self.proc);
        let found =
            match if whole { self.run_straight(first, work) } else { Straight::Choice(first) } {
                Straight::Choice(state) => {
                    self.store(state, 0, 0, work);
                    self.run_queue(heap, work, list)
                }
                Straight::Ended => Found::Nothing,
                Straight::Stopped(reason) => Found::Stopped(reason),
                Straight::Failed(place, failure) => {
                    let violation =
                        Violation { initial: heap.clone(), choices: Vec::new(), failure };
                    match list {
                        Some(list) => {
                            add(list, place, violation);
                            Found::Nothing
                        }
                        None => Found::Violation(Box::new(violation)),
                    }
                }
            };
        work.stats.heaps += 1;
        work.stats.states += work.visited.len() as u64;
        work.stats.stored_bytes += work.visited.used_bytes();
        work.stats.peak_bytes = work.stats.peak_bytes.max(work.visited.reserved_bytes());
        found
    }

    fn run_queue(
        &self,
        heap: &InitialHeap,
        work: &mut Workspace,
        list: Option<&mut Vec<(Place, Violation)>>,
    ) -> Found {
        let mut meter = Meter::new(work);
        let found = self.run_metered(heap, work, list, &mut meter);
        meter.settle(self, work);
        found
    }

    fn run_metered(
        &self,
        heap: &InitialHeap,
        work: &mut Workspace,
        mut list: Option<&mut Vec<(Place, Violation)>>,
        meter: &mut Meter,
    ) -> Found {
        while let Some((id, state)) = work.queue.pop_front() {
            if let Some(reason) = meter.count(self, &state, work) {
                return Found::Stopped(reason);
            }
            if work.visited.entry(id).depth as usize >= self.config.steps {
                work.stats.cut_by_steps += 1;
                continue;
            }
            for (place, failure, taken) in self.expand(id, state, work, list.is_some()) {
                let violation = || {
                    let mut choices = work.visited.path_choices(id);
                    choices.extend(taken);
                    Violation { initial: heap.clone(), choices, failure }
                };
                let Some(list) = &mut list else {
                    return Found::Violation(Box::new(violation()));
                };
                add(list, place, violation());
            }
        }
        Found::Nothing
    }

    /// Runs every way from a state to the next block. Gives the failures, with the choices that lead
    /// to them: of all ways, or the first.
    fn expand(
        &self,
        id: u32,
        state: State,
        work: &mut Workspace,
        all: bool,
    ) -> Vec<(Place, Failure, Vec<u32>)> {
        work.choices.restart();
        let mut state = Some(state);
        let mut failed = Vec::new();
        loop {
            let keep = state.as_ref().is_some_and(|s| self.may_choose(s));
            let next = if keep { state.clone() } else { state.take() };
            let mut next = next.expect("kept while alternatives remain");
            match self.run_block(&mut next, &mut work.choices, &mut work.stats) {
                None => self.store_successor(id, next, work),
                Some(Finish::Failed(failure)) => {
                    let place = self.place(&next, &failure);
                    failed.push((place, failure, work.choices.taken().collect()));
                    if !all {
                        return failed;
                    }
                }
                Some(finish) => work.note(finish),
            }
            if !work.choices.advance() {
                return failed;
            }
        }
    }

    /// Where a failure is in the user's own code: of one in a model, at the call.
    fn place(&self, state: &State, failure: &Failure) -> Place {
        let program = self.machine.program;
        let is_model = |p: ProcId| program.sources.is_model(program.proc(p).span);
        if !is_model(failure.point.proc) {
            return failure.point;
        }
        let own = state.frames.iter().rev().find(|f| !is_model(f.proc));
        own.map_or(failure.point, |f| Point { proc: f.proc, block: f.block, instr: f.instr })
    }

    /// Whether going on from here to the next block may ask for a choice. A return goes on in the
    /// middle of the caller's block, so all frames count.
    fn may_choose(&self, state: &State) -> bool {
        state.frames.iter().any(|f| self.may_choose[f.proc.0 as usize][f.block.0 as usize])
    }

    /// Executes to the start of the next block; `Some` if the run ends before.
    fn run_block(
        &self,
        state: &mut State,
        choices: &mut Choices,
        stats: &mut Stats,
    ) -> Option<Finish> {
        choices.rewind();
        loop {
            stats.instructions += 1;
            if let Some(finish) = self.machine.step(state, choices) {
                return Some(finish);
            }
            if state.top().instr == 0 {
                return None;
            }
        }
    }

    fn store_successor(&self, parent: u32, mut state: State, work: &mut Workspace) {
        let made = work.visited.entry(parent).choices_made.saturating_add(work.choices.real());
        if usize::from(made) > self.config.choices {
            work.stats.cut_by_choices += 1;
            return;
        }
        self.forget_dead(&mut state);
        self.store(state, parent, made, work);
    }

    fn store(&self, mut state: State, parent: u32, made: u16, work: &mut Workspace) {
        if !self.encode(&mut state, work) {
            // A serial number keeps the keys of states apart that are not compared.
            work.key.push(0);
            work.key.extend_from_slice(&(work.visited.len() as u64).to_le_bytes());
        }
        let choices: Vec<u32> = work.choices.taken().collect();
        match work.visited.insert(&work.key, parent, &choices, made) {
            Seen::New(id) | Seen::Cheaper(id) => work.queue.push_back((id, state)),
            Seen::Known => {}
        }
    }

    /// Encodes a state as a key, with other names for its objects; `false` if it cannot be compared
    /// with others: a callee's contract refers to objects as they are named now.
    fn encode(&self, state: &mut State, work: &mut Workspace) -> bool {
        work.key.clear();
        if state.frames.iter().skip(1).any(|f| f.pre.is_some()) {
            return false;
        }
        canonical::canonicalise(state, self.keep);
        canonical::encode(state, &mut work.key);
        true
    }

    fn forget_dead(&self, state: &mut State) {
        let frame = state.top();
        let (base, dead) =
            (frame.base as usize, &self.dead[frame.proc.0 as usize][frame.block.0 as usize]);
        for v in dead {
            state.regs[base + *v as usize] = Value::Undef;
        }
    }

    fn out_of_budget(&self, work: &Workspace) -> Option<StopReason> {
        let budget = &self.config.budget;
        if let Err(reason) = budget.check() {
            return Some(reason);
        }
        let queued = work.queue.front().map_or(0, |(_, s)| state_bytes(s) * work.queue.len());
        let used = work.visited.reserved_bytes() + queued as u64;
        let share = budget.memory.map(|m| m / self.config.threads.max(1) as u64);
        (share.is_some_and(|m| used > m) || work.visited.is_full()).then_some(StopReason::Memory)
    }
}

/// Registers to forget at the start of every block: those that may hold something there, and that no
/// later instruction reads. Whatever was forgotten before is not named again.
fn dead_registers(proc: &trellis_program::Procedure, keep_all: bool) -> Vec<Vec<u32>> {
    let Some(body) = &proc.body else {
        return Vec::new();
    };
    let mut dead: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); body.blocks.len()];
    if !keep_all {
        let live = cfg::live_sets(body);
        let written = |block: &Block| -> Vec<u32> {
            let local = |reg| match reg {
                Reg::Local(v) => Some(v.0),
                Reg::Global(_) => None,
            };
            cfg::written(block).filter_map(local).collect()
        };
        for (b, block) in body.blocks.iter().enumerate() {
            let held: BTreeSet<u32> = written(block).into_iter().chain(live[b].clone()).collect();
            for s in cfg::successors(&block.term) {
                let s = s.0 as usize;
                dead[s].extend(held.iter().filter(|v| !live[s].contains(v)));
            }
        }
        let entry = body.entry.0 as usize;
        dead[entry].extend((0..proc.params as u32).filter(|v| !live[entry].contains(v)));
    }
    let in_register = |v: &u32| proc.vars[*v as usize].storage == Storage::Register;
    dead.into_iter().map(|set| set.into_iter().filter(in_register).collect()).collect()
}

fn may_choose(machine: &Machine, body: &Body) -> Vec<bool> {
    let undefined_branches = !machine.options.checks.contains(CheckKind::Uninit);
    let choosing = |kind: &InstrKind| match kind {
        InstrKind::Havoc { .. } => true,
        InstrKind::Alloc { .. } => {
            machine.options.malloc_may_fail || !machine.mark_bits().is_empty()
        }
        InstrKind::Call { proc, .. } => machine.program.body(*proc).is_none(),
        _ => false,
    };
    body.blocks
        .iter()
        .map(|b| undefined_branches || b.instrs.iter().any(|i| choosing(&i.kind)))
        .collect()
}

/// Whether some contract in a procedure looks at all objects.
fn quantifies(program: &Program, id: ProcId) -> bool {
    program.proc(id).formulas().any(|f| formula_traits(program, id, f).has_pointer_quantifier)
}
