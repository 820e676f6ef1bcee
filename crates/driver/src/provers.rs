//! The provers of an engine: where they are, what they have found out before.
//!
//! **Invariant.** The team that checks a proof has no cache, and asks another prover first than the
//! team that found it.

use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock};

pub use trellis_bohne::store::Shared;
use trellis_program::{Diagnostic, Span};
use trellis_provers::{Cache, SequentProver, Team, all};
use trellis_store::{Store, StoreAddress};

use crate::settings::{Setting, Settings, any_text, parse};

/// `--cache`.
pub const CACHE: Setting = Setting {
    name: "cache",
    value: "DIR|URL",
    help: "Keep answers here, for later runs: those about procedures (see --no-cache), and those \
           of provers (bohne). A folder, or a Redis server for many machines: \
           redis://[user:password@]host[:port][/db], rediss:// with TLS",
    words: any_text,
    default: None,
    parse: parse::<StoreAddress>,
};

/// `--prover-path`.
pub const PROVER_PATH: Setting = Setting {
    name: "prover-path",
    value: "NAME=PATH,…",
    help: "Where provers are that are not on PATH: z3, cvc5, mona, eprover, SPASS (bohne)",
    words: any_text,
    default: None,
    parse: parse::<ProverPaths>,
};

/// Executables of provers.
#[derive(Clone, Debug, Default)]
pub struct ProverPaths(pub Vec<(String, PathBuf)>);

impl FromStr for ProverPaths {
    type Err = String;

    fn from_str(text: &str) -> Result<ProverPaths, String> {
        let known: Vec<&str> = all(&|_| None).iter().map(|p| p.name()).collect();
        let one = |part: &str| match part.split_once('=') {
            Some((name, path)) if known.contains(&name) && !path.is_empty() => {
                Ok((name.to_owned(), path.into()))
            }
            Some((name, _)) => Err(format!("there is no prover `{name}` ({})", known.join(", "))),
            None => Err(format!("`{part}` is not NAME=PATH")),
        };
        text.split(',').map(one).collect::<Result<_, _>>().map(ProverPaths)
    }
}

/// The provers of an engine.
#[derive(Default)]
pub struct Provers {
    paths: ProverPaths,
    cache: Option<StoreAddress>,
    team: OnceLock<Team>,
    store: OnceLock<Option<Shared>>,
    problems: Mutex<Vec<String>>,
}

impl Provers {
    /// As the user wants them.
    pub fn new(settings: &Settings) -> Provers {
        let (paths, cache) = (settings.get_or_default(), settings.get());
        Provers { paths, cache, ..Provers::default() }
    }

    fn provers(&self) -> Vec<Arc<dyn SequentProver>> {
        let path = |name: &str| {
            let found = self.paths.0.iter().rev().find(|(n, _)| n == name);
            found.map(|(_, path)| path.clone())
        };
        all(&path)
    }

    /// The team that looks for proofs, with the cache of the user.
    pub fn team(&self) -> &Team {
        self.team.get_or_init(|| {
            let cache = match &self.cache {
                None => Cache::default(),
                Some(at) => Provers::open(at, Cache::open).unwrap_or_else(|e| {
                    self.complain(at, &e);
                    Cache::default()
                }),
            };
            Team::new(self.provers(), cache)
        })
    }

    /// The answers of solvers about paths, if the user wants them to be kept.
    pub fn store(&self) -> Option<Shared> {
        let open = || {
            let at = self.cache.as_ref()?;
            Provers::open(at, Shared::open).map_err(|e| self.complain(at, &e)).ok()
        };
        self.store.get_or_init(open).clone()
    }

    fn open<T>(
        at: &StoreAddress,
        open: impl Fn(&Arc<dyn Store>) -> io::Result<T>,
    ) -> io::Result<T> {
        open(&at.open()?)
    }

    fn complain(&self, at: &StoreAddress, e: &io::Error) {
        let text = format!("the cache {at} cannot be used: {e}");
        if let Ok(mut problems) = self.problems.lock() {
            problems.push(text);
        }
    }

    /// The team that checks proofs.
    pub fn checking_team(&self) -> Team {
        let mut provers = self.provers();
        provers.rotate_left(1);
        Team::new(provers, Cache::default())
    }

    /// What the user should know, each thing once.
    pub fn complaints(&self, span: Span) -> Vec<Diagnostic> {
        let team = self.team.get();
        let missing = team.map(Team::newly_missing).unwrap_or_default();
        let missing = missing
            .iter()
            .map(|package| format!("a prover is not installed: the Debian package `{package}`"));
        let mut all: Vec<String> = missing.collect();
        let liars = team.map(Team::newly_dishonest).unwrap_or_default();
        all.extend(liars.iter().map(|name| {
            format!("`{name}` says that something wrong is valid: none of its answers is used")
        }));
        all.extend(team.and_then(Team::cache_warning));
        all.extend(self.store.get().and_then(|s| s.as_ref()).and_then(Shared::warning));
        all.extend(self.problems.lock().map(|mut p| std::mem::take(&mut *p)).unwrap_or_default());
        all.into_iter().map(|text| Diagnostic::warning(span, text)).collect()
    }
}
