//! Pointers change: a variable, or a field of one cell.
//!
//! Where a field of a plain node leads is certain before it changes, so that it is known which cell
//! loses a pointer; what that cell reached may be lost with it.

use trellis_patterns::pattern::{Pattern, Sharing, Target, Targets};
use trellis_patterns::program::{Access, Source};
use trellis_patterns::words::{PatternWords, Predicate};
use trellis_program::CheckKind;

use super::coerce::{coerce, incoming};
use super::colours::{is_certain, relabel, widen_all, widen_entered, widen_field};
use super::focus::{edge_number, focus};
use super::numbers::anything;
use super::reach::settle;
use super::{Post, Results, TooLarge, target};

impl Post<'_> {
    pub(super) fn words(&self) -> &PatternWords {
        &self.program.words
    }

    /// What is left when pointers to the nodes `cut` were overwritten.
    pub(super) fn finish(&self, pattern: Pattern, cut: &[usize], to: &mut Results<'_>) {
        let settled = settle(self.words(), pattern, cut);
        if settled.lost {
            self.failed(to, CheckKind::Leak, 0);
        }
        to.out.extend(coerce(self.words(), settled.pattern));
    }

    /// `dst` leads elsewhere.
    pub(super) fn assign(
        &self,
        pattern: &Pattern,
        dst: usize,
        value: Target,
        to: &mut Results<'_>,
    ) {
        let mut next = pattern.clone();
        let old = std::mem::replace(&mut next.vars[dst], value);
        let compares =
            |p: &Predicate| matches!(p, Predicate::Is { pointer, .. } if *pointer == dst);
        widen_all(self.words(), &mut next, &compares);
        let cut: Vec<usize> = node_of(old).into_iter().collect();
        self.finish(next, &cut, to);
    }

    /// Some variables are not read any more.
    pub fn forget(
        &self,
        pattern: &Pattern,
        pointers: &[bool],
        scalars: &[bool],
    ) -> (Option<Pattern>, bool) {
        let mut next = pattern.clone();
        let mut cut = Vec::new();
        for (v, live) in pointers.iter().enumerate() {
            if !live && next.vars[v] != Target::Dead {
                cut.extend(node_of(std::mem::replace(&mut next.vars[v], Target::Dead)));
                let is =
                    |p: &Predicate| matches!(p, Predicate::Is { pointer, .. } if *pointer == v);
                widen_all(self.words(), &mut next, &is);
            }
        }
        for (s, live) in scalars.iter().enumerate() {
            if !live {
                next.scalars[s] = anything(self.words(), s);
                self.forget_orders(&mut next, s);
            }
        }
        let settled = settle(self.words(), next, &cut);
        (coerce(self.words(), settled.pattern), settled.lost)
    }

    /// `var->field = value`.
    pub(super) fn store(
        &self,
        pattern: &Pattern,
        at: &Access,
        value: Source,
        to: &mut Results<'_>,
    ) -> Result<(), TooLarge> {
        let Some(node) = self.node(pattern, at.var, at.record, to) else { return Ok(()) };
        // Which cell loses the pointer has to be known.
        for case in focus(self.words(), pattern, node, at.field)? {
            let (node, new) = (self.there(&case, at), target(&case, value));
            let mut next = case;
            let cut = lead(self.words(), &mut next, (node, at.field), new);
            self.finish(next, &cut, to);
        }
        Ok(())
    }

    /// Everything must be reachable from these when the procedure ends.
    pub(super) fn leak(&self, pattern: &Pattern, roots: &[Source], to: &mut Results<'_>) {
        let keeps = |v: usize| roots.contains(&Source::Var(v));
        let mut next = pattern.clone();
        let mut cut = Vec::new();
        for v in (0..next.vars.len()).filter(|v| !keeps(*v)) {
            cut.extend(node_of(std::mem::replace(&mut next.vars[v], Target::Dead)));
        }
        let is = |p: &Predicate| matches!(p, Predicate::Is { .. });
        widen_all(self.words(), &mut next, &is);
        self.finish(next, &cut, to);
    }
}

pub(super) fn node_of(target: Target) -> Option<usize> {
    match target {
        Target::Node(n) => Some(n),
        _ => None,
    }
}

/// The field of a plain node, certain before, leads elsewhere; returns the node it led to.
pub(super) fn lead(
    words: &PatternWords,
    next: &mut Pattern,
    at: (usize, usize),
    new: Target,
) -> Vec<usize> {
    let (node, field) = at;
    let old = std::mem::replace(&mut next.nodes[node].fields[field], Targets::of(new));
    if new == Target::Dead {
        // Nobody should have read it: anything may be there.
        next.nodes[node].fields[field] = Targets::UNDEFINED;
    }
    widen_field(words, next, node, field, true);
    // Cells that lead here and are led back to are known by the new value.
    let record = next.nodes[node].record;
    for k in 0..next.nodes.len() {
        let of = &words.records[next.nodes[k].record];
        for (lane, predicate) in of.predicates.iter().enumerate() {
            let Predicate::Inverse { over, back } = *predicate else { continue };
            let leads = next.nodes[k].fields[over].includes(Targets::node(node));
            if back != field || !leads || of.pointers[over].to != Some(record) || (k, over) == at {
                continue;
            }
            let value = if new == Target::Node(k) { 2 } else { 1 };
            let certain = is_certain(next, k, over);
            relabel(next, k, lane, &[value], certain, |c| c.get(lane) != 0);
        }
    }
    let changed = old.nodes().chain(node_of(new));
    changed.for_each(|t| widen_entered(words, next, t));
    if let Target::Node(t) = new {
        let edge = edge_number(words, next, at);
        for (other, k, f) in incoming(words, next, t) {
            if (k, f) != at {
                next.nodes[t].sharing = next.nodes[t].sharing.or(Sharing::pair(edge, other));
            }
        }
    }
    old.nodes().collect()
}
