//! Programs with a few tokens changed are read or refused, without a panic, and what is read can be
//! printed and its checks listed.

use std::fs;
use std::path::Path;

use trellis_front_java::{Options, load_str};
use trellis_program::CheckTable;
use trellis_program::print::print_program;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below as u64) as usize
    }
}

/// Words, and everything between them.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for c in text.chars() {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if part(c) && last.chars().all(part) => last.push(c),
            _ => out.push(c.to_string()),
        }
    }
    out
}

fn programs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/bohne");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the programs")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "java"))
        .collect();
    paths.sort();
    paths.iter().map(|p| fs::read_to_string(p).expect("text")).collect()
}

#[test]
fn mutants_do_not_panic() {
    const ODD: &[&str] = &[
        "null",
        "this",
        "0",
        "-1",
        "(",
        ")",
        "{",
        "}",
        "\"",
        "*/",
        "/*:",
        "..",
        ".[",
        "^*",
        "ALL",
        "{x. ",
        "old",
        "%",
        "&",
        "-->",
        "=",
        ":",
        "::",
        "obj",
        "new",
        "Node",
        "while",
        ";",
        "[",
        "]",
        "int",
        "static",
        "é",
        "\\<",
        "''",
        "tree",
        "rtrancl_pt",
        "card",
        "if",
        "then",
    ];
    let mut random = Random(7);
    let (mut read, mut refused) = (0, 0);
    for text in programs() {
        let original = pieces(&text);
        for _ in 0..40 {
            let mut mutant = original.clone();
            for _ in 0..1 + random.next(3) {
                let at = random.next(mutant.len());
                match random.next(4) {
                    0 => drop(mutant.remove(at)),
                    1 => mutant.insert(at, ODD[random.next(ODD.len())].to_owned()),
                    2 => mutant[at] = ODD[random.next(ODD.len())].to_owned(),
                    _ => {
                        let other = random.next(mutant.len());
                        mutant.swap(at, other);
                    }
                }
            }
            match load_str("Mutant.java", &mutant.concat(), Options::default()) {
                Ok(unit) => {
                    read += 1;
                    let _ = print_program(&unit.program);
                    let _ = CheckTable::of(&unit.program);
                }
                Err(failure) => {
                    refused += 1;
                    for d in &failure.diagnostics {
                        let internal = d.message.contains("internal error");
                        assert!(!internal, "{}\n{}", d.message, mutant.concat());
                    }
                }
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn deep_and_long_inputs_are_refused_not_fatal() {
    let deep = format!(
        "class A {{ static int f() {{ return {}1{}; }} }}",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    let formula = |f: String| format!("class A {{ /*: invariant \"{f}\" */ }}");
    let nested = formula(format!("{}True{}", "(".repeat(5000), ")".repeat(5000)));
    let long = formula(vec!["True"; 5000].join(" & "));
    let negated = formula(format!("{}True", "~".repeat(5000)));
    let blocks =
        format!("class A {{ static void f() {{ {}{} }} }}", "{".repeat(5000), "}".repeat(5000));
    let sum = format!("class A {{ static int f() {{ return {}; }} }}", vec!["1"; 5000].join(" + "));
    for text in [deep, nested, long, negated, blocks, sum] {
        let failure = load_str("A.java", &text, Options::default()).expect_err("too deep");
        let message = &failure.diagnostics[0].message;
        assert!(!message.contains("internal error"), "{message}");
    }
}
