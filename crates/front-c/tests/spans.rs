//! Carets stand under the right tokens of the user's file, macros or not.

use std::fmt::Write;

use expect_test::{Expect, expect};
use trellis_front_c::{Options, load};

/// Writes the files into a folder, loads the first, and lists place and text of every instruction
/// of its last procedure.
fn check(files: &[(&str, &str)], expected: Expect) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let unit = match load(&folder.path().join(files[0].0), &Options::default()) {
        Ok(unit) => unit,
        Err(f) => panic!("{:#?}", f.diagnostics),
    };
    let program = &unit.program;
    let body = program.procs.last().and_then(|p| p.body.as_ref()).expect("a body");
    let mut out = String::new();
    for instr in body.blocks.iter().flat_map(|b| &b.instrs) {
        let (line, col) = program.sources.line_col(instr.span);
        let text = program.sources.snippet(instr.span).replace('\n', "⏎");
        let file = &program.sources.file(instr.span.file).name;
        let file = file.rsplit('/').next().unwrap_or(file);
        writeln!(out, "{file}:{line}:{col} {text}").expect("a string");
    }
    expected.assert_eq(&out);
}

#[test]
fn plain_code() {
    let text = "struct n { struct n *next; int d; };\n\n\
        /* a comment */ int f(struct n *h)   { // another\n\
        \tint s = h->next->d  +   h -> d; /* x */ h->next->next = /* y */ h;\n\
        \treturn s;\n}\n";
    check(
        &[("a.c", text)],
        expect![[r#"
        a.c:4:10 h->next
        a.c:4:10 h->next->d
        a.c:4:26 h -> d
        a.c:4:6 s = h->next->d  +   h -> d
        a.c:4:42 h->next
        a.c:4:42 h->next->next = /* y */ h
    "#]],
    );
}

#[test]
fn macros() {
    let text = "#include <assert.h>\n#include <stdlib.h>\n\
        #define FIRST(l) ((l)->next)\n#define EACH(p, l) for (p = FIRST(l); p != NULL; p = FIRST(p))\n\
        #define TWICE(x) ((x) + (x))\n\
        struct n { struct n *next; int d; };\n\
        int f(struct n *h) {\n  struct n *p; int s = 0;\n\
        \x20 assert(h != NULL && h->d > 0); assert(h->next);\n\
        \x20 EACH(p, h) s += TWICE(p->d) + h->d;\n\
        \x20 s = TWICE(h->next\n             ->d) + h->next->d;\n\
        \x20 return s;\n}\n";
    check(
        &[("a.c", text)],
        expect![[r#"
            a.c:8:20 s = 0
            a.c:9:23 h->d
            a.c:9:10 h != NULL && h->d > 0
            a.c:9:10 h != NULL && h->d > 0
            a.c:9:3 assert(h != NULL && h->d > 0); assert(h->next)
            a.c:9:41 h->next
            a.c:9:34 assert(h->next)
            a.c:10:3 EACH(p, h)
            a.c:10:25 p->d
            a.c:10:25 p->d
            a.c:10:33 h->d
            a.c:10:14 s += TWICE(p->d) + h->d
            a.c:10:3 EACH(p, h)
            a.c:11:13 h->next
            a.c:11:13 h->next⏎             ->d
            a.c:11:13 h->next
            a.c:11:13 h->next⏎             ->d
            a.c:12:21 h->next
            a.c:12:21 h->next->d
            a.c:11:3 s = TWICE(h->next⏎             ->d) + h->next->d
        "#]],
    );
}

#[test]
fn headers() {
    let list = "struct n { struct n *next; };\n\
        static inline struct n *last(struct n *l) {\n  while (l->next) l = l->next;\n  return l;\n}\n";
    check(
        &[("a.c", "#include \"list.h\"\n"), ("list.h", list)],
        expect![[r#"
        list.h:3:10 l->next
        list.h:3:23 l->next
    "#]],
    );
}

#[test]
fn ghost_code_and_contracts() {
    let text = "#include <stddef.h>\nstruct n { struct n *next; };\n\
        void f(struct n *h) {\n\
        \x20 //@ ghost struct n *first = h->next;\n\
        \x20 /*@ loop invariant h == h;\n      loop invariant first ==\n         first; */\n\
        \x20 while (h) { h = h->next; /*@ ghost first = NULL; */ }\n\
        \x20 //@ assert first == NULL;\n}\n";
    check(
        &[("a.c", text)],
        expect![[r#"
        a.c:4:31 h->next
        a.c:5:22 h == h
        a.c:6:22 first ==⏎         first
        a.c:8:19 h->next
        a.c:8:38 first = NULL
        a.c:9:14 first == NULL
    "#]],
    );
}

/// What is put into preprocessed files moves nothing.
#[test]
fn preprocessed_files_with_old_words() {
    let text = "struct s { int x; };\nint f(int *p) {\n\
        \x20 int n = p[0] ?: 3; p[1] = n;\n\
        \x20 p[2] = __builtin_types_compatible_p(struct s, typeof(n)) + p[0];\n\
        \x20 return 0;\n}\n\
        main() {\n  int a[3] = { 0 }; /* x */ f(a);  a[1] = a[0] ? : a[2];\n  return a[1];\n}\n";
    check(
        &[("a.i", text)],
        expect![[r#"
        a.i:8:7 a
        a.i:8:7 a[3] = { 0 }
        a.i:8:16 0
        a.i:8:29 f(a)
        a.i:8:43 a[0]
        a.i:8:52 a[2]
        a.i:8:52 a[2]
        a.i:8:43 a[0]
        a.i:8:36 a[1] = a[0] ? : a[2]
        a.i:9:10 a[1]
    "#]],
    );
}
