//! The list of deliberate faults does not rot: `faults/run` could put every one of them in.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;

use toml::Value;

use crate::root;

fn text<'a>(table: &'a Value, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("no `{key}` in {table:?}"))
}

fn list<'a>(table: &'a Value, key: &str) -> &'a [Value] {
    table.get(key).and_then(Value::as_array).unwrap_or_else(|| panic!("no `{key}` in {table:?}"))
}

fn faults() -> Value {
    let text = fs::read_to_string(root().join("faults/faults.toml")).expect("the list is there");
    Value::Table(toml::from_str(&text).expect("the list is TOML"))
}

#[test]
fn every_fault_finds_its_text_once() {
    let read = faults();
    let script = fs::read_to_string(root().join("faults/run")).expect("the script is there");
    let faults = list(&read, "fault");
    let mut names = BTreeSet::new();
    let mut taken: Vec<(&str, Range<usize>)> = Vec::new();
    for fault in faults {
        let name = text(fault, "name");
        assert!(names.insert(name), "two faults are called {name}");
        assert!(!text(fault, "cause").is_empty(), "{name} has no cause");
        for test in list(fault, "tests") {
            let test = test.as_str().expect("tests are named");
            assert!(script.contains(&format!("    \"{test}\": [")), "{name}: no tests {test}");
        }
        if let Some(program) = fault.get("program").and_then(Value::as_str) {
            let there = root().join("faults/programs").join(program).is_file();
            assert!(there, "{name}: {program} is not there");
        }
        for edit in list(fault, "edit") {
            let (path, find, with) = (text(edit, "file"), text(edit, "find"), text(edit, "with"));
            assert!(with.contains("FAULT"), "{name} cannot be switched off");
            let source = fs::read_to_string(root().join(path))
                .unwrap_or_else(|e| panic!("{name}: {path}: {e}"));
            let places: Vec<usize> = source.match_indices(find).map(|(at, _)| at).collect();
            let [at] = places[..] else {
                panic!("{name}: its text is found {} times in {path}:\n{find}", places.len());
            };
            let range = at..at + find.len();
            let overlaps = |(file, r): &(&str, Range<usize>)| {
                *file == path && r.start < range.end && range.start < r.end
            };
            assert!(!taken.iter().any(overlaps), "{name}: its text overlaps another one in {path}");
            taken.push((path, range));
        }
    }
    assert!(names.len() >= 30, "{} faults", names.len());
}

#[test]
fn every_fault_has_a_result() {
    let results = fs::read_to_string(root().join("faults/RESULTS.md")).expect("the results");
    let read = faults();
    for fault in list(&read, "fault") {
        let name = text(fault, "name");
        assert!(results.contains(&format!("| `{name}` |")), "{name} is not among the results");
    }
}
