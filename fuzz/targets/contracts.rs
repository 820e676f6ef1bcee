//! Any annotation, in each of the places where one can stand, is read or refused.
//!
//! The text goes into a fixed program: before a procedure, before a loop, before a statement, and
//! at file scope. Which of them is decided by the first byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trellis_program::CheckTable;
use trellis_program::print::print_program;

/// What annotations can mention.
const BEFORE: &str = "
typedef unsigned long size_t;
enum colour { RED, BLACK = 7 };
struct list_head { struct list_head *next, *prev; };
struct node { struct node *next; struct node *kids[2]; int data; struct list_head link; };
struct node *global; int count; static struct list_head heads[3];
//@ predicate sorted_list(struct node *h) = sorted(next, data, h, NULL);
//@ predicate Marked(struct node *v);
//@ predicate every(set<struct node *> s) = \\forall struct node *v; v \\in s ==> Marked(v);
int is_marked(struct node *v);
";

fuzz_target!(|bytes: &[u8]| {
    let Some((place, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if text.contains("*/") {
        return;
    }
    let mut at = ["", "", "", ""];
    at[usize::from(*place) % at.len()] = text;
    let [file, contract, invariant, statement] = at.map(|text| match text {
        "" => String::new(),
        _ => format!("/*@ {text} */"),
    });
    let source = format!(
        "{BEFORE}{file}\n{contract}\nstruct node *visit(struct node *h, struct node **pp, int k) {{
            struct node *x = h; int i = 0; struct node local; local.next = h;
            {invariant}\nwhile (x && i < k) {{ x = x->next; i++; }}
            {statement}\n*pp = x; count += local.data;
            return x;
        }}\n"
    );
    let Ok(unit) = trellis_front_c::load_str("fuzz.c", &source) else { return };
    let _ = print_program(&unit.program);
    let _ = CheckTable::of(&unit.program);
});
