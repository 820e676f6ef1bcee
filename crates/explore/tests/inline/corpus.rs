//! The examples, random programs, and contracts combined with bodies and callers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use trellis_front_c::{Options, load, load_str};
use trellis_program::{CheckKind, InlineLimits, InstrKind, ProcId, Program, cfg, inline};

use super::compare::{Bounds, Seen, compare};
use trellis_testkit::generate::{Tape, generate};

fn c_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            c_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") {
            out.push(path);
        }
    }
}

/// The procedures that call something, and no model: what fails in one is told elsewhere.
fn callers(program: &Program) -> Vec<ProcId> {
    let calls = |p: &trellis_program::Procedure| {
        let instrs = p.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.instrs);
        instrs.into_iter().any(|i| matches!(i.kind, InstrKind::Call { .. }))
    };
    let is_model = |p: &ProcId| program.sources.is_model(program.proc(*p).span);
    let own = |p| !cfg::reachable_procs(program, p).iter().any(is_model);
    let all = (0..).map(ProcId).zip(&program.procs);
    all.filter(|(id, p)| calls(p) && own(*id)).map(|(id, _)| id).collect()
}

#[test]
fn examples_end_as_before() {
    let mut files = Vec::new();
    c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut files);
    let bounds = Bounds { objects: 3, heaps: 60, runs: 12, steps: 1500 };
    let (mut seen, mut count, mut refused) = (Seen::default(), 0, BTreeMap::new());
    for path in files {
        let Ok(unit) = load(&path, &Options::default()) else { continue };
        for proc in callers(&unit.program) {
            match inline(&unit.program, proc, InlineLimits::default()) {
                Ok(inlined) => {
                    count += 1;
                    seen.add(compare(&unit.program, proc, &inlined, bounds));
                }
                Err(refusals) => {
                    let message = &refusals[0].reason;
                    let kind = ["recursive", "`assigns`", "memory or globals"];
                    let kind = kind.into_iter().find(|k| message.contains(k));
                    let kind = kind.unwrap_or_else(|| panic!("{}: {message}", path.display()));
                    *refused.entry(kind).or_insert(0) += 1;
                }
            }
        }
    }
    println!("{count} procedures inlined, refused: {refused:?}, {seen:?}");
    assert!(count >= 60, "{count} procedures of the examples were inlined, refused: {refused:?}");
    assert!(seen.returns > 500 && seen.failures.len() >= 5, "{seen:?}");
}

#[test]
fn random_programs_end_as_before() {
    let bounds = Bounds { objects: 0, heaps: 1, runs: 1, steps: 20_000 };
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("random.c");
    let (mut seen, mut count) = (Seen::default(), 0);
    for seed in 0..200u64 {
        let text = generate(Tape::Seeded(seed * 0x2545_f491)).text;
        std::fs::write(&path, &text).expect("the scratch folder is writable");
        let unit = load(&path, &Options::default())
            .unwrap_or_else(|f| panic!("{:#?}\n{text}", f.diagnostics));
        let main = unit.program.find_proc("main").expect("every program has one");
        match inline(
            &unit.program,
            main,
            InlineLimits { blocks: 20_000, ..InlineLimits::default() },
        ) {
            Ok(inlined) => {
                count += 1;
                seen.add(compare(&unit.program, main, &inlined, bounds));
            }
            Err(d) => assert!(d.iter().all(|d| d.reason.contains("recursive")), "{d:#?}\n{text}"),
        }
    }
    println!("{count} programs inlined: {seen:?}");
    assert!(count >= 60, "{count} programs were inlined");
    assert!(seen.returns > 30 && seen.failures.len() >= 7, "{seen:?}");
}

/// Clauses of the contract of `f`.
const CLAUSES: &[&str] = &[
    "requires p != \\null;",
    "requires k >= 0 && (p == \\null || p->data <= k);",
    "ensures \\result == p;",
    "ensures k > 0 ==> \\result != \\null;",
    "ensures g == \\old(g) + k;",
    "ensures \\forall struct node *v; reach(next, \\result, v) ==> v == \\null || v->data >= 0;",
    "ensures \\old(p != \\null ==> p->data == k) || g > 0;",
    "ensures \\exists struct node *v; v == \\result && \\old(reach(next, p, v));",
    "assigns \\nothing;",
];

/// Bodies of `f`.
const BODIES: &[&str] = &[
    "{ return p; }",
    "{ if (k) p = p->next; return p; }",
    "{ g += k; p = head; return p; }",
    "{ while (p && k > 0) { p = p->next; k--; } return p; }",
    "{ if (!p) return 0; p->data = k; return p->next; }",
    "{ struct node *q = malloc(sizeof *q); q->next = p; q->data = k; return q; }",
    "{ int x = k, *y = &x; *y = 2; head = p; k = 1; return x == 2 ? p : 0; }",
    ";",
];

/// Bodies of the caller.
const CALLERS: &[&str] = &[
    "for (int i = 0; i < 2; i++) p = f(p, i); return p;",
    "struct node *q = f(p, k); return f(q, k - 1);",
    "f(p, any()); return p;",
    "head = f(head, k); g = 0; return f(head, g);",
];

#[test]
fn every_contract_with_every_body_in_every_caller() {
    let bounds = Bounds { objects: 2, heaps: 40, runs: 6, steps: 500 };
    let (mut seen, mut count, mut refused) = (Seen::default(), 0, 0);
    for (i, first) in CLAUSES.iter().enumerate() {
        let second = CLAUSES[(i + 3) % CLAUSES.len()];
        for (body, caller) in BODIES.iter().flat_map(|b| CALLERS.iter().map(move |c| (b, c))) {
            let text = format!(
                "struct node {{ struct node *next; int data; }} *head; int g;
                 void *malloc(unsigned long);
                 /*@ assigns \\nothing; */ int any(void);
                 /*@ {first} {second} */ struct node *f(struct node *p, int k) {body}
                 struct node *root(struct node *p, int k) {{ {caller} }}"
            );
            let unit = load_str("test.c", &text)
                .unwrap_or_else(|f| panic!("{:#?}\n{text}", f.diagnostics));
            let root = unit.program.find_proc("root").expect("it is in the text");
            match inline(&unit.program, root, InlineLimits::default()) {
                Ok(inlined) => {
                    count += 1;
                    seen.add(compare(&unit.program, root, &inlined, bounds));
                }
                Err(_) => refused += 1,
            }
        }
    }
    println!("{count} programs inlined, {refused} refused: {seen:?}");
    assert!(count > 150 && refused < count, "{count} programs inlined, {refused} refused");
    assert!(seen.returns > 1000 && seen.unsupported > 0, "{seen:?}");
    for kind in [CheckKind::Precondition, CheckKind::Postcondition, CheckKind::NullDeref] {
        assert!(seen.failures.contains(&kind), "{seen:?}");
    }
}
