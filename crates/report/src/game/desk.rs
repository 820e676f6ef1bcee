//! What the server of the page adds to a game: the draft, the levels, which tab edits.

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::drawing::Drawing;
use super::view::View;

/// Everything that a tab needs to show the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Desk {
    /// Goes up with every change that other tabs should see.
    pub revision: u64,
    /// The game.
    pub view: View,
    /// The drawing as it was last saved for the question, if there is one.
    pub draft: Option<Drawing>,
    /// The level that is played.
    pub level: String,
    /// All levels.
    pub levels: Vec<Level>,
    /// May this tab change anything?
    pub editor: bool,
    /// A drawing is being judged.
    pub judging: bool,
    /// How many steps were played before, if the game was resumed by this server.
    pub resumed: usize,
}

/// A program to play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Level {
    /// Its name, for files and addresses.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it teaches, in a sentence.
    pub sentence: String,
    /// Does it have the tour?
    pub tour: bool,
}

/// What a tab asks of its game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Who asks.
    pub tab: String,
    /// The question that the tab shows.
    #[serde(default)]
    pub question: String,
    /// The drawing.
    #[serde(default)]
    pub drawing: Drawing,
    /// A node of the drawing.
    #[serde(default)]
    pub node: String,
    /// A level.
    #[serde(default)]
    pub level: String,
}

/// A submitted drawing, judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Judged {
    /// What became of it.
    pub answer: Answer,
    /// The game afterwards.
    pub desk: Desk,
}

/// Why a request was turned down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refused {
    /// `read-only`, `stale`, `busy`, `wrong`, `internal`.
    pub error: &'static str,
    /// The same for people.
    pub sentence: String,
}
