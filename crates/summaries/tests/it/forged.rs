//! What is left out of the evidence for a recursive program, or put into it, is noticed.

use std::path::Path;

use trellis_front_c::load;
use trellis_graphs::check::check;
use trellis_graphs::evidence::{Graphs, read, write};
use trellis_graphs::{Codes, Graph, Value};
use trellis_program::slice::slice;
use trellis_program::{Budget, CheckSet, inline_to_recursion};
use trellis_summaries::Precision;
use trellis_summaries::search::search;

/// Whether evidence is accepted.
type Judge<'a> = dyn Fn(&Graphs) -> Result<usize, String> + 'a;

fn with_evidence(name: &str, look: &dyn Fn(&Graphs, &Judge<'_>)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/whole").join(name);
    let unit = load(&path, &trellis_front_c::Options::default()).expect("it can be read");
    let main = unit.program.find_proc("main").expect("main");
    let (program, main) = slice(&unit.program, main);
    let inlined = inline_to_recursion(&program, main).expect("only recursive calls stay");
    let codes = Codes::new(&inlined, CheckSet::default(), false).expect("it can be followed");
    let budget = Budget::default();
    let mut ladder = Precision::LADDER.into_iter();
    let found = ladder.find_map(|precision| search(&codes, precision, &budget).ok());
    let graphs = write(&codes, &found.expect("it is proved"));
    let judge = |graphs: &Graphs| {
        let invariant = read(&codes, graphs)?;
        check(&codes, &invariant, &budget).map_err(|why| format!("{why:?}"))
    };
    judge(&graphs).expect("what was found is accepted");
    look(&graphs, &judge);
}

const PROGRAMS: [&str; 5] = [
    "recursive-tree.c",
    "recursive-slots.c",
    "recursive-list.c",
    "recursive-sort.c",
    "mutual-recursion.c",
];

#[test]
fn nothing_can_be_left_out() {
    for name in PROGRAMS {
        with_evidence(name, &|graphs, judge| {
            for case in 0..graphs.cases.len() {
                let mut less = graphs.clone();
                less.cases.remove(case);
                judge(&less).expect_err("a case is missing");
                let mut less = graphs.clone();
                less.cases[case].exits.clear();
                judge(&less).expect_err("returns are missing");
                for at in 0..graphs.cases[case].loops.len() {
                    let mut less = graphs.clone();
                    less.cases[case].loops.remove(at);
                    judge(&less).expect_err("a loop of a case is missing");
                }
            }
            for at in 0..graphs.loops.len() {
                let mut less = graphs.clone();
                less.loops.remove(at);
                judge(&less).expect_err("a loop is missing");
            }
        });
    }
}

#[test]
fn what_callers_hold_cannot_be_changed() {
    for name in PROGRAMS {
        with_evidence(name, &|graphs, judge| {
            let all = graphs.cases.iter().enumerate();
            for (case, at) in all.flat_map(|(c, g)| (0..g.exits.len()).map(move |at| (c, at))) {
                let forge = |change: &dyn Fn(&mut Graph)| {
                    let mut other = graphs.clone();
                    change(&mut other.cases[case].exits[at]);
                    judge(&other)
                };
                forge(&|g| g.held.push(Value::Null)).expect_err("one pointer more");
                forge(&|g| g.locals.clear()).expect_err("no result");
                if matches!(graphs.cases[case].exits[at].held.first(), Some(Value::Ptr(_))) {
                    let why = forge(&|g| g.held[0] = Value::Null);
                    why.expect_err("a pointer that leads elsewhere");
                }
            }
        });
    }
}
