//! Errors about names: misspelt ones, and fields that a type does not have.

use expect_test::expect;

use crate::acsl::tests::{check, check_each};

#[test]
fn misspelt_names_are_suggested() {
    check_each(
        &[
            "hd->next == NULL",
            "h->nxt == NULL",
            "it->link.nex == NULL",
            "k->dwn == k",
            "raech(next, h, NULL)",
            "reach(nxet, h, NULL)",
            "reach(link.nxt, it, NULL)",
            "h == NUL",
            "count == BLAKC",
            "\\forall struct nod *v; v == v",
            "\\forall node *v; v == v",
            "\\forall itn i; i == i",
            "\\forall struct node *vertex; vertx == NULL",
            "\\forall union item *v; v == v",
            "\\reslt == NULL",
            "\\foral int i; i == i",
            "list == h",
            "reach == h",
            "&hh == h",
            "zzzzzz == h",
        ],
        expect![[r#"
            error: unknown name `hd`
              hd->next == NULL
              ^^
              help: did you mean `h`?
            error: `struct node` has no field `nxt`
              h->nxt == NULL
                 ^^^
              help: did you mean `next`?
            error: `struct list_head` has no field `nex`
              it->link.nex == NULL
                       ^^^
              help: did you mean `next`?
            error: `struct skip` has no field `dwn`
              k->dwn == k
                 ^^^
              help: did you mean `down`?
            error: unknown predicate `raech`
              raech(next, h, NULL)
              ^^^^^
              help: did you mean `reach`?
            error: `struct node` has no field `nxet`
              reach(nxet, h, NULL)
                    ^^^^
              help: did you mean `next`?
            error: `struct list_head` has no field `nxt`
              reach(link.nxt, it, NULL)
                         ^^^
              help: did you mean `next`?
            error: unknown name `NUL`
              h == NUL
                   ^^^
              help: did you mean `NULL`?
            error: unknown name `BLAKC`
              count == BLAKC
                       ^^^^^
              help: did you mean `BLACK`?
            error: unknown tag `struct nod`
              \forall struct nod *v; v == v
                             ^^^
              help: did you mean `node`?
            error: unknown type `node`
              \forall node *v; v == v
                      ^^^^
              help: did you mean `struct node`?
            error: unknown type `itn`
              \forall itn i; i == i
                      ^^^
              help: did you mean `int`?
            error: unknown name `vertx`
              \forall struct node *vertex; vertx == NULL
                                           ^^^^^
              help: did you mean `vertex`?
            error: unknown tag `union item`
              \forall union item *v; v == v
                            ^^^^
            error: unknown logic name `\reslt`
              \reslt == NULL
              ^^^^^^
              help: did you mean `\result`?
            error: unknown logic name `\foral`
              \foral int i; i == i
              ^^^^^^
              help: did you mean `\forall`?
            error: unknown name `list`
              list == h
              ^^^^ this is a type
            error: unknown name `reach`
              reach == h
              ^^^^^ this is a predicate; it takes arguments
            error: unknown name `hh`
              &hh == h
               ^^
              help: did you mean `h`?
            error: unknown name `zzzzzz`
              zzzzzz == h
              ^^^^^^
        "#]],
    );
    check(
        "/*@ require h; */",
        expect![[r#"
        error: unknown clause `require`
          /*@ require h; */
              ^^^^^^^
          help: did you mean `requires`?
    "#]],
    );
    check(
        "/*@ ensure h; */",
        expect![[r#"
        error: unknown clause `ensure`
          /*@ ensure h; */
              ^^^^^^
          help: did you mean `ensures`?
    "#]],
    );
    check(
        "//@ loop invarant h;",
        expect![[r#"
        error: unknown loop clause `invarant`
          //@ loop invarant h;
                   ^^^^^^^^
          help: did you mean `invariant`?
    "#]],
    );
    check(
        "//@ invariant h;",
        expect![[r#"
        error: `invariant` needs `loop` before it
          //@ invariant h;
              ^^^^^^^^^
          help: did you mean `loop invariant`?
    "#]],
    );
    check(
        "/*@ behavior b: assume h; */",
        expect![[r#"
        error: unknown clause `assume`
          /*@ behavior b: assume h; */
                          ^^^^^^
          help: did you mean `assumes`?
    "#]],
    );
    check(
        "/*@ assigns hed; */",
        expect![[r#"
        error: unknown name `hed`
          /*@ assigns hed; */
                      ^^^
          help: did you mean `head`?
    "#]],
    );
}

#[test]
fn fields_are_checked() {
    check_each(
        &[
            "reach(data, h, NULL)",
            "reach(next, n, NULL)",
            "reach(next, v, NULL)",
            "reach(next, NULL, NULL)",
            "content(next, NULL) == \\empty",
            "reach(next, h, it)",
            "reach(next, h, n)",
            "reach(link.next, it, NULL)",
            "reach(link, it, NULL)",
            "reach(next[3], k, NULL)",
            "reach(next[n], k, NULL)",
            "reach(key[0], k, NULL)",
            "reach(next, k, NULL)",
            "reach(data.next, h, NULL)",
            "reach(h->next, h, NULL)",
            "sorted(next, prev, h, NULL)",
            "sorted(next, weight, h, NULL)",
            "rev(next, data, h, NULL)",
            "reach(x, q, NULL)",
        ],
        expect![[r#"
            error: expected a pointer field
              reach(data, h, NULL)
                    ^^^^ this is an integer
            error: expected a pointer
              reach(next, n, NULL)
                          ^ this is an integer
            error: expected a pointer to a struct
              reach(next, v, NULL)
                          ^ this is a `void *`
            error: the type of `NULL` is not known here
              reach(next, NULL, NULL)
                          ^^^^ expected a pointer to a struct
              help: cast it: `(struct node *)NULL`
            error: the type of `NULL` is not known here
              content(next, NULL) == \empty
                            ^^^^ expected a pointer to a struct
              help: cast it: `(struct node *)NULL`
            error: expected a `struct node *`
              reach(next, h, it)
                             ^^ this is a `struct item *`
            error: expected a pointer
              reach(next, h, n)
                             ^ this is an integer
            error: `link.next` leads from `struct item` to `struct list_head`
              reach(link.next, it, NULL)
                    ^^^^^^^^^ expected a field that leads to `struct item` again
              help: follow `next` from the address of `link` instead
            error: expected a scalar field
              reach(link, it, NULL)
                    ^^^^ this is a `struct list_head`
            error: index out of bounds
              reach(next[3], k, NULL)
                         ^ `next` has 3 elements
            error: expected a field such as `next`, `link.next` or `next[0]`
              reach(next[n], k, NULL)
                    ^^^^^^^
            error: expected a field such as `next`, `link.next` or `next[0]`
              reach(key[0], k, NULL)
                    ^^^^^^
            error: expected a scalar field
              reach(next, k, NULL)
                    ^^^^ this is a `struct skip *[3]`
            error: expected a struct before `.`
              reach(data.next, h, NULL)
                         ^^^^ `data` is a `int`
            error: expected a field such as `next`, `link.next` or `next[0]`
              reach(h->next, h, NULL)
                    ^^^^^^^
            error: expected an integer field
              sorted(next, prev, h, NULL)
                           ^^^^ this is a pointer
            error: expected an integer field
              sorted(next, weight, h, NULL)
                           ^^^^^^ this is a floating-point number
            error: expected a pointer field
              rev(next, data, h, NULL)
                        ^^^^ this is an integer
            error: `struct opaque` is incomplete here
              reach(x, q, NULL)
                    ^
        "#]],
    );
}
