//! Running the system's C preprocessor.
//!
//! Comments are kept (`-C`), because contracts are comments. A file without directives needs no
//! preprocessor, so Trellis works without a compiler on such files.

use std::path::Path;
use std::process::{Command, Stdio};

use trellis_program::source::{Diagnostic, SourceMap, Span};

use crate::Options;

/// What is tried when neither the options nor `$CC` name a compiler.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// Preprocesses the file whose text is `text`.
///
/// # Errors
/// One diagnostic: no compiler, or the first error that the compiler reports.
pub fn preprocess(
    path: &Path,
    text: &str,
    options: &Options,
    sources: &mut SourceMap,
) -> Result<String, Diagnostic> {
    let from_env = std::env::var("CC").ok().filter(|s| !s.trim().is_empty());
    let named = options.cc.clone().or(from_env);
    let candidates: Vec<String> = match &named {
        Some(cc) => vec![cc.clone()],
        None => COMPILERS.iter().map(|s| (*s).to_owned()).collect(),
    };
    for cc in &candidates {
        // `CC` may hold a command with arguments, such as `ccache gcc`.
        let mut words = cc.split_whitespace();
        let Some(program) = words.next() else {
            continue;
        };
        let mut command = Command::new(program);
        command.args(words).args(["-E", "-C", "-std=gnu11", "-x", "c"]).env("LC_ALL", "C");
        for dir in &options.include_dirs {
            command.arg("-I").arg(dir);
        }
        for define in &options.defines {
            command.arg(format!("-D{define}"));
        }
        // A path that begins with `-` must not be taken for an option.
        if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
            command.arg(Path::new(".").join(path));
        } else {
            command.arg(path);
        }
        command.stdin(Stdio::null());
        match command.output() {
            Ok(out) if out.status.success() => {
                return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
            }
            Ok(out) => {
                let stderr = String::from_utf8_lossy(&out.stderr);
                return Err(compiler_error(&stderr, program, sources));
            }
            Err(_) => {}
        }
    }
    if !has_directives(text) {
        return Ok(text.to_owned());
    }
    Err(match named {
        Some(cc) => Diagnostic::plain_error(format!("cannot run the C compiler `{cc}`"))
            .with_help("name another one with the environment variable CC"),
        None => Diagnostic::plain_error(
            "no C compiler was found, and this file needs one to be preprocessed",
        )
        .with_help(
            "install the package `gcc` or `clang`, or preprocess the file to `.i` elsewhere",
        ),
    })
}

fn has_directives(text: &str) -> bool {
    text.lines().any(|l| l.trim_start().starts_with('#'))
}

/// The first error in what a compiler printed, as one diagnostic at its place.
fn compiler_error(stderr: &str, program: &str, sources: &mut SourceMap) -> Diagnostic {
    let Some((file, line, col, message)) = stderr.lines().find_map(error_line) else {
        let first = stderr.lines().next().unwrap_or("it printed nothing").trim();
        return Diagnostic::plain_error(format!("`{program} -E` failed: {first}"));
    };
    let missing = message
        .strip_suffix(": No such file or directory")
        .or(message.strip_suffix("' file not found").map(|m| m.trim_start_matches('\'')));
    let text = std::fs::read(file).unwrap_or_default();
    let id = sources.add(file, String::from_utf8_lossy(&text));
    let span = line_span(sources, id, line, col);
    let diagnostic = match missing {
        Some(header) => Diagnostic::error(span, format!("cannot find the header `{header}`"))
            .with_help("give the folder that holds it with `-I`"),
        None => Diagnostic::error(span, message.to_owned()),
    };
    diagnostic.with_label(if missing.is_some() { "included here" } else { "" })
}

/// `file:line:col: fatal error: message` (the column may be missing).
fn error_line(line: &str) -> Option<(&str, usize, usize, &str)> {
    let at =
        ["fatal error: ", "error: "].iter().find_map(|k| line.find(k).map(|i| (i, k.len())))?;
    let message = line[at.0 + at.1..].trim();
    let mut parts = line[..at.0].trim_end().trim_end_matches(':').rsplitn(3, ':');
    let (a, b, c) = (parts.next()?, parts.next()?, parts.next());
    match (a.trim().parse(), b.trim().parse(), c) {
        (Ok(col), Ok(line), Some(file)) => Some((file, line, col, message)),
        (Ok(line_no), Err(_), None) => Some((b, line_no, 1, message)),
        (Ok(line_no), Err(_), Some(_)) => {
            let file = &line[..line[..at.0].rfind(&format!(":{a}"))?];
            Some((file, line_no, 1, message))
        }
        _ => None,
    }
}

/// From a column of a line to the end of that line.
fn line_span(sources: &SourceMap, file: trellis_program::FileId, line: usize, col: usize) -> Span {
    let source = sources.file(file);
    let Some((start, end)) = source.line_range(line) else {
        return Span::new(file, 0, 0);
    };
    let text = &source.text[start as usize..end as usize];
    let from = col.saturating_sub(1).min(text.len());
    Span::new(file, start + from as u32, start + text.trim_end().len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_messages_are_read() {
        assert_eq!(
            error_line("a.c:3:10: fatal error: x.h: No such file or directory"),
            Some(("a.c", 3, 10, "x.h: No such file or directory"))
        );
        assert_eq!(error_line("dir/a.c:3: error: #error no"), Some(("dir/a.c", 3, 1, "#error no")));
        assert_eq!(error_line("compilation terminated."), None);
    }
}
