//! What the user says to single engines.
//!
//! An engine's options are values of its own types, which parse themselves. A [`Setting`] describes
//! one of them as a command line needs it; a [`Settings`] holds what was given, by type. So only the
//! engine and the registry know an option, and whoever reads a command line, a file or a request
//! passes it on without a type of its own for it.
//!
//! **Invariant.** What is in [`Settings`] was parsed; an engine can be made from it without errors.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

/// Values for engines, at most one of a type.
#[derive(Clone, Default)]
pub struct Settings {
    values: BTreeMap<TypeId, Given>,
}

/// One value.
#[derive(Clone)]
pub struct Given {
    value: Arc<dyn Any + Send + Sync>,
    /// As it was written, if it was.
    text: Option<String>,
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Given")
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} settings", self.values.len())
    }
}

impl Settings {
    /// Adds a value; the last one of a type counts.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Settings {
        self.give(Given { value: Arc::new(value), text: None });
        self
    }

    /// Adds a value that was parsed.
    pub fn give(&mut self, given: Given) {
        self.values.insert((*given.value).type_id(), given);
    }

    /// Takes over all values of others.
    pub fn extend(&mut self, others: &Settings) {
        self.values.extend(others.values.iter().map(|(ty, given)| (*ty, given.clone())));
    }

    /// The value of a type, if one was given.
    pub fn get<T: Any + Clone>(&self) -> Option<T> {
        self.values.get(&TypeId::of::<T>())?.value.downcast_ref::<T>().cloned()
    }

    /// What was written, but for values of one type: the same text means the same settings. `None`
    /// if something was not written.
    pub fn written_but<T: Any>(&self) -> Option<String> {
        let others = self.values.iter().filter(|(ty, _)| **ty != TypeId::of::<T>());
        let one = |(ty, given): (&TypeId, &Given)| {
            given.text.as_ref().map(|text| format!("{ty:?} {text:?}"))
        };
        let texts: Option<Vec<String>> = others.map(one).collect();
        texts.map(|texts| texts.join(", "))
    }

    /// The value of a type, else the usual one.
    pub fn get_or_default<T: Any + Clone + Default>(&self) -> T {
        self.get().unwrap_or_default()
    }
}

/// An option of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name, as in `--sharing`.
    pub name: &'static str,
    /// What stands for its value in help texts.
    pub value: &'static str,
    /// What it is for, with the engines that know it.
    pub help: &'static str,
    /// The words that it can be, each with what it means; any text if there are none.
    pub words: fn() -> Vec<(&'static str, &'static str)>,
    /// What it is unless the user says so, where a word stands for that.
    pub default: Option<&'static str>,
    /// Reads it.
    pub parse: fn(&str) -> Result<Given, String>,
}

/// For settings that are no choice among words.
pub fn any_text() -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

/// Reads a value of a type.
///
/// # Errors
/// What the type has against the text.
pub fn parse<T>(text: &str) -> Result<Given, String>
where
    T: FromStr + Any + Send + Sync,
    T::Err: fmt::Display,
{
    let value = text.parse::<T>().map_err(|e| e.to_string())?;
    Ok(Given { value: Arc::new(value), text: Some(text.to_owned()) })
}

/// A type whose values have words.
pub trait Word: Copy + PartialEq + 'static {
    /// Every value with its word, and what it means.
    const WORDS: &'static [(Self, &'static str, &'static str)];

    /// The word for it.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, ..)| *value == self).map_or("", |(_, word, _)| word)
    }

    /// The value that a word stands for.
    ///
    /// # Errors
    /// If it stands for none.
    fn of_word(text: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(_, word, _)| *word == text);
        found.map(|(value, ..)| *value).ok_or_else(|| {
            let words: Vec<&str> = Self::WORDS.iter().map(|(_, word, _)| *word).collect();
            format!("`{text}` is none of {}", words.join(", "))
        })
    }
}

/// The words of a type, each with what it means.
pub fn words<T: Word>() -> Vec<(&'static str, &'static str)> {
    T::WORDS.iter().map(|(_, word, help)| (*word, *help)).collect()
}

/// To which distance from a variable shared list nodes are told apart (sll, canonical).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SharingDepth(pub Option<usize>);

impl SharingDepth {
    /// The option, which several engines have.
    pub const SETTING: Setting = Setting {
        name: "sharing",
        value: "K",
        help: "Tell shared list nodes apart only up to this distance from a variable (sll, \
               canonical); by default all",
        words: any_text,
        default: None,
        parse: parse::<SharingDepth>,
    };
}

/// `1`, `2`, ….
impl FromStr for SharingDepth {
    type Err = String;

    fn from_str(text: &str) -> Result<SharingDepth, String> {
        let depth: Result<NonZeroUsize, _> = text.parse();
        let depth = depth.map_err(|_| "a number from 1 on is expected".to_owned())?;
        Ok(SharingDepth(Some(depth.get())))
    }
}

/// A number, or `all`.
impl fmt::Display for SharingDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(depth) => depth.fmt(f),
            None => f.write_str("all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_type_counts() {
        let mut settings = Settings::default().with(1_u8).with(SharingDepth(Some(2)));
        settings.give((SharingDepth::SETTING.parse)("3").expect("a depth"));
        assert_eq!(settings.get::<SharingDepth>(), Some(SharingDepth(Some(3))));
        assert_eq!(settings.get::<u8>(), Some(1));
        assert_eq!(settings.get::<u16>(), None);
        assert_eq!(settings.get_or_default::<u16>(), 0);
        assert_eq!(settings.written_but::<u16>(), None, "nobody wrote the number");
        let written = settings.written_but::<u8>().expect("the rest was written");
        assert!(written.ends_with(r#""3""#), "{written}");
    }

    #[test]
    fn depths_begin_with_one() {
        for bad in ["0", "", "x", "-1"] {
            let said = (SharingDepth::SETTING.parse)(bad).expect_err(bad);
            assert_eq!(said, "a number from 1 on is expected");
        }
    }
}
