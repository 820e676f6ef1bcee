//! One request whose procedures are verified by many processes: what there is to do, the answers of
//! each, and the report that one process would have made.
//!
//! * `verify --list` prints what there is to do, a line a program ([`write_list`]);
//! * `verify --format answers` prints answers as they come, a line each ([`write_answer`]), after the
//!   line of their program if all of it is looked at;
//! * `verify --merge` reads all these lines ([`merge`]); what it prints is what a single process prints,
//!   by the same code.
//!
//! **Invariant.** A report that is put together has an answer about every procedure of the list; one
//! that has not says so of each that is missing, and of each program that nobody has read, and ends
//! with 2. The first line about a program, or about a procedure, counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};
use trellis_program::{Diagnostic, SourceMap};
use trellis_report::model::{FileReport, ProcedureReport, REPORT_SCHEMA, Report};
use trellis_report::{Exit, build, page, saved};
use trellis_session::{Listed, Source};

/// What an answer can be.
const VERDICTS: [&str; 4] = ["verified", "violated", "no-invariant", "unknown"];

/// Prints what there is to do.
pub fn write_list(out: &mut dyn Write, listed: &[Listed]) -> io::Result<()> {
    for program in listed {
        serde_json::to_writer(&mut *out, program)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Prints an answer.
pub fn write_answer(
    out: &mut dyn Write,
    source: &Source,
    report: &ProcedureReport,
    warnings: &[Diagnostic],
    sources: &SourceMap,
    pictures: bool,
) -> io::Result<()> {
    let procedure = match pictures {
        true => page::with_pictures(report)?,
        false => serde_json::to_value(report)?,
    };
    let warnings: Vec<_> = warnings.iter().map(|d| build::diagnostic(sources, d)).collect();
    let file = source.path().display().to_string();
    let line = json!({ "file": file, "procedure": procedure, "warnings": warnings });
    writeln!(out, "{line}")?;
    out.flush()
}

/// A line of a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Answer {
        file: String,
        procedure: Value,
        warnings: Vec<Value>,
    },
    Program(Program),
    /// A program that nobody has read.
    Unread {
        unread: String,
    },
}

/// A program, as it was listed.
#[derive(Deserialize)]
struct Program {
    file: String,
    linked: Vec<String>,
    usable: bool,
    diagnostics: Vec<Value>,
    procedures: Vec<Name>,
    not_looked_at: Vec<String>,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

/// A report that was put together.
pub struct Merged {
    /// The report; its exit code is still to be said.
    pub report: Report,
    /// The texts that its places are in.
    pub sources: SourceMap,
    /// How it ends whatever the answers are.
    pub exit: Exit,
    /// How many procedures have no answer.
    pub missing: usize,
    /// How many programs nobody has read.
    pub unread: usize,
}

/// Puts lists and answers together.
///
/// # Errors
/// What is wrong with the files, as a sentence.
pub fn merge(files: &[PathBuf]) -> Result<Merged, String> {
    let mut programs: Vec<Program> = Vec::new();
    let mut listed: BTreeSet<String> = BTreeSet::new();
    let mut unread = 0;
    let mut answers: BTreeMap<(String, String), (Value, Vec<Value>)> = BTreeMap::new();
    for path in files {
        let wrong = |e: &dyn std::fmt::Display| format!("cannot merge `{}`: {e}", path.display());
        let file = fs::File::open(path).map_err(|e| wrong(&e))?;
        for line in BufReader::new(file).lines() {
            let line = line.map_err(|e| wrong(&e))?;
            match serde_json::from_str(&line).map_err(|e| wrong(&e))? {
                Line::Program(program) => {
                    if listed.insert(program.file.clone()) {
                        programs.push(program);
                    }
                }
                Line::Unread { unread: file } => {
                    if listed.insert(file.clone()) {
                        unread += 1;
                        programs.push(Program::unread(file)?);
                    }
                }
                Line::Answer { file, procedure, warnings } => {
                    let name = procedure["name"].as_str().unwrap_or_default().to_owned();
                    answers.entry((file, name)).or_insert((procedure, warnings));
                }
            }
        }
    }
    let (mut exit, mut missing) = (Exit::Good, 0);
    let mut documents = Vec::new();
    for Program { file, linked, usable, mut diagnostics, procedures, not_looked_at } in programs {
        if !usable {
            exit = exit.and(Exit::BadInput);
        }
        let mut found = Vec::new();
        for Name { name } in procedures {
            match answers.remove(&(file.clone(), name.clone())) {
                Some((procedure, warnings)) => {
                    found.push(procedure);
                    diagnostics.extend(warnings);
                }
                None => {
                    missing += 1;
                    exit = exit.and(Exit::BadInput);
                    diagnostics.push(lost(&name)?);
                }
            }
        }
        documents.push(json!({
            "file": file, "linked": linked, "diagnostics": diagnostics,
            "procedures": found, "not_looked_at": not_looked_at,
        }));
    }
    let document = json!({ "schema": REPORT_SCHEMA, "exit_code": 0, "files": documents });
    let (report, sources) = saved::of(document, &|name| fs::read_to_string(name).ok())?;
    let procedures = report.files.iter().flat_map(|f| &f.procedures);
    if let Some(odd) = procedures.map(|p| p.verdict).find(|v| !VERDICTS.contains(v)) {
        return Err(format!("cannot merge: there is no verdict `{odd}`"));
    }
    Ok(Merged { report, sources, exit, missing, unread })
}

impl Program {
    /// One that nobody has read.
    fn unread(file: String) -> Result<Program, String> {
        let diagnostics = vec![lost(&file)?];
        let (linked, procedures, not_looked_at) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Program { file, linked, usable: false, diagnostics, procedures, not_looked_at })
    }
}

/// What is said of something without an answer.
fn lost(name: &str) -> Result<Value, String> {
    let message = format!("`{name}` has no answer: the run was not finished");
    let lost = build::diagnostic(&SourceMap::default(), &Diagnostic::plain_error(message));
    serde_json::to_value(lost).map_err(|e| e.to_string())
}

/// How a process ends that found these answers, where what is excused is no reason to fail.
pub fn exit_of(files: &[FileReport]) -> Exit {
    let procedures = files.iter().flat_map(|f| &f.procedures);
    let verdicts = procedures.filter(|p| p.excused.is_none()).map(|p| p.verdict);
    verdicts.fold(Exit::Good, |exit, verdict| exit.and(Exit::of_verdict(verdict)))
}
