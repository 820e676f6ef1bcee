//! Refinement: more predicates after a counterexample that is none.
//!
//! The paths of the counterexample are followed backwards from the check that fails: what leads on to
//! the error is, at every location on the way, a formula over the state there, and its atoms are what
//! the predicates could not say.

use trellis_logic::FormulaId;

use crate::atoms::suggested;
use crate::infer::{add, moving};
use crate::predicates::Predicate;
use crate::propagate::Propagated;
use crate::questions::Questions;

/// Most predicates that one counterexample adds.
const AT_ONCE: usize = 6;

/// Adds predicates that the paths of a spurious counterexample suggest; says whether there were any.
pub fn refine(
    questions: &mut Questions<'_>,
    paths: &[usize],
    propagated: &[Propagated],
    predicates: &mut [Vec<Predicate>],
) -> bool {
    let mut needed: Vec<FormulaId> = Vec::new();
    let mut added = 0;
    for &path in paths.iter().rev() {
        let (from, update) = {
            let path = &questions.system.paths[path];
            (path.from.0, path.update.clone())
        };
        let arena = &mut questions.system.arena;
        needed = needed.into_iter().map(|f| arena.expand(f, &update)).collect();
        needed.extend(&questions.system.paths[path].guards);
        if from == 0 {
            break;
        }
        let moving = moving(questions, from);
        let mut found = Vec::new();
        for &formula in &needed {
            let formula = questions.system.arena.expand(formula, &propagated[from].same);
            found.extend(suggested(questions, from, &moving, formula));
        }
        found.sort_by_key(|(rank, _)| *rank);
        for (_, formula) in found {
            if added < AT_ONCE && add(questions, &mut predicates[from], formula) {
                added += 1;
            }
        }
    }
    added > 0
}
