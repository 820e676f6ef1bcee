//! What holds along chains from one variable to the next.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::{class, not, null, var};
use crate::facts::{Truths, truths_within};
use crate::pattern::{Pattern, Target, Targets};
use crate::program::{Fact, Number, Over, Path, Start};
use crate::words::{Colour, PatternWords, Predicate};

/// How the object of a quantifier is called.
const BOUND: usize = 0;

/// The chains from a variable.
pub(super) struct Chain<'a> {
    pub words: &'a PatternWords,
    pub pattern: &'a Pattern,
    /// A variable for every node that has one.
    pub first: &'a [usize],
    /// The one where the chains begin.
    pub x: usize,
    /// How much may still be looked at.
    pub work: &'a Cell<usize>,
}

/// The data of a cell, as far as it is told apart: by field, its class.
type Said = Vec<(usize, usize)>;

impl Chain<'_> {
    /// What may be said of the chain over a field.
    pub(super) fn candidates(&self, over: Over, out: &mut Vec<Fact>) {
        let reach =
            |from: usize, to: Path| Fact::Reach { strict: false, over, from: var(from), to };
        let holds =
            |fact: &Fact| truths_within(self.words, self.pattern, fact, self.work) == Truths::TRUE;
        let same_record = |y: &usize| self.words.pointers[*y].to == Some(over.record);
        let others: Vec<usize> =
            self.first.iter().copied().filter(|y| *y != self.x && same_record(y)).collect();
        for y in &others {
            out.push(reach(self.x, var(*y)));
            out.push(not(reach(self.x, var(*y))));
        }
        out.push(reach(self.x, null()));
        for back in 0..self.words.records[over.record].pointers.len() {
            if back != over.field {
                out.push(Fact::Doubly { over, back, from: var(self.x), to: null() });
            }
        }
        for key in 0..self.words.records[over.record].data.len() {
            let order = Predicate::Neighbour { field: key, over: over.field, other: key };
            if self.words.records[over.record].predicate(order).is_some() {
                out.push(Fact::Sorted { over, key, from: var(self.x), to: null() });
            }
        }
        // The next variable on the chain: all others that are reached lie behind it.
        let reached: Vec<usize> =
            others.into_iter().filter(|y| holds(&reach(self.x, var(*y)))).collect();
        let next = reached
            .iter()
            .copied()
            .find(|y| reached.iter().all(|z| y == z || holds(&reach(*y, var(*z)))));
        let ends = holds(&reach(self.x, null()));
        let goal = match next {
            Some(y) => var(y),
            None if ends => null(),
            None => return,
        };
        self.way(over, &goal, out);
    }

    /// What is said of the cells strictly between the variable and a goal.
    fn way(&self, over: Over, goal: &Path, out: &mut Vec<Fact>) {
        let Target::Node(start) = self.pattern.vars[self.x] else { return };
        let goal_at = match goal.start {
            Start::Var(y) => Targets::of(self.pattern.vars[y]),
            Start::Null | Start::Bound(_) => Targets::NULL,
        };
        let next = |n: usize| self.pattern.nodes[n].fields[over.field];
        let (mut way, mut todo) = (Targets::NONE, next(start).without(goal_at));
        while let Some(n) = todo.nodes().next() {
            if self.pattern.nodes[n].record != over.record {
                return;
            }
            way = way.or(Targets::node(n));
            todo = todo.or(next(n)).without(way).without(goal_at);
        }
        // By what a cell says of itself: what may come next.
        let mut said: BTreeMap<Said, BTreeSet<Option<Said>>> = BTreeMap::new();
        for n in way.nodes() {
            for colour in &self.pattern.nodes[n].colours {
                let Some(here) = self.said(over.record, *colour) else { return };
                let Some(there) = self.steps(over, next(n), goal_at) else { return };
                said.entry(here).or_default().extend(there);
            }
        }
        let object = Path { start: Start::Bound(BOUND), fields: Vec::new() };
        if let Some(there) = self.steps(over, next(start), goal_at) {
            out.extend(self.step(over, &var(self.x), goal, &there));
        }
        let cases: Vec<Fact> = said
            .iter()
            .map(|(here, there)| {
                let mut all = self.data(over.record, &object, here);
                all.extend(self.step(over, &object, goal, there));
                Fact::And(all)
            })
            .collect();
        let nothing = |f: &Fact| matches!(f, Fact::And(all) if all.is_empty());
        if cases.is_empty() || cases.iter().any(nothing) {
            return;
        }
        let reach = |from: &Path, to: &Path| Fact::Reach {
            strict: true,
            over,
            from: from.clone(),
            to: to.clone(),
        };
        let mut guard = vec![not(Fact::Same(object.clone(), null())), reach(&var(self.x), &object)];
        if *goal != null() {
            guard.push(reach(&object, goal));
        }
        let mut body: Vec<Fact> = guard.into_iter().map(not).collect();
        body.extend(cases);
        let record = over.record;
        out.push(Fact::Forall { record, bound: BOUND, body: Box::new(Fact::Or(body)) });
    }

    /// The classes of the data of a colour; `None` if something may be undefined.
    fn said(&self, record: usize, colour: Colour) -> Option<Said> {
        let mut out = Vec::new();
        for (lane, predicate) in self.words.records[record].predicates.iter().enumerate() {
            if let Predicate::Data(field) = predicate {
                out.push((*field, usize::from(colour.get(lane)).checked_sub(1)?));
            }
        }
        Some(out)
    }

    /// What a field may lead to: the goal, or a cell that says so much of itself.
    fn steps(&self, over: Over, to: Targets, goal: Targets) -> Option<BTreeSet<Option<Said>>> {
        let mut out = BTreeSet::new();
        for target in to.iter() {
            match target {
                t if goal.includes(Targets::of(t)) => {
                    out.insert(None);
                }
                Target::Node(n) => {
                    for colour in &self.pattern.nodes[n].colours {
                        out.insert(Some(self.said(over.record, *colour)?));
                    }
                }
                _ => return None,
            }
        }
        Some(out)
    }

    /// The field of a cell leads to the goal or to a cell with such data.
    fn step(
        &self,
        over: Over,
        from: &Path,
        goal: &Path,
        there: &BTreeSet<Option<Said>>,
    ) -> Option<Fact> {
        let mut fields = from.fields.clone();
        fields.push((over.record, over.field));
        let next = Path { start: from.start, fields };
        let mut ways = Vec::new();
        for said in there {
            match said {
                None => ways.push(Fact::Same(next.clone(), goal.clone())),
                Some(said) => {
                    let data = self.data(over.record, &next, said);
                    // Any cell would do.
                    if data.is_empty() {
                        return None;
                    }
                    ways.push(Fact::And(data));
                }
            }
        }
        Some(Fact::Or(ways))
    }

    fn data(&self, record: usize, path: &Path, said: &Said) -> Vec<Fact> {
        let number = |field: usize| Number::Data(path.clone(), record, field);
        said.iter().map(|(field, c)| class(self.words, &number(*field), *c)).collect()
    }
}
