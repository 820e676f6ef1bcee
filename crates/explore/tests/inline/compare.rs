//! Runs a procedure and its inlined copy side by side.

use std::ops::ControlFlow;

use trellis_explore::Config;
use trellis_explore::heaps::HeapSpace;
use trellis_program::concrete::memory::Memory;
use trellis_program::concrete::{
    Chooser, Failure, Finish, InitialHeap, Machine, MachineOptions, Value,
};
use trellis_program::{
    CheckKind, CheckTable, InlineLimits, Inlined, InstrKind, ProcId, Program, Span, inline,
};

/// How much is tried.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Most objects of an initial heap.
    pub objects: usize,
    /// Most initial heaps.
    pub heaps: usize,
    /// Most runs from one heap.
    pub runs: usize,
    /// Most instructions of a run.
    pub steps: usize,
}

pub const SMALL: Bounds = Bounds { objects: 3, heaps: 150, runs: 40, steps: 3000 };

/// What was seen of a run.
#[derive(PartialEq, Debug)]
struct Run {
    end: End,
    /// For every choice, the number of options.
    options: Vec<u32>,
    memory: Memory,
    globals: Vec<Value>,
}

#[derive(PartialEq, Debug)]
enum End {
    /// The bound on instructions was reached.
    Cut,
    Failed {
        kind: CheckKind,
        span: Span,
        undefined: bool,
    },
    Other(Finish),
}

/// Makes scripted choices, then zeros, and notes how many options there were.
struct Script {
    choices: Vec<u32>,
    options: Vec<u32>,
}

impl Chooser for Script {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.choices.get(self.options.len()).copied().unwrap_or(0);
        self.options.push(options);
        choice.min(options - 1)
    }
}

/// A program ready to run.
struct Runner<'p> {
    machine: Machine<'p>,
    table: CheckTable,
    proc: ProcId,
}

impl<'p> Runner<'p> {
    fn new(program: &'p Program, proc: ProcId, options: &MachineOptions) -> Runner<'p> {
        let table = CheckTable::of(program);
        Runner { machine: Machine::new(program, options.clone()), table, proc }
    }

    fn run(&self, heap: &InitialHeap, choices: &[u32], steps: usize) -> Run {
        let mut script = Script { choices: choices.to_vec(), options: Vec::new() };
        let mut state = self.machine.start(self.proc, heap);
        let mut end = End::Cut;
        for _ in 0..steps {
            if let Some(finish) = self.machine.step(&mut state, &mut script) {
                end = self.end(finish);
                break;
            }
        }
        Run { end, options: script.options, memory: state.memory, globals: state.globals }
    }

    fn end(&self, finish: Finish) -> End {
        let Finish::Failed(Failure { kind, point, clause, undefined, .. }) = finish else {
            return End::Other(finish);
        };
        let row = self.table.find(point, kind, clause);
        let row = row.unwrap_or_else(|| panic!("no row for {kind} at {point:?}"));
        End::Failed { kind, span: self.table.get(row).span, undefined }
    }
}

/// The next script in the order of a counter whose digits have the given numbers of options.
fn next_script(choices: &mut Vec<u32>, options: &[u32]) -> bool {
    choices.resize(options.len(), 0);
    while let Some(last) = choices.pop() {
        if last + 1 < options[choices.len()] {
            choices.push(last + 1);
            return true;
        }
    }
    false
}

/// What a comparison saw.
#[derive(Default, Debug)]
pub struct Seen {
    pub runs: usize,
    pub failures: Vec<CheckKind>,
    pub returns: usize,
    pub exits: usize,
    pub unsupported: usize,
}

/// Runs both from every small heap with every short script; they must not differ.
pub fn compare(program: &Program, proc: ProcId, inlined: &Inlined, bounds: Bounds) -> Seen {
    let name = &program.proc(proc).name;
    assert_no_calls(inlined);
    let mut options = Config::default().machine_options(program, proc);
    options.checks.set(CheckKind::Overflow, true);
    let before = Runner::new(program, proc, &options);
    let after = Runner::new(&inlined.program, inlined.proc, &options);
    let mut seen = Seen::default();
    let mut heaps = 0;
    let space = HeapSpace::new(&before.machine, proc);
    for objects in 0..=bounds.objects {
        let _ = space.for_each(objects, &mut |heap| {
            heaps += 1;
            let mut choices = Vec::new();
            for _ in 0..bounds.runs {
                let a = before.run(heap, &choices, bounds.steps);
                // The copy takes a few more steps for the same work.
                let b = match a.end {
                    End::Cut => after.run(heap, &choices, bounds.steps),
                    _ => after.run(heap, &choices, 10 * bounds.steps),
                };
                if a.end == End::Cut {
                    assert_eq!(b.end, End::Cut, "{name} goes on, its copy does not");
                } else {
                    assert_eq!(a, b, "{name} with {choices:?} from {heap:#?}");
                }
                seen.note(&a.end);
                if !next_script(&mut choices, &a.options) {
                    break;
                }
            }
            if heaps < bounds.heaps { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    seen
}

impl Seen {
    fn note(&mut self, end: &End) {
        self.runs += 1;
        match end {
            End::Failed { kind, .. } => self.failures.push(*kind),
            End::Other(Finish::Returned(_)) => self.returns += 1,
            End::Other(Finish::Exited) => self.exits += 1,
            End::Other(Finish::Unsupported { .. }) => self.unsupported += 1,
            _ => {}
        }
        self.failures.sort();
        self.failures.dedup();
    }

    pub fn add(&mut self, other: Seen) {
        self.runs += other.runs;
        self.returns += other.returns;
        self.exits += other.exits;
        self.unsupported += other.unsupported;
        self.failures.extend(other.failures);
        self.failures.sort();
        self.failures.dedup();
    }
}

/// The body calls nothing, and its parts have an origin of the same kind.
fn assert_no_calls(inlined: &Inlined) {
    let proc = inlined.program.proc(inlined.proc);
    let body = proc.body.as_ref().expect("only bodies are compared");
    let calls = body.blocks.iter().flat_map(|b| &b.instrs);
    let calls = calls.filter(|i| matches!(i.kind, InstrKind::Call { .. })).count();
    assert_eq!(calls, 0, "calls are left in {}", proc.name);
    let origin = &inlined.origin;
    assert_eq!(origin.blocks.len(), body.blocks.len());
    assert_eq!(origin.vars.len(), proc.vars.len());
    for (p, b) in &origin.blocks {
        let from = inlined.program.proc(*p);
        // The procedure itself is the one whose old blocks are not there any more.
        let count = from.body.as_ref().map_or(0, |b| b.blocks.len());
        assert!((b.0 as usize) < count, "block {} of {}", b.0, from.name);
    }
    for (var, from) in proc.vars.iter().zip(&origin.vars) {
        let Some((p, v)) = from else { continue };
        let old = inlined.program.proc(*p).var(*v);
        assert!(var.name.contains(&old.name), "{} is no copy of {}", var.name, old.name);
    }
}

/// Inlines a procedure of a text and compares.
pub fn check(program: &Program, name: &str) -> Seen {
    let proc = program.find_proc(name).expect("the procedure is in the text");
    match inline(program, proc, InlineLimits::default()) {
        Ok(inlined) => compare(program, proc, &inlined, SMALL),
        Err(refusals) => panic!("{refusals:#?}"),
    }
}
