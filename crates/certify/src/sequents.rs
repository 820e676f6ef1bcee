//! Invariants of higher-order logic, shown by provers.
//!
//! The file names the parts of an invariant at every loop: what types say, a clause of the
//! precondition, an invariant that the user states, a clause of tracked predicates. All of them are
//! in the source, so they are found there again, and no formula is read from the file. Who has shown
//! what is for people; the check asks provers of its own about everything.

use serde::{Deserialize, Serialize};
use trellis_logic::Budget;
use trellis_program::{InlineLimits, NoResult, Program, Refusal, Rejected, inline};
use trellis_provers::Team;
use trellis_provers::conditions::{Inquiry, NotShown, Shown};
use trellis_sequents::{Candidate, Conditions, What};

use crate::certificate::{Certificate, Place};
use crate::make::place;
use crate::restore::{Problem, ProblemKind, find as find_proc, options};

/// An invariant, and who has shown it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sequents {
    /// One for every loop.
    pub loops: Vec<Loop>,
    /// Who has shown what; for people.
    pub shown: Vec<ShownBy>,
}

/// A loop with its invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loop {
    /// The loop's condition; for people.
    pub place: Place,
    /// The block of the heap program that begins there, calls replaced.
    pub block: u32,
    /// All of these hold whenever the block begins.
    pub parts: Vec<Part>,
}

/// A part of an invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What counts.
    pub what: PartKind,
    /// For people.
    pub text: String,
}

/// What a part is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PartKind {
    /// What types say of a part of the state.
    Typing(String),
    /// A clause of the precondition.
    Requires(usize),
    /// An invariant that the user states at the loop.
    Stated(usize),
    /// Something that can be read off the procedure.
    Inferred(String),
    /// Tracked predicates, one of which holds (or, with a `~`, does not) of every object.
    Clause(Vec<String>),
}

/// Who has shown what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownBy {
    /// What.
    pub what: String,
    /// The provers.
    pub by: String,
}

/// More parts, loops or lines than this are none of ours.
pub const MOST_PARTS: usize = 10_000;

impl Sequents {
    /// Of an invariant.
    pub fn new(
        program: &Program,
        conditions: &Conditions,
        invariant: &[Vec<Candidate>],
        shown: &[Shown],
    ) -> Sequents {
        let part = |c: &Candidate| {
            let what = match &c.what {
                What::Typing(name) => PartKind::Typing(name.clone()),
                What::Requires(n) => PartKind::Requires(*n),
                What::Stated(n) => PartKind::Stated(*n),
                What::Inferred(text) => PartKind::Inferred(text.clone()),
                What::Clause(literals) => PartKind::Clause(
                    literals
                        .iter()
                        .map(|(i, positive)| {
                            let name = &conditions.tracked[*i].name;
                            if *positive { name.clone() } else { format!("~{name}") }
                        })
                        .collect(),
                ),
            };
            Part { what, text: conditions.show(c) }
        };
        let loops = conditions.locations.iter().zip(invariant).skip(1);
        Sequents {
            loops: loops
                .map(|(l, parts)| Loop {
                    place: place(program, l.span),
                    block: l.block.0,
                    parts: parts.iter().map(part).collect(),
                })
                .collect(),
            shown: shown
                .iter()
                .map(|s| ShownBy { what: s.what.clone(), by: s.by.clone() })
                .collect(),
        }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.loops.iter().map(|l| l.parts.len()).sum()
    }

    /// The invariant at every cut point, found in the source.
    ///
    /// # Errors
    /// If the source does not have a part of it.
    pub fn restore(&self, conditions: &mut Conditions) -> Result<Vec<Vec<Candidate>>, Problem> {
        let wrong = |message: String| Problem { kind: ProblemKind::Certificate, message };
        let mut all = vec![Vec::new(); conditions.locations.len()];
        for l in &self.loops {
            let location = conditions.locations.iter().skip(1).position(|o| o.block.0 == l.block);
            let Some(location) = location.map(|i| i + 1) else {
                return Err(wrong(format!("block {} is no loop", l.block)));
            };
            let mut given = conditions.given(location);
            if l.parts.iter().any(|p| matches!(p.what, PartKind::Inferred(_))) {
                given.extend(conditions.inferred(location));
            }
            for part in &l.parts {
                let found = match &part.what {
                    PartKind::Typing(name) => find(&given, &What::Typing(name.clone())),
                    PartKind::Requires(n) => find(&given, &What::Requires(*n)),
                    PartKind::Stated(n) => find(&given, &What::Stated(*n)),
                    PartKind::Inferred(text) => find(&given, &What::Inferred(text.clone())),
                    PartKind::Clause(names) => clause(conditions, names),
                };
                match found {
                    Some(candidate) => all[location].push(candidate),
                    None => {
                        return Err(wrong(format!("the source has nothing like {:?}", part.what)));
                    }
                }
            }
        }
        Ok(all)
    }
}

fn find(given: &[Candidate], what: &What) -> Option<Candidate> {
    given.iter().find(|c| c.what == *what).cloned()
}

fn clause(conditions: &mut Conditions, names: &[String]) -> Option<Candidate> {
    let literal = |text: &String| {
        let (name, positive) = match text.strip_prefix('~') {
            Some(name) => (name, false),
            None => (text.as_str(), true),
        };
        let i = conditions.tracked.iter().position(|t| t.name == name)?;
        Some((i, positive))
    };
    let literals: Option<Vec<_>> = names.iter().map(literal).collect();
    conditions.clause(&literals?)
}

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Parts of the invariant.
    pub parts: usize,
    /// Who has shown what this time.
    pub shown: Vec<Shown>,
}

/// Checks a certificate from the source up, with provers of one's own. Nothing is ever refuted: that
/// a prover finds no proof means nothing.
///
/// # Errors
/// If the certificate does not fit the program.
pub fn check_certificate(
    program: &Program,
    certificate: &Certificate,
    sequents: &Sequents,
    team: &Team,
    budget: &Budget,
) -> Result<Result<Checked, Rejected>, Problem> {
    let checks = program.meaningful(options(certificate)?.checks);
    let proc = find_proc(program, &certificate.procedure)?;
    let none = || Refusal::at(program.proc(proc).span, "calls that cannot be replaced");
    let inlined = match inline(program, proc, InlineLimits::default()) {
        Ok(inlined) => inlined,
        Err(refusals) => {
            return Ok(Err(refusals.into_iter().next().unwrap_or_else(none).into()));
        }
    };
    let mut conditions = match Conditions::new(&inlined.program, inlined.proc, checks) {
        Ok(conditions) => conditions,
        Err(refusal) => return Ok(Err(refusal.into())),
    };
    let invariant = sequents.restore(&mut conditions)?;
    let shown = (Inquiry { conditions: &mut conditions, team, budget }).prove(&invariant);
    Ok(match shown {
        Ok(shown) => Ok(Checked { parts: sequents.parts(), shown }),
        Err(why) => Err(not_shown(program, why).into()),
    })
}

/// Why nothing was shown, in words.
pub fn not_shown(program: &Program, why: NotShown) -> NoResult {
    match why {
        NotShown::Stopped(reason) => reason.into(),
        NotShown::Part(text) => {
            NoResult::GaveUp(format!("no prover has shown that this is kept: {text}"))
        }
        NotShown::Check(check) => {
            let (kind, place) = (check.kind.name(), program.sources.locate(check.span));
            NoResult::GaveUp(format!("no prover has shown the check `{kind}` at {place}"))
        }
    }
}
