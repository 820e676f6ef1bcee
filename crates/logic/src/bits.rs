//! A fixed-size set of small numbers, one bit each.
//!
//! **Invariant**: bits at or beyond `len` are zero, so that equal sets are equal values.

/// A subset of `0..len`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitSet {
    /// Most sets are small; those need no memory elsewhere.
    first: u64,
    rest: Vec<u64>,
    len: usize,
}

impl BitSet {
    /// The empty subset of `0..len`.
    pub fn new(len: usize) -> Self {
        BitSet { first: 0, rest: vec![0; len.div_ceil(64).saturating_sub(1)], len }
    }

    /// The subset of `0..len` whose members are the bits of these words, the lowest first. Further
    /// bits do not count.
    pub fn from_words(words: &[u64], len: usize) -> Self {
        let mut set = BitSet::new(len);
        for (i, &word) in words.iter().take(len.div_ceil(64)).enumerate() {
            let inside = len - 64 * i;
            *set.word_mut(i) = if inside < 64 { word & ((1 << inside) - 1) } else { word };
        }
        set
    }

    fn word(&self, number: usize) -> u64 {
        if number == 0 { self.first } else { self.rest[number - 1] }
    }

    fn word_mut(&mut self, number: usize) -> &mut u64 {
        if number == 0 { &mut self.first } else { &mut self.rest[number - 1] }
    }

    /// Whether `bit` is in the set.
    pub fn contains(&self, bit: usize) -> bool {
        debug_assert!(bit < self.len);
        self.word(bit / 64) >> (bit % 64) & 1 == 1
    }

    /// Puts `bit` into the set, or takes it out.
    pub fn set(&mut self, bit: usize, value: bool) {
        debug_assert!(bit < self.len);
        let mask = 1 << (bit % 64);
        let word = self.word_mut(bit / 64);
        match value {
            true => *word |= mask,
            false => *word &= !mask,
        }
    }

    /// Takes all bits out.
    pub fn clear(&mut self) {
        self.first = 0;
        self.rest.fill(0);
    }

    /// How many bits there could be.
    pub fn capacity(&self) -> usize {
        self.len
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = std::iter::once(&self.first).chain(&self.rest);
        words.enumerate().flat_map(|(i, &word)| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_members_and_order_is_that_of_the_words() {
        for len in [1, 5, 63, 64, 65, 127, 128, 200] {
            let words = [0x8000_0000_0000_0011, u64::MAX, 0x5, 0];
            let set = BitSet::from_words(&words, len);
            assert_eq!(set.capacity(), len);
            let members: Vec<usize> =
                (0..len).filter(|bit| words[bit / 64] >> (bit % 64) & 1 == 1).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), members);
            let mut same = BitSet::new(len);
            members.iter().for_each(|&bit| same.set(bit, true));
            assert_eq!(set, same);
            same.set(len - 1, !same.contains(len - 1));
            assert_eq!(set < same, same.contains(len - 1), "the last word decides");
        }
    }
}
