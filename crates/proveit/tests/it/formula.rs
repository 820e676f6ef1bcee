//! Labels as contracts: another run that is given them shows them.

use std::fs;
use std::path::Path;

use trellis_front_c::{Options, load};
use trellis_patterns::formula;
use trellis_patterns::pattern::Label;
use trellis_program::concrete::MachineOptions;
use trellis_program::{Budget, CheckKind, CheckSet, InlineLimits, inline};
use trellis_proveit::prove::{Conclusion, Found, Subject as Given, prove};
use trellis_suites::patterns::{Manifest, Row};
use trellis_suites::pdr::Expect;

use crate::programs::folder;

/// Programs with lists whose labels have a form.
const GIVEN: [&str; 1] = ["alt-list-free.c"];

/// What the engine finds for a procedure of a text, and the lines at which its loops begin.
fn run(name: &str, text: &str, proc: &str, gc: bool) -> (Found, Vec<(usize, Label)>) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("formula-{name}"));
    fs::write(&path, text).expect("a file");
    let unit = load(&path, &Options::default());
    let unit = unit.unwrap_or_else(|_| panic!("{name} can be read:\n{text}"));
    let proc = unit.program.find_proc(proc).expect("the procedure");
    let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no recursion");
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Leak, !gc);
    let machine = MachineOptions { checks, ..MachineOptions::default() };
    let given = Given { program: &inlined.program, proc: inlined.proc, machine };
    let found = prove(&given, &Budget::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let mut labels = Vec::new();
    if let Conclusion::Proved(all) = &found.conclusion {
        for (block, label) in all {
            let line = inlined.program.sources.line_col(found.code.blocks[*block].span).0;
            labels.push((line as usize, label.clone()));
        }
    }
    (found, labels)
}

#[test]
fn loop_invariants_that_one_run_prints_are_shown_by_another() {
    let manifest = Manifest::load(&folder()).expect("the manifest");
    let (mut given, mut quantified) = (0, 0);
    let is_given = |r: &&Row| r.expect == Expect::Verified && GIVEN.contains(&r.file.as_str());
    for row in manifest.rows.iter().filter(is_given) {
        let text = fs::read_to_string(folder().join(&row.file)).expect("a program");
        let (found, labels) = run(&row.file, &text, &row.proc, row.gc);
        assert!(matches!(found.conclusion, Conclusion::Proved(_)), "{}", row.file);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut put = 0;
        for (line, label) in &labels {
            let is_loop = lines[line - 1].trim_start().starts_with("while");
            let Some(contract) = formula::label(&found.code.words, label) else { continue };
            // Two loops may begin in one line, and a loop of a call is not there to be named.
            if is_loop && labels.iter().filter(|(l, _)| l == line).count() == 1 {
                put += 1;
                quantified += usize::from(contract.contains("\\forall"));
                let loop_line = lines[line - 1].clone();
                lines[line - 1] = format!("/*@ loop invariant {contract}; */ {loop_line}");
            }
        }
        if put == 0 {
            continue;
        }
        given += 1;
        let (again, _) = run(&row.file, &lines.join("\n"), &row.proc, row.gc);
        assert!(
            matches!(again.conclusion, Conclusion::Proved(_)),
            "{}: {:?}\n{}",
            row.file,
            again.conclusion,
            lines.join("\n")
        );
    }
    assert!(given == GIVEN.len() && quantified >= 1, "{given} programs, {quantified} quantified");
}
