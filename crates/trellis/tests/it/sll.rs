//! The sll engine on the command line.

use expect_test::expect;
use serde_json::Value;

use crate::trellis;

fn verify(file: &str, options: &[&str]) -> Value {
    let mut args = vec!["verify", file, "--engine", "sll", "--format", "json"];
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

#[test]
fn all_rows_of_the_table_are_as_expected() {
    for options in [&["bench", "sll"][..], &["bench", "sll", "--sharing", "1"]] {
        let ran = trellis(options);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("not as expected"), "{}", ran.out);
        assert_eq!(ran.out.lines().filter(|l| l.contains(" verified ")).count(), 13, "{}", ran.out);
    }
}
