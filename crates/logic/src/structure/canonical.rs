//! Isomorphism: a canonical key, equal for two structures exactly if they are isomorphic.
//!
//! Colour refinement separates elements that some relation or function tells apart. Where it gets
//! stuck, each element of the first ambiguous colour is singled out in turn, and the smallest
//! resulting description is the key. Two equal descriptions reveal an automorphism, which spares us
//! the branches that would only repeat what was seen, as in McKay's search tree.
//!
//! **Invariant**: colours are ranks of descriptions that mention only colours, never element
//! numbers, so renaming elements renames colours alike.

use crate::structure::rename::Renaming;
use crate::structure::{Structure, Value};

/// An isomorphism-invariant description of a structure, to be compared and hashed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CanonicalKey(Vec<Fact>);

/// One true tuple or one function entry: the symbol, an integer value if it has one, and the
/// elements.
type Fact = (u32, Option<i128>, Vec<u32>);

impl Structure {
    /// The canonical key, for structures over one vocabulary.
    pub fn canonical_key(&self) -> CanonicalKey {
        self.canonical_form().0
    }

    /// The representative of this structure's isomorphism class.
    pub fn canonical(&self) -> Structure {
        self.rename(&self.canonical_form().1)
    }

    /// A renaming that turns this structure into the other, if there is one.
    pub fn isomorphism(&self, other: &Structure) -> Option<Renaming> {
        if self.vocabulary != other.vocabulary || self.sizes != other.sizes {
            return None;
        }
        let (key, to) = self.canonical_form();
        let (other_key, from) = other.canonical_form();
        (key == other_key).then(|| to.then(&from.inverse()))
    }

    /// The key, and the renaming to the structure it describes.
    pub fn canonical_form(&self) -> (CanonicalKey, Renaming) {
        let search = Search::new(self);
        let (facts, labels) = search.run();
        let mut offset = 0;
        let mut to = Vec::with_capacity(self.sizes.len());
        for &size in &self.sizes {
            // Colours start with the sort, so the labels of a sort are consecutive.
            let range = offset as usize..(offset + size) as usize;
            to.push(labels[range].iter().map(|&label| label - offset).collect());
            offset += size;
        }
        let mut description: Vec<Fact> = vec![(u32::MAX, None, self.sizes.clone())];
        description.extend(facts);
        (CanonicalKey(description), Renaming { to })
    }

    /// Everything the structure says, over elements numbered across sorts.
    fn facts(&self) -> Vec<Fact> {
        let mut offsets = Vec::with_capacity(self.sizes.len());
        let mut total = 0;
        for &size in &self.sizes {
            offsets.push(total);
            total += size;
        }
        let mut facts = Vec::new();
        let funs = self.vocabulary.funs().len() as u32;
        for f in self.vocabulary.funs() {
            let (fun, space) = (self.vocabulary.fun(f), self.fun_space(f));
            for index in 0..space.len() {
                let tuple = space.tuple(index);
                let mut elements: Vec<u32> =
                    tuple.iter().zip(&fun.args).map(|(x, s)| x + offsets[s.index()]).collect();
                match self.fun_at(f, index) {
                    None => {}
                    Some(Value::Int(n)) => facts.push((f.0, Some(n), elements)),
                    Some(Value::Elem(x)) => {
                        elements.push(x + offsets[fun.result.index()]);
                        facts.push((f.0, None, elements));
                    }
                }
            }
        }
        for r in self.vocabulary.rels() {
            let rel = self.vocabulary.rel(r);
            for tuple in self.tuples(r) {
                let elements =
                    tuple.iter().zip(&rel.args).map(|(x, s)| x + offsets[s.index()]).collect();
                facts.push((funs + r.0, None, elements));
            }
        }
        facts
    }
}

/// A complete labelling of the elements with the facts in its terms.
#[derive(Clone)]
struct Leaf {
    facts: Vec<Fact>,
    labels: Vec<u32>,
    /// The elements that were singled out on the way.
    path: Vec<u32>,
}

struct Search {
    facts: Vec<Fact>,
    /// By element, its sort: the first colouring.
    sorts: Vec<u32>,
    first: Option<Leaf>,
    best: Option<Leaf>,
    /// Automorphisms found so far, each mapping elements to elements.
    automorphisms: Vec<Vec<u32>>,
}

impl Search {
    fn new(structure: &Structure) -> Self {
        let by_sort = structure.sizes.iter().enumerate();
        let sorts = by_sort.flat_map(|(s, &n)| std::iter::repeat_n(s as u32, n as usize)).collect();
        let facts = structure.facts();
        Search { facts, sorts, first: None, best: None, automorphisms: Vec::new() }
    }

    fn run(mut self) -> (Vec<Fact>, Vec<u32>) {
        let colours = self.refine(self.sorts.clone());
        self.explore(colours, &mut Vec::new());
        match self.best {
            Some(leaf) => (leaf.facts, leaf.labels),
            None => (self.facts, Vec::new()),
        }
    }

    /// Splits colours until every two elements of one colour play the same part in facts of the
    /// same colours.
    fn refine(&self, mut colours: Vec<u32>) -> Vec<u32> {
        loop {
            let mut signatures: Vec<Vec<(usize, Fact)>> = vec![Vec::new(); colours.len()];
            for (symbol, value, elements) in &self.facts {
                let seen: Vec<u32> = elements.iter().map(|&x| colours[x as usize]).collect();
                for (place, &x) in elements.iter().enumerate() {
                    signatures[x as usize].push((place, (*symbol, *value, seen.clone())));
                }
            }
            let mut described: Vec<_> = signatures
                .into_iter()
                .enumerate()
                .map(|(x, mut signature)| {
                    signature.sort_unstable();
                    (colours[x], signature, x)
                })
                .collect();
            described.sort_unstable();
            let mut refined = vec![0; colours.len()];
            let mut first_of_colour = 0;
            for i in 0..described.len() {
                let (colour, signature, x) = &described[i];
                if i > 0 && (colour, signature) != (&described[i - 1].0, &described[i - 1].1) {
                    first_of_colour = i as u32;
                }
                refined[*x] = first_of_colour;
            }
            if refined == colours {
                return colours;
            }
            colours = refined;
        }
    }

    /// Explores the tree below a colouring. Returns the depth to which to go back at once, if the
    /// subtree turned out to be a copy of one that was explored.
    fn explore(&mut self, colours: Vec<u32>, path: &mut Vec<u32>) -> Option<usize> {
        let Some(cell) = first_ambiguous(&colours) else {
            return self.leaf(colours, path);
        };
        let mut explored: Vec<u32> = Vec::new();
        for &x in &cell {
            if !explored.is_empty() && self.same_orbit(path, &explored, x) {
                continue;
            }
            explored.push(x);
            // A colour is the number of elements before it, so the others of the cell move up.
            let mut singled = colours.clone();
            for &y in &cell {
                singled[y as usize] += u32::from(y != x);
            }
            let refined = self.refine(singled);
            path.push(x);
            let back = self.explore(refined, path);
            path.pop();
            if let Some(depth) = back
                && depth < path.len()
            {
                return back;
            }
        }
        None
    }

    fn leaf(&mut self, labels: Vec<u32>, path: &[u32]) -> Option<usize> {
        let mut facts: Vec<Fact> = self
            .facts
            .iter()
            .map(|(symbol, value, elements)| {
                (*symbol, *value, elements.iter().map(|&x| labels[x as usize]).collect())
            })
            .collect();
        facts.sort_unstable();
        let leaf = Leaf { facts, labels, path: path.to_vec() };
        for known in [&self.first, &self.best].into_iter().flatten() {
            if known.facts == leaf.facts {
                let mut by_label = vec![0; known.labels.len()];
                for (x, &label) in known.labels.iter().enumerate() {
                    by_label[label as usize] = x as u32;
                }
                let automorphism = leaf.labels.iter().map(|&l| by_label[l as usize]).collect();
                let common = known.path.iter().zip(path).take_while(|(a, b)| a == b).count();
                self.automorphisms.push(automorphism);
                return Some(common);
            }
        }
        if self.best.as_ref().is_none_or(|best| leaf.facts < best.facts) {
            self.best = Some(leaf.clone());
        }
        self.first.get_or_insert(leaf);
        None
    }

    /// Whether known automorphisms that fix the path carry `x` to an explored element.
    fn same_orbit(&self, path: &[u32], explored: &[u32], x: u32) -> bool {
        let fixing: Vec<&Vec<u32>> = self
            .automorphisms
            .iter()
            .filter(|a| path.iter().all(|&p| a[p as usize] == p))
            .collect();
        let mut orbit = vec![x];
        let mut next = 0;
        while next < orbit.len() {
            for automorphism in &fixing {
                let image = automorphism[orbit[next] as usize];
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        orbit.iter().any(|y| explored.contains(y))
    }
}

/// The elements of the first colour that has several.
fn first_ambiguous(colours: &[u32]) -> Option<Vec<u32>> {
    let mut counts = vec![0; colours.len()];
    for &c in colours {
        counts[c as usize] += 1;
    }
    let colour = counts.iter().position(|&n| n > 1)? as u32;
    Some((0..colours.len() as u32).filter(|&x| colours[x as usize] == colour).collect())
}
