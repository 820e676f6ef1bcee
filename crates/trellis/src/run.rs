//! `trellis run`.

use std::io;
use std::path::Path;

use trellis_driver::heaps::SplitMix;
use trellis_driver::{Options, Task, explore, heaps, select};
use trellis_program::concrete::{Chooser, Finish, InitialHeap, Machine, heap_text};
use trellis_program::{Diagnostic, Failure, ProcId, Program, Unit};
use trellis_report::model::{RUN_SCHEMA, RunBody, RunReport, Tool};
use trellis_report::{Exit, build, heap, json, run as report, text};

use crate::cli::{self, Format};
use crate::output::Output;
use crate::{input, svg};

/// A run that took place.
struct Done {
    unit: Unit,
    warnings: Vec<Diagnostic>,
    exit: Exit,
    body: RunBody,
}

/// Runs one procedure on a concrete heap.
pub fn run(cli: &cli::Run, output: &mut Output) -> io::Result<Exit> {
    let source =
        input::front_ends(&cli.front_end).and_then(|f| Ok((input::program(&cli.files, &f)?, f)));
    let linked = source.as_ref().map(|(s, _)| s.linked()).unwrap_or_default();
    let result = source.and_then(|(s, f)| s.read(&f)).and_then(|unit| execute(cli, unit));
    let (exit, sources, diagnostics, body) = match result {
        Ok(done) => {
            let mut diagnostics = done.unit.diagnostics;
            diagnostics.extend(done.warnings);
            let sources = done.unit.program.sources;
            (done.exit, sources, diagnostics, Some(done.body))
        }
        Err(bad) => (Exit::BadInput, bad.sources, bad.diagnostics, None),
    };
    if cli.format == Format::Json {
        let one = |d| build::diagnostic(&sources, d);
        let report = RunReport {
            schema: RUN_SCHEMA,
            tool: Tool::default(),
            exit_code: exit.code(),
            file: cli.files[0].display().to_string(),
            linked,
            diagnostics: diagnostics.iter().map(one).collect(),
            run: body,
        };
        json::write(output.out(), &report)?;
    } else {
        text::diagnostics(output.err(), &sources, &diagnostics)?;
        if let Some(body) = &body {
            text::run(output.out(), &sources, body)?;
        }
    }
    Ok(exit)
}

fn execute(cli: &cli::Run, unit: Unit) -> Result<Done, Failure> {
    let program = &unit.program;
    let here =
        |diagnostic| Failure { sources: program.sources.clone(), diagnostics: vec![diagnostic] };
    let proc = select::find(program, &cli.proc).map_err(here)?;
    let options = Options {
        checks: cli.checks.set(),
        objects: cli.objects,
        int_values: cli.checks.int_values.clone(),
        malloc_may_fail: cli.checks.malloc_may_fail,
        ..Options::default()
    };
    let task = Task::new(program, proc, &options);
    let initial = initial_heap(cli, &task)?;
    let mut warnings = Vec::new();
    if !heaps::satisfies_requires(&task, &initial) {
        warnings.push(outside_contract(program, proc));
    }
    let machine = Machine::new(program, explore::machine_options(&task));
    let mut chooser = Choices::new(cli);
    let trace = machine.run(proc, &initial, &mut chooser, cli.steps);
    if let Some(dir) = &cli.svg {
        svg::write_all(dir, &cli.files[0], program, proc, &trace)
            .map_err(|e| here(Diagnostic::plain_error(format!("cannot write SVG: {e}"))))?;
    }
    let exit = match &trace.finish {
        Some(Finish::Returned(_) | Finish::Exited) => Exit::Good,
        Some(Finish::Failed(_)) => Exit::Bad,
        _ => Exit::Otherwise,
    };
    let body = report::body(program, proc, &initial, &trace, chooser.made, cli.steps);
    Ok(Done { warnings, exit, body, unit })
}

/// Where the run starts.
fn initial_heap(cli: &cli::Run, task: &Task<'_>) -> Result<InitialHeap, Failure> {
    let start = &cli.start;
    let objects = cli.objects;
    let none = |text: String| {
        let error = Diagnostic::plain_error(text);
        Failure::plain(error.with_help("`--objects` sets the size of the largest heap"))
    };
    if let Some(n) = start.enumerate {
        return heaps::nth(task, n).ok_or_else(|| {
            none(format!(
                "there is no heap number {n}: fewer of up to {objects} objects satisfy `requires`"
            ))
        });
    }
    if let Some(seed) = start.random {
        return heaps::random(task, seed).ok_or_else(|| {
            none(format!("no heap of up to {objects} objects satisfies `requires`"))
        });
    }
    let (name, text) = match (&start.heap, &start.heap_file) {
        (Some(text), _) => ("--heap".to_owned(), text.clone()),
        (None, Some(path)) => (path.display().to_string(), read_heap_file(path)?),
        (None, None) => match heaps::program_start(task) {
            Some(heap) => return Ok(heap),
            None => ("--heap".to_owned(), String::new()),
        },
    };
    heap_text::parse(task.program, task.proc, &text).map_err(|error| {
        let (sources, diagnostic) = heap::bad_notation(&name, &text, error);
        Failure { sources, diagnostics: vec![diagnostic] }
    })
}

fn read_heap_file(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| {
        let text = format!("cannot read {}: {e}", path.display());
        Failure::plain(Diagnostic::plain_error(text))
    })
}

/// The warning that a run says nothing about callers who keep to the contract.
fn outside_contract(program: &Program, proc: ProcId) -> Diagnostic {
    let proc = program.proc(proc);
    let clauses = proc.contract.requires.iter().map(|c| c.span);
    let span = clauses.reduce(trellis_program::Span::to).unwrap_or(proc.span);
    Diagnostic::warning(span, "the heap does not satisfy the precondition")
        .with_label("false or undefined at the start")
}

/// Resolves nondeterminism as the user asked, and keeps a record.
struct Choices<'a> {
    scripted: std::slice::Iter<'a, u32>,
    random: Option<SplitMix>,
    made: Vec<u32>,
}

impl<'a> Choices<'a> {
    fn new(cli: &'a cli::Run) -> Choices<'a> {
        Choices { scripted: cli.choices.iter(), random: cli.seed.map(SplitMix), made: Vec::new() }
    }
}

impl Chooser for Choices<'_> {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = match &mut self.random {
            Some(random) => (random.next() % u64::from(options)) as u32,
            None => self.scripted.next().map_or(0, |c| (*c).min(options - 1)),
        };
        self.made.push(choice);
        choice
    }
}
