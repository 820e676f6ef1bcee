//! The loop over messages of the editor and of workers.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::BufWriter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, CodeLensParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams, HoverParams,
    PublishDiagnosticsParams, Range, Uri, WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trellis_report::page;

use crate::document::{Document, path, uri};
use crate::settings::{Asking, Settings};
use crate::work::{Flag, Job, Said};
use crate::{answers, edits};

/// What the loop hears.
pub(crate) enum Heard {
    /// A message of the editor.
    Editor(Message),
    /// The editor has left.
    Silence,
    /// A worker, about a text of a file.
    Worker { uri: Uri, generation: u64, said: Said },
}

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Serves until the editor leaves.
pub(crate) fn run(connection: Connection, asking: Arc<Asking>) -> Outcome<()> {
    let (id, parameters) = connection.initialize_start()?;
    let options = parameters.get("initializationOptions").filter(|o| !o.is_null());
    let settings = options.map(|o| serde_json::from_value::<Settings>(o.clone())).transpose();
    let (settings, bad) = match settings {
        Ok(settings) => (settings.unwrap_or_default(), None),
        Err(why) => (Settings::default(), Some(format!("initializationOptions: {why}"))),
    };
    connection.initialize_finish(id, capabilities())?;
    let (sender, heard) = channel();
    let (editor, from_editor) = (sender.clone(), connection.receiver.clone());
    thread::spawn(move || {
        for message in from_editor {
            if editor.send(Heard::Editor(message)).is_err() {
                return;
            }
        }
        let _ = editor.send(Heard::Silence);
    });
    let documents = BTreeMap::new();
    let mut server =
        Server { connection, sender, settings, asking, documents, requests: 0, pages: 0 };
    if let Some(why) = bad {
        server.complain(&why)?;
    }
    for heard in heard {
        match heard {
            Heard::Editor(Message::Notification(n)) if n.method == "exit" => break,
            Heard::Silence => break,
            Heard::Editor(message) => server.message(message)?,
            Heard::Worker { uri, generation, said } => server.worker(&uri, generation, said)?,
        }
    }
    server.documents.values().for_each(|d| d.cancel.store(true, Ordering::Relaxed));
    Ok(())
}

/// What the server can do.
fn capabilities() -> Value {
    json!({
        "capabilities": {
            "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": true } },
            "hoverProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "codeActionProvider": { "codeActionKinds": ["refactor.rewrite"] },
            "executeCommandProvider": {
                "commands": [answers::ANNOTATE, answers::GO_TO, answers::PAGE]
            },
        },
        "serverInfo": { "name": "trellis", "version": env!("CARGO_PKG_VERSION") },
    })
}

struct Server {
    connection: Connection,
    /// For workers.
    sender: Sender<Heard>,
    settings: Settings,
    asking: Arc<Asking>,
    documents: BTreeMap<String, Document>,
    /// Requests to the editor so far.
    requests: i32,
    /// Pages written so far.
    pages: u32,
}

impl Server {
    fn message(&mut self, message: Message) -> Outcome<()> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let response = match self.request(request) {
                    Ok(Some(value)) => Response::new_ok(id, value),
                    Ok(None) => {
                        let text = "not supported".to_owned();
                        Response::new_err(id, ErrorCode::MethodNotFound as i32, text)
                    }
                    Err(why) => {
                        Response::new_err(id, ErrorCode::InvalidParams as i32, why.to_string())
                    }
                };
                Ok(self.connection.sender.send(response.into())?)
            }
            Message::Notification(notification) => match self.notification(notification) {
                Err(why) => self.complain(&why.to_string()),
                done => done,
            },
            Message::Response(_) => Ok(()),
        }
    }

    fn request(&mut self, request: Request) -> Outcome<Option<Value>> {
        let Request { method, params, .. } = request;
        Ok(Some(match method.as_str() {
            "shutdown" => Value::Null,
            "textDocument/hover" => {
                let asked: HoverParams = read(params)?;
                let at = asked.text_document_position_params;
                let document = self.documents.get(at.text_document.uri.as_str());
                json!(document.and_then(|d| answers::hover(d, at.position)))
            }
            "textDocument/codeLens" => {
                let asked: CodeLensParams = read(params)?;
                let at = asked.text_document.uri;
                let document = self.documents.get(at.as_str());
                json!(document.map(|d| answers::lenses(&at, d)).unwrap_or_default())
            }
            "textDocument/codeAction" => {
                let asked: CodeActionParams = read(params)?;
                let at = asked.text_document.uri;
                let document = self.documents.get(at.as_str());
                json!(document.map(|d| answers::actions(&at, d, asked.range)).unwrap_or_default())
            }
            "workspace/executeCommand" => {
                let asked: ExecuteCommandParams = read(params)?;
                self.execute(&asked.command, asked.arguments)?;
                Value::Null
            }
            _ => return Ok(None),
        }))
    }

    fn notification(&mut self, notification: Notification) -> Outcome<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                let opened: DidOpenTextDocumentParams = read(params)?;
                let item = opened.text_document;
                self.saved(item.uri, Some(item.text))
            }
            "textDocument/didSave" => {
                let saved: DidSaveTextDocumentParams = read(params)?;
                self.saved(saved.text_document.uri, saved.text)
            }
            "textDocument/didChange" => {
                let changed: DidChangeTextDocumentParams = read(params)?;
                let document = self.documents.get_mut(changed.text_document.uri.as_str());
                if let Some(document) = document {
                    document.stop();
                    document.is_saved = false;
                }
                Ok(())
            }
            "textDocument/didClose" => {
                let closed: DidCloseTextDocumentParams = read(params)?;
                let at = closed.text_document.uri;
                if let Some(document) = self.documents.remove(at.as_str()) {
                    document.cancel.store(true, Ordering::Relaxed);
                }
                self.publish(&at, Vec::new())
            }
            _ => Ok(()),
        }
    }

    /// A file was opened or saved: what was said of it is forgotten, and it is verified.
    fn saved(&mut self, at: Uri, text: Option<String>) -> Outcome<()> {
        let Some(file) = path(&at) else { return Ok(()) };
        let document = self.documents.entry(at.as_str().to_owned()).or_default();
        document.stop();
        let on_disk = match fs::read(&file) {
            Ok(bytes) => decoded(bytes),
            Err(why) => {
                let text = format!("{}: {why}", file.display());
                self.documents.remove(at.as_str());
                self.publish(&at, Vec::new())?;
                return self.complain(&text);
            }
        };
        // An editor may open a file with changes that it kept.
        document.is_saved = text.is_none_or(|text| text == on_disk);
        document.text = on_disk;
        document.answers.clear();
        document.done = None;
        let (generation, cancel) = (document.generation, document.cancel.clone());
        let (settings, asking) = (self.settings.clone(), Arc::clone(&self.asking));
        let job = Job { uri: at, file, generation, cancel, settings, asking };
        job.verify(self.sender.clone());
        Ok(())
    }

    fn worker(&mut self, at: &Uri, generation: u64, said: Said) -> Outcome<()> {
        let Some(document) = self.documents.get_mut(at.as_str()) else { return Ok(()) };
        if document.generation != generation {
            return Ok(());
        }
        match said {
            Said::Answer(report) => {
                document.answers.push(*report);
                let all = answers::diagnostics(at, document, &[]);
                let status = answers::status_of_all(at, document, None);
                self.publish(at, all)?;
                self.notify("trellis/status", status)
            }
            Said::Done(report, texts) => {
                let about = report.files.first().map_or(&[][..], |f| &f.diagnostics);
                let all = answers::diagnostics(at, document, about);
                let status = answers::status_of_all(at, document, Some(&report));
                document.done = Some((*report, texts));
                self.publish(at, all)?;
                self.notify("trellis/status", status)?;
                self.ask("workspace/codeLens/refresh", Value::Null)
            }
            Said::Text(Ok(text)) => {
                let edits = edits::insertions(&document.text, &text);
                let change = WorkspaceEdit {
                    changes: Some([(at.clone(), edits)].into_iter().collect()),
                    ..WorkspaceEdit::default()
                };
                let label = "Write loop invariants";
                self.ask("workspace/applyEdit", json!({ "label": label, "edit": change }))
            }
            Said::Text(Err(why)) => self.complain(&why),
        }
    }

    fn execute(&mut self, command: &str, arguments: Vec<Value>) -> Outcome<()> {
        let mut arguments = arguments.into_iter();
        let at: Uri = read(arguments.next().unwrap_or_default())?;
        let second = arguments.next().unwrap_or_default();
        match command {
            answers::ANNOTATE => {
                let procedure: String = read(second)?;
                let (Some(document), Some(file)) = (self.documents.get(at.as_str()), path(&at))
                else {
                    return Err("the file is not open".into());
                };
                if !document.is_saved {
                    return Err("save the file first".into());
                }
                let (generation, cancel) = (document.generation, document.cancel.clone());
                let (settings, asking) = (self.settings.clone(), Arc::clone(&self.asking));
                let job = Job { uri: at, file, generation, cancel, settings, asking };
                job.annotate(procedure, self.sender.clone());
                Ok(())
            }
            answers::GO_TO => {
                let selection: Range = read(second)?;
                let place = json!({ "uri": at, "takeFocus": true, "selection": selection });
                self.ask("window/showDocument", place)
            }
            answers::PAGE => {
                let written = self.page(&at)?;
                self.ask("window/showDocument", json!({ "uri": written, "external": true }))
            }
            _ => Err(format!("there is no command `{command}`").into()),
        }
    }

    /// Writes the page of the last run of a file.
    fn page(&mut self, at: &Uri) -> Outcome<Uri> {
        let done = self.documents.get(at.as_str()).and_then(|d| d.done.as_ref());
        let (report, texts) = done.ok_or("the run is not over")?;
        self.pages += 1;
        let name = format!("trellis-{}-{}.html", std::process::id(), self.pages);
        let file = std::env::temp_dir().join(name);
        page::write(&mut BufWriter::new(fs::File::create(&file)?), report, texts)?;
        uri(&file).ok_or_else(|| "the page has no address".into())
    }

    fn publish(&self, at: &Uri, diagnostics: Vec<lsp_types::Diagnostic>) -> Outcome<()> {
        let all = PublishDiagnosticsParams { uri: at.clone(), diagnostics, version: None };
        self.notify("textDocument/publishDiagnostics", all)
    }

    fn complain(&self, why: &str) -> Outcome<()> {
        self.notify(
            "window/showMessage",
            json!({ "type": 2, "message": format!("Trellis: {why}") }),
        )
    }

    fn notify(&self, method: &str, parameters: impl Serialize) -> Outcome<()> {
        let notification = Notification::new(method.to_owned(), parameters);
        Ok(self.connection.sender.send(notification.into())?)
    }

    /// Asks the editor for something; its answer does not matter.
    fn ask(&mut self, method: &str, parameters: Value) -> Outcome<()> {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = Request::new(id, method.to_owned(), parameters);
        Ok(self.connection.sender.send(request.into())?)
    }
}

/// Texts that were worked on so far. A file that is closed and opened again has a new number, so that
/// no late answer to the old text is taken for one to the new.
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

impl Document {
    /// Ends the work on the text as it was.
    fn stop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.cancel = Flag::default();
        self.generation = 1 + GENERATIONS.fetch_add(1, Ordering::Relaxed);
    }
}

/// The text of a file as editors show it: what is no UTF-8 is Latin-1.
fn decoded(bytes: Vec<u8>) -> String {
    let latin =
        |e: std::string::FromUtf8Error| e.as_bytes().iter().map(|b| char::from(*b)).collect();
    String::from_utf8(bytes).unwrap_or_else(latin)
}

fn read<T: DeserializeOwned>(value: Value) -> Outcome<T> {
    Ok(serde_json::from_value(value)?)
}
