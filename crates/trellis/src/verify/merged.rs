//! `trellis verify --merge`: the report of answers that other processes have found.

use std::borrow::Cow;
use std::io;

use trellis_program::SourceMap;
use trellis_report::formats::sarif;
use trellis_report::model::{ProcedureReport, REPORT_SCHEMA, Report, Tool};
use trellis_report::page::Texts;
use trellis_report::programs::Programs;
use trellis_report::text::{self, TextOptions};
use trellis_report::{Exit, json};

use super::{baseline, files, print, refuse, summary};
use crate::cli::{self, VerifyFormat};
use crate::excuses::{Excuses, Suppression};
use crate::output::Output;
use crate::parts::Merged;

/// Makes the report of answers that other processes have found.
pub(super) fn merged(
    cli: &cli::Verify,
    suppressions: Vec<Suppression>,
    output: &mut Output,
) -> io::Result<Exit> {
    let excuses = match Excuses::new(cli.baseline.as_deref(), suppressions) {
        Ok(excuses) => excuses,
        Err(bad) => return refuse(cli, &bad, output),
    };
    let excuse = |report: &ProcedureReport, sources: &SourceMap| excuses.excuse(report, sources);
    let wanted = cli.write_baseline.is_some() || !excuses.is_empty();
    let merged = match Merged::new(&cli.merge, wanted.then_some(&excuse)) {
        Ok(merged) => merged,
        Err(why) => {
            output.complain(&why);
            return Ok(Exit::BadInput);
        }
    };
    let mut exit = merged.exit;
    if cli.fail_on == cli::FailOn::Violated && exit == Exit::Otherwise {
        exit = Exit::Good;
    }
    if merged.missing > 0 {
        output.complain(&format!("{} procedures have no answer", merged.missing));
    }
    if merged.unread > 0 {
        output.complain(&format!("{} programs were not read", merged.unread));
    }
    let mut texts = Texts::default();
    if cli.html.is_some() {
        let procedures = merged.each().flat_map(|file| file.into_owned().procedures);
        procedures.for_each(|procedure| texts.name(&procedure));
    }
    files(cli, exit, &merged, &texts)?;
    baseline(cli, exit, &excuses, output)?;
    match cli.format {
        VerifyFormat::Json => json::write_each(output.out(), exit, &merged)?,
        VerifyFormat::Sarif => sarif::write(output.out(), exit.code(), &merged)?,
        VerifyFormat::Answers => {}
        VerifyFormat::Text => {
            let options = TextOptions { full_trace: cli.full_trace, stats: cli.stats };
            let (mut verdicts, mut cached) = (Vec::new(), 0);
            for read in merged.with_sources() {
                let (file, sources) = read.map_err(io::Error::other)?;
                for procedure in &file.procedures {
                    text::procedure(output.out(), &sources, procedure, options)?;
                    verdicts.push(procedure.verdict);
                    cached += usize::from(procedure.cached);
                }
            }
            summary(cli, &verdicts, cached, output)?;
        }
        VerifyFormat::Junit | VerifyFormat::Github | VerifyFormat::Dot | VerifyFormat::Witness => {
            let (schema, tool, exit_code) = (REPORT_SCHEMA, Tool::default(), exit.code());
            let files = merged.each().map(Cow::into_owned).collect();
            print(cli.format, &Report { schema, tool, exit_code, files }, &[], output)?;
        }
    }
    if let Some(problem) = merged.problem() {
        output.complain(&problem);
        return Ok(Exit::BadInput);
    }
    Ok(exit)
}
