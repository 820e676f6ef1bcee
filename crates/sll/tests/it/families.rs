//! Programs that are not plain list programs, by family: what is wrong with one is never found
//! safe, and what is everyday C is followed.

use trellis_explore::{Config, Outcome as Explored, Progress, explore};
use trellis_front_c::load_str;
use trellis_program::{CheckSet, ProcId, Program, Refusal};
use trellis_sll::analyse::{Options, Outcome, analyse};
use trellis_sll::check::{self, check};
use trellis_sll::lower::{Settings, lower};

use crate::contracts::TABLE;
use trellis_testkit::clauses::beyond;
use trellis_testkit::constructs::{self, Names};
use trellis_testkit::seen::Seen;
use trellis_testkit::wide;

/// Whether the engine finds a procedure safe, or what it says instead; confirmed by the machine.
pub fn judge(program: &Program, proc: ProcId, checks: CheckSet) -> Result<(), String> {
    let list = lower(program, proc, &Settings { checks, malloc_may_fail: false });
    let analysis = analyse(&list, &Options { checks, ..Options::default() });
    assert_eq!(analysis.outcome, Outcome::Finished);
    if let Some(Refusal { reason, .. }) = analysis.unsupported.first() {
        return Err(reason.clone());
    }
    if let Some(alarm) = analysis.alarms.first() {
        return Err(format!("alarm: {}", alarm.kind));
    }
    let options = check::Options { checks, ..check::Options::default() };
    check(program, &list, &analysis.states, &options).map_err(|why| format!("{why:?}"))?;
    Ok(())
}

#[test]
fn every_family_is_judged_rightly() {
    let (bugs, safe) = trellis_testkit::families::judge_all("sll", &judge);
    assert!(bugs > 100 && safe > 8, "{bugs} {safe}");
}

/// Instructions and expressions that the engine has been seen to follow in
/// programs that it finds safe, the checker confirms and exploration does not refute. Whatever
/// else there is, `lower` refuses: its matches are exhaustive.
const FOLLOWED: &[&str] = &[
    "abort",
    "alloc",
    "assert",
    "assert spec",
    "assign",
    "branch",
    "call",
    "copy",
    "exit",
    "fill",
    "free",
    "goto",
    "havoc",
    "load",
    "retype",
    "return",
    "store",
    "binary",
    "cmp",
    "convert",
    "int",
    "not",
    "null",
    "reg",
    "toptr",
    "offset",
];

#[test]
fn nothing_safe_of_the_wide_programs_is_violated() {
    let programs = if std::env::var("TRELLIS_SLOW").is_ok() { 10_000 } else { 200 };
    let (mut seen, mut contracts) = (Seen::default(), Names::new());
    let (mut safe, mut violated, mut refused) = (0, 0, 0);
    for seed in 0..programs {
        let text = wide::program(seed);
        let unit = load_str("wide.c", &text)
            .unwrap_or_else(|e| panic!("seed {seed}:\n{text}\n{:?}", e.diagnostics));
        let proc = unit.program.find_proc("f").expect("f");
        let mut checks = CheckSet::default();
        checks.set(trellis_program::CheckKind::Leak, seed.is_multiple_of(3));
        let verdict = judge(&unit.program, proc, checks);
        let config = Config { objects: 4, steps: 60, choices: 6, checks, ..Config::default() };
        let explored = explore(&unit.program, proc, &config, &Progress::default()).outcome;
        if let Explored::Violated(found) = &explored {
            violated += 1;
            let kind = found.failure.kind;
            assert!(verdict.is_err(), "seed {seed} is found safe but violates {kind}:\n{text}");
        }
        match verdict {
            Ok(()) => {
                safe += 1;
                seen.procedures(&unit.program, proc);
                contracts.extend(constructs::of_procedure(&unit.program, proc));
            }
            Err(why) if why.starts_with("Wrong") => panic!("seed {seed}: {why}\n{text}"),
            Err(why) => refused += usize::from(!why.starts_with("alarm")),
        }
    }
    eprintln!("{programs} programs: {safe} safe, {violated} violated, {refused} refused");
    assert!(safe > programs as usize / 12, "{safe}");
    assert!(violated > programs as usize / 3, "{violated}");
    seen.assert_just(FOLLOWED);
    assert_eq!(beyond(TABLE, &contracts), [""; 0]);
}
