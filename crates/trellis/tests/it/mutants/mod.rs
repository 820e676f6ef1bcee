//! Every engine on programs of the tree, as they are and with a few tokens dropped, doubled, swapped or
//! changed.
//!
//! What must never happen: an internal error, a panic, a procedure that takes longer than its
//! budget, an error without a word, *verified* where exploration has a counterexample; and, of a
//! program as it is, an answer that its directives contradict.
//!
//! `TRELLIS_SLOW=1` tries 20,000 mutants; with `TRELLIS_RANDOM=FROM..TO` only those of these numbers.

mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use crate::differential::in_parallel;
use crate::examples::{c_files, truths};
use crate::{binary, root};
use trellis_testkit::generate::Tape;

const ENGINES: [&str; 9] = [
    "auto",
    "explore",
    "pdr-forall",
    "pdr-predicates",
    "sll",
    "canonical",
    "proveit",
    "bohne",
    "summaries",
];

/// The budget of a procedure, in seconds.
const TIME: &str = "1";
/// Seconds after which a procedure is late: the budget, the second that an answer may take when it
/// is over, and one for whatever else the machine does.
const LATE: f64 = 3.0;

/// A program of the tree and the options that its directives ask for, but for the engine.
struct Original {
    path: PathBuf,
    text: String,
    options: Vec<String>,
}

impl Original {
    fn read(path: PathBuf) -> Original {
        let text = fs::read_to_string(&path).expect("a text");
        let mut options = Vec::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("// test: ")) {
            let mut words = line.split_whitespace();
            while let Some(word) = words.next() {
                match word {
                    "--engine" => drop(words.next()),
                    word => options.push(word.to_owned()),
                }
            }
        }
        Original { path, text, options }
    }

    /// Verifies a variant of this program.
    fn verify(&self, file: &Path, engine: &str, more: &[&str]) -> Result<Value, String> {
        let mut command = binary();
        command.args(["verify", "--format", "json", "--threads", "1", "--timeout", TIME]);
        command.args(["--engine", engine]).args(&self.options).args(more);
        command.arg("-I").arg(self.path.parent().expect("a folder")).arg(file);
        let output = command.output().expect("the binary starts");
        let err = String::from_utf8_lossy(&output.stderr);
        if !matches!(output.status.code(), Some(0..=3)) || err.contains("internal error") {
            return Err(format!("{}: {err}", output.status));
        }
        serde_json::from_slice(&output.stdout).map_err(|e| format!("{e}: {err}"))
    }
}

/// The procedures of a report.
fn procedures(report: &Value) -> &[Value] {
    report["files"][0]["procedures"].as_array().map_or(&[], Vec::as_slice)
}

/// Verifies a variant and counts what was said; an error is what must not be.
fn judge(
    original: &Original,
    file: &Path,
    engine: &str,
    truths: &BTreeMap<String, bool>,
    mut count: impl FnMut(String),
) -> Result<(), String> {
    let report = original.verify(file, engine, &[])?;
    if report["exit_code"] == 2 {
        count("refused".to_owned());
        let said = report["files"][0]["diagnostics"].as_array().is_some_and(|d| !d.is_empty());
        return if said { Ok(()) } else { Err("refused without a word".to_owned()) };
    }
    let mut verified = Vec::new();
    for procedure in procedures(&report) {
        let name = procedure["name"].as_str().ok_or("a procedure without a name")?;
        let verdict = procedure["verdict"].as_str().ok_or("no verdict")?;
        // What an engine that `auto` asked had to say counts, too, whoever answered in the end.
        let attempts = procedure["attempts"].as_array().map_or(&[][..], Vec::as_slice);
        let mut reasons = attempts.iter().map(|a| &a["reason"]).chain([&procedure["reason"]]);
        if let Some(reason) = reasons.find(|r| r["kind"] == "internal") {
            return Err(format!("{name}: {}", reason["text"]));
        }
        let seconds = procedure["statistics"]["seconds"].as_f64().ok_or("no time")?;
        if seconds > LATE {
            return Err(format!("{name}: {seconds} seconds"));
        }
        if let (Some(safe), "verified" | "violated") = (truths.get(name), verdict)
            && *safe != (verdict == "verified")
        {
            return Err(format!("{name}: {verdict} against its directive"));
        }
        if verdict == "verified" {
            verified.extend(["--proc", name]);
        }
        count(format!("{engine}: {verdict}"));
    }
    if verified.is_empty() {
        return Ok(());
    }
    let explored = original.verify(file, "explore", &verified)?;
    match procedures(&explored).iter().find(|p| p["verdict"] == "violated") {
        Some(p) => Err(format!("{}: verified, but refuted: {}", p["name"], p["check"]["kind"])),
        None => Ok(()),
    }
}

/// What is given to an engine, and which one.
struct Variant<'a> {
    original: &'a Original,
    engine: &'static str,
    text: String,
}

/// The programs of the tree.
fn originals() -> Vec<Original> {
    let mut files = c_files(&root().join("examples"));
    files.extend(c_files(&root().join("benchmarks")));
    files.extend(c_files(&root().join("faults/programs")));
    files.into_iter().map(Original::read).collect()
}

/// Judges variants by number, side by side; counts what was said of them.
fn judge_all<'a>(
    count: usize,
    variant: &(dyn Fn(usize) -> Variant<'a> + Sync),
) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().expect("a folder");
    let tally = Mutex::new(BTreeMap::<String, usize>::new());
    let problems = Mutex::new(BTreeMap::new());
    let one = |number: usize| {
        let Variant { original, engine, text } = variant(number);
        let file = folder.path().join(format!("variant-{number}.c"));
        fs::write(&file, &text).expect("a file");
        let count = |what| *tally.lock().expect("no panic").entry(what).or_default() += 1;
        // Of a mutant nothing is known.
        let truths = if text == original.text { truths(&text) } else { BTreeMap::new() };
        if let Err(why) = judge(original, &file, engine, &truths, count) {
            let name = original.path.strip_prefix(root()).unwrap_or(&original.path);
            let report = format!("// number {number}, {}, {engine}: {why}\n{text}", name.display());
            println!("{report}");
            problems.lock().expect("no panic").insert(number, report);
        }
        fs::remove_file(&file).expect("the file is there");
    };
    in_parallel(count, one);
    let tally = tally.into_inner().expect("no panic");
    println!("{count} programs:");
    tally.iter().for_each(|(what, n)| println!("{n:6} {what}"));
    let problems: Vec<String> = problems.into_inner().expect("no panic").into_values().collect();
    assert!(problems.is_empty(), "{} programs:\n{}", problems.len(), problems.join("\n"));
    tally
}

#[test]
fn mutants_do_no_harm() {
    let seeds = crate::seeds(if crate::slow() { 20_000 } else { 250 });
    let count = seeds.len();
    let originals = originals();
    let tally = judge_all(count, &|number| {
        let mut tape = Tape::Seeded((seeds.start + number) as u64);
        let original = &originals[tape.below(originals.len())];
        let engine = tape.pick(&ENGINES);
        let text = text::mutant(&original.text, &mut tape);
        Variant { original, engine, text }
    });
    // Mutants that no engine ever sees test nothing.
    let refused = tally.get("refused").copied().unwrap_or(0);
    assert!(refused * 5 <= count * 4, "{refused} of {count} are no C");
}

/// Every engine on every program, also on those that it is not expected to follow; a sample, if not
/// in the slow tier.
#[test]
fn no_engine_does_harm_to_programs_as_they_are() {
    let originals = originals();
    let step = if crate::slow() { 1 } else { 47 };
    let pairs = originals.len() * ENGINES.len();
    judge_all(pairs.div_ceil(step), &|number| {
        let pair = number * step;
        let original = &originals[pair / ENGINES.len()];
        let engine = ENGINES[pair % ENGINES.len()];
        Variant { original, engine, text: original.text.clone() }
    });
}
