//! Invariants and abstract states in the user's words.

use trellis_logic::drawing::{Node, NodeIndex, Target, TextStyle};
use trellis_logic::{Arena, Drawing, Formula, FormulaId, FunId, RelId, Structure};
use trellis_pdr::{AbstractState, Invariant};
use trellis_program::Program;
use trellis_transys::{
    ErrorKind, FieldAt, Location, LocationId, PointerField, TransitionSystem, integers,
};

use super::contract;
use super::readable::{Laws, readable};
use crate::verdict::{AbstractStep, LoopInvariant};

/// What holds at every loop head, in the order of the source, the simplest formulas first. The
/// program is the one that the system was built from.
pub(crate) fn invariants(
    program: &Program,
    system: &TransitionSystem,
    invariant: &Invariant,
) -> Vec<LoopInvariant> {
    let mut out = Vec::new();
    let locations = system.locations.iter().zip(&invariant.clauses).enumerate();
    for (at, (location, clauses)) in locations.skip(1) {
        let (arena, facts) = readable(&Laws::of(system), &system.arena, clauses);
        let mut formulas: Vec<(bool, usize, String)> = facts
            .iter()
            .map(|&fact| {
                let text = arena.print(&system.vocabulary, fact);
                (is_universal(&arena, fact), text.chars().count(), text)
            })
            .collect();
        formulas.sort();
        let mut formulas: Vec<String> = formulas.into_iter().map(|(_, _, text)| text).collect();
        if formulas.is_empty() {
            formulas.push("\\true".to_owned());
        }
        let contract = contract::formulas(program, system, LocationId(at), clauses);
        out.push(LoopInvariant { place: location.span, formulas, short: Vec::new(), contract });
    }
    out.sort_by_key(|i| i.place);
    out
}

/// How many clauses have a quantifier.
pub(super) fn universal(system: &TransitionSystem, invariant: &Invariant) -> usize {
    invariant.clauses.iter().flatten().filter(|&&c| is_universal(&system.arena, c)).count()
}

fn is_universal(arena: &Arena, clause: FormulaId) -> bool {
    matches!(arena.formula(clause), Formula::Quant(..))
}

/// In which language there is no invariant, as a sentence.
pub(super) fn language(system: &TransitionSystem) -> String {
    let symbols = &system.symbols;
    let word = |f: &PointerField| f.theory.word(&f.name);
    let mut words: Vec<String> = symbols.pointers.iter().filter_map(word).collect();
    let steps = symbols.pointers.iter().filter(|f| word(f).is_none() || f.edge.is_some());
    words.extend(steps.map(|f| f.name.clone()));
    words.push("alloc".to_owned());
    words.extend(symbols.integers.iter().map(|f| f.name.clone()));
    let rels = symbols.marks.values().chain(symbols.types.values());
    words.extend(rels.map(|rel| system.vocabulary.rel(*rel).name.clone()));
    format!("no universal formula over {} and the variables is an invariant", words.join(", "))
}

/// An abstract execution, state by state, and the check that it ends in.
pub(super) fn trace(system: &TransitionSystem, trace: &[AbstractState]) -> Vec<AbstractStep> {
    let mut steps: Vec<AbstractStep> = trace
        .iter()
        .map(|s| AbstractStep {
            place: system.locations[s.state.at.0].span,
            text: state(system, s.state.at, &s.state.structure),
        })
        .collect();
    if let Some(error) = trace.last().and_then(|s| s.error(system)) {
        let text = match error.kind {
            ErrorKind::Check(kind) => format!("{kind}: {}", kind.failure()),
            ErrorKind::Cycle => "a cycle is made, which this engine's logic cannot follow".into(),
            ErrorKind::Sharing => {
                "what was a tree is none, which this engine's logic cannot follow".into()
            }
        };
        steps.push(AbstractStep { place: error.span, text });
    }
    steps
}

/// A state at a location, restricted to what matters there. Arrows stand for one or more steps.
fn state(system: &TransitionSystem, at: LocationId, structure: &Structure) -> String {
    let mut picture = Picture::new(system, &system.locations[at.0], structure);
    picture.fields();
    picture.facts();
    picture.variables();
    let mut lines = vec![picture.drawing.to_text(TextStyle::default())];
    lines.extend(picture.notes);
    lines.retain(|l| !l.is_empty());
    lines.join("\n")
}

struct Picture<'a> {
    system: &'a TransitionSystem,
    location: &'a Location,
    structure: &'a Structure,
    drawing: Drawing,
    /// By element.
    targets: Vec<Target>,
    /// The data as integers; by rank if no integers fit.
    data: Vec<i128>,
    /// What is not about objects.
    notes: Vec<String>,
}

impl<'a> Picture<'a> {
    fn new(system: &'a TransitionSystem, location: &'a Location, structure: &'a Structure) -> Self {
        let mut drawing = Drawing::new();
        let null = structure.constant(system.symbols.null);
        let targets = (0..structure.size(system.symbols.obj))
            .map(|e| match Some(e) == null {
                true => Target::Null,
                false => {
                    let label = (drawing.nodes.len() + 1).to_string();
                    Target::Node(drawing.add_node(Node::new(label)))
                }
            })
            .collect();
        let data = integers(system, structure).unwrap_or_else(|_| {
            let size = structure.size(system.symbols.data);
            let at_most = system.symbols.at_most;
            let below = |e| (0..size).filter(|o| structure.rel(at_most, &[*o, e])).count();
            (0..size).map(|e| below(e) as i128).collect()
        });
        let notes = Vec::new();
        Picture { system, location, structure, drawing, targets, data, notes }
    }

    /// The elements besides null, with their nodes.
    fn nodes(&self) -> Vec<(u32, NodeIndex)> {
        let node = |(e, t): (usize, &Target)| match t {
            Target::Node(node) => Some((e as u32, *node)),
            Target::Null | Target::Dangling => None,
        };
        self.targets.iter().enumerate().filter_map(node).collect()
    }

    /// What a field of an element holds.
    fn next(&self, at: FieldAt, x: u32) -> Target {
        let next = self.system.symbols.fields().read(self.structure, at, x);
        next.map_or(Target::Null, |y| self.targets[y as usize])
    }

    /// Pointer fields; what a field was at the entry is drawn where it differs.
    fn fields(&mut self) {
        let matters = |rel: &RelId| self.location.relations.contains(rel);
        let mut arrows = Vec::new();
        for (i, field) in self.system.symbols.pointers.iter().enumerate() {
            let (now, entry) = (field.relation.now, field.relation.entry);
            for (x, node) in self.nodes() {
                let current = if matters(&now) { FieldAt::now(i) } else { FieldAt::entry(i) };
                let to = self.next(current, x);
                arrows.push((node, field.name.clone(), to));
                let was = self.next(FieldAt::entry(i), x);
                if matters(&now) && matters(&entry) && was != to {
                    arrows.push((node, format!("\\old({})", field.name), was));
                }
            }
        }
        for (node, name, to) in arrows {
            self.drawing.add_edge(node, name, to);
        }
    }

    /// What else is known of objects.
    fn facts(&mut self) {
        let symbols = &self.system.symbols;
        let about_one = |rel: &&RelId| self.system.vocabulary.rel(**rel).args.len() == 1;
        let alloc = if self.location.relations.contains(&symbols.alloc.now) {
            symbols.alloc.now
        } else {
            symbols.alloc.entry
        };
        let mut values = Vec::new();
        for (x, node) in self.nodes() {
            for rel in self.location.relations.iter().filter(about_one) {
                let holds = self.structure.rel(*rel, &[x]);
                let name = &self.system.vocabulary.rel(*rel).name;
                if *rel == alloc && !holds {
                    values.push((node, "not allocated".to_owned(), String::new()));
                } else if *rel != symbols.alloc.now && *rel != symbols.alloc.entry && holds {
                    values.push((node, name.clone(), String::new()));
                }
            }
            for fun in &self.location.functions {
                if let Some(datum) = self.datum(*fun, &[x]) {
                    let name = self.system.vocabulary.fun(*fun).name.clone();
                    values.push((node, name, datum.to_string()));
                }
            }
        }
        for (node, name, value) in values {
            self.drawing.nodes[node.0].values.push((name, value));
        }
    }

    fn datum(&self, fun: FunId, args: &[u32]) -> Option<i128> {
        match self.structure.fun(fun, args)? {
            trellis_logic::Value::Elem(e) => self.data.get(e as usize).copied(),
            trellis_logic::Value::Int(_) => None,
        }
    }

    fn variables(&mut self) {
        for &fun in &self.location.constants {
            let symbol = self.system.vocabulary.fun(fun);
            if symbol.result == self.system.symbols.obj {
                if let Some(e) = self.structure.constant(fun) {
                    self.drawing.add_pointer(symbol.name.clone(), self.targets[e as usize]);
                }
            } else if let Some(datum) = self.datum(fun, &[]) {
                self.notes.push(format!("{} = {datum}", symbol.name));
            }
        }
        for &rel in &self.location.propositions {
            let name = &self.system.vocabulary.rel(rel).name;
            let holds = self.structure.rel(rel, &[]);
            self.notes.push(match (holds, name.contains(" == ")) {
                (true, _) => name.clone(),
                (false, true) => name.replacen(" == ", " != ", 1),
                (false, false) => format!("!{name}"),
            });
        }
    }
}
