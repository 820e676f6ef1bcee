//! The `trellis` command line: a client of `trellis_session` that turns options into requests and
//! events into text.
//!
//! * [`cli`]: options; [`values`]: durations, sizes, names
//! * [`input`]: how to read files, errors out
//! * [`verify`], [`run`], [`show`], [`explain`], [`certify`], [`oracle`], [`mod@cache`], [`mod@bench`]: one file a subcommand
//! * [`rerun`]: how a counterexample is run again; [`states`]: abstract heaps, for `show`
//! * [`output`]: streams, colours, broken pipes; [`progress`]: the line while it works
//! * [`config`]: the file of a project; [`excuses`]: what is no reason to fail; [`watch`]: again and again
//! * [`editor`]: what the language server verifies files with
//! * [`parts`]: one request, many processes
//! * [`crash`]: what a panic says

mod bench;
mod cache;
mod certify;
mod cli;
mod compile_commands;
mod config;
mod crash;
mod editor;
mod engine_settings;
mod excuses;
mod explain;
mod input;
mod interrupt;
mod oracle;
mod output;
mod parts;
mod progress;
mod rerun;
mod run;
mod show;
mod states;
mod svg;
mod values;
mod verify;
mod watch;

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use trellis_report::Exit;

use crate::cli::{Cli, Command};
use crate::output::Output;

/// Writes the manual pages.
fn man(folder: &Path, output: &mut Output) -> io::Result<Exit> {
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => Ok(Exit::Good),
        Err(e) => {
            output.complain(&format!("cannot write to `{}`: {e}", folder.display()));
            Ok(Exit::BadInput)
        }
    }
}

fn main() -> ExitCode {
    crash::install();
    // Wrong options end here with exit code 2, `--help` and `--version` with 0.
    let mut output = Output::new();
    let (arguments, suppressions) = match config::arguments(cli::arguments().collect()) {
        Ok(both) => both,
        Err(bad) => {
            // Nobody is left to be told if that cannot be written.
            let _ = input::print(&bad, &mut output);
            return Exit::BadInput.code().into();
        }
    };
    let cli = Cli::parse_from(arguments);
    cli.require_files();
    let result = match &cli.command {
        Command::Verify(options) if options.watch => {
            watch::watch(options, &suppressions, &mut output)
        }
        Command::Verify(options) => verify::verify(options, suppressions, &mut output),
        Command::Explain(options) => explain::explain(options, &mut output),
        Command::Run(options) => run::run(options, &mut output),
        Command::Show(options) => show::show(options, &mut output),
        Command::Certify(options) => certify::certify(options, &mut output),
        Command::Oracle(options) => oracle::oracle(options, &mut output),
        Command::Lsp => trellis_lsp::serve(Arc::new(editor::request)).map(|()| Exit::Good),
        Command::Cache(options) => cache::cache(options, &mut output),
        Command::Bench(options) => bench::bench(options, &mut output),
        Command::Man { folder } => man(folder, &mut output),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "trellis", &mut script);
            output.raw(&script).map(|()| Exit::Good)
        }
    };
    let result = result.and_then(|exit| output.finish().map(|()| exit));
    match result {
        Ok(exit) => exit.code().into(),
        // Whoever read our output has seen enough.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Exit::Otherwise.code().into(),
        Err(e) => {
            output.complain(&format!("cannot write the output: {e}"));
            Exit::BadInput.code().into()
        }
    }
}
