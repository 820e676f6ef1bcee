//! A practice game: everything is decided by trying heaps of a few cells.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use trellis_report::game::{
    Answer, Comparison, Drawing, EdgeRef, Example, Function, GAME_SCHEMA, Hint, Implication,
    Meaning, Meant, Node, Program, Question as Asked, State, TraceStep, Tree, Trouble, Vertex,
    VertexState, View,
};
use trellis_session::game::{Game, Patience, Question};

use crate::heap;
use crate::matching::compare;
use crate::scenario::Scenario;

/// The longest lists that are tried.
const LONGEST: usize = 6;

pub struct Practice {
    scenario: Scenario,
    /// Which place is asked about.
    place: usize,
    shown: Arc<Shown>,
    accepted: Vec<Drawing>,
}

#[derive(Clone)]
struct Shown {
    scenario: Scenario,
    positives: Vec<Example>,
    negatives: Vec<Example>,
    implications: Vec<Implication>,
}

impl Practice {
    pub fn new(scenario: Scenario) -> Practice {
        let shown = Arc::new(Shown::new(&scenario));
        Practice { scenario, place: 0, shown, accepted: Vec::new() }
    }

    fn show(&mut self, change: impl FnOnce(&mut Shown)) {
        let mut shown = (*self.shown).clone();
        change(&mut shown);
        self.shown = Arc::new(shown);
    }

    fn tree(&self) -> Tree {
        let mut vertices = vec![vertex("0", None, "", "start", 3, VertexState::Settled, None)];
        for (i, line) in self.scenario.places.iter().enumerate() {
            let state = match i.cmp(&self.place) {
                std::cmp::Ordering::Less => VertexState::Settled,
                std::cmp::Ordering::Equal => VertexState::Current,
                std::cmp::Ordering::Greater => VertexState::Waiting,
            };
            let id = (2 * i + 1).to_string();
            let parent = if i == 0 { "0".to_owned() } else { (2 * i - 1).to_string() };
            let (step, title) = if i == 0 {
                ("enters the loop", "loop head")
            } else {
                ("the loop ends", "after the loop")
            };
            vertices.push(vertex(&id, Some(&parent), step, title, *line, state, None));
            if i == 0 {
                let covered = (self.place > 0).then_some("1");
                let state =
                    if self.place > 0 { VertexState::Covered } else { VertexState::Waiting };
                vertices.push(vertex(
                    "2",
                    Some("1"),
                    "one more turn",
                    "loop head",
                    *line,
                    state,
                    covered,
                ));
            }
        }
        Tree { vertices }
    }
}

fn vertex(
    id: &str,
    parent: Option<&str>,
    step: &str,
    title: &str,
    line: u32,
    state: VertexState,
    covered_by: Option<&str>,
) -> Vertex {
    let (id, parent) = (id.to_owned(), parent.map(str::to_owned));
    let covered_by = covered_by.map(str::to_owned);
    Vertex {
        id,
        parent,
        step: step.into(),
        title: title.into(),
        line,
        state,
        covered_by,
        label: Vec::new(),
    }
}

impl Game for Practice {
    fn view(&self) -> View {
        let Scenario { level, source, words, start, places, check, .. } = &self.scenario;
        let lines: Vec<String> = source.lines().map(str::to_owned).collect();
        let mut functions = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            if line.ends_with(") {") && !line.starts_with(' ') {
                let name = line
                    .split(['(', ' ', '*'])
                    .rfind(|w| w.starts_with("helper") || **w == level.id)
                    .unwrap_or("?");
                let length = lines[i..].iter().position(|l| l == "}").unwrap_or(0);
                functions.push(Function {
                    name: name.to_owned(),
                    from: i as u32 + 1,
                    to: (i + length) as u32 + 1,
                });
            }
        }
        let question = places.get(self.place).map(|line| Asked {
            id: format!("q{}", self.place + 1),
            number: self.place as u32 + 1,
            vertex: (2 * self.place + 1).to_string(),
            line: *line,
            place: format!("each time it reaches line {line}"),
            checks: vec![*check],
            fixed: Vec::new(),
            words: words.clone(),
            start: start.clone(),
            positives: self.shown.positives.clone(),
            negatives: self.shown.negatives.clone(),
            implications: self.shown.implications.clone(),
        });
        let over = question.is_none();
        View {
            schema: GAME_SCHEMA,
            title: level.title.clone(),
            program: Program {
                file: format!("{}.c", level.id),
                procedure: level.id.clone(),
                lines,
                functions,
            },
            state: if over { State::Verified } else { State::Asking },
            sentence: if over {
                format!("{} holds for all heaps that were tried.", level.id)
            } else {
                String::new()
            },
            run: Vec::new(),
            question,
            tree: self.tree(),
        }
    }

    fn question(&self) -> Option<Arc<dyn Question>> {
        let asks = self.place < self.scenario.places.len();
        asks.then(|| Arc::clone(&self.shown) as Arc<dyn Question>)
    }

    fn submit(&mut self, drawing: &Drawing, patience: &Patience) -> Answer {
        let fits = |heap: &Example| compare(drawing, heap, "").fits;
        let scenario = self.scenario.clone();
        for n in (1..=LONGEST).rev() {
            let heap = scenario.reached(n);
            if !fits(&heap) {
                let name = (self.shown.positives.len() + 1).to_string();
                let sentence = format!("The program can also reach heap {name}. It must fit.");
                let example = Example { name: name.clone(), ..heap };
                self.show(|s| s.positives.push(example));
                return Answer::Positive { example: name, sentence };
            }
        }
        for n in 0..=scenario.largest {
            for heap in heap::all(&scenario.words, n) {
                if patience.cancel.load(Ordering::Relaxed) {
                    let sentence = "You stopped the verifier.".to_owned();
                    return Answer::Undecided { sentence, trouble: None };
                }
                if !fits(&heap) {
                    continue;
                }
                if let Some(why) = scenario.fails(&heap) {
                    let name = letter(self.shown.negatives.len());
                    let sentence = format!("Heap {name} fits, and {why}.");
                    let line = scenario.places[self.place];
                    let trace = vec![
                        TraceStep {
                            line,
                            text: "the loop ends".to_owned(),
                            heap: Some(Box::new(heap.clone())),
                        },
                        TraceStep { line: scenario.check, text: why.clone(), heap: None },
                    ];
                    let example = Example { name: name.clone(), trace, note: why, ..heap };
                    self.show(|s| s.negatives.push(example));
                    return Answer::Negative { example: name, sentence };
                }
                let Some(after) = scenario.step(&heap).filter(|after| !fits(after)) else {
                    continue;
                };
                let name = letter(self.shown.implications.len()).to_lowercase();
                let sentence =
                    "Your pattern fits a heap, but not what one more turn of the loop makes of it."
                        .to_owned();
                let label = |heap, when| Example { name: format!("{name}.{when}"), ..heap };
                let (before, after) = (label(heap, "before"), label(after, "after"));
                let new = Implication { name: name.clone(), before, after };
                self.show(|s| s.implications.push(new));
                return Answer::Implication { example: name, sentence };
            }
        }
        // A summary that nothing leads to: no heap shows what is wrong with it.
        let led_to = |n: &Node| drawing.edges.iter().any(|e| e.to == n.id && e.from != n.id);
        if let Some(lone) = drawing.nodes.iter().find(|n| n.summary && !led_to(n)) {
            let sentence = format!("{} is never reached, as the verifier sees it.", lone.id);
            let (variables, drawing) = (scenario.words.variables.clone(), drawing.clone());
            let trouble = Trouble { line: scenario.check, sentence, variables, drawing };
            let sentence = "The verifier cannot follow this pattern.".to_owned();
            return Answer::Undecided { sentence, trouble: Some(Box::new(trouble)) };
        }
        self.accepted.push(drawing.clone());
        self.place += 1;
        self.shown = Arc::new(Shown::new(&scenario));
        if self.place < scenario.places.len() {
            let sentence =
                format!("Accepted. Line {} is settled.", scenario.places[self.place - 1]);
            return Answer::Accepted { sentence };
        }
        Answer::Verified {
            sentence: "Verified. The patterns hold, and no heap fails the check.".to_owned(),
        }
    }

    fn transcript(&self) -> Option<String> {
        None
    }

    fn fingerprint(&self) -> String {
        format!("practice {}", self.scenario.level.id)
    }
}

fn letter(n: usize) -> String {
    char::from(b'A' + (n % 26) as u8).to_string()
}

impl Shown {
    fn new(scenario: &Scenario) -> Shown {
        let positives = scenario
            .shown
            .iter()
            .enumerate()
            .map(|(i, n)| Example { name: (i + 1).to_string(), ..scenario.reached(*n) });
        let positives = positives.collect();
        Shown {
            scenario: scenario.clone(),
            positives,
            negatives: Vec::new(),
            implications: Vec::new(),
        }
    }
}

impl Question for Shown {
    fn compare(&self, drawing: &Drawing) -> Comparison {
        let pairs = self.implications.iter().flat_map(|i| [&i.before, &i.after]);
        let all = self.positives.iter().chain(&self.negatives).chain(pairs);
        Comparison { fits: all.map(|heap| compare(drawing, heap, &heap.name)).collect() }
    }

    fn meaning(&self, drawing: &Drawing, node: &str) -> Meaning {
        let mut heaps: Vec<Meant> =
            (0..3).map(|cells| Meant { cells, example: None, standing: Vec::new() }).collect();
        let lists = (1..=LONGEST).flat_map(|n| {
            (0..1 << n)
                .map(move |bits: usize| (0..n).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>())
        });
        for ons in lists {
            let example = heap::list(&ons, self.scenario.back);
            let fit = compare(drawing, &example, "");
            let standing: Vec<usize> =
                (0..ons.len()).filter(|i| fit.mapping[*i].as_deref() == Some(node)).collect();
            let Some(meant) =
                heaps.get_mut(standing.len()).filter(|m| fit.fits && m.example.is_none())
            else {
                continue;
            };
            *meant = Meant { cells: standing.len(), example: Some(example), standing };
        }
        Meaning { node: node.to_owned(), heaps }
    }

    fn hint(&self, drawing: &Drawing, _: &Patience) -> Hint {
        let compared = self.compare(drawing);
        for heap in &self.positives {
            let Some(fit) = compared.of(&heap.name).filter(|f| !f.fits) else { continue };
            let clash = fit.clash.clone().unwrap_or_default();
            let sentence = match &clash.missing {
                Some(EdgeRef { from, field, to }) => {
                    format!("Try a maybe edge {field} from {from} to {to}.")
                }
                None => format!("Look at heap {}: {}.", heap.name, clash.sentence),
            };
            return Hint {
                sentence,
                node: clash.node,
                edge: clash.missing,
                example: Some(heap.name.clone()),
                drawing: None,
            };
        }
        for heap in &self.negatives {
            if compared.of(&heap.name).is_some_and(|f| f.fits) {
                let sentence = format!(
                    "Heap {} slips through a maybe. Make one stricter, or split the node in two.",
                    heap.name
                );
                return Hint { sentence, example: Some(heap.name.clone()), ..Hint::default() };
            }
        }
        Hint { sentence: "Every example is right. Submit it.".to_owned(), ..Hint::default() }
    }
}
