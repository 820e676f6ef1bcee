//! From a source to a game.

use std::sync::Arc;

use trellis_certify::digest;
use trellis_driver::explore::machine_options;
use trellis_driver::{Options, Selection, Task, select};
use trellis_program::slice::slice;
use trellis_program::{Diagnostic, Failure, InlineLimits, NoResult, Refusal, inline};
use trellis_proveit::game::Game as Played;

use super::play::Play;
use super::question::budget;
use super::{Game, Patience};
use crate::front_ends::FrontEnds;
use crate::request::Source;

/// What to play.
pub struct GameRequest<'a> {
    /// What to read.
    pub source: &'a Source,
    /// How to read it.
    pub front_ends: &'a FrontEnds,
    /// The procedure; by default `main`, or the first with a contract, or the first.
    pub procedure: Option<&'a str>,
    /// What is checked.
    pub options: Options,
    /// A few words; by default the procedure.
    pub title: Option<&'a str>,
    /// Begin every drawing with one heap as it is, not with what the examples have in common.
    pub small_start: bool,
    /// How long opening may take.
    pub patience: Patience,
}

/// Begins a game.
///
/// # Errors
/// Why the source cannot be played, with the place.
pub fn open(request: &GameRequest<'_>) -> Result<Box<dyn Game>, Failure> {
    let unit = request.source.read(request.front_ends)?;
    let sources = unit.program.sources.clone();
    let wrong = |diagnostics: Vec<Diagnostic>| Failure { sources: sources.clone(), diagnostics };
    let selection = match request.procedure {
        Some(name) => Selection::Named(vec![name.to_owned()]),
        None => Selection::Promising,
    };
    let all = select::select(&unit.program, &selection).map_err(&wrong)?;
    let main = all.iter().find(|p| unit.program.proc(**p).name == "main").or(all.first());
    let Some(&proc) = main else {
        return Err(wrong(vec![Diagnostic::plain_error("the file has no procedure to play")]));
    };
    let (program, proc) = slice(&unit.program, proc);
    let refused = |refusal: Refusal| {
        let message = format!("the pattern game cannot follow this: {}", refusal.reason);
        wrong(vec![Diagnostic::error(refusal.span, message)])
    };
    let inlined = inline(&program, proc, InlineLimits::default()).map_err(|all| {
        let none = || Refusal::at(program.proc(proc).span, "calls that cannot be replaced");
        refused(all.into_iter().next().unwrap_or_else(none))
    })?;
    let machine = machine_options(&Task::new(&program, proc, &request.options));
    let engine = Played::open(&inlined.program, inlined.proc, machine, &budget(&request.patience));
    let engine = engine.map_err(|why| match why {
        NoResult::Refused(refusal) => refused(refusal),
        NoResult::Stopped(_) => wrong(vec![Diagnostic::error(
            program.proc(proc).span,
            "the game could not be opened in time",
        )]),
        NoResult::GaveUp(why) => wrong(vec![Diagnostic::error(program.proc(proc).span, why)]),
    })?;
    let name = program.proc(proc).name.clone();
    let text = &program.sources.file(program.proc(proc).span.file).text;
    let fingerprint = digest(format!("{name}\n{:?}\n{text}", request.options).as_bytes());
    let play = Play {
        title: request.title.unwrap_or(&name).to_owned(),
        file: request.source.path().display().to_string(),
        program,
        proc,
        options: request.options.clone(),
        fingerprint,
        engine: Arc::new(engine),
        asked: None,
        small_start: request.small_start,
        drawn: Default::default(),
        order: Vec::new(),
        accepted: 0,
        ended: None,
    };
    Ok(Box::new(play.begun()))
}
