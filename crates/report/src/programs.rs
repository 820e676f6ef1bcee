//! The programs of a report, one after the other: for printers that hold one at a time, so that a
//! report can be larger than memory.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::model::{FileReport, Report};

/// The programs of a report.
pub type Each<'a> = Box<dyn Iterator<Item = Cow<'a, FileReport>> + 'a>;

/// Whoever has the programs of a report, and tells them as often as a printer asks.
pub trait Programs {
    /// All of them, in the order of the report.
    fn each(&self) -> Each<'_>;

    /// Those with diagnostics.
    fn with_diagnostics(&self) -> Each<'_> {
        Box::new(self.each().filter(|file| !file.diagnostics.is_empty()))
    }
}

impl Programs for Report {
    fn each(&self) -> Each<'_> {
        Box::new(self.files.iter().map(Cow::Borrowed))
    }
}

/// A list in a document whose items are made as they are written.
pub(crate) struct Sequence<F>(pub(crate) F);

impl<F, I> Serialize for Sequence<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((self.0)())
    }
}
