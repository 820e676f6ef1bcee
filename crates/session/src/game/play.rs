//! A game with the pattern engine: what [`super::Game`] asks for, from what the engine knows.

use std::collections::BTreeMap;
use std::sync::Arc;

use trellis_driver::{Options, Plan, Progress, Task, Verdict};
use trellis_patterns::{Label, text};
use trellis_program::{NoResult, ProcId, Program, Span};
use trellis_proveit::game::{Answer as Outcome, Game as Played, How, Standing};
use trellis_proveit::transcript::Transcript;
use trellis_report::game::{
    Answer, Drawing, Function, GAME_SCHEMA, Program as Shown, Question as Document, Record, State,
    TraceStep, Tree, Trouble, Variable, Vertex, VertexState, View, Wording,
};

use super::case::Case;
use super::claim::Labelled;
use super::drawing::drawing;
use super::question::{Asked, budget, case_of, cases, letter};
use super::running::{failing, reader_of, steps};
use super::saying::predicates;
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

    fn line(&self, span: Span) -> u32 {
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

    /// The run of a program that is wrong.
    fn crash(&self) -> Vec<TraceStep> {
        let Standing::Violated(crash) = &self.engine.standing else { return Vec::new() };
        let Some(trace) = self.engine.run_of(crash) else { return Vec::new() };
        steps(&self.engine, &reader_of(&self.engine, &trace), &trace)
    }

    /// Where a label fails in patterns, as a drawing.
    fn trouble(&self, asked: &Asked, label: &Label) -> Option<Box<Trouble>> {
        let found = self.engine.trouble(label)?;
        let line = self.line(found.span);
        let sentence = match found.how {
            How::Misses => format!(
                "This is what gets to line {line}, as the verifier sees it, and your pattern may not fit all of it."
            ),
            How::Fails(kind) => format!(
                "This is what your pattern has become at line {line}, as the verifier sees it: there it may be that {}.",
                failing(kind)
            ),
            How::Leaves => format!(
                "This is what your pattern has become at line {line}, as the verifier sees it, and the pattern there may not fit all of it."
            ),
        };
        let (drawing, variables) = drawing(&asked.reader, &found.pattern);
        Some(Box::new(Trouble { line, sentence, variables, drawing }))
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

    fn tree(&self) -> Tree {
        let tree = &self.engine.tree;
        let current = self.engine.question().map(|q| q.vertex);
        let mut vertices = Vec::new();
        for (i, v) in tree.vertices.iter().enumerate().filter(|(_, v)| !v.is_gone) {
            let line = self.line(self.engine.code.blocks[v.block].span);
            let again = v.parent.is_some_and(|p| tree.vertices[p].block == v.block);
            let state = match &v.label {
                _ if current == Some(i) => VertexState::Current,
                _ if v.covered_by.is_some() => VertexState::Covered,
                Some(label) if label.0.is_empty() => VertexState::Unreachable,
                Some(_) => VertexState::Settled,
                None => VertexState::Waiting,
            };
            let said = v.label.as_ref().map(|l| text::label(&self.engine.code.words, l));
            vertices.push(Vertex {
                id: i.to_string(),
                parent: v.parent.map(|p| p.to_string()),
                step: if again { "one more turn" } else { "" }.to_owned(),
                title: if v.parent.is_none() { "start".to_owned() } else { format!("line {line}") },
                line,
                state,
                covered_by: v.covered_by.map(|c| c.to_string()),
                label: said.iter().flat_map(|text| text.lines()).map(str::to_owned).collect(),
            });
        }
        Tree { vertices }
    }

    fn document(&self, asked: &Asked) -> Document {
        let line = self.line(asked.open.span);
        let mut checks: Vec<u32> =
            asked.open.checks.iter().map(|(_, span)| self.line(*span)).collect();
        checks.sort_unstable();
        checks.dedup();
        let words = &asked.reader.words;
        let record = |r: &trellis_patterns::words::Record| Record {
            name: r.name.clone(),
            fields: r.pointers.iter().map(|f| f.name.clone()).collect(),
        };
        let variable = |x: &usize| {
            let var = &words.pointers[*x];
            let to = var.to.map_or("place".to_owned(), |r| words.records[r].name.clone());
            let to = to.trim_start_matches("struct ");
            Variable { name: var.name.clone(), meaning: format!("a {to}, or null") }
        };
        let (positives, negatives, implications) = asked.examples();
        Document {
            id: format!(
                "v{}c{}",
                asked.open.vertex,
                self.order.iter().position(|c| *c == asked.case).unwrap_or(0) + 1
            ),
            number: self.accepted + 1,
            vertex: asked.open.vertex.to_string(),
            line,
            place: format!("each time it reaches line {line}"),
            checks,
            fixed: asked.fixed(),
            words: Wording {
                records: words.records.iter().map(record).collect(),
                variables: asked.reader.pointers.iter().map(variable).collect(),
                predicates: predicates(words, &asked.reader.sayings),
            },
            start: asked.start(),
            positives,
            negatives,
            implications,
        }
    }

    /// The lines of the source, and where functions are.
    fn shown(&self) -> Shown {
        let proc = self.program.proc(self.proc);
        let text = &self.program.sources.file(proc.span.file).text;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut functions = Vec::new();
        for p in
            self.program.procs.iter().filter(|p| p.body.is_some() && p.span.file == proc.span.file)
        {
            let from = self.line(p.span);
            let rest = lines.iter().enumerate().skip(from as usize);
            let to = rest
                .into_iter()
                .find(|(_, l)| l.starts_with('}'))
                .map_or(from, |(i, _)| i as u32 + 1);
            functions.push(Function { name: p.name.clone(), from, to });
        }
        functions.sort_by_key(|f| f.from);
        Shown { file: self.file.clone(), procedure: proc.name.clone(), lines, functions }
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
