//! Formulas as text that can be read back: `(forall ((?v |struct node *|)) (reach next h ?v))`.
//!
//! ```text
//! formula  ::=  true | false | proposition | (relation term…) | (reach field term term)
//!            |  (= term term) | (not formula) | (and formula…) | (or formula…)
//!            |  (=> formula formula) | (<=> formula formula)
//!            |  (forall ((?variable sort)…) formula) | (exists ((?variable sort)…) formula)
//!            |  (int<= term term) | (int< term term)
//! term     ::=  ?variable | constant | (function term…) | (ite formula term term)
//!            |  (int numeral) | (int+ term term) | (int- term term) | (int* term term)
//! ```
//!
//! Symbols are written as [`Names`](crate::names::Names) has them, between bars if they have other
//! characters than a C identifier has: `|\old(next)|`. Variables begin with a question mark, so that
//! no constant is mistaken for one.
//!
//! **Invariant.** What was written is read back as the same formula, up to the names of bound
//! variables. Whatever the text, reading ends in a closed and well-sorted formula or in an error
//! with its column.

mod read;
mod tokens;
mod write;

pub use read::{SyntaxError, read};
pub use write::write;
