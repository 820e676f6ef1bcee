//! Where the decisions of the generator come from: a seed, or the bytes of a fuzzer.

use trellis_explore::heaps::SplitMix;

/// A source of decisions. A used-up recording goes on with zeros, so every recording is a program.
pub enum Tape<'a> {
    /// SplitMix64.
    Seeded(u64),
    /// One byte a decision.
    Recorded(std::slice::Iter<'a, u8>),
}

impl Tape<'_> {
    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        match self {
            Tape::Seeded(state) => {
                let mut random = SplitMix(*state);
                let number = random.next() % n as u64;
                *state = random.0;
                number as usize
            }
            Tape::Recorded(bytes) => bytes.next().map_or(0, |b| usize::from(*b) * n / 256),
        }
    }

    /// True so many times in a hundred; false at the end of a recording.
    pub fn percent(&mut self, p: usize) -> bool {
        self.below(100) >= 100 - p.min(100)
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
