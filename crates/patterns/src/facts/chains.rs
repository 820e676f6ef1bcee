//! Formulas about chains over one field.

use super::{At, Truths};
use crate::pattern::{Sharing, Target, Targets};
use crate::program::{Over, Path};
use crate::reach::{is_inevitable, is_inevitable_from_any};

impl At<'_> {
    pub(super) fn reach(&self, strict: bool, over: Over, from: &Path, to: &Path) -> Truths {
        if let Some(truths) = self.reach_quantified(strict, over, from, to) {
            return truths;
        }
        let (from, to) = (self.ends(from), self.ends(to));
        if to.dead || to.missing || to.targets.only().is_none() {
            return Truths::ANY;
        }
        let Some(goal) = to.targets.only() else { return Truths::ANY };
        if matches!(goal, Target::Node(n) if self.pattern.nodes[n].summary) {
            return Truths::ANY;
        }
        from.each(|start| self.reaches(strict, over, start, goal))
    }

    /// Whether the chain from a target gets to a plain node or null.
    fn reaches(&self, strict: bool, over: Over, start: Target, goal: Target) -> Truths {
        if matches!(goal, Target::Freed | Target::Undefined | Target::Dead) {
            return Truths::ANY;
        }
        if start == goal && !strict {
            return Truths::TRUE;
        }
        let node = match start {
            Target::Null => return Truths::FALSE,
            Target::Node(n) => n,
            _ => return Truths::ANY,
        };
        if self.pattern.nodes[node].record != over.record {
            return Truths::ANY;
        }
        if self.pattern.nodes[node].summary {
            return match is_inevitable_from_any(self.words, self.pattern, node, over.field, goal) {
                true => Truths::TRUE,
                false => self.may_reach(over, self.pattern.nodes[node].fields[over.field], goal),
            };
        }
        let on = |goal: Target| is_inevitable(self.words, self.pattern, node, over.field, goal);
        if on(goal) {
            return Truths::TRUE;
        }
        // A chain that comes back never ends; one that ends does not come back.
        if goal == Target::Null && on(start) || goal == start && on(Target::Null) {
            return Truths::FALSE;
        }
        self.may_reach(over, self.pattern.nodes[node].fields[over.field], goal)
    }

    /// Whether the goal lies behind any of some targets at all.
    fn may_reach(&self, over: Over, outs: Targets, goal: Target) -> Truths {
        let behind = self.behind(over, outs);
        match behind {
            Some(all) if !all.includes(Targets::of(goal)) => {
                let odd = Targets::FREED.or(Targets::UNDEFINED);
                if all.and(odd).is_none() { Truths::FALSE } else { Truths(6) }
            }
            _ => Truths::ANY,
        }
    }

    /// Everything on the chains from some targets; `None` if they leave the record.
    pub(super) fn behind(&self, over: Over, from: Targets) -> Option<Targets> {
        let (mut all, mut todo) = (from, from);
        while let Some(target) = todo.iter().next() {
            todo = todo.without(Targets::of(target));
            let Target::Node(n) = target else { continue };
            let node = &self.pattern.nodes[n];
            if node.record != over.record {
                return None;
            }
            let new = node.fields[over.field].without(all);
            all = all.or(new);
            todo = todo.or(new);
        }
        Some(all)
    }

    pub(super) fn stable(&self, over: Over, start: Target) -> Truths {
        let odd = Targets::FREED.or(Targets::UNDEFINED);
        match self.behind(over, Targets::of(start)) {
            Some(all) if all.and(odd).is_none() && start != Target::Dead => Truths::TRUE,
            _ => Truths::ANY,
        }
    }

    pub(super) fn disjoint(&self, over: Over, a: &Path, b: &Path) -> Truths {
        let (x, y) = (self.ends(a), self.ends(b));
        if x.dead || y.dead || x.missing || y.missing {
            return Truths::ANY;
        }
        let (Some(x), Some(y)) = (self.behind(over, x.targets), self.behind(over, y.targets))
        else {
            return Truths::ANY;
        };
        let odd = Targets::FREED.or(Targets::UNDEFINED);
        let common = x.and(y).without(Targets::NULL);
        if let (Some(p), Some(q)) = (self.ends(a).targets.only(), self.ends(b).targets.only()) {
            let plain = common.nodes().filter(|n| !self.pattern.nodes[*n].summary);
            let on = |from, n| self.reaches(false, over, from, Target::Node(n)) == Truths::TRUE;
            if plain.into_iter().any(|n| on(p, n) && on(q, n)) {
                return Truths::FALSE;
            }
        }
        match common.is_none() && x.or(y).and(odd).is_none() {
            true => Truths::TRUE,
            false => Truths::ANY,
        }
    }

    /// `ls`: the chain gets there, and is entered at its start only. On the way no cell has two
    /// fields leading to it, or the chain would not be inevitable, and so only the last one is left
    /// to be looked at.
    pub(super) fn segment(&self, over: Over, from: &Path, to: &Path) -> Truths {
        let reached = self.reach(false, over, from, to);
        if reached != Truths::TRUE {
            return if reached == Truths::FALSE { reached } else { Truths::ANY };
        }
        let edge = self.words.records[over.record].pointers[over.field].edge;
        match (self.ends(from).targets.only(), self.ends(to).targets.only()) {
            (Some(a), Some(b)) if a == b => Truths::TRUE,
            (Some(_), Some(Target::Null)) => Truths::TRUE,
            (Some(_), Some(Target::Node(n)))
                if !self.pattern.nodes[n].sharing.includes(Sharing::pair(edge, edge)) =>
            {
                Truths::TRUE
            }
            _ => Truths::ANY,
        }
    }
}
