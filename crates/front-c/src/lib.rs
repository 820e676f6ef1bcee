//! C source to heap program.
//!
//! The pipeline: `preprocess` runs the system's preprocessor, `comments` blanks out what the
//! parser must not see and collects annotations, `syntax` parses, all three a translation unit at a
//! time; `whole` puts the units of a program into one text, `models` adds those of the library that
//! are called; `lower` links the units, resolves types and builds control-flow graphs, [`acsl`]
//! reads contracts. `positions` maps every offset back to the files the user wrote.
//!
//! **Invariants.** No input makes this crate panic. What is outside the supported subset becomes an
//! `Unsupported` instruction at its place, never something else.

pub mod acsl;
mod align;
mod annotations;
mod comments;
mod limits;
mod lower;
mod models;
mod moved;
mod old;
mod positions;
mod preprocess;
mod syntax;
mod whole;

use std::path::{Path, PathBuf};

use trellis_program::source::{Diagnostic, Role, Severity, SourceMap};
use trellis_program::types::DataModel;
use trellis_program::unit::{self, FrontEnd, Input, Setting, SettingKind};
pub use trellis_program::unit::{Failure, Unit};
use trellis_program::{Arguments, Program};

use models::Models;
pub use positions::STANDARD_INPUT;
use preprocess::{Complaint, Given, Preprocessed};
use whole::{Form, Part, Whole};

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders to search for headers.
    pub include_dirs: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Files that are included before every other (`-include`).
    pub preincludes: Vec<PathBuf>,
    /// Files with the user's own models of functions that are not defined in the program.
    pub models: Vec<PathBuf>,
    /// How single files are preprocessed, besides.
    pub commands: Vec<CompileCommand>,
    /// What callers that nobody sees are believed to pass.
    pub arguments: Arguments,
    /// How wide `long` and pointers are.
    pub data_model: DataModel,
    /// The compiler that preprocesses; `$CC`, `cc`, `gcc`, `clang` are tried if there is none.
    pub cc: Option<String>,
}

/// How a build preprocesses a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// Where this is written.
    pub from: PathBuf,
    /// The file.
    pub file: PathBuf,
    /// Options of the preprocessor, word by word.
    pub flags: Vec<String>,
}

impl Options {
    /// The options of the preprocessor for one file, besides those for all.
    fn flags_of(&self, path: &Path) -> &[String] {
        let real = |p: &Path| std::fs::canonicalize(p).unwrap_or_else(|_| p.to_owned());
        let wanted = real(path);
        let command = self.commands.iter().find(|c| c.file == path || real(&c.file) == wanted);
        command.map_or(&[], |c| &c.flags)
    }
}

const LANGUAGE: &str = "C";

/// The front end for C, as [`FrontEnd`] describes one.
#[derive(Clone, Debug, Default)]
pub struct C(pub Options);

/// The names that C files end in; the last one is of preprocessed text.
const EXTENSIONS: [&str; 3] = ["c", "h", "i"];

impl FrontEnd for C {
    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn reads(&self, path: &Path) -> bool {
        path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e == *known))
    }

    fn links(&self) -> bool {
        true
    }

    /// The compiler is none: what it makes of the file is hashed.
    fn settings(&self) -> Vec<Setting> {
        let C(options) = self;
        let place = |name, paths: &[PathBuf]| Setting {
            name,
            kind: SettingKind::Place,
            values: paths.iter().map(|p| p.display().to_string()).collect(),
        };
        let mut from: Vec<PathBuf> = options.commands.iter().map(|c| c.from.clone()).collect();
        from.dedup();
        let assumed = match options.arguments {
            Arguments::Usual => Vec::new(),
            other => vec![other.name().to_owned()],
        };
        vec![
            Setting { name: "define", kind: SettingKind::Meaning, values: options.defines.clone() },
            Setting { name: "assume", kind: SettingKind::Meaning, values: assumed },
            place("include", &options.include_dirs),
            place("preinclude", &options.preincludes),
            place("model", &options.models),
            place("compile-commands", &from),
            Setting {
                name: "data-model",
                kind: SettingKind::Meaning,
                values: match options.data_model {
                    DataModel::Lp64 => vec![],
                    model @ DataModel::Ilp32 => vec![model.to_string()],
                },
            },
        ]
    }

    fn load(&self, input: Input<'_>) -> Result<Unit, Failure> {
        load_input(input, &self.0)
    }
}

/// Reads a C file. A `.i` file is taken as it is, everything else is preprocessed.
///
/// # Errors
/// Everything that makes the file unusable: it cannot be read or preprocessed, or it has a syntax,
/// type or contract error.
pub fn load(path: &Path, options: &Options) -> Result<Unit, Failure> {
    load_input(Input::File(path), options)
}

/// Reads preprocessed text: no process, no file system.
///
/// # Errors
/// As [`load`].
pub fn load_str(name: &str, preprocessed_text: &str) -> Result<Unit, Failure> {
    load_input(Input::Text { name, text: preprocessed_text }, &Options::default())
}

/// Reads a program of one or more sources.
fn load_input(input: Input<'_>, options: &Options) -> Result<Unit, Failure> {
    let (mut sources, mut parts) = (SourceMap::default(), Vec::new());
    let one = [input];
    let inputs = match input {
        Input::Program(all) => all,
        _ => &one,
    };
    let models: Vec<Input<'_>> = options.models.iter().map(|path| Input::File(path)).collect();
    let mut made = side_by_side(inputs.iter().chain(&models), |input| make(*input, options));
    let own_made = made.split_off(inputs.len());
    for made in made {
        parts.push(part(made?, Role::Own, &mut sources)?);
    }
    let mut own = Vec::new();
    for made in own_made {
        own.push(part(made?, Role::Model, &mut sources)?);
    }
    let (arguments, model) = (options.arguments, options.data_model);
    let lowered = move |sources| front(sources, parts, own, model);
    let unit = unit::with_big_stack(LANGUAGE, sources, lowered)?;
    Ok(Unit { program: Program { arguments, ..unit.program }, ..unit })
}

/// What was made of a source, before it has a place among others.
struct Made {
    name: String,
    text: Text,
}

/// The text of a source.
enum Text {
    /// It is the source.
    Own(String),
    /// It is the source, preprocessed elsewhere.
    Elsewhere(String),
    /// The preprocessor was asked about these bytes.
    Asked(Vec<u8>, Result<Preprocessed, Complaint>),
}

/// Does something with all of some things, on as many threads as there are processors: compilers
/// take longer to start than to preprocess.
fn side_by_side<'i, I: Sync + 'i, R: Send>(
    items: impl Iterator<Item = &'i I>,
    work: impl Fn(&I) -> R + Sync,
) -> Vec<R> {
    let items: Vec<&I> = items.collect();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = items.len().div_ceil(threads).max(1);
    if share == items.len() {
        return items.into_iter().map(work).collect();
    }
    let one = |items: &[&I]| items.iter().map(|i| work(i)).collect::<Vec<R>>();
    std::thread::scope(|scope| {
        let threads: Vec<_> = items.chunks(share).map(|items| scope.spawn(|| one(items))).collect();
        let all = threads.into_iter().map(|t| match t.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        all.flatten().collect()
    })
}

/// Reads a source, and preprocesses it if need be.
fn make(input: Input<'_>, options: &Options) -> Result<Made, Failure> {
    let (name, bytes, given) = match input {
        Input::File(path) => {
            let bytes = unit::read_bytes(path, LANGUAGE)?;
            (path.display().to_string(), bytes, Given::File(path))
        }
        Input::Bytes { name, bytes } => {
            unit::refuse_binary(name, bytes, LANGUAGE)?;
            let given = match name {
                STANDARD_INPUT => Given::Input,
                name => Given::Instead(Path::new(name)),
            };
            (name.to_owned(), bytes.to_vec(), given)
        }
        Input::Text { name, text } => {
            return Ok(Made { name: name.to_owned(), text: Text::Own(text.to_owned()) });
        }
        Input::Program(_) => {
            let error = Diagnostic::plain_error("a program is no part of another one");
            return Err(Failure::plain(error));
        }
    };
    let text = match input.path().extension().is_some_and(|e| e == "i") {
        true => Text::Elsewhere(preprocess::escape(&bytes)),
        false => {
            let asked = preprocess::preprocess(given, &bytes, options);
            Text::Asked(bytes, asked)
        }
    };
    Ok(Made { name, text })
}

/// A source as text that the parser can read, among others.
fn part(made: Made, role: Role, sources: &mut SourceMap) -> Result<Part, Failure> {
    let Made { name, text } = made;
    match text {
        Text::Own(text) | Text::Asked(_, Ok(Preprocessed::Verbatim(text))) => {
            let file = sources.add_as(role, name, text.clone());
            Ok(Part::verbatim(text, file))
        }
        Text::Elsewhere(text) => {
            let file = sources.add_as(role, name, text.clone());
            Ok(Part::modern(text, file, Form::Verbatim))
        }
        Text::Asked(bytes, Ok(Preprocessed::Lines(text))) => {
            let file = sources.add_as(role, name, unit::decode(&bytes));
            Ok(Part::modern(text, file, Form::Preprocessed))
        }
        Text::Asked(bytes, Err(complaint)) => {
            sources.add_as(role, name, unit::decode(&bytes));
            let diagnostic = complaint.diagnostic(sources);
            Err(Failure::new(std::mem::take(sources), diagnostic))
        }
    }
}

fn front(
    mut sources: SourceMap,
    parts: Vec<Part>,
    own: Vec<Part>,
    model: DataModel,
) -> Result<Unit, Failure> {
    let mut whole = Whole::default();
    let mut units = Vec::new();
    for part in &parts {
        match whole.add(part, &mut sources) {
            Ok(unit) => units.push(unit),
            Err(diagnostics) => return Err(Failure { sources, diagnostics }),
        }
    }
    let models = match Models::add(&mut whole, &mut units, own, &mut sources) {
        Ok(models) => models,
        Err(diagnostics) => return Err(Failure { sources, diagnostics }),
    };
    let (mut program, mut diagnostics) = lower::lower(&units, &whole, model);
    diagnostics.extend(whole.notes.warnings());
    diagnostics.extend(whole.warnings.iter().cloned());
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(Failure { sources, diagnostics });
    }
    program.sources = sources;
    let mut text = String::new();
    for part in parts.iter().chain(&models.0) {
        if !text.is_empty() {
            // No preprocessor writes this, so two files are no longer one.
            text.push_str("#unit\n");
        }
        text.push_str(&without_markers(&part.text));
    }
    Ok(Unit { program, diagnostics, text })
}

/// The lines of preprocessed text that are not empty and that the preprocessor did not add.
fn without_markers(text: &str) -> String {
    let marker = |l: &str| {
        let rest = l.strip_prefix("# ").map(str::trim_start);
        rest.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
    };
    let kept = text.lines().filter(|l| !l.trim().is_empty() && !marker(l));
    kept.fold(String::with_capacity(text.len()), |mut all, line| {
        all.push_str(line);
        all.push('\n');
        all
    })
}
