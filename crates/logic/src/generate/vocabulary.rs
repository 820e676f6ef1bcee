//! Random vocabularies.

use crate::generate::tape::Tape;
use crate::ids::SortId;
use crate::vocabulary::Vocabulary;

/// Bounds on a vocabulary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabularyOptions {
    /// At most so many uninterpreted sorts.
    pub sorts: u32,
    /// At most so many constants and program variables; each sort gets one in any case.
    pub constants: u32,
    /// At most so many relations, the first of them in any case.
    pub relations: u32,
    /// The largest arity of a relation.
    pub arity: u32,
    /// At most so many functions of one or two arguments.
    pub functions: u32,
    /// At most so many fields, each with its closure.
    pub fields: u32,
}

impl Default for VocabularyOptions {
    fn default() -> Self {
        VocabularyOptions {
            sorts: 3,
            constants: 3,
            relations: 4,
            arity: 3,
            functions: 0,
            fields: 1,
        }
    }
}

/// A vocabulary with mutable and rigid symbols.
pub fn vocabulary(tape: &mut Tape, options: &VocabularyOptions) -> Vocabulary {
    let mut vocabulary = Vocabulary::new();
    let sorts: Vec<SortId> = (0..=tape.below(options.sorts.max(1)))
        .map(|i| vocabulary.sort(format!("struct s{i} *")))
        .collect();
    let any_sort = |tape: &mut Tape| tape.pick(&sorts).copied().unwrap_or(SortId(1));
    for (i, &sort) in sorts.iter().enumerate() {
        vocabulary.constant(format!("c{i}"), sort);
    }
    for i in 0..tape.below(options.constants + 1) {
        let sort = any_sort(tape);
        vocabulary.variable(format!("x{i}"), sort);
    }
    for i in 0..=tape.below(options.relations.max(1)) {
        let arity = tape.below(options.arity + 1);
        let args: Vec<SortId> = (0..arity).map(|_| any_sort(tape)).collect();
        match tape.chance(50) {
            true => vocabulary.state_relation(format!("p{i}"), &args),
            false => vocabulary.relation(format!("p{i}"), &args),
        };
    }
    for i in 0..tape.below(options.functions + 1) {
        let args: Vec<SortId> = (0..=tape.below(2)).map(|_| any_sort(tape)).collect();
        let result = any_sort(tape);
        vocabulary.function(format!("f{i}"), &args, result);
    }
    for i in 0..tape.below(options.fields + 1) {
        let sort = any_sort(tape);
        let field = vocabulary.field(format!("n{i}"), sort, sort);
        vocabulary.closure("reach", field);
    }
    vocabulary
}
