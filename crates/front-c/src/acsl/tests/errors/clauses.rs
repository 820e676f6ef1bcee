//! Errors about the clauses of a contract.

use expect_test::expect;

use crate::acsl::tests::{World, check, render};

#[test]
fn assigned_places_are_places() {
    check(
        "/*@ assigns h; */",
        expect![[r#"
        error: a parameter needs no `assigns`
          /*@ assigns h; */
                      ^ no caller sees this change
          help: name what it points to
    "#]],
    );
    check(
        "/*@ assigns s.key; */",
        expect![[r#"
        error: a parameter needs no `assigns`
          /*@ assigns s.key; */
                      ^^^^^ no caller sees this change
          help: name what it points to
    "#]],
    );
    check(
        "/*@ assigns n + 1; */",
        expect![[r#"
        error: expected a place that can be assigned
          /*@ assigns n + 1; */
                      ^^^^^ this is a value
          help: a place is a global variable, `*p`, `p->f` or `a[i]`
    "#]],
    );
    check(
        "/*@ assigns { v | struct node *v; \\true }; */",
        expect![[r#"
            error: expected a place that can be assigned
              /*@ assigns { v | struct node *v; \true }; */
                            ^ this is a value
              help: a place is a global variable, `*p`, `p->f` or `a[i]`
        "#]],
    );
    check(
        "/*@ assigns { v->next ; \\true }; */",
        expect![[r#"
        error: expected `|`
          /*@ assigns { v->next ; \true }; */
                                ^ found `;`
    "#]],
    );
    check(
        "/*@ assigns *q; */",
        expect![[r#"
        error: the size of `struct opaque` is not known
          /*@ assigns *q; */
                      ^^
    "#]],
    );
    check(
        "/*@ assigns head, \\nothing; */",
        expect![[r#"
        error: `\nothing` stands alone in an `assigns` clause
          /*@ assigns head, \nothing; */
                            ^^^^^^^^
    "#]],
    );
    check(
        "/*@ assigns pool[0 .. 3].key; */",
        expect![[r#"
        error: expected `]`
          /*@ assigns pool[0 .. 3].key; */
                             ^^ found `..`
    "#]],
    );
}

#[test]
fn all_errors_of_a_contract_are_reported() {
    check(
        "/*@ requires hd;\n    assigns h->nxt, hh->next;\n    behavior b:\n    assumes x;\n    \
         requires y;\n    ensures z;\n    ensures h; */",
        expect![[r#"
            error: unknown name `hd`
              /*@ requires hd;
                           ^^
              help: did you mean `h`?
            error: `struct node` has no field `nxt`
                  assigns h->nxt, hh->next;
                             ^^^
              help: did you mean `next`?
            error: unknown name `hh`
                  assigns h->nxt, hh->next;
                                  ^^
              help: did you mean `h`?
            error: unknown name `x`
                  assumes x;
                          ^
            error: unknown name `y`
                  requires y;
                           ^
            error: unknown name `z`
                  ensures z;
                          ^
        "#]],
    );
}

#[test]
fn clauses_of_statements_are_no_contract() {
    let text = "/*@ loop invariant h; */";
    let annotations =
        crate::acsl::parse(text, &crate::acsl::tests::Plain).unwrap().expect("a contract");
    let errors = crate::acsl::resolve_contract(&annotations, &mut World::new()).unwrap_err();
    expect![[r#"
        error: `loop invariant` is no part of a contract
          /*@ loop invariant h; */
                             ^
          help: write it inside the function
    "#]]
    .assert_eq(&render(text, &errors[0]));
}
