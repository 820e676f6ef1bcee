//! The workspace keeps its promises: one-way dependencies, a manual without holes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use trellis_program::CheckKind;

use crate::{root, trellis};

/// What each crate may depend on, as in ARCHITECTURE.md. `driver` may use every engine and the
/// certifier, but no front end and no report. Of `explore`, which runs the machine and proves
/// nothing, the certifier takes the small heaps.
const GRAPH: &[(&str, &[&str])] = &[
    ("logic", &[]),
    ("store", &[]),
    ("solver", &["logic"]),
    ("proofcheck", &["logic"]),
    ("epr", &["logic", "solver", "proofcheck"]),
    ("smtlib", &["logic", "solver"]),
    ("hol", &[]),
    ("program", &["logic", "hol"]),
    ("front-c", &["program"]),
    ("front-java", &["program", "hol"]),
    ("sequents", &["program", "hol"]),
    ("provers", &["sequents", "hol", "logic", "store"]),
    ("explore", &["program"]),
    ("transys", &["program", "logic", "solver"]),
    ("predicates", &["transys", "program", "logic", "solver"]),
    ("pdr", &["predicates", "transys", "program", "logic", "solver"]),
    (
        "bohne",
        &["sequents", "provers", "predicates", "transys", "program", "logic", "solver", "store"],
    ),
    ("shapes", &["program"]),
    ("patterns", &["program", "logic"]),
    ("graphs", &["program", "logic"]),
    (
        "certify",
        &[
            "sequents", "provers", "shapes", "patterns", "graphs", "transys", "program", "logic",
            "solver", "explore",
        ],
    ),
    ("sll", &["certify", "shapes", "transys", "program", "logic", "solver"]),
    ("canonical", &["shapes", "program", "logic"]),
    ("proveit", &["patterns", "program", "logic"]),
    ("summaries", &["graphs", "program"]),
    (
        "driver",
        &[
            "program",
            "logic",
            "solver",
            "epr",
            "transys",
            "certify",
            "explore",
            "pdr",
            "bohne",
            "sll",
            "canonical",
            "patterns",
            "graphs",
            "summaries",
            "proveit",
            "sequents",
            "provers",
            "store",
        ],
    ),
    ("harness", &["program"]),
    ("report", &["solver", "program", "logic", "certify", "driver"]),
    (
        "session",
        &[
            "solver",
            "epr",
            "smtlib",
            "front-c",
            "front-java",
            "program",
            "logic",
            "patterns",
            "proveit",
            "sequents",
            "provers",
            "certify",
            "driver",
            "harness",
            "report",
            "transys",
            "store",
        ],
    ),
    ("lsp", &["driver", "report", "session"]),
    ("web", &["report", "session"]),
    ("suites", &[]),
    ("testkit", &["logic", "solver", "epr", "smtlib", "program", "front-c", "explore"]),
    (
        "trellis",
        &["solver", "program", "certify", "driver", "report", "session", "lsp", "web", "suites"],
    ),
];

/// Crates that only the binary may use: the others know no command line and no terminal.
const BINARY_ONLY: &[&str] = &["clap", "clap_complete", "clap_mangen", "ctrlc", "indicatif"];

/// Every workspace crate with its direct dependencies, those of its tests too if `dev` is set: a
/// test may look further up than the code it tests.
fn dependencies(dev: bool) -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let names = dependencies
                .iter()
                .filter(|d| dev || d["kind"] != "dev")
                .map(|d| d["name"].as_str().expect("a name").to_owned())
                .collect();
            (package["name"].as_str().expect("a name").to_owned(), names)
        })
        .collect()
}

/// The name of a crate of the workspace in the tables.
fn short(name: &str) -> &str {
    name.strip_prefix("trellis-").unwrap_or(name)
}

#[test]
fn dependencies_point_one_way() {
    let all = dependencies(false);
    let names: BTreeSet<&str> = all.keys().map(|name| short(name)).collect();
    assert_eq!(names, GRAPH.iter().map(|(name, _)| *name).collect(), "the crates of the graph");
    for (name, dependencies) in &all {
        let row = GRAPH.iter().find(|(row, _)| *row == short(name));
        let (_, allowed) = row.unwrap_or_else(|| panic!("{name} is missing in the graph"));
        for dependency in dependencies.iter().filter(|d| all.contains_key(*d)) {
            assert!(allowed.contains(&short(dependency)), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn the_architecture_has_the_same_table() {
    let paper = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let table = paper.split("| crate | does | may depend on |\n|---|---|---|\n").nth(1);
    let table = table.expect("the table of the crates").lines().take_while(|l| l.starts_with('|'));
    let rows: Vec<(&str, Vec<&str>)> = table
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [name, _, allowed] = cells[..] else { panic!("not three cells: {row}") };
            let allowed = allowed.split(", ").filter(|word| *word != "–").collect();
            (name.trim_matches('`'), allowed)
        })
        .collect();
    let graph: Vec<(&str, Vec<&str>)> =
        GRAPH.iter().map(|(name, allowed)| (*name, allowed.to_vec())).collect();
    assert_eq!(rows, graph);
}

#[test]
fn only_the_binary_knows_the_command_line() {
    for (name, dependencies) in dependencies(true) {
        for banned in BINARY_ONLY {
            assert!(
                name == "trellis" || !dependencies.contains(*banned),
                "{name} must not depend on {banned}"
            );
        }
    }
}

/// Every Rust file below a folder, with its text.
fn rust_files(folder: PathBuf) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("source is text");
                files.push((path, text));
            }
        }
    }
    files
}

/// What several crates share is in `testkit`, not in a file that one of them takes from another.
#[test]
fn no_crate_takes_a_file_of_another() {
    for (path, text) in
        ["crates", "fuzz/targets"].into_iter().flat_map(|f| rust_files(root().join(f)))
    {
        let taken = text.lines().find(|l| l.trim_start().starts_with("#[path = \"../"));
        assert_eq!(taken, None, "{}", path.display());
    }
}

/// Types whose names are words of the glossary with one meaning each.
const UNIQUE: &[&str] = &[
    "Alarm",
    "Budget",
    "Certificate",
    "Claim",
    "Clause",
    "Contract",
    "Counterexample",
    "Coverage",
    "Cube",
    "Diagnostic",
    "Evidence",
    "HeapTheory",
    "KleeneStructure",
    "Lemma",
    "Location",
    "NoResult",
    "Obligation",
    "Pattern",
    "PatternWords",
    "Proof",
    "Prover",
    "Refusal",
    "Scope",
    "Segment",
    "Shape",
    "SlotMap",
    "Solver",
    "Span",
    "Structure",
    "Trace",
    "TransitionSystem",
    "Verdict",
    "Vocabulary",
    "Words",
];

/// Words that the glossary keeps for engines to come.
const RESERVED: &[&str] = &["Trigger"];

/// The types that a text defines, those of its comments left out.
fn types_of(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    code.filter_map(|line| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.find(|w| matches!(*w, "struct" | "enum" | "trait" | "type"))?;
        words.next()
    })
}

#[test]
fn words_of_the_glossary_mean_one_thing() {
    let files = rust_files(root().join("crates"));
    let mut defined: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, text) in &files {
        let inside = path.strip_prefix(root().join("crates")).expect("a file of a crate");
        if inside.components().nth(1).is_some_and(|c| c.as_os_str() == "src") {
            types_of(text)
                .for_each(|t| defined.entry(t).or_default().push(path.display().to_string()));
        }
    }
    for name in UNIQUE {
        let places = defined.get(name).map_or(&[][..], Vec::as_slice);
        assert_eq!(places.len(), 1, "{name} is defined in {places:?}");
    }
    for name in RESERVED {
        assert_eq!(defined.get(name), None, "{name} is a word for engines to come");
    }
}

#[test]
fn the_manual_has_no_holes() {
    let source = root().join("docs/src");
    let summary = fs::read_to_string(source.join("SUMMARY.md")).expect("docs/src/SUMMARY.md");
    let listed: BTreeSet<String> = links(&summary).into_iter().collect();
    assert!(!listed.is_empty());
    for entry in fs::read_dir(&source).expect("docs/src") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a UTF-8 name").to_owned();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert!(listed.contains(&name), "SUMMARY.md does not list {name}");
        }
    }
    let papers = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md"];
    let pages = listed
        .iter()
        .map(|page| source.join(page))
        .chain([source.join("SUMMARY.md")])
        .chain(papers.map(|paper| root().join(paper)));
    for page in pages {
        let text = fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        let folder = page.parent().expect("a file is in a folder");
        for link in links(&text) {
            let target = link.split('#').next().unwrap_or_default();
            assert!(
                target.is_empty() || folder.join(target).exists(),
                "{} links to {link}, which is not there",
                page.display()
            );
        }
    }
}

/// The targets of Markdown links, without those that leave the project.
fn links(markdown: &str) -> Vec<String> {
    let parts = markdown.split("](").skip(1);
    parts
        .filter_map(|rest| rest.split(')').next())
        .filter(|link| !link.contains("://"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_check_is_in_the_manual() {
    let page = fs::read_to_string(root().join("docs/src/checks.md")).expect("docs/src/checks.md");
    for kind in CheckKind::ALL {
        let row = page.lines().find(|l| l.starts_with(&format!("| `{kind}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/src/checks.md does not list {kind}"));
        let says_off = row.contains("off");
        assert_eq!(says_off, !kind.default_on(), "whether {kind} is on by default");
    }
}

#[test]
fn every_option_is_in_the_manual() {
    let page = fs::read_to_string(root().join("docs/src/command-line.md")).expect("the page");
    for command in
        ["verify", "explain", "run", "show", "certify", "oracle", "lsp", "bench", "completions"]
    {
        let help = trellis(&[command, "--help"]);
        assert_eq!(help.code, Some(0));
        let words = help.out.split_whitespace();
        let options = words.filter(|w| w.starts_with("--") && w.len() > 2);
        for option in options.map(|w| w.trim_end_matches([',', ';', '.', ')'])) {
            assert!(
                page.contains(option),
                "docs/src/command-line.md does not explain {option} of {command}"
            );
        }
    }
}

/// Every `console` block of a text: a command after `$ `, and what it prints.
pub fn console_blocks(markdown: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    for block in markdown.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, output) = example.split_once('\n').unwrap_or((example, ""));
            blocks.push((command.to_owned(), output.trim_end().to_owned()));
        }
    }
    blocks
}
