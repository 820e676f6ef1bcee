//! What the tests share: a small heap to ask about, and solvers that must be there.
#![allow(dead_code)] // Every test crate uses its own part.

use trellis_logic::{Arena, FormulaId, RelId, SortId, TermId, Vocabulary};
use trellis_solver::{Answer, Context, Limits, Solver};
pub use trellis_testkit::solvers::process as solver;

/// Symbols and formulas.
pub struct World {
    /// The symbols.
    pub vocabulary: Vocabulary,
    /// The formulas.
    pub arena: Arena,
}

impl World {
    /// Both as solvers want them.
    pub fn context(&mut self) -> Context<'_> {
        Context { vocabulary: &self.vocabulary, arena: &mut self.arena }
    }

    /// Checks without limits.
    pub fn check(&mut self, solver: &mut impl Solver, assumptions: &[FormulaId]) -> Answer {
        solver.check(&mut self.context(), assumptions, &Limits::default())
    }
}

/// A partial order that is linear above every element, as reachability over a list field is.
pub struct Heap {
    /// Symbols and formulas.
    pub world: World,
    /// The sort of nodes.
    pub node: SortId,
    /// Reachability.
    pub reach: RelId,
    /// The constants `h`, `i`, `j`.
    pub constants: [TermId; 3],
    /// The axioms.
    pub axioms: Vec<FormulaId>,
}

impl Heap {
    /// The heap.
    pub fn new() -> Heap {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("struct node *");
        let constants = ["h", "i", "j"].map(|name| vocabulary.variable(name, node));
        let reach = vocabulary.state_relation("reach", &[node, node]);
        let mut arena = Arena::new();
        let constants = constants.map(|c| arena.constant(c));
        let vars = ["x", "y", "z"].map(|name| arena.variable(name, node));
        let [x, y, z] = vars.map(|v| arena.var_term(v));
        let a = &mut arena;
        let bodies = {
            let (xx, xy, yx) =
                (a.rel(reach, &[x, x]), a.rel(reach, &[x, y]), a.rel(reach, &[y, x]));
            let (yz, zy, xz) =
                (a.rel(reach, &[y, z]), a.rel(reach, &[z, y]), a.rel(reach, &[x, z]));
            let same = a.eq(x, y);
            let (chain, cycle) = (a.and([xy, yz]), a.and([xy, yx]));
            let (fork, linear) = (a.and([xy, xz]), a.or([yz, zy]));
            [xx, a.implies(chain, xz), a.implies(cycle, same), a.implies(fork, linear)]
        };
        let axioms = bodies.map(|body| a.forall(&vars, body)).to_vec();
        Heap { world: World { vocabulary, arena }, node, reach, constants, axioms }
    }

    /// Tells a solver the axioms.
    pub fn assert_axioms(&mut self, solver: &mut impl Solver) {
        for &axiom in &self.axioms {
            assert_eq!(solver.assert(&mut self.world.context(), axiom), Ok(()));
        }
    }

    /// `a` reaches `b`, by the numbers of the constants.
    pub fn reaches(&mut self, a: usize, b: usize) -> FormulaId {
        self.world.arena.rel(self.reach, &[self.constants[a], self.constants[b]])
    }

    /// `a` is not `b`, by the numbers of the constants.
    pub fn differ(&mut self, a: usize, b: usize) -> FormulaId {
        self.world.arena.ne(self.constants[a], self.constants[b])
    }
}
