//! Long conversations about few variables, against trying everything.

use super::*;

/// A xorshift generator: the same clauses in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn lits(&mut self, variables: u64, count: u64) -> Vec<Lit> {
        (0..count).map(|_| self.below(2 * variables) as Lit).collect()
    }
}

fn holds(assignment: u32, lit: Lit) -> bool {
    (assignment >> (lit / 2) & 1 == 1) == (lit & 1 == 0)
}

fn satisfiable(variables: u64, clauses: &[Vec<Lit>], units: &[Lit]) -> bool {
    (0..1_u32 << variables).any(|a| {
        units.iter().all(|&l| holds(a, l)) && clauses.iter().all(|c| c.iter().any(|&l| holds(a, l)))
    })
}

#[test]
fn conversations_agree_with_trying_everything() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut models, mut conflicts) = (0, 0);
    for _ in 0..400 {
        let variables = 3 + numbers.below(8);
        let mut cdcl = Cdcl::default();
        for _ in 0..variables {
            let (phase, early) = (numbers.below(2) == 0, numbers.below(2) == 0);
            cdcl.variable(phase, early);
        }
        let mut clauses = Vec::new();
        for _ in 0..30 {
            for _ in 0..numbers.below(3) {
                let count = 1 + numbers.below(4).max(numbers.below(4));
                let clause = numbers.lits(variables, count);
                cdcl.add(&clause);
                clauses.push(clause);
            }
            // Often the beginning is the same as before.
            let count = numbers.below(5);
            let mut assumed: Vec<Lit> = cdcl.assumptions.clone();
            assumed.truncate(numbers.below(6) as usize);
            assumed.extend(numbers.lits(variables, count));
            let expected = satisfiable(variables, &clauses, &assumed);
            match cdcl.solve(&assumed, || false) {
                Outcome::Model => {
                    models += 1;
                    assert!(expected);
                    let value = |l: &Lit| cdcl.model(*l) == Some(true);
                    assert!(assumed.iter().all(value));
                    assert!(clauses.iter().all(|c| c.iter().any(value)));
                }
                Outcome::Conflict(core) => {
                    conflicts += 1;
                    assert!(!expected);
                    assert!(core.iter().all(|l| assumed.contains(l)));
                    assert!(!satisfiable(variables, &clauses, &core));
                }
                Outcome::Stopped => panic!("nobody stops it"),
            }
        }
    }
    assert!(models > 1000 && conflicts > 1000, "{models} models, {conflicts} conflicts");
}

/// Random clauses at the ratio where questions are hard; many conflicts, restarts, clearances.
#[test]
fn hard_questions_are_answered_alike_in_any_order() {
    let mut numbers = Numbers(42);
    let (mut models, mut conflicts) = (0, 0);
    for _ in 0..12 {
        let variables = 120;
        let clauses: Vec<Vec<Lit>> =
            (0..variables * 425 / 100).map(|_| numbers.lits(variables, 3)).collect();
        let answer = |early: bool, clauses: &[Vec<Lit>]| {
            let mut cdcl = Cdcl::default();
            (0..variables).for_each(|_| {
                cdcl.variable(early, early);
            });
            let mut satisfiable = true;
            for part in clauses.chunks(100) {
                part.iter().for_each(|c| cdcl.add(c));
                satisfiable = cdcl.solve(&[], || false).is_model();
                let value = |l: &Lit| cdcl.model(*l) == Some(true);
                if satisfiable {
                    assert!(part.iter().all(|c| c.iter().any(value)));
                }
            }
            satisfiable
        };
        let found = answer(false, &clauses);
        let backwards: Vec<_> = clauses.iter().rev().cloned().collect();
        assert_eq!(found, answer(true, &backwards));
        match found {
            true => models += 1,
            false => conflicts += 1,
        }
    }
    assert!(models > 0 && conflicts > 0, "{models} models, {conflicts} conflicts");
}

#[test]
fn the_sequence_of_restarts() {
    let sequence: Vec<u64> = (1..=15).map(luby).collect();
    assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}
