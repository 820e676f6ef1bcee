//! Conjunctions of disjunctions.

use trellis_logic::{Arena, Formula, FormulaId};

/// The clauses of a formula in negation normal form; what is neither a conjunction nor a disjunction
/// is a literal. Nothing if there are more than `most`.
pub(super) fn of(arena: &Arena, id: FormulaId, most: usize) -> Option<Vec<Vec<FormulaId>>> {
    match arena.formula(id) {
        Formula::True => Some(Vec::new()),
        Formula::False => Some(vec![Vec::new()]),
        Formula::And(parts) => {
            let mut all = Vec::new();
            for &part in parts {
                all.extend(of(arena, part, most)?);
                if all.len() > most {
                    return None;
                }
            }
            Some(all)
        }
        Formula::Or(parts) => {
            let mut all: Vec<Vec<FormulaId>> = vec![Vec::new()];
            for &part in parts {
                let next = of(arena, part, most)?;
                if all.len() * next.len() > most {
                    return None;
                }
                all = all.iter().flat_map(|a| next.iter().map(move |b| joined(a, b))).collect();
                // A clause with a literal and its opposite says nothing.
                all.retain(|clause| !is_trivial(arena, clause));
            }
            Some(all)
        }
        _ => Some(vec![vec![id]]),
    }
}

fn joined(a: &[FormulaId], b: &[FormulaId]) -> Vec<FormulaId> {
    let mut all = a.to_vec();
    all.extend(b.iter().filter(|literal| !a.contains(literal)));
    all
}

fn is_trivial(arena: &Arena, clause: &[FormulaId]) -> bool {
    clause.iter().any(|&literal| match arena.formula(literal) {
        Formula::Not(atom) => clause.contains(atom),
        _ => false,
    })
}
