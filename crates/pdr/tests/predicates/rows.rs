//! Rows of Tables 6 and 8, and programs that the families are not enough for.

use trellis_pdr::Outcome;
use trellis_predicates::Selection;

use crate::{Checked, given, search};

#[test]
fn correct_rows_are_verified() {
    let rows = [
        ("prev.c", "prev"),
        ("last.c", "last"),
        ("create.c", "create"),
        ("delete.c", "delete"),
        ("delete-all.c", "delete_all"),
        ("insert.c", "insert"),
        ("reverse.c", "reverse"),
        ("sorted-insert.c", "sorted_insert"),
        ("make-doubly-linked.c", "make_doubly_linked"),
    ];
    for (file, proc) in rows {
        for checked in [Checked::Safety, Checked::Everything] {
            let growth = search(file, proc, checked, &Selection::default());
            assert!(matches!(growth.outcome, Outcome::Verified(_)), "{file}: {growth:?}");
        }
    }
}

#[test]
fn bugs_are_found() {
    let rows = [
        ("insert-bug.c", "insert"),
        ("filter-null-bug.c", "filter"),
        ("filter-head-bug.c", "filter"),
        ("reverse-bug.c", "reverse"),
    ];
    for (file, proc) in rows {
        let growth = search(file, proc, Checked::Everything, &Selection::default());
        assert!(matches!(growth.outcome, Outcome::Violated(_)), "{file}: {growth:?}");
    }
}

#[test]
fn a_predicate_of_the_user_makes_up_for_what_no_family_says() {
    for (file, proc, name) in [("mark-all.c", "mark_all", "marked"), ("min.c", "min", "below")] {
        let without = search(file, proc, Checked::Everything, &Selection::default());
        assert!(matches!(without.outcome, Outcome::NoInvariant(_)), "{file}: {without:?}");
        let with = search(file, proc, Checked::Everything, &given(name));
        assert!(matches!(with.outcome, Outcome::Verified(_)), "{file}: {with:?}");
        assert!(with.predicates > 0 && with.searches <= without.searches, "{file}: {with:?}");
    }
}
