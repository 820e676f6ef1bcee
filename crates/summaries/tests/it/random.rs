//! Random whole programs: what is found safe, exploration does not refute.

use trellis_explore::{Config, Outcome as Explored, Progress, explore};
use trellis_front_c::load_str;
use trellis_program::{CheckKind, CheckSet};
use trellis_testkit::wide;

use crate::judge_within;

#[test]
fn nothing_safe_of_the_whole_programs_is_violated() {
    let programs = if std::env::var("TRELLIS_SLOW").is_ok() { 1_000 } else { 40 };
    let (mut safe, mut violated) = (0, 0);
    for seed in 0..programs {
        let text = wide::whole_program(seed);
        let unit = load_str("whole.c", &text)
            .unwrap_or_else(|e| panic!("seed {seed}:\n{text}\n{:?}", e.diagnostics));
        let proc = unit.program.find_proc("main").expect("main");
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, seed.is_multiple_of(3));
        let verdict = judge_within(&unit.program, proc, checks, 800);
        let config = Config { objects: 0, steps: 60, choices: 6, checks, ..Config::default() };
        if let Explored::Violated(found) =
            explore(&unit.program, proc, &config, &Progress::default()).outcome
        {
            violated += 1;
            let kind = found.failure.kind;
            assert!(verdict.is_err(), "seed {seed} is found safe but violates {kind}:\n{text}");
        }
        match verdict {
            Ok(()) => safe += 1,
            Err(why) if why.starts_with("Wrong") => panic!("seed {seed}: {why}\n{text}"),
            Err(_) => {}
        }
    }
    eprintln!("{programs} programs: {safe} safe, {violated} violated");
    assert!(safe > programs as usize / 10, "{safe}");
    assert!(violated > programs as usize / 4, "{violated}");
}
