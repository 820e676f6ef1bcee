//! `trellis certify`: options become a request, the document becomes text or JSON.

use std::io;

use trellis_driver::Budget;
use trellis_program::CheckSet;
use trellis_report::Exit;
use trellis_report::certify::write_text;
use trellis_session::FrontEnds;
use trellis_session::certify::{CertifyRequest, Obstacle, certify as ask, noun};

use crate::cli::{self, Format};
use crate::input::{self, shell_word};
use crate::interrupt;
use crate::output::Output;

/// Checks a certificate.
pub fn certify(options: &cli::Certify, output: &mut Output) -> io::Result<Exit> {
    let front_ends = match input::front_ends_believing(&options.front_end, options.callers) {
        Ok(all) => all,
        Err(bad) => {
            input::print(&bad, output)?;
            return Ok(Exit::BadInput);
        }
    };
    let checked = ask(request(options, front_ends));
    match (options.format, checked.failure) {
        (Format::Text, Some(failure)) => input::print(&failure, output)?,
        (Format::Text, None) => write_text(output.out(), &checked.document)?,
        (Format::Json, _) => trellis_report::json::write(output.out(), &checked.document)?,
    }
    Ok(checked.exit)
}

/// What the user asks for.
fn request(options: &cli::Certify, front_ends: FrontEnds) -> CertifyRequest {
    let mut required = CheckSet::none();
    options.require.iter().flat_map(|kinds| &kinds.0).for_each(|k| required.set(*k, true));
    CertifyRequest {
        file: options.file.clone(),
        sources: options.sources.clone(),
        front_ends,
        ignore_hash: options.ignore_hash,
        required,
        solvers: options.solvers.clone(),
        paths: options.paths.clone(),
        dump_smt: options.dump_smt.clone(),
        solver_proofs: options.solver_proofs.clone(),
        time_per_question: options.time_per_query,
        objects: options.objects,
        budget: Budget {
            timeout: options.timeout,
            memory: options.memory,
            cancel: interrupt::flag(),
            ..Budget::default()
        },
        wording: Some(Box::new(words)),
    }
}

/// What is in the way, and the option that removes it.
fn words(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::NoProofs => {
            "--solver-proofs needs --solver epr: the others make no proofs".to_owned()
        }
        // As the user has to type it.
        Obstacle::Missing { name, value } => format!(
            "the certificate is about a program with the {} {}; if that is what you want, repeat \
             it: {}",
            noun(name),
            shell_word(value),
            option(name, value)
        ),
        Obstacle::Unplaced { name, values } => {
            let places: Vec<String> = values.iter().map(|v| option(name, v)).collect();
            format!("{obstacle}; if you trust them, name them: {}", places.join(" "))
        }
        Obstacle::NoSource { .. } => format!("{obstacle}; say where the source is with --source"),
        Obstacle::OtherText { .. } => {
            format!("{obstacle} (--ignore-hash checks it all the same)")
        }
    }
}

/// The option of the command line that gives a setting a value.
fn option(setting: &str, value: &str) -> String {
    let flag = match setting {
        "define" => "-D",
        "include" => "-I",
        "preinclude" => "-include",
        other => return format!("--{other} {}", shell_word(value)),
    };
    format!("{flag} {}", shell_word(value))
}
