//! Known truths about lists.

use std::cell::Cell;

use trellis_epr::EprSolver;
use trellis_logic::generate::{runner, tapes};
use trellis_logic::{Arena, FormulaId, FunId, RelId, TermId, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver, theory};

use crate::oracle;
use crate::random::cases;
use trellis_testkit::lists::{Question, question};
use trellis_testkit::reversal::Reversal;

/// Lists with one field and some constants.
struct Lists {
    vocabulary: Vocabulary,
    arena: Arena,
    reach: RelId,
    constants: Vec<FunId>,
    solver: EprSolver,
}

fn lists(between: bool) -> Lists {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("node");
    let null = vocabulary.null("NULL", node);
    let next = vocabulary.field("next", node, node);
    let reach = match between {
        true => vocabulary.between("between", next),
        false => vocabulary.closure("reach", next),
    };
    let mut constants = vec![null];
    constants.extend(["a", "b", "c", "d"].map(|name| vocabulary.constant(name, node)));
    let mut arena = Arena::new();
    let mut solver = EprSolver::default();
    for axiom in theory::axioms(&mut arena, &vocabulary) {
        let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
        solver.assert(&mut context, axiom).unwrap();
    }
    Lists { vocabulary, arena, reach, constants, solver }
}

impl Lists {
    fn terms(&mut self) -> [TermId; 5] {
        std::array::from_fn(|i| self.arena.constant(self.constants[i]))
    }

    /// Whether there is a heap in which all of these hold.
    fn possible(&mut self, formulas: &[FormulaId]) -> bool {
        let mut context = Context { vocabulary: &self.vocabulary, arena: &mut self.arena };
        let limits = Limits { minimise_core: true, minimise_model: true, ..Limits::default() };
        match self.solver.check(&mut context, formulas, &limits) {
            Answer::Sat => {
                let model = self.solver.model(&mut context, &limits).unwrap();
                let holds = |&f: &FormulaId| model.eval(&self.arena, f) == Ok(true);
                assert!(formulas.iter().all(holds));
                true
            }
            Answer::Unsat => {
                assert_eq!(self.solver.core(), (0..formulas.len()).collect::<Vec<_>>());
                false
            }
            Answer::Unknown(why) => panic!("{why}"),
        }
    }
}

#[test]
fn reachability_is_linear_and_ends_in_null() {
    let mut lists = lists(false);
    let [null, a, b, c, d] = lists.terms();
    let reach = lists.reach;
    let mut rel = |x, y| lists.arena.rel(reach, &[x, y]);
    let (ab, bc, ac, cb, ad, bd) =
        (rel(a, b), rel(b, c), rel(a, c), rel(c, b), rel(a, d), rel(b, d));
    let (a_null, null_a, ba) = (rel(a, null), rel(null, a), rel(b, a));
    let arena = &mut lists.arena;
    let [not_ac, not_bc, not_cb, not_a_null, not_bd] =
        [ac, bc, cb, a_null, bd].map(|f| arena.not(f));
    let (a_ne_b, a_ne_null) = (arena.ne(a, b), arena.ne(a, null));
    let apart = arena.and([not_bc, not_cb]);
    assert!(!lists.possible(&[ab, bc, not_ac]));
    assert!(!lists.possible(&[ab, ac, apart]));
    assert!(!lists.possible(&[ab, ba, a_ne_b]));
    assert!(!lists.possible(&[not_a_null]));
    assert!(!lists.possible(&[null_a, a_ne_null]));
    assert!(lists.possible(&[ab, ac, not_cb]));
    assert!(lists.possible(&[apart, a_ne_b]));
    assert!(lists.possible(&[ab, ad, not_bd, a_ne_b]));
    assert!(lists.possible(&[ab, ba]));
}

#[test]
fn successors_are_unique_and_loads_find_one() {
    for between in [false, true] {
        let mut lists = lists(between);
        let [null, a, b, c, _] = lists.terms();
        let (rel, vocabulary) = (lists.reach, lists.vocabulary.clone());
        let arena = &mut lists.arena;
        let to_b = theory::successor(arena, &vocabulary, rel, a, b);
        let to_c = theory::successor(arena, &vocabulary, rel, a, c);
        let back = theory::successor(arena, &vocabulary, rel, b, a);
        let (b_ne_c, a_ne_b) = (arena.ne(b, c), arena.ne(a, b));
        let a_null = arena.eq(a, null);
        assert!(!lists.possible(&[to_b, to_c, b_ne_c]));
        assert!(lists.possible(&[to_b, a_ne_b]));
        assert_eq!(lists.possible(&[to_b, back]), between);
        if between {
            assert!(lists.possible(&[a_null]));
        } else {
            assert!(!lists.possible(&[to_b, a_null]));
        }
    }
}

#[test]
fn a_list_of_two_nodes_exists() {
    // Guards against axioms or encodings under which everything holds.
    let mut lists = lists(false);
    let [null, a, b, ..] = lists.terms();
    let (rel, vocabulary) = (lists.reach, lists.vocabulary.clone());
    let arena = &mut lists.arena;
    let first = theory::successor(arena, &vocabulary, rel, a, b);
    let second = theory::successor(arena, &vocabulary, rel, b, null);
    assert!(lists.possible(&[first, second]));
    let mut context = Context { vocabulary: &lists.vocabulary, arena: &mut lists.arena };
    let limits = Limits { minimise_model: true, ..Limits::default() };
    assert_eq!(lists.solver.check(&mut context, &[first, second], &limits), Answer::Sat);
    let model = lists.solver.model(&mut context, &limits).unwrap();
    let (next, node) =
        (vocabulary.find_fun("next").unwrap(), vocabulary.find_sort("node").unwrap());
    assert_eq!(model.size(node), 3);
    let [null, a, b] =
        ["NULL", "a", "b"].map(|name| model.constant(vocabulary.find_fun(name).unwrap()).unwrap());
    assert_eq!(model.fun(next, &[a]), Some(b.into()));
    assert_eq!(model.fun(next, &[b]), Some(null.into()));
}

#[test]
fn the_reversal_invariant_is_inductive_and_no_part_of_it_without_the_rest() {
    let mut program = Reversal::new();
    let bad: Vec<FormulaId> = (0..program.invariant.len())
        .map(|i| {
            let after = program.after(program.invariant[i]);
            program.arena.not(after)
        })
        .collect();
    let Reversal { vocabulary, arena, axioms, invariant, step, .. } = &mut program;
    let mut context = Context { vocabulary, arena };
    let mut solver = EprSolver::default();
    for &f in axioms.iter().chain([&*step]) {
        solver.assert(&mut context, f).unwrap();
    }
    let limits = Limits { minimise_core: true, minimise_model: true, ..Limits::default() };
    for &bad in &bad {
        let assumed: Vec<FormulaId> = invariant.iter().copied().chain([bad]).collect();
        assert_eq!(solver.check(&mut context, &assumed, &limits), Answer::Unsat);
        let core: Vec<FormulaId> = solver.core().iter().map(|&i| assumed[i]).collect();
        assert_eq!(core.last(), Some(&bad), "the states themselves exist");
        for i in 0..core.len() {
            let rest: Vec<FormulaId> = [&core[..i], &core[i + 1..]].concat();
            assert_eq!(solver.check(&mut context, &rest, &limits), Answer::Sat);
            let model = solver.model(&mut context, &limits).unwrap();
            assert!(rest.iter().all(|&f| model.eval(context.arena, f) == Ok(true)));
        }
    }
}

#[test]
fn a_state_satisfies_its_diagram_and_bad_states_are_not_reached() {
    let mut program = Reversal::new();
    let mut solver = EprSolver::default();
    let (axioms, invariant, step) =
        (program.axioms.clone(), program.invariant.clone(), program.step);
    for f in axioms.into_iter().chain([step]) {
        let Reversal { vocabulary, arena, .. } = &mut program;
        solver.assert(&mut Context { vocabulary, arena }, f).unwrap();
    }
    for &bad in &invariant {
        let bad = program.arena.not(bad);
        let Reversal { vocabulary, arena, .. } = &mut program;
        let mut context = Context { vocabulary, arena };
        assert_eq!(solver.check(&mut context, &[bad], &Limits::default()), Answer::Sat);
        let model = solver.model(&mut context, &Limits::default()).unwrap();
        let diagram = program.diagram(&model);
        assert_eq!(model.eval(&program.arena, diagram), Ok(true));
        let after = program.after(diagram);
        let bad_after = program.after(bad);
        let Reversal { vocabulary, arena, .. } = &mut program;
        let mut context = Context { vocabulary, arena };
        let limits = Limits::default();
        assert_eq!(solver.check(&mut context, &[diagram, bad], &limits), Answer::Sat);
        let leads_there: Vec<FormulaId> =
            invariant.iter().copied().chain([after, bad_after]).collect();
        assert_eq!(solver.check(&mut context, &leads_there, &limits), Answer::Unsat);
    }
}

#[test]
fn random_questions_about_lists() {
    let (sat, unsat) = (Cell::new(0), Cell::new(0));
    runner(cases(600))
        .run(&tapes(200), |mut tape| {
            let question = question(&mut tape, 4, 9);
            let Question { vocabulary, mut arena, axioms, assumed } = question;
            let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
            let mut solver = EprSolver::default();
            for &axiom in &axioms {
                solver.assert(&mut context, axiom).unwrap();
            }
            let limits = Limits { minimise_core: true, minimise_model: true, ..Limits::default() };
            match solver.check(&mut context, &assumed, &limits) {
                Answer::Sat => {
                    let model = solver.model(&mut context, &limits).unwrap();
                    let holds = |&f: &FormulaId| model.eval(&arena, f) == Ok(true);
                    assert!(axioms.iter().chain(&assumed).all(holds));
                    sat.set(sat.get() + 1);
                }
                Answer::Unsat => {
                    let core = solver.core().iter().map(|&i| assumed[i]);
                    let all: Vec<FormulaId> = axioms.iter().copied().chain(core).collect();
                    assert!(!oracle::has_model(&arena, &vocabulary, &all, 4));
                    unsat.set(unsat.get() + 1);
                }
                Answer::Unknown(why) => panic!("{why}"),
            }
            Ok(())
        })
        .unwrap();
    assert!(sat.get() > 100 && unsat.get() > 100, "{} sat, {} unsat", sat.get(), unsat.get());
}
