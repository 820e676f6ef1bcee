//! What is said when solvers give up, lie or disagree, and when there is nothing to prove.

use trellis_certify::report::Entry;
use trellis_certify::{BackEnd, Outcome, ProblemKind, Settings, check};
use trellis_logic::{Budget, FormulaId, Structure};
use trellis_solver::validity::{BySolver, Prover, Question, Validity};
use trellis_solver::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};
use trellis_transys::Options;

use crate::{Proved, check_with_z3, epr, program, prove, reverse, z3};

/// A solver that always says the same.
struct Stubborn(Answer);

impl Solver for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn assert(&mut self, _: &mut Context<'_>, _: FormulaId) -> Result<(), OutsideFragment> {
        Ok(())
    }

    fn check(&mut self, _: &mut Context<'_>, _: &[FormulaId], _: &Limits) -> Answer {
        self.0.clone()
    }

    fn model(&mut self, _: &mut Context<'_>, _: &Limits) -> Result<Structure, Unknown> {
        Err(Unknown::Incomplete("it has none".into()))
    }

    fn core(&self) -> &[usize] {
        &[]
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// What z3 and a stubborn solver find about an invariant, whether it is true or not.
fn with_stubborn(proved: &Proved, answer: &Answer) -> trellis_certify::Report {
    let (_, mut restored) = check_with_z3(proved).expect("the certificate fits");
    let stubborn = || -> Box<dyn Solver> { Box::new(Stubborn(answer.clone())) };
    let provers = [BackEnd::solver("z3", &z3), BackEnd::solver("stubborn", &stubborn)];
    let settings = Settings::default();
    trellis_certify::certify_invariant(&mut restored.system, &restored.clauses, &provers, &settings)
}

#[test]
fn a_solver_that_gives_up_leaves_it_open() {
    let report = with_stubborn(&reverse(), &Answer::Unknown(Unknown::Time));
    assert_eq!(report.outcome(), Outcome::NotDecided);
    assert_eq!(report.work[0].shown, report.conditions);
    assert_eq!(report.work[1].shown, 0);
    assert!(report.findings.iter().all(|f| !f.disagreement()));
}

#[test]
fn a_claim_of_a_model_without_one_is_a_disagreement() {
    let report = with_stubborn(&reverse(), &Answer::Sat);
    assert_eq!(report.outcome(), Outcome::NotDecided);
    assert!(report.findings.iter().all(|f| f.disagreement()));
}

#[test]
fn a_model_that_was_evaluated_beats_a_liar() {
    let mut proved = reverse();
    proved.certificate.cut_points[0].invariant.clear();
    let report = with_stubborn(&proved, &Answer::Unsat);
    assert_eq!(report.outcome(), Outcome::Refuted);
    assert!(report.refutation().is_some_and(|f| f.disagreement()));
}

/// A prover that says *theorem* or gives up, as provers of first-order logic do.
struct Taciturn(BySolver<fn() -> Box<dyn Solver>>);

impl Prover for Taciturn {
    fn name(&self) -> &str {
        "taciturn"
    }

    fn prove(
        &mut self,
        context: &mut Context<'_>,
        question: &Question<'_>,
        limits: &Limits,
    ) -> Validity {
        match self.0.prove(context, question, limits) {
            Validity::Invalid(_) => Validity::Unknown(Unknown::Incomplete("no theorem".into())),
            found => found,
        }
    }
}

fn taciturn() -> Box<dyn Prover> {
    Box::new(Taciturn(BySolver::new("epr", epr)))
}

#[test]
fn a_prover_without_models_certifies_but_builds_no_system() {
    let mut proved = reverse();
    let settings = Settings::default();
    let alone = [BackEnd::prover("taciturn", &taciturn)];
    let problem = check(&proved.program, &proved.certificate, &alone, &settings);
    assert_eq!(problem.map(|_| ()).map_err(|p| p.kind), Err(ProblemKind::Unsupported));

    let both = [BackEnd::prover("taciturn", &taciturn), BackEnd::solver("z3", &z3)];
    let (report, _) =
        check(&proved.program, &proved.certificate, &both, &settings).expect("it fits");
    assert_eq!(report.outcome(), Outcome::Certified);
    assert!(report.work.iter().all(|w| w.shown == report.conditions));
    assert_eq!(report.entry, Entry::NotKnown);

    proved.certificate.cut_points[0].invariant.clear();
    let (_, mut restored) = check_with_z3(&proved).expect("the certificate fits");
    let (system, clauses) = (&mut restored.system, &restored.clauses);
    let report = trellis_certify::certify_invariant(system, clauses, &alone, &settings);
    assert_eq!(report.outcome(), Outcome::NotDecided);
}

#[test]
fn without_solvers_nothing_is_certified() {
    let proved = reverse();
    let (_, mut restored) = check_with_z3(&proved).expect("the certificate fits");
    let settings = Settings::default();
    let report =
        trellis_certify::certify_invariant(&mut restored.system, &restored.clauses, &[], &settings);
    assert_eq!(report.outcome(), Outcome::NotDecided);
    let problem = check(&proved.program, &proved.certificate, &[], &settings);
    assert_eq!(problem.map(|_| ()).map_err(|p| p.kind), Err(ProblemKind::Unsupported));
}

#[test]
fn an_impossible_precondition_is_noticed() {
    let text = "
        struct node { struct node *next; };
        /*@ requires h != 0 && h == 0; */
        void nothing(struct node *h) { h->next = h; }";
    let proved = prove("test.c", text, program(text), "nothing");
    let (report, _) = check_with_z3(&proved).expect("the certificate fits");
    assert_eq!(report.outcome(), Outcome::Certified);
    assert_eq!(report.entry, Entry::Impossible);
}

/// The closure of a field knows no cycles; a proof in it about heaps with cycles is none.
#[test]
fn a_precondition_that_allows_cycles_is_refused_where_there_are_loops() {
    let system = |code: &str| {
        let text = format!(
            "struct node {{ struct node *next; }};
             /*@ requires h != (struct node *)0; */
             struct node *next(struct node *h) {{ {code} }}"
        );
        let budget = Budget::default();
        let options = Options::default();
        trellis_certify::system(&program(&text), "next", &options, &budget, &z3).map(|_| ())
    };
    let problem = system("while (h->next) h = h->next; return h;");
    let problem = problem.expect_err("cycles are possible");
    assert_eq!(problem.kind, ProblemKind::Unsupported);
    assert!(problem.message.contains("cycles"), "{problem}");
    assert!(system("return h->next;").is_ok(), "one step is followed on rings, too");
}
