//! How a transition system is built: symbols are declared, cut points are found, and all paths
//! between them are followed.
//!
//! **Invariant.** A system is given out only when all paths were followed with the same assumption
//! about what may be undefined at cut points.

mod ends;
mod locations;
mod within;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Arena, Budget, Vocabulary};
use trellis_program::cfg;
use trellis_program::promised;
use trellis_program::spec::Formula;
use trellis_program::view::{self, Cell};
use trellis_program::{BlockId, Body, CheckKind, Cond, InstrKind, ProcId, Program, Refusal, Span};
use trellis_solver::Solver;

use crate::contract::entry_heap::{self, EntryHeap};
use crate::contract::{assigns, at_entry};
use crate::execute::Builder;
use crate::execute::state::Witnesses;
use crate::symbols::Symbols;
use crate::symbols::changes::Changes;
use crate::symbols::classes::Classes;
use crate::symbols::declare::Seen;
use crate::system::{LocationId, Options, TransitionSystem};
use crate::theory::{Purpose, sets, single};

pub use within::build_within;

/// A procedure without calls as a transition system, whatever that costs. The solver is asked
/// whether the precondition keeps to heaps that can be followed, and over which fields it lets the heap be reached.
///
/// # Errors
/// The first construct that cannot be followed.
pub fn build(
    program: &Program,
    proc: ProcId,
    options: &Options,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<TransitionSystem, Refusal> {
    follow_all(program, proc, options, &Budget::default(), solver)
}

/// As [`build`], until the budget is used up: then the error says anything.
pub(crate) fn follow_all(
    program: &Program,
    proc: ProcId,
    options: &Options,
    budget: &Budget,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<TransitionSystem, Refusal> {
    let span = program.proc(proc).span;
    let Some(body) = program.body(proc) else {
        return Err(Refusal::at(span, "a procedure without a body"));
    };
    let heap = entry_heap::of_entry(program, proc, body, options, solver)?;
    let mut undefined_at_cuts = BTreeSet::new();
    let of_paths = (Purpose::Paths, &heap.cyclic);
    // Whether undefined values reach a cut point is seen once all paths are followed.
    loop {
        let mut builder = prepare(program, proc, body, options, of_paths, solver)?;
        builder.heap_at_entry = heap.clone();
        builder.budget = budget.clone();
        builder.undefined_at_cuts.clone_from(&undefined_at_cuts);
        let heads: Vec<BlockId> = cfg::loop_heads(body).into_iter().collect();
        let live = cfg::live_in(body, program.proc(proc).vars.len());
        builder.locations.push(builder.entry(body));
        for &head in &heads {
            let location = builder.loop_head(head, body, &live[head.0 as usize]);
            builder.locations.push(location);
        }
        let initial = builder.enter(body, &heads)?;
        for (i, &head) in heads.iter().enumerate() {
            builder.from = LocationId(i + 1);
            builder.live_pointers = builder.pointers_at(builder.from);
            let run = builder.run_at(builder.from);
            builder.follow(body, &heads, head, run)?;
        }
        if builder.undefined_at_cuts == undefined_at_cuts {
            return Ok(builder.finish_system(proc, initial));
        }
        undefined_at_cuts.clone_from(&builder.undefined_at_cuts);
    }
}

pub(crate) fn prepare<'a>(
    program: &'a Program,
    proc: ProcId,
    body: &Body,
    options: &'a Options,
    (purpose, cyclic): (Purpose, &BTreeSet<Cell>),
    solver: &'a dyn Fn() -> Box<dyn Solver>,
) -> Result<Builder<'a>, Refusal> {
    let view = view::vocabulary(program, proc);
    let mut view_arena = Arena::new();
    let mut changes = match purpose {
        Purpose::Paths => Changes::new(program, &view, body),
        Purpose::Entry => Changes::default(),
    };
    // What the code names is the same for every purpose.
    let mut mentioned = Changes::new(program, &view, body);
    let mut clauses = Vec::new();
    let requires = &program.proc(proc).contract.requires;
    let requires = requires.iter().map(|c| (Cow::Owned(at_entry(&c.formula)), c.span));
    let others = formulas(program, proc, options).into_iter().map(|(f, at)| (Cow::Borrowed(f), at));
    let others = others.chain(promises(program, proc).map(|(f, at)| (Cow::Owned(f), at)));
    let places = assigns::formulas(program, proc, options)?;
    let places = places.into_iter().map(|(f, at)| (Cow::Owned(f), at));
    for (formula, at) in requires.chain(others).chain(places) {
        let clause = view::formula(&view, &mut view_arena, &formula)
            .map_err(|e| Refusal::at(at, e.reason))?;
        changes.clause(&view, &view_arena, clause);
        mentioned.clause(&view, &view_arena, clause);
        clauses.push(clause);
    }
    let mut classes = Classes::new(program, &view, &view_arena, &clauses);
    if assigns::checked(program, proc, options).is_some() {
        classes.compare_changes(program, &view, &changes);
    }
    let mut logic = Vocabulary::new();
    let seen = Seen {
        sets: sets::of_procedure(program, &view, body)?,
        single: single::of_clauses(&view, &view_arena, &clauses),
        idle: single::idle(&view, &mentioned),
        cyclic: cyclic.clone(),
    };
    let of = (purpose, &seen);
    let symbols =
        Symbols::declare(program, &view, &classes, &changes, of, options.words, &mut logic);
    let unlinks = symbols.pointers.iter().any(|f| f.changes) || changes.assigns_global();
    Ok(Builder {
        program,
        options,
        budget: Budget::default(),
        view_arena,
        logic,
        arena: Arena::new(),
        symbols,
        witnesses: Witnesses::default(),
        from: LocationId::ENTRY,
        live_pointers: Vec::new(),
        locations: Vec::new(),
        paths: Vec::new(),
        lengths: 0,
        clauses: BTreeMap::new(),
        imprecise: BTreeSet::new(),
        may_free: changes.free,
        may_allocate: changes.alloc,
        may_unlink: unlinks,
        undefined_at_cuts: BTreeSet::new(),
        purpose,
        solver,
        heap_at_entry: EntryHeap::default(),
    })
}

/// What recursive calls promise, as far as it can be said.
fn promises(program: &Program, proc: ProcId) -> impl Iterator<Item = (Formula, Span)> {
    let calls = program.proc(proc).instrs().filter_map(move |i| match &i.kind {
        InstrKind::Call { dst, proc, args } => promised(program, *proc, args, *dst),
        _ => None,
    });
    calls.flatten().map(|promise| (promise.formula, promise.span))
}

/// The contract formulas that are checked or assumed on the way, with their places.
fn formulas<'a>(program: &'a Program, proc: ProcId, options: &Options) -> Vec<(&'a Formula, Span)> {
    let proc = program.proc(proc);
    let mut out: Vec<(&Formula, Span)> = Vec::new();
    if options.checks.contains(CheckKind::Postcondition) {
        out.extend(proc.contract.ensures.iter().map(|c| (&c.formula, c.span)));
    }
    for instr in proc.instrs() {
        match &instr.kind {
            InstrKind::Assume { cond: Cond::Spec(f) } => out.push((f, instr.span)),
            InstrKind::Assert { kind, cond: Cond::Spec(f) } if options.checks.contains(*kind) => {
                out.push((f, instr.span));
            }
            _ => {}
        }
    }
    out
}
