//! The search over predicates (*Property-Directed Shape Analysis*): how their families grow, and
//! rows of its tables.

mod growth;
mod rows;

use std::path::Path;
use std::time::Duration;

use trellis_certify::{BackEnd, Outcome as Certified, Settings, certify_invariant};
use trellis_pdr::predicates::{Growth, run_with_families};
use trellis_pdr::{Config, Outcome};
use trellis_predicates::Selection;
use trellis_program::{CheckKind, CheckSet, InlineLimits, Program, inline};
use trellis_solver::Limits;
use trellis_testkit::solvers::{epr, z3};
use trellis_transys::{Options, TransitionSystem, UserPredicate, build, user_predicate};

/// What is checked of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    /// The safety of memory, and that no cycle is made.
    Safety,
    /// The contract as well.
    Everything,
}

/// A procedure as a system, with some predicates of the program.
fn system(
    program: &Program,
    proc: &str,
    checked: Checked,
    user: &[String],
) -> (TransitionSystem, Vec<UserPredicate>) {
    let proc = program.find_proc(proc).expect("the procedure");
    let inlined = inline(program, proc, InlineLimits::default()).expect("no recursion");
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Acyclic, true);
    checks.set(CheckKind::Postcondition, checked == Checked::Everything);
    let options = Options { checks, leak_turns: 1, ..Options::default() };
    let system = build(&inlined.program, inlined.proc, &options, &epr);
    let mut system = system.expect("supported");
    let user = user.iter().map(|name| user_predicate(&inlined.program, &mut system, name));
    let user = user.collect::<Result<_, _>>().expect("defined");
    (system, user)
}

fn parse(code: &str) -> Program {
    let unit = trellis_front_c::load_str("test.c", code);
    unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program
}

/// A benchmark of the paper's suite.
fn benchmark(file: &str) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/pdr-a");
    let unit = trellis_front_c::load(&folder.join(file), &Default::default());
    unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program
}

/// Searches a benchmark; an invariant that is found is certified by z3.
fn search(file: &str, proc: &str, checked: Checked, selection: &Selection) -> Growth {
    search_in(&benchmark(file), proc, checked, selection)
}

fn search_in(program: &Program, proc: &str, checked: Checked, selection: &Selection) -> Growth {
    let (system, user) = system(program, proc, checked, &selection.user);
    let config = Config { limits: Limits::within(Duration::from_secs(300)), ..Config::default() };
    let mut growth = run_with_families(&system, &user, &epr, &config, selection);
    if let Outcome::Verified(invariant) = &growth.outcome {
        let provers = [BackEnd::solver("z3", &z3)];
        let settings = Settings::default();
        let report = certify_invariant(&mut growth.system, &invariant.clauses, &provers, &settings);
        assert_eq!(report.outcome(), Certified::Certified, "{proc}: {report:?}");
    }
    growth
}

fn given(text: &str) -> Selection {
    text.parse().expect("a selection")
}
