//! Sharpening by constraints.
//!
//! A [`Constraint`] is a disjunction that holds in every heap, for all values of its free
//! variables. Where all disjuncts but one are false, the last one must be true, and what this says
//! about single values is written down; where all are false, the structure describes no heap. This
//! is unit propagation, so a constraint works in every direction, and TVLA's rules "body implies
//! literal" need not be turned round by hand.
//!
//! **Contract**: a definite structure that satisfies the constraints and embeds into the argument
//! embeds into the result by the same function; if there is no result, there is none. The result
//! embeds into the argument. Sharpening goes on until nothing changes.
//!
//! Most structures are a sharpened one after a small change. [`coerce_from`] is told the structure
//! before the change, and looks only at constraints that mention a predicate with another value.

use super::eval::Evaluator;
use super::formula::{Formula, Time};
use super::predicates::PredId;
use super::row::{WIDTH, first};
use super::structure::KleeneStructure;
use super::value::Kleene;

/// Something that holds in every heap: one of some formulas, for all objects that the free
/// variables stand for.
#[derive(Clone, Debug)]
pub struct Constraint {
    name: String,
    places: usize,
    /// By number of variables that have a value, the disjuncts that can be evaluated then.
    disjuncts: Vec<Vec<Formula>>,
    /// The predicates that they mention, sorted.
    mentions: Vec<PredId>,
}

impl Constraint {
    /// One of the disjuncts holds; their free variables are the first `places`.
    ///
    /// It is cheapest if the disjuncts about the first variables are true most of the time.
    pub fn new(
        name: impl Into<String>,
        places: usize,
        disjuncts: impl IntoIterator<Item = Formula>,
    ) -> Self {
        let mut by_level = vec![Vec::new(); places + 1];
        let mut mentions = Vec::new();
        for disjunct in disjuncts {
            mentions.extend(disjunct.predicates());
            let level = disjunct.free_vars().last().map_or(0, |v| v.index() + 1);
            by_level[level].push(disjunct);
        }
        mentions.sort_unstable();
        mentions.dedup();
        Constraint { name: name.into(), places, disjuncts: by_level, mentions }
    }

    /// What it says, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many variables are free.
    pub fn places(&self) -> usize {
        self.places
    }

    /// The formulas of which one holds.
    pub fn disjuncts(&self) -> impl Iterator<Item = &Formula> {
        self.disjuncts.iter().flatten()
    }
}

/// A value that must be different.
enum Change {
    Value(PredId, Vec<usize>, Kleene),
    NoSummary(usize),
}

/// There is no heap.
struct Contradiction;

/// Sharpens a structure by constraints; `None` if it describes no heap.
pub fn coerce(structure: KleeneStructure, constraints: &[Constraint]) -> Option<KleeneStructure> {
    until_nothing_changes(structure, constraints, vec![true; constraints.len()])
}

/// The same for a structure that was made of another one, from which the constraints made nothing
/// follow: those are left out that mention no predicate with another value.
pub fn coerce_from(
    base: &KleeneStructure,
    structure: KleeneStructure,
    constraints: &[Constraint],
) -> Option<KleeneStructure> {
    if base.summary != structure.summary {
        return coerce(structure, constraints);
    }
    let differs = |p: PredId| {
        let range = base.range(p);
        base.values[range.clone()] != structure.values[range]
    };
    let changed: Vec<bool> = base.predicates.ids().map(differs).collect();
    let touched = |c: &Constraint| c.mentions.iter().any(|p| changed[p.index()]);
    let pending = constraints.iter().map(touched).collect();
    until_nothing_changes(structure, constraints, pending)
}

/// Looks at the pending constraints, and at those that mention what is sharpened on the way.
fn until_nothing_changes(
    mut structure: KleeneStructure,
    constraints: &[Constraint],
    mut pending: Vec<bool>,
) -> Option<KleeneStructure> {
    loop {
        let mut idle = true;
        for (i, constraint) in constraints.iter().enumerate() {
            if !std::mem::replace(&mut pending[i], false) {
                continue;
            }
            idle = false;
            for change in propagate(&structure, constraint).ok()? {
                if !structure.sharpen(&change)? {
                    continue;
                }
                let touched = |c: &Constraint| match &change {
                    Change::Value(p, ..) => c.mentions.binary_search(p).is_ok(),
                    // Equality and quantifiers are everywhere.
                    Change::NoSummary(_) => true,
                };
                for (pending, constraint) in pending.iter_mut().zip(constraints) {
                    *pending |= touched(constraint);
                }
            }
        }
        if idle {
            return Some(structure);
        }
    }
}

fn propagate(
    structure: &KleeneStructure,
    constraint: &Constraint,
) -> Result<Vec<Change>, Contradiction> {
    let mut unit = Unit { evaluator: Evaluator::new(structure), structure, changes: Vec::new() };
    unit.propagate(constraint, 0, None)?;
    Ok(unit.changes)
}

struct Unit<'a> {
    evaluator: Evaluator<'a>,
    structure: &'a KleeneStructure,
    changes: Vec<Change>,
}

impl<'a> Unit<'a> {
    /// Looks at all values of the variables from `level` on. The disjuncts about the earlier ones
    /// are false, except `open`, which is undecided.
    fn propagate(
        &mut self,
        constraint: &'a Constraint,
        level: usize,
        mut open: Option<&'a Formula>,
    ) -> Result<(), Contradiction> {
        for disjunct in &constraint.disjuncts[level] {
            match self.evaluator.formula(disjunct) {
                Kleene::False => {}
                Kleene::Maybe if open.is_none() => open = Some(disjunct),
                Kleene::Maybe | Kleene::True => return Ok(()),
            }
        }
        if level + 1 == constraint.places && self.structure.size() <= WIDTH {
            return self.propagate_last(constraint, level, open);
        }
        if level < constraint.places {
            for u in 0..self.structure.size() {
                self.evaluator.bind(super::Var::new(level), u);
                self.propagate(constraint, level + 1, open)?;
            }
            return Ok(());
        }
        match open {
            None => Err(Contradiction),
            Some(disjunct) => self.require(disjunct, true),
        }
    }

    /// The same for the last variable, all its values at once.
    fn propagate_last(
        &mut self,
        constraint: &'a Constraint,
        level: usize,
        open: Option<&'a Formula>,
    ) -> Result<(), Contradiction> {
        let (n, var) = (self.structure.size(), super::Var::new(level));
        let mut undecided = [open; WIDTH];
        let mut wanted = first(n);
        for disjunct in &constraint.disjuncts[level + 1] {
            let (row, left) = (self.evaluator.row(disjunct, var, wanted), wanted);
            for u in (0..n).filter(|u| left >> u & 1 != 0) {
                match row[u] {
                    Kleene::False => {}
                    Kleene::Maybe if undecided[u].is_none() => undecided[u] = Some(disjunct),
                    Kleene::Maybe | Kleene::True => wanted &= !(1 << u),
                }
            }
            if wanted == 0 {
                return Ok(());
            }
        }
        for u in (0..n).filter(|u| wanted >> u & 1 != 0) {
            match undecided[u] {
                None => return Err(Contradiction),
                Some(disjunct) => {
                    self.evaluator.bind(var, u);
                    self.require(disjunct, true)?;
                }
            }
        }
        Ok(())
    }

    /// Notes what follows if a formula whose value is `Maybe` under the current assignment has the
    /// given truth value, for all objects that the individuals of the assignment stand for.
    fn require(&mut self, formula: &'a Formula, truth: bool) -> Result<(), Contradiction> {
        match formula {
            Formula::Atom(p, args, Time::Before) => {
                let tuple = args.iter().map(|&v| self.evaluator.value_of(v)).collect();
                self.changes.push(Change::Value(*p, tuple, truth.into()));
            }
            Formula::Eq(a, b) => {
                let (a, b) = (self.evaluator.value_of(*a), self.evaluator.value_of(*b));
                match (a == b, truth) {
                    (true, true) => self.changes.push(Change::NoSummary(a)),
                    // No object differs from itself, and no two individuals share one.
                    (true, false) | (false, true) => return Err(Contradiction),
                    (false, false) => {}
                }
            }
            Formula::Not(inner) => self.require(inner, !truth)?,
            Formula::And(parts) => self.require_parts(parts, truth, true)?,
            Formula::Or(parts) => self.require_parts(parts, truth, false)?,
            Formula::Exists(v, body) => self.require_instances(*v, body, truth, false)?,
            Formula::Forall(v, body) => self.require_instances(*v, body, truth, true)?,
            // Nothing local follows from a path or from an unknown constant.
            Formula::Closure(_) | Formula::Const(_) | Formula::Atom(_, _, Time::After) => {}
        }
        Ok(())
    }

    /// The parts of a conjunction (`all`) or disjunction.
    fn require_parts(
        &mut self,
        parts: &'a [Formula],
        truth: bool,
        all: bool,
    ) -> Result<(), Contradiction> {
        let open: Vec<&Formula> =
            parts.iter().filter(|p| self.evaluator.formula(p) == Kleene::Maybe).collect();
        // A true conjunction has true parts; a false one with a single open part, a false one.
        if truth == all || open.len() == 1 {
            for part in open {
                self.require(part, truth)?;
            }
        }
        Ok(())
    }

    /// The instances of a universal (`all`) or existential quantifier.
    fn require_instances(
        &mut self,
        var: super::Var,
        body: &'a Formula,
        truth: bool,
        all: bool,
    ) -> Result<(), Contradiction> {
        let outer = self.evaluator.bind(var, 0);
        let mut open = Vec::new();
        for u in 0..self.structure.size() {
            self.evaluator.bind(var, u);
            if self.evaluator.formula(body) == Kleene::Maybe {
                open.push(u);
            }
        }
        let witness_is_known = open.len() == 1 && !self.structure.is_summary(open[0]);
        if truth == all || witness_is_known {
            for u in open {
                self.evaluator.bind(var, u);
                self.require(body, truth)?;
            }
        }
        self.evaluator.bind(var, outer);
        Ok(())
    }
}

impl KleeneStructure {
    /// Makes one value definite; whether it changed, or `None` if it has the opposite value.
    fn sharpen(&mut self, change: &Change) -> Option<bool> {
        match change {
            Change::NoSummary(u) => Some(std::mem::replace(&mut self.summary[*u], false)),
            Change::Value(p, tuple, value) => {
                let current = self.get(*p, tuple);
                if current == Kleene::Maybe {
                    self.set(*p, tuple, *value);
                }
                value.is_below(current).then_some(current == Kleene::Maybe)
            }
        }
    }
}
