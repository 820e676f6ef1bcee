//! `trellis verify`.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use trellis_certify::Proof;
use trellis_driver::{
    Budget, Counterexample, Options, Plan, ProcedureResult, Progress, Registry, Selection,
    SolverFactory, Task, UnknownReason, Verdict, select,
};
use trellis_front_c::Unit;
use trellis_program::slice::slice;
use trellis_program::{CheckTable, ProcId, Program, StopReason};
use trellis_report::build::{self, Context};
use trellis_report::json;
use trellis_report::model::{FileReport, ProcedureReport, REPORT_SCHEMA, Report, Tool};
use trellis_report::text::{self, TextOptions};

use crate::cli::{self, Format};
use crate::input::{self, BadInput, shell_word};
use crate::output::{Exit, Output};
use crate::solvers::{Factory, SolverChoice, path_of};
use crate::{certify, interrupt, patience, progress, side_by_side, svg};

/// One file of the command line.
struct Input<'a> {
    path: &'a Path,
    unit: Result<Unit, BadInput>,
}

/// What stays the same for all procedures.
struct Session<'a> {
    cli: &'a cli::Verify,
    plan: Arc<Plan>,
    solvers: Factory,
    options: Options,
    budget: Budget,
    /// Certificates written so far.
    certificates: AtomicUsize,
}

/// One procedure, with everything that a thread needs which may be left behind.
#[derive(Clone)]
struct Job {
    /// What the procedure needs of the program.
    program: Arc<Program>,
    proc: ProcId,
    plan: Arc<Plan>,
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
        let work = move || job.plan.verify(&job.task(), &job.budget, &job.progress);
        patience::within(self.budget.timeout, work).unwrap_or_else(|| {
            let late = UnknownReason::stopped(StopReason::Time, &self.budget);
            ProcedureResult::not_begun(self.plan.name(), &self.task(), late)
        })
    }
}

/// Verifies the procedures that the user asked for.
pub fn verify(cli: &cli::Verify, output: &mut Output) -> io::Result<Exit> {
    let mut inputs: Vec<Input<'_>> = cli
        .files
        .iter()
        .map(|path| Input { path, unit: input::read(path, &cli.front_end) })
        .collect();
    refuse_unknown_names(&mut inputs, &cli.procs);
    let session = Session::new(cli);
    let mut exit = Exit::Good;
    let mut files = Vec::new();
    for input in &inputs {
        let (file_exit, report) = session.file(input, output)?;
        exit = exit.and(file_exit);
        files.push(report);
    }
    if let Some(problem) = session.solvers.problem() {
        output.complain(&problem);
        exit = exit.and(Exit::BadInput);
    }
    if cli.format == Format::Json {
        let report =
            Report { schema: REPORT_SCHEMA, tool: Tool::default(), exit_code: exit.code(), files };
        json::write(output.out(), &report)?;
    } else {
        let procedures = files.iter().flat_map(|f| &f.procedures);
        let verdicts: Vec<&str> = procedures.map(|p| p.verdict).collect();
        text::summary(output.out(), &verdicts)?;
    }
    Ok(exit)
}

/// A name is an error if it is a procedure of none of the files; the first file gets the blame.
fn refuse_unknown_names(inputs: &mut [Input<'_>], names: &[String]) {
    let mut unknown = Vec::new();
    for name in names {
        let units = inputs.iter().filter_map(|i| i.unit.as_ref().ok());
        let found: Vec<_> = units.map(|u| select::find(&u.program, name)).collect();
        if !found.iter().any(Result::is_ok) {
            unknown.extend(found.into_iter().filter_map(Result::err).next());
        }
    }
    if let Some(first) = inputs.iter_mut().find(|i| i.unit.is_ok())
        && !unknown.is_empty()
        && let Ok(unit) = &first.unit
    {
        first.unit = Err(BadInput { sources: unit.program.sources.clone(), diagnostics: unknown });
    }
}

impl Session<'_> {
    fn new(cli: &cli::Verify) -> Session<'_> {
        let cancel = interrupt::flag();
        let solvers = solvers(&cli.solving);
        let make = solvers.clone();
        let solver: SolverFactory = Arc::new(move || make.make());
        let plan = Registry::default()
            .plan(&cli.engine, &cli.engines.0.clone().with(solver))
            .expect("the command line only lets names of plans pass");
        Session {
            cli,
            plan: Arc::new(plan),
            solvers,
            options: Options {
                checks: cli.checks.set(),
                objects: cli.objects,
                steps: cli.steps,
                choices: cli.choices,
                int_values: cli.checks.int_values.clone(),
                malloc_may_fail: cli.checks.malloc_may_fail,
                threads: threads(cli.threads),
                certificate: cli.certificate.is_some(),
            },
            budget: Budget {
                timeout: Some(cli.timeout),
                memory: cli.memory,
                cancel,
                ..Budget::default()
            },
            certificates: AtomicUsize::new(0),
        }
    }

    /// Verifies the procedures of one file; prints text on the way.
    fn file(&self, input: &Input<'_>, output: &mut Output) -> io::Result<(Exit, FileReport)> {
        let is_text = self.cli.format == Format::Text;
        let mut report = FileReport {
            file: input.path.display().to_string(),
            diagnostics: Vec::new(),
            procedures: Vec::new(),
        };
        let unit = match &input.unit {
            Ok(unit) => unit,
            Err(bad) => {
                if is_text {
                    bad.print(output)?;
                }
                report.diagnostics = bad.report();
                return Ok((Exit::BadInput, report));
            }
        };
        let sources = &unit.program.sources;
        let mut diagnostics = unit.diagnostics.clone();
        if is_text {
            text::diagnostics(output.err(), sources, &diagnostics)?;
            if self.cli.files.len() > 1 {
                text::file_name(output.out(), &report.file)?;
            }
        }
        let mut exit = Exit::Good;
        let procedures = self.procedures(unit);
        side_by_side::in_order(
            &procedures,
            self.options.threads,
            |&proc| self.procedure(unit, proc, procedures.len()),
            |(program, result)| {
                exit = exit.and(exit_of(&result.verdict));
                if let (Some(dir), Verdict::Violated(found)) = (&self.cli.svg, &result.verdict) {
                    svg::write_all(dir, input.path, &program, result.proc, &found.trace)?;
                }
                if let Verdict::Verified { proof, .. } = &result.verdict {
                    self.certificate(input.path, unit, proof)?;
                }
                let procedure = self.report(&program, input.path, &result);
                if is_text {
                    text::diagnostics(output.err(), sources, &result.warnings)?;
                    let options =
                        TextOptions { full_trace: self.cli.full_trace, stats: self.cli.stats };
                    text::procedure(output.out(), sources, &procedure, options)?;
                    output.finish()?;
                }
                diagnostics.extend(result.warnings);
                report.procedures.push(procedure);
                Ok(())
            },
        )?;
        report.diagnostics = diagnostics.iter().map(|d| build::diagnostic(sources, d)).collect();
        Ok((exit, report))
    }

    /// Writes a certificate if the user wants one.
    fn certificate(&self, source: &Path, unit: &Unit, proof: &Proof) -> io::Result<()> {
        let Some(to) = &self.cli.certificate else {
            return Ok(());
        };
        let number = self.certificates.fetch_add(1, Ordering::Relaxed) + 1;
        let text = &unit.preprocessed;
        certify::write(to, number, source, text, &self.cli.front_end, proof)
    }

    /// The procedures of a file that the user asked for; names of other files are skipped.
    fn procedures(&self, unit: &Unit) -> Vec<ProcId> {
        let program = &unit.program;
        let selection = if !self.cli.procs.is_empty() {
            let here = |n: &&String| select::find(program, n).is_ok();
            Selection::Named(self.cli.procs.iter().filter(here).cloned().collect())
        } else if self.cli.all_procs {
            Selection::All
        } else {
            Selection::Promising
        };
        select::select(program, &selection).unwrap_or_default()
    }

    /// The answer about one of so many procedures, with the part of the program that it is about.
    fn procedure(&self, unit: &Unit, proc: ProcId, of: usize) -> (Arc<Program>, ProcedureResult) {
        let (program, proc) = slice(&unit.program, proc);
        let title = format!("{} ({})", program.proc(proc).name, self.plan.name());
        // Threads are for procedures first.
        let threads = (self.options.threads / of.max(1)).max(1);
        let job = Job {
            program: Arc::new(program),
            proc,
            plan: Arc::clone(&self.plan),
            options: Options { threads, ..self.options.clone() },
            budget: self.budget.clone(),
            progress: Arc::default(),
        };
        // Answers of several at once show how far it is.
        let result = match of > 1 && self.options.threads > 1 {
            true => job.run(),
            false => progress::watch(&title, &job.progress, || job.run()),
        };
        (job.program, result)
    }

    fn report(&self, program: &Program, path: &Path, result: &ProcedureResult) -> ProcedureReport {
        let name = &program.proc(result.proc).name;
        let context = Context { program, checks: &CheckTable::of(program) };
        build::procedure(context, result, |found, heap| self.command(path, name, found, heap))
    }

    /// The command that runs a counterexample again.
    fn command(&self, path: &Path, proc: &str, found: &Counterexample, heap: &str) -> String {
        let mut words = vec![
            "trellis".to_owned(),
            "run".to_owned(),
            path.display().to_string(),
            "--proc".to_owned(),
            proc.to_owned(),
            "--heap".to_owned(),
            heap.to_owned(),
        ];
        if found.choices.iter().any(|c| *c != 0) {
            words.push("--choices".to_owned());
            words.push(numbers(&found.choices));
        }
        let steps = found.trace.steps.len();
        if steps > cli::RUN_STEPS {
            words.extend(["--steps".to_owned(), steps.to_string()]);
        }
        words.extend(self.repeated_options(found));
        let words: Vec<String> = words.iter().map(|w| shell_word(w)).collect();
        words.join(" ")
    }

    /// The options of `verify` that change what a run does.
    fn repeated_options(&self, found: &Counterexample) -> Vec<String> {
        let checks = &self.cli.checks;
        let mut words = Vec::new();
        let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
        checks.on.iter().for_each(|k| add("--check", k.to_string()));
        checks.off.iter().for_each(|k| add("--no-check", k.to_string()));
        if let Some(values) = &found.ints {
            add("--int-values", numbers(values));
        }
        for dir in &self.cli.front_end.include_dirs {
            add("-I", dir.display().to_string());
        }
        for define in &self.cli.front_end.defines {
            add("-D", define.clone());
        }
        if checks.malloc_may_fail {
            words.push("--malloc-may-fail".to_owned());
        }
        if checks.gc {
            words.push("--gc".to_owned());
        }
        words
    }
}

/// The solvers that the user asked for.
fn solvers(solving: &cli::Solving) -> Factory {
    let choice = SolverChoice {
        kind: solving.solver,
        path: path_of(solving.solver, &solving.paths),
        dump_smt: solving.dump_smt.clone(),
        record: solving.record_queries.clone(),
        seed: solving.seed,
        ..SolverChoice::default()
    };
    choice.factory()
}

fn numbers<T: ToString>(list: &[T]) -> String {
    let words: Vec<String> = list.iter().map(ToString::to_string).collect();
    words.join(",")
}

fn exit_of(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Verified { .. } => Exit::Good,
        Verdict::Violated(_) => Exit::Bad,
        Verdict::NoInvariant { .. } | Verdict::Unknown(_) => Exit::Otherwise,
    }
}

/// The number asked for, else one a core.
pub fn threads(asked: Option<std::num::NonZeroUsize>) -> usize {
    asked
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, std::num::NonZeroUsize::get)
}
