//! The pdr-forall engine on the rows of the papers, and on the rest of its answers.
//!
//! The fast rows run always, all rows with `TRELLIS_SLOW=1`.

use std::fs;

use serde_json::Value;

use crate::schema::problems;
use crate::{root, slow, trellis};

/// Rows that take a fraction of a second.
const FAST: [&str; 12] = [
    "concat",
    "delete",
    "delete-all",
    "filter",
    "insert-at",
    "insert",
    "reverse",
    "uf-union",
    "shared-tail",
    "dll-create",
    "dll-insert-at",
    "dll-delete",
];

fn bench(suite: &str, rows: &[&str], more: &[&str]) -> Value {
    let mut args = vec!["bench", suite, "--format", "json"];
    args.extend(rows.iter().flat_map(|row| ["--row", row]));
    args.extend(more);
    let ran = trellis(&args);
    let report: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}{}", ran.out, ran.err));
    let schema = root().join("docs/src/schema/bench-pdr-1.json");
    let schema = fs::read_to_string(schema).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    assert_eq!(problems(&schema, &report), Vec::<String>::new());
    assert_eq!(report["exit_code"], ran.code.expect("it ends"));
    report
}

/// The rows whose verdict is not the expected one.
fn wrong(report: &Value) -> Vec<String> {
    let rows = report["rows"].as_array().expect("rows");
    let text = |row: &Value| {
        let (name, variant) = (row["name"].as_str()?, row["variant"].as_str()?);
        let solver = &row["solvers"][0];
        (row["as_expected"] == false)
            .then(|| format!("{name} ({variant}): {} {}", solver["verdict"], solver["reason"]))
    };
    rows.iter().filter_map(text).collect()
}

/// Every *verified* is certified by both solvers.
#[test]
fn rows_of_paper_003_have_their_verdicts() {
    let rows: &[&str] = if slow() { &[] } else { &FAST };
    let report = bench("pdr-forall", rows, &["--timeout", "300s", "--certify", "z3,cvc5"]);
    let rows = report["rows"].as_array().expect("rows");
    assert!(rows.len() >= 20);
    assert_eq!(wrong(&report), Vec::<String>::new());
    for row in rows.iter().filter(|row| row["expect"] == "verified") {
        assert_eq!(row["solvers"][0]["certified"]["outcome"], "certified", "{row:#}");
    }
}

#[test]
fn another_solver_gives_the_same_verdicts() {
    let report = bench("pdr-forall", &["delete-all"], &["--solver", "z3", "--timeout", "300s"]);
    for row in report["rows"].as_array().expect("rows") {
        let verdicts: Vec<&Value> =
            row["solvers"].as_array().expect("two").iter().map(|s| &s["verdict"]).collect();
        assert_eq!(verdicts, ["verified", "verified"]);
        assert!(row["solvers"][1]["ratio"].as_f64().expect("a ratio") > 1.0);
    }
}

#[test]
fn seeds_are_tried() {
    let report = bench("pdr-forall", &["concat"], &["--seeds", "3"]);
    let seeds = &report["rows"][0]["solvers"][0]["seeds"];
    assert_eq!(seeds.as_array().expect("times").len(), 3);
    assert_eq!(wrong(&report), Vec::<String>::new());
}

/// What `verify` says about a text, as JSON.
fn verify(text: &str, more: &[&str]) -> Value {
    let scratch = tempfile::tempdir().expect("a directory");
    let path = scratch.path().join("test.c");
    fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("UTF-8");
    let mut args = vec!["verify", path, "--engine", "pdr-forall", "--format", "json"];
    args.extend(more);
    let ran = trellis(&args);
    let mut report: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}{}", ran.out, ran.err));
    report["files"][0]["procedures"][0].take()
}

const NODE: &str = "#include <stdlib.h>\nstruct node { struct node *next; int key; };\n";

fn with_node(text: &str) -> String {
    format!("{NODE}{text}")
}

#[test]
fn verified_comes_with_an_invariant_and_figures() {
    let text = with_node(
        "/*@ requires reach(next, h, NULL); ensures \\result == NULL; */\n\
         struct node *walk(struct node *h) { while (h) h = h->next; return h; }\n",
    );
    let found = verify(&text, &[]);
    assert_eq!(found["verdict"], "verified", "{found:#}");
    let invariant = &found["invariants"][0];
    assert_eq!(invariant["span"]["line"], 4);
    assert!(!invariant["formulas"].as_array().expect("formulas").is_empty());
    let figures = &found["statistics"]["pdr"];
    assert!(figures["queries"].as_u64() > Some(0), "{figures}");
    assert!(figures["check_seconds"].as_f64() > Some(0.0), "{figures}");
}

#[test]
fn violated_comes_with_a_heap_that_fails() {
    let text = with_node(
        "/*@ requires reach(next, h, NULL) && h != NULL; */\n\
         int last(struct node *h) { while (h->next->next) h = h->next; return h->key; }\n",
    );
    let found = verify(&text, &[]);
    assert_eq!(found["verdict"], "violated", "{found:#}");
    assert_eq!(found["check"]["kind"], "null-deref");
    assert_eq!(found["initial_heap"], "h -> a -> null");
}

#[test]
fn integers_of_a_counterexample_compare_as_they_must() {
    let text = with_node(
        "/*@ requires reach(next, h, NULL); */\n\
         void f(struct node *h) {\n\
           if (h && h->next && h->key > 7 && h->next->key > h->key) { h = NULL; h->key = 1; }\n\
         }\n",
    );
    let found = verify(&text, &[]);
    assert_eq!(found["verdict"], "violated", "{found:#}");
    assert_eq!(found["check"]["kind"], "null-deref");
}

#[test]
fn a_cycle_is_noticed() {
    let text = with_node(
        "/*@ requires reach(next, h, NULL); */\n\
         void close(struct node *h) { if (h) { h->next = h; } }\n",
    );
    let found = verify(&text, &[]);
    assert_eq!(found["verdict"], "unknown", "{found:#}");
    assert_eq!(found["reason"]["kind"], "cycle");
    assert_eq!(found["reason"]["places"][0]["span"]["line"], 4);
    let found = verify(&text, &["--check", "acyclic"]);
    assert_eq!(found["verdict"], "violated", "{found:#}");
}

#[test]
fn arithmetic_that_is_not_followed_is_named() {
    let text = with_node(
        "/*@ requires k == 1; */\n\
         void f(int k) { int twice = k + k; if (twice == 3) { int *p = NULL; *p = 1; } }\n",
    );
    let found = verify(&text, &[]);
    assert_eq!(found["verdict"], "unknown", "{found:#}");
    assert_eq!(found["reason"]["kind"], "imprecise");
    assert_eq!(found["reason"]["places"][0]["span"]["line"], 4);
}

#[test]
fn what_is_not_supported_has_a_place() {
    let text = with_node(
        "/*@ requires reach(next, h, NULL); */\n\
         void f(struct node *h) { if (h) { f(h->next); h->next = NULL; } }\n",
    );
    let found = verify(&text, &["--no-check", "leak"]);
    assert_eq!(found["verdict"], "unknown", "{found:#}");
    assert_eq!(found["reason"]["kind"], "unsupported");
    assert_eq!(found["reason"]["places"][0]["span"]["line"], 4);
    let cyclic = with_node("void f(struct node *h) { while (h) h = h->next; }\n");
    let found = verify(&cyclic, &[]);
    assert_eq!(found["reason"]["kind"], "unsupported", "{found:#}");
}

#[test]
fn no_invariant_comes_with_an_abstract_trace() {
    let args = ["verify", "benchmarks/pdr-forall/shared-tail.c", "--engine", "pdr-forall"];
    let ran = trellis(&[&args[..], &["--vocabulary", "basic"]].concat());
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("no-invariant: no universal formula over reach(next)"), "{}", ran.out);
    assert!(ran.out.contains("spec-assert: "), "{}", ran.out);
}

#[test]
fn memory_is_limited() {
    let args = ["verify", "benchmarks/pdr-forall/sorted-merge.c", "--engine", "pdr-forall"];
    let ran = trellis(&[&args[..], &["--memory", "4M"]].concat());
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the memory limit of 4 MiB is used up"), "{}", ran.out);
}

#[test]
fn a_precondition_that_never_holds_is_pointed_out() {
    let scratch = tempfile::tempdir().expect("a directory");
    let path = scratch.path().join("never.c");
    let text = "/*@ requires h != NULL && h == NULL; */\nvoid f(struct node *h) { h = h->next; }\n";
    fs::write(&path, with_node(text)).expect("a file");
    let ran = trellis(&["verify", path.to_str().expect("UTF-8"), "--engine", "pdr-forall"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("no heap satisfies the precondition of `f`"), "{}", ran.err);
}

#[test]
fn a_missing_solver_is_named() {
    let args = ["verify", "benchmarks/pdr-forall/concat.c", "--engine", "pdr-forall"];
    let more = ["--solver", "cvc5", "--solver-path", "cvc5=no/such/cvc5"];
    let ran = trellis(&[&args[..], &more].concat());
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("cvc5"), "{}", ran.out);
}

#[test]
fn runs_repeat() {
    let args = ["verify", "benchmarks/pdr-forall/filter.c", "--engine", "pdr-forall"];
    assert_eq!(trellis(&args).out, trellis(&args).out);
}

#[test]
fn questions_can_be_recorded() {
    let scratch = tempfile::tempdir().expect("a directory");
    let file = scratch.path().join("all.queries");
    let file = file.to_str().expect("UTF-8");
    let args = ["verify", "benchmarks/pdr-forall/concat.c", "--engine", "pdr-forall"];
    let ran = trellis(&[&args[..], &["--record-queries", file]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let again = trellis(&["bench", "solver", file, "--solver", "epr"]);
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
}

/// What stands behind a call that nothing satisfies is not proved in silence.
#[test]
fn a_call_that_no_result_satisfies_is_told() {
    let scratch = tempfile::tempdir().expect("a directory");
    let path = scratch.path().join("never.c");
    let text = "#include <assert.h>\n\
         //@ assigns \\nothing; ensures \\result > 5 && \\result < 3;\n\
         int never(void);\n\
         void f(void) { never(); assert(0); }\n";
    fs::write(&path, text).expect("a file");
    let ran = trellis(&["verify", path.to_str().expect("UTF-8"), "--engine", "pdr-forall"]);
    assert!(ran.err.contains("no result satisfies the `ensures` of `never`"), "{}", ran.err);
}

/// A smaller object of the same family has no place for what is pointed to.
#[test]
fn a_pointer_at_the_entry_leads_to_all_of_what_it_points_to() {
    let found = verify(
        "struct pair { int x; };\n\
         struct node { struct node *next; struct pair in; };\n\
         /*@ requires reach(next, a, NULL); */\n\
         struct node *f(struct node *a)\n\
         { struct pair *e = 0; if (a) a = a->next; return a; }\n",
        &[],
    );
    assert_eq!(found["verdict"], "verified", "{found:#}");
}

/// A variable whose lifetime has not begun is no object of the caller.
#[test]
fn a_variable_that_never_begins_is_no_object_of_the_caller() {
    let found = verify(
        "void free(void *);\n\
         struct node { struct node *next; int key; };\n\
         /*@ requires reach(next, a, NULL); */\n\
         void f(struct node *a)\n\
         { if (!a && a) { struct node n; n.next = 0; }\n\
         while (a && a->next) { struct node *t = a->next; a->next = t->next; free(t); } }\n",
        &[],
    );
    assert_eq!(found["verdict"], "verified", "{found:#}");
}

/// A conversion of a pointer is no allocation, neither in the logic nor on the machine.
#[test]
fn a_conversion_makes_no_object() {
    let found = verify(
        "struct node { struct node *next; };\n\
         /*@ requires \\forall struct node *v; reach(next, v, NULL); */\n\
         void *f(struct node *a)\n\
         { struct node *p = a, *q = a, *r = 0; void *v = a;\n\
         while (p) { r = (struct node *)(void *)q; }\n\
         return v; }\n",
        &[],
    );
    assert_eq!(found["verdict"], "verified", "{found:#}");
}

/// Nothing need be known of a field that neither the code nor the contract mentions.
#[test]
fn a_field_that_nobody_mentions_may_have_cycles() {
    let text = |more: &str| {
        format!(
            "struct node {{ struct node *next, *owner; int d; }};\n\
             /*@ requires \\forall struct node *v; reach(next, v, NULL); */\n\
             void f(struct node *a)\n\
             {{ struct node *p = a; while (p) {{ p->d = 0; {more} p = p->next; }} }}\n"
        )
    };
    assert_eq!(verify(&text(""), &[])["verdict"], "verified");
    let mentioned = verify(&text("if (p->owner == a) p->d = 1;"), &[]);
    assert_eq!(mentioned["verdict"], "unknown", "{mentioned:#}");
}

/// What to add is said of the object that lacks it, is enough, and contradicts nothing.
#[test]
fn advice_about_cycles_names_the_object() {
    let advice = |requires: &str, parameters: &str| {
        let text = format!(
            "struct node {{ struct node *next, *sub; }};\nstruct queue {{ struct node *head; }};\n\
             {requires}\nvoid f({parameters}) {{\n\
             struct node *p = 0; while (p) {{ p = p->next; p = p->sub; }} }}\n"
        );
        let folder = tempfile::tempdir().expect("a scratch folder");
        let file = folder.path().join("a.c");
        fs::write(&file, text).expect("it is writable");
        let file = file.to_str().expect("a UTF-8 name");
        let ran = trellis(&["verify", file, "--engine", "pdr-forall", "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let procedure = &report["files"][0]["procedures"][0];
        procedure["reason"]["advice"].as_str().map(str::to_owned).ok_or_else(|| {
            let reason = procedure["reason"]["text"].as_str();
            reason.unwrap_or(procedure["verdict"].as_str().unwrap_or_default()).to_owned()
        })
    };
    let lists = "struct node *a, struct node *b";
    let sub = "requires reach(sub, a, NULL) && reach(sub, b, NULL);";
    let given = |more: &str| format!("/*@ {sub} {more} */");
    assert_eq!(
        advice(&given(""), lists),
        Ok("add `requires reach(next, a, NULL) && reach(next, b, NULL);`".to_owned())
    );
    assert_eq!(
        advice(&given("requires reach(next, a, NULL);"), lists),
        Ok("add `requires reach(next, b, NULL);`".to_owned())
    );
    // Where nothing is said of any field, the usual structure is a tree.
    let tree = "tree(next, sub, a) && tree(next, sub, b)";
    assert_eq!(advice("", lists), Ok(format!("add `requires {tree};`")));
    // Of a ring nobody wants to hear that it should end: it is followed, and what its objects have
    // besides is asked for.
    let ring = "requires reach(next, a, NULL) && cyclic(next, b);";
    let besides = "\\forall struct node *x; reach(next, a, x) ==> reach(sub, x, NULL);";
    assert_eq!(advice(&given(ring), lists), Ok(format!("add `requires {besides}`")));
    let everywhere = "requires \\forall struct node *x; reach(sub, x, NULL);";
    assert_eq!(advice(&given(&format!("{ring} {everywhere}")), lists), Err("verified".to_owned()));
    let queue = "/*@ requires \\forall struct node *x; reach(sub, x, NULL); */";
    assert_eq!(
        advice(queue, "struct queue *q"),
        Ok("add `requires reach(next, q->head, NULL);`".to_owned())
    );
}
