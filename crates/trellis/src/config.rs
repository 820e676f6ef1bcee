//! `trellis.toml`: options of `verify` that a project always wants, and suppressions.
//!
//! A key of the file stands for an option of the command line and is read by that option's own parser,
//! so both mean the same; what the command line says wins, and lists are joined. Paths are relative to
//! the file.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use trellis_program::{Diagnostic, Failure, FileId, SourceMap, Span};

use crate::cli::Cli;
use crate::excuses::Suppression;
use crate::input;

/// The file that is read unless another is named.
const USUAL: &str = "trellis.toml";

/// What the value of a key is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A word or a number.
    One,
    /// The name of a file.
    Path,
    /// Words.
    Many,
    /// Names of files.
    Paths,
    /// `true` or `false`.
    Switch,
}

/// A key, the name of the option that it stands for, and its form. Files have no name.
type Key = (&'static str, &'static str, Form);

const VERIFY: &[Key] = &[
    ("files", "", Form::Paths),
    ("separately", "separately", Form::Switch),
    ("procedures", "proc", Form::Many),
    ("all-procedures", "all-procs", Form::Switch),
    ("engine", "engine", Form::One),
    ("checks", "check", Form::Many),
    ("no-checks", "no-check", Form::Many),
    ("malloc-may-fail", "malloc-may-fail", Form::Switch),
    ("gc", "gc", Form::Switch),
    ("assume", "assume", Form::One),
    ("fail-on", "fail-on", Form::One),
    ("baseline", "baseline", Form::Path),
    ("cache", "cache", Form::One),
    ("no-cache", "no-cache", Form::Switch),
];
const BUDGET: &[Key] = &[
    ("timeout", "timeout", Form::One),
    ("memory", "memory", Form::One),
    ("threads", "threads", Form::One),
    ("objects", "objects", Form::One),
    ("steps", "steps", Form::One),
    ("choices", "choices", Form::One),
];
const SOURCE: &[Key] = &[
    ("include", "include", Form::Paths),
    ("define", "define", Form::Many),
    ("preinclude", "preinclude", Form::Paths),
    ("models", "model", Form::Paths),
    ("compile-commands", "compile-commands", Form::Path),
    ("data-model", "data-model", Form::One),
    ("cc", "cc", Form::One),
];
const TABLES: &[(&str, &[Key])] = &[("verify", VERIFY), ("budget", BUDGET), ("source", SOURCE)];

/// What a file says.
#[derive(Debug, Default)]
pub struct Config {
    /// Options, as the command line has them.
    words: Vec<OsString>,
    /// Files to verify, unless the command line names some.
    files: Vec<OsString>,
    /// What is excused.
    pub suppressions: Vec<Suppression>,
}

/// The arguments of the process with what the file of the project says, and its suppressions.
///
/// # Errors
/// What is wrong with the file, with its place.
pub fn arguments(given: Vec<OsString>) -> Result<(Vec<OsString>, Vec<Suppression>), Failure> {
    // What is wrong with the command line is told later, by whoever reads it.
    let Ok(all) = Cli::command().try_get_matches_from(&given) else {
        return Ok((given, Vec::new()));
    };
    let Some(("verify", matches)) = all.subcommand() else { return Ok((given, Vec::new())) };
    let named = matches.get_one::<PathBuf>("config");
    let path = match named {
        Some(path) => path.clone(),
        None if !matches.get_flag("no_config") && Path::new(USUAL).is_file() => USUAL.into(),
        None => return Ok((given, Vec::new())),
    };
    let config = read(&path, matches)?;
    let mut words = given;
    let at = words.iter().position(|w| w == "verify").map_or(words.len(), |i| i + 1);
    let tail = words.split_off(at);
    words.extend(config.words);
    words.extend(tail);
    let said = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    if !said("files") && !said("compile_commands") {
        words.extend(config.files);
    }
    Ok((words, config.suppressions))
}

/// The file of the project that a file is in: the nearest one in its folder or above.
pub fn of_project(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join(USUAL)).find(|path| path.is_file())
}

/// Reads a file, for a command line that says this.
fn read(path: &Path, matches: &ArgMatches) -> Result<Config, Failure> {
    let name = path.display().to_string();
    let text = input::text_of(path).map_err(|e| {
        Failure::plain(Diagnostic::plain_error(format!("cannot read `{name}`: {e}")))
    })?;
    let mut sources = SourceMap::default();
    let file = sources.add(name, text.clone());
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut reader = Reader { file, folder, matches, config: Config::default() };
    match reader.document(&text) {
        Ok(()) => Ok(reader.config),
        Err(diagnostic) => Err(Failure::new(sources, diagnostic)),
    }
}

struct Reader<'a> {
    file: FileId,
    folder: PathBuf,
    matches: &'a ArgMatches,
    config: Config,
}

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    fn error<T>(&self, at: Range<usize>, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(self.span(at), message))
    }

    fn unknown<T>(&self, key: &Spanned<impl AsRef<str>>, known: &[&str]) -> Result<T, Diagnostic> {
        let name = key.get_ref().as_ref();
        let message = format!("there is no `{name}` here");
        let diagnostic = Diagnostic::error(self.span(key.span()), message);
        let elsewhere =
            TABLES.iter().find(|(_, keys)| keys.iter().any(|(known, ..)| *known == name));
        Err(diagnostic.with_help(match elsewhere {
            Some((table, _)) => format!("it belongs in `[{table}]`"),
            None => format!("known are {}", known.join(", ")),
        }))
    }

    fn document(&mut self, text: &str) -> Result<(), Diagnostic> {
        let document = DeTable::parse(text).map_err(|e| {
            let first = e.message().lines().next().unwrap_or_default();
            Diagnostic::error(self.span(e.span().unwrap_or(0..0)), format!("no TOML: {first}"))
        })?;
        for (key, value) in document.get_ref() {
            let name: &str = key.get_ref();
            match (TABLES.iter().find(|(table, _)| *table == name), value.get_ref()) {
                (Some((_, keys)), DeValue::Table(table)) => self.table(table, keys)?,
                (None, DeValue::Array(all)) if name == "suppress" => {
                    for one in all {
                        let suppression = self.suppression(one)?;
                        self.config.suppressions.push(suppression);
                    }
                }
                (None, _) if name != "suppress" => {
                    self.unknown(key, &["verify", "budget", "source", "suppress"])?;
                }
                _ => self.error(value.span(), format!("`{name}` is a table"))?,
            }
        }
        Ok(())
    }

    fn table(&mut self, table: &DeTable<'_>, keys: &[Key]) -> Result<(), Diagnostic> {
        for (key, value) in table {
            let name: &str = key.get_ref();
            let Some(&(_, option, form)) = keys.iter().find(|(known, ..)| *known == name) else {
                let known: Vec<&str> = keys.iter().map(|(known, ..)| *known).collect();
                return self.unknown(key, &known);
            };
            let words = self.words(value, form)?;
            if option.is_empty() {
                self.config.files = words.into_iter().map(|(word, _)| word.into()).collect();
                continue;
            }
            let id = option_id(option);
            let said = self.matches.value_source(&id) == Some(ValueSource::CommandLine);
            if said && !matches!(form, Form::Many | Form::Paths) {
                continue;
            }
            for (word, at) in words {
                let given = match form {
                    Form::Switch => vec![format!("--{option}")],
                    _ => vec![format!("--{option}={word}")],
                };
                self.try_out(&given, at)?;
                self.config.words.extend(given.into_iter().map(OsString::from));
            }
        }
        Ok(())
    }

    /// The words of a value, each with its place; none for `false`.
    fn words(
        &self,
        value: &Spanned<DeValue<'_>>,
        form: Form,
    ) -> Result<Vec<(String, Range<usize>)>, Diagnostic> {
        let word = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(text) => Ok((text.to_string(), value.span())),
            DeValue::Integer(n) => Ok((n.to_string(), value.span())),
            _ => self.error(value.span(), "a text is expected"),
        };
        let relative =
            |(word, at): (String, Range<usize>)| (self.folder.join(word).display().to_string(), at);
        match (form, value.get_ref()) {
            (Form::One, _) => Ok(vec![word(value)?]),
            (Form::Path, _) => Ok(vec![relative(word(value)?)]),
            (Form::Switch, DeValue::Boolean(on)) => {
                Ok(on.then(|| (String::new(), value.span())).into_iter().collect())
            }
            (Form::Switch, _) => self.error(value.span(), "`true` or `false` is expected"),
            (Form::Many, DeValue::Array(all)) => all.iter().map(word).collect(),
            (Form::Paths, DeValue::Array(all)) => {
                all.iter().map(|one| word(one).map(relative)).collect()
            }
            (Form::Many | Form::Paths, _) => self.error(value.span(), "a list is expected"),
        }
    }

    /// Whether the command line would take these words.
    fn try_out(&self, words: &[String], at: Range<usize>) -> Result<(), Diagnostic> {
        let line = ["trellis", "verify", "-"].into_iter().map(str::to_owned);
        let tried = Cli::command().try_get_matches_from(line.chain(words.iter().cloned()));
        match tried {
            Ok(_) => Ok(()),
            Err(e) => {
                let text = e.to_string();
                let mut lines = text.lines();
                let first = lines.next().unwrap_or_default();
                let first = first.strip_prefix("error: ").unwrap_or(first);
                let mut diagnostic = Diagnostic::error(self.span(at), first);
                if let Some(help) = lines.find_map(|l| l.trim().strip_prefix("[possible values: "))
                {
                    let help = help.trim_end_matches(']');
                    diagnostic = diagnostic.with_help(format!("possible values: {help}"));
                }
                Err(diagnostic)
            }
        }
    }

    fn suppression(&self, value: &Spanned<DeValue<'_>>) -> Result<Suppression, Diagnostic> {
        const KEYS: [&str; 5] = ["check", "procedure", "file", "reason", "until"];
        let DeValue::Table(table) = value.get_ref() else {
            return self.error(value.span(), "`suppress` is a list of tables: `[[suppress]]`");
        };
        if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(&&**key.get_ref())) {
            return self.unknown(key, &KEYS);
        }
        let text = |name: &str| match table.get(name) {
            None => Ok(None),
            Some(value) => match value.get_ref() {
                DeValue::String(text) => Ok(Some(text.to_string())),
                DeValue::Datetime(date) => Ok(Some(date.to_string())),
                _ => self.error(value.span(), "a text is expected"),
            },
        };
        let needed = |name: &str| match text(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => self.error(value.span(), format!("a suppression needs a `{name}`")),
        };
        let until = needed("until")?;
        if !is_date(&until) {
            let at = table.get("until").map_or(value.span(), Spanned::span);
            return self.error(at, "a date is expected, such as 2027-01-31");
        }
        let (check, procedure, file) = (text("check")?, text("procedure")?, text("file")?);
        if check.is_none() && procedure.is_none() && file.is_none() {
            let what = "a suppression says what it is about: `check`, `procedure` or `file`";
            return self.error(value.span(), what);
        }
        Ok(Suppression {
            kind: check,
            procedure,
            file: file.map(|f| self.folder.join(f).display().to_string()),
            reason: needed("reason")?,
            until,
        })
    }
}

/// `2027-01-31`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |text: &str, digits: usize, range: std::ops::RangeInclusive<u32>| {
        let plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
        plain && text.parse().is_ok_and(|n: u32| range.contains(&n))
    };
    match parts[..] {
        [year, month, day] => {
            number(year, 4, 0..=9999) && number(month, 2, 1..=12) && number(day, 2, 1..=31)
        }
        _ => false,
    }
}

/// What clap calls an option.
fn option_id(option: &str) -> String {
    let command = Cli::command();
    let verify = command.find_subcommand("verify");
    let found = verify.and_then(|v| v.get_arguments().find(|a| a.get_long() == Some(option)));
    found.map_or_else(String::new, |a| a.get_id().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_an_option() {
        for (key, option, _) in TABLES.iter().flat_map(|(_, keys)| keys.iter()) {
            assert!(option.is_empty() || !option_id(option).is_empty(), "{key}");
        }
    }

    #[test]
    fn dates_are_days() {
        assert!(is_date("2027-01-31"));
        for bad in ["2027-13-01", "2027-1-1", "tomorrow", "2027-01-32", "2027-01", ""] {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
