//! `trellis bench pdr-forall`, `pdr-a`, `more`, `trees`: the rows of a suite with a PDR engine.

use std::io;
use std::path::{Path, PathBuf};

use trellis_certify::{Outcome, ProblemKind, Settings as Patience};
use trellis_driver::cpu::CpuTime;
use trellis_driver::{
    Budget, Options, PdrStatistics, Predicates, Progress, Settings, Task, Verdict, WordsSetting,
    select,
};
use trellis_program::{CheckKind, CheckSet, FrontEnd, Input, Unit};
use trellis_report::Exit;
use trellis_report::bench_pdr::{Certified, Certifier, Document, Paper, RowFigures, SolverFigures};
use trellis_session::solvers::path_of;
use trellis_session::{Chosen, FrontEnds, Provers, SolverChoice, SolverKind, Source, certificates};
use trellis_suites::pdr::{
    Expect, Figures as PaperFigures, Manifest, Measured as PaperMeasured, Row,
};

use crate::cli::{BenchPdr, Format};
use crate::output::Output;

/// One run of one row.
#[derive(Clone, Debug)]
pub struct Run {
    /// The verdict.
    pub verdict: &'static str,
    /// Why it is no other.
    pub reason: Option<String>,
    /// CPU time of everything, solver processes included.
    pub cpu: f64,
    /// Of this, running the machine before *verified* was said.
    pub machine: f64,
    /// What the engine counted.
    pub figures: PdrStatistics,
    /// Elements of the largest state of the counterexample: its heap objects, and null.
    pub elements: Option<usize>,
    /// What certifying the proof gave, where that was asked for.
    pub certified: Option<Certified>,
}

impl Run {
    /// Whether nothing was found wrong with the proof.
    fn is_certified(&self) -> bool {
        self.certified.as_ref().is_none_or(|c| c.outcome == Outcome::Certified.name())
    }
}

/// What a solver made of a row.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The solver.
    pub solver: SolverKind,
    /// The runs, by seed.
    pub runs: Vec<Run>,
}

impl Figures {
    /// The run with the median of the CPU times.
    pub fn median(&self) -> &Run {
        let mut order: Vec<&Run> = self.runs.iter().collect();
        order.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
        order[(order.len() - 1) / 2]
    }

    /// The figures of the median run for the report, beside those of the first solver.
    fn figures(&self, first: &Figures) -> SolverFigures {
        let run = self.median();
        let pdr = &run.figures;
        let checked = (run.verdict == "verified").then_some(pdr.check_seconds);
        let same = self.solver == first.solver;
        SolverFigures {
            solver: self.solver.to_string(),
            verdict: run.verdict,
            reason: run.reason.clone(),
            cpu_seconds: run.cpu,
            solver_seconds: pdr.solver_seconds,
            frames: pdr.frames,
            queries: pdr.queries,
            lemmas: pdr.lemmas,
            clauses: pdr.clauses,
            universal: pdr.universal,
            elements: run.elements,
            check_seconds: checked,
            machine_seconds: run.machine,
            limit: checked.filter(|s| *s > 0.0).map(|s| pdr.search_seconds / s),
            ratio: (!same).then(|| run.cpu / first.median().cpu.max(1e-9)),
            seeds: self.runs.iter().map(|r| r.cpu).collect(),
            certified: run.certified.clone(),
        }
    }

    /// Whether every run had this verdict.
    pub fn all(&self, verdict: &str) -> bool {
        self.runs.iter().all(|r| r.verdict == verdict)
    }
}

/// A row, and what every solver made of it.
pub struct Measured<'a> {
    /// The row.
    pub row: &'a Row,
    /// The engine.
    pub engine: &'a str,
    /// Whether it is another one than the row is about.
    pub other: bool,
    /// By solver, the embedded one first.
    pub solvers: Vec<Figures>,
}

impl Measured<'_> {
    /// Whether all seeds gave the verdict of the manifest, and every proof is certified. That an
    /// engine's language has no invariant does not keep another engine from a proof.
    pub fn as_expected(&self) -> bool {
        let (first, row) = (&self.solvers[0], self.row);
        let proved = row.expect == Expect::NoInvariant && self.other && first.all("verified");
        (first.all(expected(row)) || proved) && self.runs().all(Run::is_certified)
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.solvers.iter().flat_map(|s| &s.runs)
    }

    /// The row of the report.
    fn figures(&self) -> RowFigures {
        let row = self.row;
        let first = &self.solvers[0];
        RowFigures {
            name: row.name.clone(),
            variant: row.variant.to_string(),
            engine: self.engine.to_owned(),
            expect: expected(row),
            as_expected: self.as_expected(),
            solvers: self.solvers.iter().map(|s| s.figures(first)).collect(),
            paper: row.paper.as_ref().map(paper),
            note: row.note.clone(),
        }
    }
}

/// What the paper measured, for the report.
fn paper(figures: &PaperFigures) -> Paper {
    match figures {
        PaperFigures::Failed { outcome } => {
            Paper { outcome: Some(outcome.clone()), ..Paper::default() }
        }
        PaperFigures::Measured(PaperMeasured {
            seconds,
            frames,
            calls,
            clauses,
            forall,
            elements,
        }) => Paper {
            outcome: None,
            seconds: Some(*seconds),
            frames: Some(*frames),
            calls: Some(*calls),
            clauses: *clauses,
            universal: *forall,
            elements: *elements,
        },
    }
}

/// The verdict that a row expects.
pub fn expected(row: &Row) -> &'static str {
    match row.expect {
        Expect::Verified => "verified",
        Expect::Violated => "violated",
        Expect::NoInvariant => "no-invariant",
    }
}

/// Measures the rows of a suite.
pub fn bench(suite: &str, options: &BenchPdr, output: &mut Output) -> io::Result<Exit> {
    let folder = options.folder.clone().unwrap_or_else(|| PathBuf::from("benchmarks").join(suite));
    let manifest = match Manifest::load(&folder) {
        Ok(manifest) => manifest,
        Err(why) => {
            output.complain(&why);
            return Ok(Exit::BadInput);
        }
    };
    let wanted = |row: &&Row| {
        let name = options.rows.is_empty() || options.rows.contains(&row.name);
        let variant = row.variant.to_string();
        name && (options.variants.is_empty() || options.variants.contains(&variant))
    };
    let rows: Vec<&Row> = manifest.rows.iter().filter(wanted).collect();
    if rows.is_empty() {
        output.complain("no row of the suite has such a name and variant");
        return Ok(Exit::BadInput);
    }
    let mut exit = Exit::Good;
    let mut measured = Vec::new();
    for row in rows {
        let engine = options.engine.as_deref().unwrap_or_else(|| manifest.engine(row));
        match measure(&folder, &manifest, row, engine, options) {
            Ok(solvers) => {
                let other = engine != manifest.engine(row);
                measured.push(Measured { row, engine, other, solvers });
            }
            Err(why) => {
                output.complain(&format!("{}: {why}", row.name));
                exit = exit.and(Exit::BadInput);
            }
        }
    }
    if !measured.iter().all(Measured::as_expected) {
        exit = exit.and(Exit::Otherwise);
    }
    let rows = measured.iter().map(Measured::figures).collect();
    let document = Document::new(suite, rows, exit);
    match options.format {
        Format::Text => document.write_text(output.out())?,
        Format::Json => document.write_json(output.out())?,
    }
    Ok(exit)
}

/// Runs a row with every solver and seed.
fn measure(
    folder: &Path,
    manifest: &Manifest,
    row: &Row,
    engine: &str,
    bench: &BenchPdr,
) -> Result<Vec<Figures>, String> {
    let path = folder.join(&row.file);
    let front_ends = FrontEnds::default();
    let unit = front_ends
        .read(Input::File(&path))
        .map_err(|_| format!("{} cannot be read", path.display()))?;
    let proc = select::find(&unit.program, &row.proc).map_err(|e| e.message)?;
    // The papers' tables stop where the papers stop.
    let vocabulary =
        if manifest.paper.is_some() { WordsSetting::Basic } else { WordsSetting::Auto };
    let mut predicates = Predicates::default();
    predicates.user.clone_from(&row.predicates);
    let checks = checks(manifest, row)?;
    let strategy = bench.strategy.unwrap_or_default();
    let settings = Settings::default().with(vocabulary).with(strategy).with(predicates);
    let options = Options { checks, ..Options::default() };
    let budget = Budget { timeout: Some(bench.timeout), ..Budget::default() };
    let mut kinds = vec![SolverKind::Epr];
    kinds.extend(bench.solvers.iter().filter(|k| **k != SolverKind::Epr));
    let mut all = Vec::new();
    for solver in kinds {
        let mut runs = Vec::new();
        for seed in 0..bench.seeds.get() as u32 {
            let choice = SolverChoice {
                kind: solver,
                path: path_of(solver, &bench.paths),
                seed,
                ..SolverChoice::default()
            };
            let Chosen { plan, .. } = Chosen::new(engine, &settings, choice)
                .map_err(|why| format!("{why}; choose one with --engine"))?;
            // Every run pays for everything.
            let task = Task::new(&unit.program, proc, &options);
            let start = CpuTime::now();
            let result = plan.verify(&task, &budget, &Progress::default());
            let cpu = start.seconds();
            runs.push(Run {
                verdict: result.verdict.name(),
                reason: reason(&result.verdict),
                cpu,
                certified: certified(&unit, &path, front_ends.of(&path), &result.verdict, bench)?,
                machine: result.statistics.machine_seconds,
                figures: result.statistics.pdr.unwrap_or_default(),
                elements: elements(&result.verdict),
            });
        }
        all.push(Figures { solver, runs });
    }
    Ok(all)
}

/// Certifies a *verified*, from the file up, if that is wanted.
fn certified(
    unit: &Unit,
    source: &Path,
    front_end: &dyn FrontEnd,
    verdict: &Verdict,
    bench: &BenchPdr,
) -> Result<Option<Certified>, String> {
    let Verdict::Verified { evidence, .. } = verdict else { return Ok(None) };
    if bench.certify.is_empty() {
        return Ok(None);
    }
    let certificate =
        certificates::certificate(&Source::File(source.to_owned()), front_end, unit, evidence)
            .map_err(|e| format!("{}: {e}", source.display()))?;
    let provers = Provers::new(&bench.certify, &bench.paths, None, None);
    let budget = Budget { timeout: Some(bench.timeout), ..Budget::default() };
    let settings = Patience { time_per_question: bench.timeout, budget };
    let checked = trellis_certify::check(&unit.program, &certificate, &provers.list(), &settings);
    let report = match checked {
        Ok((report, _)) => report,
        // A solver that is missing or gives up costs this answer, not the table.
        Err(problem) if problem.kind == ProblemKind::Unsupported => {
            let outcome = Outcome::NotDecided.name();
            let list = provers.list();
            let idle =
                list.iter().map(|p| Certifier { solver: p.name.clone(), shown: 0, seconds: 0.0 });
            let solvers = idle.collect();
            return Ok(Some(Certified { outcome, conditions: 0, solvers }));
        }
        Err(problem) => return Err(problem.to_string()),
    };
    let solvers = report.work.iter().map(|work| Certifier {
        solver: work.solver.clone(),
        shown: work.shown,
        seconds: work.time.as_secs_f64(),
    });
    Ok(Some(Certified {
        outcome: report.outcome().name(),
        conditions: report.conditions,
        solvers: solvers.collect(),
    }))
}

/// The checks of a row: those of the suite on, those of its variant off.
fn checks(manifest: &Manifest, row: &Row) -> Result<CheckSet, String> {
    let mut checks = CheckSet::default();
    for name in &manifest.check {
        checks.set(name.parse::<CheckKind>()?, true);
    }
    for name in row.no_check() {
        checks.set(name.parse::<CheckKind>()?, false);
    }
    Ok(checks)
}

/// Elements of the largest state of a counterexample. The papers' states have null among them.
fn elements(verdict: &Verdict) -> Option<usize> {
    match verdict {
        Verdict::Violated(found) => Some(found.trace.most_heap_objects() + 1),
        _ => None,
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Verified { .. } | Verdict::Violated(_) => None,
        Verdict::NoInvariant { reason, .. } => Some(reason.clone()),
        Verdict::Unknown(reason) => Some(reason.to_string()),
    }
}
