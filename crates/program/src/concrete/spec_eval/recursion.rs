//! Recursive predicates: the least relation that is as the definition says.
//!
//! A *goal* is a predicate with values for its parameters. All goals that a goal leads to begin as
//! false; each is evaluated with what is known of the others, and again when one of those has
//! changed. Truth only grows, because a predicate uses itself only positively, so this ends, and in
//! the least solution: a list that comes back to itself is none, however long one follows it. No goal
//! is evaluated inside another one, so lists may be long.
//!
//! A predicate knows only those that were declared before it and itself, so others are complete
//! before they are used, be it under a negation.
//!
//! **Partial heaps.** A goal with an argument that has no value (yet) is undefined. What is false
//! here is false because of values that are there and of other false goals, and stays so.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;

use super::terms::Val;
use super::{Binding, Evaluator, Truth};
use crate::spec::{Label, PredId, Term};

/// Most goals that one goal may lead to; a definition that counts without end has no value.
const MOST: usize = 100_000;

/// A predicate, whether it is about the entry, and the values of its parameters.
type Goal = (PredId, bool, SmallVec<[Val; 2]>);

/// What is known of recursive predicates in one evaluation.
#[derive(Default)]
pub(super) struct Goals {
    /// Goals whose truth is final.
    settled: BTreeMap<Goal, Truth>,
    /// The predicate in hand.
    open: Option<Open>,
}

struct Open {
    predicate: PredId,
    truths: BTreeMap<Goal, Truth>,
    /// The goals of this predicate that the evaluation in hand has looked at.
    asked: Vec<Goal>,
}

impl<'a> Evaluator<'a> {
    /// The truth of a recursive predicate.
    pub(super) fn recursive(&mut self, id: PredId, args: &'a [Term]) -> Truth {
        let mut values = SmallVec::new();
        for arg in args {
            match self.value(arg) {
                Some(value) => values.push(value),
                None => return Truth::Undefined,
            }
        }
        let goal = (id, self.view == Label::Pre, values);
        if let Some(truth) = self.goals.settled.get(&goal) {
            return *truth;
        }
        if let Some(open) = self.goals.open.as_mut().filter(|o| o.predicate == id) {
            let truth = open.truths.get(&goal).copied().unwrap_or(Truth::False);
            open.asked.push(goal);
            return truth;
        }
        let outer = self.goals.open.take();
        let truth = self.settle(goal);
        self.goals.open = outer;
        truth
    }

    fn settle(&mut self, goal: Goal) -> Truth {
        let mut truths = BTreeMap::from([(goal.clone(), Truth::False)]);
        let mut users: BTreeMap<Goal, BTreeSet<Goal>> = BTreeMap::new();
        let mut todo = vec![goal.clone()];
        while let Some(at) = todo.pop() {
            let open = Open { predicate: goal.0, truths, asked: Vec::new() };
            self.goals.open = Some(open);
            let truth = self.by_definition(&at);
            let open = self.goals.open.take().expect("it was opened for this goal");
            truths = open.truths;
            for asked in open.asked {
                users.entry(asked.clone()).or_default().insert(at.clone());
                truths.entry(asked).or_insert_with_key(|new| {
                    todo.push(new.clone());
                    Truth::False
                });
            }
            if truths.len() > MOST {
                return Truth::Undefined;
            }
            let before = truths.insert(at.clone(), truth);
            if before != Some(truth) {
                todo.extend(users.get(&at).into_iter().flatten().cloned());
            }
        }
        let truth = truths[&goal];
        self.goals.settled.append(&mut truths);
        truth
    }

    /// One step: the definition, with what is known of its goals.
    fn by_definition(&mut self, goal: &Goal) -> Truth {
        let (id, at_entry, values) = goal;
        let predicate = &self.env.program.predicates[id.0 as usize];
        let Some(body) = &predicate.body else { return Truth::Undefined };
        let label = if *at_entry { Label::Pre } else { Label::Here };
        let start = self.bound.len();
        let params = predicate.params.iter().map(|p| p.id);
        self.bound.extend(params.zip(values.iter().map(|v| Binding::Val(*v))));
        let outer = std::mem::replace(&mut self.scope, start);
        let truth = self.at(label, |e| e.truth(body));
        self.scope = outer;
        self.bound.truncate(start);
        truth
    }
}
