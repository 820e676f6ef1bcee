//! Procedures whose formulas only provers can read: invariants of tracked predicates.

use trellis_bohne::tracked::{Found, Outcome, search};
use trellis_certify::Evidence;
use trellis_certify::sequents::{Sequents, not_shown};
use trellis_program::{Diagnostic, Program};
use trellis_provers::conditions::Inquiry;
use trellis_sequents::Conditions;

use super::Attempt;
use crate::cpu::CpuTime;
use crate::engine::Claim;
use crate::pdr::small_violation;
use crate::verdict::{LoopInvariant, UnknownReason};

impl Attempt<'_> {
    /// Asks provers about a procedure that transition systems cannot express, for these reasons.
    pub(super) fn by_provers(&mut self, places: &[Diagnostic]) -> Result<Claim, UnknownReason> {
        let refused = |more: Vec<Diagnostic>| {
            let mut all = places.to_vec();
            all.extend(more.into_iter().filter(|d| !places.contains(d)));
            Err(UnknownReason::Unsupported(all))
        };
        let inlined = match self.task.inlined() {
            Ok(inlined) => inlined,
            Err(_) => return refused(Vec::new()),
        };
        let checks = self.task.options.checks;
        let mut conditions = match Conditions::new(&inlined.program, inlined.proc, checks) {
            Ok(conditions) => conditions,
            Err(refusal) => return refused(vec![refusal.said("provers cannot be asked about ")]),
        };
        let cpu = CpuTime::now();
        let provers = self.engine.provers.clone();
        let team = provers.team();
        let before = team.questions();
        let found = search(&mut conditions, team, self.budget);
        let (questions, hits) = team.questions();
        self.figures.questions += questions - before.0 - (hits - before.1);
        self.figures.hits += hits - before.1;
        self.figures.predicates = conditions.tracked.len();
        self.figures.search_seconds += cpu.seconds();
        match found {
            Outcome::Verified(found) => self.shown(&inlined.program, &mut conditions, &found),
            Outcome::Stopped(reason) => Err(UnknownReason::stopped(reason, self.budget)),
            Outcome::Open(check) => {
                if let Some(violation) = small_violation(self.task, self.budget) {
                    return Ok(violation);
                }
                let text = format!("provers do not exclude that {}", check.kind.failure());
                let place = Diagnostic::unsupported(check.span, text);
                Err(UnknownReason::Imprecise(vec![place]))
            }
        }
    }

    /// Shows the invariant once more, from nothing, and says so.
    fn shown(
        &mut self,
        program: &Program,
        conditions: &mut Conditions,
        found: &Found,
    ) -> Result<Claim, UnknownReason> {
        let cpu = CpuTime::now();
        let checking = self.engine.provers.checking_team();
        let mut inquiry = Inquiry { conditions, team: &checking, budget: self.budget };
        let shown = inquiry.prove(&found.invariant);
        self.figures.check_seconds = cpu.seconds();
        let shown = shown
            .map_err(|why| UnknownReason::no_result(not_shown(program, why), "", self.budget))?;
        let sequents = Sequents::new(program, conditions, &found.invariant, &shown);
        let procedure = &self.task.program.proc(self.task.proc).name;
        let evidence = Evidence::of_sequents(procedure, self.task.options.checks, sequents);
        let loops = conditions.locations.iter().zip(&found.invariant).skip(1);
        let invariants = loops.map(|(location, parts)| LoopInvariant {
            place: location.span,
            formulas: parts
                .iter()
                .filter(|part| !Conditions::is_dull(part))
                .map(|part| conditions.show(part))
                .collect(),
            short: Vec::new(),
            contract: Vec::new(),
        });
        Ok(Claim::Verified {
            invariants: invariants.collect(),
            evidence: Box::new(evidence),
            states: None,
        })
    }
}
