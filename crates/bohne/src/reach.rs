//! Reachability (Figure 5): the abstract reachability tree grows until no path leads to a new heap, or
//! a heap may fail a check.
//!
//! **Invariant.** When it is done, the heaps at the locations are an invariant: those after the paths
//! from the entry are among them, and those after every path from one of them.

use std::collections::VecDeque;

use trellis_logic::{FormulaId, RelId};
use trellis_solver::{Solver, Unknown};
use trellis_transys::{LocationId, Target};

use crate::context::Gamma;
use crate::heap::{Heap, add_new};
use crate::meaning;
use crate::post::{abstract_entry, abstract_post};
use crate::predicates::{Predicates, View};
use crate::questions::{Questions, Reply};
use crate::step::Step;
use crate::techniques::Techniques;
use crate::written::Written;

/// A node of the abstract reachability tree.
struct Node {
    at: LocationId,
    heaps: Vec<Heap>,
    /// The node before it, and the path from there.
    parent: Option<(usize, usize)>,
}

/// What the analysis came to.
pub enum Reached {
    /// Nothing new is reached, and nothing fails: the heaps at every location.
    All(Vec<Vec<Heap>>),
    /// A check may fail: the paths from the entry, the last one into the error.
    Alarm(Vec<usize>),
}

/// Analyses a system over the predicates of its locations. `facts` hold at the locations; the
/// precondition holds at the entry.
///
/// # Errors
/// If a solver does not know, or a limit is reached.
pub fn reach(
    questions: &mut Questions<'_>,
    predicates: &[Predicates],
    facts: &[Vec<FormulaId>],
    techniques: Techniques,
) -> Result<Reached, Unknown> {
    let mut tree = Tree::new(questions, predicates, facts, techniques)?;
    tree.grow()
}

/// The tree, and what is needed to make it grow.
struct Tree<'w, 'a> {
    questions: &'w mut Questions<'a>,
    predicates: &'w [Predicates],
    techniques: Techniques,
    nodes: Vec<Node>,
    /// All heaps at the locations.
    known: Vec<Vec<Heap>>,
    /// The paths between locations.
    steps: Vec<Step>,
    /// The paths into errors, by location.
    errors: Vec<Errors>,
    /// What the predicates say at the locations.
    views: Vec<View>,
}

impl<'w, 'a> Tree<'w, 'a> {
    fn new(
        questions: &'w mut Questions<'a>,
        predicates: &'w [Predicates],
        facts: &[Vec<FormulaId>],
        techniques: Techniques,
    ) -> Result<Tree<'w, 'a>, Unknown> {
        let locations = questions.system.locations.len();
        let (mut steps, mut errors) = (Vec::new(), Vec::new());
        for path in 0..questions.system.paths.len() {
            if let Target::Location(to) = questions.system.paths[path].to {
                let from = questions.system.paths[path].from.0;
                let ends = (&predicates[from], &predicates[to.0]);
                steps.push(Step::new(questions, path, ends.0, ends.1, &facts[from])?);
            }
        }
        for (location, facts) in facts.iter().enumerate() {
            errors.push(Errors::new(questions, LocationId(location), facts)?);
        }
        let (arena, var, object) = (&mut questions.system.arena, questions.var, questions.object);
        let view = |here: &Predicates| here.view(arena, var, object, |_, formula| formula);
        let views = predicates.iter().map(view).collect();
        let root = Node { at: LocationId::ENTRY, heaps: Vec::new(), parent: None };
        let (nodes, known) = (vec![root], vec![Vec::new(); locations]);
        Ok(Tree { questions, predicates, techniques, nodes, known, steps, errors, views })
    }

    /// Figure 5.
    fn grow(&mut self) -> Result<Reached, Unknown> {
        let mut unprocessed = VecDeque::from([0]);
        while let Some(n) = unprocessed.pop_front() {
            if self.is_covered(n) {
                continue;
            }
            if let Some(error) = self.error(n)? {
                return Ok(Reached::Alarm(self.trace(n, error)));
            }
            for step in 0..self.steps.len() {
                let path = &self.questions.system.paths[self.steps[step].path];
                let Target::Location(to) = path.to else { continue };
                if path.from != self.nodes[n].at {
                    continue;
                }
                let posts = self.post(n, step, to)?;
                let heaps = add_new(&mut self.known[to.0], posts);
                if !heaps.is_empty() {
                    unprocessed.push_back(self.nodes.len());
                    let parent = Some((n, self.steps[step].path));
                    self.nodes.push(Node { at: to, heaps, parent });
                }
            }
        }
        Ok(Reached::All(std::mem::take(&mut self.known)))
    }

    /// Whether all heaps of a node are below ones that were found later, which have nodes of their own.
    fn is_covered(&mut self, n: usize) -> bool {
        let node = &mut self.nodes[n];
        if node.at == LocationId::ENTRY {
            return false;
        }
        let known = &self.known[node.at.0];
        node.heaps.retain(|heap| known.contains(heap));
        node.heaps.is_empty()
    }

    /// The heaps after a path from a node.
    fn post(&mut self, n: usize, step: usize, to: LocationId) -> Result<Vec<Heap>, Unknown> {
        let (node, step) = (&self.nodes[n], &mut self.steps[step]);
        let (before, after) = (&self.predicates[node.at.0], &self.predicates[to.0]);
        if node.at == LocationId::ENTRY {
            return abstract_entry(self.questions, step, after, self.techniques);
        }
        let known = &self.known[node.at.0];
        let ends = (before, after);
        abstract_post(self.questions, step, ends, known, &node.heaps, self.techniques)
    }

    /// A path into an error that may be open in a node. What is known of the objects of variables is
    /// mostly enough to exclude them all; heaps as a whole are asked about where it is not (section 4).
    fn error(&mut self, n: usize) -> Result<Option<usize>, Unknown> {
        let node = &self.nodes[n];
        let (at, view) = (node.at.0, &self.views[node.at.0]);
        if node.at == LocationId::ENTRY {
            return self.errors[at].find(self.questions, &[]);
        }
        let (arena, var) = (&mut self.questions.system.arena, self.questions.var);
        let mut said = Vec::new();
        for heap in &node.heaps {
            let gamma = Gamma::instantiated(&self.predicates[at], heap);
            let conjuncts = gamma.conjuncts(arena, var, view).into_iter().map(|(f, _)| f);
            said.push(arena.and(conjuncts.collect::<Vec<_>>()));
        }
        let one = arena.or(said.clone());
        if self.errors[at].find(self.questions, &[one])?.is_none() {
            return Ok(None);
        }
        for (heap, said) in node.heaps.iter().zip(said) {
            let arena = &mut self.questions.system.arena;
            let whole = meaning::of_heap(arena, var, &view.formulas, heap);
            if let Some(path) = self.errors[at].find(self.questions, &[said, whole])? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// The paths to a node, and one more.
    fn trace(&self, n: usize, last: usize) -> Vec<usize> {
        let mut paths = vec![last];
        let mut at = n;
        while let Some((before, path)) = self.nodes[at].parent {
            paths.push(path);
            at = before;
        }
        paths.reverse();
        paths
    }
}

/// The paths from a location into errors.
pub(crate) struct Errors {
    /// Each with the proposition that it is taken; no solver if there are none.
    paths: Vec<(usize, RelId)>,
    solver: Option<Box<dyn Solver>>,
    /// Its questions as texts.
    written: Written,
}

impl Errors {
    pub(crate) fn new(
        questions: &mut Questions<'_>,
        from: LocationId,
        facts: &[FormulaId],
    ) -> Result<Errors, Unknown> {
        let all = 0..questions.system.paths.len();
        let into_errors = |&i: &usize| {
            let path = &questions.system.paths[i];
            path.from == from && path.error().is_some()
        };
        let chosen: Vec<usize> = all.filter(into_errors).collect();
        if chosen.is_empty() {
            return Ok(Errors { paths: Vec::new(), solver: None, written: Written::default() });
        }
        let mut solver = questions.solver(from)?;
        questions.assert(&mut *solver, facts)?;
        let mut known = questions.known_at(from);
        known.extend(facts);
        let mut paths = Vec::new();
        for path in chosen {
            let name = questions.system.vocabulary.fresh_name("taken");
            let taken = questions.system.vocabulary.relation(name, &[]);
            let facts = questions.taken(path);
            let arena = &mut questions.system.arena;
            let premise = arena.rel(taken, &[]);
            let facts: Vec<FormulaId> =
                facts.into_iter().map(|fact| arena.implies(premise, fact)).collect();
            questions.assert(&mut *solver, &facts)?;
            known.extend(facts);
            paths.push((path, taken));
        }
        let arena = &mut questions.system.arena;
        let taken: Vec<FormulaId> = paths.iter().map(|(_, rel)| arena.rel(*rel, &[])).collect();
        let one = arena.or(taken);
        questions.assert(&mut *solver, &[one])?;
        known.push(one);
        let written = Written::new(questions, from, &known);
        Ok(Errors { paths, solver: Some(solver), written })
    }

    /// A solver that knows that one of them is taken, if there are any.
    pub(crate) fn into_solver(self) -> Option<Box<dyn Solver>> {
        self.solver
    }

    /// One of them that may be taken in a state that satisfies some formulas.
    fn find(
        &mut self,
        questions: &mut Questions<'_>,
        here: &[FormulaId],
    ) -> Result<Option<usize>, Unknown> {
        let Some(solver) = &mut self.solver else { return Ok(None) };
        match self.written.ask(questions, &mut **solver, here)? {
            None | Some(Reply::Core(_)) => Ok(None),
            Some(Reply::Model(model)) => {
                let taken = self.paths.iter().find(|(_, rel)| model.rel(*rel, &[]));
                let missing = || Unknown::Incomplete("no path is taken in the model".into());
                taken.map(|(path, _)| Some(*path)).ok_or_else(missing)
            }
        }
    }
}
