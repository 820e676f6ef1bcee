//! Embedding: when one structure is represented by another.
//!
//! **Contract**: S embeds into T if a function f from the individuals of S *onto* those of T loses
//! nothing but definiteness: every value of T at f of a tuple is that of S at the tuple, or `Maybe`;
//! equality included, so an individual of T that gets two of S, or a summary, is a summary. The
//! heaps that T describes are the definite structures that embed into T.

use super::structure::KleeneStructure;

impl KleeneStructure {
    /// A function that embeds this structure into the other, if there is one.
    pub fn embedding(&self, into: &KleeneStructure) -> Option<Vec<usize>> {
        let mut search = Search { from: self, into, image: Vec::new(), hits: vec![0; into.size()] };
        let nullary = self.predicates.ids().filter(|&p| self.predicates.get(p).arity == 0);
        for p in nullary {
            if !self.get(p, &[]).is_below(into.get(p, &[])) {
                return None;
            }
        }
        search.extend().then_some(search.image)
    }

    /// Whether this structure is represented by the other.
    pub fn embeds(&self, into: &KleeneStructure) -> bool {
        self.embedding(into).is_some()
    }
}

struct Search<'a> {
    from: &'a KleeneStructure,
    into: &'a KleeneStructure,
    /// The images of the first individuals.
    image: Vec<usize>,
    /// How many individuals have each image.
    hits: Vec<usize>,
}

impl Search<'_> {
    /// Completes `image`, or leaves it as it was.
    fn extend(&mut self) -> bool {
        let next = self.image.len();
        let missing = self.hits.iter().filter(|&&h| h == 0).count();
        if missing > self.from.size() - next {
            return false;
        }
        if next == self.from.size() {
            return true;
        }
        for target in 0..self.into.size() {
            self.image.push(target);
            self.hits[target] += 1;
            if self.fits(next) && self.extend() {
                return true;
            }
            self.hits[target] -= 1;
            self.image.pop();
        }
        false
    }

    /// Whether all values that involve the last individual and earlier ones are kept.
    fn fits(&self, last: usize) -> bool {
        let (from, into, image) = (self.from, self.into, &self.image);
        let target = image[last];
        let several = self.hits[target] > 1 || from.is_summary(last);
        if several && !into.is_summary(target) {
            return false;
        }
        from.predicates.ids().all(|p| match from.predicates.get(p).arity {
            0 => true,
            1 => from.get(p, &[last]).is_below(into.get(p, &[target])),
            _ => (0..=last).all(|u| {
                from.get(p, &[u, last]).is_below(into.get(p, &[image[u], target]))
                    && from.get(p, &[last, u]).is_below(into.get(p, &[target, image[u]]))
            }),
        })
    }
}
