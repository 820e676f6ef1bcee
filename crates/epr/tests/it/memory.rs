//! Many queries on one solver: memory follows the assertions, not the queries.

use trellis_epr::{EprSolver, Options};
use trellis_logic::generate::Tape;
use trellis_solver::{Answer, Context, Limits, Solver};

use trellis_testkit::reversal::Reversal;

/// How many megabytes a conversation may grow.
const GROWTH: f64 = 200.0;

/// A million in the slow tier.
fn queries() -> u32 {
    if std::env::var_os("TRELLIS_SLOW").is_some() { 1_000_000 } else { 10_000 }
}

/// Resident megabytes, where the system tells.
fn resident() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096.0 / 1e6)
}

#[test]
fn memory_does_not_grow_with_queries() {
    let queries = queries();
    let mut program = Reversal::new();
    let guards: Vec<_> =
        (0..queries / 20).map(|i| program.vocabulary.relation(format!("act{i}"), &[])).collect();
    let invariant = program.invariant.clone();
    let mut pool = Vec::new();
    for &f in &invariant {
        let after = program.after(f);
        pool.extend([f, after, program.arena.not(f), program.arena.not(after)]);
    }
    let options = Options { check_models: false, ..Options::default() };
    let mut solver = EprSolver::new(options);
    let Reversal { vocabulary, arena, axioms, step, .. } = &mut program;
    let mut context = Context { vocabulary, arena };
    for &f in axioms.iter().chain([&*step]) {
        solver.assert(&mut context, f).unwrap();
    }
    let mut number = 1_u32;
    let (mut sat, mut unsat, mut start) = (0, 0, None);
    for i in 0..queries {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let tape = (0..4).map(|k| number.rotate_left(8 * k).wrapping_mul(2_654_435_769));
        let mut tape = Tape::new(tape.collect());
        let mut assumed: Vec<_> = (0..3).map(|_| *tape.pick(&pool).unwrap()).collect();
        let act = context.arena.rel(guards[i as usize / 20], &[]);
        assumed.push(act);
        if i % 20 == 0 {
            let clause = context.arena.implies(act, assumed[0]);
            solver.assert(&mut context, clause).unwrap();
        }
        match solver.check(&mut context, &assumed, &Limits::default()) {
            Answer::Sat => sat += 1,
            Answer::Unsat => unsat += 1,
            Answer::Unknown(why) => panic!("{why}"),
        }
        if i % 20 == 19 {
            let retired = context.arena.not(act);
            solver.assert(&mut context, retired).unwrap();
        }
        if i == queries / 10 {
            start = resident();
        }
    }
    assert!(sat > queries / 10 && unsat > queries / 10, "{sat} sat, {unsat} unsat");
    if let (Some(start), Some(end)) = (start, resident()) {
        println!("{start} MB, then {end} MB; {:?}", solver.statistics());
        assert!(end - start < GROWTH, "{start} MB, then {end} MB");
    }
}
