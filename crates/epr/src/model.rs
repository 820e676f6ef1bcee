//! From a candidate that violates nothing to a structure over the user's vocabulary.
//!
//! **Invariants**: elements are the classes of relevant terms. Every function but the fields is
//! total: where the formulas say nothing about a value, it is null, or the first element. A field is
//! recovered from its closure where that is possible, and has holes elsewhere.

use std::sync::Arc;

use trellis_logic::bits::BitSet;
use trellis_logic::{FunKind, RelKind, SortId, Structure, Value, Vocabulary};

use crate::candidate::{Candidate, NONE};
use crate::ground::Grounding;

pub(crate) fn structure(
    ground: &Grounding,
    candidate: &Candidate,
    vocabulary: &Arc<Vocabulary>,
) -> Structure {
    let sizes: Vec<u32> = vocabulary.sorts().map(|s| candidate.elements(s).len() as u32).collect();
    let mut structure = Structure::new(vocabulary.clone(), &sizes);
    functions(ground, candidate, vocabulary, &mut structure);
    relations(ground, candidate, &mut structure);
    for rel in vocabulary.rels() {
        if let RelKind::Closure { field } = vocabulary.rel(rel).kind
            && ground.terms.find_user(field).is_none()
            && ground.atoms.find_user(rel).is_some()
        {
            structure.recover_field(rel);
        }
    }
    structure
}

fn functions(
    ground: &Grounding,
    candidate: &Candidate,
    vocabulary: &Vocabulary,
    structure: &mut Structure,
) {
    for term in ground.terms.all().filter(|&t| candidate.class(t) != NONE) {
        if let Some(fun) = ground.terms.symbol(ground.terms.head(term)).user {
            let args: Vec<u32> =
                ground.terms.args(term).iter().map(|&a| candidate.class(a)).collect();
            structure.set_fun(fun, &args, Some(Value::Elem(candidate.class(term))));
        }
    }
    let default = |sort| match sort {
        SortId::INT => Value::Int(0),
        _ => {
            let null = vocabulary.null_of(sort).and_then(|null| structure.constant(null));
            Value::Elem(null.unwrap_or(0))
        }
    };
    let defaults: Vec<Value> = vocabulary.sorts().map(default).collect();
    for fun in vocabulary.funs() {
        let declared = vocabulary.fun(fun);
        if declared.kind == FunKind::Field {
            continue;
        }
        let space = structure.fun_space(fun);
        for index in 0..space.len() {
            let args = space.tuple(index);
            if structure.fun(fun, &args).is_none() {
                structure.set_fun(fun, &args, Some(defaults[declared.result.index()]));
            }
        }
    }
}

fn relations(ground: &Grounding, candidate: &Candidate, structure: &mut Structure) {
    for &rel in candidate.propositions() {
        structure.set_rel(rel, &[], true);
    }
    for &predicate in ground.atoms.relations() {
        let user = ground.atoms.predicate(predicate).user;
        if let (Some(rel), Some(table)) = (user, candidate.table(predicate)) {
            // Tuples are numbered in the same way there and here.
            let tuples = structure.rel_space(rel).len();
            structure.set_rel_table(rel, BitSet::from_words(table.bits(), tuples));
        }
    }
}
