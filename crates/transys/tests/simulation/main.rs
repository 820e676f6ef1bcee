//! The transition system follows the machine.
//!
//! For many small procedures and their small heaps, the machine runs from one cut point to the next
//! with all choices. Then some path of the system leads from the state before to the state after:
//! its guards hold with some witnesses, and every symbol is afterwards what its definition says. And
//! a check that fails in the machine is a path into an error whose guards hold. What the machine
//! does not follow, the system refuses.
//!
//! A path into a cycle, or into an undefined value, may be taken instead: then the engine gives up,
//! or is stricter than the machine. But only if the machine closed a cycle on the way, or read a
//! value that was never written.
//!
//! The machine runs the procedure with pointers to variables as they are written; the system is made
//! of the one in which they are replaced. What its registers say is read off the pointers.

mod contracts;
mod facts;
mod followed;
mod programs;
mod query;
mod run;
mod trees;

use std::ops::ControlFlow;

use trellis_explore::Config;
use trellis_explore::heaps::HeapSpace;
use trellis_program::concrete::{Failure, InitialHeap, Machine, State, Value};
use trellis_program::{
    BlockId, CheckKind, InlineLimits, Placed, ProcId, Program, Recursion, Refusal, inline, places,
};
use trellis_testkit::constructs;
use trellis_testkit::solvers::epr;
use trellis_transys::{
    ErrorKind, LocationId, Options, Path, Target, TransitionSystem, Words, build,
};

use facts::{Facts, NoFacts};
use followed::Followed;
use query::Query;
use run::{Choices, End, Run};

/// How much of a procedure is tried.
#[derive(Clone, Copy)]
struct Extent {
    words: Words,
    /// Most objects of an initial heap.
    objects: usize,
    /// Most heaps with one number of objects.
    heaps: usize,
    /// Most steps between cut points from one heap.
    steps: usize,
}

/// Of so many heaps with one number of objects, some are taken.
const FIRST: usize = 225;

const CHOSEN: Extent = Extent { words: Words::Basic, objects: 3, heaps: 4, steps: 8 };
const CONTRACTS: Extent = Extent { words: Words::Basic, objects: 2, heaps: 4, steps: 8 };
const EDGES: Extent = Extent { words: Words::Edges, objects: 2, heaps: 3, steps: 8 };
const RANDOM: Extent = Extent { words: Words::Basic, objects: 2, heaps: 3, steps: 8 };

/// So many of the first heaps with so many objects, spread over them.
fn spread(space: &HeapSpace<'_>, objects: usize, most: usize) -> Vec<InitialHeap> {
    let mut heaps = Vec::new();
    let _ = space.for_each(objects, &mut |heap| {
        heaps.push(heap.clone());
        if heaps.len() < FIRST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let step = heaps.len().div_ceil(most).max(1);
    heaps.into_iter().step_by(step).collect()
}

/// One procedure under test.
struct Simulation<'a> {
    text: &'a str,
    /// What the machine runs.
    program: &'a Program,
    placed: &'a Placed,
    system: &'a TransitionSystem,
    machine: Machine<'a>,
    extent: Extent,
    followed: &'a mut Followed,
}

impl Simulation<'_> {
    fn run(&mut self) {
        let config = Config::default();
        let origin = Machine::new(self.program, config.machine_options(self.program, self.proc()));
        let space = HeapSpace::new(&origin, self.proc());
        for objects in 0..=self.extent.objects {
            for heap in spread(&space, objects, self.extent.heaps) {
                if self.is_of_callers(&heap) {
                    self.start_in(&heap);
                }
            }
        }
    }

    /// Whether callers can make a heap: where a parameter leads to a global of its own, which it gets
    /// at the entry, there are no objects for it besides.
    fn is_of_callers(&self, heap: &InitialHeap) -> bool {
        let theirs = self.placed.initial(heap.clone()).args;
        theirs.iter().zip(&heap.args).all(|(a, b)| a == b || *b == Value::Null)
    }

    fn proc(&self) -> ProcId {
        self.system.proc
    }

    fn start_in(&mut self, heap: &InitialHeap) {
        let start = self.machine.start(self.proc(), heap);
        // The first block may be a loop head: then the first path is empty.
        let head = self.cut_at(&start);
        if let Some(head) = head {
            let nothing = Run::nothing(End::At(head));
            self.check(heap, LocationId::ENTRY, &start, &start, &nothing);
        }
        let mut todo = vec![(head.unwrap_or(LocationId::ENTRY), start)];
        let mut steps = 0;
        while let Some((at, before)) = todo.pop() {
            let mut choices = Choices::default();
            loop {
                let mut state = before.clone();
                let run = self.until_cut(&mut state, &mut choices);
                let followed = self.check(heap, at, &before, &state, &run);
                if let End::At(to) = run.end
                    && followed
                {
                    todo.push((to, state));
                }
                steps += 1;
                if steps >= self.extent.steps {
                    return;
                }
                if !choices.advance() {
                    break;
                }
            }
        }
    }

    /// The loop head that a state is at.
    fn cut_at(&self, state: &State) -> Option<LocationId> {
        // The inside of a recursive call is none of a path.
        let [frame] = &state.frames[..] else { return None };
        let cut = self.system.locations.iter().skip(1).position(|l| l.block == frame.block);
        cut.filter(|_| frame.instr == 0).map(|cut| LocationId(cut + 1))
    }

    /// Compares; `false` if the system gives up where the machine goes on.
    fn check(
        &mut self,
        heap: &InitialHeap,
        from: LocationId,
        before: &State,
        after: &State,
        run: &Run,
    ) -> bool {
        let (was, is) = (self.placed.read(before.clone()), self.placed.read(after.clone()));
        let mut first = self.facts(&is);
        let known = first.entry(&self.placed.read_heap(heap)).and_then(|()| match from {
            LocationId::ENTRY => Ok(()),
            _ => first.now(&was, &self.system.locations[from.0]),
        });
        let (size, known) = (first.size(), known.map(|()| first.facts));
        let Ok(known) = known else {
            let why = known.expect_err("no facts");
            // A precondition excludes cycles, and a state with one is not arrived at.
            self.fail(heap, before, after, &format!("the first state has no facts: {why:?}"));
        };
        match &run.end {
            End::Stopped => return true,
            End::Unsupported(reason) => {
                self.fail(heap, before, after, &format!("the machine does not follow {reason}"));
            }
            End::Returned => {
                let mut query = Query::new(self.system, size, &known, &[]);
                if let Err(what) = self.contracts_hold(&mut query, from, run) {
                    self.fail(heap, before, after, &what);
                }
            }
            End::Failed(failure) => {
                let mut query = Query::new(self.system, size, &known, &[]);
                let is = |p: &Path| self.matches(p, failure, run);
                if self.some_path(&mut query, from, &is, &[]) {
                    self.followed.failure(self.program, failure);
                } else if !self.gives_up(&mut query, from, run) {
                    let kind = failure.kind;
                    self.fail(heap, before, after, &format!("{kind} is no open error"));
                } else {
                    return false;
                }
            }
            End::At(to) => {
                let mut second = self.facts(&is);
                let arrived = second.now(&is, &self.system.locations[to.0]);
                let then = second.facts;
                let mut query = Query::new(self.system, size, &known, &then);
                let goes = |p: &Path| p.to == Target::Location(*to) && self.blocks(p) == run.blocks;
                let found = arrived == Ok(()) && self.some_path(&mut query, from, &goes, &then);
                if !found && self.gives_up(&mut query, from, run) {
                    return false;
                }
                if !found {
                    let what = match arrived {
                        Ok(()) => {
                            let paths = self.system.paths.iter().filter(|p| p.from == from);
                            let paths = paths.filter(|p| goes(p));
                            let why: Vec<_> = paths.map(|p| query.excluded(p, &then)).collect();
                            format!("no path leads there: {why:?}")
                        }
                        Err(NoFacts::Cycle) => "a cycle is no open error".to_string(),
                        Err(NoFacts::Unseen(why)) => why,
                    };
                    self.fail(heap, before, after, &what);
                }
                if let Err(what) = self.contracts_hold(&mut query, from, run) {
                    self.fail(heap, before, after, &what);
                }
            }
        }
        if from == LocationId::ENTRY {
            self.followed.precondition(self.program, self.proc());
        }
        if matches!(run.end, End::At(_)) {
            self.followed.blocks(self.program, self.proc(), &run.blocks);
        }
        true
    }

    fn facts<'b>(&'b self, last: &'b State) -> Facts<'b> {
        let (program, system) = (&self.placed.program, self.system);
        Facts { program, system, last: &last.memory, facts: Vec::new() }
    }

    /// Whether a path ends in a failing check of the machine, on the way that it took.
    fn matches(&self, path: &Path, failure: &Failure, run: &Run) -> bool {
        let Some(bad) = path.error() else { return false };
        let contract = &self.program.proc(self.proc()).contract;
        let clause = match failure.kind {
            CheckKind::Postcondition => contract.ensures.get(failure.clause as usize),
            _ => None,
        };
        let same = clause.is_none_or(|c| c.span == bad.span);
        bad.kind == ErrorKind::Check(failure.kind) && same && self.blocks(path) == run.blocks
    }

    /// The blocks of the machine's program that a path passes.
    fn blocks(&self, path: &Path) -> Vec<BlockId> {
        path.blocks.iter().copied().filter(|b| self.placed.is_old(*b)).collect()
    }

    fn some_path(
        &self,
        query: &mut Query<'_>,
        from: LocationId,
        keep: &dyn Fn(&Path) -> bool,
        after: &[facts::Fact],
    ) -> bool {
        let mut paths = self.system.paths.iter().filter(|p| p.from == from && keep(p));
        paths.any(|p| query.is_open(p, after))
    }

    /// Whether a path is open after which nothing is claimed, and the machine had reason for it.
    fn gives_up(&self, query: &mut Query<'_>, from: LocationId, run: &Run) -> bool {
        let keep = |p: &Path| match p.error().map(|bad| bad.kind) {
            Some(ErrorKind::Cycle) => run.closes_cycle && run.blocks.starts_with(&self.blocks(p)),
            Some(ErrorKind::Sharing) => run.shares && run.blocks.starts_with(&self.blocks(p)),
            Some(ErrorKind::Check(CheckKind::Uninit)) => {
                run.reads_undefined && run.blocks.starts_with(&self.blocks(p))
            }
            _ => false,
        };
        self.some_path(query, from, &keep, &[])
    }

    /// Contracts that held on the way are no open errors, where nothing is chosen or less known
    /// than in the program.
    fn contracts_hold(
        &mut self,
        query: &mut Query<'_>,
        from: LocationId,
        run: &Run,
    ) -> Result<(), String> {
        if run.chose || !self.system.imprecise.is_empty() {
            return Ok(());
        }
        let returned = run.end == End::Returned;
        let contract = |kind: CheckKind| match kind {
            CheckKind::SpecAssert | CheckKind::Precondition => true,
            CheckKind::Postcondition => returned,
            // Objects may differ in cells that they do not have, and that facts do not tell.
            CheckKind::Assigns => returned && from == LocationId::ENTRY,
            _ => false,
        };
        for path in self.system.paths.iter().filter(|p| p.from == from) {
            let Some(ErrorKind::Check(kind)) = path.error().map(|bad| bad.kind) else { continue };
            let passed = run.blocks.starts_with(&self.blocks(path)) && contract(kind);
            if passed && query.is_open(path, &[]) {
                return Err(format!("{kind} is an open error, but holds"));
            }
        }
        self.followed.held(self.program, self.proc(), run);
        Ok(())
    }

    fn fail(&self, heap: &InitialHeap, before: &State, after: &State, what: &str) -> ! {
        let variables = |s: &State| {
            let read = self.placed.read(s.clone());
            facts::variables(&self.placed.program, self.system, &read)
        };
        panic!(
            "{what}\n{}\nheap: {heap:?}\nbefore: {}\n{:?}\nafter: {}\n{:?}",
            self.text,
            variables(before),
            before.memory,
            variables(after),
            after.memory
        );
    }
}

/// Simulates `f` of a program; why it is refused, if it is.
fn simulate(text: &str, extent: Extent, followed: &mut Followed) -> Result<(), Refusal> {
    let unit =
        trellis_front_c::load_str("test.c", text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let proc = unit.program.find_proc("f").expect("f");
    let span = unit.program.proc(proc).span;
    let limits = InlineLimits { recursion: Recursion::OfItself, ..InlineLimits::default() };
    let inlined =
        inline(&unit.program, proc, limits).map_err(|e| Refusal::at(span, format!("{e:?}")))?;
    let options = Options { words: extent.words, ..Options::default() };
    let placed = places(&inlined);
    let system = build(&placed.program, placed.proc, &options, &epr)?;
    let program = &placed.before;
    followed.accept(program, placed.proc);
    let config = Config::default();
    let machine_options = config.machine_options(program, placed.proc);
    let machine = Machine::new(program, machine_options);
    let (placed, system) = (&placed, &system);
    Simulation { text, program, placed, system, machine, extent, followed }.run();
    Ok(())
}

fn follow(text: &str, extent: Extent, followed: &mut Followed) {
    let text = programs::with_types(text);
    if let Err(why) = simulate(&text, extent, followed) {
        panic!("{}\n{text}", why.reason);
    }
}

fn refuse(text: &str, extent: Extent, reason: &str) {
    let text = programs::with_types(text);
    match simulate(&text, extent, &mut Followed::default()) {
        Ok(()) => panic!("followed:\n{text}"),
        Err(why) => assert!(why.reason.contains(reason), "{}\n{text}", why.reason),
    }
}

#[test]
fn parameters_that_lead_to_objects_of_their_own_are_followed() {
    for text in programs::GIVEN {
        let text = programs::with_lists(text);
        for extent in [CHOSEN, EDGES] {
            if let Err(why) = simulate(&text, extent, &mut Followed::default()) {
                panic!("{}\n{text}", why.reason);
            }
        }
    }
}

/// Every construct of contracts is followed in some way, or refused.
#[test]
fn chosen_procedures_are_followed() {
    let mut followed = Followed::default();
    for text in programs::FOLLOWED {
        follow(text, CHOSEN, &mut followed);
    }
    for formula in contracts::FOLLOWED {
        for text in contracts::procedures(formula) {
            follow(&text, CONTRACTS, &mut followed);
        }
    }
    for text in contracts::CLAUSES {
        follow(text, CHOSEN, &mut followed);
    }
    let met: Vec<&str> = followed.contracts().collect();
    let refused: Vec<&str> = contracts::REFUSED.iter().map(|(name, ..)| *name).collect();
    for name in constructs::ALL {
        let (met, refused) = (met.contains(name), refused.contains(name));
        assert!(met != refused, "{name} is followed: {met}, refused: {refused}");
    }
    let stray = followed.accepted().find(|name| !met.contains(name));
    assert_eq!(stray, None, "accepted, but never followed");
    assert!(met.iter().all(|name| constructs::ALL.contains(name)), "{met:?}");
    expect_test::expect_file!["followed.txt"].assert_eq(&followed.to_string());
}

#[test]
fn single_steps_are_followed_as_well() {
    let mut followed = Followed::default();
    let extent = match programs::thorough() {
        true => Extent { objects: 3, heaps: 8, ..EDGES },
        false => EDGES,
    };
    for text in programs::FOLLOWED {
        follow(text, extent, &mut followed);
    }
    for formula in contracts::FOLLOWED.iter().chain(contracts::FOLLOWED_IN_STEPS) {
        for text in contracts::procedures(formula) {
            follow(&text, extent, &mut followed);
        }
    }
}

#[test]
fn what_is_not_followed_is_refused() {
    for (text, reason) in programs::REFUSED {
        refuse(text, CHOSEN, reason);
    }
    for (_, formula, reason) in contracts::REFUSED {
        for text in contracts::procedures(formula) {
            refuse(&text, CHOSEN, reason);
            refuse(&text, EDGES, reason);
        }
    }
}

#[test]
fn random_procedures_are_followed_or_refused() {
    let mut followed = Followed::default();
    let mut count = 0;
    for seed in 0..programs::how_many() {
        let text = programs::random(seed);
        let words = if seed % 4 == 0 { Words::Edges } else { Words::Basic };
        let extent = Extent { words, ..RANDOM };
        count += usize::from(simulate(&text, extent, &mut followed).is_ok());
    }
    let all = programs::how_many() as usize;
    assert!(count * 3 >= all, "{count} of {all} procedures are followed");
    let refused = |name: &&str| contracts::REFUSED.iter().any(|(refused, ..)| refused == name);
    assert_eq!(followed.accepted().find(refused), None, "accepted, but not in the table");
}
