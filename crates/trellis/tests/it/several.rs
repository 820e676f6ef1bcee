//! Programs of several files, and what the library does in them, as a user types them.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::cli::Folder;
use crate::{binary, ran};

const HEADER: &[u8] =
    b"struct stack;\nstruct stack *make(void);\nvoid push(struct stack *s, int x);\n\
    int pop(struct stack *s);\nvoid drop(struct stack *s);\n";

const STACK: &[u8] = b"#include <stdlib.h>\n#include \"stack.h\"\n\
    struct node { int x; struct node *next; };\nstruct stack { struct node *top; };\n\
    static int count;\n\
    struct stack *make(void) { return calloc(1, sizeof(struct stack)); }\n\
    void push(struct stack *s, int x) {\n  struct node *n = malloc(sizeof *n);\n\
    \x20 if (!n) abort();\n  n->x = x; n->next = s->top; s->top = n; count++;\n}\n\
    int pop(struct stack *s) {\n  struct node *n = s->top;\n  int x = n->x;\n\
    \x20 s->top = n->next;\n  free(n);\n  return x;\n}\n\
    void drop(struct stack *s) { while (s->top) pop(s); free(s); }\n";

/// A program that pops so often.
fn folder(pops: usize) -> Folder {
    let main = format!(
        "#include <stdio.h>\n#include \"stack.h\"\nstatic int count = 1;\nint main(void) {{\n\
         \x20 struct stack *s = make();\n  push(s, count);\n{}  drop(s);\n  return 0;\n}}\n",
        "  printf(\"%d\\n\", pop(s));\n".repeat(pops)
    );
    Folder::new(&[("stack.h", HEADER), ("stack.c", STACK), ("main.c", main.as_bytes())])
}

#[test]
fn files_are_linked() {
    let right = folder(1).run(&["verify", "main.c", "stack.c"]);
    assert_eq!(right.code, Some(0), "{}{}", right.out, right.err);
    let wrong = folder(2);
    let ran = wrong.run(&["verify", "main.c", "stack.c"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("null-deref at stack.c:14:11"), "{}", ran.out);
    let again = "trellis run main.c stack.c --proc main --heap ''";
    assert!(ran.out.contains(again), "{}", ran.out);
    assert_eq!(wrong.run(&["run", "main.c", "stack.c"]).code, Some(1));
    // Each alone calls what it does not have.
    let ran = wrong.run(&["verify", "--separately", "main.c", "stack.c"]);
    assert!(ran.err.contains("which has no body and no contract"), "{}{}", ran.out, ran.err);
    let shown = wrong.run(&["show", "stack.c", "main.c", "checks"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    assert!(shown.out.contains("pop:null-deref:1"), "{}", shown.out);
}

#[test]
fn reports_say_which_file() {
    let ran = folder(2).run(&["verify", ".", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let file = &report["files"][0];
    assert_eq!((&file["file"], &file["linked"][0]), (&"./main.c".into(), &"./stack.c".into()));
    let check = &file["procedures"][0]["check"];
    assert_eq!(check["span"]["file"], "./stack.c");
}

#[test]
fn standard_input_is_a_file() {
    let text =
        b"#include <string.h>\nint main(void) { char b[3]; strcpy(b, \"abc\"); return 0; }\n";
    let mut command = binary();
    command.args(["verify", "-"]).stdin(Stdio::piped());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("it is piped").write_all(text).expect("it reads");
    let ran = ran(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    // What goes wrong in a model is told where the user calls it.
    assert!(ran.out.contains("main: violated: bounds at <stdin>:2:29"), "{}", ran.out);
    assert!(ran.out.contains("in its model"), "{}", ran.out);
}

#[test]
fn certificates_are_about_all_files() {
    let folder = folder(1);
    let ran = folder.run(&["verify", "main.c", "stack.c", "--certificate", "proof.json"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let certify = ["certify", "proof.json", "--solver", "epr"];
    assert_eq!(folder.run(&certify).code, Some(0));
    let more = |extra: &[&str]| folder.run(&[&certify, extra].concat());
    assert_eq!(more(&["--source", "main.c", "--source", "stack.c"]).code, Some(0));
    let ran = more(&["--source", "main.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("about a program of 2 files, but 1 are given"), "{}", ran.err);
    let mut text = STACK.to_vec();
    text.extend(b"/* changed */\n");
    std::fs::write(folder.path("stack.c"), text).expect("a file");
    let ran = folder.run(&certify);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("`stack.c` is not the file that was certified"), "{}", ran.err);
}

#[test]
fn models_are_told_and_can_be_given() {
    let text = b"unsigned long strlen(const char *);\nint lucky(int);\n\
        int main(void) { return lucky((int)strlen(\"abc\")) - 6; }\n";
    let model = b"int lucky(int n) { return 2 * n; }\nint unlucky(int n) { return n / 0; }\n";
    let folder = Folder::new(&[("a.c", text), ("luck.c", model)]);
    let ran = folder.run(&["verify", "a.c"]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(
        ran.err.contains("a call of `lucky`, which has no body and no contract"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["verify", "a.c", "--model", "luck.c"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`lucky`, `strlen` behave like their models"), "{}", ran.out);
    assert!(!ran.out.contains("unlucky"), "{}", ran.out);
}
