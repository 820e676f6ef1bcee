//! C source to heap program.
//!
//! The pipeline: `preprocess` runs the system's preprocessor, `comments` blanks out what the
//! parser must not see and collects annotations, `syntax` parses, `lower` resolves types and
//! builds control-flow graphs, [`acsl`] reads contracts. `positions` maps every offset back to the
//! files the user wrote.
//!
//! **Invariants.** No input makes this crate panic. What is outside the supported subset becomes an
//! `Unsupported` instruction at its place, never something else.

pub mod acsl;
mod align;
mod annotations;
mod comments;
mod limits;
mod lower;
mod positions;
mod preprocess;
mod syntax;

use std::path::{Path, PathBuf};

use trellis_program::source::{Diagnostic, Severity, SourceMap};
use trellis_program::unit::{self, FrontEnd, Input, Setting, SettingKind};
pub use trellis_program::unit::{Failure, Unit};

use positions::Positions;

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folders to search for headers.
    pub include_dirs: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The compiler that preprocesses; `$CC`, `cc`, `gcc`, `clang` are tried if there is none.
    pub cc: Option<String>,
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

    /// The compiler is none: what it makes of the file is hashed.
    fn settings(&self) -> Vec<Setting> {
        let C(options) = self;
        let include = options.include_dirs.iter().map(|d| d.display().to_string()).collect();
        vec![
            Setting { name: "define", kind: SettingKind::Meaning, values: options.defines.clone() },
            Setting { name: "include", kind: SettingKind::Place, values: include },
        ]
    }

    fn load(&self, input: Input<'_>) -> Result<Unit, Failure> {
        match input {
            Input::File(path) => load(path, &self.0),
            Input::Text { name, text } => load_str(name, text),
        }
    }
}

/// Reads a C file. A `.i` file is taken as it is, everything else is preprocessed.
///
/// # Errors
/// Everything that makes the file unusable: it cannot be read or preprocessed, or it has a syntax,
/// type or contract error.
pub fn load(path: &Path, options: &Options) -> Result<Unit, Failure> {
    let name = path.display().to_string();
    let text = unit::read_source(path, LANGUAGE)?;
    if path.extension().is_some_and(|e| e == "i") {
        return load_str(&name, &text);
    }
    let mut sources = SourceMap::default();
    sources.add(name, text.clone());
    match preprocess::preprocess(path, &text, options, &mut sources) {
        // Without line markers (no compiler was needed) the text is the user's own.
        Ok(out) if out == text => read(sources, out, false),
        Ok(out) => read(sources, out, true),
        Err(diagnostic) => Err(Failure::new(sources, diagnostic)),
    }
}

/// Reads preprocessed text: no process, no file system.
///
/// # Errors
/// As [`load`].
pub fn load_str(name: &str, preprocessed_text: &str) -> Result<Unit, Failure> {
    let mut sources = SourceMap::default();
    sources.add(name, preprocessed_text);
    read(sources, preprocessed_text.to_owned(), false)
}

fn read(sources: SourceMap, text: String, preprocessed: bool) -> Result<Unit, Failure> {
    unit::with_big_stack(LANGUAGE, sources, move |sources| front(sources, &text, preprocessed))
}

fn front(mut sources: SourceMap, text: &str, preprocessed: bool) -> Result<Unit, Failure> {
    if text.len() >= u32::MAX as usize {
        return Err(Failure::new(
            sources,
            Diagnostic::plain_error("the preprocessed file is too large"),
        ));
    }
    let mut scan = comments::scan(text);
    let mut positions = if preprocessed {
        Positions::of_preprocessed(text, &scan.code, &mut sources)
    } else {
        Positions::identity(text)
    };
    if let Some(at) = scan.unterminated {
        let span = positions.comment(text, at, at + 2, &sources);
        let diagnostic = Diagnostic::error(span, "this comment never ends");
        return Err(Failure::new(sources, diagnostic));
    }
    let notes = match annotations::read(text, &mut scan, &mut positions, &sources) {
        Ok(notes) => notes,
        Err(diagnostics) => {
            return Err(Failure { sources, diagnostics });
        }
    };
    if let Some(at) = limits::too_deep(&scan.code) {
        let diagnostic =
            Diagnostic::error(positions.span(at, at + 1), "this nests too deeply to be read");
        return Err(Failure::new(sources, diagnostic));
    }
    let unit = match syntax::parse(&scan.code, &positions) {
        Ok(unit) => unit,
        Err(diagnostic) => return Err(Failure::new(sources, diagnostic)),
    };
    let foreign = notes.warning();
    let (mut program, mut diagnostics) = lower::lower(&unit, &scan, notes, &positions);
    diagnostics.extend(foreign);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(Failure { sources, diagnostics });
    }
    program.sources = sources;
    Ok(Unit { program, diagnostics, text: without_markers(text) })
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
