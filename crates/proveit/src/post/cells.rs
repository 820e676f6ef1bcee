//! Whole cells: allocated, freed, copied, zeroed.

use std::collections::BTreeSet;

use trellis_patterns::pattern::{MOST_NODES, Node, Pattern, Sharing, Target, Targets};
use trellis_patterns::values::Values;
use trellis_patterns::words::{Colour, Predicate};

use super::colours::{is_certain, widen_all, widen_entered, widen_field, with_lane};
use super::focus::focus;
use super::update::{lead, node_of};
use super::{Post, Results, TooLarge};

impl Post<'_> {
    /// `dst = malloc(…)`.
    pub(super) fn allocate(
        &self,
        pattern: &Pattern,
        dst: usize,
        record: usize,
        zeroed: bool,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let mut next = pattern.clone();
        let node = next.nodes.len();
        if node >= MOST_NODES {
            return Err(TooLarge);
        }
        let of = &self.words().records[record];
        let field = if zeroed { Targets::NULL } else { Targets::UNDEFINED };
        let zero = self.words().partition.class(0) as u8 + 1;
        let mut colours = BTreeSet::from([Colour::default()]);
        for (lane, predicate) in of.predicates.iter().enumerate() {
            let values: Vec<u8> = match predicate {
                Predicate::Data(_) => vec![if zeroed { zero } else { 0 }],
                other => (0..self.words().values_of(*other)).collect(),
            };
            colours = with_lane(&colours, lane, &values);
        }
        let fields = vec![field; of.pointers.len()];
        let sharing = Sharing::NONE;
        next.nodes.push(Node { record, summary: false, sharing, colours, fields });
        self.assign(&next, dst, Target::Node(node), to);
        Ok(())
    }

    /// The cell of a plain node is freed.
    pub(super) fn free(
        &self,
        pattern: &Pattern,
        node: usize,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        // What its fields led to may be lost, so each has to be known.
        let var = (0..pattern.vars.len()).find(|v| pattern.vars[*v] == Target::Node(node));
        let Some(var) = var else { return Ok(()) };
        let at = |p: &Pattern| node_of(p.vars[var]).unwrap_or(node);
        let mut cases = vec![pattern.clone()];
        for field in 0..pattern.nodes[node].fields.len() {
            let mut next = Vec::new();
            for case in cases {
                next.extend(focus(self.words(), &case, at(&case), field)?);
            }
            cases = next;
        }
        for case in cases {
            let node = at(&case);
            let mut next = case;
            let cut: Vec<usize> = next.nodes[node]
                .fields
                .iter()
                .flat_map(|t| t.nodes())
                .filter(|n| *n != node)
                .collect();
            self.dangle(&mut next, node);
            cut.iter().for_each(|n| widen_entered(self.words(), &mut next, *n));
            // The node leaves; later ones move up.
            let order: Vec<usize> = (0..next.nodes.len()).filter(|n| *n != node).collect();
            let next = next.reordered(&order);
            let cut: Vec<usize> = cut.iter().map(|n| n - usize::from(*n > node)).collect();
            self.finish(next, &cut, to);
        }
        Ok(())
    }

    /// Everything that leads to a node leads to freed memory.
    fn dangle(&self, pattern: &mut Pattern, node: usize) {
        let words = self.words();
        let mut variables = Vec::new();
        for (v, t) in pattern.vars.iter_mut().enumerate().filter(|(_, t)| **t == Target::Node(node))
        {
            *t = Target::Freed;
            variables.push(v);
        }
        let is = |p: &Predicate| matches!(p, Predicate::Is { pointer, .. } if variables.contains(pointer));
        widen_all(words, pattern, &is);
        for k in (0..pattern.nodes.len()).filter(|k| *k != node) {
            for f in 0..pattern.nodes[k].fields.len() {
                let targets = pattern.nodes[k].fields[f];
                if !targets.includes(Targets::node(node)) {
                    continue;
                }
                let certain = is_certain(pattern, k, f);
                pattern.nodes[k].fields[f] =
                    targets.without(Targets::node(node)).or(Targets::FREED);
                widen_field(words, pattern, k, f, certain);
            }
        }
    }

    /// `*dst = *src`: a store of every field.
    pub(super) fn copy(
        &self,
        pattern: &Pattern,
        dst: usize,
        src: usize,
        record: usize,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let Some(_) = self.node(pattern, src, record, to) else { return Ok(()) };
        let Some(_) = self.node(pattern, dst, record, to) else { return Ok(()) };
        if pattern.vars[dst] == pattern.vars[src] {
            to.out.push(pattern.clone());
            return Ok(());
        }
        let at = |p: &Pattern, v: usize| node_of(p.vars[v]).unwrap_or_default();
        let of = &self.words().records[record];
        let mut cases = vec![pattern.clone()];
        for field in 0..of.pointers.len() {
            for var in [src, dst] {
                let mut next = Vec::new();
                for case in cases {
                    next.extend(focus(self.words(), &case, at(&case, var), field)?);
                }
                cases = next;
            }
        }
        for case in cases {
            for colour in case.nodes[at(&case, src)].colours.clone() {
                let mut next = case.clone();
                let (node, from) = (at(&next, dst), at(&next, src));
                next.nodes[from].colours = BTreeSet::from([colour]);
                let mut cut = Vec::new();
                for field in 0..of.pointers.len() {
                    let value = next.nodes[from].fields[field].only().unwrap_or(Target::Dead);
                    cut.extend(lead(self.words(), &mut next, (node, field), value));
                }
                for field in 0..of.data.len() {
                    let classes = match of.predicate(Predicate::Data(field)) {
                        Some(lane) => match usize::from(colour.get(lane)).checked_sub(1) {
                            None => Values::UNDEFINED,
                            Some(class) => Values::class(class),
                        },
                        None => continue,
                    };
                    self.write_data(&mut next, (node, field), classes, None);
                }
                self.finish(next, &cut, to);
            }
        }
        Ok(())
    }

    /// All fields of a cell become zero or null.
    pub(super) fn zero(
        &self,
        pattern: &Pattern,
        var: usize,
        record: usize,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let Some(_) = self.node(pattern, var, record, to) else { return Ok(()) };
        let at = |p: &Pattern| node_of(p.vars[var]).unwrap_or_default();
        let of = &self.words().records[record];
        let mut cases = vec![pattern.clone()];
        for field in 0..of.pointers.len() {
            let mut next = Vec::new();
            for case in cases {
                next.extend(focus(self.words(), &case, at(&case), field)?);
            }
            cases = next;
        }
        let zero = Values::class(self.words().partition.class(0));
        for case in cases {
            let mut next = case;
            let node = at(&next);
            let mut cut = Vec::new();
            for field in 0..of.pointers.len() {
                cut.extend(lead(self.words(), &mut next, (node, field), Target::Null));
            }
            for field in 0..of.data.len() {
                self.write_data(&mut next, (node, field), zero, None);
            }
            self.finish(next, &cut, to);
        }
        Ok(())
    }
}
