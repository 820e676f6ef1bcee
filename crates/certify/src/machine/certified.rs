//! The second leg of a certificate.

use trellis_explore::Config;
use trellis_logic::Budget;
use trellis_program::{Inlined, Program};

use super::{
    Extent, Held, Objection, check_graphs_on_machine, check_on_machine, check_patterns_on_machine,
    check_runs,
};
use crate::certificate::Certificate;
use crate::patterns::Understood;
use crate::restore::{Problem, Restored, find, options};

/// How far the certifier looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Most heap objects.
    pub objects: usize,
    /// Work for states that satisfy the clauses.
    pub work: u64,
    /// Initial heaps grow by one object as long as the last size took at most so many instructions.
    pub instructions: u64,
}

/// More than the driver tries before it says *verified*.
impl Default for Reach {
    fn default() -> Reach {
        Reach { objects: 5, work: 1_000_000, instructions: 200_000 }
    }
}

/// What the first leg understood of an invariant, where states can be told from it.
#[derive(Clone, Copy)]
pub enum Invariant<'a> {
    /// Nothing: only runs from initial heaps are made.
    None,
    /// Clauses of the logic.
    Clauses(&'a Restored),
    /// Heap patterns, of the program without calls.
    Patterns(&'a Inlined, &'a Understood),
    /// Memory graphs, of the program without calls.
    Graphs(&'a Inlined, &'a trellis_graphs::check::Invariant),
}

/// Runs the machine from all small heaps, and from all small states that satisfy the invariant.
///
/// # Errors
/// If the certificate does not fit the program; then, if the machine does not agree.
pub fn check_second_leg(
    program: &Program,
    certificate: &Certificate,
    invariant: Invariant<'_>,
    reach: Reach,
    budget: &Budget,
) -> Result<Result<Held, Objection>, Problem> {
    let options = options(certificate)?;
    let proc = find(program, &certificate.procedure)?;
    let config = Config {
        objects: reach.objects,
        checks: options.checks,
        malloc_may_fail: options.malloc_may_fail,
        budget: budget.clone(),
        ..Config::default()
    };
    let both = || -> Result<Held, Objection> {
        let (runs, _) = check_runs(program, proc, &config, reach.instructions)?;
        let machine = config.machine_options(program, proc);
        let extent = Extent { objects: reach.objects, work: reach.work, machine };
        let states = match invariant {
            Invariant::None => None,
            Invariant::Clauses(Restored { placed, system, clauses }) => {
                Some(check_on_machine(placed, system, clauses, &extent, budget)?)
            }
            Invariant::Graphs(inlined, graphs) => {
                Some(check_graphs_on_machine(inlined, graphs, &extent, budget)?)
            }
            Invariant::Patterns(inlined, understood) => {
                Some(check_patterns_on_machine(&inlined.program, understood, &extent, budget)?)
            }
        };
        Ok(Held { runs, states, all: None })
    };
    Ok(both())
}
