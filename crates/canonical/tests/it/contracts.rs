//! Preconditions that look far, predicates of the user, and what must not be proved.

use trellis_canonical::{Analysis, Instrumentation, Options, Plain, Table3, Table7, analyse};
use trellis_logic::kleene::Kleene;
use trellis_program::{CheckKind, CheckSet, NoResult};

const HEAD: &str = "struct node { struct node *n; int data; };\n\
    extern void *malloc(unsigned long);\nextern void free(void *);\n";

fn analysis_with(
    text: &str,
    instrumentation: impl Instrumentation,
    options: &Options<'_>,
) -> Result<Analysis, NoResult> {
    let text = format!("{HEAD}{}", text.replace("NULL", "((void *)0)"));
    let unit = trellis_front_c::load_str("given.i", &text).unwrap();
    let proc = unit.program.find_proc("f").unwrap();
    analyse(&unit.program, proc, instrumentation, options)
}

fn alarms(text: &str) -> Vec<CheckKind> {
    let analysis = analysis_with(text, Table7::default(), &Options::default()).unwrap();
    assert!(analysis.untranslated.is_empty(), "{:?}", analysis.untranslated);
    analysis.alarms.iter().map(|a| a.kind).collect()
}

fn refused(text: &str, options: &Options<'_>) -> String {
    match analysis_with(text, Table7::default(), options) {
        Err(NoResult::Refused(u)) => u.reason,
        other => panic!("{other:?}"),
    }
}

/// Four edges are promised, more than initial heaps usually have. Such heaps must be there, or
/// everything would be proved. How many edges there are is not remembered.
#[test]
fn preconditions_that_look_far_have_heaps() {
    let walk = |steps: usize| {
        format!(
            "/*@ requires x != NULL && reach(n, x, NULL) && x->n != NULL && x->n->n != NULL; \
             requires x->n->n != NULL ==> x->n->n->n != NULL && x->n->n->n->n != NULL; \
             assigns \\everything; */\nvoid f(struct node *x) {{\nstruct node *p = x;\n{}}}\n",
            "p = p->n;\n".repeat(steps)
        )
    };
    assert_eq!(alarms(&walk(2)), []);
    assert!(alarms(&walk(6)).contains(&CheckKind::NullDeref));
}

#[test]
fn a_clause_with_a_quantifier_is_left_out() {
    let text = "/*@ requires \\forall struct node *v; reach(n, x, v) ==> v == NULL; \
        assigns \\everything; */ void f(struct node *x) { if (x) x = x->n->n; }\n";
    let analysis = analysis_with(text, Table7::default(), &Options::default()).unwrap();
    assert_eq!(analysis.left_out.len(), 1);
    assert_eq!(analysis.alarms.iter().map(|a| a.kind).collect::<Vec<_>>(), [CheckKind::NullDeref]);
}

/// Nothing is known of a procedure that can never be called.
#[test]
fn a_contradiction_has_no_heaps() {
    let text = "/*@ requires x != NULL && x == NULL; assigns \\everything; */ \
        void f(struct node *x) { x->n = x->n->n; }\n";
    let analysis = analysis_with(text, Table7::default(), &Options::default()).unwrap();
    assert_eq!((analysis.initial, analysis.structures), (0, 0));
}

#[test]
fn what_is_not_followed_is_refused() {
    let default = Options::default();
    let divides = "/*@ assigns \\everything; */ int f(struct node *x, int k) { return 10 / k; }\n";
    assert_eq!(refused(divides, &default), "a division");
    let opaque = "/*@ assigns \\everything; */ void f(void *p, struct node *x) { free(p); }\n";
    assert_eq!(refused(opaque, &default), "a `void *` argument");
    let global = "struct node first;\n/*@ assigns \\everything; */ void f(struct node *x) {}\n";
    let embedded = "a list node that is a global, a member or an element";
    assert_eq!(refused(global, &default), embedded);
    let member = "struct pair { int k; struct node head; } p;\n\
        /*@ assigns \\everything; */ void f(struct node *x) {}\n";
    assert_eq!(refused(member, &default), embedded);
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Acyclic, true);
    let plain = "/*@ assigns \\everything; */ void f(struct node *x) {}\n";
    assert_eq!(refused(plain, &Options { checks, ..default }), "checks for cycles");
}

const LAST: &str = "/*@ predicate last(struct node *v) = v->n == NULL; */\n\
    /*@ requires x != NULL && reach(n, x, NULL); ensures last(\\result); assigns \\everything; */\n\
    struct node *f(struct node *x) { while (x->n) x = x->n; return x; }\n";

/// A predicate of the user names individuals, and contracts may use it.
#[test]
fn predicates_of_the_user_tell_individuals_apart() {
    let names = ["last".to_owned()];
    let options = Options { predicates: &names, ..Options::default() };
    let with = analysis_with(LAST, Table3::default(), &options).unwrap();
    assert!(with.proves_everything(), "{:?}", with.alarms);
    let without = analysis_with(LAST, Table3::default(), &Options::default()).unwrap();
    assert_eq!(with.predicates, without.predicates + 1);
    let named = |a: &Analysis| {
        let all = a.states.iter().flat_map(|(_, found)| found);
        all.filter(|s| {
            s.predicates()
                .find("last")
                .is_some_and(|p| (0..s.size()).any(|u| s.get(p, &[u]) == Kleene::True))
        })
        .count()
    };
    assert!(named(&with) > 0 && named(&without) == 0);
}

#[test]
fn predicates_of_the_user_are_looked_for() {
    let names = ["first".to_owned()];
    let options = Options { predicates: &names, ..Options::default() };
    assert_eq!(refused(LAST, &options), "a predicate first that is not defined");
    let wrong = LAST.replace("v->n == NULL", "v->data == 0").replace("ensures last(\\result);", "");
    let names = ["last".to_owned()];
    let options = Options { predicates: &names, ..Options::default() };
    assert_eq!(refused(&wrong, &options), "a term that is no pointer of the predicate");
}

/// Every definition is only a way to tell heaps apart: with any of them, what is wrong stays wrong.
#[test]
fn predicates_of_the_user_prove_nothing_false() {
    let definitions = [
        "v->n == NULL",
        "cyclic(n, v)",
        "reach(n, v, NULL)",
        "\\exists struct node *w; w != NULL && w->n == v",
        "\\forall struct node *w; reach(n, v, w) ==> w == v || w == NULL",
        "v->n != NULL && v->n->n == NULL",
    ];
    for definition in definitions {
        let text = format!(
            "/*@ predicate p(struct node *v) = {definition}; */\n\
             /*@ requires reach(n, x, NULL); ensures x == NULL || x->n == NULL; \
             assigns \\everything; */\n\
             void f(struct node *x) {{\nstruct node *y = x;\nwhile (y) y = y->n;\n}}\n"
        );
        let names = ["p".to_owned()];
        let options = Options { predicates: &names, ..Options::default() };
        for analysis in [
            analysis_with(&text, Table3::default(), &options),
            analysis_with(&text, Table7::default(), &options),
            analysis_with(&text, Plain, &options),
        ] {
            match analysis {
                Ok(found) => {
                    let kinds: Vec<CheckKind> = found.alarms.iter().map(|a| a.kind).collect();
                    assert!(kinds.contains(&CheckKind::Postcondition), "{definition}: {kinds:?}");
                }
                Err(NoResult::Refused(u)) => assert!(u.reason.contains("garbage"), "{u:?}"),
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

/// Which constructs were seen to be followed, as it was found: `constructs.txt`.
pub const TABLE: &str = include_str!("constructs.txt");

/// What is accepted was seen in proofs that exploration does not refute, or in alarms; the rest is
/// refused. Whatever changes that changes the table.
#[test]
fn every_construct_is_followed_or_refused() {
    let table = trellis_testkit::clauses::survey(&crate::families::judge);
    expect_test::expect_file!["constructs.txt"].assert_eq(&table.to_string());
    assert_eq!(table.unseen(), [""; 0]);
}
