//! Which techniques of the paper are used.

use std::fmt;
use std::str::FromStr;

/// What the abstraction of a path may assume besides the cube of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContextKind {
    /// Nothing (Γ = true).
    None,
    /// All that is known at the location (κ = id).
    Whole,
    /// What is known of the objects of variables in all heaps at the location (Figure 8).
    Joined,
    /// The same, and where that is not enough, what is known of them in the heap itself.
    #[default]
    Own,
}

/// Which techniques are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Techniques {
    /// What is assumed beside a cube.
    pub context: ContextKind,
    /// Whether heaps are split at singleton predicates and state predicates.
    pub splitting: bool,
    /// Whether unsatisfiable heaps and cubes are dropped.
    pub cleaning: bool,
    /// Whether the conjuncts of the precondition are propagated first (section 6).
    pub propagation: bool,
    /// Whether predicates are added after a spurious counterexample.
    pub refinement: bool,
}

/// All of them.
impl Default for Techniques {
    fn default() -> Techniques {
        Techniques {
            context: ContextKind::default(),
            splitting: true,
            cleaning: true,
            propagation: true,
            refinement: true,
        }
    }
}

/// What is left out: `context`, `instantiation`, `own-context`, `splitting`, `cleaning`, `propagation`,
/// `refinement`, with commas between them.
impl FromStr for Techniques {
    type Err = String;

    fn from_str(text: &str) -> Result<Techniques, String> {
        let mut techniques = Techniques::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "context" => techniques.context = ContextKind::None,
                "instantiation" => techniques.context = ContextKind::Whole,
                "own-context" => techniques.context = ContextKind::Joined,
                "splitting" => techniques.splitting = false,
                "cleaning" => techniques.cleaning = false,
                "propagation" => techniques.propagation = false,
                "refinement" => techniques.refinement = false,
                _ => {
                    return Err(format!(
                        "`{name}` is none of context, instantiation, own-context, splitting, \
                         cleaning, propagation, refinement"
                    ));
                }
            }
        }
        Ok(techniques)
    }
}

impl fmt::Display for ContextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ContextKind::None => "no context",
            ContextKind::Whole => "context without instantiation",
            ContextKind::Joined => "context with instantiation",
            ContextKind::Own => "context of each heap",
        })
    }
}
