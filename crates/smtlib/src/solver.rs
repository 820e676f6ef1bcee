//! The solver that engines see: assertions and assumptions over one process after another.
//!
//! **Invariants**: the assertions are kept here, so a new process can be told all of them. `last`
//! describes the last check, and only that. A core that could not be had, or not be made smaller in
//! time, is replaced by a larger one, never by a wrong one.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use trellis_logic::{Arena, EvalError, FormulaId, Structure, Vocabulary};
use trellis_solver::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};

use crate::dialect::Settings;
use crate::model;
use crate::session::{GRACE, Reply, Session};
use crate::shrink::shrink;

/// z3 or cvc5.
pub struct SmtSolver {
    settings: Settings,
    session: Option<Session>,
    asserted: Vec<FormulaId>,
    /// Formulas that are closed and well sorted.
    accepted: BTreeSet<FormulaId>,
    last: Last,
    core: Vec<usize>,
    /// The vocabulary of the last model, so that models share it.
    vocabulary: Arc<Vocabulary>,
    statistics: Statistics,
    starts: u64,
}

/// What the last check left behind.
enum Last {
    /// Nothing to ask about.
    NoModel,
    /// The process has a model.
    Sat(Question),
    /// The model was already read.
    Model(Result<Structure, Unknown>),
}

/// What was asked.
#[derive(Clone)]
struct Question {
    /// How many assertions there were.
    asserted: usize,
    /// Without repetitions.
    assumptions: Vec<FormulaId>,
}

impl SmtSolver {
    /// A solver that starts its process with the first check.
    pub fn new(settings: Settings) -> SmtSolver {
        SmtSolver {
            settings,
            session: None,
            asserted: Vec::new(),
            accepted: BTreeSet::new(),
            last: Last::NoModel,
            core: Vec::new(),
            vocabulary: Arc::new(Vocabulary::new()),
            statistics: Statistics::default(),
            starts: 0,
        }
    }

    /// The id of the process, if one runs.
    pub fn process_id(&self) -> Option<u32> {
        self.session.as_ref().map(Session::process_id)
    }

    /// How many processes were started so far.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    fn accept(&mut self, context: &Context<'_>, formula: FormulaId) -> Result<(), OutsideFragment> {
        if self.accepted.contains(&formula) {
            return Ok(());
        }
        if let Some(&var) = context.arena.free_vars(formula).first() {
            let name = &context.arena.var(var).name;
            return Err(OutsideFragment { reason: format!("the variable `{name}` is free") });
        }
        let well_sorted = context.arena.check(context.vocabulary, formula);
        well_sorted.map_err(|error| OutsideFragment { reason: error.to_string() })?;
        self.accepted.insert(formula);
        Ok(())
    }

    /// Makes sure that there is a session, and that it is not mostly about assumptions of the past.
    fn revive(&mut self, assumptions: usize) -> Result<(), Unknown> {
        let stale = |session: &Session| session.assumptions().saturating_sub(assumptions);
        let is_full = |session| stale(session) > self.settings.stale_assumptions;
        // It may have been killed since the last question.
        if !self.session.as_mut().is_some_and(Session::is_alive)
            || self.session.as_ref().is_some_and(is_full)
        {
            self.session = None;
            self.session = Some(Session::start(&self.settings)?);
            self.starts += 1;
        }
        Ok(())
    }

    /// Does something with the session, which is dropped if that fails.
    fn with_session<T>(
        &mut self,
        work: impl FnOnce(&mut Session) -> Result<T, Unknown>,
    ) -> Result<T, Unknown> {
        let Some(session) = &mut self.session else {
            return Err(Unknown::BackEnd(format!("{} lost what it knew", self.name())));
        };
        let result = work(session);
        if result.is_err() {
            self.session = None;
        }
        result
    }

    fn ask(
        &mut self,
        context: &Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Result<Reply, Unknown> {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        self.revive(assumptions.len())?;
        let asserted = std::mem::take(&mut self.asserted);
        let verdict = self.with_session(|session| {
            session.tell(context, &asserted, assumptions);
            session.check(assumptions, "", limits)
        });
        self.asserted = asserted;
        verdict
    }

    fn decide(
        &mut self,
        context: &Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Result<Answer, Unknown> {
        for &formula in assumptions {
            self.accept(context, formula).map_err(Unknown::Refused)?;
        }
        let mut unique = Vec::with_capacity(assumptions.len());
        let mut seen = BTreeSet::new();
        unique.extend(assumptions.iter().copied().filter(|&f| seen.insert(f)));
        match self.ask(context, &unique, limits)? {
            Reply::Sat => {
                let asserted = self.asserted.len();
                self.last = Last::Sat(Question { asserted, assumptions: unique });
                Ok(Answer::Sat)
            }
            Reply::Unsat => {
                let core = self.find_core(context, unique, limits);
                let index = |f: &FormulaId| assumptions.iter().position(|a| a == f);
                self.core = core.iter().filter_map(index).collect();
                self.core.sort_unstable();
                Ok(Answer::Unsat)
            }
            Reply::Unknown(reason) => {
                let name = self.name();
                Err(Unknown::Incomplete(format!("{name} gave up: {reason}")))
            }
        }
    }

    /// The assumptions that were needed; after the last answer was *unsat*.
    fn find_core(
        &mut self,
        context: &Context<'_>,
        assumptions: Vec<FormulaId>,
        limits: &Limits,
    ) -> Vec<FormulaId> {
        if assumptions.is_empty() {
            return assumptions;
        }
        let mut core = self
            .with_session(|session| session.unsat_assumptions(&assumptions, limits))
            .unwrap_or(assumptions);
        if !limits.minimise_core {
            return core;
        }
        // Those before `next` are needed.
        let mut next = 0;
        while next < core.len() {
            let without: Vec<_> =
                core.iter().enumerate().filter(|(i, _)| *i != next).map(|(_, &f)| f).collect();
            match self.ask(context, &without, limits) {
                Ok(Reply::Unsat) if without.is_empty() => core = without,
                Ok(Reply::Unsat) => {
                    let smaller = self
                        .with_session(|session| session.unsat_assumptions(&without, limits))
                        .unwrap_or(without);
                    // What was needed by a larger core is needed by a smaller one.
                    core = smaller;
                }
                Ok(Reply::Sat | Reply::Unknown(_)) => next += 1,
                Err(_) => return core,
            }
        }
        core
    }

    fn shared(&mut self, vocabulary: &Vocabulary) -> Arc<Vocabulary> {
        if *self.vocabulary != *vocabulary {
            self.vocabulary = Arc::new(vocabulary.clone());
        }
        self.vocabulary.clone()
    }

    fn small_model(
        &mut self,
        context: &Context<'_>,
        question: &Question,
        limits: &Limits,
    ) -> Result<Structure, Unknown> {
        let first = self.read_model(context, question, limits)?;
        if question.asserted != self.asserted.len() {
            // What was asserted since is no part of the question.
            return Ok(first);
        }
        let vocabulary = self.shared(context.vocabulary);
        let must_hold: Vec<_> =
            self.asserted.iter().chain(&question.assumptions).copied().collect();
        let Some(mut session) = self.session.take() else {
            return Ok(first);
        };
        let read = |session: &mut Session| {
            let text = session.model(limits)?;
            read_checked(&vocabulary, context.arena, &must_hold, &text, limits)
        };
        let (model, alive) =
            shrink(&mut session, context, &question.assumptions, limits, first, read);
        self.session = alive.then_some(session);
        Ok(model)
    }

    fn read_model(
        &mut self,
        context: &Context<'_>,
        question: &Question,
        limits: &Limits,
    ) -> Result<Structure, Unknown> {
        let text = self.with_session(|session| session.model(limits))?;
        let vocabulary = self.shared(context.vocabulary);
        let asserted = &self.asserted[..question.asserted];
        let must_hold: Vec<_> = asserted.iter().chain(&question.assumptions).copied().collect();
        read_checked(&vocabulary, context.arena, &must_hold, &text, limits)
    }
}

/// The structure of a model's text, after all formulas were found true in it.
fn read_checked(
    vocabulary: &Arc<Vocabulary>,
    arena: &Arena,
    must_hold: &[FormulaId],
    text: &str,
    limits: &Limits,
) -> Result<Structure, Unknown> {
    let structure = model::read(vocabulary, text)
        .map_err(|error| Unknown::Incomplete(format!("the model cannot be read: {error}")))?;
    for &formula in must_hold {
        // A model that is there is told after the deadline, too; only checking it must end.
        let grace = Limits { deadline: limits.deadline.map(|d| d + GRACE), ..limits.clone() };
        let stop = || grace.exceeded().is_some();
        let problem = match structure.eval_until(arena, formula, &stop) {
            Ok(true) => continue,
            Err(EvalError::Stopped) => return Err(grace.exceeded().unwrap_or(Unknown::Time)),
            Ok(false) => "the model does not satisfy".to_string(),
            Err(error) => format!("the model cannot be checked ({error}):"),
        };
        let formula = arena.print(vocabulary, formula);
        return Err(Unknown::Incomplete(format!("{problem} {formula}")));
    }
    Ok(structure)
}

impl Solver for SmtSolver {
    fn name(&self) -> &str {
        self.settings.dialect.name()
    }

    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment> {
        self.accept(context, formula)?;
        self.asserted.push(formula);
        Ok(())
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        let start = Instant::now();
        self.last = Last::NoModel;
        self.core.clear();
        let answer = self.decide(context, assumptions, limits).unwrap_or_else(Answer::Unknown);
        self.statistics.checks += 1;
        match answer {
            Answer::Sat => self.statistics.sat += 1,
            Answer::Unsat => self.statistics.unsat += 1,
            Answer::Unknown(_) => {}
        }
        self.statistics.time += start.elapsed();
        answer
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        let start = Instant::now();
        if let Last::Sat(question) = &self.last {
            let question = question.clone();
            self.last = Last::Model(match limits.minimise_model {
                true => self.small_model(context, &question, limits),
                false => self.read_model(context, &question, limits),
            });
        }
        self.statistics.time += start.elapsed();
        match &self.last {
            Last::Model(model) => model.clone(),
            Last::Sat(_) | Last::NoModel => {
                Err(Unknown::Incomplete("the last answer was not sat".into()))
            }
        }
    }

    fn core(&self) -> &[usize] {
        &self.core
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
