//! What questions about a path have shown, kept for later ones (section 5).
//!
//! * That a literal holds after the path is shown for a cube and a context, and the core of the answer
//!   says which parts of both were needed: it holds for every cube below and in every **stronger**
//!   context.
//! * That it is not shown is seen in a model. A model is a [`Sample`]: the cubes of all its objects
//!   before and after the path. It answers the question for every cube that one of them is in, in every
//!   **weaker** context, for all predicates at once.
//!
//! So nothing has to be asked anew when a context changes, unless the answer may have changed.
//!
//! **Invariant.** An answer from here is one that a solver has given to a question at least as hard.

use std::collections::BTreeMap;

use crate::context::Gamma;
use crate::cube::{Bits, ObjectCube, has};
use crate::predicates::Predicates;
use crate::step::End;

/// A model of a path: the cubes of its objects, in the same order at both ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Before the path.
    pub before: Vec<Bits>,
    /// After it.
    pub after: Vec<Bits>,
}

impl Sample {
    /// The cubes at an end.
    pub fn at(&self, end: End) -> &[Bits] {
        match end {
            End::Before => &self.before,
            End::After => &self.after,
        }
    }

    /// The cube of the object of every singleton predicate at an end.
    pub fn singles(&self, predicates: &Predicates, end: End) -> Vec<Bits> {
        let cubes = self.at(end);
        let single = |&i: &usize| cubes.iter().copied().find(|&bits| has(bits, i)).unwrap_or(0);
        predicates.singles.iter().map(single).collect()
    }
}

/// A literal that holds after the path.
#[derive(Clone, Debug)]
struct Shown {
    cube: ObjectCube,
    gamma: Gamma,
}

/// Cubes, by a predicate after the path and its value.
type ByLiteral<T> = BTreeMap<(usize, bool), Vec<T>>;

/// The abstract transition relation of the path in one context (c# of Figure 6), as far as heaps have
/// needed it.
#[derive(Debug)]
struct Relation {
    gamma: Gamma,
    /// The cubes in which a literal holds after the path (wlp#).
    holds: ByLiteral<ObjectCube>,
    /// Where complete cubes lead; nowhere if the path has no such objects.
    leads: BTreeMap<Bits, Option<ObjectCube>>,
}

/// What is known of a path.
#[derive(Debug, Default)]
pub struct Cache {
    /// The models found so far.
    pub samples: Vec<Sample>,
    shown: ByLiteral<Shown>,
    /// The cubes of which the path has no objects.
    dead: Vec<Shown>,
    relations: Vec<Relation>,
}

impl Cache {
    /// Keeps a sample; gives its number.
    pub fn add(&mut self, sample: Sample) -> usize {
        if let Some(known) = self.samples.iter().position(|s| *s == sample) {
            return known;
        }
        self.samples.push(sample);
        self.samples.len() - 1
    }

    /// The number of the transition relation in a context, which is empty at first.
    pub fn relation(&mut self, gamma: &Gamma) -> usize {
        let known = self.relations.iter().position(|r| r.gamma == *gamma);
        known.unwrap_or_else(|| {
            let (holds, leads) = (ByLiteral::new(), BTreeMap::new());
            self.relations.push(Relation { gamma: gamma.clone(), holds, leads });
            self.relations.len() - 1
        })
    }

    /// Where a transition relation leads from a complete cube, if that was found out.
    pub fn leads(&self, relation: usize, cube: Bits) -> Option<Option<ObjectCube>> {
        self.relations[relation].leads.get(&cube).copied()
    }

    /// Keeps where a transition relation leads from a complete cube.
    pub fn lead(&mut self, relation: usize, cube: Bits, after: Option<ObjectCube>) {
        self.relations[relation].leads.insert(cube, after);
    }

    /// Whether a transition relation says that a literal holds after the path.
    pub fn holds(&self, relation: usize, literal: (usize, bool), cube: Bits) -> bool {
        let known = self.relations[relation].holds.get(&literal);
        known.is_some_and(|cubes| cubes.iter().any(|own| own.covers(cube)))
    }

    /// Keeps in a transition relation that a literal holds after the path.
    pub fn hold(&mut self, relation: usize, literal: (usize, bool), cube: ObjectCube) {
        self.relations[relation].holds.entry(literal).or_default().push(cube);
    }

    /// Keeps that a literal holds after the path for objects of a cube in a context.
    pub fn show(&mut self, literal: (usize, bool), cube: ObjectCube, gamma: Gamma) {
        self.shown.entry(literal).or_default().push(Shown { cube, gamma });
    }

    /// Keeps that no object is in a cube where the path is taken in a context.
    pub fn bury(&mut self, cube: ObjectCube, gamma: Gamma) {
        self.dead.push(Shown { cube, gamma });
    }

    /// A cube above a complete one for whose objects a literal is known to hold after the path.
    pub fn shown(&self, literal: (usize, bool), cube: Bits, gamma: &Gamma) -> Option<ObjectCube> {
        self.shown.get(&literal).and_then(|known| find(known, cube, gamma))
    }

    /// Whether no object is known to be in a complete cube where the path is taken.
    pub fn is_dead(&self, cube: Bits, gamma: &Gamma) -> bool {
        find(&self.dead, cube, gamma).is_some()
    }

    /// Which values a predicate has after the path for objects of a complete cube, in models of the
    /// context.
    pub fn seen(
        &self,
        predicates: &Predicates,
        predicate: usize,
        cube: Bits,
        gamma: &Gamma,
    ) -> [bool; 2] {
        let mut seen = [false; 2];
        for sample in &self.samples {
            if sample.before.contains(&cube) && gamma.holds_in(predicates, sample) {
                let objects = sample.before.iter().zip(&sample.after);
                for (_, &after) in objects.filter(|(before, _)| **before == cube) {
                    seen[usize::from(has(after, predicate))] = true;
                }
            }
        }
        seen
    }
}

fn find(known: &[Shown], cube: Bits, gamma: &Gamma) -> Option<ObjectCube> {
    let mut known = known.iter();
    known.find(|s| s.cube.covers(cube) && gamma.is_below(&s.gamma)).map(|s| s.cube)
}
