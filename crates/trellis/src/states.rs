//! `trellis show FILE states`: the abstract heaps of the sll or the canonical engine at every point.

use std::io;
use std::path::Path;

use trellis_driver::sll::states::{ProcedureStates, View};
use trellis_driver::{Budget, Canonical, Options, Sll, Task, UnknownReason, canonical, sll};
use trellis_program::{ProcId, Program};
use trellis_report::text;

use crate::cli::{self, StatesEngine, StatesView};
use crate::output::Output;

/// Analyses procedures and prints or draws what was found.
pub fn show(
    cli: &cli::Show,
    program: &Program,
    procs: &[ProcId],
    output: &mut Output,
) -> io::Result<()> {
    let mut options = Options::default();
    let sharing = cli.states.sharing.unwrap_or_default();
    let sll = Sll { sharing };
    let canonical = Canonical {
        instrumentation: cli.states.instrumentation,
        sharing,
        predicates: cli.states.predicates.clone().unwrap_or_default(),
    };
    options.checks.set(trellis_program::CheckKind::Leak, !cli.states.gc);
    for (i, proc) in procs.iter().enumerate() {
        if program.proc(*proc).body.is_none() {
            continue;
        }
        if i > 0 {
            writeln!(output.out())?;
        }
        let task = Task::new(program, *proc, &options);
        let budget = Budget::default();
        let found = match cli.states.engine {
            StatesEngine::Sll => {
                Ok(sll::states::states(&sll, &task, &budget, view(cli.states.view)))
            }
            StatesEngine::Canonical => canonical::states::states(&canonical, &task, &budget),
        };
        match found {
            Err(why) => refuse(program, *proc, &why, output)?,
            Ok(found) => {
                print(program, *proc, &found, output)?;
                if let Some(dir) = &cli.states.svg {
                    draw(dir, &cli.files[0], program, *proc, &found)?;
                }
            }
        }
    }
    Ok(())
}

/// Says why there is nothing to show.
fn refuse(
    program: &Program,
    proc: ProcId,
    why: &UnknownReason,
    output: &mut Output,
) -> io::Result<()> {
    writeln!(output.out(), "{}: {why}", program.proc(proc).name)?;
    text::diagnostics(output.err(), &program.sources, why.places())
}

fn view(view: StatesView) -> View {
    match view {
        StatesView::Shape => View::Shape,
        StatesView::Predicates => View::Predicates,
        StatesView::Canonical => View::Canonical,
        StatesView::Linear => View::Linear,
    }
}

fn print(
    program: &Program,
    proc: ProcId,
    found: &ProcedureStates,
    output: &mut Output,
) -> io::Result<()> {
    let out = output.out();
    writeln!(out, "{}: {} abstract heaps", program.proc(proc).name, found.count)?;
    if !found.complete {
        writeln!(out, "  (not all: something is outside of what the engine knows)")?;
    }
    for point in &found.points {
        let (line, column) = program.sources.line_col(point.place);
        let head = if point.is_loop_head { ", loop head" } else { "" };
        let inner = "  ".repeat(point.depth);
        let source = program.sources.file(point.place.file).text.as_str();
        let range = point.place.start as usize..point.place.end as usize;
        let code = source.get(range).and_then(|c| c.lines().next()).unwrap_or("");
        writeln!(out, "  {inner}before {line}:{column}{head}: {code}")?;
        for heap in &point.heaps {
            for (i, line) in heap.iter().enumerate() {
                let mark = if i == 0 { "-" } else { " " };
                writeln!(out, "    {inner}{mark} {line}")?;
            }
        }
    }
    Ok(())
}

/// Writes `DIR/FILE-PROC-POINT-HEAP.svg`, all counted from 1.
fn draw(
    dir: &Path,
    file: &Path,
    program: &Program,
    proc: ProcId,
    found: &ProcedureStates,
) -> io::Result<()> {
    let in_dir = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", dir.display()));
    std::fs::create_dir_all(dir).map_err(in_dir)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = &program.proc(proc).name;
    for (p, point) in found.points.iter().enumerate() {
        for (h, drawing) in point.drawings.iter().enumerate() {
            let path = dir.join(format!("{stem}-{name}-{:02}-{:03}.svg", p + 1, h + 1));
            std::fs::write(&path, drawing).map_err(in_dir)?;
        }
    }
    Ok(())
}
