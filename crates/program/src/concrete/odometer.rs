//! All ways to resolve the nondeterminism of a stretch of code, like the digits of a counter.
//!
//! Run the code from the same state until [`Choices::advance`] says that there is no other way:
//!
//! ```text
//! loop { choices.rewind(); run(&mut choices); if !choices.advance() { break } }
//! ```

use crate::concrete::step::Chooser;

/// All ways to make the choices of a stretch of code, one after the other.
#[derive(Debug, Default)]
pub struct Choices {
    /// Choice and number of options.
    digits: Vec<(u32, u32)>,
    position: usize,
}

impl Choices {
    /// Back to the first combination.
    pub fn restart(&mut self) {
        self.digits.clear();
        self.position = 0;
    }

    /// The same combination once more.
    pub fn rewind(&mut self) {
        self.position = 0;
    }

    /// Moves to the next combination; false if there is none.
    pub fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        while let Some((choice, options)) = self.digits.pop() {
            if choice + 1 < options {
                self.digits.push((choice + 1, options));
                return true;
            }
        }
        false
    }

    /// The choices made since [`Choices::rewind`].
    pub fn taken(&self) -> impl Iterator<Item = u32> + '_ {
        self.digits[..self.position].iter().map(|d| d.0)
    }

    /// How many choices had more than one option.
    pub fn real(&self) -> u16 {
        self.digits[..self.position].iter().filter(|d| d.1 > 1).count() as u16
    }
}

impl Chooser for Choices {
    fn choose(&mut self, options: u32) -> u32 {
        if self.position == self.digits.len() {
            self.digits.push((0, options));
        }
        self.position += 1;
        self.digits[self.position - 1].0
    }
}
