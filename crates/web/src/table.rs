//! The game that is played: its file, its draft, what is shown of it.
//!
//! **Invariants.** What is shown is never newer than the file: a step is appended before anyone is
//! told. A drawing is judged by one thread at a time; meanwhile the question can still be compared
//! with drawings, because it never changes. A verifier that fails takes nothing with it: the game is
//! played again from its file.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use trellis_report::game::journal::{Header, JOURNAL_SCHEMA, Line};
use trellis_report::game::{Answer, Asked, Desk, Drawing, Judged, Refused, View};
use trellis_session::game::{Game, Patience, Question};

use crate::journal::Journal;
use crate::library::Library;
use crate::tabs::Tabs;

/// What all requests share.
pub struct Table {
    library: Box<dyn Library>,
    folder: PathBuf,
    patience: Duration,
    play: Mutex<Play>,
    shown: Mutex<Shown>,
    /// Who may edit.
    pub tabs: Mutex<Tabs>,
    judging: Mutex<Option<Arc<AtomicBool>>>,
    changed: watch::Sender<u64>,
}

/// A game with its file.
struct Play {
    game: Box<dyn Game>,
    /// `None` after the disk has failed and the game could not be opened again.
    journal: Option<Journal>,
}

impl Play {
    fn journal(&mut self) -> std::io::Result<&mut Journal> {
        self.journal.as_mut().ok_or_else(|| std::io::Error::other("the file is closed"))
    }
}

/// What is shown of the game.
#[derive(Clone)]
struct Shown {
    level: String,
    view: View,
    question: Option<Arc<dyn Question>>,
    draft: Option<Drawing>,
    /// How many drawings were submitted before this server was started.
    resumed: usize,
}

/// The name of a question and a drawing of it that was looked at.
type Current = (Arc<dyn Question>, View);

impl Table {
    /// Begins a game, or goes on with it.
    ///
    /// # Errors
    /// Why it cannot be played, for people.
    pub fn new(
        library: Box<dyn Library>,
        folder: PathBuf,
        level: &str,
        fresh: bool,
        patience: Duration,
    ) -> Result<Table, String> {
        let (play, shown) = open(&*library, &folder, level, fresh)?;
        Ok(Table {
            library,
            folder,
            patience,
            play: Mutex::new(play),
            shown: Mutex::new(shown),
            tabs: Mutex::default(),
            judging: Mutex::default(),
            changed: watch::Sender::new(1),
        })
    }

    /// Tells when something has changed that all tabs should see.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Everything that a tab shows.
    pub fn desk(&self, tab: &str) -> Desk {
        let editor = lock(&self.tabs).hello(tab, Instant::now());
        let shown = lock(&self.shown).clone();
        Desk {
            revision: *self.changed.borrow(),
            view: shown.view,
            draft: shown.draft,
            level: shown.level,
            levels: self.library.levels(),
            editor,
            judging: lock(&self.judging).is_some(),
            resumed: shown.resumed,
        }
    }

    /// A tab takes over.
    pub fn take(&self, asked: &Asked) -> Desk {
        lock(&self.tabs).take(&asked.tab, Instant::now());
        self.tell();
        self.desk(&asked.tab)
    }

    /// The question that a tab speaks of, if it is still asked, and the drawing is one.
    ///
    /// # Errors
    /// Why not.
    pub fn current(&self, asked: &Asked) -> Result<Current, Refused> {
        let shown = lock(&self.shown).clone();
        let asks = shown.view.question.as_ref().filter(|q| q.id == asked.question);
        let (Some(words), Some(question)) = (asks.map(|q| &q.words), shown.question) else {
            let sentence = "This question is no longer asked; the page shows the next one.";
            return Err(refused("stale", sentence));
        };
        asked.drawing.check(words).map_err(|e| refused("wrong", &format!("{e}.")))?;
        Ok((question, shown.view))
    }

    /// Saves a drawing.
    ///
    /// # Errors
    /// Another tab edits, the question has changed, or the disk refuses.
    pub fn draft(&self, asked: &Asked) -> Result<(), Refused> {
        self.editing(asked)?;
        self.current(asked)?;
        let question = asked.question.clone();
        let line = Line::Draft { question, drawing: asked.drawing.clone() };
        // While a drawing is being judged its thread has the file; a draft waits for it.
        let mut play = lock(&self.play);
        self.current(asked)?;
        play.journal().and_then(|j| j.append(&line)).map_err(|e| disk(&e))?;
        lock(&self.shown).draft = Some(asked.drawing.clone());
        Ok(())
    }

    /// Judges a drawing. Takes as long as the verifier takes.
    ///
    /// # Errors
    /// Another tab edits, the question has changed, another drawing is being judged, or the disk
    /// refuses.
    pub fn submit(&self, asked: &Asked) -> Result<Judged, Refused> {
        self.editing(asked)?;
        self.current(asked)?;
        let busy = self.busy()?;
        let mut play = lock(&self.play);
        self.current(asked)?;
        let patience = Patience { cancel: Arc::clone(&busy.cancel), limit: self.patience };
        let answer = play.game.submit(&asked.drawing, &patience);
        // An answer that depends on time is not part of the game.
        if !matches!(answer, Answer::Undecided { .. }) {
            let (question, drawing) = (asked.question.clone(), asked.drawing.clone());
            let line = Line::Submitted { question, drawing, answer: answer.kind().to_owned() };
            if let Err(e) = play.journal().and_then(|j| j.append(&line)) {
                drop((play, busy));
                self.recover();
                return Err(disk(&e));
            }
        }
        let draft = Some((asked.question.clone(), asked.drawing.clone()));
        let mut shown = lock(&self.shown);
        *shown = show(&shown.level, &*play.game, draft, shown.resumed);
        drop((shown, play, busy));
        self.tell();
        Ok(Judged { answer, desk: self.desk(&asked.tab) })
    }

    /// Ends the judging of a drawing, if there is one.
    ///
    /// # Errors
    /// Another tab edits.
    pub fn cancel(&self, asked: &Asked) -> Result<(), Refused> {
        self.editing(asked)?;
        if let Some(cancel) = &*lock(&self.judging) {
            cancel.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Plays another level, or, if `fresh`, one from its beginning; the old file is put aside.
    ///
    /// # Errors
    /// Another tab edits, a drawing is being judged, or the level cannot be played.
    pub fn level(&self, asked: &Asked, fresh: bool) -> Result<Desk, Refused> {
        self.editing(asked)?;
        let busy = self.busy()?;
        let mut play = lock(&self.play);
        if lock(&self.shown).level != asked.level || fresh {
            if !self.library.levels().iter().any(|l| l.id == asked.level) {
                return Err(refused("wrong", "There is no such level."));
            }
            // A game is put aside by whoever has its file.
            let ours = lock(&self.shown).level == asked.level;
            if ours {
                play.journal = None;
            }
            match open(&*self.library, &self.folder, &asked.level, fresh) {
                Ok((next, shown)) => {
                    *play = next;
                    *lock(&self.shown) = shown;
                }
                Err(why) => {
                    if ours {
                        self.reopen(&mut play);
                    }
                    return Err(refused("wrong", &why));
                }
            }
        }
        drop((play, busy));
        self.tell();
        Ok(self.desk(&asked.tab))
    }

    /// The game as a file: the transcript of the verifier if it has one, else our own.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn export(&self) -> Result<(String, Vec<u8>), Refused> {
        let mut play = lock(&self.play);
        let level = lock(&self.shown).level.clone();
        match play.game.transcript() {
            Some(text) => Ok((format!("{level}.transcript.json"), text.into_bytes())),
            None => {
                let text =
                    play.journal().and_then(|j| std::fs::read(j.path())).map_err(|e| disk(&e))?;
                Ok((format!("{level}.game"), text))
            }
        }
    }

    /// Plays the game again from its file, after the verifier has failed.
    pub fn recover(&self) {
        self.reopen(&mut lock(&self.play));
        self.tell();
    }

    fn reopen(&self, play: &mut Play) {
        let level = lock(&self.shown).level.clone();
        // The old file must be closed before it can be locked again.
        play.journal = None;
        if let Ok((next, shown)) = open(&*self.library, &self.folder, &level, false) {
            *play = next;
            *lock(&self.shown) = shown;
        }
    }

    /// How long a hint may take.
    pub fn brief_patience(&self) -> Patience {
        Patience { cancel: Arc::default(), limit: self.patience.min(Duration::from_secs(10)) }
    }

    fn editing(&self, asked: &Asked) -> Result<(), Refused> {
        match lock(&self.tabs).edits(&asked.tab) {
            true => Ok(()),
            false => Err(refused("read-only", "Another tab is playing this game.")),
        }
    }

    fn busy(&self) -> Result<Busy<'_>, Refused> {
        let mut judging = lock(&self.judging);
        if judging.is_some() {
            return Err(refused("busy", "The verifier is still looking at your last pattern."));
        }
        let cancel: Arc<AtomicBool> = Arc::default();
        *judging = Some(Arc::clone(&cancel));
        Ok(Busy { table: self, cancel })
    }

    fn tell(&self) {
        self.changed.send_modify(|revision| *revision += 1);
    }
}

/// Held while a drawing is being judged.
struct Busy<'a> {
    table: &'a Table,
    cancel: Arc<AtomicBool>,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        *lock(&self.table.judging) = None;
    }
}

/// A game as its file has it.
fn open(
    library: &dyn Library,
    folder: &std::path::Path,
    level: &str,
    fresh: bool,
) -> Result<(Play, Shown), String> {
    let mut game = library.open(level)?;
    let view = game.view();
    let header = Header {
        schema: JOURNAL_SCHEMA.to_owned(),
        file: view.program.file,
        procedure: view.program.procedure,
        fingerprint: game.fingerprint(),
    };
    let path = folder.join(format!("{level}.game"));
    let aside = if fresh { Journal::put_aside(&path)? } else { None };
    let opened = Journal::open(&path, &header);
    if let (Err(_), Some(old)) = (&opened, aside) {
        // Where no game can begin, the one that was there goes on.
        let _ = std::fs::rename(old, &path);
    }
    let (journal, lines) = opened?;
    let mut draft = None;
    let resumed = lines.iter().filter(|l| matches!(l, Line::Submitted { .. })).count();
    for (i, line) in lines.into_iter().enumerate() {
        let wrong = |e: &str| format!("{}: line {}: {e}", path.display(), i + 2);
        match line {
            Line::Draft { question, drawing } => draft = Some((question, drawing)),
            Line::Submitted { question, drawing, answer } => {
                let view = game.view();
                let asks = view.question.filter(|q| q.id == question);
                let asks = asks.ok_or_else(|| wrong("this question is not asked here"))?;
                drawing.check(&asks.words).map_err(|e| wrong(&e))?;
                let forever = Patience { cancel: Arc::default(), limit: Duration::MAX };
                let given = game.submit(&drawing, &forever);
                if given.kind() != answer {
                    let text = format!("the answer was {answer}, now it is {}", given.kind());
                    return Err(wrong(&text));
                }
                draft = Some((question, drawing));
            }
        }
    }
    let shown = show(level, &*game, draft, resumed);
    Ok((Play { game, journal: Some(journal) }, shown))
}

/// What is shown of a game: a draft only if its question is still asked.
fn show(level: &str, game: &dyn Game, draft: Option<(String, Drawing)>, resumed: usize) -> Shown {
    let view = game.view();
    let fits = |(question, drawing): (String, Drawing)| {
        let asks = view.question.as_ref().filter(|q| q.id == question)?;
        drawing.check(&asks.words).ok().map(|()| drawing)
    };
    let draft = draft.and_then(fits);
    Shown { level: level.to_owned(), question: game.question(), view, draft, resumed }
}

fn refused(error: &'static str, sentence: &str) -> Refused {
    Refused { error, sentence: sentence.to_owned() }
}

fn disk(error: &std::io::Error) -> Refused {
    refused("internal", &format!("The step could not be saved: {error}."))
}

/// A thread that panicked leaves a value as whole as one that returned: values are replaced, never
/// half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
