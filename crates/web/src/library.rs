//! Which games there are.

use trellis_report::game::Level;
use trellis_session::game::Game;

/// The games that a server offers.
pub trait Library: Send + Sync {
    /// All of them; the first is played first.
    fn levels(&self) -> Vec<Level>;

    /// Begins a game.
    ///
    /// # Errors
    /// Why it cannot be played, for people.
    fn open(&self, level: &str) -> Result<Box<dyn Game>, String>;
}
