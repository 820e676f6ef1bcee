//! `trellis oracle`: the pattern game in the browser.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use trellis_certify::digest;
use trellis_driver::Options;
use trellis_program::Failure;
use trellis_report::game::Level;
use trellis_report::{Exit, text};
use trellis_session::Source;
use trellis_session::game::{Game, GameRequest, Patience, open};
use trellis_web::{Library, Server};

use crate::cli;
use crate::output::Output;
use crate::{input, interrupt};

/// The levels: name, title, what they are about, source.
const LEVELS: &[(&str, &str, &str, &str)] = &[
    (
        "first-steps",
        "First steps",
        "A list that grows. The tour explains the page in two minutes.",
        include_str!("../levels/first-steps.c"),
    ),
    (
        "alt-list",
        "Alternating list",
        "The values along the list alternate.",
        include_str!("../../../benchmarks/proveit/alt-list-simplified.c"),
    ),
    (
        "two-part",
        "Two parts",
        "First all true, then all false.",
        include_str!("../../../benchmarks/proveit/two-part.c"),
    ),
    (
        "one-marked",
        "One marked",
        "Exactly one cell of the list is marked.",
        include_str!("../../../benchmarks/proveit/one-marked.c"),
    ),
    (
        "opposite",
        "Opposites",
        "Two marks on every cell, never the same.",
        include_str!("../../../benchmarks/proveit/opposite.c"),
    ),
    (
        "dll-back",
        "There and back",
        "A doubly linked list: every pointer back leads back.",
        include_str!("../../../benchmarks/proveit/dll-back.c"),
    ),
];

/// How long opening a game may take.
const OPENING: Duration = Duration::from_secs(120);

/// Serves the game until it is interrupted.
pub fn oracle(cli: &cli::Oracle, output: &mut Output) -> io::Result<Exit> {
    let Some(folder) = cli.save.clone().or_else(default_folder) else {
        output.complain("there is no folder for saved games: please use --save DIR");
        return Ok(Exit::BadInput);
    };
    let options = Options {
        checks: cli.checks.set(),
        int_values: cli.checks.int_values.clone(),
        malloc_may_fail: cli.checks.malloc_may_fail,
        ..Options::default()
    };
    let own = cli.file.as_ref().map(|file| Own {
        id: name_of(file, cli.proc.as_deref()),
        file: file.clone(),
        procedure: cli.proc.clone(),
    });
    let level = match (&own, &cli.level) {
        (Some(own), _) => own.id.clone(),
        (None, Some(level)) => level.clone(),
        (None, None) => LEVELS[0].0.to_owned(),
    };
    let games = Games { own, folder: folder.clone(), options, front_end: cli.front_end.clone() };
    if !games.levels().iter().any(|l| l.id == level) {
        let names: Vec<&str> = LEVELS.iter().map(|l| l.0).collect();
        output.complain(&format!("there is no level `{level}`; there are {}", names.join(", ")));
        return Ok(Exit::BadInput);
    }
    // What cannot be played is said here, with carets; the server only has sentences.
    if let Some(own) = &games.own
        && let Err(failure) =
            games.game(&Source::File(own.file.clone()), own.procedure.as_deref(), None)
    {
        input::print(&failure, output)?;
        return Ok(Exit::BadInput);
    }
    let stop = interrupt::flag();
    let serving = trellis_web::Options {
        port: cli.port,
        folder,
        level,
        fresh: cli.new,
        patience: cli.patience,
    };
    let server = match Server::new(Box::new(games), serving) {
        Ok(server) => server,
        Err(why) => {
            output.complain(&format!(
                "{why}; --new begins another game, --save DIR keeps games elsewhere"
            ));
            return Ok(Exit::BadInput);
        }
    };
    let address = server.address();
    writeln!(output.out(), "Play at {address}")?;
    writeln!(
        output.out(),
        "Whoever has this address can play; Ctrl-C ends the server, the game is saved."
    )?;
    output.out().flush()?;
    if !cli.no_open {
        browse(&address);
    }
    server.run(&stop)?;
    Ok(Exit::Good)
}

/// A file of the user.
struct Own {
    id: String,
    file: PathBuf,
    procedure: Option<String>,
}

/// The games: the user's own file, and the levels.
struct Games {
    own: Option<Own>,
    folder: PathBuf,
    options: Options,
    front_end: cli::FrontEnd,
}

impl Games {
    fn game(
        &self,
        source: &Source,
        procedure: Option<&str>,
        title: Option<&str>,
    ) -> Result<Box<dyn Game>, Failure> {
        open(&GameRequest {
            source,
            front_ends: &input::front_ends(&self.front_end)?,
            procedure,
            options: self.options.clone(),
            title,
            // The tutorial would have nothing to teach.
            small_start: title == Some(LEVELS[0].1),
            patience: Patience { cancel: Arc::default(), limit: OPENING },
        })
    }
}

impl Library for Games {
    fn levels(&self) -> Vec<Level> {
        let own = self.own.iter().map(|own| Level {
            id: own.id.clone(),
            title: own.file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sentence: "Your program.".to_owned(),
            tour: false,
        });
        let levels = LEVELS.iter().map(|(id, title, sentence, _)| Level {
            id: (*id).to_owned(),
            title: (*title).to_owned(),
            sentence: (*sentence).to_owned(),
            tour: *id == LEVELS[0].0,
        });
        own.chain(levels).collect()
    }

    fn open(&self, level: &str) -> Result<Box<dyn Game>, String> {
        let said = |failure: Failure| {
            let mut text = Vec::new();
            let written = text::diagnostics(&mut text, &failure.sources, &failure.diagnostics);
            written.map_or_else(
                |e| e.to_string(),
                |()| String::from_utf8_lossy(&text).trim().to_owned(),
            )
        };
        if let Some(own) = self.own.as_ref().filter(|own| own.id == level) {
            return self
                .game(&Source::File(own.file.clone()), own.procedure.as_deref(), None)
                .map_err(said);
        }
        let found = LEVELS
            .iter()
            .find(|l| l.0 == level)
            .ok_or_else(|| format!("there is no level `{level}`"))?;
        // Sources have headers, so the preprocessor needs a file; the folder may have files of the
        // user, so ours have their own.
        let folder = self.folder.join(".levels");
        let file = folder.join(format!("{level}.c"));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&file, found.3))
            .map_err(|e| format!("{}: {e}", file.display()))?;
        self.game(&Source::File(file), None, Some(found.1)).map_err(said)
    }
}

/// The name of the game of a file: readable, and its own for every file and procedure.
fn name_of(file: &Path, procedure: Option<&str>) -> String {
    let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let readable: String = stem.chars().take(32).map(letters).collect();
    let hash = digest(format!("{}\n{}", whole.display(), procedure.unwrap_or("")).as_bytes());
    format!("{readable}-{}", &hash[..8])
}

/// Where games are kept if the user does not say.
fn default_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    Some(state.join("trellis").join("games"))
}

/// Asks the desktop to open the page; whoever has none has the address.
fn browse(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // It is a courtesy: the address is printed.
    drop(quiet);
}
