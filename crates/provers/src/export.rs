//! Sequents as files, proved or not, for provers and for people.
//!
//! The files for SMT-LIB, TPTP and MONA are what these provers are given here. Those for Coq and
//! Isabelle say the sequent itself, with nothing replaced, and leave the proof to a person: they load
//! as they are, with an admitted theorem.
//!
//! * `coq`, `isabelle`: whole sequents

mod coq;
mod isabelle;

use std::fmt;
use std::str::FromStr;

use trellis_hol::{Binder, VarId};

use crate::first_order::problem;
use crate::{Question, mona, smt, tptp};

/// A language of provers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// SMT-LIB: z3, cvc5.
    Smt2,
    /// TPTP: E, SPASS.
    Tptp,
    /// MONA.
    Mona,
    /// Coq.
    Coq,
    /// Isabelle.
    Isabelle,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] =
        [Format::Smt2, Format::Tptp, Format::Mona, Format::Coq, Format::Isabelle];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Smt2 => "smt2",
            Format::Tptp => "tptp",
            Format::Mona => "mona",
            Format::Coq => "coq",
            Format::Isabelle => "isabelle",
        }
    }

    /// How its files end.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Smt2 => "smt2",
            Format::Tptp => "p",
            Format::Mona => "mona",
            Format::Coq => "v",
            Format::Isabelle => "thy",
        }
    }

    /// A question in this language, with a comment; `title` is a name that files and theories can
    /// have. `None` if the language cannot say the goal at all.
    pub fn write(self, question: &Question<'_>, title: &str, comment: &str) -> Option<String> {
        let lines = |mark: &str| -> String {
            comment.lines().map(|line| format!("{mark} {line}\n")).collect()
        };
        Some(match self {
            Format::Smt2 => lines(";") + &smt::write(&problem(question), false),
            Format::Tptp => {
                let problem = problem(question);
                let names = tptp::names(&problem);
                let names: String =
                    names.iter().map(|(n, of)| format!("% {n} is {of}\n")).collect();
                lines("%") + &names + &tptp::write(&problem)
            }
            Format::Mona => lines("#") + &mona::write(question)?,
            Format::Coq => coq::write(question, title, comment),
            Format::Isabelle => isabelle::write(question, title, comment),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Format, String> {
        let found = Format::ALL.into_iter().find(|f| f.name() == text);
        found.ok_or_else(|| {
            let all: Vec<&str> = Format::ALL.iter().map(|f| f.name()).collect();
            format!("`{text}` is none of {}", all.join(", "))
        })
    }
}

/// A name that every language allows, with a number that makes it its own.
fn identifier(name: &str, number: u32) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{}_{number}", plain.trim_matches('_')).trim_start_matches('_').to_owned()
}

/// The same, beginning with a letter.
fn symbol_name(name: &str, number: u32) -> String {
    format!("s_{}", identifier(name, number))
}

fn binder_name(b: &Binder) -> String {
    variable_name(b.id)
}

fn variable_name(v: VarId) -> String {
    format!("v{}", v.0)
}
