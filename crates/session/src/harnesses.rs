//! Violations as C programs that fail when they are run, in files.

use std::io;
use std::path::{Path, PathBuf};

use trellis_driver::explore::machine_options;
use trellis_driver::{Counterexample, Options, Task};
use trellis_harness::{Case, Harness, Judge, harness};
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
        if program.is_collected() {
            return Ok(Err("only C programs have one".to_owned()));
        }
        let stem = source.path().file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}-{}.c", program.proc(proc).name);
        let path = self.folder.join(&name);
        let words = |judge: Judge| self.words(source, &path, judge);
        let comment = |judge: Judge| {
            let (compile, run) = words(judge);
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
        let Harness { text, judge } = match harness(&case) {
            Ok(made) => made,
            Err(why) => return Ok(Err(why)),
        };
        let in_folder =
            |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", self.folder.display()));
        std::fs::create_dir_all(&self.folder).map_err(in_folder)?;
        std::fs::write(&path, text).map_err(in_folder)?;
        let (compile, run) = words(judge);
        Ok(Ok(Written { path, compile, run }))
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
