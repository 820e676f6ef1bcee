//! Bad input gives one clear error and exit code 2; everything else the exit code it promises.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use tempfile::TempDir;

use crate::{Ran, binary, ran, trellis};

const LIST: &str = "\
struct node { struct node *next; int data; };
int length(struct node *h) {
    int n = 0;
    while (h) { n = n + 1; h = h->next; }
    return n;
}
";

/// A folder with files of our own; the binary runs in it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder(TempDir::new().expect("a temporary folder"));
        for (name, content) in files {
            fs::write(folder.path(name), content).expect("a file");
        }
        folder
    }

    fn list() -> Folder {
        Folder::new(&[("list.c", LIST.as_bytes())])
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        let mut command = binary();
        command.current_dir(self.0.path()).args(args);
        ran(command.output().expect("the binary starts"))
    }
}

/// Exit code 2, nothing on standard output, this on standard error.
fn check_error(ran: &Ran, expected: &Expect) {
    assert_eq!(ran.code, Some(2), "{}\n{}", ran.out, ran.err);
    assert_eq!(ran.out, "");
    expected.assert_eq(&ran.err);
}

#[test]
fn a_missing_file() {
    check_error(
        &Folder::list().run(&["verify", "lst.c"]),
        &expect![[r#"
        error: there is no file `lst.c`

    "#]],
    );
}

#[test]
fn a_directory() {
    check_error(
        &Folder::new(&[("notes.txt", b"")]).run(&["verify", "."]),
        &expect![[r#"
        error: there is no C file in the folder `.`

    "#]],
    );
    assert_eq!(Folder::list().run(&["verify", "."]).code, Some(0));
}

#[test]
fn a_binary_file() {
    let folder = Folder::new(&[("a.c", b"\x7fELF\x02\x01\x01\0\0\xff\xfe\x80")]);
    check_error(
        &folder.run(&["verify", "a.c"]),
        &expect![[r#"
        error: `a.c` is a binary file, not C source

    "#]],
    );
    let folder = Folder::new(&[("A.java", b"class A { }\0")]);
    check_error(
        &folder.run(&["verify", "A.java"]),
        &expect![[r#"
        error: `A.java` is a binary file, not Java source

    "#]],
    );
}

#[test]
fn a_syntax_error_in_c() {
    let folder = Folder::new(&[("a.c", b"int f(int x) {\n    return x +;\n}\n")]);
    check_error(
        &folder.run(&["verify", "a.c"]),
        &expect![[r#"
        error: syntax error: unexpected `;`
         --> a.c:2:15
          |
        2 |     return x +;
          |               ^ expected an expression

    "#]],
    );
}

#[test]
fn a_syntax_error_in_a_contract() {
    let text = b"//@ requires x > ;\nint f(int x) {\n    return x;\n}\n";
    let folder = Folder::new(&[("a.c", text)]);
    check_error(
        &folder.run(&["verify", "a.c"]),
        &expect![[r#"
        error: expected an expression
         --> a.c:1:18
          |
        1 | //@ requires x > ;
          |                  ^ found `;`

    "#]],
    );
}

#[test]
fn a_misspelt_field_in_a_contract() {
    let text = LIST.replace("int length", "//@ requires reach(nxet, h, NULL);\nint length");
    let folder = Folder::new(&[("a.c", text.as_bytes())]);
    check_error(
        &folder.run(&["verify", "a.c"]),
        &expect![[r#"
        error: `struct node` has no field `nxet`
         --> a.c:2:20
          |
        2 | //@ requires reach(nxet, h, NULL);
          |                    ^^^^
          |
        help: did you mean `next`?

    "#]],
    );
}

#[test]
fn a_missing_header() {
    let folder = Folder::new(&[("a.c", b"#include \"no-such-header.h\"\nint x;\n")]);
    check_error(
        &folder.run(&["verify", "a.c"]),
        &expect![[r#"
        error: cannot find the header `no-such-header.h`
         --> a.c:1:10
          |
        1 | #include "no-such-header.h"
          |          ^^^^^^^^^^^^^^^^^^ included here
          |
        help: give the folder that holds it with `-I`

    "#]],
    );
}

#[test]
fn an_unknown_procedure() {
    let folder = Folder::list();
    check_error(
        &folder.run(&["verify", "list.c", "--proc", "lenght"]),
        &expect![[r#"
            error: no procedure is called `lenght`
            help: did you mean `length`?

        "#]],
    );
    check_error(
        &folder.run(&["run", "list.c", "--proc", "lenght"]),
        &expect![[r#"
            error: no procedure is called `lenght`
            help: did you mean `length`?

        "#]],
    );
    check_error(
        &folder.run(&["run", "list.c"]),
        &expect![[r#"
            error: no procedure is called `main`
            help: the file defines `length`

        "#]],
    );
    let args = ["show", "list.c", "checks", "--proc", "xyz"];
    check_error(
        &folder.run(&args),
        &expect![[r#"
            error: no procedure is called `xyz`
            help: the file defines `length`

        "#]],
    );
}

#[test]
fn a_malformed_heap() {
    let folder = Folder::list();
    let args = ["run", "list.c", "--proc", "length", "--heap", "h -> a -> "];
    check_error(
        &folder.run(&args),
        &expect![[r#"
        error: expected a value, found the end of the statement
         --> --heap:1:11
          |
        1 | h -> a -> 
          |           ^

    "#]],
    );
    let args = ["run", "list.c", "--proc", "length", "--heap", "h -> a\na.nxet = a"];
    check_error(
        &folder.run(&args),
        &expect![[r#"
        error: `struct node` has no field `nxet`
         --> --heap:2:1
          |
        2 | a.nxet = a
          | ^
          |
        help: did you mean `next`?

    "#]],
    );
    let args = ["run", "list.c", "--proc", "length", "--heap-file", "none.heap"];
    check_error(
        &folder.run(&args),
        &expect![[r#"
        error: cannot read none.heap: No such file or directory (os error 2)

    "#]],
    );
    let args = ["run", "list.c", "--proc", "length", "--enumerate", "1000000"];
    check_error(
        &folder.run(&args),
        &expect![[r#"
            error: there is no heap number 1000000: fewer of up to 4 objects satisfy `requires`
            help: `--objects` sets the size of the largest heap

        "#]],
    );
}

#[test]
fn an_unknown_check() {
    let args = ["verify", "list.c", "--check", "nul-deref"];
    check_error(
        &Folder::list().run(&args),
        &expect![[r#"
        error: invalid value 'nul-deref' for '--check <KIND>': no check is called `nul-deref`; did you mean `null-deref`?

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn bad_numbers() {
    let folder = Folder::list();
    let run = |option, value| folder.run(&["verify", "list.c", option, value]);
    check_error(
        &run("--timeout", "3x"),
        &expect![[r#"
        error: invalid value '3x' for '--timeout <TIME>': `x` is no unit of time: ms, s, m or h

        For more information, try '--help'.
    "#]],
    );
    check_error(
        &run("--memory", "lots"),
        &expect![[r#"
        error: invalid value 'lots' for '--memory <SIZE>': `lots` is no unit of memory: K, M, G or T

        For more information, try '--help'.
    "#]],
    );
    check_error(
        &run("--objects", "-1"),
        &expect![[r#"
            error: invalid value '-1' for '--objects <N>': invalid digit found in string

            For more information, try '--help'.
        "#]],
    );
    check_error(
        &run("--int-values", "1,x"),
        &expect![[r#"
            error: invalid value 'x' for '--int-values <N,…>': 64-bit integers separated by commas are expected

            For more information, try '--help'.
        "#]],
    );
    assert_eq!(run("--threads", "0").code, Some(2));
    assert_eq!(run("--engine", "magic").code, Some(2));
}

#[test]
fn formats_that_do_not_fit() {
    let args = ["show", "list.c", "program", "--format", "dot"];
    check_error(
        &Folder::list().run(&args),
        &expect![[r#"
        error: --format dot is for `cfg`, --format json for `checks`
    "#]],
    );
}

#[test]
fn a_contradictory_precondition_is_a_warning() {
    let text = LIST.replace("int length", "//@ requires h == NULL && h != NULL;\nint length");
    let folder = Folder::new(&[("a.c", text.as_bytes())]);
    let ran = folder.run(&["verify", "a.c", "--engine", "explore"]);
    assert_eq!(ran.code, Some(3));
    expect![[r#"
        warning: no heap of up to 4 objects satisfies the precondition of `length`
         --> a.c:2:14
          |
        2 | //@ requires h == NULL && h != NULL;
          |              ^^^^^^^^^^^^^^^^^^^^^^ contradictory, or true of larger heaps only
          |
        help: nothing was checked; raise `--objects`, or correct `requires`

    "#]]
    .assert_eq(&ran.err);
    expect![[r#"
        ? length: unknown: no heap of up to 4 objects satisfies `requires`, so nothing was checked
    "#]]
    .assert_eq(&ran.out);
    let ran = folder.run(&["verify", "a.c"]);
    assert!(ran.err.contains("contradictory"), "{}{}", ran.out, ran.err);
    // Here nothing contradicts itself in shapes alone: what null points to is read.
    let text = LIST.replace("int length", "//@ requires h == NULL && h->data == 3;\nint length");
    let ran = Folder::new(&[("a.c", text.as_bytes())]).run(&["verify", "a.c"]);
    assert!(ran.err.contains("satisfies the precondition of `length`"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_comment_that_is_nearly_a_contract_is_a_warning() {
    let text = "/* @ requires p; */\nint f(int *p) { return p ? 1 : 0; }\n";
    let ran = Folder::new(&[("a.c", text.as_bytes())]).run(&["verify", "a.c"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    expect![[r#"
        warning: this is a comment, and no contract
         --> a.c:1:1
          |
        1 | /* @ requires p; */
          | ^^^^^^^^^^^^^^^^^^^
          |
        help: write `/*@` or `//@`, without a blank before the `@`

    "#]]
    .assert_eq(&ran.err);
}

#[test]
fn exit_codes() {
    let folder = Folder::list();
    let explored = ["verify", "list.c", "--engine", "explore", "--objects", "2"];
    assert_eq!(folder.run(&explored).code, Some(3));
    assert_eq!(folder.run(&["verify", "list.c"]).code, Some(0));
    assert_eq!(trellis(&["verify", "examples/sll/append-bug.c"]).code, Some(1));
    let both = ["verify", "--separately", "examples/sll/append-bug.c", "examples/sll/append.c"];
    assert_eq!(trellis(&both).code, Some(1), "violated counts more than unknown");
    let run = |extra: &[&str]| {
        let mut args = vec!["run", "list.c", "--proc", "length"];
        args.extend(extra);
        folder.run(&args).code
    };
    assert_eq!(run(&["--heap", "h = NULL"]), Some(0));
    assert_eq!(run(&["--heap", "h -> a -> a", "--steps", "100"]), Some(3));
}

/// A program with far more states than anybody can visit.
fn endless() -> Folder {
    let text = "int __VERIFIER_nondet_int(void);\n\
        int main(void) {\n\
            unsigned n = 0;\n\
            while (n < 4000000000u) n = n * 3 + (__VERIFIER_nondet_int() > 0);\n\
            return 0;\n\
        }\n";
    Folder::new(&[("a.c", text.as_bytes())])
}

const ENDLESS: [&str; 6] = ["verify", "a.c", "--choices", "1000", "--steps", "100000"];

#[test]
fn budgets_end_in_unknown() {
    let folder = endless();
    let check = |option, value, expected: &Expect| {
        let mut args = ENDLESS.to_vec();
        args.extend([option, value]);
        let ran = folder.run(&args);
        assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
        let first = ran.out.lines().next().unwrap_or_default();
        expected.assert_eq(&format!("{first}\n"));
        // Then, what each engine was at.
        assert!(ran.out.contains("\n  explore"), "{}", ran.out);
    };
    check(
        "--timeout",
        "200ms",
        &expect![[r#"
        ? main: unknown: the time limit of 0.2 s is over
    "#]],
    );
    check(
        "--memory",
        "1M",
        &expect![[r#"
        ? main: unknown: the memory limit of 1 MiB is used up
    "#]],
    );
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_in_unknown() {
    let folder = endless();
    let child = binary()
        .current_dir(folder.0.path())
        .args(ENDLESS)
        // So that a lost interrupt does not hang the test.
        .args(["--timeout", "60s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let interrupt = format!("sleep 0.5; kill -INT {}", child.id());
    let sent = Command::new("sh").args(["-c", &interrupt]).status().expect("a shell");
    assert!(sent.success());
    let ran = ran(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert_eq!(ran.out, "? main: unknown: cancelled\n");
}

/// Memory for characters is shown as a string, and a pointer to its first element as one to it.
#[test]
fn arrays_on_the_heap_are_short() {
    let code = "#include <stdlib.h>\n#include <string.h>\n\
        void f(void) { char *s = malloc(30); strcpy(s, \"hello\"); char *t = s + 2;\n\
        int *a = malloc(12 * sizeof *a); a[2] = 5; int *b = a + 2; *b = *t; }\n";
    let ran = Folder::new(&[("a.c", code.as_bytes())]).run(&["verify", "a.c"]);
    assert!(ran.out.contains("s,t (at [2]) → 1{\"hello\\0\" and 24 never written}"), "{}", ran.out);
    assert!(ran.out.contains("a,b (at [2]) → 2{[0..11]=? ? 108 ? ? ? ? ? ? ? ? ?}"), "{}", ran.out);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = binary()
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let mut err = String::new();
    let mut stream = child.stderr.take().expect("a pipe");
    stream.read_to_string(&mut err).expect("UTF-8");
    child.wait().expect("it ends");
    assert_eq!(err, "");
}

#[test]
fn help_version_and_completions() {
    let version = trellis(&["--version"]);
    assert_eq!(version.out, format!("trellis {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(version.code, Some(0));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = trellis(&["completions", shell]);
        assert_eq!(script.code, Some(0));
        assert!(script.out.contains("malloc-may-fail"), "{shell}");
    }
    assert_eq!(trellis(&[]).code, Some(2));
    assert_eq!(trellis(&["frobnicate"]).code, Some(2));
}

#[test]
fn colours_are_for_terminals() {
    let file = "examples/sll/append-bug.c";
    assert!(!trellis(&["verify", file]).out.contains('\u{1b}'));
    let output =
        binary().args(["verify", file]).env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output();
    assert!(ran(output.expect("the binary starts")).out.contains('\u{1b}'));
}
