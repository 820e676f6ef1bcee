//! `sorted` and `dll`.

use super::{At, Truths};
use crate::pattern::{Pattern, Target, Targets};
use crate::program::{Over, Path};
use crate::reach::{is_behind, is_inevitable};
use crate::values::Orders;
use crate::words::{Order, Predicate};

impl At<'_> {
    /// `sorted`: no step of the chain goes down, wherever it ends.
    pub(super) fn sorted(&self, over: Over, key: usize, from: &Path) -> Truths {
        self.ends(from).each(|start| match start {
            Target::Null => Truths::TRUE,
            Target::Node(n) => match self.never_descends(over, key, n) {
                true => Truths::TRUE,
                false => Truths::ANY,
            },
            Target::Freed | Target::Undefined | Target::Dead => Truths::ANY,
        })
    }

    fn never_descends(&self, over: Over, key: usize, start: usize) -> bool {
        let record = &self.words.records[over.record];
        let lane = record.predicate(Predicate::Data(key));
        let order = Predicate::Neighbour { field: key, over: over.field, other: key };
        let order = record.predicate(order);
        let odd = Targets::FREED.or(Targets::UNDEFINED);
        let (Some(lane), Some(all)) = (lane, self.behind(over, Targets::node(start))) else {
            return false;
        };
        let kind = record.data[key].kind;
        let class = |c: u8| (usize::from(c) - 1, kind);
        let goes_down = |a: u8, b: u8| {
            b == 0 || self.words.partition.orders(class(a), class(b)).includes(Orders::GREATER)
        };
        all.and(odd).is_none()
            && all.nodes().all(|n| {
                let node = &self.pattern.nodes[n];
                node.colours.iter().all(|colour| match (colour.get(lane), order) {
                    (0, _) => false,
                    (_, Some(order)) => colour.get(order) != Order::Greater as u8,
                    (value, None) => node.fields[over.field].nodes().all(|m| {
                        let there = self.pattern.nodes[m].colours.iter();
                        there.into_iter().all(|c| !goes_down(value, c.get(lane)))
                    }),
                })
            })
    }

    /// Where a chain to null is sorted, none of its cells is above the next one.
    pub(super) fn without_descents(
        &self,
        out: &mut Pattern,
        over: Over,
        key: usize,
        from: &Path,
        to: &Path,
    ) {
        let order = Predicate::Neighbour { field: key, over: over.field, other: key };
        let order = self.words.records[over.record].predicate(order);
        let ends = (self.ends(from).targets.only(), self.ends(to).targets.only());
        let (Some(order), (Some(Target::Node(start)), Some(Target::Null))) = (order, ends) else {
            return;
        };
        if self.reach(false, over, from, to) != Truths::TRUE {
            return;
        }
        for (n, node) in out.nodes.iter_mut().enumerate().filter(|(_, n)| n.record == over.record) {
            if self.is_on_chain(over, start, n) {
                node.colours.retain(|c| c.get(order) != Order::Greater as u8);
            }
        }
    }

    /// Whether all cells of a node are on the chain from a plain node for sure.
    fn is_on_chain(&self, over: Over, start: usize, node: usize) -> bool {
        let (words, pattern) = (self.words, self.pattern);
        match pattern.nodes[node].summary {
            _ if node == start => true,
            true => is_behind(words, pattern, start, over.field, node),
            false => is_inevitable(words, pattern, start, over.field, Target::Node(node)),
        }
    }

    /// `dll`: the chain gets there without a cycle, every step of it is undone by the other field, and
    /// from its start that field leads elsewhere.
    pub(super) fn doubly(&self, over: Over, back: usize, from: &Path, to: &Path) -> Truths {
        let reached = self.reach(false, over, from, to);
        if reached != Truths::TRUE {
            return if reached == Truths::FALSE { reached } else { Truths::ANY };
        }
        match (self.ends(from).targets.only(), self.ends(to).targets.only()) {
            (Some(Target::Null), Some(Target::Null)) => Truths::TRUE,
            (Some(Target::Node(n)), Some(goal)) if !self.pattern.nodes[n].summary => {
                match self.is_doubly(over, back, n, goal) {
                    true => Truths::TRUE,
                    false => Truths::ANY,
                }
            }
            _ => Truths::ANY,
        }
    }

    /// The same for a chain of which it is known that it gets there.
    fn is_doubly(&self, over: Over, back: usize, start: usize, goal: Target) -> bool {
        let record = &self.words.records[over.record];
        let inverse = Predicate::Inverse { over: over.field, back };
        let lane = record.predicate(inverse);
        let fields = |n: usize| &self.pattern.nodes[n].fields;
        let goal_set = Targets::of(goal);
        // What lies on the way, the goal left out.
        let mut way = Targets::NONE;
        let mut todo = Targets::node(start).without(goal_set);
        while let Some(n) = todo.nodes().next() {
            way = way.or(Targets::node(n));
            todo = todo.or(fields(n)[over.field]).without(way).without(goal_set);
        }
        let undone = |n: usize| {
            let node = &self.pattern.nodes[n];
            let said = lane.is_some_and(|lane| node.colours.iter().all(|c| c.get(lane) != 1));
            let plain = |m: usize| !self.pattern.nodes[m].summary && !node.summary;
            said || fields(n)[over.field]
                .nodes()
                .all(|m| plain(m) && fields(m)[back] == Targets::node(n))
        };
        let list = way.or(goal_set).or(Targets::node(start)).without(Targets::NULL);
        let beyond = match goal {
            Target::Node(n) => self.behind(over, fields(n)[over.field]),
            _ => Some(Targets::NONE),
        };
        let odd = Targets::FREED.or(Targets::UNDEFINED);
        let led_back = self.behind(Over { field: back, ..over }, fields(start)[back]);
        way.nodes().all(undone)
            && beyond.is_some_and(|all| all.and(list).is_none())
            && led_back.is_some_and(|all| all.and(list.or(odd)).is_none())
    }
}
