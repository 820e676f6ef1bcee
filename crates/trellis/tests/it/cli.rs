//! Bad input gives one clear error and exit code 2; everything else the exit code it promises.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;

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
struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder(TempDir::new().expect("a temporary folder"));
        for (name, content) in files {
            fs::write(folder.path(name), content).expect("a file");
        }
        folder
    }

    fn list() -> Folder {
        Folder::new(&[("list.c", LIST.as_bytes())])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Ran {
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
    check_error(&Folder::list().run(&["verify", "lst.c"]), &expect![[]]);
}

#[test]
fn a_directory() {
    check_error(&Folder::list().run(&["verify", "."]), &expect![[]]);
}

#[test]
fn a_binary_file() {
    let folder = Folder::new(&[("a.c", b"\x7fELF\x02\x01\x01\0\0\xff\xfe\x80")]);
    check_error(&folder.run(&["verify", "a.c"]), &expect![[]]);
}

#[test]
fn a_syntax_error_in_c() {
    let folder = Folder::new(&[("a.c", b"int f(int x) {\n    return x +;\n}\n")]);
    check_error(&folder.run(&["verify", "a.c"]), &expect![[]]);
}

#[test]
fn a_syntax_error_in_a_contract() {
    let text = b"//@ requires x > ;\nint f(int x) {\n    return x;\n}\n";
    let folder = Folder::new(&[("a.c", text)]);
    check_error(&folder.run(&["verify", "a.c"]), &expect![[]]);
}

#[test]
fn a_misspelt_field_in_a_contract() {
    let text = LIST.replace("int length", "//@ requires reach(nxet, h, NULL);\nint length");
    let folder = Folder::new(&[("a.c", text.as_bytes())]);
    check_error(&folder.run(&["verify", "a.c"]), &expect![[]]);
}

#[test]
fn a_missing_header() {
    let folder = Folder::new(&[("a.c", b"#include \"no-such-header.h\"\nint x;\n")]);
    check_error(&folder.run(&["verify", "a.c"]), &expect![[]]);
}

#[test]
fn an_unknown_procedure() {
    let folder = Folder::list();
    check_error(&folder.run(&["verify", "list.c", "--proc", "lenght"]), &expect![[]]);
    check_error(&folder.run(&["run", "list.c", "--proc", "lenght"]), &expect![[]]);
    check_error(&folder.run(&["run", "list.c"]), &expect![[]]);
    let args = ["show", "list.c", "checks", "--proc", "xyz"];
    check_error(&folder.run(&args), &expect![[]]);
}

#[test]
fn a_malformed_heap() {
    let folder = Folder::list();
    let args = ["run", "list.c", "--proc", "length", "--heap", "h = ?"];
    check_error(&folder.run(&args), &expect![[]]);
    let args = ["run", "list.c", "--proc", "length", "--heap-file", "none.heap"];
    check_error(&folder.run(&args), &expect![[]]);
    let args = ["run", "list.c", "--proc", "length", "--enumerate", "1000000"];
    check_error(&folder.run(&args), &expect![[]]);
}

#[test]
fn an_unknown_check() {
    let args = ["verify", "list.c", "--check", "nul-deref"];
    check_error(&Folder::list().run(&args), &expect![[]]);
}

#[test]
fn bad_numbers() {
    let folder = Folder::list();
    let run = |option, value| folder.run(&["verify", "list.c", option, value]);
    check_error(&run("--timeout", "3x"), &expect![[]]);
    check_error(&run("--memory", "lots"), &expect![[]]);
    check_error(&run("--objects", "-1"), &expect![[]]);
    check_error(&run("--int-values", "1,x"), &expect![[]]);
    assert_eq!(run("--threads", "0").code, Some(2));
    assert_eq!(run("--engine", "magic").code, Some(2));
}

#[test]
fn formats_that_do_not_fit() {
    let args = ["show", "list.c", "program", "--format", "dot"];
    check_error(&Folder::list().run(&args), &expect![[]]);
}

#[test]
fn a_contradictory_precondition_is_a_warning() {
    let text = LIST.replace("int length", "//@ requires h == NULL && h != NULL;\nint length");
    let folder = Folder::new(&[("a.c", text.as_bytes())]);
    let ran = folder.run(&["verify", "a.c"]);
    assert_eq!(ran.code, Some(3));
    expect![[]].assert_eq(&ran.err);
    expect![[]].assert_eq(&ran.out);
}

#[test]
fn exit_codes() {
    let folder = Folder::list();
    let safe = folder.run(&["verify", "list.c", "--objects", "2", "--no-check", "leak"]);
    assert_eq!(safe.code, Some(1), "a cyclic list makes n overflow or never ends: {}", safe.out);
    let run = |extra: &[&str]| {
        let mut args = vec!["run", "list.c", "--proc", "length"];
        args.extend(extra);
        folder.run(&args).code
    };
    assert_eq!(run(&["--heap", "h = NULL"]), Some(0));
    assert_eq!(run(&["--heap", "h = NULL", "--steps", "1"]), Some(3));
}

#[test]
fn budgets_end_in_unknown() {
    let file = "examples/sll/reverse.c";
    let ran = trellis(&["verify", file, "--objects", "9", "--timeout", "300ms"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    expect![[]].assert_eq(&ran.out);
    let ran = trellis(&["verify", file, "--objects", "9", "--memory", "100K"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    expect![[]].assert_eq(&ran.out);
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
