//! `trellis verify`: options become a request, events become text and files.

use std::io;
use std::path::Path;

use trellis_driver::{Budget, Options, Selection, Verdict};
use trellis_program::Failure;
use trellis_report::model::Report;
use trellis_report::text::{self, TextOptions};
use trellis_report::{Exit, json};
use trellis_session::solvers::path_of;
use trellis_session::{
    Chosen, Event, ExportFormat, FrontEnds, Request, SolverChoice, Source, certificates, export,
    verify as ask,
};

use crate::cli::{self, Format};
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
    let mut client = Client { cli, request: &request, output, line: None, certificates: 0 };
    let verified = ask(&request, |event| client.told(event))?;
    drop(client);
    if let Some(problem) = &verified.problem {
        output.complain(problem);
    }
    if cli.format == Format::Json {
        json::write(output.out(), &verified.report)?;
    } else {
        let procedures = verified.report.files.iter().flat_map(|f| &f.procedures);
        let verdicts: Vec<&str> = procedures.map(|p| p.verdict).collect();
        text::summary(output.out(), &verdicts)?;
    }
    Ok(verified.exit)
}

/// Says why nothing can be read.
fn refuse(cli: &cli::Verify, bad: &Failure, output: &mut Output) -> io::Result<Exit> {
    if cli.format == Format::Json {
        let file = cli.files.first().map_or_else(String::new, |f| f.display().to_string());
        json::write(output.out(), &Report::unusable(file, bad))?;
    } else {
        input::print(bad, output)?;
    }
    Ok(Exit::BadInput)
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
}

impl Client<'_> {
    fn told(&mut self, event: Event<'_>) -> io::Result<()> {
        let is_text = self.cli.format == Format::Text;
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
                let path = source.path();
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
                if is_text {
                    let sources = &unit.program.sources;
                    text::diagnostics(self.output.err(), sources, &result.warnings)?;
                    let Self { cli, output, .. } = self;
                    let options = TextOptions { full_trace: cli.full_trace, stats: cli.stats };
                    text::procedure(output.out(), sources, report, options)?;
                    output.finish()?;
                }
                Ok(())
            }
        }
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
