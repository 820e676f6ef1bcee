//! Properties of whole programs, as competitions name them, and which answers fail.

use crate::cli::Folder;

const HEAD: &str =
    "#include <stdlib.h>\nint __VERIFIER_nondet_int(void); void reach_error(void);\n";

/// The exit code of one property of a program.
fn answer(code: &str, property: &str) -> Option<i32> {
    let text = format!("{HEAD}{code}");
    Folder::new(&[("a.c", text.as_bytes())]).run(&["verify", "a.c", "--property", property]).code
}

#[test]
fn only_the_property_counts() {
    let yes = Some(0);
    let no = Some(1);
    for (code, property, expected) in [
        // What a run with undefined behaviour does is not known.
        (
            "int main(void) { int *p = 0; *p = 1; reach_error(); return 0; }",
            "unreach-call",
            Some(3),
        ),
        ("int main(void) { if (0) reach_error(); return 0; }", "unreach-call", yes),
        ("int main(void) { int *p = 0; *p = 1; return 0; }", "valid-deref", no),
        (
            "int main(void) { if (__VERIFIER_nondet_int()) reach_error(); return 0; }",
            "unreach-call",
            no,
        ),
        ("int main(void) { reach_error(); return 0; }", "valid-deref", yes),
        ("int main(void) { int *p = malloc(4); free(p); free(p); return 0; }", "valid-free", no),
        (
            "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }",
            "valid-deref",
            Some(3),
        ),
        (
            "static int f(int n) { int a[n]; a[0] = 1; return a[0]; } int main(void) { return f(0); }",
            "memsafety",
            Some(3),
        ),
        ("int main(void) { int *p = malloc(4); free(p); free(p); return 0; }", "memsafety", no),
        ("int main(void) { int *p = malloc(4); return p != 0; }", "valid-memtrack", no),
        ("int main(void) { int *p = malloc(4); return p != 0; }", "valid-deref", yes),
        ("int *g; int main(void) { g = malloc(4); return 0; }", "valid-memtrack", yes),
        ("int *g; int main(void) { g = malloc(4); return 0; }", "valid-memcleanup", no),
        ("int *g[2]; int main(void) { g[1] = malloc(4); return 0; }", "valid-memcleanup", no),
        ("int *g; int main(void) { g = malloc(4); free(g); return 0; }", "valid-memcleanup", yes),
        ("int main(void) { int *p = malloc(4); exit(0); }", "valid-memtrack", yes),
        ("int main(void) { int *p = malloc(4); exit(0); }", "valid-memcleanup", no),
        ("int main(void) { int *p = malloc(4); abort(); }", "valid-memtrack", yes),
        ("int main(void) { int *p = malloc(4); abort(); }", "valid-memcleanup", no),
        ("int main(void) { int *p = malloc(4); free(p); abort(); }", "valid-memcleanup", yes),
        (
            "static void fail(void) { abort(); }\n\
             int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) fail(); free(p); return 0; }",
            "valid-memcleanup",
            no,
        ),
        (
            "#include <assert.h>\n\
             int main(void) { int *p = malloc(4); assert(p == 0); free(p); return 0; }",
            "valid-memcleanup",
            no,
        ),
        (
            "#include <assert.h>\n\
             int main(void) { int *p = malloc(4); assert(p != 0); free(p); return 0; }",
            "valid-memcleanup",
            yes,
        ),
        // What the error function does, where the call alone does not count.
        (
            "void reach_error(void) { } int main(void) { reach_error(); *(int *)0 = 1; return 0; }",
            "valid-deref",
            no,
        ),
        (
            "void reach_error(void) { abort(); } int main(void) { reach_error(); *(int *)0 = 1; return 0; }",
            "valid-deref",
            yes,
        ),
        (
            "void reach_error(void) { } int main(void) { int *p = malloc(4); reach_error(); free(p); return 0; }",
            "valid-memcleanup",
            yes,
        ),
        (
            "void reach_error(void) { } int main(void) { void (*f)(void) = reach_error; f(); return 0; }",
            "unreach-call",
            no,
        ),
        (
            "void __VERIFIER_error(void) { } static void call(void (*f)(void)) { f(); }\n\
             int main(void) { call(__VERIFIER_error); return 0; }",
            "unreach-call",
            no,
        ),
        // Annotations are no code.
        (
            "int main(void) { int x = 0; //@ assert x == 1;\n *(int *)0 = 1; return 0; }",
            "valid-deref",
            no,
        ),
        (
            "int main(void) { int a[2]; return a[__VERIFIER_nondet_int() == 7 ? 2 : 0] * 0; }",
            "valid-deref",
            no,
        ),
    ] {
        assert_eq!(answer(code, property), expected, "{property}: {code}");
    }
}

#[test]
fn what_was_never_written() {
    // An address is dereferenced or freed.
    assert_eq!(answer("int main(void) { int *p; *p = 1; return 0; }", "valid-deref"), Some(1));
    assert_eq!(answer("int main(void) { int *p; free(p); return 0; }", "valid-free"), Some(1));
    // A branch is none of it, and both ways are followed.
    let branch = "int main(void) { int x; if (x) return 1; return 0; }";
    assert_ne!(answer(branch, "valid-deref"), Some(1));
    let behind = "int main(void) { int x; int *p = 0; if (x) *p = 1; return 0; }";
    assert_eq!(answer(behind, "valid-deref"), Some(1));
    let unwritten = "int main(void) { int x; int *p; if (x) *p = 1; return 0; }";
    assert_ne!(answer(unwritten, "valid-deref"), Some(0));
    let reached = "int main(void) { int x; if (x) reach_error(); return 0; }";
    assert_eq!(answer(reached, "unreach-call"), Some(1));
}

#[test]
fn memory_that_is_lost_for_ever() {
    let lost = "int main(void) { int *p = malloc(4); p = 0; while (1) { } return 0; }";
    assert_ne!(answer(lost, "valid-memtrack"), Some(0));
    assert_ne!(answer(lost, "memsafety"), Some(0));
    let deeper = "static void f(void) { int *p = malloc(4); p = 0; f(); }\n\
        int main(void) { f(); return 0; }";
    assert_ne!(answer(deeper, "valid-memtrack"), Some(0));
    let held = "int main(void) { int *p = malloc(4); while (__VERIFIER_nondet_int()) { } free(p); return 0; }";
    assert_eq!(answer(held, "valid-memtrack"), Some(0));
    let ended = "static void stop(void) { exit(0); }\nint *g;\n\
        int main(void) { g = malloc(4); stop(); return 0; }";
    assert_eq!(answer(ended, "valid-memtrack"), Some(0));
    assert_eq!(answer(ended, "valid-memcleanup"), Some(1));
    // What the host passed is not the program's to free; what is put there is.
    let passed = "int main(int argc, char **argv) { if (argc < 2) exit(1); return argv[0] == 0; }";
    assert_ne!(answer(passed, "valid-memcleanup"), Some(1));
    let put = "int main(int argc, char **argv) { argv[0] = malloc(4); return argc == 0; }";
    assert_ne!(answer(put, "valid-memcleanup"), Some(0));
}

#[test]
fn files_of_properties() {
    let prp =
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
    let call = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    let code = format!("{HEAD}int main(void) {{ int *p = 0; *p = 1; return 0; }}");
    let sound = format!("{HEAD}int main(void) {{ int i = 0, *p = &i; *p = 1; return 0; }}");
    let folder = Folder::new(&[
        ("a.c", code.as_bytes()),
        ("sound.c", sound.as_bytes()),
        ("mem.prp", prp.as_bytes()),
        ("call.prp", call.as_bytes()),
        ("bad.prp", b"CHECK( init(main()), LTL(F end) )\n"),
        ("f.c", b"int f(void) { return 0; }\n"),
    ]);
    assert_eq!(folder.run(&["verify", "a.c", "--property", "mem.prp"]).code, Some(1));
    assert_eq!(folder.run(&["verify", "sound.c", "--property", "call.prp"]).code, Some(0));
    // What is undefined may do anything, calls of the error function included.
    assert_eq!(folder.run(&["verify", "a.c", "--property", "call.prp"]).code, Some(3));
    let both = ["verify", "a.c", "--property", "call.prp", "--property", "valid-deref"];
    assert_eq!(folder.run(&both).code, Some(1));
    let ran = folder.run(&["verify", "a.c", "--property", "bad.prp"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("line 1: no property is called `F") || ran.err.contains("line 1: `CHECK("),
        "{}",
        ran.err
    );
    let ran = folder.run(&["verify", "f.c", "--property", "valid-deref"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no procedure is called `main`"), "{}", ran.err);
}

#[test]
fn which_answers_fail() {
    let folder = Folder::new(&[
        ("open.c", b"int f(int *p) { return *p; }\n"),
        ("bad.c", b"int f(void) { int *p = 0; return *p; }\n"),
        ("good.c", b"int f(void) { return 0; }\n"),
    ]);
    for (file, strict, lenient) in [("open.c", 3, 0), ("bad.c", 1, 1), ("good.c", 0, 0)] {
        assert_eq!(folder.run(&["verify", file]).code, Some(strict), "{file}");
        let args = ["verify", file, "--fail-on", "unknown"];
        assert_eq!(folder.run(&args).code, Some(strict), "{file}");
        let args = ["verify", file, "--fail-on", "violated"];
        assert_eq!(folder.run(&args).code, Some(lenient), "{file}");
    }
    assert_eq!(folder.run(&["verify", "none.c", "--fail-on", "violated"]).code, Some(2));
}

#[test]
fn a_build_says_how_files_are_read() {
    let commands = r#"[
  { "directory": "sub", "file": "../a.c", "command": "cc -Iinc -DLIMIT='2' -std=c99 -c ../a.c" },
  { "directory": ".", "file": "b.c", "arguments": ["cc", "-ULIMIT", "-include", "sub/pre.h", "b.c"] }
]"#;
    let folder = Folder::new(&[
        ("compile_commands.json", commands.as_bytes()),
        ("bad.json", b"[\n  { \"file\": \"a.c\" }\n]"),
        ("a.c", b"#include \"two.h\"\nint b(void);\nint main(void) { return 4 / (LIMIT - TWO + b()); }\n"),
        ("b.c", b"int b(void) {\n#ifdef LIMIT\n  return 1;\n#else\n  return PRE;\n#endif\n}\n"),
    ]);
    std::fs::create_dir_all(folder.path("sub/inc")).expect("a folder");
    std::fs::write(folder.path("sub/inc/two.h"), "#define TWO 2\n").expect("a header");
    std::fs::write(folder.path("sub/pre.h"), "#define PRE 0\n").expect("a header");
    let ran = folder.run(&["verify", "-p", "compile_commands.json"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("main: violated: div-by-zero"), "{}", ran.out);
    assert!(ran.out.contains(" -p compile_commands.json"), "{}", ran.out);
    assert_eq!(folder.run(&["verify", "-p", ".", "a.c", "b.c"]).code, Some(1));
    let run = ["run", "-p", ".", "a.c", "b.c"];
    assert_eq!(folder.run(&run).code, Some(1));
    let ran = folder.run(&["verify", "-p", "bad.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("bad.json:2:3") && ran.err.contains("no `directory`"), "{}", ran.err);
    let ran = folder.run(&["verify", "-p", "none.json", "a.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot read `none.json`"), "{}", ran.err);
}
