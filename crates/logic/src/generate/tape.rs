//! A finite sequence of choices.

/// Numbers to make choices with; zeros when it is used up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tape {
    numbers: Vec<u32>,
    next: usize,
}

impl Tape {
    /// A tape of the given numbers.
    pub fn new(numbers: Vec<u32>) -> Self {
        Tape { numbers, next: 0 }
    }

    /// A number below `bound`, which is at least one.
    pub fn below(&mut self, bound: u32) -> u32 {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        // Scaled and not reduced, so that a smaller number never gives a larger choice.
        ((u64::from(number) * u64::from(bound.max(1))) >> 32) as u32
    }

    /// True `percent` times in a hundred, and false at the end of the tape.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }

    /// One of the items, the first at the end of the tape.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        match items.len() {
            0 => None,
            n => items.get(self.below(n as u32) as usize),
        }
    }
}
