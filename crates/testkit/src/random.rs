//! Numbers at random, as a seed says.

use trellis_explore::heaps::SplitMix;

/// A generator; the same seed gives the same numbers.
pub struct Random(SplitMix);

impl Random {
    /// With a seed.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix(seed))
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0.next() % n
    }

    /// One of these, of which there is one.
    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}
