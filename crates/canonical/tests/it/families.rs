//! Programs that are not plain list programs, by family: what is wrong with one is never proved,
//! and everyday C is followed. The programs are in `testkit`.

use trellis_canonical::core::Garbage;
use trellis_canonical::{Limits, Options, Table7, analyse};
use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_front_c::load_str;
use trellis_program::{
    CheckKind, CheckSet, InlineLimits, NoResult, ProcId, Program, Rejected, inline,
};
use trellis_testkit::clauses::beyond;
use trellis_testkit::constructs::{self, Names};
use trellis_testkit::{seen, wide};

use crate::contracts::TABLE;
use crate::evidence::confirm;

/// Whether everything about a procedure is proved, or what stands against it.
pub fn judge(program: &Program, proc: ProcId, checks: CheckSet) -> Result<(), String> {
    let inlined = inline(program, proc, InlineLimits::default())
        .map_err(|d| d.first().map_or_else(String::new, |d| d.reason.clone()))?;
    let garbage = match checks.contains(CheckKind::Leak) {
        true => Garbage::Leaks,
        false => Garbage::IsCollected,
    };
    let limits = Limits { structures: 1500, ..Limits::default() };
    let options = Options { garbage, checks, limits, ..Options::default() };
    let analysis = analyse(&inlined.program, inlined.proc, Table7::default(), &options)
        .map_err(|why| format!("{why:?}"))?;
    if let Some(refusal) = analysis.untranslated.first() {
        return Err(refusal.reason.clone());
    }
    match analysis.alarms.first() {
        Some(alarm) => Err(format!("alarm: {}", alarm.kind)),
        None => match confirm(&inlined.program, inlined.proc, checks, &analysis) {
            Err(Rejected::Wrong(why)) => panic!("an analysis is not confirmed: {why}"),
            Err(Rejected::Unjudged(NoResult::Refused(refusal))) => {
                Err(format!("beyond the checker: {}", refusal.reason))
            }
            Err(Rejected::Unjudged(why)) => panic!("nobody stopped it: {why}"),
            Ok(()) => Ok(()),
        },
    }
}

#[test]
fn every_family_is_judged_rightly() {
    let (bugs, safe) = trellis_testkit::families::judge_all("canonical", &judge);
    assert!(bugs > 100 && safe > 5, "{bugs} {safe}");
}

/// Instructions and expressions that the engine has been seen to follow where it proves everything
/// and exploration refutes nothing, after calls were replaced by bodies. Whatever else there is,
/// the compiler refuses: its matches are exhaustive.
const FOLLOWED: &[&str] = &[
    "abort",
    "alloc",
    "assert",
    "assert spec",
    "assign",
    "branch",
    "copy",
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
fn nothing_proved_of_the_wide_programs_is_violated() {
    let programs = if std::env::var_os("TRELLIS_SLOW").is_some() { 20_000 } else { 500 };
    let (mut seen, mut contracts) = (seen::Seen::default(), Names::new());
    let (mut proved, mut violated) = (0, 0);
    let mut reasons = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..programs {
        // Globals and `exit` are outside of this engine.
        let mut text = wide::program(seed).replace(" = g;", " = 0;").replace("exit(1)", "abort()");
        // Few initial structures, so that most runs come to an end.
        let requires =
            ["a != \\null && a->n == \\null && b == \\null", "reach(n, a, \\null) && b == a"];
        let start = text.find("requires ").expect("a contract");
        let end = start + text[start..].find(';').expect("a clause");
        text.replace_range(start + 9..end, requires[seed as usize % 2]);
        text = text
            .replace("ensures u >= 0", "ensures \\true")
            .replace("stable(n, \\result)", "\\true");
        for write in ["g = a;", "g = b;", "g = c;", "count = count + 1;"] {
            text = text.replace(write, ";");
        }
        let unit = load_str("wide.c", &text)
            .unwrap_or_else(|e| panic!("seed {seed}:\n{text}\n{:?}", e.diagnostics));
        let proc = unit.program.find_proc("f").expect("f");
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, seed.is_multiple_of(3));
        let verdict = judge(&unit.program, proc, checks);
        if let Err(why) = verdict {
            *reasons.entry(why).or_insert(0) += 1;
            continue;
        }
        let config = Config { objects: 4, steps: 60, choices: 6, checks, ..Config::default() };
        if let Outcome::Violated(found) =
            explore(&unit.program, proc, &config, &Progress::default()).outcome
        {
            violated += 1;
            eprintln!("seed {seed} is proved but violates {}:\n{text}", found.failure.kind);
        }
        proved += 1;
        if let Ok(inlined) = inline(&unit.program, proc, InlineLimits::default()) {
            seen.procedures(&inlined.program, inlined.proc);
            contracts.extend(constructs::of_procedure(&inlined.program, inlined.proc));
        }
    }
    assert_eq!(violated, 0);
    eprintln!("{programs} programs: {proved} proved, not so {reasons:#?}");
    assert!(proved > programs / 20, "{proved}");
    seen.assert_just(FOLLOWED);
    assert_eq!(beyond(TABLE, &contracts), [""; 0]);
}
