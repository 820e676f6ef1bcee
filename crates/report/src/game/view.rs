//! The whole game at a moment, as the page shows it.

use serde::Serialize;

use super::drawing::Drawing;
use super::example::{Example, Implication, Scalar, TraceStep};
use super::words::Wording;

/// The game at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// [`super::GAME_SCHEMA`].
    pub schema: &'static str,
    /// A few words, for example the procedure or the title of a level.
    pub title: String,
    /// The program.
    pub program: Program,
    /// How the game stands.
    pub state: State,
    /// The same for people; empty while asking.
    pub sentence: String,
    /// The run from the beginning into the failed check, if the program is wrong.
    pub run: Vec<TraceStep>,
    /// What is asked now.
    pub question: Option<Question>,
    /// The unwinding so far.
    pub tree: Tree,
}

/// How the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// There is a question.
    Asking,
    /// The proof is complete and checked.
    Verified,
    /// The program is wrong.
    Violated,
    /// Nothing more can be asked.
    Stuck,
}

/// The source, as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Program {
    /// The file, as given.
    pub file: String,
    /// The procedure that is verified.
    pub procedure: String,
    /// The lines.
    pub lines: Vec<String>,
    /// The functions, so that the others can be folded.
    pub functions: Vec<Function>,
}

/// The lines of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// First line, from 1.
    pub from: u32,
    /// Last line.
    pub to: u32,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Question {
    /// Unique in the game.
    pub id: String,
    /// Counted from 1.
    pub number: u32,
    /// The vertex of the unwinding.
    pub vertex: String,
    /// The line of the place.
    pub line: u32,
    /// The place in words, for example `each time it reaches line 7`.
    pub place: String,
    /// The lines of the checks that a heap may fail from here on.
    pub checks: Vec<u32>,
    /// What the other variables are here; the question is about these heaps only.
    pub fixed: Vec<Scalar>,
    /// What drawings may speak of.
    pub words: Wording,
    /// A drawing to start from.
    pub start: Drawing,
    /// Heaps that must fit: the program gets here with them.
    pub positives: Vec<Example>,
    /// Heaps that must not: they fail.
    pub negatives: Vec<Example>,
    /// Heaps that must fit if others do.
    pub implications: Vec<Implication>,
}

/// The unwinding.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tree {
    /// The vertices, parents first.
    pub vertices: Vec<Vertex>,
}

/// A vertex of the unwinding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Vertex {
    /// Its name.
    pub id: String,
    /// Where it comes from.
    pub parent: Option<String>,
    /// What leads here from there, for example `one more turn`.
    pub step: String,
    /// Where it is, for example `loop head`.
    pub title: String,
    /// The line.
    pub line: u32,
    /// How it stands.
    pub state: VertexState,
    /// The vertex that covers it.
    pub covered_by: Option<String>,
    /// Its label as text, line by line.
    pub label: Vec<String>,
}

/// How a vertex stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VertexState {
    /// Its label is safe and reached.
    Settled,
    /// The question is about it.
    Current,
    /// Not looked at yet.
    Waiting,
    /// Another one covers it.
    Covered,
    /// No heap gets here.
    Unreachable,
}
