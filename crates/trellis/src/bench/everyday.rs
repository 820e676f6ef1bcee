//! `trellis bench everyday`: whole programs as people write them, by the default run.

use std::io;

use trellis_driver::{Budget, Options, Selection};
use trellis_report::Exit;
use trellis_session::{Chosen, FrontEnds, Request, SolverChoice, Source, verify};
use trellis_suites::everyday::{Manifest, Row};

use crate::cli::BenchEveryday;
use crate::output::Output;
use crate::verify::threads;

/// Asks about every program; the answers must be those of the manifest.
pub fn bench(options: &BenchEveryday, output: &mut Output) -> io::Result<Exit> {
    let folder = &options.folder;
    let manifest = Manifest::load(folder).map_err(io::Error::other)?;
    let wanted = |r: &&Row| options.rows.is_empty() || options.rows.contains(&r.name);
    let rows: Vec<&Row> = manifest.rows.iter().filter(wanted).collect();
    if rows.is_empty() {
        output.complain("no row of the suite has such a name");
        return Ok(Exit::BadInput);
    }
    let mut exit = Exit::Good;
    for row in rows {
        let files = row.files.iter().map(|f| Source::File(folder.join(f))).collect();
        let front_ends = FrontEnds::default();
        let request = Request {
            sources: Source::programs(files, &front_ends, false),
            front_ends,
            selection: Selection::Named(vec!["main".to_owned()]),
            engine: Chosen::new("auto", &Default::default(), SolverChoice::default())
                .map_err(io::Error::other)?,
            options: Options { threads: threads(None), ..Options::default() },
            budget: Budget { timeout: Some(options.timeout), ..Budget::default() },
            properties: None,
            lenient: false,
            command: None,
        };
        let done = verify(&request, |_| Ok::<(), io::Error>(()))?;
        let found = done.report.files.iter().flat_map(|f| &f.procedures).next();
        let verdict = found.map_or("unreadable", |p| p.verdict);
        let check = found.and_then(|p| p.check.as_ref()).map_or("", |c| c.kind);
        let right = row.expect.allows(verdict)
            && (verdict != "violated" || row.check.as_deref() == Some(check));
        exit = exit.and(if right { Exit::Good } else { Exit::Otherwise });
        let mark = if right { ' ' } else { '!' };
        let seconds = found.map_or(0.0, |p| p.statistics.seconds);
        let name = &row.name;
        writeln!(output.out(), "{mark} {name:<20} {verdict:<10} {check:<16} {seconds:>8.2} s")?;
    }
    Ok(exit)
}
