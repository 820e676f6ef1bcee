//! `trellis cache`: the answers that are kept from run to run.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trellis_report::Exit;
use trellis_session::{Stock, StoreAddress, clear_cache, stock};

use crate::cli::{self, CacheWhat};
use crate::output::Output;

/// Counts or removes answers.
pub fn cache(cli: &cli::Cache, output: &mut Output) -> io::Result<Exit> {
    let at = match cli.at.clone().map_or_else(usual, |at| Ok(Some(at))) {
        Ok(Some(at)) => at,
        Ok(None) => {
            output.complain("no folder for the cache is known; name one");
            return Ok(Exit::BadInput);
        }
        Err(why) => {
            output.complain(&why);
            return Ok(Exit::BadInput);
        }
    };
    let done = match cli.what {
        CacheWhat::Stats => stock(&at).map(Some),
        CacheWhat::Clear => clear_cache(&at).map(|()| None),
    };
    match done {
        Ok(Some(stock)) => show(&stock, output.out()).map(|()| Exit::Good),
        Ok(None) => Ok(Exit::Good),
        Err(e) => {
            output.complain(&format!("cannot use `{at}`: {e}"));
            Ok(Exit::BadInput)
        }
    }
}

fn show(stock: &Stock, out: &mut dyn Write) -> io::Result<()> {
    let of = &stock.provers;
    let (valid, invalid, not_proved) = (of.valid, of.invalid, of.not_proved);
    writeln!(out, "procedures  {}", stock.procedures)?;
    writeln!(out, "valid       {valid}")?;
    writeln!(out, "invalid     {invalid}")?;
    writeln!(out, "not proved  {not_proved}")?;
    writeln!(out, "of paths    {}", stock.paths)?;
    writeln!(out, "ignored     {}", stock.ignored)?;
    writeln!(out, "bytes       {}", stock.bytes)
}

/// The variable that says where answers are kept unless the command line does; `off` is nowhere.
const VARIABLE: &str = "TRELLIS_CACHE";

/// Where answers are kept unless the command line says so: where the environment says, else in the
/// user's folder for such things.
///
/// # Errors
/// If what the environment says is no store, as a sentence.
pub fn usual() -> Result<Option<StoreAddress>, String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    match variable(VARIABLE) {
        Some(text) if text == "off" => Ok(None),
        Some(text) => match text.parse() {
            Ok(at) => Ok(Some(at)),
            Err(why) => Err(format!("invalid value of {VARIABLE}: {why}")),
        },
        None => {
            let home = || variable("HOME").map(|home| Path::new(&home).join(".cache"));
            let folder = variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
            Ok(folder.map(|folder| StoreAddress::Folder(folder.join("trellis"))))
        }
    }
}
