//! Damaged certificates are refuted.

use trellis_certify::{Certificate, Kind, Outcome, Report};
use trellis_transys::LocationId;

use crate::{Proved, check_with_z3, outcome, program, prove, reverse};

/// The report on a certificate of `reverse` that was changed.
fn changed(change: impl Fn(&mut Certificate)) -> Report {
    let mut proved = reverse();
    change(&mut proved.certificate);
    check_with_z3(&proved).expect("the certificate fits").0
}

fn formulas(certificate: &mut Certificate) -> impl Iterator<Item = &mut String> {
    certificate.cut_points.iter_mut().flat_map(|c| &mut c.invariant).map(|c| &mut c.formula)
}

/// The outcomes for `reverse` with each clause changed in turn.
fn each_clause(change: impl Fn(&mut Vec<trellis_certify::WrittenClause>, usize)) -> Vec<Outcome> {
    let mut proved = reverse();
    let whole = proved.certificate.clone();
    (0..whole.clauses())
        .map(|i| {
            proved.certificate = whole.clone();
            change(&mut proved.certificate.cut_points[0].invariant, i);
            outcome(&proved)
        })
        .collect()
}

#[test]
fn without_a_clause() {
    let outcomes = each_clause(|invariant, i| drop(invariant.remove(i)));
    let refuted = outcomes.iter().filter(|o| **o == Outcome::Refuted).count();
    // The engine may leave clauses too many, but not all of them are.
    assert!(refuted > 0, "{outcomes:?}");
    assert!(!outcomes.contains(&Outcome::NotDecided), "{outcomes:?}");
    let report = changed(|certificate| certificate.cut_points[0].invariant.clear());
    let refuted = report.refutation().expect("a safety condition fails");
    assert!(matches!(refuted.kind, Kind::Safety { from: LocationId(1), .. }), "{refuted:?}");
}

/// The end of the list that begins at a byte; words between bars may have parentheses.
fn end_of_list(text: &str, begin: usize) -> usize {
    let (mut depth, mut barred) = (0, false);
    for (i, c) in text[begin..].char_indices() {
        match c {
            '|' => barred = !barred,
            '(' if !barred => depth += 1,
            ')' if !barred => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return begin + i + 1;
        }
    }
    text.len()
}

#[test]
fn with_a_literal_negated() {
    let outcomes = each_clause(|invariant, i| {
        let formula = &mut invariant[i].formula;
        let begin = ["(reach ", "(= ", "(alloc "].iter().find_map(|head| formula.find(head));
        let begin = begin.expect("a clause has an atom");
        let end = end_of_list(formula, begin);
        *formula =
            format!("{}(not {}){}", &formula[..begin], &formula[begin..end], &formula[end..]);
    });
    assert!(outcomes.iter().all(|o| *o == Outcome::Refuted), "{outcomes:?}");
}

#[test]
fn with_symbols_swapped() {
    let report = changed(|certificate| {
        for formula in formulas(certificate) {
            let words: Vec<String> = formula
                .split(' ')
                .map(|word| {
                    let bare = word.trim_matches(['(', ')']);
                    match bare {
                        "h" => word.replace('h', "r"),
                        "r" => word.replace('r', "h"),
                        _ => word.to_owned(),
                    }
                })
                .collect();
            *formula = words.join(" ");
        }
    });
    assert_eq!(report.outcome(), Outcome::Refuted);
}

/// Everything follows from an invariant that is false, except that it holds at first.
#[test]
fn with_a_false_invariant() {
    let report = changed(|certificate| {
        let clause = &mut certificate.cut_points[0].invariant;
        clause.truncate(1);
        clause[0].formula = "false".into();
    });
    let refuted = report.refutation().expect("it is refuted");
    assert_eq!(refuted.kind, Kind::Initiation { to: LocationId(1) });
    let failure = refuted.failure().expect("a failure");
    assert_eq!(failure.claim, Some(0));
    assert!(failure.state.is_some());
}

const TWINS: &str = "
struct node { struct node *next; };
/*@ requires reach(next, h, (struct node *)0);
    ensures reach(next, \\result, (struct node *)0); */
struct node *last(struct node *h)
{
    struct node *p = h;
    while (p != 0 && p->next != 0) { p = p->next; }
    return p;
}
/*@ requires reach(next, h, (struct node *)0);
    ensures reach(next, \\result, (struct node *)0); */
struct node *last_bug(struct node *h)
{
    struct node *p = h;
    while (p != 0 || p->next != 0) { p = p->next; }
    return p;
}
";

#[test]
fn for_another_procedure() {
    let mut proved = prove("test.c", TWINS, program(TWINS), "last");
    assert_eq!(outcome(&proved), Outcome::Certified);
    proved.certificate.procedure = "last_bug".into();
    if let Ok((report, _)) = check_with_z3(&proved) {
        assert_eq!(report.outcome(), Outcome::Refuted);
    }
}

#[test]
fn for_another_source() {
    let mut proved = prove("test.c", TWINS, program(TWINS), "last");
    let changed = TWINS.replace("p != 0 && p->next", "p->next");
    proved.program = program(&changed);
    let Proved { certificate, .. } = &proved;
    assert_ne!(certificate.source.sha256, trellis_certify::digest(changed.as_bytes()));
    assert_eq!(outcome(&proved), Outcome::Refuted);
}
