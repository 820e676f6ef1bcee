//! The transition system follows the machine.
//!
//! For many small procedures and their small heaps, the machine runs from one cut point to the next
//! with all choices. Then some path of the system leads from the state before to the state after:
//! its guards hold with some witnesses, and every symbol is afterwards what its definition says. And
//! a check that fails in the machine is a path into an error whose guards hold. What the machine
//! does not follow, the system refuses.
//!
//! A path into a cycle, or into an undefined value, may be taken instead: then the engine gives up,
//! or is stricter than the machine.

mod facts;
mod followed;
mod programs;
mod query;

use std::ops::ControlFlow;

use trellis_epr::EprSolver;
use trellis_explore::Config;
use trellis_explore::heaps::HeapSpace;
use trellis_program::concrete::{Chooser, Failure, Finish, InitialHeap, Machine, State};
use trellis_program::{BlockId, CheckKind, InlineLimits, ProcId, Program, inline};
use trellis_solver::Solver;
use trellis_transys::{
    ErrorKind, LocationId, Options, Path, Target, TransitionSystem, Unsupported, build,
};

use facts::{Facts, NoFacts};
use followed::Followed;
use query::Query;

/// Most heaps of one procedure.
const HEAPS: usize = 9;
/// Most steps between cut points from one heap.
const STEPS: usize = 8;
/// Most instructions between two cut points.
const LENGTH: usize = 400;

fn solver() -> Box<dyn Solver> {
    Box::new(EprSolver::new(trellis_epr::Options::default()))
}

/// Chooses as in a list, then always the first.
struct Choices {
    list: Vec<(u32, u32)>,
    at: usize,
}

impl Chooser for Choices {
    fn choose(&mut self, options: u32) -> u32 {
        if self.at == self.list.len() {
            self.list.push((0, options));
        }
        let pick = self.list[self.at].0;
        self.at += 1;
        pick
    }
}

impl Choices {
    /// The next list; `false` if there is none.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((pick, options)) = self.list.pop() {
            if pick + 1 < options {
                self.list.push((pick + 1, options));
                return true;
            }
        }
        false
    }
}

/// How a run between cut points ends.
enum End {
    At(LocationId),
    Failed(Failure),
    Over,
    Unsupported(String),
}

/// One procedure under test.
struct Simulation<'a> {
    text: &'a str,
    program: &'a Program,
    system: &'a TransitionSystem,
    machine: Machine<'a>,
    followed: &'a mut Followed,
}

impl Simulation<'_> {
    fn run(&mut self) {
        let config = Config::default();
        let origin = Machine::new(self.program, config.machine_options(self.program, self.proc()));
        let space = HeapSpace::new(&origin, self.proc());
        for objects in 0..3 {
            let mut left = HEAPS / 3;
            let _ = space.for_each(objects, &mut |heap| {
                self.start_in(heap);
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
    }

    fn proc(&self) -> ProcId {
        self.system.proc
    }

    fn start_in(&mut self, heap: &InitialHeap) {
        let start = self.machine.start(self.proc(), heap);
        // The first block may be a loop head: then the first path is empty.
        let head = self.cut_at(&start);
        if let Some(head) = head {
            self.check(heap, LocationId::ENTRY, &start, &start, &End::At(head), &[]);
        }
        let mut todo = vec![(head.unwrap_or(LocationId::ENTRY), start)];
        let mut steps = 0;
        while let Some((at, before)) = todo.pop() {
            let mut choices = Choices { list: Vec::new(), at: 0 };
            loop {
                let mut state = before.clone();
                let mut blocks = Vec::new();
                let end = self.until_cut(&mut state, &mut choices, &mut blocks);
                let followed = self.check(heap, at, &before, &state, &end, &blocks);
                if let End::At(to) = end
                    && followed
                {
                    todo.push((to, state));
                }
                steps += 1;
                if steps >= STEPS {
                    return;
                }
                if !choices.advance() {
                    break;
                }
            }
        }
    }

    fn until_cut(
        &self,
        state: &mut State,
        choices: &mut Choices,
        blocks: &mut Vec<BlockId>,
    ) -> End {
        for _ in 0..LENGTH {
            blocks.push(state.top().block);
            match self.machine.step(state, choices) {
                None => {}
                Some(Finish::Failed(failure)) => return End::Failed(failure),
                Some(Finish::Unsupported { reason, .. }) => return End::Unsupported(reason),
                Some(_) => return End::Over,
            }
            if let Some(cut) = self.cut_at(state) {
                return End::At(cut);
            }
        }
        End::Over
    }

    /// The loop head that a state is at.
    fn cut_at(&self, state: &State) -> Option<LocationId> {
        let frame = state.top();
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
        end: &End,
        blocks: &[BlockId],
    ) -> bool {
        let mut first = self.facts(after);
        let known = first.entry(heap).and_then(|()| match from {
            LocationId::ENTRY => Ok(()),
            _ => first.now(before, &self.system.locations[from.0]),
        });
        let (size, known) = (first.size(), known.map(|()| first.facts));
        let Ok(known) = known else {
            let why = known.expect_err("no facts");
            // A precondition excludes cycles, and a state with one is not arrived at.
            self.fail(heap, before, after, &format!("the first state has no facts: {why:?}"));
        };
        match end {
            End::Over => {}
            End::Unsupported(reason) => {
                self.fail(heap, before, after, &format!("the machine does not follow {reason}"));
            }
            End::Failed(failure) => {
                let mut query = Query::new(self.system, size, &known, &[]);
                let is = |p: &Path| self.matches(p, failure);
                if !self.some_path(&mut query, from, &is, &[]) && !self.gives_up(&mut query, from) {
                    let kind = failure.kind;
                    self.fail(heap, before, after, &format!("{kind} is no open error"));
                }
                self.followed.failure(failure.kind);
            }
            End::At(to) => {
                let mut second = self.facts(after);
                let arrived = second.now(after, &self.system.locations[to.0]);
                let then = second.facts;
                let mut query = Query::new(self.system, size, &known, &then);
                let goes = |p: &Path| p.to == Target::Location(*to);
                let found = arrived == Ok(()) && self.some_path(&mut query, from, &goes, &then);
                if !found && self.gives_up(&mut query, from) {
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
            }
        }
        self.followed.blocks(self.program, self.proc(), blocks);
        true
    }

    fn facts<'b>(&'b self, last: &'b State) -> Facts<'b> {
        let (program, system) = (self.program, self.system);
        Facts { program, system, last: &last.memory, facts: Vec::new() }
    }

    fn matches(&self, path: &Path, failure: &Failure) -> bool {
        let kind = path.error().map(|bad| bad.kind);
        let place =
            failure.kind == CheckKind::Uninit || path.blocks.last() == Some(&failure.point.block);
        kind == Some(ErrorKind::Check(failure.kind)) && place
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

    /// Whether a path is open after which nothing is claimed.
    fn gives_up(&self, query: &mut Query<'_>, from: LocationId) -> bool {
        let uninit = ErrorKind::Check(CheckKind::Uninit);
        let keep = |p: &Path| {
            p.error().is_some_and(|bad| bad.kind == ErrorKind::Cycle || bad.kind == uninit)
        };
        self.some_path(query, from, &keep, &[])
    }

    fn fail(&self, heap: &InitialHeap, before: &State, after: &State, what: &str) -> ! {
        let variables = |s: &State| facts::variables(self.program, self.system, s);
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
fn simulate(text: &str, followed: &mut Followed) -> Result<(), Unsupported> {
    let unit =
        trellis_front_c::load_str("test.c", text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let proc = unit.program.find_proc("f").expect("f");
    let span = unit.program.proc(proc).span;
    let inlined = inline(&unit.program, proc, InlineLimits::default())
        .map_err(|e| Unsupported { span, reason: format!("{e:?}") })?;
    let options = Options::default();
    let system = build(&inlined.program, inlined.proc, &options, &solver)?;
    let config = Config::default();
    let machine_options = config.machine_options(&inlined.program, inlined.proc);
    let machine = Machine::new(&inlined.program, machine_options);
    let program = &inlined.program;
    Simulation { text, program, system: &system, machine, followed }.run();
    Ok(())
}

#[test]
fn chosen_procedures_are_followed() {
    let mut followed = Followed::default();
    for text in programs::FOLLOWED {
        let text = programs::with_types(text);
        if let Err(why) = simulate(&text, &mut followed) {
            panic!("{}\n{text}", why.reason);
        }
    }
    expect_test::expect_file!["followed.txt"].assert_eq(&followed.to_string());
}

#[test]
fn what_is_not_followed_is_refused() {
    for (text, reason) in programs::REFUSED {
        let text = programs::with_types(text);
        match simulate(&text, &mut Followed::default()) {
            Ok(()) => panic!("followed:\n{text}"),
            Err(why) => assert!(why.reason.contains(reason), "{}\n{text}", why.reason),
        }
    }
}

#[test]
fn random_procedures_are_followed_or_refused() {
    let mut followed = Followed::default();
    let mut count = 0;
    for seed in 0..programs::how_many() {
        let text = programs::random(seed);
        count += usize::from(simulate(&text, &mut followed).is_ok());
    }
    let all = programs::how_many() as usize;
    assert!(count * 3 >= all, "{count} of {all} procedures are followed");
}
