//! What each engine came to, where several were asked.

use std::io::{self, Write};

use super::{FAINT, STRONG, TextOptions, blame, cost};
use crate::model::{AttemptReport, ProcedureReport};

/// If no engine has an answer, what stopped each and what the user can do next; with `--stats` what
/// each cost.
pub(super) fn print(
    out: &mut dyn Write,
    report: &ProcedureReport,
    options: TextOptions,
) -> io::Result<()> {
    // Who stopped the work knows why there is no answer.
    let cancelled = report.reason.as_ref().is_some_and(|r| r.kind == "cancelled");
    if (report.verdict != "unknown" || cancelled) && !options.stats {
        return Ok(());
    }
    // Engines of one kind are often stopped by the same thing, which is then said once.
    let same = |a: &AttemptReport, b: &AttemptReport| a.reason.is_some() && a.reason == b.reason;
    for alike in report.attempts.chunk_by(same) {
        let names: Vec<&str> = alike.iter().map(|a| a.engine).collect();
        let said = alike[0].reason.as_ref().map_or(report.verdict, |r| r.text.as_str());
        writeln!(out, "  {STRONG}{}{STRONG:#}: {said}", names.join(", "))?;
        if let Some(reason) = &alike[0].reason {
            blame(out, reason, "      ")?;
            if let (Some(advice), "unknown") = (&reason.advice, report.verdict) {
                writeln!(out, "      {FAINT}try: {advice}{FAINT:#}")?;
            }
        }
        for attempt in alike.iter().filter(|_| options.stats) {
            let of = if alike.len() > 1 { format!("{}: ", attempt.engine) } else { String::new() };
            writeln!(out, "      {FAINT}{of}{}{FAINT:#}", cost(&attempt.statistics))?;
        }
    }
    Ok(())
}
