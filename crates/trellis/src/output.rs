//! Streams. Results go to standard output, messages about the input to standard error; both lose
//! their colours when they are not terminals or `NO_COLOR` is set.

use std::io::{self, BufWriter, Stderr, Stdout, Write};
use std::process::ExitCode;

use anstream::AutoStream;

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is verified; a run finished.
    Good = 0,
    /// Something is violated; a check failed.
    Bad = 1,
    /// The command line or the input is wrong.
    BadInput = 2,
    /// Anything else: unknown.
    Otherwise = 3,
}

impl Exit {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The exit of two things done in one process: a wrong input first, then a violation, then
    /// anything unknown.
    pub fn and(self, other: Exit) -> Exit {
        [Exit::BadInput, Exit::Bad, Exit::Otherwise]
            .into_iter()
            .find(|e| *e == self || *e == other)
            .unwrap_or(Exit::Good)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Both streams.
pub struct Output {
    out: BufWriter<AutoStream<Stdout>>,
    err: AutoStream<Stderr>,
}

impl Output {
    /// The streams of this process.
    pub fn new() -> Output {
        Output {
            out: BufWriter::new(AutoStream::auto(io::stdout())),
            err: AutoStream::auto(io::stderr()),
        }
    }

    /// For results.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// For messages about the input.
    pub fn err(&mut self) -> &mut dyn Write {
        &mut self.err
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// What was written so far becomes visible.
    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// A one-line error without a place. A closed standard error is nobody's problem.
    pub fn complain(&mut self, message: &str) {
        let _ = writeln!(self.err, "error: {message}");
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{self, *};

    #[test]
    fn the_worse_exit_wins() {
        assert_eq!(Good.and(Good), Good);
        assert_eq!(Good.and(Otherwise), Otherwise);
        assert_eq!(Bad.and(Otherwise), Bad);
        assert_eq!(BadInput.and(Bad), BadInput);
        let all: [Exit; 4] = [Good, Bad, BadInput, Otherwise];
        for a in all {
            for b in all {
                assert_eq!(a.and(b), b.and(a));
            }
        }
    }
}
