//! The engines there are, and the plan `auto` over them.
//!
//! This is the one list: the names on the command line, the options that engines have, and the rounds
//! of `auto` come from here. The chapter "Adding an engine" of CONTRIBUTING.md follows it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::Engine;
use crate::plan::{Plan, Round};
use crate::settings::{Setting, Settings};
use crate::{Bohne, Canonical, Explore, PdrForall, PdrPredicates, ProveIt, Sll, Stated, Summaries};

/// The name of the default plan.
pub const AUTO: &str = "auto";

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a line that begins like a sentence.
    pub about: &'static str,
    /// The options that it has.
    pub settings: &'static [Setting],
    /// Makes one.
    pub make: fn(&Settings) -> Arc<dyn Engine>,
}

/// The engines, and the default plan.
#[derive(Clone, Debug)]
pub struct Registry {
    engines: Vec<Entry>,
    /// The rounds of `auto`: an engine, and how much work it may do.
    auto: Vec<(&'static str, Option<u64>)>,
}

/// The engines of Trellis.
impl Default for Registry {
    fn default() -> Registry {
        Registry {
            engines: vec![
                Explore::ENTRY,
                PdrForall::ENTRY,
                PdrPredicates::ENTRY,
                Sll::ENTRY,
                Canonical::ENTRY,
                ProveIt::ENTRY,
                Bohne::ENTRY,
                Summaries::ENTRY,
                Stated::ENTRY,
            ],
            auto: vec![
                (Stated::ENTRY.name, Some(200_000)),
                (Explore::ENTRY.name, Some(10_000)),
                (Sll::ENTRY.name, Some(50_000)),
                (Summaries::ENTRY.name, Some(20_000)),
                (PdrForall::ENTRY.name, Some(300_000)),
                (PdrPredicates::ENTRY.name, Some(500_000)),
                (ProveIt::ENTRY.name, Some(500_000)),
                (Explore::ENTRY.name, Some(1_000_000)),
                (Sll::ENTRY.name, Some(5_000_000)),
                (Summaries::ENTRY.name, Some(100_000)),
                (PdrForall::ENTRY.name, Some(5_000_000)),
                (ProveIt::ENTRY.name, Some(10_000_000)),
                (Bohne::ENTRY.name, Some(200_000)),
                (Explore::ENTRY.name, None),
                (PdrForall::ENTRY.name, None),
            ],
        }
    }
}

impl Registry {
    /// Only what is added.
    pub fn empty() -> Registry {
        Registry { engines: Vec::new(), auto: Vec::new() }
    }

    /// The same with one more engine.
    #[must_use]
    pub fn with(mut self, entry: Entry) -> Registry {
        self.engines.push(entry);
        self
    }

    /// The same with a round of `auto` for an engine, after those there are.
    #[must_use]
    pub fn with_round(mut self, engine: &'static str, work: Option<u64>) -> Registry {
        self.auto.push((engine, work));
        self
    }

    /// The engines.
    pub fn engines(&self) -> &[Entry] {
        &self.engines
    }

    /// The names of the plans, the default first, each with what it does.
    pub fn plans(&self) -> Vec<(&'static str, &'static str)> {
        let auto = (AUTO, "Several of the others in turn, until one has an answer");
        std::iter::once(auto).chain(self.engines.iter().map(|e| (e.name, e.about))).collect()
    }

    /// The options of all engines, each once.
    pub fn settings(&self) -> Vec<Setting> {
        let mut all: Vec<Setting> = Vec::new();
        for setting in self.engines.iter().flat_map(|e| e.settings) {
            if all.iter().all(|s| s.name != setting.name) {
                all.push(*setting);
            }
        }
        all
    }

    /// The plan of a name: one engine alone, or `auto`.
    pub fn plan(&self, name: &str, settings: &Settings) -> Option<Plan> {
        let entry = |name: &str| self.engines.iter().find(|e| e.name == name);
        if name != AUTO {
            return entry(name).map(|e| Plan::of((e.make)(settings)));
        }
        // All rounds of an engine have the same one.
        let mut made: BTreeMap<&str, Arc<dyn Engine>> = BTreeMap::new();
        let mut rounds = Vec::new();
        for (name, work) in &self.auto {
            let entry = entry(name)?;
            let engine = made.entry(name).or_insert_with(|| (entry.make)(settings));
            rounds.push(Round { engine: Arc::clone(engine), work: *work });
        }
        Some(Plan::new(AUTO, rounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_plan() {
        let registry = Registry::default();
        for (name, about) in registry.plans() {
            assert!(!about.is_empty());
            let plan = registry.plan(name, &Settings::default()).expect(name);
            assert_eq!(plan.name(), name);
        }
        assert!(registry.plan("none", &Settings::default()).is_none());
    }

    #[test]
    fn options_are_described_once_and_have_their_defaults() {
        let registry = Registry::default();
        let settings = registry.settings();
        for (i, setting) in settings.iter().enumerate() {
            assert!(settings[..i].iter().all(|s| s.name != setting.name), "{}", setting.name);
            for (word, _) in (setting.words)() {
                assert!((setting.parse)(word).is_ok(), "{} {word}", setting.name);
            }
            if let Some(default) = setting.default {
                assert!((setting.parse)(default).is_ok(), "{} {default}", setting.name);
            }
        }
    }
}
