//! The abstraction of weakest preconditions, wlp# (section 3.2), on demand.
//!
//! The paper computes, for every predicate p and command, all short cubes C with Γ ∧ γ(C) ⊨ wlp(p). A
//! Boolean heap has few complete cubes, so here the question is put for these alone, and the core of an
//! answer is the short cube: it is kept, and holds for all cubes below it ([`crate::cache`]). So cubes
//! of any length are found, predicates that do not matter drop out of the core by themselves, and
//! predicates that the path does not change cost no question.

use trellis_logic::FormulaId;
use trellis_solver::Unknown;

use crate::context::{Gamma, Part};
use crate::cube::{Bits, ObjectCube};
use crate::meaning;
use crate::predicates::Predicates;
use crate::questions::Questions;
use crate::step::{Asked, Step};

/// Where an assumption comes from.
#[derive(Clone, Copy)]
enum Origin {
    /// A literal of the cube.
    Literal(usize),
    /// The context.
    Context(Part),
    /// What is asked.
    Goal,
}

/// The smallest cube that objects of a complete cube are in after the path, in a context (cpost);
/// nothing if there are no such objects where the path is taken. What the transition relation of the
/// path and the context says already is no question.
///
/// # Errors
/// If a solver does not know.
pub fn after(
    questions: &mut Questions<'_>,
    step: &mut Step,
    predicates: &Predicates,
    gamma: &Gamma,
    cube: Bits,
) -> Result<Option<ObjectCube>, Unknown> {
    let relation = step.cache.relation(gamma);
    if let Some(after) = step.cache.leads(relation, cube) {
        return Ok(after);
    }
    let mut work = Transition { questions, step, predicates, gamma, relation, cube };
    let mut out = work.is_possible()?.then_some(ObjectCube::TOP);
    if let Some(out) = &mut out {
        for predicate in 0..work.step.after.formulas.len() {
            if let Some(value) = work.value(predicate)? {
                *out = out.with(predicate, value);
            }
        }
    }
    step.cache.lead(relation, cube, out);
    Ok(out)
}

struct Transition<'w, 'a> {
    questions: &'w mut Questions<'a>,
    step: &'w mut Step,
    predicates: &'w Predicates,
    gamma: &'w Gamma,
    /// The number of the transition relation.
    relation: usize,
    cube: Bits,
}

impl Transition<'_, '_> {
    /// Whether there may be an object in the cube.
    fn is_possible(&mut self) -> Result<bool, Unknown> {
        let samples = &self.step.cache.samples;
        let is_seen = samples
            .iter()
            .any(|s| s.before.contains(&self.cube) && self.gamma.holds_in(self.predicates, s));
        if is_seen || self.step.after.formulas.is_empty() {
            return Ok(true);
        }
        if self.step.cache.is_dead(self.cube, self.gamma) {
            self.questions.counts.hits += 1;
            return Ok(false);
        }
        match self.ask(None)? {
            None => Ok(true),
            Some((cube, gamma)) => {
                self.step.cache.bury(cube, gamma);
                Ok(false)
            }
        }
    }

    /// The value of a predicate after the path, if all objects of the cube have the same.
    fn value(&mut self, predicate: usize) -> Result<Option<bool>, Unknown> {
        if let Some((same, positive)) = self.step.unchanged[predicate] {
            return Ok(Some(crate::cube::has(self.cube, same) == positive));
        }
        match self.step.after.formulas[predicate] {
            FormulaId::TRUE => return Ok(Some(true)),
            FormulaId::FALSE => return Ok(Some(false)),
            _ => {}
        }
        let literals = [(predicate, false), (predicate, true)];
        let holds =
            |literal: &(usize, bool)| self.step.cache.holds(self.relation, *literal, self.cube);
        if let Some((_, value)) = literals.into_iter().find(holds) {
            return Ok(Some(value));
        }
        for literal in literals {
            if let Some(shown) = self.step.cache.shown(literal, self.cube, self.gamma) {
                self.questions.counts.hits += 1;
                self.step.cache.hold(self.relation, literal, shown);
                return Ok(Some(literal.1));
            }
        }
        let seen = self.step.cache.seen(self.predicates, predicate, self.cube, self.gamma);
        let value = match seen {
            [true, true] => {
                self.questions.counts.hits += 1;
                return Ok(None);
            }
            // One of them was seen: the cube is possible.
            [_, is_true] => is_true,
        };
        match self.ask(Some((predicate, value)))? {
            None => Ok(None),
            Some((cube, gamma)) => {
                self.step.cache.hold(self.relation, (predicate, value), cube);
                self.step.cache.show((predicate, value), cube, gamma);
                Ok(Some(value))
            }
        }
    }

    /// Whether a literal holds after the path for all objects of the cube; without a literal, whether
    /// there are none. If so, because of which part of the cube and the context.
    fn ask(&mut self, goal: Option<(usize, bool)>) -> Result<Option<(ObjectCube, Gamma)>, Unknown> {
        let all = ObjectCube::of(self.predicates.space.all(), self.cube);
        let var = self.questions.var;
        let arena = &mut self.questions.system.arena;
        let mut assumed: Vec<(FormulaId, Origin)> = Vec::new();
        for (i, value) in all.literals() {
            let literal = meaning::literal(arena, self.step.before.of_object[i], value);
            assumed.push((literal, Origin::Literal(i)));
        }
        let context = self.gamma.conjuncts(arena, var, &self.step.before);
        assumed.extend(context.into_iter().map(|(formula, part)| (formula, Origin::Context(part))));
        if let Some((predicate, value)) = goal {
            let denied = meaning::literal(arena, self.step.after.of_object[predicate], !value);
            assumed.push((denied, Origin::Goal));
        }
        let formulas: Vec<FormulaId> = assumed.iter().map(|(formula, _)| *formula).collect();
        let core = match self.step.ask(self.questions, &formulas)? {
            Asked::Sometimes(_) => return Ok(None),
            Asked::Never(core) => core,
        };
        let (mut care, mut parts) = (0, Vec::new());
        for i in core {
            match assumed[i].1 {
                Origin::Literal(i) => care |= 1 << i,
                Origin::Context(part) => parts.push(part),
                Origin::Goal => {}
            }
        }
        Ok(Some((ObjectCube::of(care, self.cube), self.gamma.only(&parts))))
    }
}
