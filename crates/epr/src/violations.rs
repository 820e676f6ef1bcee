//! Finding the instances of clauses that a candidate violates.
//!
//! A search over tuples of classes, one variable after the other; a literal is looked at as soon as
//! its last variable has a value, and a true one ends the branch. This is the hot loop of queries
//! that have a model, so a literal is first made a [`Test`]: one bit of a table, at an offset to
//! which each variable adds its value times a stride. Up to 64 values of a variable are tried at
//! once, as the bits of a word: where the variable is the last argument, they are neighbours in the
//! table. Where no value does, the search goes back to the last variable that has something to do with
//! it (conflict-directed backjumping), so that parts of a clause that share no variables cost the sum,
//! not the product, of what each costs.

use smallvec::SmallVec;
use trellis_solver::{Limits, Unknown};

use crate::atoms::Predicate;
use crate::candidate::{Candidate, MISSING, NONE};
use crate::clause::{Atom, Literal, OpenTerm};
use crate::ground::{Grounding, Template};
use crate::terms::{Args, Ground};

/// At most so many instances of one clause are added at a time.
const BATCH: usize = 64;

/// So often is the next variable given values before the limits are looked at again.
const STEPS: u32 = 1024;

/// The violated instances: the number of the template, and the terms. The search through the values of
/// a clause with many variables may end with the limits.
pub(crate) fn find(
    ground: &Grounding,
    candidate: &mut Candidate,
    limits: &Limits,
) -> Result<Vec<(usize, Args)>, Unknown> {
    let mut found = Vec::new();
    let mut steps = 0;
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
            let mut search =
                Search { candidate, ground, template, tests, number, batch, found, limits, steps };
            search.extend(&mut SmallVec::new())?;
            (found, steps) = (search.found, search.steps);
        }
    }
    Ok(found)
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

type Tests<'a> = SmallVec<[Test<'a>; 6]>;

/// The tests of a template's literals. `None` if one of them mentions a term that is not relevant:
/// then nothing that is asserted or assumed depends on the clause.
fn tests<'a>(candidate: &'a Candidate, template: &'a Template) -> Option<Tests<'a>> {
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
            for (arg, &stride) in args.iter().zip(table.strides()) {
                match arg {
                    OpenTerm::Var(v) => strides[*v as usize] += stride,
                    OpenTerm::Ground(term) => match candidate.class(*term) {
                        NONE => return None,
                        class => base += class as usize * stride,
                    },
                    OpenTerm::App(..) => return Some(Test::Other(literal)),
                }
            }
            Test::Bit { bits: table.bits(), base, strides, positive }
        }
        Atom::Eq(a, b) => match (a, b) {
            (OpenTerm::Var(x), OpenTerm::Var(y)) => {
                Test::Same { var: *x, with: Side::Var(*y), positive }
            }
            (OpenTerm::Var(x), OpenTerm::Ground(t)) | (OpenTerm::Ground(t), OpenTerm::Var(x)) => {
                match candidate.class(*t) {
                    NONE => return None,
                    class => Test::Same { var: *x, with: Side::Class(class), positive },
                }
            }
            _ => Test::Other(literal),
        },
    })
}

/// A set of the variables of a template, as bits; with more than 64, one bit stands for several.
pub(crate) type Vars = u64;

fn bit(var: usize) -> Vars {
    1 << (var % 64)
}

/// For every variable those before it on which the literals depend that wait for it: the literals of
/// each variable end in `open` where `ends` says.
pub(crate) fn blame(open: &[Literal], ends: &[usize]) -> SmallVec<[Vars; 3]> {
    let mut start = 0;
    let depths = ends.iter().enumerate().map(|(depth, &end)| {
        let mut all = 0;
        open[start..end].iter().for_each(|l| l.each_var(|v| all |= bit(v as usize)));
        start = end;
        if ends.len() > 64 { Vars::MAX } else { all & !bit(depth) }
    });
    depths.collect()
}

struct Search<'a> {
    candidate: &'a Candidate,
    ground: &'a Grounding,
    template: &'a Template,
    tests: Tests<'a>,
    number: usize,
    batch: usize,
    found: Vec<(usize, Args)>,
    limits: &'a Limits,
    /// How often a variable was given values, over all templates.
    steps: u32,
}

impl Search<'_> {
    /// Gives the next variable all its values. If nothing is found, the variables before it to which
    /// that is due; otherwise all.
    fn extend(&mut self, tuple: &mut SmallVec<[u32; 4]>) -> Result<Vars, Unknown> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS)
            && let Some(why) = self.limits.exceeded()
        {
            return Err(why);
        }
        let depth = tuple.len();
        let template = self.template;
        if depth == template.vars.len() {
            let elements = template.vars.iter().map(|&sort| self.candidate.elements(sort));
            let terms = elements.zip(&*tuple).map(|(e, &x)| e[x as usize]).collect();
            self.found.push((self.number, terms));
            self.batch += 1;
            return Ok(Vars::MAX);
        }
        let size = self.candidate.elements(template.vars[depth]).len() as u32;
        let mut due = template.blame[depth];
        for from in (0..size).step_by(64) {
            let mut values = self.false_of(tuple, from, 64.min(size - from));
            while values != 0 {
                tuple.push(from + values.trailing_zeros());
                values &= values - 1;
                let below = self.extend(tuple)?;
                tuple.pop();
                // Enough is found, or no value of this variable helps.
                if self.batch >= BATCH || below & bit(depth) == 0 {
                    return Ok(below);
                }
                due |= below;
            }
        }
        Ok(if due == Vars::MAX { due } else { due & !bit(depth) })
    }

    /// The values `from..from + count` of the next variable of which all literals are false that
    /// wait for it: bit i stands for `from + i`.
    fn false_of(&self, tuple: &mut SmallVec<[u32; 4]>, from: u32, count: u32) -> u64 {
        let depth = tuple.len();
        let start = if depth == 0 { 0 } else { self.template.ends[depth - 1] };
        let mut values = u64::MAX >> (64 - count);
        for test in &self.tests[start..self.template.ends[depth]] {
            if values == 0 {
                break;
            }
            let (holds, positive) = match test {
                Test::Bit { bits, base, strides, positive } => {
                    let before = tuple.iter().zip(strides).map(|(&x, s)| x as usize * s);
                    let stride = strides[depth];
                    let at = base + before.sum::<usize>() + from as usize * stride;
                    let bit = |x: u32| at + x as usize * stride;
                    let holds = match stride {
                        1 => neighbours(bits, at, count),
                        _ => select(values, |x| bits[bit(x) / 64] >> (bit(x) % 64) & 1 == 1),
                    };
                    (holds, *positive)
                }
                Test::Same { var, with, positive } => {
                    let with = match with {
                        Side::Var(y) => tuple[*var.min(y) as usize],
                        Side::Class(class) => *class,
                    };
                    let holds = select(values, |x| from + x == with);
                    (holds, *positive)
                }
                Test::Other(literal) => {
                    let is_false = select(values, |x| {
                        tuple.push(from + x);
                        let is_false = self.is_false_in_general(literal, tuple);
                        tuple.pop();
                        is_false
                    });
                    (is_false, false)
                }
            };
            values &= if positive { !holds } else { holds };
        }
        values
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
    fn is_defined(&self, predicate: Predicate, args: &[OpenTerm], classes: &[u32]) -> bool {
        let sorts = &self.ground.atoms.predicate(predicate).args;
        let term = |((arg, &sort), &class): ((&OpenTerm, _), &u32)| match arg {
            OpenTerm::Ground(term) => *term,
            OpenTerm::Var(_) | OpenTerm::App(..) => self.candidate.elements(sort)[class as usize],
        };
        let terms: Args = args.iter().zip(sorts).zip(classes).map(term).collect();
        let lit = self.ground.atoms.find(predicate, terms);
        lit.is_some_and(|l| self.ground.sat.value(l))
    }

    fn class(&self, term: &OpenTerm, tuple: &[u32]) -> u32 {
        match term {
            OpenTerm::Var(v) => tuple[*v as usize],
            OpenTerm::Ground(term) => self.candidate.class(*term),
            OpenTerm::App(symbol, args) => {
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

/// So many bits of a table, from one on.
fn neighbours(bits: &[u64], at: usize, count: u32) -> u64 {
    let (word, shift) = (at / 64, at % 64);
    let low = bits[word] >> shift;
    if shift + count as usize > 64 { low | bits[word + 1] << (64 - shift) } else { low }
}

/// Those of some small numbers that have a property.
fn select(mut of: u64, mut has: impl FnMut(u32) -> bool) -> u64 {
    let mut found = 0;
    while of != 0 {
        let x = of.trailing_zeros();
        of &= of - 1;
        found |= u64::from(has(x)) << x;
    }
    found
}
