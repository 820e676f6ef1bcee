//! Certificates with heap patterns: both legs, and what damage does to them.

use expect_test::expect;
use serde_json::{Value, json};
use trellis_certify::machine::{Invariant, Reach, check_second_leg};
use trellis_certify::patterns::{Claimed, Patterns, check_as_given, check_certificate, understand};
use trellis_certify::{Certificate, Evidence, Source};
use trellis_front_c::C;
use trellis_program::{Budget, CheckSet, Program, Rejected, Unit};

/// A list of ones is built and freed.
const TEXT: &str = "struct node { _Bool data; struct node *next; };\n\
    void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);\n\
    void reach_error(void);\n\
    void f(void) { struct node *l = 0;\n\
    while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n);\n\
      n->data = 1; n->next = l; l = n; }\n\
    while (l) { struct node *t = l->next; if (!l->data) reach_error(); free(l); l = t; } }\n\
    void g(void) { struct node *l = 0; while (l) l = l->next; }\n";

/// The invariant, as the file has it: at both loops a list whose data is 1.
fn invariant() -> Value {
    let any = [0, 1, 2, 3];
    let empty = json!({ "points": ["null", "dead", "dead"], "integers": [any, [0, 1, 2]],
        "orders": [], "nodes": [] });
    let node = |summary: bool| {
        json!({ "record": 0, "summary": summary, "sharing": 0, "colours": [[2]],
            "fields": [["null", "1"]] })
    };
    let list = json!({ "points": ["0", "dead", "dead"], "integers": [any, [0, 1, 2]],
        "orders": [], "nodes": [node(false), node(true)] });
    json!({
        "pointers": ["l", "n", "t"], "integers": ["%1", "%2"], "constants": ["0", "1"],
        "ordered": false,
        "records": [{ "record": "struct node", "predicates": [{ "data": 0 }] }],
        "pairs": [],
        "labels": [{ "block": 1, "patterns": [empty, list] },
            { "block": 3, "patterns": [empty, list] }],
    })
}

fn program() -> Program {
    crate::program(TEXT)
}

/// The certificate with some patterns.
fn certificate(patterns: Value, procedure: &str) -> Result<Certificate, String> {
    let patterns: Patterns = serde_json::from_value(patterns).map_err(|e| e.to_string())?;
    let evidence = Evidence::of_patterns(procedure, CheckSet::default(), false, patterns);
    let unit = Unit { program: program(), diagnostics: Vec::new(), text: TEXT.to_owned() };
    let source = Source::new("test.c", TEXT.as_bytes(), &C::default(), &unit);
    let written = Certificate::new(source, evidence).to_json();
    Certificate::read(&written).map_err(|e| e.to_string())
}

/// What the first leg says.
fn judged(patterns: Value, procedure: &str) -> String {
    let certificate = match certificate(patterns, procedure) {
        Ok(certificate) => certificate,
        Err(why) => return why,
    };
    let patterns = certificate.patterns.as_ref().expect("patterns");
    match check_certificate(&program(), &certificate, patterns, &Budget::default()) {
        Ok(Ok((checked, ..))) => format!("{} patterns hold", checked.patterns),
        Ok(Err(Rejected::Wrong(why))) => why,
        Ok(Err(Rejected::Unjudged(why))) => format!("not judged: {why}"),
        Err(problem) => problem.message,
    }
}

#[test]
fn patterns_hold_on_both_legs() {
    let program = program();
    let certificate = certificate(invariant(), "f").expect("a certificate");
    let patterns = certificate.patterns.as_ref().expect("patterns");
    let first = check_certificate(&program, &certificate, patterns, &Budget::default());
    let (checked, inlined, understood) = first.expect("it fits").expect("an invariant");
    assert_eq!(checked.patterns, 5);
    let invariant = Invariant::Patterns(&inlined, &understood);
    let second = check_second_leg(
        &program,
        &certificate,
        invariant,
        Reach { objects: 3, ..Reach::default() },
        &Budget::default(),
    );
    let held = second.expect("it fits").expect("the machine agrees").to_string();
    expect!["from 8 states, all those of up to 3 objects among them; on all runs from 1 initial heap of up to 3 objects"]
        .assert_eq(&held);
}

/// The second leg finds by itself what is no invariant, on small heaps.
#[test]
fn the_machine_contradicts_what_is_no_invariant() {
    let program = program();
    let mut wide = invariant();
    wide["labels"][1]["patterns"][1]["nodes"][1]["colours"] = json!([[1], [2]]);
    let understood = understood(&program, wide);
    let certificate = certificate(invariant(), "f").expect("a certificate");
    let (inlined, understood) = understood;
    let invariant = Invariant::Patterns(&inlined, &understood);
    let second =
        check_second_leg(&program, &certificate, invariant, Reach::default(), &Budget::default());
    let Err(Rejected::Wrong(found)) = second.expect("it fits") else { panic!("it is wrong") };
    assert!(found.what.contains("fits no pattern"), "{}", found.what);
}

fn understood(
    program: &Program,
    patterns: Value,
) -> (trellis_program::Inlined, trellis_certify::patterns::Understood) {
    let proc = program.find_proc("f").expect("f");
    let inlined = trellis_program::inline(program, proc, Default::default()).expect("no calls");
    let patterns: Patterns = serde_json::from_value(patterns).expect("patterns");
    let (checks, budget) = (CheckSet::default(), Budget::default());
    let claimed = Claimed { checks, malloc_may_fail: false, budget };
    let understood = understand(&inlined, &patterns, &claimed).expect("labels");
    // The first leg says so too, and does not know whether it is the engine or itself.
    let judged = check_as_given(&inlined, &patterns, &claimed);
    assert!(matches!(judged, Err(Rejected::Wrong(_))), "{judged:?}");
    (inlined, understood)
}

#[test]
fn forged_patterns_are_refused() {
    expect!["5 patterns hold"].assert_eq(&judged(invariant(), "f"));
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut patterns = invariant();
        change(&mut patterns);
        judged(patterns, "f")
    };
    // Another procedure, other words.
    expect!["the variables are not those of the procedure"].assert_eq(&judged(invariant(), "g"));
    assert!(judged(invariant(), "h").contains("no procedure `h`"));
    expect!["the variables are not those of the procedure"]
        .assert_eq(&forged(&|p| p["pointers"][1] = json!("m")));
    expect!["the constants are not those of the procedure"]
        .assert_eq(&forged(&|p| p["constants"] = json!(["0", "2"])));
    expect!["the records are not those of the procedure"]
        .assert_eq(&forged(&|p| p["records"][0]["record"] = json!("struct edge")));
    expect!["`struct node` has no such predicate"]
        .assert_eq(&forged(&|p| p["records"][0]["predicates"][0] = json!({ "data": 7 })));
    expect!["`struct node` has no such predicate"].assert_eq(&forged(&|p| {
        p["records"][0]["predicates"] = json!([{ "data": 0 }, { "data": 0 }]);
    }));
    assert!(
        forged(&|p| p["records"][0]["predicates"][0] = json!({ "size": 0 }))
            .contains("unknown variant `size`")
    );
    expect!["a pair of variables that there is not"]
        .assert_eq(&forged(&|p| p["pairs"] = json!([[1, 1]])));
    // Numbers out of range.
    let first =
        |p: &mut Value, field: &str, value: Value| p["labels"][0]["patterns"][1][field] = value;
    let node = |p: &mut Value, field: &str, value: Value| {
        p["labels"][0]["patterns"][1]["nodes"][0][field] = value;
    };
    expect![[r#"block 1: "2" is no node"#]]
        .assert_eq(&forged(&|p| node(p, "fields", json!([["2"]]))));
    expect![[r#"block 1: "18446744073709551616" is no node"#]]
        .assert_eq(&forged(&|p| node(p, "fields", json!([["18446744073709551616"]]))));
    expect!["block 1: a node does not say where every field leads"]
        .assert_eq(&forged(&|p| node(p, "fields", json!([]))));
    expect!["block 1: a node of an unknown record"]
        .assert_eq(&forged(&|p| node(p, "record", json!(1))));
    expect!["block 1: a sharing mark for fields that are not there"]
        .assert_eq(&forged(&|p| node(p, "sharing", json!(2))));
    expect!["block 1: a colour that there is not"]
        .assert_eq(&forged(&|p| node(p, "colours", json!([[200]]))));
    expect!["block 1: a colour without a value for every predicate"]
        .assert_eq(&forged(&|p| node(p, "colours", json!([[1, 1]]))));
    expect!["block 1: `l` is at a summary node"]
        .assert_eq(&forged(&|p| node(p, "summary", json!(true))));
    expect!["block 1: there is no class 9"]
        .assert_eq(&forged(&|p| first(p, "integers", json!([[9], [1]]))));
    expect!["block 1: an integer variable without a value"]
        .assert_eq(&forged(&|p| first(p, "integers", json!([[], [1]]))));
    expect!["block 1: it does not say where every variable is"]
        .assert_eq(&forged(&|p| first(p, "points", json!(["0"]))));
    expect!["block 2: no loop begins there"]
        .assert_eq(&forged(&|p| p["labels"][0]["block"] = json!(2)));
    expect!["block 3 is there twice"].assert_eq(&forged(&|p| p["labels"][0]["block"] = json!(3)));
    let many: Vec<Value> =
        (0..61).map(|_| invariant()["labels"][0]["patterns"][1]["nodes"][1].clone()).collect();
    expect!["too many nodes"].assert_eq(&forged(&|p| first(p, "nodes", json!(many))));
    // What is read, but is no invariant.
    expect!["block 1: nothing is said of `l`"]
        .assert_eq(&forged(&|p| first(p, "points", json!(["dead", "dead", "dead"]))));
    assert!(forged(&|p| node(p, "fields", json!([["1"]]))).contains("which is not there"));
    let shared = |p: &mut Value| p["labels"][1]["patterns"][1]["nodes"][1]["sharing"] = json!(1);
    assert!(forged(&shared).contains("which is not there"));
    assert!(
        forged(&|p| p["labels"][1]["patterns"][1]["nodes"][0]["colours"] = json!([[1], [2]]))
            .contains("may violate error-call")
    );
    assert!(forged(&|p| drop(p["labels"].as_array_mut().map(|l| l.pop()))).contains("no label"));
}
