//! The proving engines against exploration and against compiled code, on random procedures with
//! random contracts.
//!
//! * [`generate`] writes procedures, [`idiom`] the usual loops, [`wide`] what goes beyond lists,
//!   [`contract`] what they promise;
//! * [`program`] prints them and takes parts away again;
//! * [`harness`] compiles what was verified, and runs it under gcc's sanitizers;
//! * [`tally`] counts;
//! * here the engines answer, and a contradiction is made small before it is shown.
//!
//! What must never happen: *verified* where exploration has a counterexample or a sanitizer a
//! report; a counterexample that does not replay; a contradiction of an engine with itself;
//! *verified* of a procedure that returns and promises what is false.
//!
//! `TRELLIS_SLOW=1` tries 10,000 procedures with heaps of up to 5 objects; with
//! `TRELLIS_RANDOM=FROM..TO` only those of these numbers.

mod contract;
mod generate;
mod harness;
mod idiom;
mod program;
mod tally;
mod wide;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use trellis_driver::{
    Bohne, Budget, Canonical, Engine, Explore, Options, PdrForall, Progress, ProveIt, Sll, Task,
    UnknownReason, Verdict, heaps, verify_procedure,
};
use trellis_program::{ProcId, Program};

use crate::differential::in_parallel;
use generate::generate;
use harness::Verified;
use program::Procedure;
use tally::Tally;
use trellis_testkit::generate::Tape;

/// Most variants that are tried to make a contradiction smaller.
const SHRINKS: usize = 300;

/// Heaps of a size among which those are chosen that compiled code is run on, and how many are.
const LOOKED: usize = 60;
const RUN: usize = 2;

/// What is tried, and how long.
#[derive(Clone, Debug)]
struct Asked {
    seeds: Range<usize>,
    /// Most objects in a heap that is explored.
    objects: usize,
    /// For pdr-forall and for exploration.
    time: Duration,
    /// For each of the other engines.
    others: Duration,
    /// For exploration of what was verified.
    patience: Duration,
}

impl Asked {
    fn asked_for() -> Asked {
        let milliseconds = Duration::from_millis;
        let (seeds, objects, time, others, patience) =
            if crate::slow() { (10_000, 5, 400, 100, 2000) } else { (150, 4, 300, 60, 300) };
        Asked {
            seeds: crate::seeds(seeds),
            objects,
            time: milliseconds(time),
            others: milliseconds(others),
            patience: milliseconds(patience),
        }
    }
}

/// How a procedure was judged.
struct Judged {
    /// What each engine said, and what became of it.
    said: Vec<(&'static str, String)>,
    /// Some engine verified it.
    verified: bool,
    /// Somebody is wrong: in which way, and how it shows.
    contradiction: Option<(&'static str, String)>,
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

fn options(scope: &Asked) -> Options {
    Options { objects: scope.objects, steps: 200, choices: 6, ..Options::default() }
}

fn ask(
    engine: &dyn Engine,
    program: &Program,
    proc: ProcId,
    scope: &Asked,
    time: Duration,
) -> Verdict {
    let options = options(scope);
    let task = Task::new(program, proc, &options);
    let budget = Budget { timeout: Some(time), memory: Some(1 << 30), ..Budget::default() };
    verify_procedure(engine, &task, &budget, &Progress::default()).verdict
}

/// Asks all engines; exploration comes last, and takes more time over what was verified.
fn judge(procedure: &Procedure, scope: &Asked) -> Judged {
    let mut judged = Judged { said: Vec::new(), verified: false, contradiction: None };
    let (program, proc) = match read(&procedure.text(false)) {
        Ok(read) => read,
        Err(why) => {
            judged.contradiction = Some((REFUSED, why));
            return judged;
        }
    };
    let engines: [(Box<dyn Engine>, Duration); 5] = [
        (Box::new(PdrForall::default()), scope.time),
        (Box::new(Sll::default()), scope.others),
        (Box::new(Canonical::default()), scope.others),
        (Box::new(ProveIt), scope.others),
        (Box::new(Bohne::default()), scope.others),
    ];
    let answers =
        engines.map(|(engine, time)| (engine.name(), ask(&*engine, &program, proc, scope, time)));
    let is_verified = |verdict: &Verdict| matches!(verdict, Verdict::Verified { .. });
    judged.verified = answers.iter().any(|(_, verdict)| is_verified(verdict));
    let time = if judged.verified { scope.patience } else { scope.time };
    let explored = ask(&Explore, &program, proc, scope, time);
    judged.said.push(("explore", tally::explored(&explored)));
    for (name, verdict) in &answers {
        judged.said.push((name, tally::proved(verdict, &explored)));
        judged.contradiction = judged.contradiction.or(contradiction(name, verdict, &explored));
    }
    if is_verified(&answers[0].1) && judged.contradiction.is_none() {
        judged.contradiction = absurd(procedure, scope, &mut judged.said);
    }
    judged
}

/// What is wrong with an answer, if anything is.
fn contradiction(
    name: &str,
    verdict: &Verdict,
    explored: &Verdict,
) -> Option<(&'static str, String)> {
    match (verdict, explored) {
        (Verdict::Unknown(UnknownReason::Internal(why)), _) => {
            Some(("internal", format!("{name}: {why}")))
        }
        (Verdict::Verified { .. }, Verdict::Violated(counterexample)) => {
            let kind = counterexample.failure.kind;
            Some(("verified, but refuted", format!("{name}: {kind}")))
        }
        _ => None,
    }
}

/// A verified procedure with a promise that is false: refuted, unless it never returns.
fn absurd(
    procedure: &Procedure,
    scope: &Asked,
    said: &mut Vec<(&'static str, String)>,
) -> Option<(&'static str, String)> {
    let Ok((program, proc)) = read(&procedure.text(true)) else {
        return Some(("internal", "the false variant cannot be read".to_owned()));
    };
    let found = ask(&PdrForall::default(), &program, proc, scope, scope.time);
    let variant = "pdr-forall, verified with a false promise";
    if !matches!(found, Verdict::Verified { .. }) {
        said.push((variant, tally::name(&found)));
        return None;
    }
    if matches!(ask(&Explore, &program, proc, scope, scope.time), Verdict::Violated(_)) {
        return Some(("vacuous", "what is false was verified".to_owned()));
    }
    said.push((variant, "verified: never returns".to_owned()));
    None
}

/// A contradiction with as little code as possible.
fn shrink(mut procedure: Procedure, what: &str, scope: &Asked) -> Procedure {
    let mut tries = 0;
    'again: loop {
        for smaller in procedure.smaller() {
            tries += 1;
            if tries > SHRINKS {
                return procedure;
            }
            if matches!(judge(&smaller, scope).contradiction, Some((same, _)) if same == what) {
                procedure = smaller;
                continue 'again;
            }
        }
        return procedure;
    }
}

/// A verified procedure with some heaps of every size; `None` if the harness can build none.
fn with_heaps(seed: usize, procedure: Procedure) -> Option<Verified> {
    let (program, proc) = read(&procedure.text(false)).ok()?;
    let options = Options::default();
    let task = Task::new(&program, proc, &options);
    let mut tape = Tape::Seeded(seed as u64);
    let mut orders = Vec::new();
    for objects in 0..=options.objects {
        let all = heaps::of_size(&task, objects, LOOKED);
        let chosen = (0..RUN.min(all.len())).map(|_| &all[tape.below(all.len())]);
        orders.extend(chosen.filter_map(|heap| harness::orders(&program, heap)));
    }
    orders.dedup();
    (!orders.is_empty()).then_some(Verified { seed, procedure, heaps: orders })
}

/// Judges the procedures of these seeds on all cores.
fn judge_all(scope: &Asked) -> (Tally, Vec<Verified>, BTreeMap<usize, String>) {
    let tally = Mutex::new(Tally::default());
    let verified = Mutex::new(BTreeMap::new());
    let problems = Mutex::new(BTreeMap::new());
    in_parallel(scope.seeds.len(), |i| {
        let seed = scope.seeds.start + i;
        let procedure = generate(seed as u64);
        let judged = judge(&procedure, scope);
        tally.lock().expect("no panic").add(&judged.said);
        match judged.contradiction {
            Some((what, why)) => {
                let small = match what {
                    REFUSED => procedure,
                    _ => shrink(procedure, what, scope),
                };
                let report = format!("// seed {seed}: {what}: {why}\n{}", small.text(false));
                println!("{report}");
                problems.lock().expect("no panic").insert(seed, report);
            }
            None if judged.verified => {
                let one = with_heaps(seed, procedure);
                verified.lock().expect("no panic").insert(seed, one);
            }
            None => {}
        }
    });
    let verified = verified.into_inner().expect("no panic").into_values().flatten().collect();
    let problems = problems.into_inner().expect("no panic");
    (tally.into_inner().expect("no panic"), verified, problems)
}

#[test]
fn neither_exploration_nor_sanitizers_refute_what_is_verified() {
    let scope = Asked::asked_for();
    let count = scope.seeds.len();
    let (tally, verified, mut problems) = judge_all(&scope);
    let ran = harness::run_all(&verified);
    println!("{count} procedures:\n{tally}");
    println!("{} verified ones under gcc's sanitizers: {:?}", verified.len(), ran.tally);
    problems.extend(ran.problems);
    let problems: Vec<String> = problems.into_values().collect();
    assert!(problems.is_empty(), "{} contradictions:\n{}", problems.len(), problems.join("\n"));
    // A generator whose procedures are all wrong, or all alike, tests nothing.
    let pdr = |key: &str| tally.of("pdr-forall", key);
    assert!(pdr("verified") * 20 >= count, "too few are verified:\n{tally}");
    assert!(tally.of("sll", "verified") * 25 >= count, "sll verifies too few:\n{tally}");
    assert!(pdr("unknown: unsupported") * 3 <= count, "too few are followed:\n{tally}");
    let wrong = tally.of("explore", "violated") * 100 / count.max(1);
    assert!((35..=65).contains(&wrong), "{wrong} of 100 are wrong:\n{tally}");
}

#[test]
fn a_seed_alone_decides() {
    for seed in 0..20 {
        assert_eq!(generate(seed).text(false), generate(seed).text(false));
    }
}

/// How compiled code with this body ends on lists of up to four nodes.
fn compiled(body: &str) -> BTreeMap<String, usize> {
    let prelude = [
        "void free(void *);",
        "void *memset(void *, int, unsigned long);",
        "struct node { struct node *next; int key; };",
    ];
    let procedure = Procedure {
        prelude: prelude.map(str::to_owned).to_vec(),
        requires: vec!["reach(next, a, NULL)".to_owned()],
        ensures: Vec::new(),
        assigns: None,
        result: "struct node *",
        params: vec!["struct node *a"],
        body: vec![generate::line(body)],
    };
    let heaps = with_heaps(0, procedure).expect("lists can be built");
    harness::run_all(&[heaps]).tally
}

/// A judge that never objects is none.
#[test]
fn sanitizers_see_the_heaps_of_the_explorer() {
    let ends = |tally: &[(&str, usize)]| -> BTreeMap<String, usize> {
        tally.iter().map(|(end, n)| ((*end).to_owned(), *n)).collect()
    };
    // One list of each length, from 0 to 4.
    assert_eq!(compiled("return a ? a->next : 0;"), ends(&[("clean", 5)]));
    assert_eq!(compiled("return a->next;"), ends(&[("clean", 4), ("failed", 1)]));
    let third = "if (a && a->next) a->next->next->key = 1; return a;";
    assert_eq!(compiled(third), ends(&[("clean", 4), ("failed", 1)]));
    let freed = "if (a) { free(a); a->key = 1; } return 0;";
    assert_eq!(compiled(freed), ends(&[("clean", 1), ("failed", 4)]));
    let lost = "if (a) a->next = 0; return a;";
    assert_eq!(compiled(lost), ends(&[("clean", 2), ("failed", 3)]));
    let held = "struct node *p = a ? a->next : 0; if (a) a->next = 0; return p;";
    assert_eq!(compiled(held), ends(&[("clean", 5)]));
    let outside = "if (a) memset(a, 0, sizeof *a + 8); return a;";
    assert_eq!(compiled(outside), ends(&[("clean", 1), ("failed", 4)]));
    assert_eq!(compiled("while (a) ; return a;"), ends(&[("clean", 1), ("endless", 4)]));
}
