//! The vocabulary of three-valued structures: predicates of zero, one or two places.
//!
//! A *core* predicate says what the heap is. An *instrumentation* predicate has a definition over
//! predicates declared before it; it records what the core values of an abstract heap no longer
//! tell. *Abstraction* predicates are the unary ones by which [blur](super::blur) names individuals.
//!
//! **Invariants**: a definition mentions only predicates declared before, so instrumentation can be
//! computed in the order of declaration; its free variables are the first `arity` ones.

use super::coerce::Constraint;
use super::formula::{Formula, Var};

/// A predicate of a [`Predicates`] table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredId(pub(super) u32);

impl PredId {
    /// Its position in the order of declaration.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What every heap has in common about a predicate. Each gives [constraints](Predicates::constraints).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// A unary predicate holds of at most one object: a pointer variable.
    Unique,
    /// A binary predicate holds of at most one second object for every first one: a field.
    Functional,
    /// A binary predicate holds of at most one first object for every second one.
    Injective,
    /// No object is reached from itself over a binary predicate.
    Acyclic,
    /// A binary predicate holds of a pair in both orders or in none.
    Symmetric,
    /// A binary predicate holds of every object and itself.
    Reflexive,
    /// A binary predicate is closed under composition.
    Transitive,
}

/// How a predicate is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    /// A unary one as an arrow from its name: a variable.
    Pointer,
    /// A binary one as arrows between individuals: a field.
    Edge,
    /// Beside the individual, or above the picture if it has no places.
    Fact,
    /// Not at all.
    Hidden,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// How many places it has: zero, one or two.
    pub arity: usize,
    /// What it means in terms of earlier predicates; `None` for a core predicate.
    pub definition: Option<Formula>,
    /// Whether individuals are named by it; only if it has one place.
    pub abstraction: bool,
    /// What always holds of it.
    pub properties: Vec<Property>,
    /// How it is drawn.
    pub shown: Shown,
}

impl Predicate {
    /// A core predicate; an abstraction predicate if it is unary.
    pub fn core(name: impl Into<String>, arity: usize) -> Self {
        let shown = if arity == 2 { Shown::Edge } else { Shown::Fact };
        Predicate {
            name: name.into(),
            arity,
            definition: None,
            abstraction: arity == 1,
            properties: Vec::new(),
            shown,
        }
    }

    /// An instrumentation predicate; an abstraction predicate if it is unary.
    pub fn instrumentation(name: impl Into<String>, arity: usize, definition: Formula) -> Self {
        let shown = if arity == 2 { Shown::Hidden } else { Shown::Fact };
        Predicate { definition: Some(definition), shown, ..Self::core(name, arity) }
    }

    /// The same predicate with one more property.
    #[must_use]
    pub fn with(mut self, property: Property) -> Self {
        self.properties.push(property);
        self
    }

    /// The same predicate, not used to name individuals.
    #[must_use]
    pub fn no_abstraction(self) -> Self {
        Predicate { abstraction: false, ..self }
    }

    /// The same predicate, drawn in another way.
    #[must_use]
    pub fn shown(self, shown: Shown) -> Self {
        Predicate { shown, ..self }
    }
}

/// A table of predicates.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    predicates: Vec<Predicate>,
    /// By predicate, its number among those with as many places.
    slots: Vec<usize>,
    /// How many predicates have no, one, two places.
    counts: [usize; 3],
    /// By predicate, those that its definition mentions.
    mentions: Vec<Vec<PredId>>,
}

impl Predicates {
    /// No predicates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a predicate.
    ///
    /// # Panics
    ///
    /// If it has more than two places, or its definition mentions a predicate that is not declared
    /// yet or a free variable beyond its places, or it is an abstraction predicate but not unary.
    pub fn declare(&mut self, predicate: Predicate) -> PredId {
        assert!(predicate.arity <= 2, "predicates have at most two places");
        assert!(!predicate.abstraction || predicate.arity == 1, "individuals have unary names");
        if let Some(definition) = &predicate.definition {
            let declared = self.predicates.len();
            assert!(
                definition.predicates().iter().all(|p| p.index() < declared),
                "`{}` is defined by something that comes later",
                predicate.name
            );
            let free = definition.free_vars();
            assert!(
                free.iter().all(|v| v.index() < predicate.arity),
                "`{}` has a free variable that is none of its places",
                predicate.name
            );
        }
        let mentions = predicate.definition.as_ref().map_or_else(Vec::new, Formula::predicates);
        self.mentions.push(mentions);
        self.slots.push(self.counts[predicate.arity]);
        self.counts[predicate.arity] += 1;
        self.predicates.push(predicate);
        PredId(self.predicates.len() as u32 - 1)
    }

    /// The predicate with this id.
    pub fn get(&self, id: PredId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// All predicates in order of declaration.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = PredId> + use<> {
        (0..self.predicates.len() as u32).map(PredId)
    }

    /// The first predicate with this name.
    pub fn find(&self, name: &str) -> Option<PredId> {
        self.ids().find(|&p| self.get(p).name == name)
    }

    /// The predicates by which individuals are named.
    pub fn abstraction(&self) -> impl Iterator<Item = PredId> + '_ {
        self.ids().filter(|&p| self.get(p).abstraction)
    }

    pub(super) fn slot(&self, id: PredId) -> usize {
        self.slots[id.index()]
    }

    /// The predicates that the definition of one mentions.
    pub(super) fn mentions(&self, id: PredId) -> &[PredId] {
        &self.mentions[id.index()]
    }

    pub(super) fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// What the properties and the definitions say. A structure that violates one of these
    /// describes no heap.
    pub fn constraints(&self) -> Vec<Constraint> {
        let mut all = Vec::new();
        for id in self.ids() {
            let predicate = self.get(id);
            for &property in &predicate.properties {
                all.push(constraint_of(id, &predicate.name, property));
            }
            if let Some(definition) = &predicate.definition {
                let places: Vec<Var> = (0..predicate.arity).map(Var::new).collect();
                let atom = Formula::atom(id, &places);
                let only_if = vec![atom.clone().not(), definition.clone()];
                let if_ = vec![atom, definition.clone().not()];
                for disjuncts in [only_if, if_] {
                    let name = format!("definition of {}", predicate.name);
                    all.push(Constraint::new(name, predicate.arity, disjuncts));
                }
            }
        }
        all
    }
}

fn constraint_of(id: PredId, name: &str, property: Property) -> Constraint {
    let [a, b, c] = [0, 1, 2].map(Var::new);
    let p = |args: &[Var]| Formula::atom(id, args);
    let (places, disjuncts) = match property {
        Property::Unique => (2, vec![p(&[a]).not(), p(&[b]).not(), Formula::eq(a, b)]),
        Property::Functional => (3, vec![p(&[a, b]).not(), p(&[a, c]).not(), Formula::eq(b, c)]),
        Property::Injective => (3, vec![p(&[b, a]).not(), p(&[c, a]).not(), Formula::eq(b, c)]),
        Property::Acyclic => (1, vec![Formula::closure(p(&[a, b]), [a, b], a, a).not()]),
        Property::Symmetric => (2, vec![p(&[a, b]).not(), p(&[b, a])]),
        Property::Reflexive => (2, vec![Formula::eq(a, b).not(), p(&[a, b])]),
        Property::Transitive => (3, vec![p(&[a, b]).not(), p(&[b, c]).not(), p(&[a, c])]),
    };
    Constraint::new(format!("{property:?} {name}"), places, disjuncts)
}
