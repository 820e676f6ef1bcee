//! Sequents in many-sorted first-order logic.
//!
//! Fields and array elements are functions, sets are predicates, quantifiers range over objects,
//! integers and truth values. What is left, closures, trees, cardinalities, quantified sets, is
//! replaced by fresh functions of the bound variables in it. Of a closure the two ends stay
//! arguments. What is true of closures, trees and cardinalities is said besides (`axioms`); that is
//! not all, and often enough.
//!
//! **Invariant.** If the problem has no countermodel, neither has the sequent; if nothing was
//! replaced, the other way round as well.

mod axioms;

use std::collections::BTreeMap;

use trellis_hol::{Binder, Kind, Op, Quantifier, Symbol, SymbolId, Term, Type, VarId};
use trellis_sequents::sequent::{symbols, write_key};

use crate::Question;

/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Sort {
    Obj,
    Int,
    Bool,
}

/// A function or, with truth values as its result, a predicate.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, which no other has.
    pub name: String,
    /// What it takes.
    pub args: Vec<Sort>,
    /// What it gives.
    pub result: Sort,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// Its number.
    pub id: u32,
    /// Its sort.
    pub sort: Sort,
}

/// A term or formula.
#[derive(Clone, PartialEq, Debug)]
pub enum Fo {
    /// A variable.
    Var(Var),
    /// A function, by its number.
    Apply(usize, Vec<Fo>),
    /// An integer.
    Int(i128),
    /// An operation of the logic: connectives, `If`, comparisons, arithmetic, `Null`.
    Op(Op, Vec<Fo>),
    /// For all, or with `false` there is.
    Quantified(bool, Vec<Var>, Box<Fo>),
}

/// A sequent.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The functions.
    pub functions: Vec<Function>,
    /// What is known; first the hypotheses of the sequent, in order, then what is said of closures.
    pub facts: Vec<Fo>,
    /// How many of the facts are hypotheses.
    pub hypotheses: usize,
    /// What follows.
    pub goal: Option<Fo>,
    /// Whether something was replaced.
    pub replaced: bool,
}

/// The sort of a type that has one.
pub fn sort(ty: &Type) -> Option<Sort> {
    match ty {
        Type::Obj => Some(Sort::Obj),
        Type::Int => Some(Sort::Int),
        Type::Bool => Some(Sort::Bool),
        _ => None,
    }
}

/// The sequent of a question.
pub fn problem(question: &Question<'_>) -> Problem {
    let mut lowering = Lowering {
        symbols: question.symbols,
        problem: Problem::default(),
        known: BTreeMap::new(),
        replaced: BTreeMap::new(),
        closures: Vec::new(),
        trees: Vec::new(),
        cards: Vec::new(),
    };
    let sequent = question.sequent;
    let facts: Vec<Fo> = sequent.hypotheses.iter().map(|h| lowering.formula(h)).collect();
    lowering.problem.facts = facts;
    lowering.problem.hypotheses = sequent.hypotheses.len();
    let goal = lowering.formula(&sequent.goal);
    lowering.problem.goal = Some(goal);
    let objects = objects(question);
    lowering.close(&objects);
    lowering.problem
}

struct Lowering<'a> {
    symbols: &'a [Symbol],
    problem: Problem,
    known: BTreeMap<SymbolId, Option<usize>>,
    /// What was replaced, by its text.
    replaced: BTreeMap<String, usize>,
    /// Relations without free variables whose closure has a function.
    closures: Vec<(usize, Term)>,
    /// Trees over fields that are symbols, or over one that was written, and what they are replaced by.
    trees: Vec<(usize, Vec<Term>)>,
    /// Cardinalities of sets of objects without free variables.
    cards: Vec<Term>,
}

/// The objects that a question names, those of the goal first.
fn objects(question: &Question<'_>) -> Vec<Term> {
    let sequent = question.sequent;
    let mut ids: Vec<SymbolId> = Vec::new();
    for t in std::iter::once(&sequent.goal).chain(sequent.hypotheses.iter().rev()) {
        let new = symbols(t).into_iter();
        ids.extend(new.filter(|s| question.symbols[s.0 as usize].ty == Type::Obj));
    }
    let mut known = Vec::new();
    ids.retain(|s| {
        !known.contains(s) && {
            known.push(*s);
            true
        }
    });
    ids.into_iter().map(|s| trellis_sequents::build::symbol(s, Type::Obj)).collect()
}

impl Lowering<'_> {
    fn function(&mut self, name: String, args: Vec<Sort>, result: Sort) -> usize {
        self.problem.functions.push(Function { name, args, result });
        self.problem.functions.len() - 1
    }

    /// The function of a symbol, if it has a first-order type.
    fn symbol(&mut self, id: SymbolId) -> Option<usize> {
        if let Some(found) = self.known.get(&id) {
            return *found;
        }
        let symbol = &self.symbols[id.0 as usize];
        let (mut args, mut ty) = (Vec::new(), &symbol.ty);
        let mut plain = true;
        while let Type::Fun(from, to) = ty {
            match sort(from) {
                Some(sort) => args.push(sort),
                None => plain = false,
            }
            ty = to;
        }
        let result = match ty {
            Type::Set(of) => {
                match sort(of) {
                    Some(sort) => args.push(sort),
                    None => plain = false,
                }
                Some(Sort::Bool)
            }
            other => sort(other),
        };
        let name = symbol.name.clone();
        let found = result.filter(|_| plain).map(|result| self.function(name, args, result));
        self.known.insert(id, found);
        found
    }

    fn formula(&mut self, t: &Term) -> Fo {
        match &t.kind {
            Kind::Int(i) => Fo::Int(*i),
            Kind::Var(v) => match sort(&t.ty) {
                Some(sort) => Fo::Var(Var { id: v.0, sort }),
                None => self.replace(t),
            },
            Kind::Symbol(_) => self.applied(t, &[], t),
            Kind::Apply(head, args) => self.applied(head, args, t),
            Kind::Comment(_, inner) => self.formula(inner),
            Kind::Bind(q @ (Quantifier::Forall | Quantifier::Exists), binders, body) => {
                let vars: Option<Vec<Var>> = binders.iter().map(variable).collect();
                match vars {
                    Some(vars) => {
                        let body = Box::new(self.formula(body));
                        Fo::Quantified(*q == Quantifier::Forall, vars, body)
                    }
                    None => self.replace(t),
                }
            }
            Kind::Bind(..) => self.replace(t),
            Kind::Op(o, args) => self.operation(*o, args, t),
        }
    }

    fn applied(&mut self, head: &Term, args: &[Term], whole: &Term) -> Fo {
        let function = match head.kind {
            Kind::Symbol(s) => self.symbol(s),
            _ => None,
        };
        match function {
            Some(f)
                if self.problem.functions[f].args.len() == args.len()
                    && sort(&whole.ty).is_some() =>
            {
                Fo::Apply(f, args.iter().map(|a| self.formula(a)).collect())
            }
            _ => self.replace(whole),
        }
    }

    fn operation(&mut self, o: Op, args: &[Term], t: &Term) -> Fo {
        let all = |l: &mut Self| args.iter().map(|a| l.formula(a)).collect::<Vec<_>>();
        match o {
            Op::True
            | Op::False
            | Op::Null
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Implies
            | Op::Iff
            | Op::Less
            | Op::LessEq
            | Op::Plus
            | Op::Minus
            | Op::Negate
            | Op::Times => Fo::Op(o, all(self)),
            // Logics agree on divisors that are positive.
            Op::Div | Op::Mod if matches!(args[1].kind, Kind::Int(n) if n > 0) => {
                Fo::Op(o, all(self))
            }
            Op::Eq | Op::If if sort(&args[args.len() - 1].ty).is_some() => Fo::Op(o, all(self)),
            Op::Element => match (&args[1].kind, sort(&args[0].ty)) {
                (Kind::Symbol(s), Some(_)) => match self.symbol(*s) {
                    Some(f) if self.problem.functions[f].args.len() == 1 => {
                        Fo::Apply(f, vec![self.formula(&args[0])])
                    }
                    _ => self.replace(t),
                },
                _ => self.replace(t),
            },
            Op::Reaches if sort(&args[1].ty).is_some() => self.closure(args),
            Op::Tree => self.tree(args, t),
            Op::Card => self.card(args, t),
            _ => self.replace(t),
        }
    }

    /// The variables of a term that are bound outside of it, in the order of their numbers.
    fn free(&self, t: &Term) -> Vec<(VarId, Type)> {
        let (mut bound, mut found) = (Vec::new(), BTreeMap::new());
        t.visit(&mut |part| match &part.kind {
            Kind::Bind(_, binders, _) => bound.extend(binders.iter().map(|b| b.id)),
            Kind::Var(v) => {
                found.insert(*v, part.ty.clone());
            }
            _ => {}
        });
        found.into_iter().filter(|(v, _)| !bound.contains(v)).collect()
    }

    /// A function in place of something that cannot be said, and its arguments. What is the same but
    /// for the names of variables has the same function.
    fn fresh(&mut self, t: &Term, extra: &[Sort], result: Sort) -> (usize, Vec<Fo>) {
        self.problem.replaced = true;
        let free = self.free(t);
        let plain: Vec<Var> =
            free.iter().filter_map(|(v, ty)| Some(Var { id: v.0, sort: sort(ty)? })).collect();
        let mut text = String::new();
        let mut bound: Vec<VarId> =
            free.iter().filter(|(_, ty)| sort(ty).is_some()).map(|(v, _)| *v).collect();
        let name = &mut |s: SymbolId, out: &mut String| out.push_str(&format!("s{}", s.0));
        write_key(t, &mut bound, name, &mut text);
        let function = match self.replaced.get(&text) {
            Some(f) => *f,
            None => {
                let mut args: Vec<Sort> = plain.iter().map(|v| v.sort).collect();
                args.extend(extra);
                let f = self.function(format!("replaced {}", self.replaced.len()), args, result);
                self.replaced.insert(text, f);
                f
            }
        };
        (function, plain.into_iter().map(Fo::Var).collect())
    }

    fn replace(&mut self, t: &Term) -> Fo {
        let Some(result) = sort(&t.ty) else {
            // Only formulas and terms with a sort get here from outside.
            self.problem.replaced = true;
            return Fo::Op(Op::Null, vec![]);
        };
        let (f, args) = self.fresh(t, &[], result);
        Fo::Apply(f, args)
    }

    fn tree(&mut self, fields: &[Term], t: &Term) -> Fo {
        let before = self.problem.functions.len();
        let (f, args) = self.fresh(t, &[], Sort::Bool);
        let known = match fields {
            [field] => axioms::is_written_field(field),
            _ => fields.iter().all(|f| matches!(f.kind, Kind::Symbol(_))),
        };
        if f == before && args.is_empty() && known {
            self.trees.push((f, fields.to_vec()));
        }
        Fo::Apply(f, args)
    }

    fn card(&mut self, sets: &[Term], t: &Term) -> Fo {
        let before = self.problem.functions.len();
        let (f, args) = self.fresh(t, &[], Sort::Int);
        let of_objects = matches!(&sets[0].kind, Kind::Bind(Quantifier::Comprehension, binders, _)
            if binders.len() == 1 && binders[0].ty == Type::Obj);
        if f == before && args.is_empty() && of_objects {
            self.cards.push(t.clone());
        }
        Fo::Apply(f, args)
    }

    fn closure(&mut self, args: &[Term]) -> Fo {
        let (Some(a), Some(b)) = (sort(&args[1].ty), sort(&args[2].ty)) else {
            return Fo::Op(Op::False, vec![]);
        };
        let before = self.problem.functions.len();
        let (f, mut own) = self.fresh(&args[0], &[a, b], Sort::Bool);
        if f == before && own.is_empty() {
            self.closures.push((f, args[0].clone()));
        }
        own.push(self.formula(&args[1]));
        own.push(self.formula(&args[2]));
        Fo::Apply(f, own)
    }
}

fn variable(b: &Binder) -> Option<Var> {
    Some(Var { id: b.id.0, sort: sort(&b.ty)? })
}
