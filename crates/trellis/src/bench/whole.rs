//! `trellis bench c` and `trellis bench everyday`: whole programs, by the default run.

use std::io;
use std::path::Path;

use trellis_driver::cpu::CpuTime;
use trellis_driver::{Budget, Options, Selection};
use trellis_report::Exit;
use trellis_session::{Chosen, FrontEnds, Request, SolverChoice, Source, verify};
use trellis_suites::whole::{Manifest, Row, Standing};

use crate::cli::BenchWhole;
use crate::output::Output;
use crate::verify::threads;

/// What the default run says about a program.
struct Answer {
    verdict: &'static str,
    check: Option<&'static str>,
    /// CPU time of the whole run, reading included.
    seconds: f64,
}

/// Asks about every program; the answers must be those of the manifest.
pub fn bench(suite: &str, options: &BenchWhole, output: &mut Output) -> io::Result<Exit> {
    let usual = Path::new("benchmarks").join(suite);
    let folder = options.folder.as_deref().unwrap_or(&usual);
    let manifest = Manifest::load(folder).map_err(io::Error::other)?;
    let wanted = |r: &&Row| options.rows.is_empty() || options.rows.contains(&r.name);
    let rows: Vec<&Row> = manifest.rows.iter().filter(wanted).collect();
    if rows.is_empty() {
        output.complain("no row of the suite has such a name");
        return Ok(Exit::BadInput);
    }
    let mut exit = Exit::Good;
    let mut standings = Vec::new();
    let mut times = Vec::new();
    for row in rows {
        let answer = ask(row, folder, options)?;
        let standing = row.standing(answer.verdict, answer.check);
        exit = exit.and(if row.allows(standing) { Exit::Good } else { Exit::Otherwise });
        let mark = match (row.allows(standing), standing) {
            (false, _) => '!',
            (true, Standing::Undecided) => '?',
            (true, _) => ' ',
        };
        let Answer { verdict, check, seconds } = answer;
        let (name, check) = (&row.name, check.unwrap_or(""));
        writeln!(output.out(), "{mark} {name:<28} {verdict:<10} {check:<16} {seconds:>8.2} s")?;
        standings.push(standing);
        times.push(seconds);
    }
    let count = |wanted| standings.iter().filter(|s| **s == wanted).count();
    let (right, wrong) = (count(Standing::Right), count(Standing::Wrong));
    let unknown = count(Standing::Undecided);
    let sum: f64 = times.iter().sum();
    let median = median(&mut times);
    writeln!(
        output.out(),
        "{} programs: {right} right, {wrong} wrong, {unknown} unknown; \
         CPU {sum:.2} s, median {median:.2} s",
        standings.len(),
    )?;
    Ok(exit)
}

fn ask(row: &Row, folder: &Path, options: &BenchWhole) -> io::Result<Answer> {
    let start = CpuTime::of_all_threads();
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
        kept: None,
        excuse: None,
    };
    let done = verify(&request, |_| Ok::<(), io::Error>(()))?;
    let found = done.report.files.iter().flat_map(|f| &f.procedures).next();
    Ok(Answer {
        verdict: found.map_or("unreadable", |p| p.verdict),
        check: found.and_then(|p| p.check.as_ref()).map(|c| c.kind),
        seconds: start.seconds(),
    })
}

/// The value in the middle, or the mean of the two there.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}
