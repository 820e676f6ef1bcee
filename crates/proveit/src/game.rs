//! The game: a person is the oracle (*Heap Interpolant Synthesis*, chapter 6).
//!
//! A game is a procedure and the answers given so far. The search is deterministic, so nothing else
//! has to be kept: whoever wants to know how the game stands plays all answers back
//! ([`Recorded`]), and the first question without an answer is the open one. Saving is writing the
//! answers down, and resuming is playing them.
//!
//! **Invariant:** a game never says *verified* by itself; whoever shows it has the labels checked
//! without the engine first.

mod why;

pub use why::{How, Trouble};

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::Budget;
use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Label, Pattern};
use trellis_patterns::program::Op;
use trellis_program::concrete::MachineOptions;
use trellis_program::{CheckKind, NoResult, ProcId, Program, Refusal, Span};

use crate::analyse::refine;
use crate::examples::{Crash, Examples, Implication, Negative};
use crate::impact::{Counts, Done, Ending, FEW, Stuck};
use crate::oracle::automatic::Automatic;
use crate::oracle::recorded::Recorded;
use crate::oracle::{Answer as Proposal, Oracle as _, Question as Asked};
use crate::prove::{Subject, unwind};
use crate::unwinding::{Unwinding, VertexId};
use crate::vocabulary::stages;

/// A question that waits for its answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The vertex that needs a label.
    pub vertex: VertexId,
    /// The loop head it is at.
    pub block: usize,
    /// The place of the loop.
    pub span: Span,
    /// The assertions and contracts that may fail from there, each with its place.
    pub checks: Vec<(CheckKind, Span)>,
    /// What has to fit, what must not.
    pub examples: Examples,
    /// A candidate to start from: what was proposed last, or the positives, merged.
    pub candidate: Label,
    /// How many answers this vertex had already.
    pub round: usize,
}

/// What came of an answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is the label of its vertex; there may be another question.
    Accepted,
    /// It misses a heap that is reached.
    TooNarrow {
        /// The number of the heap among the positives of the question.
        positive: usize,
    },
    /// It has a heap that leads into a failure.
    TooWide(Box<Negative>),
    /// It has a heap that leads out of the label of a loop that comes next.
    NotKept(Box<Implication>),
    /// It fails in patterns, but no heap was found that shows it.
    Undecided,
    /// It is no label over the words of the procedure.
    Malformed(String),
}

/// How a game stands.
#[derive(Clone, Debug)]
pub enum Standing {
    /// A question is open.
    Open(Box<Question>),
    /// The labels at loop heads are an invariant, which is to be checked before anybody says so.
    Proved(BTreeMap<usize, Label>),
    /// The machine fails a check: the program has a bug.
    Violated(Box<Crash>),
    /// It cannot be won.
    Lost(Box<Stuck>),
}

/// A game with a person.
#[derive(Clone, Debug)]
pub struct Game {
    program: Program,
    proc: ProcId,
    machine: MachineOptions,
    /// The procedure, with the words that patterns speak in.
    pub code: PatternProgram,
    starts: Vec<Pattern>,
    /// The answers given so far.
    pub answers: Vec<Label>,
    /// How it stands.
    pub standing: Standing,
    /// The unwinding.
    pub tree: Unwinding,
    /// What was done, from the first question on.
    pub log: Vec<Done>,
    /// What it cost.
    pub counts: Counts,
}

impl Game {
    /// Opens a game on a procedure without calls.
    ///
    /// # Errors
    /// What has no words, or why the work could not be finished.
    pub fn open(
        program: &Program,
        proc: ProcId,
        machine: MachineOptions,
        budget: &Budget,
    ) -> Result<Game, NoResult> {
        let subject = Subject { program, proc, machine: machine.clone() };
        let code = words(&subject, budget)?;
        let starts = subject.starts(&code)?;
        let mut game = Game {
            program: program.clone(),
            proc,
            machine,
            code,
            starts,
            answers: Vec::new(),
            standing: Standing::Proved(BTreeMap::new()),
            tree: Unwinding::default(),
            log: Vec::new(),
            counts: Counts::default(),
        };
        game.play(budget)?;
        Ok(game)
    }

    /// Plays all answers back.
    fn play(&mut self, budget: &Budget) -> Result<(), NoResult> {
        let subject =
            Subject { program: &self.program, proc: self.proc, machine: self.machine.clone() };
        let mut oracle = Recorded::new(self.answers.clone());
        let code = &self.code;
        let (mut tree, mut log, mut open) = (Unwinding::default(), Vec::new(), None);
        let (ending, counts) =
            unwind(&subject, code, self.starts.clone(), &mut oracle, budget, FEW, |impact| {
                (tree, log) = (impact.tree.clone(), impact.log.clone());
                open = Some((impact.examples.clone(), impact.last.clone()));
            });
        let (examples, last) = open.unwrap_or_default();
        let standing = match ending {
            Ending::Proved(labels) => Standing::Proved(labels),
            Ending::Violated(crash) => Standing::Violated(crash),
            Ending::Unknown(stuck) => match stuck.event.as_ref().and_then(crate::prove::outside) {
                Some(refusal) => return Err(NoResult::Refused(refusal)),
                None => Standing::Lost(stuck),
            },
            Ending::Stopped(why) => return Err(NoResult::Stopped(why)),
            Ending::Pending { vertex } => {
                let block = tree.vertices[vertex].block;
                let examples = examples.get(&block).cloned().unwrap_or_default();
                let last = last.get(&vertex).cloned();
                let candidate = last.unwrap_or_else(|| self.first_candidate(block, &examples));
                let asked = |d: &&Done| **d == Done::Proposed(vertex);
                Standing::Open(Box::new(Question {
                    vertex,
                    block,
                    span: code.blocks[block].span,
                    checks: self.checks_from(block),
                    round: log.iter().filter(asked).count(),
                    examples,
                    candidate,
                }))
            }
        };
        (self.standing, self.tree, self.log, self.counts) = (standing, tree, log, counts);
        Ok(())
    }

    /// The open question.
    pub fn question(&self) -> Option<&Question> {
        match &self.standing {
            Standing::Open(question) => Some(question),
            _ => None,
        }
    }

    /// Answers the open question. The game is as before if the work could not be finished.
    ///
    /// # Errors
    /// Why the work could not be finished.
    pub fn submit(&mut self, label: Label, budget: &Budget) -> Result<Answer, NoResult> {
        let words = &self.code.words;
        if let Some(fault) = label.0.iter().find_map(|p| p.fault(words)) {
            return Ok(Answer::Malformed(fault));
        }
        let Some(question) = self.question().cloned() else {
            return Ok(Answer::Malformed("no question is open".to_owned()));
        };
        let asked = self.log.len();
        self.answers.push(label);
        let before = self.clone();
        if let Err(why) = self.play(budget) {
            *self = before;
            self.answers.pop();
            return Err(why);
        }
        Ok(self.outcome(&question, asked))
    }

    /// What was said of the answer to a question, by the log from there on.
    fn outcome(&self, question: &Question, from: usize) -> Answer {
        let examples = match self.question() {
            Some(next) if next.block == question.block => &next.examples,
            _ => &question.examples,
        };
        for done in self.log.iter().skip(from) {
            match done {
                Done::TooNarrow(_, i) => return Answer::TooNarrow { positive: *i },
                Done::TooWide(_, i) => {
                    if let Some(negative) = examples.negatives.get(*i) {
                        return Answer::TooWide(Box::new(negative.clone()));
                    }
                }
                Done::NotKept(_, i) => {
                    if let Some(implication) = examples.implications.get(*i) {
                        return Answer::NotKept(Box::new(implication.clone()));
                    }
                }
                Done::Accepted(_) => return Answer::Accepted,
                Done::Malformed(_) => {
                    return Answer::Malformed("no pattern of this procedure".into());
                }
                Done::Undecided(_) => return Answer::Undecided,
                Done::Proposed(_) | Done::Expanded(_) | Done::Covered(..) => {}
            }
        }
        Answer::Undecided
    }

    /// The name of the procedure.
    pub fn procedure(&self) -> &str {
        &self.program.proc(self.proc).name
    }

    /// The loop heads that the answers are about, in their order.
    pub fn asked_at(&self) -> impl Iterator<Item = usize> + '_ {
        self.log.iter().filter_map(|done| match done {
            Done::Proposed(v) => Some(self.tree.vertices[*v].block),
            _ => None,
        })
    }

    /// Takes the last answer back.
    ///
    /// # Errors
    /// Why the work could not be finished.
    pub fn take_back(&mut self, budget: &Budget) -> Result<(), NoResult> {
        self.answers.pop();
        self.play(budget)
    }

    /// Plays other answers instead: resumes a game.
    ///
    /// # Errors
    /// Why the work could not be finished.
    pub fn resume(&mut self, answers: Vec<Label>, budget: &Budget) -> Result<(), NoResult> {
        self.answers = answers;
        self.play(budget)
    }

    /// What the automatic oracle would answer to the open question.
    pub fn hint(&self, budget: &Budget) -> Option<Label> {
        let question = self.question()?;
        let subject =
            Subject { program: &self.program, proc: self.proc, machine: self.machine.clone() };
        let confirm =
            |labels: &BTreeMap<usize, Label>| subject.confirms(&self.code, labels, budget);
        let found = refine(&self.code, self.machine.checks, &self.starts, budget, &confirm);
        let first = if found.is_confirmed { found.labels } else { BTreeMap::new() };
        let mut oracle = Automatic::new(&self.code, self.machine.checks, budget, first);
        let asked = Asked {
            vertex: question.vertex,
            block: question.block,
            examples: &question.examples,
            last: None,
            round: question.round,
        };
        match oracle.answer(&asked) {
            Proposal::Candidate(label) => Some(label),
            Proposal::GiveUp | Proposal::Pending => None,
        }
    }

    /// The positives themselves: whoever starts from them sees what has to be generalised.
    fn first_candidate(&self, block: usize, examples: &Examples) -> Label {
        let concrete =
            |e: &crate::examples::Example| crate::examples::concrete(&self.code, block, &e.heap);
        Label(examples.positives.iter().map(concrete).collect())
    }

    /// The checks that somebody wrote down and that lie on a way from a block; memory is checked
    /// besides.
    fn checks_from(&self, block: usize) -> Vec<(CheckKind, Span)> {
        let mut out: Vec<(CheckKind, Span)> = Vec::new();
        let (mut seen, mut todo) = (BTreeSet::from([block]), vec![block]);
        while let Some(at) = todo.pop() {
            let code = &self.code.blocks[at];
            for step in &code.steps {
                if let Op::Assert { kind, .. } | Op::AssertFact { kind, .. } = step.op
                    && self.machine.checks.contains(kind)
                    && !out.contains(&(kind, step.span))
                {
                    out.push((kind, step.span));
                }
            }
            todo.extend(code.exit.successors().filter(|b| seen.insert(*b)));
        }
        out
    }
}

/// The words of a game: those in which the automatic oracle has a proof, and what data is compared
/// with besides, because a person sees `data == d` at once; else the richest.
fn words(subject: &Subject<'_>, budget: &Budget) -> Result<PatternProgram, Refusal> {
    let all = stages(&subject.lowered()?);
    for code in &all {
        let starts = subject.starts(code)?;
        let confirm = |labels: &BTreeMap<usize, Label>| subject.confirms(code, labels, budget);
        let found = refine(code, subject.machine.checks, &starts, budget, &confirm);
        if found.is_confirmed {
            return Ok(code.clone());
        }
    }
    Ok(all[all.len() - 1].clone())
}
