//! The worklist over a system of actions.
//!
//! * `step`: one transition applied to one structure
//! * `states`: the structures of the points, and how each was reached
//!
//! **Contract**: if every initial heap embeds into an initial structure, and the actions, the
//! constraints and the collector are right about definite structures, then every heap that the
//! system reaches at a point embeds into one of the point's structures; and a check that fails in
//! such a heap is among the alarms. Termination: blurred structures are finitely many.

mod states;
mod step;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use trellis_logic::kleene::{
    Action, Constraint, FocusLimit, Formula, KleeneStructure, Predicates, coerce,
};

use trellis_program::{Budget, NoResult, Span, StopReason};

use states::{NodeId, States};
use step::step;

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
    /// Where the points stand in the source; small numbers are worked on first.
    pub points: Vec<Span>,
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
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most structures at all points together; more are too much memory.
    pub structures: usize,
    /// Most cases of one focus.
    pub focus: FocusLimit,
    /// Which structures of a point become one.
    pub join: JoinPolicy,
    /// When to stop; memory is for structures.
    pub budget: Budget,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            structures: 200_000,
            focus: FocusLimit::default(),
            join: JoinPolicy::Relational,
            budget: Budget::default(),
        }
    }
}

/// What an action on one structure costs, in units of work.
const STEP: u64 = 30;

impl Limits {
    fn check(&self, states: &States) -> Result<(), StopReason> {
        let full = self.budget.memory.is_some_and(|limit| states.bytes() > limit);
        if full || states.len() > self.structures {
            return Err(StopReason::Memory);
        }
        self.budget.check()
    }
}

/// A check that could not be proved.
#[derive(Clone, Debug)]
pub struct AlarmState {
    /// It is false in every heap of some structure; else it may only be so.
    pub definite: bool,
    /// The first structure in which it is not true.
    pub structure: KleeneStructure,
    /// The points and structures on the way there, the initial one first.
    pub trace: Vec<(usize, KleeneStructure)>,
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
    /// How much memory the structures take.
    pub bytes: u64,
}

impl Run {
    /// How many structures there are at all points together.
    pub fn structures(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }
}

/// A check that failed, and where it was found.
struct Found {
    definite: bool,
    structure: KleeneStructure,
    from: NodeId,
}

/// Computes everything that a system reaches; the error says why that was not possible.
pub fn run(system: &System, limits: &Limits) -> Result<Run, NoResult> {
    let mut states = States::new(system.points.len(), limits.join);
    let mut todo = BTreeSet::new();
    let mut alarms = BTreeMap::new();
    let mut steps = 0;
    for structure in &system.initial {
        if let Some(structure) = coerce(structure.blur(), &system.constraints) {
            states.add(system.entry, structure.blur(), None);
            todo.insert(system.entry);
        }
    }
    let mut outgoing: Vec<Vec<&Transition>> = vec![Vec::new(); system.points.len()];
    for transition in &system.transitions {
        outgoing[transition.from].push(transition);
    }
    while let Some(&point) = todo.first() {
        let Some((from, structure)) = states.next(point) else {
            todo.remove(&point);
            continue;
        };
        for transition in &outgoing[point] {
            steps += 1;
            limits.budget.work.spend(STEP);
            let reached = step(system, limits, transition, &structure)?;
            for alarm in reached.alarms {
                note(&mut alarms, alarm.check, alarm.definite, alarm.structure, from);
            }
            for result in reached.structures {
                if states.add(transition.to, result, Some(from)) {
                    todo.insert(transition.to);
                }
            }
        }
        limits.check(&states)?;
    }
    let alarms = alarms.into_iter().map(|(id, found)| {
        let Found { definite, structure, from } = found;
        (id, AlarmState { definite, structure, trace: states.trace(from) })
    });
    let (alarms, bytes) = (alarms.collect(), states.bytes());
    Ok(Run { states: states.by_point(), alarms, steps, bytes })
}

/// Keeps the first alarm of a check, or the first definite one.
fn note(
    alarms: &mut BTreeMap<usize, Found>,
    check: usize,
    definite: bool,
    structure: KleeneStructure,
    from: NodeId,
) {
    let better = alarms.get(&check).is_none_or(|known| definite && !known.definite);
    if better {
        alarms.insert(check, Found { definite, structure, from });
    }
}
