//! Annotations of GitHub's workflows: one command a line on standard output, which the service shows
//! beside the code.

use std::io::{self, Write};

use super::{reason, violations};
use crate::model::{Place, Report};

/// Writes an annotation for every violation, every note, every unknown and every error.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for file in &report.files {
        for d in &file.diagnostics {
            let level = if d.severity == "error" { "error" } else { "warning" };
            annotation(out, level, d.span.as_ref(), "Trellis", &d.message)?;
        }
        for procedure in &file.procedures {
            let name = &procedure.name;
            for v in violations(procedure) {
                let mut text = v.check.message.clone();
                if let Some(last) = v.trace.last() {
                    text = format!("{text}\n{}", last.drawing.join("\n"));
                }
                if let Some(command) = v.command {
                    text = format!("{text}\nrun it again: {command}");
                }
                let title = format!("{name}: {}", v.check.kind);
                annotation(out, "error", Some(&v.check.span), &title, &text)?;
            }
            for note in &procedure.notes {
                let first = note.violations.first().map_or(&procedure.span, |v| &v.check.span);
                annotation(out, "notice", Some(first), name, &note.text)?;
            }
            if procedure.check.is_none() && procedure.verdict != "verified" {
                let title = format!("{name}: {}", procedure.verdict);
                annotation(out, "warning", Some(&procedure.span), &title, &reason(procedure))?;
            }
        }
    }
    Ok(())
}

fn annotation(
    out: &mut dyn Write,
    level: &str,
    at: Option<&Place>,
    title: &str,
    message: &str,
) -> io::Result<()> {
    let mut properties = Vec::new();
    if let Some(at) = at {
        // The service compares it with the names of the repository.
        let file = at.file.strip_prefix("./").unwrap_or(&at.file);
        properties.push(format!("file={}", property(file)));
        properties.push(format!("line={}", at.line));
        properties.push(format!("endLine={}", at.end_line.max(at.line)));
        // Columns are for one line only.
        if at.line == at.end_line {
            properties.push(format!("col={}", at.column));
            properties.push(format!("endColumn={}", at.end_column));
        }
    }
    properties.push(format!("title={}", property(title)));
    writeln!(out, "::{level} {}::{}", properties.join(","), data(message))
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_one_line() {
        assert_eq!(data("50%\r\na:b"), "50%25%0D%0Aa:b");
        assert_eq!(property("a:b,c\n"), "a%3Ab%2Cc%0A");
    }
}
