//! A server with practice games, for the tests of the server and of the page: small honest games
//! over heaps of a few cells, without a verifier behind them.
//!
//!     practice FOLDER [LEVEL [PORT]]
//!
//! * [`heap`]: heaps and all small ones; [`matching`]: does a heap fit a drawing?
//! * [`scenario`]: the programs; [`game`]: the game itself

mod game;
mod heap;
mod matching;
mod scenario;

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use trellis_report::game::Level;
use trellis_session::game::Game;
use trellis_web::{Library, Options, Server};

struct Practice;

impl Library for Practice {
    fn levels(&self) -> Vec<Level> {
        scenario::all().iter().map(|s| s.level.clone()).collect()
    }

    fn open(&self, level: &str) -> Result<Box<dyn Game>, String> {
        let found = scenario::all().into_iter().find(|s| s.level.id == level);
        let scenario = found.ok_or_else(|| format!("there is no level `{level}`"))?;
        Ok(Box::new(game::Practice::new(scenario)))
    }
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("usage: practice FOLDER [LEVEL [PORT]]")?.into();
    let level = arguments.get(1).map_or("alt_list", |level| level).to_owned();
    let port = arguments.get(2).map_or(Ok(0), |port| port.parse()).map_err(|_| "a port")?;
    let patience = Duration::from_secs(60);
    let options = Options { port, folder, level, fresh: false, patience };
    let server = Server::new(Box::new(Practice), options)?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", server.address()).and_then(|()| out.flush()).map_err(|e| e.to_string())?;
    server.run(&AtomicBool::new(false)).map_err(|e| e.to_string())
}
