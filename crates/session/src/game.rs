//! The pattern game (*Heap Interpolant Synthesis*, chapters 5 and 6): the human oracle, seen from
//! whoever shows it.
//!
//! A [`Game`] stands at a [`Question`] until a drawing is submitted that it can use. Everything
//! that a page shows is a document of `trellis_report::game`; everything that decides (matching,
//! entailment, the unwinding, the proof) is behind these traits.
//!
//! * `open`: from a source to a game with the pattern engine (`play`, shown by `viewing`)
//! * `question`: its open question, one `case` at a time; `fitting`: a drawing against a heap;
//!   `reading`: a drawing as patterns
//! * `saying`: predicates of patterns as words on nodes; `showing`: heaps as documents
//! * `running`: runs into a failed check; `drawing`: patterns that nobody drew, as drawings
//! * `claim`: the labels of a won game for the driver, which has them checked
//!
//! **Invariants.** A game is a function of its source and of the drawings submitted so far: playing
//! them again gives the same questions and answers, which is how a game is resumed. A question can
//! be asked from several threads while a drawing is being judged; it never changes. Drawings are
//! checked ([`Drawing::check`]) before they come here.

mod case;
mod claim;
mod drawing;
mod fitting;
mod open;
mod play;
mod question;
mod reading;
mod running;
mod saying;
mod showing;
mod viewing;

pub use open::{GameRequest, open};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_report::game::{Answer, Comparison, Drawing, Hint, Meaning, View};

/// A game that is being played.
pub trait Game: Send {
    /// Everything that is shown: program, question, examples, unwinding.
    fn view(&self) -> View;

    /// What is asked now; `None` when the game is over.
    fn question(&self) -> Option<Arc<dyn Question>>;

    /// Judges a drawing. Examples that it brings are in the next [`Game::view`]; after
    /// [`Answer::Undecided`] the game is as before.
    fn submit(&mut self, drawing: &Drawing, patience: &Patience) -> Answer;

    /// The game so far as a transcript that the recorded oracle replays, if there is a form for it.
    fn transcript(&self) -> Option<String>;

    /// What the game is a function of besides the drawings, as a hash: source, procedure, options.
    fn fingerprint(&self) -> String;
}

/// What is asked, with its examples. It never changes: new examples make a new one.
pub trait Question: Send + Sync {
    /// The drawing against all examples.
    fn compare(&self, drawing: &Drawing) -> Comparison;

    /// Heaps that the drawing fits, with 0, 1 and 2 cells at a node.
    fn meaning(&self, drawing: &Drawing, node: &str) -> Meaning;

    /// What to try next.
    fn hint(&self, drawing: &Drawing, patience: &Patience) -> Hint;
}

/// How long an answer may take.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Set by whoever does not want to wait any longer.
    pub cancel: Arc<AtomicBool>,
    /// At most this long.
    pub limit: Duration,
}
