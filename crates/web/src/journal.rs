//! The file of a game.
//!
//! **Invariant.** When [`Journal::append`] returns, the line is on the disk, and can be read again. The
//! file is locked while it is open, so that two servers cannot write one game.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use trellis_report::game::journal::{self, Header, Line};

/// An open file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Where its whole lines end.
    end: u64,
}

impl Journal {
    /// Opens the file of a game, or begins it; the lines that are there already.
    ///
    /// # Errors
    /// A sentence: the file is another game's, is in use, or cannot be read.
    pub fn open(path: &Path, header: &Header) -> Result<(Journal, Vec<Line>), String> {
        let wrong = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|e| wrong(&e))?;
        lock(&file).map_err(|e| wrong(&e))?;
        let mut text = Vec::new();
        let most = journal::LONGEST_JOURNAL as u64 + 1;
        (&mut file).take(most).read_to_end(&mut text).map_err(|e| wrong(&e))?;
        let mut open = Journal { file, path: path.to_owned(), end: 0 };
        let Some(read) = journal::Journal::parse(&text).map_err(|e| wrong(&e))? else {
            let line = journal::line(header).map_err(|e| wrong(&e))?;
            open.cut(0).and_then(|()| open.write(&line)).map_err(|e| wrong(&e))?;
            open.sync_folder().map_err(|e| wrong(&e))?;
            return Ok((open, Vec::new()));
        };
        if read.header.fingerprint != header.fingerprint {
            return Err(wrong(
                &"the game was saved for another program, or the program has changed",
            ));
        }
        open.end = read.good as u64;
        open.cut(open.end).map_err(|e| wrong(&e))?;
        Ok((open, read.lines))
    }

    /// Adds a step; it is on the disk when this returns.
    ///
    /// # Errors
    /// Those of the disk. The file is then as before, if that was possible.
    pub fn append(&mut self, line: &Line) -> io::Result<()> {
        let text = journal::line(line)?;
        if self.end + text.len() as u64 > journal::LONGEST_JOURNAL as u64 {
            return Err(io::Error::other("the file has become too long to be read again"));
        }
        // Half a line at the end would be left out when it is read, but not one in the middle: what
        // a failure has left goes first.
        self.cut(self.end)?;
        self.write(&text).inspect_err(|_| drop(self.cut(self.end)))
    }

    /// Puts the file aside, so that a new game can begin under its name; where it is then.
    ///
    /// # Errors
    /// A sentence: it is in use, or the disk refuses.
    pub fn put_aside(path: &Path) -> Result<Option<PathBuf>, String> {
        let wrong = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let file = match File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(wrong(&e)),
        };
        // Whoever plays it would go on in the file that is put aside.
        lock(&file).map_err(|e| wrong(&e))?;
        let mut old = path.to_owned();
        for i in 1.. {
            old = path.with_extension(format!("old-{i}"));
            if !old.exists() {
                break;
            }
        }
        fs::rename(path, &old).map_err(|e| wrong(&e))?;
        Ok(Some(old))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.write_all(line)?;
        self.file.sync_data()?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Leaves out everything behind a position.
    fn cut(&mut self, at: u64) -> io::Result<()> {
        self.file.set_len(at)?;
        self.file.seek(io::SeekFrom::Start(at)).map(|_| ())
    }

    /// The name of a new file is on the disk, too.
    fn sync_folder(&self) -> io::Result<()> {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
            _ => File::open(".")?.sync_all(),
        }
    }
}

/// Nobody else plays the game of a file while it is open.
fn lock(file: &File) -> Result<(), String> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err("another `trellis oracle` is playing this game".to_owned())
        }
        Err(TryLockError::Error(e)) => Err(e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_report::game::Drawing;

    fn header() -> Header {
        let (schema, text) = (journal::JOURNAL_SCHEMA.to_owned(), "x".to_owned());
        Header { schema, file: text.clone(), procedure: text.clone(), fingerprint: text }
    }

    fn step(i: usize) -> Line {
        Line::Draft { question: format!("q{i}"), drawing: Drawing::default() }
    }

    #[test]
    fn a_file_that_was_torn_anywhere_goes_on_with_its_whole_steps() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.game");
        let (mut open, lines) = Journal::open(&path, &header()).expect("opened");
        assert!(lines.is_empty());
        let mut ends = vec![fs::metadata(&path).expect("a file").len()];
        for i in 0..3 {
            open.append(&step(i)).expect("on the disk");
            ends.push(fs::metadata(&path).expect("a file").len());
        }
        drop(open);
        let whole = fs::read(&path).expect("a file");
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("written");
            let (mut open, lines) = Journal::open(&path, &header()).expect("opened");
            let kept = ends[1..].iter().filter(|end| **end <= length as u64).count();
            let steps: Vec<Line> = (0..kept).map(step).collect();
            assert_eq!(lines, steps, "{length} bytes");
            // What comes next stands behind what was kept.
            open.append(&step(7)).expect("on the disk");
            drop(open);
            let (_, lines) = Journal::open(&path, &header()).expect("opened");
            assert_eq!(lines, [steps, vec![step(7)]].concat(), "{length} bytes");
        }
    }

    #[test]
    fn what_a_failure_has_left_is_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.game");
        let (mut open, _) = Journal::open(&path, &header()).expect("opened");
        open.append(&step(0)).expect("on the disk");
        open.file.write_all(b"{\"step\":\"dra").expect("half a line");
        open.append(&step(1)).expect("on the disk");
        drop(open);
        let (_, lines) = Journal::open(&path, &header()).expect("opened");
        assert_eq!(lines, [step(0), step(1)]);
    }

    #[test]
    fn a_game_that_is_played_is_not_put_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.game");
        assert_eq!(Journal::put_aside(&path), Ok(None));
        let (open, _) = Journal::open(&path, &header()).expect("opened");
        assert!(Journal::put_aside(&path).expect_err("in use").contains("another"));
        drop(open);
        let aside = Journal::put_aside(&path).expect("free").expect("a file");
        assert!(aside.exists() && !path.exists());
    }

    #[test]
    fn a_file_does_not_outgrow_what_can_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.game");
        let (mut open, _) = Journal::open(&path, &header()).expect("opened");
        let length = fs::metadata(&path).expect("a file").len();
        open.end = journal::LONGEST_JOURNAL as u64 - 10;
        assert!(open.append(&step(0)).is_err());
        assert_eq!(fs::metadata(&path).expect("a file").len(), length);
    }
}
