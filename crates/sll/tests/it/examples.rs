//! The programs under `examples/`: whatever explore knows to be violated is never found safe, and
//! those written for this engine are decided as they say.

use std::path::{Path, PathBuf};

use trellis_front_c::load;
use trellis_program::{Budget, CheckKind, CheckSet, NoResult, Rejected};
use trellis_sll::analyse::{Options, analyse};
use trellis_sll::check::{self, check};
use trellis_sll::lower::{Settings, lower};

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") {
            out.push(path);
        }
    }
}

#[test]
fn no_example_with_a_bug_is_found_safe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut all = Vec::new();
    files(&root, &mut all);
    all.sort();
    let (mut safe, mut shapes) = (0, 0);
    for path in &all {
        let text = std::fs::read_to_string(path).expect("readable");
        let Ok(unit) = load(path, &trellis_front_c::Options::default()) else { continue };
        for line in text.lines().filter_map(|l| l.strip_prefix("// expect: ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some(proc) = unit.program.find_proc(words[0]) else { continue };
            let mut checks = CheckSet::default();
            let option =
                |name: &str| text.lines().any(|l| l.starts_with("// test:") && l.contains(name));
            if option("--no-check leak") || option("--gc") {
                checks.set(CheckKind::Leak, false);
            }
            if option("--check acyclic") {
                checks.set(CheckKind::Acyclic, true);
            }
            if option("--check overflow") {
                checks.set(CheckKind::Overflow, true);
            }
            let malloc_may_fail = option("--malloc-may-fail");
            let list = lower(&unit.program, proc, &Settings { checks, malloc_may_fail });
            let budget = Budget { memory: Some(1 << 28), ..Budget::default() };
            let options = Options { checks, budget, ..Options::default() };
            let analysis = analyse(&list, &options);
            let mut found_safe = analysis.outcome == trellis_sll::analyse::Outcome::Finished
                && analysis.alarms.is_empty()
                && analysis.unsupported.is_empty();
            let name = path.strip_prefix(&root).expect("below").display();
            if found_safe {
                let options =
                    check::Options { checks, malloc_may_fail, ..check::Options::default() };
                match check(&unit.program, &list, &analysis.states, &options) {
                    Ok(_) => safe += 1,
                    // What the machine does not follow is no proof.
                    Err(Rejected::Unjudged(NoResult::Refused(_))) => found_safe = false,
                    Err(wrong) => panic!("{name}: {wrong:?}"),
                }
            }
            match words[1] {
                "violated" | "no-invariant" | "unsupported" => {
                    assert!(!found_safe, "{name}: {line}, but it is found safe");
                }
                // Another engine may prove what this one does not support.
                "verified" if text.contains("--engine sll") => {
                    let alarms: Vec<_> = analysis
                        .alarms
                        .iter()
                        .map(|a| (a.kind, unit.program.sources.line_col(a.span)))
                        .collect();
                    assert!(found_safe, "{name}: {line}: {alarms:?} {:?}", analysis.unsupported);
                }
                _ => {}
            }
            if text.contains("--engine sll") {
                shapes += 1;
                assert!(analysis.unsupported.is_empty(), "{name}: {:?}", analysis.unsupported);
            }
        }
    }
    eprintln!("{safe} found safe, {shapes} written for this engine");
    assert!(shapes >= 10 && safe >= 15, "{safe} {shapes}");
}
