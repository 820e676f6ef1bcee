//! The search: frames, obligations, diagrams, pushing.
//!
//! One solver knows everything: the axioms, the ways through the loop behind selectors, the initial
//! states as one more way, and the lemmas behind guards. A diagram's facts about the state after a
//! step are literals of propositions that are defined once for every way.

use std::collections::BTreeMap;

use trellis_logic::{FormulaId, FunId, RelId, Structure};
use trellis_solver::{Answer, Context, Limits, Solver};

use crate::text::{Program, after};

/// Diagrams have at most so many elements beside null.
const ELEMENTS: usize = 9;

/// A fact about the elements of a diagram, positive or not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    what: What,
    positive: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Is(FunId, usize),
    Same(usize, usize),
    Rel(RelId, Vec<usize>),
}

/// The facts of one structure.
type Cube = Vec<Fact>;

struct Lemma {
    cube: Cube,
    guard: FormulaId,
    level: usize,
}

pub struct Search<S> {
    program: Program,
    solver: S,
    /// Constants for the elements of diagrams.
    skolems: Vec<FunId>,
    step: FormulaId,
    initial: FormulaId,
    selectors: Vec<FormulaId>,
    /// What facts about the state after a step are called.
    named: BTreeMap<FormulaId, FormulaId>,
    lemmas: Vec<Lemma>,
    questions: usize,
}

enum Next {
    Done,
    Stop(&'static str),
}

impl<S: Solver> Search<S> {
    pub fn new(mut program: Program, solver: S) -> Search<S> {
        let node = program.node;
        let skolems =
            (0..ELEMENTS).map(|i| program.vocabulary.constant(format!("e{i}"), node)).collect();
        let mut proposition = |name: String| {
            let rel = program.vocabulary.relation(name, &[]);
            program.arena.rel(rel, &[])
        };
        let (step, initial) = (proposition("step".into()), proposition("initial".into()));
        let selectors = (0..=program.paths.len()).map(|i| proposition(format!("way{i}"))).collect();
        let (named, lemmas) = (BTreeMap::new(), Vec::new());
        Search { program, solver, skolems, step, initial, selectors, named, lemmas, questions: 0 }
    }

    fn assert(&mut self, formula: FormulaId) {
        let Program { vocabulary, arena, .. } = &mut self.program;
        let taken = self.solver.assert(&mut Context { vocabulary, arena }, formula);
        taken.expect("EPR");
    }

    /// Asks for at most so many answers; says how it ended.
    pub fn run(mut self, limit: usize) -> (&'static str, usize, S) {
        for axiom in self.program.axioms.clone() {
            self.assert(axiom);
        }
        let ways = self.program.arena.or(self.selectors.clone());
        let some_way = self.program.arena.implies(self.step, ways);
        self.assert(some_way);
        let init = self.program.init;
        for guard in [self.initial, self.selectors[0]] {
            let starts = self.program.arena.implies(guard, init);
            self.assert(starts);
        }
        for (i, (guard, _)) in self.program.paths.clone().into_iter().enumerate() {
            let enters = self.program.arena.implies(self.selectors[i + 1], guard);
            self.assert(enters);
        }
        let mut level = 1;
        let outcome = loop {
            if let Next::Stop(why) = self.make_safe(level, limit) {
                break why;
            }
            if let Next::Stop(why) = self.propagate(level, limit) {
                break why;
            }
            level += 1;
        };
        (outcome, self.questions, self.solver)
    }

    fn make_safe(&mut self, level: usize, limit: usize) -> Next {
        for bad in self.program.bad.clone() {
            loop {
                let mut assumed = self.frame(level);
                assumed.push(bad);
                let Some(cube) = self.predecessor(&assumed) else {
                    break;
                };
                let Some(cube) = cube else {
                    return Next::Stop("too many elements");
                };
                if let Next::Stop(why) = self.block(cube, level, limit) {
                    return Next::Stop(why);
                }
            }
        }
        Next::Done
    }

    fn block(&mut self, cube: Cube, level: usize, limit: usize) -> Next {
        let mut stack = vec![(cube, level)];
        while let Some((cube, level)) = stack.last().cloned() {
            if self.questions >= limit {
                return Next::Stop("enough questions");
            }
            if level == 0 {
                return Next::Stop("abstract trace");
            }
            let (assumed, facts) = self.step_into(&cube, level - 1);
            match self.ask(&assumed, true) {
                Answer::Sat => {
                    let Some(before) = self.diagram() else {
                        return Next::Stop("too many elements");
                    };
                    stack.push((before, level - 1));
                }
                Answer::Unsat => {
                    let core = self.solver.core();
                    let cube = facts
                        .iter()
                        .zip(&cube)
                        .filter(|(at, _)| core.binary_search(at).is_ok())
                        .map(|(_, fact)| fact.clone())
                        .collect();
                    self.learn(cube, level);
                    stack.pop();
                }
                Answer::Unknown(_) => return Next::Stop("unknown"),
            }
        }
        Next::Done
    }

    /// Moves lemmas up.
    fn propagate(&mut self, top: usize, limit: usize) -> Next {
        for level in 1..=top {
            for at in 0..self.lemmas.len() {
                if self.lemmas[at].level != level || self.questions >= limit {
                    continue;
                }
                let (assumed, _) = self.step_into(&self.lemmas[at].cube.clone(), level);
                if self.ask(&assumed, false) == Answer::Unsat {
                    self.lemmas[at].level += 1;
                }
            }
            if self.lemmas.iter().all(|l| l.level != level) {
                return Next::Stop("proved");
            }
        }
        Next::Done
    }

    /// The lemmas of a frame.
    fn frame(&self, level: usize) -> Vec<FormulaId> {
        if level == 0 {
            return vec![self.initial];
        }
        self.lemmas.iter().filter(|l| l.level >= level).map(|l| l.guard).collect()
    }

    /// Can a step from a frame, or an initial state, satisfy the facts? Also where the assumptions
    /// of the facts are.
    fn step_into(&mut self, cube: &Cube, level: usize) -> (Vec<FormulaId>, Vec<usize>) {
        let mut assumed = self.frame(level);
        assumed.push(self.step);
        let used = cube.iter().flat_map(elements).max().map_or(0, |e| e + 1);
        for unused in used..self.skolems.len() {
            let (e, null) = (self.skolem(unused), self.program.arena.constant(self.program.null));
            assumed.push(self.program.arena.eq(e, null));
        }
        let first = assumed.len();
        for fact in cube {
            let literal = self.after_step(fact);
            assumed.push(literal);
        }
        let facts = (first..assumed.len()).collect();
        (assumed, facts)
    }

    fn skolem(&mut self, element: usize) -> trellis_logic::TermId {
        self.program.arena.constant(self.skolems[element])
    }

    /// The literal for a fact about the state after a step.
    fn after_step(&mut self, fact: &Fact) -> FormulaId {
        let terms: Vec<_> = (0..self.skolems.len()).map(|e| self.skolem(e)).collect();
        let atom = self.atom(&fact.what, &terms);
        let mut name = atom;
        if self.changes(&fact.what) {
            name = match self.named.get(&atom) {
                Some(&name) => name,
                None => self.define(atom),
            };
        }
        if fact.positive { name } else { self.program.arena.not(name) }
    }

    fn changes(&self, what: &What) -> bool {
        let Program { vocabulary, .. } = &self.program;
        match what {
            What::Is(fun, _) => vocabulary.fun(*fun).mutable,
            What::Same(..) => false,
            What::Rel(rel, _) => {
                vocabulary.rel(*rel).mutable && !vocabulary.rel(*rel).name.ends_with('0')
            }
        }
    }

    /// Names an atom about the state after a step.
    fn define(&mut self, atom: FormulaId) -> FormulaId {
        let name = format!("post{}", self.named.len());
        let rel = self.program.vocabulary.relation(name, &[]);
        let name = self.program.arena.rel(rel, &[]);
        self.named.insert(atom, name);
        for way in 0..self.selectors.len() {
            let arena = &mut self.program.arena;
            let meaning = match way {
                0 => atom,
                way => after(arena, atom, &self.program.paths[way - 1].1),
            };
            let same = arena.iff(name, meaning);
            let rule = arena.implies(self.selectors[way], same);
            self.assert(rule);
        }
        name
    }

    fn atom(&mut self, what: &What, terms: &[trellis_logic::TermId]) -> FormulaId {
        let arena = &mut self.program.arena;
        match what {
            What::Is(fun, e) => {
                let constant = arena.constant(*fun);
                arena.eq(constant, terms[*e])
            }
            What::Same(a, b) => arena.eq(terms[*a], terms[*b]),
            What::Rel(rel, elements) => {
                let args: Vec<_> = elements.iter().map(|&e| terms[e]).collect();
                arena.rel(*rel, &args)
            }
        }
    }

    fn ask(&mut self, assumed: &[FormulaId], minimise_core: bool) -> Answer {
        self.questions += 1;
        let limits = Limits { minimise_core, ..Limits::default() };
        let Program { vocabulary, arena, .. } = &mut self.program;
        self.solver.check(&mut Context { vocabulary, arena }, assumed, &limits)
    }

    /// The diagram of a state that satisfies the assumptions: `None` if there is no state,
    /// `Some(None)` if it is too large.
    fn predecessor(&mut self, assumed: &[FormulaId]) -> Option<Option<Cube>> {
        (self.ask(assumed, false) == Answer::Sat).then(|| self.diagram())
    }

    fn diagram(&mut self) -> Option<Cube> {
        let limits = Limits { minimise_model: true, ..Limits::default() };
        let Program { vocabulary, arena, .. } = &mut self.program;
        let model = self.solver.model(&mut Context { vocabulary, arena }, &limits).ok()?;
        let size = model.size(self.program.node) as usize;
        (size <= ELEMENTS).then(|| self.facts(&model, size))
    }

    fn facts(&self, model: &Structure, size: usize) -> Cube {
        let mut facts = Vec::new();
        for e in 0..size {
            for &constant in &self.program.constants {
                let positive = model.constant(constant) == Some(e as u32);
                facts.push(Fact { what: What::Is(constant, e), positive });
            }
            facts.extend((0..e).map(|d| Fact { what: What::Same(d, e), positive: false }));
        }
        for &rel in &self.program.relations {
            let space = model.rel_space(rel);
            for index in 0..space.len() {
                let tuple = space.tuple(index);
                let positive = model.rel(rel, &tuple);
                let elements = tuple.into_iter().map(|e| e as usize).collect();
                facts.push(Fact { what: What::Rel(rel, elements), positive });
            }
        }
        facts
    }

    /// No state has these facts.
    fn learn(&mut self, cube: Cube, level: usize) {
        let (cube, count) = compact(cube);
        let node = self.program.node;
        let vars: Vec<_> =
            (0..count).map(|e| self.program.arena.variable(format!("x{e}"), node)).collect();
        let terms: Vec<_> = vars.iter().map(|&v| self.program.arena.var_term(v)).collect();
        let mut parts = Vec::new();
        for fact in &cube {
            let atom = self.atom(&fact.what, &terms);
            parts.push(if fact.positive { self.program.arena.not(atom) } else { atom });
        }
        let arena = &mut self.program.arena;
        let body = arena.or(parts);
        let clause = arena.forall(&vars, body);
        let guard = self.program.vocabulary.relation(format!("act{}", self.lemmas.len()), &[]);
        let guard = arena.rel(guard, &[]);
        let lemma = arena.implies(guard, clause);
        self.assert(lemma);
        self.lemmas.push(Lemma { cube, guard, level });
    }
}

fn elements(fact: &Fact) -> Vec<usize> {
    match &fact.what {
        What::Is(_, e) => vec![*e],
        What::Same(a, b) => vec![*a, *b],
        What::Rel(_, elements) => elements.clone(),
    }
}

/// The same facts with the elements numbered without gaps, and how many there are.
fn compact(mut cube: Cube) -> (Cube, usize) {
    let mut numbers: Vec<usize> = cube.iter().flat_map(elements).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let new = |e: &mut usize| *e = numbers.binary_search(e).unwrap_or(0);
    for fact in &mut cube {
        match &mut fact.what {
            What::Is(_, e) => new(e),
            What::Same(a, b) => {
                new(a);
                new(b);
            }
            What::Rel(_, elements) => elements.iter_mut().for_each(new),
        }
    }
    (cube, numbers.len())
}
