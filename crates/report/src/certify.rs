//! What `trellis certify` prints: text for people, JSON for machines, from the same data.
//! `docs/src/schema/certify-1.json` describes the JSON; change them together.

mod text;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use trellis_certify::machine::{Held, Objection};
use trellis_certify::report::{Entry, Finding};
use trellis_certify::{
    Certificate, Explanation, Outcome, Place, Report, Restored, Ruling, explain,
};
use trellis_certify::{graphs, patterns, sequents, shapes};
use trellis_program::print::print_formula;
use trellis_program::spec::{Assigns, Promise};
use trellis_program::{Assumptions, CheckSet, NoResult, ProcId, Program, Rejected, Setting};

use crate::model::{DiagnosticReport, Tool};

pub use text::write_text;

/// Name and version of the layout of [`Document`].
pub const CERTIFY_SCHEMA: &str = "trellis-certify/1";

/// The document.
#[derive(Clone, Debug, Serialize)]
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
    claim: Option<Claimed>,
    /// What in the source could not be followed.
    pub undecided: Option<String>,
    /// What was found; absent when nothing could be asked.
    pub found: Option<Found>,
}

/// What a certificate claims.
#[derive(Clone, Debug, Serialize)]
struct Claimed {
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
#[derive(Clone, Debug, Serialize)]
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
    /// Cases of the patterns from which the machine was run, if there are patterns.
    patterns: Option<u64>,
    /// Memory graphs that were followed from loop to loop, if there are graphs.
    graphs: Option<u64>,
    /// All states of the program, if they were visited.
    exhaustion: Option<u64>,
    /// What is wrong with the shapes, the patterns or the states, or why they cannot be checked.
    objection: Option<String>,
    /// What the machine was run on; absent if the first leg did not hold.
    machine: Option<Machine>,
}

/// The second leg.
#[derive(Clone, Debug, Serialize)]
struct Machine {
    /// `held`, `contradicted` or `not-decided`.
    outcome: &'static str,
    /// As a sentence.
    text: String,
}

/// Proofs of a solver that were written and accepted by their checker.
#[derive(Clone, Debug, Serialize)]
pub struct Proofs {
    /// Where they are.
    pub directory: String,
    /// How many.
    pub accepted: usize,
}

/// A condition that not every solver showed.
#[derive(Clone, Debug, Serialize)]
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

#[derive(Clone, Debug, Serialize)]
struct Said {
    solver: String,
    /// `holds`, `fails` or `unknown`.
    answer: &'static str,
    reason: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct Worked {
    solver: String,
    shown: usize,
    seconds: f64,
}

impl Document {
    /// A document about a file that was not read yet.
    pub fn new(file: &Path) -> Document {
        Document {
            schema: CERTIFY_SCHEMA,
            tool: Tool::default(),
            exit_code: 0,
            certificate: file.display().to_string(),
            diagnostics: Vec::new(),
            claim: None,
            undecided: None,
            found: None,
        }
    }

    /// The certificate was read; the source is read with these settings of the user.
    pub fn claim(&mut self, certificate: &Certificate, source: &Path, settings: &[Setting]) {
        let values = |name: &str| {
            let setting = settings.iter().find(|s| s.name == name);
            setting.map(|s| s.values.clone()).unwrap_or_default()
        };
        self.claim = Some(Claimed {
            source: source.display().to_string(),
            procedure: certificate.procedure.clone(),
            checks: certificate.checks.clone(),
            malloc_may_fail: certificate.malloc_may_fail,
            cut_points: certificate.loops(),
            clauses: certificate.clauses(),
            defines: values("define"),
            include_dirs: values("include"),
            contract: Vec::new(),
            assumptions: Vec::new(),
        });
    }

    /// The source was read.
    pub fn understood(&mut self, program: &Program, certificate: &Certificate) {
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
    let print = |word: &str, clause: &Promise| {
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
    pub fn new(report: &Report, restored: &Restored, proofs: Option<Proofs>) -> Found {
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
            proofs,
            shapes: None,
            patterns: None,
            graphs: None,
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

    /// What the checker of patterns says.
    pub fn of_patterns(program: &Program, checked: Result<patterns::Checked, Rejected>) -> Found {
        let (patterns, found) = Found::without_logic(program, checked.map(|c| c.states));
        Found { patterns, ..found }
    }

    /// What following the graphs of an invariant comes to.
    pub fn of_graphs(program: &Program, checked: Result<graphs::Checked, Rejected>) -> Found {
        let (graphs, found) = Found::without_logic(program, checked.map(|c| c.graphs as u64));
        Found { graphs, ..found }
    }

    /// What provers say of the sequents of an invariant.
    pub fn of_sequents(
        program: &Program,
        checked: Result<sequents::Checked, Rejected>,
        seconds: &dyn Fn(&str) -> f64,
    ) -> Found {
        let shown = checked.as_ref().map(|c| c.shown.clone()).unwrap_or_default();
        let mut by: BTreeMap<String, usize> = BTreeMap::new();
        for name in shown.iter().flat_map(|s| s.by.split(", ")) {
            *by.entry(name.to_owned()).or_default() += 1;
        }
        let solvers = by.into_iter().map(|(solver, shown)| {
            let seconds = seconds(&solver);
            Worked { solver, shown, seconds }
        });
        let (_, found) = Found::without_logic(program, checked.map(|_| 0));
        Found { conditions: shown.len(), solvers: solvers.collect(), ..found }
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
            patterns: None,
            graphs: None,
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

/// Why nothing could be told, with its place.
fn unjudged(program: &Program, why: &NoResult) -> String {
    match why {
        NoResult::Refused(refusal) => {
            format!("{}: {}", program.sources.locate(refusal.span), refusal.reason)
        }
        why => why.to_string(),
    }
}
