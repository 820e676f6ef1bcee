//! Certificates: what an engine proved, in a file, and the check of it without any engine.
//!
//! A [`Certificate`] says which source file and which procedure it is about, which checks were on,
//! and one invariant a loop. [`check()`] builds the transition system from the source again and asks
//! solvers, afresh for every path, whether the invariants are what they claim to be:
//!
//! * initiation: the precondition and a path from the entry give the invariant where it ends;
//! * consecution: the invariant and a path from there give the invariant where it ends;
//! * safety: no path from the precondition or an invariant runs into a failing check;
//! * acyclicity, and how the heap is reached at the entry: asked of every solver when it builds the
//!   system, which must be the same for all.
//!
//! Where to read: [`certificate`] the file, [`text`] how formulas are written in it, [`names`] how
//! symbols are, [`make`] and [`mod@restore`] from a system to a certificate and back, [`conditions`]
//! what is to be shown, [`mod@check`] how solvers are asked and [`back_end`] who they are, [`report`] and [`mod@explain`] what came out.
//! [`shapes`] is for abstract heaps of lists, [`patterns`] for heap patterns; both are checked
//! without any logic.
//! [`sequents`] is for invariants of higher-order logic, shown by provers.
//! [`exhaustion`] is for programs of which all states were visited.
//! [`source`] compares language and settings with those of the user.
//!
//! **Invariants.** This crate knows no engine, and solvers only through their trait. An invariant
//! may speak of the state at its cut point and of nothing else: not of the witnesses of paths, which
//! are different elements in every step. *Certified* means that every solver that was named showed
//! every condition.

pub mod back_end;
pub mod certificate;
pub mod check;
pub mod conditions;
pub mod exhaustion;
pub mod explain;
pub mod graphs;
pub mod machine;
pub mod make;
pub mod meaning;
pub mod names;
pub mod patterns;
pub mod report;
pub mod restore;
pub mod sequents;
pub mod shapes;
pub mod source;
pub mod state;
pub mod text;

pub use back_end::BackEnd;
pub use certificate::{
    Certificate, CutPoint, Exhaustion, LinkedFile, Place, ReadError, Source, SourceSetting,
    WrittenClause, digest,
};
pub use check::{Settings, certify_invariant, check};
pub use conditions::{Condition, Kind};
pub use explain::{Explanation, explain};
pub use machine::{Coverage, Extent, check_on_machine};
pub use make::{Evidence, Foreign};
pub use report::{Outcome, Report, Ruling};
pub use restore::{Problem, ProblemKind, Restored, restore, system};
pub use source::Mismatch;
