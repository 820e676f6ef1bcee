//! Programs of all shapes are proved, and their twins with a bug are not.

use std::path::{Path, PathBuf};

use trellis_front_c::load;
use trellis_program::CheckSet;

use crate::judge;

fn verdict(path: &Path) -> Result<(), String> {
    let options = trellis_front_c::Options::default();
    let unit = load(path, &options).unwrap_or_else(|e| panic!("{path:?}: {:?}", e.diagnostics));
    let proc = unit.program.find_proc("main").expect("main");
    judge(&unit.program, proc, CheckSet::default())
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/whole");
    let mut all: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    all.sort();
    assert!(all.len() > 20, "{all:?}");
    all
}

#[test]
fn correct_programs_are_proved_and_others_are_not() {
    for path in programs() {
        let is_bug = path.to_string_lossy().ends_with("-bug.c");
        let verdict = verdict(&path);
        assert_eq!(verdict.is_err(), is_bug, "{path:?}: {verdict:?}");
        assert!(!verdict.is_err_and(|why| why.starts_with("Wrong")), "{path:?}");
    }
}
