//! Java with Jahob's annotations (*Symbolic Shape Analysis*) to heap program.
//!
//! The pipeline: `lex` makes tokens, with annotations as single ones; `parse` makes trees of code
//! and of annotations; `lower` resolves names and types and builds control-flow graphs. Formulas
//! are read by the crate `hol`; `lower` tells it what names mean.
//!
//! A class that the file does not have is looked for in a file of its name in the same folder.
//!
//! **Invariants.** No input makes this crate panic. What is outside the supported subset becomes an
//! `Unsupported` instruction at its place, never something else.

mod ast;
mod lex;
mod lower;
mod parse;

use std::collections::BTreeSet;
use std::path::Path;

use trellis_program::source::{Diagnostic, Severity, SourceMap};
use trellis_program::unit::{self, Failure, FrontEnd, Input, Setting, Unit};

use ast::{Class, ExprKind};

const LANGUAGE: &str = "Java";

/// The front end for Java, as [`FrontEnd`] describes one.
#[derive(Clone, Debug, Default)]
pub struct Java;

/// How formulas are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether a formula that the contract language can say is kept as one of it, which is what
    /// engines want; tests compare both.
    pub first_order: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { first_order: true }
    }
}

impl FrontEnd for Java {
    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn reads(&self, path: &Path) -> bool {
        path.extension().is_some_and(|e| e == "java")
    }

    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn load(&self, input: Input<'_>) -> Result<Unit, Failure> {
        match input {
            Input::File(path) => load(path),
            Input::Text { name, text } => load_str(name, text, Options::default()),
            Input::Bytes { name, bytes } => {
                unit::refuse_binary(name, bytes, LANGUAGE)?;
                load_str(name, &unit::decode(bytes), Options::default())
            }
            Input::Program(_) => Err(unit::no_program(LANGUAGE)),
        }
    }
}

/// Reads a Java file, and the classes beside it that it mentions.
///
/// # Errors
/// Everything that makes the file unusable: it cannot be read, or it has a syntax, type or
/// annotation error.
pub fn load(path: &Path) -> Result<Unit, Failure> {
    let text = unit::read_source(path, LANGUAGE)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    read(path.display().to_string(), text, Options::default(), move |class| {
        let path = folder.join(format!("{class}.java"));
        let text = std::fs::read_to_string(&path).ok()?;
        Some((path.display().to_string(), text))
    })
}

/// Reads text: no file system.
///
/// # Errors
/// As [`load`].
pub fn load_str(name: &str, text: &str, options: Options) -> Result<Unit, Failure> {
    read(name.to_owned(), text.to_owned(), options, |_| None)
}

fn read(
    name: String,
    text: String,
    options: Options,
    sibling: impl Fn(&str) -> Option<(String, String)> + Send + 'static,
) -> Result<Unit, Failure> {
    let mut sources = SourceMap::default();
    sources.add(name, text);
    unit::with_big_stack(LANGUAGE, sources, move |sources| front(sources, options, &sibling))
}

fn front(
    mut sources: SourceMap,
    options: Options,
    sibling: &dyn Fn(&str) -> Option<(String, String)>,
) -> Result<Unit, Failure> {
    let mut classes: Vec<Class> = Vec::new();
    let mut text = String::new();
    let mut todo = vec![trellis_program::source::FileId(0)];
    let mut asked = BTreeSet::new();
    while let Some(file) = todo.pop() {
        let source = sources.file(file).text.clone();
        if source.len() >= (u32::MAX / 2) as usize {
            return Err(Failure::new(sources, Diagnostic::plain_error("the file is too large")));
        }
        match parse::parse(&source, file) {
            Ok(found) => classes.extend(found),
            Err(diagnostic) => return Err(Failure::new(sources, diagnostic)),
        }
        text.push_str(&source);
        text.push('\n');
        let known: BTreeSet<&str> = classes.iter().map(|c| c.name.as_str()).collect();
        for name in mentioned(&classes) {
            if !known.contains(name.as_str())
                && asked.insert(name.clone())
                && let Some((path, text)) = sibling(&name)
            {
                todo.push(sources.add(path, text));
            }
        }
    }
    let (mut program, diagnostics) = lower::lower(&classes, options);
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        let errors = diagnostics.into_iter().filter(|d| d.severity == Severity::Error).collect();
        return Err(Failure { sources, diagnostics: errors });
    }
    program.sources = sources;
    Ok(Unit { program, diagnostics, text })
}

/// The names that may be those of classes, in the order of the alphabet.
fn mentioned(classes: &[Class]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut name = |n: &str| {
        let is_word = n.starts_with(|c: char| c.is_ascii_uppercase())
            && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_word && !lower::types::is_library(n) && n != "Object" {
            names.insert(n.to_owned());
        }
    };
    for class in classes {
        class.fields.iter().for_each(|f| name(&f.ty.name));
        for method in &class.methods {
            method.ret.iter().for_each(|t| name(&t.name));
            method.params.iter().for_each(|p| name(&p.ty.name));
            for statement in method.body.iter().flatten() {
                statement.visit(&mut |s| {
                    if let ast::Stmt::Local(ty, _) = s {
                        name(&ty.name);
                    }
                    s.exprs().into_iter().for_each(|e| {
                        e.visit(&mut |e| match &e.kind {
                            ExprKind::Name(n) => name(n),
                            ExprKind::New { class, .. } => name(&class.name),
                            ExprKind::NewArray { element, .. } => name(&element.name),
                            ExprKind::Cast(ty, _) => name(&ty.name),
                            _ => {}
                        })
                    });
                });
            }
        }
    }
    names
}
