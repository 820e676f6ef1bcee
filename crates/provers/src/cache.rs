//! What provers have found out, in memory and on disk (*Symbolic Shape Analysis*, section 5:
//! *semantic caching*).
//!
//! An answer is kept under its goal, without its context; each entry keeps its context. *Valid*
//! holds for every stronger context, *invalid* and *not proved* for every weaker one;
//! [`crate::normal`] says when that is so. Of a valid answer only the hypotheses are kept that the
//! prover has used.
//!
//! What is kept from run to run are records of a [`Store`], which several processes can use at once;
//! whatever is broken, foreign or older is left out and told.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use trellis_store::{Shelf, Store};

use crate::normal::{Form, Normal};

/// The kind of its records.
const KIND: &str = "sequent";
/// Their version.
const VERSION: &str = "1";

/// What was found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The goal follows; who says so.
    Valid(String),
    /// It does not; who says so.
    Invalid(String),
    /// These provers did not find out in so many milliseconds.
    NotProved(String, u64),
}

#[derive(Clone, Debug)]
struct Entry {
    normal: Normal,
    finding: Finding,
}

/// What a store has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stock {
    /// Entries that say *valid*.
    pub valid: usize,
    /// Entries that say *invalid*.
    pub invalid: usize,
    /// Entries that say *not proved*.
    pub not_proved: usize,
    /// Records that cannot be used.
    pub ignored: usize,
    /// Bytes of the records.
    pub bytes: u64,
}

/// Answers by their goals.
#[derive(Debug, Default)]
pub struct Cache {
    entries: BTreeMap<String, Vec<Entry>>,
    shelf: Option<Shelf>,
    stock: Stock,
    /// What went wrong with the store, told once.
    pub warning: Option<String>,
}

impl Cache {
    /// A cache that keeps its answers in a store.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub fn open(store: &Arc<dyn Store>) -> io::Result<Cache> {
        let shelf = Cache::shelf(store);
        let mut records = shelf.records()?;
        let mut cache = Cache::default();
        for content in &records.contents {
            match read(content) {
                Some(entry) => cache.insert(entry),
                None => records.ignored += 1,
            }
        }
        cache.stock.ignored = records.ignored;
        cache.stock.bytes = records.bytes;
        cache.warning = records.warning("answers of provers");
        cache.shelf = Some(shelf);
        Ok(cache)
    }

    /// What a store has.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stock(store: &Arc<dyn Store>) -> io::Result<Stock> {
        Cache::open(store).map(|cache| cache.stock)
    }

    /// The records in a store.
    pub fn shelf(store: &Arc<dyn Store>) -> Shelf {
        Shelf::new(Arc::clone(store), KIND, VERSION)
    }

    /// What is known of a question, if these provers are asked for so many milliseconds.
    pub fn find(&self, question: &Normal, team: &str, time: u64) -> Option<&Finding> {
        let entries = self.entries.get(&goal_key(question))?;
        let fits = |e: &&Entry| match &e.finding {
            Finding::Valid(_) => e.normal.is_within(question),
            Finding::Invalid(_) => question.is_within(&e.normal),
            Finding::NotProved(by, ms) => {
                by == team && *ms >= time && question.is_within(&e.normal)
            }
        };
        entries.iter().rev().find(fits).map(|e| &e.finding)
    }

    /// Keeps an answer.
    pub fn add(&mut self, normal: Normal, finding: Finding) {
        let entry = Entry { normal, finding };
        if let Some(shelf) = &self.shelf
            && let Err(e) = shelf.append(&write(&entry))
        {
            self.warning = Some(format!("the cache cannot be written: {e}"));
            self.shelf = None;
        }
        self.insert(entry);
    }

    fn insert(&mut self, entry: Entry) {
        match &entry.finding {
            Finding::Valid(_) => self.stock.valid += 1,
            Finding::Invalid(_) => self.stock.invalid += 1,
            Finding::NotProved(..) => self.stock.not_proved += 1,
        }
        self.entries.entry(goal_key(&entry.normal)).or_default().push(entry);
    }
}

/// The goal with its symbols numbered as they come.
fn goal_key(normal: &Normal) -> String {
    format!("{} {:?}", normal.goal.text, normal.goal.symbols)
}

/// `finding TAB goal TAB hypothesis TAB …`; a formula is its symbols and its text.
fn write(entry: &Entry) -> String {
    let finding = match &entry.finding {
        Finding::Valid(by) => format!("valid {by}"),
        Finding::Invalid(by) => format!("invalid {by}"),
        Finding::NotProved(by, ms) => format!("not-proved {by} {ms}"),
    };
    let form = |s: &Form| {
        let symbols: Vec<String> = s.symbols.iter().map(u32::to_string).collect();
        format!("{}|{}", symbols.join(","), s.text)
    };
    let mut payload = finding;
    for s in std::iter::once(&entry.normal.goal).chain(&entry.normal.hypotheses) {
        payload.push('\t');
        payload.push_str(&form(s));
    }
    payload
}

fn read(payload: &str) -> Option<Entry> {
    let mut parts = payload.split('\t');
    let finding = parts.next()?;
    let mut words = finding.split(' ');
    let finding = match (words.next()?, words.next()?, words.next()) {
        ("valid", by, None) => Finding::Valid(by.into()),
        ("invalid", by, None) => Finding::Invalid(by.into()),
        ("not-proved", by, Some(ms)) => Finding::NotProved(by.into(), ms.parse().ok()?),
        _ => return None,
    };
    let mut forms = parts.map(|part| {
        let (symbols, text) = part.split_once('|')?;
        let symbols: Option<Vec<u32>> = match symbols {
            "" => Some(Vec::new()),
            some => some.split(',').map(|n| n.parse().ok()).collect(),
        };
        Some(Form { text: text.into(), symbols: symbols? })
    });
    let goal = forms.next()??;
    let hypotheses: Option<Vec<Form>> = forms.collect();
    Some(Entry { normal: Normal { goal, hypotheses: hypotheses? }, finding })
}
