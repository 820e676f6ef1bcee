//! The rows of *Predicate and Canonical Abstraction*, Table 9, and its Fig. 1, from their manifest.

use std::path::{Path, PathBuf};

use trellis_front_c::{Unit, load};
use trellis_program::{CheckKind, CheckSet};
use trellis_sll::analyse::{Analysis, Options, Outcome, analyse};
use trellis_sll::check::{self, check};
use trellis_sll::lower::{Settings, lower};
use trellis_sll::program::ListProgram;
use trellis_suites::lists::{Manifest, Row};

/// Reads a C file.
pub fn read(path: &Path) -> Unit {
    let options = trellis_front_c::Options::default();
    load(path, &options).unwrap_or_else(|e| panic!("{}: {:?}", path.display(), e.diagnostics))
}

/// Analyses a procedure.
pub fn run(
    unit: &Unit,
    proc: &str,
    checks: CheckSet,
    sharing: Option<usize>,
) -> (ListProgram, Analysis) {
    let proc = unit.program.find_proc(proc).expect("a procedure");
    let settings = Settings { checks, malloc_may_fail: false };
    let program = lower(&unit.program, proc, &settings);
    let analysis = analyse(&program, &Options { checks, sharing, ..Options::default() });
    assert_eq!(analysis.outcome, Outcome::Finished);
    (program, analysis)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/sll")
}

fn rows() -> Vec<Row> {
    Manifest::load(&folder()).unwrap_or_else(|why| panic!("{why}")).rows
}

#[test]
fn no_false_alarm_and_the_one_error() {
    let rows = rows();
    assert_eq!(rows.len(), 14);
    for row in rows {
        let name = &row.name;
        let unit = read(&folder().join(&row.file));
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, !row.gc);
        for sharing in [None, Some(1)] {
            let (program, analysis) = run(&unit, &row.proc, checks, sharing);
            assert!(analysis.unsupported.is_empty(), "{name}: {:?}", analysis.unsupported);
            assert!(program.left_out.is_empty(), "{name}: a precondition is left out");
            let found: Vec<_> = analysis
                .alarms
                .iter()
                .map(|a| (a.kind, unit.program.sources.line_col(a.span).0))
                .collect();
            let options = check::Options { checks, ..check::Options::default() };
            let checked = check(&unit.program, &program, &analysis.states, &options);
            match row.expect.as_str() {
                "verified" => {
                    assert_eq!(found, [], "{name}");
                    let checked = checked.unwrap_or_else(|e| panic!("{name}: {e:?}"));
                    assert!(checked.initial > 0 && checked.states > 0);
                }
                _ => {
                    assert_eq!(found, [(CheckKind::NullDeref, 17)], "{name}");
                    assert!(checked.is_err(), "the checker accepts an error");
                }
            }
        }
    }
}

/// What is not an invariant is not accepted: without any one of its states, every analysis of a
/// row is rejected.
#[test]
fn the_checker_wants_every_state() {
    for row in rows().iter().filter(|r| r.expect == "verified").take(6) {
        let unit = read(&folder().join(&row.file));
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, !row.gc);
        let (program, analysis) = run(&unit, &row.proc, checks, None);
        let options = check::Options { checks, ..check::Options::default() };
        for block in 0..program.blocks.len() {
            for left_out in 0..analysis.states.of_block(block).len() {
                let states = analysis.states.without(block, left_out);
                let found = check(&unit.program, &program, &states, &options);
                assert!(found.is_err(), "{}: block {block}, state {left_out}", row.name);
            }
        }
    }
}

/// What the engine must not overlook although no list variable leads there.
#[test]
fn hidden_nodes_are_not_forgotten() {
    let unit = |text: &str| {
        trellis_front_c::load_str("hidden.c", text)
            .unwrap_or_else(|e| panic!("{:?}", e.diagnostics))
    };
    let refused = |text: &str| {
        let (_, analysis) = run(&unit(text), "f", CheckSet::default(), None);
        assert!(!analysis.unsupported.is_empty(), "{text}");
    };
    // Another node may lead into the list over `p`.
    refused(
        "struct node { struct node *n; struct node *p; };\n\
         /*@ requires reach(n, h, \\null); ensures ls(n, h, \\null); */\n\
         void f(struct node *h) { }",
    );
    // An input may point to the global node, which cannot be freed.
    refused(
        "struct node { struct node *n; } g;\nvoid free(void *);\n\
         /*@ requires h != \\null && h->n == \\null; */ void f(struct node *h) { free(h); }",
    );
    // A list behind another type may share nodes with this one.
    refused(
        "struct node { struct node *n; }; struct list { struct node *head; };\n\
         /*@ requires reach(n, h, \\null); ensures ls(n, h, \\null); */\n\
         void f(struct node *h, struct list *l) { }",
    );
}
