//! Every error, and where its caret points.

use super::{World, check, check_each, render, run};
use expect_test::expect;

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

#[test]
fn predicates_are_declared_once_and_not_recursive() {
    check(
        "//@ predicate p(int i) = i > 0 && p(i - 1);",
        expect![[r#"
        error: predicate `p` is recursive
          //@ predicate p(int i) = i > 0 && p(i - 1);
                                            ^ a predicate cannot use itself
          help: use `reach` to speak of structures of any length
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

#[test]
fn clauses_of_statements_are_no_contract() {
    let text = "/*@ loop invariant h; */";
    let annotations = crate::acsl::parse(text, &super::Plain).unwrap();
    let errors = crate::acsl::resolve_contract(&annotations, &mut World::new()).unwrap_err();
    expect![[r#"
        error: `loop invariant` is no part of a contract
          /*@ loop invariant h; */
                             ^
          help: write it inside the function
    "#]]
    .assert_eq(&render(text, &errors[0]));
}
