//! JUnit XML, as dashboards read it: a suite a program, a test case a procedure. A violation is a
//! failure, what is unknown is skipped with its reason, and a program that cannot be read is an error.
//! Times are left out: what is printed repeats.

use std::io::{self, Write};

use super::{at, reason, violations};
use crate::model::{FileReport, ProcedureReport, Report};

/// Writes the document.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let all =
        report.files.iter().map(counts).fold([0; 4], |a, b| [0, 1, 2, 3].map(|i| a[i] + b[i]));
    writeln!(out, "<testsuites name=\"trellis\"{}>", attributes(all))?;
    for file in &report.files {
        let name = escaped(&file.file);
        writeln!(out, "  <testsuite name=\"{name}\"{}>", attributes(counts(file)))?;
        for procedure in &file.procedures {
            test_case(out, &name, procedure)?;
        }
        if let Some(text) = unreadable(file) {
            writeln!(out, "    <testcase classname=\"{name}\" name=\"(reading)\">")?;
            let text = escaped(&text);
            writeln!(out, "      <error message=\"{text}\" type=\"input\"/>\n    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Tests, failures, errors, skipped.
fn counts(file: &FileReport) -> [usize; 4] {
    let of = |wanted: &dyn Fn(&str) -> bool| {
        file.procedures.iter().filter(|p| wanted(p.verdict)).count()
    };
    let errors = usize::from(unreadable(file).is_some());
    let skipped = of(&|v| v == "unknown" || v == "no-invariant");
    [file.procedures.len() + errors, of(&|v| v == "violated"), errors, skipped]
}

fn attributes([tests, failures, errors, skipped]: [usize; 4]) -> String {
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

/// Why nothing was looked at, if so.
fn unreadable(file: &FileReport) -> Option<String> {
    let error = file.diagnostics.iter().find(|d| d.severity == "error")?;
    let place = error.span.as_ref().map(|s| format!("{}: ", at(s))).unwrap_or_default();
    file.procedures.is_empty().then(|| format!("{place}{}", error.message))
}

fn test_case(out: &mut dyn Write, file: &str, procedure: &ProcedureReport) -> io::Result<()> {
    let name = escaped(&procedure.name);
    let line = procedure.span.line;
    write!(
        out,
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{line}\""
    )?;
    if procedure.verdict == "verified" {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    // A test case fails once; further violations are part of the text.
    let mut text = String::new();
    for v in violations(procedure) {
        text.push_str(&format!("{}: {} ({})\n", at(&v.check.span), v.check.message, v.check.id));
        if let Some(command) = v.command {
            text.push_str(&format!("run it again: {command}\n"));
        }
        for step in v.trace {
            text.push_str(&format!("{}\n", at(&step.span)));
            step.drawing.iter().for_each(|l| text.push_str(&format!("    {l}\n")));
        }
    }
    match &procedure.check {
        Some(check) => {
            let message = escaped(&format!("{} at {}", check.message, at(&check.span)));
            let (kind, text) = (check.kind, escaped(&text));
            writeln!(out, "      <failure message=\"{message}\" type=\"{kind}\">{text}</failure>")?;
        }
        None => {
            let message = escaped(&format!("{}: {}", procedure.verdict, reason(procedure)));
            writeln!(out, "      <skipped message=\"{message}\"/>")?;
        }
    }
    writeln!(out, "    </testcase>")
}

/// Text in an element or an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            // XML has no other control characters.
            c if c.is_control() && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
