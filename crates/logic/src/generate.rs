//! Random vocabularies, formulas and structures, for the property tests of any crate.
//!
//! Everything is built from a [`Tape`] of numbers, where smaller numbers mean simpler choices and a
//! used-up tape gives zeros. So a proptest strategy is just a strategy for tapes, shrinking the
//! tape shrinks the formula, and a fuzzer can feed its bytes to the same builders.
//!
//! **Invariant**: the builders are functions of the tape; what they build is well sorted.
//!
//! Compiled with the feature `gen`.

pub mod formula;
pub mod kleene;
pub mod structure;
pub mod tape;
pub mod vocabulary;

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::arena::Arena;
use crate::ids::FormulaId;
use crate::structure::Structure;
use crate::vocabulary::Vocabulary;

pub use formula::{FormulaOptions, Quantifiers};
pub use structure::StructureOptions;
pub use tape::Tape;
pub use vocabulary::VocabularyOptions;

/// What to generate.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The symbols.
    pub vocabulary: VocabularyOptions,
    /// The formulas.
    pub formula: FormulaOptions,
    /// The structures.
    pub structure: StructureOptions,
}

/// A formula with a structure in which to evaluate it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The symbols of both.
    pub vocabulary: Arc<Vocabulary>,
    /// The memory of the formula.
    pub arena: Arena,
    /// A closed formula.
    pub formula: FormulaId,
    /// A structure in which every function is total.
    pub structure: Structure,
}

/// Random tapes of fewer than `length` numbers.
pub fn tapes(length: usize) -> impl Strategy<Value = Tape> {
    proptest::collection::vec(any::<u32>(), length / 4..length.max(1)).prop_map(Tape::new)
}

/// Random formulas with random structures over random vocabularies.
pub fn cases(options: Options) -> impl Strategy<Value = Case> {
    tapes(300).prop_map(move |mut tape| {
        let vocabulary = Arc::new(vocabulary::vocabulary(&mut tape, &options.vocabulary));
        let mut arena = Arena::new();
        let formula = formula::formula(&mut tape, &mut arena, &vocabulary, &options.formula);
        let structure = structure::structure(&mut tape, &vocabulary, &options.structure);
        Case { vocabulary, arena, formula, structure }
    })
}

/// Random structures over random vocabularies.
pub fn structures(options: Options) -> impl Strategy<Value = Structure> {
    tapes(200).prop_map(move |mut tape| {
        let vocabulary = Arc::new(vocabulary::vocabulary(&mut tape, &options.vocabulary));
        structure::structure(&mut tape, &vocabulary, &options.structure)
    })
}

/// Random partial functions on up to `size` nodes: list heaps without data.
pub fn functional_graphs(size: u32) -> impl Strategy<Value = Vec<Option<u32>>> {
    (1..=size).prop_flat_map(|n| {
        proptest::collection::vec(proptest::option::weighted(0.85, 0..n), n as usize)
    })
}

/// A runner that tries the same `cases` inputs every time, and writes no files.
pub fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng)
}
