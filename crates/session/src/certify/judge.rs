//! Both legs of a certificate about a program that was read.

use trellis_certify::machine::{Invariant, Reach, check_second_leg};
use trellis_certify::{
    Certificate, Evidence, Outcome, Problem, Restored, Settings, check, exhaustion, graphs,
    patterns, sequents, shapes,
};
use trellis_driver::{Budget, Watch};
use trellis_program::{Inlined, Program};
use trellis_provers::Team;
use trellis_report::certify::{Found, Proofs};

use crate::certificates;
use crate::certify::team;
use crate::solvers::{Provers, SolverKind};

/// Who checks, and how far.
pub(super) struct Judge<'a> {
    /// The solvers; each must show every condition.
    pub provers: &'a Provers,
    /// Provers for formulas of higher-order logic.
    pub team: &'a dyn Fn() -> Team,
    /// What the embedded solver has proved so far, if that is written.
    pub proofs: &'a dyn Fn() -> Option<Proofs>,
    /// What that may cost.
    pub settings: &'a Settings,
    /// Most heap objects of the states from which the machine is run.
    pub objects: usize,
}

impl Judge<'_> {
    /// What a certificate is worth, and why that was not decided, if so.
    pub(super) fn judge(
        &self,
        program: &Program,
        certificate: &Certificate,
    ) -> Result<(Found, Option<String>), Problem> {
        let budget = &self.settings.budget;
        let mut undecided = None;
        let (mut found, understood) = if let Some(all) = certificate.exhaustion {
            let checked = exhaustion::check_certificate(program, certificate, all, budget);
            (Found::of_exhaustion(program, checked?), Understood::Nothing)
        } else if let Some(shapes) = &certificate.shapes {
            let checked = shapes::check_certificate(program, certificate, shapes, budget);
            (Found::of_shapes(program, checked?), Understood::Nothing)
        } else if let Some(parts) = &certificate.sequents {
            let team = (self.team)();
            let checked = sequents::check_certificate(program, certificate, parts, &team, budget)?;
            let spent = team.statistics();
            let seconds = |name: &str| spent.get(name).map_or(0.0, |s| s.seconds);
            (Found::of_sequents(program, checked, &seconds), Understood::Nothing)
        } else if let Some(graphs) = &certificate.graphs {
            match graphs::check_certificate(program, certificate, graphs, budget)? {
                Ok((checked, inlined, invariant)) => {
                    let understood = Understood::Graphs(Box::new((inlined, invariant)));
                    (Found::of_graphs(program, Ok(checked)), understood)
                }
                Err(why) => (Found::of_graphs(program, Err(why)), Understood::Nothing),
            }
        } else if let Some(patterns) = &certificate.patterns {
            match patterns::check_certificate(program, certificate, patterns, budget)? {
                Ok((checked, inlined, understood)) => {
                    let understood = Understood::Patterns(Box::new((inlined, understood)));
                    (Found::of_patterns(program, Ok(checked)), understood)
                }
                Err(why) => (Found::of_patterns(program, Err(why)), Understood::Nothing),
            }
        } else {
            let back_ends = self.provers.list();
            let (report, restored) = check(program, certificate, &back_ends, self.settings)?;
            undecided = report.stopped.map(|reason| reason.to_string());
            let found = Found::new(&report, &restored, (self.proofs)());
            (found, Understood::Clauses(Box::new(restored)))
        };
        if found.outcome() == Outcome::Certified {
            let reach = Reach { objects: self.objects, ..Reach::default() };
            let invariant = understood.invariant();
            let second = check_second_leg(program, certificate, invariant, reach, budget);
            found.on_machine(program, second?);
        }
        Ok((found, undecided))
    }
}

/// Whether evidence that somebody else has found proves a procedure of a program, within a budget.
pub(crate) fn proves(program: &Program, evidence: &Evidence, budget: &Budget) -> bool {
    let watch = Watch::new(budget);
    let settings = Settings { budget: watch.budget().clone(), ..Settings::default() };
    let judge = Judge {
        provers: &Provers::new(&[SolverKind::Epr], &[], None, None),
        team: &|| team(&[], &[]),
        proofs: &|| None,
        settings: &settings,
        objects: Reach::default().objects,
    };
    let certificate = Certificate::new(certificates::no_source(), evidence.clone());
    let judged = judge.judge(program, &certificate);
    judged.is_ok_and(|(found, undecided)| {
        undecided.is_none() && found.outcome() == Outcome::Certified
    })
}

/// What the first leg understood, for the second.
enum Understood {
    /// Nothing that states can be told from.
    Nothing,
    /// Clauses of the logic.
    Clauses(Box<Restored>),
    /// Heap patterns.
    Patterns(Box<(Inlined, patterns::Understood)>),
    /// Memory graphs.
    Graphs(Box<(Inlined, graphs::Invariant)>),
}

impl Understood {
    fn invariant(&self) -> Invariant<'_> {
        match self {
            Understood::Nothing => Invariant::None,
            Understood::Clauses(restored) => Invariant::Clauses(restored),
            Understood::Patterns(both) => Invariant::Patterns(&both.0, &both.1),
            Understood::Graphs(both) => Invariant::Graphs(&both.0, &both.1),
        }
    }
}
