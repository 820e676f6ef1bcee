//! How files are read, and what is said of those that cannot be.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use trellis_program::{Diagnostic, Failure};
use trellis_report::text;
use trellis_session::{CompileCommand, FrontEnds, Reading, STANDARD_INPUT, Source};

use crate::output::Output;
use crate::{cli, compile_commands};

/// The front ends, with the settings of the user.
///
/// # Errors
/// If the commands of a build cannot be read.
pub fn front_ends(settings: &cli::FrontEnd) -> Result<FrontEnds, Failure> {
    front_ends_believing(settings, cli::Callers::default())
}

/// The same, with what the user believes of callers.
///
/// # Errors
/// As [`front_ends`].
pub fn front_ends_believing(
    settings: &cli::FrontEnd,
    callers: cli::Callers,
) -> Result<FrontEnds, Failure> {
    Ok(FrontEnds::new(&Reading {
        include_dirs: settings.include_dirs.clone(),
        defines: settings.defines.clone(),
        preincludes: settings.preincludes.clone(),
        models: settings.models.clone(),
        commands: commands(settings)?,
        arguments: callers.arguments(),
        data_model: settings.data_model,
        cc: settings.cc.clone(),
    }))
}

/// The commands of the build that the user names.
fn commands(settings: &cli::FrontEnd) -> Result<Vec<CompileCommand>, Failure> {
    settings.compile_commands.as_deref().map_or(Ok(Vec::new()), compile_commands::read)
}

/// The files to verify: those that the user names, or all of a build.
///
/// # Errors
/// If the commands of the build cannot be read, or say nothing of the files.
pub fn files(cli: &cli::Verify) -> Result<Vec<PathBuf>, Failure> {
    let commands = commands(&cli.front_end)?;
    let named = compile_commands::files(&commands);
    let Some(from) = &cli.front_end.compile_commands else { return Ok(cli.files.clone()) };
    if cli.files.is_empty() {
        return match named.is_empty() {
            true => Err(refused(format!("`{}` names no C file", from.display()))),
            false => Ok(named),
        };
    }
    let real = |p: &PathBuf| std::fs::canonicalize(p).unwrap_or_else(|_| p.clone());
    let known: Vec<PathBuf> = named.iter().map(real).collect();
    let mut files = cli.files.iter().filter(|f| !f.is_dir());
    match files.clone().next().is_some() && files.all(|f| !known.contains(&real(f))) {
        true => Err(refused(format!("`{}` has no entry for these files", from.display()))),
        false => Ok(cli.files.clone()),
    }
}

/// More than any text that Trellis reads by itself: a saved report, a baseline, a configuration.
const MOST_BYTES: u64 = 1 << 30;

/// The text of a file, or of a pipe that ends.
///
/// # Errors
/// If it cannot be read, is no UTF-8, or goes on and on.
pub fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    match text.len() as u64 > MOST_BYTES {
        true => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is too large")),
        false => Ok(text),
    }
}

/// What the user names: files, the C files of folders, standard input.
///
/// # Errors
/// If a folder has no C files, or something cannot be read.
pub fn sources(files: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut all = Vec::new();
    for path in files {
        if path.as_os_str() == "-" {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|e| refused(format!("cannot read the standard input: {e}")))?;
            all.push(Source::Bytes { name: STANDARD_INPUT.to_owned(), bytes });
        } else if path.is_dir() {
            all.extend(c_files(path)?.into_iter().map(Source::File));
        } else {
            all.push(Source::File(path.clone()));
        }
    }
    Ok(all)
}

/// One source: a program of all files that the user names.
///
/// # Errors
/// As [`sources`], or if the files make no program.
pub fn program(files: &[PathBuf], front_ends: &FrontEnds) -> Result<Source, Failure> {
    let mut all = Source::programs(sources(files)?, front_ends, false);
    match all.len() {
        1 => Ok(all.remove(0)),
        _ => Err(refused("these files do not make one program".to_owned())),
    }
}

/// The C files of a folder, in the order of their names.
fn c_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = folder.display();
    let entries = std::fs::read_dir(folder);
    let entries = entries.map_err(|e| refused(format!("cannot read the folder `{name}`: {e}")))?;
    // `list.c` rather than `./list.c`, as everybody writes it.
    let plain = |p: PathBuf| p.strip_prefix(".").map(Path::to_path_buf).unwrap_or(p);
    let paths = entries.filter_map(|e| e.ok().map(|e| plain(e.path())));
    let mut files: Vec<PathBuf> =
        paths.filter(|p| p.extension().is_some_and(|e| e == "c") && p.is_file()).collect();
    files.sort();
    if files.is_empty() {
        return Err(refused(format!("there is no C file in the folder `{name}`")));
    }
    Ok(files)
}

fn refused(message: String) -> Failure {
    Failure::plain(Diagnostic::plain_error(message))
}

/// Prints why an input cannot be used, for people.
pub fn print(failure: &Failure, output: &mut Output) -> io::Result<()> {
    text::diagnostics(output.err(), &failure.sources, &failure.diagnostics)
}

/// A word as a POSIX shell takes it: bare if it is harmless, else in single quotes.
pub fn shell_word(text: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(harmless) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_word("a/b-c.c"), "a/b-c.c");
        assert_eq!(shell_word("h -> 1"), "'h -> 1'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
