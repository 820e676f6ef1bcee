//! Programs of several files: what is one thing, what is two, and what is an error.

use std::fmt::Write;

use expect_test::{Expect, expect};
use trellis_front_c::{C, Failure, Options, Unit};
use trellis_program::{Diagnostic, FrontEnd, Input, SourceMap, Type};

/// Reads texts as the files of one program.
fn link(texts: &[&str]) -> Result<Unit, Failure> {
    let names: Vec<String> = (0..texts.len()).map(|i| format!("{}.c", names(i))).collect();
    let inputs: Vec<Input<'_>> =
        names.iter().zip(texts).map(|(name, text)| Input::Text { name, text }).collect();
    C(Options::default()).load(Input::Program(&inputs))
}

fn names(i: usize) -> char {
    char::from(b'a' + i as u8)
}

fn good(texts: &[&str]) -> Unit {
    link(texts).unwrap_or_else(|f| panic!("{}", render(&f.diagnostics, &f.sources)))
}

fn render(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut out = String::new();
    for d in diagnostics {
        let place = d.span.map_or_else(String::new, |s| format!("{}: ", sources.locate(s)));
        writeln!(out, "{place}{}: {}", d.severity, d.message).expect("a string");
        for (span, label) in &d.related {
            writeln!(out, "  {}: {label}", sources.locate(*span)).expect("a string");
        }
        if let Some(help) = &d.help {
            writeln!(out, "  help: {help}").expect("a string");
        }
    }
    out
}

fn bad(texts: &[&str], expected: Expect) {
    let failure = link(texts).expect_err("this is no program");
    expected.assert_eq(&render(&failure.diagnostics, &failure.sources));
}

#[test]
fn static_functions_of_one_name_are_two_values() {
    let a = "typedef int (*fn)(int); extern fn other(void);\n\
        static int same(int x) { return x + 1; }\n\
        int main(void) { fn f = same, g = other(); return f == g || f(1) != 2 || g(1) != 0; }";
    let b = "typedef int (*fn)(int); static int same(int x) { return x - 1; }\n\
        fn other(void) { return same; }";
    let program = good(&[a, b]).program;
    let main = program.find_proc("main").expect("main");
    let called = trellis_program::cfg::reachable_procs(&program, main);
    let names: Vec<&str> = called.iter().map(|p| program.proc(*p).name.as_str()).collect();
    assert_eq!(names, ["other", "same__a", "main", "same__b"]);
    let objects: Vec<&str> = program.globals.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(objects, ["same__b", "same__a"]);
}

/// Every global and procedure, with the file that defines it.
fn inventory(unit: &Unit) -> String {
    let program = &unit.program;
    let file = |span| program.sources.locate(span).split(':').next().unwrap_or("").to_owned();
    let mut out = String::new();
    for g in &program.globals {
        let ty = program.types.name(g.ty);
        writeln!(out, "{ty} {} ({}) {:?}", g.name, file(g.span), g.init).expect("a string");
    }
    for p in &program.procs {
        let body = if p.body.is_some() { "" } else { ", only declared" };
        let contract = p.contract.requires.len();
        writeln!(out, "{} ({}{body}) {contract} requires", p.name, file(p.span)).expect("a string");
    }
    out
}

#[test]
fn external_names_are_one_and_static_names_are_not() {
    let a =
        "extern int total; static int mine = 1; int use(int); static int f(void) { return mine; }
        int main(void) { return use(total) + f(); }";
    let b = "int total; int total; static int mine = 2; static int f(void) { return mine; }
        int use(int x) { return x + f(); }";
    expect![[r#"
        int total (b.c) []
        int mine__a (a.c) [(0, Int(IntKind { bits: 32, signed: true }), Int(1))]
        int mine__b (b.c) [(0, Int(IntKind { bits: 32, signed: true }), Int(2))]
        use (b.c) 0 requires
        f__a (a.c) 0 requires
        main (a.c) 0 requires
        f__b (b.c) 0 requires
    "#]]
    .assert_eq(&inventory(&good(&[a, b])));
}

#[test]
fn a_variable_that_nobody_defines_has_no_known_value() {
    let unit = good(&["extern int x; int f(void) { return x; }", "extern int x;"]);
    expect![[r#"
        a.c:1:36: unsupported: not supported: the value of `x`, which is defined elsewhere
    "#]]
    .assert_eq(&render(&unit.diagnostics, &unit.program.sources));
    let known = good(&["extern int x; int f(void) { return x; }", "int x = 3;"]);
    assert_eq!(render(&known.diagnostics, &known.program.sources), "");
}

#[test]
fn what_a_header_says_counts_once() {
    let header = "struct n { struct n *next; int d; };
        typedef struct { int x, y; } point;
        /*@ predicate good(struct n *h) = reach(next, h, NULL); */
        /*@ requires good(h); */ int length(struct n *h);
        point origin(void);\n";
    let a = "#include \"list.h\"\nint length(struct n *l) { return l ? 1 : 0; }\n";
    let b = "#include \"list.h\"\npoint origin(void) { point p = {0, 0}; return p; }
        int main(void) { return length(0) + origin().x; }\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for (name, text) in [("list.h", header), ("a.c", a), ("b.c", b)] {
        std::fs::write(path(name), text).expect("a file");
    }
    let paths = [path("a.c"), path("b.c")];
    let inputs = [Input::File(&paths[0]), Input::File(&paths[1])];
    let read = C(Options::default()).load(Input::Program(&inputs));
    let unit = read.unwrap_or_else(|f| panic!("{}", render(&f.diagnostics, &f.sources)));
    let program = &unit.program;
    let named = |name: &str| program.types.records().filter(|r| r.1.name == name).count();
    assert_eq!((named("struct n"), named("point")), (1, 1));
    assert_eq!(program.predicates.len(), 1);
    let length = program.procs.iter().find(|p| p.name == "length").expect("it is there");
    assert_eq!(length.contract.requires.len(), 1);
    // The header is one file, and places in it are places of it.
    let clause = length.contract.requires[0].span;
    assert!(program.sources.locate(clause).ends_with("list.h:4:22"));
}

#[test]
fn one_tag_can_be_two_types() {
    let a = "struct s { int x; }; int f(void) { struct s v = {1}; return v.x; }";
    let b = "struct s { long y; struct s *n; }; long g(struct s *p) { return p->y; }";
    let c = "struct s { long y; struct s *n; }; long g(struct s *p); \
        int main(void) { struct s v = {2, 0}; return g(&v); }";
    let unit = good(&[a, b, c]);
    let records = unit.program.types.records().filter(|r| r.1.name == "struct s");
    let sizes: Vec<u32> = records.filter(|r| r.1.complete).map(|r| r.1.size).collect();
    assert_eq!(sizes, [4, 16]);
}

#[test]
fn an_incomplete_type_is_completed_elsewhere() {
    let a = "struct s; struct s *make(void); int get(struct s *); int main(void) { return get(make()); }";
    let b = "struct s { int x; }; static struct s only; \
        struct s *make(void) { return &only; } int get(struct s *p) { return p->x; }";
    let unit = good(&[a, b]);
    let make = unit.program.procs.iter().find(|p| p.name == "make").expect("it is there");
    let types = &unit.program.types;
    let pointee = types.pointee(make.ret).map(|t| types.get(t).clone());
    assert!(matches!(pointee, Some(Type::Record(r)) if types.record(r).complete));
}

#[test]
fn inline_functions_may_be_in_every_file() {
    let text = "inline int f(void) { return 1; } static inline int g(void) { return f(); }";
    let a = format!("{text} int main(void) {{ return g(); }}");
    let b = format!("{text} extern inline int f(void); int h(void) {{ return g(); }}");
    expect![[r#"
        f (a.c) 0 requires
        g__a (a.c) 0 requires
        main (a.c) 0 requires
        g__b (b.c) 0 requires
        h (b.c) 0 requires
    "#]]
    .assert_eq(&inventory(&good(&[&a, &b])));
}

#[test]
fn two_definitions() {
    bad(
        &[
            "int x = 1; int f(void) { return x; } int main(void) { return 0; }",
            "int x; int f(void) { return 2; } int main(void) { return 0; }",
        ],
        expect![[r#"
            b.c:1:5: error: `x` is defined twice
              a.c:1:5: and here
              help: declare it `extern` in all files but one, or `static` in each
            b.c:1:12: error: `f` is defined twice
              a.c:1:16: and here
              help: make it `static` if each file has its own; if each file is a program of its own, say so with `--separately`
            b.c:1:38: error: `main` is defined twice
              a.c:1:42: and here
              help: if each file is a program of its own, say so with `--separately`
        "#]],
    );
}

#[test]
fn two_types() {
    bad(
        &[
            "int f(int); extern long x; int g; struct s { int a; }; struct s *h(void);",
            "int f(char *s) { return *s; } int x; void g(void) {} \
           struct s { long b; }; struct s *h(void) { return 0; }",
        ],
        expect![[r#"
            b.c:1:5: error: `f` has two types
              a.c:1:5: and with another type here
            b.c:1:35: error: `x` has two types
              a.c:1:25: and with another type here
            b.c:1:43: error: `g` has two types
              a.c:1:32: and with another type here
            b.c:1:86: error: `h` has two types
              a.c:1:66: and with another type here
        "#]],
    );
}

#[test]
fn a_syntax_error_is_in_its_own_file() {
    bad(
        &["typedef int number; number x;", "number y;"],
        expect![[r#"
            b.c:1:1: error: no type is called `number`
              help: is a header or a declaration missing?
        "#]],
    );
    bad(
        &["int x; /* and so on", "int y; */ int z;"],
        expect![[r#"
            a.c:1:8: error: this comment never ends
        "#]],
    );
}

#[test]
fn bytes_of_latin_1_are_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.c");
    let text = b"char s[] = \"\xe9t\xe9\"; /* \xe9 */ char c = '\xff';\n";
    std::fs::write(&path, text).expect("a file");
    let unit = C::default().load(Input::File(&path)).expect("it is C");
    let [s, c] = &unit.program.globals[..] else { panic!("two globals") };
    assert_eq!(unit.program.types.size_of(s.ty), Some(4));
    assert!(format!("{:?}", c.init).contains("Int(-1)"), "{:?}", c.init);
    assert!(unit.program.sources.file(s.span.file).text.contains("\"été\""));
    assert_eq!(unit.program.sources.snippet(c.span), "c");
}

#[test]
fn standard_input_is_preprocessed() {
    let bytes = b"#define N 3\nint f(void) { return N + y; }\n";
    let input = Input::Bytes { name: trellis_front_c::STANDARD_INPUT, bytes };
    let failure = C::default().load(input).expect_err("`y` is not declared");
    let shown = render(&failure.diagnostics, &failure.sources);
    assert_eq!(shown, "<stdin>:2:26: error: nothing is called `y` here\n");
}

#[test]
fn bytes_stand_in_for_a_file() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    std::fs::write(folder.path().join("n.h"), "#define N 3\n").expect("a file");
    let path = folder.path().join("edited.c");
    let name = path.to_str().expect("a UTF-8 name");
    let bytes = b"#include \"n.h\"\nint f(void) { return N + y; }\n";
    let failure = C::default().load(Input::Bytes { name, bytes }).expect_err("no `y`");
    let shown = render(&failure.diagnostics, &failure.sources);
    assert_eq!(shown, format!("{name}:2:26: error: nothing is called `y` here\n"));
    assert!(!path.exists());
}
