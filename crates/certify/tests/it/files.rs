//! The file, and certificates that do not fit.

use expect_test::expect;
use trellis_certify::{Certificate, ProblemKind, digest};

use crate::{Proved, check_with_z3, reverse};

#[test]
fn digests_are_sha_256() {
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(digest(b"abc"), abc);
}

#[test]
fn what_is_no_certificate_says_why() {
    let read = |text: &str| Certificate::read(text).map_err(|e| e.to_string());
    let text = reverse().certificate.to_json();
    assert!(read(&text).is_ok());
    let cases = [
        ("".to_owned(), "1:0: EOF while parsing a value"),
        ("{\n  \"format\": tru\n}".to_owned(), "3:0: expected ident"),
        ("{}".to_owned(), "this is no certificate: `format` is not `trellis-certificate`"),
        (
            text.replace("\"version\": 3", "\"version\": 2"),
            "the certificate has version 2; this version of Trellis reads version 3",
        ),
        (text.replace("\"version\": 3,", ""), "the certificate does not say its `version`"),
        (
            text.replace("\"procedure\"", "\"function\""),
            "21:12: unknown field `function`, expected one of `format`, `version`, `tool`, \
             `source`, `procedure`, `checks`, `malloc_may_fail`, `words`, \
             `leak_turns`, `vocabulary`, `cut_points`, `shapes`, `patterns`, \
             `graphs`, `sequents`, `exhaustion`",
        ),
        (text.replace("    \"language\": \"C\",\n", ""), "19:3: missing field `language`"),
    ];
    for (text, expected) in cases {
        let message = read(&text).expect_err("it is damaged");
        assert_eq!(message, expected);
    }
}

/// What is wrong with a certificate of `reverse` that was changed.
fn problem(change: impl Fn(&mut Certificate)) -> String {
    let mut proved = reverse();
    change(&mut proved.certificate);
    let problem = check_with_z3(&proved).expect_err("it does not fit");
    assert_eq!(problem.kind, ProblemKind::Certificate);
    let folder = crate::root().display().to_string();
    problem.message.replace(&folder, "…")
}

#[test]
fn certificates_that_do_not_fit_say_why() {
    expect!["the source has no procedure `revers`; did you mean `reverse`?"]
        .assert_eq(&problem(|c| c.procedure = "revers".into()));
    expect!["the cut point at …/benchmarks/pdr-forall/reverse.c:20:12 (block 99) is no loop of the source"]
        .assert_eq(&problem(|c| c.cut_points[0].block = 99));
    expect![
        "the certificate says nothing about the loop at …/benchmarks/pdr-forall/reverse.c:20:12"
    ]
    .assert_eq(&problem(|c| c.cut_points.clear()));
    expect!["the cut point at …/benchmarks/pdr-forall/reverse.c:20:12 (block 1) is there twice"]
        .assert_eq(&problem(|c| c.cut_points.push(c.cut_points[0].clone())));
    expect!["no check is called `null`"].assert_eq(&problem(|c| c.checks.push("null".into())));
    expect!["clause 1 of the cut point at …/benchmarks/pdr-forall/reverse.c:20:12 (block 1): the procedure has no constant `q`; did you mean `h`? (column 4 of the formula)"]
        .assert_eq(&problem(|c| c.cut_points[0].invariant[0].formula = "(= q NULL)".into()));
}

/// A witness is another element in every step: an invariant about one would be taken as proved
/// although it says nothing.
#[test]
fn witnesses_are_not_part_of_the_state() {
    let proved = reverse();
    let (_, restored) = check_with_z3(&proved).expect("the certificate fits");
    let system = &restored.system;
    let witness = *system.witnesses.objects.first().expect("a load has a witness");
    let name = trellis_certify::names::Names::new(&system.vocabulary).fun(witness).to_owned();
    let message = problem(|c| {
        c.cut_points[0].invariant[0].formula = format!("(= |{name}| NULL)");
    });
    assert!(message.ends_with(&format!("`{name}` is not part of the state there")), "{message}");
}

#[test]
fn the_dead_are_not_part_of_the_state() {
    let message = problem(|c| c.cut_points[0].invariant[0].formula = "(= t NULL)".into());
    assert!(message.ends_with("`t` is not part of the state there"), "{message}");
}

#[test]
fn files_say_what_they_are_about() {
    let Proved { certificate, .. } = reverse();
    assert_eq!(certificate.procedure, "reverse");
    assert!(certificate.checks.contains(&"null-deref".to_owned()));
    let place = &certificate.cut_points[0].place;
    assert_eq!((place.line, place.column), (20, 12));
    let described = |symbol: &str| certificate.vocabulary.iter().find(|s| s.symbol == symbol);
    assert_eq!(described("r").map(|s| s.meaning.as_str()), Some("the variable `r`"));
    let reach = "y is reached from x over `next` in zero or more steps, now";
    assert_eq!(described("reach next").map(|s| s.meaning.as_str()), Some(reach));
}
