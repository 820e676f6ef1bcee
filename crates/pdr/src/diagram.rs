//! The diagram of a state (*Universal Invariants or Their Absence*, section 3): the strongest
//! existential formula it satisfies.
//!
//! Every element gets a constant; the literals say which constants of the program denote it, that
//! elements differ, and which relations hold of them. What the axioms say of null is left out.
//!
//! The order matters, because the last literals are the first that a core does without. Comparisons
//! with integer variables come last: in the first frames they go with the length of the list, and a
//! lemma that speaks of them holds for that length only.

use trellis_logic::structure::TupleSpace;
use trellis_logic::{Arena, FormulaId, FunId, RelId, RelKind, TermId};
use trellis_transys::TransitionSystem;

use crate::cube::{Cube, Literal};
use crate::model::State;

/// The diagram of a state over the constants for elements.
pub fn diagram(
    system: &TransitionSystem,
    arena: &mut Arena,
    state: &State,
    names: &[FunId],
) -> Cube {
    let mut builder = Builder { system, arena, state, names, literals: Vec::new() };
    builder.constants();
    builder.propositions();
    builder.relations(true);
    builder.data(false);
    builder.relations(false);
    builder.distinct();
    builder.data(true);
    Cube { literals: builder.literals, elements: state.elements.len() }
}

struct Builder<'a> {
    system: &'a TransitionSystem,
    arena: &'a mut Arena,
    state: &'a State,
    names: &'a [FunId],
    literals: Vec<Literal>,
}

impl Builder<'_> {
    fn push(&mut self, atom: FormulaId, positive: bool) {
        if atom != FormulaId::TRUE && atom != FormulaId::FALSE {
            self.literals.push(Literal { atom, positive });
        }
    }

    fn name(&mut self, i: usize) -> TermId {
        self.arena.constant(self.names[i])
    }

    fn null(&mut self) -> TermId {
        self.arena.constant(self.system.symbols.null)
    }

    /// Which element each constant denotes.
    fn constants(&mut self) {
        let location = &self.system.locations[self.state.at.0];
        let obj = self.system.symbols.obj;
        for &constant in &location.constants {
            if self.system.vocabulary.fun(constant).result != obj {
                continue;
            }
            let Some(value) = self.state.structure.constant(constant) else { continue };
            let name = match self.state.elements.iter().position(|e| *e == value) {
                Some(i) => self.name(i),
                None => self.null(),
            };
            let constant = self.arena.constant(constant);
            let atom = self.arena.eq(constant, name);
            self.push(atom, true);
        }
    }

    fn propositions(&mut self) {
        for &rel in &self.system.locations[self.state.at.0].propositions {
            let holds = self.state.structure.rel(rel, &[]);
            let atom = self.arena.rel(rel, &[]);
            self.push(atom, holds);
        }
    }

    /// Elements differ from each other and from null.
    fn distinct(&mut self) {
        let null = self.null();
        for i in 0..self.state.elements.len() {
            let a = self.name(i);
            let atom = self.arena.eq(a, null);
            self.push(atom, false);
            for j in 0..i {
                let b = self.name(j);
                let atom = self.arena.eq(b, a);
                self.push(atom, false);
            }
        }
    }

    fn relations(&mut self, positive: bool) {
        for &rel in &self.system.locations[self.state.at.0].relations {
            match self.system.vocabulary.rel(rel).args.len() {
                0 => {}
                1 => self.unary(rel, positive),
                arity => self.tuples(rel, arity, positive),
            }
        }
    }

    fn unary(&mut self, rel: RelId, positive: bool) {
        for (i, &element) in self.state.elements.iter().enumerate() {
            let holds = self.state.structure.rel(rel, &[element]);
            if holds == positive {
                let name = self.name(i);
                let atom = self.arena.rel(rel, &[name]);
                self.push(atom, holds);
            }
        }
    }

    /// Of a closure and of subtrees the axioms say what is to be said of null; any other relation
    /// may hold of it.
    fn tuples(&mut self, rel: RelId, arity: usize, positive: bool) {
        let kind = self.system.vocabulary.rel(rel).kind;
        let closure = matches!(kind, RelKind::Closure { .. } | RelKind::Below { .. });
        let mut elements = self.named();
        if !closure && let Some(null) = self.state.structure.constant(self.system.symbols.null) {
            elements.push((self.null(), null));
        }
        let space = TupleSpace::new(vec![elements.len() as u32; arity]);
        for tuple in (0..space.len()).map(|i| space.tuple(i)) {
            let (names, places): (Vec<TermId>, Vec<u32>) =
                tuple.iter().map(|&i| elements[i as usize]).unzip();
            let holds = self.state.structure.rel(rel, &places);
            if holds == positive && !(closure && places[0] == places[1]) {
                let atom = self.arena.rel(rel, &names);
                self.push(atom, holds);
            }
        }
    }

    /// The elements besides null, each with its constant.
    fn named(&mut self) -> Vec<(TermId, u32)> {
        (0..self.state.elements.len()).map(|i| (self.name(i), self.state.elements[i])).collect()
    }

    /// How all known data compare: with variables of the program, or among the others.
    fn data(&mut self, with_variables: bool) {
        let system = self.system;
        let location = &system.locations[self.state.at.0];
        let mut known: Vec<(TermId, u32)> = Vec::new();
        let constants = location
            .constants
            .iter()
            .filter(|c| system.vocabulary.fun(**c).result == system.symbols.data);
        for &constant in constants.chain(system.symbols.constants.values()) {
            if let Some(value) = self.state.structure.constant(constant) {
                known.push((self.arena.constant(constant), value));
            }
        }
        let rigid = system.symbols.constants.len();
        let constants = known.len();
        for &function in &location.functions {
            for (i, &element) in self.state.elements.iter().enumerate() {
                let value = self.state.structure.fun(function, &[element]);
                if let Some(trellis_logic::Value::Elem(value)) = value {
                    let name = self.name(i);
                    known.push((self.arena.app(function, &[name]), value));
                }
            }
        }
        let at_most = system.symbols.at_most;
        for (i, &(a, x)) in known.iter().enumerate() {
            for (j, &(b, y)) in known.iter().enumerate() {
                let both_rigid = |k: usize| k < constants && k + rigid >= constants;
                if i == j || (both_rigid(i) && both_rigid(j)) {
                    continue;
                }
                let variable = |k: usize| k + rigid < constants;
                if with_variables != (variable(i) || variable(j)) {
                    continue;
                }
                let holds = self.state.structure.rel(at_most, &[x, y]);
                let atom = self.arena.rel(at_most, &[a, b]);
                self.push(atom, holds);
            }
        }
    }
}
