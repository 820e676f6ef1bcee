//! Shape analysis of whole programs, and of procedures that make all their memory, by abstract
//! interpretation over memory graphs.
//!
//! * [`search`]: the fixed point: graphs at loop heads, until nothing new arrives
//! * [`mod@fold`], `tree`: lists and trees become summaries; `lift`, what an element looks like by itself
//! * [`mod@join`]: two ways in which elements look become one
//! * [`widen`]: integers that grow become ranges
//!
//! What graphs mean, and what code does to them, is `trellis_graphs`; nobody believes this crate.
//!
//! **Invariant.** Folding and widening only ever add memories; where they cannot, they leave a graph
//! as it is.

pub mod fold;
pub mod join;
mod lift;
pub mod search;
mod tree;
pub mod widen;

/// How much is summarised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precision {
    /// Whether nodes with several pointers to their own kind are folded as trees.
    pub trees: bool,
    /// Whether the elements of a segment have to look alike, but for the way that leads on.
    pub strict: bool,
    /// Whether elements that hold different constants are kept apart.
    pub constants: bool,
    /// Whether a list of one node is summarised, too, once longer ones were seen.
    pub eager: bool,
    /// Nodes that are so many pointers away from what registers point to are not summarised.
    pub near: usize,
    /// Whether what an object of another kind points to counts as pointed to by a register, if one
    /// points to that object: the ends of a list in its header.
    pub anchors: bool,
    /// Up to how many elements a list is known to have at least.
    pub least: u32,
    /// After how many graphs that differ in integers only these become ranges.
    pub patience: usize,
    /// Whether equations between integers and the lengths of lists are kept.
    pub lengths: bool,
    /// Whether arrays of characters are followed as buffers, with equations between integers.
    pub texts: bool,
    /// Most graphs at one place: where the coarsest need many, they do not fit.
    pub most: usize,
    /// Whether the last node of a list is kept apart from the others.
    pub last: bool,
    /// Whether a node that leads nowhere may be a list or tree of its own, or else belongs to what
    /// points to it.
    pub promote: bool,
    /// Whether lists of a kind have elements that look as those of any of them were seen to look, and
    /// nodes of one type may hang together in several ways: the levels of a skip list.
    pub uniform: bool,
}

impl Precision {
    /// What is tried in turn: the coarsest first.
    pub const LADDER: [Precision; 17] = [
        Precision { eager: true, least: 1, most: 60, ..Precision::PLAIN },
        Precision { trees: false, eager: true, least: 1, most: 60, ..Precision::PLAIN },
        Precision::PLAIN,
        Precision { trees: false, ..Precision::PLAIN },
        Precision {
            trees: false,
            eager: true,
            least: 1,
            anchors: true,
            uniform: true,
            ..Precision::PLAIN
        },
        Precision { trees: false, last: true, ..Precision::PLAIN },
        Precision { constants: true, patience: 8, ..Precision::PLAIN },
        Precision { anchors: true, most: 100, ..Precision::PLAIN },
        Precision { near: 1, ..Precision::PLAIN },
        Precision { trees: false, strict: false, promote: false, ..Precision::PLAIN },
        Precision {
            trees: false,
            strict: false,
            constants: true,
            patience: 16,
            ..Precision::PLAIN
        },
        Precision {
            trees: false,
            eager: true,
            least: 1,
            patience: 1,
            lengths: true,
            ..Precision::PLAIN
        },
        Precision {
            trees: false,
            strict: false,
            constants: true,
            last: true,
            patience: 16,
            ..Precision::PLAIN
        },
        Precision { constants: true, near: 64, patience: 64, most: 100, ..Precision::PLAIN },
        Precision {
            trees: false,
            eager: true,
            least: 1,
            patience: 64,
            most: 5000,
            ..Precision::PLAIN
        },
        Precision { eager: true, least: 1, patience: 1, texts: true, ..Precision::PLAIN },
        Precision {
            trees: false,
            eager: true,
            least: 1,
            patience: 1,
            lengths: true,
            texts: true,
            ..Precision::PLAIN
        },
    ];

    /// What is tried in turn with a program. One that looks at characters is followed with buffers soon,
    /// and one that does not, never.
    pub fn ladder(characters: bool) -> Vec<Precision> {
        let (texts, others): (Vec<_>, Vec<_>) =
            Precision::LADDER.into_iter().partition(|p| p.texts);
        let Some((first, rest)) = others.split_first().filter(|_| characters) else {
            return others;
        };
        let (soon, late) = texts.split_at(1.min(texts.len()));
        std::iter::once(first).chain(soon).chain(rest).chain(late).copied().collect()
    }

    /// Whether equations are kept.
    pub fn relates(self) -> bool {
        self.lengths || self.texts
    }

    const PLAIN: Precision = Precision {
        trees: true,
        strict: true,
        constants: false,
        eager: false,
        near: 0,
        anchors: false,
        least: 2,
        patience: 4,
        lengths: false,
        texts: false,
        most: 300,
        last: false,
        promote: true,
        uniform: false,
    };
}
