//! What the cache knows again, and what it does not.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_provers::cache::{Cache, Finding};
use trellis_provers::normal::Normal;
use trellis_provers::team::{Effort, Outcome};
use trellis_provers::{Team, all};
use trellis_store::sqlite::Sqlite;
use trellis_store::{Store, seal};

use crate::{Given, NUMBERS, given};

const EFFORT: Effort = Effort { time: Duration::from_secs(3), everyone: false };

fn normal(given: &Given) -> Normal {
    Normal::of(&given.question(), None)
}

/// The store of a folder.
fn store(folder: &tempfile::TempDir) -> Arc<dyn Store> {
    Arc::new(Sqlite::open(folder.path()).expect("a store"))
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
    let store = store(&folder);
    let question = given(NUMBERS, &["x = y", "i < j", "j < n"], "i < n");
    let ask = |expected_hits: u64| {
        let cache = Cache::open(&store).expect("a cache");
        let team = Team::new(all(&|_| None), cache);
        let outcome = team.ask(&question.question(), &EFFORT, &AtomicBool::new(false));
        assert_eq!(outcome, Outcome::Valid("z3".into()));
        assert_eq!(team.questions(), (1, expected_hits));
        team.cache_warning()
    };
    assert_eq!(ask(0), None);
    assert_eq!(ask(1), None);
    let (key, bytes) = store.all("sequent").expect("answers").remove(0);
    let content = seal::open("sequent", "1", &key, &bytes).expect("a record");
    // An older, a changed, a cut one, one of another key, one that makes no sense, and no entry.
    let put = |key: &str, bytes: &[u8]| store.put("sequent", key, bytes).expect("kept");
    put("older", &seal::seal("sequent", "0", "older", &content));
    put("changed", &String::from_utf8_lossy(&bytes).replace("valid", "wrong").into_bytes());
    put("cut", &bytes[..bytes.len() / 2]);
    put("moved", &bytes);
    put("senseless", &seal::seal("sequent", "1", "senseless", "maybe z3"));
    put("foreign", b"what is this?");
    let warning = ask(1).expect("a warning");
    assert!(warning.starts_with("6 entries of the cache"), "{warning}");
    let stock = Cache::stock(&store).expect("a stock");
    assert_eq!((stock.valid, stock.ignored), (1, 6));
    Cache::shelf(&store).clear().expect("cleared");
    assert_eq!(Cache::stock(&store).expect("a stock").valid, 0);
    assert_eq!(ask(0), None);
}

#[test]
fn two_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                let mut cache = Cache::open(&store(folder)).expect("a cache");
                for i in 0..200 {
                    let goal = format!("i < {}", writer * 1000 + i);
                    let given = given(NUMBERS, &["j < n"], &goal);
                    cache.add(normal(&given), Finding::Valid("z3".into()));
                }
            });
        }
    });
    let stock = Cache::stock(&store(&folder)).expect("a stock");
    assert_eq!((stock.valid, stock.ignored), (800, 0));
}
