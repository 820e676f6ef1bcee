//! Violations as programs that fail when they are run, in files.

use std::io;
use std::path::{Path, PathBuf};

use trellis_driver::explore::machine_options;
use trellis_driver::{Counterexample, Options, Task};
use trellis_harness::{Case, Harness, Judge, harness, java};
use trellis_program::concrete::Machine;
use trellis_program::{ProcId, Program};
use trellis_report::model::CheckReport;

use crate::request::Source;

/// Where a harness goes, and how programs are compiled.
#[derive(Clone, Debug)]
pub struct Workshop {
    /// The folder.
    pub folder: PathBuf,
    /// What the compiler has to be told to find the headers of the program.
    pub flags: Vec<String>,
}

/// A harness that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its file.
    pub path: PathBuf,
    /// The words of the command that compiles it.
    pub compile: Vec<String>,
    /// The words of the command that runs it.
    pub run: Vec<String>,
}

impl Workshop {
    /// Writes the harness of a violation.
    ///
    /// # Errors
    /// Those of the file system. Inside: why there is no harness, as a sentence.
    pub fn write(
        &self,
        source: &Source,
        program: &Program,
        proc: ProcId,
        options: &Options,
        (found, check): (&Counterexample, &CheckReport),
    ) -> io::Result<Result<Written, String>> {
        let is_java = program.is_collected();
        let stem = source.path().file_stem().unwrap_or_default().to_string_lossy();
        let ending = if is_java { "java" } else { "c" };
        let name = format!("{stem}-{}.{ending}", program.proc(proc).name);
        let path = self.folder.join(&name);
        let words = |judge: Judge| self.words(source, &path, judge);
        let comment = |judge: Judge| {
            let (compile, run) = words(judge);
            top(check, &compile, &run)
        };
        let options = options.clone().of_language(program);
        let task = Task::new(program, proc, &options);
        let machine = Machine::new(program, machine_options(&task));
        let case = Case {
            machine: &machine,
            proc,
            initial: &found.initial,
            choices: &found.choices,
            steps: found.trace.len(),
            file: &check.span.file,
            line: check.span.line,
            name: &name,
            comment: &comment,
        };
        let made = match is_java {
            true => self.class(program, &path, &case, check),
            false => harness(&case)
                .map(|Harness { text, judge }| (vec![(path.clone(), text)], words(judge))),
        };
        let (files, (compile, run)) = match made {
            Ok(made) => made,
            Err(why) => return Ok(Err(why)),
        };
        let in_folder =
            |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", self.folder.display()));
        std::fs::create_dir_all(&self.folder).map_err(in_folder)?;
        for (path, text) in files {
            std::fs::write(path, text).map_err(in_folder)?;
        }
        Ok(Ok(Written { path, compile, run }))
    }

    /// The class of a violation in Java, and copies of files that have a public class of another name,
    /// with the commands.
    fn class(
        &self,
        program: &Program,
        path: &Path,
        case: &Case<'_>,
        check: &CheckReport,
    ) -> Result<Made, String> {
        let own: String = format!("Trellis_{}", program.proc(case.proc).name.replace('.', "_"));
        let classes = path.with_extension("classes").display().to_string();
        let mut compile = ["javac", "-nowarn", "-d", &classes].map(str::to_owned).to_vec();
        let mut files = Vec::new();
        for file in program.sources.ids().map(|id| program.sources.file(id)) {
            let name = PathBuf::from(&file.name);
            let stem = name.file_stem().unwrap_or_default().to_string_lossy();
            match public_class(&file.text).filter(|public| *public != stem) {
                None => compile.push(file.name.clone()),
                Some(public) => {
                    let copy = self.folder.join(format!("{public}.java"));
                    compile.push(copy.display().to_string());
                    files.push((copy, file.text.clone()));
                }
            }
        }
        compile.push(path.display().to_string());
        let run = ["java", "-ea", "-cp", &classes, &own].map(str::to_owned).to_vec();
        let text = java::class(case, &own, &top(check, &compile, &run))?;
        files.push((path.to_owned(), text));
        Ok((files, (compile, run)))
    }

    /// The commands that compile and run a harness.
    fn words(&self, source: &Source, path: &Path, judge: Judge) -> (Vec<String>, Vec<String>) {
        let binary = path.with_extension("");
        let mut compile = vec!["gcc".to_owned()];
        compile.extend(judge.flags().iter().map(|f| (*f).to_owned()));
        compile.extend(self.flags.iter().cloned());
        for source in source.all() {
            if let Some(folder) = source.path().parent().filter(|f| !f.as_os_str().is_empty()) {
                compile.extend(["-iquote".to_owned(), folder.display().to_string()]);
            }
        }
        compile.extend([path.display().to_string(), "-o".to_owned(), binary.display().to_string()]);
        let mut run: Vec<String> = judge.runner().iter().map(|w| (*w).to_owned()).collect();
        run.push(match binary.components().count() {
            1 => format!("./{}", binary.display()),
            _ => binary.display().to_string(),
        });
        (compile, run)
    }
}

/// Files with their texts, and the words of two commands: to compile, and to run.
type Made = (Vec<(PathBuf, String)>, (Vec<String>, Vec<String>));

/// The comment that a harness begins with.
fn top(check: &CheckReport, compile: &[String], run: &[String]) -> String {
    format!(
        "/* A counterexample that Trellis found: {} at {}:{}.\n\
         \x20  It is compiled and run by\n\
         \x20    {} &&\n\
         \x20    {} */\n",
        check.kind,
        check.span.file,
        check.span.line,
        compile.join(" "),
        run.join(" ")
    )
}

/// The public class of a file, whose name the file must have.
fn public_class(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    loop {
        if words.next()? != "public" {
            continue;
        }
        let mut rest = words.clone().skip_while(|w| ["final", "abstract"].contains(w));
        if rest.next() == Some("class") {
            let name = rest.next()?;
            return Some(name.split(['{', '<']).next().unwrap_or(name));
        }
    }
}
