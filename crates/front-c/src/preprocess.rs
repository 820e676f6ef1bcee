//! Running the system's C preprocessor.
//!
//! Comments are kept (`-C`), because contracts are comments. A file without directives needs no
//! preprocessor, so Trellis works without a compiler on such files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use trellis_program::source::{Diagnostic, SourceMap, Span};
use trellis_program::types::DataModel;
use trellis_program::unit::{decode, decode_with};

use crate::Options;

/// What is tried when neither the options nor `$CC` name a compiler.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// What the compiler is given.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// A file, which it reads itself.
    File(&'a Path),
    /// Standard input.
    Input,
    /// Standard input in place of what a file holds.
    Instead(&'a Path),
}

/// Preprocesses the source whose bytes are `bytes`.
///
/// # Errors
/// No compiler, or what the compiler has against it.
pub fn preprocess(
    given: Given<'_>,
    bytes: &[u8],
    options: &Options,
) -> Result<Preprocessed, Complaint> {
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
        command.args(words.clone()).args(["-E", "-C", "-std=gnu11", "-x", "c"]).env("LC_ALL", "C");
        if options.data_model == DataModel::Ilp32 {
            command.arg("-m32");
        }
        // The characters of <ctype.h> by functions, not by tables of the library.
        command.arg("-D__NO_CTYPE");
        if let (Given::File(path) | Given::Instead(path), false) =
            (given, options.commands.is_empty())
        {
            command.args(options.flags_of(path));
        }
        for dir in &options.include_dirs {
            command.arg("-I").arg(dir);
        }
        for define in &options.defines {
            command.arg(format!("-D{define}"));
        }
        for file in &options.preincludes {
            command.arg("-include").arg(file);
        }
        match given {
            // A path that begins with `-` must not be taken for an option.
            Given::File(path) if path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
                command.arg(Path::new(".").join(path));
            }
            Given::File(path) => drop(command.arg(path)),
            Given::Input => drop(command.arg("-")),
            Given::Instead(path) => {
                let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
                command.arg("-iquote").arg(folder.unwrap_or(Path::new("."))).arg("-");
            }
        }
        let mut result = output(&mut command, given, bytes);
        if options.data_model == DataModel::Ilp32
            && result.as_ref().is_ok_and(|out| !out.status.success())
            && let Some(headers) = Headers::of_64_bits(program, words)
        {
            command.arg("-idirafter").arg(&headers.own).arg("-idirafter").arg(&headers.machine);
            let again = output(&mut command, given, bytes);
            if again.as_ref().is_ok_and(|out| out.status.success()) {
                result = again;
            }
        }
        match result {
            Ok(out) if out.status.success() => {
                return Ok(Preprocessed::Lines(escape(&out.stdout)));
            }
            Ok(out) => {
                let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
                return Err(Complaint::Said { stderr, program: program.to_owned() });
            }
            Err(_) => {}
        }
    }
    let text = escape(bytes);
    if !has_directives(&text) {
        return Ok(Preprocessed::Verbatim(text));
    }
    Err(Complaint::Plain(match named {
        Some(cc) => Diagnostic::plain_error(format!("cannot run the C compiler `{cc}`"))
            .with_help("name another one with the environment variable CC"),
        None => Diagnostic::plain_error(
            "no C compiler was found, and this file needs one to be preprocessed",
        )
        .with_help(
            "install the package `gcc` or `clang`, or preprocess the file to `.i` elsewhere",
        ),
    }))
}

/// Why a source cannot be preprocessed.
#[derive(Debug)]
pub enum Complaint {
    /// What a compiler has printed.
    Said {
        /// On its standard error.
        stderr: String,
        /// The compiler.
        program: String,
    },
    /// Something else.
    Plain(Diagnostic),
}

impl Complaint {
    /// As one diagnostic: of a compiler, its first error.
    pub fn diagnostic(self, sources: &mut SourceMap) -> Diagnostic {
        match self {
            Complaint::Said { stderr, program } => compiler_error(&stderr, &program, sources),
            Complaint::Plain(diagnostic) => diagnostic,
        }
    }
}

/// Where the headers of the 64-bit library are, for compilers without those of 32 bits: they are
/// written for both, but for a list of functions that are missing in the library.
struct Headers {
    /// Those that depend on the machine.
    machine: PathBuf,
    /// A scratch folder with that list, empty.
    own: PathBuf,
}

impl Headers {
    fn of_64_bits<'w>(program: &str, words: impl Iterator<Item = &'w str>) -> Option<Headers> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let out = Command::new(program).args(words).arg("-print-multiarch").output().ok()?;
        let name = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        let machine = Path::new("/usr/include").join(name);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let own = format!("trellis-headers-{}-{number}", std::process::id());
        let headers = Headers { machine, own: std::env::temp_dir().join(own) };
        std::fs::create_dir_all(headers.own.join("gnu")).ok()?;
        std::fs::write(headers.own.join("gnu/stubs-32.h"), "").ok()?;
        Some(headers)
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // Nobody else has it, and nobody misses it.
        let _ = std::fs::remove_dir_all(&self.own);
    }
}

/// What became of a source.
#[derive(Debug)]
pub enum Preprocessed {
    /// Text with line markers.
    Lines(String),
    /// The text as it was: no compiler was there, and none is needed.
    Verbatim(String),
}

/// Runs the compiler, and gives it what it reads from its standard input.
fn output(command: &mut Command, given: Given<'_>, bytes: &[u8]) -> std::io::Result<Output> {
    if let Given::File(_) = given {
        return command.stdin(Stdio::null()).output();
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let input = child.stdin.take();
    // So the lines that follow are those of the file.
    let name = match given {
        Given::Instead(path) => format!("#line 1 \"{}\"\n", path.display()),
        Given::File(_) | Given::Input => String::new(),
    };
    // A thread of its own writes, since the compiler may want to be read before it goes on.
    std::thread::scope(|scope| {
        scope.spawn(move || {
            input.map(|mut to| to.write_all(name.as_bytes()).and_then(|()| to.write_all(bytes)))
        });
        child.wait_with_output()
    })
}

/// The text that a parser can read of bytes: those of a line that is not UTF-8 are written as
/// escape sequences, which mean the same in literals and are harmless in comments.
pub fn escape(bytes: &[u8]) -> String {
    decode_with(bytes, |b, out| {
        let backslashes = out.len() - out.trim_end_matches('\\').len();
        match backslashes % 2 {
            0 => out.push_str(&format!("\\{b:03o}")),
            // It is escaped itself, which no sequence can be: nobody reads this.
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
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
    let id = match sources.find(file) {
        Some(id) => id,
        None => sources.add(file, decode(&std::fs::read(file).unwrap_or_default())),
    };
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
    fn bytes_of_other_encodings_become_escapes() {
        assert_eq!(escape("\"é\"\n".as_bytes()), "\"é\"\n");
        assert_eq!(
            escape(b"\"\xe91\" /* \xe9 */\n\"\\\xe9\""),
            "\"\\3511\" /* \\351 */\n\"\\\u{fffd}\""
        );
    }

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
