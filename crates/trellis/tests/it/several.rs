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
    // What is `static` in both has a name of its own, in heaps, too.
    let heap = "s -> a; count__stack = 7";
    let ran = wrong.run(&["run", "main.c", "stack.c", "--proc", "push", "--heap", heap]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("count__stack = 8"), "{}", ran.out);
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
    assert_eq!((&file["file"], &file["linked"][0]), (&"main.c".into(), &"stack.c".into()));
    let check = &file["procedures"][0]["check"];
    assert_eq!(check["span"]["file"], "stack.c");
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

/// What a program of these headers and this body of `main` is, and the check that fails.
fn answer(body: &str) -> String {
    let headers = ["assert", "ctype", "errno", "stdio", "stdlib", "string"];
    let headers: String = headers.iter().map(|h| format!("#include <{h}.h>\n")).collect();
    let text = format!("{headers}int main(void) {{ {body} return 0; }}\n");
    let folder = Folder::new(&[("a.c", text.as_bytes())]);
    let args = ["verify", "a.c", "--engine", "explore", "--format", "json"];
    let ran = folder.run(&args);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let found = &report["files"][0]["procedures"][0];
    match &found["check"]["kind"] {
        Value::String(kind) => kind.clone(),
        _ => found["verdict"].as_str().unwrap_or("no verdict").to_owned(),
    }
}

#[test]
fn the_library_does_what_c_says_and_no_more() {
    let expected = [
        // How strings compare is a sign, what a character is a truth.
        (r#"int c = strcmp("b", "a"); assert(c > 0 && !strcmp("a", "a"));"#, "verified"),
        (r#"assert(strcmp("b", "a") == 1);"#, "assertion"),
        (r#"assert(isalpha('x') && !isalpha('1'));"#, "verified"),
        (r#"assert(isalpha('x') == 1);"#, "assertion"),
        (r#"return isdigit(1000);"#, "precondition"),
        // Strings need room, an end, and memory of their own.
        (r#"char b[4]; strcpy(b, "abc"); assert(strlen(b) == 3);"#, "verified"),
        (r#"char b[3]; strcpy(b, "abc");"#, "bounds"),
        (r#"char b[3]; strncpy(b, "abc", 3); puts(b);"#, "bounds"),
        (r#"char b[8] = "abc"; strcpy(b + 1, b);"#, "overlap"),
        (r#"return (int)strlen(NULL);"#, "null-deref"),
        (r#"char *s = strdup("abc"); return s[0] != 'a';"#, "leak"),
        (r#"char *s = strdup("abc"); free(s); return strcmp(s, "abc");"#, "use-after-free"),
        // What the library keeps is not for the program to free.
        (r#"free(getenv("HOME"));"#, "invalid-free"),
        (r#"FILE *f = fopen("a", "r"); if (f) { fclose(f); fclose(f); }"#, "use-after-free"),
        (r#"FILE *f = fopen("a", "r"); if (f) { fclose(f); fprintf(f, "x"); }"#, "use-after-free"),
        (r#"fclose(fopen("a", "r"));"#, "null-deref"),
        // Memory that has moved is gone.
        (
            r#"int *p = malloc(4), *q; *p = 7; q = realloc(p, 8); assert(*q == 7); free(q);"#,
            "verified",
        ),
        (r#"int *p = malloc(4); *p = 7; free(realloc(p, 8)); return *p;"#, "use-after-free"),
        // Formats say what is read and written.
        (
            r#"char b[8]; sprintf(b, "%03d-%s", 7, "abc"); assert(!strcmp(b, "007-abc"));"#,
            "verified",
        ),
        (r#"char b[7]; sprintf(b, "%03d-%s", 7, "abc");"#, "bounds"),
        (
            r#"char b[4]; assert(snprintf(b, 4, "%d", -12345) == 6 && !strcmp(b, "-12"));"#,
            "verified",
        ),
        (
            r#"int n; char w[4]; assert(sscanf("12 ab", "%d %3s", &n, w) == 2 && n == 12);"#,
            "verified",
        ),
        (
            r#"int n = 1; assert(sscanf("", "%d", &n) == -1 && sscanf("x", "%d", &n) == 0);"#,
            "verified",
        ),
        (r#"char w[4]; sscanf("abcd", "%s", w);"#, "bounds"),
        (r#"char w[100]; scanf("%s", w);"#, "bounds"),
        (r#"int n; scanf("%d", &n); if (n) puts("not 0");"#, "uninit"),
    ];
    let wrong = expected.iter().filter_map(|(body, expected)| {
        let found = answer(body);
        (found != *expected).then(|| format!("{body} {found}, not {expected}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
