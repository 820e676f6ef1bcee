//! The bridge from heap programs to the logic: symbols, contracts, states.
//!
//! * [`vocabulary()`]: the symbols of a procedure
//! * [`formula()`]: a contract formula in the logic
//! * [`structure()`]: a state as a finite structure
//! * [`clauses()`]: the clauses of a procedure with their fragments
//!
//! # Symbols
//!
//! There is **one sort** of objects: heap blocks, globals and locals in memory, and null, which is
//! an element as in *Property-Directed Shape Analysis* and *Universal Invariants or Their Absence*.
//! Not one sort a record type, because records do not partition objects (a `struct list_head` is a
//! part of a `struct item` and shares its element), because a `void *` may point to any of them,
//! and because one null is what C has. Where objects of several types meet, rigid relations
//! `is_item(x)` tell them apart.
//!
//! | symbol | meaning | at entry |
//! |---|---|---|
//! | `h`, `i` | a variable in a register, sort of objects or integer | `\old(h)` (parameters and globals) |
//! | `&v` | the object of a variable in memory | the same |
//! | `x->next`, `x->data` | a cell; undefined where it cannot be read or was never written | `x->\old(next)` |
//! | `reach(next, x, y)` | the closure of a field that leads back to its own type | `reach(\old(next), x, y)` |
//! | `reach({left, right})(x, y)` | y is a node that is reached from x over the fields, in any order | `\\old(…)` |
//! | `tree(left, right)(x)` | no node is reached from x over the fields in two ways | `\\old(…)` |
//! | `alloc(x)` | neither freed nor out of scope | `\old(alloc)(x)` |
//! | `Marked(x)` | an uninterpreted predicate of the user, about one pointer; false of null | rigid |
//! | `\result` | what the procedure returns | |
//! | `\undefined` | nothing, in every structure | |
//!
//! # Offsets
//!
//! The logic has objects, C has places in them. A pointer's offset is told by its type and the type
//! of its object: see `spots`. A term whose offset is known gives the object alone. A variable
//! or field that the code moves elsewhere, or a type that lies twice in an object, has no symbol,
//! and what mentions it is [`Untranslatable`]; a state in which a pointer is out of place has no
//! structure.
//!
//! # Truth
//!
//! **Invariant.** If a formula has a translation and a state a structure, then the formula is
//! *true*, *false*, *undefined* in the state (see [`crate::concrete::spec_eval`]) exactly if its
//! translation evaluates to `Ok(true)`, `Ok(false)`, or an error (`Undefined`, or `Overflow` where
//! an integer does not fit) in the structure. There are two exceptions:
//!
//! * A quantifier over integers is not evaluated in structures (`IntegerQuantifier`).
//! * `reach1(f, x, x)` and `cyclic(f, x)` at an allocated `x` whose `f` was never written are
//!   false, but undefined in the logic: the closure does not tell a loop of one node from no step.
//!
//! So `Ok(true)` means that a clause holds. An engine whose functions are total must add where the
//! terms are defined; a field is where the object is allocated, has the cell, and was written to.
//!
//! The elements of a structure are null and what pointer quantifiers range over: all live objects,
//! and the freed ones that existed at entry. An engine with elements that are not allocated yet
//! must keep quantifiers from them.
//!
//! A structure requires that parameters, globals and (where there is one) the result have values.

mod clauses;
mod declare;
mod derived;
mod exact;
mod formula;
mod in_use;
mod moves;
mod sets;
mod spots;
mod structure;
mod subtrees;
mod terms;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::fmt;

pub use clauses::{ClauseView, clauses, fragment_name};
pub use declare::vocabulary;
pub use formula::{formula, ranges_over_all};
pub use spots::Spot;
pub(crate) use spots::places as embedded_at;
pub use structure::{elements, of_heap, structure};
pub use vocabulary::{
    Cell, CellKind, FieldSet, FieldSymbol, Kind, ProgramVocabulary, RegSymbol, Twin,
};

/// Something that the logic cannot say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untranslatable {
    /// Why, as a noun phrase or a sentence for the user.
    pub reason: String,
}

impl Untranslatable {
    fn new(reason: impl Into<String>) -> Untranslatable {
        Untranslatable { reason: reason.into() }
    }
}

impl fmt::Display for Untranslatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Untranslatable {}
