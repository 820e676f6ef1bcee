//! Symbolic shape analysis over sets of Boolean heaps (*Symbolic Shape Analysis*, *Bohne*).
//!
//! A **Boolean heap** says into which classes the objects of a heap fall, a class being a cube of
//! predicates with one free variable: every object is in one of its cubes. The analysis computes,
//! for every loop, a set of Boolean heaps that contains all states there, so its invariants are
//! disjunctions of universal formulas. It asks nothing but validity questions.
//!
//! Read [`reach`] first, which is Figure 5; then [`post`], Figures 6 and 7.
//!
//! * [`cube`], [`heap`], [`meaning`]: the abstract domain (section 3.2)
//! * [`predicates`], [`atoms`], [`infer`], [`refine`]: what cubes are made of
//! * [`split`], [`clean`], [`context`], [`wlp`], [`post`]: the abstract post operator (sections
//!   3.2, 4)
//! * [`cache`], [`store`], [`written`]: what questions have shown (section 5)
//! * [`propagate`], [`twins`]: conjuncts of the precondition (section 6)
//! * [`questions`], [`step`]: solvers, one a path
//! * [`tracked`]: where formulas are of higher-order logic, clauses of tracked predicates instead
//! * [`analyse()`]: all of it; [`trace`], [`invariant`], [`mod@slice`]: what comes out
//!
//! **Invariants.** Incomplete solvers and lost precision can only make the set of heaps larger. An
//! alarm is a violation only if its paths are an execution; otherwise it asks for predicates, or
//! the answer is unknown. Whoever uses the invariant has to show it: nothing here is assumed to be
//! right.

pub mod analyse;
pub mod atoms;
pub mod cache;
pub mod clean;
pub mod context;
pub mod cube;
pub mod heap;
pub mod infer;
pub mod invariant;
pub mod meaning;
pub mod post;
pub mod predicates;
pub mod propagate;
pub mod questions;
pub mod reach;
pub mod refine;
pub mod slice;
pub mod split;
pub mod step;
pub mod store;
pub mod techniques;
pub mod trace;
pub mod tracked;
pub mod twins;
pub mod wlp;
pub mod written;

pub use analyse::{Analysis, Outcome, Statistics, analyse};
pub use techniques::{ContextKind, Techniques};
pub use trace::Execute;
