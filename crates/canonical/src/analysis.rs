//! Analysing a procedure with a set of instrumentation predicates.

use std::sync::Arc;

use trellis_logic::kleene::{KleeneStructure, Predicates};
use trellis_program::checks::Point;
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{Lifetime, Memory, ObjId, Value};
use trellis_program::spec::{Formula, Label};
use trellis_program::{CheckKind, ProcId, Program, Scalar, Span};

use crate::compile::{CompileOptions, Compiled, Unsupported, Variables, compile};
use crate::core::{Core, Garbage};
use crate::engine::{Limits, System, run};
use crate::initial::{ListHeap, list_heaps};
use crate::predicates::{Instrumentation, collector, constraints};

/// What an analysis depends on besides the program and the predicates.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is done with garbage.
    pub garbage: Garbage,
    /// `malloc` may return null.
    pub malloc_may_fail: bool,
    /// When to stop, and how to join.
    pub limits: Limits,
    /// The longest list in an initial heap; see [`crate::initial`].
    pub longest_list: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            garbage: Garbage::default(),
            malloc_may_fail: false,
            limits: Limits::default(),
            longest_list: 3,
        }
    }
}

/// A check that could not be proved.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// What is checked.
    pub kind: CheckKind,
    /// Where in the heap program.
    pub point: Point,
    /// Which clause of the contract, for `ensures`.
    pub clause: u32,
    /// Where in the source.
    pub span: Span,
    /// False in every heap of the structure; else it may be true.
    pub definite: bool,
    /// Where it is not true.
    pub structure: KleeneStructure,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// By point of the translation, its place in the heap program and its structures.
    pub states: Vec<(Point, Vec<KleeneStructure>)>,
    /// Checks that could not be proved, in the order of the code.
    pub alarms: Vec<Alarm>,
    /// Clauses that were not looked at, and why.
    pub untranslated: Vec<(Span, String)>,
    /// How many predicates there are.
    pub predicates: usize,
    /// How many structures there are at all points together.
    pub structures: usize,
    /// How many times an action was applied to a structure.
    pub steps: usize,
    /// How many initial structures there are.
    pub initial: usize,
}

impl Analysis {
    /// Whether everything was checked and nothing was alarming.
    pub fn proves_everything(&self) -> bool {
        self.alarms.is_empty() && self.untranslated.is_empty()
    }
}

/// Analyses a procedure.
pub fn analyse(
    program: &Program,
    proc: ProcId,
    mut instrumentation: impl Instrumentation,
    options: &Options,
) -> Result<Analysis, Unsupported> {
    let variables = Variables::of(program, proc, options.garbage)?;
    let mut predicates = Predicates::new();
    let data: Vec<String> = variables.data.iter().map(|(_, name)| name.clone()).collect();
    let core = Core::declare(&mut predicates, &variables.names, &variables.field.1, &data);
    instrumentation.declare(&core, &mut predicates);
    let predicates = Arc::new(predicates);
    let compile_options =
        CompileOptions { garbage: options.garbage, malloc_may_fail: options.malloc_may_fail };
    let compiled = compile(program, proc, &variables, &core, &instrumentation, compile_options)?;
    let constraints = constraints(&predicates, &core, &instrumentation);
    let collector = collector(&core, &instrumentation, options.garbage);
    let initial = initial(program, proc, &variables, &predicates, &core, options)?;
    let system = System {
        predicates: predicates.clone(),
        constraints,
        collector: Some(collector),
        points: compiled.points,
        transitions: compiled.transitions.clone(),
        entry: compiled.entry,
        initial,
    };
    let span = program.proc(proc).span;
    let result = run(&system, &options.limits).map_err(|e| Unsupported { reason: e, span })?;
    let structures = result.structures();
    let initial = result.states[compiled.entry].len();
    let (alarms, steps) = (alarms(&compiled, &result.alarms), result.steps);
    Ok(Analysis {
        states: compiled.places.iter().copied().zip(result.states).collect(),
        alarms,
        untranslated: compiled.untranslated,
        predicates: predicates.ids().len(),
        structures,
        steps,
        initial,
    })
}

fn alarms(
    compiled: &Compiled,
    found: &std::collections::BTreeMap<usize, crate::engine::AlarmState>,
) -> Vec<Alarm> {
    let mut alarms: Vec<Alarm> = found
        .iter()
        .map(|(&id, alarm)| {
            let site = &compiled.checks[id];
            Alarm {
                kind: site.kind,
                point: site.point,
                clause: site.clause,
                span: site.span,
                definite: alarm.definite,
                structure: alarm.structure.clone(),
            }
        })
        .collect();
    alarms.sort_by_key(|a| (a.point, a.kind, a.clause));
    alarms
}

/// The heaps that satisfy the precondition, or may do so because it depends on integers.
fn initial(
    program: &Program,
    proc: ProcId,
    variables: &Variables,
    predicates: &Arc<Predicates>,
    core: &Core,
    options: &Options,
) -> Result<Vec<KleeneStructure>, Unsupported> {
    /// There are hundreds of thousands of heaps for four arguments.
    const MOST_ARGUMENTS: usize = 3;
    let procedure = program.proc(proc);
    let pointers: Vec<usize> =
        (0..procedure.params).filter(|&p| variables.locals[p].is_some()).collect();
    if pointers.len() > MOST_ARGUMENTS {
        return Err(Unsupported::new("more than three pointer arguments", procedure.span));
    }
    let holders: Vec<Vec<usize>> = pointers
        .iter()
        .map(|&p| {
            let mut holders: Vec<usize> = variables.locals[p].into_iter().collect();
            holders.extend(variables.entries[p].filter(|e| !holders.contains(e)));
            holders
        })
        .collect();
    let requires: Vec<Formula> = procedure
        .contract
        .requires
        .iter()
        .map(|clause| Formula::At(Label::Pre, Box::new(clause.formula.clone())))
        .collect();
    let mut structures: Vec<KleeneStructure> = Vec::new();
    for heap in list_heaps(pointers.len(), options.longest_list) {
        if may_satisfy(program, proc, variables, &pointers, &heap, &requires) {
            structures.push(heap.structure(predicates, core, &holders));
        }
    }
    Ok(structures)
}

fn may_satisfy(
    program: &Program,
    proc: ProcId,
    variables: &Variables,
    pointers: &[usize],
    heap: &ListHeap,
    requires: &[Formula],
) -> bool {
    let types = &program.types;
    let mut memory = Memory::default();
    let (offset, _, scalar) = &variables.field;
    let fill = |s: Scalar| if s.is_ptr() { Value::Null } else { Value::Open };
    let objects: Vec<ObjId> = heap
        .next
        .iter()
        .map(|_| {
            let node = Some(variables.node);
            let id = memory.allocate(types, node, variables.size, Lifetime::Heap, fill);
            memory.objects[id.0 as usize].initial = true;
            id
        })
        .collect();
    let pointer = |u: usize| Value::to_start(objects[u]);
    for (u, next) in heap.next.iter().enumerate() {
        if let (Some(v), Some(mut at)) = (next, pointer(u).pointer()) {
            at.off += *offset as i32;
            let stored = memory.store(types, Value::Ptr(at), *scalar, pointer(*v));
            debug_assert!(stored.is_ok(), "a node has its list field");
        }
    }
    let procedure = program.proc(proc);
    let mut args = vec![Value::Open; procedure.params];
    for (&p, target) in pointers.iter().zip(&heap.args) {
        args[p] = target.map_or(Value::Null, pointer);
    }
    let globals = vec![Value::Open; program.globals.len()];
    let mut locals = vec![Value::Undef; procedure.vars.len()];
    locals[..args.len()].copy_from_slice(&args);
    let env = SpecEnv {
        program,
        memory: &memory,
        globals: &globals,
        locals: &locals,
        entry: &args,
        pre: None,
        result: None,
    };
    requires.iter().all(|formula| env.truth(formula) != Truth::False)
}
