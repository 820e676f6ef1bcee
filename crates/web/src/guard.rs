//! Who may ask at all: a browser on this machine that was given the address of this session.
//!
//! The address holds a random token, so other users and other pages cannot guess it. `Host` must be
//! this server, so that a name that is made to lead here (DNS rebinding) is of no use; requests that
//! change something must come from our own page (`Origin`, `Sec-Fetch-Site`) and say that they are
//! JSON. Every answer forbids scripts and styles from elsewhere, framing, caching and referrers.
//! Connections of whoever is turned away are closed.

use axum::body::{Body, to_bytes};
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::connections::Line;

/// What requests are held against.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The token in the address.
    pub token: String,
    /// The port that this server listens to.
    pub port: u16,
}

/// Longest body of a request.
const MOST_BYTES: usize = 512 << 10;
/// Bytes of the token; it has two letters a byte.
const TOKEN_BYTES: usize = 24;

/// Nothing from elsewhere, no script or style in the document, no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

impl Guard {
    /// A guard with a token of its own.
    ///
    /// # Errors
    /// The machine has no random numbers.
    pub fn new(port: u16) -> Result<Guard, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|b| format!("{b:02x}")).collect();
        Ok(Guard { token, port })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Why a request is turned away.
    fn refuses(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<StatusCode> {
        let text = |name: HeaderName| headers.get(name).and_then(|v| v.to_str().ok());
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !text(header::HOST).is_some_and(|host| names.iter().any(|n| n == host)) {
            return Some(StatusCode::MISDIRECTED_REQUEST);
        }
        let given = path.strip_prefix('/').and_then(|p| p.split('/').next()).unwrap_or("");
        if !same(given.as_bytes(), self.token.as_bytes()) {
            return Some(StatusCode::NOT_FOUND);
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        let origin = text(header::ORIGIN);
        let ours = origin.and_then(|o| o.strip_prefix("http://"));
        let ours = ours.is_some_and(|o| names.iter().any(|n| n == o));
        match *method {
            // Opened by the user, or by our own page.
            Method::GET if !matches!(site, None | Some("none" | "same-origin")) => {
                Some(StatusCode::FORBIDDEN)
            }
            Method::GET if origin.is_some() && !ours => Some(StatusCode::FORBIDDEN),
            Method::GET => None,
            Method::POST if !ours || !matches!(site, None | Some("same-origin")) => {
                Some(StatusCode::FORBIDDEN)
            }
            Method::POST if text(header::CONTENT_TYPE) != Some("application/json") => {
                Some(StatusCode::UNSUPPORTED_MEDIA_TYPE)
            }
            Method::POST => None,
            _ => Some(StatusCode::METHOD_NOT_ALLOWED),
        }
    }
}

/// Are two texts equal? Takes the same time wherever they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

/// Turns away whoever may not ask, and adds the headers that every answer has.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let refused = guard.refuses(request.method(), request.uri().path(), request.headers());
    let mut response = match refused {
        Some(status) => turned_away(status),
        None => match whole(request).await {
            Err(status) => turned_away(status),
            Ok(request) => {
                // From here on nobody waits for the other side.
                let line = request.extensions().get::<ConnectInfo<Line>>();
                let _answering = line.map(|ConnectInfo(line)| line.answer());
                next.run(request).await
            }
        },
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn turned_away(status: StatusCode) -> Response {
    let text = status.canonical_reason().unwrap_or("no");
    (status, [(header::CONNECTION, "close")], text).into_response()
}

/// A request with its whole body.
async fn whole(request: Request) -> Result<Request, StatusCode> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, MOST_BYTES).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    Ok(Request::from_parts(head, Body::from(body)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(method: &Method, path: &str, headers: &[(&'static str, &str)]) -> Option<u16> {
        let guard = Guard { token: "0123".to_owned(), port: 7000 };
        let headers = headers.iter().map(|(name, value)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"))
        });
        guard.refuses(method, path, &headers.collect()).map(|s| s.as_u16())
    }

    #[test]
    fn only_our_own_page_may_ask() {
        let host = ("host", "127.0.0.1:7000");
        let json = ("content-type", "application/json");
        let ours = ("origin", "http://127.0.0.1:7000");
        assert_eq!(ask(&Method::GET, "/0123/", &[host]), None);
        assert_eq!(ask(&Method::GET, "/0123/", &[("host", "localhost:7000")]), None);
        assert_eq!(ask(&Method::POST, "/0123/api/draft", &[host, json, ours]), None);
        // Another name, another token, another page, another kind of body.
        assert_eq!(ask(&Method::GET, "/0123/", &[("host", "evil.example:7000")]), Some(421));
        assert_eq!(ask(&Method::GET, "/0123/", &[]), Some(421));
        assert_eq!(ask(&Method::GET, "/0124/", &[host]), Some(404));
        assert_eq!(ask(&Method::GET, "/", &[host]), Some(404));
        assert_eq!(ask(&Method::GET, "/01234/", &[host]), Some(404));
        assert_eq!(
            ask(&Method::GET, "/0123/", &[host, ("sec-fetch-site", "cross-site")]),
            Some(403)
        );
        assert_eq!(ask(&Method::POST, "/0123/api/draft", &[host, json]), Some(403));
        let other = ("origin", "http://127.0.0.1:7001");
        assert_eq!(ask(&Method::POST, "/0123/api/draft", &[host, json, other]), Some(403));
        let form = ("content-type", "text/plain");
        assert_eq!(ask(&Method::POST, "/0123/api/draft", &[host, form, ours]), Some(415));
        assert_eq!(ask(&Method::DELETE, "/0123/", &[host, ours]), Some(405));
    }

    #[test]
    fn tokens_differ() {
        let (a, b) = (Guard::new(1).expect("a token"), Guard::new(1).expect("a token"));
        assert_eq!(a.token.len(), 2 * TOKEN_BYTES);
        assert_ne!(a.token, b.token);
    }
}
