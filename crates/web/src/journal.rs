//! The file of a game.
//!
//! **Invariant.** When [`Journal::append`] returns, the line is on the disk. The file is locked while
//! it is open, so that two servers cannot write one game.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use trellis_report::game::journal::{self, Header, Line};

/// An open file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
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
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(wrong(&"another `trellis oracle` is playing this game"));
            }
            Err(TryLockError::Error(e)) => return Err(wrong(&e)),
        }
        let mut text = Vec::new();
        let most = journal::LONGEST_JOURNAL as u64 + 1;
        (&mut file).take(most).read_to_end(&mut text).map_err(|e| wrong(&e))?;
        let mut open = Journal { file, path: path.to_owned() };
        let Some(read) = journal::Journal::parse(&text).map_err(|e| wrong(&e))? else {
            open.cut(0).and_then(|()| open.write(header)).map_err(|e| wrong(&e))?;
            open.sync_folder().map_err(|e| wrong(&e))?;
            return Ok((open, Vec::new()));
        };
        if read.header.fingerprint != header.fingerprint {
            return Err(wrong(
                &"the game was saved for another program, or the program has changed",
            ));
        }
        open.cut(read.good as u64).map_err(|e| wrong(&e))?;
        Ok((open, read.lines))
    }

    /// Adds a step; it is on the disk when this returns.
    ///
    /// # Errors
    /// Those of the disk. The file is then as before, if that was possible.
    pub fn append(&mut self, line: &Line) -> io::Result<()> {
        let before = self.file.stream_position()?;
        self.write(line).inspect_err(|_| {
            // Half a line at the end would be left out when it is read, but not one in the middle.
            let _ = self.cut(before);
        })
    }

    /// Puts the file aside, so that a new game can begin under its name.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn put_aside(path: &Path) -> io::Result<()> {
        if !path.exists() {
            return Ok(());
        }
        let mut old = path.to_owned();
        for i in 1.. {
            old = path.with_extension(format!("old-{i}"));
            if !old.exists() {
                break;
            }
        }
        fs::rename(path, old)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        self.file.write_all(&journal::line(value)?)?;
        self.file.sync_data()
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
