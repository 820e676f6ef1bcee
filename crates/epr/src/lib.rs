//! The embedded solver: effectively propositional logic (EPR) over a SAT solver, no set-up needed.
//!
//! A formula becomes clauses with universal variables and witnesses (`clausify`); its constants
//! and witnesses are the ground terms. The SAT solver proposes which ground atoms hold; the proposal
//! is read as a structure in which equal terms are one element (`candidate`); where it breaks
//! the laws of equality (`equality`) or an instance of a clause (`violations`), that is added
//! and the SAT solver asked again. What was added stays valid, so later queries need few rounds.
//! An assumption is a list of SAT literals that is made once.
//!
//! Read `check` first: the loop is there.
//!
//! ```
//! use trellis_epr::EprSolver;
//! use trellis_logic::{Arena, Vocabulary};
//! use trellis_solver::{Answer, Context, Limits, Solver};
//!
//! let mut vocabulary = Vocabulary::new();
//! let node = vocabulary.sort("node");
//! let (a, b) = (vocabulary.constant("a", node), vocabulary.constant("b", node));
//! let red = vocabulary.relation("red", &[node]);
//!
//! let mut arena = Arena::new();
//! let x = arena.variable("x", node);
//! let (x_term, a, b) = (arena.var_term(x), arena.constant(a), arena.constant(b));
//! let body = arena.rel(red, &[x_term]);
//! let all_red = arena.forall(&[x], body);
//! let b_red = arena.rel(red, &[b]);
//! let b_not_red = arena.not(b_red);
//! let same = arena.eq(a, b);
//!
//! let mut solver = EprSolver::default();
//! let mut context = Context { vocabulary: &vocabulary, arena: &mut arena };
//! solver.assert(&mut context, all_red).unwrap();
//! assert_eq!(solver.check(&mut context, &[same], &Limits::default()), Answer::Sat);
//! assert_eq!(solver.model(&mut context, &Limits::default()).unwrap().size(node), 1);
//! let limits = Limits { minimise_core: true, ..Limits::default() };
//! assert_eq!(solver.check(&mut context, &[same, b_not_red], &limits), Answer::Unsat);
//! assert_eq!(solver.core(), [1]);
//! ```

mod admit;
mod atoms;
mod candidate;
mod cdcl;
mod check;
mod clause;
mod clausify;
mod equality;
mod ground;
mod minimise;
mod model;
mod proof;
mod proving;
mod sat;
mod slots;
mod solver;
mod terms;
mod violations;

pub use proof::{Proved, prove_unsat};
pub use proving::{ProofFolder, ProvingSolver};
pub use solver::{EprSolver, Options};
