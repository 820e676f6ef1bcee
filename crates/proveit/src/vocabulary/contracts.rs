//! What contracts speak of: fields that lead back, data against variables and against neighbours.

use std::collections::BTreeSet;

use trellis_patterns::PatternProgram;
use trellis_patterns::program::{Fact, Number, Op, Path};

use super::{Compared, ops};

/// Adds what the contracts of a program speak of.
pub(super) fn scan(
    program: &PatternProgram,
    chains: &mut BTreeSet<(usize, usize, usize, usize)>,
    compared: &mut Compared,
) {
    let asserted = ops(program).filter_map(|op| match op {
        Op::AssertFact { fact, .. } | Op::AssumeFact(fact) => Some(fact),
        _ => None,
    });
    for fact in program.requires.iter().chain(asserted) {
        fact.visit(&mut |part| match part {
            Fact::Doubly { over, back, .. } => {
                chains.insert((over.record, over.field, over.record, *back));
            }
            Fact::Sorted { over, key, .. } => {
                compared.ordered.insert((over.record, *key));
            }
            Fact::Same(a, b) => {
                for (far, near) in [(a, b), (b, a)] {
                    chains.extend(led_back(program, far, near));
                }
            }
            Fact::Cmp(_, Number::Data(_, r, f), Number::Scalar(s))
            | Fact::Cmp(_, Number::Scalar(s), Number::Data(_, r, f)) => {
                compared.against.insert((*r, *f, *s));
            }
            Fact::Cmp(_, Number::Data(p, r, f), Number::Data(q, s, g))
                if (r, f) == (s, g) && (is_step(p, q) || is_step(q, p)) =>
            {
                compared.ordered.insert((*r, *f));
            }
            _ => {}
        });
    }
}

/// Whether the second path is one step longer.
fn is_step(near: &Path, far: &Path) -> bool {
    let before = far.fields.split_last().map(|(_, before)| before);
    near.start == far.start && before == Some(near.fields.as_slice())
}

/// `x->f->g` against `x`.
fn led_back(
    program: &PatternProgram,
    far: &Path,
    near: &Path,
) -> Option<(usize, usize, usize, usize)> {
    let [before @ .., (r, f), (s, g)] = far.fields.as_slice() else { return None };
    let records = &program.words.records;
    let fits = records[*r].pointers[*f].to == Some(*s) && records[*s].pointers[*g].to == Some(*r);
    let same = near.start == far.start && before == near.fields.as_slice();
    (same && fits && (r, f) != (s, g)).then_some((*r, *f, *s, *g))
}
