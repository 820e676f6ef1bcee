//! Reading the files that outside checkers read too: DIMACS and LRAT.
//!
//! **Invariant**: only files with one clause or step a line are read, in the order and with the
//! numbers of the proof; so whoever else reads them reads the same.

use crate::cnf::Cnf;
use crate::proof::Step;
use crate::{Rejection, reject};

/// Checks that a DIMACS file has exactly these clauses, in this order.
pub(crate) fn same_dimacs(text: &str, cnf: &Cnf) -> Result<(), Rejection> {
    let mut lines = text.lines().filter(|l| !l.starts_with('c'));
    let header = format!("p cnf {} {}", cnf.meanings.len(), cnf.clauses.len());
    if lines.next() != Some(&header) {
        return reject(format!("the first line should be `{header}`"));
    }
    for (number, clause) in cnf.clauses.iter().enumerate() {
        let found = lines.next().map(numbers).transpose()?;
        let expected: Vec<i64> = clause.iter().map(|&l| i64::from(l)).chain([0]).collect();
        if found != Some(expected) {
            return reject(format!("clause {} is not that of the proof", number + 1));
        }
    }
    match lines.next() {
        None => Ok(()),
        Some(_) => reject("there are more clauses than the proof has"),
    }
}

/// The steps of an LRAT file, after so many clauses.
pub(crate) fn lrat(text: &str, before: usize) -> Result<Vec<Step>, Rejection> {
    let mut steps = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let all = numbers(line)?;
        let parts: Vec<&[i64]> = all.split(|&n| n == 0).collect();
        let step = match parts[..] {
            [[id, clause @ ..], hints, []] if usize::try_from(*id) == Ok(before + number + 1) => {
                let clause: Option<_> = clause.iter().map(|&l| i32::try_from(l).ok()).collect();
                let hints: Option<_> = hints.iter().map(|&h| usize::try_from(h).ok()).collect();
                clause.zip(hints).map(|(clause, hints)| Step { clause, hints })
            }
            _ => None,
        };
        match step {
            Some(step) => steps.push(step),
            None => return reject(format!("line {} is not the next step", number + 1)),
        }
    }
    Ok(steps)
}

fn numbers(line: &str) -> Result<Vec<i64>, Rejection> {
    let number = |word: &str| match word.parse() {
        Ok(number) => Ok(number),
        Err(_) => reject(format!("`{word}` is not a number")),
    };
    line.split_whitespace().map(number).collect()
}
