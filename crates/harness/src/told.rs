//! What C leaves open and a compiler decides, written into the user's text as the run decided it:
//! results of the library, the order of calls, values that were never written, and how much of a
//! struct a string may fill.
//!
//! **Invariant.** An edit only takes away choices that C leaves open, so whatever fails then may fail
//! in the text as it was.

use std::collections::BTreeSet;
use std::fmt::Write;

use trellis_program::cfg::visit_reads;
use trellis_program::checks::Point;
use trellis_program::concrete::{Failure, Finish, Scripted, Value};
use trellis_program::source::Role;
use trellis_program::{CheckKind, FileId, Instr, InstrKind, Reg, Span, Terminator};

use crate::declare::number;
use crate::edit::Edit;
use crate::record::Asker;
use crate::stubs::{GIVEN, leading_name};
use crate::write::Sheet;

/// What the world gives, so that there is nothing to ask the library for, and what is made of the
/// values that were chosen: a character comes with whether it is the end instead.
const WORLD: &[(&str, usize, &str)] = &[
    (
        "getchar",
        2,
        "({ int trellis_c = (unsigned char)trellis_input(); trellis_c - !!trellis_input(); })",
    ),
    (
        "getc",
        2,
        "({ int trellis_c = (unsigned char)trellis_input(); trellis_c - !!trellis_input(); })",
    ),
    (
        "fgetc",
        2,
        "({ int trellis_c = (unsigned char)trellis_input(); trellis_c - !!trellis_input(); })",
    ),
    ("__builtin_constant_p", 1, "(int)trellis_input()"),
];

/// Functions that write behind a pointer, with their parameters. Called with a limit, they notice the
/// end of a member; where the limit is not known, the sanitizer notices the end of the object.
const WRITERS: &[(&str, &str)] = &[
    ("strcpy", "d, s"),
    ("strcat", "d, s"),
    ("strncpy", "d, s, n"),
    ("strncat", "d, s, n"),
    ("memcpy", "d, s, n"),
    ("memmove", "d, s, n"),
    ("memset", "d, c, n"),
];

impl Sheet<'_> {
    /// Tells the compiled program what was chosen where it does not ask.
    ///
    /// # Errors
    /// What cannot be told, as a sentence.
    pub(crate) fn tell(&mut self, failure: &Failure) -> Result<(), String> {
        self.tell_results()?;
        self.tell_orders()?;
        match failure.kind {
            CheckKind::DivByZero | CheckKind::Overflow => self.tell_values(failure),
            CheckKind::Uninit => self.keep_branch(failure.point),
            _ => {}
        }
        Ok(())
    }

    /// Results of the library that its own code would choose.
    fn tell_results(&mut self) -> Result<(), String> {
        let mut places = BTreeSet::new();
        for input in self.noted.inputs.iter().filter(|i| i.asker == Asker::Code) {
            let call = self.program.sources.snippet(input.span);
            let name = leading_name(call);
            if !matches!(input.value, Value::Int(_) | Value::Null) {
                return Err(format!("`{name}` returns a pointer to an object"));
            }
            let given = name.starts_with("__VERIFIER_nondet")
                || GIVEN.iter().any(|(n, _)| *n == name)
                || self.own_texts().any(|t| t.contains(&format!("#define {name}")));
            if given || !places.insert(input.span) {
                continue;
            }
            let world = WORLD.iter().find(|(n, ..)| *n == name);
            let line = self.in_one_line(input.span).filter(|_| call.ends_with(')'));
            let values = self.chosen_at(input.span);
            let line = line.filter(|_| values == world.map_or(1, |(_, values, _)| *values));
            let Some(line) = line else {
                return Err(format!("what `{name}` returns cannot be told to it"));
            };
            let result = match world {
                Some((.., told)) => (*told).to_owned(),
                None => format!(
                    "({{ __typeof__({line}) trellis_real = {line}, trellis_told = \
                     (__typeof__({line}))trellis_input(); if (!trellis_real != !trellis_told) \
                     __builtin_exit(99); trellis_told; }})"
                ),
            };
            self.replace(input.span, result);
        }
        Ok(())
    }

    /// How many values are chosen at a place in the code.
    fn chosen_at(&self, span: Span) -> usize {
        let bodies = self.program.procs.iter().filter_map(|p| p.body.as_ref());
        let instrs = bodies.map(|b| b.blocks.iter().flat_map(|b| &b.instrs));
        let here = |i: &&Instr| i.span == span && matches!(i.kind, InstrKind::Havoc { .. });
        instrs.map(|all| all.filter(here).count()).max().unwrap_or(0)
    }

    /// Calls in the order in which they were made: whichever comes first makes all of them.
    fn tell_orders(&mut self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        for calls in &self.noted.orders {
            let mut lines = Vec::new();
            for call in calls {
                let name = leading_name(self.program.sources.snippet(*call));
                if !seen.insert(*call) {
                    return Err(format!(
                        "calls of `{name}` are made in an order of their own twice"
                    ));
                }
                let line = self.in_one_line(*call);
                lines.push(line.ok_or_else(|| format!("the order of `{name}` cannot be told"))?);
            }
            let mut made = String::new();
            for (i, line) in lines.iter().enumerate() {
                let _ = write!(made, "__typeof__({line}) trellis_r{i} = {line}; ");
            }
            for i in 0..lines.len() {
                let _ = write!(made, "trellis_ordered[{i}] = (long long)trellis_r{i}; ");
            }
            let most = lines.len();
            for (i, (call, line)) in calls.iter().zip(&lines).enumerate() {
                let text = format!(
                    "({{ if (!trellis_left) {{ {made}trellis_left = {most}; }} trellis_left--; \
                     (__typeof__({line}))trellis_ordered[{i}]; }})"
                );
                self.replace(*call, text);
            }
        }
        Ok(())
    }

    /// Values for variables, and memory, that were never written, with which the operation fails.
    fn tell_values(&mut self, failure: &Failure) {
        let Some(instr) = self.program.instr_at(failure.point) else { return };
        let mut unknown = BTreeSet::new();
        visit_reads(&instr.kind, &mut |r| {
            if self.noted.last.slot(r) == Value::Undef {
                unknown.insert(r);
            }
        });
        if unknown.is_empty() {
            return;
        }
        for value in [0, i64::from(i32::MIN), i64::from(i32::MAX), -1, 1, 64, i64::MIN, i64::MAX] {
            let mut state = self.noted.last.clone();
            if let Some(frame) = state.frames.last_mut() {
                frame.instr = failure.point.instr;
            }
            unknown.iter().for_each(|r| state.set(*r, Value::Int(value)));
            let finish = self.case.machine.step(&mut state, &mut Scripted::new(&[]));
            if !matches!(&finish, Some(Finish::Failed(f)) if f.kind == failure.kind) {
                continue;
            }
            for reg in unknown {
                let Reg::Local(v) = reg else { continue };
                let var = self.program.proc(failure.point.proc).var(v);
                match var.is_temp {
                    true => self.zeroed |= value == 0,
                    false => self.begin_with(var.span, value),
                }
            }
            return;
        }
    }

    /// Lets a variable that is declared without a value begin with one.
    fn begin_with(&mut self, declared: Span, value: i64) {
        let text = &self.program.sources.file(declared.file).text;
        let rest = text.get(declared.end as usize..).unwrap_or("").trim_start();
        let at = Span::new(declared.file, declared.end, declared.end);
        if rest.starts_with([';', ',']) && self.is_own(declared.file) {
            self.edits.push(Edit { span: at, text: format!(" = {}", number(value)) });
        }
    }

    /// A branch both ways of which go on alike is left out by compilers.
    fn keep_branch(&mut self, point: Point) {
        let Some(body) = self.program.body(point.proc) else { return };
        let block = body.block(point.block);
        let ends_here = point.instr as usize >= block.instrs.len();
        if !ends_here || !matches!(block.term, Terminator::Branch { .. }) {
            return;
        }
        let span = block.span_at(point.instr);
        let Some(line) = self.in_one_line(span) else { return };
        // A part of a condition, or of a longer expression, stands in brackets of its own.
        let text = &self.program.sources.file(span.file).text;
        let before = text[..span.start as usize].trim_end();
        let after = text[span.end as usize..].trim_start();
        if before.ends_with('(')
            && after.starts_with(')')
            && before[..before.len() - 1].trim_end().ends_with("if")
        {
            let kept = format!(
                "({{ int trellis_c = !!({line}); if (trellis_c) __asm__ volatile(\"\"); trellis_c; }})"
            );
            self.replace(span, kept);
        }
    }

    /// Limits for what writes strings, where that is what failed: the sanitizers know whole objects
    /// only. The functions are those of the header, which comes first.
    pub(crate) fn limits(&self, out: &mut String) {
        const LIMIT: &str = "__builtin_object_size(d, 1)";
        let sources = &self.program.sources;
        let files = sources.ids().map(|f| sources.file(f)).filter(|f| f.role == Role::Own);
        let mut fails = files.filter(|f| f.name == self.case.file);
        let Some(text) = fails.next().map(|f| &f.text).filter(|t| t.contains("<string.h>")) else {
            return;
        };
        let line = text.lines().nth(self.case.line.saturating_sub(1)).unwrap_or("");
        let called = |name: &str| line.contains(&format!("{name}("));
        for (i, (name, with)) in WRITERS.iter().filter(|(name, _)| called(name)).enumerate() {
            out.push_str(if i == 0 { "#include <string.h>\n" } else { "" });
            let _ = writeln!(
                out,
                "#define {name}({with}) ({LIMIT} == (__SIZE_TYPE__)-1 ? ({name})({with}) : \
                 __builtin___{name}_chk({with}, {LIMIT}))"
            );
        }
    }

    /// The models of the library that chose something, as they are.
    pub(crate) fn models(&self) -> Vec<FileId> {
        let askers = self.noted.inputs.iter().filter_map(|i| match i.asker {
            Asker::Model(proc) => Some(self.program.proc(proc).span.file),
            Asker::Code | Asker::Order => None,
        });
        askers.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Names of their own for all functions of these models: those of the library stay what they are.
    pub(crate) fn model_names(&self, out: &mut String) {
        for file in self.models() {
            for line in self.program.sources.file(file).text.lines() {
                let is_head = line.starts_with(|c: char| c.is_ascii_alphabetic())
                    && !["static ", "typedef ", "struct "].iter().any(|w| line.starts_with(w));
                let Some(head) = line.split('(').next().filter(|h| is_head && h.len() < line.len())
                else {
                    continue;
                };
                let name = head.rsplit([' ', '*']).next().unwrap_or("");
                if !name.is_empty() && !["malloc", "calloc", "free"].contains(&name) {
                    let _ = writeln!(out, "#define {name} trellis_model_{name}");
                }
            }
        }
    }

    /// Whether a file is the user's.
    fn is_own(&self, file: FileId) -> bool {
        self.program.sources.file(file).role == Role::Own
    }

    /// Code of the user's on one line; none, if it has a comment.
    fn in_one_line(&self, span: Span) -> Option<String> {
        let text = self.program.sources.snippet(span);
        let plain = !text.is_empty() && !text.contains("//") && !text.contains("/*");
        (plain && self.is_own(span.file)).then(|| text.replace(['\n', '\r'], " "))
    }

    /// Puts code in the place of another, with as many lines.
    fn replace(&mut self, span: Span, text: String) {
        let lines = self.program.sources.snippet(span).matches('\n').count();
        self.edits.push(Edit { span, text: text + &"\n".repeat(lines) });
    }
}
