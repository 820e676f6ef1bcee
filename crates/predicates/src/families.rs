//! The families of predicates, and how the user names them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A family of predicates (*Property-Directed Shape Analysis*, Tables 1 and 3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// `x == y`, `x == NULL`, the flags among the variables, and what is fixed about the object
    /// that a variable points to: its type, the user's marks.
    Equality,
    /// `reach(f, x, y)`.
    Reach,
    /// `x->f == y`.
    Edge,
    /// `ls(f, x, y)`: nothing outside points into the segment.
    Segment,
    /// `alloc(x)` and `stable(f, x)`, and that what is reached was written.
    Stable,
    /// That all that is allocated is reached from a variable, or from some variable; not in the
    /// paper, which does not ask for leaks.
    Kept,
    /// How the keys of two objects, or two integer variables, compare.
    Data,
    /// `sorted(f, key, x, y)`.
    Sorted,
    /// `rev(f, b, x, y)`.
    Reverse,
    /// The arguments as they were passed among the variables of all families, even if the contract
    /// does not mention them.
    Arguments,
    /// `reach(f, x, y)` and `alloc(x)` in the heap as it was at the entry.
    Entry,
}

impl Family {
    /// All of them, in the order in which they are tried if nothing else tells them apart.
    pub const ALL: [Family; 11] = [
        Family::Equality,
        Family::Reach,
        Family::Edge,
        Family::Arguments,
        Family::Segment,
        Family::Stable,
        Family::Kept,
        Family::Data,
        Family::Sorted,
        Family::Reverse,
        Family::Entry,
    ];

    /// The name, and the paper's mnemonic where it has one.
    pub fn names(self) -> (&'static str, Option<&'static str>) {
        match self {
            Family::Equality => ("equality", None),
            Family::Reach => ("reach", None),
            Family::Edge => ("edge", None),
            Family::Segment => ("ls", None),
            Family::Stable => ("stable", Some("St")),
            Family::Kept => ("kept", None),
            Family::Data => ("data", None),
            Family::Sorted => ("sorted", Some("S")),
            Family::Reverse => ("rev", Some("R")),
            Family::Arguments => ("arguments", None),
            Family::Entry => ("entry", None),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().0)
    }
}

/// A set of families.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Families(BTreeSet<Family>);

impl Families {
    /// No family.
    pub fn none() -> Families {
        Families(BTreeSet::new())
    }

    /// Equalities and reachability.
    pub fn smallest() -> Families {
        Families(BTreeSet::from([Family::Equality, Family::Reach]))
    }

    /// The upper part of Table 1, which the paper always uses.
    pub fn basic() -> Families {
        let mut families = Families::smallest();
        families.insert(Family::Edge);
        families.insert(Family::Segment);
        families
    }

    /// All families.
    pub fn all() -> Families {
        Families(Family::ALL.into())
    }

    /// Whether a family is in.
    pub fn contains(&self, family: Family) -> bool {
        self.0.contains(&family)
    }

    /// Takes a family in.
    pub fn insert(&mut self, family: Family) {
        self.0.insert(family);
    }

    /// The families, in the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = Family> {
        self.0.iter().copied()
    }
}

impl fmt::Display for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(|family| family.names().0).collect();
        f.write_str(&names.join(", "))
    }
}

/// Which predicates a search uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The families to begin with.
    pub families: Families,
    /// Whether families are added while there is no invariant.
    pub grows: bool,
    /// The predicates of the program that are used as well, by their names.
    pub user: Vec<String>,
}

impl Default for Selection {
    /// By need.
    fn default() -> Selection {
        Selection { families: Families::smallest(), grows: true, user: Vec::new() }
    }
}

/// `St,S,R,marked`: names of families or the paper's mnemonics are added to the basic ones, and no
/// others; all other names are predicates of the program. With predicates of the program alone,
/// families are still chosen by need.
impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        let mut selection = Selection::default();
        for name in text.split(',').map(str::trim) {
            if name.is_empty() {
                return Err("an empty name among the predicates".into());
            }
            let known = Family::ALL.into_iter().find(|family| {
                let (long, short) = family.names();
                name == long || Some(name) == short
            });
            match known {
                None => selection.user.push(name.to_owned()),
                Some(family) => {
                    if selection.grows {
                        selection.families = Families::basic();
                        selection.grows = false;
                    }
                    selection.families.insert(family);
                }
            }
        }
        Ok(selection)
    }
}
