//! From a symbolic counterexample to one that the interpreter runs.

use std::collections::BTreeSet;

use trellis_explore::{Outcome as Explored, explore_heap};
use trellis_logic::Structure;
use trellis_program::concrete::InitialHeap;
use trellis_program::{CheckKind, Diagnostic, Placed, Reg};
use trellis_transys::{
    BadState, Concrete, ErrorKind, NoHeap, PointerField, TransitionSystem, concretise, integers,
};

use crate::engine::{Budget, Claim, Task};
use crate::explore::{OUTSIDE, config};
use crate::heaps;
use crate::verdict::UnknownReason;

/// Most choices of a run from one heap: there is only one, so it can be looked at closely.
const CHOICES: usize = 60;
/// Most blocks of such a run.
const STEPS: usize = 10_000;

/// An execution of a transition system into an error.
pub(crate) struct Symbolic<'a> {
    /// The procedure.
    pub(crate) task: &'a Task<'a>,
    /// What may be spent on it.
    pub(crate) budget: &'a Budget,
    /// What the system was built from.
    pub(crate) placed: &'a Placed,
    /// The system.
    pub(crate) system: &'a TransitionSystem,
    /// The state at the entry.
    pub(crate) initial: &'a Structure,
    /// What goes wrong.
    pub(crate) error: BadState,
}

impl Symbolic<'_> {
    /// The run behind the execution.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn concrete(&self) -> Result<Claim, UnknownReason> {
        let Concrete { heap, has_garbage } =
            match concretise(&self.placed.before, self.system, self.initial) {
                Ok(concrete) => concrete,
                Err(NoHeap::Integers(why)) => {
                    let place = Diagnostic::unsupported(self.error.span, why);
                    return Err(UnknownReason::Imprecise(vec![place]));
                }
                Err(why) => return Err(self.spurious(&why.to_string())),
            };
        let heap = self.placed.initial(heap);
        let proc = self.task.program.proc(self.task.proc);
        if proc.is_whole_program() {
            // A whole program starts in one heap only.
            let heap = heaps::nth(self.task, 0).unwrap_or(heap);
            return self.run_from(&heap).map_err(|why| match why {
                UnknownReason::Internal(_) => {
                    let message = "this engine does not know how the globals of a program start";
                    UnknownReason::Unsupported(vec![Diagnostic::unsupported(proc.span, message)])
                }
                other => other,
            });
        }
        self.run_from(&heap).map_err(|why| match why {
            UnknownReason::Internal(_) if has_garbage && !self.system.knows_reached => {
                let message = "this engine does not know here that every object is reached over \
                               few fields in turn";
                UnknownReason::Imprecise(vec![Diagnostic::unsupported(self.error.span, message)])
            }
            other => other,
        })
    }

    fn run_from(&self, heap: &InitialHeap) -> Result<Claim, UnknownReason> {
        let (program, proc) = (self.task.program, self.task.proc);
        let mut config = config(self.task, self.budget);
        config.threads = 1;
        config.steps = config.steps.max(STEPS);
        config.choices = config.choices.max(CHOICES);
        // What is chosen on the way may have to compare with the integers of the heap.
        let own: BTreeSet<i64> = config.machine_options(program, proc).ints.into_iter().collect();
        let heaps = integers(self.system, self.initial).into_iter().flatten();
        // The bits of an integer, signed or not.
        let heaps = heaps.map(|i| i as i64);
        let all: BTreeSet<i64> = own.iter().copied().chain(heaps).collect();
        let ints: Option<Vec<i64>> = (all != own).then(|| all.into_iter().collect());
        config.int_values = ints.clone().or(config.int_values);
        match explore_heap(program, proc, &config, heap).outcome {
            Explored::Violated(found) => Ok(Claim::Violated {
                initial: found.initial,
                choices: found.choices,
                failure: found.failure,
                ints,
            }),
            Explored::Unfinished(why) => Err(UnknownReason::no_result(why, OUTSIDE, self.budget)),
            Explored::NoHeap => Err(self.spurious("its heap does not satisfy `requires`")),
            Explored::Exhausted => Err(self.spurious("no run from its heap fails")),
        }
    }

    /// Why a trace of the transition system need not be one of the program.
    fn spurious(&self, what: &str) -> UnknownReason {
        let system = self.system;
        if self.error.kind == ErrorKind::Cycle {
            let message = "a cycle is made here, which this engine's logic cannot follow";
            let place = Diagnostic::unsupported(self.error.span, message);
            return UnknownReason::Cycle(vec![place]);
        }
        if self.error.kind == ErrorKind::Sharing {
            let message = "a node gets a second parent or a cycle is made here, which this \
                           engine's logic of trees cannot follow";
            let place = Diagnostic::unsupported(self.error.span, message);
            return UnknownReason::Cycle(vec![place]);
        }
        if super::is_leak(self.error.kind) {
            let message = "this engine does not follow so many fields in turn to an object";
            let place = Diagnostic::unsupported(self.error.span, message);
            return UnknownReason::Unsupported(vec![place]);
        }
        if !system.imprecise.is_empty() {
            let message = "a value is less known here than in the program (integer arithmetic, or \
                           that every field has a value)";
            let place = |&span| Diagnostic::unsupported(span, message);
            return UnknownReason::Imprecise(system.imprecise.iter().map(place).collect());
        }
        let symbols = &system.symbols;
        let message = if let Some(field) = lacks_step(system, self.initial) {
            &format!("this engine does not know here that `{field}` of every object has a value")
        } else if self.error.kind == ErrorKind::Check(CheckKind::Uninit) {
            "this engine does not follow an undefined value that is only copied"
        } else if self.error.kind == ErrorKind::Check(CheckKind::InvalidFree)
            && symbols.addresses.keys().any(|reg| matches!(reg, Reg::Local(_)))
        {
            "this engine does not tell a new object from a variable whose lifetime has not begun"
        } else if !symbols.constants.is_empty() {
            "this engine knows the order of integers, but not their ranges and neighbours"
        } else {
            let at = self.task.program.sources.line_col(self.error.span).0;
            let text = format!("a violation was found for line {at}, but {what}");
            return UnknownReason::Internal(text);
        };
        UnknownReason::Imprecise(vec![Diagnostic::unsupported(self.error.span, message)])
    }
}

/// A field of which an object at the entry has no step: that there is one is no universal formula,
/// so neither a vocabulary with single steps nor a theory of what cells hold knows it.
fn lacks_step<'a>(system: &'a TransitionSystem, entry: &Structure) -> Option<&'a str> {
    let symbols = &system.symbols;
    let null = entry.constant(symbols.null);
    let objects = || (0..entry.size(symbols.obj)).filter(|x| Some(*x) != null);
    let lacks = |field: &&PointerField| {
        let cells = field.theory.may_lack().then_some(field.relation);
        let Some(edge) = field.edge.or(cells) else { return false };
        let types: Vec<_> = field.roots.iter().filter_map(|ty| symbols.types.get(ty)).collect();
        let has_cell =
            |x: u32| symbols.types.is_empty() || types.iter().any(|rel| entry.rel(**rel, &[x]));
        let allocated = objects().filter(|x| entry.rel(symbols.alloc.entry, &[*x]));
        let steps = |x: u32| (0..entry.size(symbols.obj)).any(|y| entry.rel(edge.entry, &[x, y]));
        allocated.filter(|x| !steps(*x)).any(has_cell)
    };
    symbols.pointers.iter().find(lacks).map(|field| field.name.as_str())
}
