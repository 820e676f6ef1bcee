//! The report that answers of many processes make together.
//!
//! The lines are read twice: first all of them, to see that they are what they should be and to
//! remember where each stands; then those of one program after the other, as often as a printer wants
//! them. So the report is never in memory as a whole: some hundred bytes a procedure are.
//!
//! **Invariant.** A report that is put together has an answer about every procedure of the list; one
//! that has not says so of each that is missing, and of each program that nobody has read, and ends
//! with 2. The first line about a program, or about a procedure, counts.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};
use trellis_program::{Diagnostic, SourceMap};
use trellis_report::model::{DiagnosticReport, FileReport, ProcedureReport, REPORT_SCHEMA};
use trellis_report::programs::{Each, Programs};
use trellis_report::{Exit, build, saved};

/// What an answer can be.
const VERDICTS: [&str; 4] = ["verified", "violated", "no-invariant", "unknown"];

/// From an answer to why it is no reason to fail, if so.
type Excuse<'a> = &'a dyn Fn(&ProcedureReport, &SourceMap) -> Option<String>;

/// What a line about a procedure says.
#[derive(Deserialize)]
struct Answer {
    file: String,
    procedure: ProcedureReport,
    warnings: Vec<DiagnosticReport>,
}

/// What a line about a program says.
#[derive(Deserialize)]
struct Listed {
    file: String,
    linked: Vec<String>,
    usable: bool,
    diagnostics: Vec<DiagnosticReport>,
    procedures: Vec<Name>,
    not_looked_at: Vec<String>,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

/// A line about a program that nobody has read.
#[derive(Deserialize)]
struct Unread {
    unread: String,
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct At {
    part: u16,
    from: u64,
    bytes: u32,
}

/// What is remembered of a program.
#[derive(Default)]
struct Program {
    file: String,
    /// Its line; none if nobody has read it.
    listed: Option<At>,
    diagnostics: bool,
    procedures: Vec<String>,
    answers: BTreeMap<String, Known>,
}

/// What is remembered of an answer.
struct Known {
    at: At,
    exit: Exit,
    warnings: bool,
    excused: Option<String>,
}

/// A report that was put together.
pub struct Merged {
    /// How the process ends.
    pub exit: Exit,
    /// How many procedures have no answer.
    pub missing: usize,
    /// How many programs nobody has read.
    pub unread: usize,
    parts: Vec<RefCell<File>>,
    /// In the order of the report.
    programs: Vec<Program>,
    /// What was wrong with a line that is read once more.
    problem: RefCell<Option<String>>,
}

/// Reads lines for the first time.
#[derive(Default)]
struct Reader {
    programs: Vec<Program>,
    numbers: HashMap<String, usize>,
    /// The order of the report.
    order: Vec<usize>,
    unread: usize,
    exit: Option<Exit>,
}

impl Reader {
    fn program(&mut self, file: String) -> usize {
        let programs = &mut self.programs;
        *self.numbers.entry(file).or_insert_with_key(|file| {
            programs.push(Program { file: file.clone(), ..Program::default() });
            programs.len() - 1
        })
    }

    /// Notes that a program is in the report; whether it was not.
    fn list(&mut self, program: usize) -> bool {
        let known = &self.programs[program];
        // Of one that nobody has read, that is said.
        let new = known.listed.is_none() && !known.diagnostics;
        if new {
            self.order.push(program);
        }
        new
    }

    fn line(&mut self, at: At, text: &str) -> Result<(), String> {
        let wrong = match serde_json::from_str::<Answer>(text) {
            Ok(answer) => return self.answer(at, answer),
            Err(wrong) => wrong,
        };
        if let Ok(Listed { file, usable, diagnostics, procedures, .. }) = serde_json::from_str(text)
        {
            let number = self.program(file);
            if self.list(number) {
                let program = &mut self.programs[number];
                program.listed = Some(at);
                program.diagnostics = !diagnostics.is_empty();
                program.procedures = procedures.into_iter().map(|p| p.name).collect();
                if !usable {
                    self.exit = Some(Exit::BadInput);
                }
            }
            return Ok(());
        }
        if let Ok(Unread { unread }) = serde_json::from_str(text) {
            let number = self.program(unread);
            if self.list(number) {
                self.programs[number].diagnostics = true;
                self.unread += 1;
            }
            return Ok(());
        }
        Err(wrong.to_string())
    }

    fn answer(&mut self, at: At, answer: Answer) -> Result<(), String> {
        let Answer { file, procedure, warnings } = answer;
        let verdict = procedure.verdict;
        if !VERDICTS.contains(&verdict) {
            return Err(format!("there is no verdict `{verdict}`"));
        }
        let number = self.program(file);
        let exit = Exit::of_verdict(verdict);
        let known = Known { at, exit, warnings: !warnings.is_empty(), excused: None };
        self.programs[number].answers.entry(procedure.name).or_insert(known);
        Ok(())
    }
}

impl Merged {
    /// Puts lists and answers together.
    ///
    /// # Errors
    /// What is wrong with the files, as a sentence.
    pub fn new(files: &[PathBuf], excuse: Option<Excuse<'_>>) -> Result<Merged, String> {
        let mut reader = Reader::default();
        let mut parts = Vec::new();
        for path in files {
            let wrong =
                |e: &dyn std::fmt::Display| format!("cannot merge `{}`: {e}", path.display());
            let part =
                u16::try_from(parts.len()).map_err(|_| wrong(&"there are too many files"))?;
            let file = File::open(path).map_err(|e| wrong(&e))?;
            let mut lines = BufReader::with_capacity(1 << 18, file);
            let (mut from, mut text) = (0, String::new());
            loop {
                text.clear();
                let read = lines.read_line(&mut text).map_err(|e| wrong(&e))?;
                if read == 0 {
                    break;
                }
                let bytes = u32::try_from(read).map_err(|_| wrong(&"a line is too long"))?;
                reader.line(At { part, from, bytes }, &text).map_err(|e| wrong(&e))?;
                from += read as u64;
            }
            parts.push(RefCell::new(lines.into_inner()));
        }
        let Reader { programs, order, unread, exit, .. } = reader;
        let mut programs: Vec<Option<Program>> = programs.into_iter().map(Some).collect();
        let mut merged = Merged {
            exit: exit.unwrap_or(Exit::Good),
            missing: 0,
            unread,
            parts,
            programs: order.into_iter().filter_map(|n| programs[n].take()).collect(),
            problem: RefCell::default(),
        };
        merged.excuse(excuse)?;
        for program in &merged.programs {
            if program.listed.is_none() {
                merged.exit = merged.exit.and(Exit::BadInput);
            }
            for name in &program.procedures {
                let exit = match program.answers.get(name) {
                    Some(known) if known.excused.is_some() => Exit::Good,
                    Some(known) => known.exit,
                    None => {
                        merged.missing += 1;
                        Exit::BadInput
                    }
                };
                merged.exit = merged.exit.and(exit);
            }
        }
        Ok(merged)
    }

    /// Finds out which answers are no reason to fail.
    fn excuse(&mut self, excuse: Option<Excuse<'_>>) -> Result<(), String> {
        let Some(excuse) = excuse else { return Ok(()) };
        for number in 0..self.programs.len() {
            let (report, sources) = self.located(&self.programs[number])?;
            let excused: Vec<Option<String>> =
                report.procedures.iter().map(|p| excuse(p, &sources)).collect();
            let answers = &mut self.programs[number].answers;
            for (procedure, excused) in report.procedures.iter().zip(excused) {
                if let Some(known) = answers.get_mut(&procedure.name) {
                    known.excused = excused;
                }
            }
        }
        Ok(())
    }

    /// What is wrong with a line that was right before, if so.
    pub fn problem(&self) -> Option<String> {
        self.problem.take()
    }

    /// All programs with the texts that their places are in.
    pub fn with_sources(
        &self,
    ) -> impl Iterator<Item = Result<(FileReport, SourceMap), String>> + '_ {
        self.programs.iter().map(|program| self.located(program))
    }

    /// A line.
    fn read(&self, at: At) -> io::Result<String> {
        let mut file = self.parts[usize::from(at.part)].borrow_mut();
        file.seek(SeekFrom::Start(at.from))?;
        let mut bytes = vec![0; at.bytes as usize];
        file.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    /// A line, as what it is.
    fn parse<T: for<'de> Deserialize<'de>>(&self, at: At) -> Result<T, String> {
        let text = self.read(at).map_err(|e| format!("cannot merge: {e}"))?;
        serde_json::from_str(&text).map_err(|e| format!("cannot merge: {e}"))
    }

    /// What is said about a program.
    fn report(&self, program: &Program) -> Result<FileReport, String> {
        let Some(at) = program.listed else { return Ok(unread(&program.file)) };
        let Listed { file, linked, mut diagnostics, not_looked_at, .. } = self.parse(at)?;
        let mut procedures = Vec::new();
        for name in &program.procedures {
            match program.answers.get(name) {
                Some(known) => {
                    let Answer { mut procedure, warnings, .. } = self.parse(known.at)?;
                    procedure.excused.clone_from(&known.excused);
                    procedures.push(procedure);
                    diagnostics.extend(warnings);
                }
                None => diagnostics.push(lost(name)),
            }
        }
        Ok(FileReport { file, linked, diagnostics, procedures, not_looked_at })
    }

    /// The same, with texts.
    fn located(&self, program: &Program) -> Result<(FileReport, SourceMap), String> {
        let open = |name: &str| fs::read_to_string(name).ok();
        // The pictures of states are in no document, so the lines are taken as they are.
        let mut file = serde_json::to_value(self.report(program)?).map_err(|e| e.to_string())?;
        let procedures = file["procedures"].as_array_mut().into_iter().flatten();
        for procedure in procedures {
            let name = procedure["name"].as_str().unwrap_or_default();
            if let Some(known) = program.answers.get(name) {
                let mut line: Value = self.parse(known.at)?;
                *procedure = line["procedure"].take();
                if let Some(why) = &known.excused {
                    procedure["excused"] = json!(why);
                }
            }
        }
        let document = json!({ "schema": REPORT_SCHEMA, "exit_code": 0, "files": [file] });
        let (mut report, sources) = saved::of(document, &open)?;
        let file = report.files.pop().ok_or("cannot merge: there is no program")?;
        Ok((file, sources))
    }

    /// Those that a printer asks for.
    fn told(&self, which: impl Fn(&Program) -> bool + 'static) -> Each<'_> {
        let programs = self.programs.iter().filter(move |p| which(p));
        Box::new(programs.map_while(|program| match self.report(program) {
            Ok(report) => Some(Cow::Owned(report)),
            Err(why) => {
                self.problem.borrow_mut().get_or_insert(why);
                None
            }
        }))
    }
}

impl Programs for Merged {
    fn each(&self) -> Each<'_> {
        self.told(|_| true)
    }

    fn with_diagnostics(&self) -> Each<'_> {
        self.told(|program| {
            let warned = |name| program.answers.get(name).is_none_or(|known| known.warnings);
            program.diagnostics || program.procedures.iter().any(warned)
        })
    }
}

/// A program that nobody has read.
fn unread(file: &str) -> FileReport {
    FileReport {
        file: file.to_owned(),
        linked: Vec::new(),
        diagnostics: vec![lost(file)],
        procedures: Vec::new(),
        not_looked_at: Vec::new(),
    }
}

/// What is said of something without an answer.
fn lost(name: &str) -> DiagnosticReport {
    let message = format!("`{name}` has no answer: the run was not finished");
    build::diagnostic(&SourceMap::default(), &Diagnostic::plain_error(message))
}
