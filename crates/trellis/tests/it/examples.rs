//! Every program under `examples/`, and every Java program under `benchmarks/`, does what its
//! directives say.
//!
//! [`trellis_suites::directives`] has what can be said. These are about the engine of the options;
//! without one about `explore`, and the default engine must not contradict them.
//!
//! Only procedures that are mentioned are verified. A violation counts only if the command that the
//! report offers fails at the same check.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;
use trellis_suites::directives::{Directives, Expectations, Expected};

use crate::{root, trellis};

/// What the directives of a text say of procedures, whoever looks at them: that they are safe, or
/// not.
pub fn truths(text: &str) -> BTreeMap<String, bool> {
    Directives::of(text).map(|d| d.truths()).unwrap_or_default()
}

/// The options, engine included, and the procedures of which a text says that they are violated.
pub fn violated(text: &str) -> (Vec<String>, Vec<String>) {
    let Ok(directives) = Directives::of(text) else { return Default::default() };
    let Directives { mut options, engine, expected, .. } = directives;
    options.extend(["--engine".to_owned(), engine.unwrap_or_else(|| "explore".to_owned())]);
    let violated = |(proc, expected)| matches!(expected, Expected::Violated(_)).then_some(proc);
    (options, expected.into_iter().filter_map(violated).collect())
}

/// What is wrong with one example, if anything is.
fn problem(path: &Path) -> Result<(), String> {
    let name = path.strip_prefix(root()).expect("examples are in the workspace");
    let name = name.to_str().expect("a UTF-8 name");
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let directives = Directives::of(&text)?;
    let strict = |engine: &str, expected: &Expectations| {
        run(name, &directives, expected, &["--engine", engine], false)
            .map_err(|e| format!("{engine}: {e}"))
    };
    let Directives { engine, expected, of_engines, .. } = &directives;
    if !expected.is_empty() {
        if engine.is_none() {
            let default = ["--engine", "auto", "--timeout", "5s"];
            run(name, &directives, expected, &default, true).map_err(|e| format!("auto: {e}"))?;
        }
        strict(engine.as_deref().unwrap_or("explore"), expected)?;
    }
    of_engines.iter().try_for_each(|(engine, expected)| strict(engine, expected))
}

/// What is wrong with what an engine says. The default one may do better than it has to, but has no
/// time in a test to prove everything.
fn run(
    name: &str,
    directives: &Directives,
    expected: &Expectations,
    engine: &[&str],
    is_default: bool,
) -> Result<(), String> {
    let mut args = vec!["verify", name, "--format", "json", "--threads", "1"];
    args.extend(directives.options.iter().map(String::as_str));
    args.extend(engine);
    for proc in expected.keys() {
        args.extend(["--proc", proc.as_str()]);
    }
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out)
        .map_err(|e| format!("exit code {:?}, {e}: {}{}", ran.code, ran.out, ran.err))?;
    let file = &report["files"][0];
    let procedures = file["procedures"].as_array().ok_or("no procedures")?;
    let mut verdicts = Vec::new();
    for (proc, expected) in expected {
        let found = procedures.iter().find(|p| p["name"] == proc.as_str());
        let found = found.ok_or_else(|| format!("{proc}: no verdict; {}", file["diagnostics"]))?;
        verdicts.push(found["verdict"].as_str().unwrap_or_default());
        match expected {
            Expected::Safe if is_default => expect_not_violated(found),
            Expected::Unknown(_) if is_default => expect_not_violated(found),
            Expected::Safe => expect_safe(found),
            Expected::Verified => expect_verdict(found, "verified"),
            Expected::NoInvariant => expect_verdict(found, "no-invariant"),
            Expected::Violated(kind) => expect_violated(found, kind, &directives.bugs),
            Expected::Unknown(kind) if found["reason"]["kind"] == kind.as_str() => Ok(()),
            Expected::Unknown(kind) => Err(format!("expected {kind}, found {}", summary(found))),
        }
        .map_err(|e| format!("{proc}: {e}"))?;
    }
    let code = match verdicts.contains(&"violated") {
        true => 1,
        false if verdicts.iter().all(|v| *v == "verified") => 0,
        false => 3,
    };
    if ran.code != Some(code) {
        return Err(format!("exit code {:?} instead of {code}", ran.code));
    }
    Ok(())
}

fn expect_safe(found: &Value) -> Result<(), String> {
    let bounded = found["verdict"] == "unknown" && found["reason"]["kind"] == "bounded";
    if found["verdict"] == "verified" || bounded {
        return Ok(());
    }
    Err(format!("expected safe, found {}", summary(found)))
}

fn expect_not_violated(found: &Value) -> Result<(), String> {
    let internal = found["reason"]["kind"] == "internal";
    match found["verdict"] == "violated" || internal {
        true => Err(format!("expected nothing wrong, found {}", summary(found))),
        false => Ok(()),
    }
}

fn expect_verdict(found: &Value, verdict: &str) -> Result<(), String> {
    if found["verdict"] == verdict {
        return Ok(());
    }
    Err(format!("expected {verdict}, found {}", summary(found)))
}

fn expect_violated(found: &Value, kind: &str, bugs: &[usize]) -> Result<(), String> {
    if found["verdict"] != "violated" || found["check"]["kind"] != kind {
        return Err(format!("expected violated {kind}, found {}", summary(found)));
    }
    let check = &found["check"];
    let line = |place: &Value| place["line"].as_u64().unwrap_or(0) as usize;
    // A contract clause is reported where it stands, and related to the `return`.
    let related = check["related"].as_array().into_iter().flatten();
    let lines: Vec<usize> =
        std::iter::once(&check["span"]).chain(related.map(|r| &r["span"])).map(line).collect();
    if !lines.iter().any(|l| bugs.contains(l)) {
        return Err(format!("fails at line {}, BUG is at {bugs:?}", lines[0]));
    }
    replays(found)
}

/// The command of the report fails at the same check.
fn replays(found: &Value) -> Result<(), String> {
    let command = found["command"].as_str().ok_or("no command")?;
    let words = shell_words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut args = words[1..].to_vec();
    args.extend(["--format", "json"]);
    let ran = trellis(&args);
    let report: Value =
        serde_json::from_str(&ran.out).map_err(|e| format!("{command}: {e}: {}", ran.err))?;
    let check = &report["run"]["check"];
    if check["id"] != found["check"]["id"] {
        let end = &report["run"]["text"];
        return Err(format!("{command}: ends differently: {end} {}", report["diagnostics"]));
    }
    Ok(())
}

/// Splits a command as a shell does, single quotes included.
pub fn shell_words(command: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\'' => word.get_or_insert_default().extend(chars.by_ref().take_while(|c| *c != '\'')),
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn summary(found: &Value) -> String {
    let text = |v: &Value| v.as_str().unwrap_or("").to_owned();
    let check = &found["check"];
    let line = &check["span"]["line"];
    match found["verdict"].as_str() {
        Some("violated") => format!("violated {} at line {line}", text(&check["kind"])),
        _ => format!("{}: {}", text(&found["verdict"]), text(&found["reason"]["text"])),
    }
}

/// Every C file below a folder, sorted.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    files_of(folder, "c")
}

/// Every file below a folder whose name ends so, sorted.
fn files_of(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_example_does_what_it_says() {
    let files = c_files(&root().join("examples"));
    assert!(files.len() >= 40, "only {} examples", files.len());
    do_what_they_say(&files);
}

/// The Java programs of *Symbolic Shape Analysis* and more, each with a buggy twin.
#[test]
fn every_java_program_does_what_it_says() {
    let files = files_of(&root().join("benchmarks"), "java");
    let is_twin = |f: &PathBuf| f.to_str().is_some_and(|f| f.ends_with("-bug.java"));
    let (twins, programs): (Vec<PathBuf>, Vec<PathBuf>) = files.iter().cloned().partition(is_twin);
    assert!(programs.len() >= 17, "only {} programs", programs.len());
    // A program with two assignments exchanged has the twin of the one that it was made from.
    let is_copy = |f: &&PathBuf| f.to_str().is_some_and(|f| f.ends_with("-swapped.java"));
    for program in programs.iter().filter(|f| !is_copy(f)) {
        let name = program.display().to_string().replace(".java", "-bug.java");
        assert!(twins.contains(&PathBuf::from(&name)), "{name} is missing");
    }
    do_what_they_say(&files);
}

fn do_what_they_say(files: &[PathBuf]) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = problem(path) {
                        failures.lock().expect("no panic").insert(path.clone(), why);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    let lines: Vec<String> = failures
        .iter()
        .map(|(path, why)| {
            let name = path.strip_prefix(root()).unwrap_or(path);
            format!("{}: {why}", name.display())
        })
        .collect();
    assert!(
        lines.is_empty(),
        "{} of {} examples fail:\n{}",
        lines.len(),
        files.len(),
        lines.join("\n")
    );
}

#[test]
fn shell_words_undo_quotes() {
    let words = shell_words(r"trellis run --heap 'h -> 1' 'it'\''s' ''");
    assert_eq!(words, ["trellis", "run", "--heap", "h -> 1", "it's", ""]);
}
