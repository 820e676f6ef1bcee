//! Provers that hang, die, print garbage or are not there cost one question, not the run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use trellis_provers::team::{Effort, Outcome};
use trellis_provers::{Cache, Team, all};

use crate::{LISTS, NUMBERS, given};

fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    path
}

/// A team whose first prover is somebody else.
fn team(z3: PathBuf) -> Team {
    let path = move |name: &str| (name == "z3").then(|| z3.clone());
    Team::new(all(&path), Cache::default())
}

const EFFORT: Effort = Effort { time: Duration::from_secs(3), everyone: true };

#[test]
fn one_bad_prover_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let question = given(NUMBERS, &["i < j", "j < n"], "i < n");
    let bad = [
        ("hangs", "sleep 600"),
        ("dies", "kill -9 $$"),
        ("garbage", "head -c 100000 /dev/urandom; echo unsat"),
        ("silent", "exit 0"),
        ("refuses", "echo '(error \"no\")'; exit 1"),
    ];
    for (name, text) in bad {
        let team = team(script(folder.path(), name, text));
        let started = Instant::now();
        let outcome = team.ask(&question.question(), &EFFORT, &AtomicBool::new(false));
        assert!(matches!(&outcome, Outcome::Valid(by) if by != "z3"), "{name}: {outcome:?}");
        assert!(started.elapsed() < Duration::from_secs(20), "{name}");
        assert_eq!(team.statistics()["z3"].valid, 0, "{name}");
    }
}

#[test]
fn a_missing_prover_is_told_once_by_its_package() {
    let question = given(NUMBERS, &["i < j"], "i <= j");
    let path =
        |name: &str| matches!(name, "z3" | "SPASS").then(|| PathBuf::from("/no/such/prover"));
    let team = Team::new(all(&path), Cache::default());
    let wrong = given(NUMBERS, &["i < j"], "j < i");
    for asked in [&question, &wrong] {
        team.ask(&asked.question(), &EFFORT, &AtomicBool::new(false));
    }
    assert_eq!(team.newly_missing(), ["z3", "spass"]);
    assert!(team.newly_missing().is_empty());
    assert!(!team.statistics().contains_key("z3"));
}

#[test]
fn nobody_proves_what_is_wrong_and_the_flag_ends_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let team = team(script(folder.path(), "hangs", "sleep 600"));
    let wrong = given(NUMBERS, &["i < j"], "j < i");
    let started = Instant::now();
    let outcome = team.ask(&wrong.question(), &EFFORT, &AtomicBool::new(true));
    assert_eq!(outcome, Outcome::NotProved);
    assert!(started.elapsed() < Duration::from_secs(5));
    // What was not tried is not remembered.
    let outcome = team.ask(&wrong.question(), &EFFORT, &AtomicBool::new(false));
    assert_eq!((outcome, team.questions().1), (Outcome::Invalid, 0));
}

/// What a prover says that calls everything valid.
const LIES: [(&str, &str); 5] = [
    ("z3", "echo unsat; echo '(goal)'"),
    ("cvc5", "echo unsat"),
    ("mona", "echo Formula is valid"),
    ("eprover", "echo '# SZS status Theorem'"),
    ("SPASS", "echo 'SPASS beiseite: Proof found.'"),
];

#[test]
fn whoever_calls_everything_valid_is_not_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = given(LISTS, &["tree [next]", "x..next = y"], "y..next = x");
    for (name, text) in LIES {
        let liar = script(folder.path(), name, text);
        let path = |n: &str| (n == name).then(|| liar.clone());
        let team = Team::new(all(&path), Cache::default());
        let outcome = team.ask(&wrong.question(), &EFFORT, &AtomicBool::new(false));
        assert!(!matches!(outcome, Outcome::Valid(_)), "{name}: {outcome:?}");
        assert_eq!(team.statistics().get(name).map_or(0, |s| s.valid), 0, "{name}");
    }
    // All of them together.
    let path = |n: &str| Some(folder.path().join(n));
    let team = Team::new(all(&path), Cache::default());
    let outcome = team.ask(&wrong.question(), &EFFORT, &AtomicBool::new(false));
    assert_eq!(outcome, Outcome::NotProved);
    let mut liars: Vec<&str> = LIES.iter().map(|(n, _)| *n).collect();
    liars.sort_unstable();
    assert_eq!(team.newly_dishonest(), liars);
    assert!(team.newly_dishonest().is_empty());
}

#[test]
fn every_prover_may_be_bad_while_another_is_good() {
    let folder = tempfile::tempdir().expect("a folder");
    let question = given(LISTS, &["tree [next]", "x = y"], "x..next = y..next");
    let bad = ["sleep 600", "kill -9 $$", "head -c 5000 /dev/urandom", "exit 0", "echo no; exit 1"];
    for (good, _) in LIES {
        for text in bad {
            let broken = script(folder.path(), "broken", text);
            let path = |n: &str| (n != good).then(|| broken.clone());
            let team = Team::new(all(&path), Cache::default());
            let outcome = team.ask(&question.question(), &EFFORT, &AtomicBool::new(false));
            assert_eq!(outcome, Outcome::Valid(good.into()), "{text}");
        }
    }
}
