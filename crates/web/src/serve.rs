//! From a library of games to a server that runs until it is told to stop.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use crate::connections::{Connections, Line};
use crate::guard::Guard;
use crate::library::Library;
use crate::routes::{Shared, router};
use crate::table::Table;

/// How often the server looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How long requests may take after it was told to stop.
const LAST: Duration = Duration::from_secs(2);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The port; 0: any that is free.
    pub port: u16,
    /// Where the files of games are.
    pub folder: PathBuf,
    /// The level that is played first.
    pub level: String,
    /// Begin it anew, even if there is a file.
    pub fresh: bool,
    /// How long the verifier may look at a drawing.
    pub patience: Duration,
}

/// A server that listens already, and has opened its game.
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    table: Table,
}

impl Server {
    /// Opens the game and the port, on this machine only.
    ///
    /// # Errors
    /// Why that is not possible, for people.
    pub fn new(library: Box<dyn Library>, options: Options) -> Result<Server, String> {
        let Options { port, folder, level, fresh, patience } = options;
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let table = Table::new(library, folder, &level, fresh, patience)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = listener.map_err(|e| format!("cannot listen on port {port}: {e}"))?;
        let port = listener.local_addr().map_err(|e| e.to_string())?.port();
        let guard = Guard::new(port).map_err(|e| format!("no random numbers: {e}"))?;
        Ok(Server { listener, guard, table })
    }

    /// The address of the page; whoever has it can play.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Serves until the flag is set. Everything that was answered is on the disk already.
    ///
    /// # Errors
    /// Those of the network.
    pub fn run(self, stop: &AtomicBool) -> io::Result<()> {
        let Server { listener, guard, table } = self;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let done = runtime.block_on(async {
            listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let (tell, told) = watch::channel(false);
            let shared = Shared { table: Arc::new(table), stop: told.clone() };
            let mut ends = told;
            let ended = async move {
                // A sender that is gone has told as well.
                let _ = ends.wait_for(|stop| *stop).await;
            };
            let service = router(shared, guard).into_make_service_with_connect_info::<Line>();
            let serving = axum::serve(Connections::new(listener), service);
            let serving = serving.with_graceful_shutdown(ended).into_future();
            let stopping = async {
                while !stop.load(Ordering::Relaxed) {
                    tokio::time::sleep(LOOK).await;
                }
                tell.send_replace(true);
                tokio::time::sleep(LAST).await;
            };
            tokio::select! {
                served = serving => served,
                () = stopping => Ok(()),
            }
        });
        // A verifier that still thinks is not waited for.
        runtime.shutdown_background();
        done
    }
}
