//! What the cache knows again, and what it does not.

use std::fs;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_provers::cache::{Cache, Finding};
use trellis_provers::normal::Normal;
use trellis_provers::team::{Effort, Outcome};
use trellis_provers::{Team, all};

use crate::{Given, NUMBERS, given};

const EFFORT: Effort = Effort { time: Duration::from_secs(3), everyone: false };

fn normal(given: &Given) -> Normal {
    Normal::of(&given.question(), None)
}

fn known(cache: &Cache, given: &Given) -> bool {
    cache.find(&normal(given), "z3", 1000).is_some()
}

#[test]
fn names_and_order_do_not_matter() {
    let mut cache = Cache::default();
    let first = given(NUMBERS, &["i < j", "j < n"], "ALL k. k < i --> k < n");
    cache.add(normal(&first), Finding::Valid("z3".into()));
    let renamed = [("a", "int"), ("b", "int"), ("c", "int")];
    let same = given(&renamed, &["b < c", "a < b"], "ALL q. q < a --> q < c");
    assert!(known(&cache, &same));
    let other = given(&renamed, &["b < c", "a < b"], "ALL q. q < c --> q < a");
    assert!(!known(&cache, &other));
    // A symbol of another type is another symbol.
    let objects = [("a", "obj"), ("f", "obj => int"), ("c", "int"), ("b", "int")];
    let typed = given(&objects, &["a..f < b", "b < c"], "ALL q. q < a..f --> q < c");
    assert!(!known(&cache, &typed));
}

#[test]
fn valid_is_for_stronger_contexts_and_invalid_for_weaker_ones() {
    let weak = given(NUMBERS, &["i < j"], "i < n");
    let middle = given(NUMBERS, &["i < j", "j < n"], "i < n");
    let strong = given(NUMBERS, &["i < j", "x = y", "j < n"], "i < n");
    for (finding, expected) in [
        (Finding::Valid("z3".into()), [false, true, true]),
        (Finding::Invalid("z3".into()), [true, true, false]),
        (Finding::NotProved("z3".into(), 1000), [true, true, false]),
        (Finding::NotProved("z3".into(), 999), [false, false, false]),
        (Finding::NotProved("cvc5".into(), 1000), [false, false, false]),
    ] {
        let mut cache = Cache::default();
        cache.add(normal(&middle), finding.clone());
        assert_eq!([&weak, &middle, &strong].map(|g| known(&cache, g)), expected, "{finding:?}");
    }
}

#[test]
fn one_symbol_cannot_be_two() {
    let mut cache = Cache::default();
    let first = given(NUMBERS, &["i < j", "j < n"], "i < n");
    cache.add(normal(&first), Finding::Valid("z3".into()));
    let apart = given(NUMBERS, &["i < j", "x..f < n"], "i < n");
    assert!(!known(&cache, &apart));
    let apart = given(
        &[("i", "int"), ("j", "int"), ("k", "int"), ("n", "int")],
        &["i < j", "k < n"],
        "i < n",
    );
    assert!(!known(&cache, &apart));
}

#[test]
fn answers_stay_on_disk_and_broken_ones_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let question = given(NUMBERS, &["x = y", "i < j", "j < n"], "i < n");
    let ask = |expected_hits: u64| {
        let cache = Cache::open(folder.path()).expect("a cache");
        let team = Team::new(all(&|_| None), cache);
        let outcome = team.ask(&question.question(), &EFFORT, &AtomicBool::new(false));
        assert_eq!(outcome, Outcome::Valid("z3".into()));
        assert_eq!(team.questions(), (1, expected_hits));
        team.cache_warning()
    };
    assert_eq!(ask(0), None);
    assert_eq!(ask(1), None);
    let path = Cache::path(folder.path());
    let text = fs::read_to_string(&path).expect("answers");
    // Older, foreign, changed and cut lines.
    let changed = text.replace("valid", "wrong");
    let older = text.replace("trellis-cache-1", "trellis-cache-0");
    let cut = &text[..text.len() / 2];
    let mut file = fs::OpenOptions::new().append(true).open(&path).expect("the file");
    write!(file, "{older}{changed}what is this?\n{cut}").expect("written");
    drop(file);
    let warning = ask(1).expect("a warning");
    assert!(warning.starts_with("4 lines of"), "{warning}");
    let stock = Cache::stock(folder.path()).expect("a stock");
    assert_eq!((stock.valid, stock.ignored), (1, 4));
    Cache::clear(folder.path()).expect("cleared");
    assert_eq!(Cache::stock(folder.path()).expect("a stock").valid, 0);
    assert_eq!(ask(0), None);
}

#[test]
fn two_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let folder = folder.path();
            scope.spawn(move || {
                let mut cache = Cache::open(folder).expect("a cache");
                for i in 0..200 {
                    let goal = format!("i < {}", writer * 1000 + i);
                    let given = given(NUMBERS, &["j < n"], &goal);
                    cache.add(normal(&given), Finding::Valid("z3".into()));
                }
            });
        }
    });
    let stock = Cache::stock(folder.path()).expect("a stock");
    assert_eq!((stock.valid, stock.ignored), (800, 0));
}
