//! Whether a path of a transition system leads from one machine state to another.

use std::collections::BTreeMap;

use trellis_logic::{Arena, FormulaId, TermId, Vocabulary};
use trellis_solver::{Answer, Context, Limits};
use trellis_testkit::solvers::epr;
use trellis_transys::{LocationId, Path, TransitionSystem};

use crate::facts::Fact;

/// The elements and integers of two states, as constants.
pub struct Query<'a> {
    system: &'a TransitionSystem,
    logic: Vocabulary,
    arena: Arena,
    elements: Vec<TermId>,
    numbers: BTreeMap<i128, TermId>,
    formulas: Vec<FormulaId>,
}

impl<'a> Query<'a> {
    /// A state with so many elements.
    pub fn new(system: &'a TransitionSystem, size: u32, before: &[Fact], after: &[Fact]) -> Self {
        let (mut logic, mut arena) = (system.vocabulary.clone(), system.arena.clone());
        let symbols = &system.symbols;
        let mut elements = vec![arena.constant(symbols.null)];
        for i in 1..size {
            let fun = logic.constant(format!("object{i}"), symbols.obj);
            elements.push(arena.constant(fun));
        }
        let mut numbers: BTreeMap<i128, TermId> =
            symbols.constants.iter().map(|(n, fun)| (*n, arena.constant(*fun))).collect();
        for fact in before.iter().chain(after) {
            if let Fact::Int(_, n) | Fact::Field(_, _, n) = fact {
                numbers.entry(*n).or_insert_with(|| {
                    let fun = logic.constant(format!("number {n}"), symbols.data);
                    arena.constant(fun)
                });
            }
        }
        let mut query = Query { system, logic, arena, elements, numbers, formulas: Vec::new() };
        query.universe();
        for fact in before {
            let formula = query.fact(fact, None);
            query.formulas.push(formula);
        }
        query.formulas.extend(&system.axioms);
        query
    }

    /// The objects are different and there are no others; the integers have their order.
    fn universe(&mut self) {
        let (arena, elements) = (&mut self.arena, &self.elements);
        for (i, a) in elements.iter().enumerate() {
            for b in &elements[..i] {
                self.formulas.push(arena.ne(*a, *b));
            }
        }
        let var = arena.variable("$any", self.system.symbols.obj);
        let any = arena.var_term(var);
        let one_of: Vec<FormulaId> = elements.iter().map(|e| arena.eq(any, *e)).collect();
        let one_of = arena.or(one_of);
        self.formulas.push(arena.forall(&[var], one_of));
        let numbers: Vec<TermId> = self.numbers.values().copied().collect();
        for pair in numbers.windows(2) {
            let back = arena.rel(self.system.symbols.at_most, &[pair[1], pair[0]]);
            self.formulas.push(arena.not(back));
        }
    }

    /// A fact, after a path or before it.
    fn fact(&mut self, fact: &Fact, path: Option<&Path>) -> FormulaId {
        let arena = &mut self.arena;
        match fact {
            Fact::Rel(rel, args, value) => {
                let args: Vec<TermId> = args.iter().map(|a| self.elements[*a as usize]).collect();
                let atom = arena.rel(*rel, &args);
                let atom = path.map_or(atom, |p| arena.expand(atom, &p.update));
                if *value { atom } else { arena.not(atom) }
            }
            Fact::Obj(fun, element) => {
                let term = arena.constant(*fun);
                let term = path.map_or(term, |p| arena.expand_term(term, &p.update));
                arena.eq(term, self.elements[*element as usize])
            }
            Fact::Int(fun, n) => {
                let term = arena.constant(*fun);
                let term = path.map_or(term, |p| arena.expand_term(term, &p.update));
                arena.eq(term, self.numbers[n])
            }
            Fact::Field(fun, of, n) => {
                let term = arena.app(*fun, &[self.elements[*of as usize]]);
                let term = path.map_or(term, |p| arena.expand_term(term, &p.update));
                arena.eq(term, self.numbers[n])
            }
        }
    }

    /// The facts that a path excludes, for messages.
    pub fn excluded(&mut self, path: &Path, after: &[Fact]) -> Vec<String> {
        if !self.is_open(path, &[]) {
            return vec!["it cannot be taken".into()];
        }
        let mut out = Vec::new();
        for fact in after {
            if !self.is_open(path, std::slice::from_ref(fact)) {
                let formula = self.fact(fact, None);
                out.push(self.arena.print(&self.logic, formula).to_string());
            }
        }
        out
    }

    /// Whether the path can be taken here, and arrive where the facts hold.
    pub fn is_open(&mut self, path: &Path, after: &[Fact]) -> bool {
        let mut formulas = self.formulas.clone();
        if path.from == LocationId::ENTRY {
            formulas.extend(&self.system.initial);
        }
        formulas.extend(&path.guards);
        for fact in after {
            formulas.push(self.fact(fact, Some(path)));
        }
        let mut solver = epr();
        let mut context = Context { vocabulary: &self.logic, arena: &mut self.arena };
        for formula in formulas {
            solver.assert(&mut context, formula).expect("a formula of EPR");
        }
        match solver.check(&mut context, &[], &Limits::default()) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Unknown(why) => panic!("the solver does not know: {why}"),
        }
    }
}
