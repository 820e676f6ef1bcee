//! What names mean: asked of whoever has the names.

use crate::term::{Symbol, SymbolId};

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// On its own: `first`, which may stand for `this..first`.
    Value,
    /// As a function: `next` in `next x`, `x..next` and `tree [next]`.
    Function,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The symbol itself.
    Symbol(SymbolId),
    /// A field of `this`, which may be a bound variable.
    OfThis(SymbolId),
}

/// Who knows names, and collects the symbols of a formula.
pub trait Naming {
    /// What a name means where it is used.
    ///
    /// # Errors
    /// A message, and advice, for a name that means nothing.
    fn resolve(
        &mut self,
        name: &str,
        position: Position,
    ) -> Result<Meaning, (String, Option<String>)>;

    /// A symbol that [`Naming::resolve`] has given.
    fn symbol(&self, id: SymbolId) -> &Symbol;

    /// A number for the next bound variable.
    fn fresh(&mut self) -> u32;
}
