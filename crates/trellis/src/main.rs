//! The `trellis` command line: a client of `trellis_session` that turns options into requests and
//! events into text.
//!
//! * [`cli`]: options; [`values`]: durations, sizes, names
//! * [`input`]: how to read files, errors out
//! * [`verify`], [`run`], [`show`], [`certify`], [`oracle`], [`mod@cache`], [`mod@bench`]: one file a subcommand
//! * [`rerun`]: how a counterexample is run again; [`states`]: abstract heaps, for `show`
//! * [`output`]: streams, colours, broken pipes; [`progress`]: the line while it works
//! * [`crash`]: what a panic says

mod bench;
mod cache;
mod certify;
mod cli;
mod compile_commands;
mod crash;
mod engine_settings;
mod input;
mod interrupt;
mod oracle;
mod output;
mod progress;
mod rerun;
mod run;
mod show;
mod states;
mod svg;
mod values;
mod verify;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use trellis_report::Exit;

use crate::cli::{Cli, Command};
use crate::output::Output;

fn main() -> ExitCode {
    crash::install();
    // Wrong options end here with exit code 2, `--help` and `--version` with 0.
    let cli = Cli::parse_from(cli::arguments());
    let mut output = Output::new();
    let result = match &cli.command {
        Command::Verify(options) => verify::verify(options, &mut output),
        Command::Run(options) => run::run(options, &mut output),
        Command::Show(options) => show::show(options, &mut output),
        Command::Certify(options) => certify::certify(options, &mut output),
        Command::Oracle(options) => oracle::oracle(options, &mut output),
        Command::Cache(options) => cache::cache(options, &mut output),
        Command::Bench(options) => bench::bench(options, &mut output),
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
