//! The work of a session: sources are read, procedures chosen, engines asked, reports made.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use trellis_driver::{
    Budget, Counterexample, LoopInvariant, Options, Plan, ProcedureResult, Progress, Properties,
    Selection, Task, UnknownReason, Verdict, property, select,
};
use trellis_program::slice::slice;
use trellis_program::{CheckTable, Diagnostic, Failure, ProcId, Program, StopReason, Unit};
use trellis_report::Exit;
use trellis_report::build::{self, Context};
use trellis_report::model::{FileReport, ProcedureReport, REPORT_SCHEMA, Report, Tool};

use crate::kept::fingerprint::{Fingerprint, Tables};
use crate::kept::{Answer, Kept, Question};
use crate::pipeline::{self, Stages, Step};
use crate::request::{Event, Repeat, Request, Source};
use crate::{patience, side_by_side};

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The report.
    pub report: Report,
    /// How a process that did nothing else ends.
    pub exit: Exit,
    /// Why the questions to solvers could not be recorded, if so.
    pub problem: Option<String>,
    /// Why answers could not be kept or found, if so: nothing is wrong with those that came.
    pub forgetful: Option<String>,
}

/// Verifies what a client asks for, and tells it what happens.
///
/// # Errors
/// The first of the client, which ends the work.
pub fn verify<E>(
    request: &Request,
    client: impl FnMut(Event<'_>) -> Result<(), E>,
) -> Result<Verified, E> {
    let line = Line::new(request);
    let mut teller =
        Teller { request, client, exit: Exit::Good, files: Vec::new(), known: Known::default() };
    let (programs, threads) = (request.sources.len(), request.options.threads);
    if threads > 1 && line.has_many() {
        pipeline::in_order(&line, programs, threads, |step| match step {
            Step::Opened(opened) => teller.opened(opened),
            Step::Answered(opened, (job, found)) => teller.answered(opened, &job, found),
            Step::Closed(opened) => teller.closed(opened),
        })?;
    } else {
        for opened in (0..programs).map(|number| line.open(number)) {
            teller.opened(&opened)?;
            for task in 0..line.tasks(&opened) {
                teller.follow(&line, &opened, task)?;
            }
            teller.closed(&opened)?;
        }
    }
    Ok(teller.verified())
}

/// A program that was read.
pub(crate) struct Opened<'a> {
    pub(crate) source: &'a Source,
    /// What is to be done, or why it cannot be used.
    pub(crate) work: Result<Work<'a>, Failure>,
    /// What is looked at.
    procedures: Vec<ProcId>,
}

/// The programs of a request, opened one by one.
pub(crate) struct Line<'a> {
    request: &'a Request,
    /// What was read before anything is looked at: all programs, if names have to be known in one of
    /// them, or the only one.
    read: Vec<Mutex<Option<Opened<'a>>>>,
}

impl<'a> Line<'a> {
    pub(crate) fn new(request: &'a Request) -> Line<'a> {
        let named = matches!(request.selection, Selection::Named(_));
        let units =
            if named || request.sources.len() == 1 { read_all(request) } else { Vec::new() };
        let both = request.sources.iter().zip(units);
        let read = both.map(|(source, unit)| Mutex::new(Some(Opened::new(request, source, unit))));
        Line { request, read: read.collect() }
    }

    /// Whether there is, or may be, more than one procedure to look at.
    fn has_many(&self) -> bool {
        match &*self.read {
            [only] => {
                let only = only.lock().unwrap_or_else(PoisonError::into_inner);
                only.as_ref().is_some_and(|opened| opened.procedures.len() > 1)
            }
            _ => self.request.sources.len() > 1,
        }
    }

    /// What is to be done about a procedure. Threads are for procedures first.
    fn job(&self, work: &Work<'a>, opened: &Opened<'a>, task: usize) -> Job {
        let of = opened.procedures.len().max(self.request.sources.len());
        work.job(opened.procedures[task], of)
    }
}

impl<'a> Stages for Line<'a> {
    type Program = Opened<'a>;
    type Answer = (Job, Found);

    fn open(&self, number: usize) -> Opened<'a> {
        let read = self.read.get(number);
        read.and_then(|unit| unit.lock().unwrap_or_else(PoisonError::into_inner).take())
            .unwrap_or_else(|| {
                let source = &self.request.sources[number];
                Opened::new(self.request, source, source.read(&self.request.front_ends))
            })
    }

    fn tasks(&self, opened: &Opened<'a>) -> usize {
        opened.procedures.len()
    }

    fn work(&self, opened: &Opened<'a>, task: usize) -> (Job, Found) {
        let work = opened.work.as_ref().expect("what cannot be used has no tasks");
        let job = self.job(work, opened, task);
        let found = work.known(&job).unwrap_or_else(|| work.found(&job));
        (job, found)
    }
}

impl<'a> Opened<'a> {
    fn new(request: &'a Request, source: &'a Source, unit: Result<Unit, Failure>) -> Opened<'a> {
        let work = unit.map(|unit| Work::new(request, source, Cow::Owned(unit)));
        let procedures = work.as_ref().map(Work::procedures).unwrap_or_default();
        Opened { source, work, procedures }
    }
}

/// What the front ends make of all sources.
fn read_all(request: &Request) -> Vec<Result<Unit, Failure>> {
    let mut units: Vec<Result<Unit, Failure>> = Vec::new();
    let read = |s: &Source| s.read(&request.front_ends);
    let threads = request.options.threads.min(request.sources.len());
    let taken = side_by_side::in_order(&request.sources, threads, read, |unit| {
        units.push(unit);
        Ok::<(), std::convert::Infallible>(())
    });
    let Ok(()) = taken;
    if let Selection::Named(names) = &request.selection {
        refuse_unknown_names(&mut units, names);
    }
    units
}

/// A name is an error if it is a procedure of none of the sources; the first one gets the blame.
fn refuse_unknown_names(units: &mut [Result<Unit, Failure>], names: &[String]) {
    let mut unknown = Vec::new();
    for name in names {
        let readable = units.iter().filter_map(|u| u.as_ref().ok());
        let found: Vec<_> = readable.map(|u| select::find(&u.program, name)).collect();
        if !found.iter().any(Result::is_ok) {
            unknown.extend(found.into_iter().filter_map(Result::err).next());
        }
    }
    if let Some(first) = units.iter_mut().find(|u| u.is_ok())
        && !unknown.is_empty()
        && let Ok(unit) = &*first
    {
        let sources = unit.program.sources.clone();
        *first = Err(Failure { sources, diagnostics: unknown });
    }
}

/// The report about a source that cannot be used.
pub(crate) fn unusable(source: &Source, bad: &Failure) -> FileReport {
    FileReport {
        file: source.path().display().to_string(),
        linked: source.linked(),
        diagnostics: build::failure(bad),
        procedures: Vec::new(),
        not_looked_at: Vec::new(),
    }
}

/// What is to be done about one source that was read.
pub(crate) struct Work<'a> {
    request: &'a Request,
    source: &'a Source,
    unit: Cow<'a, Unit>,
    /// Where answers are kept, and what they depend on besides the program.
    kept: Option<(&'a Kept, String)>,
    /// What is the same for all procedures.
    tables: OnceLock<Tables>,
}

/// The answer about a procedure.
pub(crate) struct Found {
    answer: Answer,
    /// The program that it is about, if it is not that of the job.
    program: Option<Arc<Program>>,
    violation: Option<Box<Counterexample>>,
    /// What holds at loops, if that was found now.
    invariants: Vec<LoopInvariant>,
}

/// What was told about a source so far.
#[derive(Default)]
struct Known {
    warnings: Vec<Diagnostic>,
    procedures: Vec<ProcedureReport>,
}

impl<'a> Work<'a> {
    pub(crate) fn new(request: &'a Request, source: &'a Source, unit: Cow<'a, Unit>) -> Work<'a> {
        let Budget { timeout, memory, .. } = request.budget;
        let language = request.front_ends.of(source.path()).language();
        let how = |engine: &String| {
            format!("{language}; {engine}; {timeout:?}; {memory:?}; {:?}", request.properties)
        };
        let kept = request.kept.as_ref().zip(request.engine.text.as_ref().map(how));
        Work { request, source, unit, kept, tables: OnceLock::new() }
    }

    /// What was read.
    pub(crate) fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The question that a job is.
    fn question<'q>(&'q self, job: &'q Job) -> Option<(&'q Kept, Question<'q>)> {
        let (kept, how) = self.kept.as_ref()?;
        let tables = self.tables.get_or_init(|| Tables::of(&self.unit.program));
        let fingerprint = Fingerprint::of(tables, &job.program, job.proc);
        let (program, proc, options) = (&*job.program, job.proc, &job.options);
        let source = self.source;
        Some((kept, Question { source, program, proc, fingerprint, how, options }))
    }

    /// Whether nothing is to be looked at, so that nothing can be found wrong; of names, other sources
    /// have some.
    pub(crate) fn nothing(&self, procedures: &[ProcId]) -> bool {
        procedures.is_empty() && !matches!(self.request.selection, Selection::Named(_))
    }

    /// The key of the answer about one of so many procedures, and whether the store has it.
    pub(crate) fn key(&self, proc: ProcId, of: usize) -> Option<(String, bool)> {
        let job = self.job(proc, of);
        self.question(&job).map(|(kept, question)| kept.look(&question))
    }

    /// The answer of an earlier run.
    fn known(&self, job: &Job) -> Option<Found> {
        let (kept, question) = self.question(job)?;
        let answer = kept.find(&question)?;
        if !kept.believes(&question, &answer, &job.budget) {
            return None;
        }
        Some(Found { answer, program: None, violation: None, invariants: Vec::new() })
    }

    /// The answer of an engine.
    fn found(&self, job: &Job) -> Found {
        let result = job.run();
        let program = result.program.as_deref().unwrap_or(&job.program);
        let report = self.report(program, &result);
        if let Some((kept, question)) = self.question(job) {
            kept.keep(&question, &result, &report);
        }
        let (mut evidence, mut violation, mut invariants) = (None, None, Vec::new());
        match result.verdict {
            Verdict::Verified { evidence: found, invariants: all, .. } => {
                (evidence, invariants) = (Some(*found), all);
            }
            Verdict::Violated(found) => violation = Some(found),
            Verdict::NoInvariant { .. } | Verdict::Unknown(_) => {}
        }
        let answer = Answer { report, warnings: result.warnings, evidence };
        Found { answer, program: result.program, violation, invariants }
    }

    /// The procedures that the client asked for; names of other sources are skipped.
    pub(crate) fn procedures(&self) -> Vec<ProcId> {
        let program = &self.unit.program;
        let selection = match &self.request.selection {
            Selection::Named(names) => {
                let here = |n: &&String| select::find(program, n).is_ok();
                Selection::Named(names.iter().filter(here).cloned().collect())
            }
            other => other.clone(),
        };
        select::select(program, &selection).unwrap_or_default()
    }

    /// The user's procedures that were not chosen, though the client named none.
    pub(crate) fn not_looked_at(&self, chosen: &[ProcId]) -> Vec<String> {
        if self.request.selection != Selection::Promising || self.request.properties.is_some() {
            return Vec::new();
        }
        let program = &self.unit.program;
        let all = select::select(program, &Selection::All).unwrap_or_default();
        let others = all.into_iter().filter(|p| !chosen.contains(p));
        others.map(|p| program.proc(p).name.clone()).collect()
    }

    /// What is to be done about one of so many procedures.
    fn job(&self, proc: ProcId, of: usize) -> Job {
        let Request { engine, options, budget, .. } = self.request;
        let (program, proc) = slice(&self.unit.program, proc);
        // Threads are for procedures first.
        let threads = (options.threads / of.max(1)).max(1);
        Job {
            program: Arc::new(program),
            proc,
            plan: Arc::clone(&engine.plan),
            properties: self.request.properties.clone(),
            options: Options { threads, ..options.clone() }.of_language(&self.unit.program),
            budget: budget.clone(),
            progress: Arc::default(),
        }
    }

    fn report(&self, program: &Program, result: &ProcedureResult) -> ProcedureReport {
        let procedure = program.proc(result.proc).name.as_str();
        let context = Context { program, checks: &CheckTable::of(program) };
        build::procedure(context, result, |found, heap| {
            let repeat = Repeat { source: self.source, procedure, found, heap };
            self.request.command.as_ref().map(|command| command(&repeat))
        })
    }
}

/// Tells a client what happens, and makes the report of it.
struct Teller<'a, F> {
    request: &'a Request,
    client: F,
    exit: Exit,
    files: Vec<FileReport>,
    /// About the source that is told about.
    known: Known,
}

impl<E, F: FnMut(Event<'_>) -> Result<(), E>> Teller<'_, F> {
    /// A source is next.
    fn opened(&mut self, opened: &Opened<'_>) -> Result<(), E> {
        let unit = opened.work.as_ref().map(Work::unit);
        (self.client)(Event::Source { source: opened.source, unit })
    }

    /// Looks at a procedure here and now, so that the client can say how far it is.
    fn follow<'l>(&mut self, line: &Line<'l>, opened: &Opened<'l>, task: usize) -> Result<(), E> {
        let Ok(work) = &opened.work else { return Ok(()) };
        let job = line.job(work, opened, task);
        let found = match work.known(&job) {
            Some(known) => known,
            None => {
                (self.client)(Event::Begun {
                    procedure: &job.program.proc(job.proc).name,
                    engine: job.plan.name(),
                    progress: &job.progress,
                })?;
                work.found(&job)
            }
        };
        self.answered(opened, &job, found)
    }

    /// There is an answer about a procedure.
    fn answered(&mut self, opened: &Opened<'_>, job: &Job, found: Found) -> Result<(), E> {
        let Ok(Work { unit, source, .. }) = &opened.work else { return Ok(()) };
        let Answer { mut report, warnings, evidence } = found.answer;
        let sources = &unit.program.sources;
        report.excused = self.request.excuse.as_ref().and_then(|e| e(&report, sources));
        if report.excused.is_none() {
            self.exit = self.exit.and(Exit::of_verdict(report.verdict));
        }
        (self.client)(Event::Answered {
            source,
            unit,
            program: found.program.as_deref().unwrap_or(&job.program),
            proc: job.proc,
            report: &report,
            warnings: &warnings,
            evidence: evidence.as_ref(),
            violation: found.violation.as_deref(),
            invariants: &found.invariants,
        })?;
        self.known.warnings.extend(warnings);
        self.known.procedures.push(report);
        Ok(())
    }

    /// All was told about a source.
    fn closed(&mut self, opened: &Opened<'_>) -> Result<(), E> {
        let work = match &opened.work {
            Ok(work) => work,
            Err(bad) => {
                self.exit = self.exit.and(Exit::BadInput);
                self.files.push(unusable(opened.source, bad));
                return Ok(());
            }
        };
        let Known { warnings, procedures } = std::mem::take(&mut self.known);
        let nothing = work.nothing(&opened.procedures);
        if nothing {
            self.exit = self.exit.and(Exit::BadInput);
        }
        let unit = work.unit();
        let lacking = nothing.then(|| no_procedure(work.source));
        let diagnostics = unit.diagnostics.iter().chain(&warnings).chain(&lacking);
        let report = FileReport {
            file: work.source.path().display().to_string(),
            linked: work.source.linked(),
            diagnostics: diagnostics.map(|d| build::diagnostic(&unit.program.sources, d)).collect(),
            procedures,
            not_looked_at: work.not_looked_at(&opened.procedures),
        };
        (self.client)(Event::Finished { report: &report })?;
        self.files.push(report);
        Ok(())
    }

    /// What came of all.
    fn verified(self) -> Verified {
        let Teller { request, mut exit, files, .. } = self;
        if request.lenient && exit == Exit::Otherwise {
            exit = Exit::Good;
        }
        let problem = request.engine.solvers.problem();
        if problem.is_some() {
            exit = exit.and(Exit::BadInput);
        }
        let report =
            Report { schema: REPORT_SCHEMA, tool: Tool::default(), exit_code: exit.code(), files };
        let forgetful = request.kept.as_ref().and_then(Kept::problem);
        Verified { report, exit, problem, forgetful }
    }
}

/// What is said of a source without procedures.
pub(crate) fn no_procedure(source: &Source) -> Diagnostic {
    let file = source.path().display();
    Diagnostic::plain_error(format!("`{file}` defines no procedure to look at"))
}

/// One procedure, with everything that a thread needs which may be left behind.
#[derive(Clone)]
pub(crate) struct Job {
    /// What the procedure needs of the program.
    program: Arc<Program>,
    proc: ProcId,
    plan: Arc<Plan>,
    properties: Option<Properties>,
    options: Options,
    budget: Budget,
    progress: Arc<Progress>,
}

impl Job {
    fn task(&self) -> Task<'_> {
        Task::new(&self.program, self.proc, &self.options)
    }

    /// The answer, even if the work does not look at the clock.
    fn run(&self) -> ProcedureResult {
        if self.budget.is_cancelled() {
            return ProcedureResult::not_begun(
                self.plan.name(),
                &self.task(),
                UnknownReason::Cancelled,
            );
        }
        let job = self.clone();
        let work = move || {
            let (plan, task) = (&job.plan, job.task());
            match &job.properties {
                Some(properties) => {
                    property::verify(plan, &task, properties, &job.budget, &job.progress)
                }
                None => plan.verify(&task, &job.budget, &job.progress),
            }
        };
        patience::within(self.budget.timeout, work).unwrap_or_else(|| {
            let late = UnknownReason::stopped(StopReason::Time, &self.budget);
            ProcedureResult::not_begun(self.plan.name(), &self.task(), late)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use trellis_driver::Settings;

    use super::*;
    use crate::front_ends::FrontEnds;
    use crate::request::Chosen;
    use crate::solvers::SolverChoice;

    const TWO: &str = "\
struct node { struct node *next; };
int main(void) { return 0; }
/*@ requires reach(next, h, NULL); */
struct node *second(struct node *h) { return h->next; }
";

    fn request(texts: &[&str], threads: usize) -> Request {
        let source = |(i, text): (usize, &&str)| Source::Text {
            name: format!("text{i}.c"),
            text: (*text).to_owned(),
        };
        Request {
            sources: texts.iter().enumerate().map(source).collect(),
            front_ends: FrontEnds::default(),
            selection: Selection::Promising,
            engine: Chosen::new("explore", &Settings::default(), SolverChoice::default())
                .expect("it exists"),
            options: Options { threads, ..Options::default() },
            budget: Budget::default(),
            properties: None,
            lenient: false,
            command: None,
            kept: None,
            excuse: None,
        }
    }

    /// The events as words, and the report.
    fn told(request: &Request) -> (Vec<String>, Verified) {
        let mut events = Vec::new();
        let verified = verify(request, |event| -> Result<(), ()> {
            events.push(match event {
                Event::Source { source, unit } => {
                    format!("{} {}", source.path().display(), unit.is_ok())
                }
                Event::Begun { procedure, engine, .. } => format!("{procedure} {engine}"),
                Event::Answered { report, .. } => format!("{}: {}", report.name, report.verdict),
                Event::Finished { .. } => return Ok(()),
            });
            Ok(())
        });
        (events, verified.expect("the client does not mind"))
    }

    #[test]
    fn events_come_in_order() {
        let (events, verified) = told(&request(&[TWO, "int f("], 1));
        let expected = [
            "text0.c true",
            "main explore",
            "main: verified",
            "second explore",
            "second: violated",
            "text1.c false",
        ];
        assert_eq!(events, expected);
        assert_eq!(verified.exit, Exit::BadInput);
        assert_eq!(verified.report.exit_code, 2);
        assert_eq!(verified.report.files[1].diagnostics.len(), 1);
        let (events, _) = told(&request(&[TWO], 4));
        assert_eq!(events, ["text0.c true", "main: verified", "second: violated"]);
    }

    #[test]
    fn a_name_must_be_known_somewhere() {
        let mut asked = request(&[TWO, "int f(void) { return 0; }"], 1);
        asked.selection = Selection::Named(vec!["f".into()]);
        let (events, verified) = told(&asked);
        assert_eq!(events, ["text0.c true", "text1.c true", "f explore", "f: unknown"]);
        assert_eq!(verified.exit, Exit::Otherwise);
        asked.selection = Selection::Named(vec!["secnd".into()]);
        let (_, verified) = told(&asked);
        assert_eq!(verified.exit, Exit::BadInput);
        let help = verified.report.files[0].diagnostics[0].help.as_deref();
        assert_eq!(help, Some("did you mean `second`?"));
    }

    #[test]
    fn a_client_can_end_or_cancel_the_work() {
        let asked = request(&[TWO], 1);
        let mut answers = 0;
        let ended = verify(&asked, |event| match event {
            Event::Answered { .. } => {
                answers += 1;
                Err("enough")
            }
            _ => Ok(()),
        });
        assert_eq!((ended.err(), answers), (Some("enough"), 1));
        asked.budget.cancel.store(true, Ordering::Relaxed);
        let (events, verified) = told(&asked);
        assert_eq!(events[2], "main: unknown");
        assert_eq!(verified.exit, Exit::Otherwise);
    }

    #[test]
    fn commands_are_the_clients() {
        let mut asked = request(&[TWO], 1);
        asked.command = Some(Box::new(|r| format!("{} on '{}'", r.procedure, r.heap)));
        let (_, verified) = told(&asked);
        let commands = verified.report.files[0].procedures.iter().map(|p| p.command.clone());
        assert_eq!(commands.collect::<Vec<_>>(), [None, Some("second on ''".to_owned())]);
    }

    #[test]
    fn there_are_only_so_many_engines() {
        let why = Chosen::new("oracle", &Settings::default(), SolverChoice::default()).err();
        assert_eq!(why.as_deref(), Some("there is no engine `oracle`"));
    }
}
