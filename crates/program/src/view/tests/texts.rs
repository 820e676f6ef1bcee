//! How contracts read in the logic, and which fragment they are in.

use expect_test::{Expect, expect};
use trellis_logic::{Arena, fragment};

use super::samples::{F, heads, nodes};
use crate::ir::{CmpOp, GlobalId, Program, Reg, VarId};
use crate::spec::{Binder, BoundId, Derived, FieldRef, Formula, Label, PredId, SetOp, Sort, Term};
use crate::types::Scalar;
use crate::view;

const X: Term = Term::Reg(Reg::Local(VarId(0)));
const Y: Term = Term::Reg(Reg::Local(VarId(1)));

fn check(program: &Program, formula: &Formula, expected: Expect) {
    let vocabulary = view::vocabulary(program, F);
    let mut arena = Arena::new();
    let id = view::formula(&vocabulary, &mut arena, formula).unwrap();
    let text = arena.print_wrapped(&vocabulary.logic, id, 90);
    let found = fragment(&mut arena, &vocabulary.logic, id);
    expected.assert_eq(&format!("{text}\n-- {}\n", view::fragment_name(&found)));
}

fn field(program: &Program, owner: crate::types::TypeId, path: &str) -> FieldRef {
    let layout = program.types.layout(owner).unwrap();
    let cell = layout.cells.iter().find(|c| c.path == path).unwrap();
    FieldRef { owner, offset: cell.offset, scalar: cell.scalar, name: path.into() }
}

fn derived(d: Derived) -> Formula {
    Formula::Derived(Box::new(d))
}

fn old(t: Term) -> Term {
    Term::At(Label::Pre, Box::new(t))
}

#[test]
fn lists() {
    let program = nodes();
    let node = program.types.pointee(program.procs[0].vars[0].ty).unwrap();
    let (next, prev) = (field(&program, node, "next"), field(&program, node, "prev"));
    check(
        &program,
        &derived(Derived::ListSegment(next.clone(), X, Term::Null)),
        expect![[r#"
            reach(next, x, NULL)
            && \forall struct node *%a, *b;
                 %a != NULL && reach(next, x, %a) && reach(next, %a, NULL) && reach(next, b, %a)
                 ==> reach(next, b, x) || reach(next, x, b)
            -- universal
        "#]],
    );
    check(
        &program,
        &derived(Derived::Stable(next.clone(), X)),
        expect![[r#"
            \forall struct node *%a; %a != NULL && reach(next, x, %a) ==> alloc(%a)
            -- universal
        "#]],
    );
    check(
        &program,
        &derived(Derived::Reverse(next.clone(), prev, X, Y)),
        expect![[r#"
            \forall struct node *%u, *%v;
              %u != NULL
              && reach(next, x, %u)
              && reach(next, %u, y)
              && %v != NULL
              && reach(next, x, %v)
              && reach(next, %v, y)
              ==> (reach(next, %u, %v) <==> reach(prev, %v, %u))
            -- universal
        "#]],
    );
    let key = field(&program, node, "data");
    check(
        &program,
        &derived(Derived::Sorted(next.clone(), key, X, Term::Null)),
        expect![[r#"
            \forall struct node *%u, *%v;
              %u != NULL
              && reach(next, x, %u)
              && reach(next, %u, NULL)
              && %v != NULL
              && reach(next, x, %v)
              && reach(next, %v, NULL)
              ==> reach(next, %u, %v) ==> %u->data <= %v->data
            -- beyond EPR: `%u->data` is an integer
        "#]],
    );
    let strict = |to| Formula::Reach { field: next.clone(), strict: true, from: X, to };
    check(
        &program,
        &strict(Term::Null),
        expect![[r#"
        x != NULL && reach(next, x, NULL)
        -- quantifier-free
    "#]],
    );
    check(
        &program,
        &strict(Y),
        expect![[r#"
        x != y && reach(next, x, y) || x == y && alloc(x) && reach(next, x->next, x)
        -- beyond EPR: `x->next` applies the field that `reach(next, x, y)` iterates
    "#]],
    );
    // content(next, \result) == \union(\old(content(next, x)), {y})
    let content = |t| Term::Content(next.clone(), Box::new(t));
    let union = Term::SetOp(
        SetOp::Union,
        Box::new(old(content(X))),
        Box::new(Term::Singleton(Box::new(old(Y)))),
    );
    check(
        &program,
        &Formula::Cmp(CmpOp::Eq, content(Term::Result), union),
        expect![[r#"
            \forall struct node *%v;
              %v != NULL && reach(next, \result, %v)
              <==> %v != NULL && reach(\old(next), \old(x), %v) || %v == \old(y)
            -- universal
        "#]],
    );
    let load = |t: Term| Term::Load { addr: Box::new(t), scalar: Scalar::Ptr(node) };
    check(
        &program,
        &Formula::Cmp(CmpOp::Eq, load(X), old(load(X))),
        expect![[r#"
        x->next == \old(x)->\old(next)
        -- EPR
    "#]],
    );
    check(
        &program,
        &Formula::Cmp(CmpOp::Eq, load(X), load(X)),
        expect![[r#"
        reach(next, x->next, x->next)
        -- beyond EPR: `x->next` applies the field that `reach(next, x->next, x->next)` iterates
    "#]],
    );
    // The predicate has a variable of the same name as the quantifier around it.
    let v = Binder { id: BoundId(3), name: "v".into(), sort: Sort::Ptr(node) };
    let known = Formula::Pred(PredId(1), vec![Term::Bound(BoundId(3))]);
    check(
        &program,
        &Formula::Forall(vec![v], Box::new(known)),
        expect![[r#"
        \forall struct node *v;
          \exists struct node *v_1; v_1 == v && (Marked(v) || \old(alloc)(v_1))
        -- beyond EPR: not stratified (struct node * → struct node *): `\exists struct node *v_1; v_1 == v && (Marked(v) || \old(alloc)(v_1))` is under a universal quantifier
    "#]],
    );
}

#[test]
fn embedded_heads() {
    let program = heads();
    let head = program.types.pointee(program.procs[0].vars[0].ty).unwrap();
    let item = program.types.pointee(program.procs[0].vars[1].ty).unwrap();
    let next = field(&program, head, "next");
    // reach(next, p, &it->link)
    let link = Term::Offset(Box::new(Y), 8);
    let reach = Formula::Reach { field: next, strict: false, from: X, to: link };
    check(
        &program,
        &reach,
        expect![[r#"
        reach(next, p, it == NULL ? \undefined : it)
        -- quantifier-free
    "#]],
    );
    // it->link.next == &anchor: a load needs no guard, and the field is the head's own.
    let scalar = Scalar::Ptr(head);
    let load = Term::Load { addr: Box::new(Term::Offset(Box::new(Y), 8)), scalar };
    let anchor = Term::Addr(Reg::Global(GlobalId(0)));
    check(
        &program,
        &Formula::Cmp(CmpOp::Eq, load, anchor),
        expect![[r#"
        it->next == &anchor
        -- EPR
    "#]],
    );
    // \forall struct item *i; alloc(i) ==> i->key == 0: heads alone are not items.
    let i = Binder { id: BoundId(0), name: "i".into(), sort: Sort::Ptr(item) };
    let int = field(&program, item, "key").scalar;
    let key = Term::Load { addr: Box::new(Term::Bound(BoundId(0))), scalar: int };
    let body = Formula::Implies(
        Box::new(Formula::Alloc(Term::Bound(BoundId(0)))),
        Box::new(Formula::Cmp(CmpOp::Eq, key, Term::Int(0))),
    );
    check(
        &program,
        &Formula::Forall(vec![i], Box::new(body)),
        expect![[r#"
        \forall obj i; i == NULL || is_item(i) ==> alloc(i) && is_item(i) ==> i->key == 0
        -- beyond EPR: `i->key` is an integer
    "#]],
    );
}
