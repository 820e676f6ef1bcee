//! Every unsat answer has a proof that the independent checker accepts, and no damaged proof makes
//! it accept formulas that have a model.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trellis_epr::{EprSolver, Options, Proved, prove_unsat};
use trellis_logic::generate::{Tape, runner, tapes};
use trellis_logic::{Arena, FormulaId, Vocabulary};
use trellis_proofcheck::files::{Files, check_directory, write_directory};
use trellis_proofcheck::{Proof, Statement, check};
use trellis_solver::record::{Corpus, Event};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};

use crate::random::{Problem, cases, problem};
use trellis_testkit::lists::{Question, question};
use trellis_testkit::reversal::Reversal;

/// Asks a solver; the proof if the answer is unsat.
fn ask(context: &mut Context<'_>, asserted: &[FormulaId], assumed: &[FormulaId]) -> Option<Proved> {
    let mut solver = EprSolver::default();
    let asserted: Vec<FormulaId> =
        asserted.iter().copied().filter(|&f| solver.assert(context, f).is_ok()).collect();
    let limits = Limits { minimise_core: true, ..Limits::default() };
    if solver.check(context, assumed, &limits) != Answer::Unsat {
        return None;
    }
    let core: Vec<FormulaId> = solver.core().iter().map(|&i| assumed[i]).collect();
    let proved = solver.proof(context, &core, &Limits::default()).unwrap();
    assert!(proved.formulas.iter().all(|f| asserted.contains(f) || core.contains(f)));
    Some(proved)
}

/// The proof is right, and says the same when it is written and read.
fn accept(proof: &Proof) {
    check(proof).unwrap();
    let files = Files::new(proof).unwrap();
    let again = files.check().unwrap();
    assert_eq!(again.statement.text(), proof.statement.text());
    assert_eq!(Files::new(&again).unwrap(), files);
}

pub fn random_proof(tape: &mut Tape, functions: bool) -> Option<Proved> {
    let count = 1 + tape.below(4);
    let asserted = tape.below(count + 1) as usize;
    let Problem { vocabulary, mut arena, formulas } = problem(tape, count, functions);
    let (asserted, assumed) = formulas.split_at(asserted);
    let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
    ask(&mut context, asserted, assumed)
}

#[test]
fn random_formulas() {
    for functions in [false, true] {
        let proofs = Cell::new(0);
        runner(cases(800))
            .run(&tapes(300), |mut tape| {
                if let Some(proved) = random_proof(&mut tape, functions) {
                    accept(&proved.proof);
                    proofs.set(proofs.get() + 1);
                }
                Ok(())
            })
            .unwrap();
        assert!(proofs.get() > 50, "{}", proofs.get());
    }
}

/// A solver that was built anew, and that has retired some of its assertions.
#[test]
fn in_the_middle_of_a_conversation() {
    let proofs = Cell::new(0);
    runner(cases(150))
        .run(&tapes(600), |mut tape| {
            let Problem { mut vocabulary, mut arena, formulas } = problem(&mut tape, 6, false);
            let guards: Vec<_> =
                (0..4).map(|i| vocabulary.relation(format!("act{i}"), &[])).collect();
            let guards: Vec<FormulaId> = guards.iter().map(|&g| arena.rel(g, &[])).collect();
            let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
            let mut solver = EprSolver::new(Options { rebuild_above: 3, ..Options::default() });
            for round in 0..10 {
                let &formula = tape.pick(&formulas).unwrap();
                let &guard = tape.pick(&guards).unwrap();
                let guarded = context.arena.implies(guard, formula);
                let retired = context.arena.not(guard);
                let assertion = if round == 5 { retired } else { guarded };
                let _refused = solver.assert(&mut context, assertion);
                let assumed: Vec<FormulaId> = [guard, *tape.pick(&guards).unwrap()]
                    .into_iter()
                    .chain((0..tape.below(3)).map(|_| *tape.pick(&formulas).unwrap()))
                    .collect();
                if solver.check(&mut context, &assumed, &Limits::default()) != Answer::Unsat {
                    continue;
                }
                let core: Vec<FormulaId> = solver.core().iter().map(|&i| assumed[i]).collect();
                let proved = solver.proof(&context, &core, &Limits::default()).unwrap();
                accept(&proved.proof);
                proofs.set(proofs.get() + 1);
            }
            Ok(())
        })
        .unwrap();
    assert!(proofs.get() > 150, "{}", proofs.get());
}

#[test]
fn random_questions_about_lists() {
    let proofs = Cell::new(0);
    runner(cases(400))
        .run(&tapes(200), |mut tape| {
            let Question { vocabulary, mut arena, axioms, assumed } = question(&mut tape, 4, 9);
            let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
            if let Some(proved) = ask(&mut context, &axioms, &assumed) {
                accept(&proved.proof);
                proofs.set(proofs.get() + 1);
            }
            Ok(())
        })
        .unwrap();
    assert!(proofs.get() > 100, "{}", proofs.get());
}

#[test]
fn the_reversal_invariant() {
    let mut program = Reversal::new();
    for i in 0..program.invariant.len() {
        let after = program.after(program.invariant[i]);
        let bad = program.arena.not(after);
        let Reversal { vocabulary, arena, axioms, invariant, step, .. } = &mut program;
        let mut context = Context { vocabulary, arena };
        let asserted: Vec<FormulaId> = axioms.iter().copied().chain([*step]).collect();
        let assumed: Vec<FormulaId> = invariant.iter().copied().chain([bad]).collect();
        let proved = ask(&mut context, &asserted, &assumed).expect("the invariant is inductive");
        accept(&proved.proof);
        assert!(proved.formulas.contains(&bad));
        let again = ask(&mut context, &asserted, &assumed).expect("the same question");
        assert_eq!(Files::new(&again.proof), Files::new(&proved.proof), "twice the same");
    }
}

/// Clauses of three literals, too many for their variables: no unit propagation refutes these.
fn random_clauses(tape: &mut Tape) -> (Vocabulary, Arena, Vec<FormulaId>) {
    let (mut vocabulary, mut arena) = (Vocabulary::new(), Arena::new());
    let atoms: Vec<FormulaId> = (0..20)
        .map(|i| {
            let rel = vocabulary.relation(format!("a{i}"), &[]);
            arena.rel(rel, &[])
        })
        .collect();
    let clauses = (0..130)
        .map(|_| {
            let literals: Vec<FormulaId> = (0..3)
                .map(|_| {
                    let &atom = tape.pick(&atoms).unwrap();
                    if tape.chance(50) { arena.not(atom) } else { atom }
                })
                .collect();
            arena.or(literals)
        })
        .collect();
    (vocabulary, arena, clauses)
}

#[test]
fn random_propositional_formulas() {
    let (proofs, steps) = (Cell::new(0), Cell::new(0));
    runner(cases(60))
        .run(&tapes(4000), |mut tape| {
            let (vocabulary, mut arena, clauses) = random_clauses(&mut tape);
            let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
            if let Some(proved) = ask(&mut context, &clauses, &[]) {
                accept(&proved.proof);
                proofs.set(proofs.get() + 1);
                steps.set(steps.get() + proved.proof.steps.len());
            }
            Ok(())
        })
        .unwrap();
    let (proofs, steps) = (proofs.get(), steps.get());
    assert!(proofs > 20 && steps > 4 * proofs, "{proofs} proofs, {steps} steps");
}

/// drat-trim is no package of Debian; where somebody has installed it, it has to agree.
#[test]
fn an_outside_checker_accepts_what_is_written() {
    let mut problems = vec![pigeonhole(3), pigeonhole(6)];
    let mut program = Reversal::new();
    let after = program.after(program.invariant[3]);
    let bad = program.arena.not(after);
    let mut formulas = program.axioms.clone();
    formulas.extend_from_slice(&program.invariant);
    formulas.extend([program.step, bad]);
    problems.push((program.vocabulary, program.arena, formulas));
    for (vocabulary, mut arena, formulas) in problems {
        let context = Context { vocabulary: &vocabulary, arena: &mut arena };
        let Proved { formulas, proof } =
            prove_unsat(&context, &formulas, &Limits::default()).unwrap();
        let statement = check_outside(&proof);
        let meant = Statement::copy(&vocabulary, context.arena, &formulas).unwrap();
        assert_eq!(statement.text(), meant.text());
    }
}

/// Writes a proof into a directory, which our checker and drat-trim have to accept.
fn check_outside(proof: &Proof) -> Statement {
    let directory = tempfile::tempdir().unwrap();
    write_directory(proof, directory.path()).unwrap();
    let statement = check_directory(directory.path()).unwrap();
    let files = ["ground.cnf", "proof.drat"].map(|name| directory.path().join(name));
    match Command::new("drat-trim").args(files).output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("s VERIFIED"), "{text}");
        }
        Err(_) => println!("left out: drat-trim is not installed"),
    }
    statement
}

/// The questions of engines that were recorded: every twentieth, or all in the slow tier.
#[test]
fn recorded_questions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/queries");
    let mut corpora: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    corpora.sort();
    let every = if cases(1) == 1 { 20 } else { 1 };
    let (mut unsat, mut proofs) = (0, 0);
    for path in corpora.iter().filter(|p| p.extension().is_some_and(|e| e == "queries")) {
        let Corpus { vocabulary, mut arena, events } =
            Corpus::read(&fs::read_to_string(path).unwrap()).unwrap();
        let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
        let mut solver = EprSolver::default();
        for event in events {
            let assumed = match event {
                Event::Assert(formula) => {
                    solver.assert(&mut context, formula).unwrap();
                    continue;
                }
                Event::Check(check) => check.assumptions,
                Event::Refused(..) | Event::Model { .. } => continue,
            };
            if solver.check(&mut context, &assumed, &Limits::default()) != Answer::Unsat {
                continue;
            }
            unsat += 1;
            if unsat % every == 0 {
                let core: Vec<FormulaId> = solver.core().iter().map(|&i| assumed[i]).collect();
                let proved = solver.proof(&context, &core, &Limits::default()).unwrap();
                accept(&proved.proof);
                check_outside(&proved.proof);
                proofs += 1;
            }
        }
    }
    assert!(proofs > 10, "{proofs} proofs of {unsat}");
}

/// Five pigeons do not fit into four holes: no unit propagation alone finds that out.
#[test]
fn pigeons() {
    let (vocabulary, mut arena, formulas) = pigeonhole(5);
    let context = Context { vocabulary: &vocabulary, arena: &mut arena };
    let proved = prove_unsat(&context, &formulas, &Limits::default()).unwrap();
    assert_eq!(proved.formulas, formulas, "all of it is needed");
    assert!(proved.proof.steps.len() > 5, "{}", proved.proof.steps.len());
    assert!(!proved.proof.laws.is_empty());
    accept(&proved.proof);
    let late = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    assert_eq!(prove_unsat(&context, &formulas, &late).unwrap_err(), Unknown::Time);
}

/// So many pigeons, each in one of the holes, of which there is one less, and none with another.
fn pigeonhole(pigeons: usize) -> (Vocabulary, Arena, Vec<FormulaId>) {
    let mut vocabulary = Vocabulary::new();
    let (pigeon, hole) = (vocabulary.sort("pigeon"), vocabulary.sort("hole"));
    let names: Vec<_> =
        (0..pigeons).map(|i| vocabulary.constant(format!("p{i}"), pigeon)).collect();
    let holes: Vec<_> = (1..pigeons).map(|i| vocabulary.constant(format!("h{i}"), hole)).collect();
    let seat = vocabulary.function("seat", &[pigeon], hole);
    let mut arena = Arena::new();
    let (p, q) = (arena.variable("p", pigeon), arena.variable("q", pigeon));
    let [p_term, q_term] = [p, q].map(|v| arena.var_term(v));
    let (p_seat, q_seat) = (arena.app(seat, &[p_term]), arena.app(seat, &[q_term]));
    let (shared, same) = (arena.eq(p_seat, q_seat), arena.eq(p_term, q_term));
    let alone = arena.implies(shared, same);
    let alone = arena.forall(&[p, q], alone);
    let somewhere: Vec<FormulaId> = holes
        .iter()
        .map(|&h| {
            let h = arena.constant(h);
            arena.eq(p_seat, h)
        })
        .collect();
    let somewhere = arena.or(somewhere);
    let somewhere = arena.forall(&[p], somewhere);
    let mut distinct = Vec::new();
    for (i, &a) in names.iter().enumerate() {
        for &b in &names[..i] {
            let (a, b) = (arena.constant(a), arena.constant(b));
            distinct.push(arena.ne(a, b));
        }
    }
    let distinct = arena.and(distinct);
    (vocabulary, arena, vec![alone, somewhere, distinct])
}

#[test]
fn a_model_has_no_proof() {
    let mut program = Reversal::new();
    let Reversal { vocabulary, arena, axioms, .. } = &mut program;
    let context = Context { vocabulary, arena };
    let Err(Unknown::Incomplete(why)) = prove_unsat(&context, axioms, &Limits::default()) else {
        panic!("the axioms have a model");
    };
    assert!(why.contains("model"), "{why}");
}
