//! Every construct, and what it resolves to.

use super::{check, check_each};
use expect_test::expect;

#[test]
fn names_mean_what_they_mean_in_c() {
    check_each(
        &[
            "h == NULL",
            "h == \\null",
            "h == 0",
            "h",
            "!n",
            "count == RED",
            "o == head",
            "\\true && !\\false",
            "\\forall int n; n == n",
        ],
        expect![[r#"
            (l0 == null)
            (l0 == null)
            (l0 == null)
            (l0 != null)
            !(l1 != 0)
            (g1 == 0)
            (ptr[&l3] == g0)
            (true && !false)
            (forall n #0: int. (#0 == #0))
        "#]],
    );
}

#[test]
fn operators_bind_as_in_acsl() {
    check_each(
        &[
            "n == 1 || n == 2 && n != 3 ==> h ==> n > 0 <==> n < 9",
            "n + 2 * n - n % 3 / 1 == -n",
            "- -n == +n",
            "0 <= n < 10",
            "0 < n == count <= 9",
            "9 >= n > 0",
            "n > 0 ? h == NULL : h != NULL",
            "n == (h ? 1 : 2)",
            "(n > 0 ? h : NULL) == (n ? 0 : h)",
            "n == (h == NULL)",
            "n == reach(next, h, head)",
            "h && \\forall int i; i == n || i != n",
            "n - 1 - 2 == (n - (1 - 2))",
        ],
        expect![[r#"
            ((((l1 == 1) || ((l1 == 2) && (l1 != 3))) ==> ((l0 != null) ==> (l1 > 0))) <==> (l1 < 9))
            (((l1 + (2 * l1)) - ((l1 % 3) / 1)) == -(l1))
            (-(-(l1)) == l1)
            ((0 <= l1) && (l1 < 10))
            ((0 < l1) && (l1 == g1) && (g1 <= 9))
            ((9 >= l1) && (l1 > 0))
            (((l1 > 0) ==> (l0 == null)) && (!(l1 > 0) ==> (l0 != null)))
            (l1 == ((l0 != null) ? 1 : 2))
            (((l1 > 0) ? l0 : null) == ((l1 != 0) ? null : l0))
            (l1 == ((l0 == null) ? 1 : 0))
            (l1 == ((l0 -next@8*-> g0) ? 1 : 0))
            ((l0 != null) && (forall i #0: int. ((#0 == l1) || (#0 != l1))))
            (((l1 - 1) - 2) == (l1 - (1 - 2)))
        "#]],
    );
}

#[test]
fn numbers_and_characters() {
    check_each(
        &[
            "n == 0x1F + 017 + 10u + 'a' + '\\n'",
            "n == sizeof(struct node) + sizeof(int) + sizeof(list)",
        ],
        expect![[r#"
            (l1 == ((((31 + 15) + 10) + 97) + 10))
            (l1 == ((32 + 4) + 8))
        "#]],
    );
}

#[test]
fn places_are_read_at_their_offsets() {
    check_each(
        &[
            "h->next->data == 1",
            "h->data == (*h).data",
            "it->link.next == &it->link",
            "s.link.next == &s.link",
            "pool[1].key == pool[n].key",
            "k->next[0] == k->next[n]",
            "k->down == k",
            "pool->key == 0",
            "&pool[2] == it + 1",
            "it - 1 == 1 + it",
            "it + n == it - n",
            "*&h->data == 3",
            "sentinel.next == &sentinel",
            "(struct node *)v == h",
            "((list)v)->next == (list)0",
            "v == h",
            "*(int *)v == 1",
            "(*(h + -1)).next == h",
        ],
        expect![[r#"
            (i32[ptr[l0+8]] == 1)
            (i32[l0] == i32[l0])
            (ptr[l6+8] == l6+8)
            (ptr[&l2+8] == &l2+8)
            (i32[&g2+24] == i32[&g2 + 24*(l1)])
            (ptr[l5+8] == ptr[l5+8 + 8*(l1)])
            (ptr[l5+32] == l5)
            (i32[&g2] == 0)
            (&g2+48 == l6+24)
            (l6-24 == l6+24)
            (l6 + 24*(l1) == l6 + 24*(-(l1)))
            (i32[l0] == 3)
            (ptr[&g3+8] == &g3)
            (l4 == l0)
            (ptr[l4+8] == null)
            (l4 == l0)
            (i32[l4] == 1)
            (ptr[l0-24] == l0)
        "#]],
    );
}

#[test]
fn structures_and_their_fields() {
    check_each(
        &[
            "reach(next, h, NULL)",
            "reach1(next, h, r)",
            "reach(next, NULL, h)",
            "reach(next, (struct list_head *)NULL, NULL)",
            "reach(next, &it->link, &s.link)",
            "reach(next[2], k, NULL)",
            "reach(down, k, NULL)",
            "ls(next, h, NULL)",
            "alloc(h) && alloc(v)",
            "stable(next, h)",
            "rev(next, prev, h, NULL)",
            "sorted(next, data, h, NULL)",
            "cyclic(next, &it->link)",
            "reach({next, prev}, h, r)",
            "reach({next[0], next[1]}, k, k->down)",
            "tree(next, prev, h)",
            "tree(next, h)",
            "\\valid(h) && \\valid(&h->data)",
            "\\separated(h, r, it)",
        ],
        expect![[r#"
            (l0 -next@8*-> null)
            (l0 -next@8+-> l8)
            (null -next@8*-> l0)
            (null -next@0*-> null)
            (l6+8 -next@0*-> &l2+8)
            (l5 -next[2]@24*-> null)
            (l5 -down@32*-> null)
            ls(next@8; l0, null)
            (alloc(l0) && alloc(l4))
            stable(next@8; l0)
            rev(next@8, prev@16; l0, null)
            sorted(next@8, data@0; l0, null)
            cyclic(next@0; l6+8)
            reach(next@8, prev@16; l0, l8)
            reach(next[0]@8, next[1]@16; l5, ptr[l5+32])
            tree(next@8, prev@16; l0)
            tree(next@8; l0)
            (valid(l0, 32) && valid(l0, 4))
            separated(l0, l8, l6)
        "#]],
    );
}

#[test]
fn sets() {
    check_each(
        &[
            "\\in(h, content(next, head))",
            "h \\in content(next, head)",
            "content(next, h) == \\empty",
            "\\subset({h, r, NULL}, \\union(content(next, h), {head}))",
            "\\inter(content(next, h), content(next, r)) != \\diff(\\empty, \\set(h))",
            "(n ? \\empty : {h}) == {}",
        ],
        expect![[r#"
            (l0 in content(next@8, g0))
            (l0 in content(next@8, g0))
            (content(next@8, l0) == {})
            (({l0} union ({l8} union {null})) subset (content(next@8, l0) union {g0}))
            ((content(next@8, l0) inter content(next@8, l8)) != ({} diff {l0}))
            (((l1 != 0) ? {} : {l0}) == {})
        "#]],
    );
}

#[test]
fn quantifiers() {
    check_each(
        &[
            "\\forall struct node *v, *w; reach(next, v, w)",
            "\\exists integer i, struct node *p; p->data == i",
            "\\forall int i, j; i <= j ==> \\exists list l; l->data == i",
            "\\forall const struct node *const p; p == p",
            "\\forall unsigned long i, weight_t j; i == j",
            "\\forall struct node **p; *p == NULL",
            "\\forall struct node *h; h == NULL || \\forall int h; h > 0",
        ],
        expect![[r#"
            (forall v #0: ptr3, w #1: ptr3. (#0 -next@8*-> #1))
            (exists i #0: int, p #1: ptr3. (i32[#1] == #0))
            (forall i #0: int, j #1: int. ((#0 <= #1) ==> (exists l #2: ptr3. (i32[#2] == #0))))
            (forall p #0: ptr3. (#0 == #0))
            (forall i #0: int, j #1: int. (#0 == #1))
            (forall p #0: ptr4. (ptr[#0] == null))
            (forall h #0: ptr3. ((#0 == null) || (forall h #1: int. (#1 > 0))))
        "#]],
    );
}

#[test]
fn entry_state() {
    check(
        "/*@ ensures \\result == h && h->next == NULL && \\old(h->next) == head;
            ensures o == o->next && \\old(o) == o;
            ensures s.key == \\old(s.key) && &s == &s;
            ensures \\forall struct node *v; reach(next, \\result, v) <==> \\old(reach(next, h, v));
            ensures \\at(h->data, Pre) == \\at(n, Post) && \\old(\\at(h->data, Here) == count);
            ensures \\old(\\old(n)) == \\at(n, Here);
          @*/",
        expect![[r#"
            ensures ((result == pre(l0)) && (ptr[pre(l0)+8] == null) && (pre(ptr[l0+8]) == g0))
            ensures ((pre(ptr[&l3]) == ptr[pre(ptr[&l3])+8]) && (pre(ptr[&l3]) == pre(ptr[&l3])))
            ensures ((pre(i32[&l2]) == pre(i32[&l2])) && (&l2 == &l2))
            ensures (forall v #0: ptr3. ((result -next@8*-> #0) <==> pre((l0 -next@8*-> #0))))
            ensures ((pre(i32[l0]) == pre(l1)) && pre((here(i32[pre(l0)]) == g1)))
            ensures (pre(l1) == pre(l1))
        "#]],
    );
    check_each(
        &["\\at(h, Pre) == h", "\\old(\\at(r, Here)->next) == r", "\\at(s.key, Pre) == s.key"],
        expect![[r#"
            (pre(l0) == l0)
            (pre(ptr[here(l8)+8]) == l8)
            (pre(i32[&l2]) == i32[&l2])
        "#]],
    );
}

#[test]
fn contracts() {
    check(
        "/*@ requires ls(next, h, NULL); // a comment; ensures
          @ assigns  { v->next | struct node *v; reach(next, h, v) }, head, count, *it, pool, h->data;
          @ assigns  { v->data | struct node *v };
          @ behavior empty:
          @   assumes h == NULL; assumes n == 0;
          @   ensures \\result == NULL;
          @ behavior full:
          @   assumes \\exists struct node *v; v == h;
          @   requires \\forall struct node *w; w->next != h;
          @   ensures \\result != NULL && h != NULL;
          @ behavior other: ensures head == NULL;
          @*/",
        expect![[r#"
            requires ls(next@8; l0, null)
            requires ((exists v #0: ptr3. (#0 == l0)) ==> (forall w #1: ptr3. (ptr[#1+8] != l0)))
            ensures (pre(((l0 == null) && (l1 == 0))) ==> (result == null))
            ensures (pre((exists v #0: ptr3. (#0 == l0))) ==> ((result != null) && (pre(l0) != null)))
            ensures (g0 == null)
            assigns [#0+8 +8 | v #0: ptr3; (l0 -next@8*-> #0)] [Global(GlobalId(0)) +8] [Global(GlobalId(1)) +4] [l6 +24] [&g2 +96] [l0 +4] [#0 +4 | v #0: ptr3]
        "#]],
    );
    check(
        "/*@ assigns \\nothing; */",
        expect![[r#"
        assigns
    "#]],
    );
    check("/*@ assigns \\everything; assigns head; */", expect![""]);
    check("/*@ */", expect![""]);
}

#[test]
fn lines_of_annotations() {
    check(
        "//@ loop invariant h != NULL;\n  //@ loop assigns h->next, r;\n//@ loop variant n;\n\
         //@ ghost struct node *first[2] = {h, \"a;\\\"\"};\n//@ ghost first = r; // done\n//@ assert \\\n h;",
        expect![[r#"
            (l0 != null)
            loop assigns is not used
            loop variant is not used
            ghost struct node *first[2] = {h, "a;\""};
            ghost first = r;
            (l0 != null)
        "#]],
    );
}

#[test]
fn predicates() {
    check(
        "/*@ predicate sorted_list(struct node *h) = sorted(next, data, h, NULL) && head == NULL;
            predicate Marked(struct node *v, int colour);
            predicate all(set<struct node *> s) = \\forall struct node *v; v \\in s ==> Marked(v, BLACK);
            predicate empty = head == NULL;
            predicate anything(void *p) = alloc(p);
            requires sorted_list(h) && all(content(next, h)) && all(\\empty) && empty() && anything(h);
            ensures sorted_list(NULL) && \\old(Marked(h, n));
         */",
        expect![[r#"
            sorted_list(h #0: ptr3) = (sorted(next@8, data@0; #0, null) && (g0 == null))
            Marked(v #0: ptr3, colour #1: int) = ?
            all(s #0: set3) = (forall v #1: ptr3. ((#1 in #0) ==> p1(#1, 1)))
            empty() = (g0 == null)
            anything(p #0: ptr2) = alloc(#0)
            requires (p0(l0) && p2(content(next@8, l0)) && p2({}) && p3() && p4(l0))
            ensures (p0(null) && pre(p1(l0, l1)))
        "#]],
    );
}
