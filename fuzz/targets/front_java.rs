//! Any text is read or refused by the Java front end, and what is read can be printed and checked.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_front_java::Options;
use trellis_program::CheckTable;
use trellis_program::print::print_program;

fuzz_target!(|text: &str| {
    let read = trellis_front_java::load_str("Fuzz.java", text, Options::default());
    let Ok(unit) = read else { return };
    let _ = print_program(&unit.program);
    let _ = CheckTable::of(&unit.program);
});
