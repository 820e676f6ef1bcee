//! `trellis explain`: a saved result, state by state.

use std::fs;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::Path;

use trellis_program::SourceMap;
use trellis_report::model::{ProcedureReport, Report};
use trellis_report::page::{self, Texts};
use trellis_report::text::{self, TextOptions};
use trellis_report::{Exit, saved};

use crate::output::Output;
use crate::{cli, input};

/// Shows what a saved report says.
pub fn explain(cli: &cli::Explain, output: &mut Output) -> io::Result<Exit> {
    let (mut report, sources) = match read(&cli.file) {
        Ok(both) => both,
        Err(why) => {
            output.complain(&format!("cannot explain `{}`: {why}", cli.file.display()));
            return Ok(Exit::BadInput);
        }
    };
    let named = |p: &ProcedureReport| cli.procs.is_empty() || cli.procs.contains(&p.name);
    let procedures = || report.files.iter().flat_map(|f| &f.procedures);
    if let Some(unknown) = cli.procs.iter().find(|name| !procedures().any(|p| p.name == **name)) {
        let there: Vec<String> = procedures().map(|p| format!("`{}`", p.name)).collect();
        output.complain(&format!(
            "the result has no procedure `{unknown}`; it has {}",
            if there.is_empty() { "none".to_owned() } else { there.join(", ") }
        ));
        return Ok(Exit::BadInput);
    }
    report.files.iter_mut().for_each(|f| f.procedures.retain(named));
    if let Some(path) = &cli.html {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        let mut file = BufWriter::new(fs::File::create(path).map_err(named)?);
        page::write(&mut file, &report, &Texts::from(&sources))
            .and_then(|()| file.flush())
            .map_err(named)?;
        writeln!(output.err(), "note: `{}` shows it in a browser", path.display())?;
        return Ok(Exit::Good);
    }
    let options = TextOptions { full_trace: cli.full_trace, stats: false };
    let by_step = cli.step || (io::stdin().is_terminal() && io::stdout().is_terminal());
    for file in &report.files {
        if report.files.len() > 1 {
            text::file_name(output.out(), &file.file)?;
        }
        for procedure in &file.procedures {
            match by_step && !procedure.trace.is_empty() {
                false => text::procedure(output.out(), &sources, procedure, options)?,
                true if !walk(output, &sources, procedure, options)? => return Ok(Exit::Good),
                true => {}
            }
        }
    }
    let verdicts: Vec<&str> =
        report.files.iter().flat_map(|f| &f.procedures).map(|p| p.verdict).collect();
    text::summary(output.out(), &verdicts, 0)?;
    Ok(Exit::Good)
}

fn read(path: &Path) -> Result<(Report, SourceMap), String> {
    let text = input::text_of(path).map_err(|e| e.to_string())?;
    saved::read(&text, &|name| source(Path::new(name)))
}

/// The text of a file that a report names. A report may come from a stranger, so what is no plain file
/// is not waited for.
fn source(path: &Path) -> Option<String> {
    path.is_file().then(|| input::text_of(path).ok())?
}

/// Shows a violation a state at a time; whether to go on with what comes next.
fn walk(
    output: &mut Output,
    sources: &SourceMap,
    procedure: &ProcedureReport,
    options: TextOptions,
) -> io::Result<bool> {
    text::beginning(output.out(), sources, procedure)?;
    let mut lines = io::stdin().lock().lines();
    let mut at = 0;
    while at < procedure.trace.len() {
        text::state(output.out(), sources, procedure, at, options)?;
        writeln!(output.out(), "(Enter: next, p: previous, q: end)")?;
        output.finish()?;
        at = match lines.next().transpose()?.as_deref().map(str::trim) {
            Some("p") => at.saturating_sub(1),
            Some("q") | None => return Ok(false),
            Some(_) => at + 1,
        };
    }
    Ok(true)
}
