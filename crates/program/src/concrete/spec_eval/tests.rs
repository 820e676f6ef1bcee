//! The direct definitions of derived predicates agree with their expansions on all small heaps,
//! and what is decided on a partial heap holds for all its completions.

use super::*;
use crate::concrete::memory::{Lifetime, ObjId};
use crate::ir::{GlobalId, Reg, VarId};
use crate::samples::{Lists, lists, nowhere};
use crate::spec::{ArithOp, Assigns, AssignsItem, Derived, FieldRef, SetOp};
use crate::types::Scalar;

const X: Term = Term::Reg(Reg::Local(VarId(0)));
const Y: Term = Term::Reg(Reg::Local(VarId(1)));

fn bound(i: u32) -> Term {
    Term::Bound(BoundId(i))
}

fn reach(field: &FieldRef, from: Term, to: Term) -> Formula {
    Formula::Reach { field: field.clone(), strict: false, from, to }
}

fn not_null(t: Term) -> Formula {
    Formula::Cmp(CmpOp::Ne, t, Term::Null)
}

fn implies(a: Vec<Formula>, b: Formula) -> Formula {
    Formula::Implies(Box::new(Formula::And(a)), Box::new(b))
}

fn binders(lists: &Lists, n: u32) -> Vec<Binder> {
    let binder = |i| Binder { id: BoundId(i), name: format!("v{i}"), sort: Sort::Ptr(lists.node) };
    (0..n).map(binder).collect()
}

fn forall(lists: &Lists, n: u32, f: Formula) -> Formula {
    Formula::Forall(binders(lists, n), Box::new(f))
}

/// The derived predicate and its definition, as documented with [`Derived`].
fn definitions(l: &Lists) -> Vec<(Derived, Formula)> {
    let (next, prev, data) = (l.field("next"), l.field("prev"), l.field("data"));
    let on = |i: u32| {
        let v = bound(i);
        [not_null(v.clone()), reach(&next, X, v.clone()), reach(&next, v, Y)]
    };
    let (a, b, u, v) = (bound(0), bound(1), bound(0), bound(1));
    let middle = implies(
        [&on(0)[..], &[reach(&next, b.clone(), a.clone())]].concat(),
        Formula::Or(vec![reach(&next, b.clone(), X), reach(&next, X, b)]),
    );
    let both = [on(0), on(1)].concat();
    let key = |t: Term| Term::Load {
        addr: Box::new(Term::Offset(Box::new(t), data.offset.into())),
        scalar: data.scalar,
    };
    let strict = Formula::Reach { field: next.clone(), strict: true, from: X, to: X };
    vec![
        (
            Derived::ListSegment(next.clone(), X, Y),
            Formula::And(vec![reach(&next, X, Y), forall(l, 2, middle)]),
        ),
        (
            Derived::Stable(next.clone(), X),
            forall(
                l,
                1,
                implies(vec![not_null(a.clone()), reach(&next, X, a.clone())], Formula::Alloc(a)),
            ),
        ),
        (
            Derived::Reverse(next.clone(), prev.clone(), X, Y),
            forall(
                l,
                2,
                implies(
                    both.clone(),
                    Formula::Iff(
                        Box::new(reach(&next, u.clone(), v.clone())),
                        Box::new(reach(&prev, v.clone(), u.clone())),
                    ),
                ),
            ),
        ),
        (
            Derived::Sorted(next.clone(), data.clone(), X, Y),
            forall(
                l,
                2,
                implies(
                    [&both[..], &[reach(&next, u.clone(), v.clone())]].concat(),
                    Formula::Cmp(CmpOp::Le, key(u), key(v)),
                ),
            ),
        ),
        (Derived::Cyclic(next, X), Formula::And(vec![not_null(X), strict])),
    ]
}

/// A heap of nodes with given cells `next`, `prev`, `data`.
fn heap(l: &Lists, cells: &[[Value; 3]]) -> Memory {
    let mut memory = Memory::default();
    for row in cells {
        let size = l.program.types.size_of(l.node).unwrap();
        let types = &l.program.types;
        let id = memory.allocate(types, Some(l.node), size, Lifetime::Heap, |_| Value::Null);
        memory.objects[id.0 as usize].initial = true;
        let start = memory.object(id).start as usize;
        memory.cells[start..start + 3].copy_from_slice(row);
    }
    memory
}

fn env<'a>(l: &'a Lists, memory: &'a Memory, locals: &'a [Value]) -> SpecEnv<'a> {
    SpecEnv {
        program: &l.program,
        proc: crate::ProcId(0),
        memory,
        globals: &[],
        locals,
        entry: &[],
        pre: None,
        result: None,
    }
}

fn node(i: usize) -> Value {
    Value::to_start(ObjId(i as u32))
}

/// Null and all nodes.
fn pointers(n: usize) -> Vec<Value> {
    std::iter::once(Value::Null).chain((0..n).map(node)).collect()
}

/// Calls `f` with every choice of one value a slot.
fn each_choice(choices: &[Vec<Value>], f: &mut impl FnMut(&[Value])) {
    let mut at = vec![0; choices.len()];
    loop {
        let row: Vec<Value> = at.iter().zip(choices).map(|(i, c)| c[*i]).collect();
        f(&row);
        let Some(i) = (0..at.len()).find(|&i| at[i] + 1 < choices[i].len()) else {
            return;
        };
        at[i] += 1;
        at[..i].fill(0);
    }
}

fn agree(l: &Lists, memory: &Memory, n: usize, which: &[usize], pairs: &[(Derived, Formula)]) {
    for x in pointers(n) {
        for y in pointers(n) {
            let locals = [x, y];
            let env = env(l, memory, &locals);
            for &w in which {
                let (derived, expansion) = &pairs[w];
                let direct = env.truth(&Formula::Derived(Box::new(derived.clone())));
                let defined = env.truth(expansion);
                assert_eq!(direct, defined, "{derived:?} at {x:?}, {y:?} of {memory:?}");
            }
        }
    }
}

#[test]
fn one_field_predicates_are_their_definitions() {
    let l = lists();
    let pairs = definitions(&l);
    for n in 1..=4 {
        let choices = [pointers(n), vec![Value::Undef]].concat();
        each_choice(&vec![choices; n], &mut |next| {
            let rows: Vec<_> = next.iter().map(|&v| [v, Value::Null, Value::Int(0)]).collect();
            let mut memory = heap(&l, &rows);
            agree(&l, &memory, n, &[0, 1, 4], &pairs);
            for dead in 0..n {
                memory.objects[dead].live = false;
                agree(&l, &memory, n, &[0, 1, 4], &pairs);
                memory.objects[dead].live = true;
            }
        });
    }
}

#[test]
fn rev_is_its_definition() {
    let l = lists();
    let pairs = definitions(&l);
    for n in 1..=3 {
        each_choice(&vec![pointers(n); 2 * n], &mut |fields| {
            let rows: Vec<_> = (0..n).map(|i| [fields[i], fields[n + i], Value::Int(0)]).collect();
            agree(&l, &heap(&l, &rows), n, &[2], &pairs);
        });
    }
}

#[test]
fn sorted_is_its_definition() {
    let l = lists();
    let pairs = definitions(&l);
    let keys = vec![Value::Int(1), Value::Int(2), Value::Int(3), Value::Undef];
    for n in 1..=3 {
        let choices = [vec![pointers(n); n], vec![keys.clone(); n]].concat();
        each_choice(&choices, &mut |fields| {
            let rows: Vec<_> = (0..n).map(|i| [fields[i], Value::Null, fields[n + i]]).collect();
            agree(&l, &heap(&l, &rows), n, &[3], &pairs);
        });
    }
}

#[test]
fn decisions_on_partial_heaps_are_final() {
    let l = lists();
    let next = l.field("next");
    let pairs = definitions(&l);
    let mut formulas: Vec<Formula> = Vec::new();
    for (d, f) in pairs {
        formulas.push(Formula::Derived(Box::new(d)));
        formulas.push(f);
    }
    let content = |t| Term::Content(next.clone(), Box::new(t));
    formulas.push(reach(&next, X, Y));
    formulas.push(Formula::In(X, content(Y)));
    formulas.push(Formula::Cmp(CmpOp::Eq, content(X), content(Y)));
    formulas.push(Formula::Exists(
        binders(&l, 1),
        Box::new(Formula::And(vec![
            not_null(bound(0)),
            reach(&next, bound(0), X),
            Formula::Cmp(CmpOp::Ne, bound(0), X),
        ])),
    ));
    let n = 2;
    let mut decided = 0;
    let partial = [pointers(n), vec![Value::Open]].concat();
    each_choice(&vec![partial; 2 * n], &mut |cells| {
        let row = |c: &[Value], i: usize| [c[i], c[n + i], Value::Int(1)];
        let memory = heap(&l, &[row(cells, 0), row(cells, 1)]);
        // Open cells may lead to a third node that does not exist yet.
        let finished: Vec<Vec<Value>> = cells
            .iter()
            .map(|c| match c {
                Value::Open => pointers(n + 1),
                c => vec![*c],
            })
            .chain([pointers(n + 1)])
            .collect();
        for x in pointers(n) {
            for y in pointers(n) {
                let locals = [x, y];
                let known: Vec<Truth> =
                    formulas.iter().map(|f| env(&l, &memory, &locals).truth(f)).collect();
                decided += known.iter().filter(|t| **t != Truth::Undefined).count();
                each_choice(&finished, &mut |c| {
                    let uses_third = c[..2 * n].contains(&node(n));
                    let third = [c[2 * n], Value::Null, Value::Int(1)];
                    let rows = [row(c, 0), row(c, 1), third];
                    let full = heap(&l, if uses_third { &rows } else { &rows[..n] });
                    if !uses_third && c[2 * n] != Value::Null {
                        return;
                    }
                    for (f, known) in formulas.iter().zip(&known) {
                        let truth = env(&l, &full, &locals).truth(f);
                        if *known != Truth::Undefined {
                            assert_eq!(truth, *known, "{f:?} {locals:?}\n{memory:?}\n{full:?}");
                        }
                    }
                });
            }
        }
    });
    assert!(decided > 10_000, "only {decided} decided");
}

#[test]
fn kleene_connectives_stop_early() {
    let l = lists();
    let memory = heap(&l, &[]);
    let locals = [Value::Null, Value::Undef];
    let env = env(&l, &memory, &locals);
    let next = Term::Load { addr: Box::new(X), scalar: Scalar::Ptr(l.node) };
    let undefined = Formula::Cmp(CmpOp::Eq, next, Term::Null);
    let guard = not_null(X);
    assert_eq!(env.truth(&undefined), Truth::Undefined);
    let both = Formula::And(vec![undefined.clone(), guard.clone()]);
    assert_eq!(env.truth(&both), Truth::False);
    let either = Formula::Or(vec![undefined.clone(), Formula::Not(Box::new(guard.clone()))]);
    assert_eq!(env.truth(&either), Truth::True);
    assert_eq!(env.truth(&implies(vec![guard], undefined.clone())), Truth::True);
    let iff = Formula::Iff(Box::new(undefined.clone()), Box::new(undefined));
    assert_eq!(env.truth(&iff), Truth::Undefined);
    let other = Formula::Cmp(CmpOp::Eq, Y, Term::Null);
    assert_eq!(env.truth(&other), Truth::Undefined);
}

#[test]
fn old_reads_the_entry_state() {
    let l = lists();
    let before = heap(&l, &[[node(1), Value::Null, Value::Int(1)], [Value::Null; 3]]);
    let mut now = before.clone();
    now.cells[0] = Value::Null;
    let pre = PreState { memory: before, globals: vec![] };
    let locals = [Value::Null, node(1)];
    let mut env = env(&l, &now, &locals);
    env.entry = &[Value::Ptr(crate::concrete::Pointer { obj: ObjId(0), off: 0 })];
    env.pre = Some(&pre);
    let f = reach(&l.field("next"), X, Y);
    assert_eq!(env.truth(&f), Truth::False);
    let old = Formula::At(Label::Pre, Box::new(f));
    assert_eq!(env.truth(&old), Truth::True);
    let back = Formula::At(Label::Pre, Box::new(Formula::At(Label::Here, Box::new(not_null(X)))));
    assert_eq!(env.truth(&back), Truth::False);
}

#[test]
fn quantifiers_see_members_and_freed_initial_objects() {
    let l = lists();
    let types = &l.program.types;
    let mut memory = Memory::default();
    let size = types.size_of(l.item).unwrap();
    let fill = Value::zero;
    memory.allocate(types, Some(l.item), 3 * size, Lifetime::Heap, fill);
    memory.allocate(types, Some(l.head), 8, Lifetime::Heap, fill);
    memory.allocate(types, Some(l.head), 8, Lifetime::Heap, fill);
    memory.objects[1].live = false;
    memory.objects[2].live = false;
    memory.objects[2].initial = true;
    let env = env(&l, &memory, &[]);
    // Counted through a set: the quantifier's domain is null, three members and one freed object.
    let binder = |id| Binder { id: BoundId(id), name: "v".into(), sort: Sort::Ptr(l.head) };
    let mut seen = Vec::new();
    let mut evaluator = Evaluator::new(env, Label::Here, None);
    let v = binder(0);
    let term = bound(0);
    let _ = evaluator.each(&v, &mut |e| {
        seen.push(e.place(&term).unwrap().map(|p| (p.obj.0, p.off)));
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(seen, [None, Some((0, 8)), Some((0, 24)), Some((0, 40)), Some((2, 0))]);
}

#[test]
fn integers_range_over_what_occurs() {
    let l = lists();
    let memory = heap(&l, &[[Value::Null, Value::Null, Value::Int(7)]]);
    let env = env(&l, &memory, &[]);
    let i = Binder { id: BoundId(0), name: "i".into(), sort: Sort::Int };
    let some = |body| Formula::Exists(vec![i.clone()], Box::new(body));
    let is = |n| Formula::Cmp(CmpOp::Eq, bound(0), Term::Int(n));
    let six = Term::Arith(
        ArithOp::Sub,
        Box::new(Term::Int(3)),
        Box::new(Term::Neg(Box::new(Term::Int(3)))),
    );
    assert_eq!(env.truth(&some(Formula::Cmp(CmpOp::Eq, bound(0), six))), Truth::True);
    assert_eq!(env.truth(&some(is(1_000_000))), Truth::True);
    let below = Formula::Cmp(CmpOp::Lt, bound(0), Term::Int(0));
    assert_eq!(env.truth(&some(below)), Truth::True);
}

#[test]
fn sets_are_sets() {
    let l = lists();
    let rows = [[node(1), Value::Null, Value::Int(0)], [Value::Null, Value::Null, Value::Int(0)]];
    let memory = heap(&l, &rows);
    let locals = [node(0), node(1)];
    let env = env(&l, &memory, &locals);
    let content = |t| Term::Content(l.field("next"), Box::new(t));
    let single = |t| Term::Singleton(Box::new(t));
    let op = |op, a, b| Term::SetOp(op, Box::new(a), Box::new(b));
    let eq = |a, b| env.truth(&Formula::Cmp(CmpOp::Eq, a, b));
    let both = op(SetOp::Union, single(Y), single(X));
    assert_eq!(eq(content(X), both.clone()), Truth::True);
    let rest = op(SetOp::Diff, content(X), content(Y));
    assert_eq!(eq(rest, single(X)), Truth::True);
    let common = op(SetOp::Inter, both.clone(), content(Y));
    assert_eq!(eq(common.clone(), Term::EmptySet), Truth::False);
    assert_eq!(env.truth(&Formula::Subset(common, content(X))), Truth::True);
    assert_eq!(env.truth(&Formula::Subset(both, content(Y))), Truth::False);
    assert_eq!(env.truth(&Formula::In(Term::Null, content(X))), Truth::False);
}

#[test]
fn predicates_have_their_own_variables() {
    let mut l = lists();
    let param =
        |id, name: &str| Binder { id: BoundId(id), name: name.into(), sort: Sort::Ptr(l.node) };
    let swapped = crate::spec::Predicate {
        name: "before".into(),
        params: vec![param(0, "p"), param(1, "q")],
        is_recursive: false,
        body: Some(reach(&l.field("next"), bound(1), bound(0))),
        span: nowhere(),
    };
    let marked = crate::spec::Predicate {
        name: "Marked".into(),
        params: vec![param(0, "v")],
        is_recursive: false,
        body: None,
        span: nowhere(),
    };
    l.program.predicates = vec![swapped, marked];
    let rows = [[node(1), Value::Null, Value::Int(0)], [Value::Null, Value::Null, Value::Int(0)]];
    let mut memory = heap(&l, &rows);
    memory.objects[1].marks = 0b10;
    let locals = [node(0), node(1)];
    let env = env(&l, &memory, &locals);
    let call = |a, b| Formula::Pred(PredId(0), vec![a, b]);
    assert_eq!(env.truth(&call(Y, X)), Truth::True);
    assert_eq!(env.truth(&call(X, Y)), Truth::False);
    let swap = Formula::And(vec![
        Formula::Cmp(CmpOp::Eq, bound(1), X),
        Formula::Cmp(CmpOp::Eq, bound(0), Y),
        call(bound(0), bound(1)),
    ]);
    let some = Formula::Exists(binders(&l, 2), Box::new(swap));
    assert_eq!(env.truth(&some), Truth::True);
    let mark = |t| env.truth(&Formula::Pred(PredId(1), vec![t]));
    assert_eq!([mark(X), mark(Y), mark(Term::Null)], [Truth::False, Truth::True, Truth::False]);
}

/// `list(x) = x == null || list(x->next)`, the least relation: of a list it is true, of a ring false,
/// and undefined where the heap is not chosen yet.
#[test]
fn recursive_predicates_are_least() {
    let mut l = lists();
    let node_type = l.node;
    let next = Term::Load { addr: Box::new(bound(0)), scalar: Scalar::Ptr(node_type) };
    let body = Formula::Or(vec![
        Formula::Cmp(CmpOp::Eq, bound(0), Term::Null),
        Formula::Pred(PredId(0), vec![next]),
    ]);
    l.program.predicates = vec![crate::spec::Predicate {
        name: "list".into(),
        params: vec![Binder { id: BoundId(0), name: "x".into(), sort: Sort::Ptr(node_type) }],
        is_recursive: true,
        body: Some(body),
        span: nowhere(),
    }];
    let row = |next| [next, Value::Null, Value::Int(0)];
    let truth_of = |rows: &[[Value; 3]]| {
        let memory = heap(&l, rows);
        let locals = [node(0), Value::Null];
        env(&l, &memory, &locals).truth(&Formula::Pred(PredId(0), vec![X]))
    };
    assert_eq!(truth_of(&[row(node(1)), row(Value::Null)]), Truth::True);
    assert_eq!(truth_of(&[row(node(1)), row(node(0))]), Truth::False);
    assert_eq!(truth_of(&[row(node(1)), row(Value::Open)]), Truth::Undefined);
    let long: Vec<[Value; 3]> =
        (1..=5000).map(|i| row(if i < 5000 { node(i) } else { Value::Null })).collect();
    assert_eq!(truth_of(&long), Truth::True);
}

#[test]
fn writes_outside_the_clause_are_found() {
    let l = lists();
    let data = l.field("data");
    let row = [Value::Null, Value::Null, Value::Int(0)];
    let before = heap(&l, &[row, row]);
    let mut now = before.clone();
    now.cells[2] = Value::Int(1);
    now.cells[5] = Value::Int(1);
    let pre = PreState { memory: before, globals: vec![Value::Null, Value::Int(0), Value::Undef] };
    let globals = pre.globals.clone();
    let locals = [Value::Null, Value::Null];
    let entry = [node(0), node(1)];
    let env =
        SpecEnv { globals: &globals, entry: &entry, pre: Some(&pre), ..env(&l, &now, &locals) };
    let place = |t: Term| AssignsItem {
        binders: vec![],
        filter: None,
        addr: Term::Offset(Box::new(t), data.offset.into()),
        bytes: 4,
        global: None,
        span: nowhere(),
    };
    let written = |items| env.first_write_outside(&Assigns::Places(items, nowhere()));
    let second = Written::Cell { obj: ObjId(1), offset: data.offset };
    assert_eq!(written(vec![place(X)]), Some(second));
    assert_eq!(written(vec![place(X), place(Y)]), None);
    let every = AssignsItem {
        binders: binders(&l, 1),
        filter: Some(not_null(bound(0))),
        ..place(bound(0))
    };
    assert_eq!(written(vec![every]), None);
    let mut globals = globals.clone();
    globals[1] = Value::Int(5);
    let env = SpecEnv { globals: &globals, memory: &pre.memory, ..env };
    let nothing = Assigns::Places(vec![], nowhere());
    assert_eq!(env.first_write_outside(&nothing), Some(Written::Global(GlobalId(1))));
}

#[test]
fn traits_tell_what_is_read() {
    let l = lists();
    let data = l.field("data");
    let load = |t: Term| Term::Load {
        addr: Box::new(Term::Offset(Box::new(t), data.offset.into())),
        scalar: data.scalar,
    };
    let traits = |f: &Formula| formula_traits(&l.program, crate::ProcId(0), f);
    let f = Formula::Cmp(CmpOp::Eq, load(X), Term::Reg(Reg::Global(GlobalId(1))));
    let t = traits(&f);
    assert_eq!(Vec::from_iter(t.ints_read), [(l.node, data.offset)]);
    assert_eq!(Vec::from_iter(t.globals_read), [GlobalId(1)]);
    assert!(!t.mentions_pre_memory && !t.has_pointer_quantifier && !t.reads_any_int);
    assert!(traits(&Formula::At(Label::Pre, Box::new(f))).mentions_pre_memory);
    let parameter = Formula::At(Label::Pre, Box::new(not_null(X)));
    assert!(!traits(&parameter).mentions_pre_memory);
    let ls = Formula::Derived(Box::new(Derived::ListSegment(l.field("next"), X, Y)));
    assert!(traits(&ls).has_pointer_quantifier);
    let sorted = Derived::Sorted(l.field("next"), data.clone(), X, Y);
    let t = traits(&Formula::Derived(Box::new(sorted)));
    assert!(t.reads_int(&l.program.types, l.node, data.offset));
    assert!(!t.reads_int(&l.program.types, l.item, 0));
}
