//! What Trellis's interpreter says about a program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use trellis_front_c::{Options, load};
use trellis_program::concrete::step::Chooser;
use trellis_program::concrete::trace::current_point;
use trellis_program::concrete::{
    Finish, InitialHeap, Lifetime, Machine, MachineOptions, ObjId, State, Value,
};
use trellis_program::{
    CheckKind, CheckSet, CheckTable, Diagnostic, Instr, InstrKind, Program, Reg, Span, Storage,
};

use super::Observed;

/// How a run ended.
pub struct Run {
    /// What was found.
    pub observed: Observed,
    /// The integers in the global array `out` at the end.
    pub out: Vec<i64>,
    /// What `__VERIFIER_nondet_*` returned, in order.
    pub inputs: Vec<i64>,
    /// Whether `malloc` returned null, in order.
    pub failed_mallocs: Vec<bool>,
}

/// No generated program may need a choice.
struct NoChoice;

impl Chooser for NoChoice {
    fn choose(&mut self, options: u32) -> u32 {
        assert!(options <= 1, "a generated program is deterministic");
        0
    }
}

/// Reads a file that gcc accepts.
pub fn read(path: &Path) -> Result<Program, String> {
    load(path, &Options::default()).map(|unit| unit.program).map_err(|f| {
        let message = |d: &Diagnostic| {
            let place = d.span.map_or(0, |s| f.sources.line_col(s).0);
            format!("{} is refused: line {place}: {}", path.display(), d.message)
        };
        f.diagnostics.iter().map(message).collect::<Vec<_>>().join("\n")
    })
}

/// Runs `main` of a program that makes no choices.
pub fn run(program: &Program) -> Run {
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Overflow, true);
    let machine = Machine::new(program, MachineOptions { checks, ..MachineOptions::default() });
    run_with(&machine, &InitialHeap::of_main(program), &mut NoChoice)
}

/// Runs `main` and looks at what happens on the way.
pub fn run_with(machine: &Machine<'_>, initial: &InitialHeap, chooser: &mut dyn Chooser) -> Run {
    const MOST: usize = 200_000;
    let program = machine.program;
    let main = program.find_proc("main").expect("every program has one");
    let mut state = machine.start(main, initial);
    let mut births = BTreeMap::new();
    let mut run = Run {
        observed: Observed::Unclear("does not end".to_owned()),
        out: Vec::new(),
        inputs: Vec::new(),
        failed_mallocs: Vec::new(),
    };
    for _ in 0..MOST {
        let next = next_instruction(program, &state);
        if next.is_some_and(|i| matches!(i.kind, InstrKind::Alloc { .. })) {
            // Objects are numbered in the order of their birth.
            births.insert(ObjId(state.memory.objects.len() as u32), call_lines(program, &state));
        }
        if let Some(finish) = machine.step(&mut state, chooser) {
            run.observed = observed(program, &state, finish, &births);
            run.out = out(program, &state);
            break;
        }
        match next.map(|i| &i.kind) {
            Some(InstrKind::Havoc { dst, .. }) => match state.slot(*dst) {
                Value::Int(i) => run.inputs.push(i),
                other => panic!("{other:?} is chosen, which a C program cannot be given"),
            },
            Some(InstrKind::Alloc { dst, .. }) => {
                run.failed_mallocs.push(state.slot(*dst) == Value::Null);
            }
            _ => {}
        }
    }
    run
}

/// The next instruction, if it is no terminator.
fn next_instruction<'p>(program: &'p Program, state: &State) -> Option<&'p Instr> {
    let at = current_point(state);
    let body = program.proc(at.proc).body.as_ref().expect("it is being run");
    body.blocks[at.block.0 as usize].instrs.get(at.instr as usize)
}

/// Where the run stands: the line of the innermost frame first, then those of the calls.
fn call_lines(program: &Program, state: &State) -> Vec<usize> {
    let mut points: Vec<_> = Vec::new();
    for (depth, frame) in state.frames.iter().enumerate() {
        let mut point = current_point(state);
        (point.proc, point.block, point.instr) = (frame.proc, frame.block, frame.instr);
        // A frame that has called stands behind its call already.
        if depth + 1 < state.frames.len() {
            point.instr -= 1;
        }
        points.push(line(program, program.span_at(point)));
    }
    points.reverse();
    points
}

pub fn line(program: &Program, span: Span) -> usize {
    program.sources.line_col(span).0
}

fn observed(
    program: &Program,
    state: &State,
    finish: Finish,
    births: &BTreeMap<ObjId, Vec<usize>>,
) -> Observed {
    match finish {
        Finish::Returned(_) | Finish::Exited => Observed::Clean,
        Finish::Failed(failure) if failure.kind == CheckKind::Leak => {
            let roots = state.global_roots(program);
            let seen = state.memory.reachable(roots);
            let lost = state.memory.ids().filter(|id| {
                let object = state.memory.object(*id);
                object.live && object.lifetime == Lifetime::Heap && !seen[id.0 as usize]
            });
            let lines: BTreeSet<_> = lost.map(|id| births[&id].clone()).collect();
            Observed::Leak { lines }
        }
        Finish::Failed(failure) => {
            let table = CheckTable::of(program);
            let check = table.find(failure.point, failure.kind, failure.clause);
            let check = table.get(check.expect("every failure has a row"));
            Observed::Failed { kind: failure.kind.name(), line: line(program, check.span) }
        }
        Finish::Unsupported { span, reason } => {
            Observed::Unclear(format!("line {}: {reason}", line(program, span)))
        }
        Finish::Stopped => Observed::Unclear("stopped".to_owned()),
        Finish::TooDeep => Observed::Unclear("too deep".to_owned()),
    }
}

/// The cells of the global `out`.
fn out(program: &Program, state: &State) -> Vec<i64> {
    let Some(index) = program.globals.iter().position(|g| g.name == "out") else {
        return Vec::new();
    };
    assert_eq!(program.globals[index].storage, Storage::Object, "`out` is an array");
    let global = Reg::Global(trellis_program::GlobalId(index as u32));
    let Some(at) = state.slot(global).pointer() else { return Vec::new() };
    let cells = state.memory.cells_of(at.obj).iter();
    cells.map(|v| if let Value::Int(i) = v { *i } else { i64::MIN }).collect()
}
