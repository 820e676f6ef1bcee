//! The rows of paper 002, Table 9, and its Fig. 1.

use trellis_front_c::{Unit, load};
use trellis_program::{CheckKind, CheckSet};
use trellis_sll::analyse::{Analysis, Options, Outcome, analyse};
use trellis_sll::lower::{Settings, lower};
use trellis_sll::program::ListProgram;

/// Analyses a procedure of a C text.
pub fn run(unit: &Unit, proc: &str, checks: CheckSet, sharing: Option<usize>) -> (ListProgram, Analysis) {
    let proc = unit.program.find_proc(proc).expect("a procedure");
    let settings = Settings { checks, malloc_may_fail: false };
    let program = lower(&unit.program, proc, &settings);
    let analysis = analyse(&program, &Options { checks, sharing, ..Options::default() });
    (program, analysis)
}

#[test]
fn rows() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/sll");
    let mut files: Vec<_> = std::fs::read_dir(dir).expect("rows").map(|e| e.expect("a file").path()).collect();
    files.sort();
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "c")) {
        let name = path.file_stem().expect("a name").to_str().expect("UTF-8");
        let text = std::fs::read_to_string(path).expect("readable");
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, !text.contains("--no-check leak"));
        let unit = load(path, &trellis_front_c::Options::default()).unwrap_or_else(|e| panic!("{:?}", e.diagnostics));
        let started = std::time::Instant::now();
        let (program, analysis) = run(&unit, name, checks, None);
        assert_eq!(analysis.outcome, Outcome::Finished);
        eprintln!("{name}: vars {} inputs {} states {} steps {} alarms {:?} unsupported {:?} left out {:?} {:?}",
            program.vars.len(), analysis.inputs, analysis.states.count(), analysis.steps,
            analysis.alarms.iter().map(|a| (a.kind, a.clause)).collect::<Vec<_>>(), analysis.unsupported,
            program.left_out.iter().map(|d| &d.message).collect::<Vec<_>>(), started.elapsed());
    }
}
