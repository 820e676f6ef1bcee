//! Analysing a procedure with a set of instrumentation predicates.

use std::sync::Arc;

use trellis_logic::kleene::{KleeneStructure, Predicates};
use trellis_program::checks::Point;
use trellis_program::{Alarm, CheckSet, NoResult, ProcId, Program, Refusal};

use crate::compile::{CompileOptions, Compiled, Variables, compile};
use crate::core::{Core, Garbage};
use crate::engine::{Limits, System, run};
use crate::initial::ListHeap;
use crate::predicates::{Definition, Instrumentation, WithUser, collector, constraints};
use crate::start::{Precondition, Start};

/// What an analysis depends on besides the program and the predicates.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// What is done with garbage.
    pub garbage: Garbage,
    /// `malloc` may return null.
    pub malloc_may_fail: bool,
    /// The kinds of checks that are on.
    pub checks: CheckSet,
    /// Unary predicates of the program that are used beside the given ones, by their names.
    pub predicates: &'a [String],
    /// When to stop, and how to join.
    pub limits: Limits,
    /// The longest list in an initial heap; see [`crate::initial`].
    pub longest_list: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            garbage: Garbage::default(),
            malloc_may_fail: false,
            checks: CheckSet::default(),
            predicates: &[],
            limits: Limits::default(),
            longest_list: 3,
        }
    }
}

/// How a check comes to be not proved.
#[derive(Clone, Debug)]
pub struct Way {
    /// False in every heap of the structure; else it may be true.
    pub definite: bool,
    /// Where it is not true.
    pub structure: KleeneStructure,
    /// The places and structures on the way there, the initial one first.
    pub trace: Vec<(Point, KleeneStructure)>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The pointers of the procedure.
    pub variables: Variables,
    /// The predicates of the structures that say what a heap is.
    pub core: Core,
    /// By point of the translation, its place in the heap program and its structures.
    pub states: Vec<(Point, Vec<KleeneStructure>)>,
    /// By block of the procedure, its point in `states`.
    pub blocks: Vec<usize>,
    /// Checks that could not be proved, in the order of the code.
    pub alarms: Vec<Alarm<Way>>,
    /// Clauses that were not looked at, and why.
    pub untranslated: Vec<Refusal>,
    /// Clauses of `requires` that were taken to hold of every heap, and why.
    pub left_out: Vec<Refusal>,
    /// How many predicates there are.
    pub predicates: usize,
    /// How many structures there are at all points together.
    pub structures: usize,
    /// How many times an action was applied to a structure.
    pub steps: usize,
    /// How many initial structures there are.
    pub initial: usize,
    /// How much memory the structures take.
    pub bytes: u64,
}

impl Analysis {
    /// Whether everything was checked and nothing was alarming.
    pub fn proves_everything(&self) -> bool {
        self.alarms.is_empty() && self.untranslated.is_empty()
    }
}

/// Analyses a procedure without calls.
///
/// # Errors
/// If the procedure has something that cannot be followed, or a limit is reached.
pub fn analyse(
    program: &Program,
    proc: ProcId,
    instrumentation: impl Instrumentation,
    options: &Options<'_>,
) -> Result<Analysis, NoResult> {
    let span = program.proc(proc).span;
    let variables = Variables::of(program, proc, options.garbage)?;
    let user = options.predicates.iter();
    let user = user.map(|name| Definition::find(program, name, variables.node.record, span));
    let user = user.collect::<Result<Vec<_>, _>>()?;
    let mut instrumentation = WithUser::new(instrumentation, user);
    let mut predicates = Predicates::new();
    let data: Vec<String> = variables.data.iter().map(|(_, name)| name.clone()).collect();
    let core = Core::declare(&mut predicates, &variables.names, &variables.node.field, &data);
    instrumentation.declare(&core, &mut predicates);
    let predicates = Arc::new(predicates);
    let &Options { garbage, malloc_may_fail, checks, .. } = options;
    let compile_options = CompileOptions { garbage, malloc_may_fail, checks };
    let compiled = compile(program, proc, &variables, &core, &instrumentation, compile_options)?;
    let constraints = constraints(&predicates, &core, &instrumentation);
    let collector = collector(&core, &instrumentation, options.garbage);
    let requires = Precondition::of(program, proc, &variables);
    let start = Start { program, proc, variables: &variables, requires: &requires };
    let holders = start.holders();
    let longest = options.longest_list + requires.fields;
    let structure = |heap: &ListHeap| {
        let exact = heap.structure(&predicates, &core, &holders);
        heap.summarised(exact, longest, instrumentation.counting())
    };
    let initial = start.heaps(options.longest_list)?.iter().map(structure).collect();
    let system = System {
        predicates: predicates.clone(),
        constraints,
        collector: Some(collector),
        points: compiled.places.iter().map(|p| program.span_at(*p)).collect(),
        transitions: compiled.transitions.clone(),
        entry: compiled.entry,
        initial,
    };
    let result = run(&system, &options.limits)?;
    let structures = result.structures();
    let initial = result.states[compiled.entry].len();
    let (alarms, steps, bytes) = (alarms(&compiled, &result.alarms), result.steps, result.bytes);
    Ok(Analysis {
        variables,
        core,
        states: compiled.places.iter().copied().zip(result.states).collect(),
        blocks: compiled.blocks,
        alarms,
        untranslated: compiled.untranslated,
        left_out: requires.left_out,
        predicates: predicates.ids().len(),
        structures,
        steps,
        initial,
        bytes,
    })
}

fn alarms(
    compiled: &Compiled,
    found: &std::collections::BTreeMap<usize, crate::engine::AlarmState>,
) -> Vec<Alarm<Way>> {
    let mut alarms: Vec<Alarm<Way>> = found
        .iter()
        .map(|(&id, alarm)| {
            let site = &compiled.checks[id];
            let trace = alarm.trace.iter();
            Alarm {
                kind: site.kind,
                point: site.point,
                clause: site.clause,
                span: site.span,
                way: Way {
                    definite: alarm.definite,
                    structure: alarm.structure.clone(),
                    trace: trace.map(|(p, s)| (compiled.places[*p], s.clone())).collect(),
                },
            }
        })
        .collect();
    alarms.sort_by_key(Alarm::check);
    alarms
}
