//! What statements do, compared with a direct implementation on concrete heaps.

use std::sync::Arc;

use trellis_canonical::core::{Core, Fields, Garbage, Statement};
use trellis_canonical::engine::{Limits, System, Transition, run};
use trellis_canonical::initial::list_heaps;
use trellis_canonical::predicates::table3::CutRule;
use trellis_canonical::predicates::{
    Instrumentation, Table3, Table7, action, collector, constraints,
};
use trellis_logic::kleene::{Evaluator, FocusLimit, Kleene, KleeneStructure, Predicates};
use trellis_program::{FileId, Span};

/// The core of a heap, with nothing abstract about it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Heap {
    next: Vec<Option<usize>>,
    vars: Vec<Option<usize>>,
    freed: Vec<bool>,
    undefined: Vec<bool>,
}

impl Heap {
    /// The statement, carried out; `None` if it is not allowed here.
    fn step(&self, statement: Statement) -> Option<Heap> {
        let mut heap = self.clone();
        match statement {
            Statement::Null(x) => heap.vars[x] = None,
            Statement::Copy(x, t) => heap.vars[x] = self.vars[t],
            Statement::Load(x, t) => heap.vars[x] = self.next[self.live(t)?],
            Statement::New(x, fields) => {
                heap.vars[x] = Some(self.next.len());
                heap.next.push(None);
                heap.freed.push(false);
                heap.undefined.push(fields == Fields::Undefined);
            }
            Statement::StoreNull(x) => {
                let u = self.live(x)?;
                heap.next[u] = None;
                heap.undefined[u] = false;
            }
            Statement::Store(x, t) => {
                let u = self.live(x)?;
                if self.next[u].is_some() {
                    return None;
                }
                heap.next[u] = self.vars[t];
            }
            Statement::Free(x) => {
                if self.vars[x].is_some() {
                    let u = self.live(x)?;
                    heap.next[u] = None;
                    heap.freed[u] = true;
                    heap.undefined[u] = false;
                }
            }
            Statement::StoreData(..) | Statement::Collect | Statement::Skip => {}
        }
        Some(heap)
    }

    fn live(&self, x: usize) -> Option<usize> {
        self.vars[x].filter(|&u| !self.freed[u])
    }

    /// The nodes that a variable reaches.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.next.len()];
        for var in &self.vars {
            let mut at = *var;
            while let Some(u) = at.filter(|&u| !reached[u]) {
                reached[u] = true;
                at = self.next[u];
            }
        }
        reached
    }

    fn structure(&self, world: &World) -> KleeneStructure {
        let core = &world.core;
        let mut s = KleeneStructure::new(world.predicates.clone(), self.next.len());
        for (u, next) in self.next.iter().enumerate() {
            if let Some(v) = next {
                s.set(core.n, &[u, *v], true);
            }
            s.set(core.freed, &[u], self.freed[u]);
            s.set(core.undef_n, &[u], self.undefined[u]);
        }
        for (x, var) in self.vars.iter().enumerate() {
            if let Some(u) = var {
                s.set(core.vars[x], &[*u], true);
            }
        }
        s.instrument();
        s
    }
}

/// A set of predicates for some variables.
struct World {
    predicates: Arc<Predicates>,
    core: Core,
    instrumentation: Box<dyn Instrumentation>,
}

fn world(vars: usize, mut instrumentation: Box<dyn Instrumentation>) -> World {
    let mut predicates = Predicates::new();
    let names: Vec<String> = ["x", "y", "z"][..vars].iter().map(|s| s.to_string()).collect();
    let core = Core::declare(&mut predicates, &names, "n", &[]);
    instrumentation.declare(&core, &mut predicates);
    World { predicates: Arc::new(predicates), core, instrumentation }
}

fn worlds(vars: usize) -> Vec<(&'static str, World)> {
    vec![
        ("Table 3", world(vars, Box::new(Table3::default()))),
        ("Table 3+", world(vars, Box::new(Table3::with_cut_rule(CutRule::KeepsSuccessor)))),
        ("Table 7", world(vars, Box::new(Table7::default()))),
        ("Table 7, depth 1", world(vars, Box::new(Table7::with_sharing(1)))),
    ]
}

fn statements(vars: usize) -> Vec<Statement> {
    let mut all = Vec::new();
    for x in 0..vars {
        all.extend([
            Statement::Null(x),
            Statement::New(x, Fields::Undefined),
            Statement::New(x, Fields::Zero),
            Statement::StoreNull(x),
            Statement::Free(x),
        ]);
        for t in 0..vars {
            all.extend([Statement::Copy(x, t), Statement::Load(x, t), Statement::Store(x, t)]);
        }
    }
    all
}

/// Every how many heaps one is taken, ordinarily and in the slow tier.
fn sampled(quick: usize, slow: usize) -> usize {
    if std::env::var_os("TRELLIS_SLOW").is_some() { slow } else { quick }
}

/// Every n-th list heap of some variables, and the same with an object freed.
fn heaps(vars: usize, longest: usize, every: usize) -> Vec<Heap> {
    let mut heaps = Vec::new();
    for heap in list_heaps(vars, longest).into_iter().step_by(every) {
        let n = heap.next.len();
        let heap = Heap {
            next: heap.next,
            vars: heap.args,
            freed: vec![false; n],
            undefined: vec![false; n],
        };
        if let Some(mut freed) = heap.step(Statement::Free(0)) {
            // What was behind the freed object is gone.
            let reached = freed.reached();
            if reached.iter().all(|&r| r) {
                heaps.push(freed.clone());
                freed.vars[0] = None;
            }
        }
        heaps.push(heap);
    }
    heaps
}

fn updates_are_exact(vars: usize, longest: usize, every: usize) {
    let heaps = heaps(vars, longest, every);
    for (name, world) in worlds(vars) {
        let collector = collector(&world.core, &*world.instrumentation, Garbage::Leaks);
        for statement in statements(vars) {
            let action = action(&world.core, &*world.instrumentation, statement);
            for heap in &heaps {
                let Some(after) = heap.step(statement) else {
                    continue;
                };
                let updated = heap.structure(&world).update(&action);
                assert!(
                    updated == after.structure(&world),
                    "{name}: {statement:?} is wrong on {heap:?}"
                );
                // And what the collector leaves is right.
                let reached = after.reached();
                let garbage = |u: usize| {
                    Evaluator::new(&updated).at(&collector.garbage, &[u]) == Kleene::True
                };
                for (u, &reached) in reached.iter().enumerate() {
                    assert_eq!(
                        garbage(u),
                        !reached,
                        "{name}: garbage of {statement:?} on {heap:?}"
                    );
                }
                let collected = updated.update(&collector.action).retain(|u| reached[u]);
                let mut anew = collected.clone();
                anew.instrument();
                assert!(collected == anew, "{name}: collecting {statement:?} on {heap:?}");
                let lost = (0..reached.len()).any(|u| !reached[u] && !after.freed[u]);
                assert_eq!(collected.get(world.core.lost, &[]), lost.into());
            }
        }
    }
}

#[test]
fn update_formulas_are_exact_on_many_heaps_of_two_variables() {
    updates_are_exact(2, 3, sampled(3, 1));
}

#[test]
fn update_formulas_are_exact_on_many_heaps_of_three_variables() {
    updates_are_exact(3, 3, sampled(4001, 401));
}

/// One abstract step from the abstraction of a heap has the heap after the statement.
fn steps_are_sound(vars: usize, longest: usize, every: usize) {
    let heaps = heaps(vars, longest, every);
    for (name, world) in worlds(vars) {
        let mut limits = Limits::default();
        if name == "Table 7, depth 1" {
            limits.focus = FocusLimit { structures: 16, splits: 2 };
        }
        for statement in statements(vars) {
            let transition = Transition {
                from: 0,
                to: 1,
                action: action(&world.core, &*world.instrumentation, statement),
                checks: Vec::new(),
                collects: statement.can_lose(),
            };
            let mut system = System {
                predicates: world.predicates.clone(),
                constraints: constraints(&world.predicates, &world.core, &*world.instrumentation),
                collector: Some(collector(&world.core, &*world.instrumentation, Garbage::Leaks)),
                points: vec![Span::new(FileId(0), 0, 0); 2],
                transitions: vec![transition],
                entry: 0,
                initial: Vec::new(),
            };
            for heap in &heaps {
                let Some(after) = heap.step(statement) else {
                    continue;
                };
                let before = heap.structure(&world);
                system.initial = vec![before.clone()];
                let Ok(found) = run(&system, &limits) else {
                    // Shared nodes without names: it gives up, which is no answer.
                    assert_eq!(name, "Table 7, depth 1", "{statement:?} on {heap:?}");
                    continue;
                };
                assert!(
                    found.states[0].iter().any(|s| before.embeds(s)),
                    "{name}: {heap:?} is not represented"
                );
                let reached = after.reached();
                let mut expected = after.structure(&world);
                let lost = (0..reached.len()).any(|u| !reached[u] && !after.freed[u]);
                expected.set(world.core.lost, &[], lost);
                let mut expected = expected.retain(|u| reached[u]);
                expected.instrument();
                assert!(
                    found.states[1].iter().any(|s| expected.embeds(s)),
                    "{name}: {statement:?} loses {heap:?}"
                );
            }
        }
    }
}

#[test]
fn abstract_steps_are_sound_for_two_variables() {
    steps_are_sound(2, 3, sampled(29, 3));
}

#[test]
fn abstract_steps_are_sound_for_three_variables() {
    steps_are_sound(3, 3, sampled(10_007, 1009));
}
