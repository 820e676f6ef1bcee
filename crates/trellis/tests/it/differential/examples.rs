//! Counterexamples of the examples, run for real: with the values that Trellis chose, the compiled
//! program fails in the same way on the same line.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use trellis_driver::explore::machine_options;
use trellis_driver::{Budget, Explore, Options, Progress, Task, verify_procedure};
use trellis_program::concrete::{InitialHeap, Machine, Scripted, Value};

use super::{Observed, in_parallel, interpret, sanitizer};
use crate::examples::c_files;
use crate::root;

/// Kinds that need Trellis: contracts, values that were never written, and calls of functions that
/// have another type.
const INVISIBLE: &[&str] = &[
    "bad-call",
    "uninit",
    "spec-assert",
    "loop-invariant",
    "precondition",
    "postcondition",
    "assigns",
    "acyclic",
];

/// The verifier's functions, fed from the environment, and a `main` that passes strings of one
/// character, given as numbers, and leaves no traces on the
/// stack for the leak sanitizer to find.
const SHIM: &str = r#"
#include <stdio.h>
#include <stdlib.h>

static long next(const char *variable, char **rest, long otherwise) {
    if (!*rest)
        *rest = getenv(variable);
    char *end;
    long value = strtol(*rest, &end, 10);
    if (end == *rest)
        return otherwise;
    *rest = end;
    return value;
}

static long input(void) {
    static char *rest;
    return next("TRELLIS_INPUTS", &rest, 0);
}

int __VERIFIER_nondet_int(void) { return input(); }
unsigned __VERIFIER_nondet_uint(void) { return input(); }
_Bool __VERIFIER_nondet_bool(void) { return input(); }
char __VERIFIER_nondet_char(void) { return input(); }
long __VERIFIER_nondet_long(void) { return input(); }
void __VERIFIER_assume(int holds) {
    if (!holds) {
        fputs("an assumption does not hold\n", stderr);
        exit(99);
    }
}
__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
    static char *rest;
    return next("TRELLIS_FAILED", &rest, 0) ? NULL : __real_malloc(size);
}

int example_main(int argc, char **argv);
__attribute__((noinline, no_sanitize_address)) static void scrub(void) {
    volatile char space[1 << 17];
    for (int i = 0; i < 1 << 17; i++)
        space[i] = 0;
}

int main(int argc, char **argv) {
    static char text[8][2];
    static char *args[9];
    for (int i = 1; i < argc && i < 9; i++) {
        text[i - 1][0] = atoi(argv[i]);
        args[i - 1] = text[i - 1];
    }
    scrub();
    example_main(argc - 1, args);
    scrub();
    return 0;
}
"#;

/// The options that a `// test:` line asks for.
fn options(text: &str) -> Options {
    let mut options = Options::default();
    let line = text.lines().find_map(|l| l.strip_prefix("// test: ")).unwrap_or("");
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("the option has a value");
        match word {
            "--malloc-may-fail" => options.malloc_may_fail = true,
            "--objects" => options.objects = value().parse().expect("a number"),
            "--check" => options.checks.set(value().parse().expect("a kind"), true),
            "--int-values" => {
                let values = value().split(',').map(|v| v.parse().expect("a number"));
                options.int_values = Some(values.collect());
            }
            // Whoever finds a violation, the interpreter runs it.
            "--engine" => {
                value();
            }
            other => panic!("{other} means nothing to this test"),
        }
    }
    options
}

/// The counterexample that Trellis finds for `main`, run again.
fn ours(path: &Path, text: &str) -> Result<(interpret::Run, Vec<i64>), String> {
    let program = interpret::read(path)?;
    let proc = program.find_proc("main").expect("the directive names it");
    let options = options(text);
    let task = Task::new(&program, proc, &options);
    let result = verify_procedure(&Explore, &task, &Budget::default(), &Progress::default());
    let trellis_driver::Verdict::Violated(found) = result.verdict else {
        return Err("is not found to be wrong".to_owned());
    };
    let machine = Machine::new(&program, machine_options(&task));
    let run = interpret::run_with(&machine, &found.initial, &mut Scripted::new(&found.choices));
    Ok((run, arguments(&found.initial)))
}

/// The first characters of the strings that `main` gets.
fn arguments(initial: &InitialHeap) -> Vec<i64> {
    let memory = &initial.memory;
    let cells = |v: &Value| v.pointer().map_or(&[][..], |p| memory.cells_of(p.obj));
    let strings = initial.args.get(1).map_or(&[][..], cells);
    let first = |s: &Value| cells(s).first().copied();
    strings.iter().filter_map(first).map(|c| if let Value::Int(i) = c { i } else { 0 }).collect()
}

/// What both say, if it is not the same.
fn compare(path: &Path, text: &str, folder: &Path, shim: &Path) -> Result<(), String> {
    let (ours, arguments) = ours(path, text)?;
    let name = path.file_name().and_then(|n| n.to_str()).expect("a UTF-8 name");
    let binary =
        folder.join(path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('/', "-"));
    let object = binary.with_extension("o");
    sanitizer::compile(&[path.to_owned()], &["-c", "-Dmain=example_main"], &object);
    sanitizer::compile(&[object, shim.to_owned()], &["-Wl,--wrap=malloc"], &binary);
    let list = |values: &mut dyn Iterator<Item = i64>| {
        values.map(|v| v.to_string()).collect::<Vec<_>>().join(" ")
    };
    let env = [
        ("TRELLIS_INPUTS", list(&mut ours.inputs.iter().copied())),
        ("TRELLIS_FAILED", list(&mut ours.failed_mallocs.iter().map(|f| i64::from(*f)))),
    ];
    let arguments: Vec<String> = arguments.iter().map(i64::to_string).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let theirs = sanitizer::run(&binary, &arguments, &env, name);
    let clear = !matches!(ours.observed, Observed::Unclear(_));
    if clear && ours.observed == theirs.observed {
        return Ok(());
    }
    Err(format!(
        "interpreter: {}\nsanitizer: {}\ninputs: {env:?}\n{}",
        ours.observed, theirs.observed, theirs.report
    ))
}

#[test]
fn counterexamples_of_the_examples_fail_for_real() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let folder = folder.path();
    let shim = folder.join("shim.c");
    fs::write(&shim, SHIM).expect("the scratch folder is writable");
    let files: Vec<_> = c_files(&root().join("examples"))
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(&path).expect("a C file");
            let expected = text.lines().find_map(|l| l.strip_prefix("// expect: main violated "));
            let visible = expected.is_some_and(|kind| !INVISIBLE.contains(&kind.trim()));
            // The compiler of the tests has 64 bits.
            let visible = visible && !text.contains("--data-model ilp32");
            visible.then_some((path, text))
        })
        .collect();
    assert!(files.len() >= 30, "only {} examples are wrong in a visible way", files.len());
    let problems = Mutex::new(BTreeMap::new());
    in_parallel(files.len(), |i| {
        let (path, text) = &files[i];
        if let Err(why) = compare(path, text, folder, &shim) {
            problems.lock().expect("no panic").insert(path.clone(), why);
        }
    });
    let problems = problems.into_inner().expect("no panic");
    let lines: Vec<_> = problems.iter().map(|(p, why)| format!("{}: {why}", p.display())).collect();
    assert!(
        lines.is_empty(),
        "{} of {} examples disagree:\n{}",
        lines.len(),
        files.len(),
        lines.join("\n")
    );
}
