//! The compiled code as a judge: verified procedures are run by gcc's sanitizers on small heaps.
//!
//! Many procedures share one file; a case is a procedure with one initial heap, and runs in a
//! process of its own, so that one that crashes, leaks or never ends tells nothing about others. The
//! heap is built before the call by a list of orders; afterwards only what the caller holds (the
//! arguments, the result, the globals) keeps memory from being a leak.
//!
//! Sanitizers see less than Trellis (no contracts, no values that were never written), so a clean
//! run says little; a report of a procedure that was verified is a contradiction.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;

use trellis_program::concrete::{InitialHeap, Lifetime, Pointer, Value};
use trellis_program::{Program, Storage};

use super::program::Procedure;
use crate::differential::{in_parallel, sanitizer};

/// Procedures in one binary.
const BATCH: usize = 40;

/// Names at file scope; every procedure of a batch gets its own.
const FILE_SCOPE: &[&str] = &[
    "node", "list", "pair", "either", "f", "g", "tail", "mark", "cons", "larger", "xmalloc",
    "zeroed", "maybe", "above",
];

/// Not what Trellis checks by default; copies are made by functions, which the sanitizers watch.
const FLAGS: &[&str] = &["-fwrapv", "-fno-sanitize=signed-integer-overflow,shift", "-fno-builtin"];

/// A verified procedure with heaps to run it on.
pub struct Verified {
    /// Its number.
    pub seed: usize,
    /// The procedure.
    pub procedure: Procedure,
    /// For each heap, the orders that build it.
    pub heaps: Vec<String>,
}

/// How the runs ended.
#[derive(Default)]
pub struct Ran {
    /// How many ended in each way.
    pub tally: BTreeMap<String, usize>,
    /// What the sanitizers object to, by number of the procedure.
    pub problems: BTreeMap<usize, String>,
}

/// Runs all heaps of all procedures.
pub fn run_all(verified: &[Verified]) -> Ran {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let all = Mutex::new(Ran::default());
    in_parallel(verified.len().div_ceil(BATCH), |batch| {
        let part = &verified[batch * BATCH..verified.len().min((batch + 1) * BATCH)];
        let binary = folder.path().join(format!("batch{batch}"));
        let source = binary.with_extension("c");
        fs::write(&source, batch_text(part)).expect("the scratch folder is writable");
        sanitizer::compile(&[source], FLAGS, &binary);
        let ran = run_batch(part, &binary);
        let mut all = all.lock().expect("no panic");
        ran.tally.into_iter().for_each(|(key, n)| *all.tally.entry(key).or_default() += n);
        all.problems.extend(ran.problems);
    });
    all.into_inner().expect("no panic")
}

/// Runs every case of a batch, and those with a report once more for the report alone.
fn run_batch(part: &[Verified], binary: &Path) -> Ran {
    let mut ran = Ran::default();
    let output = execute(binary, None);
    let text = String::from_utf8_lossy(&output.stdout);
    let owners: Vec<&Verified> = part.iter().flat_map(|v| v.heaps.iter().map(move |_| v)).collect();
    let mut ends = BTreeMap::new();
    for line in text.lines() {
        let (case, end) = line.split_once(' ').expect("a case and how it ended");
        ends.insert(case.parse::<usize>().expect("a number"), end.to_owned());
    }
    for (case, owner) in owners.iter().enumerate() {
        let end = ends.get(&case).map_or("was not run", String::as_str);
        *ran.tally.entry(end.to_owned()).or_default() += 1;
        if !matches!(end, "clean" | "endless") {
            let report = execute(binary, Some(case));
            let report = String::from_utf8_lossy(&report.stderr).into_owned();
            let text = owner.procedure.text(false);
            ran.problems.entry(owner.seed).or_insert_with(|| {
                format!("// seed {}: verified, but compiled it {end}\n{text}{report}", owner.seed)
            });
        }
    }
    ran
}

fn execute(binary: &Path, case: Option<usize>) -> Output {
    let mut command = Command::new(binary);
    // Names for addresses take longer than the runs; only who is asked for one report gives them.
    let symbols = if case.is_some() { "" } else { ":symbolize=0" };
    command.args(case.map(|c| c.to_string()));
    command.env("ASAN_OPTIONS", format!("{}{symbols}", sanitizer::ASAN));
    command.output().expect("the program was just compiled")
}

/// The orders that build a heap; `None` if it has globals that the harness cannot set.
pub fn orders(program: &Program, heap: &InitialHeap) -> Option<String> {
    let mut out = String::new();
    for id in heap.memory.ids() {
        let object = heap.memory.object(id);
        if object.lifetime != Lifetime::Heap {
            return None;
        }
        let _ = write!(out, "{{NEW,{},{}}},", id.0, object.size);
    }
    for id in heap.memory.ids() {
        for (offset, scalar, value) in heap.memory.contents(&program.types, id) {
            let place = format!("{},{offset}", id.0);
            out.push_str(&order("CELL", &place, program.types.bytes(scalar), value));
        }
    }
    for (i, (global, value)) in program.globals.iter().zip(&heap.globals).enumerate() {
        if global.storage != Storage::Register {
            return None;
        }
        let bytes = program.types.scalar(global.ty).map_or(0, |s| program.types.bytes(s));
        out.push_str(&order("GLOBAL", &format!("{i},0"), bytes, *value));
    }
    for (i, value) in heap.args.iter().enumerate() {
        out.push_str(&order("ARGUMENT", &format!("{i},0"), 8, *value));
    }
    Some(out)
}

/// One value in one place.
fn order(kind: &str, place: &str, bytes: u32, value: Value) -> String {
    match value {
        Value::Ptr(Pointer { obj, off }) => {
            format!("{{{kind},{place},{bytes},{off},{}}},", obj.0 + 1)
        }
        Value::Int(i64::MIN) => format!("{{{kind},{place},{bytes},-{}-1,0}},", i64::MAX),
        Value::Int(i) => format!("{{{kind},{place},{bytes},{i},0}},"),
        Value::Null => format!("{{{kind},{place},{bytes},0,0}},"),
        Value::Undef | Value::Open | Value::Piece(..) | Value::Bytes => String::new(),
    }
}

/// The file of a batch.
fn batch_text(part: &[Verified]) -> String {
    let mut text = String::from(HEAD);
    let mut cases = String::new();
    for Verified { seed, procedure, heaps } in part {
        FILE_SCOPE.iter().for_each(|name| {
            let _ = writeln!(text, "#define {name} {name}_{seed}");
        });
        let _ = write!(text, "#line 1 \"p{seed}.c\"\n{}", procedure.text(false));
        text.push_str(&around(procedure, *seed));
        FILE_SCOPE.iter().for_each(|name| {
            let _ = writeln!(text, "#undef {name}");
        });
        for (i, orders) in heaps.iter().enumerate() {
            let _ =
                writeln!(text, "static const struct order heap_{seed}_{i}[] = {{{orders}{{0}}}};");
            let _ = writeln!(cases, "    {{call_{seed}, globals_{seed}, heap_{seed}_{i}}},");
        }
    }
    let _ = writeln!(text, "static const struct a_case cases[] = {{\n{cases}}};");
    text.push_str(MAIN);
    text
}

/// What a procedure needs besides: a call with the prepared arguments, the addresses of its globals,
/// and bodies of the functions that it only declares.
fn around(procedure: &Procedure, seed: usize) -> String {
    let mut out = String::new();
    let has = |what: &str| procedure.prelude.iter().any(|line| line.contains(what));
    if has("maybe(") {
        out.push_str("struct node *maybe(struct node *x) { return input() % 2 ? x : 0; }\n");
        out.push_str("unsigned long above(unsigned long x) { return x + 1 + input() % 8; }\n");
    }
    let global = if has("struct node *g;") { "&g" } else { "0" };
    let _ = writeln!(out, "static void *const globals_{seed}[] = {{ {global} }};");
    let types = procedure.params.iter().map(|p| p.trim_end_matches(char::is_alphabetic));
    let arguments: Vec<String> =
        types.enumerate().map(|(i, ty)| format!("({ty})held[{i}]")).collect();
    let _ = writeln!(
        out,
        "static void call_{seed}(void) {{ result = (long)f({}); }}",
        arguments.join(", ")
    );
    out
}

/// Inputs from a seed, and the orders of heaps.
const HEAD: &str = r#"#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
enum { DONE, NEW, CELL, GLOBAL, ARGUMENT };
struct order { int kind; int which; int place; int bytes; long value; int object; };
struct a_case { void (*call)(void); void *const *globals; const struct order *heap; };
static long held[8], result;
static char *objects[16];
static unsigned long state;
static int asked;
static unsigned input(void) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return state >> 40;
}
int __VERIFIER_nondet_int(void) {
    static const int values[] = { 0, 1, 2, 3, 5, -1, 7, -2147483647 };
    return values[input() % 8];
}
/* After a while no more, so that most loops end. */
_Bool __VERIFIER_nondet_bool(void) { return asked++ < 8 && input() % 3; }
static void end_quietly(void) { _exit(0); }
#define abort end_quietly
"#;

const MAIN: &str = r#"#line 1 "driver.c"
#undef abort
__attribute__((noinline, no_sanitize_address)) static void scrub(void) {
    volatile char space[1 << 16];
    for (int i = 0; i < 1 << 16; i++)
        space[i] = 0;
}
static void put(const struct order *o, void *const *globals) {
    long value = o->object ? (long)(objects[o->object - 1] + o->value) : o->value;
    void *to = o->kind == CELL ? (void *)(objects[o->which] + o->place)
             : o->kind == GLOBAL ? globals[o->which] : (void *)&held[o->which];
    memcpy(to, &value, o->bytes);
}
static void run(int number, int timed) {
    const struct a_case *c = &cases[number];
    struct itimerval most = { { 0, 0 }, { 0, 100000 } };
    state = number;
    for (const struct order *o = c->heap; o->kind; o++)
        if (o->kind == NEW)
            objects[o->which] = malloc(o->place);
        else
            put(o, c->globals);
    memset(objects, 0, sizeof objects);
    if (!timed)
        alarm(20);
    else
        setitimer(ITIMER_PROF, &most, 0);
    scrub();
    c->call();
    scrub();
    most.it_value.tv_sec = 5;
    setitimer(ITIMER_PROF, &most, 0);
    exit(0);
}
/* How a child ended; one that uses no time any more is stuck in the sanitizer, and is killed. */
static int waited_for(pid_t child, int *status) {
    for (int i = 0; i < 30000; i++) {
        if (waitpid(child, status, WNOHANG) == child)
            return 1;
        usleep(i < 1000 ? 200 : 2000);
    }
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return 0;
}
int main(int argc, char **argv) {
    if (argc > 1)
        run(atoi(argv[1]), 0);
    int said = fileno(tmpfile());
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        int status, ended = 0;
        for (int tries = 0; !ended && tries < 3; tries++) {
            ftruncate(said, 0);
            lseek(said, 0, SEEK_SET);
            pid_t child = fork();
            if (!child) {
                dup2(said, 2);
                run(i, 1);
            }
            ended = waited_for(child, &status);
        }
        /* A report that time runs out on is a report. */
        int silent = lseek(said, 0, SEEK_END) == 0;
        printf("%d %s\n", i, silent && WIFEXITED(status) && !WEXITSTATUS(status) ? "clean"
            : silent && WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? "endless" : "failed");
        fflush(stdout);
    }
    return 0;
}
"#;
