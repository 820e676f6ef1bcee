//! The checker of labels: right invariants are accepted, wrong ones are not, and whatever is
//! accepted is closed under the interpreter on all small heaps.

use std::ops::ControlFlow;

use trellis_front_c::load_str;
use trellis_patterns::check::{Labels, Options, check};
use trellis_patterns::enumerate::{Samples, heaps};
use trellis_patterns::evidence::{read, write};
use trellis_patterns::machine::{heap_of, state_of};
use trellis_patterns::matching::fits;
use trellis_patterns::pattern::{Label, Sharing, Targets};
use trellis_patterns::program::PatternProgram;
use trellis_patterns::words::Predicate;
use trellis_patterns::{Settings, lower};
use trellis_program::concrete::{Choices, Finish, Machine, MachineOptions};
use trellis_program::{BlockId, CheckKind, CheckSet, InlineLimits, Program, Rejected, inline};
use trellis_testkit::random::Random;

use crate::labels::labels;

const HEADER: &str = "struct node { _Bool data; struct node *next; };\n\
    struct pair { struct pair *next; struct pair *prev; };\n\
    void *malloc(unsigned long);\nvoid free(void *);\nint __VERIFIER_nondet_int(void);\n\
    void reach_error(void);\n";

/// A procedure `f` without calls, and its small-language form.
fn lowered(text: &str) -> (Program, PatternProgram) {
    let unit = load_str("check.c", &format!("{HEADER}{text}\n")).expect("a program");
    let proc = unit.program.find_proc("f").expect("f");
    let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no recursion");
    let code = lower(&inlined.program, inlined.proc, &Settings::default()).expect("has words");
    (inlined.program, code)
}

fn judge(program: &Program, code: &PatternProgram, labels: &Labels) -> Result<(), Rejected> {
    check(program, code, labels, &Options::default()).map(|_| ())
}

/// A program with a right invariant, and some wrong ones with a part of what is said of them.
struct Row {
    text: &'static str,
    predicates: &'static [Predicate],
    right: &'static [&'static [&'static str]],
    /// Which head gets which other label, and a word of the objection.
    wrong: &'static [(usize, &'static [&'static str], &'static str)],
}

const LIST: &[&str] = &["l=null", "l=a; a next=b,null; b* next=b,null"];

fn rows() -> Vec<Row> {
    vec![
        Row {
            text: concat!(
                "void f(void) { _Bool d = 1; struct node *l = 0;\n",
                "while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n);\n",
                "  n->data = d; n->next = l; l = n; d = !d; }\n",
                "_Bool e = !d; struct node *p = l;\n",
                "while (p) { if (p->data != e) reach_error(); e = !e; p = p->next; }\n",
                "while (l) { struct node *t = l->next; free(l); l = t; } }",
            ),
            predicates: &[],
            right: &[
                &[
                    "l=null d=1",
                    "l=a d=0; a data=1 next=b,null; b* data=0 next=c,null; c* data=1 next=b,null",
                    "l=a d=1; a data=0 next=b,null; b* data=1 next=c,null; c* data=0 next=b,null",
                ],
                &[
                    "l=null p=null",
                    "l=a p=null; a next=b,null; b* next=b,null",
                    "l=a p=a e=1; a data=1 next=b,null; b* data=0 next=c,null; \
                     c* data=1 next=b,null",
                    "l=a p=a e=0; a data=0 next=b,null; b* data=1 next=c,null; \
                     c* data=0 next=b,null",
                    "l=a p=p e=1; a next=x,p; x* next=x,p; p data=1 next=b,null; \
                     b* data=0 next=c,null; c* data=1 next=b,null",
                    "l=a p=p e=0; a next=x,p; x* next=x,p; p data=0 next=b,null; \
                     b* data=1 next=c,null; c* data=0 next=b,null",
                ],
                LIST,
            ],
            wrong: &[
                // A missing disjunct, at the start and later.
                (
                    0,
                    &["l=a d=0; a data=1 next=b,null; b* data=0 next=c,null; \
                       c* data=1 next=b,null"],
                    "l = null",
                ),
                (
                    0,
                    &[
                        "l=null d=1",
                        "l=a d=0; a data=1 next=b,null; b* data=0 next=c,null; \
                         c* data=1 next=b,null",
                    ],
                    "d = 1",
                ),
                // Too wide: the walk may find anything.
                (
                    0,
                    &[
                        "l=null d=1",
                        "l=a d=0; a data=1 next=b,null; b* next=b,null",
                        "l=a d=1; a data=0 next=b,null; b* next=b,null",
                    ],
                    "e = ",
                ),
                // A missing colour.
                (2, &["l=null", "l=a; a data=1 next=b,null; b* next=b,null"], "data = 0"),
                (2, &["l=null", "l=a; a next=b,null; b* data=1 next=b,null"], "not there"),
                // A missing null target.
                (2, &["l=null", "l=a; a next=b; b* next=b,null"], "null"),
                (2, &["l=null", "l=a; a next=b,null; b* next=b"], "null"),
                // Plain instead of summary: at most two, or exactly two cells.
                (
                    2,
                    &["l=null", "l=a; a next=null", "l=a; a next=b; b next=null"],
                    "which is not there",
                ),
                // A summary node that should be plain: the cell after may be missing.
                (
                    1,
                    &[
                        "l=null p=null",
                        "l=a p=null; a next=b,null; b* next=b,null",
                        "l=a p=a; a next=b,null; b* next=b,null",
                        "l=a p=p; a next=x,p; x* next=x,p; p next=b,null; b* next=b,null",
                    ],
                    "error-call",
                ),
                // Nothing is said of a variable that is read.
                (2, &["l=dead"], "nothing is said of `l`"),
                // Cells that may be shared come to a loop where they may not.
                (
                    1,
                    &[
                        "l=null p=null",
                        "l=a p=null; a next=b,null; b* next=b,null shared",
                        "l=a p=a e=1; a data=1 next=b,null; b* data=0 next=c,null; \
                         c* data=1 next=b,null",
                        "l=a p=a e=0; a data=0 next=b,null; b* data=1 next=c,null; \
                         c* data=0 next=b,null",
                        "l=a p=p e=1; a next=x,p; x* next=x,p; p data=1 next=b,null; \
                         b* data=0 next=c,null; c* data=1 next=b,null",
                        "l=a p=p e=0; a next=x,p; x* next=x,p; p data=0 next=b,null; \
                         b* data=1 next=c,null; c* data=0 next=b,null",
                    ],
                    "which is not there",
                ),
                // Cells may be shared, so one is freed twice.
                (2, &["l=null", "l=a; a next=b,null; b* next=b,null shared"], ""),
                (2, &["l=null", "l=a; a next=a,b,null shared; b* next=b,null"], ""),
                // The cell at `l` may be reached from behind.
                (2, &["l=null", "l=a; a next=b,null; b* next=a,b,null"], ""),
                // Something may be freed or undefined already.
                (2, &["l=null", "l=freed", "l=a; a next=b,null; b* next=b,null"], "free"),
                (2, &["l=null", "l=a; a next=b,null,freed; b* next=b,null"], "free"),
                (2, &["l=null", "l=a; a next=b,null; b* next=b,null,undefined"], "undefined"),
                // A list of which a part may be lost.
                (
                    1,
                    &[
                        "l=null p=null",
                        "l=a p=null; a next=b,null; b* next=b,null",
                        "l=a p=a e=1; a data=1 next=b,null; b* data=0 next=c,null; \
                         c* data=1 next=b,null",
                        "l=a p=a e=0; a data=0 next=b,null; b* data=1 next=c,null; \
                         c* data=0 next=b,null",
                        "l=a p=p e=1; a next=x,p,null; x* next=x,p,null; p data=1 next=b,null; \
                         b* data=0 next=c,null; c* data=1 next=b,null",
                        "l=a p=p e=0; a next=x,p,null; x* next=x,p,null; p data=0 next=b,null; \
                         b* data=1 next=c,null; c* data=0 next=b,null",
                    ],
                    "lost",
                ),
            ],
        },
        // A doubly linked list, taken apart from the front.
        Row {
            text: concat!(
                "void f(void) { struct pair *h = 0;\n",
                "while (__VERIFIER_nondet_int()) { struct pair *n = malloc(sizeof *n);\n",
                "  n->prev = 0; n->next = h; if (h) h->prev = n; h = n; }\n",
                "while (h) { struct pair *t = h->next; if (t) { if (t->prev != h) reach_error(); }\n",
                "  free(h); h = t; } }",
            ),
            predicates: &[Predicate::Inverse { over: 0, back: 1 }],
            right: &[
                &[
                    "h=null",
                    "h=a; a back=0 next=null prev=null",
                    "h=a; a back=2 next=b prev=null; b back=0 next=null prev=a",
                    "h=a; a back=2 next=b prev=null; b back=2 next=c,z prev=a both; \
                     c* back=2 next=c,z prev=b,c both; z back=0 next=null prev=b,c both",
                ],
                &[
                    "h=null",
                    "h=a; a back=0 next=null prev=null",
                    "h=a; a back=0 next=null prev=freed",
                    "h=a; a back=2 next=b prev=null,freed both; b* back=0,2 \
                     next=b,null prev=a,b both",
                ],
            ],
            wrong: &[(
                1,
                &[
                    "h=null",
                    "h=a; a next=b,null prev=null,freed shared; \
                       b* next=b,null prev=a,b shared",
                ],
                "",
            )],
        },
        // An input that ends in null.
        Row {
            text: concat!(
                "/*@ requires reach(next, x, \\null); ensures reach(next, \\result, \\null); */\n",
                "struct node *f(struct node *x) { struct node *y = 0;\n",
                "while (x) { struct node *t = x->next; x->next = y; y = x; x = t; } return y; }",
            ),
            predicates: &[],
            right: &[&[
                "x=null \\old(x)=null y=null",
                "x=a \\old(x)=a y=null; a next=b,null; b* next=b,null",
                "x=null \\old(x)=z y=z; z next=null",
                "x=null \\old(x)=z y=a; a next=b,z; b* next=b,z; z next=null",
                "x=c \\old(x)=z y=z; z next=null; c next=d,null; d* next=d,null",
                "x=c \\old(x)=z y=a; a next=b,z; b* next=b,z; z next=null; c next=d,null; \
                 d* next=d,null",
            ]],
            wrong: &[],
        },
    ]
}

#[test]
fn right_invariants_are_accepted_and_wrong_ones_are_not() {
    for row in rows() {
        let (program, mut code) = lowered(row.text);
        for predicate in row.predicates {
            assert!(code.words.add_predicate(0, *predicate));
        }
        let right = labels(&code, row.right);
        assert_eq!(judge(&program, &code, &right), Ok(()), "{}", row.text);
        closed_on_small_heaps(&program, &code, &right, CheckSet::default(), 3);
        let written = write(&code, &right);
        let mut again = lowered(row.text).1;
        assert_eq!(read(&mut again, &written), Ok(right.clone()));
        assert_eq!(again.words, code.words);
        for (head, texts, word) in row.wrong {
            let mut all: Vec<&[&str]> = row.right.to_vec();
            all[*head] = texts;
            match judge(&program, &code, &labels(&code, &all)) {
                Err(Rejected::Wrong(why)) => assert!(why.contains(word), "{texts:?}: {why}"),
                other => panic!("{texts:?}: {other:?}"),
            }
        }
        // Without any one of its loops it is no invariant.
        for head in right.keys() {
            let mut fewer = right.clone();
            fewer.remove(head);
            assert!(matches!(judge(&program, &code, &fewer), Err(Rejected::Wrong(_))));
        }
    }
}

/// From every heap of a label of up to so many cells the machine fails no check, and gets to loop
/// heads only where the label there fits.
pub fn closed_on_small_heaps(
    program: &Program,
    code: &PatternProgram,
    labels: &Labels,
    checks: CheckSet,
    cells: usize,
) {
    let options = MachineOptions { checks, ..MachineOptions::default() };
    let machine = Machine::new(program, options);
    for (head, label) in labels {
        for pattern in &label.0 {
            for n in 0..=cells {
                let _ = heaps(&code.words, pattern, n, Samples(1), &mut |heap| {
                    let start =
                        state_of(program, code.proc, &code.words, BlockId(*head as u32), heap);
                    let mut choices = Choices::default();
                    loop {
                        choices.rewind();
                        let mut state = start.clone();
                        let end = loop {
                            if let Some(finish) = machine.step(&mut state, &mut choices) {
                                break Err(finish);
                            }
                            let top = state.top();
                            let block = top.block.0 as usize;
                            if top.instr == 0 && code.heads.contains(&block) {
                                break Ok(block);
                            }
                        };
                        match end {
                            Ok(block) => arrives(program, code, &labels[&block], &state),
                            Err(Finish::Failed(failure)) => panic!("{failure:?} from {heap:?}"),
                            Err(_) => {}
                        }
                        if !choices.advance() {
                            return ControlFlow::Continue(());
                        }
                    }
                });
            }
        }
    }
}

fn arrives(
    program: &Program,
    code: &PatternProgram,
    label: &Label,
    state: &trellis_program::concrete::State,
) {
    let heap = heap_of(program, code.proc, &code.words, state).expect("has words");
    let fits = label.0.iter().any(|p| fits(&code.words, p, &heap).is_ok());
    assert!(fits, "{heap:?}\nfits none of\n{}", trellis_patterns::text::label(&code.words, label));
}

/// Labels that are changed a little at random: most are wrong, and what is accepted is right.
#[test]
fn whatever_is_accepted_is_closed_under_the_interpreter() {
    let (mut accepted, mut refused) = (0, 0);
    for (r, row) in rows().iter().enumerate() {
        let (program, mut code) = lowered(row.text);
        for predicate in row.predicates {
            assert!(code.words.add_predicate(0, *predicate));
        }
        let right = labels(&code, row.right);
        for seed in 0..60 {
            let mut random = Random::new(7000 * r as u64 + seed);
            let mut changed = right.clone();
            for _ in 0..=random.below(2) {
                change(&code, &mut changed, &mut random);
            }
            if judge(&program, &code, &changed).is_ok() {
                accepted += 1;
                closed_on_small_heaps(&program, &code, &changed, CheckSet::default(), 3);
            } else {
                refused += 1;
            }
        }
    }
    assert!(accepted > 10 && refused > 40, "{accepted} accepted, {refused} refused");
}

fn change(code: &PatternProgram, labels: &mut Labels, random: &mut Random) {
    let heads: Vec<usize> = labels.keys().copied().collect();
    let head = heads[random.below(heads.len() as u64) as usize];
    let label = labels.get_mut(&head).expect("a head");
    let at = random.below(label.0.len() as u64) as usize;
    if random.below(6) == 0 && label.0.len() > 1 {
        label.0.remove(at);
        return;
    }
    let pattern = &mut label.0[at];
    if pattern.nodes.is_empty() {
        return;
    }
    let n = random.below(pattern.nodes.len() as u64) as usize;
    let named = pattern.vars_at(n).next().is_some();
    let nodes = pattern.nodes.len() as u64;
    let node = &mut pattern.nodes[n];
    let f = random.below(node.fields.len() as u64) as usize;
    match random.below(6) {
        0 if !named => node.summary = !node.summary,
        1 => {
            let edges = code.words.edges();
            node.sharing =
                if node.sharing == Sharing::NONE { Sharing::all(edges) } else { Sharing::NONE };
        }
        2 => {
            let to = Targets::node(random.below(nodes) as usize);
            node.fields[f] = Targets(node.fields[f].0 ^ to.0);
        }
        3 => node.fields[f] = Targets(node.fields[f].0 ^ (1 << random.below(3))),
        4 => {
            let colours: Vec<_> = node.colours.iter().copied().collect();
            let gone = colours[random.below(colours.len() as u64) as usize];
            node.colours.remove(&gone);
        }
        _ => {
            let lanes = code.words.records[node.record].predicates.len() as u64;
            if lanes > 0 {
                let lane = random.below(lanes) as usize;
                let p = code.words.records[node.record].predicates[lane];
                let value = random.below(u64::from(code.words.values_of(p))) as u8;
                let more: Vec<_> = node.colours.iter().map(|c| c.with(lane, value)).collect();
                node.colours.extend(more);
            }
        }
    }
}

/// Programs that fail, or of which the label is wrong: a part of the objection.
const REFUSED: &[(&str, &[&[&str]], &str)] = &[
    (
        "void f(void) { struct node *p = 0; while (__VERIFIER_nondet_int()) {\n\
         p = malloc(sizeof *p); p->next = 0; p = 0; } }",
        &[&[""]],
        "lost",
    ),
    (
        "void f(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) {\n\
         if (l) { free(l); l = 0; } } if (l) free(l); }",
        &[&["l=null", "l=a; a next=b,null; b* next=b,null"]],
        "leak",
    ),
    (
        "void f(void) { struct node *l = 0; while (__VERIFIER_nondet_int()) {\n\
         if (l) { l->next = 0; } } while (l) { struct node *t = l->next; free(l); l = t; } }",
        &[
            &["l=null", "l=a; a next=b,null; b* next=b,null"],
            &["l=null", "l=a; a next=b,null; b* next=b,null"],
        ],
        "lost",
    ),
    (
        "void f(void) { int d; while (__VERIFIER_nondet_int()) { if (d) d = 0; } }",
        &[&["d=undefined,0"]],
        "uninit",
    ),
    (
        "void f(void) { int d; while (__VERIFIER_nondet_int()) d = 0;\n\
         while (__VERIFIER_nondet_int()) { if (d) reach_error(); } }",
        &[&["d=undefined,0"], &["d=0"]],
        "d undefined",
    ),
];

#[test]
fn failing_programs_have_no_labels() {
    for (text, texts, word) in REFUSED {
        let (program, code) = lowered(text);
        match judge(&program, &code, &labels(&code, texts)) {
            Err(Rejected::Wrong(why)) => assert!(why.contains(word), "{text}: {why}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// Procedures about integers without loops: what they say of unknown numbers, and whether it holds.
const INTEGERS: &[(&str, bool)] = &[
    ("if (d > 5) { d = d + 1; if (d < 6) reach_error(); }", false),
    ("if (d > 5 && d < 100) { d = d + 1; if (d < 6) reach_error(); }", true),
    ("if (d > 5 && d < 100) { d = d + 1; if (d > 100) reach_error(); }", true),
    ("if (d > 5 && d < 100) { d = d + 1; if (d > 99) reach_error(); }", false),
    ("if (d < 5) { d = d - 1; if (d > 4) reach_error(); }", false),
    ("unsigned u = d; u = u + 1; if (u == 0) reach_error();", false),
    ("if (d < e) { if (e < d) reach_error(); }", true),
    ("if (d < e) { if (d == e) reach_error(); }", true),
    ("if (d < e) { if (e > d) reach_error(); }", false),
    ("if (e > d) { if (d > e) reach_error(); if (d >= e) reach_error(); }", true),
    ("if (d <= e) { if (d >= e) { if (d != e) reach_error(); } }", true),
    ("if (d <= e) { if (d == e) reach_error(); }", false),
    ("if (0 < d) { if (d < 0) reach_error(); }", true),
    ("if (0 < d) { if (d > 0) reach_error(); }", false),
    ("if (d == e) { if (e == 7) { if (d != 7) reach_error(); } }", true),
    ("if (d == e) { if (e == 7) { if (d == 7) reach_error(); } }", false),
    ("e = d; if (e != d) reach_error();", true),
    ("e = !d; if (e == d) reach_error();", true),
    ("e = !d; if (e == 0 && d == 0) reach_error();", true),
    ("e = !d; if (e == 1 && d == 1) reach_error();", true),
    ("if (d == 1) { e = 1 - d; if (e != 0) reach_error(); }", true),
    ("if (d == 1) { e = 1 - d; if (e == 0) reach_error(); }", false),
    ("if (d == 3) { if (x) { x->data = d; if (x->data != 3) reach_error(); } }", true),
    ("if (x && x->data == d) { d = 0; if (x->data == 1) reach_error(); }", false),
    (
        "if (x) { e = x->data; x->data = d; if (e == 3 && d == 3 && x->data != e) reach_error(); }",
        true,
    ),
    ("if (x) { x->data = d; x->data = x->data + 1; if (x->data == d) reach_error(); }", false),
    ("char c = d; if (c != d) reach_error();", false),
    ("if (d >= 0 && d < 100) { char c = d; if (c != d) reach_error(); }", true),
    ("_Bool b = d; if (b && d == 0) reach_error();", true),
    ("_Bool b = d; if (!b && d == 1) reach_error();", true),
    ("if (d) { if (e % d == 9) d = 1; }", false),
    ("if (e % 4 == 9) d = 1;", true),
];

#[test]
fn unknown_integers_are_judged_rightly() {
    for (body, holds) in INTEGERS {
        let (program, code) = lowered(&format!(
            "struct cell {{ int data; }};\nvoid f(struct cell *x, int d, int e) {{ {body} }}"
        ));
        let judged = judge(&program, &code, &Labels::new());
        assert_eq!(judged.is_ok(), *holds, "{body}: {judged:?}");
        assert!(matches!(judged, Ok(()) | Err(Rejected::Wrong(_))), "{body}: {judged:?}");
    }
}

/// With a check switched off: an execution that fails it ends, all others go on.
const SWITCHED_OFF: &[(CheckKind, &str, bool)] = &[
    (CheckKind::DivByZero, "e = 10 / d; reach_error();", false),
    (CheckKind::DivByZero, "e = 10 % d; if (d == 3) reach_error();", false),
    (CheckKind::DivByZero, "if (10 / d) reach_error();", false),
    (CheckKind::DivByZero, "e = d / e; if (d == 0) reach_error();", false),
    (CheckKind::DivByZero, "if (d == 0) { e = 10 / d; reach_error(); }", true),
    (CheckKind::DivByZero, "e = d / 0; reach_error();", true),
    (CheckKind::DivByZero, "int t; e = 10 / t; reach_error();", true),
    (CheckKind::NullDeref, "x->data = d; reach_error();", false),
    (CheckKind::NullDeref, "if (!x) { x->data = d; reach_error(); }", true),
    (CheckKind::Uninit, "int t; if (d) t = 1; if (t != 1) reach_error();", false),
    (CheckKind::Uninit, "int t; if (d) t = 1; if (d && t != 1) reach_error();", true),
    (CheckKind::Assertion, "assert(d == 1); if (d == 0) reach_error();", true),
    (CheckKind::Assertion, "assert(d == 1); if (d == 1) reach_error();", false),
];

#[test]
fn a_check_that_is_off_ends_only_what_fails_it() {
    for (kind, body, holds) in SWITCHED_OFF {
        let mut checks = CheckSet::default();
        checks.set(*kind, false);
        let text = format!(
            "{HEADER}struct cell {{ int data; }};\n\
             void __assert_fail(const char *, const char *, unsigned, const char *);\n\
             void f(struct cell *x, int d, int e) {{ {body} }}"
        );
        let failing = "((d == 1) ? (void)0 : __assert_fail(\"\", \"\", 0, \"\"))";
        let text = text.replace("assert(d == 1)", failing);
        let unit = load_str("off.c", &text).expect("a program");
        let proc = unit.program.find_proc("f").expect("f");
        let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no recursion");
        let settings = Settings { checks, ..Settings::default() };
        let code = lower(&inlined.program, inlined.proc, &settings).expect("has words");
        let options = Options { checks, ..Options::default() };
        let judged = check(&inlined.program, &code, &Labels::new(), &options).map(|_| ());
        assert_eq!(judged.is_ok(), *holds, "{kind}, {body}: {judged:?}");
        assert!(matches!(judged, Ok(()) | Err(Rejected::Wrong(_))), "{body}: {judged:?}");
    }
}

/// A predicate looks at a neighbour or a variable that the loop changes: what was known is stale.
#[test]
fn predicates_are_computed_anew_where_something_changed() {
    let refused =
        |text: &str, predicate: &dyn Fn(&PatternProgram) -> Predicate, texts: &[&[&str]]| {
            let (program, mut code) = lowered(text);
            let predicate = predicate(&code);
            assert!(code.words.add_predicate(0, predicate));
            let judged = judge(&program, &code, &labels(&code, texts));
            assert!(matches!(judged, Err(Rejected::Wrong(_))), "{text}: {judged:?}");
        };
    refused(
        "void f(void) { struct node *p = malloc(sizeof *p); p->data = 0; p->next = 0;\n\
         struct node *l = malloc(sizeof *l); l->data = 0; l->next = p;\n\
         while (__VERIFIER_nondet_int()) p->data = 1; free(l); free(p); }",
        &|_| Predicate::Neighbour { field: 0, over: 0, other: 0 },
        &[&["l=a p=b; a next=b back=2; b next=null back=0"]],
    );
    refused(
        "void f(void) { struct pair *p = malloc(sizeof *p); p->next = 0;\n\
         struct pair *l = malloc(sizeof *l); l->prev = 0; l->next = p; p->prev = l;\n\
         while (__VERIFIER_nondet_int()) p->prev = 0; free(l); free(p); }",
        &|_| Predicate::Inverse { over: 0, back: 1 },
        &[&["l=a p=b; a next=b prev=null back=2; b next=null prev=a,null back=0"]],
    );
    let q = |code: &PatternProgram| code.words.pointers.iter().position(|p| p.name == "q");
    refused(
        "void f(void) { struct node *l = malloc(sizeof *l), *q = malloc(sizeof *q);\n\
         struct node *r = malloc(sizeof *r), *t = q; q->next = 0; r->next = 0;\n\
         l->next = 0; if (__VERIFIER_nondet_int()) l->next = r;\n\
         while (__VERIFIER_nondet_int()) q = r; if (q == r) q = 0; free(l); free(r); free(t); }",
        &|code| Predicate::Is { field: 0, pointer: q(code).expect("q") },
        &[&[
            "l=a q=b t=b r=c; a next=c,null back=0; b next=null back=0; c next=null back=0",
            "l=a q=c t=b r=c; a next=null back=0; b next=null back=0; c next=null back=0",
        ]],
    );
}
