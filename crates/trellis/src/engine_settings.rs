//! The options of engines on the command line, as the engines describe them.

use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use trellis_driver::settings::{Given, Setting, Word, words};
use trellis_driver::{Registry, Settings};

use crate::values::choices;

/// What the user says to single engines.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings(pub Settings);

impl Args for EngineSettings {
    fn augment_args(command: Command) -> Command {
        command.args(Registry::default().settings().into_iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = EngineSettings::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in Registry::default().settings() {
            if let Some(given) = matches.get_one::<Given>(setting.name) {
                self.0.give(given.clone());
            }
        }
        Ok(())
    }
}

fn argument(setting: Setting) -> Arg {
    let words = (setting.words)();
    let parser = match words.is_empty() {
        true => ValueParser::new(setting.parse),
        false => ValueParser::new(choice(words).try_map(move |word| (setting.parse)(&word))),
    };
    let argument = Arg::new(setting.name)
        .long(setting.name)
        .value_name(setting.value)
        .help(setting.help)
        .value_parser(parser);
    match setting.default {
        Some(default) => argument.default_value(default),
        None => argument,
    }
}

/// The words of a type, for an option that is not an engine's.
pub fn word<T: Word + Send + Sync>() -> impl TypedValueParser<Value = T> {
    choice(words::<T>()).try_map(|word| T::of_word(&word))
}

fn choice(words: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    PossibleValuesParser::new(choices(words))
}
