//! The translation units of a program as one text.
//!
//! Preprocessed texts stand one after the other, so that an offset is a place in the program, and
//! everything that is looked up by offsets (positions, annotations, attributes) needs no other key.
//! Each unit is scanned and parsed alone: an open comment or a typedef ends with its file.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use lang_c::ast::TranslationUnit;
use trellis_program::source::{Diagnostic, FileId, SourceMap};

use crate::annotations::{self, Notes};
use crate::comments::{self, Scan};
use crate::old::{self, Modern};
use crate::positions::Positions;
use crate::{limits, syntax};

/// A translation unit to be read.
#[derive(Debug)]
pub struct Part {
    /// Its text, preprocessed.
    pub text: String,
    /// The file that it comes from.
    pub file: FileId,
    /// What the text is to the file.
    pub form: Form,
    /// Names that were declared without a type, by where they stand.
    pub without_type: Vec<Range<usize>>,
    /// What is not in the file, by where it stands.
    pub put_in: Vec<Range<usize>>,
}

impl Part {
    /// A unit whose text is the file itself.
    pub fn verbatim(text: String, file: FileId) -> Part {
        Part::new(text, file, Form::Verbatim)
    }

    fn new(text: String, file: FileId, form: Form) -> Part {
        Part { text, file, form, without_type: Vec::new(), put_in: Vec::new() }
    }

    /// A unit whose text may have been written once, or as GNU writes it.
    pub fn modern(text: String, file: FileId, form: Form) -> Part {
        match old::modern(&text) {
            Some(Modern { text, without_type, put_in }) => {
                Part { text, file, form, without_type, put_in }
            }
            None => Part::new(text, file, form),
        }
    }
}

/// What the text of a unit is to its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// What the preprocessor made of it, with line markers.
    Preprocessed,
    /// The file itself, but for what was put in.
    Verbatim,
}

/// The texts of all units.
#[derive(Debug, Default)]
pub struct Whole {
    /// The text, and what was found in comments.
    pub scan: Scan,
    /// Where it comes from.
    pub positions: Positions,
    /// Its annotations.
    pub notes: Notes,
    /// Where each unit lies.
    pub units: Vec<Extent>,
    /// What is told to the user.
    pub warnings: Vec<Diagnostic>,
}

/// Where a unit lies in the text.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Its bytes.
    pub range: Range<usize>,
    /// The name of its file without folders and extension.
    pub stem: String,
    /// Of a model, the functions that belong to the program: those that it calls.
    pub wanted: Option<BTreeSet<String>>,
}

impl Whole {
    /// Reads one more unit.
    ///
    /// # Errors
    /// Syntax errors.
    pub fn add(
        &mut self,
        part: &Part,
        sources: &mut SourceMap,
    ) -> Result<TranslationUnit, Vec<Diagnostic>> {
        let start = self.scan.text.len();
        let end = start + part.text.len();
        // Spans count in 32 bits.
        if u32::try_from(end).is_err() {
            return Err(vec![Diagnostic::plain_error("the preprocessed program is too large")]);
        }
        let scan = comments::scan(&part.text);
        match part.form {
            Form::Preprocessed => {
                let Part { text, file, .. } = part;
                self.positions.add_preprocessed(start, text, &scan.code, *file, sources);
            }
            Form::Verbatim => self.positions.add_verbatim(start, part),
        }
        for name in &part.without_type {
            let text = &part.text[name.clone()];
            let span = self.positions.span(start + name.start, start + name.end);
            let message = format!("`{text}` is declared without a type, which means `int`");
            self.warnings.push(Diagnostic::warning(span, message));
        }
        self.scan.append(scan);
        let path = Path::new(&sources.file(part.file).name);
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        self.units.push(Extent { range: start..end, stem, wanted: None });
        if let Some(at) = self.scan.unterminated {
            let span = self.positions.comment(&self.scan.text, at, at + 2, sources);
            return Err(vec![Diagnostic::error(span, "this comment never ends")]);
        }
        let Whole { scan, positions, notes, .. } = self;
        annotations::read(scan, start, notes, positions, sources)?;
        if let Some(at) = limits::too_deep(&scan.code[start..]) {
            let span = positions.span(start + at, start + at + 1);
            return Err(vec![Diagnostic::error(span, "this nests too deeply to be read")]);
        }
        syntax::parse(scan.code[start..].to_owned(), start, positions).map_err(|d| vec![d])
    }

    /// The unit that an offset lies in.
    pub fn unit_at(&self, offset: usize) -> usize {
        self.units.partition_point(|u| u.range.start <= offset).saturating_sub(1)
    }
}
