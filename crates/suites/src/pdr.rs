//! The suites for the PDR engines: which programs, which runs of them, what is expected, and what
//! the paper measured.

use std::fmt;
use std::path::Path;

use serde::Deserialize;

/// One suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// Its name, which is also the name of its folder.
    pub suite: String,
    /// The paper whose experiment it repeats.
    pub paper: Option<String>,
    /// The engine of the rows that do not name one.
    engine: String,
    /// Checks that are switched on for all rows.
    #[serde(default)]
    pub check: Vec<String>,
    /// The runs, in the order of the paper's tables.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// One run of one program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Row {
    /// As in the paper's table.
    pub name: String,
    /// Which run of the program it is.
    pub variant: Variant,
    /// The program, in the folder of the manifest.
    pub file: String,
    /// The procedure.
    pub proc: String,
    /// The verdict that the engine must give.
    pub expect: Expect,
    engine: Option<String>,
    objects: Option<usize>,
    /// Predicates of the file that a predicate engine gets beside its families.
    #[serde(default)]
    pub predicates: Vec<String>,
    /// The predicate families that the paper used.
    #[serde(default)]
    pub paper_families: Vec<Family>,
    /// Whether the program takes the address of a variable or uses pointers to pointers.
    #[serde(default)]
    pub address_taken: bool,
    /// What a reader of the table should know.
    pub note: Option<String>,
    /// The paper's figures.
    pub paper: Option<Figures>,
    /// What *Universal Invariants or Their Absence* measured with the tool of *Property-Directed
    /// Shape Analysis*.
    pub pdr_a: Option<Figures>,
}

/// Which run of a program a row is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Memory safety, leaks and cycles; the contract only says what is given.
    Safety,
    /// Safety and the whole contract.
    Full,
    /// Safety and the additional property of *Property-Directed Shape Analysis*.
    Additional,
    /// A true contract without an invariant in the engine's language.
    NoInvariant,
    /// A wrong program.
    Bug,
}

/// The verdict that a row expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// An invariant is found.
    Verified,
    /// A counterexample is found.
    Violated,
    /// It is proved that there is no invariant in the engine's language.
    NoInvariant,
}

/// The predicate families of *Property-Directed Shape Analysis*, Table 1, that are not always
/// there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// `alloc` and `stable`.
    Stable,
    /// `sorted`.
    Sorted,
    /// `rev`.
    Rev,
}

/// What a paper measured.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", untagged)]
pub enum Figures {
    /// The tool did not succeed.
    Failed {
        /// How it failed, in the paper's words.
        outcome: String,
    },
    /// It did.
    Measured(Measured),
}

/// The figures of a successful run.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Measured {
    /// Time on the authors' machine.
    pub seconds: f64,
    /// The highest frame, N.
    pub frames: u32,
    /// Calls of the solver.
    pub calls: u32,
    /// Clauses of the invariant.
    pub clauses: Option<u32>,
    /// How many of them are quantified.
    pub forall: Option<u32>,
    /// Elements of the largest state of the counterexample.
    pub elements: Option<u32>,
}

impl Manifest {
    /// Reads the manifest in the folder of a suite.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn load(folder: &Path) -> Result<Manifest, String> {
        crate::load(folder)
    }

    /// The engine of a row.
    pub fn engine<'a>(&'a self, row: &'a Row) -> &'a str {
        row.engine.as_deref().unwrap_or(&self.engine)
    }
}

impl Row {
    /// Checks that are switched off for this row.
    pub fn no_check(&self) -> &'static [&'static str] {
        match self.variant {
            Variant::Safety => &["postcondition", "spec-assert", "loop-invariant"],
            _ => &[],
        }
    }

    /// Up to how many objects exploration judges the row.
    pub fn objects(&self) -> usize {
        self.objects.unwrap_or(5)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Variant::Safety => "safety",
            Variant::Full => "full",
            Variant::Additional => "additional",
            Variant::NoInvariant => "no-invariant",
            Variant::Bug => "bug",
        })
    }
}
