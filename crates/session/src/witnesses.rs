//! What a witness says about its task: which files, of which data model, for which property.

use std::io;

use trellis_driver::Properties;
use trellis_program::types::DataModel;
use trellis_program::{FrontEnd, Unit};
use trellis_report::formats::witness::Task;

use crate::request::Source;

/// When witnesses say that they were made, unless the environment does: a run repeats to the letter.
const EPOCH: u64 = 0;

/// The task that a program is.
///
/// # Errors
/// If a file cannot be read any more, or was never one.
pub fn task(
    source: &Source,
    front_end: &dyn FrontEnd,
    unit: &Unit,
    properties: Option<&Properties>,
    created: Option<u64>,
) -> io::Result<Task> {
    let read = |s: &Source| match s {
        Source::File(path) => Ok((path.display().to_string(), std::fs::read(path)?)),
        _ => Err(io::Error::other("what is no file has no witness")),
    };
    let files: Vec<_> = source.all().iter().map(read).collect::<io::Result<_>>()?;
    let texts = files.iter().map(|(_, text)| String::from_utf8_lossy(text).into_owned()).collect();
    let certified = trellis_certify::Source::of_program(files, front_end, unit);
    let linked = certified.linked.into_iter().map(|f| (f.path, f.sha256));
    let files = std::iter::once((certified.path, certified.sha256)).chain(linked);
    let data_model = match unit.program.types.model() {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
    };
    let specification = properties.map(|p| {
        let one = |name: &str| match name {
            "unreach-call" => "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
            name => format!("CHECK( init(main()), LTL(G {name}) )"),
        };
        p.list().iter().map(|p| one(p.name())).collect::<Vec<_>>().join("\n")
    });
    Ok(Task {
        files: files.collect(),
        texts,
        data_model: data_model.to_owned(),
        specification,
        created: date(created.unwrap_or(EPOCH)),
    })
}

/// Seconds since 1970 as a date of RFC 3339.
pub fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // The calendar repeats every 400 years; years begin in March, so that leap days come last.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_704_067_199), "2023-12-31T23:59:59Z");
        assert_eq!(date(1_709_164_800), "2024-02-29T00:00:00Z");
    }
}
