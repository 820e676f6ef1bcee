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
    /// The texts of the files.
    pub texts: Vec<String>,
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
        let at = task.keyword(&invariant.span);
        for formula in &invariant.formulas {
            let said_in_c = without_arrows(formula);
            let Some(at) = at.as_ref().filter(|_| is_c(&said_in_c)) else {
                unsaid += 1;
                continue;
            };
            let _ = writeln!(said, "    - invariant:\n        type: \"loop_invariant\"");
            location(&mut said, "        ", at, &procedure.name);
            let _ = writeln!(said, "        value: {}", quoted(&said_in_c));
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

impl Task {
    /// Where the keyword of a loop stands whose condition is at a place: what an invariant is about.
    /// Of a loop with its condition behind the body nothing is said.
    fn keyword(&self, condition: &Place) -> Option<Place> {
        let file = self.files.iter().position(|(name, _)| *name == condition.file)?;
        let text = self.texts.get(file)?;
        let begin: usize = text.split_inclusive('\n').take(condition.line - 1).map(str::len).sum();
        let line = text.get(begin..)?.lines().next()?;
        let offset: usize = line.chars().take(condition.column - 1).map(char::len_utf8).sum();
        let before = text.get(..begin + offset)?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words = ["while", "for"].into_iter().filter_map(|word| {
            let found = before.rmatch_indices(word).map(|(i, _)| i);
            let mut alone = found.filter(|i| {
                !before[..*i].ends_with(is_word) && !before[i + word.len()..].starts_with(is_word)
            });
            alone.next()
        });
        let at = words.max()?;
        let behind = text[at..].find('(').and_then(|open| closed(&text[at + open..]))?;
        // `while (c);`: this one ends a loop, or has no body.
        let ends = before[at..].starts_with("while") && behind.trim_start().starts_with(';');
        let start = before[..at].rfind('\n').map_or(0, |i| i + 1);
        (!ends).then(|| Place {
            line: before[..at].matches('\n').count() + 1,
            column: before[start..at].chars().count() + 1,
            ..condition.clone()
        })
    }
}

/// What follows the parenthesis that closes the first one.
fn closed(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[i + 1..]);
        }
    }
    None
}

/// A formula with C's words for implications and equivalences, which C does not have; its operands
/// are truth values.
fn without_arrows(formula: &str) -> String {
    for arrow in ["<==>", "==>"] {
        if let Some((left, right)) = split_outside(formula, arrow) {
            let (left, right) = (without_arrows(left.trim()), without_arrows(right.trim()));
            return match arrow {
                "==>" => format!("!({left}) || ({right})"),
                _ => format!("({left}) == ({right})"),
            };
        }
    }
    let Some(open) = formula.find('(').filter(|_| formula.contains("==>")) else {
        return formula.to_owned();
    };
    let Some(behind) = closed(&formula[open..]) else { return formula.to_owned() };
    let close = formula.len() - behind.len() - 1;
    let (before, inside) = (&formula[..=open], &formula[open + 1..close]);
    format!("{before}{}){}", without_arrows(inside), without_arrows(behind))
}

/// What stands before and behind the first arrow outside of all parentheses.
fn split_outside<'f>(formula: &'f str, arrow: &str) -> Option<(&'f str, &'f str)> {
    let mut depth = 0usize;
    for (i, c) in formula.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ if depth > 0 || !formula[i..].starts_with(arrow) => {}
            // The end of an equivalence is no implication.
            _ if arrow == "==>" && formula[..i].ends_with('<') => {}
            _ => return Some((&formula[..i], &formula[i + arrow.len()..])),
        }
    }
    None
}

/// Whether a formula is an expression of C, over variables of its procedure: shapes, patterns and
/// graphs are none, and neither is what speaks of calls or of what callees called their variables.
fn is_c(formula: &str) -> bool {
    let mut rest = formula.trim_start();
    // Whether an operand comes next, and how many parentheses are open.
    let (mut wants, mut open) = (true, 0usize);
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let operators =
            ["->", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%"];
        let length = match wants {
            true if word(first) => {
                wants = false;
                rest.find(|c| !word(c)).unwrap_or(rest.len())
            }
            true if first == '(' => {
                open += 1;
                1
            }
            true if "!-*&".contains(first) => 1,
            false if first == ')' && open > 0 => {
                open -= 1;
                1
            }
            false => match operators.iter().find(|o| rest.starts_with(**o)) {
                Some(operator) => {
                    wants = true;
                    operator.len()
                }
                None => return false,
            },
            true => return false,
        };
        rest = rest[length..].trim_start();
    }
    !wants && open == 0 && !formula.contains("==>")
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
        let others = [
            "reach(next, h, x)",
            "\\forall struct node *v; v == v",
            "a ==> b",
            "h → x",
            "x = y ->+ NULL, z = NULL",
            "last = null, i = 0, len = 0..2",
            "drop.inbox == NULL",
            "(a",
            "",
        ];
        for formula in others {
            assert!(!is_c(formula), "{formula}");
        }
    }

    #[test]
    fn arrows_are_told_in_c() {
        for (formula, in_c) in [
            ("a == b", "a == b"),
            ("a ==> b ==> c", "!(a) || (!(b) || (c))"),
            ("a == NULL <==> b || c", "(a == NULL) == (b || c)"),
            ("a ==> b <==> c", "(!(a) || (b)) == (c)"),
            ("a && (b ==> c) && (d || (e <==> f))", "a && (!(b) || (c)) && (d || ((e) == (f)))"),
        ] {
            assert_eq!(without_arrows(formula), in_c);
            assert!(is_c(in_c), "{in_c}");
        }
    }

    #[test]
    fn invariants_are_those_of_keywords() {
        let text = "int f(int n) {\n  for (int i = 0;\n       i < n; i++) g(i);\n  do g(0); while (n);\n}\n";
        let task = Task {
            files: vec![("a.c".to_owned(), String::new())],
            texts: vec![text.to_owned()],
            ..Task::default()
        };
        let at = |line, column| {
            let raw = trellis_program::Span::new(trellis_program::FileId(0), 0, 0);
            let (end_line, end_column) = (line, column + 1);
            let file = "a.c".to_owned();
            let found = task.keyword(&Place { file, line, column, end_line, end_column, raw });
            found.map(|p| (p.line, p.column))
        };
        assert_eq!(at(3, 8), Some((2, 3)));
        assert_eq!(at(4, 19), None);
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
