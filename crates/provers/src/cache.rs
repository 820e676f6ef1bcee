//! What provers have found out, in memory and on disk (paper 001, section 5: *semantic caching*).
//!
//! An answer is kept under its goal, without its context; each entry keeps its context. *Valid* holds
//! for every stronger context, *invalid* and *not proved* for every weaker one; [`crate::normal`] says
//! when that is so. Of a valid answer only the hypotheses are kept that the prover has used.
//!
//! On disk the entries are lines of one file, each with the version of the format and a checksum,
//! appended by one write each: so several processes can use a folder at once, and whatever is broken,
//! foreign or older is left out and told.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::normal::{Normal, Shape};

/// The version of the lines.
const VERSION: &str = "trellis-cache-1";
/// The file in a folder.
const FILE: &str = "answers";
/// A larger file is not read.
const MOST_BYTES: u64 = 256 << 20;

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

/// What a folder has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stock {
    /// Entries that say *valid*.
    pub valid: usize,
    /// Entries that say *invalid*.
    pub invalid: usize,
    /// Entries that say *not proved*.
    pub not_proved: usize,
    /// Lines that cannot be used.
    pub ignored: usize,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Answers by their goals.
#[derive(Debug, Default)]
pub struct Cache {
    entries: BTreeMap<String, Vec<Entry>>,
    file: Option<File>,
    stock: Stock,
    /// What went wrong with the file, told once.
    pub warning: Option<String>,
}

impl Cache {
    /// A cache that keeps its answers in a folder, which is made if need be.
    ///
    /// # Errors
    /// If the folder cannot be used at all.
    pub fn open(folder: &Path) -> io::Result<Cache> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(FILE);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut cache = Cache::default();
        cache.stock.bytes = file.metadata()?.len();
        if cache.stock.bytes > MOST_BYTES {
            let path = path.display();
            cache.warning = Some(format!("{path} is too large and is not read; clear the cache"));
            return Ok(cache);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        for line in text.lines().filter(|l| !l.is_empty()) {
            match read(line) {
                Some(entry) => cache.insert(entry),
                None => cache.stock.ignored += 1,
            }
        }
        if cache.stock.ignored > 0 {
            let (n, path) = (cache.stock.ignored, path.display());
            let lines = if n == 1 { "line" } else { "lines" };
            cache.warning =
                Some(format!("{n} {lines} of {path} are broken or of another version: ignored"));
        }
        // A line that was not finished must not spoil the next one.
        if bytes.last().is_some_and(|b| *b != b'\n') {
            file.seek(SeekFrom::End(0))?;
            file.write_all(b"\n")?;
        }
        cache.file = Some(file);
        Ok(cache)
    }

    /// What a folder has.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stock(folder: &Path) -> io::Result<Stock> {
        if !folder.join(FILE).exists() {
            return Ok(Stock::default());
        }
        Cache::open(folder).map(|cache| cache.stock)
    }

    /// Removes the answers of a folder, and nothing else.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn clear(folder: &Path) -> io::Result<()> {
        match std::fs::remove_file(Cache::path(folder)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// The file of a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(FILE)
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
        if let Some(file) = &mut self.file {
            let mut line = write(&entry);
            line.push('\n');
            if let Err(e) = file.write_all(line.as_bytes()) {
                self.warning = Some(format!("the cache cannot be written: {e}"));
                self.file = None;
            }
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

fn checksum(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// `version checksum finding TAB goal TAB hypothesis TAB …`; a formula is its symbols and its text.
fn write(entry: &Entry) -> String {
    let finding = match &entry.finding {
        Finding::Valid(by) => format!("valid {by}"),
        Finding::Invalid(by) => format!("invalid {by}"),
        Finding::NotProved(by, ms) => format!("not-proved {by} {ms}"),
    };
    let shape = |s: &Shape| {
        let symbols: Vec<String> = s.symbols.iter().map(u32::to_string).collect();
        format!("{}|{}", symbols.join(","), s.text)
    };
    let mut payload = finding;
    for s in std::iter::once(&entry.normal.goal).chain(&entry.normal.hypotheses) {
        payload.push('\t');
        payload.push_str(&shape(s));
    }
    format!("{VERSION} {} {payload}", checksum(&payload))
}

fn read(line: &str) -> Option<Entry> {
    let rest = line.strip_prefix(VERSION)?.strip_prefix(' ')?;
    let (sum, payload) = rest.split_once(' ')?;
    if checksum(payload) != sum {
        return None;
    }
    let mut parts = payload.split('\t');
    let finding = parts.next()?;
    let mut words = finding.split(' ');
    let finding = match (words.next()?, words.next()?, words.next()) {
        ("valid", by, None) => Finding::Valid(by.into()),
        ("invalid", by, None) => Finding::Invalid(by.into()),
        ("not-proved", by, Some(ms)) => Finding::NotProved(by.into(), ms.parse().ok()?),
        _ => return None,
    };
    let mut shapes = parts.map(|part| {
        let (symbols, text) = part.split_once('|')?;
        let symbols: Option<Vec<u32>> = match symbols {
            "" => Some(Vec::new()),
            some => some.split(',').map(|n| n.parse().ok()).collect(),
        };
        Some(Shape { text: text.into(), symbols: symbols? })
    });
    let goal = shapes.next()??;
    let hypotheses: Option<Vec<Shape>> = shapes.collect();
    Some(Entry { normal: Normal { goal, hypotheses: hypotheses? }, finding })
}
