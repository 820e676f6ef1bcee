//! A team asked about the conditions of a procedure: that an invariant is one, and that no check
//! fails.

use std::collections::BTreeSet;
use std::time::Duration;

use trellis_hol::Term;
use trellis_logic::{Budget, StopReason};
use trellis_sequents::conditions::Check;
use trellis_sequents::{Candidate, Conditions};

use crate::team::{Effort, Outcome};
use crate::{Question, Team};

/// Time for a question that decides.
const DECIDE: Duration = Duration::from_secs(4);

/// What was shown, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// What was shown, in words.
    pub what: String,
    /// The provers, or *syntax* if none was needed.
    pub by: String,
}

/// Why an invariant is not shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotShown {
    /// A check may fail.
    Check(Check),
    /// A part of the invariant may not hold.
    Part(String),
    /// The budget is over.
    Stopped(StopReason),
}

impl From<StopReason> for NotShown {
    fn from(reason: StopReason) -> NotShown {
        NotShown::Stopped(reason)
    }
}

/// A procedure, and whom to ask about it.
pub struct Inquiry<'a> {
    /// The conditions of the procedure.
    pub conditions: &'a mut Conditions,
    /// The provers.
    pub team: &'a Team,
    /// What all questions may cost.
    pub budget: &'a Budget,
}

impl Inquiry<'_> {
    /// Who shows that a candidate holds where a run arrives; nobody if it is not shown.
    ///
    /// # Errors
    /// If the budget is over.
    pub fn arrives(
        &mut self,
        from: usize,
        arrival: usize,
        known: &[Candidate],
        candidate: &Candidate,
        effort: Effort,
    ) -> Result<Option<String>, StopReason> {
        let goal = self.conditions.at_arrival(&candidate.term, from, arrival);
        let hypotheses = self.conditions.locations[from].runs.arrivals[arrival].hypotheses.clone();
        self.follows(from, known, &hypotheses, &goal, effort)
    }

    /// Who shows a goal.
    fn follows(
        &mut self,
        from: usize,
        known: &[Candidate],
        hypotheses: &[Term],
        goal: &Term,
        effort: Effort,
    ) -> Result<Option<String>, StopReason> {
        let known: Vec<&Candidate> = known.iter().collect();
        let sequents = self.conditions.sequents(from, &known, hypotheses, goal);
        let mut by = BTreeSet::new();
        for sequent in &sequents {
            self.budget.check()?;
            let left = self.budget.remaining().unwrap_or(effort.time);
            let effort = Effort { time: effort.time.min(left), ..effort };
            let question = Question { sequent, symbols: &self.conditions.signature.symbols };
            match self.team.ask(&question, &effort, &self.budget.cancel) {
                Outcome::Valid(who) => {
                    by.insert(who);
                }
                _ => return Ok(None),
            }
        }
        let names: Vec<String> = by.into_iter().collect();
        Ok(Some(if names.is_empty() { "syntax".to_owned() } else { names.join(", ") }))
    }

    /// Shows that an invariant is one, and that no check fails.
    ///
    /// # Errors
    /// The first thing that was not shown.
    pub fn prove(&mut self, invariant: &[Vec<Candidate>]) -> Result<Vec<Shown>, NotShown> {
        let effort = Effort { time: DECIDE, everyone: true };
        let mut shown = Vec::new();
        for from in 0..self.conditions.locations.len() {
            let known = invariant.get(from).cloned().unwrap_or_default();
            for arrival in 0..self.conditions.locations[from].runs.arrivals.len() {
                let head = self.conditions.locations[from].runs.arrivals[arrival].head;
                let to = self.conditions.location(head).unwrap_or_default();
                for candidate in invariant.get(to).map_or(&[][..], Vec::as_slice) {
                    let what = self.conditions.show(candidate);
                    match self.arrives(from, arrival, &known, candidate, effort)? {
                        Some(by) => shown.push(Shown { what, by }),
                        None => return Err(NotShown::Part(what)),
                    }
                }
            }
            for i in 0..self.conditions.locations[from].runs.demands.len() {
                let open = self.conditions.locations[from].runs.demands[i].clone();
                match self.follows(from, &known, &open.hypotheses, &open.goal, effort)? {
                    Some(by) => shown.push(Shown { what: open.kind.name().to_owned(), by }),
                    None => {
                        let check = Check { kind: open.kind, span: open.span };
                        return Err(NotShown::Check(check));
                    }
                }
            }
        }
        Ok(shown)
    }
}
