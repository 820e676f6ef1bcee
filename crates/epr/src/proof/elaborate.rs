//! From learnt clauses to steps with reasons: which clauses propagate, in which order.
//!
//! Every learnt clause is derived anew: its literals are assumed false, units are propagated, and
//! the conflict is traced back to the clauses that caused it. Then only the steps that the empty
//! clause depends on are kept.
//!
//! **Invariant**: the trail holds the literals that are true, each after those that its reason
//! needs; the first two literals of a clause are watched, and unless the clause is satisfied for
//! good, neither is false without the other being true after propagation.

use trellis_proofcheck::Step;

/// A refutation, and the clauses that it needs.
pub(super) struct Refutation {
    pub(super) steps: Vec<Step>,
    /// Ascending, numbered from zero.
    pub(super) clauses: Vec<usize>,
}

/// The steps of a refutation; `None` if a learnt clause, or the empty one, does not follow.
pub(super) fn steps(clauses: &[Vec<i32>], learnt: &[Vec<i32>]) -> Option<Refutation> {
    let mut engine = Engine::new(clauses);
    // What each clause after the given ones was derived from.
    let mut reasons: Vec<Vec<usize>> = Vec::new();
    for clause in clauses {
        if let Some(conflict) = engine.add(clause.clone()) {
            reasons.push(engine.explain(conflict, &[]));
            return Some(trim(clauses.len(), &engine.clauses, reasons));
        }
    }
    for clause in learnt {
        // What holds already need not be derived.
        if clause.iter().any(|&l| engine.is_true(l)) {
            continue;
        }
        reasons.push(engine.derive(clause)?);
        if let Some(conflict) = engine.add(clause.clone()) {
            reasons.push(engine.explain(conflict, &[]));
            return Some(trim(clauses.len(), &engine.clauses, reasons));
        }
    }
    None
}

/// Keeps what the last step depends on. The clauses from number `given` on are learnt, and
/// behind them comes the empty clause.
fn trim(given: usize, clauses: &[Vec<i32>], reasons: Vec<Vec<usize>>) -> Refutation {
    let total = given + reasons.len();
    let mut needed = vec![false; total];
    needed[total - 1] = true;
    for number in (given..total).rev() {
        if needed[number] {
            reasons[number - given].iter().for_each(|&r| needed[r] = true);
        }
    }
    let mut numbers = vec![0; total];
    let mut next = given;
    for number in given..total {
        numbers[number] = next;
        next += usize::from(needed[number]);
    }
    let name = |reason: &usize| 1 + if *reason < given { *reason } else { numbers[*reason] };
    let steps = (given..total)
        .filter(|&number| needed[number])
        .map(|number| {
            let is_last = number == total - 1;
            let clause = if is_last { Vec::new() } else { clauses[number].clone() };
            Step { clause, hints: reasons[number - given].iter().map(name).collect() }
        })
        .collect();
    Refutation { steps, clauses: (0..given).filter(|&c| needed[c]).collect() }
}

/// Unit propagation that knows its reasons.
struct Engine {
    /// All clauses that were added; the order of their literals changes.
    clauses: Vec<Vec<i32>>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<usize>>,
    /// By literal.
    truth: Vec<bool>,
    /// By variable: the clause that forced it, if it is forced.
    reasons: Vec<Option<usize>>,
    trail: Vec<i32>,
    /// How much of the trail was propagated.
    done: usize,
}

impl Engine {
    fn new(clauses: &[Vec<i32>]) -> Self {
        let largest = clauses.iter().flatten().map(|l| l.unsigned_abs()).max();
        let count = largest.unwrap_or(0) as usize + 1;
        Engine {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * count],
            truth: vec![false; 2 * count],
            reasons: vec![None; count],
            trail: Vec::new(),
            done: 0,
        }
    }

    fn is_true(&self, literal: i32) -> bool {
        self.truth[index(literal)]
    }

    fn push(&mut self, literal: i32, reason: Option<usize>) {
        self.truth[index(literal)] = true;
        self.reasons[literal.unsigned_abs() as usize] = reason;
        self.trail.push(literal);
    }

    /// Adds a clause for good and propagates; a clause that is now false.
    fn add(&mut self, mut clause: Vec<i32>) -> Option<usize> {
        let number = self.clauses.len();
        clause.sort_by_key(|&l| self.is_true(-l));
        if let [first, second, ..] = clause[..] {
            self.watches[index(first)].push(number);
            self.watches[index(second)].push(number);
        }
        let open = clause.iter().take_while(|&&l| !self.is_true(-l)).count();
        let first = clause.first().copied();
        self.clauses.push(clause);
        match (open, first) {
            (0, _) => return Some(number),
            (1, Some(literal)) if !self.is_true(literal) => self.push(literal, Some(number)),
            _ => {}
        }
        self.propagate()
    }

    /// Propagates units; a clause that is now false.
    fn propagate(&mut self) -> Option<usize> {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            let mut conflict = None;
            let mut kept = Vec::new();
            for number in std::mem::take(&mut self.watches[index(-literal)]) {
                if conflict.is_some() || self.still_watches(number, -literal) {
                    kept.push(number);
                    let first = self.clauses[number][0];
                    if conflict.is_some() || self.is_true(first) {
                        continue;
                    }
                    if self.is_true(-first) {
                        conflict = Some(number);
                    } else {
                        self.push(first, Some(number));
                    }
                }
            }
            self.watches[index(-literal)].append(&mut kept);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Puts the false literal second, and lets a clause watch another one if it can.
    fn still_watches(&mut self, number: usize, literal: i32) -> bool {
        let clause = &mut self.clauses[number];
        if clause[0] == literal {
            clause.swap(0, 1);
        }
        if self.truth[index(clause[0])] {
            return true;
        }
        let Some(other) = (2..clause.len()).find(|&i| !self.truth[index(-clause[i])]) else {
            return true;
        };
        clause.swap(1, other);
        self.watches[index(clause[1])].push(number);
        false
    }

    /// The clauses from which a learnt one follows, in the order in which they propagate.
    fn derive(&mut self, learnt: &[i32]) -> Option<Vec<usize>> {
        let before = self.trail.len();
        for &literal in learnt {
            if !self.is_true(-literal) {
                self.push(-literal, None);
            }
        }
        let reasons = self.propagate().map(|conflict| self.explain(conflict, learnt));
        for literal in self.trail.drain(before..) {
            self.truth[index(literal)] = false;
            self.reasons[literal.unsigned_abs() as usize] = None;
        }
        self.done = before;
        reasons
    }

    /// The clauses that led to a conflict, given that the literals of `learnt` are false.
    fn explain(&self, conflict: usize, learnt: &[i32]) -> Vec<usize> {
        let variable = |literal: &i32| literal.unsigned_abs() as usize;
        let mut given = vec![false; self.reasons.len()];
        learnt.iter().for_each(|l| given[variable(l)] = true);
        let mut needed = vec![false; self.reasons.len()];
        self.clauses[conflict].iter().for_each(|l| needed[variable(l)] = true);
        let mut reasons = vec![conflict];
        for var in self.trail.iter().rev().map(variable).filter(|&var| !given[var]) {
            if let (true, Some(reason)) = (needed[var], self.reasons[var]) {
                reasons.push(reason);
                self.clauses[reason].iter().for_each(|l| needed[variable(l)] = true);
            }
        }
        reasons.reverse();
        reasons
    }
}

/// Where a literal is in a table.
fn index(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}
