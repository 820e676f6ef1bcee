//! The transition system, and the symbols that questions add to it.

use rustc_hash::FxHashMap;
use trellis_logic::{FormulaId, FunId, RelId, VarId};
use trellis_transys::TransitionSystem;

use crate::cube::{Cube, Literal};

/// The transition system, with the symbols that queries add.
pub struct Space {
    /// The system; its vocabulary and arena grow.
    pub system: TransitionSystem,
    /// The constants e₁, e₂, … for elements of cubes.
    pub elements: Vec<FunId>,
    /// The variables that stand for them in lemmas.
    pub vars: Vec<VarId>,
    frames: Vec<RelId>,
    /// The entry alone.
    pub(super) start: RelId,
    /// The propositions for atoms after a step.
    posts: FxHashMap<FormulaId, RelId>,
    /// The propositions for quantified literals after a step.
    claimed_posts: FxHashMap<Literal, RelId>,
    /// The propositions that claim a quantified literal of the state before a step.
    claims: FxHashMap<Literal, RelId>,
    /// How many propositions were made, for their names.
    made: usize,
}

impl Space {
    /// A space without elements.
    pub fn new(mut system: TransitionSystem) -> Space {
        let start = system.vocabulary.relation("start", &[]);
        Space {
            system,
            elements: Vec::new(),
            vars: Vec::new(),
            frames: Vec::new(),
            start,
            posts: FxHashMap::default(),
            claimed_posts: FxHashMap::default(),
            claims: FxHashMap::default(),
            made: 0,
        }
    }

    /// Makes sure that there are constants for so many elements.
    pub fn reserve(&mut self, count: usize) {
        let obj = self.system.symbols.obj;
        while self.elements.len() < count {
            let i = self.elements.len() + 1;
            self.elements.push(self.system.vocabulary.constant(format!("e{i}"), obj));
            self.vars.push(self.system.arena.variable(format!("v{i}"), obj));
        }
    }

    /// A new proposition.
    pub fn proposition(&mut self, name: &str) -> RelId {
        self.made += 1;
        self.system.vocabulary.relation(format!("{name}{}", self.made), &[])
    }

    /// The proposition of a frame; frame 0 is the entry alone.
    pub fn frame(&mut self, level: usize) -> RelId {
        if level == 0 {
            return self.start;
        }
        while self.frames.len() < level {
            let name = format!("frame{}", self.frames.len() + 1);
            self.frames.push(self.system.vocabulary.relation(name, &[]));
        }
        self.frames[level - 1]
    }

    /// The clause that excludes a cube.
    pub fn clause(&mut self, cube: &Cube) -> FormulaId {
        cube.negation(&mut self.system.arena, &self.elements, &self.vars)
    }

    /// The proposition that an atom holds after the step.
    pub(super) fn post(&mut self, atom: FormulaId) -> RelId {
        if let Some(&known) = self.posts.get(&atom) {
            return known;
        }
        let post = self.proposition("after");
        self.posts.insert(atom, post);
        post
    }

    /// The proposition that implies a literal after the step.
    pub(super) fn claimed_post(&mut self, literal: Literal) -> RelId {
        if let Some(&known) = self.claimed_posts.get(&literal) {
            return known;
        }
        let post = self.proposition("after");
        self.claimed_posts.insert(literal, post);
        post
    }

    /// The proposition that implies a literal before the step.
    pub(super) fn claim(&mut self, literal: Literal) -> RelId {
        if let Some(&known) = self.claims.get(&literal) {
            return known;
        }
        let claim = self.proposition("claim");
        self.claims.insert(literal, claim);
        claim
    }
}
