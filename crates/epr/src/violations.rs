//! Finding the instances of clauses that a candidate violates.
//!
//! A search over tuples of classes, one variable after the other; a literal is looked at as soon as
//! its last variable has a value, and a true one ends the branch.

use smallvec::SmallVec;

use crate::atoms::Predicate;
use crate::candidate::{Candidate, MISSING, NONE};
use crate::clause::{Atom, Literal, Pattern};
use crate::ground::{Grounding, Template};
use crate::terms::{Args, Ground};

/// At most so many instances of one clause are added at a time.
const BATCH: usize = 64;

/// The violated instances: the number of the template, and the terms.
pub(crate) fn find(ground: &Grounding, candidate: &mut Candidate) -> Vec<(usize, Args)> {
    let mut found = Vec::new();
    for (number, template) in ground.templates.iter().enumerate() {
        if template.guard.iter().any(|&lit| ground.sat.value(lit)) {
            continue;
        }
        for literal in &template.open {
            if let Atom::Rel(predicate, _) = literal.atom
                && !ground.atoms.is_definition(predicate)
            {
                candidate.tabulate(ground, predicate);
            }
        }
        let mut search = Search { candidate, ground, template, number, batch: 0, found };
        search.extend(&mut SmallVec::new());
        found = search.found;
    }
    found
}

struct Search<'a> {
    candidate: &'a Candidate,
    ground: &'a Grounding,
    template: &'a Template,
    number: usize,
    batch: usize,
    found: Vec<(usize, Args)>,
}

impl Search<'_> {
    /// Gives the next variable all its values.
    fn extend(&mut self, tuple: &mut SmallVec<[u32; 4]>) {
        let depth = tuple.len();
        let template = self.template;
        if depth == template.vars.len() {
            let elements = template.vars.iter().map(|&sort| self.candidate.elements(sort));
            let terms = elements.zip(&*tuple).map(|(e, &x)| e[x as usize]).collect();
            self.found.push((self.number, terms));
            self.batch += 1;
            return;
        }
        let start = if depth == 0 { 0 } else { template.ends[depth - 1] };
        let literals = &template.open[start..template.ends[depth]];
        for x in 0..self.candidate.elements(template.vars[depth]).len() as u32 {
            tuple.push(x);
            if literals.iter().all(|l| self.is_false(l, tuple)) {
                self.extend(tuple);
            }
            tuple.pop();
            if self.batch >= BATCH {
                return;
            }
        }
    }

    /// Whether the literal is false of the tuple. One that mentions an irrelevant term is not: then
    /// nothing that is asserted or assumed depends on the clause. One that mentions a missing value
    /// may be, and the instance will say.
    fn is_false(&self, literal: &Literal, tuple: &[u32]) -> bool {
        let classes: SmallVec<[u32; 4]> =
            literal.atom.args().iter().map(|a| self.class(a, tuple)).collect();
        if classes.contains(&NONE) {
            return false;
        }
        if classes.contains(&MISSING) {
            return true;
        }
        let holds = match &literal.atom {
            Atom::Eq(..) => classes[0] == classes[1],
            Atom::Rel(predicate, args) => match self.candidate.table(*predicate) {
                Some(table) => table.holds(classes.iter().copied()),
                None => self.is_defined(*predicate, args, &classes),
            },
        };
        holds != literal.positive
    }

    /// Whether a definition's atom is true. It says something of the very terms that it was made
    /// for, not of their classes.
    fn is_defined(&self, predicate: Predicate, args: &[Pattern], classes: &[u32]) -> bool {
        let sorts = &self.ground.atoms.predicate(predicate).args;
        let term = |((arg, &sort), &class): ((&Pattern, _), &u32)| match arg {
            Pattern::Ground(term) => *term,
            Pattern::Var(_) | Pattern::App(..) => self.candidate.elements(sort)[class as usize],
        };
        let terms: Args = args.iter().zip(sorts).zip(classes).map(term).collect();
        let lit = self.ground.atoms.find(predicate, terms);
        lit.is_some_and(|l| self.ground.sat.value(l))
    }

    fn class(&self, pattern: &Pattern, tuple: &[u32]) -> u32 {
        match pattern {
            Pattern::Var(v) => tuple[*v as usize],
            Pattern::Ground(term) => self.candidate.class(*term),
            Pattern::App(symbol, args) => {
                let mut classes = Args::new();
                for arg in args {
                    match self.class(arg, tuple) {
                        none @ (NONE | MISSING) => return none,
                        x => classes.push(Ground(x)),
                    }
                }
                self.candidate.value(*symbol, classes)
            }
        }
    }
}
