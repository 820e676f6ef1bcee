//! The command that runs a counterexample of `trellis verify` again.

use trellis_driver::Counterexample;
use trellis_program::types::DataModel;
use trellis_program::{CheckKind, CheckSet};
use trellis_session::request::Command;
use trellis_session::{Repeat, Source};

use crate::cli;
use crate::input::shell_word;

/// The options of `verify` that change what a run does.
pub struct Rerun {
    checks: cli::Checks,
    /// Kinds that are on by default, and off because of properties.
    silent: Vec<CheckKind>,
    front_end: cli::FrontEnd,
}

impl Rerun {
    /// Those of a command line.
    pub fn new(cli: &cli::Verify) -> Rerun {
        let of_properties = cli.properties().map(|p| p.checks());
        let silent = |on: CheckSet| CheckSet::default().iter().filter(move |k| !on.contains(*k));
        Rerun {
            checks: cli.checks.clone(),
            silent: of_properties.into_iter().flat_map(silent).collect(),
            front_end: cli.front_end.clone(),
        }
    }

    /// As a session wants it.
    pub fn command(self) -> Command {
        Box::new(move |repeat| self.line(repeat))
    }

    /// The command that runs a counterexample again.
    fn line(&self, repeat: &Repeat<'_>) -> String {
        let found = repeat.found;
        let mut words = vec!["trellis".to_owned(), "run".to_owned()];
        words.extend(repeat.source.all().iter().map(|s| match s {
            Source::Bytes { .. } => "-".to_owned(),
            file => file.path().display().to_string(),
        }));
        let of = ["--proc", repeat.procedure, "--heap", repeat.heap];
        words.extend(of.map(str::to_owned));
        if found.choices.iter().any(|c| *c != 0) {
            words.push("--choices".to_owned());
            words.push(numbers(&found.choices));
        }
        let steps = found.trace.len();
        if steps > cli::RUN_STEPS {
            words.extend(["--steps".to_owned(), steps.to_string()]);
        }
        words.extend(self.repeated_options(found));
        let words: Vec<String> = words.iter().map(|w| shell_word(w)).collect();
        words.join(" ")
    }

    /// The options of `verify` that change what a run does.
    fn repeated_options(&self, found: &Counterexample) -> Vec<String> {
        let checks = &self.checks;
        let mut words = Vec::new();
        let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
        checks.on.iter().for_each(|k| add("--check", k.to_string()));
        checks.off.iter().for_each(|k| add("--no-check", k.to_string()));
        // What a property is not about ends a run no earlier than it did.
        self.silent.iter().for_each(|k| add("--no-check", k.to_string()));
        if let Some(values) = &found.ints {
            add("--int-values", numbers(values));
        }
        if let Some(file) = &self.front_end.compile_commands {
            add("-p", file.display().to_string());
        }
        for dir in &self.front_end.include_dirs {
            add("-I", dir.display().to_string());
        }
        for define in &self.front_end.defines {
            add("-D", define.clone());
        }
        for file in &self.front_end.preincludes {
            add("-include", file.display().to_string());
        }
        if self.front_end.data_model != DataModel::default() {
            add("--data-model", self.front_end.data_model.to_string());
        }
        for file in &self.front_end.models {
            add("--model", file.display().to_string());
        }
        if checks.malloc_may_fail {
            words.push("--malloc-may-fail".to_owned());
        }
        if checks.gc {
            words.push("--gc".to_owned());
        }
        words
    }
}

fn numbers<T: ToString>(list: &[T]) -> String {
    let words: Vec<String> = list.iter().map(ToString::to_string).collect();
    words.join(",")
}
