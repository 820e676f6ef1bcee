//! The ids by which everything in this crate is named: small, `Copy`, and ordered by creation.
//!
//! **Invariant**: an id is only meaningful together with the [`Vocabulary`](crate::Vocabulary) or
//! [`Arena`](crate::Arena) that handed it out. Ids are dense from zero, so they index vectors.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The position of this id in the table that handed it out.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A sort of a [`Vocabulary`](crate::Vocabulary).
    SortId
);
id!(
    /// A function symbol, a constant included, of a [`Vocabulary`](crate::Vocabulary).
    FunId
);
id!(
    /// A relation symbol of a [`Vocabulary`](crate::Vocabulary).
    RelId
);
id!(
    /// A variable of an [`Arena`](crate::Arena), bound or free.
    VarId
);
id!(
    /// A term of an [`Arena`](crate::Arena).
    TermId
);
id!(
    /// A formula of an [`Arena`](crate::Arena).
    FormulaId
);

impl SortId {
    /// The sort of mathematical integers, present in every vocabulary.
    pub const INT: SortId = SortId(0);
}

impl FormulaId {
    /// The formula that always holds; the same id in every arena.
    pub const TRUE: FormulaId = FormulaId(0);
    /// The formula that never holds; the same id in every arena.
    pub const FALSE: FormulaId = FormulaId(1);
}
