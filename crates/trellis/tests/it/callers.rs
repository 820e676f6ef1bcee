//! What callers pass: null arguments are notes, `--assume` says what to believe, all violations are
//! told, and `main` gets any arguments.

use serde_json::Value;

use crate::cli::Folder;

const LIST: &str = "#include <stdlib.h>\nstruct node { struct node *next; int data; };\n";

/// A file with this code behind the list node.
fn folder(code: &str) -> Folder {
    Folder::new(&[("a.c", format!("{LIST}{code}").as_bytes())])
}

/// What the notes of a procedure say.
fn said(code: &str) -> Vec<String> {
    let ran = folder(code).run(&["verify", "a.c", "--proc", "f", "--format", "json"]);
    let report: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out));
    let notes = report["files"][0]["procedures"][0]["notes"].as_array().cloned();
    let text = |n: &Value| n["text"].as_str().unwrap_or_default().to_owned();
    notes.unwrap_or_default().iter().map(text).collect()
}

/// The verdict of a procedure and the parameters that there are notes about.
fn verdict(code: &str, args: &[&str]) -> (String, Vec<String>) {
    let mut all = vec!["verify", "a.c", "--proc", "f", "--format", "json"];
    all.extend(args);
    let ran = folder(code).run(&all);
    let report: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out));
    let f = &report["files"][0]["procedures"][0];
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let kind = match text(&f["verdict"]).as_str() {
        "unknown" => text(&f["reason"]["kind"]),
        other => other.to_owned(),
    };
    let notes = f["notes"].as_array().cloned().unwrap_or_default();
    (kind, notes.iter().map(|n| text(&n["parameter"])).collect())
}

fn check(code: &str, expected: &str, notes: &[&str]) {
    let (kind, found) = verdict(code, &[]);
    assert_eq!(
        (kind.as_str(), found.iter().map(String::as_str).collect::<Vec<_>>()),
        (expected, notes.to_vec()),
        "{code}"
    );
}

#[test]
fn a_null_argument_is_a_note() {
    check("int f(struct node *p) { return p->data; }", "arguments", &["p"]);
    let two = "int f(struct node *p, struct node *q) { p->data = 1; return q->data; }";
    check(two, "arguments", &["p", "q"]);
    let passed_on = "static int get(struct node *x) { return x->data; }\n\
        static struct node *same(struct node *x) { return x; }\n\
        int f(struct node *p) { struct node *q = same(p); return get(q); }";
    check(passed_on, "arguments", &["p"]);
    let walked = "int f(struct node *p) { while (p->next) p = p->next; return p->data; }";
    check(walked, "arguments", &["p"]);
}

/// What callers usually see to is told as a clause that excludes the run, and that can be written.
#[test]
fn an_unusual_heap_at_the_start_is_a_note() {
    const FREES: &str = "void f(struct node *h)\n\
        { while (h) { struct node *n = h->next; free(h); h = n; } }";
    const HOLDER: &str = "struct list { struct node *first; };\n";
    let holder = format!(
        "{HOLDER}void f(struct list *l) {{ struct node *h = l->first;\n\
         while (h) {{ struct node *n = h->next; free(h); h = n; }} }}"
    );
    let tree = "struct t { struct t *l, *r; };\n\
        void f(struct t *x) { if (!x) return; f(x->l); f(x->r); free(x); }";
    let shared = "void f(struct node *a, struct node *b)\n\
        { if (!a || !b) return; a->next = 0; free(a); b->next = 0; free(b); }";
    let two = "void f(int *a, int *b) { if (!a || !b) return; free(a); *b = 1; }";
    for (code, clause) in [
        (FREES, "reach(next, h, NULL)"),
        (&holder, "reach(next, l->first, NULL)"),
        (tree, "tree(l, r, x)"),
        (shared, "\\forall struct node *x; reach(next, a, x) && reach(next, b, x) ==> x == NULL"),
        (two, "a != b"),
    ] {
        let notes = said(code);
        let told = notes.iter().any(|n| n.contains(&format!("add `requires {clause};`")));
        assert!(told, "{clause}: {notes:?}\n{code}");
        // The front end reads it, and with it that run is gone.
        let (before, after) = code.rsplit_once("void f").expect("the procedure");
        let guard = if clause.contains("->") { "l != NULL && " } else { "" };
        let with = format!("{before}/*@ requires {guard}({clause}); */\nvoid f{after}");
        let ran = folder(&with).run(&["verify", "a.c", "--proc", "f"]);
        assert!(!ran.err.contains("error"), "{}", ran.err);
        assert!(!ran.out.contains("use-after-free"), "{with}\n{}", ran.out);
    }
    // Where the bug needs nothing unusual, nothing is said.
    let own = "int f(struct node *p) { if (!p) return 0; free(p); return p->data; }";
    assert_eq!(said(own), Vec::<String>::new());
    let behind = format!("{HOLDER}int f(struct list *l, int k) {{ return l ? 1 / k : 1 / k; }}");
    assert_eq!(said(&behind), Vec::<String>::new(), "of what is behind null nothing is said");
}

#[test]
fn what_the_procedure_itself_reckons_with_is_a_violation() {
    for code in [
        "int f(struct node *p) { int n = 0; if (!p) n = 1; return p->data + n; }",
        "int f(struct node *p) { return p ? p->data : p->next->data; }",
        "int f(struct node *p) { int there = p != NULL; if (there) return 1; return p->data; }",
        "static int none(struct node *x) { return x == NULL; }\n\
         int f(struct node *p) { if (none(p)) return p->data; return 0; }",
        "int f(struct node *p) { if (p && p->data) return 1; return p->data; }",
        "int f(struct node *p) { p = NULL; return p->data; }",
        "int f(struct node *p) { if (p == NULL) { struct node *q = p; return q->data; } return 0; }",
    ] {
        check(code, "violated", &[]);
    }
}

#[test]
fn a_null_pointer_from_elsewhere_is_a_violation() {
    check("int f(struct node *p) { return p->next->data; }", "violated", &["p"]);
    check("struct node *g; int f(void) { return g->data; }", "violated", &[]);
    check("int f(struct node **p) { return (*p)->data; }", "violated", &["p"]);
    check("int f(struct node p) { return p.next->data; }", "violated", &[]);
    let freed = "int f(struct node *p) { int x = p->data; free(p); return x + p->data; }";
    check(freed, "violated", &["p"]);
    let made = "int f(struct node *p) { struct node *m = calloc(1, sizeof *m); if (!m) abort();\n\
        struct node *z = m->next; free(m); return z->data + p->data; }";
    let (kind, _) = verdict(made, &[]);
    assert_eq!(kind, "violated");
}

#[test]
fn valid_arguments_are_assumed_and_said() {
    let free_all =
        "void f(struct node *p) { while (p) { struct node *t = p->next; free(p); p = t; } }";
    let folder = folder(free_all);
    assert_eq!(folder.run(&["verify", "a.c"]).code, Some(1));
    let ran = folder.run(&["verify", "a.c", "--assume", "valid-arguments"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let said = "arguments are valid: `p` is not null, `p` is a list that ends over `next`";
    assert!(ran.out.contains(said), "{}", ran.out);
    for (code, expected) in [
        // Arguments share nothing, but what they lead to may be null, and is lost if it is forgotten.
        ("void f(struct node *p, struct node *q) { p->next = NULL; q->next = NULL; }", "violated"),
        (
            "int f(struct node *p, struct node *q) { p->data = 1; q->data = 2; return 1 / p->data; }",
            "verified",
        ),
        ("int f(struct node *p) { return p->next->data; }", "violated"),
        // A `T **` is not null, what it holds may be.
        ("int f(struct node **p) { return *p ? (*p)->data : 0; }", "verified"),
        ("int f(struct node **p) { return (*p)->data; }", "violated"),
        // Globals and structs that are passed by value are not covered.
        ("struct node *g; int f(struct node *p) { return p->data + g->data; }", "violated"),
        ("int f(struct node p) { return p.next->data; }", "violated"),
        ("struct node *g; void f(struct node *p) { free(g); p->data = 1; }", "violated"),
        // A procedure that calls itself passes what it passes.
        ("int f(struct node *p) { return p ? 1 + f(p->next) : 0; }", "verified"),
        ("int f(struct node *p) { return p->data + f(p->next); }", "violated"),
    ] {
        let (kind, notes) = verdict(code, &["--assume", "valid-arguments"]);
        let right = kind == expected || (expected == "verified" && kind == "engines");
        assert!(right, "{code}: {kind}");
        assert!(notes.is_empty(), "{code}");
    }
}

#[test]
fn a_contract_or_the_user_decides() {
    let code = "//@ requires \\true;\nint f(struct node *p) { return p->data; }";
    assert_eq!(verdict(code, &[]), ("violated".to_owned(), vec![]));
    assert_eq!(verdict(code, &["--assume", "valid-arguments"]).0, "violated");
    let bare = "int f(struct node *p) { return p->data; }";
    assert_eq!(verdict(bare, &["--assume", "nothing"]), ("violated".to_owned(), vec![]));
}

#[test]
fn every_violation_is_told_once() {
    let code = "int f(int k) {\n  int *p = NULL;\n  if (k == 1) return *p;\n  if (k == 2) return *p + 1;\n\
        \x20 if (k == 3) return 1 / (k - 3);\n  return 0;\n}\n";
    let ran = folder(code).run(&["verify", "a.c"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    for place in ["a.c:5:22", "a.c:6:22", "a.c:7:15"] {
        assert_eq!(ran.out.matches(&format!(" --> {place}")).count(), 1, "{place}\n{}", ran.out);
    }
    // One check that fails in many runs is one violation.
    let loops =
        "int f(int n) { int *p = NULL; while (n-- > 0) { if (n == 1) return *p; } return 0; }";
    let ran = folder(loops).run(&["verify", "a.c"]);
    assert_eq!(ran.out.matches("violated: null pointer").count(), 1, "{}", ran.out);
}

#[test]
fn assumptions_are_part_of_certificates() {
    let folder = folder("int f(struct node *p) { return p->data; }");
    let args = ["verify", "a.c", "--assume", "valid-arguments", "--certificate", "c.json"];
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["certify", "c.json", "--solver", "epr"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("repeat it: --assume valid-arguments"), "{}", ran.err);
    let ran = folder.run(&["certify", "c.json", "--solver", "epr", "--assume", "valid-arguments"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`p` is not null"), "{}", ran.out);
}

#[test]
fn others_than_main_are_named() {
    let folder = folder("void g(void) {}\nvoid h(void) {}\nint main(void) { g(); return 0; }");
    let ran = folder.run(&["verify", "a.c"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("not looked at on their own: `g`, `h`"), "{}", ran.err);
    let ran = folder.run(&["verify", "a.c", "--proc", "main"]);
    assert!(!ran.err.contains("not looked at"), "{}", ran.err);
}

/// A `main` that builds and frees a list.
const BUILDS: &str = "int main(int argc, char **argv) {\n  struct node *h = NULL;\n\
    \x20 USE\n  while (__VERIFIER_nondet_int()) {\n\
    \x20   struct node *x = malloc(sizeof *x);\n    if (!x) abort();\n    x->next = h; h = x;\n  }\n\
    \x20 while (h) { struct node *t = h->next; free(h); h = t; }\n  return 0;\n}\n";

#[test]
fn every_engine_takes_a_main_that_does_not_look() {
    let ignored = BUILDS.replace("USE", "(void)argc; (void)argv;");
    let folder = folder(&format!("int __VERIFIER_nondet_int(void);\n{ignored}"));
    for engine in ["auto", "pdr-forall", "pdr-predicates", "sll", "canonical", "proveit"] {
        let ran = folder.run(&["verify", "a.c", "--engine", engine]);
        assert_eq!(ran.code, Some(0), "{engine}: {}{}", ran.out, ran.err);
        assert!(!ran.out.contains("its name"), "{engine}: {}", ran.out);
    }
}

#[test]
fn main_is_given_a_name_and_any_number_of_arguments() {
    let usage = "#include <stdio.h>\nint main(int argc, char **argv) {\n\
        \x20 if (argc < 2) { printf(\"usage: %s\\n\", argv[0]); return 1; }\n\
        \x20 if (argc == 3) { int *p = NULL; return *p; }\n  return argv[1][0];\n}\n";
    let folder = folder(usage);
    let ran = folder.run(&["verify", "a.c"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("main: violated: null-deref at a.c:6:42"), "{}", ran.out);
    assert!(ran.out.contains("note: only if `main` is given nothing"), "{}", ran.out);
    let ran = folder.run(&["verify", "a.c", "--assume", "nothing"]);
    assert!(ran.out.contains("main: violated: null-deref at a.c:5:41"), "{}", ran.out);
    assert!(ran.out.contains(" --> a.c:6:42"), "{}", ran.out);
    // Only the number is looked at: it is any that is not negative.
    let counts = "#include <assert.h>\nint main(int argc, char **argv) {\n\
        \x20 assert(argc > 0);\n  assert(argc != 17);\n  return 0;\n}\n";
    let folder = Folder::new(&[("a.c", counts.as_bytes())]);
    let ran = folder.run(&["verify", "a.c"]);
    assert!(ran.out.contains("main: violated: assertion at a.c:4:3"), "{}", ran.out);
    assert!(ran.out.contains("--heap 'argc = 17'"), "{}", ran.out);
    assert!(ran.out.contains("(`argc` is 0): assertion at a.c:3:3"), "{}", ran.out);
}

#[test]
fn a_run_that_looks_at_nothing_says_so() {
    let folder = Folder::new(&[
        ("empty.c", b"int x;\n"),
        ("real.c", b"int f(void) { int *p = 0; return *p; }\n"),
        ("only.c", b"#include \"real.c\"\n"),
    ]);
    let ran = folder.run(&["verify", "empty.c"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert_eq!(ran.err, "error: `empty.c` defines no procedure to look at\n");
    let ran = folder.run(&["verify", "empty.c", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &report["exit_code"]), (Some(2), &Value::from(2)));
    let ran = folder.run(&["verify", "only.c"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("f: violated: null-deref at real.c:1:34"), "{}", ran.out);
}
