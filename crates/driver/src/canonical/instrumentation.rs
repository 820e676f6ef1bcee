//! Which instrumentation predicates structures are made of.

use std::fmt;
use std::str::FromStr;

use crate::settings::{Setting, Word, parse, words};

/// The sets of instrumentation predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Instrumentation {
    /// The standard predicates of TVLA: *Predicate and Canonical Abstraction*, Table 3.
    Table3,
    /// Uninterrupted lists: *Predicate and Canonical Abstraction*, Table 7.
    #[default]
    Table7,
    /// None.
    Plain,
}

impl Word for Instrumentation {
    const WORDS: &'static [(Instrumentation, &'static str, &'static str)] = &[
        (
            Instrumentation::Table3,
            "table3",
            "The standard ones: reachability from variables, cyclicity, sharing",
        ),
        (Instrumentation::Table7, "table7", "Uninterrupted lists"),
        (Instrumentation::Plain, "plain", "None"),
    ];
}

impl Instrumentation {
    /// The option.
    pub const SETTING: Setting = Setting {
        name: "instrumentation",
        value: "INSTRUMENTATION",
        help: "The instrumentation predicates (canonical)",
        words: words::<Instrumentation>,
        default: Some("table7"),
        parse: parse::<Instrumentation>,
    };

    /// What structures are made of, as a phrase.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Instrumentation::Table3 => "the predicates of Table 3",
            Instrumentation::Table7 => "the predicates of Table 7",
            Instrumentation::Plain => "no instrumentation predicates",
        }
    }
}

impl FromStr for Instrumentation {
    type Err = String;

    fn from_str(text: &str) -> Result<Instrumentation, String> {
        Word::of_word(text)
    }
}

impl fmt::Display for Instrumentation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
