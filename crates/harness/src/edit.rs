//! The user's text, with checks written into it.
//!
//! **Invariant.** An edit adds no line and takes none away, so that places in the text are the user's.

use trellis_program::{FileId, Program, SourceMap, Span};

/// A text to put in the place of another one.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Where.
    pub span: Span,
    /// What; of one line.
    pub text: String,
}

/// A file with edits.
pub fn edited(sources: &SourceMap, file: FileId, edits: &[Edit]) -> String {
    let mut text = sources.file(file).text.clone();
    let mut here: Vec<&Edit> = edits.iter().filter(|e| e.span.file == file).collect();
    here.sort_by_key(|e| std::cmp::Reverse(e.span.start));
    for edit in here {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

/// Before the annotation that a place lies in.
///
/// # Errors
/// If it lies in none.
pub fn before_annotation(sources: &SourceMap, at: Span) -> Result<Span, String> {
    let text = &sources.file(at.file).text;
    let before = text.get(..at.start as usize).unwrap_or("");
    let start = ["//@", "/*@"].into_iter().filter_map(|mark| before.rfind(mark)).max();
    let start = start.ok_or("the annotation was not found in the text")? as u32;
    Ok(Span::new(at.file, start, start))
}

/// Edits that make code of ghost annotations, each of which ends on its line or in its comment.
pub fn ghosts(sources: &SourceMap, file: FileId) -> Vec<Edit> {
    let text = &sources.file(file).text;
    let mut edits = Vec::new();
    let mut cut = |from: usize, to: usize| {
        let span = Span::new(file, from as u32, to as u32);
        edits.push(Edit { span, text: String::new() });
    };
    for (mark, end) in [("//@ ghost ", "\n"), ("/*@ ghost ", "*/")] {
        for (at, _) in text.match_indices(mark) {
            let code = at + mark.len();
            let Some(behind) = text[code..].find(end).map(|i| code + i) else { continue };
            if text[code..behind].trim_end().ends_with(';') {
                cut(at, code);
                if end == "*/" {
                    cut(behind, behind + end.len());
                }
            }
        }
    }
    edits
}

/// Where the condition of the loop begins that an annotation stands before.
///
/// # Errors
/// If there is no such loop with a condition in front.
pub fn loop_condition(sources: &SourceMap, at: Span) -> Result<Span, String> {
    let text = &sources.file(at.file).text;
    let missing = || "the loop of the invariant was not found in the text".to_owned();
    let tokens = Tokens { text, at: at.end as usize };
    let mut code = tokens.filter(|(_, c)| !c.is_whitespace()).map(|(i, _)| i);
    // What is left of the annotation is no code.
    let begins = |i: usize, word: &str| {
        let behind = text.get(i..).and_then(|t| t.strip_prefix(word));
        let before = text[..i].chars().next_back();
        behind.is_some_and(|t| !t.starts_with(is_part_of_name))
            && !before.is_some_and(is_part_of_name)
    };
    let loop_at = code.find(|i| begins(*i, "while") || begins(*i, "for")).ok_or_else(missing)?;
    let open = loop_at + text[loop_at..].find('(').ok_or_else(missing)?;
    let mut start = open + 1;
    if begins(loop_at, "for") {
        let mut depth = 0;
        let tokens = Tokens { text, at: start };
        let end = tokens.into_iter().find(|(_, c)| match c {
            '(' | '{' | '[' => {
                depth += 1;
                false
            }
            ')' | '}' | ']' => {
                depth -= 1;
                false
            }
            c => *c == ';' && depth == 0,
        });
        start = end.ok_or_else(missing)?.0 + 1;
        if text[start..].trim_start().starts_with(';') {
            return Err("the loop of the invariant has no condition".to_owned());
        }
    }
    Ok(Span::new(at.file, start as u32, start as u32))
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The characters of code, without comments, from a place on that may lie in a comment.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        loop {
            let rest = self.text.get(self.at..)?;
            let skipped = match () {
                () if rest.starts_with("//") => rest.find('\n')?,
                () if rest.starts_with("/*") => rest.find("*/")? + 2,
                () => break,
            };
            self.at += skipped;
        }
        let c = self.text[self.at..].chars().next()?;
        let i = self.at;
        self.at += c.len_utf8();
        Some((i, c))
    }
}

/// A definition that got another name.
#[derive(Clone, Debug)]
pub struct Renamed {
    /// The edit that does it.
    pub edit: Edit,
    /// The first line of a definition under the old name.
    pub head: String,
}

/// Gives the definition of a procedure another name, and declares it under both.
///
/// # Errors
/// If it is not written in a file of the user's in the usual way.
pub fn renamed(program: &Program, name: &str, at: Span, other: &str) -> Result<Renamed, String> {
    let text = &program.sources.file(at.file).text;
    let (start, end) = (at.start as usize, at.end as usize);
    let odd = || format!("the definition of `{name}` is not written in the usual way");
    if text.get(start..end) != Some(name) {
        return Err(odd());
    }
    let prefix = specifiers(&text[..start]);
    let open = end + text[end..].find('(').ok_or_else(odd)?;
    let mut depth = 0usize;
    let close = Tokens { text, at: open }.find(|(_, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let params = &text[open..=close.ok_or_else(odd)?.0];
    if prefix.is_empty() || params.contains("//") || !text[end..open].trim().is_empty() {
        return Err(odd());
    }
    let params = params.replace(['\n', '\r'], " ");
    let twice = format!("{other}{params}; __typeof__({other}) {name}; {prefix} {other}");
    let head = format!("{prefix} {name}{params}");
    Ok(Renamed { edit: Edit { span: at, text: twice }, head })
}

/// The type that stands before the name in a definition, on one line.
fn specifiers(before: &str) -> String {
    let fits = |c: char| is_part_of_name(c) || c.is_whitespace() || c == '*';
    let from = before.rfind(|c| !fits(c)).map_or(0, |i| i + 1);
    // A line that began with something else is a comment, or a directive.
    let ends = [";", "}", "*/"];
    let begins_here = from == 0 || ends.iter().any(|end| before[..from].ends_with(end));
    let lines = before[from..]
        .lines()
        .skip(usize::from(!begins_here))
        .filter(|l| !l.trim_start().starts_with('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Where the last pair of brackets of a call begins, which has its arguments.
pub fn last_brackets(call: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut last = None;
    for (i, c) in (Tokens { text: call, at: 0 }) {
        match c {
            '(' => open.push(i),
            ')' => last = Some((open.pop()?, i)),
            _ => {}
        }
    }
    let (from, to) = last?;
    (open.is_empty() && call[to + 1..].trim().is_empty()).then_some(from)
}

/// Whether the text defines a function.
pub fn defines(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(i, _)| {
        let alone = !text[..i].ends_with(is_part_of_name);
        let rest = text[i + name.len()..].trim_start();
        let behind = rest.strip_prefix('(').and_then(|r| Some(&r[r.find(')')? + 1..]));
        alone && behind.is_some_and(|b| b.trim_start().starts_with('{'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_gets_a_second_name() {
        let text = "#include <x.h>\n#define N 3\n/* c */\nstatic struct node *\npush(struct node *h,\n int k) { }\n";
        let mut program = Program::default();
        let file = program.sources.add("a.c", text);
        let at = text.find("push").expect("it is there") as u32;
        let span = Span::new(file, at, at + 4);
        let Renamed { edit, head } = renamed(&program, "push", span, "body").expect("usual");
        assert_eq!(head, "static struct node * push(struct node *h,  int k)");
        assert_eq!(
            edit.text,
            "body(struct node *h,  int k); __typeof__(body) push; static struct node * body"
        );
        assert_eq!(edited(&program.sources, file, &[edit]).lines().count(), text.lines().count());
    }

    #[test]
    fn specifiers_end_at_other_code() {
        assert_eq!(specifiers("int x;\nint "), "int");
        assert_eq!(specifiers("#define N 3\nstatic int "), "static int");
        assert_eq!(specifiers("} // the end\nvoid "), "void");
        assert_eq!(specifiers("/*@ c */ // the end\nvoid "), "void");
        assert_eq!(specifiers("#include <a.h>\n\nunsigned\nlong "), "unsigned long");
    }

    #[test]
    fn conditions_are_found_behind_invariants() {
        let check = |text: &str| {
            let mut sources = SourceMap::default();
            let file = sources.add("a.c", text);
            let at = text.find('F').expect("a formula") as u32;
            let found = loop_condition(&sources, Span::new(file, at, at + 1)).expect("a loop");
            text[found.start as usize..].to_owned()
        };
        assert_eq!(check("//@ loop invariant F;\nwhile (x) y;"), "x) y;");
        assert_eq!(check("/*@ loop invariant F; */ for (a(1;2); b; c) y;"), " b; c) y;");
    }

    #[test]
    fn ghosts_become_code() {
        let mut sources = SourceMap::default();
        let file = sources.add("a.c", "//@ ghost int a = 1;\n/*@ ghost a = 2; */ //@ ghost odd\n");
        let text = edited(&sources, file, &ghosts(&sources, file));
        assert_eq!(text, "int a = 1;\na = 2;  //@ ghost odd\n");
    }

    #[test]
    fn arguments_are_the_last_brackets() {
        assert_eq!(last_brackets("f(1, (2))"), Some(1));
        assert_eq!(last_brackets("find('*')(2, 3)"), Some(9));
        assert_eq!(last_brackets("f(1) + 2"), None);
        assert_eq!(last_brackets("f(1"), None);
    }

    #[test]
    fn definitions_are_told_from_calls() {
        assert!(defines("void reach_error(void)\n{ }", "reach_error"));
        assert!(!defines("void reach_error(void);\nint f() { reach_error(); }", "reach_error"));
        assert!(!defines("void my_reach_error(void) { }", "reach_error"));
    }
}
