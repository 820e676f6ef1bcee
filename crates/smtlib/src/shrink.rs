//! Models with few elements: by asking again with bounds on the sizes of sorts.
//!
//! A bound is a Boolean constant that implies "every element is one of these k". Sort after sort,
//! the smallest bound that has a model is found by trying 1, 2, …, with the bounds of the sorts
//! before it kept.
//!
//! **Invariants**: the result is a model of the same question, and no sort has more elements than
//! before. The work is bounded, because minimisation once took 108 of 114 seconds of a run.

use trellis_logic::{FormulaId, SortId, Structure, Vocabulary};
use trellis_solver::{Context, Limits, Unknown};

use crate::names::{push_bound, push_member, push_sort};
use crate::session::{Reply, Session};

/// At most so many extra questions for one model.
const MAX_QUESTIONS: u32 = 64;

/// A sort has at most so many elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Bound {
    pub(crate) sort: SortId,
    pub(crate) size: u32,
}

impl Bound {
    /// Appends the commands that give the bound its meaning. It adds the last member; the others
    /// belong to smaller bounds, which are defined before.
    pub(crate) fn push_definition(self, vocabulary: &Vocabulary, out: &mut String) {
        let Bound { sort, size } = self;
        out.push_str("(declare-fun ");
        push_member(out, sort, size);
        out.push_str(" () ");
        push_sort(out, vocabulary, sort);
        out.push_str(")\n(declare-fun ");
        push_bound(out, sort, size);
        out.push_str(" () Bool)\n(assert (=> ");
        push_bound(out, sort, size);
        out.push_str(" (forall ((x ");
        push_sort(out, vocabulary, sort);
        out.push_str(")) (or false");
        for number in 1..=size {
            out.push_str(" (= x ");
            push_member(out, sort, number);
            out.push(')');
        }
        out.push_str("))))\n");
    }
}

/// A model that is as small as the questions allow, and whether the session is still of use.
///
/// `read` makes a checked structure of the session's current model.
pub(crate) fn shrink(
    session: &mut Session,
    context: &Context<'_>,
    assumptions: &[FormulaId],
    limits: &Limits,
    first: Structure,
    mut read: impl FnMut(&mut Session) -> Result<Structure, Unknown>,
) -> (Structure, bool) {
    let mut best = first;
    let mut kept = String::new();
    let mut questions = 0;
    for sort in context.vocabulary.sorts().skip(1) {
        let mut size = 1;
        while size < best.size(sort) {
            if questions == MAX_QUESTIONS || limits.exceeded().is_some() {
                return (best, true);
            }
            questions += 1;
            session.tell_bound(context.vocabulary, Bound { sort, size });
            let mut bounds = kept.clone();
            bounds.push(' ');
            push_bound(&mut bounds, sort, size);
            match session.check(assumptions, &bounds, limits) {
                Ok(Reply::Sat) => match read(session) {
                    Ok(model) => best = model,
                    Err(Unknown::Incomplete(_)) => break,
                    Err(_) => return (best, false),
                },
                Ok(Reply::Unsat | Reply::Unknown(_)) => size += 1,
                Err(_) => return (best, false),
            }
        }
        let size = best.size(sort);
        session.tell_bound(context.vocabulary, Bound { sort, size });
        kept.push(' ');
        push_bound(&mut kept, sort, size);
    }
    (best, true)
}
