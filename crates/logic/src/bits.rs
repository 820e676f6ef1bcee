//! A fixed-size set of small numbers, one bit each.
//!
//! **Invariant**: bits at or beyond `len` are zero, so that equal sets are equal values.

/// A subset of `0..len`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitSet {
    words: Vec<u64>,
    len: usize,
}

impl BitSet {
    /// The empty subset of `0..len`.
    pub fn new(len: usize) -> Self {
        BitSet { words: vec![0; len.div_ceil(64)], len }
    }

    /// Whether `bit` is in the set.
    pub fn contains(&self, bit: usize) -> bool {
        debug_assert!(bit < self.len);
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Puts `bit` into the set, or takes it out.
    pub fn set(&mut self, bit: usize, value: bool) {
        debug_assert!(bit < self.len);
        let mask = 1 << (bit % 64);
        match value {
            true => self.words[bit / 64] |= mask,
            false => self.words[bit / 64] &= !mask,
        }
    }

    /// How many bits there could be.
    pub fn capacity(&self) -> usize {
        self.len
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(64 * i + bit)
            })
        })
    }
}
