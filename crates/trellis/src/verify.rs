//! `trellis verify`: options become a request, events become text and files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use trellis_driver::{Budget, Options, ProcedureResult, Selection, Verdict};
use trellis_program::types::DataModel;
use trellis_program::{Failure, Program};
use trellis_report::formats::{dot, github, junit, sarif, witness};
use trellis_report::model::{ProcedureReport, Report};
use trellis_report::page::{self, Texts};
use trellis_report::text::{self, TextOptions};
use trellis_report::{Exit, json};
use trellis_session::harnesses::Written;
use trellis_session::solvers::path_of;
use trellis_session::{
    Chosen, Event, ExportFormat, FrontEnds, Request, SolverChoice, Source, Workshop, certificates,
    export, verify as ask, witnesses,
};

use crate::cli::{self, VerifyFormat};
use crate::input::shell_word;
use crate::output::Output;
use crate::progress::Line;
use crate::rerun::Rerun;
use crate::{input, interrupt, svg};

/// Verifies the procedures that the user asked for.
pub fn verify(cli: &cli::Verify, output: &mut Output) -> io::Result<Exit> {
    if let Some(Err(why)) = export_format(cli) {
        output.complain(&format!("invalid value for `--export`: {why}"));
        return Ok(Exit::BadInput);
    }
    let read = || {
        let front_ends = input::front_ends_believing(&cli.front_end, cli.callers)?;
        let sources = input::sources(&input::files(cli)?)?;
        Ok((Source::programs(sources, &front_ends, cli.separately), front_ends))
    };
    let (sources, front_ends) = match read() {
        Ok(both) => both,
        Err(bad) => return refuse(cli, &bad, output),
    };
    let request = request(cli, front_ends, sources);
    let mut client = Client {
        cli,
        request: &request,
        output,
        line: None,
        certificates: 0,
        tasks: Vec::new(),
        texts: Texts::default(),
    };
    let verified = ask(&request, |event| client.told(event))?;
    let (tasks, texts) = (client.tasks, client.texts);
    if let Some(path) = &cli.html {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        let mut file = BufWriter::new(File::create(path).map_err(named)?);
        page::write(&mut file, &verified.report, &texts)
            .and_then(|()| file.flush())
            .map_err(named)?;
    }
    if let Some(problem) = &verified.problem {
        output.complain(problem);
    }
    if cli.format != VerifyFormat::Text {
        print(cli.format, &verified.report, &tasks, output)?;
    } else {
        let procedures = verified.report.files.iter().flat_map(|f| &f.procedures);
        let verdicts: Vec<&str> = procedures.map(|p| p.verdict).collect();
        text::summary(output.out(), &verdicts)?;
        match &cli.html {
            Some(path) => {
                writeln!(output.err(), "note: `{}` shows it in a browser", path.display())?
            }
            None if verdicts.contains(&"violated") => {
                writeln!(output.err(), "note: `--html FILE` shows every state in a browser")?;
            }
            None => {}
        }
    }
    Ok(verified.exit)
}

/// Says why nothing can be read.
fn refuse(cli: &cli::Verify, bad: &Failure, output: &mut Output) -> io::Result<Exit> {
    if cli.format != VerifyFormat::Text {
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
        VerifyFormat::Sarif => json::write(output.out(), &sarif::document(report)),
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
}

impl Client<'_> {
    fn told(&mut self, event: Event<'_>) -> io::Result<()> {
        let is_text = self.cli.format == VerifyFormat::Text;
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
            Event::Answered { source, unit, program, result, report } => {
                self.line = None;
                let mut harness = None;
                let path = source.path();
                if self.cli.html.is_some() {
                    self.texts.add(&program.sources, report);
                }
                if let (Some(dir), Verdict::Violated(found)) = (&self.cli.svg, &result.verdict) {
                    svg::write_all(dir, path, program, result.proc, &found.trace)?;
                }
                if let (Some(to), Verdict::Verified { evidence, .. }) =
                    (&self.cli.certificate, &result.verdict)
                {
                    self.certificates += 1;
                    let front_end = self.request.front_ends.of(path);
                    let certificate = certificates::certificate(source, front_end, unit, evidence)?;
                    certificates::write(to, self.certificates, path, &certificate)?;
                }
                if let Some(Ok((format, folder))) = export_format(self.cli) {
                    let evidence = match &result.verdict {
                        Verdict::Verified { evidence, .. } => Some(&**evidence),
                        _ => None,
                    };
                    let checks = self.request.options.checks;
                    let folder = Path::new(folder);
                    let done = export(program, result.proc, checks, evidence, format, folder)?;
                    let name = &program.proc(result.proc).name;
                    if let Some(why) = done.refused {
                        writeln!(self.output.err(), "note: `{name}` is not exported: {why}")?;
                    } else if done.unsaid > 0 {
                        let n = done.unsaid;
                        let text = format!("{format} cannot say {n} sequents of `{name}`");
                        writeln!(self.output.err(), "note: {text}")?;
                    }
                }
                if let Some(written) = self.harness(source, program, result, report)? {
                    harness = Some(written);
                }
                if is_text {
                    let sources = &unit.program.sources;
                    text::diagnostics(self.output.err(), sources, &result.warnings)?;
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
    /// Writes the harness of a violation, if harnesses are wanted.
    fn harness(
        &mut self,
        source: &Source,
        program: &Program,
        result: &ProcedureResult,
        report: &ProcedureReport,
    ) -> io::Result<Option<Written>> {
        let (Some(folder), Verdict::Violated(found), Some(check)) =
            (&self.cli.emit_harness, &result.verdict, &report.check)
        else {
            return Ok(None);
        };
        let workshop = Workshop { folder: folder.clone(), flags: self.compiler_flags() };
        let options = &self.request.options;
        let made = workshop.write(source, program, result.proc, options, (found, check))?;
        if let Err(why) = &made {
            let name = &report.name;
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
