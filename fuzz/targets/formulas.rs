//! Any text is read or refused as a formula of Jahob's logic, in a fixed class.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_front_java::Options;
use trellis_program::print::print_program;

fuzz_target!(|text: &str| {
    let text = text.replace(['"', '*'], " ");
    let program = format!(
        "class Node {{ Node next, left; int key; boolean mark; }}
         class List {{ static Node first; static Node[] all;
           /*: static specvar content :: objset;
               vardefs \"content == {{x. (first, x) : {{(u, v). u..next = v}}^*}}\";
               invariant \"{text}\" */
           static void f(Node n, int i) /*: ensures \"{text}\" */ {{ first = n; }} }}"
    );
    let read = trellis_front_java::load_str("Fuzz.java", &program, Options::default());
    let Ok(unit) = read else { return };
    let _ = print_program(&unit.program);
});
