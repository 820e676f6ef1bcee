//! What cannot be used: one readable message at the right place.

use std::fmt::Write;
use std::path::Path;

use expect_test::{Expect, expect};
use trellis_front_c::{Options, load, load_str};
use trellis_program::{Diagnostic, SourceMap};

/// `line:column: severity: message`, the line and carets, label and help.
fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for d in diagnostics {
        match d.span {
            Some(span) => {
                let (line, col) = sources.line_col(span);
                writeln!(out, "{line}:{col}: {}: {}", d.severity, d.message).expect("a string");
                let (start, end) = sources.file(span.file).line_range(line).unwrap_or((0, 0));
                let text = &sources.file(span.file).text[start as usize..end as usize];
                let carets = (span.end.min(end) - span.start).max(1) as usize;
                writeln!(
                    out,
                    "  {text}\n  {}{} {}",
                    " ".repeat(col - 1),
                    "^".repeat(carets),
                    d.label
                )
                .expect("a string");
            }
            None => writeln!(out, "{}: {}", d.severity, d.message).expect("a string"),
        }
        if let Some(help) = &d.help {
            writeln!(out, "  help: {help}").expect("a string");
        }
    }
    out.lines().map(|l| format!("{}\n", l.trim_end())).collect()
}

fn check(text: &str, expected: Expect) {
    let failure = load_str("a.c", text).expect_err("this is not a program");
    assert!(failure.diagnostics.iter().any(|d| d.severity == trellis_program::Severity::Error));
    expected.assert_eq(&render(&failure.diagnostics, &failure.sources));
}

#[test]
fn names_and_members() {
    check(
        "struct node { struct node *next; int data; };\n\
         int f(struct node *h) { return h->dtaa + count; }\n\
         int g(struct node h) { return h->data; }\n\
         int k(struct node *h) { return h.data + (*h).data; }\n",
        expect![[r#"
            2:35: error: `struct node` has no member `dtaa`
              int f(struct node *h) { return h->dtaa + count; }
                                                ^^^^
              help: did you mean `data`?
            2:42: error: nothing is called `count` here
              int f(struct node *h) { return h->dtaa + count; }
                                                       ^^^^^
            3:31: error: this is a `struct node`, not a pointer
              int g(struct node h) { return h->data; }
                                            ^
              help: use `.` to reach a member of a struct
            4:34: error: `struct node *` is not a struct or union, so it has no member `data`
              int k(struct node *h) { return h.data + (*h).data; }
                                               ^^^^
              help: use `->` to reach a member through a pointer
        "#]],
    );
    check(
        "int f(int value) { return valeu; }",
        expect![[r#"
        1:27: error: nothing is called `valeu` here
          int f(int value) { return valeu; }
                                    ^^^^^
          help: did you mean `value`?
    "#]],
    );
    check(
        "void f(void) { int *p = mallco(4); goto ned; end:; }",
        expect![[r#"
            1:25: warning: `mallco` is called without a declaration
              void f(void) { int *p = mallco(4); goto ned; end:; }
                                      ^^^^^^
              help: did you mean `malloc`?
            1:41: error: no label is called `ned`
              void f(void) { int *p = mallco(4); goto ned; end:; }
                                                      ^^^
              help: did you mean `end`?
            1:25: unsupported: not supported: a call of `mallco`, which has no body and no contract
              void f(void) { int *p = mallco(4); goto ned; end:; }
                                      ^^^^^^^^^
        "#]],
    );
    check(
        "struct s; int f(struct s *p) { return p->x + sizeof(struct s); }",
        expect![[r#"
        1:39: error: `struct s` is declared but not defined
          struct s; int f(struct s *p) { return p->x + sizeof(struct s); }
                                                ^^^^
        1:46: error: the size of `struct s` is not known here
          struct s; int f(struct s *p) { return p->x + sizeof(struct s); }
                                                       ^^^^^^^^^^^^^^^^
    "#]],
    );
    check(
        "int f(void) { return x; }\n\n\nint f(void) { return 2; }",
        expect![[r#"
            4:5: error: `f` is defined twice
              int f(void) { return 2; }
                  ^ here
            1:22: error: nothing is called `x` here
              int f(void) { return x; }
                                   ^
        "#]],
    );
}

#[test]
fn calls_and_types() {
    check(
        "int g(int a, int b); void h(void) {}\n\
         struct s { int x; }; struct t { int x; };\n\
         int f(struct s *p) { struct t u; *p = u; return g(1) + h(2) + *3 + p(); }\n",
        expect![[r#"
            3:34: error: a value of type `struct t` does not convert to `struct s`
              int f(struct s *p) { struct t u; *p = u; return g(1) + h(2) + *3 + p(); }
                                               ^^^^^^
            3:49: error: `g` takes 2 arguments, but 1 was given
              int f(struct s *p) { struct t u; *p = u; return g(1) + h(2) + *3 + p(); }
                                                              ^
            3:56: error: `h` takes 0 arguments, but 1 was given
              int f(struct s *p) { struct t u; *p = u; return g(1) + h(2) + *3 + p(); }
                                                                     ^
            3:63: error: a value of type `int` cannot be dereferenced
              int f(struct s *p) { struct t u; *p = u; return g(1) + h(2) + *3 + p(); }
                                                                            ^^
            3:68: error: a value of type `struct s *` cannot be called
              int f(struct s *p) { struct t u; *p = u; return g(1) + h(2) + *3 + p(); }
                                                                                 ^
        "#]],
    );
    check(
        "int a[2] = {1, 2, 3}; int b = f(); int f(void);",
        expect![[r#"
            1:31: warning: `f` is called without a declaration
              int a[2] = {1, 2, 3}; int b = f(); int f(void);
                                            ^
            1:19: error: there are more values here than places
              int a[2] = {1, 2, 3}; int b = f(); int f(void);
                                ^
            1:31: error: the initial value of a global must be a constant
              int a[2] = {1, 2, 3}; int b = f(); int f(void);
                                            ^^^
        "#]],
    );
    check(
        "int a; int b = a; _Static_assert(sizeof(int) == 8, \"no\");",
        expect![[r#"
        1:16: error: the initial value of a global must be a constant
          int a; int b = a; _Static_assert(sizeof(int) == 8, "no");
                         ^
        1:34: error: this static assertion is false
          int a; int b = a; _Static_assert(sizeof(int) == 8, "no");
                                           ^^^^^^^^^^^^^^^^
    "#]],
    );
    check(
        "void f(int x) { break; case 1: ; switch (x) { case 1: case 1: ; } }",
        expect![[r#"
        1:17: error: `break` outside a loop
          void f(int x) { break; case 1: ; switch (x) { case 1: case 1: ; } }
                          ^^^^^^
        1:29: error: `case` outside a `switch`
          void f(int x) { break; case 1: ; switch (x) { case 1: case 1: ; } }
                                      ^
        1:60: error: this `switch` has that `case` already
          void f(int x) { break; case 1: ; switch (x) { case 1: case 1: ; } }
                                                                     ^
    "#]],
    );
}

#[test]
fn syntax() {
    check(
        "int f(void) { return 1 }\n",
        expect![[r#"
        1:24: error: syntax error: unexpected `}`
          int f(void) { return 1 }
                                 ^ expected `;` or `,`
    "#]],
    );
    check(
        "int f(void) {\n  int x = 3;\n",
        expect![[r#"
        2:12: error: syntax error: the file ends too early
            int x = 3;
                     ^ expected `;` or `}`
    "#]],
    );
    check(
        "foo *f(void) { return 0; }\n",
        expect![[r#"
            1:1: error: no type is called `foo`
              foo *f(void) { return 0; }
              ^^^
              help: is a header or a declaration missing?
        "#]],
    );
    check(
        "int f(void) { node *n = 0; return 1; }\n",
        expect![[r#"
            1:15: error: no type is called `node`
              int f(void) { node *n = 0; return 1; }
                            ^^^^
              help: is a header or a declaration missing?
        "#]],
    );
    check(
        "int f(int x) { if x > 1 return 2; }\n",
        expect![[r#"
            1:19: error: syntax error: `x` cannot stand here
              int f(int x) { if x > 1 return 2; }
                                ^
        "#]],
    );
    check(
        "int f(int x) { return x + ; }\n",
        expect![[r#"
        1:27: error: syntax error: unexpected `;`
          int f(int x) { return x + ; }
                                    ^ expected an expression
    "#]],
    );
    check(
        "int x; /* never",
        expect![[r#"
        1:8: error: this comment never ends
          int x; /* never
                 ^^
    "#]],
    );
    check(
        "struct node { int x; };\nint f(void) { node n; return 1; }\n",
        expect![[r#"
        2:15: error: no type is called `node`
          int f(void) { node n; return 1; }
                        ^^^^
          help: did you mean `struct node`?
    "#]],
    );
    check(
        "struct node { int x; };\nint f(void) { node *n; return 1; }\n",
        expect![[r#"
        2:15: error: nothing is called `node` here
          int f(void) { node *n; return 1; }
                        ^^^^
          help: did you mean the type `struct node`?
        2:21: error: nothing is called `n` here
          int f(void) { node *n; return 1; }
                              ^
    "#]],
    );
}

#[test]
fn hostile_nesting() {
    let hostile = [
        format!("int x = {}1{};", "(".repeat(5000), ")".repeat(5000)),
        format!("int x = {}1;", "- ".repeat(50_000)),
        format!("int f(int x) {{ {} ; }}", "if (x) x++; else ".repeat(20_000)),
        format!("int f(int x) {{ {} }}", "{".repeat(20_000)),
        format!("int f(int x) {{ {} ; }}", "while (x) ".repeat(20_000)),
    ];
    for text in hostile {
        let failure = load_str("a.c", &text).expect_err("too deep");
        assert_eq!(failure.diagnostics[0].message, "this nests too deeply to be read");
    }
    let deep = format!("int x = {}1{};", "(".repeat(150), ")".repeat(150));
    assert!(load_str("a.c", &deep).is_ok());
    let long = format!("int f(int x) {{ return x{}; }}", " + x".repeat(1500));
    assert!(load_str("a.c", &long).is_ok());
}

#[test]
fn annotations() {
    check(
        "struct n { struct n *next; };\n\
         //@ requires reach(nxt, h, NULL);\n\
         void f(struct n *h) {\n\
         //@ loop invariant h == NULL;\n\
         h = h->next;\n\
         //@ assert hh == h;\n\
         ;\n\
         }\n\
         //@ ensures \\true;\n\
         int x;\n\
         //@ assert \\true;\n",
        expect![[r#"
            2:20: error: `struct n` has no field `nxt`
              //@ requires reach(nxt, h, NULL);
                                 ^^^
              help: did you mean `next`?
            6:12: error: unknown name `hh`
              //@ assert hh == h;
                         ^^
              help: did you mean `h`?
            4:20: error: this `loop invariant` is not attached to anything
              //@ loop invariant h == NULL;
                                 ^^^^^^^^^
              help: it must stand directly before a loop
            9:13: error: this `ensures` is not attached to anything
              //@ ensures \true;
                          ^^^^^
              help: it must stand directly before a function
            11:12: error: this `assert` is not attached to anything
              //@ assert \true;
                         ^^^^^
              help: it must stand inside a function, before a statement
        "#]],
    );
    check(
        "//@ requires x >;\nvoid f(int x) {}\n",
        expect![[r#"
        1:17: error: expected an expression
          //@ requires x >;
                          ^ found `;`
    "#]],
    );
}

#[test]
fn ghosts() {
    check(
        "int f(int x) {\n\
         //@ ghost int g = x;\n\
         //@ ghost x = g;\n\
         if (x)\n\
         //@ ghost g = 2;\n\
         x = 1;\n\
         return g;\n\
         }\n",
        expect![[r#"
            3:11: error: ghost code may only assign ghost variables
              //@ ghost x = g;
                        ^
            5:11: error: put braces around this ghost code and the statement after it
              //@ ghost g = 2;
                        ^^^^^^
            7:8: error: `g` is a ghost: only contracts may use it
              return g;
                     ^
        "#]],
    );
}

fn check_file(name: &str, content: &[u8], expected: Expect) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file");
    let failure = load(&path, &Options::default()).expect_err("this is not a program");
    let text = render(&failure.diagnostics, &failure.sources);
    let shown = text.replace(&folder.path().display().to_string(), "DIR");
    expected.assert_eq(&shown);
}

#[test]
fn files() {
    check_file(
        "a.c",
        b"int x;\n#include \"missing.h\"\nint y;\n",
        expect![[r#"
        2:10: error: cannot find the header `missing.h`
          #include "missing.h"
                   ^^^^^^^^^^^ included here
          help: give the folder that holds it with `-I`
    "#]],
    );
    check_file(
        "a.c",
        b"#error no luck\n",
        expect![[r#"
        1:2: error: #error no luck
          #error no luck
           ^^^^^^^^^^^^^
    "#]],
    );
    check_file(
        "a.c",
        b"\x7fELF\0\0\0",
        expect![[r#"
        error: `DIR/a.c` is a binary file, not C source
    "#]],
    );
    check_file(
        "a.c",
        b"#include <stdlib.h>\n#define LAST(p)  (p)->lsat\nstruct s { int last; };\nint f(struct s *p) { return 1 +  LAST(p); }\n",
        expect![[r#"
            4:34: error: `struct s` has no member `lsat`
              int f(struct s *p) { return 1 +  LAST(p); }
                                               ^^^^^^^
              help: did you mean `last`?
        "#]],
    );
    let missing = load(Path::new("no/such/file.c"), &Options::default()).expect_err("no file");
    expect![[r#"
        error: there is no file `no/such/file.c`
    "#]]
    .assert_eq(&render(&missing.diagnostics, &missing.sources));
    let folder = load(Path::new("."), &Options::default()).expect_err("a folder");
    expect![[r#"
        error: `.` is a folder, not a C file
    "#]]
    .assert_eq(&render(&folder.diagnostics, &folder.sources));
}

#[test]
fn parameters_of_no_size_and_those_that_no_host_passes() {
    check(
        "struct late;\n\
         int f(struct late q) { return 0; }\n\
         int main(struct) { return 0; }\n",
        expect![[r#"
            2:19: error: a parameter has the type `struct late`, which is incomplete
              int f(struct late q) { return 0; }
                                ^
            3:10: error: a parameter has the type `anonymous struct`, which is incomplete
              int main(struct) { return 0; }
                       ^^^^^^
        "#]],
    );
    check(
        "struct pair { int x, y; };\n\
         int main(struct pair p, int *v, char **w) { return p.x + *v + **w; }\n",
        expect![[r#"
            2:22: error: a parameter of `main` has the type `struct pair`
              int main(struct pair p, int *v, char **w) { return p.x + *v + **w; }
                                   ^ expected `int`
            2:30: error: a parameter of `main` has the type `int *`
              int main(struct pair p, int *v, char **w) { return p.x + *v + **w; }
                                           ^ expected `char **`
        "#]],
    );
}
