//! Proofs that were damaged: the checker rejects them, or what they say is true all the same. It
//! never accepts formulas of which brute force finds a model.

use std::cell::Cell;

use trellis_logic::generate::{Tape, runner, tapes};
use trellis_proofcheck::files::Files;
use trellis_proofcheck::{Atom, Proof, check};

use crate::oracle;
use crate::proofs::random_proof;
use crate::random::cases;

fn has_model(proof: &Proof) -> bool {
    let statement = &proof.statement;
    oracle::has_model(&statement.arena, &statement.vocabulary, &statement.formulas, 3)
}

fn below(tape: &mut Tape, length: usize) -> usize {
    tape.below(length as u32) as usize
}

/// Damages a proof in one place; what was done.
fn damage(tape: &mut Tape, proof: &mut Proof) -> &'static str {
    let Proof { statement, terms, instances, laws, steps } = proof;
    let (i, l, s) = (instances.len(), laws.len(), steps.len());
    match tape.below(12) {
        0 if i > 0 => {
            instances.remove(below(tape, i));
            "drop an instance"
        }
        1 if i > 0 => {
            let instance = &mut instances[below(tape, i)];
            if instance.terms.is_empty() {
                return "nothing";
            }
            let place = below(tape, instance.terms.len());
            instance.terms[place] = below(tape, terms.len() + 1);
            "another term in an instance"
        }
        2 if i > 0 => {
            instances[below(tape, i)].terms.reverse();
            "swap the terms of an instance"
        }
        3 if i > 0 => {
            let instance = &mut instances[below(tape, i)];
            instance.formula = below(tape, statement.formulas.len() + 1);
            "an instance of another formula"
        }
        4 if l > 0 => {
            laws.remove(below(tape, l));
            "drop a law"
        }
        5 if l > 0 => {
            let law = &mut laws[below(tape, l)];
            let place = below(tape, law.literals.len());
            law.literals[place].0 ^= true;
            "the opposite literal in a law"
        }
        6 if l > 0 => {
            let law = &mut laws[below(tape, l)];
            let place = below(tape, law.literals.len());
            match &mut law.literals[place].1 {
                Atom::Equal(a, _) => *a = below(tape, terms.len()),
                Atom::Holds(_, args) => args.reverse(),
            }
            "another atom in a law"
        }
        7 => {
            steps.remove(below(tape, s));
            "drop a step"
        }
        8 => {
            let step = &mut steps[below(tape, s)];
            match step.clause.len() {
                0 => {
                    step.hints.pop();
                }
                length => step.clause[below(tape, length)] *= -1,
            }
            "change a step"
        }
        9 => {
            let step = &mut steps[below(tape, s)];
            let place = below(tape, step.hints.len());
            step.hints[place] = 1 + below(tape, 2 * i + s);
            "another hint"
        }
        10 => {
            let place = below(tape, statement.formulas.len());
            let formula = statement.formulas[place];
            statement.formulas[place] = statement.arena.not(formula);
            "the negation of a formula"
        }
        _ => {
            let place = below(tape, statement.formulas.len());
            statement.formulas.remove(place);
            instances.retain(|instance| instance.formula != place);
            for instance in instances.iter_mut().filter(|instance| instance.formula > place) {
                instance.formula -= 1;
            }
            "drop a formula"
        }
    }
}

#[test]
fn no_damaged_proof_refutes_what_has_a_model() {
    let (rejected, satisfiable, accepted) = (Cell::new(0), Cell::new(0), Cell::new(0));
    runner(cases(1000))
        .run(&tapes(400), |mut tape| {
            let functions = tape.chance(50);
            let Some(proved) = random_proof(&mut tape, functions) else {
                return Ok(());
            };
            for _ in 0..12 {
                let mut proof = proved.proof.clone();
                let what = damage(&mut tape, &mut proof);
                let true_all_the_same = !has_model(&proof);
                satisfiable.set(satisfiable.get() + u32::from(!true_all_the_same));
                match check(&proof) {
                    Ok(()) => {
                        assert!(true_all_the_same, "{what}: {}", proof.statement.text());
                        accepted.set(accepted.get() + 1);
                    }
                    Err(rejection) => {
                        assert!(!rejection.reason.is_empty());
                        rejected.set(rejected.get() + 1);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    let (rejected, satisfiable, accepted) = (rejected.get(), satisfiable.get(), accepted.get());
    println!("{rejected} rejected, {accepted} accepted, {satisfiable} with a model");
    assert!(rejected > 2 * accepted.max(20), "{rejected} rejected, {accepted} accepted");
    assert!(satisfiable > 100, "{satisfiable} with a model");
}

/// Changes a text in one place: a line is lost, doubled or moved, or a character replaced.
fn blot(tape: &mut Tape, text: &mut String) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = below(tape, lines.len());
    match tape.below(4) {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[below(tape, place + 1)].clone()),
        2 => {
            let other = below(tape, lines.len());
            lines.swap(place, other);
        }
        _ => {
            let line: Vec<char> = lines[place].chars().collect();
            let at = below(tape, line.len().max(1));
            let new = ['0', '1', '2', '3', '-', ' ', 'A', 'F', 'G', '"', 'x', '\\'];
            let new = *tape.pick(&new).unwrap();
            let change = |(i, c)| if i == at { new } else { c };
            lines[place] = line.into_iter().enumerate().map(change).collect();
        }
    }
    *text = lines.join("\n") + "\n";
}

#[test]
fn no_blotted_file_refutes_what_has_a_model() {
    let (rejected, accepted) = (Cell::new(0), Cell::new(0));
    runner(cases(1000))
        .run(&tapes(400), |mut tape| {
            let functions = tape.chance(50);
            let Some(proved) = random_proof(&mut tape, functions) else {
                return Ok(());
            };
            let files = Files::new(&proved.proof).unwrap();
            for _ in 0..20 {
                let mut files = files.clone();
                let Files { proof, cnf, lrat, drat } = &mut files;
                match tape.below(6) {
                    0 => blot(&mut tape, cnf),
                    1 => blot(&mut tape, lrat),
                    2 => blot(&mut tape, drat),
                    _ => blot(&mut tape, proof),
                }
                match files.check() {
                    Ok(proof) => {
                        assert!(!has_model(&proof), "{}", files.proof);
                        accepted.set(accepted.get() + 1);
                    }
                    Err(rejection) => {
                        assert!(!rejection.reason.is_empty());
                        rejected.set(rejected.get() + 1);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    let (rejected, accepted) = (rejected.get(), accepted.get());
    println!("{rejected} rejected, {accepted} accepted");
    assert!(rejected > accepted && rejected > 500, "{rejected} rejected, {accepted} accepted");
}
