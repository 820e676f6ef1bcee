//! A question of the verifier, as the page asks it: one case of it at a time.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use trellis_logic::Budget;
use trellis_patterns::Pattern;
use trellis_patterns::enumerate::{Flow, Samples, heaps};
use trellis_patterns::heap::Heap;
use trellis_patterns::matching::fits;
use trellis_proveit::examples::Negative;
use trellis_proveit::game::{Game as Engine, Question as Open};
use trellis_report::game::{
    Clash, Comparison, Drawing, EdgeRef, Example, Fit, Hint, Implication, Meaning, Meant, Scalar,
    TraceStep,
};

use super::case::Case;
use super::fitting::compare;
use super::reading::Reader;
use super::running::{failing, steps};
use super::saying::sayings;
use super::showing::{example, merged};
use super::{Patience, Question};

/// Cells of the largest heaps that show what a node stands for, or what a label has.
const MOST_CELLS: usize = 6;
/// Cells of the largest heaps of the automatic player's patterns that are merged into one drawing.
const HINT_CELLS: usize = 8;
/// Heaps of a pattern that are looked at for that.
const MOST_HEAPS: usize = 400;

/// The open question of a game.
pub(super) struct Asked {
    pub engine: Arc<Engine>,
    pub open: Open,
    pub case: Case,
    pub reader: Reader,
    /// What was drawn for cases of this question so far.
    pub drawn: BTreeMap<Case, Drawing>,
    /// Start from the first heap alone.
    pub small_start: bool,
    /// The runs of the negatives, once somebody asked.
    pub runs: OnceLock<Vec<Vec<TraceStep>>>,
}

/// Heaps of a case, with their names, which are unique in the whole question.
pub(super) struct Named<'a> {
    pub positives: Vec<(String, &'a Heap)>,
    /// With a remark, and the number of the negative that has a run.
    pub negatives: Vec<(String, &'a Heap, String, Option<usize>)>,
    pub implications: Vec<(String, &'a Heap, &'a Heap)>,
}

/// The cases of the heaps that must fit, in the order of these heaps.
pub(super) fn cases(engine: &Engine, open: &Open) -> Vec<Case> {
    let mut out = Vec::new();
    for positive in &open.examples.positives {
        let case = case_of(engine, open, &positive.heap);
        if !out.contains(&case) {
            out.push(case);
        }
    }
    out
}

/// The case of a heap at the place of a question.
pub(super) fn case_of(engine: &Engine, open: &Open, heap: &Heap) -> Case {
    let (pointers, scalars) = live(engine, open);
    Case::of(&engine.code.words, &pointers, &scalars, heap)
}

/// The variables that matter at the place of a question.
fn live(engine: &Engine, open: &Open) -> (Vec<usize>, Vec<usize>) {
    let block = &engine.code.blocks[open.block];
    let live = |flags: &[bool]| (0..flags.len()).filter(|i| flags[*i]).collect::<Vec<usize>>();
    (live(&block.live_pointers), live(&block.live_scalars))
}

impl Asked {
    /// A case of what is open in a game; `None` if no heap of it must fit.
    pub fn new(
        engine: &Arc<Engine>,
        case: &Case,
        drawn: &BTreeMap<Case, Drawing>,
    ) -> Option<Asked> {
        let open = engine.question()?.clone();
        let words = engine.code.words.clone();
        let (pointers, scalars) = live(engine, &open);
        let positives: Vec<&Heap> = open.examples.positives.iter().map(|e| &e.heap).collect();
        let like = positives.iter().find(|h| case_of(engine, &open, h) == *case)?;
        let like = (*like).clone();
        let mut shown = positives.clone();
        shown.extend(open.examples.negatives.iter().map(|n| &n.heap));
        let said = sayings(&words, &shown, &positives);
        let reader = Reader { words, sayings: said, pointers, scalars, like };
        let (engine, case, drawn) = (Arc::clone(engine), case.clone(), drawn.clone());
        let runs = OnceLock::new();
        Some(Asked { engine, open, case, reader, drawn, small_start: false, runs })
    }

    /// The same for another case of the question.
    fn other(&self, case: &Case) -> Option<Asked> {
        Asked::new(&self.engine, case, &self.drawn)
    }

    /// The runs from the negatives into their failed checks.
    fn runs(&self) -> &[Vec<TraceStep>] {
        self.runs.get_or_init(|| {
            let run = |n: &Negative| {
                let trace = self.engine.run_into(&self.open, n).filter(|_| self.is_here(&n.heap));
                trace.map(|t| steps(&self.engine, &self.reader, &t)).unwrap_or_default()
            };
            self.open.examples.negatives.iter().map(run).collect()
        })
    }

    fn is_here(&self, heap: &Heap) -> bool {
        case_of(&self.engine, &self.open, heap) == self.case
    }

    /// What is fixed in the case.
    pub fn fixed(&self) -> Vec<Scalar> {
        self.case.said(&self.reader.words, &self.reader.pointers, &self.reader.scalars)
    }

    /// The examples of the case by name. An implication into another loop is a heap that must not
    /// fit: what was accepted there stays.
    pub fn named(&self) -> Named<'_> {
        let examples = &self.open.examples;
        let positives = examples.positives.iter().enumerate();
        let positives = positives.map(|(i, e)| ((i + 1).to_string(), &e.heap));
        let mut negatives: Vec<(String, &Heap, String, Option<usize>)> = Vec::new();
        let program = self.engine.running().0;
        for (i, n) in examples.negatives.iter().enumerate() {
            let line = program.sources.line_col(program.span_at(n.failure.point)).0;
            let note = format!("from there line {line} fails: {}", failing(n.failure.kind));
            negatives.push((letter(i), &n.heap, note, Some(i)));
        }
        let mut implications = Vec::new();
        for (i, imp) in examples.implications.iter().enumerate() {
            if imp.block == self.open.block {
                implications.push((letter(i).to_lowercase(), &imp.before, &imp.after));
            } else {
                let note =
                    "it leads out of a pattern that was accepted for another loop".to_owned();
                negatives.push((format!("N{}", i + 1), &imp.before, note, None));
            }
        }
        Named {
            positives: positives.filter(|(_, h)| self.is_here(h)).collect(),
            negatives: negatives.into_iter().filter(|(_, h, ..)| self.is_here(h)).collect(),
            implications: implications.into_iter().filter(|(_, h, _)| self.is_here(h)).collect(),
        }
    }

    /// The examples as documents.
    pub fn examples(&self) -> (Vec<Example>, Vec<Example>, Vec<Implication>) {
        let Named { positives, negatives, implications } = self.named();
        let show = |heap: &Heap, name: &str| example(&self.reader, heap, name);
        let noted = |(name, heap, note, run): &(String, &Heap, String, Option<usize>)| Example {
            note: note.clone(),
            trace: run.and_then(|i| self.runs().get(i)).cloned().unwrap_or_default(),
            ..show(heap, name)
        };
        let implied = |(name, before, after): &(String, &Heap, &Heap)| Implication {
            name: name.clone(),
            before: show(before, &format!("{name}.before")),
            after: show(after, &format!("{name}.after")),
        };
        (
            positives.iter().map(|(name, heap)| show(heap, name)).collect(),
            negatives.iter().map(noted).collect(),
            implications.iter().map(implied).collect(),
        )
    }

    /// A drawing to start from: what was drawn for the case before, or its heaps, merged.
    pub fn start(&self) -> Drawing {
        let most = if self.small_start { 1 } else { usize::MAX };
        let named = self.named();
        let heaps: Vec<Heap> =
            named.positives.iter().take(most).map(|(_, h)| (*h).clone()).collect();
        self.drawn.get(&self.case).cloned().unwrap_or_else(|| merged(&self.reader, &heaps))
    }

    /// The patterns of a drawing of the case.
    ///
    /// # Errors
    /// A sentence, if there are too many.
    pub fn patterns(&self, drawing: &Drawing) -> Result<Vec<Pattern>, String> {
        Ok(self.reader.read(drawing)?.into_iter().map(|m| m.pattern).collect())
    }

    /// Is a drawing right for all examples of the case?
    pub fn is_right(&self, drawing: &Drawing) -> bool {
        self.wrong(&self.compare(drawing)).is_none()
    }

    /// The first example that is not right, if any.
    fn wrong(&self, compared: &Comparison) -> Option<Fit> {
        let Named { positives, negatives, implications } = self.named();
        let of = |name: &str| compared.of(name);
        let positive = positives.iter().filter_map(|(name, _)| of(name)).find(|f| !f.fits);
        let negative = || negatives.iter().filter_map(|(name, ..)| of(name)).find(|f| f.fits);
        let implied = || {
            implications.iter().find_map(|(name, ..)| {
                let (before, after) =
                    (of(&format!("{name}.before"))?, of(&format!("{name}.after"))?);
                (before.fits && !after.fits).then_some(after)
            })
        };
        positive.or_else(negative).or_else(implied).cloned()
    }

    /// The answer of the automatic oracle for the case as one drawing, if it is right.
    fn automatic(&self, patience: &Patience) -> Option<Drawing> {
        let label = self.engine.hint(&budget(patience))?;
        let mut small: Vec<Heap> = Vec::new();
        for pattern in &label.0 {
            for cells in 0..=HINT_CELLS {
                let mut left = 24;
                let _ = heaps(&self.reader.words, pattern, cells, Samples(1), &mut |heap| {
                    if self.is_here(heap) {
                        small.push(heap.clone());
                    }
                    left -= 1;
                    if left == 0 { Flow::Break(()) } else { Flow::Continue(()) }
                });
            }
        }
        let drawing = merged(&self.reader, &small);
        self.is_right(&drawing).then_some(drawing)
    }

    /// A heap of another case of the question against what was drawn for that case.
    fn elsewhere(&self, heap: &Heap, name: &str) -> Fit {
        let case = case_of(&self.engine, &self.open, heap);
        let fit = self.other(&case).and_then(|other| {
            let drawing = self.drawn.get(&case)?;
            let meant = other.reader.read(drawing).ok()?;
            Some(compare(&other.reader, drawing, &meant, heap, name))
        });
        let none = vec![None; heap.cells.len()];
        let fits = fit.is_some_and(|f| f.fits);
        let sentence = "it belongs to another case, whose pattern does not fit it".to_owned();
        let clash = (!fits).then(|| Clash { sentence, ..Clash::default() });
        Fit { example: name.to_owned(), fits, mapping: none, clash, slack: Vec::new() }
    }
}

impl Question for Asked {
    fn compare(&self, drawing: &Drawing) -> Comparison {
        let Named { positives, negatives, implications } = self.named();
        let mut all = positives;
        all.extend(negatives.into_iter().map(|(name, heap, ..)| (name, heap)));
        for (name, before, after) in implications {
            all.push((format!("{name}.before"), before));
            all.push((format!("{name}.after"), after));
        }
        let read = self.reader.read(drawing);
        let one = |(name, heap): (String, &Heap)| match &read {
            _ if !self.is_here(heap) => self.elsewhere(heap, &name),
            Ok(meant) => compare(&self.reader, drawing, meant, heap, &name),
            Err(sentence) => {
                let clash = Some(Clash { sentence: sentence.clone(), ..Clash::default() });
                Fit {
                    example: name,
                    fits: false,
                    mapping: vec![None; heap.cells.len()],
                    clash,
                    slack: Vec::new(),
                }
            }
        };
        Comparison { fits: all.into_iter().map(one).collect() }
    }

    fn meaning(&self, drawing: &Drawing, node: &str) -> Meaning {
        let mut found: Vec<Meant> =
            (0..3).map(|cells| Meant { cells, example: None, standing: Vec::new() }).collect();
        let words = &self.reader.words;
        let meant = self.reader.read(drawing).unwrap_or_default();
        for cells in 0..=MOST_CELLS {
            for case in &meant {
                let mut left = MOST_HEAPS;
                let _ = heaps(words, &case.pattern, cells, Samples(1), &mut |heap| {
                    left -= 1;
                    let mapping = fits(words, &case.pattern, heap).unwrap_or_default();
                    let at = |c: &usize| mapping[*c].is_some_and(|n| case.nodes[n] == node);
                    let standing: Vec<usize> = (0..mapping.len()).filter(at).collect();
                    if let Some(m) = found.get_mut(standing.len()).filter(|m| m.example.is_none()) {
                        m.example = Some(example(&self.reader, heap, ""));
                        m.standing = standing;
                    }
                    let done = found.iter().all(|m| m.example.is_some());
                    if left == 0 || done { Flow::Break(()) } else { Flow::Continue(()) }
                });
            }
        }
        Meaning { node: node.to_owned(), heaps: found }
    }

    fn hint(&self, drawing: &Drawing, patience: &Patience) -> Hint {
        let wrong = self.wrong(&self.compare(drawing));
        let fit = wrong.unwrap_or_else(|| Fit {
            example: String::new(),
            fits: true,
            mapping: Vec::new(),
            clash: None,
            slack: Vec::new(),
        });
        let clash = fit.clash.clone().unwrap_or_default();
        let mut sentence = match (&clash.missing, fit.fits) {
            _ if fit.example.is_empty() => "Every example is right: submit the pattern.".to_owned(),
            (Some(EdgeRef { from, field, to }), _) => {
                format!("Try a maybe edge {field} from {from} to {to}.")
            }
            (None, false) => format!("Look at heap {}: {}.", fit.example, clash.sentence),
            (None, true) => {
                format!(
                    "Heap {} slips through a maybe. Make one stricter, or split the node in two.",
                    fit.example
                )
            }
        };
        let drawing = self.automatic(patience);
        if drawing.is_some() {
            sentence.push_str(" Or take the pattern of the automatic player.");
        }
        let example = Some(fit.example).filter(|name| !name.is_empty());
        Hint { sentence, node: clash.node, edge: clash.missing, example, drawing }
    }
}

/// What an answer may cost.
pub(super) fn budget(patience: &Patience) -> Budget {
    let timeout = (patience.limit < Duration::from_secs(1 << 30)).then_some(patience.limit);
    Budget {
        started: Instant::now(),
        timeout,
        cancel: Arc::clone(&patience.cancel),
        ..Budget::default()
    }
}

/// `A`, `B`, …, `Z`, `A2`, …
pub(super) fn letter(n: usize) -> String {
    let letter = char::from(b'A' + (n % 26) as u8);
    if n < 26 { letter.to_string() } else { format!("{letter}{}", n / 26 + 1) }
}
