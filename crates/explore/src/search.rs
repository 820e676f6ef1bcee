//! Breadth-first search of the runs from one initial heap.
//!
//! A node is a state at the start of a block. Its successors are found by running the machine to
//! the next such state, once for every way to make the choices in between. Before a whole program
//! can make its first choice there is one run only: it is followed without keeping its states, as
//! far as [`STRAIGHT`], which is further than the bound on steps.

use std::collections::VecDeque;

use trellis_program::concrete::spec_eval::formula_traits;
use trellis_program::concrete::{Choices, Finish, InitialHeap, Machine, State, Value};
use trellis_program::{
    Body, CheckKind, InstrKind, ProcId, Program, Refusal, Storage, Terminator, cfg,
};

use crate::canonical::{self, Keep};
use crate::visited::{Seen, Visited};
use crate::{Config, Stats, StopReason, Violation};

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

/// Most blocks of a run that has made no choice. A certifier has the same bound.
pub const STRAIGHT: usize = 200_000;

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
        work.visited.clear();
        work.queue.clear();
        work.choices.restart();
        let mut first = self.machine.start(self.proc, heap);
        self.forget_dead(&mut first);
        let whole = self.machine.program.is_whole_program(self.proc);
        let found = match if whole { self.run_straight(heap, first, work) } else { Ok(first) } {
            Ok(state) => {
                self.store(state, 0, 0, work);
                self.run_queue(heap, work)
            }
            Err(found) => found,
        };
        work.stats.heaps += 1;
        work.stats.states += work.visited.len() as u64;
        work.stats.stored_bytes += work.visited.used_bytes();
        work.stats.peak_bytes = work.stats.peak_bytes.max(work.visited.reserved_bytes());
        found
    }

    /// Follows a run to where it may choose, or to its end.
    fn run_straight(
        &self,
        heap: &InitialHeap,
        mut state: State,
        work: &mut Workspace,
    ) -> Result<State, Found> {
        // A state of the past, to notice that the run goes round (Brent): replaced after 1, 2, 4, …
        let (mut past, mut past_block) = (Vec::new(), None);
        for steps in 0..STRAIGHT {
            if self.may_choose(&state) {
                return Ok(state);
            }
            self.config.budget.work.spend(1);
            if steps % 256 == 255
                && let Some(reason) = self.out_of_budget(work)
            {
                return Err(Found::Stopped(reason));
            }
            let block = (state.frames.len(), state.top().proc, state.top().block);
            let renew = steps.is_power_of_two();
            if (renew || past_block == Some(block)) && self.encode(&mut state, work) {
                if renew {
                    (past, past_block) = (work.key.clone(), Some(block));
                } else if past == work.key {
                    return Err(Found::Nothing);
                }
            }
            work.stats.states += 1;
            work.choices.restart();
            match self.run_block(&mut state, &mut work.choices, &mut work.stats) {
                None => self.forget_dead(&mut state),
                Some(Finish::Failed(failure)) => {
                    let initial = heap.clone();
                    let found = Violation { initial, choices: Vec::new(), failure };
                    return Err(Found::Violation(Box::new(found)));
                }
                Some(finish) => {
                    self.note(finish, work);
                    return Err(Found::Nothing);
                }
            }
        }
        work.stats.cut_by_steps += 1;
        Err(Found::Nothing)
    }

    /// What a run that ended without a failure leaves to say.
    fn note(&self, finish: Finish, work: &mut Workspace) {
        match finish {
            Finish::Unsupported { span, reason } => {
                work.unsupported.get_or_insert(Refusal::at(span, reason));
            }
            Finish::TooDeep => work.stats.cut_by_choices += 1,
            Finish::Failed(_) | Finish::Returned(_) | Finish::Exited | Finish::Stopped => {}
        }
    }

    fn run_queue(&self, heap: &InitialHeap, work: &mut Workspace) -> Found {
        let mut since_check = 0u32;
        while let Some((id, state)) = work.queue.pop_front() {
            since_check += 1;
            self.config.budget.work.spend(1);
            if since_check.is_multiple_of(256)
                && let Some(reason) = self.out_of_budget(work)
            {
                return Found::Stopped(reason);
            }
            if work.visited.entry(id).depth as usize >= self.config.steps {
                work.stats.cut_by_steps += 1;
                continue;
            }
            if let Some(failure) = self.expand(id, state, work) {
                let mut choices = work.visited.path_choices(id);
                choices.extend(work.choices.taken());
                let initial = heap.clone();
                return Found::Violation(Box::new(Violation { initial, choices, failure }));
            }
        }
        Found::Nothing
    }

    /// Runs every way from a state to the next block; `Some` if one fails, with its choices left in
    /// the workspace.
    fn expand(
        &self,
        id: u32,
        state: State,
        work: &mut Workspace,
    ) -> Option<trellis_program::concrete::Failure> {
        work.choices.restart();
        let mut state = Some(state);
        loop {
            let keep = state.as_ref().is_some_and(|s| self.may_choose(s));
            let next = if keep { state.clone() } else { state.take() };
            let mut next = next.expect("kept while alternatives remain");
            match self.run_block(&mut next, &mut work.choices, &mut work.stats) {
                None => self.store_successor(id, next, work),
                Some(Finish::Failed(failure)) => return Some(failure),
                Some(finish) => self.note(finish, work),
            }
            if !work.choices.advance() {
                return None;
            }
        }
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

/// About how much memory a queued state takes.
fn state_bytes(state: &State) -> usize {
    size_of::<State>()
        + state.regs.capacity() * size_of::<Value>()
        + state.globals.capacity() * size_of::<Value>()
        + state.memory.cells.capacity() * size_of::<Value>()
        + state.memory.objects.capacity() * 32
        + state.frames.capacity() * 48
}

/// Registers that no later instruction of the block or its successors reads.
fn dead_registers(proc: &trellis_program::Procedure, keep_all: bool) -> Vec<Vec<u32>> {
    let Some(body) = &proc.body else {
        return Vec::new();
    };
    let live = cfg::live_in(body, proc.vars.len());
    let dead = |live: &Vec<bool>| {
        (0u32..)
            .zip(&proc.vars)
            .zip(live)
            .filter(|((_, var), live)| !**live && var.storage == Storage::Register)
            .map(|((i, _), _)| i)
            .collect()
    };
    if keep_all { vec![Vec::new(); body.blocks.len()] } else { live.iter().map(dead).collect() }
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
