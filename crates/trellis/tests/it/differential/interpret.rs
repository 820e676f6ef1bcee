//! What Trellis's interpreter says about a program.

use std::collections::BTreeSet;
use std::path::Path;

use trellis_front_c::{Options, load};
use trellis_harness::{Recording, record};
use trellis_program::concrete::step::Chooser;
use trellis_program::concrete::{
    Finish, InitialHeap, Lifetime, Machine, MachineOptions, State, Value,
};
use trellis_program::{CheckKind, CheckSet, CheckTable, Diagnostic, Program, Reg, Span, Storage};

use super::Observed;

/// How a run ended.
pub struct Run {
    /// What was found.
    pub observed: Observed,
    /// The integers in the global array `out` at the end.
    pub out: Vec<i64>,
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
    const MOST: usize = 200_000;
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Overflow, true);
    let machine = Machine::new(program, MachineOptions { checks, ..MachineOptions::default() });
    let main = program.find_proc("main").expect("every program has one");
    let noted = record(&machine, main, &InitialHeap::of_main(program), &mut NoChoice, MOST);
    Run { observed: observed(program, &noted), out: out(program, &noted.last) }
}

pub fn line(program: &Program, span: Span) -> usize {
    program.sources.line_col(span).0
}

fn observed(program: &Program, noted: &Recording) -> Observed {
    let Recording { finish: Some(finish), last: state, births, .. } = noted else {
        return Observed::Unclear("does not end".to_owned());
    };
    match finish {
        Finish::Returned(_) | Finish::Exited => Observed::Clean,
        Finish::Failed(failure) if failure.kind == CheckKind::Leak => {
            let roots = state.global_roots(program);
            let seen = state.memory.reachable(roots);
            let lost = state.memory.ids().filter(|id| {
                let object = state.memory.object(*id);
                object.live && object.lifetime == Lifetime::Heap && !seen[id.0 as usize]
            });
            let lines = |spans: &Vec<Span>| spans.iter().map(|s| line(program, *s)).collect();
            let lines: BTreeSet<_> = lost.map(|id| lines(&births[&id])).collect();
            Observed::Leak { lines }
        }
        Finish::Failed(failure) => {
            let table = CheckTable::of(program);
            let check = table.find(failure.point, failure.kind, failure.clause);
            let check = table.get(check.expect("every failure has a row"));
            Observed::Failed { kind: failure.kind.name(), line: line(program, check.span) }
        }
        Finish::Unsupported { span, reason } => {
            Observed::Unclear(format!("line {}: {reason}", line(program, *span)))
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
