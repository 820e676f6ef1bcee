//! `-p compile_commands.json`: what a build says of how its files are preprocessed.
//!
//! Of every entry the options for the preprocessor are taken (`-I`, `-isystem`, `-iquote`,
//! `-idirafter`, `-D`, `-U`, `-include`, `-imacros`), with paths as the entry's `directory` has
//! them; whatever else a compiler is told says nothing about the program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use trellis_program::{Diagnostic, Failure, SourceMap, Span};
use trellis_session::CompileCommand;

use crate::input;

/// Options with a path behind them, in the same word or the next one.
const PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
/// Options with a name behind them.
const NAMES: [&str; 2] = ["-D", "-U"];
/// Options whose next word is no option.
const OTHERS: [&str; 6] = ["-o", "-x", "-MF", "-MT", "-MQ", "-arch"];

/// Reads the file, or the one of that name in a folder.
///
/// # Errors
/// If it cannot be read, or is no such file; with the place.
pub fn read(path: &Path) -> Result<Vec<CompileCommand>, Failure> {
    let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
    let name = path.display().to_string();
    let text = input::text_of(&path).map_err(|e| {
        Failure::plain(Diagnostic::plain_error(format!("cannot read `{name}`: {e}")))
    })?;
    let here = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    parse(&name, &text, here)
}

/// The entries of a text; relative folders are below `here`.
fn parse(name: &str, text: &str, here: &Path) -> Result<Vec<CompileCommand>, Failure> {
    let at = |line: usize, column: usize, message: String| {
        let mut sources = SourceMap::default();
        let file = sources.add(name, text);
        let (start, end) = sources.file(file).line_range(line.max(1)).unwrap_or((0, 0));
        let from = (start + column.saturating_sub(1) as u32).min(end);
        Failure::new(sources, Diagnostic::error(Span::new(file, from, end), message))
    };
    let whole: Value = serde_json::from_str(text)
        .map_err(|e| at(e.line(), e.column(), format!("this is no JSON: {e}")))?;
    let entries =
        whole.as_array().ok_or_else(|| at(1, 1, "a list of entries is expected".into()))?;
    let mut all = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let number = i + 1;
        // JSON values have no places; an entry is found by its braces.
        let wrong = |what: &str| {
            let (line, column) = place_of(text, i);
            at(line, column, format!("entry {number} {what}"))
        };
        let string = |key: &str| entry.get(key).and_then(Value::as_str);
        let directory = string("directory").ok_or_else(|| wrong("has no `directory`"))?;
        let file = string("file").ok_or_else(|| wrong("has no `file`"))?;
        let words = match (entry.get("arguments").and_then(Value::as_array), string("command")) {
            (Some(words), _) => words
                .iter()
                .map(|w| w.as_str().map(str::to_owned))
                .collect::<Option<Vec<String>>>()
                .ok_or_else(|| wrong("has `arguments` that are no strings"))?,
            (None, Some(command)) => {
                split(command).ok_or_else(|| wrong("has a `command` with an open quote"))?
            }
            (None, None) => return Err(wrong("has neither `arguments` nor `command`")),
        };
        let directory = here.join(directory);
        let (from, flags) = (PathBuf::from(name), flags(&words, &directory));
        all.push(CompileCommand { from, file: directory.join(file), flags });
    }
    Ok(all)
}

/// Line and column of the opening brace of an entry.
fn place_of(text: &str, entry: usize) -> (usize, usize) {
    let (mut depth, mut quoted, mut escaped, mut seen) = (0usize, false, false, 0usize);
    let (mut line, mut column) = (1, 0);
    for c in text.chars() {
        column += 1;
        match c {
            '\n' => (line, column) = (line + 1, 0),
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' if !quoted => {
                if depth == 0 {
                    if seen == entry {
                        return (line, column);
                    }
                    seen += 1;
                }
                depth += 1;
            }
            '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (1, 1)
}

/// The options for the preprocessor, in their order.
fn flags(words: &[String], directory: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        if OTHERS.contains(&word.as_str()) {
            rest.next();
            continue;
        }
        // `-include` begins like `-i…` and `-I` like none of them, so the longest name comes first.
        let named = |names: &[&'static str]| {
            names.iter().copied().filter(|n| word.starts_with(n)).max_by_key(|n| n.len())
        };
        let (option, is_path) = match (named(&PATHS), named(&NAMES)) {
            (Some(option), _) => (option, true),
            (None, Some(option)) => (option, false),
            (None, None) => continue,
        };
        let joined = &word[option.len()..];
        let value = match joined.is_empty() {
            true => rest.next().cloned(),
            false => Some(joined.to_owned()),
        };
        let Some(value) = value else { continue };
        let value = if is_path { placed(option, &value, directory) } else { value };
        out.extend([option.to_owned(), value]);
    }
    out
}

/// A path as it is from here. What is included before a file is also searched for like a header.
fn placed(option: &str, value: &str, directory: &Path) -> String {
    let path = directory.join(value);
    match option.starts_with("-include") || option == "-imacros" {
        true if !path.exists() => value.to_owned(),
        _ => path.display().to_string(),
    }
}

/// The words of a command, as a POSIX shell takes them apart; `None` if a quote is not closed.
fn split(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut begun) = (Vec::new(), String::new(), false);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {
                if std::mem::take(&mut begun) {
                    words.push(std::mem::take(&mut word));
                }
            }
            '\'' => {
                begun = true;
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                begun = true;
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => match chars.next()? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '\\' => {
                begun = true;
                word.extend(chars.next());
            }
            c => {
                begun = true;
                word.push(c);
            }
        }
    }
    if begun {
        words.push(word);
    }
    Some(words)
}

/// The files of all entries, each once.
pub fn files(commands: &[CompileCommand]) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    let is_c = |file: &&PathBuf| file.extension().is_some_and(|e| e == "c" || e == "i");
    let files = commands.iter().map(|c| &c.file).filter(is_c);
    files.filter(|&file| seen.insert(file)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_apart_as_shells_do() {
        let words = split(r#"cc -DA=\"x\" '-DB=a b' "-I in c" -o x.o  x.c"#);
        let expected = ["cc", r#"-DA="x""#, "-DB=a b", "-I in c", "-o", "x.o", "x.c"];
        assert_eq!(words, Some(expected.map(str::to_owned).to_vec()));
        assert_eq!(split("cc 'x"), None);
    }

    #[test]
    fn only_options_of_the_preprocessor_are_kept() {
        let words = ["cc", "-O2", "-Iinc", "-I", "/abs", "-isystem", "sys", "-DX=1", "-U", "Y"];
        let more = ["-include", "nowhere.h", "-std=c99", "-o", "-Dnot", "-MF", "-Inot", "a.c"];
        let words: Vec<String> = words.iter().chain(&more).map(|w| (*w).to_owned()).collect();
        let kept = flags(&words, Path::new("/build"));
        let expected = [
            "-I",
            "/build/inc",
            "-I",
            "/abs",
            "-isystem",
            "/build/sys",
            "-D",
            "X=1",
            "-U",
            "Y",
            "-include",
            "nowhere.h",
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn both_forms_are_read_and_errors_have_places() {
        let here = Path::new("/here");
        let text = r#"[
  { "directory": "b", "file": "a.c", "arguments": ["cc", "-DA", "-c", "a.c"] },
  { "directory": "/c", "file": "/x/b.c", "command": "cc -DB=2 -c b.c" }
]"#;
        let all = parse("cc.json", text, here).expect("it is right");
        let files: Vec<_> = all.iter().map(|c| c.file.display().to_string()).collect();
        assert_eq!(files, ["/here/b/a.c", "/x/b.c"]);
        assert_eq!(all[1].flags, ["-D", "B=2"]);
        let place = |text: &str| {
            let bad = parse("cc.json", text, here).expect_err("it is wrong");
            let d = &bad.diagnostics[0];
            (bad.sources.locate(d.span.expect("a place")), d.message.clone())
        };
        let (at, message) = place("[\n  { \"file\": \"a.c\" }\n]");
        assert_eq!((at.as_str(), message.as_str()), ("cc.json:2:3", "entry 1 has no `directory`"));
        assert_eq!(place("[\n {,}\n]").0, "cc.json:2:3");
        assert_eq!(place("{}").1, "a list of entries is expected");
    }
}
