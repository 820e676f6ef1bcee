//! A report that was saved as JSON, to be looked at again.
//!
//! The document has places as lines and columns; whoever shows it wants the source lines. So the files
//! are read again, and what is not there any more is shown without its text. Drawings are in the
//! document as lines of text only.

use serde::Deserialize;
use serde_json::{Value, json};
use trellis_program::{FileId, SourceMap};

use crate::model::{DiagnosticReport, FileReport, ProcedureReport, REPORT_SCHEMA, Report, Tool};

/// The verdicts there are.
const VERDICTS: [&str; 4] = ["verified", "violated", "no-invariant", "unknown"];

/// What a document says; its schema was looked at.
#[derive(Deserialize)]
struct Document {
    exit_code: u8,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    #[serde(default)]
    linked: Vec<String>,
    diagnostics: Vec<DiagnosticReport>,
    procedures: Vec<ProcedureReport>,
    #[serde(default)]
    not_looked_at: Vec<String>,
}

/// Reads a report, and through `open` the texts that it is about.
///
/// # Errors
/// Why the text is no report, as a sentence.
pub fn read(
    text: &str,
    open: &dyn Fn(&str) -> Option<String>,
) -> Result<(Report, SourceMap), String> {
    let value = serde_json::from_str(text).map_err(|e| format!("this is no JSON: {e}"))?;
    of(value, open)
}

/// The same of a document.
///
/// # Errors
/// As [`read`].
pub fn of(
    mut value: Value,
    open: &dyn Fn(&str) -> Option<String>,
) -> Result<(Report, SourceMap), String> {
    match value.get("schema").and_then(Value::as_str) {
        Some(REPORT_SCHEMA) => {}
        Some(other) if other.starts_with("trellis-report/") => {
            return Err(format!(
                "its layout is `{other}`; this version of Trellis reads `{REPORT_SCHEMA}`"
            ));
        }
        _ => return Err("this is no report that `trellis verify --format json` printed".to_owned()),
    }
    let mut sources = SourceMap::default();
    locate(&mut value, &mut sources, open);
    let read = Document::deserialize(value).map_err(|e| format!("this is no report: {e}"))?;
    let mut procedures = read.files.iter().flat_map(|f| &f.procedures);
    if let Some(odd) = procedures.find(|p| !VERDICTS.contains(&p.verdict)) {
        return Err(format!("this is no report: `{}` is no verdict", odd.verdict));
    }
    let files = read.files.into_iter().map(|f| FileReport {
        file: f.file,
        linked: f.linked,
        diagnostics: f.diagnostics,
        procedures: f.procedures,
        not_looked_at: f.not_looked_at,
    });
    let (tool, exit_code) = (Tool::default(), read.exit_code);
    Ok((Report { schema: REPORT_SCHEMA, tool, exit_code, files: files.collect() }, sources))
}

/// Gives every place its bytes.
fn locate(value: &mut Value, sources: &mut SourceMap, open: &dyn Fn(&str) -> Option<String>) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|v| locate(v, sources, open)),
        Value::Object(fields) => {
            let number = |name: &str| fields.get(name).and_then(Value::as_u64);
            let name = fields.get("file").and_then(Value::as_str);
            let begin = number("line").zip(number("column"));
            if let (Some(name), Some(begin), Some(end)) =
                (name, begin, number("end_line").zip(number("end_column")))
            {
                let file = file(sources, name, open);
                let (start, end) = (offset(sources, file, begin), offset(sources, file, end));
                fields.insert("raw".to_owned(), json!([file.0, start, end.max(start)]));
            }
            fields.values_mut().for_each(|v| locate(v, sources, open));
        }
        _ => {}
    }
}

fn file(sources: &mut SourceMap, name: &str, open: &dyn Fn(&str) -> Option<String>) -> FileId {
    let known = sources.find(name);
    known.unwrap_or_else(|| sources.add(name, open(name).unwrap_or_default()))
}

/// The byte of a line and a column, both from one; the end of the text if there is no such place.
fn offset(sources: &SourceMap, file: FileId, (line, column): (u64, u64)) -> u32 {
    let file = sources.file(file);
    let Some((start, end)) = file.line_range(usize::try_from(line).unwrap_or(usize::MAX)) else {
        return file.text.len() as u32;
    };
    let text = &file.text[start as usize..end as usize];
    let before = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    start + text.char_indices().nth(before).map_or(text.len(), |(at, _)| at) as u32
}
