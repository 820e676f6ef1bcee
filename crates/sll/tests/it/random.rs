//! Random list programs: what the engine finds safe is never violated by a small heap.

use trellis_explore::{Config, Outcome as Explored, Progress, explore};
use trellis_front_c::load_str;
use trellis_program::CheckSet;
use trellis_sll::analyse::{Options, Outcome, analyse};
use trellis_sll::check::{self, check};
use trellis_sll::lower::{Settings, lower};

use crate::contracts::TABLE;
use trellis_testkit::clauses::beyond;
use trellis_testkit::constructs::{self, Names};
use trellis_testkit::random::Random;

const VARS: &[&str] = &["a", "b", "c", "d"];
const REQUIRES: &[&str] = &[
    "reach(n, a, \\null) && reach(n, b, \\null)",
    "ls(n, a, \\null)",
    "a != \\null && cyclic(n, a)",
    "!reach(n, a, \\null)",
    "reach(n, a, b)",
    "\\inter(content(n, a), content(n, b)) == \\empty",
    "b == \\null",
    "a != \\null && a->n == \\null",
    "\\separated(a, b)",
];
const ENSURES: &[&str] = &[
    "reach(n, \\result, \\null)",
    "!cyclic(n, \\result)",
    "\\old(reach(n, a, b)) ==> \\result != \\null",
    "reach(n, \\result, \\old(a)) || \\result == \\null",
    "stable(n, \\result)",
    "\\result == \\null || alloc(\\result)",
];

fn condition(random: &mut Random) -> String {
    let (x, y) = (random.pick(VARS), random.pick(VARS));
    match random.below(8) {
        0..=2 => x.to_owned(),
        3 => format!("!{x}"),
        4 => format!("{x} == {y}"),
        5 => format!("{x} != {y} && {x}"),
        6 => format!("{x} && {x}->data < k"),
        _ => format!("{x} && {x}->n != {y}"),
    }
}

fn statement(random: &mut Random, depth: usize, out: &mut String) {
    let (x, y) = (random.pick(VARS), random.pick(VARS));
    let indent = "    ".repeat(depth);
    let mut line = |text: String| out.push_str(&format!("{indent}{text}\n"));
    match random.below(if depth < 3 { 17 } else { 13 }) {
        0 | 1 => line(format!("{x} = {y};")),
        2 => line(format!("{x} = 0;")),
        3..=5 => line(format!("if ({y}) {x} = {y}->n;")),
        6 | 7 => line(format!("if ({x}) {x}->n = {y};")),
        8 => line(format!("if ({x}) {x}->n = 0;")),
        9 => {
            line(format!("{x} = malloc(sizeof(struct node));"));
            line(format!("{x}->data = k; {x}->n = {y};"));
        }
        10 => match random.below(3) {
            0 => line(format!("{x} = {y}->n;")),
            1 => line(format!("free({x}); {x} = 0;")),
            _ => line(format!("assert({x} != {y} || {x} == 0 || k);")),
        },
        11 => line(format!("if ({x} && {x} != {y}) {{ {y} = {x}->n; free({x}); {x} = {y}; }}")),
        12 => {
            line("{".to_owned());
            line(format!("//@ assert reach(n, {x}, {y}) || !reach1(n, {x}, {y});"));
            line("; }".to_owned());
        }
        13 | 14 => {
            let keyword = if random.below(2) == 0 { "while" } else { "if" };
            line(format!("{keyword} ({}) {{", condition(random)));
            for _ in 0..1 + random.below(3) {
                statement(random, depth + 1, out);
            }
            out.push_str(&format!("{indent}}}\n"));
        }
        15 => line(format!("while ({x}) {x} = {x}->n;")),
        _ => line(format!("{x} = help({y});")),
    }
}

/// A program of one procedure with two lists, and a helper that is inlined.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "struct node { struct node *n; int data; };\n\
         void *malloc(unsigned long);\nvoid free(void *);\nvoid reach_error(void);\n"
        .to_owned();
    text.push_str("static struct node *help(struct node *p) {\n");
    let mut helper = String::new();
    match random.below(3) {
        0 => helper.push_str("    while (p && p->n) p = p->n;\n"),
        1 => helper.push_str("    if (p) p = p->n;\n"),
        _ => helper.push_str("    struct node *q = p; if (q) q->n = q;\n"),
    }
    text.push_str(&helper);
    text.push_str("    return p;\n}\n/*@ requires \\true;\n");
    for _ in 0..random.below(3) {
        text.push_str(&format!("    requires {};\n", random.pick(REQUIRES)));
    }
    for _ in 0..random.below(2) {
        text.push_str(&format!("    ensures {};\n", random.pick(ENSURES)));
    }
    text.push_str("*/\nstruct node *f(struct node *a, struct node *b, int k) {\n");
    text.push_str(
        random.pick(&["    struct node *c, *d = 0;\n", "    struct node *c = a, *d = b;\n"]),
    );
    for _ in 0..2 + random.below(5) {
        statement(&mut random, 1, &mut text);
    }
    text.push_str(&format!("    return {};\n}}\n", random.pick(VARS)));
    // `assert` without a header.
    let asserted = text.replace("assert(", "if (!(");
    let mut out = String::new();
    for line in asserted.lines() {
        match line.contains("if (!(") {
            true => out.push_str(&format!("{}) reach_error();\n", line.trim_end_matches(';'))),
            false => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

#[derive(Default, Debug)]
struct Tally {
    verified: usize,
    violated: usize,
    open: usize,
    unsupported: usize,
    /// Contract constructs of the verified ones.
    contracts: Names,
}

fn judge(seed: u64, tally: &mut Tally) {
    let text = program(seed);
    let unit = load_str("random.c", &text)
        .unwrap_or_else(|e| panic!("seed {seed}:\n{text}\n{:?}", e.diagnostics));
    let proc = unit.program.find_proc("f").expect("f");
    let mut checks = CheckSet::default();
    checks.set(trellis_program::CheckKind::Leak, !seed.is_multiple_of(3));
    let list = lower(&unit.program, proc, &Settings { checks, malloc_may_fail: false });
    let sharing = if seed.is_multiple_of(4) { Some(1) } else { None };
    let analysis = analyse(&list, &Options { checks, sharing, ..Options::default() });
    assert_eq!(analysis.outcome, Outcome::Finished);
    let safe = analysis.alarms.is_empty() && analysis.unsupported.is_empty();
    if safe {
        let options = check::Options { checks, ..check::Options::default() };
        if let Err(why) = check(&unit.program, &list, &analysis.states, &options) {
            panic!("seed {seed}:\n{text}\n{why:?}");
        }
    }
    let config = Config { objects: 4, steps: 60, choices: 6, checks, ..Config::default() };
    let explored = explore(&unit.program, proc, &config, &Progress::default()).outcome;
    match explored {
        Explored::Violated(found) => {
            assert!(
                !safe,
                "seed {seed} is found safe but violates {}:\n{text}",
                found.failure.kind
            );
            let expected = analysis.alarms.iter().any(|a| {
                (a.kind, a.point, a.clause)
                    == (found.failure.kind, found.failure.point, found.failure.clause)
            });
            // What stops the analysis may come first.
            let cut = !analysis.unsupported.is_empty();
            assert!(expected || cut, "seed {seed}: {:?} is no alarm:\n{text}", found.failure);
            tally.violated += 1;
        }
        _ if safe => {
            tally.verified += 1;
            tally.contracts.extend(constructs::of_procedure(&unit.program, proc));
        }
        _ if !analysis.unsupported.is_empty() => tally.unsupported += 1,
        _ => tally.open += 1,
    }
}

#[test]
fn nothing_safe_is_violated() {
    let programs = if std::env::var("TRELLIS_SLOW").is_ok() { 5000 } else { 150 };
    let mut tally = Tally::default();
    for seed in 0..programs {
        judge(seed, &mut tally);
    }
    eprintln!("{programs} programs: {tally:?}");
    assert!(tally.verified > programs as usize / 20, "{tally:?}");
    assert!(tally.violated > programs as usize / 10, "{tally:?}");
    assert_eq!(beyond(TABLE, &tally.contracts), [""; 0]);
}
