//! Witnesses of version 2.0: for a violation the inputs on the way and the place that is reached, for
//! a proof the invariants of loops. They are about whole programs, so only `main` has one.
//!
//! An invariant in a witness is an expression of C. What speaks of paths in the heap, or of all nodes,
//! is none and is left out; a comment in the file says how many there were.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::model::{FileReport, Place, ProcedureReport, Tool};

/// What a witness says about the task besides the answer.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// The files of the program, and the SHA-256 of each.
    pub files: Vec<(String, String)>,
    /// `LP64` or `ILP32`.
    pub data_model: String,
    /// The property; `None` for the one that the answer is about.
    pub specification: Option<String>,
    /// When it was made, in the format of RFC 3339.
    pub created: String,
}

/// Writes the witness of the answer about `main` of a program; whether there was one.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, tool: &Tool, file: &FileReport, task: &Task) -> io::Result<bool> {
    let Some(main) = file.procedures.iter().find(|p| p.name == "main") else { return Ok(false) };
    let text = match (main.verdict, property(main)) {
        ("violated", Some(property)) => violation(tool, main, task, property),
        ("verified", Some(property)) => correctness(tool, main, task, property),
        _ => return Ok(false),
    };
    out.write_all(text.as_bytes())?;
    Ok(true)
}

/// The property that a violated check is about, if competitions have one; of a proof, the first.
fn property(procedure: &ProcedureReport) -> Option<&'static str> {
    Some(match procedure.check.as_ref().map(|c| c.kind) {
        Some("null-deref" | "use-after-free" | "bounds") => "valid-deref",
        Some("invalid-free" | "double-free") => "valid-free",
        Some("leak") => "valid-memtrack",
        Some("overflow") => "! overflow",
        Some("error-call") | None => "! call(reach_error())",
        Some(_) => return None,
    })
}

fn header(tool: &Tool, task: &Task, property: &str, kind: &str) -> String {
    let mut out = format!("- entry_type: {}\n  metadata:\n", quoted(kind));
    let own = format!("CHECK( init(main()), LTL(G {property}) )");
    let specification = task.specification.clone().unwrap_or(own);
    let _ = writeln!(out, "    format_version: \"2.0\"");
    let _ = writeln!(out, "    uuid: {}", quoted(&uuid(&task.files, &specification, kind)));
    let _ = writeln!(out, "    creation_time: {}", quoted(&task.created));
    let (name, version) = (tool.name, tool.version);
    let _ = writeln!(out, "    producer:\n      name: {}", quoted(name));
    let _ = writeln!(out, "      version: {}", quoted(version));
    let _ = writeln!(out, "    task:\n      input_files:");
    for (file, _) in &task.files {
        let _ = writeln!(out, "        - {}", quoted(file));
    }
    let _ = writeln!(out, "      input_file_hashes:");
    for (file, hash) in &task.files {
        let _ = writeln!(out, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&specification));
    let _ = writeln!(out, "      data_model: {}", quoted(&task.data_model));
    let _ = writeln!(out, "      language: \"C\"");
    out
}

fn violation(tool: &Tool, procedure: &ProcedureReport, task: &Task, property: &str) -> String {
    let mut out = header(tool, task, property, "violation_sequence");
    out.push_str("  content:\n");
    for input in &procedure.inputs {
        // A result is known where the call ends, at its closing parenthesis.
        let end = &input.span;
        let at = Place {
            line: end.end_line,
            column: end.end_column.saturating_sub(1).max(1),
            ..end.clone()
        };
        waypoint(&mut out, "function_return", &at, &input.procedure);
        let _ = writeln!(out, "            constraint:");
        let value = quoted(&format!("\\result == {}", input.value));
        let _ = writeln!(out, "              value: {value}");
        let _ = writeln!(out, "              format: \"acsl_expression\"");
    }
    if let Some(check) = &procedure.check {
        let function = check.id.split(':').next().unwrap_or("main");
        waypoint(&mut out, "target", &check.span, function);
    }
    out
}

fn waypoint(out: &mut String, kind: &str, at: &Place, function: &str) {
    let _ = writeln!(out, "    - segment:\n        - waypoint:");
    let _ = writeln!(out, "            type: {}", quoted(kind));
    let _ = writeln!(out, "            action: \"follow\"");
    location(out, "            ", at, function);
}

fn location(out: &mut String, indent: &str, at: &Place, function: &str) {
    let _ = writeln!(out, "{indent}location:");
    let _ = writeln!(out, "{indent}  file_name: {}", quoted(&at.file));
    let _ = writeln!(out, "{indent}  line: {}", at.line);
    let _ = writeln!(out, "{indent}  column: {}", at.column);
    let _ = writeln!(out, "{indent}  function: {}", quoted(function));
}

fn correctness(tool: &Tool, procedure: &ProcedureReport, task: &Task, property: &str) -> String {
    let mut out = header(tool, task, property, "invariant_set");
    let (mut said, mut unsaid) = (String::new(), 0);
    for invariant in &procedure.invariants {
        for formula in &invariant.formulas {
            if !is_c(formula) {
                unsaid += 1;
                continue;
            }
            let _ = writeln!(said, "    - invariant:\n        type: \"loop_invariant\"");
            location(&mut said, "        ", &invariant.span, &procedure.name);
            let _ = writeln!(said, "        value: {}", quoted(formula));
            let _ = writeln!(said, "        format: \"c_expression\"");
        }
    }
    if unsaid > 0 {
        let _ = writeln!(out, "  # {unsaid} more that are no expressions of C");
    }
    match said.is_empty() {
        true => out.push_str("  content: []\n"),
        false => out.push_str(&format!("  content:\n{said}")),
    }
    out
}

/// Whether a formula is an expression of C.
fn is_c(formula: &str) -> bool {
    let no_word = ["\\", "==>", "<==>", "∀", "∃", "→", "…", "\n"];
    let calls = formula
        .match_indices('(')
        .any(|(i, _)| formula[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    !calls && formula.is_ascii() && !no_word.iter().any(|w| formula.contains(w))
}

/// A name for the witness that depends on the task alone: a run repeats to the letter.
fn uuid(files: &[(String, String)], specification: &str, kind: &str) -> String {
    // FNV-1a, twice with different starts: names must differ, not resist.
    let hash = |start: u64| {
        let parts = files.iter().flat_map(|(name, hash)| [name.as_str(), hash.as_str()]);
        let bytes = parts.chain([specification, kind]).flat_map(str::bytes);
        bytes.fold(start, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
    };
    let (a, b) = (hash(0xcbf2_9ce4_8422_2325), hash(0x6c62_272e_07bb_0142));
    // Version 8: of the vendor's own making.
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 48 & 0x3fff | 0x8000,
        b & 0xffff_ffff_ffff
    )
}

/// A double-quoted scalar of YAML, which JSON's strings are.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expressions_of_c_are_invariants() {
        assert!(is_c("x == NULL || x->next == y"));
        assert!(is_c("(a <= b) && !(c)"));
        for formula in ["reach(next, h, x)", "\\forall struct node *v; v == v", "a ==> b", "h → x"]
        {
            assert!(!is_c(formula), "{formula}");
        }
    }

    #[test]
    fn names_repeat() {
        let files = vec![("a.c".to_owned(), "00".to_owned())];
        let name = uuid(&files, "p", "k");
        assert_eq!(name, uuid(&files, "p", "k"));
        assert_ne!(name, uuid(&files, "q", "k"));
        assert_eq!(name.len(), 36);
    }
}
