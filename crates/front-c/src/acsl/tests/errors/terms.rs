//! Errors about sorts of terms, and about the states that they are taken in.

use expect_test::expect;

use crate::acsl::tests::{World, check, check_each, render, run};

#[test]
fn sorts_are_checked() {
    check_each(
        &[
            "h + h == NULL",
            "h * 2 == 2",
            "2 * h == 2",
            "h - h == 0",
            "-h == h",
            "n + NULL == 1",
            "h == n",
            "h == 1",
            "h == it",
            "h < r",
            "h <= NULL",
            "content(next, h) < content(next, r)",
            "content(next, h) == h",
            "content(next, h) == content(next, k)",
            "content(next, h)",
            "\\in(it, content(next, h))",
            "\\in(n, content(next, h))",
            "h \\in r",
            "\\subset(h, \\empty)",
            "\\union({h}, {it}) == \\empty",
            "{h, it} == \\empty",
            "{1} == \\empty",
            "n->next == h",
            "h.next == h",
            "n.next == h",
            "s->key == 1",
            "*n == 1",
            "*v == 1",
            "v->next == h",
            "v[0] == h",
            "v + 1 == v",
            "q->x == 1",
            "*s == 1",
            "s == s",
            "*h == *h",
            "h->weight == 1",
            "h->data->next == h",
            "h[NULL] == 1",
            "&h == NULL",
            "&(n + 1) == NULL",
            "(n ? h : 1) == h",
            "(n ? h : it) == h",
            "(int)n == 1",
            "(struct node *)n == h",
            "(struct node *)1 == h",
            "sizeof(struct opaque) == 1",
            "sizeof(integer) == 1",
            "NULL->next == h",
            "\\valid(v)",
            "\\valid(NULL)",
            "\\separated(h, n)",
            "alloc(n)",
        ],
        expect![[r#"
            error: expected an integer
              h + h == NULL
                  ^ this is a `struct node *`
            error: expected an integer
              h * 2 == 2
              ^ this is a `struct node *`
            error: expected an integer
              2 * h == 2
                  ^ this is a `struct node *`
            error: differences of pointers are not supported in contracts
              h - h == 0
              ^^^^^
            error: expected an integer
              -h == h
               ^ this is a `struct node *`
            error: expected an integer
              n + NULL == 1
                  ^^^^ this is `NULL`
            error: these cannot be compared
              h == n
              ^^^^^^ a `struct node *` and an integer
            error: these cannot be compared
              h == 1
              ^^^^^^ a `struct node *` and an integer
            error: these cannot be compared
              h == it
              ^^^^^^^ a `struct node *` and a `struct item *`
            error: pointers have no order in contracts
              h < r
                ^ expected `==` or `!=`
            error: pointers have no order in contracts
              h <= NULL
                ^^ expected `==` or `!=`
            error: sets have no order
              content(next, h) < content(next, r)
                               ^ expected `==` or `!=`
              help: inclusion is written `\subset(a, b)`
            error: these cannot be compared
              content(next, h) == h
              ^^^^^^^^^^^^^^^^^^^^^ a set of `struct node *` and a `struct node *`
            error: expected a scalar field
              content(next, h) == content(next, k)
                                          ^^^^ this is a `struct skip *[3]`
            error: expected a formula
              content(next, h)
              ^^^^^^^^^^^^^^^^ this is a set of `struct node *`
            error: expected a `struct node *`
              \in(it, content(next, h))
                  ^^ this is a `struct item *`
            error: expected a pointer
              \in(n, content(next, h))
                  ^ this is an integer
            error: expected a set
              h \in r
                    ^ this is a `struct node *`
            error: expected a set
              \subset(h, \empty)
                      ^ this is a `struct node *`
            error: expected a set of `struct node *`
              \union({h}, {it}) == \empty
                          ^^^^ this is a set of `struct item *`
            error: expected a `struct node *`
              {h, it} == \empty
                  ^^ this is a `struct item *`
            error: expected a pointer
              {1} == \empty
               ^ this is an integer
            error: expected a pointer
              n->next == h
              ^ this is an integer
            error: expected a struct before `.`
              h.next == h
              ^ this is a `struct node *`
              help: use `->`
            error: expected a struct before `.`
              n.next == h
              ^ this is an integer
            error: expected a pointer
              s->key == 1
              ^ this is a `struct item`
              help: its members are named with `.`
            error: expected a pointer
              *n == 1
               ^ this is an integer
            error: a `void *` cannot be dereferenced
              *v == 1
               ^ expected a pointer to a known type
              help: cast it: `(struct node *)p`
            error: a `void *` cannot be dereferenced
              v->next == h
              ^ expected a pointer to a known type
              help: cast it: `(struct node *)p`
            error: a `void *` cannot be dereferenced
              v[0] == h
              ^ expected a pointer to a known type
              help: cast it: `(struct node *)p`
            error: the size of `void` is not known
              v + 1 == v
              ^
            error: `struct opaque` is incomplete here
              q->x == 1
                 ^
            error: expected a pointer
              *s == 1
               ^ this is a `struct item`
              help: its members are named with `.`
            error: expected an integer or a pointer
              s == s
              ^ this is a `struct item`
              help: name one of its members, or take its address
            error: expected an integer or a pointer
              *h == *h
              ^^ this is a `struct node`
              help: name one of its members, or take its address
            error: expected an integer or a pointer
              h->weight == 1
              ^^^^^^^^^ this is a `double`
              help: contracts have no floating-point values
            error: expected a pointer
              h->data->next == h
              ^^^^^^^ this is an integer
            error: expected an integer
              h[NULL] == 1
                ^^^^ this is `NULL`
            error: this variable has no address
              &h == NULL
               ^ the program never takes it, so it is not in memory
            error: expected a place after `&`
              &(n + 1) == NULL
                ^^^^^ this is a value
            error: expected a `struct node *`
              (n ? h : 1) == h
                       ^ this is an integer
            error: expected a `struct node *`
              (n ? h : it) == h
                       ^^ this is a `struct item *`
            error: only casts to pointer types are supported
              (int)n == 1
               ^^^ this is `int`
              help: integers of contracts are mathematical and need no cast
            error: expected a pointer
              (struct node *)n == h
                             ^ this is an integer
            error: expected a pointer
              (struct node *)1 == h
                             ^ this is an integer
            error: the size of `struct opaque` is not known
              sizeof(struct opaque) == 1
                     ^^^^^^^^^^^^^
            error: expected a C type
              sizeof(integer) == 1
                     ^^^^^^^
            error: expected a pointer
              NULL->next == h
              ^^^^ this is `NULL`
            error: expected a pointer to a complete type
              \valid(v)
                     ^ this is a `void *`
            error: expected a pointer to a complete type
              \valid(NULL)
                     ^^^^ this is `NULL`
            error: expected a pointer
              \separated(h, n)
                            ^ this is an integer
            error: expected a pointer
              alloc(n)
                    ^ this is an integer
        "#]],
    );
}

#[test]
fn states_are_named_where_they_exist() {
    check(
        "/*@ requires \\old(n) == 1; */",
        expect![[r#"
        error: the entry state cannot be named in `requires`
          /*@ requires \old(n) == 1; */
                       ^^^^ `requires` is about the state at entry already
    "#]],
    );
    check(
        "/*@ requires \\at(n, Pre) == 1; */",
        expect![[r#"
        error: the entry state cannot be named in `requires`
          /*@ requires \at(n, Pre) == 1; */
                              ^^^ `requires` is about the state at entry already
    "#]],
    );
    check(
        "/*@ assigns \\old(h)->next; */",
        expect![[r#"
        error: the entry state cannot be named in `assigns`
          /*@ assigns \old(h)->next; */
                      ^^^^ `assigns` is about the state at entry already
    "#]],
    );
    check(
        "/*@ behavior b: assumes \\old(n) == 1; ensures n; */",
        expect![[r#"
            error: the entry state cannot be named in `assumes`
              /*@ behavior b: assumes \old(n) == 1; ensures n; */
                                      ^^^^ `assumes` is about the state at entry already
        "#]],
    );
    check(
        "//@ predicate p(int i) = \\old(i) == 1;",
        expect![[r#"
        error: a predicate is about one state
          //@ predicate p(int i) = \old(i) == 1;
                                   ^^^^
          help: write `\old(…)` around its uses instead
    "#]],
    );
    check(
        "/*@ requires \\result == NULL; */",
        expect![[r#"
        error: `\result` stands only in `ensures`
          /*@ requires \result == NULL; */
                       ^^^^^^^
    "#]],
    );
    check_each(
        &["\\result == NULL", "\\at(n, LoopEntry) == 1", "\\old(r) == NULL", "\\at(n) == 1"],
        expect![[r#"
            error: `\result` stands only in `ensures`
              \result == NULL
              ^^^^^^^
            error: unknown label `LoopEntry`
              \at(n, LoopEntry) == 1
                     ^^^^^^^^^
              help: the labels are `Pre` (or `Old`) and `Here` (or `Post`)
            error: local variable `r` does not exist at entry
              \old(r) == NULL
                   ^
              help: `\at(r, Here)` is its current value
            error: expected `,` and a label
              \at(n) == 1
                   ^ found `)`
        "#]],
    );
}

#[test]
fn a_void_function_has_no_result() {
    let text = "/*@ ensures \\result == 1; */";
    let mut world = World::new();
    world.result = None;
    let errors = run(text, &mut world).unwrap_err();
    expect![[r#"
        error: this function returns nothing
          /*@ ensures \result == 1; */
                      ^^^^^^^ `\result` has no value
    "#]]
    .assert_eq(&render(text, &errors[0]));
}
