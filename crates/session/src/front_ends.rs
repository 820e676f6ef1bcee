//! Which front end reads a source.

use std::path::{Path, PathBuf};

use trellis_front_c::{C, CompileCommand, Options};
use trellis_front_java::Java;
use trellis_program::types::DataModel;
use trellis_program::{Arguments, Failure, FrontEnd, Input, Unit};

/// What the user chose about how sources are read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Folders to search for headers (C).
    pub include_dirs: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE` (C).
    pub defines: Vec<String>,
    /// Files that are included before every other (C).
    pub preincludes: Vec<PathBuf>,
    /// Files with models of functions that are not defined in the program (C).
    pub models: Vec<PathBuf>,
    /// How single files are preprocessed, besides (C).
    pub commands: Vec<CompileCommand>,
    /// What callers that nobody sees are believed to pass (C).
    pub arguments: Arguments,
    /// How wide `long` and pointers are (C).
    pub data_model: DataModel,
    /// The compiler that preprocesses; by default the one of the system (C).
    pub cc: Option<String>,
}

/// Every front end, with the settings of the user.
pub struct FrontEnds(Vec<Box<dyn FrontEnd + Send>>);

impl FrontEnds {
    /// With these settings.
    pub fn new(reading: &Reading) -> FrontEnds {
        let reading = reading.clone();
        let options = Options {
            include_dirs: reading.include_dirs,
            defines: reading.defines,
            preincludes: reading.preincludes,
            models: reading.models,
            commands: reading.commands,
            arguments: reading.arguments,
            data_model: reading.data_model,
            cc: reading.cc,
        };
        FrontEnds(vec![Box::new(C(options)), Box::new(Java)])
    }

    /// The one for a file: the first that reads files of its name, and C for names that say
    /// nothing.
    pub fn of(&self, path: &Path) -> &dyn FrontEnd {
        let known = self.0.iter().find(|f| f.reads(path));
        &**known.unwrap_or(&self.0[0])
    }

    /// The names of their languages.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|f| f.language())
    }

    /// Reads a source, as the language that its name says.
    ///
    /// # Errors
    /// Those of the front end.
    pub fn read(&self, input: Input<'_>) -> Result<Unit, Failure> {
        self.of(input.path()).load(input)
    }
}

impl Default for FrontEnds {
    fn default() -> FrontEnds {
        FrontEnds::new(&Reading::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_language() {
        let all = FrontEnds::default();
        assert_eq!(all.languages().collect::<Vec<_>>(), ["C", "Java"]);
        for name in ["list.c", "list.h", "list.i", "list", "list.txt"] {
            assert_eq!(all.of(Path::new(name)).language(), "C", "{name}");
        }
        assert!(all.0[0].reads(Path::new("a/list.c")));
        assert!(!all.0[0].reads(Path::new("a/List.java")));
        assert_eq!(all.of(Path::new("a/List.java")).language(), "Java");
    }

    #[test]
    fn texts_are_read_without_files() {
        let all = FrontEnds::default();
        let read = |text| all.read(Input::Text { name: "no/such/list.c", text });
        assert!(read("int f(void) { return 1; }").is_ok());
        let bad = read("int f(void) { return }").expect_err("no C");
        assert_eq!(bad.diagnostics.len(), 1);
    }
}
