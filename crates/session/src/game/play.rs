//! A game with the pattern engine: what [`super::Game`] asks for, from what the engine knows.

use std::collections::BTreeMap;
use std::sync::Arc;

use trellis_driver::{Options, Plan, Progress, Task, Verdict};
use trellis_patterns::Label;
use trellis_program::{NoResult, ProcId, Program, Span};
use trellis_proveit::game::{Answer as Outcome, Game as Played, Standing};
use trellis_proveit::transcript::Transcript;
use trellis_report::game::{Answer, Drawing, GAME_SCHEMA, State, Trouble, View};

use super::case::Case;
use super::claim::Labelled;
use super::question::{Asked, budget, case_of, cases, letter};
use super::running::failing;
use super::{Game, Patience, Question};

/// A game with the pattern engine.
pub(super) struct Play {
    /// A few words.
    pub title: String,
    /// The file, as given.
    pub file: String,
    /// The program as written, and the procedure.
    pub program: Program,
    pub proc: ProcId,
    /// What is checked.
    pub options: Options,
    /// The hash of the source and of what else matters.
    pub fingerprint: String,
    /// The engine's own game.
    pub engine: Arc<Played>,
    /// What is open: a case of the engine's question.
    pub asked: Option<Arc<Asked>>,
    /// Begin every drawing with one heap, so that there is something to do.
    pub small_start: bool,
    /// What was drawn for the cases of the question, and the order in which they came.
    pub drawn: BTreeMap<Case, Drawing>,
    pub order: Vec<Case>,
    /// Questions that were answered.
    pub accepted: u32,
    /// How it ended, if it did.
    pub ended: Option<(State, String)>,
}

/// Why a drawing could not be judged.
struct Undecided {
    sentence: String,
    trouble: Option<Box<Trouble>>,
}

impl<S: Into<String>> From<S> for Undecided {
    fn from(sentence: S) -> Undecided {
        Undecided { sentence: sentence.into(), trouble: None }
    }
}

impl Play {
    /// Asks about a case of the engine's question.
    fn ask(&mut self, case: &Case) {
        if !self.order.contains(case) {
            self.order.push(case.clone());
        }
        let asked = Asked::new(&self.engine, case, &self.drawn);
        self.asked = asked.map(|a| Arc::new(Asked { small_start: self.small_start, ..a }));
    }

    /// The first case without a drawing that is right for its examples, if there is one.
    fn unsettled(&self) -> Option<Case> {
        let open = self.engine.question()?;
        cases(&self.engine, open).into_iter().find(|case| {
            let asked = Asked::new(&self.engine, case, &self.drawn);
            let right = asked.and_then(|a| Some(a.is_right(self.drawn.get(case)?)));
            right != Some(true)
        })
    }

    /// A question of the engine that is new: none of its cases has a drawing. A place with no heaps
    /// that must fit needs none.
    fn begin(&mut self, patience: &Patience) {
        loop {
            self.drawn.clear();
            self.order.clear();
            self.asked = None;
            if let Some(case) = self.unsettled() {
                self.ask(&case);
                return;
            }
            if self.engine.question().is_none() {
                return;
            }
            let mut engine = (*self.engine).clone();
            let answers = engine.answers.len();
            let outcome = engine.submit(Label::default(), &budget(patience));
            let brought = outcome.is_ok() && engine.answers.len() > answers;
            self.engine = Arc::new(engine);
            if !brought || matches!(outcome, Ok(Outcome::Undecided | Outcome::Malformed(_))) {
                return;
            }
        }
    }

    pub(super) fn line(&self, span: Span) -> u32 {
        self.program.sources.line_col(span).0 as u32
    }

    /// The end of a game that needs no answer, or was answered last.
    fn end(&mut self, patience: &Patience) -> Option<Answer> {
        let ended = match &self.engine.standing {
            Standing::Open(_) => return None,
            Standing::Proved(labels) => match self.confirm(labels.clone(), patience) {
                Ok(sentence) => (State::Verified, sentence),
                Err(sentence) => (State::Stuck, sentence),
            },
            Standing::Violated(crash) => {
                let line = self.line(self.engine.running().0.span_at(crash.failure.point));
                let why = failing(crash.failure.kind);
                let sentence = format!(
                    "The program itself is wrong. A run from the beginning gets to line {line}, where {why}."
                );
                (State::Violated, sentence)
            }
            Standing::Lost(stuck) => {
                (State::Stuck, format!("The game cannot be won: {}.", stuck.reason))
            }
        };
        self.ended = Some(ended.clone());
        Some(match ended {
            (State::Verified, sentence) => Answer::Verified { sentence },
            (State::Violated, sentence) => Answer::Violated { sentence, trace: self.crash() },
            (_, sentence) => Answer::Undecided { sentence, trouble: None },
        })
    }

    /// Has the driver check the patterns on both legs, as it checks every engine.
    fn confirm(
        &self,
        labels: BTreeMap<usize, Label>,
        patience: &Patience,
    ) -> Result<String, String> {
        let proof = Labelled { code: self.engine.code.clone(), labels };
        let task = Task::new(&self.program, self.proc, &self.options);
        let result =
            Plan::of(Arc::new(proof)).verify(&task, &budget(patience), &Progress::default());
        let name = &self.program.proc(self.proc).name;
        match result.verdict {
            Verdict::Verified { .. } => Ok(format!(
                "Verified: no run of {name} fails a check. The proof was checked without the engine, and on the machine."
            )),
            Verdict::Unknown(why) => {
                Err(format!("The patterns hold together, but the proof was not confirmed: {why}."))
            }
            other => Err(format!(
                "The patterns hold together, but the proof was not confirmed: {}.",
                other.name()
            )),
        }
    }

    /// The heap that an answer brought, by its name, and its case.
    fn brought(&self, outcome: &Outcome) -> Option<(Answer, Case)> {
        let open = self.engine.question()?;
        let case = |heap| case_of(&self.engine, open, heap);
        let examples = &open.examples;
        Some(match outcome {
            Outcome::TooNarrow { positive } => {
                let example = (positive + 1).to_string();
                let sentence = format!("The program can also reach heap {example}. It must fit.");
                let heap = &examples.positives.get(*positive)?.heap;
                (Answer::Positive { example, sentence }, case(heap))
            }
            Outcome::TooWide(negative) => {
                let at = examples.negatives.iter().position(|n| n.heap == negative.heap)?;
                let line = self.line(self.engine.running().0.span_at(negative.failure.point));
                let why = failing(negative.failure.kind);
                let sentence =
                    format!("Heap {} fits, but from there line {line} fails: {why}.", letter(at));
                (Answer::Negative { example: letter(at), sentence }, case(&negative.heap))
            }
            Outcome::NotKept(implication) => {
                let at = examples.implications.iter().position(|i| i == &**implication)?;
                let case = case(&implication.before);
                if implication.block == open.block {
                    let sentence =
                        "Your pattern fits a heap, but not what one more turn makes of it."
                            .to_owned();
                    (Answer::Implication { example: letter(at).to_lowercase(), sentence }, case)
                } else {
                    let example = format!("N{}", at + 1);
                    let line = self.line(self.engine.code.blocks[implication.block].span);
                    let sentence = format!(
                        "Heap {example} fits, and leads out of the pattern that was accepted for line {line}."
                    );
                    (Answer::Negative { example, sentence }, case)
                }
            }
            _ => return None,
        })
    }

    /// The patterns that were drawn for all cases.
    fn label(&self) -> Result<Label, String> {
        let mut all = Vec::new();
        for (case, drawing) in &self.drawn {
            if let Some(asked) = Asked::new(&self.engine, case, &self.drawn) {
                all.extend(asked.patterns(drawing)?);
            }
        }
        Ok(Label(all))
    }

    /// Judges a drawing.
    ///
    /// # Errors
    /// Why it could not be decided; the game may have changed.
    fn judge(&mut self, drawing: &Drawing, patience: &Patience) -> Result<Answer, Undecided> {
        let asked = self.asked.clone().ok_or("Nothing is asked.")?;
        let line = self.line(asked.open.span);
        if !asked.is_right(drawing) {
            return Err("Some examples are not right yet.".into());
        }
        self.drawn.insert(asked.case.clone(), drawing.clone());
        if let Some(case) = self.unsettled() {
            self.ask(&case);
            return Ok(Answer::Accepted {
                sentence: format!("Kept. Line {line} has another case."),
            });
        }
        let mut engine = (*self.engine).clone();
        let label = self.label()?;
        let outcome = engine.submit(label.clone(), &budget(patience)).map_err(|why| match why {
            NoResult::Refused(refusal) => {
                format!(
                    "The verifier cannot follow line {}: {}.",
                    self.line(refusal.span),
                    refusal.reason
                )
            }
            NoResult::Stopped(_) | NoResult::GaveUp(_) => {
                "The verifier could not finish in time. Try a simpler pattern.".to_owned()
            }
        })?;
        self.engine = Arc::new(engine);
        match &outcome {
            Outcome::Malformed(why) => return Err(format!("This is no pattern: {why}.").into()),
            Outcome::Undecided => {
                let sentence = "The verifier cannot follow this pattern, and has no heap that shows why. Make it stricter, or split a node.";
                let trouble = self.trouble(&asked, &label);
                return Err(Undecided { sentence: sentence.to_owned(), trouble });
            }
            Outcome::Accepted => {
                self.accepted += 1;
                self.begin(patience);
                return match self.end(patience) {
                    Some(Answer::Undecided { sentence, .. }) => Err(sentence.into()),
                    Some(end) => Ok(end),
                    None => Ok(Answer::Accepted {
                        sentence: format!("Accepted for line {line}. There is another question."),
                    }),
                };
            }
            _ => {}
        }
        if let Some(end) = self.end(patience) {
            return Ok(end);
        }
        let shown = self.brought(&outcome);
        let (answer, case) =
            shown.ok_or("The verifier has a counterexample that cannot be shown.")?;
        self.ask(&case);
        Ok(answer)
    }
}

impl Game for Play {
    fn view(&self) -> View {
        let (state, sentence) = match &self.ended {
            Some((state, sentence)) => (*state, sentence.clone()),
            None => (State::Asking, String::new()),
        };
        let asked = self.asked.as_ref().filter(|_| self.ended.is_none());
        View {
            schema: GAME_SCHEMA,
            title: self.title.clone(),
            program: self.shown(),
            state,
            sentence,
            run: if state == State::Violated { self.crash() } else { Vec::new() },
            question: asked.map(|a| self.document(a)),
            tree: self.tree(),
        }
    }

    fn question(&self) -> Option<Arc<dyn Question>> {
        let asked = self.asked.as_ref().filter(|_| self.ended.is_none())?;
        Some(Arc::clone(asked) as Arc<dyn Question>)
    }

    fn submit(&mut self, drawing: &Drawing, patience: &Patience) -> Answer {
        let before =
            (Arc::clone(&self.engine), self.asked.clone(), self.drawn.clone(), self.order.clone());
        let accepted = self.accepted;
        self.judge(drawing, patience).unwrap_or_else(|Undecided { sentence, trouble }| {
            (self.engine, self.asked, self.drawn, self.order) = before;
            (self.accepted, self.ended) = (accepted, None);
            Answer::Undecided { sentence, trouble }
        })
    }

    fn transcript(&self) -> Option<String> {
        serde_json::to_string_pretty(&Transcript::of(&self.engine)).ok()
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }
}

impl Play {
    /// A game that has just been opened, which may be over already.
    pub(super) fn begun(mut self) -> Play {
        let forever = Patience { cancel: Arc::default(), limit: std::time::Duration::MAX };
        self.begin(&forever);
        self.end(&forever);
        self
    }
}
