//! What a request would look at, without looking: programs, procedures, the keys of their answers.
//!
//! Whoever shares the work of one request between machines lists it first, lets each verify some of
//! it, and puts the answers together in the order of the list. So both ask the same code what there is
//! to do ([`crate::verify()`]).

use std::borrow::Cow;
use std::convert::Infallible;

use serde::Serialize;
use trellis_program::{Failure, Unit};
use trellis_report::build;
use trellis_report::model::DiagnosticReport;

use crate::pipeline::Stages as _;
use crate::request::{Request, Source};
use crate::side_by_side;
use crate::verify::{Line, Opened, Work, no_procedure, unusable};

/// A program of a request.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// As in the report.
    pub file: String,
    /// The other files of the program.
    pub linked: Vec<String>,
    /// Whether it can be verified: it can be read, and has something to look at.
    pub usable: bool,
    /// What is to be said before any procedure is looked at.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What would be looked at, in this order.
    pub procedures: Vec<ListedProcedure>,
    /// As in the report.
    pub not_looked_at: Vec<String>,
}

/// A procedure of a program.
#[derive(Clone, Debug, Serialize)]
pub struct ListedProcedure {
    /// Its name.
    pub name: String,
    /// A digest of all that its answer depends on; none if answers are not kept, or keys are not wanted.
    pub key: Option<String>,
    /// Whether the store has its answer.
    pub known: bool,
}

/// What a request would look at in a source that was read, without keys.
pub fn list_one(request: &Request, source: &Source, unit: Result<&Unit, &Failure>) -> Listed {
    let work = unit.map(|unit| Work::new(request, source, Cow::Borrowed(unit)));
    listed(source, work.as_ref().map_err(|bad| *bad), false)
}

/// Lists what a request would look at.
pub fn list(request: &Request) -> Vec<Listed> {
    let line = Line::new(request);
    let numbers: Vec<usize> = (0..request.sources.len()).collect();
    let work = |&number: &usize| {
        let Opened { source, work, .. } = line.open(number);
        listed(source, work.as_ref(), true)
    };
    let mut all = Vec::new();
    let Ok(()) = side_by_side::in_order(&numbers, request.options.threads, work, |listed| {
        all.push(listed);
        Ok::<(), Infallible>(())
    });
    all
}

fn listed(source: &Source, work: Result<&Work<'_>, &Failure>, keys: bool) -> Listed {
    let work = match work {
        Ok(work) => work,
        Err(bad) => {
            let report = unusable(source, bad);
            return Listed {
                file: report.file,
                linked: report.linked,
                usable: false,
                diagnostics: report.diagnostics,
                procedures: Vec::new(),
                not_looked_at: Vec::new(),
            };
        }
    };
    let unit = work.unit();
    let chosen = work.procedures();
    let sources = &unit.program.sources;
    let nothing = work.nothing(&chosen);
    let mut diagnostics = unit.diagnostics.clone();
    diagnostics.extend(nothing.then(|| no_procedure(source)));
    let procedures = chosen.iter().map(|&proc| {
        let name = unit.program.proc(proc).name.clone();
        let key = keys.then(|| work.key(proc, chosen.len())).flatten();
        let (key, known) = key.unzip();
        ListedProcedure { name, key, known: known.unwrap_or(false) }
    });
    Listed {
        file: source.path().display().to_string(),
        linked: source.linked(),
        usable: !nothing,
        diagnostics: diagnostics.iter().map(|d| build::diagnostic(sources, d)).collect(),
        procedures: procedures.collect(),
        not_looked_at: work.not_looked_at(&chosen),
    }
}
