//! `trellis cache`: the answers that are kept in a folder.

use std::io::{self, Write};

use trellis_report::Exit;
use trellis_session::{Stock, clear_cache, stock};

use crate::cli::{self, CacheWhat};
use crate::output::Output;

/// Counts or removes answers.
pub fn cache(cli: &cli::Cache, output: &mut Output) -> io::Result<Exit> {
    let folder = &cli.folder;
    let done = match cli.what {
        CacheWhat::Stats => stock(folder).map(Some),
        CacheWhat::Clear => clear_cache(folder).map(|()| None),
    };
    match done {
        Ok(Some(stock)) => show(&stock, output.out()).map(|()| Exit::Good),
        Ok(None) => Ok(Exit::Good),
        Err(e) => {
            output.complain(&format!("cannot use `{}`: {e}", folder.display()));
            Ok(Exit::BadInput)
        }
    }
}

fn show(stock: &Stock, out: &mut dyn Write) -> io::Result<()> {
    let of = &stock.provers;
    let (valid, invalid, not_proved) = (of.valid, of.invalid, of.not_proved);
    let (ignored, bytes) = (of.ignored, of.bytes);
    writeln!(out, "valid       {valid}")?;
    writeln!(out, "invalid     {invalid}")?;
    writeln!(out, "not proved  {not_proved}")?;
    writeln!(out, "ignored     {ignored}")?;
    writeln!(out, "bytes       {bytes}")?;
    writeln!(out, "of paths    {}", stock.paths)
}
