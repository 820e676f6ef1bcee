//! Merging nodes by keys, and joining patterns of one skeleton.
//!
//! Merging the nodes of a pattern by any partition makes a pattern with at least the same heaps, so
//! a key can be any feature of the graph, and nothing has to be kept up to date by Post. Which
//! features are looked at is [`Keys`]; the analysis adds them where the proof needs them.
//!
//! **Invariant:** whatever fits a pattern fits what [`blur`] makes of it; whatever fits one of two
//! patterns fits what [`join`] makes of them. Equal keys never depend on the numbers of nodes.

use std::collections::{BTreeMap, BTreeSet};

use trellis_patterns::pattern::{MOST_NODES, Node, Pattern, Target, Targets};
use trellis_patterns::values::Values;
use trellis_patterns::words::Colour;

/// The features by which nodes that no variable is at are told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Keys {
    /// Its own colours.
    pub colours: bool,
    /// The colours of where its fields lead, and the variables there.
    pub next: bool,
    /// The variables that may reach it.
    pub reached_by: bool,
    /// The colours that may be reached from it.
    pub ahead: bool,
    /// The colours from which it may be reached.
    pub behind: bool,
    /// The colours and variables of what leads to it, a field.
    pub before: bool,
}

impl Keys {
    /// From few features to all of them: each is tried where the ones before were not enough.
    pub const LADDER: [Keys; 7] = {
        let none = Keys {
            colours: false,
            next: false,
            reached_by: false,
            ahead: false,
            behind: false,
            before: false,
        };
        let own = Keys { colours: true, ..none };
        [
            own,
            Keys { reached_by: true, ..own },
            Keys { ahead: true, ..own },
            Keys { next: true, reached_by: true, ..own },
            Keys { ahead: true, behind: true, reached_by: true, ..own },
            Keys { next: true, ahead: true, behind: true, reached_by: true, ..own },
            Keys { next: true, ahead: true, behind: true, reached_by: true, before: true, ..own },
        ]
    };
}

/// What patterns that are joined have in common: integers, where variables are, and the colours of
/// the nodes there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Skeleton {
    scalars: Vec<Values>,
    /// Nodes are numbered as the variables first meet them.
    vars: Vec<Target>,
    colours: Vec<BTreeSet<Colour>>,
}

/// The skeleton of a pattern.
pub fn skeleton(pattern: &Pattern) -> Skeleton {
    let mut met: Vec<usize> = Vec::new();
    let vars = pattern.vars.iter().map(|t| match *t {
        Target::Node(n) => {
            let at = met.iter().position(|m| *m == n).unwrap_or_else(|| {
                met.push(n);
                met.len() - 1
            });
            Target::Node(at)
        }
        end => end,
    });
    let vars = vars.collect();
    let colours = met.iter().map(|n| pattern.nodes[*n].colours.clone()).collect();
    Skeleton { scalars: pattern.scalars.clone(), vars, colours }
}

/// A name for where something leads that does not depend on the numbers of nodes.
type Name = (Vec<usize>, Vec<Colour>);

/// What a node is told apart by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    /// Nodes of variables come first, in the order of the variables.
    free: bool,
    vars: Vec<usize>,
    record: usize,
    colours: Vec<Colour>,
    next: Vec<(u64, BTreeSet<Name>)>,
    reached_by: Vec<usize>,
    ahead: BTreeSet<Vec<Colour>>,
    behind: BTreeSet<Vec<Colour>>,
    before: BTreeSet<(usize, Name)>,
}

/// The keys of all nodes.
fn keys(pattern: &Pattern, keys: Keys) -> Vec<Key> {
    let count = pattern.nodes.len();
    let vars: Vec<Vec<usize>> = (0..count).map(|n| pattern.vars_at(n).collect()).collect();
    let colours = |n: usize| -> Vec<Colour> { pattern.nodes[n].colours.iter().copied().collect() };
    let name = |n: usize| -> Name { (vars[n].clone(), colours(n)) };
    // Which nodes each node may reach, in one step or more.
    let needs_reach = keys.reached_by || keys.ahead || keys.behind;
    let ahead: Vec<Vec<bool>> = match needs_reach {
        true => (0..count).map(|n| strictly_ahead(pattern, n)).collect(),
        false => Vec::new(),
    };
    let key = |n: usize| {
        let node = &pattern.nodes[n];
        let mut key = Key {
            free: vars[n].is_empty(),
            vars: vars[n].clone(),
            record: node.record,
            colours: Vec::new(),
            next: Vec::new(),
            reached_by: Vec::new(),
            ahead: BTreeSet::new(),
            behind: BTreeSet::new(),
            before: BTreeSet::new(),
        };
        if !key.free {
            return key;
        }
        if keys.colours {
            key.colours = colours(n);
        }
        if keys.next {
            let next = |t: &Targets| (t.0 & 7, t.nodes().map(name).collect());
            key.next = node.fields.iter().map(next).collect();
        }
        if keys.reached_by {
            let reaches = |v: &usize| matches!(pattern.vars[*v], Target::Node(m) if ahead[m][n]);
            key.reached_by = (0..pattern.vars.len()).filter(reaches).collect();
        }
        if keys.ahead {
            key.ahead = (0..count).filter(|m| ahead[n][*m]).map(colours).collect();
        }
        if keys.behind {
            key.behind = (0..count).filter(|m| ahead[*m][n]).map(colours).collect();
        }
        if keys.before {
            for (m, other) in pattern.nodes.iter().enumerate() {
                for (f, targets) in other.fields.iter().enumerate() {
                    if targets.includes(Targets::node(n)) {
                        key.before.insert((f, name(m)));
                    }
                }
            }
        }
        key
    };
    (0..count).map(key).collect()
}

fn strictly_ahead(pattern: &Pattern, from: usize) -> Vec<bool> {
    let next: Vec<usize> = pattern.nodes[from].fields.iter().flat_map(|t| t.nodes()).collect();
    crate::post::reach::ahead(pattern, &next)
}

/// The pattern in which nodes of equal keys are one; keys are sorted and all different.
fn blurred(pattern: &Pattern, by: Keys) -> BTreeMap<Key, Vec<usize>> {
    let mut classes: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (n, key) in keys(pattern, by).into_iter().enumerate() {
        classes.entry(key).or_default().push(n);
    }
    classes
}

/// Merges nodes of equal keys, until all keys are different.
#[must_use]
pub fn blur(pattern: &Pattern, by: Keys) -> Pattern {
    let mut pattern = pattern.clone();
    loop {
        let classes: Vec<Vec<usize>> = blurred(&pattern, by).into_values().collect();
        let done = classes.len() == pattern.nodes.len();
        pattern = merged(&pattern, &classes);
        if done {
            return pattern;
        }
    }
}

/// The pattern whose nodes are these classes of nodes.
#[must_use]
pub fn merged(pattern: &Pattern, classes: &[Vec<usize>]) -> Pattern {
    let mut class_of = vec![0; pattern.nodes.len()];
    for (class, members) in classes.iter().enumerate() {
        members.iter().for_each(|n| class_of[*n] = class);
    }
    let node = |members: &Vec<usize>| {
        let mut all = members.iter().map(|n| renamed(&pattern.nodes[*n], &|m| class_of[m]));
        let first = all.next().expect("a class has a member");
        all.fold(first, |out, node| Node { summary: true, ..united(out, node) })
    };
    Pattern {
        scalars: pattern.scalars.clone(),
        orders: pattern.orders.clone(),
        vars: pattern.vars.iter().map(|t| target(*t, &|m| class_of[m])).collect(),
        nodes: classes.iter().map(node).collect(),
    }
}

fn target(t: Target, rename: &dyn Fn(usize) -> usize) -> Target {
    match t {
        Target::Node(n) => Target::Node(rename(n)),
        end => end,
    }
}

fn renamed(node: &Node, rename: &dyn Fn(usize) -> usize) -> Node {
    let fields = node.fields.iter().map(|t| t.renamed(|n| Some(rename(n)))).collect();
    Node { fields, ..node.clone() }
}

/// Whatever one of two nodes allows.
fn united(mut a: Node, b: Node) -> Node {
    a.summary |= b.summary;
    a.sharing = a.sharing.or(b.sharing);
    a.colours.extend(b.colours);
    a.fields.iter_mut().zip(b.fields).for_each(|(x, y)| *x = x.or(y));
    a
}

/// One pattern for two of the same skeleton; nodes are matched by their keys. None if it would have
/// more nodes than a pattern can have: two patterns that are small enough can have few keys in common.
#[must_use]
pub fn join(a: &Pattern, b: &Pattern, by: Keys) -> Option<Pattern> {
    let (a, b) = (blur(a, by), blur(b, by));
    let keys_of = |p: &Pattern| -> Vec<Key> { keys(p, by) };
    let (left, right) = (keys_of(&a), keys_of(&b));
    let all: Vec<&Key> = left.iter().chain(&right).collect::<BTreeSet<_>>().into_iter().collect();
    if all.len() > MOST_NODES {
        return None;
    }
    let place = |key: &Key| all.binary_search(&key).expect("every key is there");
    let find = |p: &Pattern, keys: &[Key], key: &Key| {
        let at = keys.iter().position(|k| k == key)?;
        Some(renamed(&p.nodes[at], &|n| place(&keys[n])))
    };
    let node = |key: &&Key| match (find(&a, &left, key), find(&b, &right, key)) {
        (Some(x), Some(y)) => united(x, y),
        (Some(one), None) | (None, Some(one)) => Node { summary: true, ..one },
        (None, None) => unreachable!("a key is of one of the two"),
    };
    let orders = a.orders.iter().zip(&b.orders).map(|(x, y)| x.or(*y)).collect();
    let joined = Pattern {
        scalars: a.scalars.iter().zip(&b.scalars).map(|(x, y)| x.or(*y)).collect(),
        orders,
        vars: a.vars.iter().map(|t| target(*t, &|n| place(&left[n]))).collect(),
        nodes: all.iter().map(node).collect(),
    };
    Some(blur(&joined, by))
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use trellis_patterns::pattern::Sharing;

    use super::*;

    /// A node of each record.
    fn of_records(records: Range<usize>) -> Pattern {
        let node = |record| Node {
            record,
            summary: true,
            sharing: Sharing::NONE,
            colours: BTreeSet::new(),
            fields: vec![Targets::NULL],
        };
        let nodes = records.map(node).collect();
        Pattern { scalars: Vec::new(), orders: Vec::new(), vars: Vec::new(), nodes }
    }

    #[test]
    fn a_pattern_that_would_be_too_large_is_not_made() {
        let [few, same, others] = [0..40, 0..40, 40..80].map(of_records);
        assert_eq!(join(&few, &same, Keys::default()), Some(few.clone()));
        assert_eq!(join(&few, &others, Keys::default()), None);
    }
}
