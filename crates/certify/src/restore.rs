//! From a certificate and the program to a transition system and invariants.
//!
//! Building a system asks a solver too: which heaps the precondition allows. So it is built with
//! every solver, and all must agree.
//!
//! **Invariant.** The system comes from the program alone; the certificate only says which
//! procedure, which checks, and what to believe at the loops.

use std::fmt;

use trellis_logic::{Budget, FormulaId};
use trellis_program::source::suggest;
use trellis_program::{
    CheckKind, CheckSet, InlineLimits, NoResult, Placed, ProcId, Program, Recursion, inline, places,
};
use trellis_solver::Solver;
use trellis_solver::limited::{GaveUp, Limited};
use trellis_transys::{LocationId, Options, TransitionSystem, Words, build_within};

use crate::back_end::BackEnd;
use crate::certificate::Certificate;
use crate::check::Settings;
use crate::names::Names;
use crate::state::State;
use crate::text;

/// Most fields in turn over which leaks are looked for: the work is exponential in it.
pub const MOST_TURNS: usize = 3;

/// Why there is nothing to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Whose fault it is.
    pub kind: ProblemKind,
    /// What it is.
    pub message: String,
}

/// Whose fault a problem is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The certificate does not fit the source.
    Certificate,
    /// The source has something that transition systems cannot express, or building one took too
    /// long.
    Unsupported,
}

impl Problem {
    pub(crate) fn certificate(message: impl Into<String>) -> Problem {
        Problem { kind: ProblemKind::Certificate, message: message.into() }
    }

    fn unsupported(message: impl Into<String>) -> Problem {
        Problem { kind: ProblemKind::Unsupported, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// A certificate, understood.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The program with calls and pointers to variables replaced.
    pub placed: Placed,
    /// The procedure as a transition system.
    pub system: TransitionSystem,
    /// The clauses of every location.
    pub clauses: Vec<Vec<FormulaId>>,
}

/// A procedure of the source by its name.
pub(crate) fn find(program: &Program, procedure: &str) -> Result<ProcId, Problem> {
    program.find_proc(procedure).ok_or_else(|| {
        let near = suggest(procedure, program.procs.iter().map(|p| p.name.as_str()));
        let near = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        Problem::certificate(format!("the source has no procedure `{procedure}`{near}"))
    })
}

/// The transition system of a procedure, with calls and pointers to variables replaced; and the
/// program it is about.
///
/// # Errors
/// If there is no such procedure, or it cannot be followed.
pub fn system(
    program: &Program,
    procedure: &str,
    options: &Options,
    budget: &Budget,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<(Placed, TransitionSystem), Problem> {
    let proc = find(program, procedure)?;
    let limits = InlineLimits { recursion: Recursion::OfItself, ..InlineLimits::default() };
    let inlined = inline(program, proc, limits).map_err(|refusals| {
        let said = refusals.first().map_or_else(
            || "its calls cannot be replaced".to_owned(),
            |r| format!("{}: {}", program.sources.locate(r.span), r.reason),
        );
        Problem::unsupported(said)
    })?;
    let placed = places(&inlined);
    let built = build_within(&placed.program, placed.proc, options, budget, solver);
    let system = built.map_err(|why| match why {
        NoResult::Refused(refusal) => {
            let place = placed.program.sources.locate(refusal.span);
            Problem::unsupported(format!("{place}: unsupported: {}", refusal.reason))
        }
        why => Problem::unsupported(why.to_string()),
    })?;
    Ok((placed, system))
}

/// The system that a certificate is about, built with every solver.
fn agreed_system(
    program: &Program,
    certificate: &Certificate,
    back_ends: &[BackEnd<'_>],
    settings: &Settings,
) -> Result<(Placed, TransitionSystem), Problem> {
    let options = options(certificate)?;
    let mut agreed: Option<(Placed, TransitionSystem)> = None;
    for make_solver in back_ends.iter().filter_map(BackEnd::make_solver) {
        let make = || -> Box<dyn Solver> {
            Box::new(Limited {
                inner: make_solver(),
                budget: settings.budget.clone(),
                per_question: Some(settings.time_per_question),
                gave_up: GaveUp::default(),
            })
        };
        let built = system(program, &certificate.procedure, &options, &settings.budget, &make)?;
        if agreed.as_ref().is_some_and(|first| !same(&first.1, &built.1)) {
            let solvers = back_ends.iter().filter(|b| b.make_solver().is_some());
            let names: Vec<&str> = solvers.map(|b| b.name.as_str()).collect();
            let names = names.join(" and ");
            let message = format!("{names} disagree about the heaps that the precondition allows");
            return Err(Problem::unsupported(message));
        }
        agreed.get_or_insert(built);
    }
    agreed.ok_or_else(|| Problem::unsupported("there is no solver"))
}

/// Whether two systems of one procedure are the same: formulas that are built alike have one id.
fn same(a: &TransitionSystem, b: &TransitionSystem) -> bool {
    let guards = |s: &TransitionSystem| -> Vec<Vec<FormulaId>> {
        s.paths.iter().map(|p| p.guards.clone()).collect()
    };
    a.vocabulary == b.vocabulary
        && a.axioms == b.axioms
        && a.initial == b.initial
        && guards(a) == guards(b)
}

/// Builds the system that a certificate is about, and reads its invariants.
///
/// # Errors
/// If the certificate does not fit the program, or the program cannot be followed.
pub fn restore(
    program: &Program,
    certificate: &Certificate,
    back_ends: &[BackEnd<'_>],
    settings: &Settings,
) -> Result<Restored, Problem> {
    let (placed, mut system) = agreed_system(program, certificate, back_ends, settings)?;
    let names = Names::new(&system.vocabulary);
    let mut clauses: Vec<Option<Vec<FormulaId>>> = vec![None; system.locations.len()];
    for cut_point in &certificate.cut_points {
        let here = format!("the cut point at {} (block {})", cut_point.place, cut_point.block);
        // The entry is a location of its own, even if it begins with a loop.
        let mut heads = system.locations.iter().enumerate().skip(1);
        let Some((at, _)) = heads.find(|(_, l)| l.block.0 == cut_point.block) else {
            return Err(Problem::certificate(format!("{here} is no loop of the source")));
        };
        if clauses[at].is_some() {
            return Err(Problem::certificate(format!("{here} is there twice")));
        }
        let state = State::at(&system, LocationId(at));
        let mut read = Vec::new();
        for (i, clause) in cut_point.invariant.iter().enumerate() {
            let wrong =
                |why: String| Problem::certificate(format!("clause {} of {here}: {why}", i + 1));
            let arena = &mut system.arena;
            let formula = text::read(&clause.formula, &system.vocabulary, &names, arena)
                .map_err(|e| wrong(e.to_string()))?;
            if let Some(symbol) = state.foreign_symbol(&system, &names, formula) {
                return Err(wrong(format!("`{symbol}` is not part of the state there")));
            }
            read.push(formula);
        }
        clauses[at] = Some(read);
    }
    let mut complete = Vec::new();
    for (i, clauses) in clauses.into_iter().enumerate() {
        match clauses {
            Some(clauses) => complete.push(clauses),
            None if i == LocationId::ENTRY.0 => complete.push(Vec::new()),
            None => {
                let place = placed.program.sources.locate(system.locations[i].span);
                let message = format!("the certificate says nothing about the loop at {place}");
                return Err(Problem::certificate(message));
            }
        }
    }
    Ok(Restored { placed, system, clauses: complete })
}

pub(crate) fn options(certificate: &Certificate) -> Result<Options, Problem> {
    let mut checks = CheckSet::none();
    for name in &certificate.checks {
        let kind: CheckKind = name.parse().map_err(Problem::certificate)?;
        if checks.contains(kind) {
            return Err(Problem::certificate(format!("the check `{kind}` is there twice")));
        }
        checks.set(kind, true);
    }
    if checks == CheckSet::none() {
        return Err(Problem::certificate(
            "the certificate is about no checks, so it proves nothing",
        ));
    }
    let words = match certificate.words.as_str() {
        "basic" => Words::Basic,
        "edges" => Words::Edges,
        other => return Err(Problem::certificate(format!("no words are called `{other}`"))),
    };
    let &Certificate { malloc_may_fail, leak_turns, .. } = certificate;
    if leak_turns > MOST_TURNS {
        let message = format!("`leak_turns` is {leak_turns}; at most {MOST_TURNS} can be followed");
        return Err(Problem::certificate(message));
    }
    Ok(Options { checks, malloc_may_fail, words, leak_turns })
}
