//! The whole analysis: propagate, infer predicates, compute what is reached, and refine.

use trellis_logic::FormulaId;
use trellis_solver::{Limits, Unknown};
use trellis_transys::TransitionSystem;

use crate::cube::MOST;
use crate::infer::infer;
use crate::invariant::clauses;
use crate::predicates::Predicates;
use crate::propagate::{nothing, propagate};
use crate::questions::{Counts, Factory, Questions};
use crate::reach::{Reached, reach};
use crate::refine::refine;
use crate::slice::slice;
use crate::store::Shared;
use crate::techniques::{ContextKind, Techniques};
use crate::trace::{Execute, execution};

/// How an analysis ends.
#[derive(Debug)]
pub enum Outcome {
    /// No check fails: clauses for every location.
    Verified(Vec<Vec<FormulaId>>),
    /// A check fails.
    Violated(Box<Execute>),
    /// A check may fail, and no predicates are left to find out: the paths there.
    Alarm(Vec<usize>),
    /// Neither was found.
    Unknown(Unknown),
}

/// What an analysis counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Questions.
    pub counts: Counts,
    /// Predicates at all locations, in the end.
    pub predicates: usize,
    /// Heaps at all locations, in the end.
    pub heaps: usize,
    /// How often predicates were added.
    pub refinements: usize,
}

/// What an analysis came to.
#[derive(Debug)]
pub struct Analysis {
    /// How it ended.
    pub outcome: Outcome,
    /// What it counted.
    pub statistics: Statistics,
    /// The system, with what the analysis has added to it.
    pub system: TransitionSystem,
}

/// Analyses a system. `given` are predicates of the user, closed or over the variable that the function
/// is given. Answers are kept in a store of their own, or in one that is shared.
pub fn analyse(
    system: TransitionSystem,
    given: &dyn Fn(&mut TransitionSystem, trellis_logic::VarId) -> Vec<FormulaId>,
    factory: &Factory<'_>,
    limits: &Limits,
    techniques: Techniques,
    store: Option<Shared>,
) -> Analysis {
    let mut questions = Questions::new(system, factory, limits.clone());
    if let Some(store) = store {
        questions.store = Box::new(store);
    }
    let mut statistics = Statistics::default();
    let given = given(&mut questions.system, questions.var);
    let outcome = run(&mut questions, &given, techniques, &mut statistics);
    statistics.counts = questions.counts;
    let outcome = outcome.unwrap_or_else(Outcome::Unknown);
    Analysis { outcome, statistics, system: questions.system }
}

fn run(
    questions: &mut Questions<'_>,
    given: &[FormulaId],
    techniques: Techniques,
    statistics: &mut Statistics,
) -> Result<Outcome, Unknown> {
    let propagated = match techniques.propagation {
        true => propagate(questions)?,
        false => nothing(questions),
    };
    let facts: Vec<Vec<FormulaId>> = propagated.iter().map(|p| p.facts.clone()).collect();
    let mut wanted = infer(questions, &propagated, given)?;
    // One context for all heaps of a location costs less than one for each, and mostly is enough.
    let mut context = match techniques.context {
        ContextKind::Own => ContextKind::Joined,
        other => other,
    };
    loop {
        let predicates: Vec<Predicates> = wanted
            .iter()
            .map(|all| Predicates::new(&questions.system.arena, all.clone()))
            .collect();
        statistics.predicates = wanted.iter().map(Vec::len).sum();
        debug_assert!(wanted.iter().all(|all| all.len() <= MOST));
        let now = Techniques { context, ..techniques };
        let paths = match reach(questions, &predicates, &facts, now)? {
            Reached::Alarm(paths) => paths,
            Reached::All(heaps) => {
                statistics.heaps = heaps.iter().map(Vec::len).sum();
                let (arena, var) = (&mut questions.system.arena, questions.var);
                let (mut out, mut disjunctions) = (Vec::new(), Vec::new());
                for (location, mut facts) in facts.into_iter().enumerate() {
                    let mut whole = None;
                    if location > 0 {
                        let here = &predicates[location];
                        let (universal, disjunction) = clauses(arena, var, here, &heaps[location]);
                        facts.extend(universal);
                        whole = disjunction;
                    }
                    out.push(facts);
                    disjunctions.push(whole);
                }
                return slice(questions, &out, &disjunctions).map(Outcome::Verified);
            }
        };
        if let Some(real) = execution(questions, &paths)? {
            return Ok(Outcome::Violated(Box::new(real)));
        }
        if context != techniques.context {
            context = techniques.context;
            continue;
        }
        if !techniques.refinement || !refine(questions, &paths, &propagated, &mut wanted) {
            return Ok(Outcome::Alarm(paths));
        }
        statistics.refinements += 1;
    }
}
