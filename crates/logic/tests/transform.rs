//! The transformations keep the meaning of random formulas.

use std::sync::Arc;

use proptest::prelude::*;
use trellis_logic::generate::{
    Case, FormulaOptions, Options, Quantifiers, StructureOptions, Tape, VocabularyOptions, cases,
    formula, runner, structure, tapes, vocabulary,
};
use trellis_logic::{
    Arena, Definitions, Evaluator, Formula, FormulaId, Quantifier, Skolemised, Structure, Subst,
    Value, VarId, Vocabulary,
};

fn rich() -> Options {
    Options {
        vocabulary: VocabularyOptions { functions: 1, ..VocabularyOptions::default() },
        formula: FormulaOptions { functions: true, ites: true, ..FormulaOptions::default() },
        structure: StructureOptions::default(),
    }
}

fn check_equivalent(transform: impl Fn(&mut Arena, FormulaId) -> FormulaId) {
    runner(2000)
        .run(&cases(rich()), |Case { vocabulary, mut arena, formula, structure }| {
            prop_assert_eq!(arena.check(&vocabulary, formula), Ok(()));
            let transformed = transform(&mut arena, formula);
            prop_assert_eq!(arena.check(&vocabulary, transformed), Ok(()));
            let before = structure.eval(&arena, formula);
            let after = structure.eval(&arena, transformed);
            prop_assert_eq!(before, after, "{}", arena.print(&vocabulary, formula));
            Ok(())
        })
        .unwrap();
}

/// Whether negations are on atoms only, and implications and equivalences are gone.
fn is_nnf(arena: &Arena, id: FormulaId) -> bool {
    match arena.formula(id) {
        Formula::Not(inner) => matches!(
            arena.formula(*inner),
            Formula::Rel(..) | Formula::Eq(..) | Formula::Le(..) | Formula::Lt(..)
        ),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|&p| is_nnf(arena, p)),
        Formula::Quant(_, _, body) => is_nnf(arena, *body),
        Formula::Implies(..) | Formula::Iff(..) => false,
        _ => true,
    }
}

#[test]
fn nnf_is_equivalent() {
    check_equivalent(|arena, f| {
        let nnf = arena.nnf(f);
        assert!(is_nnf(arena, nnf));
        assert_eq!(arena.nnf(nnf), nnf);
        nnf
    });
}

#[test]
fn prenex_is_equivalent() {
    check_equivalent(|arena, f| {
        let parts = arena.prenex_parts(f);
        assert!(arena.is_quantifier_free(parts.matrix));
        let mut names: Vec<String> = Vec::new();
        for (_, vars) in &parts.prefix {
            names.extend(vars.iter().map(|&v| arena.var(v).name.clone()));
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "bound variables are named apart");
        arena.prenex(f)
    });
}

#[test]
fn alpha_normal_is_equivalent_and_normal() {
    check_equivalent(|arena, f| {
        let normal = arena.alpha_normal(f);
        assert_eq!(arena.alpha_normal(normal), normal);
        normal
    });
}

#[test]
fn lifting_ites_is_equivalent() {
    check_equivalent(|arena, f| arena.without_ites(f));
}

#[test]
fn prenex_puts_exists_first_where_it_is_free() {
    let mut options = rich();
    options.formula =
        FormulaOptions { quantifiers: Quantifiers::AlternationFree, ..FormulaOptions::default() };
    runner(200)
        .run(&cases(options), |Case { mut arena, formula, .. }| {
            let prefix = arena.prenex_parts(formula).prefix;
            let kinds: Vec<Quantifier> = prefix.iter().map(|(q, _)| *q).collect();
            prop_assert!(
                matches!(kinds[..], [] | [_] | [Quantifier::Exists, Quantifier::Forall]),
                "{:?}",
                kinds
            );
            Ok(())
        })
        .unwrap();
}

/// Free variables included: they are parameters, even where a binder has the same name.
#[test]
fn models_of_the_skolemised_formula_satisfy_the_original() {
    let models = std::cell::Cell::new(0);
    runner(3000)
        .run(&tapes(400), |mut tape| {
            let (vocabulary, _, mut arena, free) = open_setting(&mut tape);
            let options = rich().formula;
            let f = formula::open_formula(&mut tape, &mut arena, &vocabulary, &options, &free);
            let skolemised = arena.skolemise(&vocabulary, f);
            prop_assert_eq!(arena.check(&skolemised.vocabulary, skolemised.formula), Ok(()));
            let larger = Arc::new(skolemised.vocabulary);
            let structure = structure::structure(&mut tape, &larger, &StructureOptions::default());
            let given = assign(&mut tape, &arena, &structure, &free);
            if structure.eval_with(&arena, skolemised.formula, &given) == Ok(true) {
                models.set(models.get() + 1);
                prop_assert_eq!(
                    structure.eval_with(&arena, f, &given),
                    Ok(true),
                    "{}",
                    arena.print(&vocabulary, f)
                );
            }
            Ok(())
        })
        .unwrap();
    assert!(models.get() > 500, "only {} models", models.get());
}

/// The structure with values for the witnesses: for every combination of arguments the first
/// elements that make the quantified formula true, if there are any, where the free variables have
/// the given values.
fn extend(
    arena: &Arena,
    structure: &Structure,
    skolemised: &Skolemised,
    given: &[(VarId, Value)],
) -> Structure {
    let larger = Arc::new(skolemised.vocabulary.clone());
    let mut extended = Structure::new(larger.clone(), structure.sizes());
    for f in structure.vocabulary().funs() {
        let space = structure.fun_space(f);
        for i in 0..space.len() {
            extended.set_fun(f, &space.tuple(i), structure.fun(f, &space.tuple(i)));
        }
    }
    for r in structure.vocabulary().rels() {
        extended.set_rel_table(r, structure.rel_table(r).into_owned());
    }
    let mut rest = &skolemised.witnesses[..];
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|w| w.witnesses == first.witnesses).count();
        let (block, others) = rest.split_at(count);
        rest = others;
        let Formula::Quant(_, vars, body) = arena.formula(first.witnesses) else {
            panic!("a witness of something that is not quantified");
        };
        let space = extended.fun_space(first.fun);
        for i in 0..space.len() {
            let args = space.tuple(i);
            let depends_on = first.depends_on.iter().zip(&args);
            let mut assignment = given.to_vec();
            assignment.extend(depends_on.map(|(&v, &x)| (v, Value::Elem(x))));
            let chosen = choose(arena, &extended, vars, *body, assignment);
            for (witness, value) in block.iter().zip(chosen) {
                extended.set_fun(witness.fun, &args, Some(value));
            }
        }
    }
    extended
}

fn choose(
    arena: &Arena,
    structure: &Structure,
    vars: &[VarId],
    body: FormulaId,
    assignment: Vec<(VarId, Value)>,
) -> Vec<Value> {
    let given = assignment.len();
    let mut candidates = vec![assignment];
    for &v in vars {
        let size = structure.size(arena.var(v).sort);
        candidates = candidates
            .iter()
            .flat_map(|c| {
                (0..size).map(move |x| {
                    let mut longer = c.clone();
                    longer.push((v, Value::Elem(x)));
                    longer
                })
            })
            .collect();
    }
    let good = candidates
        .iter()
        .find(|c| Evaluator::with(structure, arena, c).formula(body) == Ok(true))
        .unwrap_or(&candidates[0]);
    good[given..].iter().map(|(_, value)| *value).collect()
}

#[test]
fn models_of_the_original_extend_to_the_skolemised_formula() {
    let models = std::cell::Cell::new(0);
    runner(3000)
        .run(&tapes(400), |mut tape| {
            let (vocabulary, structure, mut arena, free) = open_setting(&mut tape);
            let options = rich().formula;
            let f = formula::open_formula(&mut tape, &mut arena, &vocabulary, &options, &free);
            let given = assign(&mut tape, &arena, &structure, &free);
            if structure.eval_with(&arena, f, &given) == Ok(true) {
                let skolemised = arena.skolemise(&vocabulary, f);
                let extended = extend(&arena, &structure, &skolemised, &given);
                models.set(models.get() + 1);
                prop_assert_eq!(
                    extended.eval_with(&arena, skolemised.formula, &given),
                    Ok(true),
                    "{}",
                    arena.print(&vocabulary, f)
                );
            }
            Ok(())
        })
        .unwrap();
    assert!(models.get() > 500, "only {} models", models.get());
}

/// `p(x) && \forall x; \exists y; r(x, y)`, where the two x have nothing to do with each other.
#[test]
fn witnesses_depend_on_bound_variables_that_are_called_like_free_ones() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let p = vocabulary.relation("p", &[node]);
    let r = vocabulary.relation("r", &[node, node]);
    let mut arena = Arena::new();
    let (x, y) = (arena.variable("x", node), arena.variable("y", node));
    let (tx, ty) = (arena.var_term(x), arena.var_term(y));
    let (px, rxy) = (arena.rel(p, &[tx]), arena.rel(r, &[tx, ty]));
    let some = arena.exists(&[y], rxy);
    let all = arena.forall(&[x], some);
    let f = arena.and([px, all]);
    let skolemised = arena.skolemise(&vocabulary, f);
    assert_eq!(
        arena.print(&skolemised.vocabulary, skolemised.formula),
        r"p(x) && \forall node x_1; r(x_1, sk_y(x_1))"
    );
    assert_eq!(skolemised.witnesses.len(), 1);
    assert_eq!(skolemised.witnesses[0].depends_on.len(), 1);
}

/// Random values for variables.
fn assign(
    tape: &mut Tape,
    arena: &Arena,
    structure: &Structure,
    vars: &[VarId],
) -> Vec<(VarId, Value)> {
    let mut value = |v| Value::Elem(tape.below(structure.size(arena.var(v).sort)));
    vars.iter().map(|&v| (v, value(v))).collect()
}

/// A vocabulary, a structure, and an arena with variables `u`, `v`, `w` of the first sort.
fn open_setting(tape: &mut Tape) -> (Arc<Vocabulary>, Structure, Arena, Vec<VarId>) {
    let options = rich();
    let vocabulary = Arc::new(vocabulary::vocabulary(tape, &options.vocabulary));
    let structure = structure::structure(tape, &vocabulary, &options.structure);
    let mut arena = Arena::new();
    let sort = vocabulary.sorts().nth(1).expect("an uninterpreted sort");
    let vars = ["u", "v", "w"].map(|name| arena.variable(name, sort)).to_vec();
    (vocabulary, structure, arena, vars)
}

#[test]
fn substitution_lemma() {
    runner(3000)
        .run(&tapes(300), |mut tape| {
            let (vocabulary, structure, mut arena, vars) = open_setting(&mut tape);
            let options = rich().formula;
            let sort = arena.var(vars[0]).sort;
            let f = formula::open_formula(&mut tape, &mut arena, &vocabulary, &options, &vars);
            let mut subst = Subst::new();
            for &v in &vars[..2] {
                let t =
                    formula::open_term(&mut tape, &mut arena, &vocabulary, &options, &vars, sort);
                subst.insert(v, t);
            }
            let given = assign(&mut tape, &arena, &structure, &vars);
            let mut changed = given.clone();
            for (v, value) in &mut changed {
                if let Some(t) = subst.get(*v) {
                    *value = structure.eval_term(&arena, t, &given).expect("total");
                }
            }
            let substituted = arena.subst(f, &subst);
            prop_assert_eq!(arena.check(&vocabulary, substituted), Ok(()));
            prop_assert_eq!(
                structure.eval_with(&arena, substituted, &given),
                structure.eval_with(&arena, f, &changed),
                "{}",
                arena.print(&vocabulary, f)
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn definitions_lemma() {
    runner(2000)
        .run(&tapes(300), |mut tape| {
            let (vocabulary, structure, mut arena, free) = open_setting(&mut tape);
            let options = rich().formula;
            let rel = vocabulary.find_rel("p0").expect("a relation");
            let sorts = vocabulary.rel(rel).args.clone();
            let params: Vec<VarId> = sorts
                .iter()
                .enumerate()
                .map(|(i, &s)| arena.variable(format!("a{i}"), s))
                .collect();
            // The body may also mention u, v and w, which binders in `f` must not capture.
            let mut scope = params.clone();
            scope.extend_from_slice(&free);
            let body = formula::open_formula(&mut tape, &mut arena, &vocabulary, &options, &scope);
            let f = formula::open_formula(&mut tape, &mut arena, &vocabulary, &options, &free);
            let given = assign(&mut tape, &arena, &structure, &free);
            let mut definitions = Definitions::new();
            definitions.define_rel(rel, &params, body);
            let expanded = arena.expand(f, &definitions);

            let mut redefined = structure.clone();
            let space = structure.rel_space(rel);
            for i in 0..space.len() {
                let tuple = space.tuple(i);
                let mut assignment = given.clone();
                assignment.extend(params.iter().zip(&tuple).map(|(&p, &x)| (p, Value::Elem(x))));
                let value = structure.eval_with(&arena, body, &assignment).expect("total");
                redefined.set_rel(rel, &tuple, value);
            }
            prop_assert_eq!(
                structure.eval_with(&arena, expanded, &given),
                redefined.eval_with(&arena, f, &given)
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn building_twice_gives_the_same_ids_and_texts() {
    runner(100)
        .run(&tapes(300), |tape| {
            let build = |mut tape: Tape| {
                let vocabulary = vocabulary::vocabulary(&mut tape, &rich().vocabulary);
                let mut arena = Arena::new();
                let f = formula::formula(&mut tape, &mut arena, &vocabulary, &rich().formula);
                let prenex = arena.prenex(f);
                (f, prenex, arena.print_wrapped(&vocabulary, prenex, 60))
            };
            prop_assert_eq!(build(tape.clone()), build(tape));
            Ok(())
        })
        .unwrap();
}

/// The value of a quantifier by trying all assignments.
fn by_brute_force(arena: &Arena, structure: &Structure, formula: FormulaId) -> Option<bool> {
    let Formula::Quant(quantifier, vars, body) = arena.formula(formula) else {
        return structure.eval(arena, formula).ok();
    };
    let decisive = *quantifier == Quantifier::Exists;
    let mut assignments: Vec<Vec<(VarId, Value)>> = vec![Vec::new()];
    for &var in vars {
        let size = structure.size(arena.var(var).sort);
        let longer = assignments.iter().flat_map(|a| {
            (0..size).map(|x| a.iter().copied().chain([(var, Value::Elem(x))]).collect())
        });
        assignments = longer.collect();
    }
    let values: Vec<Option<bool>> =
        assignments.iter().map(|a| structure.eval_with(arena, *body, a).ok()).collect();
    if values.contains(&Some(decisive)) {
        return Some(decisive);
    }
    values.iter().all(Option::is_some).then_some(!decisive)
}

#[test]
fn matching_is_trying_all_assignments() {
    runner(2000)
        .run(&cases(rich()), |Case { vocabulary, mut arena, formula, structure }| {
            // What is below the quantifiers of the case, under three variables more.
            let sorts: Vec<_> = vocabulary.sorts().collect();
            let mut inner = formula;
            let mut bound = Vec::new();
            while let Formula::Quant(_, vars, body) = arena.formula(inner) {
                bound.extend(vars.iter().copied());
                inner = *body;
            }
            let more = (0..3).map(|i| arena.variable(format!("more{i}"), sorts[i % sorts.len()]));
            bound.extend(more.collect::<Vec<_>>());
            bound.retain(|v| arena.var(*v).sort != trellis_logic::SortId::INT);
            for quantifier in [Quantifier::Forall, Quantifier::Exists] {
                let whole = arena.quant(quantifier, &bound, inner);
                let expected = by_brute_force(&arena, &structure, whole);
                prop_assert_eq!(structure.eval(&arena, whole).ok(), expected);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn long_clauses_are_not_a_power_of_the_structure() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let next = vocabulary.relation("next", &[node, node]);
    let mut arena = Arena::new();
    let vars: Vec<VarId> = (0..12).map(|i| arena.variable(format!("x{i}"), node)).collect();
    let terms: Vec<_> = vars.iter().map(|v| arena.var_term(*v)).collect();
    let mut steps: Vec<FormulaId> =
        terms.windows(2).map(|pair| arena.rel(next, &[pair[0], pair[1]])).collect();
    let closed = arena.rel(next, &[terms[11], terms[0]]);
    steps.push(closed);
    let cycle = arena.and(steps);
    let cycle = arena.exists(&vars, cycle);
    let mut structure = Structure::new(Arc::new(vocabulary), &[0, 20]);
    for x in 0..19 {
        structure.set_rel(next, &[x, x + 1], true);
    }
    assert_eq!(structure.eval(&arena, cycle), Ok(false));
    structure.set_rel(next, &[11, 0], true);
    assert_eq!(structure.eval(&arena, cycle), Ok(true));
    // A clause that nothing prunes stops when it is told to.
    let loops: Vec<FormulaId> = terms.iter().map(|t| arena.rel(next, &[*t, *t])).collect();
    let no_loops: Vec<FormulaId> = loops.iter().map(|l| arena.not(*l)).collect();
    let (some, none) = (arena.or(loops), arena.and(no_loops));
    let either = arena.iff(some, none);
    let hard = arena.exists(&vars, either);
    let stopped = structure.eval_until(&arena, hard, &|| true);
    assert_eq!(stopped, Err(trellis_logic::EvalError::Stopped));
}
