//! A question of the verifier, as the page asks it.

use std::sync::Arc;
use std::time::Instant;

use trellis_logic::Budget;
use trellis_patterns::enumerate::{Flow, Samples, heaps};
use trellis_patterns::heap::Heap;
use trellis_patterns::matching::fits;
use trellis_proveit::game::{Game as Engine, Question as Open};
use trellis_report::game::{
    Comparison, Drawing, EdgeRef, Example, Fit, Hint, Implication, Meaning, Meant,
};

use super::fitting::compare;
use super::reading::Reader;
use super::saying::sayings;
use super::showing::{example, merged};
use super::{Patience, Question};

/// Cells of the largest heaps that show what a node stands for, or what a label has.
const MOST_CELLS: usize = 6;
/// Heaps of a pattern that are looked at for that.
const MOST_HEAPS: usize = 400;

/// The open question of a game.
pub(super) struct Asked {
    pub engine: Arc<Engine>,
    pub open: Open,
    pub reader: Reader,
}

/// Heaps of examples, with their names.
pub(super) struct Named<'a> {
    pub positives: Vec<(String, &'a Heap)>,
    pub negatives: Vec<(String, &'a Heap, String)>,
    pub implications: Vec<(String, &'a Heap, &'a Heap)>,
}

impl Asked {
    /// What is open in a game.
    pub fn new(engine: &Arc<Engine>) -> Option<Asked> {
        let open = engine.question()?.clone();
        let words = engine.code.words.clone();
        let block = &engine.code.blocks[open.block];
        let live = |flags: &[bool]| (0..flags.len()).filter(|i| flags[*i]).collect::<Vec<usize>>();
        let (pointers, scalars) = (live(&block.live_pointers), live(&block.live_scalars));
        let positives: Vec<Heap> = open.examples.positives.iter().map(|e| e.heap.clone()).collect();
        let of = |heaps: &[Heap]| heaps.to_vec();
        let mut shown = of(&positives);
        shown.extend(open.examples.negatives.iter().map(|n| n.heap.clone()));
        let shown: Vec<&Heap> = shown.iter().collect();
        let said = sayings(&words, &shown, &positives.iter().collect::<Vec<_>>());
        let reader = Reader { words, sayings: said, pointers, scalars, positives };
        Some(Asked { engine: Arc::clone(engine), open, reader })
    }

    /// The examples by name. An implication into another loop is a heap that must not fit: what
    /// was accepted there stays.
    pub fn named(&self) -> Named<'_> {
        let examples = &self.open.examples;
        let positives = examples.positives.iter().enumerate();
        let mut negatives: Vec<(String, &Heap, String)> = Vec::new();
        for (i, n) in examples.negatives.iter().enumerate() {
            negatives.push((letter(i), &n.heap, format!("it fails {}", n.failure.kind.name())));
        }
        let mut implications = Vec::new();
        for (i, imp) in examples.implications.iter().enumerate() {
            if imp.block == self.open.block {
                implications.push((letter(i).to_lowercase(), &imp.before, &imp.after));
            } else {
                let note =
                    "it leads out of a pattern that was accepted for another loop".to_owned();
                negatives.push((format!("N{}", i + 1), &imp.before, note));
            }
        }
        Named {
            positives: positives.map(|(i, e)| ((i + 1).to_string(), &e.heap)).collect(),
            negatives,
            implications,
        }
    }

    /// The examples as documents.
    pub fn examples(&self) -> (Vec<Example>, Vec<Example>, Vec<Implication>) {
        let Named { positives, negatives, implications } = self.named();
        let show = |heap: &Heap, name: &str| example(&self.reader, heap, name);
        (
            positives.iter().map(|(name, heap)| show(heap, name)).collect(),
            negatives
                .iter()
                .map(|(name, heap, note)| Example { note: note.clone(), ..show(heap, name) })
                .collect(),
            implications
                .iter()
                .map(|(name, before, after)| Implication {
                    name: name.clone(),
                    before: show(before, &format!("{name}.before")),
                    after: show(after, &format!("{name}.after")),
                })
                .collect(),
        )
    }

    /// A drawing to start from.
    pub fn start(&self) -> Drawing {
        merged(&self.reader, &self.reader.positives)
    }

    fn all(&self) -> Vec<(String, &Heap)> {
        let Named { positives, negatives, implications } = self.named();
        let mut all = positives;
        all.extend(negatives.into_iter().map(|(name, heap, _)| (name, heap)));
        for (name, before, after) in implications {
            all.push((format!("{name}.before"), before));
            all.push((format!("{name}.after"), after));
        }
        all
    }

    /// The first example that is not right, if any.
    fn wrong(&self, compared: &Comparison) -> Option<Fit> {
        let Named { positives, negatives, .. } = self.named();
        let positive = positives.iter().filter_map(|(name, _)| compared.of(name)).find(|f| !f.fits);
        let negative =
            || negatives.iter().filter_map(|(name, ..)| compared.of(name)).find(|f| f.fits);
        positive.or_else(negative).cloned()
    }

    /// The answer of the automatic oracle as one drawing, if it is right for all examples.
    fn automatic(&self, patience: &Patience) -> Option<Drawing> {
        let label = self.engine.hint(&budget(patience))?;
        let mut small: Vec<Heap> = Vec::new();
        for pattern in &label.0 {
            for cells in 0..=MOST_CELLS - 1 {
                let mut left = 12;
                let _ = heaps(&self.reader.words, pattern, cells, Samples(1), &mut |heap| {
                    small.push(heap.clone());
                    left -= 1;
                    if left == 0 { Flow::Break(()) } else { Flow::Continue(()) }
                });
            }
        }
        let drawing = merged(&self.reader, &small);
        self.wrong(&self.compare(&drawing)).is_none().then_some(drawing)
    }
}

impl Question for Asked {
    fn compare(&self, drawing: &Drawing) -> Comparison {
        let meant = match self.reader.read(drawing) {
            Ok(meant) => meant,
            Err(sentence) => {
                let clash = trellis_report::game::Clash { sentence, ..Default::default() };
                let miss = |(example, heap): (String, &Heap)| Fit {
                    example,
                    fits: false,
                    mapping: vec![None; heap.cells.len()],
                    clash: Some(clash.clone()),
                    slack: Vec::new(),
                };
                return Comparison { fits: self.all().into_iter().map(miss).collect() };
            }
        };
        let all = self.all().into_iter();
        Comparison {
            fits: all
                .map(|(name, heap)| compare(&self.reader, drawing, &meant, heap, &name))
                .collect(),
        }
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
        let compared = self.compare(drawing);
        let Some(fit) = self.wrong(&compared) else {
            let sentence = "Every example is right: submit the pattern.".to_owned();
            return Hint { sentence, ..Hint::default() };
        };
        let clash = fit.clash.clone().unwrap_or_default();
        let mut sentence = match (&clash.missing, fit.fits) {
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
            sentence.push_str(" Or start from a pattern that the automatic player would draw.");
        }
        Hint {
            sentence,
            node: clash.node,
            edge: clash.missing,
            example: Some(fit.example),
            drawing,
        }
    }
}

/// What an answer may cost.
pub(super) fn budget(patience: &Patience) -> Budget {
    let timeout =
        (patience.limit < std::time::Duration::from_secs(1 << 30)).then_some(patience.limit);
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
