//! Errors of syntax.

use expect_test::expect;

use crate::acsl::tests::{check, check_each};

#[test]
fn syntax() {
    check_each(
        &[
            "h = NULL",
            "h ==",
            "(h == NULL",
            "reach(next, h",
            "reach(next h, NULL)",
            "n & 1",
            "n << 1 == 2",
            "~n == 1",
            "1.5 == n",
            "99999999999999999999 == n",
            "08 == n",
            "'ab' == n",
            "\"s\" == h",
            "0 < n > 1",
            "n != 1 != 2",
            "\\nothing",
            "\\forall int; \\true",
            "\\forall struct *p; \\true",
            "h->3 == 1",
            "pool[1 == 1",
            "n ? 1",
            "sizeof n == 4",
            "h == NULL h",
            "é == 1",
        ],
        expect![[r#"
            error: expected `;`
              h = NULL
                ^ found `=`
              help: equality is written `==`
            error: expected an expression
              h ==
                  ^ found `;`
            error: expected `)`
              (h == NULL
                        ^ found `;`
            error: expected `,` or `)`
              reach(next, h
                           ^ found `;`
            error: expected `,` or `)`
              reach(next h, NULL)
                         ^ found `h`
            error: bitwise operators are not supported in contracts
              n & 1
                ^
            error: bitwise operators are not supported in contracts
              n << 1 == 2
                ^^
            error: bitwise operators are not supported in contracts
              ~n == 1
              ^
            error: floating-point numbers are not supported in contracts
              1.5 == n
              ^^^
            error: number too large for 64 bits
              99999999999999999999 == n
              ^^^^^^^^^^^^^^^^^^^^
            error: malformed number
              08 == n
              ^^
            error: malformed character
              'ab' == n
              ^^^^
            error: expected an expression
              "s" == h
              ^^^ found `"s"`
            error: comparisons cannot be chained so
              0 < n > 1
                    ^
              help: join them with `&&`, or add parentheses
            error: comparisons cannot be chained so
              n != 1 != 2
                     ^^
              help: join them with `&&`, or add parentheses
            error: `\nothing` stands alone in an `assigns` clause
              \nothing
              ^^^^^^^^
            error: expected a variable
              \forall int; \true
                         ^ found `;`
            error: expected the tag of a struct
              \forall struct *p; \true
                             ^ found `*`
            error: expected a field
              h->3 == 1
                 ^ found `3`
            error: expected `]`
              pool[1 == 1
                         ^ found `;`
            error: expected `:`
              n ? 1
                   ^ found `;`
            error: expected `(`
              sizeof n == 4
                     ^ found `n`
            error: expected `;`
              h == NULL h
                        ^ found `h`
            error: expected an expression
              é == 1
              ^^ found `é`
        "#]],
    );
    check(
        "/*@ requires h",
        expect![[r#"
        error: expected `;`
          /*@ requires h
                       ^ the annotation ends after this
    "#]],
    );
    check(
        "/*@ requires h */",
        expect![[r#"
        error: expected `;`
          /*@ requires h */
                       ^ the annotation ends after this
    "#]],
    );
    check(
        "/*@ h == NULL; */",
        expect![[r#"
        error: unknown clause `h`
          /*@ h == NULL; */
              ^
    "#]],
    );
    check(
        "/*@ ; */",
        expect![[r#"
        error: expected a clause such as `requires`
          /*@ ; */
              ^ found `;`
    "#]],
    );
    check(
        "//@ ghost int x = (1;",
        expect![[r#"
        error: expected `;` at the end of the ghost statement
          //@ ghost int x = (1;
                              ^ the annotation ends after this
    "#]],
    );
    check(
        "//@ loop;",
        expect![[r#"
        error: expected `invariant`, `assigns` or `variant`
          //@ loop;
                  ^ found `;`
    "#]],
    );
    check(
        "/*@ behavior: ensures h; */",
        expect![[r#"
        error: expected the name of the behavior
          /*@ behavior: ensures h; */
                      ^ found `:`
    "#]],
    );
    check(
        "/*@ assumes h; */",
        expect![[r#"
        error: `assumes` stands only in a behavior
          /*@ assumes h; */
              ^^^^^^^
          help: write `behavior name:` before it
    "#]],
    );
    check(
        "/*@ behavior b: assigns h->next; */",
        expect![[r#"
        error: `assigns` in a behavior is not supported
          /*@ behavior b: assigns h->next; */
                          ^^^^^^^
          help: write it before the first behavior
    "#]],
    );
    check(
        "/*@ complete behaviors; */",
        expect![[r#"
        error: `complete behaviors` is not supported
          /*@ complete behaviors; */
              ^^^^^^^^
          help: behaviors are checked one by one; state this in a `requires`
    "#]],
    );
    check(
        "/*@ disjoint behaviors a, b; */",
        expect![[r#"
        error: `disjoint behaviors` is not supported
          /*@ disjoint behaviors a, b; */
              ^^^^^^^^
          help: behaviors are checked one by one; state this in a `requires`
    "#]],
    );
    check(
        "/*@ terminates \\true; */",
        expect![[r#"
        error: `terminates` clauses are not supported
          /*@ terminates \true; */
              ^^^^^^^^^^
    "#]],
    );
}
