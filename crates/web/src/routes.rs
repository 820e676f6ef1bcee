//! One function a request. All answers are documents of `trellis_report::game`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::Stream;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::watch;
use trellis_report::game::{Asked, Refused};

use crate::assets;
use crate::connections::{Answering, Line};
use crate::guard::{self, Guard};
use crate::table::Table;

/// Longest name of a tab.
const LONGEST_TAB: usize = 64;

/// What requests share.
#[derive(Clone)]
pub struct Shared {
    /// The game.
    pub table: Arc<Table>,
    /// Becomes true when the server is to end.
    pub stop: watch::Receiver<bool>,
}

/// Everything that the server answers.
pub fn router(shared: Shared, guard: Guard) -> Router {
    let api = Router::new()
        .route("/desk", get(desk))
        .route("/events", get(events))
        .route("/export", get(export))
        .route("/take", post(take))
        .route("/compare", post(compare))
        .route("/meaning", post(meaning))
        .route("/hint", post(hint))
        .route("/draft", post(draft))
        .route("/submit", post(submit))
        .route("/cancel", post(cancel))
        .route("/level", post(level))
        .route("/restart", post(restart));
    let page = Router::new()
        .route("/", get(index))
        .route("/page/{name}", get(asset))
        .nest("/api", api)
        .with_state(shared);
    Router::new()
        .nest("/{token}", page.clone())
        .route("/{token}/", get(index))
        // The guard has read the body, and knows how long it may be.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(guard, guard::guard))
}

async fn index() -> Response {
    text("text/html; charset=utf-8", assets::INDEX)
}

async fn asset(Path((_, name)): Path<(String, String)>) -> Response {
    match assets::asset(&name) {
        Some(asset) => text(asset.media, asset.text),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn desk(State(shared): State<Shared>, RawQuery(query): RawQuery) -> Response {
    match tab(query) {
        Some(tab) => json(&shared.table.desk(&tab)),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Tells a tab that there is something new, until it leaves or the server ends.
async fn events(
    State(shared): State<Shared>,
    ConnectInfo(line): ConnectInfo<Line>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(tab) = tab(query) else { return StatusCode::BAD_REQUEST.into_response() };
    let Some(listener) = Listener::new(shared, tab, line.answer()) else {
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    };
    Sse::new(listener.stream()).keep_alive(KeepAlive::default()).into_response()
}

/// A tab that listens.
struct Listener {
    shared: Shared,
    tab: String,
    changes: watch::Receiver<u64>,
    /// Its connection is kept as long as it listens.
    _answering: Answering,
}

impl Listener {
    fn new(shared: Shared, tab: String, answering: Answering) -> Option<Listener> {
        let mut changes = shared.table.changes();
        // The first event says what the tab may have missed since it asked.
        changes.mark_changed();
        let welcome = shared.table.tabs.lock().ok()?.listen(&tab);
        welcome.then(|| Listener { shared, tab, changes, _answering: answering })
    }

    fn stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        stream::unfold(Some(self), |listener| async {
            let mut listener = listener?;
            let mut stop = listener.shared.stop.clone();
            tokio::select! {
                changed = listener.changes.changed() => {
                    changed.ok()?;
                    let revision = *listener.changes.borrow_and_update();
                    let event = Event::default().event("changed").data(revision.to_string());
                    Some((Ok(event), Some(listener)))
                }
                _ = stop.wait_for(|stop| *stop) => {
                    Some((Ok(Event::default().event("bye").data("")), None))
                }
            }
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Ok(mut tabs) = self.shared.table.tabs.lock() {
            tabs.leave(&self.tab, Instant::now());
        }
    }
}

async fn export(State(shared): State<Shared>) -> Response {
    let made = tokio::task::spawn_blocking(move || shared.table.export()).await;
    match made {
        Ok(Ok((name, bytes))) => {
            // Names of levels are letters and digits, so nothing has to be quoted.
            let disposition = format!("attachment; filename=\"{name}\"");
            let mut response = bytes.into_response();
            let headers = response.headers_mut();
            let json = HeaderValue::from_static("application/json");
            headers.insert(header::CONTENT_TYPE, json);
            if let Ok(value) = HeaderValue::from_str(&disposition) {
                headers.insert(header::CONTENT_DISPOSITION, value);
            }
            response
        }
        Ok(Err(refused)) => refuse(&refused),
        Err(_) => refuse(&broken()),
    }
}

async fn take(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, |table, asked| Ok(table.take(asked))).await
}

async fn compare(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, |table, asked| Ok(table.current(asked)?.0.compare(&asked.drawing))).await
}

async fn meaning(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, |table, asked| {
        Ok(table.current(asked)?.0.meaning(&asked.drawing, &asked.node))
    })
    .await
}

async fn hint(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, |table, asked| {
        Ok(table.current(asked)?.0.hint(&asked.drawing, &table.brief_patience()))
    })
    .await
}

async fn draft(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, Table::draft).await
}

async fn submit(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, Table::submit).await
}

async fn cancel(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, Table::cancel).await
}

async fn level(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, |table, asked| table.level(asked, false)).await
}

async fn restart(state: State<Shared>, body: Bytes) -> Response {
    work(state, body, |table, asked| table.level(asked, true)).await
}

/// Does what a body asks for, on a thread that may wait.
async fn work<T: Serialize + Send + 'static>(
    State(shared): State<Shared>,
    body: Bytes,
    what: impl FnOnce(&Table, &Asked) -> Result<T, Refused> + Send + 'static,
) -> Response {
    let asked: Asked = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(e) => return refuse(&Refused { error: "wrong", sentence: format!("{e}.") }),
    };
    if asked.tab.is_empty() || asked.tab.len() > LONGEST_TAB {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let table = Arc::clone(&shared.table);
    match tokio::task::spawn_blocking(move || what(&table, &asked)).await {
        Ok(Ok(value)) => json(&value),
        Ok(Err(refused)) => refuse(&refused),
        Err(_) => {
            // A panic is our bug; the game goes on from its file.
            let recovered = tokio::task::spawn_blocking(move || shared.table.recover()).await;
            drop(recovered);
            refuse(&broken())
        }
    }
}

fn broken() -> Refused {
    let sentence = "The verifier failed on this (a bug of ours); the game is as it was before.";
    Refused { error: "internal", sentence: sentence.to_owned() }
}

/// The tab that a query names.
fn tab(query: Option<String>) -> Option<String> {
    let query = query?;
    let tab = query.split('&').find_map(|part| part.strip_prefix("tab="))?;
    let letters = tab.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (!tab.is_empty() && tab.len() <= LONGEST_TAB && letters).then(|| tab.to_owned())
}

fn text(media: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, media)], text).into_response()
}

fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => ([(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn refuse(refused: &Refused) -> Response {
    let status = match refused.error {
        "read-only" | "stale" | "busy" => StatusCode::CONFLICT,
        "wrong" => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, json(refused)).into_response()
}
