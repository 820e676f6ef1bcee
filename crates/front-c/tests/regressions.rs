//! What fuzzing and comparing found once: every file under `fuzz/regressions` is read or refused,
//! and what is read can be printed, and its checks listed.

use std::fs;
use std::path::Path;

use trellis_front_c::load_str;
use trellis_program::CheckTable;
use trellis_program::print::print_program;

#[test]
fn inputs_that_once_failed_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    let mut read = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("a file");
        match load_str("regression.c", &String::from_utf8_lossy(&bytes)) {
            Ok(unit) => {
                let checks = CheckTable::of(&unit.program);
                assert!(checks.iter().all(|(_, check)| !check.name.is_empty()));
                assert!(!print_program(&unit.program).is_empty());
            }
            // A panic is caught and becomes this message.
            Err(f) => {
                let messages: Vec<_> = f.diagnostics.iter().map(|d| &d.message).collect();
                let panicked = messages.iter().any(|m| m.contains("internal error"));
                assert!(!panicked && !messages.is_empty(), "{}: {messages:?}", path.display());
            }
        }
        read += 1;
    }
    assert!(read > 0, "the folder is empty");
}
