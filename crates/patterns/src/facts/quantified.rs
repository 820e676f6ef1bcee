//! Objects that a quantifier speaks of.
//!
//! Such an object is null, a cell of a node with one of its colours, memory that was freed, or a cell
//! that no variable reaches ([`Spot`]); so are the places that fields lead to from there. Every choice
//! is judged by itself, so that what a formula says of an object and of its neighbours goes together.
//!
//! **Invariant:** every object of every heap of a pattern, with what its fields lead to, is one of the
//! choices. There may be more of them.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::{At, Ends, MOST_WORK, Truths};
use crate::pattern::{Pattern, Target, Targets};
use crate::program::{Fact, Over, Path, Start};
use crate::reach::is_behind;
use crate::unfold::tidy;
use crate::words::{Colour, PatternWords, Predicate};

/// Most choices for one object.
const MOST_CHOICES: usize = 2000;

/// Where a path from a quantified object leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// Null.
    Null,
    /// Memory that was freed.
    Freed,
    /// A field that was never written.
    Undefined,
    /// A field of what is no cell.
    Missing,
    /// A cell that no variable reaches, or whatever it leads to.
    Lost,
    /// A cell of a node, with its colour.
    Cell(usize, Colour),
}

impl Ends {
    pub(super) fn of(spot: Spot) -> Ends {
        let targets = match spot {
            Spot::Null => Targets::NULL,
            Spot::Freed => Targets::FREED,
            Spot::Undefined => Targets::UNDEFINED,
            Spot::Missing | Spot::Lost => Targets::NONE,
            Spot::Cell(n, _) => Targets::node(n),
        };
        Ends { targets, missing: spot == Spot::Missing, dead: spot == Spot::Lost }
    }
}

impl At<'_> {
    /// Where a path from a quantified object leads; anywhere, if nobody has said.
    pub(super) fn spot(&self, path: &Path) -> Spot {
        self.env.iter().rev().find(|(p, _)| p == path).map_or(Spot::Lost, |(_, spot)| *spot)
    }

    pub(super) fn forall(&self, record: usize, bound: usize, body: &Fact) -> Truths {
        // There may be such memory, or none.
        let odd = [Spot::Freed, Spot::Lost].map(|s| self.of(bound, s, body).or(Truths::TRUE));
        let mut all = self.of(bound, Spot::Null, body).and(odd[0]).and(odd[1]);
        for (n, node) in self.pattern.nodes.iter().enumerate().filter(|(_, n)| n.record == record) {
            let colours = node.colours.iter();
            let cell = colours.map(|c| self.of(bound, Spot::Cell(n, *c), body));
            let none = if node.summary { Truths::TRUE } else { Truths::NONE };
            all = all.and(cell.fold(none, Truths::or));
        }
        all
    }

    /// What a formula is for one object.
    fn of(&self, bound: usize, spot: Spot, body: &Fact) -> Truths {
        let mut paths = Vec::new();
        body.paths(&mut paths);
        let mut todo = BTreeSet::new();
        for path in paths.into_iter().filter(|p| p.start == Start::Bound(bound)) {
            for steps in 1..=path.fields.len() {
                let fields = path.fields[..steps].to_vec();
                todo.insert((steps, Path { start: path.start, fields }));
            }
        }
        let todo: Vec<Path> = todo.into_iter().map(|(_, path)| path).collect();
        let mut env = self.env.to_vec();
        env.push((Path { start: Start::Bound(bound), fields: Vec::new() }, spot));
        self.choose(&mut env, &todo, body, &mut 0)
    }

    fn choose(
        &self,
        env: &mut Vec<(Path, Spot)>,
        todo: &[Path],
        body: &Fact,
        choices: &mut usize,
    ) -> Truths {
        let Some((path, rest)) = todo.split_first() else {
            *choices += 1;
            return match *choices <= MOST_CHOICES {
                true => At { env, ..*self }.fact(body),
                false => Truths::ANY,
            };
        };
        let mut out = Truths::NONE;
        for spot in self.steps(env, path) {
            env.push((path.clone(), spot));
            out = out.or(self.choose(env, rest, body, choices));
            env.pop();
        }
        out
    }

    /// Where the last field of a path may lead.
    fn steps(&self, env: &[(Path, Spot)], path: &Path) -> Vec<Spot> {
        let at = At { env, ..*self };
        let Some(((record, field), before)) = path.fields.split_last() else { return Vec::new() };
        let parent = Path { start: path.start, fields: before.to_vec() };
        let (node, colour) = match at.spot(&parent) {
            Spot::Cell(n, c) if self.pattern.nodes[n].record == *record => (n, c),
            Spot::Cell(..) | Spot::Lost => return vec![Spot::Lost],
            Spot::Null | Spot::Freed | Spot::Undefined | Spot::Missing => {
                return vec![Spot::Missing];
            }
        };
        if let Some(spot) = at.led_back(&parent, *field) {
            return vec![spot];
        }
        let mut out = Vec::new();
        for target in self.leads(node, colour, *field).iter() {
            match target {
                Target::Null => out.push(Spot::Null),
                Target::Freed => out.push(Spot::Freed),
                Target::Undefined | Target::Dead => out.push(Spot::Undefined),
                Target::Node(m) => {
                    let known = env.iter().find_map(|(_, spot)| match spot {
                        Spot::Cell(n, _) if *n == m && !self.pattern.nodes[m].summary => {
                            Some(*spot)
                        }
                        _ => None,
                    });
                    match known {
                        Some(spot) => out.push(spot),
                        None => {
                            let colours = self.pattern.nodes[m].colours.iter();
                            out.extend(colours.map(|c| Spot::Cell(m, *c)));
                        }
                    }
                }
            }
        }
        out
    }

    /// Where a field leads that is known to undo the step before.
    fn led_back(&self, parent: &Path, field: usize) -> Option<Spot> {
        let ((record, over), before) = parent.fields.split_last()?;
        let start = Path { start: parent.start, fields: before.to_vec() };
        let Spot::Cell(_, colour) = self.spot(&start) else { return None };
        let inverse = Predicate::Inverse { over: *over, back: field };
        let lane = self.words.records[*record].predicate(inverse)?;
        (colour.get(lane) == 2).then(|| self.spot(&start))
    }

    /// Where a field of a cell with a colour may lead.
    fn leads(&self, node: usize, colour: Colour, field: usize) -> Targets {
        let of = &self.pattern.nodes[node];
        let record = &self.words.records[of.record];
        let mut out = of.fields[field];
        let is_cell = |n: &usize| Some(self.pattern.nodes[*n].record) == record.pointers[field].to;
        let cells = out.nodes().filter(is_cell).fold(Targets::NONE, |t, n| t.or(Targets::node(n)));
        for (lane, predicate) in record.predicates.iter().enumerate() {
            let value = colour.get(lane);
            match *predicate {
                Predicate::Inverse { over, .. } if over == field && value == 0 => {
                    out = out.without(cells);
                }
                Predicate::Inverse { over, .. } | Predicate::Neighbour { over, .. }
                    if over == field && value != 0 =>
                {
                    out = out.and(cells);
                }
                Predicate::Is { field: f, pointer } if f == field => {
                    let there = match self.pattern.vars[pointer] {
                        Target::Null => Targets::NULL,
                        Target::Node(n) => Targets::node(n),
                        Target::Freed | Target::Undefined | Target::Dead => continue,
                    };
                    out = if value == 1 { out.and(there) } else { out.without(there) };
                }
                _ => {}
            }
        }
        out
    }

    /// What colours say of whether a path from a quantified object leads to another place.
    pub(super) fn known_same(&self, a: &Path, b: &Path) -> Option<Truths> {
        if !matches!(a.start, Start::Bound(_)) {
            return None;
        }
        let (x, y) = (self.spot(a), self.spot(b));
        if a == b {
            return matches!(x, Spot::Null | Spot::Cell(..)).then_some(Truths::TRUE);
        }
        if let (Spot::Cell(n, c), Spot::Cell(m, d), Start::Bound(_)) = (x, y, b.start)
            && n == m
            && c != d
        {
            return Some(Truths::FALSE);
        }
        let ((_, field), before) = a.fields.split_last()?;
        let parent = Path { start: a.start, fields: before.to_vec() };
        let ((record, over), before) = parent.fields.split_last()?;
        let start = Path { start: a.start, fields: before.to_vec() };
        if start != *b {
            return None;
        }
        let Spot::Cell(_, colour) = self.spot(&start) else { return None };
        let inverse = Predicate::Inverse { over: *over, back: *field };
        let lane = self.words.records[*record].predicate(inverse)?;
        match (colour.get(lane), x) {
            (2, _) => Some(Truths::TRUE),
            (1, Spot::Null | Spot::Cell(..)) => Some(Truths::FALSE),
            _ => None,
        }
    }

    /// Whether a chain gets to a quantified object, if it is none of those that `reach` knows.
    pub(super) fn reach_quantified(
        &self,
        strict: bool,
        over: Over,
        from: &Path,
        to: &Path,
    ) -> Option<Truths> {
        if !matches!(to.start, Start::Bound(_)) {
            return None;
        }
        let odd = Targets::FREED.or(Targets::UNDEFINED);
        let spot = self.spot(to);
        if from == to && !strict && matches!(spot, Spot::Cell(..)) {
            return Some(Truths::TRUE);
        }
        let from = self.ends(from);
        Some(match spot {
            Spot::Null | Spot::Undefined | Spot::Missing => return None,
            Spot::Lost => from.each(|start| match start {
                Target::Null | Target::Node(_) => Truths::FALSE,
                _ => Truths::ANY,
            }),
            Spot::Freed => from.each(|start| match self.behind(over, Targets::of(start)) {
                Some(all) if all.and(odd).is_none() => Truths::FALSE,
                _ => Truths::ANY,
            }),
            Spot::Cell(n, _) if !self.pattern.nodes[n].summary => return None,
            Spot::Cell(n, _) => from.each(|start| self.reaches_summary(over, start, n)),
        })
    }

    /// Whether the chain from a target gets to a cell of a summary node.
    fn reaches_summary(&self, over: Over, start: Target, node: usize) -> Truths {
        let m = match start {
            Target::Null => return Truths::FALSE,
            Target::Node(m) if self.pattern.nodes[m].record == over.record => m,
            _ => return Truths::ANY,
        };
        let odd = Targets::FREED.or(Targets::UNDEFINED);
        match self.behind(over, self.pattern.nodes[m].fields[over.field]) {
            Some(all) if m != node && !all.includes(Targets::node(node)) => {
                if all.and(odd).is_none() { Truths::FALSE } else { Truths(6) }
            }
            Some(_) if m != node && is_behind(self.words, self.pattern, m, over.field, node) => {
                Truths::TRUE
            }
            _ => Truths::ANY,
        }
    }
}

/// The same without cells of which a formula is not true that is true of the whole heap; `None` if no
/// heap is left for sure.
pub fn without_false(words: &PatternWords, pattern: &Pattern, fact: &Fact) -> Option<Pattern> {
    let mut out = pattern.clone();
    let work = Cell::new(MOST_WORK);
    match fact {
        Fact::And(parts) => {
            for part in parts {
                out = without_false(words, &out, part)?;
            }
            return Some(out);
        }
        Fact::Forall { record, bound, body } => {
            let at = At { words, pattern, env: &[], work: &work };
            for (n, node) in out.nodes.iter_mut().enumerate().filter(|(_, n)| n.record == *record) {
                let may = |c: &Colour| at.of(*bound, Spot::Cell(n, *c), body).may_be_true();
                node.colours.retain(may);
            }
        }
        Fact::Sorted { over, key, from, to } => {
            let at = At { words, pattern, env: &[], work: &work };
            at.without_descents(&mut out, *over, *key, from, to);
        }
        _ => return Some(out),
    }
    tidy(words, &out)
}
