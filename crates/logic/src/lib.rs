//! Many-sorted first-order logic for heaps: vocabularies, hash-consed terms and formulas, finite
//! structures, and pictures of them.
//!
//! Start with [`Vocabulary`] (which symbols there are), [`Arena`] (where formulas live),
//! [`Structure`] (where they are true), and [`Drawing`] (what the user sees).
//!
//! ```
//! use std::sync::Arc;
//! use trellis_logic::drawing::{Drawing, TextStyle};
//! use trellis_logic::{Arena, Fragment, Structure, Vocabulary, fragment};
//!
//! let mut vocabulary = Vocabulary::new();
//! let node = vocabulary.sort("struct node *");
//! let null = vocabulary.null("NULL", node);
//! let h = vocabulary.variable("h", node);
//! let next = vocabulary.field("next", node, node);
//! let reach = vocabulary.closure("reach", next);
//!
//! // Everything reachable from h reaches NULL: the list is acyclic.
//! let mut arena = Arena::new();
//! let v = arena.variable("v", node);
//! let (head, end, x) = (arena.constant(h), arena.constant(null), arena.var_term(v));
//! let (from_head, to_end) = (arena.rel(reach, &[head, x]), arena.rel(reach, &[x, end]));
//! let body = arena.implies(from_head, to_end);
//! let acyclic = arena.forall(&[v], body);
//!
//! assert_eq!(
//!     arena.print(&vocabulary, acyclic),
//!     r"\forall struct node *v; reach(next, h, v) ==> reach(next, v, NULL)"
//! );
//! assert_eq!(fragment(&mut arena, &vocabulary, acyclic), Fragment::Universal);
//!
//! // A list of two nodes; element 0 is NULL.
//! let mut heap = Structure::new(Arc::new(vocabulary), &[0, 3]);
//! heap.set_constant(null, 0);
//! heap.set_constant(h, 1);
//! heap.set_fun(next, &[1], Some(2.into()));
//! heap.set_fun(next, &[2], Some(0.into()));
//! assert_eq!(heap.eval(&arena, acyclic), Ok(true));
//! assert_eq!(Drawing::from_structure(&heap).to_text(TextStyle::Unicode), "h → 1 → 2 → null");
//! ```
//!
//! **Invariants**: this crate reads no files, starts no processes, and depends on no other crate of
//! the project. Ids, iteration orders and texts are functions of the calls that were made; no
//! random hasher shows.

pub mod alpha;
pub mod arena;
pub mod bits;
pub mod budget;
pub mod build;
pub mod define;
pub mod drawing;
pub mod fragment;
#[cfg(feature = "gen")]
pub mod generate;
pub mod ids;
mod interner;
pub mod ite;
pub mod kleene;
pub mod measure;
pub mod nnf;
pub mod prenex;
pub mod print;
mod rebuild;
pub mod skolem;
pub mod sorts;
pub mod structure;
pub mod subst;
pub mod vocabulary;

pub use arena::{Arena, ArithOp, Formula, Quantifier, Term, Variable};
pub use budget::{Budget, StopReason, Work};
pub use define::Definitions;
pub use drawing::Drawing;
pub use fragment::{Fragment, Obstacle, fragment};
pub use ids::{FormulaId, FunId, RelId, SortId, TermId, VarId};
pub use prenex::Prenex;
pub use skolem::{Skolemised, Witness};
pub use sorts::SortError;
pub use structure::canonical::CanonicalKey;
pub use structure::eval::{EvalError, Evaluator, Plans};
pub use structure::rename::Renaming;
pub use structure::{Structure, Value};
pub use subst::Subst;
pub use vocabulary::{Fun, FunKind, Rel, RelKind, Sort, Vocabulary};
