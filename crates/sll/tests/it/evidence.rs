//! The abstract heaps of an analysis as evidence: written as data, read again and checked by a
//! checker that trusts nobody; what is forged is refused.

use trellis_front_c::load_str;
use trellis_program::{CheckSet, ProcId, Program, Rejected};
use trellis_shapes::check::{Options as Check, check};
use trellis_shapes::evidence::{Shapes, read, write};
use trellis_sll::analyse::{Options, analyse};
use trellis_sll::check::heaps;
use trellis_sll::heap::Heap;
use trellis_sll::lower::{Settings, lower};
use trellis_sll::program::ListProgram;

const HEADER: &str = "struct node { struct node *n; int data; };\nvoid *malloc(unsigned long);\n\
    void free(void *);\nvoid reach_error(void);\n";

const SAFE: &[&str] = &[
    "/*@ requires x != \\null && cyclic(n, x); ensures cyclic(n, \\result); */\n\
     struct node *f(struct node *x, int k) { struct node *y = x->n;\n\
     while (y != x && k) { y = y->n; k = k - 1; } return y; }",
    "/*@ requires reach(n, x, \\null); ensures reach(n, \\result, \\null); */\n\
     struct node *f(struct node *x) { struct node *y = 0, *t;\n\
     while (x) { t = x->n; x->n = y; y = x; x = t; } return y; }",
    "/*@ requires reach(n, x, \\null); */\n\
     void f(struct node *x) { struct node *t; while (x) { t = x->n; free(x); x = t; } }",
    "struct node *f(struct node *x, struct node *y) { if (x && y) return x; return y; }",
];

const WRONG: &[&str] = &[
    "struct node *f(struct node *x) { return x->n; }",
    "int f(void *p) { struct node *x = p; if (x) return x->data; return 0; }",
    "/*@ requires reach(n, x, \\null); */ void f(struct node *x) { if (x) free(x); }",
    "void f(struct node *x) { while (x) x = x->n; reach_error(); }",
    "int f(void) { struct node *x = malloc(sizeof *x); int d = x->data; free(x); \
     if (d) return 1; return 0; }",
    "int f(void) { struct node *x = malloc(sizeof *x); int d; x->data = d; d = x->data; free(x); \
     if (d) return 1; return 0; }",
];

fn analysed(program: &Program, proc: ProcId) -> (ListProgram, Vec<Vec<Heap>>) {
    let checks = CheckSet::default();
    let list = lower(program, proc, &Settings { checks, malloc_may_fail: false });
    let analysis = analyse(&list, &Options { checks, ..Options::default() });
    let heaps = heaps(&list, &analysis.states);
    (list, heaps)
}

fn checked(program: &Program, list: &ListProgram, shapes: &Shapes) -> Result<(), Rejected> {
    let heaps = read(list, shapes).map_err(Rejected::Wrong)?;
    check(program, list, &heaps, &Check::default()).map(|_| ())
}

#[test]
fn evidence_is_read_as_it_was_written_and_is_needed_whole() {
    for text in SAFE {
        let unit = load_str("evidence.c", &format!("{HEADER}{text}\n")).expect("a program");
        let proc = unit.program.find_proc("f").expect("f");
        let (list, heaps) = analysed(&unit.program, proc);
        let shapes = write(&list, &heaps);
        assert_eq!(read(&list, &shapes), Ok(heaps));
        assert_eq!(checked(&unit.program, &list, &shapes), Ok(()), "{text}");
        for b in 0..shapes.blocks.len() {
            for h in 0..shapes.blocks[b].heaps.len() {
                let mut less = shapes.clone();
                less.blocks[b].heaps.remove(h);
                let verdict = checked(&unit.program, &list, &less);
                assert!(matches!(verdict, Err(Rejected::Wrong(_))), "{text}: {b} {h}");
            }
        }
    }
}

/// Whoever has the heaps of a program that fails has no proof.
#[test]
fn what_an_engine_reached_before_a_failure_is_no_evidence() {
    for text in WRONG {
        let unit = load_str("evidence.c", &format!("{HEADER}{text}\n")).expect("a program");
        let proc = unit.program.find_proc("f").expect("f");
        let (list, heaps) = analysed(&unit.program, proc);
        let shapes = write(&list, &heaps);
        assert!(checked(&unit.program, &list, &shapes).is_err(), "{text}");
        let none = Shapes { blocks: Vec::new(), ..shapes };
        assert!(checked(&unit.program, &list, &none).is_err(), "{text}");
    }
}

/// What is forged, and how.
type Forgery = (&'static str, fn(&mut Shapes));

/// A file may say anything.
#[test]
fn forged_shapes_are_refused() {
    let unit = load_str("evidence.c", &format!("{HEADER}{}\n", SAFE[1])).expect("a program");
    let proc = unit.program.find_proc("f").expect("f");
    let (list, heaps) = analysed(&unit.program, proc);
    let good = write(&list, &heaps);
    let forgeries: &[Forgery] = &[
        ("another variable", |s| s.variables[0].push('x')),
        ("a variable less", |s| drop(s.variables.pop())),
        ("a block that is not there", |s| s.blocks[0].block = 1 << 40),
        ("a block twice", |s| s.blocks.push(s.blocks[0].clone())),
        ("a node that is not there", |s| s.blocks[0].heaps[0].points[0] = "7".to_owned()),
        ("a number too large", |s| {
            s.blocks[0].heaps[0].points[0] = "99999999999999999999999".to_owned();
        }),
        ("a variable too few", |s| drop(s.blocks[0].heaps[0].points.pop())),
        ("no lengths", |s| {
            for link in s.blocks.iter_mut().flat_map(|b| &mut b.heaps).flat_map(|h| &mut h.nodes) {
                link.lengths.clear();
            }
        }),
        ("an unknown length", |s| {
            for link in s.blocks.iter_mut().flat_map(|b| &mut b.heaps).flat_map(|h| &mut h.nodes) {
                link.lengths.push("4".to_owned());
            }
        }),
        ("an unknown loss", |s| s.blocks[0].heaps[0].lost = "time".to_owned()),
        ("nodes that nobody reaches", |s| {
            let link = s.blocks.iter().flat_map(|b| &b.heaps).find_map(|h| h.nodes.first());
            let link = link.expect("a heap with a node").clone();
            s.blocks[0].heaps[0].nodes.extend((0..5).map(|_| link.clone()));
        }),
        ("too many nodes", |s| {
            let link = s.blocks.iter().flat_map(|b| &b.heaps).find_map(|h| h.nodes.first());
            let link = link.expect("a heap with a node").clone();
            s.blocks[0].heaps[0].nodes.extend((0..300).map(|_| link.clone()));
        }),
    ];
    for (what, forge) in forgeries {
        let mut forged = good.clone();
        forge(&mut forged);
        let verdict = checked(&unit.program, &list, &forged);
        assert!(matches!(verdict, Err(Rejected::Wrong(_))), "{what}: {verdict:?}");
    }
}
