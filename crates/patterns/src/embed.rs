//! Maps of a graph into a pattern: the search behind matching and entailment.
//!
//! The graph has *items*: the cells of a heap, or the nodes of another pattern. Every item has a set
//! of nodes that it may be mapped to; sets shrink until every edge has a partner on both sides and
//! every plain node one plain item. Only what is open then is tried, in the order of the items.
//!
//! **Invariant:** the answer is exact unless the work runs out ([`Miss::TooHard`]). On lists and
//! trees the sets decide without trying.

use crate::pattern::{Pattern, Sharing, Targets};
use crate::words::Colour;

/// A cell, or a node of another pattern.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub record: usize,
    /// Stands for exactly one cell.
    pub plain: bool,
    pub sharing: Sharing,
    pub colours: Vec<Colour>,
    /// By field: ends that it may lead to, and items.
    pub fields: Vec<(Targets, Vec<usize>)>,
    /// The node that a variable at both sides forces.
    pub pinned: Option<usize>,
}

/// Why there is no map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Miss {
    /// An integer variable has a value that the pattern does not allow.
    Scalar(usize),
    /// Two integer variables have an order that the pattern does not allow.
    Order(usize),
    /// A pointer variable is elsewhere.
    Variable(usize),
    /// No node has the record of a cell.
    Record(usize),
    /// No node that a cell may belong to has its colour.
    Colour(usize),
    /// No node that a cell may belong to allows so many incoming fields.
    Shared(usize),
    /// A field of a cell leads where no node allows it.
    Field {
        /// The cell.
        cell: usize,
        /// The pointer field.
        field: usize,
    },
    /// A plain node has no cell.
    Missing(usize),
    /// Two cells would have to belong to one plain node.
    Twice(usize),
    /// Every part fits, but not all together.
    Together,
    /// The search was given up.
    TooHard,
}

/// Most steps of one search.
const MOST_STEPS: u32 = 20_000;

/// The node of every item.
pub(crate) fn embed(items: &[Item], pattern: &Pattern) -> Result<Vec<usize>, Miss> {
    let incoming = incoming(items);
    let mut search = Search { items, pattern, incoming, steps: 0 };
    let mut sets = search.first_sets()?;
    search.shrink(&mut sets, None)?;
    let sets = search.complete(sets)?;
    Ok(sets.into_iter().map(|s| s.trailing_zeros() as usize).collect())
}

/// By item, the fields that may lead to it.
fn incoming(items: &[Item]) -> Vec<Vec<(usize, usize)>> {
    let mut out = vec![Vec::new(); items.len()];
    for (i, item) in items.iter().enumerate() {
        for (f, (_, to)) in item.fields.iter().enumerate() {
            to.iter().for_each(|t| out[*t].push((i, f)));
        }
    }
    out
}

struct Search<'a> {
    items: &'a [Item],
    pattern: &'a Pattern,
    incoming: Vec<Vec<(usize, usize)>>,
    steps: u32,
}

/// A set of nodes.
type Set = u64;

fn members(set: Set) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let next = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(next)
    })
}

impl Search<'_> {
    /// What each item may be mapped to, by itself.
    fn first_sets(&self) -> Result<Vec<Set>, Miss> {
        let nodes = &self.pattern.nodes;
        let mut taken: Set = 0;
        for (i, item) in self.items.iter().enumerate() {
            if let Some(n) = item.pinned {
                if taken & (1 << n) != 0 {
                    return Err(Miss::Twice(i));
                }
                taken |= 1 << n;
            }
        }
        let mut sets = Vec::new();
        for (i, item) in self.items.iter().enumerate() {
            let all: Set = match item.pinned {
                Some(n) => 1 << n,
                None => ((1u64 << nodes.len()) - 1) & !taken,
            };
            let keep = |set: Set, miss: Miss, ok: &dyn Fn(usize) -> bool| {
                let kept = members(set).filter(|n| ok(*n)).fold(0, |s, n| s | 1 << n);
                if kept == 0 { Err(miss) } else { Ok(kept) }
            };
            let set = keep(all, Miss::Record(i), &|n| {
                nodes[n].record == item.record && (item.plain || nodes[n].summary)
            })?;
            let set = keep(set, Miss::Colour(i), &|n| {
                item.colours.iter().all(|c| nodes[n].colours.contains(c))
            })?;
            let set = keep(set, Miss::Shared(i), &|n| nodes[n].sharing.includes(item.sharing))?;
            let mut set = set;
            for (f, (ends, _)) in item.fields.iter().enumerate() {
                set = keep(set, Miss::Field { cell: i, field: f }, &|n| {
                    nodes[n].fields[f].includes(*ends)
                })?;
            }
            sets.push(set);
        }
        Ok(sets)
    }

    /// Takes out what has no partner, until nothing changes; all edges are looked at first, or
    /// those of one item.
    fn shrink(&mut self, sets: &mut [Set], changed: Option<usize>) -> Result<(), Miss> {
        let mut todo: Vec<usize> = match changed {
            Some(i) => vec![i],
            None => (0..sets.len()).rev().collect(),
        };
        loop {
            while let Some(i) = todo.pop() {
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return Err(Miss::TooHard);
                }
                self.edges_of(i, sets, &mut todo)?;
            }
            self.plain_nodes(sets, &mut todo)?;
            if todo.is_empty() {
                return Ok(());
            }
        }
    }

    fn edges_of(&self, i: usize, sets: &mut [Set], todo: &mut Vec<usize>) -> Result<(), Miss> {
        let nodes = &self.pattern.nodes;
        let fields = self.items[i].fields.iter().enumerate();
        let out = fields.flat_map(|(f, (_, to))| to.iter().map(move |t| (i, f, *t)));
        let into = self.incoming[i].iter().map(|(from, f)| (*from, *f, i));
        for (from, f, to) in out.chain(into) {
            let targets = |n: usize| nodes[n].fields[f].0 >> 3;
            let after = members(sets[from]).fold(0, |s, n| s | targets(n));
            let new_to = sets[to] & after;
            let kept = members(sets[from]).filter(|n| targets(*n) & new_to != 0);
            let new_from = kept.fold(0, |s, n| s | 1 << n);
            if new_to == 0 || new_from == 0 {
                return Err(Miss::Field { cell: from, field: f });
            }
            for (item, new) in [(to, new_to), (from, new_from)] {
                if sets[item] != new {
                    sets[item] = new;
                    todo.push(item);
                }
            }
            // A field from a cell to itself.
            if from == to {
                let own = members(sets[to]).filter(|n| targets(*n) & (1 << *n) != 0);
                let own = own.fold(0, |s, n| s | 1 << n);
                if own == 0 {
                    return Err(Miss::Field { cell: from, field: f });
                }
                if own != sets[to] {
                    sets[to] = own;
                    todo.push(to);
                }
            }
        }
        Ok(())
    }

    /// Every plain node has exactly one plain item.
    fn plain_nodes(&self, sets: &mut [Set], todo: &mut Vec<usize>) -> Result<(), Miss> {
        for (n, node) in self.pattern.nodes.iter().enumerate().filter(|(_, n)| !n.summary) {
            let bit: Set = 1 << n;
            let mut holder = None;
            let mut able = None;
            let mut others = 0;
            for (i, set) in sets.iter().enumerate() {
                if set & bit == 0 || !self.items[i].plain {
                    continue;
                }
                if *set == bit {
                    if holder.is_some() {
                        return Err(Miss::Twice(i));
                    }
                    holder = Some(i);
                } else {
                    others += 1;
                    able = Some(i);
                }
            }
            debug_assert!(!node.summary);
            match (holder, able) {
                (None, None) => return Err(Miss::Missing(n)),
                (Some(_), None) => {}
                (Some(h), Some(_)) => {
                    for (i, set) in sets.iter_mut().enumerate() {
                        if i != h && *set & bit != 0 {
                            *set &= !bit;
                            todo.push(i);
                        }
                    }
                }
                (None, Some(i)) if others == 1 => {
                    sets[i] = bit;
                    todo.push(i);
                }
                (None, Some(_)) => {}
            }
        }
        match sets.iter().position(|s| *s == 0) {
            Some(i) => Err(Miss::Twice(i)),
            None => Ok(()),
        }
    }

    /// Tries what is open.
    fn complete(&mut self, sets: Vec<Set>) -> Result<Vec<Set>, Miss> {
        let open = |s: &Set| s.count_ones() > 1;
        let Some(i) = sets.iter().position(open) else {
            return self.verify(sets);
        };
        for n in members(sets[i]) {
            let mut next = sets.clone();
            next[i] = 1 << n;
            match self.shrink(&mut next, Some(i)) {
                Err(Miss::TooHard) => return Err(Miss::TooHard),
                Err(_) => {}
                Ok(()) => match self.complete(next) {
                    Ok(found) => return Ok(found),
                    Err(Miss::TooHard) => return Err(Miss::TooHard),
                    Err(_) => {}
                },
            }
        }
        Err(Miss::Together)
    }

    /// Looks at a map once more, by definition.
    fn verify(&self, sets: Vec<Set>) -> Result<Vec<Set>, Miss> {
        let node = |i: usize| sets[i].trailing_zeros() as usize;
        for (i, item) in self.items.iter().enumerate() {
            let to = &self.pattern.nodes[node(i)];
            let mut fields = item.fields.iter().zip(&to.fields);
            let leads = |((ends, items), targets): (&(Targets, Vec<usize>), &Targets)| {
                targets.includes(*ends)
                    && items.iter().all(|t| targets.includes(Targets::node(node(*t))))
            };
            if !fields.all(leads) {
                return Err(Miss::Together);
            }
        }
        for (n, _) in self.pattern.nodes.iter().enumerate().filter(|(_, n)| !n.summary) {
            let mut at = (0..sets.len()).filter(|i| node(*i) == n);
            if at.next().is_none_or(|i| !self.items[i].plain) || at.next().is_some() {
                return Err(Miss::Together);
            }
        }
        Ok(sets)
    }
}
