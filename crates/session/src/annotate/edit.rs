//! Where invariants stand in a text.
//!
//! An invariant stands on lines of its own before its loop, or in a comment right before it where
//! something else stands on that line. Nothing else of the text changes.

use std::collections::BTreeSet;
use std::ops::Range;

use trellis_driver::LoopInvariant;
use trellis_program::cfg::loop_heads;
use trellis_program::{ProcId, Procedure, Program, SourceMap, Span, Unit};

use crate::request::Source;

/// Columns of a line with an invariant.
const WIDTH: usize = 100;

/// A loop of the source.
pub(super) struct Loop {
    /// What engines call its place.
    places: Vec<Span>,
    /// Its statement, if there is one: `goto` and macros make loops, too.
    statement: Option<Span>,
}

/// Invariants for a loop.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    /// The loop statement.
    pub(super) at: Span,
    pub(super) formulas: Vec<String>,
}

/// The places of the loop heads of a procedure.
pub(super) fn heads(procedure: &Procedure) -> Vec<Span> {
    let Some(body) = &procedure.body else { return Vec::new() };
    loop_heads(body).into_iter().map(|head| body.block(head).term_span).collect()
}

/// The loops of a procedure, in the order of the source.
pub(super) fn loops(program: &Program, proc: Option<ProcId>) -> Vec<Loop> {
    let Some(body) = proc.and_then(|p| program.body(p)) else { return Vec::new() };
    let mut out = Vec::new();
    for head in loop_heads(body) {
        let block = body.block(head);
        let inside = block.term_span;
        let text = &program.sources.file(inside.file).text;
        let statement =
            statement(text, inside.start as usize).map(|at| Span { start: at as u32, ..inside });
        out.push(Loop { places: vec![inside, block.span_at(0)], statement });
    }
    out.sort_by_key(|l| l.places[0]);
    out
}

/// Where the loop statement begins that a place is in: at the place itself, before the parenthesis
/// around it, or before the brace of the body that it is in. The text after it must be read again to
/// be sure.
fn statement(text: &str, at: usize) -> Option<usize> {
    if let Some(found) = ["while", "for", "do"].iter().find_map(|word| word_at(text, at, word)) {
        return Some(found);
    }
    let mut at = at;
    loop {
        let open = enclosing(&text[..at])?;
        let before = text[..open].trim_end();
        let found = match (text[open..].starts_with('{'), before.strip_suffix(')')) {
            (false, _) => ending(before, &["while", "for"]),
            (true, Some(inside)) => {
                let head = text[..enclosing(inside)?].trim_end();
                return ending(head, &["while", "for"]);
            }
            (true, None) => return ending(before, &["do"]),
        };
        if found.is_some() {
            return found;
        }
        at = open;
    }
}

/// The last bracket of a text that is not closed in it.
fn enclosing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices().rev() {
        match c {
            ')' | '}' => depth += 1,
            '(' | '{' if depth == 0 => return Some(i),
            '(' | '{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where the word begins that a text ends with, if it is one of these.
fn ending(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().find_map(|word| word_at(text, text.strip_suffix(word)?.len(), word))
}

/// The place of a word, if it stands there and is not a part of another one.
fn word_at(text: &str, at: usize, word: &str) -> Option<usize> {
    let after = text[at..].strip_prefix(word)?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let apart = !text[..at].ends_with(is_word) && !after.starts_with(is_word);
    apart.then_some(at)
}

/// What invariants say of loops, as proposals.
///
/// # Errors
/// If a loop has no place for one.
pub(super) fn proposals(
    program: &Program,
    own: &[Loop],
    invariants: &[LoopInvariant],
) -> Result<Vec<Proposal>, String> {
    let mut out = Vec::new();
    for one in own {
        let line = program.sources.line_col(one.places[0]).0;
        let at = one.statement.ok_or(format!("the loop at line {line} has no statement"))?;
        out.push(Proposal { at, formulas: said_of(one, invariants) });
    }
    Ok(out)
}

/// What invariants say of a loop.
fn said_of(one: &Loop, invariants: &[LoopInvariant]) -> Vec<String> {
    let found = invariants.iter().filter(|i| one.places.contains(&i.place));
    let mut formulas: Vec<String> = found.flat_map(|i| i.contract.clone()).collect();
    formulas.dedup();
    formulas
}

/// Adds what invariants say of the same loops in another text; whether there was anything new.
pub(super) fn add(
    proposals: &mut [Proposal],
    loops: &[Loop],
    invariants: &[LoopInvariant],
) -> bool {
    let mut any = false;
    for (proposal, one) in proposals.iter_mut().zip(loops) {
        for formula in said_of(one, invariants) {
            if !proposal.formulas.contains(&formula) {
                proposal.formulas.push(formula);
                any = true;
            }
        }
    }
    any
}

/// Takes formulas away, by proposal and number; nothing if there are none to take.
pub(super) fn remove(proposals: &mut [Proposal], which: &[(usize, usize)]) -> Option<()> {
    let which: BTreeSet<(usize, usize)> = which.iter().copied().collect();
    for (p, proposal) in proposals.iter_mut().enumerate() {
        let mut f = 0..;
        proposal.formulas.retain(|_| !which.contains(&(p, f.next().unwrap_or(0))));
    }
    (!which.is_empty()).then_some(())
}

/// Keeps these formulas only, and every proposal.
pub(super) fn only(proposals: &mut [Proposal], which: &[(usize, usize)]) {
    for (p, proposal) in proposals.iter_mut().enumerate() {
        let mut f = 0..;
        proposal.formulas.retain(|_| which.contains(&(p, f.next().unwrap_or(0))));
    }
}

/// Keeps these formulas, and proposals that have one. Where none is needed at all, one that says nothing shows that.
pub(super) fn keep(proposals: &mut Vec<Proposal>, which: &[(usize, usize)]) {
    only(proposals, which);
    if which.is_empty() {
        proposals.truncate(1);
        proposals.iter_mut().for_each(|p| p.formulas.push("\\true".to_owned()));
    }
    proposals.retain(|p| !p.formulas.is_empty());
    for proposal in proposals {
        proposal.formulas.sort_by_key(|f| (f.starts_with("\\forall"), f.len()));
    }
}

/// Everything that is to be put into the files of a program.
#[derive(Clone, Default, Debug)]
pub(super) struct Proposals(pub(super) Vec<Proposal>);

/// Where formulas stand in texts that have them.
pub(super) struct Written {
    /// The file, and by proposal the ranges of its formulas.
    places: Vec<(String, Vec<Range<usize>>)>,
}

impl Written {
    /// The proposal and the number of the formula at a place of a program.
    pub(super) fn find(&self, program: &Program, span: Span) -> Option<(usize, usize)> {
        self.find_in(&program.sources, span)
    }

    /// The same where there is no program.
    pub(super) fn find_in(&self, sources: &SourceMap, span: Span) -> Option<(usize, usize)> {
        let name = &sources.file(span.file).name;
        let start = span.start as usize;
        self.places.iter().enumerate().find_map(|(p, (file, ranges))| {
            let f = ranges.iter().position(|r| r.contains(&start))?;
            (file == name).then_some((p, f))
        })
    }
}

impl Proposals {
    /// These and more.
    pub(super) fn with(&self, more: &[Proposal]) -> Proposals {
        Proposals(self.0.iter().chain(more).cloned().collect())
    }

    /// The source with all of them in it.
    ///
    /// # Errors
    /// If a file is not what was read.
    pub(super) fn apply(&self, source: &Source, unit: &Unit) -> Result<(Source, Written), String> {
        let mut written = Written { places: vec![(String::new(), Vec::new()); self.0.len()] };
        let mut parts = Vec::new();
        for part in source.all() {
            let name = part.path().display().to_string();
            let sources = &unit.program.sources;
            let here = |p: &&(usize, &Proposal)| sources.file(p.1.at.file).name == name;
            let all: Vec<(usize, &Proposal)> = self.0.iter().enumerate().collect();
            let mut here: Vec<(usize, &Proposal)> = all.iter().filter(here).copied().collect();
            let Some((_, first)) = here.first() else {
                parts.push(part.clone());
                continue;
            };
            let text = &sources.file(first.at.file).text;
            let on_disk = std::fs::read(part.path()).map_err(|e| format!("{name}: {e}"))?;
            if on_disk != text.as_bytes() {
                return Err(format!("`{name}` is not UTF-8, or has changed"));
            }
            here.sort_by_key(|(_, p)| p.at.start);
            let mut out = String::new();
            let mut copied = 0;
            for (number, proposal) in here {
                let at = proposal.at.start as usize;
                let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
                let before = &text[line..at];
                let ranges = if before.trim().is_empty() {
                    out.push_str(&text[copied..line]);
                    copied = line;
                    lines(&mut out, before, &proposal.formulas)
                } else {
                    out.push_str(&text[copied..at]);
                    copied = at;
                    comment(&mut out, &proposal.formulas)
                };
                written.places[number] = (name.clone(), ranges);
            }
            out.push_str(&text[copied..]);
            parts.push(Source::Bytes { name, bytes: out.into_bytes() });
        }
        let source = match parts.len() {
            1 => parts.remove(0),
            _ => Source::Program(parts),
        };
        Ok((source, written))
    }
}

/// Invariants on lines of their own.
fn lines(out: &mut String, indent: &str, formulas: &[String]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for formula in formulas {
        out.push_str(indent);
        out.push_str("//@ loop invariant");
        let start = out.len();
        let mut column = indent.chars().count() + 18;
        for word in format!("{formula};").split(' ') {
            let length = word.chars().count() + 1;
            if column + length > WIDTH {
                out.push_str(&format!("\n{indent}//@    "));
                column = indent.chars().count() + 7;
            }
            out.push(' ');
            out.push_str(word);
            column += length;
        }
        ranges.push(start..out.len());
        out.push('\n');
    }
    ranges
}

/// Invariants in a comment.
fn comment(out: &mut String, formulas: &[String]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    out.push_str("/*@");
    for formula in formulas {
        out.push_str(" loop invariant ");
        let start = out.len();
        out.push_str(&format!("{formula};"));
        ranges.push(start..out.len());
    }
    out.push_str(" */ ");
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text before the loop that `@` is in.
    fn found(text: &str) -> Option<String> {
        let at = text.find('@').expect("a place");
        statement(text, at).map(|start| text[start..].chars().take(8).collect())
    }

    #[test]
    fn loops_are_found_from_inside() {
        assert_eq!(found("f(); while (@p != NULL) g();").as_deref(), Some("while (@"));
        assert_eq!(found("while (!(@p && q)) g();").as_deref(), Some("while (!"));
        assert_eq!(found("for (int i = f(1); @i < n; i++) {}").as_deref(), Some("for (int"));
        assert_eq!(found("do { if (@x) y(); } while (z);").as_deref(), Some("do { if "));
        assert_eq!(found("while (1) { g(); if (@x) y(); }").as_deref(), Some("while (1"));
        assert_eq!(found("void f(void) { again: if (@x) goto again; }"), None);
        assert_eq!(found("EACH(@p, list) g();"), None);
    }

    #[test]
    fn formulas_are_put_before_loops() {
        let mut out = String::new();
        let long = format!("{} ==> x != NULL", ["alloc(x)"; 12].join(" && "));
        let ranges = lines(&mut out, "    ", &["p == q".to_owned(), long]);
        assert!(out.lines().all(|l| l.starts_with("    //@ ") && l.len() <= WIDTH), "{out}");
        assert_eq!(out.lines().count(), 3, "{out}");
        assert_eq!(&out[ranges[0].clone()], " p == q;");
        let mut out = String::from("if (x) ");
        comment(&mut out, &["p == q".to_owned(), "\\true".to_owned()]);
        assert_eq!(out, "if (x) /*@ loop invariant p == q; loop invariant \\true; */ ");
    }
}
