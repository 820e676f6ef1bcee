//! `trellis bench examples`: how many of the correct procedures under `examples/` are verified.
//!
//! A procedure is correct if some directive of its file expects it to be safe or verified, whichever
//! engine the directive is about, and it is asked about by name, with the options of the file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Parser;
use trellis_driver::cpu::CpuTime;
use trellis_report::Exit;
use trellis_report::model::ProcedureReport;
use trellis_session::verify;
use trellis_suites::directives::Directives;

use crate::cli::{BenchExamples, Cli, Command};
use crate::output::Output;
use crate::verify::asked;

/// Asks about every correct procedure; none may be violated.
pub fn bench(options: &BenchExamples, output: &mut Output) -> io::Result<Exit> {
    let mut exit = Exit::Good;
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    let start = CpuTime::of_all_threads();
    for path in c_files(&options.folder)? {
        let Ok(directives) = Directives::of(&fs::read_to_string(&path)?) else { continue };
        let words = directives.options.clone();
        let safe = directives.truths().into_iter().filter(|(_, safe)| *safe);
        for (procedure, _) in safe {
            let answer = ask(&path, &words, &procedure, options)?;
            let verdict = answer.as_ref().map_or("unreadable", |p| p.verdict);
            *verdicts.entry(verdict).or_default() += 1;
            if verdict == "verified" {
                continue;
            }
            if matches!(verdict, "violated" | "unreadable") {
                exit = Exit::Otherwise;
            }
            let reason = answer.and_then(|p| p.reason).map_or_else(String::new, |r| r.text);
            let reason = reason.lines().next().unwrap_or_default();
            writeln!(output.out(), "{}: {procedure}: {verdict}: {reason}", path.display())?;
        }
    }
    let of = |verdict: &str| verdicts.get(verdict).copied().unwrap_or(0);
    let (all, verified) = (verdicts.values().sum::<usize>(), of("verified"));
    let share = 100.0 * verified as f64 / all.max(1) as f64;
    writeln!(
        output.out(),
        "{all} correct procedures: {verified} verified ({share:.1}%), {} no-invariant, \
         {} violated, {} unknown; CPU {:.2} s",
        of("no-invariant"),
        of("violated") + of("unreadable"),
        of("unknown"),
        start.seconds(),
    )?;
    Ok(exit)
}

fn ask(
    path: &Path,
    words: &[String],
    procedure: &str,
    options: &BenchExamples,
) -> io::Result<Option<ProcedureReport>> {
    let file = path.to_string_lossy().into_owned();
    let timeout = format!("{}ms", options.timeout.as_millis());
    let own = ["trellis", "verify", "--no-config", &file, "--proc", procedure, "--timeout"];
    let line = own.iter().map(|w| (*w).to_owned()).chain([timeout]).chain(words.iter().cloned());
    let Command::Verify(cli) = Cli::try_parse_from(line).map_err(io::Error::other)?.command else {
        return Ok(None);
    };
    let Ok(request) = asked(&cli) else { return Ok(None) };
    let done = verify(&request, |_| Ok::<(), io::Error>(()))?;
    Ok(done.report.files.into_iter().flat_map(|f| f.procedures).next())
}

/// Every C file below a folder, sorted.
fn c_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut todo) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
