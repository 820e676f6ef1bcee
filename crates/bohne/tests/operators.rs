//! The operators against their definitions: cleaning by models gives what the paper's definition gives,
//! and the abstract post has the state after every concrete step.

use std::collections::BTreeSet;
use std::sync::Arc;

use trellis_bohne::clean::clean;
use trellis_bohne::heap::Heap;
use trellis_bohne::infer::infer;
use trellis_bohne::meaning;
use trellis_bohne::post::abstract_post;
use trellis_bohne::predicates::Predicates;
use trellis_bohne::propagate::nothing;
use trellis_bohne::questions::{Questions, Reply};
use trellis_bohne::split::split;
use trellis_bohne::step::{End, Step};
use trellis_bohne::{ContextKind, Techniques};
use trellis_logic::{FormulaId, Structure, Value};
use trellis_program::{InlineLimits, inline};
use trellis_solver::Limits;
use trellis_testkit::solvers::epr;
use trellis_transys::{FieldAt, Options, Target, TransitionSystem, build};

const REVERSE: &str = r"
struct node { struct node *next; };
/*@ requires reach(next, h, NULL);
    ensures \forall struct node *v; reach(next, \result, v) <==> \old(reach(next, h, v)); */
struct node *f(struct node *h) {
    struct node *r = 0;
    while (h) { struct node *t = h->next; h->next = r; r = h; h = t; }
    return r;
}";

const WALK: &str = r"
struct node { struct node *next; };
/*@ requires reach(next, h, NULL) && reach(next, h, x); ensures reach(next, \result, x); */
struct node *f(struct node *h, struct node *x) {
    struct node *p = h;
    while (p && p != x) p = p->next;
    return p;
}";

/// A flag that a path negates.
const TOGGLE: &str = r"
struct node { struct node *next; };
/*@ requires reach(next, h, NULL) && reach(next, x, NULL); */
struct node *f(struct node *h, struct node *x) {
    int even = 1;
    while (h) {
        if (!even && h == x) return h;
        even = !even;
        h = h->next;
    }
    return 0;
}";

fn system(code: &str) -> TransitionSystem {
    let unit = trellis_front_c::load_str("test.c", code);
    let program = unit.unwrap_or_else(|e| panic!("{:?}", e.diagnostics)).program;
    let proc = program.find_proc("f").expect("f");
    let inlined = inline(&program, proc, InlineLimits::default()).expect("no recursion");
    let options = Options { leak_turns: 1, ..Options::default() };
    build(&inlined.program, inlined.proc, &options, &epr).expect("supported")
}

/// The predicates of the loop, and the path from it to itself.
fn of_loop(questions: &mut Questions<'_>) -> (Predicates, Step) {
    let nothing = nothing(questions);
    let all = infer(questions, &nothing, &[]).expect("an answer").swap_remove(1);
    let predicates = Predicates::new(&questions.system.arena, all);
    let paths = questions.system.paths.iter();
    let around = paths
        .enumerate()
        .find(|(_, p)| p.from.0 == 1 && matches!(p.to, Target::Location(to) if to.0 == 1))
        .map(|(i, _)| i)
        .expect("a loop");
    let step = Step::new(questions, around, &predicates, &predicates, &[]).expect("a step");
    (predicates, step)
}

/// Every heap over `next` without cycles of so many objects, with every choice of the constants, as
/// structures that satisfy the axioms and the guards of a path.
fn structures(questions: &mut Questions<'_>, path: usize, objects: u32) -> Vec<Structure> {
    let taken = questions.taken(path);
    let system = &questions.system;
    let vocabulary = Arc::new(system.vocabulary.clone());
    let symbols = &system.symbols;
    // What neither matters at the loop nor is used by the path is null.
    let one = &system.paths[path];
    let mut constants = system.locations[one.from.0].constants.clone();
    constants.extend(&system.witnesses.objects[..one.used.objects]);
    let flags = system.locations[one.from.0].propositions.clone();
    let others: Vec<_> = vocabulary
        .funs()
        .filter(|f| vocabulary.fun(*f).args.is_empty() && !constants.contains(f))
        .collect();
    let size = objects + 1;
    let mut out = Vec::new();
    for heap in 0..size.pow(objects) {
        let next = |x: u32| if x == 0 { 0 } else { heap / size.pow(x - 1) % size };
        let choices = size.pow(constants.len() as u32);
        for choice in 0..choices << flags.len() {
            let mut sizes = vec![1; vocabulary.sorts().len()];
            sizes[symbols.obj.index()] = size;
            let mut state = Structure::new(vocabulary.clone(), &sizes);
            state.set_rel(symbols.at_most, &[0, 0], true);
            others.iter().for_each(|constant| state.set_constant(*constant, 0));
            for (i, constant) in constants.iter().enumerate() {
                state.set_constant(*constant, choice / size.pow(i as u32) % size);
            }
            for (i, flag) in flags.iter().enumerate() {
                state.set_rel(*flag, &[], ((choice / choices) >> i) & 1 == 1);
            }
            for x in 1..size {
                state.set_rel(symbols.alloc.now, &[x], true);
                state.set_rel(symbols.alloc.entry, &[x], true);
            }
            let fields = symbols.fields();
            let field = |_: usize, x: u32| next(x);
            let acyclic = [FieldAt::now(0), FieldAt::entry(0)]
                .into_iter()
                .all(|at| fields.write(&mut state, at, &field).is_ok());
            let holds = |f: &FormulaId| state.eval(&system.arena, *f) == Ok(true);
            if acyclic && taken.iter().chain(&system.axioms).all(holds) {
                out.push(state);
            }
        }
    }
    out
}

fn bits(questions: &Questions<'_>, says: &[FormulaId], state: &Structure) -> Vec<u64> {
    let arena = &questions.system.arena;
    let holds = |formula: FormulaId, element: u32| {
        let object = [(questions.var, Value::Elem(element))];
        state.eval_with(arena, formula, &object).expect("total")
    };
    let cube = |element: u32| {
        let literals = says.iter().enumerate();
        literals.fold(0, |all, (i, f)| all | u64::from(holds(*f, element)) << i)
    };
    (0..state.size(questions.system.symbols.obj)).map(cube).collect()
}

#[test]
fn the_post_has_the_state_after_every_concrete_step() {
    for (code, objects) in [(REVERSE, 3), (WALK, 2), (TOGGLE, 2)] {
        let mut questions = Questions::new(system(code), &epr, Limits::default());
        let (predicates, mut step) = of_loop(&mut questions);
        let states = structures(&mut questions, step.path, objects);
        assert!(states.len() > 10, "{} states", states.len());
        for context in [ContextKind::Own, ContextKind::Joined, ContextKind::None] {
            let techniques = Techniques { context, ..Techniques::default() };
            for state in states.iter().step_by(5) {
                let before = bits(&questions, &step.before.formulas, state);
                let after = bits(&questions, &step.after.formulas, state);
                let heap = predicates.space.of_all(before);
                let ends = (&predicates, &predicates);
                let heaps = [heap.clone()];
                let posts =
                    abstract_post(&mut questions, &mut step, ends, &heaps, &heaps, techniques);
                let posts = posts.expect("an answer");
                let has = |h: &Heap| after.iter().all(|c| h.contains(*c));
                assert!(posts.iter().any(has), "{context}: {after:?} is in none of {posts:?}");
            }
        }
    }
}

#[test]
fn cleaning_by_models_is_cleaning_by_definition() {
    let mut questions = Questions::new(system(WALK), &epr, Limits::default());
    let (predicates, mut step) = of_loop(&mut questions);
    let states = structures(&mut questions, step.path, 2);
    let mut solver = questions.solver_of_path(step.path).expect("a solver");
    let says = step.before.clone();
    // Heaps of two states each, so that there is something to split, and cubes that nothing is in.
    for pair in states.chunks(9).take(12) {
        let cubes = pair.iter().flat_map(|s| bits(&questions, &says.formulas, s));
        let heap = predicates.space.of_all(cubes.chain([0, predicates.space.all()]));
        let found = clean(&mut questions, &mut step, &predicates, End::Before, &heap, true);
        let found: BTreeSet<Vec<u64>> =
            found.expect("an answer").iter().map(|h| h.cubes().collect()).collect();
        let mut expected = BTreeSet::new();
        for part in split(&predicates, &heap) {
            let mut possible = |questions: &mut Questions<'_>, object: FormulaId| {
                let (arena, var) = (&mut questions.system.arena, questions.var);
                let all = meaning::of_heap(arena, var, &says.formulas, &part);
                let reply = questions.ask(&mut *solver, &[all, object]).expect("an answer");
                matches!(reply, Reply::Model(_))
            };
            if !possible(&mut questions, FormulaId::TRUE) {
                continue;
            }
            let mut kept = Vec::new();
            for cube in part.cubes() {
                let one = predicates.space.complete(cube);
                let arena = &mut questions.system.arena;
                let object = meaning::of_object(arena, &says.of_object, &one);
                if possible(&mut questions, object) {
                    kept.push(cube);
                }
            }
            expected.insert(kept);
        }
        assert_eq!(found, expected);
    }
}
