//! The pdr-forall engine against exploration, on random procedures with random contracts.
//!
//! * [`generate`] writes procedures, [`contract`] what they promise;
//! * [`program`] prints them and takes parts away again;
//! * here both engines answer, and a contradiction is made small before it is shown.
//!
//! What must never happen: *verified* where exploration has a counterexample; a counterexample that
//! does not replay; a contradiction of the engine with itself; *verified* of a procedure that
//! returns and promises what is false.

mod contract;
mod generate;
mod program;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use trellis_driver::{
    Budget, Engine, Explore, Options, PdrForall, Progress, Task, UnknownReason, Verdict,
    verify_procedure,
};
use trellis_program::{ProcId, Program};

use generate::generate;
use program::Procedure;

/// Most variants that are tried to make a contradiction smaller.
const SHRINKS: usize = 300;

/// How a procedure was judged by both.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    /// There is nothing to object to; what pdr-forall said, and what exploration did.
    Fine(String),
    /// One of them is wrong.
    Contradiction(&'static str, String),
}

/// A text that is no C, or that the front end should know.
const REFUSED: &str = "refused by the front end";

/// The program of a text; the generator writes nothing but C that the front end knows.
fn read(text: &str) -> Result<(Program, ProcId), String> {
    let unit = trellis_front_c::load_str("random.c", text).map_err(|failure| {
        let messages: Vec<String> = failure.diagnostics.into_iter().map(|d| d.message).collect();
        messages.join("; ")
    })?;
    let proc = unit.program.find_proc("f").ok_or("there is no f")?;
    Ok((unit.program, proc))
}

fn ask(engine: &dyn Engine, program: &Program, proc: ProcId, time: Duration) -> Verdict {
    let objects = if crate::slow() { 5 } else { 4 };
    let options = Options { objects, steps: 200, choices: 6, ..Options::default() };
    let task = Task { program, proc, options: &options };
    let budget = Budget { timeout: Some(time), memory: Some(1 << 30), ..Budget::default() };
    verify_procedure(engine, &task, &budget, &Progress::default()).verdict
}

fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Unknown(UnknownReason::Unsupported(places)) => {
            let reason = places.first().map_or("", |d| d.message.as_str());
            format!("unsupported: {reason}")
        }
        Verdict::Unknown(UnknownReason::Solver(why)) => format!("unknown: solver: {why}"),
        Verdict::Unknown(reason) => format!("unknown: {}", reason.name()),
        known => known.name().to_owned(),
    }
}

/// Asks both engines.
fn judge(procedure: &Procedure, time: Duration) -> Outcome {
    let (program, proc) = match read(&procedure.text(false)) {
        Ok(read) => read,
        Err(why) => return Outcome::Contradiction(REFUSED, why),
    };
    let found = ask(&PdrForall::default(), &program, proc, time);
    if let Verdict::Unknown(UnknownReason::Internal(why)) = &found {
        return Outcome::Contradiction("internal", why.clone());
    }
    let explored = ask(&Explore, &program, proc, time);
    let refuted = matches!(explored, Verdict::Violated(_));
    if !matches!(found, Verdict::Verified { .. }) {
        let aside = if refuted { " (exploration: violated)" } else { "" };
        return Outcome::Fine(format!("{}{aside}", name(&found)));
    }
    if let Verdict::Violated(counterexample) = explored {
        let kind = counterexample.failure.kind.to_string();
        return Outcome::Contradiction("verified, but refuted", kind);
    }
    absurd(procedure, time)
}

/// A verified procedure with a promise that is false: refuted, unless it never returns.
fn absurd(procedure: &Procedure, time: Duration) -> Outcome {
    let Ok((program, proc)) = read(&procedure.text(true)) else {
        return Outcome::Contradiction("internal", "the false variant cannot be read".to_owned());
    };
    let found = ask(&PdrForall::default(), &program, proc, time);
    let refuted = matches!(ask(&Explore, &program, proc, time), Verdict::Violated(_));
    match (&found, refuted) {
        (Verdict::Verified { .. }, true) => {
            Outcome::Contradiction("vacuous", "what is false was verified".to_owned())
        }
        (Verdict::Verified { .. }, false) => Outcome::Fine("verified, never returns".to_owned()),
        (Verdict::Violated(_), _) => Outcome::Fine("verified, false variant refuted".to_owned()),
        (other, _) => Outcome::Fine(format!("verified, false variant {}", name(other))),
    }
}

/// A contradiction with as little code as possible.
fn shrink(mut procedure: Procedure, what: &str, time: Duration) -> Procedure {
    let mut tries = 0;
    'again: loop {
        for smaller in procedure.smaller() {
            tries += 1;
            if tries > SHRINKS {
                return procedure;
            }
            if matches!(judge(&smaller, time), Outcome::Contradiction(same, _) if same == what) {
                procedure = smaller;
                continue 'again;
            }
        }
        return procedure;
    }
}

/// Judges the procedures of these seeds on all cores.
fn judge_all(
    seeds: std::ops::Range<usize>,
    time: Duration,
) -> (BTreeMap<String, usize>, Vec<String>) {
    let next = AtomicUsize::new(seeds.start);
    let tally = Mutex::new(BTreeMap::<String, usize>::new());
    let problems = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let procedure = generate(seed as u64);
                    let key = match judge(&procedure, time) {
                        Outcome::Fine(key) => key,
                        Outcome::Contradiction(what, why) => {
                            let small = match what {
                                REFUSED => procedure,
                                _ => shrink(procedure, what, time),
                            };
                            let small = small.text(false);
                            let report = format!("// seed {seed}: {what}: {why}\n{small}");
                            println!("{report}");
                            problems.lock().expect("no panic").insert(seed, report);
                            what.to_owned()
                        }
                    };
                    *tally.lock().expect("no panic").entry(key).or_default() += 1;
                }
            });
        }
    });
    let problems = problems.into_inner().expect("no panic");
    (tally.into_inner().expect("no panic"), problems.into_values().collect())
}

#[test]
fn exploration_refutes_nothing_that_pdr_verifies() {
    let (count, time) = if crate::slow() { (5000, 1000) } else { (150, 400) };
    let (tally, problems) = judge_all(0..count, Duration::from_millis(time));
    println!("{count} procedures:");
    tally.iter().for_each(|(key, n)| println!("{n:6} {key}"));
    assert!(problems.is_empty(), "{} contradictions:\n{}", problems.len(), problems.join("\n"));
    // A generator whose procedures are all wrong, or all alike, tests nothing.
    let of =
        |key: &str| tally.iter().filter(|(k, _)| k.starts_with(key)).map(|(_, n)| n).sum::<usize>();
    assert!(of("verified") * 20 >= count, "too few are verified: {tally:?}");
    assert!(of("violated") * 5 >= count, "too few are violated: {tally:?}");
}

#[test]
fn a_seed_alone_decides() {
    for seed in 0..20 {
        assert_eq!(generate(seed).text(false), generate(seed).text(false));
    }
}
