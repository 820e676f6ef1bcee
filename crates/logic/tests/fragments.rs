//! Naming fragments.

use expect_test::expect;
use proptest::prelude::*;
use trellis_logic::generate::{Case, FormulaOptions, Options, Quantifiers, cases, runner};
use trellis_logic::{Arena, Fragment, Obstacle, Quantifier, SortId, Vocabulary, fragment};

fn beyond() -> Fragment {
    Fragment::Beyond(Obstacle { text: String::new(), formulas: Vec::new(), terms: Vec::new() })
}

fn all() -> [Fragment; 7] {
    use Fragment::*;
    [QuantifierFree, Universal, Existential, AfR, EaR, Epr, beyond()]
}

#[test]
fn inclusion_is_an_order() {
    for a in all() {
        assert!(a.includes(&a));
        for b in all() {
            assert!(a == b || !(a.includes(&b) && b.includes(&a)));
            for c in all() {
                assert!(!(a.includes(&b) && b.includes(&c)) || a.includes(&c));
            }
        }
    }
    assert!(!Fragment::Universal.includes(&Fragment::Existential));
    assert!(!Fragment::Existential.includes(&Fragment::Universal));
}

#[test]
fn shapes_fit_their_fragments() {
    for (quantifiers, expected) in [
        (Quantifiers::QuantifierFree, Fragment::QuantifierFree),
        (Quantifiers::Universal, Fragment::Universal),
        (Quantifiers::Existential, Fragment::Existential),
        (Quantifiers::AlternationFree, Fragment::AfR),
        (Quantifiers::ExistsForall, Fragment::EaR),
    ] {
        let formula = FormulaOptions { quantifiers, ..FormulaOptions::default() };
        let options = Options { formula, ..Options::default() };
        let exact = std::cell::Cell::new(0);
        runner(150)
            .run(&cases(options), |Case { vocabulary, mut arena, formula, .. }| {
                let found = fragment(&mut arena, &vocabulary, formula);
                prop_assert!(expected.includes(&found), "{:?}", found);
                exact.set(exact.get() + u32::from(found == expected));
                Ok(())
            })
            .unwrap();
        assert!(exact.get() > 10, "{expected:?} only {} times", exact.get());
    }
}

#[test]
fn the_fragment_says_what_prenexing_gives() {
    use Quantifier::{Exists, Forall};
    runner(400)
        .run(&cases(Options::default()), |Case { vocabulary, mut arena, formula, .. }| {
            let found = fragment(&mut arena, &vocabulary, formula);
            let prenex = arena.prenex_parts(formula);
            let kinds: Vec<Quantifier> = prenex.prefix.iter().map(|(q, _)| *q).collect();
            let fits = match found {
                Fragment::QuantifierFree => kinds.is_empty(),
                Fragment::Universal => matches!(kinds[..], [] | [Forall]),
                Fragment::Existential => matches!(kinds[..], [] | [Exists]),
                Fragment::AfR | Fragment::EaR => {
                    matches!(kinds[..], [] | [_] | [Exists, Forall])
                }
                Fragment::Epr | Fragment::Beyond(_) => true,
            };
            prop_assert!(fits, "{:?} {:?}", found, kinds);
            Ok(())
        })
        .unwrap();
}

#[test]
fn functions_and_alternations_must_be_stratified() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let key = vocabulary.sort("key");
    let key_of = vocabulary.function("key_of", &[node], key);
    let owner = vocabulary.function("owner", &[key], node);
    let h = vocabulary.variable("h", node);
    let next = vocabulary.field("next", node, node);
    let reach = vocabulary.closure("reach", next);
    let data = vocabulary.field("data", node, SortId::INT);
    let mut arena = Arena::new();
    let (v, w) = (arena.variable("v", node), arena.variable("w", node));
    let k = arena.variable("k", key);
    let (tv, tw, tk, h) =
        (arena.var_term(v), arena.var_term(w), arena.var_term(k), arena.constant(h));
    let why = |arena: &mut Arena, f| match fragment(arena, &vocabulary, f) {
        Fragment::Beyond(obstacle) => {
            assert!(!(obstacle.formulas.is_empty() && obstacle.terms.is_empty()));
            obstacle.text
        }
        other => panic!("unexpectedly in {other:?}"),
    };

    // From nodes to keys only: stratified, whether by a function or by an alternation.
    let own_key = arena.app(key_of, &[tv]);
    let f = arena.eq(own_key, tk);
    let exists = arena.exists(&[k], f);
    let f = arena.forall(&[v], exists);
    assert_eq!(fragment(&mut arena, &vocabulary, f), Fragment::Epr);

    // And back again: a cycle through both sorts.
    let owner = arena.app(owner, &[tk]);
    let owned = arena.eq(owner, h);
    let all_owned = arena.forall(&[k], owned);
    let both = arena.and([f, all_owned]);
    expect!["not stratified (struct node * → key → struct node *): `\\exists key k; key_of(v) == k` is under a universal quantifier; `owner(k)` is a function of a universal variable"]
        .assert_eq(&why(&mut arena, both));

    let path = arena.rel(reach, &[tv, tw]);
    let some = arena.exists(&[w], path);
    let f = arena.forall(&[v], some);
    expect!["not stratified (struct node * → struct node *): `\\exists struct node *w; reach(next, v, w)` is under a universal quantifier"]
        .assert_eq(&why(&mut arena, f));
    let all = arena.forall(&[w], path);
    let f = arena.exists(&[v], all);
    assert_eq!(fragment(&mut arena, &vocabulary, f), Fragment::EaR);

    // A function of a constant makes only finitely many terms; of a variable, infinitely many.
    let after = arena.app(next, &[h]);
    let f = arena.eq(after, tv);
    let f = arena.forall(&[v], f);
    assert_eq!(fragment(&mut arena, &vocabulary, f), Fragment::Epr);
    let after = arena.app(next, &[tv]);
    let f = arena.eq(after, h);
    let f = arena.forall(&[v], f);
    expect!["not stratified (struct node * → struct node *): `v->next` is a function of a universal variable"]
        .assert_eq(&why(&mut arena, f));

    let after = arena.app(next, &[h]);
    let f = arena.rel(reach, &[after, h]);
    expect!["`h->next` applies the field that `reach(next, h->next, h)` iterates"]
        .assert_eq(&why(&mut arena, f));
    let value = arena.app(data, &[h]);
    let five = arena.num(5);
    let f = arena.lt(value, five);
    expect!["`h->data` is an integer"].assert_eq(&why(&mut arena, f));
}
