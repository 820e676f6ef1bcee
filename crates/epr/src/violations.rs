//! Finding the instances of clauses that a candidate violates.
//!
//! A search over tuples of classes, one variable after the other; a literal is looked at as soon as
//! its last variable has a value, and a true one ends the branch. This is the hot loop of queries
//! that have a model, so a literal is first made a [`Test`]: one bit of a table, at an offset to
//! which each variable adds its value times a stride.

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
        if let Some(tests) = tests(candidate, template) {
            let (number, batch) = (number, 0);
            let mut search = Search { candidate, ground, template, tests, number, batch, found };
            search.extend(&mut SmallVec::new());
            found = search.found;
        }
    }
    found
}

/// A literal made ready for the search.
enum Test<'a> {
    /// A bit of a table.
    Bit { bits: &'a [u64], base: usize, strides: SmallVec<[usize; 4]>, positive: bool },
    /// Equality of a variable with another one, or with a fixed class.
    Same { var: u32, with: Side, positive: bool },
    /// Anything else.
    Other(&'a Literal),
}

enum Side {
    Var(u32),
    Class(u32),
}

/// The tests of a template's literals. `None` if one of them mentions a term that is not relevant:
/// then nothing that is asserted or assumed depends on the clause.
fn tests<'a>(candidate: &'a Candidate, template: &'a Template) -> Option<Vec<Test<'a>>> {
    template.open.iter().map(|literal| test(candidate, template.vars.len(), literal)).collect()
}

fn test<'a>(candidate: &'a Candidate, vars: usize, literal: &'a Literal) -> Option<Test<'a>> {
    let positive = literal.positive;
    Some(match &literal.atom {
        Atom::Rel(predicate, args) => {
            let Some(table) = candidate.table(*predicate) else {
                return Some(Test::Other(literal));
            };
            let (mut base, mut strides) = (0, SmallVec::from_elem(0, vars));
            for (arg, stride) in args.iter().zip(table.strides()) {
                match arg {
                    Pattern::Var(v) => strides[*v as usize] += stride,
                    Pattern::Ground(term) => match candidate.class(*term) {
                        NONE => return None,
                        class => base += class as usize * stride,
                    },
                    Pattern::App(..) => return Some(Test::Other(literal)),
                }
            }
            Test::Bit { bits: table.bits(), base, strides, positive }
        }
        Atom::Eq(a, b) => match (a, b) {
            (Pattern::Var(x), Pattern::Var(y)) => {
                Test::Same { var: *x, with: Side::Var(*y), positive }
            }
            (Pattern::Var(x), Pattern::Ground(t)) | (Pattern::Ground(t), Pattern::Var(x)) => {
                match candidate.class(*t) {
                    NONE => return None,
                    class => Test::Same { var: *x, with: Side::Class(class), positive },
                }
            }
            _ => Test::Other(literal),
        },
    })
}

struct Search<'a> {
    candidate: &'a Candidate,
    ground: &'a Grounding,
    template: &'a Template,
    tests: Vec<Test<'a>>,
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
        let end = template.ends[depth];
        let offsets: SmallVec<[usize; 6]> =
            self.tests[start..end].iter().map(|t| t.offset(tuple)).collect();
        for x in 0..self.candidate.elements(template.vars[depth]).len() as u32 {
            tuple.push(x);
            let mut tests = self.tests[start..end].iter().zip(&offsets);
            if tests.all(|(test, &offset)| self.is_false(test, offset, depth, tuple)) {
                self.extend(tuple);
            }
            tuple.pop();
            if self.batch >= BATCH {
                return;
            }
        }
    }

    /// Whether a test's literal is false of the tuple, whose last variable is the one at `depth`.
    fn is_false(&self, test: &Test<'_>, offset: usize, depth: usize, tuple: &[u32]) -> bool {
        match test {
            Test::Bit { bits, strides, positive, .. } => {
                let index = offset + strides[depth] * tuple[depth] as usize;
                (bits[index / 64] >> (index % 64) & 1 == 1) != *positive
            }
            Test::Same { var, with, positive } => {
                let with = match with {
                    Side::Var(y) => tuple[*y as usize],
                    Side::Class(class) => *class,
                };
                (tuple[*var as usize] == with) != *positive
            }
            Test::Other(literal) => self.is_false_in_general(literal, tuple),
        }
    }

    /// A literal that mentions an irrelevant term is not false; one that mentions a missing value
    /// may be, and the instance will say.
    fn is_false_in_general(&self, literal: &Literal, tuple: &[u32]) -> bool {
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

impl Test<'_> {
    /// Where the bits are for the values of the variables so far.
    fn offset(&self, tuple: &[u32]) -> usize {
        match self {
            Test::Bit { base, strides, .. } => {
                base + tuple.iter().zip(strides).map(|(&x, s)| x as usize * s).sum::<usize>()
            }
            Test::Same { .. } | Test::Other(_) => 0,
        }
    }
}
