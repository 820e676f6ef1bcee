//! What came out of a check.

use std::time::Duration;

use trellis_logic::{StopReason, Structure};

use crate::conditions::{Condition, Kind};

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every solver showed every condition.
    Certified,
    /// Some condition does not hold.
    Refuted,
    /// A solver did not know, or solvers disagree.
    NotDecided,
}

impl Outcome {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Certified => "certified",
            Outcome::Refuted => "refuted",
            Outcome::NotDecided => "not-decided",
        }
    }
}

/// What a solver says about a condition.
#[derive(Clone, Debug)]
pub enum Ruling {
    /// It holds: facts without claims have no model.
    Holds,
    /// It does not.
    Fails(Box<Failure>),
    /// Not known, and why.
    Unknown(String),
}

/// Why a condition does not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The claim that fails, by its index: the clause of the invariant at the path's end.
    pub claim: Option<usize>,
    /// The state at the path's beginning, in which all facts were evaluated and found true and the
    /// claim false; `None` if the solver could not tell one.
    pub state: Option<Structure>,
}

/// What was found about a condition.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What the condition is for.
    pub kind: Kind,
    /// The path, by its index in the system.
    pub path: usize,
    /// How many clauses were claimed.
    pub claims: usize,
    /// What the solvers said, in order.
    pub rulings: Vec<Ruling>,
}

impl Finding {
    pub(crate) fn new(condition: &Condition) -> Finding {
        let &Condition { kind, path, .. } = condition;
        Finding { kind, path, claims: condition.claims.len(), rulings: Vec::new() }
    }

    /// How the condition stands. A state that was evaluated refutes it whatever others say.
    pub fn outcome(&self) -> Outcome {
        let fails = |r: &Ruling| matches!(r, Ruling::Fails(_));
        let seen = |r: &Ruling| matches!(r, Ruling::Fails(f) if f.state.is_some());
        if self.rulings.iter().any(seen) {
            return Outcome::Refuted;
        }
        let holds = self.rulings.iter().filter(|r| matches!(r, Ruling::Holds)).count();
        match self.rulings.iter().any(fails) {
            true if holds == 0 => Outcome::Refuted,
            false if holds == self.rulings.len() && holds > 0 => Outcome::Certified,
            _ => Outcome::NotDecided,
        }
    }

    /// Whether one solver says that it holds and another that it does not.
    pub fn disagreement(&self) -> bool {
        self.rulings.iter().any(|r| matches!(r, Ruling::Holds))
            && self.rulings.iter().any(|r| matches!(r, Ruling::Fails(_)))
    }

    /// The failure that says most.
    pub fn failure(&self) -> Option<&Failure> {
        let failures = self.rulings.iter().filter_map(|r| match r {
            Ruling::Fails(failure) => Some(&**failure),
            _ => None,
        });
        failures.max_by_key(|f| f.state.is_some())
    }
}

/// What a solver did.
#[derive(Clone, Debug)]
pub struct Work {
    /// Its name.
    pub solver: String,
    /// Conditions that it showed.
    pub shown: usize,
    /// The time that it took, starts of processes included.
    pub time: Duration,
}

/// Whether the precondition can hold at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// It can.
    Possible,
    /// It cannot: the certificate is about no execution.
    Impossible,
    /// The first solver did not know.
    NotKnown,
}

/// What came out of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// How many conditions there are.
    pub conditions: usize,
    /// How many clauses the invariants have.
    pub clauses: usize,
    /// Whether the precondition can hold.
    pub entry: Entry,
    /// The conditions that were looked at, in order; the last one is refuted if one is.
    pub findings: Vec<Finding>,
    /// Why not all conditions were looked at, if the budget was used up.
    pub stopped: Option<StopReason>,
    /// What the solvers did.
    pub work: Vec<Work>,
}

impl Report {
    /// How the check ended.
    pub fn outcome(&self) -> Outcome {
        if self.refutation().is_some() {
            return Outcome::Refuted;
        }
        let certified = |f: &Finding| f.outcome() == Outcome::Certified;
        let all = self.findings.len() == self.conditions && !self.work.is_empty();
        match all && self.findings.iter().all(certified) {
            true => Outcome::Certified,
            false => Outcome::NotDecided,
        }
    }

    /// The condition that does not hold.
    pub fn refutation(&self) -> Option<&Finding> {
        self.findings.iter().find(|f| f.outcome() == Outcome::Refuted)
    }
}
