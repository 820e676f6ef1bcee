//! The abstract post operator (Figures 6 and 7).
//!
//! Each heap is split and cleaned with the guard of the path, then the Cartesian post maps every
//! complete cube to the smallest cube that its objects are in after the path, in a context.

use trellis_solver::Unknown;

use crate::clean::clean;
use crate::context::Gamma;
use crate::heap::Heap;
use crate::predicates::Predicates;
use crate::questions::Questions;
use crate::split::split;
use crate::step::{End, Step};
use crate::techniques::{ContextKind, Techniques};
use crate::wlp;

/// The heaps after a path, from some heaps before it. `known` are all heaps at the path's beginning.
///
/// # Errors
/// If a solver does not know.
pub fn abstract_post(
    questions: &mut Questions<'_>,
    step: &mut Step,
    (before, after): (&Predicates, &Predicates),
    known: &[Heap],
    heaps: &[Heap],
    techniques: Techniques,
) -> Result<Vec<Heap>, Unknown> {
    let mut parts = Vec::new();
    for heap in heaps {
        parts.extend(strengthen(questions, step, before, heap, techniques)?);
    }
    let joined = known.iter().chain(&parts).fold(before.space.none(), |all, h| all.join(h));
    let shared = match techniques.context {
        ContextKind::None => Gamma::nothing(before),
        ContextKind::Whole => Gamma::whole(before, joined),
        ContextKind::Joined => Gamma::instantiated(before, &joined),
        ContextKind::Own => Gamma::nothing(before),
    };
    let mut posts = Vec::new();
    for part in parts {
        let own =
            (techniques.context == ContextKind::Own).then(|| Gamma::instantiated(before, &part));
        let gamma = own.as_ref().unwrap_or(&shared);
        posts.push(cartesian_post(questions, step, (before, after), gamma, &part)?);
    }
    Ok(posts)
}

/// A heap, split and cleaned with the guard of the path.
fn strengthen(
    questions: &mut Questions<'_>,
    step: &mut Step,
    before: &Predicates,
    heap: &Heap,
    techniques: Techniques,
) -> Result<Vec<Heap>, Unknown> {
    match (techniques.cleaning, techniques.splitting) {
        (true, splitting) => clean(questions, step, before, End::Before, heap, splitting),
        (false, true) => Ok(split(before, heap)),
        (false, false) => Ok(vec![heap.clone()]),
    }
}

/// The heap after a path, cube by cube (Figure 6).
fn cartesian_post(
    questions: &mut Questions<'_>,
    step: &mut Step,
    (before, after): (&Predicates, &Predicates),
    gamma: &Gamma,
    heap: &Heap,
) -> Result<Heap, Unknown> {
    questions.counts.posts += 1;
    let mut out = after.space.none();
    for bits in heap.cubes() {
        if let Some(cube) = wlp::after(questions, step, before, gamma, bits)? {
            out = out.join(&after.space.of(cube));
        }
    }
    Ok(out)
}

/// The heaps after a path from the entry: the precondition, abstracted where the path ends (Figure 7).
///
/// # Errors
/// If a solver does not know.
pub fn abstract_entry(
    questions: &mut Questions<'_>,
    step: &mut Step,
    after: &Predicates,
    techniques: Techniques,
) -> Result<Vec<Heap>, Unknown> {
    let Techniques { cleaning, splitting, .. } = techniques;
    let any = after.space.any();
    let heaps = clean(questions, step, after, End::After, &any, cleaning && splitting)?;
    Ok(match splitting && !cleaning {
        true => heaps.iter().flat_map(|heap| split(after, heap)).collect(),
        false => heaps,
    })
}
