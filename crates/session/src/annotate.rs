//! The invariants of verified procedures, written into their source, so that the next run only has
//! to check them.
//!
//! What an engine found is put into the contract language, part by part (`LoopInvariant::contract`);
//! where its evidence has no such form, `pdr-forall` is asked for clauses. Nobody believes these
//! texts: they are put into a copy of the source, which is read again like any other, and only parts
//! that are enough together stay ([`trellis_driver::stated`]). What is left must verify the
//! procedure by itself before it is written.
//!
//! * `edit`: where an invariant stands in a text

mod edit;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_certify::Evidence;
use trellis_driver::stated::{Sifted, sift};
use trellis_driver::{
    Budget, LoopInvariant, Options, PdrForall, Plan, Progress, SolverFactory, Stated, Task,
    UnknownReason, Verdict, select, verify_procedure,
};
use trellis_program::slice::slice;
use trellis_program::{ProcId, Program, Span, Unit, Work};

use crate::request::{Event, Request, Source};
use edit::{Proposal, Proposals, loops};

/// Most work of the engine that is asked where evidence has no form in the contract language.
const WORK: u64 = 5_000_000;
/// How often an engine is asked for what is missing.
const MOST_ROUNDS: usize = 3;
/// How often a text is read again without what nobody can read in it.
const MOST_READINGS: usize = 60;

/// What became of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Annotated {
    /// So many invariants at so many loops.
    Written {
        /// The loops.
        loops: usize,
        /// The invariants.
        invariants: usize,
    },
    /// It has no loop, or says all that is needed already.
    Nothing,
    /// It is left as it is; why, as a phrase.
    Left(String),
}

/// The invariants for one source, as they are found.
pub struct Annotator<'a> {
    request: &'a Request,
    source: Source,
    unit: Unit,
    solver: SolverFactory,
    proposals: Proposals,
    /// The procedures that were looked at, with their verdicts.
    answers: Vec<(String, &'static str)>,
}

impl<'a> Annotator<'a> {
    /// Nothing is found yet.
    pub fn new(request: &'a Request, source: &Source, unit: &Unit) -> Annotator<'a> {
        let make = request.engine.solvers.clone();
        let solver: SolverFactory = Arc::new(move || make.make());
        let (proposals, answers) = (Proposals::default(), Vec::new());
        let (source, unit) = (source.clone(), unit.clone());
        Annotator { request, source, unit, solver, proposals, answers }
    }

    /// Takes the invariants of an answer, if it has some that can be written. The result is about this
    /// program.
    pub fn add(&mut self, event: &Event<'_>) -> Annotated {
        let Event::Answered { program, report, evidence, invariants, .. } = event else {
            return Annotated::Nothing;
        };
        let name = &report.name;
        self.answers.push((name.clone(), report.verdict));
        let Some(evidence) = evidence else { return Annotated::Nothing };
        let states_all = report.engine == Stated::ENTRY.name;
        if states_all || !program.procs.iter().any(|p| !edit::heads(p).is_empty()) {
            return Annotated::Nothing;
        }
        match self.found(name, invariants, evidence) {
            Ok(found) => {
                let invariants = found.iter().map(|p| p.formulas.len()).sum();
                let loops = found.len();
                self.proposals.0.extend(found);
                Annotated::Written { loops, invariants }
            }
            Err(why) => Annotated::Left(why),
        }
    }

    /// What is to be written for a procedure.
    fn found(
        &self,
        name: &str,
        invariants: &[LoopInvariant],
        evidence: &Evidence,
    ) -> Result<Vec<Proposal>, String> {
        if self.unit.program.is_collected() {
            return Err("formulas of Java have another language".to_owned());
        }
        if !self.source.all().iter().all(|s| matches!(s, Source::File(_))) {
            return Err("what is no file cannot be written".to_owned());
        }
        let own = loops(&self.unit.program, select::find(&self.unit.program, name).ok());
        if own.is_empty() {
            return Err("its loops are in procedures that it calls".to_owned());
        }
        let mut why = match kind(evidence) {
            Some(kind) => format!("{kind} have no form in the contract language"),
            None => String::new(),
        };
        let mut own_words = edit::proposals(&self.unit.program, &own, invariants)?;
        if own_words.iter().any(|p| !p.formulas.is_empty()) {
            match self.settle(name, &mut own_words) {
                Ok(()) => return Ok(own_words),
                Err(other) => why = other,
            }
        }
        // Clauses are what contracts can say best.
        let clauses = self.clauses(&self.unit, name).ok_or(why)?;
        let mut proposals = edit::proposals(&self.unit.program, &own, &clauses)?;
        for _ in 0..MOST_ROUNDS {
            match self.settle(name, &mut proposals) {
                Ok(()) => return Ok(proposals),
                // What is kept may stand there; the engine finds what is missing in other words then.
                Err(why) => self.strengthen(name, &mut proposals).ok_or(why)?,
            }
        }
        self.settle(name, &mut proposals).map(|()| proposals)
    }

    /// Adds what `pdr-forall` finds out where some invariants stand already; nothing if it finds
    /// nothing new.
    fn strengthen(&self, name: &str, proposals: &mut [Proposal]) -> Option<()> {
        let (source, _) = self.proposals.with(proposals).apply(&self.source, &self.unit).ok()?;
        let unit = source.read(&self.request.front_ends).ok()?;
        let clauses = self.clauses(&unit, name)?;
        let loops = loops(&unit.program, select::find(&unit.program, name).ok());
        let same = loops.len() == proposals.len();
        (same && edit::add(proposals, &loops, &clauses)).then_some(())
    }

    /// The invariants that `pdr-forall` finds.
    fn clauses(&self, unit: &Unit, name: &str) -> Option<Vec<LoopInvariant>> {
        let (program, proc, options) = self.task(&unit.program, name)?;
        let engine = PdrForall { solver: self.solver.clone(), ..PdrForall::default() };
        let budget = Budget { work: Work::of(WORK), ..self.request.budget.clone() };
        let task = Task::new(&program, proc, &options);
        match verify_procedure(&engine, &task, &budget, &Progress::default()).verdict {
            Verdict::Verified { invariants, .. } => Some(invariants),
            _ => None,
        }
    }

    /// What a procedure is looked at with.
    fn task(&self, program: &Program, name: &str) -> Option<(Program, ProcId, Options)> {
        let (sliced, proc) = slice(program, select::find(program, name).ok()?);
        let options = Options { threads: 1, ..self.request.options.clone() };
        let options = options.of_language(&sliced);
        Some((sliced, proc, options))
    }

    /// Keeps of proposals what is enough, and no more; those that are kept by their loops, where they
    /// are not enough.
    ///
    /// # Errors
    /// Why they are not enough.
    fn settle(&self, name: &str, new: &mut Vec<Proposal>) -> Result<(), String> {
        for _ in 0..MOST_READINGS {
            let (source, written) = self.proposals.with(new).apply(&self.source, &self.unit)?;
            let first_new = self.proposals.0.len();
            let place = |program: &Program, span: Span| {
                let found = written.find(program, span)?;
                (found.0 >= first_new).then(|| (found.0 - first_new, found.1))
            };
            let unit = match source.read(&self.request.front_ends) {
                Ok(unit) => unit,
                Err(bad) => {
                    let sources = bad.sources.clone();
                    let at = |s: Span| written.find_in(&sources, s);
                    let bad_ones = bad.diagnostics.iter().filter_map(|d| at(d.span?));
                    let bad_ones: Vec<_> = bad_ones
                        .filter(|(p, _)| *p >= first_new)
                        .map(|(p, f)| (p - first_new, f))
                        .collect();
                    let said = bad.diagnostics.first().map(|d| d.message.clone());
                    edit::remove(new, &bad_ones).ok_or(said.unwrap_or_default())?;
                    continue;
                }
            };
            let Some((program, proc, options)) = self.task(&unit.program, name) else {
                return Err("it is gone".to_owned());
            };
            let task = Task::new(&program, proc, &options);
            let budget = self.request.budget.restart();
            let is_new = |span: Span| place(&program, span).is_some();
            match sift(&task, &budget, &self.solver, &is_new) {
                Ok(Sifted::Enough(spans)) => {
                    let kept: Vec<_> = spans.iter().filter_map(|s| place(&program, *s)).collect();
                    edit::keep(new, &kept);
                    return self.confirm(name, new);
                }
                Ok(Sifted::Kept(spans)) => {
                    let kept: Vec<_> = spans.iter().filter_map(|s| place(&program, *s)).collect();
                    edit::only(new, &kept);
                    return Err(
                        "what can be said in the contract language is not enough".to_owned()
                    );
                }
                Err(UnknownReason::Unsupported(places)) => {
                    let refused: Vec<_> =
                        places.iter().filter_map(|d| place(&program, d.span?)).collect();
                    let said = places.first().map(|d| d.message.clone()).unwrap_or_default();
                    edit::remove(new, &refused).ok_or(said)?;
                }
                Err(why) => return Err(why.to_string()),
            }
        }
        Err("too much of what was found cannot be said in the contract language".to_owned())
    }

    /// Whether what is to be written verifies the procedure without a search.
    fn confirm(&self, name: &str, new: &[Proposal]) -> Result<(), String> {
        let (source, _) = self.proposals.with(new).apply(&self.source, &self.unit)?;
        let unit = source.read(&self.request.front_ends).map_err(|_| "it cannot be read")?;
        let plan = Plan::of(Arc::new(Stated { solver: self.solver.clone() }));
        match self.verdict(&plan, &unit, name) {
            Some(Verdict::Verified { .. }) => Ok(()),
            Some(Verdict::Unknown(why)) => Err(why.to_string()),
            _ => Err("what was written is not confirmed".to_owned()),
        }
    }

    fn verdict(&self, plan: &Plan, unit: &Unit, name: &str) -> Option<Verdict> {
        let (program, proc, options) = self.task(&unit.program, name)?;
        let task = Task::new(&program, proc, &options);
        Some(plan.verify(&task, &self.request.budget, &Progress::default()).verdict)
    }

    /// How many invariants are to be written.
    pub fn written(&self) -> usize {
        self.proposals.0.iter().map(|p| p.formulas.len()).sum()
    }

    /// The files that change, with what they hold then. Procedures that call annotated ones are
    /// verified again before: their verdicts must be as they were.
    ///
    /// # Errors
    /// Why nothing should be written, as a sentence.
    pub fn texts(&self) -> Result<Vec<(PathBuf, String)>, String> {
        if self.proposals.0.is_empty() {
            return Ok(Vec::new());
        }
        let (source, _) = self.proposals.apply(&self.source, &self.unit)?;
        self.callers_agree(&source)?;
        let text = |part: &Source| match part {
            Source::Bytes { name, bytes } => {
                Some((PathBuf::from(name), String::from_utf8_lossy(bytes).into_owned()))
            }
            _ => None,
        };
        Ok(source.all().iter().filter_map(text).collect())
    }

    /// Writes what was found, into the files themselves or under their names into a folder; gives the
    /// files.
    ///
    /// # Errors
    /// Those of the file system. Inside: why nothing is written, as a sentence.
    pub fn write(&self, folder: Option<&Path>) -> io::Result<Result<Vec<PathBuf>, String>> {
        let texts = match self.texts() {
            Ok(texts) => texts,
            Err(why) => return Ok(Err(why)),
        };
        let mut written = Vec::new();
        for (file, text) in texts {
            let path = match folder {
                Some(folder) => folder.join(file.file_name().unwrap_or_default()),
                None => file,
            };
            let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
            if let Some(folder) = folder {
                std::fs::create_dir_all(folder).map_err(named)?;
            }
            std::fs::write(&path, text).map_err(named)?;
            written.push(path);
        }
        Ok(Ok(written))
    }

    /// Whether procedures that call annotated ones have their verdicts still.
    fn callers_agree(&self, source: &Source) -> Result<(), String> {
        let unit = source.read(&self.request.front_ends).map_err(|_| "it cannot be read")?;
        for (name, verdict) in &self.answers {
            let Some((program, proc, _)) = self.task(&unit.program, name) else { continue };
            let mut called =
                program.procs.iter().enumerate().filter(|(i, _)| *i != proc.0 as usize);
            let concerned = called.any(|(_, p)| !edit::heads(p).is_empty());
            if !concerned || *verdict == "unknown" {
                continue;
            }
            let now = self.verdict(&self.request.engine.plan, &unit, name);
            if now.is_none_or(|now| now.name() != *verdict) {
                return Err(format!(
                    "with the invariants of what it calls, `{name}` is not {verdict} any more"
                ));
            }
        }
        Ok(())
    }
}

/// What evidence consists of, if these are no clauses.
fn kind(evidence: &Evidence) -> Option<&'static str> {
    let Evidence { shapes, patterns, graphs, sequents, exhaustion, .. } = evidence;
    let kinds = [
        (shapes.is_some(), "shapes of lists"),
        (patterns.is_some(), "heap patterns"),
        (graphs.is_some(), "memory graphs"),
        (sequents.is_some(), "formulas of higher-order logic"),
        (exhaustion.is_some(), "states that were all visited"),
    ];
    kinds.into_iter().find(|(there, _)| *there).map(|(_, kind)| kind)
}
