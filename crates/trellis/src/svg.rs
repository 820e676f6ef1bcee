//! Traces as SVG files, one a state.

use std::io;
use std::path::Path;

use trellis_program::concrete::Trace;
use trellis_program::{ProcId, Program};
use trellis_report::{heap, steps};

/// Writes `DIR/FILE-PROC-001.svg`, `…-002.svg`, … and creates the directory if needed.
pub fn write_all(
    dir: &Path,
    file: &Path,
    program: &Program,
    proc: ProcId,
    trace: &Trace,
) -> io::Result<()> {
    let in_dir = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", dir.display()));
    std::fs::create_dir_all(dir).map_err(in_dir)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = &program.proc(proc).name;
    for (i, step) in steps::visible(program, proc, trace).iter().enumerate() {
        let path = dir.join(format!("{stem}-{name}-{:03}.svg", i + 1));
        std::fs::write(&path, heap::svg(program, step.state)).map_err(in_dir)?;
    }
    Ok(())
}
