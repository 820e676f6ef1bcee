//! Functions of many thousand statements are answered.

use std::fmt::Write;

use crate::Ran;
use crate::cli::Folder;

fn verify(code: &str) -> Ran {
    Folder::new(&[("a.c", code.as_bytes())]).run(&["verify", "a.c", "--timeout", "300s"])
}

/// A `main` with these statements, one for every number.
fn program(before: &str, statement: impl Fn(usize) -> String, count: usize, after: &str) -> String {
    let mut code = String::from(
        "#include <stdlib.h>\nstruct node { struct node *next; int data; };\nint main(void) {\n",
    );
    code.push_str(before);
    for i in 0..count {
        writeln!(code, "{}", statement(i)).expect("a string takes everything");
    }
    code.push_str(after);
    code
}

#[test]
fn straight_code() {
    let letter = |i: usize| ["a", "b", "c"][i % 3];
    let add = |i: usize| format!("{} = {} + 1;", letter(i), letter(i + 1));
    let ran = verify(&program("int a = 0, b = 0, c = 0;\n", add, 50_000, "return 0; }\n"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn temporaries_share_registers_and_keep_their_values() {
    // Every statement has two loads; the sum at the end is known.
    let before = "struct node *p = malloc(sizeof *p);\nif (!p) return 1;\np->data = 0;\n";
    let add = |i: usize| format!("p->data = p->data + {} - (p->data & 0);", i % 3);
    let after = |sum: usize| {
        format!(
            "int bad = p->data != {sum};\nfree(p);\nif (bad) {{ int *q = 0; *q = 1; }}\nreturn 0; }}\n"
        )
    };
    let ran = verify(&program(before, add, 3_000, &after(3_000)));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = verify(&program(before, add, 3_000, &after(3_001)));
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
}

#[test]
fn many_branches_and_cases() {
    let before = "struct node *p = malloc(sizeof *p);\nif (!p) return 1;\np->data = 7;\n";
    let branch =
        |i: usize| format!("if (p->data == {}) p->data = {}; else p->data = 2;", i % 5, i % 4);
    let ran = verify(&program(before, branch, 5_000, "free(p); return 0; }\n"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let case = |i: usize| format!("case {i}: k = {i}; break;");
    let ran = verify(&program("int k = 0;\nswitch (k) {\n", case, 10_000, "} return 0; }\n"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn the_middle_of_a_long_run_is_left_out() {
    let node = |i: usize| format!("x = malloc(sizeof *x);\nx->next = h;\nx->data = {i};\nh = x;");
    let code = program("struct node *h = NULL, *x;\n", node, 2_000, "return 0; }\n");
    let ran = verify(&code);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("main: violated: leak"), "{}", &ran.out[..200]);
    assert!(ran.out.contains("2000 objects, too many to be drawn"));
    let ran = Folder::new(&[("a.c", code.as_bytes())]).run(&["verify", "a.c", "--full-trace"]);
    assert!(ran.out.contains("instructions left out: too many to be kept"));
}
