//! What is proved is confirmed by a checker that knows no structures: they become shapes of lists,
//! which are tried on the concrete machine.

use std::path::Path;

use trellis_canonical::core::Garbage;
use trellis_canonical::evidence::{Settings, shapes};
use trellis_canonical::{Analysis, Instrumentation, Options, Table3, Table7, analyse};
use trellis_program::{CheckKind, CheckSet, ProcId, Program, Rejected};
use trellis_shapes::check::{Options as Check, check};
use trellis_shapes::evidence::{Shapes, read};
use trellis_shapes::lower::lower;

/// Checks shapes against a procedure without calls.
fn checked(
    program: &Program,
    proc: ProcId,
    checks: CheckSet,
    shapes: &Shapes,
) -> Result<(), Rejected> {
    let list = lower(program, proc, &Settings { checks, malloc_may_fail: false });
    let heaps = read(&list, shapes).map_err(Rejected::Wrong)?;
    check(program, &list, &heaps, &Check { checks, ..Check::default() }).map(|_| ())
}

/// Checks what an analysis without alarms has found.
pub(crate) fn confirm(
    program: &Program,
    proc: ProcId,
    checks: CheckSet,
    analysis: &Analysis,
) -> Result<(), Rejected> {
    let settings = Settings { checks, malloc_may_fail: false };
    let shapes = shapes(program, proc, &settings, analysis).expect("few shapes");
    checked(program, proc, checks, &shapes)
}

fn analysed(name: &str, instrumentation: impl Instrumentation) -> (Program, ProcId, Analysis) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/sll");
    let path = folder.join(format!("{name}.c"));
    let unit = trellis_front_c::load(&path, &trellis_front_c::Options::default()).expect("a row");
    let proc = unit.program.find_proc(name).expect("its procedure");
    let options = Options { garbage: Garbage::Leaks, ..Options::default() };
    let analysis = analyse(&unit.program, proc, instrumentation, &options).expect("an analysis");
    assert!(analysis.proves_everything(), "{name}");
    (unit.program, proc, analysis)
}

const ROWS: &[&str] =
    &["create", "delete", "deleteAll", "getLast", "insert", "merge", "reverse", "rotate", "swap"];

#[test]
fn the_rows_of_the_paper_are_confirmed() {
    let confirmed = |name: &str, (program, proc, analysis): (Program, ProcId, Analysis)| {
        let verdict = confirm(&program, proc, CheckSet::default(), &analysis);
        assert_eq!(verdict, Ok(()), "{name}");
    };
    for name in ROWS {
        confirmed(name, analysed(name, Table7::default()));
        confirmed(name, analysed(name, Table3::default()));
    }
    // A list with a cycle.
    confirmed("reverse_cyclic", analysed("reverse_cyclic", Table7::default()));
}

/// Every shape at a block is reached, so none can be missing.
#[test]
fn shapes_that_are_taken_away_are_missed() {
    let (program, proc, analysis) = analysed("reverse", Table7::default());
    let checks = CheckSet::default();
    let settings = Settings { checks, malloc_may_fail: false };
    let all = shapes(&program, proc, &settings, &analysis).expect("few shapes");
    for block in 0..all.blocks.len() {
        let mut less = all.clone();
        less.blocks[block].heaps.pop();
        let verdict = checked(&program, proc, checks, &less);
        assert!(matches!(verdict, Err(Rejected::Wrong(_))), "block {block}");
    }
}

/// Without an alarm of the analysis, shapes of a wrong program are refused too.
#[test]
fn the_shapes_of_a_wrong_program_are_no_evidence() {
    let text = "struct node { struct node *n; };\n\
        /*@ requires reach(n, x, \\null); */\n\
        void f(struct node *x) { while (x->n) x = x->n; }\n";
    let unit = trellis_front_c::load_str("wrong.c", text).expect("a program");
    let proc = unit.program.find_proc("f").expect("f");
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Leak, false);
    let options = Options { garbage: Garbage::IsCollected, checks, ..Options::default() };
    let analysis = analyse(&unit.program, proc, Table7::default(), &options).expect("an analysis");
    assert_eq!(analysis.alarms.len(), 1, "x may be null");
    let verdict = confirm(&unit.program, proc, checks, &analysis);
    assert!(matches!(verdict, Err(Rejected::Wrong(_))));
}
