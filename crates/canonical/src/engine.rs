//! The worklist, and one abstract step.
//!
//! **Contract**: if every initial heap embeds into an initial structure, and the actions, the
//! constraints and the collector are right about definite structures, then every heap that the
//! system reaches at a point embeds into one of the point's structures; and a check that fails in
//! such a heap is among the alarms. Termination: blurred structures are finitely many.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use trellis_logic::kleene::{
    Action, Constraint, Evaluator, FocusLimit, Formula, Kleene, KleeneStructure, Predicates,
    coerce, focus,
};

/// Something that must hold before an action.
#[derive(Clone, Debug)]
pub struct Check {
    /// What alarms are reported under.
    pub id: usize,
    /// A closed formula.
    pub formula: Formula,
    /// What happens where it is false.
    pub failure: OnFailure,
}

/// What happens after a check has failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    /// The program has no meaning from there on.
    Stops,
    /// It goes on as if nothing had happened.
    GoesOn,
}

/// An action between two points.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it starts.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What it does.
    pub action: Action,
    /// What must hold after its focus and guard, before its updates.
    pub checks: Vec<Check>,
    /// Whether objects can become garbage by it.
    pub collects: bool,
}

/// How garbage leaves the heap.
#[derive(Clone, Debug)]
pub struct Collector {
    /// Which objects are garbage; one free variable.
    pub garbage: Formula,
    /// What their disappearance changes for the others.
    pub action: Action,
}

/// A program over three-valued structures.
#[derive(Clone, Debug)]
pub struct System {
    /// The vocabulary.
    pub predicates: Arc<Predicates>,
    /// What holds of every heap at every point.
    pub constraints: Vec<Constraint>,
    /// How garbage leaves the heap, if it does.
    pub collector: Option<Collector>,
    /// Points are `0..points`; small numbers are worked on first.
    pub points: usize,
    /// The actions.
    pub transitions: Vec<Transition>,
    /// Where it starts.
    pub entry: usize,
    /// The heaps there.
    pub initial: Vec<KleeneStructure>,
}

/// Which structures of a point become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum JoinPolicy {
    /// None: a point has a set of structures.
    #[default]
    Relational,
    /// Those with the same canonical names.
    SameNames,
}

/// When to stop, and how to join.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most structures at all points together.
    pub structures: usize,
    /// Most cases of one focus.
    pub focus: FocusLimit,
    /// Which structures of a point become one.
    pub join: JoinPolicy,
}

impl Default for Limits {
    fn default() -> Self {
        let join = JoinPolicy::Relational;
        Limits { structures: 200_000, focus: FocusLimit::default(), join }
    }
}

/// A check that could not be proved.
#[derive(Clone, Debug)]
pub struct AlarmState {
    /// It is false in every heap of some structure; else it may only be so.
    pub definite: bool,
    /// The first structure in which it is not true.
    pub structure: KleeneStructure,
}

/// What was reached.
#[derive(Clone, Debug)]
pub struct Run {
    /// By point, the structures in the order in which they were found.
    pub states: Vec<Vec<KleeneStructure>>,
    /// By the id of the check.
    pub alarms: BTreeMap<usize, AlarmState>,
    /// How many times an action was applied to a structure.
    pub steps: usize,
}

impl Run {
    /// How many structures there are at all points together.
    pub fn structures(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }
}

/// The structures of a point.
#[derive(Default)]
struct PointStates {
    structures: Vec<KleeneStructure>,
    /// Positions by hash.
    index: HashTable<usize>,
    /// The ones before this have been propagated.
    done: usize,
}

/// Computes everything that a system reaches; the error says why that was not possible.
pub fn run(system: &System, limits: &Limits) -> Result<Run, String> {
    let mut points: Vec<PointStates> = (0..system.points).map(|_| PointStates::default()).collect();
    let mut todo = BTreeSet::new();
    let mut alarms = BTreeMap::new();
    let (mut steps, mut total) = (0, 0);
    for structure in &system.initial {
        if let Some(structure) = coerce(structure.blur(), &system.constraints) {
            points[system.entry].add(structure.blur(), limits.join);
            todo.insert(system.entry);
        }
    }
    while let Some(&point) = todo.first() {
        let Some(structure) = points[point].next() else {
            todo.remove(&point);
            continue;
        };
        for transition in system.transitions.iter().filter(|t| t.from == point) {
            steps += 1;
            for result in step(system, limits, transition, &structure, &mut alarms)? {
                if points[transition.to].add(result, limits.join) {
                    todo.insert(transition.to);
                    total += 1;
                }
            }
        }
        if total > limits.structures {
            return Err(format!("more than {} structures", limits.structures));
        }
    }
    let states = points.into_iter().map(|p| p.structures).collect();
    Ok(Run { states, alarms, steps })
}

/// One transition: focus, coerce, check, update, coerce, collect, blur.
fn step(
    system: &System,
    limits: &Limits,
    transition: &Transition,
    structure: &KleeneStructure,
    alarms: &mut BTreeMap<usize, AlarmState>,
) -> Result<Vec<KleeneStructure>, String> {
    let sharpen = |s: KleeneStructure| coerce(s, &system.constraints);
    let mut cases = vec![structure.clone()];
    for (places, formula) in &transition.action.focus {
        let focused = |s| focus(s, *places, formula, limits.focus, sharpen);
        cases = cases.into_iter().flat_map(focused).collect();
    }
    let mut results = Vec::new();
    'cases: for mut case in cases {
        if let Some(guard) = &transition.action.guard {
            match assume(system, case, guard) {
                Some(assumed) => case = assumed,
                None => continue,
            }
        }
        for check in &transition.checks {
            let value = Evaluator::new(&case).closed(&check.formula);
            if value == Kleene::True {
                continue;
            }
            let definite = value == Kleene::False;
            let alarm = alarms
                .entry(check.id)
                .or_insert_with(|| AlarmState { definite, structure: case.clone() });
            if definite && !alarm.definite {
                *alarm = AlarmState { definite, structure: case.clone() };
            }
            if check.failure == OnFailure::GoesOn {
                continue;
            }
            match assume(system, case, &check.formula) {
                Some(assumed) => case = assumed,
                None => continue 'cases,
            }
        }
        let Some(updated) = sharpen(case.update(&transition.action)) else {
            continue;
        };
        match (&system.collector, transition.collects) {
            (Some(collector), true) => {
                for collected in collect(system, limits, collector, updated)? {
                    results.push(collected.blur());
                }
            }
            _ => results.push(updated.blur()),
        }
    }
    Ok(results)
}

/// The part of a structure in which a closed formula may hold.
fn assume(
    system: &System,
    structure: KleeneStructure,
    formula: &Formula,
) -> Option<KleeneStructure> {
    match Evaluator::new(&structure).closed(formula) {
        Kleene::False => None,
        Kleene::True => Some(structure),
        Kleene::Maybe => {
            let given = Constraint::new("assumption", 0, [formula.clone()]);
            let structure = coerce(structure, &[given])?;
            coerce(structure, &system.constraints)
        }
    }
}

/// Takes garbage out.
fn collect(
    system: &System,
    limits: &Limits,
    collector: &Collector,
    structure: KleeneStructure,
) -> Result<Vec<KleeneStructure>, String> {
    let sharpen = |s: KleeneStructure| coerce(s, &system.constraints);
    let mut results = Vec::new();
    for case in focus(structure, 1, &collector.garbage, limits.focus, sharpen) {
        let garbage: Vec<Kleene> = {
            let mut evaluator = Evaluator::new(&case);
            (0..case.size()).map(|u| evaluator.at(&collector.garbage, &[u])).collect()
        };
        if garbage.contains(&Kleene::Maybe) {
            return Err("the predicates do not tell what is garbage".into());
        }
        if !garbage.contains(&Kleene::True) {
            results.push(case);
            continue;
        }
        let kept = case.update(&collector.action).retain(|u| garbage[u] == Kleene::False);
        results.extend(sharpen(kept));
    }
    Ok(results)
}

impl PointStates {
    fn next(&mut self) -> Option<KleeneStructure> {
        let structure = self.structures.get(self.done)?.clone();
        self.done += 1;
        Some(structure)
    }

    /// Adds a structure; whether it was new.
    fn add(&mut self, structure: KleeneStructure, join: JoinPolicy) -> bool {
        let hash = FxBuildHasher.hash_one(&structure);
        if self.index.find(hash, |&i| self.structures[i] == structure).is_some() {
            return false;
        }
        let structure = match join {
            JoinPolicy::Relational => structure,
            JoinPolicy::SameNames => {
                let joined = (0..self.structures.len())
                    .find_map(|i| Some((i, self.structures[i].join(&structure)?)));
                match joined {
                    None => structure,
                    Some((i, joined)) if joined == self.structures[i] => return false,
                    Some((i, joined)) => {
                        // The old one is represented by the join, so it need not stay.
                        self.structures.remove(i);
                        self.done -= usize::from(i < self.done);
                        self.reindex();
                        joined
                    }
                }
            }
        };
        self.structures.push(structure);
        self.reindex_last();
        true
    }

    fn reindex(&mut self) {
        self.index.clear();
        for i in 0..self.structures.len() {
            let hash = FxBuildHasher.hash_one(&self.structures[i]);
            self.insert(hash, i);
        }
    }

    fn reindex_last(&mut self) {
        let last = self.structures.len() - 1;
        self.insert(FxBuildHasher.hash_one(&self.structures[last]), last);
    }

    fn insert(&mut self, hash: u64, position: usize) {
        let structures = &self.structures;
        let rehash = |&i: &usize| FxBuildHasher.hash_one(&structures[i]);
        self.index.insert_unique(hash, position, rehash);
    }
}
