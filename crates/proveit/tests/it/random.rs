//! Random list programs with data: what is proved, exploration does not refute.
//!
//! A program builds a list, perhaps changes it, checks something about its data, and frees it; each
//! part is one of several, right or wrong for the others by chance. `TRELLIS_SLOW=1` tries 2,000.

use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_logic::Budget;
use trellis_program::concrete::MachineOptions;
use trellis_program::{InlineLimits, NoResult, Work, inline};
use trellis_proveit::prove::{Conclusion, Subject, prove};
use trellis_testkit::random::Random;

const PRELUDE: &str = "\
void *malloc(unsigned long);
void free(void *);
void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct cell { int data; struct cell *next; struct cell *prev; };
";

/// What a cell is made of.
const DATA: &[&str] = &[
    "c->data = d;",
    "d = !d; c->data = d;",
    "c->data = d; d = !d;",
    "c->data = d; d = d == 2 ? 0 : d + 1;",
    "d = d == 2 ? 0 : d + 1; c->data = d;",
    "c->data = __VERIFIER_nondet_int() ? 1 : 0;",
    "c->data = 0;",
    "if (__VERIFIER_nondet_int()) d = 1; c->data = d;",
    "c->data = l ? l->data : 1;",
    "c->data = l ? !l->data : 1;",
];

/// Where it goes.
const PLACE: &[&str] = &[
    "c->next = l; c->prev = 0; if (l) l->prev = c; l = c;",
    "c->next = 0; c->prev = last; if (last) last->next = c; else l = c; last = c;",
    "if (l) { c->next = l->next; c->prev = l; if (l->next) l->next->prev = c; l->next = c; } \
     else { c->next = 0; c->prev = 0; l = c; }",
];

/// What is changed afterwards.
const CHANGE: &[&str] = &[
    "",
    "",
    "p = l; while (p) { p->data = !p->data; p = p->next; }",
    "p = l; while (p) { if (p->data == 1) p->data = 0; p = p->next; }",
    "p = l; while (p && p->next) { c = p->next; p->next = c->next; if (c->next) c->next->prev = p; \
     free(c); p = p->next; }",
    "p = l; while (p) { c = p->next; if (c && c->data == 1) { p->next = c->next; \
     if (c->next) c->next->prev = p; free(c); } else p = c; }",
    "p = 0; while (l) { c = l->next; l->next = p; l->prev = c; p = l; l = c; } l = p;",
    "if (l) l->data = 1;",
];

/// What is checked.
const CHECK: &[&str] = &[
    "p = l; while (p) { if (p->data != d) reach_error(); d = !d; p = p->next; }",
    "p = l; d = 1; while (p) { if (p->data != d) reach_error(); d = !d; p = p->next; }",
    "p = l; while (p) { if (p->data == 2) reach_error(); p = p->next; }",
    "p = l; while (p) { if (p->data == 1) reach_error(); p = p->next; }",
    "p = l; while (p && p->next) { if (p->data == p->next->data) reach_error(); p = p->next; }",
    "p = l; while (p && p->next) { if (p->data != p->next->data) reach_error(); p = p->next; }",
    "p = l; d = 0; while (p) { if (d && p->data == 0) reach_error(); if (p->data == 1) d = 1; \
     p = p->next; }",
    "p = l; while (p) { if (p->next && p->next->prev != p) reach_error(); p = p->next; }",
    "p = l; while (p) { d = d == 0 ? 2 : d - 1; if (p->data != d) reach_error(); p = p->next; }",
];

/// How it ends.
const END: &[&str] = &[
    "while (l) { p = l->next; free(l); l = p; }",
    "while (l) { p = l->next; free(l); l = p; }",
    "while (l) { p = l; l = l->next; free(p); }",
    "p = l; while (l) { l = l->next; free(p); p = l; }",
    "if (l) free(l);",
];

fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut pick = |from: &[&'static str]| from[random.below(from.len() as u64) as usize];
    let (data, place) = (pick(DATA), pick(PLACE));
    let start = pick(&["int d = 0;", "int d = 1;", "int d = __VERIFIER_nondet_int() ? 1 : 0;"]);
    let parts = [pick(CHANGE), pick(CHECK), pick(END)].join("\n    ");
    format!(
        "{PRELUDE}int main(void)\n{{\n    {start}\n    struct cell *l = 0, *last = 0, *c = 0, *p = 0;\n    \
         while (__VERIFIER_nondet_int()) {{\n        c = malloc(sizeof(struct cell));\n        \
         {data}\n        {place}\n    }}\n    {parts}\n    return 0;\n}}\n"
    )
}

fn judge(seed: u64) -> (&'static str, Option<String>) {
    let text = program(seed);
    let unit = trellis_front_c::load_str("random.c", &text);
    let unit = unit.unwrap_or_else(|f| panic!("{text}\n{:?}", f.diagnostics));
    let main = unit.program.find_proc("main").expect("main");
    let inlined = inline(&unit.program, main, InlineLimits::default()).expect("no recursion");
    let ints = vec![-1, 0, 1, 2];
    let machine = MachineOptions { ints, ..MachineOptions::default() };
    let subject = Subject { program: &inlined.program, proc: inlined.proc, machine };
    // Counted, not timed: the same programs are given up on every machine.
    let budget = Budget { work: Work::of(400_000), ..Budget::default() };
    let found = match prove(&subject, &budget) {
        Ok(found) => found,
        Err(NoResult::Stopped(_)) => return ("stopped", None),
        Err(other) => return ("refused", Some(format!("{other:?}"))),
    };
    match &found.conclusion {
        Conclusion::Proved(labels) => {
            if !subject.confirms(&found.code, labels, &Budget::default()) {
                return ("proved, but not confirmed", Some(text));
            }
            let budget = Budget {
                timeout: Some(std::time::Duration::from_millis(400)),
                ..Budget::default()
            };
            let config = Config { choices: 9, steps: 400, budget, ..Config::default() };
            let explored = explore(&unit.program, main, &config, &Progress::default());
            match explored.outcome {
                Outcome::Violated(found) => {
                    ("refuted", Some(format!("{:?}\n{text}", found.failure)))
                }
                _ => ("proved", None),
            }
        }
        Conclusion::Violated(_) => ("violated", None),
        Conclusion::Unknown(_) => ("unknown", None),
        Conclusion::Pending => ("pending", Some(text)),
    }
}

#[test]
fn nothing_is_proved_that_exploration_refutes() {
    let count = if std::env::var_os("TRELLIS_SLOW").is_some() { 2000 } else { 60 };
    let mut tally = std::collections::BTreeMap::<&str, u64>::new();
    for seed in 0..count {
        let (what, problem) = judge(seed);
        *tally.entry(what).or_default() += 1;
        assert!(problem.is_none(), "seed {seed}: {what}: {}", problem.unwrap_or_default());
    }
    println!("{count} programs: {tally:?}");
    let of = |what: &str| tally.get(what).copied().unwrap_or(0);
    // A generator whose programs are all wrong, or all beyond the engine, tests nothing.
    assert!(of("proved") * 15 >= count && of("violated") * 5 >= count, "{tally:?}");
}
