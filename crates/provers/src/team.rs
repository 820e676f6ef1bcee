//! All provers together: the cache first, then one prover for a moment, then the others side by side.
//!
//! The first prover answers most questions, and two cores are soon busy, so it has a head start; the
//! others begin when it gives up or takes long. Whoever has an answer ends the work of all.
//!
//! **Invariant.** Whoever says *valid* was asked something wrong before: a prover (or a script in its
//! place) that calls that valid too is asked no more, and none of its answers is believed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use trellis_hol::{Symbol, SymbolId, Type};
use trellis_sequents::Sequent;
use trellis_sequents::build::{eq, symbol};

use crate::cache::{Cache, Finding};
use crate::normal::Normal;
use crate::{Answer, Question, SequentProver, Why};

/// What a prover was asked, and what it said.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ProverStatistics {
    /// Questions.
    pub asked: u64,
    /// Of these, valid.
    pub valid: u64,
    /// Of these, invalid.
    pub invalid: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Time for one question.
    pub time: Duration,
    /// Whether all provers are asked, or the first alone.
    pub everyone: bool,
}

/// What a team found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The goal follows; who says so.
    Valid(String),
    /// It does not.
    Invalid,
    /// Nobody found out.
    NotProved,
}

/// Provers that are asked together.
pub struct Team {
    provers: Vec<Arc<dyn SequentProver>>,
    cache: Mutex<Cache>,
    books: Mutex<Books>,
}

#[derive(Default)]
struct Books {
    statistics: BTreeMap<&'static str, ProverStatistics>,
    questions: u64,
    hits: u64,
    missing: Vec<&'static str>,
    told: Vec<&'static str>,
    /// Who was asked something wrong, and whether it noticed.
    honest: BTreeMap<&'static str, bool>,
    told_liars: bool,
}

/// Time for a question that no prover can find valid.
const CANARY: Duration = Duration::from_secs(1);
/// The head start of the first prover.
const HEAD_START: Duration = Duration::from_millis(700);

impl Team {
    /// Some provers with a cache, in the order in which they are asked.
    pub fn new(provers: Vec<Arc<dyn SequentProver>>, cache: Cache) -> Team {
        Team { provers, cache: Mutex::new(cache), books: Mutex::default() }
    }

    /// The names of the provers, as they are kept with answers.
    pub fn name(&self, effort: &Effort) -> String {
        let count = if effort.everyone { self.provers.len() } else { 1 };
        let names: Vec<&str> = self.provers.iter().take(count).map(|p| p.name()).collect();
        names.join("+")
    }

    /// Whether a question is valid; the flag ends the work.
    pub fn ask(&self, question: &Question<'_>, effort: &Effort, cancel: &AtomicBool) -> Outcome {
        let normal = Normal::of(question, None);
        let (name, time) = (self.name(effort), effort.time.as_millis() as u64);
        self.note(|b| b.questions += 1);
        let known = self.cache.lock().ok().and_then(|c| c.find(&normal, &name, time).cloned());
        if let Some(finding) = known {
            self.note(|b| b.hits += 1);
            return match finding {
                Finding::Valid(by) => Outcome::Valid(by),
                Finding::Invalid(_) => Outcome::Invalid,
                Finding::NotProved(..) => Outcome::NotProved,
            };
        }
        let (by, answer) = self.consult(question, effort, cancel);
        let (normal, finding) = match &answer {
            Answer::Valid(used) => {
                let normal = match used {
                    Some(used) => Normal::of(question, Some(used)),
                    None => normal,
                };
                (normal, Finding::Valid(by.to_owned()))
            }
            Answer::Invalid => (normal, Finding::Invalid(by.to_owned())),
            // Who was stopped from outside has not tried.
            Answer::Unknown(_) if cancel.load(Ordering::Relaxed) => return Outcome::NotProved,
            Answer::Unknown(_) => (normal, Finding::NotProved(name, time)),
        };
        if let Ok(mut cache) = self.cache.lock() {
            cache.add(normal, finding);
        }
        match answer {
            Answer::Valid(_) => Outcome::Valid(by.to_owned()),
            Answer::Invalid => Outcome::Invalid,
            Answer::Unknown(_) => Outcome::NotProved,
        }
    }

    /// One prover for a moment, then the others at once.
    fn consult(
        &self,
        question: &Question<'_>,
        effort: &Effort,
        cancel: &AtomicBool,
    ) -> (&'static str, Answer) {
        let nobody = ("nobody", Answer::Unknown(Why::GaveUp));
        let Some((first, others)) = self.provers.split_first() else { return nobody };
        let alone = !effort.everyone || others.is_empty();
        let head_start = if alone { effort.time } else { effort.time.min(HEAD_START) };
        let answer = self.one(first.as_ref(), question, head_start, cancel);
        if alone || !matches!(answer, Answer::Unknown(_)) {
            return (first.name(), answer);
        }
        let again = answer == Answer::Unknown(Why::Time) && head_start < effort.time;
        let done = AtomicBool::new(false);
        let found: Mutex<Option<(&'static str, Answer)>> = Mutex::new(None);
        std::thread::scope(|scope| {
            let team = self.provers.iter().skip(usize::from(!again));
            let handles: Vec<_> = team
                .map(|prover| {
                    let (done, found) = (&done, &found);
                    scope.spawn(move || {
                        let answer = self.one(prover.as_ref(), question, effort.time, done);
                        if !matches!(answer, Answer::Unknown(_))
                            && let Ok(mut slot) = found.lock()
                            && slot.is_none()
                        {
                            *slot = Some((prover.name(), answer));
                            done.store(true, Ordering::Relaxed);
                        }
                    })
                })
                .collect();
            while handles.iter().any(|h| !h.is_finished()) {
                if cancel.load(Ordering::Relaxed) {
                    done.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        found.into_inner().ok().flatten().unwrap_or(nobody)
    }

    fn one(
        &self,
        prover: &dyn SequentProver,
        question: &Question<'_>,
        time: Duration,
        cancel: &AtomicBool,
    ) -> Answer {
        let name = prover.name();
        let is_missing = self.books.lock().is_ok_and(|b| b.missing.contains(&prover.package()));
        if is_missing {
            return Answer::Unknown(Why::Missing);
        }
        let lies = self.books.lock().is_ok_and(|b| b.honest.get(name) == Some(&false));
        if lies {
            return Answer::Unknown(Why::GaveUp);
        }
        let started = Instant::now();
        let answer = match prover.prove(question, time, cancel) {
            Answer::Valid(_) if !self.is_honest(prover) => {
                Answer::Unknown(Why::Broken("that something wrong is valid".into()))
            }
            answer => answer,
        };
        self.note(|b| {
            if answer == Answer::Unknown(Why::Missing) {
                if !b.missing.contains(&prover.package()) {
                    b.missing.push(prover.package());
                }
                return;
            }
            let s = b.statistics.entry(name).or_default();
            s.asked += 1;
            s.valid += u64::from(matches!(answer, Answer::Valid(_)));
            s.invalid += u64::from(answer == Answer::Invalid);
            s.seconds += started.elapsed().as_secs_f64();
        });
        answer
    }

    /// Whether a prover does not say that any two objects are one; asked once.
    fn is_honest(&self, prover: &dyn SequentProver) -> bool {
        let known = self.books.lock().ok().and_then(|b| b.honest.get(prover.name()).copied());
        if let Some(known) = known {
            return known;
        }
        let of = |name: &str| Symbol { name: name.into(), ty: Type::Obj, definition: None };
        let symbols = [of("x"), of("y")];
        let [x, y] = [0, 1].map(|i| symbol(SymbolId(i), Type::Obj));
        let sequent = Sequent { hypotheses: Vec::new(), goal: eq(x, y) };
        let wrong = Question { sequent: &sequent, symbols: &symbols };
        // Not ended by others: its answer is about all of its answers.
        let said = prover.prove(&wrong, CANARY, &AtomicBool::new(false));
        let honest = !matches!(said, Answer::Valid(_));
        self.note(|b| {
            b.honest.insert(prover.name(), honest);
        });
        honest
    }

    /// The provers that call valid what is not, told once.
    pub fn newly_dishonest(&self) -> Vec<&'static str> {
        let Ok(mut books) = self.books.lock() else { return Vec::new() };
        if std::mem::replace(&mut books.told_liars, true) {
            return Vec::new();
        }
        let all: Vec<_> = books.honest.iter().filter(|(_, h)| !**h).map(|(n, _)| *n).collect();
        books.told_liars = !all.is_empty();
        all
    }

    fn note(&self, f: impl FnOnce(&mut Books)) {
        if let Ok(mut books) = self.books.lock() {
            f(&mut books);
        }
    }

    /// What every prover was asked so far.
    pub fn statistics(&self) -> BTreeMap<&'static str, ProverStatistics> {
        self.books.lock().map(|b| b.statistics.clone()).unwrap_or_default()
    }

    /// Questions so far, and how many of them the cache knew.
    pub fn questions(&self) -> (u64, u64) {
        self.books.lock().map(|b| (b.questions, b.hits)).unwrap_or_default()
    }

    /// The Debian packages of provers that are missing, each told once.
    pub fn newly_missing(&self) -> Vec<&'static str> {
        let Ok(mut books) = self.books.lock() else { return Vec::new() };
        let new: Vec<_> =
            books.missing.iter().filter(|m| !books.told.contains(m)).copied().collect();
        books.told.extend(&new);
        new
    }

    /// What is wrong with the cache, told once.
    pub fn cache_warning(&self) -> Option<String> {
        self.cache.lock().ok().and_then(|mut c| c.warning.take())
    }
}
