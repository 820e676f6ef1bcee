//! Putting recorded questions to several solvers, and comparing.
//!
//! Every solver goes through the whole conversation, one solver after the other: so an engine asks,
//! and so a solver finds what it knows in the caches of the machine.
//!
//! **Invariants**: only [`Solver::check`], [`Solver::model`] and [`Solver::assert`] as recorded are
//! timed, not what replaying itself checks. A solver that refused an assertion answers every later
//! question with that refusal, because it would answer another question.

use std::time::{Duration, Instant};

use trellis_logic::{Arena, FormulaId};

use crate::record::{Check, Corpus, Event, Outcome};
use crate::{Answer, Context, Limits, OutsideFragment, Solver, Unknown};

/// How to replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// At most so long for one question.
    pub time_per_query: Option<Duration>,
    /// Evaluate all formulas in every model, whether or not the engine asked for it.
    pub check_models: bool,
    /// Ask again with only the assumptions of each core.
    pub check_cores: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            time_per_query: Some(Duration::from_secs(10)),
            check_models: false,
            check_cores: false,
        }
    }
}

/// What replaying found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The solvers, in the order in which they were given.
    pub solvers: Vec<String>,
    /// The questions in order.
    pub queries: Vec<Query>,
    /// Models and cores that are wrong, or missing though the engine asked for them.
    pub defects: Vec<Defect>,
}

/// One question.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// Its number among the events of the corpus.
    pub event: usize,
    /// What was answered when it was recorded.
    pub recorded: Outcome,
    /// What the solvers answer.
    pub results: Vec<Timed>,
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Timed {
    /// The answer.
    pub answer: Answer,
    /// How long it took, with the assertions since the last question and, if the engine asked for
    /// it, the model.
    pub time: Duration,
}

/// A wrong model or core, or a missing model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// The number of the question.
    pub query: usize,
    /// The number of the solver.
    pub solver: usize,
    /// What is wrong.
    pub what: String,
}

/// What the engine wanted to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Answer,
    Model,
    SmallModel,
}

/// One solver on its way through a corpus.
struct Runner<'a> {
    solver: &'a mut dyn Solver,
    arena: Arena,
    asserted: Vec<FormulaId>,
    refusal: Option<OutsideFragment>,
    /// Spent since the last question.
    time: Duration,
}

/// Replays a corpus on some solvers, which should be fresh.
pub fn replay(corpus: &Corpus, solvers: &mut [&mut dyn Solver], options: &Options) -> Report {
    let asked = corpus.events.iter().enumerate().filter_map(|(event, e)| match e {
        Event::Check(check) => {
            Some(Query { event, recorded: check.outcome.clone(), results: Vec::new() })
        }
        Event::Assert(_) | Event::Refused(..) | Event::Model { .. } => None,
    });
    let mut report = Report {
        solvers: solvers.iter().map(|s| s.name().to_string()).collect(),
        queries: asked.collect(),
        ..Report::default()
    };
    for (number, solver) in solvers.iter_mut().enumerate() {
        let runner = Runner {
            solver: &mut **solver,
            arena: corpus.arena.clone(),
            asserted: Vec::new(),
            refusal: None,
            time: Duration::ZERO,
        };
        runner.run(corpus, number, options, &mut report);
    }
    report.defects.sort_by_key(|d| (d.query, d.solver));
    report
}

impl Runner<'_> {
    /// Goes through the whole conversation.
    fn run(mut self, corpus: &Corpus, number: usize, options: &Options, report: &mut Report) {
        let mut query = 0;
        for (i, event) in corpus.events.iter().enumerate() {
            match event {
                Event::Assert(formula) => self.assert(corpus, *formula),
                // Nothing was added then, so nothing is added now.
                Event::Refused(..) | Event::Model { .. } => {}
                Event::Check(check) => {
                    let wanted = match corpus.events.get(i + 1) {
                        Some(Event::Model { minimise: true }) => Wanted::SmallModel,
                        Some(Event::Model { minimise: false }) => Wanted::Model,
                        _ => Wanted::Answer,
                    };
                    let (timed, no_model) = self.check(corpus, check, wanted, options);
                    let defect =
                        no_model.or_else(|| self.defect(corpus, check, &timed.answer, options));
                    let defect = defect.map(|what| Defect { query, solver: number, what });
                    report.defects.extend(defect);
                    report.queries[query].results.push(timed);
                    query += 1;
                }
            }
        }
    }

    fn assert(&mut self, corpus: &Corpus, formula: FormulaId) {
        let mut context = Context { vocabulary: &corpus.vocabulary, arena: &mut self.arena };
        let start = Instant::now();
        let result = self.solver.assert(&mut context, formula);
        self.time += start.elapsed();
        self.asserted.push(formula);
        if let Err(refusal) = result {
            self.refusal.get_or_insert(refusal);
        }
    }

    /// The answer, and why there is no model if the engine asked for one.
    fn check(
        &mut self,
        corpus: &Corpus,
        check: &Check,
        wanted: Wanted,
        options: &Options,
    ) -> (Timed, Option<String>) {
        if let Some(refusal) = &self.refusal {
            let answer = Answer::Unknown(Unknown::Refused(refusal.clone()));
            return (Timed { answer, time: std::mem::take(&mut self.time) }, None);
        }
        let mut context = Context { vocabulary: &corpus.vocabulary, arena: &mut self.arena };
        let start = Instant::now();
        let limits = Limits {
            deadline: options.time_per_query.and_then(|time| start.checked_add(time)),
            minimise_core: check.minimise_core,
            minimise_model: wanted == Wanted::SmallModel,
            ..Limits::default()
        };
        let answer = self.solver.check(&mut context, &check.assumptions, &limits);
        let no_model = match answer {
            Answer::Sat if wanted != Wanted::Answer => {
                self.solver.model(&mut context, &limits).err().map(no_model)
            }
            Answer::Sat | Answer::Unsat | Answer::Unknown(_) => None,
        };
        let time = std::mem::take(&mut self.time) + start.elapsed();
        (Timed { answer, time }, no_model)
    }

    /// What is wrong with the model or core of the last answer.
    fn defect(
        &mut self,
        corpus: &Corpus,
        check: &Check,
        answer: &Answer,
        options: &Options,
    ) -> Option<String> {
        let mut context = Context { vocabulary: &corpus.vocabulary, arena: &mut self.arena };
        match answer {
            Answer::Sat if options.check_models => {
                let model = match self.solver.model(&mut context, &Limits::default()) {
                    Ok(model) => model,
                    Err(unknown) => return Some(no_model(unknown)),
                };
                let wrong = self
                    .asserted
                    .iter()
                    .chain(&check.assumptions)
                    .find(|&&formula| model.eval(&self.arena, formula) != Ok(true))?;
                let formula = self.arena.print(&corpus.vocabulary, *wrong);
                Some(format!("the model does not satisfy {formula}"))
            }
            Answer::Unsat if options.check_cores => {
                let core: Vec<FormulaId> = self
                    .solver
                    .core()
                    .iter()
                    .filter_map(|&i| check.assumptions.get(i).copied())
                    .collect();
                let limits = options.time_per_query.map(Limits::within).unwrap_or_default();
                match self.solver.check(&mut context, &core, &limits) {
                    Answer::Unsat => None,
                    other => Some(format!("the core alone is answered {other:?}")),
                }
            }
            Answer::Sat | Answer::Unsat | Answer::Unknown(_) => None,
        }
    }
}

/// Summaries. A solver is named by its number.
impl Report {
    /// The questions to which some answers, the recorded one included, cannot all be right.
    pub fn disagreements(&self) -> Vec<usize> {
        let disagree = |query: &Query| {
            let answers = || query.results.iter().map(|r| &r.answer);
            let sat = query.recorded == Outcome::Sat || answers().any(|a| *a == Answer::Sat);
            let unsat = matches!(query.recorded, Outcome::Unsat(_))
                || answers().any(|a| *a == Answer::Unsat);
            sat && unsat
        };
        (0..self.queries.len()).filter(|&i| disagree(&self.queries[i])).collect()
    }

    /// Takes the questions of another report, by the same solvers, as further ones.
    pub fn append(&mut self, other: Report) {
        let questions = self.queries.len();
        self.queries.extend(other.queries);
        let moved = |defect: Defect| Defect { query: defect.query + questions, ..defect };
        self.defects.extend(other.defects.into_iter().map(moved));
    }

    /// Takes the shorter times of another replay of the same corpus by the same solvers: what
    /// disturbs a measurement only ever makes it longer. Defects of both are kept.
    pub fn keep_best(&mut self, other: Report) {
        for (query, again) in self.queries.iter_mut().zip(other.queries) {
            for (timed, again) in query.results.iter_mut().zip(again.results) {
                match (&timed.answer, &again.answer) {
                    (_, Answer::Unknown(_)) => {}
                    (Answer::Unknown(_), _) => *timed = again,
                    _ => timed.time = timed.time.min(again.time),
                }
            }
        }
        for defect in other.defects {
            if !self.defects.contains(&defect) {
                self.defects.push(defect);
            }
        }
    }

    /// How often a solver gave this answer.
    pub fn count(&self, solver: usize, answer: &Answer) -> usize {
        self.queries.iter().filter(|q| q.results[solver].answer == *answer).count()
    }

    /// How many questions a solver did not answer.
    pub fn unknown(&self, solver: usize) -> usize {
        let open = |q: &&Query| matches!(q.results[solver].answer, Answer::Unknown(_));
        self.queries.iter().filter(open).count()
    }

    /// The time a solver took in all.
    pub fn sum(&self, solver: usize) -> Duration {
        self.queries.iter().map(|q| q.results[solver].time).sum()
    }

    /// The time a solver took for a question in the middle; zero if there are no questions.
    pub fn median(&self, solver: usize) -> Duration {
        middle(self.queries.iter().map(|q| q.results[solver].time).collect())
    }

    /// The longest time a solver took for a question; zero if there are no questions.
    pub fn maximum(&self, solver: usize) -> Duration {
        self.queries.iter().map(|q| q.results[solver].time).max().unwrap_or_default()
    }

    /// How many times longer `slow` took than `fast`, by question, in ascending order; only for
    /// questions that both answered.
    pub fn ratios(&self, slow: usize, fast: usize) -> Vec<f64> {
        let answered = |timed: &Timed| !matches!(timed.answer, Answer::Unknown(_));
        let mut ratios: Vec<f64> = self
            .queries
            .iter()
            .map(|q| (&q.results[slow], &q.results[fast]))
            .filter(|(slow, fast)| answered(slow) && answered(fast))
            .map(|(slow, fast)| slow.time.as_secs_f64() / fast.time.as_secs_f64().max(1e-9))
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    }

    /// The ratio in the middle of [`Report::ratios`].
    pub fn median_ratio(&self, slow: usize, fast: usize) -> Option<f64> {
        let ratios = self.ratios(slow, fast);
        ratios.get(ratios.len() / 2).copied()
    }
}

fn no_model(why: Unknown) -> String {
    format!("no model: {why}")
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
