//! `trellis verify`: options become a request, events become text and files.

mod merged;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use trellis_driver::{Budget, Counterexample, Options, Selection};
use trellis_program::types::DataModel;
use trellis_program::{Failure, ProcId, Program};
use trellis_report::formats::{dot, github, junit, sarif, witness};
use trellis_report::model::{CheckReport, Report};
use trellis_report::page::{self, Texts};
use trellis_report::programs::Programs;
use trellis_report::text::{self, TextOptions};
use trellis_report::{Exit, json};
use trellis_session::harnesses::Written;
use trellis_session::request::Excuse;
use trellis_session::solvers::path_of;
use trellis_session::{
    Annotated, Annotator, Chosen, Event, ExportFormat, FrontEnds, Kept, Request, SolverChoice,
    Source, StoreAddress, Verified, Workshop, certificates, export, list, list_one, verify as ask,
    witnesses,
};

use crate::cli::{self, VerifyFormat};
use crate::excuses::{Excuses, Suppression};
use crate::input::shell_word;
use crate::output::Output;
use crate::progress::Line;
use crate::rerun::Rerun;
use crate::{cache, input, interrupt, parts, svg};

/// Verifies the procedures that the user asked for.
pub fn verify(
    cli: &cli::Verify,
    suppressions: Vec<Suppression>,
    output: &mut Output,
) -> io::Result<Exit> {
    if let Some(Err(why)) = export_format(cli) {
        output.complain(&format!("invalid value for `--export`: {why}"));
        return Ok(Exit::BadInput);
    }
    if !cli.merge.is_empty() {
        return merged::merged(cli, suppressions, output);
    }
    let asked = match asked(cli) {
        Ok(request) => request,
        Err(bad) => return refuse(cli, &bad, output),
    };
    let excuses = match Excuses::new(cli.baseline.as_deref(), suppressions) {
        Ok(excuses) => Arc::new(excuses),
        Err(bad) => return refuse(cli, &bad, output),
    };
    let Ok(kept) = kept(cli, output)? else { return Ok(Exit::BadInput) };
    let excusing = Arc::clone(&excuses);
    let excuse: Excuse = Box::new(move |report, sources| excusing.excuse(report, sources));
    let request = Request { kept, excuse: Some(excuse), ..asked };
    if cli.list {
        parts::write_list(output.out(), &list(&request))?;
        return Ok(Exit::Good);
    }
    let mut client = Client {
        cli,
        request: &request,
        output,
        line: None,
        certificates: 0,
        tasks: Vec::new(),
        texts: Texts::default(),
        annotator: None,
    };
    let verified = ask(&request, |event| client.told(event))?;
    let (tasks, texts) = (client.tasks, client.texts);
    finish(cli, &verified, &tasks, &texts, &excuses, output)
}

/// Prints what is printed when all answers are there.
fn finish(
    cli: &cli::Verify,
    verified: &Verified,
    tasks: &[Option<witness::Task>],
    texts: &Texts,
    excuses: &Excuses,
    output: &mut Output,
) -> io::Result<Exit> {
    files(cli, verified.exit, &verified.report, texts)?;
    baseline(cli, verified.exit, excuses, output)?;
    if let Some(problem) = &verified.problem {
        output.complain(problem);
    }
    if let Some(problem) = &verified.forgetful {
        writeln!(output.err(), "warning: {problem}")?;
    }
    if cli.format != VerifyFormat::Text {
        print(cli.format, &verified.report, tasks, output)?;
    } else {
        let procedures = || verified.report.files.iter().flat_map(|f| &f.procedures);
        let verdicts: Vec<&str> = procedures().map(|p| p.verdict).collect();
        summary(cli, &verdicts, procedures().filter(|p| p.cached).count(), output)?;
    }
    Ok(verified.exit)
}

/// Writes the reports that are wanted besides the one that is printed.
fn files(cli: &cli::Verify, exit: Exit, programs: &dyn Programs, texts: &Texts) -> io::Result<()> {
    let into = |path: &Path, write: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        let mut file = BufWriter::new(File::create(path).map_err(named)?);
        write(&mut file).and_then(|()| file.flush()).map_err(named)
    };
    if let Some(path) = &cli.html {
        into(path, &|to| page::write(to, programs, texts))?;
    }
    if let Some(path) = &cli.sarif {
        into(path, &|to| sarif::write(to, exit.code(), programs))?;
    }
    Ok(())
}

/// Writes a baseline, and says what is to be said of excuses.
fn baseline(
    cli: &cli::Verify,
    exit: Exit,
    excuses: &Excuses,
    output: &mut Output,
) -> io::Result<()> {
    match &cli.write_baseline {
        // Of what cannot be read nothing is known that could be excused later.
        Some(path) if exit == Exit::BadInput => {
            writeln!(output.err(), "warning: `{}` is not written: see the errors", path.display())?;
        }
        Some(path) => {
            let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
            std::fs::write(path, excuses.baseline()).map_err(named)?;
        }
        None => {}
    }
    excuses.remarks().iter().try_for_each(|r| writeln!(output.err(), "warning: {r}"))
}

/// Says in text what came of everything.
fn summary(
    cli: &cli::Verify,
    verdicts: &[&str],
    cached: usize,
    output: &mut Output,
) -> io::Result<()> {
    text::summary(output.out(), verdicts, cached)?;
    match &cli.html {
        Some(path) => writeln!(output.err(), "note: `{}` shows it in a browser", path.display()),
        None if verdicts.contains(&"violated") => {
            writeln!(output.err(), "note: `--html FILE` shows every state in a browser")
        }
        None => Ok(()),
    }
}

/// Says why nothing can be read.
fn refuse(cli: &cli::Verify, bad: &Failure, output: &mut Output) -> io::Result<Exit> {
    if !matches!(cli.format, VerifyFormat::Text | VerifyFormat::Answers) {
        let file = cli.files.first().map_or_else(String::new, |f| f.display().to_string());
        print(cli.format, &Report::unusable(file, bad), &[], output)?;
    } else {
        input::print(bad, output)?;
    }
    Ok(Exit::BadInput)
}

/// Prints a report for machines.
fn print(
    format: VerifyFormat,
    report: &Report,
    tasks: &[Option<witness::Task>],
    output: &mut Output,
) -> io::Result<()> {
    match format {
        VerifyFormat::Text | VerifyFormat::Json => json::write(output.out(), report),
        // They were printed as they came.
        VerifyFormat::Answers => Ok(()),
        VerifyFormat::Sarif => sarif::write(output.out(), report.exit_code, report),
        VerifyFormat::Junit => junit::write(output.out(), report),
        VerifyFormat::Github => github::write(output.out(), report),
        VerifyFormat::Dot => dot::write(output.out(), report),
        VerifyFormat::Witness => {
            for (file, task) in report.files.iter().zip(tasks) {
                let written = match task {
                    Some(task) => witness::write(output.out(), &report.tool, file, task)?,
                    None => false,
                };
                if !written {
                    let text = "no witness: `main` is not verified, and violates no property of competitions";
                    writeln!(output.err(), "note: {}: {text}", file.file)?;
                }
            }
            Ok(())
        }
    }
}

/// What a command line asks for.
///
/// # Errors
/// If there is nothing that can be read.
pub fn asked(cli: &cli::Verify) -> Result<Request, Failure> {
    let front_ends = input::front_ends_believing(&cli.front_end, cli.callers)?;
    let sources = input::sources(&input::files(cli)?)?;
    let sources = Source::programs(sources, &front_ends, cli.separately);
    Ok(request(cli, front_ends, sources))
}

/// What the user asks for.
fn request(cli: &cli::Verify, front_ends: FrontEnds, sources: Vec<Source>) -> Request {
    Request {
        sources,
        front_ends,
        selection: match cli.all_procs {
            _ if !cli.properties.is_empty() => Selection::Named(vec!["main".to_owned()]),
            true => Selection::All,
            false if cli.procs.is_empty() => Selection::Promising,
            false => Selection::Named(cli.procs.clone()),
        },
        engine: Chosen::new(&cli.engine, &cli.engines.0, solvers(&cli.solving))
            .expect("the command line only lets names of plans pass"),
        options: options(cli),
        budget: Budget {
            timeout: Some(cli.timeout),
            memory: Some(cli.memory),
            cancel: interrupt::flag(),
            ..Budget::default()
        },
        properties: cli.properties(),
        lenient: cli.fail_on == cli::FailOn::Violated,
        command: Some(Rerun::new(cli).command()),
        kept: None,
        excuse: None,
    }
}

/// That a store does not let us in, which was told.
struct Refused;

/// Where answers are kept, if they are. A cache that cannot be used is told, and no reason to fail,
/// unless it is there and does not let us in.
fn kept(cli: &cli::Verify, output: &mut Output) -> io::Result<Result<Option<Kept>, Refused>> {
    let named = cli.engines.0.get::<StoreAddress>();
    // Sequents are exported, and invariants written, by those who make them.
    if cli.no_cache || cli.export.is_some() || cli.annotate.is_some() {
        return Ok(Ok(None));
    }
    let at = match named.map_or_else(cache::usual, |at| Ok(Some(at))) {
        Ok(Some(at)) => at,
        Ok(None) => return Ok(Ok(None)),
        Err(why) => {
            output.complain(&why);
            return Ok(Err(Refused));
        }
    };
    let said = format!("{:?} {:?}", cli.checks, cli.front_end);
    let files = cli.html.is_some() || cli.svg.is_some() || cli.emit_harness.is_some();
    let states = cli.pictures || files || cli.format == VerifyFormat::Dot;
    match Kept::open(&at, said, states) {
        Ok(kept) if cli.recheck_cache => Ok(Ok(Some(kept.distrusted()))),
        Ok(kept) => Ok(Ok(Some(kept))),
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
            output.complain(&format!("the cache {at} is refused: {e}"));
            Ok(Err(Refused))
        }
        Err(e) => {
            writeln!(output.err(), "warning: the cache {at} cannot be used: {e}")?;
            Ok(Ok(None))
        }
    }
}

/// What to check, how far to look.
fn options(cli: &cli::Verify) -> Options {
    Options {
        checks: cli.properties().map_or_else(|| cli.checks.set(), |p| p.checks()),
        objects: cli.objects,
        steps: cli.steps,
        choices: cli.choices,
        int_values: cli.checks.int_values.clone(),
        malloc_may_fail: cli.checks.malloc_may_fail,
        threads: threads(cli.threads),
        certificate: cli.certificate.is_some(),
    }
}

/// Shows what happens.
struct Client<'a> {
    cli: &'a cli::Verify,
    request: &'a Request,
    output: &'a mut Output,
    /// While an engine works.
    line: Option<Line>,
    /// Certificates written so far.
    certificates: usize,
    /// What witnesses say of each program, if they are asked for and it could be read.
    tasks: Vec<Option<witness::Task>>,
    /// What the page shows of the sources.
    texts: Texts,
    /// The invariants for the source at hand, if they are to be written.
    annotator: Option<Annotator<'a>>,
}

impl Client<'_> {
    fn told(&mut self, event: Event<'_>) -> io::Result<()> {
        let is_text = self.cli.format == VerifyFormat::Text;
        self.annotate(&event)?;
        if let (VerifyFormat::Witness, Event::Source { source, unit }) = (self.cli.format, &event) {
            let front_end = self.request.front_ends.of(source.path());
            let properties = self.request.properties.as_ref();
            let created = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
            let task = |unit| witnesses::task(source, front_end, unit, properties, created);
            self.tasks.push(unit.ok().map(task).transpose()?);
        }
        match event {
            Event::Source { unit: Err(bad), .. } if is_text => input::print(bad, self.output),
            Event::Source { source, unit: Ok(unit) } if is_text => {
                let sources = &unit.program.sources;
                text::diagnostics(self.output.err(), sources, &unit.diagnostics)?;
                if self.request.sources.len() > 1 {
                    let names = source.all().iter().map(|s| s.path().display().to_string());
                    let names: Vec<String> = names.collect();
                    text::file_name(self.output.out(), &names.join(", "))?;
                }
                Ok(())
            }
            // Whoever names procedures has a list of them.
            Event::Source { source, unit }
                if self.cli.format == VerifyFormat::Answers && self.cli.procs.is_empty() =>
            {
                parts::write_list(self.output.out(), &[list_one(self.request, source, unit)])
            }
            Event::Source { .. } => Ok(()),
            Event::Begun { procedure, engine, progress } => {
                self.line = Some(Line::begin(format!("{procedure} ({engine})"), progress));
                Ok(())
            }
            Event::Finished { report } if is_text => {
                let named = matches!(self.request.selection, Selection::Named(_));
                if report.procedures.is_empty() && !named {
                    let message = report.diagnostics.last().map_or("", |d| d.message.as_str());
                    self.output.complain(message);
                }
                text::not_looked_at(self.output.err(), &report.not_looked_at)
            }
            Event::Finished { .. } => Ok(()),
            Event::Answered {
                source,
                unit,
                program,
                proc,
                report,
                warnings,
                evidence,
                violation,
                ..
            } => {
                self.line = None;
                let mut harness = None;
                let path = source.path();
                if self.cli.html.is_some() {
                    self.texts.add(&program.sources, report);
                }
                if let (Some(dir), Some(found)) = (&self.cli.svg, violation) {
                    svg::write_all(dir, path, program, proc, &found.trace)?;
                }
                if let (Some(to), Some(evidence)) = (&self.cli.certificate, evidence) {
                    self.certificates += 1;
                    let front_end = self.request.front_ends.of(path);
                    let certificate = certificates::certificate(source, front_end, unit, evidence)?;
                    certificates::write(to, self.certificates, path, &certificate)?;
                }
                if let Some(Ok((format, folder))) = export_format(self.cli) {
                    let checks = self.request.options.checks;
                    let folder = Path::new(folder);
                    let done = export(program, proc, checks, evidence, format, folder)?;
                    let name = &report.name;
                    if let Some(why) = done.refused {
                        writeln!(self.output.err(), "note: `{name}` is not exported: {why}")?;
                    } else if done.unsaid > 0 {
                        let n = done.unsaid;
                        let text = format!("{format} cannot say {n} sequents of `{name}`");
                        writeln!(self.output.err(), "note: {text}")?;
                    }
                }
                if let (Some(found), Some(check)) = (violation, &report.check) {
                    harness = self.harness(source, (program, proc), found, check)?;
                }
                if self.cli.format == VerifyFormat::Answers {
                    let (sources, pictures) = (&program.sources, self.cli.pictures);
                    let out = self.output.out();
                    parts::write_answer(out, source, report, warnings, sources, pictures)?;
                }
                if is_text {
                    let sources = &unit.program.sources;
                    text::diagnostics(self.output.err(), sources, warnings)?;
                    let Self { cli, output, .. } = self;
                    let options = TextOptions { full_trace: cli.full_trace, stats: cli.stats };
                    text::procedure(output.out(), sources, report, options)?;
                    if let Some(Written { compile, run, .. }) = &harness {
                        let words = |words: &[String]| {
                            words.iter().map(|w| shell_word(w)).collect::<Vec<_>>().join(" ")
                        };
                        let commands = [words(compile), words(run)].join(" && ");
                        text::command(output.out(), "make it fail for real", &commands)?;
                    }
                    output.finish()?;
                }
                Ok(())
            }
        }
    }
}

impl Client<'_> {
    /// Writes invariants into the source, if they are wanted.
    fn annotate(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Some(folder) = &self.cli.annotate else { return Ok(()) };
        match event {
            Event::Source { source, unit } => {
                self.annotator = unit.ok().map(|unit| Annotator::new(self.request, source, unit));
            }
            Event::Answered { report, .. } => {
                self.line = None;
                let name = &report.name;
                let done = self.annotator.as_mut().map(|annotator| annotator.add(event));
                if let Some(Annotated::Left(why)) = done {
                    writeln!(self.output.err(), "note: `{name}` is not annotated: {why}")?;
                }
            }
            Event::Finished { report } => match self.annotator.take() {
                None => {}
                Some(annotator) => match annotator.write(folder.as_deref())? {
                    Ok(files) => {
                        for file in files {
                            let (file, n) = (file.display(), annotator.written());
                            let invariants = if n == 1 { "invariant" } else { "invariants" };
                            let text = format!("`{file}` has {n} loop {invariants} more");
                            writeln!(self.output.err(), "note: {text}")?;
                        }
                    }
                    Err(why) => {
                        let file = &report.file;
                        writeln!(self.output.err(), "note: `{file}` is not annotated: {why}")?;
                    }
                },
            },
            Event::Begun { .. } => {}
        }
        Ok(())
    }

    /// Writes the harness of a violation, if harnesses are wanted.
    fn harness(
        &mut self,
        source: &Source,
        (program, proc): (&Program, ProcId),
        found: &Counterexample,
        check: &CheckReport,
    ) -> io::Result<Option<Written>> {
        let Some(folder) = &self.cli.emit_harness else { return Ok(None) };
        let workshop = Workshop { folder: folder.clone(), flags: self.compiler_flags() };
        let options = &self.request.options;
        let made = workshop.write(source, program, proc, options, (found, check))?;
        if let Err(why) = &made {
            let name = &program.proc(proc).name;
            writeln!(self.output.err(), "note: there is no harness for `{name}`: {why}")?;
        }
        Ok(made.ok())
    }

    /// What a compiler has to be told about the program.
    fn compiler_flags(&self) -> Vec<String> {
        let settings = &self.cli.front_end;
        let mut flags = Vec::new();
        if settings.data_model != DataModel::default() {
            flags.push("-m32".to_owned());
        }
        flags.extend(settings.include_dirs.iter().map(|d| format!("-I{}", d.display())));
        flags.extend(settings.defines.iter().map(|d| format!("-D{d}")));
        for file in &settings.preincludes {
            flags.extend(["-include".to_owned(), file.display().to_string()]);
        }
        flags
    }
}

/// Where sequents are written, and in which language.
fn export_format(cli: &cli::Verify) -> Option<Result<(ExportFormat, &str), String>> {
    match cli.export.as_deref() {
        Some([format, folder]) => Some(format.parse().map(|format| (format, folder.as_str()))),
        _ => None,
    }
}

/// The solvers that the user asked for.
fn solvers(solving: &cli::Solving) -> SolverChoice {
    SolverChoice {
        kind: solving.solver,
        path: path_of(solving.solver, &solving.paths),
        dump_smt: solving.dump_smt.clone(),
        record: solving.record_queries.clone(),
        seed: solving.seed,
        ..SolverChoice::default()
    }
}

/// The number asked for, else one a core.
pub fn threads(asked: Option<std::num::NonZeroUsize>) -> usize {
    asked
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, std::num::NonZeroUsize::get)
}
