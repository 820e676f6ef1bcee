//! The formulas of the families over two variables: those of Tables 1 and 3.

use trellis_predicates::{Families, Family, instantiate};
use trellis_transys::TransitionSystem;

use crate::{Checked, added, benchmark, still, system};

/// Checks what a family adds at the first loop, in any order.
fn check<T: AsRef<str>>(system: &mut TransitionSystem, family: Family, expected: &[T]) {
    let predicates = added(system, family);
    let mut texts: Vec<String> =
        predicates.iter().map(|&p| system.arena.print(&system.vocabulary, p)).collect();
    let mut expected: Vec<&str> = expected.iter().map(AsRef::as_ref).collect();
    texts.sort_unstable();
    expected.sort_unstable();
    assert_eq!(texts, expected, "{family}");
}

/// A formula about `F`, `X` and `Y` for both fields and all segments; `B` is the other field. That
/// null is reached goes without saying.
fn for_segments(formula: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (field, back) in [("next", "prev"), ("prev", "next")] {
        for (x, y) in [("x", "y"), ("x", "NULL"), ("y", "x"), ("y", "NULL")] {
            let mut text = formula.to_owned();
            for (name, value) in [("F", field), ("B", back), ("X", x), ("Y", y)] {
                text = text.replace(&format!("{name},"), &format!("{value},"));
                text = text.replace(&format!(" {name})"), &format!(" {value})"));
                text = text.replace(&format!("{name} "), &format!("{value} "));
            }
            for var in ["u", "v"] {
                text = text.replace(&format!(" && reach({field}, {var}, NULL)"), "");
            }
            out.push(text);
        }
    }
    out
}

#[test]
fn of_variables() {
    let mut system = still();
    check(&mut system, Family::Equality, &["x == NULL", "y == NULL", "x == y"]);
    check(
        &mut system,
        Family::Reach,
        &["reach(next, x, y)", "reach(next, y, x)", "reach(prev, x, y)", "reach(prev, y, x)"],
    );
}

/// Equation 2 of the paper.
#[test]
fn of_single_steps() {
    let expected = for_segments(
        r"reach(F, X, Y) && X != Y && \forall struct node *$z; reach(F, X, $z) && $z != X ==> reach(F, Y, $z)",
    );
    check(&mut still(), Family::Edge, &expected);
}

#[test]
fn of_unshared_segments() {
    let expected = for_segments(
        r"\forall struct node *u, *v; u != NULL && reach(F, X, u) && reach(F, u, Y) && reach(F, v, u) ==> reach(F, v, X) || reach(F, X, v)",
    );
    check(&mut still(), Family::Segment, &expected);
}

#[test]
fn of_reversed_segments() {
    let expected = for_segments(
        r"\forall struct node *u, *v; u != NULL && v != NULL && reach(F, X, u) && reach(F, u, Y) && reach(F, X, v) && reach(F, v, Y) ==> (reach(F, u, v) <==> reach(B, v, u))",
    );
    check(&mut still(), Family::Reverse, &expected);
}

#[test]
fn of_data_and_sorted_segments() {
    check(&mut still(), Family::Data, &["x->key <= y->key", "y->key <= x->key"]);
    let expected = for_segments(
        r"\forall struct node *u, *v; u != NULL && v != NULL && reach(F, X, u) && reach(F, u, v) && reach(F, v, Y) ==> u->key <= v->key",
    );
    check(&mut still(), Family::Sorted, &expected);
}

/// Where nothing is allocated or freed there is little to say.
#[test]
fn of_memory_that_does_not_change() {
    let mut system = still();
    check(&mut system, Family::Stable, &["alloc(x)", "alloc(y)"]);
    check::<&str>(&mut system, Family::Entry, &[]);
}

#[test]
fn of_memory_that_changes() {
    let mut system = system(&benchmark("delete-all.c"), "delete_all", Checked::Safety);
    let variables = ["h", "x", "y"];
    let mut stable: Vec<String> = variables.iter().map(|x| format!("alloc({x})")).collect();
    stable.extend(variables.iter().map(|x| {
        format!("\\forall struct node *u; u != NULL && reach(next, {x}, u) ==> alloc(u)")
    }));
    check(&mut system, Family::Stable, &stable);
    let reached = variables.map(|x| format!("reach(next, {x}, u)"));
    let kept = |by: &str| format!("\\forall struct node *u; alloc(u) ==> {by}");
    let mut all: Vec<String> = reached.iter().map(|by| kept(by)).collect();
    all.push(kept(&reached.join(" || ")));
    check(&mut system, Family::Kept, &all);
    let mut entry: Vec<String> = variables.iter().map(|x| format!("\\old(alloc)({x})")).collect();
    for x in variables {
        for y in variables.iter().filter(|y| **y != x) {
            entry.push(format!("reach(\\old(next), {x}, {y})"));
        }
    }
    check(&mut system, Family::Entry, &entry);
}

/// Neither the code nor the contract mentions `\old(h)`.
#[test]
fn of_arguments_as_they_were_passed() {
    let mut system = system(&benchmark("delete-all.c"), "delete_all", Checked::Safety);
    let equal = ["h", "x", "y"].map(|x| format!("{x} == NULL"));
    let mut expected = equal.to_vec();
    expected.extend(["h == x", "h == y", "x == y"].map(str::to_owned));
    check(&mut system, Family::Equality, &expected);
    let mut families = Families::none();
    families.insert(Family::Equality);
    families.insert(Family::Arguments);
    let predicates = instantiate(&mut system, &families, &[]).swap_remove(1);
    let texts = predicates.iter().map(|&p| system.arena.print(&system.vocabulary, p));
    let (with, without): (Vec<String>, Vec<String>) = texts.partition(|t| t.contains("\\old(h)"));
    assert_eq!(with.len(), 4, "null and three variables: {with:?}");
    assert_eq!(without.len(), expected.len());
}
