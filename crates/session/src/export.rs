//! The sequents of a procedure as files, for provers and for people.
//!
//! With the invariants of a proof by provers they are what was shown; without, they are made from
//! what types, the precondition and the user state of loops, and some of them may not hold.

use std::io;
use std::path::Path;

use trellis_certify::Evidence;
use trellis_program::{CheckSet, InlineLimits, ProcId, Program, inline};
use trellis_provers::Question;
use trellis_provers::export::Format;
use trellis_sequents::{Candidate, Conditions, Sequent};

/// What came of an export.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Files written.
    pub files: usize,
    /// Sequents that the language cannot say.
    pub unsaid: usize,
    /// Why there are none, if the procedure cannot be followed.
    pub refused: Option<String>,
}

/// Writes the sequents of a procedure into a folder, which is made if need be.
///
/// # Errors
/// Those of the file system.
pub fn export(
    program: &Program,
    proc: ProcId,
    checks: CheckSet,
    evidence: Option<&Evidence>,
    format: Format,
    folder: &Path,
) -> io::Result<Exported> {
    let mut exported = Exported::default();
    let (mut conditions, invariant) = match prepared(program, proc, checks, evidence) {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(Exported { refused: Some(reason), ..exported }),
    };
    std::fs::create_dir_all(folder)?;
    let name: String = program.proc(proc).name.chars().map(plain).collect();
    for (what, sequent) in sequents(program, &mut conditions, &invariant) {
        let title = format!("{name}_{}", exported.files + exported.unsaid + 1);
        let question = Question { sequent: &sequent, symbols: &conditions.signature.symbols };
        match format.write(&question, &title, &what) {
            Some(text) => {
                let file = folder.join(format!("{title}.{}", format.extension()));
                std::fs::write(file, text)?;
                exported.files += 1;
            }
            None => exported.unsaid += 1,
        }
    }
    Ok(exported)
}

fn plain(c: char) -> char {
    if c.is_ascii_alphanumeric() { c } else { '_' }
}

type Prepared = (Conditions, Vec<Vec<Candidate>>);

/// The conditions of a procedure, with an invariant for every loop.
fn prepared(
    program: &Program,
    proc: ProcId,
    checks: CheckSet,
    evidence: Option<&Evidence>,
) -> Result<Prepared, String> {
    let inlined = inline(program, proc, InlineLimits::default()).map_err(|refusals| {
        refusals.first().map_or_else(String::new, |refusal| refusal.reason.clone())
    })?;
    let checks = program.meaningful(checks);
    let mut conditions =
        Conditions::new(&inlined.program, inlined.proc, checks).map_err(|refusal| {
            format!("{} ({})", refusal.reason, program.sources.locate(refusal.span))
        })?;
    let found = evidence.and_then(|e| e.sequents.as_ref());
    let invariant = match found {
        Some(sequents) => sequents.restore(&mut conditions).map_err(|problem| problem.message)?,
        None => (0..conditions.locations.len())
            .map(|i| if i == 0 { Vec::new() } else { conditions.given(i) })
            .collect(),
    };
    Ok((conditions, invariant))
}

/// All sequents, each with what it is about.
fn sequents(
    program: &Program,
    conditions: &mut Conditions,
    invariant: &[Vec<Candidate>],
) -> Vec<(String, Sequent)> {
    let mut all = Vec::new();
    for from in 0..conditions.locations.len() {
        let known: Vec<&Candidate> = invariant[from].iter().collect();
        let runs = conditions.locations[from].runs.clone();
        for (i, arrival) in runs.arrivals.iter().enumerate() {
            let Some(to) = conditions.location(arrival.head) else { continue };
            let place = program.sources.locate(conditions.locations[to].span);
            for candidate in &invariant[to] {
                let goal = conditions.at_arrival(&candidate.term, from, i);
                let what = format!("{place}: at the loop: {}", conditions.show(candidate));
                let parts = conditions.sequents(from, &known, &arrival.hypotheses, &goal);
                all.extend(parts.into_iter().map(|s| (what.clone(), s)));
            }
        }
        for open in &runs.demands {
            let what = format!("{}: {}", program.sources.locate(open.span), open.kind.name());
            let parts = conditions.sequents(from, &known, &open.hypotheses, &open.goal);
            all.extend(parts.into_iter().map(|s| (what.clone(), s)));
        }
    }
    all
}
