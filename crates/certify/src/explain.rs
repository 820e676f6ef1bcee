//! What a finding means, in the user's words: a sentence, the source lines of the path, the clause,
//! the state.

use trellis_logic::Structure;
use trellis_logic::drawing::{Drawing, TextStyle};
use trellis_program::{Program, Span};
use trellis_transys::{ErrorKind, LocationId, Target, TransitionSystem};

use crate::certificate::Place;
use crate::conditions::Kind;
use crate::make::place;
use crate::report::{Finding, Outcome};
use crate::restore::Restored;

/// A finding, explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// One sentence, without a full stop.
    pub text: String,
    /// The loop whose invariant should hold, or the check that should not fail.
    pub place: Place,
    /// The places that the path passes, in order, one a line.
    pub path: Vec<Place>,
    /// The clause of the invariant that fails, from one, and how a contract would say it.
    pub clause: Option<(usize, String)>,
    /// The state at the path's beginning, line by line; empty if none is known.
    pub state: Vec<String>,
}

/// Explains a finding about a certificate.
pub fn explain(restored: &Restored, finding: &Finding) -> Explanation {
    let Restored { placed, system, clauses } = restored;
    let program = &placed.program;
    let failure = finding.failure();
    let clause = match system.paths[finding.path].to {
        Target::Location(to) => failure.and_then(|f| {
            let index = f.claim?;
            let clause = *clauses.get(to.0)?.get(index)?;
            Some((index + 1, system.arena.print(&system.vocabulary, clause)))
        }),
        Target::Error(_) => None,
    };
    let state = failure.and_then(|f| f.state.as_ref());
    let drawn = state.map(draw);
    let place = place(program, finding.kind.span(system));
    Explanation {
        text: sentence(finding, &place),
        place,
        path: lines(program, system, finding.path),
        clause,
        state: drawn.unwrap_or_default().lines().map(str::to_owned).collect(),
    }
}

/// The conditions speak of closures, never of the fields themselves: what a model says of these is
/// left out, so that they are drawn as the closures have them.
fn draw(state: &Structure) -> String {
    let mut state = state.clone();
    let vocabulary = state.vocabulary().clone();
    for field in vocabulary.rels().filter_map(|r| vocabulary.rel(r).kind.field()) {
        for x in 0..state.size(vocabulary.fun(field).args[0]) {
            state.set_fun(field, &[x], None);
        }
    }
    Drawing::from_structure(&state).to_text(TextStyle::Unicode)
}

fn sentence(finding: &Finding, place: &Place) -> String {
    let from = match finding.kind.from() {
        LocationId::ENTRY => "the precondition",
        _ => "the invariant",
    };
    let verb = match finding.outcome() {
        Outcome::Refuted => "does not exclude",
        Outcome::Certified => "excludes",
        Outcome::NotDecided => "is not known to exclude",
    };
    let what = match finding.kind {
        Kind::Safety { bad, .. } => match bad.kind {
            ErrorKind::Check(kind) => format!("that the check `{kind}` at {place} fails"),
            ErrorKind::Cycle => format!("that the store at {place} closes a cycle"),
            ErrorKind::Sharing => {
                format!("that the store at {place} makes something else than trees")
            }
        },
        Kind::Initiation { .. } => {
            format!("that the invariant of the loop at {place} fails at first")
        }
        Kind::Consecution { .. } => {
            format!("that the invariant of the loop at {place} fails after a step")
        }
    };
    format!("{from} {verb} {what}")
}

/// A path into an error ends there.
fn lines(program: &Program, system: &TransitionSystem, path: usize) -> Vec<Place> {
    let path = &system.paths[path];
    let Some(body) = program.body(system.proc) else {
        return Vec::new();
    };
    let mut spans: Vec<Span> = Vec::new();
    for block in path.blocks.iter().filter_map(|b| body.blocks.get(b.0 as usize)) {
        spans.extend(block.instrs.iter().map(|i| i.span));
        spans.push(block.term_span);
    }
    let end = match path.to {
        Target::Location(to) => system.locations[to.0].span,
        Target::Error(bad) => {
            // What follows the failing instruction in its block is not executed.
            let last = spans.iter().rposition(|s| *s == bad.span);
            spans.truncate(last.unwrap_or(spans.len()));
            bad.span
        }
    };
    spans.push(end);
    let mut places: Vec<Place> = Vec::new();
    for place in spans.into_iter().map(|s| place(program, s)) {
        let same = |p: &Place| (&p.file, p.line) == (&place.file, place.line);
        if !places.last().is_some_and(same) {
            places.push(place);
        }
    }
    places
}
