//! The families: their formulas, and what these mean on all small heaps.

mod formulas;
mod heaps;

use std::path::Path;

use trellis_epr::EprSolver;
use trellis_logic::FormulaId;
use trellis_predicates::{Families, Family, instantiate};
use trellis_program::{CheckKind, CheckSet, InlineLimits, Program, inline};
use trellis_solver::Solver;
use trellis_transys::{Options, TransitionSystem, build};

/// A loop that changes no pointer, so that its predicates are about `x` and `y` alone.
const STILL: &str = r"
struct node { struct node *next, *prev; int key; };
/*@ requires x != NULL && y != NULL;
    requires \forall struct node *v; reach(next, v, NULL) && reach(prev, v, NULL); */
int f(struct node *x, struct node *y) {
    while (x->key <= y->key) { }
    return x == y;
}";

/// What is checked of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    /// The safety of memory, and that no cycle is made.
    Safety,
    /// The contract as well.
    Everything,
}

/// A procedure as a system.
fn system(program: &Program, proc: &str, checked: Checked) -> TransitionSystem {
    let proc = program.find_proc(proc).expect("the procedure");
    let inlined = inline(program, proc, InlineLimits::default()).expect("no recursion");
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Acyclic, true);
    checks.set(CheckKind::Postcondition, checked == Checked::Everything);
    let options = Options { checks, leak_turns: 1, ..Options::default() };
    let embedded = || -> Box<dyn Solver> { Box::new(EprSolver::default()) };
    build(&inlined.program, inlined.proc, &options, &embedded).expect("supported")
}

fn parse(code: &str) -> Program {
    let unit = trellis_front_c::load_str("test.c", code);
    unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program
}

fn still() -> TransitionSystem {
    system(&parse(STILL), "f", Checked::Everything)
}

/// The predicates that a family adds at the first loop.
fn added(system: &mut TransitionSystem, family: Family) -> Vec<FormulaId> {
    let mut families = Families::none();
    families.insert(family);
    instantiate(system, &families, &[]).swap_remove(1)
}

/// A benchmark of the paper's suite.
fn benchmark(file: &str) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/pdr-a");
    let unit = trellis_front_c::load(&folder.join(file), &Default::default());
    unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program
}
