use expect_test::{Expect, expect};

use super::*;
use crate::ir::{
    BinOp, Block, CmpOp, Cond, Expr, Instr, InstrKind, Storage, Terminator, UnOp, VarId,
};
use crate::samples::{Lists, lists, nowhere};
use crate::spec::{
    ArithOp, AssignsItem, Binder, BoundId, Derived, Label, PredId, Predicate, Promise, SetOp, Sort,
};
use crate::types::Scalar;
use crate::{CheckKind, CheckTable};

const F: ProcId = ProcId(0);
const X: Reg = Reg::Local(VarId(0));
const Y: Reg = Reg::Local(VarId(1));
const K: Reg = Reg::Local(VarId(2));
const ITEM: Reg = Reg::Local(VarId(3));

fn reg(r: Reg) -> Expr {
    Expr::Reg(r)
}

fn moved(e: Expr, k: i64) -> Expr {
    Expr::Offset(Box::new(e), k)
}

fn sample() -> Lists {
    let mut l = lists();
    let text = "first line\nsecond line\nthird line\n";
    l.program.sources = Default::default();
    let file = l.program.sources.add("lists.c", text);
    let span = |line: u32| Span::new(file, 12 * line, 12 * line + 5);
    let int = l.field("data").scalar;
    let ptr = Scalar::Ptr(l.node);
    let kind = IntKind::INT;
    let instr = |line, kind| Instr { kind, span: span(line) };
    let sum = Expr::Binary(
        BinOp::Mul,
        kind,
        Box::new(Expr::Binary(BinOp::Add, kind, Box::new(reg(K)), Box::new(Expr::Int(1)))),
        Box::new(Expr::Unary(UnOp::Neg, kind, Box::new(reg(K)))),
    );
    let temp = Var {
        name: "%1".into(),
        ty: l.program.procs[0].vars[0].ty,
        storage: Storage::Register,
        is_temp: true,
        is_ghost: false,
        is_const: false,
        span: nowhere(),
    };
    let t = Reg::Local(VarId(4));
    let anchor = Reg::Global(GlobalId(2));
    let entry = Block {
        instrs: vec![
            instr(0, InstrKind::Load { dst: t, addr: reg(X), scalar: ptr }),
            instr(0, InstrKind::Store { addr: moved(reg(X), 8), scalar: ptr, value: Expr::Null }),
            instr(1, InstrKind::Store { addr: moved(reg(X), 16), scalar: int, value: sum }),
            instr(
                1,
                InstrKind::Store {
                    addr: moved(reg(ITEM), 8),
                    scalar: Scalar::Ptr(l.head),
                    value: Expr::Addr(anchor),
                },
            ),
            instr(
                1,
                InstrKind::Store {
                    addr: Expr::Addr(anchor),
                    scalar: Scalar::Ptr(l.head),
                    value: moved(reg(ITEM), 8),
                },
            ),
            instr(2, InstrKind::Load { dst: K, addr: moved(reg(X), -8), scalar: int }),
            instr(
                2,
                InstrKind::Alloc { dst: Y, size: Expr::Int(24), ty: Some(l.node), zeroed: false },
            ),
        ],
        term: Terminator::Goto(BlockId(1)),
        term_span: span(2),
    };
    let different = Expr::Cmp(CmpOp::Ne, None, Box::new(reg(X)), Box::new(reg(Y)));
    let head = Block {
        instrs: vec![instr(
            2,
            InstrKind::Assert { kind: CheckKind::LoopInvariant, cond: Cond::Spec(ls(&l)) },
        )],
        term: Terminator::Branch { cond: different, then: BlockId(1), els: BlockId(2) },
        term_span: span(2),
    };
    let end = Block { instrs: vec![], term: Terminator::Return(None), term_span: nowhere() };
    let clause = |formula| Promise { formula, span: span(0) };
    let old_x = Term::At(Label::Pre, Box::new(Term::Reg(X)));
    let next = l.field("next");
    let contract = crate::spec::Contract {
        requires: vec![clause(ls(&l))],
        ensures: vec![clause(Formula::Cmp(CmpOp::Ne, old_x, Term::Null))],
        assigns: Assigns::Places(
            vec![AssignsItem {
                binders: vec![node_binder(&l, 0, "v")],
                filter: Some(reach(&l, Term::Reg(X), Term::Bound(BoundId(0)))),
                addr: Term::Offset(Box::new(Term::Bound(BoundId(0))), next.offset.into()),
                bytes: 8,
                global: None,
                span: span(0),
            }],
            span(0),
        ),
    };
    let marked = Predicate {
        name: "Marked".into(),
        params: vec![node_binder(&l, 0, "v")],
        body: None,
        is_recursive: false,
        span: nowhere(),
    };
    let proc = &mut l.program.procs[0];
    proc.contract = contract;
    proc.vars.push(temp);
    proc.body = Some(Body { blocks: vec![entry, head, end], entry: BlockId(0), end_span: span(2) });
    l.program.predicates.push(marked);
    l
}

fn node_binder(l: &Lists, id: u32, name: &str) -> Binder {
    Binder { id: BoundId(id), name: name.into(), sort: Sort::Ptr(l.node) }
}

fn ls(l: &Lists) -> Formula {
    let d = Derived::ListSegment(l.field("next"), Term::Reg(X), Term::Null);
    Formula::Derived(Box::new(d))
}

fn reach(l: &Lists, from: Term, to: Term) -> Formula {
    Formula::Reach { field: l.field("next"), strict: false, from, to }
}

#[test]
fn a_procedure_reads_like_c() {
    let l = sample();
    expect![[r#"
        /*@ requires ls(next, x, NULL);
            assigns { v->next | struct node *v; reach(next, x, v) };
            ensures x != NULL; */
        void f(struct node *x, struct node *y, int k, struct item *it) {
            struct node *%1;
          b0:
            %1 = x->next                                 // line 1
            x->prev = NULL                               // line 1
            x->data = (k + 1) * -k                       // line 2
            it->link.next = &anchor                      // line 2
            anchor.next = &it->link                      // line 2
            k = *(int *)((char *)x - 8)                  // line 3
            y = (struct node *)malloc(24)                // line 3
            goto b1                                      // line 3
          b1: // loop head
            assert[loop-invariant] ls(next, x, NULL)     // line 3
            if (x != y) goto b1 else b2                  // line 3
          b2:
            return
        }
    "#]]
    .assert_eq(&print_procedure(&l.program, F));
}

#[test]
fn a_program_begins_with_its_types() {
    let l = sample();
    let text = print_program(&l.program);
    let head = text.split("/*@").next().unwrap();
    expect![[r#"
        struct node { // 24 bytes
            struct node *next;
            struct node *prev;
            int data;
        };

        struct list_head { // 8 bytes
            struct list_head *next;
        };

        struct item { // 16 bytes
            int key;
            struct list_head link;
        };

        struct node *head;
        int count;
        struct list_head anchor;

        //@ predicate Marked(struct node *v);

    "#]]
    .assert_eq(head);
}

#[test]
fn graphs_are_for_graphviz() {
    let l = sample();
    let text = cfg_dot(&l.program, F);
    let rest = text.split("b1 [").nth(1).unwrap();
    expect![[r#"
        label="b1:\lassert[loop-invariant] ls(next, x, NULL)\lif (x != y) goto b1 else b2\l", peripheries=2];
          b1 -> "#]].assert_eq(rest);
}

#[test]
fn tables_are_aligned() {
    let l = sample();
    let checks = print_checks(&l.program, &CheckTable::of(&l.program));
    let first: String = checks.lines().take(6).map(|l| format!("{l}\n")).collect();
    expect![[r#"
        f:null-deref:1      lists.c:1:1  null pointer is dereferenced
        f:use-after-free:1  lists.c:1:1  memory is used after its lifetime ended
        f:uninit:1          lists.c:1:1  an uninitialised value is used
        f:bounds:1          lists.c:1:1  access outside the object
        f:null-deref:2      lists.c:1:1  null pointer is dereferenced
        f:use-after-free:2  lists.c:1:1  memory is used after its lifetime ended
    "#]]
    .assert_eq(&first);
    expect![[r#"
        objects
          struct node       is_node(x)
          struct list_head  is_list_head(x)
          struct item       is_item(x)
        pointer fields
          struct node.next       struct node *       reach(next, x, y)
          struct node.prev       struct node *       reach(prev, x, y)
          struct list_head.next  struct list_head *  reach(next, x, y)
          struct item.link.next  struct list_head *  reach(next, x, y)
        integer fields
          struct node.data  int
          struct item.key   int
        globals
          struct node *head
          int count
          struct list_head anchor
        variables of f
          struct node *x
          struct node *y
          int k
          struct item *it
        predicates
          predicate Marked(struct node *v);
        clauses of f in the logic
          requires, line 1: universal
            reach(next, x, NULL)
            && \forall obj %a, b;
                 %a != NULL && reach(next, x, %a) && reach(next, %a, NULL) && reach(next, b, %a)
                 ==> reach(next, b, x) || reach(next, x, b)
          ensures, line 1: quantifier-free
            \old(x) != NULL
          loop-invariant, line 3: universal
            reach(next, x, NULL)
            && \forall obj %a, b;
                 %a != NULL && reach(next, x, %a) && reach(next, %a, NULL) && reach(next, b, %a)
                 ==> reach(next, b, x) || reach(next, x, b)
    "#]]
    .assert_eq(&print_vocabulary(&l.program, F));
}

fn check(l: &Lists, formula: &Formula, expected: Expect) {
    expected.assert_eq(&print_formula(&l.program, F, formula));
}

#[test]
fn contracts_have_few_parentheses() {
    let l = sample();
    let x = || Term::Reg(X);
    let v = |i| Term::Bound(BoundId(i));
    let data = |t: Term| Term::Load {
        addr: Box::new(Term::Offset(Box::new(t), 16)),
        scalar: l.field("data").scalar,
    };
    let next = |t: Term| Term::Load { addr: Box::new(t), scalar: Scalar::Ptr(l.node) };
    let eq = |a, b| Formula::Cmp(CmpOp::Eq, a, b);
    let or = Formula::Or(vec![eq(x(), Term::Null), eq(next(x()), Term::Null)]);
    let and = Formula::And(vec![or.clone(), Formula::Not(Box::new(or.clone()))]);
    check(&l, &and, expect!["(x == NULL || x->next == NULL) && !(x == NULL || x->next == NULL)"]);
    let arrow =
        |a: &Formula, b: &Formula| Formula::Implies(Box::new(a.clone()), Box::new(b.clone()));
    let right = arrow(&or, &arrow(&or, &or));
    check(
        &l,
        &right,
        expect![
            "x == NULL || x->next == NULL ==> x == NULL || x->next == NULL ==> x == NULL || x->next == NULL"
        ],
    );
    check(
        &l,
        &arrow(&arrow(&or, &or), &or),
        expect![
            "(x == NULL || x->next == NULL ==> x == NULL || x->next == NULL) ==> x == NULL || x->next == NULL"
        ],
    );
    let two = Formula::Forall(
        vec![node_binder(&l, 0, "u"), node_binder(&l, 1, "v")],
        Box::new(arrow(
            &reach(&l, v(0), v(1)),
            &Formula::Exists(
                vec![node_binder(&l, 2, "u")],
                Box::new(eq(data(v(2)), data(next(v(0))))),
            ),
        )),
    );
    check(
        &l,
        &Formula::And(vec![two, or.clone()]),
        expect![[
            r#"(\forall struct node *u, *v; reach(next, u, v) ==> (\exists struct node *u_2; u_2->data == u->next->data)) && (x == NULL || x->next == NULL)"#
        ]],
    );
    let sum = |op, a, b| Term::Arith(op, Box::new(a), Box::new(b));
    let one = Term::Int(1);
    let arithmetic = Formula::Cmp(
        CmpOp::Le,
        sum(
            ArithOp::Mul,
            sum(ArithOp::Sub, data(x()), sum(ArithOp::Sub, one.clone(), Term::Int(-2))),
            Term::Neg(Box::new(one)),
        ),
        Term::Ite(Box::new(or.clone()), Box::new(Term::Reg(K)), Box::new(Term::Int(0))),
    );
    check(
        &l,
        &arithmetic,
        expect!["(x->data - (1 - -2)) * -1 <= (x == NULL || x->next == NULL ? k : 0)"],
    );
    let old = |t| Term::At(Label::Pre, Box::new(t));
    let content = |t| Term::Content(l.field("next"), Box::new(t));
    let sets = eq(
        old(content(x())),
        Term::SetOp(
            SetOp::Union,
            Box::new(content(old(x()))),
            Box::new(Term::Singleton(Box::new(Term::Offset(Box::new(x()), 8)))),
        ),
    );
    check(
        &l,
        &sets,
        expect![[r#"\old(content(next, x)) == \union(content(next, \old(x)), {&x->prev})"#]],
    );
    let call = Formula::Pred(PredId(0), vec![next(old(next(x())))]);
    check(&l, &call, expect![[r#"Marked(\old(x->next)->next)"#]]);
}
