//! Values on the command line: durations, sizes, names.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use trellis_driver::Property;
use trellis_program::{CheckKind, CheckSet};
use trellis_session::SolverKind;

/// `500ms`, `30s`, `2m`, `1h`, `1.5` (seconds).
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time: ms, s, m or h")),
    };
    let seconds = number
        .parse::<f64>()
        .map_err(|_| "a number and a unit are expected, such as 30s".to_owned())?
        * scale;
    Duration::try_from_secs_f64(seconds).map_err(|_| "the time is out of range".to_owned())
}

/// `512M`, `2G`, `64K`, `1000` (bytes); powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let unit = unit.trim_end_matches("iB").trim_end_matches('B');
    let scale = match unit {
        "" => 1u64,
        "k" | "K" => 1 << 10,
        "m" | "M" => 1 << 20,
        "g" | "G" => 1 << 30,
        "t" | "T" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of memory: K, M, G or T")),
    };
    let bytes = number
        .parse::<f64>()
        .map_err(|_| "a number and a unit are expected, such as 2G".to_owned())?
        * scale as f64;
    if !(0.0..9e18).contains(&bytes) {
        return Err("the size is out of range".to_owned());
    }
    Ok(bytes as u64)
}

/// `-1`, `0`, `42`.
pub fn integer(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "64-bit integers separated by commas are expected".to_owned())
}

/// `z3=/opt/z3/bin/z3`.
pub fn solver_path(text: &str) -> Result<(SolverKind, PathBuf), String> {
    let (name, path) = text
        .split_once('=')
        .ok_or_else(|| "a solver and a path are expected, such as z3=/opt/z3".to_owned())?;
    match name.parse() {
        Ok(SolverKind::Epr) => Err("epr is part of trellis and has no path".to_owned()),
        Ok(kind) => Ok((kind, path.into())),
        Err(_) => Err(format!("`{name}` is no solver with a path: z3 or cvc5")),
    }
}

/// The names of the solvers.
pub fn solver() -> impl TypedValueParser<Value = SolverKind> {
    let named = SolverKind::ALL.map(|kind| {
        let help = match kind {
            SolverKind::Epr => "The one that is part of Trellis",
            SolverKind::Z3 => "Z3, as a process",
            SolverKind::Cvc5 => "cvc5, as a process",
        };
        PossibleValue::new(kind.name()).help(help)
    });
    PossibleValuesParser::new(named).try_map(|name| name.parse::<SolverKind>())
}

/// The name of a kind of check.
pub fn check_kind(text: &str) -> Result<CheckKind, String> {
    text.parse::<CheckKind>().map_err(|e| {
        if e.contains("did you mean") {
            return e;
        }
        let names: Vec<&str> = CheckKind::ALL.iter().map(|k| k.name()).collect();
        format!("{e}; there are {}", names.join(", "))
    })
}

/// Some kinds of checks under one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kinds(pub Vec<CheckKind>);

/// `memsafety`, `default`, or the name of a kind: the checks that a proof must be about.
pub fn required(text: &str) -> Result<Kinds, String> {
    match text {
        "memsafety" => Ok(Kinds(CheckKind::MEMORY_SAFETY.to_vec())),
        "default" => Ok(Kinds(CheckSet::default().iter().collect())),
        _ => check_kind(text)
            .map(|kind| Kinds(vec![kind]))
            .map_err(|e| format!("{e}; or `memsafety` and `default`, which are several")),
    }
}

/// Properties under one name, or of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyNames(pub Vec<Property>);

/// `valid-deref`, `memsafety`, or the path of a `.prp` file.
pub fn properties(text: &str) -> Result<PropertyNames, String> {
    if text == "memsafety" {
        return Ok(PropertyNames(Property::MEMSAFETY.to_vec()));
    }
    if !text.ends_with(".prp") {
        return text.parse().map(|p| PropertyNames(vec![p]));
    }
    let file = std::fs::read_to_string(text).map_err(|e| format!("cannot read `{text}`: {e}"))?;
    property_file(&file).map(PropertyNames)
}

/// The properties of a `.prp` file: lines such as `CHECK( init(main()), LTL(G valid-free) )`.
fn property_file(text: &str) -> Result<Vec<Property>, String> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if words.is_empty() || words.starts_with("//") || words.starts_with('#') {
            continue;
        }
        let formula = words
            .strip_prefix("CHECK(init(main()),LTL(G")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| {
                format!("line {number}: `CHECK( init(main()), LTL(G …) )` is expected")
            })?;
        let property = match formula {
            "!call(reach_error())" | "!call(__VERIFIER_error())" => Property::UnreachCall,
            name => name.parse().map_err(|e| format!("line {number}: {e}"))?,
        };
        all.push(property);
    }
    match all.is_empty() {
        true => Err("the file has no property".to_owned()),
        false => Ok(all),
    }
}

/// Words that an option can be, each with what it means.
pub fn choices(words: Vec<(&'static str, &'static str)>) -> Vec<PossibleValue> {
    words.into_iter().map(|(word, help)| PossibleValue::new(word).help(help)).collect()
}

/// The names of the engines.
pub fn engine_names() -> PossibleValuesParser {
    PossibleValuesParser::new(choices(trellis_driver::Registry::default().plans()))
}

/// The leading number and what follows it.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        for bad in ["", "s", "-1s", "1x", "1.2.3s", "99999999999999999999s", "٣s"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn property_files() {
        let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\
                    CHECK( init(main()), LTL(G valid-free) )\n\n";
        assert_eq!(property_file(text), Ok(vec![Property::UnreachCall, Property::ValidFree]));
        for bad in [
            "",
            "G valid-free",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G ! overflow) )",
            "CHECK( init(foo()), LTL(G valid-free) )",
        ] {
            assert!(property_file(bad).is_err(), "{bad}");
        }
        assert_eq!(properties("memsafety").map(|p| p.0.len()), Ok(3));
        assert!(properties("no-overflow").is_err());
    }

    #[test]
    fn sizes() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("1.5KiB"), Ok(1536));
        assert_eq!(size("1000"), Ok(1000));
        for bad in ["", "G", "-1", "2X", "1e99", "99999999999T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
