//! Queries about list reversal as a PDR engine would ask them, with all conjuncts of the invariant
//! behind assumptions: steady state on one solver, and from nothing.
//!
//! `cargo bench -p trellis-epr`; the time of one iteration is that of one query (or, for `cold`, of
//! building a solver and asking once).

use divan::Bencher;
use trellis_epr::EprSolver;
use trellis_logic::FormulaId;
use trellis_logic::generate::Tape;
use trellis_solver::{Answer, Context, Limits, Solver};
use trellis_testkit::lists::{self, Question};
use trellis_testkit::reversal::Reversal;

fn main() {
    divan::main();
}

/// A program with the negations of its invariants after a step.
struct Bench {
    program: Reversal,
    bad: Vec<FormulaId>,
}

impl Bench {
    fn new() -> Bench {
        let mut program = Reversal::new();
        let invariant = program.invariant.clone();
        let bad = invariant
            .into_iter()
            .map(|f| {
                let after = program.after(f);
                program.arena.not(after)
            })
            .collect();
        Bench { program, bad }
    }

    fn solver(&mut self) -> EprSolver {
        let mut solver = EprSolver::default();
        let Reversal { vocabulary, arena, axioms, step, .. } = &mut self.program;
        let mut context = Context { vocabulary, arena };
        for &f in axioms.iter().chain([&*step]) {
            solver.assert(&mut context, f).unwrap();
        }
        solver
    }

    fn ask(&mut self, solver: &mut EprSolver, assumed: &[FormulaId], limits: &Limits) -> Answer {
        let Reversal { vocabulary, arena, .. } = &mut self.program;
        let mut context = Context { vocabulary, arena };
        let answer = solver.check(&mut context, assumed, limits);
        if limits.minimise_model && answer == Answer::Sat {
            solver.model(&mut context, limits).unwrap();
        }
        answer
    }

    /// The queries: the invariant, and one conjunct violated after a step.
    fn unsat(&self) -> Vec<Vec<FormulaId>> {
        let invariant = &self.program.invariant;
        self.bad.iter().map(|&b| invariant.iter().copied().chain([b]).collect()).collect()
    }

    /// The same with only one conjunct assumed before the step, where that leaves a model.
    fn sat(&mut self) -> Vec<Vec<FormulaId>> {
        let mut solver = self.solver();
        let pairs: Vec<Vec<FormulaId>> = self
            .bad
            .iter()
            .flat_map(|&b| self.program.invariant.iter().map(move |&f| vec![f, b]))
            .collect();
        pairs
            .into_iter()
            .filter(|q| self.ask(&mut solver, q, &Limits::default()) == Answer::Sat)
            .collect()
    }

    /// Can a step lead into these states? One query for the diagram of each model.
    fn diagrams(&mut self) -> Vec<Vec<FormulaId>> {
        let mut solver = self.solver();
        let mut queries = Vec::new();
        for query in self.sat() {
            assert_eq!(self.ask(&mut solver, &query, &Limits::default()), Answer::Sat);
            let Reversal { vocabulary, arena, .. } = &mut self.program;
            let model =
                solver.model(&mut Context { vocabulary, arena }, &Limits::default()).unwrap();
            let diagram = self.program.diagram(&model);
            let after = self.program.after(diagram);
            queries.push(self.program.invariant.iter().copied().chain([after]).collect());
        }
        queries
    }
}

/// One query after the other on one solver that has seen them all before.
fn steady(bencher: Bencher, queries: impl Fn(&mut Bench) -> Vec<Vec<FormulaId>>, limits: &Limits) {
    let mut bench = Bench::new();
    let queries = queries(&mut bench);
    assert!(!queries.is_empty());
    let mut solver = bench.solver();
    for query in &queries {
        bench.ask(&mut solver, query, limits);
    }
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % queries.len();
        bench.ask(&mut solver, &queries[next], limits)
    });
}

#[divan::bench]
fn unsat(bencher: Bencher) {
    steady(bencher, |b| b.unsat(), &Limits::default());
}

#[divan::bench]
fn unsat_minimised(bencher: Bencher) {
    steady(bencher, |b| b.unsat(), &Limits { minimise_core: true, ..Limits::default() });
}

#[divan::bench]
fn sat(bencher: Bencher) {
    steady(bencher, Bench::sat, &Limits::default());
}

#[divan::bench]
fn sat_minimised(bencher: Bencher) {
    steady(bencher, Bench::sat, &Limits { minimise_model: true, ..Limits::default() });
}

#[divan::bench]
fn diagram(bencher: Bencher) {
    steady(bencher, Bench::diagrams, &Limits::default());
}

#[divan::bench]
fn diagram_minimised(bencher: Bencher) {
    steady(bencher, Bench::diagrams, &Limits { minimise_core: true, ..Limits::default() });
}

#[divan::bench]
fn cold(bencher: Bencher) {
    let mut bench = Bench::new();
    let queries = bench.unsat();
    bencher.bench_local(|| {
        let mut solver = bench.solver();
        bench.ask(&mut solver, &queries[0], &Limits::default())
    });
}

/// Random questions about many constants, each on a new solver.
#[divan::bench(args = [4, 8, 12, 16])]
fn random_lists(bencher: Bencher, constants: usize) {
    let mut number = 1_u32;
    let mut questions: Vec<Question> = (0..64)
        .map(|_| {
            let numbers = (0..400).map(|_| {
                // A xorshift generator: the same questions in every run.
                number ^= number << 13;
                number ^= number >> 17;
                number ^= number << 5;
                number
            });
            lists::question(&mut Tape::new(numbers.collect()), constants, 2 * constants as u32)
        })
        .collect();
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % questions.len();
        let Question { vocabulary, arena, axioms, assumed } = &mut questions[next];
        let mut context = Context { vocabulary, arena };
        let mut solver = EprSolver::default();
        for &axiom in &*axioms {
            solver.assert(&mut context, axiom).unwrap();
        }
        solver.check(&mut context, assumed, &Limits::default())
    });
}
