//! What a proof costs, beside the answer that it proves.
//!
//! `cargo bench -p trellis-epr --bench proofs`; all three are about list reversal, one conjunct of
//! the invariant after a step: a new solver answers, the proof is made, the proof is checked.

use divan::Bencher;
use trellis_epr::{EprSolver, Proved, prove_unsat};
use trellis_logic::FormulaId;
use trellis_solver::{Answer, Context, Limits, Solver};
use trellis_testkit::reversal::Reversal;

const CONJUNCTS: [usize; 3] = [0, 3, 5];

fn main() {
    divan::main();
}

/// The program, and formulas without a common model.
fn question(conjunct: usize) -> (Reversal, Vec<FormulaId>) {
    let mut program = Reversal::new();
    let after = program.after(program.invariant[conjunct]);
    let bad = program.arena.not(after);
    let mut formulas = program.axioms.clone();
    formulas.extend_from_slice(&program.invariant);
    formulas.extend([program.step, bad]);
    (program, formulas)
}

fn prove(program: &mut Reversal, formulas: &[FormulaId]) -> Proved {
    let Reversal { vocabulary, arena, .. } = program;
    let context = Context { vocabulary, arena };
    prove_unsat(&context, formulas, &Limits::default()).expect("the invariant is inductive")
}

#[divan::bench(args = CONJUNCTS)]
fn answer(bencher: Bencher<'_, '_>, conjunct: usize) {
    let (mut program, formulas) = question(conjunct);
    bencher.bench_local(|| {
        let Reversal { vocabulary, arena, .. } = &mut program;
        let mut context = Context { vocabulary, arena };
        let mut solver = EprSolver::default();
        for &formula in &formulas {
            solver.assert(&mut context, formula).expect("it is in EPR");
        }
        assert_eq!(solver.check(&mut context, &[], &Limits::default()), Answer::Unsat);
    });
}

#[divan::bench(args = CONJUNCTS)]
fn make_proof(bencher: Bencher<'_, '_>, conjunct: usize) {
    let (mut program, formulas) = question(conjunct);
    bencher.bench_local(|| prove(&mut program, &formulas));
}

#[divan::bench(args = CONJUNCTS)]
fn check_proof(bencher: Bencher<'_, '_>, conjunct: usize) {
    let (mut program, formulas) = question(conjunct);
    let proved = prove(&mut program, &formulas);
    bencher.bench_local(|| trellis_proofcheck::check(&proved.proof).expect("it was checked"));
}
