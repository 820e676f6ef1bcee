//! Any text is read or refused by the C front end, and what is read can be printed and checked.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_program::CheckTable;
use trellis_program::print::print_program;

fuzz_target!(|text: &str| {
    let Ok(unit) = trellis_front_c::load_str("fuzz.c", text) else { return };
    let _ = print_program(&unit.program);
    let _ = CheckTable::of(&unit.program);
});
