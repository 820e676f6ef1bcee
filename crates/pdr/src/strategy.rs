//! Ways to search that change the cost and never the verdict, except that a search may be cut off.
//!
//! The defaults are the best that we measured over Table 1 of *Universal Invariants or Their
//! Absence*; `docs/src/bench.md` has the figures.

use std::fmt;
use std::str::FromStr;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// Look for states with few elements: their diagrams exclude more.
    pub small_states: bool,
    /// Look for steps into a cube from outside the cube only, so that lemmas need to be inductive
    /// only together with themselves.
    pub from_outside: bool,
    /// Which state to block next.
    pub order: Order,
}

/// Which state to block next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The one in the lowest frame, as in the papers.
    #[default]
    LowestFrame,
    /// The one that was found last.
    Newest,
}

impl Default for Strategy {
    fn default() -> Strategy {
        Strategy { small_states: true, from_outside: false, order: Order::LowestFrame }
    }
}

/// The names of everything that differs from the default.
const NAMES: [&str; 3] = ["any-states", "from-outside", "newest-first"];

/// A name that is none of a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoStrategy(String);

impl fmt::Display for NoStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no strategy; there are {}", self.0, NAMES.join(", "))
    }
}

impl std::error::Error for NoStrategy {}

/// Names with commas between them, each for something that differs from the default.
impl FromStr for Strategy {
    type Err = NoStrategy;

    fn from_str(text: &str) -> Result<Strategy, NoStrategy> {
        let mut strategy = Strategy::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "any-states" => strategy.small_states = false,
                "from-outside" => strategy.from_outside = true,
                "newest-first" => strategy.order = Order::Newest,
                _ => return Err(NoStrategy(name.to_owned())),
            }
        }
        Ok(strategy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_changes_something() {
        for name in NAMES {
            assert_ne!(name.parse(), Ok(Strategy::default()), "{name}");
        }
        let all = Strategy { small_states: false, from_outside: true, order: Order::Newest };
        assert_eq!(NAMES.join(", ").parse(), Ok(all));
        let error = "fast".parse::<Strategy>().expect_err("no strategy");
        assert_eq!(
            error.to_string(),
            "`fast` is no strategy; there are any-states, from-outside, newest-first"
        );
    }
}
