//! Sessions on threads of their own.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use lsp_types::Uri;
use trellis_driver::Selection;
use trellis_report::model::{ProcedureReport, Report};
use trellis_report::page::Texts;
use trellis_session::{Annotated, Annotator, Event, Request, verify};

use crate::server::Heard;
use crate::settings::{Asking, Settings};

/// Ends the work that has it.
pub(crate) type Flag = Arc<AtomicBool>;

/// What is to be done about a file.
pub(crate) struct Job {
    pub(crate) uri: Uri,
    pub(crate) file: PathBuf,
    /// Tells the answers to an old text from those to a new one.
    pub(crate) generation: u64,
    pub(crate) cancel: Flag,
    pub(crate) settings: Settings,
    pub(crate) asking: Arc<Asking>,
}

/// What a worker says.
pub(crate) enum Said {
    /// An answer about a procedure.
    Answer(Box<ProcedureReport>),
    /// All answers; the texts are those that a page shows.
    Done(Box<Report>, Texts),
    /// The text with invariants, or why there is none.
    Text(Result<String, String>),
}

/// The work was cancelled, or nobody listens.
struct Enough;

impl Job {
    /// Verifies the file.
    pub(crate) fn verify(self, to: Sender<Heard>) {
        thread::spawn(move || {
            let request = match self.request() {
                Ok(request) => request,
                Err(why) => return self.say(&to, Said::Text(Err(why))),
            };
            let mut texts = Texts::default();
            let done = verify(&request, |event| {
                if let Event::Answered { program, report, .. } = &event {
                    texts.add(&program.sources, report);
                    self.say(&to, Said::Answer(Box::new((*report).clone())));
                }
                self.go_on()
            });
            if let Ok(done) = done {
                self.say(&to, Said::Done(Box::new(done.report), texts));
            }
        });
    }

    /// Finds the invariants of a procedure in the contract language.
    pub(crate) fn annotate(self, procedure: String, to: Sender<Heard>) {
        thread::spawn(move || {
            let text = self.request().and_then(|request| {
                let request = Request { selection: Selection::Named(vec![procedure]), ..request };
                let mut annotator = None;
                let mut why = "it has no loop that needs an invariant".to_owned();
                let done = verify(&request, |event| {
                    match &event {
                        Event::Source { source, unit: Ok(unit) } => {
                            annotator = Some(Annotator::new(&request, source, unit));
                        }
                        Event::Answered { .. } => {
                            let done = annotator.as_mut().map(|a| a.add(&event));
                            if let Some(Annotated::Left(reason)) = done {
                                why = reason;
                            }
                        }
                        _ => {}
                    }
                    self.go_on()
                });
                let cancelled = |Enough| "the file has changed".to_owned();
                done.map_err(cancelled)?;
                let texts = annotator.map_or(Ok(Vec::new()), |a| a.texts())?;
                texts.into_iter().next().map(|(_, text)| text).ok_or(why)
            });
            self.say(&to, Said::Text(text));
        });
    }

    /// The request for the file, of whose procedures a project may want others than an editor.
    fn request(&self) -> Result<Request, String> {
        let mut request = (self.asking)(&self.file, &self.settings)?;
        if !matches!(request.selection, Selection::All) {
            request.selection = Selection::Promising;
        }
        request.budget.cancel = Arc::clone(&self.cancel);
        Ok(request)
    }

    fn go_on(&self) -> Result<(), Enough> {
        if self.cancel.load(Ordering::Relaxed) { Err(Enough) } else { Ok(()) }
    }

    /// The loop may be gone already, and then nobody minds.
    fn say(&self, to: &Sender<Heard>, said: Said) {
        let (uri, generation) = (self.uri.clone(), self.generation);
        let _ = to.send(Heard::Worker { uri, generation, said });
    }
}
