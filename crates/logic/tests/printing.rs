//! Formulas as the user would write them.

use expect_test::{Expect, expect};
use trellis_logic::{Arena, ArithOp, FormulaId, FunId, RelId, SortId, TermId, VarId, Vocabulary};

struct Setting {
    vocabulary: Vocabulary,
    arena: Arena,
    node: SortId,
    next: FunId,
    data: FunId,
    reach: RelId,
    le: RelId,
    p: FormulaId,
    q: FormulaId,
    r: FormulaId,
}

fn setting() -> Setting {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    vocabulary.null("NULL", node);
    vocabulary.variable("h", node);
    vocabulary.variable("x", node);
    let next = vocabulary.field("next", node, node);
    let data = vocabulary.field("data", node, SortId::INT);
    let reach = vocabulary.closure("reach", next);
    let le = vocabulary.order("<=", node);
    let mut arena = Arena::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| {
        let rel = vocabulary.state_relation(name, &[]);
        arena.rel(rel, &[])
    });
    Setting { vocabulary, arena, node, next, data, reach, le, p, q, r }
}

impl Setting {
    fn constant(&mut self, name: &str) -> TermId {
        let constant = self.vocabulary.find_fun(name).expect("declared");
        self.arena.constant(constant)
    }

    fn var(&mut self, name: &str) -> (VarId, TermId) {
        let var = self.arena.variable(name, self.node);
        (var, self.arena.var_term(var))
    }

    fn check(&self, formula: FormulaId, expected: Expect) {
        assert_eq!(self.arena.check(&self.vocabulary, formula), Ok(()));
        expected.assert_eq(&self.arena.print(&self.vocabulary, formula));
    }
}

#[test]
fn atoms() {
    let mut s = setting();
    let (h, x, null) = (s.constant("h"), s.constant("x"), s.constant("NULL"));
    let after = s.arena.app(s.next, &[h]);
    let second = s.arena.app(s.next, &[after]);
    let f = s.arena.eq(second, null);
    s.check(f, expect!["h->next->next == NULL"]);
    let f = s.arena.not(f);
    s.check(f, expect!["h->next->next != NULL"]);
    let f = s.arena.rel(s.reach, &[after, x]);
    s.check(f, expect!["reach(next, h->next, x)"]);
    let f = s.arena.rel(s.le, &[h, x]);
    s.check(f, expect!["h <= x"]);
    let f = s.arena.not(f);
    s.check(f, expect!["!(h <= x)"]);
}

#[test]
fn arithmetic() {
    let mut s = setting();
    let h = s.constant("h");
    let d = s.arena.app(s.data, &[h]);
    let (one, minus) = (s.arena.num(1), s.arena.num(-2));
    let sum = s.arena.arith(ArithOp::Add, d, one);
    let product = s.arena.arith(ArithOp::Mul, sum, d);
    let left = s.arena.arith(ArithOp::Sub, product, sum);
    let f = s.arena.lt(left, minus);
    s.check(f, expect!["(h->data + 1) * h->data - (h->data + 1) < -2"]);
    let f = s.arena.not(f);
    s.check(f, expect!["(h->data + 1) * h->data - (h->data + 1) >= -2"]);
    let ite = s.arena.ite(f, d, one);
    let f = s.arena.le(ite, d);
    s.check(f, expect!["((h->data + 1) * h->data - (h->data + 1) >= -2 ? h->data : 1) <= h->data"]);
}

#[test]
fn minimal_parentheses() {
    let mut s = setting();
    let Setting { p, q, r, .. } = s;
    let pq = s.arena.and([p, q]);
    let f = s.arena.or([pq, r]);
    s.check(f, expect!["p && q || r"]);
    let p_or_q = s.arena.or([p, q]);
    let f = s.arena.and([p_or_q, r]);
    s.check(f, expect!["(p || q) && r"]);
    let not = s.arena.not(f);
    s.check(not, expect!["!((p || q) && r)"]);
    let qr = s.arena.implies(q, r);
    let f = s.arena.implies(p, qr);
    s.check(f, expect!["p ==> q ==> r"]);
    let p_to_q = s.arena.implies(p, q);
    let f = s.arena.implies(p_to_q, r);
    s.check(f, expect!["(p ==> q) ==> r"]);
    let f = s.arena.iff(p_to_q, qr);
    s.check(f, expect!["p ==> q <==> q ==> r"]);
    let f = s.arena.iff(f, p);
    s.check(f, expect!["(p ==> q <==> q ==> r) <==> p"]);
}

#[test]
fn quantifiers() {
    let mut s = setting();
    let h = s.constant("h");
    let ((v, tv), (w, tw)) = (s.var("v"), s.var("w"));
    let path = s.arena.rel(s.reach, &[tv, tw]);
    let all = s.arena.forall(&[v, w], path);
    s.check(all, expect![r"\forall struct node *v, *w; reach(next, v, w)"]);
    let f = s.arena.implies(s.p, all);
    s.check(f, expect![r"p ==> \forall struct node *v, *w; reach(next, v, w)"]);
    let f = s.arena.and([all, s.p]);
    s.check(f, expect![r"(\forall struct node *v, *w; reach(next, v, w)) && p"]);
    let f = s.arena.not(all);
    s.check(f, expect![r"!(\forall struct node *v, *w; reach(next, v, w))"]);
    let i = s.arena.variable("i", SortId::INT);
    let ti = s.arena.var_term(i);
    let d = s.arena.app(s.data, &[tv]);
    let f = s.arena.eq(d, ti);
    let f = s.arena.exists(&[v, i], f);
    s.check(f, expect![r"\exists struct node *v, integer i; v->data == i"]);
    // A bound variable that is called like a constant, and one that shadows another.
    let (x, tx) = s.var("h");
    let f = s.arena.eq(tx, h);
    let f = s.arena.forall(&[x], f);
    s.check(f, expect![r"\forall struct node *h_1; h_1 == h"]);
    let i2 = s.arena.variable("v", SortId::INT);
    let ti2 = s.arena.var_term(i2);
    let f = s.arena.eq(d, ti2);
    let f = s.arena.exists(&[i2], f);
    let f = s.arena.forall(&[v], f);
    s.check(f, expect![r"\forall struct node *v; \exists integer v_1; v->data == v_1"]);
}

#[test]
fn long_formulas_are_wrapped() {
    let mut s = setting();
    let (h, x, null) = (s.constant("h"), s.constant("x"), s.constant("NULL"));
    let ((v, tv), (w, tw)) = (s.var("v"), s.var("w"));
    let from_h = s.arena.rel(s.reach, &[h, tv]);
    let from_x = s.arena.rel(s.reach, &[x, tw]);
    let between = s.arena.rel(s.reach, &[tv, tw]);
    let ends = s.arena.eq(tw, null);
    let starts = s.arena.eq(tv, h);
    let either = s.arena.or([ends, starts]);
    let premise = s.arena.and([from_h, from_x, either]);
    let body = s.arena.implies(premise, between);
    let f = s.arena.forall(&[v, w], body);
    let show = |width| s.arena.print_wrapped(&s.vocabulary, f, width);
    expect![[r"
        \forall struct node *v, *w;
          reach(next, h, v) && reach(next, x, w) && (w == NULL || v == h)
          ==> reach(next, v, w)"]]
    .assert_eq(&show(70));
    expect![[r"
        \forall struct node *v, *w;
          reach(next, h, v)
          && reach(next, x, w)
          && (w == NULL
              || v == h)
          ==> reach(next, v, w)"]]
    .assert_eq(&show(24));
}
