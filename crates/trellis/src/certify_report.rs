//! What `trellis certify` prints: text for people, JSON for machines, from the same data.
//! `docs/src/schema/certify-1.json` describes the JSON; change them together.

use std::io;
use std::path::Path;

use serde::Serialize;
use trellis_certify::machine::{Held, Objection};
use trellis_certify::report::{Entry, Finding};
use trellis_certify::shapes;
use trellis_certify::{
    Certificate, Explanation, Outcome, Place, Report, Restored, Ruling, explain,
};
use trellis_epr::ProofFolder;
use trellis_front_c::Unit;
use trellis_program::print::print_formula;
use trellis_program::spec::{Assigns, Clause};
use trellis_program::{Assumptions, CheckKind, CheckSet, NoResult, ProcId, Program, Rejected};
use trellis_report::model::{DiagnosticReport, Tool};

use crate::cli::FrontEnd;
use crate::output::Output;

/// Name and version of the layout of [`Document`].
const SCHEMA: &str = "trellis-certify/1";

/// The document.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    tool: Tool,
    /// The exit code of the process.
    pub exit_code: u8,
    /// The file on the command line.
    certificate: String,
    /// Why the input could not be used.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What is claimed; absent when the certificate could not be read.
    claim: Option<Claim>,
    /// What in the source could not be followed.
    pub undecided: Option<String>,
    /// What was found; absent when nothing could be asked.
    pub found: Option<Found>,
}

/// What a certificate claims.
#[derive(Serialize)]
struct Claim {
    source: String,
    procedure: String,
    checks: Vec<String>,
    malloc_may_fail: bool,
    cut_points: usize,
    clauses: usize,
    /// The macros and folders of the command line, which the source was read with.
    defines: Vec<String>,
    include_dirs: Vec<String>,
    /// The clauses of the contract, as they stand in the source; empty until it was read.
    contract: Vec<String>,
    /// What is taken for granted, as phrases; empty until the source was read.
    assumptions: Vec<String>,
}

/// What was found.
#[derive(Serialize)]
pub struct Found {
    outcome: &'static str,
    conditions: usize,
    /// `possible`, `impossible` or `not-known`: whether the precondition can hold.
    entry: &'static str,
    /// The conditions that not every solver showed.
    open: Vec<Open>,
    solvers: Vec<Worked>,
    /// The proofs of the embedded solver, if they were asked for.
    proofs: Option<Proofs>,
    /// Concrete states of the shapes from which the machine was run, if there are shapes.
    shapes: Option<u64>,
    /// All states of the program, if they were visited.
    exhaustion: Option<u64>,
    /// What is wrong with the shapes or the states, or why they cannot be checked.
    objection: Option<String>,
    /// What the machine was run on; absent if the first leg did not hold.
    machine: Option<Machine>,
}

/// The second leg.
#[derive(Serialize)]
struct Machine {
    /// `held`, `contradicted` or `not-decided`.
    outcome: &'static str,
    /// As a sentence.
    text: String,
}

/// Proofs that were written and accepted by their checker.
#[derive(Serialize)]
struct Proofs {
    directory: String,
    accepted: usize,
}

/// A condition that not every solver showed.
#[derive(Serialize)]
struct Open {
    /// `initiation`, `consecution` or `safety`.
    kind: &'static str,
    outcome: &'static str,
    /// One sentence.
    text: String,
    /// The loop whose invariant should hold, or the check that should not fail.
    place: Place,
    /// The places of the path, in order.
    path: Vec<Place>,
    /// The clause of the invariant that fails, from one.
    clause: Option<usize>,
    /// The clause as a contract would say it.
    clause_text: Option<String>,
    /// The state at the path's beginning, line by line.
    state: Vec<String>,
    disagreement: bool,
    /// What every solver said.
    answers: Vec<Said>,
}

#[derive(Serialize)]
struct Said {
    solver: String,
    /// `holds`, `fails` or `unknown`.
    answer: &'static str,
    reason: Option<String>,
}

#[derive(Serialize)]
struct Worked {
    solver: String,
    shown: usize,
    seconds: f64,
}

impl Document {
    /// A document about a file that was not read yet.
    pub fn new(file: &Path) -> Document {
        Document {
            schema: SCHEMA,
            tool: Tool::default(),
            exit_code: 0,
            certificate: file.display().to_string(),
            diagnostics: Vec::new(),
            claim: None,
            undecided: None,
            found: None,
        }
    }

    /// The certificate was read.
    pub fn claim(&mut self, certificate: &Certificate, source: &Path, front_end: &FrontEnd) {
        self.claim = Some(Claim {
            source: source.display().to_string(),
            procedure: certificate.procedure.clone(),
            checks: certificate.checks.clone(),
            malloc_may_fail: certificate.malloc_may_fail,
            cut_points: certificate.cut_points.len(),
            clauses: certificate.clauses(),
            defines: front_end.defines.clone(),
            include_dirs: front_end.include_dirs.iter().map(|d| d.display().to_string()).collect(),
            contract: Vec::new(),
            assumptions: Vec::new(),
        });
    }

    /// The source was read.
    pub fn understood(&mut self, unit: &Unit, certificate: &Certificate) {
        let program = &unit.program;
        let (Some(claim), Some(proc)) =
            (&mut self.claim, program.find_proc(&certificate.procedure))
        else {
            return;
        };
        let mut checks = CheckSet::none();
        let kinds = certificate.checks.iter().filter_map(|name| name.parse().ok());
        kinds.for_each(|kind| checks.set(kind, true));
        let given = Assumptions::of(program, proc, checks, certificate.malloc_may_fail);
        claim.assumptions = given.phrases();
        claim.contract = contract(program, proc);
    }
}

/// The clauses of a contract in Trellis's own words.
fn contract(program: &Program, proc: ProcId) -> Vec<String> {
    let contract = &program.proc(proc).contract;
    let print = |word: &str, clause: &Clause| {
        format!("{word} {};", print_formula(program, proc, &clause.formula))
    };
    let mut lines: Vec<String> = contract.requires.iter().map(|c| print("requires", c)).collect();
    if let Assigns::Places(_, span) = contract.assigns {
        let written = program.sources.snippet(span).split_whitespace().collect::<Vec<_>>();
        lines.push(format!("assigns {};", written.join(" ").trim_end_matches(';')));
    }
    lines.extend(contract.ensures.iter().map(|c| print("ensures", c)));
    lines
}

impl Found {
    /// What a report says.
    pub fn new(report: &Report, restored: &Restored, proofs: Option<&ProofFolder>) -> Found {
        let open = report.findings.iter().filter(|f| f.outcome() != Outcome::Certified);
        Found {
            outcome: report.outcome().name(),
            conditions: report.conditions,
            entry: match report.entry {
                Entry::Possible => "possible",
                Entry::Impossible => "impossible",
                Entry::NotKnown => "not-known",
            },
            open: open.map(|f| Open::new(f, report, restored)).collect(),
            solvers: report
                .work
                .iter()
                .map(|w| Worked {
                    solver: w.solver.clone(),
                    shown: w.shown,
                    seconds: w.time.as_secs_f64(),
                })
                .collect(),
            proofs: proofs.map(|folder| Proofs {
                directory: folder.path().display().to_string(),
                accepted: folder.accepted(),
            }),
            shapes: None,
            exhaustion: None,
            objection: None,
            machine: None,
        }
    }

    /// What the checker of shapes says.
    pub fn of_shapes(program: &Program, checked: Result<shapes::Checked, Rejected>) -> Found {
        let (shapes, found) = Found::without_logic(program, checked.map(|c| c.states));
        Found { shapes, ..found }
    }

    /// What visiting all states comes to.
    pub fn of_exhaustion(program: &Program, checked: Result<u64, Rejected>) -> Found {
        let (exhaustion, found) = Found::without_logic(program, checked);
        Found { exhaustion, ..found }
    }

    /// A number of states, and what was found without conditions and solvers.
    fn without_logic(program: &Program, checked: Result<u64, Rejected>) -> (Option<u64>, Found) {
        let (outcome, states, objection) = match checked {
            Ok(states) => (Outcome::Certified, Some(states), None),
            Err(Rejected::Wrong(why)) => (Outcome::Refuted, None, Some(why)),
            Err(Rejected::Unjudged(why)) => {
                (Outcome::NotDecided, None, Some(unjudged(program, &why)))
            }
        };
        let found = Found {
            outcome: outcome.name(),
            conditions: 0,
            entry: "not-known",
            open: Vec::new(),
            solvers: Vec::new(),
            proofs: None,
            shapes: None,
            exhaustion: None,
            objection,
            machine: None,
        };
        (states, found)
    }

    /// What the second leg says. A contradiction is our bug, so nothing is decided then.
    pub fn on_machine(&mut self, program: &Program, second: Result<Held, Objection>) {
        let (outcome, text) = match second {
            Ok(held) => ("held", held.to_string()),
            Err(Rejected::Wrong(found)) => ("contradicted", found.describe(program)),
            Err(Rejected::Unjudged(why)) => ("not-decided", unjudged(program, &why)),
        };
        if outcome != "held" {
            self.outcome = Outcome::NotDecided.name();
        }
        self.machine = Some(Machine { outcome, text });
    }

    /// How it ended.
    pub fn outcome(&self) -> Outcome {
        let all = [Outcome::Certified, Outcome::Refuted];
        all.into_iter().find(|o| o.name() == self.outcome).unwrap_or(Outcome::NotDecided)
    }
}

impl Open {
    fn new(finding: &Finding, report: &Report, restored: &Restored) -> Open {
        let Explanation { text, place, path, clause, state } = explain(restored, finding);
        let answers = finding.rulings.iter().zip(&report.work).map(|(ruling, work)| {
            let (answer, reason) = match ruling {
                Ruling::Holds => ("holds", None),
                Ruling::Fails(_) => ("fails", None),
                Ruling::Unknown(why) => ("unknown", Some(why.clone())),
            };
            Said { solver: work.solver.clone(), answer, reason }
        });
        let (clause, clause_text) = clause.unzip();
        Open {
            kind: finding.kind.name(),
            outcome: finding.outcome().name(),
            text,
            place,
            path,
            clause,
            clause_text,
            state,
            disagreement: finding.disagreement(),
            answers: answers.collect(),
        }
    }
}

/// Prints the document for people.
pub fn print_text(document: &Document, output: &mut Output) -> io::Result<()> {
    let out = output.out();
    let Some(claim) = &document.claim else {
        let why = document.undecided.as_deref().unwrap_or("nothing was asked");
        return writeln!(out, "{}: not decided\n  {why}", document.certificate);
    };
    let head = format!("{} in {}", claim.procedure, claim.source);
    let Some(found) = &document.found else {
        let why = document.undecided.as_deref().unwrap_or("nothing was asked");
        writeln!(out, "{head}: not decided")?;
        writeln!(out, "  {why}")?;
        return print_claim(claim, out);
    };
    writeln!(out, "{head}: {}", found.outcome.replace('-', " "))?;
    match (found.shapes, found.exhaustion) {
        (Some(states), _) => {
            writeln!(out, "  shapes of lists, tried with {}", count(states as usize, "state"))?
        }
        (None, Some(states)) => writeln!(out, "  all {} visited", count(states as usize, "state"))?,
        (None, None) if found.objection.is_some() => {}
        (None, None) => writeln!(
            out,
            "  {} for {} at {}",
            count(found.conditions, "condition"),
            count(claim.clauses, "clause"),
            count(claim.cut_points, "loop")
        )?,
    }
    if let Some(why) = &found.objection {
        writeln!(out, "  {why}")?;
    }
    print_claim(claim, out)?;
    if found.entry == "impossible" {
        writeln!(out, "  note: the precondition never holds, so there is nothing to prove")?;
    }
    for solver in &found.solvers {
        let shown = count(solver.shown, "condition");
        writeln!(out, "  {} showed {shown} in {:.2} s", solver.solver, solver.seconds)?;
    }
    if let Some(proofs) = &found.proofs {
        let accepted = count(proofs.accepted, "solver proof");
        writeln!(out, "  {accepted} in {}, accepted by the checker", proofs.directory)?;
    }
    if let Some(machine) = &found.machine {
        let head = match machine.outcome {
            "held" => "held on the machine",
            "contradicted" => "internal error: the machine contradicts what was shown",
            _ => "not tried on the machine",
        };
        writeln!(out, "  {head}: {}", machine.text)?;
    }
    if let Some(why) = &document.undecided {
        writeln!(out, "  {why}; not all conditions were looked at")?;
    }
    for open in &found.open {
        print_open(open, out)?;
    }
    Ok(())
}

/// What is proved, and under which conditions: everything that the file could have chosen.
fn print_claim(claim: &Claim, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "  checks: {}", claim.checks.join(", "))?;
    let off = |kind: &CheckKind| !claim.checks.iter().any(|c| c == kind.name());
    let off: Vec<&str> = CheckSet::default().iter().filter(off).map(|kind| kind.name()).collect();
    if !off.is_empty() {
        writeln!(out, "  not checked: {}", off.join(", "))?;
    }
    if claim.malloc_may_fail {
        writeln!(out, "  malloc may fail")?;
    }
    match claim.contract.is_empty() {
        true => writeln!(out, "  contract: none")?,
        false => writeln!(out, "  contract: {}", claim.contract.join(" "))?,
    }
    if !claim.defines.is_empty() {
        writeln!(out, "  macros: {}", claim.defines.join(", "))?;
    }
    if !claim.include_dirs.is_empty() {
        writeln!(out, "  headers also from: {}", claim.include_dirs.join(", "))?;
    }
    writeln!(out, "  assumes: {}", claim.assumptions.join("; "))
}

fn print_open(open: &Open, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "{}: {}", open.kind, open.text)?;
    let file = &open.place.file;
    let steps: Vec<String> = open
        .path
        .iter()
        .map(
            |p| if p.file == *file { p.line.to_string() } else { format!("{}:{}", p.file, p.line) },
        )
        .collect();
    writeln!(out, "  lines {}", steps.join(" → "))?;
    if let (Some(number), Some(text)) = (open.clause, &open.clause_text) {
        writeln!(out, "  clause {number}: {text}")?;
    }
    if open.disagreement {
        writeln!(out, "  the solvers disagree: one of them is wrong")?;
    }
    for said in &open.answers {
        match &said.reason {
            Some(why) => writeln!(out, "  {}: {}: {why}", said.solver, said.answer)?,
            None => writeln!(out, "  {}: {}", said.solver, said.answer)?,
        }
    }
    if !open.state.is_empty() {
        writeln!(out, "  before:")?;
    }
    for line in &open.state {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// Why nothing could be told, with its place.
fn unjudged(program: &Program, why: &NoResult) -> String {
    match why {
        NoResult::Refused(refusal) => {
            format!("{}: {}", program.sources.locate(refusal.span), refusal.reason)
        }
        why => why.to_string(),
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
