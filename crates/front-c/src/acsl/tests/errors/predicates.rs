//! Errors about predicates, their arguments, and quantifiers.

use expect_test::expect;

use crate::acsl::tests::{check, check_each};

#[test]
fn sets_of_fields_have_different_fields_of_one_type() {
    check_each(
        &[
            "reach({}, h, r)",
            "reach({next, next}, h, r)",
            "reach({next, data}, h, r)",
            "reach({next, sideways}, h, r)",
            "reach({next, h}, h, r)",
            "reach1({next, prev}, h, r)",
            "tree(h)",
            "tree(next, next, h)",
            "tree(next, prev, n)",
            "tree(next, prev, NULL)",
        ],
        expect![[r#"
            error: `reach` follows at least one field
              reach({}, h, r)
              ^^^^^
              help: write `reach({f, g}, x, y)`
            error: the field `next` is listed twice
              reach({next, next}, h, r)
                           ^^^^ listed before
            error: expected a pointer field
              reach({next, data}, h, r)
                           ^^^^ this is an integer
            error: `struct node` has no field `sideways`
              reach({next, sideways}, h, r)
                           ^^^^^^^^
            error: `struct node` has no field `h`
              reach({next, h}, h, r)
                           ^
            error: `reach1` follows one field
              reach1({next, prev}, h, r)
              ^^^^^^
              help: write `reach({f, g}, x, y) && x != y`
            error: `tree` takes 2 or more arguments
              tree(h)
              ^^^^ found 1
              help: write `tree(f, g, x)`
            error: the field `next` is listed twice
              tree(next, next, h)
                         ^^^^ listed before
            error: expected a pointer
              tree(next, prev, n)
                               ^ this is an integer
            error: the type of `NULL` is not known here
              tree(next, prev, NULL)
                               ^^^^ expected a pointer to a struct
              help: cast it: `(struct node *)NULL`
        "#]],
    );
}

#[test]
fn arguments_are_counted() {
    check_each(
        &[
            "reach(next, h)",
            "alloc()",
            "sorted(next, h, NULL)",
            "\\in(h)",
            "\\separated(h)",
            "content(h) == \\empty",
            "\\union({h}) == \\empty",
        ],
        expect![[r#"
            error: `reach` takes 3 arguments
              reach(next, h)
              ^^^^^ found 2
              help: write `reach(f, x, y)`
            error: `alloc` takes 1 argument
              alloc()
              ^^^^^ found 0
              help: write `alloc(x)`
            error: `sorted` takes 4 arguments
              sorted(next, h, NULL)
              ^^^^^^ found 3
              help: write `sorted(f, key, x, y)`
            error: `\in` takes 2 arguments
              \in(h)
              ^^^ found 1
              help: write `\in(x, s)`
            error: `\separated` takes 2 or more arguments
              \separated(h)
              ^^^^^^^^^^ found 1
              help: write `\separated(p, q)`
            error: `content` takes 2 arguments
              content(h) == \empty
              ^^^^^^^ found 1
              help: write `content(f, h)`
            error: `\union` takes 2 arguments
              \union({h}) == \empty
              ^^^^^^ found 1
              help: write `\union(s, t)`
        "#]],
    );
    check(
        "/*@ predicate p(struct node *v, int i); requires p(h); */",
        expect![[r#"
            error: `p` takes 2 arguments
              /*@ predicate p(struct node *v, int i); requires p(h); */
                                                               ^ found 1
              help: write `p(v, i)`
        "#]],
    );
    check(
        "/*@ predicate p(struct node *v, int i); requires p(h, h); */",
        expect![[r#"
            error: expected an integer
              /*@ predicate p(struct node *v, int i); requires p(h, h); */
                                                                    ^ this is a `struct node *`
        "#]],
    );
    check(
        "/*@ predicate p(set<struct node *> s) = \\true; requires p(content(next, k)); */",
        expect![[r#"
            error: expected a scalar field
              /*@ predicate p(set<struct node *> s) = \true; requires p(content(next, k)); */
                                                                                ^^^^ this is a `struct skip *[3]`
        "#]],
    );
}

#[test]
fn quantifiers_range_over_known_types() {
    check_each(
        &[
            "\\forall void *p; p == p",
            "\\forall struct opaque *p; p == p",
            "\\forall struct node x; x == x",
            "\\forall double d; d == d",
            "\\forall set<struct node *> s; s == s",
            "\\forall set<int> s; s == s",
            "\\forall integer *p; p == p",
            "\\forall int i, i; i == i",
            "\\forall short double d; d == d",
            "\\forall int *********p; p == p",
        ],
        expect![[r#"
            error: cannot quantify over `void *`
              \forall void *p; p == p
                      ^^^^^^ expected an integer type or a pointer to a complete type
              help: name the type it points to
            error: cannot quantify over pointers to the incomplete type `struct opaque`
              \forall struct opaque *p; p == p
                      ^^^^^^^^^^^^^^^ expected an integer type or a pointer to a complete type
            error: a variable of a contract cannot be a `struct node`
              \forall struct node x; x == x
                      ^^^^^^^^^^^ expected an integer or pointer type
            error: a variable of a contract cannot be a `double`
              \forall double d; d == d
                      ^^^^^^ expected an integer or pointer type
            error: cannot quantify over sets
              \forall set<struct node *> s; s == s
                      ^^^^^^^^^^^^^^^^^^ expected an integer type or a pointer to a complete type
            error: sets hold only pointers
              \forall set<int> s; s == s
                          ^^^ expected a pointer type
            error: expected a C type before `*`
              \forall integer *p; p == p
                      ^^^^^^^^^
            error: variable `i` is declared twice
              \forall int i, i; i == i
                             ^
            error: C has no such type
              \forall short double d; d == d
                      ^^^^^^^^^^^^
            error: too many levels of pointers
              \forall int *********p; p == p
                                   ^
        "#]],
    );
}

#[test]
fn predicates_are_declared_once_and_recursive_ones_have_a_least_solution() {
    check(
        "//@ predicate p(int i) = i > 0 && !p(i - 1);",
        expect![[r#"
        error: predicate `p` uses itself under a negation
          //@ predicate p(int i) = i > 0 && !p(i - 1);
                        ^ such a definition may have no solution
          help: use it on the right of `==>`, and under no `!` or `<==>`
    "#]],
    );
    check(
        "//@ predicate p(int i) = p(i - 1) ==> i > 0;",
        expect![[r#"
        error: predicate `p` uses itself under a negation
          //@ predicate p(int i) = p(i - 1) ==> i > 0;
                        ^ such a definition may have no solution
          help: use it on the right of `==>`, and under no `!` or `<==>`
    "#]],
    );
    check(
        "//@ predicate p(set<struct node *> s) = p(s);",
        expect![[r#"
        error: recursive predicate `p` cannot take a set
          //@ predicate p(set<struct node *> s) = p(s);
                        ^
    "#]],
    );
    check(
        "//@ predicate p(int i); predicate p(int j);",
        expect![[r#"
        error: predicate `p` is declared twice
          //@ predicate p(int i); predicate p(int j);
                                            ^
    "#]],
    );
    check(
        "//@ predicate reach(int i);",
        expect![[r#"
        error: `reach` is a predicate of the language
          //@ predicate reach(int i);
                        ^^^^^
          help: choose another name
    "#]],
    );
    check(
        "//@ predicate p(set<struct node *> s);",
        expect![[r#"
        error: an uninterpreted predicate cannot take a set
          //@ predicate p(set<struct node *> s);
                          ^^^^^^^^^^^^^^^^^^ expected an integer or a pointer
          help: give the predicate a definition
    "#]],
    );
    check(
        "//@ predicate p(struct node x);",
        expect![[r#"
        error: a variable of a contract cannot be a `struct node`
          //@ predicate p(struct node x);
                          ^^^^^^^^^^^ expected an integer or pointer type
    "#]],
    );
    check(
        "//@ predicate p(int i, int i);",
        expect![[r#"
        error: variable `i` is declared twice
          //@ predicate p(int i, int i);
                                     ^
    "#]],
    );
    check(
        "//@ predicate p(int i, j);",
        expect![[r#"
        error: expected a variable
          //@ predicate p(int i, j);
                                  ^ found `)`
    "#]],
    );
    check(
        "//@ predicate p(int i) { i }",
        expect![[r#"
        error: expected `=` or `;`
          //@ predicate p(int i) { i }
                                 ^ found `{`
    "#]],
    );
    check(
        "/*@ requires q(1); predicate q(int i); */",
        expect![[r#"
        q(i #0: int) = ?
        requires p0(1)
    "#]],
    );
}
