//! `trellis show`.

use std::io::{self, Write};

use trellis_driver::select;
use trellis_program::cfg::{loop_heads, successors};
use trellis_program::print::{cfg_dot, print_procedure, print_program, print_vocabulary};
use trellis_program::{BlockId, Failure, ProcId, Program, Terminator};
use trellis_report::build::{diagnostic, failure};
use trellis_report::show::{ShowReport, rows, write_text};
use trellis_report::{Exit, json, text};

use crate::cli::{self, ShowFormat, What};
use crate::output::Output;
use crate::{input, states};

/// Shows what Trellis understood of a file.
pub fn show(cli: &cli::Show, output: &mut Output) -> io::Result<Exit> {
    let possible = match cli.format {
        ShowFormat::Text => true,
        ShowFormat::Dot => cli.what == What::Cfg,
        ShowFormat::Json => cli.what == What::Checks,
    };
    if !possible {
        output.complain("--format dot is for `cfg`, --format json for `checks`");
        return Ok(Exit::BadInput);
    }
    let source =
        input::front_ends(&cli.front_end).and_then(|f| Ok((input::program(&cli.files, &f)?, f)));
    let unit = match source.and_then(|(s, f)| s.read(&f)) {
        Ok(unit) => unit,
        Err(bad) => return refuse(cli, &bad, output),
    };
    let program = &unit.program;
    let procs = match selected(program, &cli.procs) {
        Ok(procs) => procs,
        Err(bad) => return refuse(cli, &bad, output),
    };
    if cli.format == ShowFormat::Json {
        let diagnostics = unit.diagnostics.iter();
        let diagnostics = diagnostics.map(|d| diagnostic(&program.sources, d)).collect();
        let rows = rows(program, &procs);
        let file = cli.files[0].display().to_string();
        json::write(output.out(), &ShowReport::new(Exit::Good, file, diagnostics, rows))?;
        return Ok(Exit::Good);
    }
    text::diagnostics(output.err(), &program.sources, &unit.diagnostics)?;
    match cli.what {
        What::Program => write_program(output.out(), program, &cli.procs, &procs)?,
        What::Cfg if cli.format == ShowFormat::Dot => {
            write_each(output.out(), &procs, |p| cfg_dot(program, p))?;
        }
        What::Cfg => write_each(output.out(), &procs, |p| cfg_text(program, p))?,
        What::Checks => write_text(output.out(), &rows(program, &procs))?,
        What::Vocabulary => {
            write_each(output.out(), &procs, |p| print_vocabulary(program, p))?;
        }
        What::States => states::show(cli, program, &procs, output)?,
    }
    Ok(Exit::Good)
}

fn refuse(cli: &cli::Show, bad: &Failure, output: &mut Output) -> io::Result<Exit> {
    if cli.format == ShowFormat::Json {
        let file = cli.files[0].display().to_string();
        let report = ShowReport::new(Exit::BadInput, file, failure(bad), Vec::new());
        json::write(output.out(), &report)?;
    } else {
        input::print(bad, output)?;
    }
    Ok(Exit::BadInput)
}

/// The named procedures, or all with a body.
fn selected(program: &Program, names: &[String]) -> Result<Vec<ProcId>, Failure> {
    if names.is_empty() {
        let all = (0..program.procs.len() as u32).map(ProcId);
        return Ok(all.filter(|p| program.proc(*p).body.is_some()).collect());
    }
    let named = select::Selection::Named(names.to_vec());
    select::select(program, &named)
        .map_err(|diagnostics| Failure { sources: program.sources.clone(), diagnostics })
}

/// The whole program, or only the named procedures.
fn write_program(
    out: &mut dyn Write,
    program: &Program,
    names: &[String],
    procs: &[ProcId],
) -> io::Result<()> {
    if names.is_empty() {
        return write!(out, "{}", print_program(program));
    }
    write_each(out, procs, |p| print_procedure(program, p))
}

fn write_each(
    out: &mut dyn Write,
    procs: &[ProcId],
    text: impl Fn(ProcId) -> String,
) -> io::Result<()> {
    for (i, proc) in procs.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        write!(out, "{}", text(*proc))?;
    }
    Ok(())
}

/// The blocks of a procedure and where they go.
fn cfg_text(program: &Program, proc: ProcId) -> String {
    let mut text = format!("{}:\n", program.proc(proc).name);
    let Some(body) = &program.proc(proc).body else {
        return text;
    };
    let heads = loop_heads(body);
    for (i, block) in body.blocks.iter().enumerate() {
        let to: Vec<String> = successors(&block.term).map(|b| format!("b{}", b.0)).collect();
        let to = match &block.term {
            Terminator::Return(_) => "return".to_owned(),
            Terminator::Exit => "exit".to_owned(),
            Terminator::ExitFreed => "exit freed".to_owned(),
            Terminator::Abort => "abort".to_owned(),
            Terminator::Goto(_) | Terminator::Branch { .. } => to.join(", "),
        };
        let id = BlockId(i as u32);
        let entry = if id == body.entry { "  entry" } else { "" };
        let head = if heads.contains(&id) { "  loop head" } else { "" };
        let line = program.sources.line_col(block.term_span).0;
        text.push_str(&format!("  b{i} -> {to}  line {line}{entry}{head}\n"));
    }
    text
}
