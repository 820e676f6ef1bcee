//! Connections: so many at a time, and none that only holds its place.
//!
//! Whoever connects has to say what it wants within [`SILENCE`]; then it may wait for the answer as
//! long as it likes, which for events is as long as the page is open, and is kept for [`IDLE`] after
//! it. Whoever does not know the token is not kept at all ([`crate::guard`]). Later connections wait
//! until one of the others is done. So holding connections open does not keep the page from being
//! served for long.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until};

/// Most connections at a time; more than the tabs that may listen ([`crate::tabs`]).
pub const MOST: usize = 128;
/// How long a connection may take to send its first request, body and all.
pub const SILENCE: Duration = Duration::from_secs(10);
/// How long a connection is kept after an answer.
pub const IDLE: Duration = Duration::from_secs(60);
/// How long to wait when the system has no connection to give.
const PAUSE: Duration = Duration::from_millis(200);

/// Accepts connections.
pub struct Connections {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Connections {
    /// On a port that is open already.
    pub fn new(listener: TcpListener) -> Connections {
        Connections { listener, places: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            // The semaphore is never closed.
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else { continue };
            match self.listener.accept().await {
                Ok((stream, from)) => return (Connection::new(stream, place), from),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// What is known of a connection besides its bytes.
#[derive(Clone, Debug)]
pub struct Line {
    /// Requests that are being answered.
    answering: Arc<AtomicUsize>,
    /// When it is closed if nothing is.
    closes: Arc<Mutex<Instant>>,
}

impl Line {
    fn new() -> Line {
        let closes = Instant::now() + SILENCE;
        Line { answering: Arc::default(), closes: Arc::new(Mutex::new(closes)) }
    }

    /// A request was read; it is being answered as long as what is returned is there.
    pub fn answer(&self) -> Answering {
        self.answering.fetch_add(1, Ordering::Relaxed);
        Answering(self.clone())
    }

    /// When a connection that says nothing is closed; `None` while it waits for us.
    fn deadline(&self) -> Option<Instant> {
        let waits = self.answering.load(Ordering::Relaxed) > 0;
        (!waits).then(|| *self.closes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Connected<IncomingStream<'_, Connections>> for Line {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Line {
        stream.io().line.clone()
    }
}

/// A request that is being answered.
pub struct Answering(Line);

impl Drop for Answering {
    fn drop(&mut self) {
        let closes = Instant::now() + IDLE;
        *self.0.closes.lock().unwrap_or_else(PoisonError::into_inner) = closes;
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One connection.
pub struct Connection {
    stream: TcpStream,
    line: Line,
    alarm: Pin<Box<Sleep>>,
    /// Its place is free again when it is gone.
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(stream: TcpStream, place: OwnedSemaphorePermit) -> Connection {
        let alarm = Box::pin(sleep_until(Instant::now() + SILENCE));
        Connection { stream, line: Line::new(), alarm, _place: place }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            return Poll::Ready(read);
        }
        let Some(deadline) = self.line.deadline() else { return Poll::Pending };
        if self.alarm.deadline() != deadline {
            self.alarm.as_mut().reset(deadline);
        }
        match self.alarm.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
