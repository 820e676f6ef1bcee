//! The sll and the canonical engine on the command line.

use std::fs;
use std::path::Path;

use expect_test::expect;
use serde_json::Value;

use crate::trellis;

fn verify(file: &str, options: &[&str]) -> Value {
    verify_with("sll", file, options)
}

fn verify_with(engine: &str, file: &str, options: &[&str]) -> Value {
    let mut args = vec!["verify", file, "--engine", engine, "--format", "json"];
    args.extend(options);
    let ran = trellis(&args);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["exit_code"].as_i64(), ran.code.map(i64::from));
    report["files"][0]["procedures"][0].clone()
}

/// The paper's running example: the order of the three variables on the cycle is kept.
#[test]
fn invariants_are_shapes() {
    let found = verify("benchmarks/sll/removeSegment.c", &["--gc"]);
    assert_eq!(found["verdict"], "verified");
    let second = found["invariants"][1]["formulas"][0].as_str().expect("a formula");
    expect![[r#"
        x = y = z ->+ x
        || x = z ->+ y, y ->+ x
        || x ->+ y, y = z ->+ x
        || x ->+ y, y ->+ z, z ->+ x"#]]
    .assert_eq(second);
}

/// Without a garbage collector the removed segment is leaked, and a concrete heap shows it.
#[test]
fn the_removed_segment_is_a_leak_in_c() {
    let found = verify("benchmarks/sll/removeSegment.c", &[]);
    assert_eq!((&found["verdict"], &found["check"]["kind"]), (&"violated".into(), &"leak".into()));
}

#[test]
fn a_missing_invariant_comes_with_the_abstract_execution() {
    let found = verify("examples/shapes/lockstep.c", &[]);
    assert_eq!(found["verdict"], "no-invariant");
    assert_eq!(found["reason"]["kind"], "no-invariant");
    let steps = found["abstract_trace"].as_array().expect("steps");
    assert!(steps.len() > 3);
    let last = steps[steps.len() - 1]["drawing"].as_array().expect("lines");
    assert!(last.iter().any(|l| l == "memory is leaked"), "{last:?}");
}

#[test]
fn what_is_outside_is_unknown_with_its_place() {
    let found = verify("examples/dll/remove.c", &[]);
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["reason"]["kind"], "unsupported");
    assert!(found["reason"]["places"][0]["span"]["line"].as_u64().is_some());
}

#[test]
fn states_in_all_views() {
    let show = |view: &str| {
        let ran = trellis(&["show", "benchmarks/sll/swap.c", "states", "--view", view]);
        assert_eq!(ran.code, Some(0));
        ran.out
    };
    expect![[r#"
        swap: 12 abstract heaps
          before 19:9: x == NULL
            - x ->+ NULL
            - x = NULL
          before 20:9: return x;
            - x = NULL
          before 21:9: x->n
            - x ->+ NULL
          before 23:9: return x;
            - x -> NULL
          before 24:9: p->n
            - x -> p, p ->+ NULL
    "#]]
    .assert_eq(&show("shape"));
    assert!(show("predicates").contains("Aliased[x,x] UList2[x,null] UList[x,null]"));
    assert!(show("canonical").contains("u0 (several nodes): cul[x](v); n -> u0 maybe"));
    assert!(show("linear").contains("cul_c[x](v)"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let ran = trellis(&["show", "benchmarks/sll/swap.c", "states", "--svg", path]);
    assert_eq!(ran.code, Some(0));
    let drawings = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(drawings, 6);
}

/// Thirteen rows are proved in all ways but one, which the standard predicates cannot do twice.
#[test]
fn all_rows_of_the_table_are_as_expected() {
    for options in [&["bench", "sll"][..], &["bench", "sll", "--sharing", "1"]] {
        let ran = trellis(options);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("not as expected"), "{}", ran.out);
        let count = |word: &str| ran.out.lines().filter(|l| l.contains(word)).count();
        assert_eq!((count(" verified "), count(" violated ")), (37, 3), "{}", ran.out);
        assert_eq!(count(" table 3  no-invariant "), 2, "{}", ran.out);
    }
    let ran = trellis(&["bench", "sll", "--row", "nobody"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
}

/// What the paper is about: the standard predicates lose the order of variables on a cycle.
#[test]
fn instrumentation_decides_what_is_proved() {
    let file = "benchmarks/sll/removeSegment.c";
    let found = verify_with("canonical", file, &["--gc"]);
    assert_eq!(found["verdict"], "verified");
    assert_eq!(found["invariants"].as_array().expect("loops").len(), 2);
    let found = verify_with("canonical", file, &["--gc", "--instrumentation", "table3"]);
    assert_eq!(found["verdict"], "no-invariant");
    let reason = found["reason"]["text"].as_str().expect("a sentence");
    assert_eq!(
        reason,
        "canonical abstraction with the predicates of Table 3 does not exclude postcondition at \
         line 15; no small heap shows it"
    );
    let steps = found["abstract_trace"].as_array().expect("steps");
    assert!(steps.len() > 5);
    let last = steps[steps.len() - 1]["drawing"].as_array().expect("lines");
    assert!(last.iter().any(|l| l == "postcondition does not hold (maybe)"), "{last:?}");
    let found = verify_with("canonical", "examples/dll/remove.c", &[]);
    assert_eq!(
        (&found["verdict"], &found["reason"]["kind"]),
        (&"unknown".into(), &"unsupported".into())
    );
    assert!(found["reason"]["places"][0]["span"]["line"].as_u64().is_some());
    let found = verify_with("canonical", "benchmarks/sll/search_nullderef.c", &[]);
    assert_eq!(
        (&found["verdict"], &found["check"]["kind"]),
        (&"violated".into(), &"null-deref".into())
    );
    let found = verify_with("canonical", file, &["--gc", "--predicates", "nobody"]);
    assert_eq!(found["verdict"], "unknown");
    let found = verify_with("canonical", file, &["--gc", "--predicates", "St"]);
    assert_eq!(found["verdict"], "unknown");
}

/// Where nothing can be called, nothing is proved in silence.
#[test]
fn contradictions_are_pointed_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("never.c");
    let text = "struct node { struct node *n; };\n\
        /*@ requires x != \\null && x == \\null; ensures x->n == x; */\n\
        void never(struct node *x) { x->n = x->n->n; }\n";
    fs::write(&at, text).expect("it can be written");
    let at = at.to_str().expect("UTF-8");
    let ran = trellis(&["verify", at, "--engine", "sll"]);
    assert!(ran.err.contains("no heap satisfies the precondition of `never`"), "{}", ran.err);
    assert_eq!(verify_with("canonical", at, &[])["reason"]["kind"], "no-heap");
}

/// No host passes a null pointer instead of an array of strings.
#[test]
fn the_arguments_of_main_are_those_of_a_host() {
    let found = verify_with("sll", "examples/seams/arguments.c", &[]);
    assert_eq!(found["verdict"], "unknown", "{found:#}");
    assert_ne!(found["reason"]["kind"], "internal", "{found:#}");
}

#[test]
fn three_valued_structures_are_shown() {
    let show = |options: &[&str]| {
        let args = [&["show", "benchmarks/sll/swap.c", "states", "--engine", "canonical"], options];
        let ran = trellis(&args.concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let table7 = show(&[]);
    assert!(table7.starts_with("swap: 49 abstract heaps\n"), "{table7}");
    assert!(table7.contains("2 ⇢ 1*{cul[x]}"), "{table7}");
    assert!(show(&["--instrumentation", "table3"]).contains("{r[x]}"));
    let folder = tempfile::tempdir().expect("a folder");
    show(&["--svg", folder.path().to_str().expect("UTF-8")]);
    assert!(fs::read_dir(folder.path()).expect("the folder").count() > 4);
    let ran = trellis(&["show", "examples/dll/remove.c", "states", "--engine", "canonical"]);
    assert!(ran.out.contains("not supported by the canonical engine"), "{}", ran.out);
}

/// Rows whose lists have no cycles.
const ACYCLIC: [&str; 11] = [
    "create",
    "delete",
    "deleteAll",
    "getLast",
    "insert",
    "merge",
    "reverse",
    "rotate",
    "search",
    "swap",
    "fig1",
];

fn certificate(row: &str, at: &Path) -> crate::Ran {
    let source = format!("benchmarks/sll/{row}.c");
    let at = at.to_str().expect("UTF-8");
    trellis(&["verify", &source, "--engine", "sll", "--certificate", at])
}

#[test]
fn shapes_without_cycles_are_certified_by_z3() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in ACYCLIC {
        let at = folder.path().join(format!("{row}.json"));
        assert_eq!(certificate(row, &at).code, Some(0), "{row}");
        let ran = trellis(&["certify", at.to_str().expect("UTF-8"), "--solver", "z3"]);
        assert_eq!(ran.code, Some(0), "{row}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(": certified\n"), "{}", ran.out);
    }
}

#[test]
fn shapes_are_certified_by_cvc5() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("reverse.json");
    assert_eq!(certificate("reverse", &at).code, Some(0));
    let ran = trellis(&["certify", at.to_str().expect("UTF-8"), "--solver", "cvc5"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

/// Cycles have no clauses, so the certificate has the shapes themselves.
#[test]
fn shapes_with_cycles_are_certified_on_the_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("proof.json");
    let ran = certificate("reverse_cyclic", &at);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let certify = || trellis(&["certify", at.to_str().expect("UTF-8")]);
    let ran = certify();
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("shapes of lists, tried with "), "{}", ran.out);
    assert!(ran.out.contains("held on the machine: "), "{}", ran.out);
    let text = fs::read_to_string(&at).expect("it was written");
    let whole: Value = serde_json::from_str(&text).expect("JSON");
    let blocks = whole["shapes"]["blocks"].as_array().expect("blocks").len();
    for block in 0..blocks {
        let mut changed = whole.clone();
        let heaps = changed["shapes"]["blocks"][block]["heaps"].as_array_mut().expect("heaps");
        heaps.pop();
        fs::write(&at, changed.to_string()).expect("it can be written");
        let ran = certify();
        assert_eq!(ran.code, Some(1), "block {block}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(": refuted\n"), "{}", ran.out);
    }
    // Shapes of another program, and clauses beside them.
    let mut changed = whole.clone();
    changed["procedure"] = "no_such".into();
    fs::write(&at, changed.to_string()).expect("it can be written");
    assert_eq!(certify().code, Some(2));
    let mut changed = whole.clone();
    changed["vocabulary"] = serde_json::json!([{ "symbol": "x", "meaning": "x" }]);
    fs::write(&at, changed.to_string()).expect("it can be written");
    assert_eq!(certify().code, Some(2));
}

/// The structures of the canonical engine are certified in the same way, of calls too.
#[test]
fn structures_are_certified_on_the_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, at) = (folder.path().join("list.c"), folder.path().join("proof.json"));
    let text = "struct node { struct node *n; };\n\
        static struct node *last(struct node *x) { while (x->n) x = x->n; return x; }\n\
        /*@ requires a != \\null && reach(n, a, \\null) && b != \\null && reach(n, b, \\null); */\n\
        struct node *f(struct node *a, struct node *b) { struct node *l = last(a); \
        if (l != last(b)) l->n = b; return a; }\n";
    fs::write(&source, text).expect("it can be written");
    let [source, at] = [&source, &at].map(|path| path.to_str().expect("UTF-8"));
    let ran =
        trellis(&["verify", "--engine", "canonical", "--certificate", at, "--proc", "f", source]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = trellis(&["certify", at]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let text = fs::read_to_string(at).expect("it was written");
    fs::write(at, text.replace("\"calls_replaced\": true", "\"calls_replaced\": false"))
        .expect("it can be written");
    let ran = trellis(&["certify", at]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
}

/// The parts of `(word part part …)`.
fn parts(text: &str) -> Vec<&str> {
    let inner = &text[1..text.len() - 1];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (i, c) in inner.char_indices().chain([(inner.len(), ' ')]) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                parts.push(&inner[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts
}

/// Every shape of a loop is needed, and none may say less or more than it does.
#[test]
fn a_shape_that_is_missing_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("proof.json");
    for row in ["reverse", "search", "deleteAll"] {
        assert_eq!(certificate(row, &at).code, Some(0));
        let text = fs::read_to_string(&at).expect("it was written");
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        let formula = whole["cut_points"][0]["invariant"][0]["formula"].as_str().expect("shapes");
        let shapes = parts(formula);
        assert!(shapes[0] == "or" && shapes.len() > 2, "{formula}");
        let mut mutants: Vec<String> = (1..shapes.len())
            .map(|i| {
                let rest = shapes.iter().enumerate().filter(|(j, _)| *j != i);
                let rest: Vec<&str> = rest.map(|(_, s)| *s).collect();
                if rest.len() == 2 { rest[1].to_owned() } else { format!("({})", rest.join(" ")) }
            })
            .collect();
        mutants.extend(["true".to_owned(), "false".to_owned()]);
        for mutant in mutants {
            let mut changed = whole.clone();
            changed["cut_points"][0]["invariant"][0]["formula"] = mutant.clone().into();
            fs::write(&at, changed.to_string()).expect("it can be written");
            let ran = trellis(&["certify", at.to_str().expect("UTF-8"), "--solver", "epr"]);
            assert_eq!(ran.code, Some(1), "{row}: {mutant}\n{}{}", ran.out, ran.err);
        }
    }
}
