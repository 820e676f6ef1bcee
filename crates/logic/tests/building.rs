//! The constructors simplify the obvious, and nothing else.

use trellis_logic::{Arena, ArithOp, Formula, FormulaId, SortError, SortId, Vocabulary};

const TRUE: FormulaId = FormulaId::TRUE;
const FALSE: FormulaId = FormulaId::FALSE;

fn atoms() -> (Arena, [FormulaId; 3]) {
    let mut vocabulary = Vocabulary::new();
    let mut arena = Arena::new();
    let atoms = ["p", "q", "r"].map(|name| {
        let rel = vocabulary.relation(name, &[]);
        arena.rel(rel, &[])
    });
    (arena, atoms)
}

#[test]
fn connectives() {
    let (mut a, [p, q, r]) = atoms();
    let not_p = a.not(p);
    assert_eq!(a.not(not_p), p);
    assert_eq!((a.not(TRUE), a.not(FALSE)), (FALSE, TRUE));
    assert_eq!(a.and([]), TRUE);
    assert_eq!(a.or([]), FALSE);
    assert_eq!(a.and([p, TRUE, p]), p);
    assert_eq!(a.and([p, FALSE]), FALSE);
    assert_eq!(a.or([p, TRUE]), TRUE);
    assert_eq!(a.and([p, q, not_p]), FALSE);
    assert_eq!(a.or([not_p, q, p]), TRUE);
    let pq = a.and([p, q]);
    let nested = a.and([r, pq, q]);
    assert_eq!(a.formula(nested), &Formula::And(vec![r, p, q].into()));
    assert_eq!(a.and([r, p, q]), nested);
    assert_ne!(a.and([p, q, r]), nested);
    assert_eq!(a.implies(p, p), TRUE);
    assert_eq!(a.implies(TRUE, p), p);
    assert_eq!(a.implies(p, FALSE), not_p);
    assert_eq!(a.iff(p, FALSE), not_p);
    assert_eq!(a.iff(p, p), TRUE);
}

#[test]
fn terms_and_atoms() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let (x, y) = (vocabulary.constant("x", node), vocabulary.constant("y", node));
    let (mut a, [p, ..]) = atoms();
    let (x, y) = (a.constant(x), a.constant(y));
    assert_eq!(a.eq(x, x), TRUE);
    assert_eq!(a.ne(x, x), FALSE);
    assert_eq!((a.ite(TRUE, x, y), a.ite(FALSE, x, y), a.ite(p, x, x)), (x, y, x));
    let (two, three) = (a.num(2), a.num(3));
    let five = a.num(5);
    assert_eq!(a.arith(ArithOp::Add, two, three), five);
    assert_eq!((a.eq(two, three), a.le(two, three), a.lt(three, two)), (FALSE, TRUE, FALSE));
    let huge = a.num(i128::MAX);
    let overflow = a.arith(ArithOp::Mul, huge, two);
    assert_ne!(overflow, huge);
}

#[test]
fn quantifiers() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let r = vocabulary.relation("r", &[node, node]);
    let mut a = Arena::new();
    let (v, w) = (a.variable("v", node), a.variable("w", node));
    let (tv, tw) = (a.var_term(v), a.var_term(w));
    let vw = a.rel(r, &[tv, tw]);
    assert_eq!(a.free_vars(vw), [v, w]);
    assert_eq!(a.forall(&[], vw), vw);
    let inner = a.forall(&[w], vw);
    assert_eq!(a.free_vars(inner), [v]);
    assert_eq!(a.forall(&[w], inner), inner);
    let both = a.forall(&[v], inner);
    assert_eq!(both, a.forall(&[v, w], vw));
    assert!(a.free_vars(both).is_empty());
    // Equal up to the names of bound variables.
    let swapped = a.rel(r, &[tw, tv]);
    let swapped = a.forall(&[w, v], swapped);
    assert_ne!(both, swapped);
    assert_eq!(a.alpha_normal(both), a.alpha_normal(swapped));
}

#[test]
fn ill_sorted_formulas_are_found() {
    let mut vocabulary = Vocabulary::new();
    let (node, key) = (vocabulary.sort("node"), vocabulary.sort("key"));
    let (n, k) = (vocabulary.constant("n", node), vocabulary.constant("k", key));
    let r = vocabulary.relation("r", &[node, node]);
    let mut a = Arena::new();
    let (tn, tk) = (a.constant(n), a.constant(k));
    let good = a.rel(r, &[tn, tn]);
    assert_eq!(a.check(&vocabulary, good), Ok(()));
    let short = a.rel(r, &[tn]);
    let expected = SortError::Arity { symbol: "r".into(), expected: 2, found: 1 };
    assert_eq!(a.check(&vocabulary, short), Err(expected));
    let mixed = a.eq(tn, tk);
    let mismatch = SortError::Mismatch { term: tk, expected: "node".into(), found: "key".into() };
    assert_eq!(a.check(&vocabulary, mixed), Err(mismatch));
    let compared = a.le(tn, tn);
    assert_eq!(compared, TRUE);
    let one = a.num(1);
    let compared = a.lt(tn, one);
    assert!(a.check(&vocabulary, compared).is_err());
    assert_eq!(a.check_term(&vocabulary, one), Ok(SortId::INT));
    assert_eq!(a.check(&Vocabulary::new(), good), Err(SortError::UnknownSymbol));
    let field = vocabulary.field("key", node, key);
    vocabulary.closure("reach", field);
    assert!(vocabulary.check().is_err());
}
