//! Random programs are explored without a panic, and every violation that is found replays.
//!
//! The bytes are the tape of the generator that the sanitizer tests use.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_program::concrete::{Finish, Machine, Scripted};
use trellis_program::{Budget, CheckKind, CheckSet, CheckTable};
use trellis_testkit::generate;

/// What the headers would declare; the target runs no preprocessor.
const DECLARATIONS: &str =
    "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void free(void *); void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long); void __VERIFIER_assert(int);
";

fuzz_target!(|bytes: &[u8]| {
    let program = generate::generate(generate::Tape::Recorded(bytes.iter()));
    let code = program.text.lines().filter(|l| !l.starts_with("#include"));
    let code = code.collect::<Vec<_>>().join("\n");
    let code = code
        .replace("assert(", "__VERIFIER_assert(")
        .replace("NULL", "((void *)0)")
        .replace("offsetof(", "__builtin_offsetof(");
    let source = format!("{DECLARATIONS}{code}\n");
    let unit = trellis_front_c::load_str("run.c", &source);
    let unit = unit.unwrap_or_else(|f| panic!("refused: {:?}\n{source}", f.diagnostics));
    let program = &unit.program;
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Overflow, true);
    let config = Config { objects: 1, steps: 2000, choices: 4, checks, ..Config::default() };
    // `main` as it is, and every other function by itself, on heaps and arguments of its own.
    for (index, procedure) in program.procs.iter().enumerate() {
        if procedure.body.is_none() {
            continue;
        }
        let proc = trellis_program::ProcId(index as u32);
        let limit = if procedure.name == "main" { 1000 } else { 20 };
        let budget = Budget { timeout: Some(Duration::from_millis(limit)), ..Budget::default() };
        let config = Config { budget, ..config.clone() };
        let answer = explore(program, proc, &config, &Progress::default());
        let Outcome::Violated(violation) = answer.outcome else { continue };
        let machine = Machine::new(program, config.machine_options(program, proc));
        let mut script = Scripted::new(&violation.choices);
        let trace = machine.run(proc, &violation.initial, &mut script, 1_000_000);
        let Some(Finish::Failed(failure)) = trace.finish else {
            panic!("{}: {:?} does not replay\n{source}", procedure.name, violation.failure);
        };
        assert!(failure.same_check(&violation.failure), "replays differently\n{source}");
        let check = CheckTable::of(program).find(failure.point, failure.kind, failure.clause);
        assert!(check.is_some(), "no row for {failure:?}\n{source}");
    }
});
