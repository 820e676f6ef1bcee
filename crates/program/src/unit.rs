//! What a front end is: it reads one language and makes heap programs of it.
//!
//! A front end is a value: the settings of the user are part of it. Who reads files has a list of
//! them and takes the first that [reads](FrontEnd::reads) the path.
//!
//! **Invariants.** No input makes a front end panic. What is outside of its subset becomes an
//! `Unsupported` instruction at its place. What a [`Unit`] means depends on nothing but its
//! [text](Unit::text), so that the hash of that text says which program a proof is about.

use std::path::Path;

use crate::ir::Program;
use crate::source::{Diagnostic, SourceMap};

/// Reads one language.
pub trait FrontEnd: Sync {
    /// The name of the language, as certificates have it: `C`.
    fn language(&self) -> &'static str;

    /// Whether a file of this name is one of the language.
    fn reads(&self, path: &Path) -> bool;

    /// Whether several sources make one program, as the linker of C makes of them.
    fn links(&self) -> bool {
        false
    }

    /// What the user chose that can change what a file means.
    fn settings(&self) -> Vec<Setting>;

    /// Reads a source.
    ///
    /// # Errors
    /// Everything that makes the source unusable: it cannot be read, or it has a syntax, type or
    /// contract error.
    fn load(&self, input: Input<'_>) -> Result<Unit, Failure>;
}

/// What a front end is given to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// A text that needs no file system and no other program to be understood; of C, preprocessed
    /// text.
    Text {
        /// The name that places in it are shown under.
        name: &'a str,
        /// The text.
        text: &'a str,
    },
    /// The bytes of what would be a file if it were not standard input, or if a file were as its reader
    /// would have it.
    Bytes {
        /// The name that places in it are shown under.
        name: &'a str,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// Several that make one program, for a front end that [links](FrontEnd::links).
    Program(&'a [Input<'a>]),
}

impl<'a> Input<'a> {
    /// The path, or the name of a text as one; of a program, that of its first source.
    pub fn path(self) -> &'a Path {
        match self {
            Input::File(path) => path,
            Input::Text { name, .. } | Input::Bytes { name, .. } => Path::new(name),
            Input::Program(all) => all.first().map_or(Path::new(""), |one| one.path()),
        }
    }
}

/// Why a front end that does not [link](FrontEnd::links) reads no program of several sources.
pub fn no_program(language: &str) -> Failure {
    let message = format!("several {language} files do not make one program");
    Failure::plain(Diagnostic::plain_error(message))
}

/// The text of a source file.
///
/// # Errors
/// If it is no file, cannot be read, or is no text.
pub fn read_source(path: &Path, language: &str) -> Result<String, Failure> {
    Ok(decode(&read_bytes(path, language)?))
}

/// The bytes of a source file.
///
/// # Errors
/// If it is no file, cannot be read, or is no text.
pub fn read_bytes(path: &Path, language: &str) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    if path.is_dir() {
        let message = format!("`{name}` is a folder, not a {language} file");
        return Err(unreadable(&name, message));
    }
    let bytes = std::fs::read(path).map_err(|e| {
        let message = match e.kind() {
            std::io::ErrorKind::NotFound => format!("there is no file `{name}`"),
            _ => format!("cannot read `{name}`: {e}"),
        };
        unreadable(&name, message)
    })?;
    refuse_binary(&name, &bytes, language)?;
    Ok(bytes)
}

/// That bytes are text.
///
/// # Errors
/// If they are not.
pub fn refuse_binary(name: &str, bytes: &[u8], language: &str) -> Result<(), Failure> {
    if bytes.contains(&0) {
        let message = format!("`{name}` is a binary file, not {language} source");
        return Err(unreadable(name, message));
    }
    Ok(())
}

fn unreadable(name: &str, message: String) -> Failure {
    let mut sources = SourceMap::default();
    sources.add(name, "");
    Failure::new(sources, Diagnostic::plain_error(message))
}

/// The characters that bytes stand for, line by line: a line that is not UTF-8 is Latin-1, in which
/// every byte is a character.
pub fn decode(bytes: &[u8]) -> String {
    decode_with(bytes, |b, out| out.push(char::from(b)))
}

/// As [`decode`], where what to write for a byte of a Latin-1 line above 127 is the caller's.
pub fn decode_with(bytes: &[u8], mut write: impl FnMut(u8, &mut String)) -> String {
    let mut out = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        match std::str::from_utf8(line) {
            Ok(text) => out.push_str(text),
            Err(_) => {
                for &b in line {
                    match b.is_ascii() {
                        true => out.push(char::from(b)),
                        false => write(b, &mut out),
                    }
                }
            }
        }
    }
    out
}

/// Reads sources where there is room: parsers recurse with the nesting of the input, which they bound,
/// and the stack is large enough for that bound. A panic is an error, like all others.
///
/// # Errors
/// Those of `read`.
pub fn with_big_stack(
    language: &str,
    sources: SourceMap,
    read: impl FnOnce(SourceMap) -> Result<Unit, Failure> + Send + 'static,
) -> Result<Unit, Failure> {
    const STACK: usize = 256 << 20;
    let kept = sources.clone();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || read(sources));
    let internal = |what: &str| {
        let message = format!("internal error in the {language} front end: {what}");
        Err(Failure::new(kept, Diagnostic::plain_error(message)))
    };
    match worker {
        Ok(handle) => match handle.join() {
            Ok(result) => result,
            Err(_) => internal("it panicked"),
        },
        Err(e) => internal(&e.to_string()),
    }
}

/// A source that could be read.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The program.
    pub program: Program,
    /// Warnings, and what is outside the supported subset.
    pub diagnostics: Vec<Diagnostic>,
    /// What was understood, with everything that was included: of C the preprocessed text without
    /// the preprocessor's own lines and without empty ones, so that it does not depend on where
    /// files lie. This is what certificates hash.
    pub text: String,
}

/// A source that cannot be used.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The files that the diagnostics point into.
    pub sources: SourceMap,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// One error.
    pub fn new(sources: SourceMap, diagnostic: Diagnostic) -> Failure {
        Failure { sources, diagnostics: vec![diagnostic] }
    }

    /// One error without a place in a file.
    pub fn plain(diagnostic: Diagnostic) -> Failure {
        Failure::new(SourceMap::default(), diagnostic)
    }
}

/// Something that the user chose about how sources are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its name, the same in every certificate.
    pub name: &'static str,
    /// What it is about.
    pub kind: SettingKind,
    /// What was chosen, in order.
    pub values: Vec<String>,
}

/// Who may choose a setting when a proof is checked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingKind {
    /// It is part of what the program means: who checks must repeat every value.
    Meaning,
    /// It says where things lie on one machine: who checks must choose values of his own.
    Place,
}
