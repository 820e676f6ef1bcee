//! What is said of contracts: the patterns that a procedure starts from, and the truth of formulas
//! in patterns, against the interpreter on all small heaps.

use std::ops::ControlFlow;

use trellis_explore::heaps::HeapSpace;
use trellis_front_c::load_str;
use trellis_patterns::enumerate::{Samples, heaps};
use trellis_patterns::facts::{Truths, holds, truths};
use trellis_patterns::heap::Heap;
use trellis_patterns::initial::starts;
use trellis_patterns::machine::{heap_of, state_of};
use trellis_patterns::matching::fits;
use trellis_patterns::program::{Fact, Op, PatternProgram};
use trellis_patterns::text;
use trellis_patterns::words::Predicate;
use trellis_patterns::{Settings, lower};
use trellis_program::concrete::spec_eval::Truth;
use trellis_program::concrete::{Machine, MachineOptions};
use trellis_program::spec::Formula;
use trellis_program::{BlockId, InlineLimits, Inlined, inline};
use trellis_testkit::random::Random;

use crate::random::pattern;

const HEADER: &str = "struct node { _Bool data; struct node *next; };\n\
    struct tree { struct tree *left; struct tree *right; };\n\
    struct dnode { struct dnode *next; struct dnode *prev; };\n\
    //@ predicate head(struct dnode *h) = dll(next, prev, h, \\null) &&\n\
    //@   (h != \\null ==> h->prev == \\null);\n";

fn lowered(text: &str) -> (Inlined, PatternProgram) {
    let unit = load_str("contract.c", &format!("{HEADER}{text}\n")).expect("a program");
    let proc = unit.program.find_proc("f").expect("f");
    let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no recursion");
    let mut code = lower(&inlined.program, inlined.proc, &Settings::default()).expect("has words");
    if text.contains("sorted") {
        code.words.add_predicate(0, Predicate::Neighbour { field: 0, over: 0, other: 0 });
    }
    if text.contains("dnode") {
        code.words.add_predicate(0, Predicate::Inverse { over: 0, back: 1 });
    }
    (inlined, code)
}

/// Procedures, and whether their patterns have no other heaps than `requires` allows.
const STARTS: &[(&str, bool)] = &[
    ("void f(struct node *x) { if (x && x->data) x = 0; }", true),
    ("/*@ requires reach(next, x, \\null); */ void f(struct node *x) { x = 0; }", true),
    ("/*@ requires cyclic(next, x); */ void f(struct node *x) { x = 0; }", true),
    ("/*@ requires ls(next, x, y); */ void f(struct node *x, struct node *y) { x = y; }", false),
    (
        "/*@ requires reach(next, x, \\null) && reach(next, y, \\null) &&\n\
         \\inter(content(next, x), content(next, y)) == \\empty; */\n\
         void f(struct node *x, struct node *y) { x = y; }",
        true,
    ),
    (
        "/*@ requires reach(next, x, y) && y != \\null && y->next == \\null; */\n\
         void f(struct node *x, struct node *y) { x = y; }",
        true,
    ),
    (
        "/*@ requires x != \\null && x->data == d && \\separated(x, y); */\n\
         _Bool f(struct node *x, struct node *y, _Bool d) { return x->data; }",
        false,
    ),
    ("struct node *l; /*@ requires stable(next, l); */ void f(_Bool b) { if (b) l = 0; }", true),
    ("void f(struct tree *t) { if (t) t = t->left; }", true),
    ("/*@ requires t != \\null; */ void f(struct tree *t, struct tree *u) { t = u; }", true),
    ("/*@ requires n > 3 || n == 0; */ void f(int n) { n = 1; }", true),
    (
        "/*@ requires \\forall struct node *v; reach(next, x, v) && v != \\null ==>\n\
         v->data == 1; */ void f(struct node *x) { x = 0; }",
        true,
    ),
    (
        "/*@ requires reach(next, x, y) && \\forall struct node *v; reach(next, x, v) &&\n\
         v != \\null && v != y ==> v->data == 0; */\n\
         void f(struct node *x, struct node *y) { x = y; }",
        false,
    ),
    (
        "/*@ requires reach(next, x, \\null) && sorted(next, data, x, \\null); */\n\
         void f(struct node *x) { x = 0; }",
        true,
    ),
    (
        "/*@ requires sorted(next, data, x, y); */\n\
         void f(struct node *x, struct node *y) { x = y; }",
        false,
    ),
    ("/*@ requires head(x); */ void f(struct dnode *x) { x = 0; }", true),
    (
        "/*@ requires head(x) && head(y); */ void f(struct dnode *x, struct dnode *y) { x = y; }",
        true,
    ),
    ("/*@ requires dll(next, prev, x, \\null); */ void f(struct dnode *x) { x = 0; }", false),
    (
        "/*@ requires head(x) && dll(next, prev, y, \\null); */\n\
         void f(struct dnode *x, struct dnode *y) { x = y; }",
        false,
    ),
    (
        "/*@ requires \\forall struct tree *v; v != \\null && v->left != \\null ==>\n\
         v->left->left != v; */ void f(struct tree *t) { t = 0; }",
        false,
    ),
];

#[test]
fn every_initial_heap_fits_a_pattern_at_the_start() {
    for (text, exact) in STARTS {
        let (inlined, code) = lowered(text);
        let program = &inlined.program;
        let patterns = starts(&code, program.proc(code.proc).span).expect("few patterns");
        let machine = Machine::new(program, MachineOptions::default());
        let space = HeapSpace::new(&machine, inlined.proc);
        let mut initial = 0;
        for objects in 0..=3 {
            let _ = space.for_each(objects, &mut |heap| {
                let state = machine.start(inlined.proc, heap);
                let heap = heap_of(program, code.proc, &code.words, &state).expect("has words");
                initial += 1;
                let fit = patterns.iter().any(|p| fits(&code.words, p, &heap).is_ok());
                assert!(fit, "{text}\n{heap:?}");
                ControlFlow::Continue(())
            });
        }
        assert!(initial > 0, "{text}");
        if !exact {
            continue;
        }
        for pattern in &patterns {
            let shown = text::pattern(&code.words, pattern);
            for cells in 0..=2 {
                let _ = heaps(&code.words, pattern, cells, Samples(1), &mut |heap| {
                    let truth = requires(&inlined, &code, &machine, heap);
                    assert_eq!(truth, Truth::True, "{text}\n{shown}\n{heap:?}");
                    ControlFlow::Continue(())
                });
            }
        }
    }
}

/// The conjunction of all clauses, on a heap.
fn requires(inlined: &Inlined, code: &PatternProgram, machine: &Machine<'_>, heap: &Heap) -> Truth {
    let program = &inlined.program;
    let entry = BlockId(code.entry as u32);
    let state = state_of(program, code.proc, &code.words, entry, heap);
    let clauses = program.proc(code.proc).contract.requires.iter();
    let all = clauses.map(|c| c.formula.clone()).collect();
    machine.env(&state, None).truth(&Formula::And(all))
}

const FACTS: &[&str] = &[
    "x == \\null",
    "x != y && y != \\null",
    "x->next == y",
    "x->next != \\null ==> x->next->next == y",
    "reach(next, x, \\null)",
    "reach(next, x, y)",
    "reach1(next, x, x) || x == y",
    "cyclic(next, x) <==> cyclic(next, y)",
    "ls(next, x, y)",
    "ls(next, x, \\null)",
    "stable(next, x)",
    "alloc(x) && \\separated(x, y)",
    "\\inter(content(next, x), content(next, y)) == \\empty",
    "x->data == 1",
    "x->data != d || x->next->data == 0",
    "d == 0 ==> x->data < 1",
    "\\forall struct node *v; reach(next, x, v) && v != \\null ==> v->data == 1",
    "\\forall struct node *v; reach(next, x, v) && v != y && v != \\null ==> v->data == d",
    "\\forall struct node *v; reach(next, x, v) && v != \\null && v->next != \\null ==>\n\
     v->data != v->next->data",
    "\\exists struct node *v; reach(next, x, v) && v != \\null && v->data == 1",
    "\\forall struct node *v; v != \\null ==> v->data == 0",
    "\\forall struct node *u, *v; reach(next, x, u) && reach(next, u, v) && v != \\null &&\n\
     u->data == 1 ==> v->data == 1",
    "\\forall struct node *v; reach(next, v, \\null)",
    "\\forall struct node *v; reach1(next, v, x) ==> v == y",
    "\\forall struct node *v; reach(next, x, v) <==> reach(next, y, v)",
    "\\forall struct node *v; v->next == v ==> v == x",
    "sorted(next, data, x, \\null)",
    "sorted(next, data, x, y)",
    "sorted(next, data, x, y) && reach(next, x, y)",
];

/// The same for nodes with two pointer fields.
const DOUBLY: &[&str] = &[
    "dll(next, prev, x, \\null)",
    "dll(next, prev, x, y)",
    "dll(next, prev, x, x)",
    "head(x) && head(y)",
    "!dll(next, prev, x, y)",
    "\\forall struct dnode *v; reach(next, x, v) && v != \\null && v->next != \\null ==>\n\
     v->next->prev == v",
    "\\forall struct dnode *v; v != \\null && v->prev == \\null ==> v == x || v == y",
];

#[test]
fn the_truth_of_formulas_in_patterns_is_that_in_their_heaps() {
    let (mut certain, mut cases) = (0, 0);
    let single = FACTS.iter().map(|f| (*f, "node"));
    for (k, (formula, node)) in single.chain(DOUBLY.iter().map(|f| (*f, "dnode"))).enumerate() {
        let (inlined, code) = lowered(&format!(
            "void f(struct {node} *x, struct {node} *y, struct {node} *z, _Bool d) {{\n\
             if (z) z = z->next;\n/*@ assert {formula}; */\n}}"
        ));
        let program = &inlined.program;
        let machine = Machine::new(program, MachineOptions::default());
        let fact = asserted(&code);
        let spec = program.proc(code.proc).body_formulas().next().expect("the assertion");
        for seed in 0..200 {
            let mut random = Random::new(90_000 + 1000 * k as u64 + seed);
            let pattern = pattern(&code.words, &mut random, seed % 4 == 0);
            let said = truths(&code.words, &pattern, fact);
            let sure = holds(&code.words, &pattern, fact);
            let shown = text::pattern(&code.words, &pattern);
            for cells in 0..=3 {
                let _ = heaps(&code.words, &pattern, cells, Samples(1), &mut |heap| {
                    let entry = BlockId(code.entry as u32);
                    let state = state_of(program, code.proc, &code.words, entry, heap);
                    let truth = machine.env(&state, None).truth(spec);
                    assert!(said.includes(truth), "{formula} is {truth:?}\n{shown}\n{heap:?}");
                    assert!(!sure || truth == Truth::True, "{formula}\n{shown}\n{heap:?}");
                    cases += 1;
                    ControlFlow::Continue(())
                });
            }
            certain += usize::from(sure || said == Truths::FALSE);
        }
    }
    assert!(certain > 300 && cases > 10_000, "{certain} certain, {cases} cases");
}

/// The heap as it was at entry is not the one at return, so nobody reads it off that.
#[test]
fn the_heap_at_entry_is_refused() {
    let refuses = |clause: &str| {
        let text = format!("/*@ ensures {clause}; */ void f(struct node *x) {{ x = 0; }}");
        let (_, code) = lowered(&text);
        let mut steps = code.blocks.iter().flat_map(|b| &b.steps);
        steps.any(|s| matches!(s.op, Op::Unsupported(_)))
    };
    for clause in [
        "\\old(alloc(x))",
        "\\old(!alloc(x)) || alloc(x)",
        "\\old(\\valid(x))",
        "\\at(\\valid(x), Pre)",
        "\\old(reach(next, x, \\null))",
        "\\old(stable(next, x))",
        "\\old(x->next) == \\null",
        "\\old(x->data) == 1",
    ] {
        assert!(refuses(clause), "{clause}");
    }
    for clause in ["\\old(x) == x", "\\old(x != \\null) || x == \\null", "alloc(x)"] {
        assert!(!refuses(clause), "{clause}");
    }
}

fn asserted(code: &PatternProgram) -> &Fact {
    let steps = code.blocks.iter().flat_map(|b| &b.steps);
    let mut facts = steps.filter_map(|s| match &s.op {
        Op::AssertFact { fact, .. } => Some(fact),
        Op::Unsupported(reason) => panic!("{reason}"),
        _ => None,
    });
    facts.next().expect("an assertion")
}
