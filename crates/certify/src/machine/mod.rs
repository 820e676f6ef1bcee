//! The second leg of a proof: the invariant on the machine, for all small heaps.
//!
//! The conditions in the logic ([`crate::conditions`]) are for heaps of any size, but they trust the
//! translation from programs to the logic. This check trusts the concrete interpreter only, and is
//! for small heaps: from every initial heap that satisfies `requires`, and from every state at a loop
//! that satisfies the invariant there, the machine runs every way to the next cut point; no check
//! fails on the way, and the invariant holds where it arrives.
//!
//! * `abstraction`: what the invariant says of a machine state
//! * `states`: all states of a size that satisfy the invariant
//! * `certified`: both, for a certificate
//! * `patterns`: all states of a size that fit a heap pattern
//! * `graphs`: the same of memory graphs
//! * `runs`: the procedure as it was written, from every small initial heap
//!
//! **Invariant.** Nothing here looks at the paths of the transition system. The invariants are read
//! by one function on both sides, so a misreading can make the check fail, never succeed.

mod abstraction;
mod certified;
mod graphs;
mod patterns;
mod runs;
mod states;

pub use certified::{Invariant, Reach, check_second_leg};
pub use graphs::check_graphs_on_machine;
pub use patterns::check_patterns_on_machine;
pub use runs::{Held, Runs, check_runs};

use std::collections::BTreeSet;

use trellis_explore::heaps::HeapSpace;
use trellis_logic::drawing::TextStyle;
use trellis_logic::measure::SymbolsInUse;
use trellis_logic::{Budget, FormulaId, StopReason};
use trellis_program::cfg;
use trellis_program::concrete::drawing::draw;
use trellis_program::concrete::{
    Choices, Failure, Finish, InitialHeap, Machine, MachineOptions, State,
};
use trellis_program::{BlockId, Placed, Program, Refusal, Reg, Rejected, Span, Storage, VarId};
use trellis_solver::theory;
use trellis_transys::{Flag, Location, LocationId, RegSymbol, TransitionSystem};

use abstraction::Abstraction;
use states::{Flow, Start, States};

/// Most turns of loops in the recursive calls of one run: such a loop need not end.
const INNER_TURNS: usize = 32;

/// How far to look.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Most heap objects of a state.
    pub objects: usize,
    /// Most work, in steps of the machine and formulas evaluated: the same on every machine.
    pub work: u64,
    /// How the machine runs.
    pub machine: MachineOptions,
}

/// How far the machine has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// States at cut points, initial ones included, from which the machine was run.
    pub states: u64,
    /// All states of up to so many heap objects were among them; `None` if not even those without.
    pub objects: Option<usize>,
}

/// The two legs contradict each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// Where the machine started: an initial heap, or a state at a loop that satisfies the
    /// invariant.
    pub from: Span,
    /// The state there.
    pub state: String,
    /// What happened.
    pub what: String,
}

impl Contradiction {
    /// Where it started, in which state, and what happened.
    pub fn describe(&self, program: &Program) -> String {
        let place = program.sources.locate(self.from);
        format!("from the state at {place}\n{}\n{}", self.state, self.what)
    }
}

/// Why the machine does not agree, or cannot tell.
pub type Objection = Rejected<Box<Contradiction>>;

/// A limit on work, so that a run repeats to the letter; and the budget, which may end it early.
pub(crate) struct Work<'a> {
    left: u64,
    budget: &'a Budget,
    spent: u64,
    stopped: Option<StopReason>,
}

impl Work<'_> {
    fn spend(&mut self, units: u64) -> Flow {
        let before = self.spent;
        self.spent += units;
        // A look at the clock costs more than a step.
        if before / 1024 != self.spent / 1024
            && let Err(why) = self.budget.check()
        {
            self.stopped = Some(why);
            return Flow::Break(());
        }
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                Flow::Continue(())
            }
            None => Flow::Break(()),
        }
    }
}

/// Runs the machine from all small states. The system was built from the program in which calls and
/// pointers to variables are replaced; the machine runs the one in which only calls are, and what the
/// invariant says of a pointer is read off its value ([`Placed::read`]).
///
/// # Errors
/// If the invariant does not hold on the machine, or the machine cannot tell.
pub fn check_on_machine(
    placed: &Placed,
    system: &TransitionSystem,
    clauses: &[Vec<FormulaId>],
    extent: &Extent,
    budget: &Budget,
) -> Result<Coverage, Objection> {
    let machine = Machine::new(&placed.program, extent.machine.clone());
    let before = Machine::new(&placed.before, extent.machine.clone());
    let check = Check::new(placed, system, clauses, (&machine, &before));
    let mut work = Work { left: extent.work, budget, spent: 0, stopped: None };
    let mut coverage = Coverage::default();
    for objects in 0..=extent.objects {
        let done = check.level(objects, &mut work, &mut coverage)?;
        if let Some(why) = work.stopped {
            return Err(why.into());
        }
        if !done {
            break;
        }
        coverage.objects = Some(objects);
    }
    Ok(coverage)
}

struct Check<'a> {
    /// What the system was built from.
    program: &'a Program,
    placed: &'a Placed,
    system: &'a TransitionSystem,
    clauses: &'a [Vec<FormulaId>],
    /// For initial heaps and states of the program that the system was built from.
    machine: &'a Machine<'a>,
    /// The one that runs: the program as it was before pointers to variables were replaced.
    before: &'a Machine<'a>,
    abstraction: Abstraction<'a>,
    heads: BTreeSet<BlockId>,
    /// What holds of every state that the logic can follow.
    axioms: Vec<FormulaId>,
    /// Whether memory and globals at the entry are part of a state.
    keeps_entry: bool,
}

impl<'a> Check<'a> {
    fn new(
        placed: &'a Placed,
        system: &'a TransitionSystem,
        clauses: &'a [Vec<FormulaId>],
        (machine, before): (&'a Machine<'a>, &'a Machine<'a>),
    ) -> Check<'a> {
        let program = &placed.program;
        let of_entry = entry_symbols(system);
        let speaks_of_entry = |f: &FormulaId| {
            let used = system.arena.symbols_in_use(*f);
            !used.funs.is_disjoint(&of_entry.funs) || !used.rels.is_disjoint(&of_entry.rels)
        };
        let proc = program.proc(system.proc);
        let whole = proc.is_whole_program();
        // Where no pointer is stored, entry heaps cost nothing, and whoever cannot lose an object is
        // not asked for leaks by the logic.
        let stores = system.symbols.pointers.iter().any(|f| f.stored);
        let keeps_entry = whole
            || !stores
            || machine.keeps_pre(system.proc)
            || clauses.iter().flatten().any(speaks_of_entry);
        // What the relations of fields always satisfy holds of every structure made of a state.
        let mut arena = system.arena.clone();
        let of_theory = theory::axioms(&mut arena, &system.vocabulary);
        let axioms = system.axioms.iter().copied().filter(|f| !of_theory.contains(f));
        let axioms: Vec<FormulaId> =
            axioms.filter(|f| keeps_entry || !speaks_of_entry(f)).collect();
        let all: Vec<FormulaId> = axioms.iter().chain(clauses.iter().flatten()).copied().collect();
        let integers = &machine.options.ints;
        let abstraction = Abstraction::new(program, system, &all, integers);
        let heads = proc.body.as_ref().map(cfg::loop_heads).unwrap_or_default();
        Check {
            program,
            placed,
            system,
            clauses,
            machine,
            before,
            abstraction,
            heads,
            axioms,
            keeps_entry,
        }
    }

    /// All states of exactly so many heap objects; false if the work was not enough.
    fn level(
        &self,
        objects: usize,
        work: &mut Work<'_>,
        coverage: &mut Coverage,
    ) -> Result<bool, Objection> {
        let mut entries = Vec::new();
        let space = HeapSpace::new(self.machine, self.system.proc);
        for size in 0..=objects {
            // Smaller entry heaps matter again: objects may have been allocated since.
            let flow = space.for_each(size, &mut |heap| {
                work.spend(1)?;
                entries.push(heap.clone());
                Flow::Continue(())
            });
            if flow.is_break() {
                return Ok(false);
            }
        }
        let mut found = None;
        let mut flow = Flow::Continue(());
        for entry in entries.iter().filter(|e| states::heap_objects(e) == objects) {
            flow = self.run_entry(entry, work, coverage, &mut found);
            if flow.is_break() {
                break;
            }
        }
        for at in (1..self.system.locations.len()).map(LocationId) {
            if flow.is_break() {
                break;
            }
            flow = self.run_loop(at, &entries, objects, work, coverage, &mut found);
        }
        match found {
            Some(finding) => Err(finding),
            None => Ok(flow.is_continue()),
        }
    }

    fn run_entry(
        &self,
        entry: &InitialHeap,
        work: &mut Work<'_>,
        coverage: &mut Coverage,
        found: &mut Option<Objection>,
    ) -> Flow {
        let state = self.machine.start(self.system.proc, entry);
        let pre = trellis_program::concrete::PreState {
            memory: entry.memory.clone(),
            globals: entry.globals.clone(),
        };
        let start = Start { state, pre: self.keeps_entry.then(|| pre.into()) };
        let block = start.state.top().block;
        coverage.states += 1;
        if self.heads.contains(&block) {
            // The procedure begins with a loop.
            return match self.fails(block, &start.state, &start) {
                None => Flow::Continue(()),
                Some(what) => {
                    self.contradiction(LocationId::ENTRY, &start, what, found);
                    Flow::Break(())
                }
            };
        }
        self.run(LocationId::ENTRY, &start, work, found)
    }

    fn run_loop(
        &self,
        at: LocationId,
        entries: &[InitialHeap],
        objects: usize,
        work: &mut Work<'_>,
        coverage: &mut Coverage,
        found: &mut Option<Objection>,
    ) -> Flow {
        let location = &self.system.locations[at.0];
        if self.unseen_variable(location) || !self.placed.is_old(location.block) {
            return Flow::Break(());
        }
        let states = States {
            program: self.program,
            proc: self.system.proc,
            system: self.system,
            machine: self.machine,
            abstraction: &self.abstraction,
            at: location,
            formulas: self.axioms.iter().chain(&self.clauses[at.0]).copied().collect(),
            keeps_entry: self.keeps_entry,
        };
        states.for_each(entries, objects, work, &mut |start, work| {
            // Whoever arrives in such a state has failed there.
            if self.machine.fails_at_loop(&start.state).is_some() {
                return Flow::Continue(());
            }
            // Where no clause speaks of a field, nothing has kept states out that the logic lacks.
            let made = self.abstraction.structure(location, &start.state, start.pre.as_deref());
            if made.is_err() {
                return Flow::Continue(());
            }
            coverage.states += 1;
            self.run(at, start, work, found)
        })
    }

    /// Whether a variable that is read from here on has no symbol: such states cannot be built.
    fn unseen_variable(&self, at: &Location) -> bool {
        let proc = self.program.proc(self.system.proc);
        let Some(body) = &proc.body else { return true };
        let live = &cfg::live_in(body, proc.vars.len())[at.block.0 as usize];
        (0u32..).zip(&proc.vars).zip(live).any(|((i, var), live)| {
            let symbol = self.system.symbols.regs.get(&Reg::Local(VarId(i)));
            let seen = symbol.is_some_and(|twin| at.has(twin.now));
            *live && var.storage == Storage::Register && !seen
        })
    }

    /// Every way from a state to the next cut point.
    fn run(
        &self,
        at: LocationId,
        start: &Start,
        work: &mut Work<'_>,
        found: &mut Option<Objection>,
    ) -> Flow {
        let mut choices = Choices::default();
        loop {
            choices.rewind();
            let Some(mut state) = self.placed.raise(&start.state) else {
                // No pointer is at two places.
                return Flow::Continue(());
            };
            // The invariant is about the heap that a procedure is given, so the loops of a call that
            // the procedure makes of itself are run through.
            let (outermost, mut turns) = (state.frames.len(), 0);
            let end = loop {
                work.spend(1)?;
                if let Some(finish) = self.before.step(&mut state, &mut choices) {
                    break Err(finish);
                }
                let top = state.top();
                if top.instr != 0 || !self.heads.contains(&top.block) {
                    continue;
                }
                if state.frames.len() == outermost {
                    break Ok(top.block);
                }
                turns += 1;
                if turns > INNER_TURNS {
                    break Err(Finish::TooDeep);
                }
            };
            let what = match end {
                Ok(block) => {
                    let state = self.placed.read(state);
                    work.spend(self.costs(block, &state))?;
                    self.fails(block, &state, start)
                }
                Err(Finish::Failed(failure)) => Some(self.failed(&failure)),
                Err(Finish::Unsupported { span, reason }) if at == LocationId::ENTRY => {
                    *found = Some(Refusal::at(span, reason).into());
                    return Flow::Break(());
                }
                Err(_) => None,
            };
            if let Some(what) = what {
                self.contradiction(at, start, what, found);
                return Flow::Break(());
            }
            if !choices.advance() {
                return Flow::Continue(());
            }
        }
    }

    /// What it costs to evaluate the invariant at a loop.
    fn costs(&self, block: BlockId, state: &State) -> u64 {
        let at = self.system.locations.iter().rposition(|l| l.block == block).unwrap_or(0);
        let all = self.axioms.iter().chain(&self.clauses[at]);
        all.map(|f| self.abstraction.cost(state, *f)).sum()
    }

    /// What of the invariant, and of what is checked at a loop, does not hold of a state there.
    fn fails(&self, block: BlockId, state: &State, start: &Start) -> Option<String> {
        if let Some(Finish::Failed(failure)) = self.machine.fails_at_loop(state) {
            return Some(self.failed(&failure));
        }
        let locations = self.system.locations.iter().enumerate().skip(1);
        let (to, location) = locations.into_iter().find(|(_, l)| l.block == block)?;
        let place = self.program.sources.locate(location.span);
        let made = self.abstraction.structure(location, state, start.pre.as_deref());
        let structure = match made {
            Ok(structure) => structure,
            Err(why) => {
                let there = self.draw(state);
                return Some(format!(
                    "it arrives at {place} in a state outside the logic ({why}):\n{there}"
                ));
            }
        };
        let arena = &self.system.arena;
        let all = self.axioms.iter().chain(&self.clauses[to]);
        let wrong = all.into_iter().find(|f| !self.abstraction.holds(&structure, **f))?;
        let text = arena.print(&self.system.vocabulary, *wrong);
        let there = self.draw(state);
        Some(format!("it arrives at {place} in a state that violates `{text}`:\n{there}"))
    }

    fn failed(&self, failure: &Failure) -> String {
        let program = &self.placed.before;
        let place = program.sources.locate(program.span_at(failure.point));
        format!("it fails the check `{}` at {place}", failure.kind)
    }

    fn contradiction(
        &self,
        at: LocationId,
        start: &Start,
        what: String,
        found: &mut Option<Objection>,
    ) {
        let from = self.system.locations[at.0].span;
        let state = self.draw(&start.state);
        *found = Some(Rejected::Wrong(Box::new(Contradiction { from, state, what })));
    }

    fn draw(&self, state: &State) -> String {
        draw(self.program, state).to_text(TextStyle::default())
    }
}

/// Symbols that only the state at the entry gives a meaning.
fn entry_symbols(system: &TransitionSystem) -> SymbolsInUse {
    let symbols = &system.symbols;
    let mut out = SymbolsInUse::default();
    for field in &symbols.pointers {
        if field.relation.entry != field.relation.now {
            out.rels.insert(field.relation.entry);
        }
        if let Some(edge) = field.edge.filter(|e| e.entry != e.now) {
            out.rels.insert(edge.entry);
        }
    }
    for field in symbols.integers.iter().filter(|f| f.entry != f.now) {
        match field.entry {
            Flag::Truth(rel) => drop(out.rels.insert(rel)),
            Flag::Data(fun) => drop(out.funs.insert(fun)),
        }
    }
    for (reg, twin) in &symbols.regs {
        if matches!(reg, Reg::Global(_)) && twin.entry != twin.now {
            match twin.entry {
                RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => {
                    out.funs.insert(fun);
                }
                RegSymbol::Int(Flag::Truth(rel)) => {
                    out.rels.insert(rel);
                }
            }
        }
    }
    out.funs.extend(symbols.held.iter().map(|h| h.fun));
    out
}
