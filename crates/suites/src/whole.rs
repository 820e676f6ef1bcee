//! The suites of whole programs, correct and with seeded bugs: `c`, programs on linked structures as
//! competitions and kernels have them, and `everyday`, programs with real headers and input. No
//! paper, no contracts: what is expected is the answer of the default run about `main`.
//!
//! **Invariant.** What is expected is the truth about the program; what is reached of it so far is
//! said apart, so that a suite never calls a gap an answer.

use std::path::Path;

use serde::Deserialize;

/// A suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its name, which is also the name of its folder.
    pub suite: String,
    /// The programs.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// One program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What it is called.
    pub name: String,
    /// Its files, in the folder of the manifest.
    pub files: Vec<String>,
    /// The true answer about `main`.
    pub expect: Expect,
    /// The kind of check that fails, at a line with `// BUG`.
    pub check: Option<String>,
    /// What is reached today, if it is not the true answer.
    pub today: Option<Today>,
    /// Whether the answer takes too long for a quick test.
    #[serde(default)]
    pub slow: bool,
}

/// A true answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// It is proved, or every state was visited.
    Verified,
    /// The error is found.
    Violated,
}

/// What is reached where that is not the true answer. A wrong answer is not among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Today {
    /// Nobody decides it yet.
    Unknown,
}

/// How an answer stands to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is the true one.
    Right,
    /// It contradicts the true one, or blames another kind of check.
    Wrong,
    /// There is none.
    Undecided,
}

impl Manifest {
    /// Reads the manifest in the folder of the suite.
    ///
    /// # Errors
    /// If it cannot be read, or is none.
    pub fn load(folder: &Path) -> Result<Manifest, String> {
        crate::load(folder)
    }
}

impl Row {
    /// How a verdict, and the kind of check that it names, stands to the true answer.
    pub fn standing(&self, verdict: &str, check: Option<&str>) -> Standing {
        match (self.expect, verdict) {
            (Expect::Verified, "verified") => Standing::Right,
            (Expect::Violated, "violated") if check == self.check.as_deref() => Standing::Right,
            (_, "verified" | "violated") => Standing::Wrong,
            _ => Standing::Undecided,
        }
    }

    /// Whether the suite allows such an answer: the true one, or what is reached today.
    pub fn allows(&self, standing: Standing) -> bool {
        match standing {
            Standing::Right => true,
            Standing::Wrong => false,
            Standing::Undecided => self.today == Some(Today::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Row {
        toml::from_str(&format!("name = \"r\"\nfiles = [\"r.c\"]\n{text}")).expect("a row")
    }

    #[test]
    fn a_contradiction_is_never_allowed() {
        let correct = row("expect = \"verified\"\ntoday = \"unknown\"");
        assert_eq!(correct.standing("violated", Some("leak")), Standing::Wrong);
        assert!(!correct.allows(Standing::Wrong));
        let buggy = row("expect = \"violated\"\ncheck = \"leak\"");
        assert_eq!(buggy.standing("verified", None), Standing::Wrong);
        assert_eq!(buggy.standing("violated", Some("null-deref")), Standing::Wrong);
        assert_eq!(buggy.standing("violated", Some("leak")), Standing::Right);
    }

    #[test]
    fn a_gap_is_allowed_only_where_it_is_known() {
        let decided = row("expect = \"verified\"");
        assert_eq!(decided.standing("unknown", None), Standing::Undecided);
        assert!(!decided.allows(Standing::Undecided));
        let open = row("expect = \"verified\"\ntoday = \"unknown\"");
        assert!(open.allows(Standing::Undecided));
        assert!(open.allows(open.standing("verified", None)));
    }
}
