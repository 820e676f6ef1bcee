//! Streams. Results go to standard output, messages about the input to standard error; both lose
//! their colours when they are not terminals or `NO_COLOR` is set.

use std::io::{self, BufWriter, Stderr, Stdout, Write};

use anstream::AutoStream;

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
