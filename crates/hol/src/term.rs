//! Typed formulas.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::syntax::At;
use crate::types::Type;

/// A bound variable; numbers are unique within a formula, definitions included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

/// A symbol of a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

/// A name that a formula does not bind: a variable of the program, a field, a set of objects.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbol {
    /// As it is shown: `first`, `Node.next`, `List.content`.
    pub name: String,
    /// Its type; a field is a function from objects.
    pub ty: Type,
    /// What it abbreviates, for a specification variable with a definition. Never recursive.
    pub definition: Option<Arc<Term>>,
}

/// A bound variable with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// Its number.
    pub id: VarId,
    /// As written.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A typed term.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// What it is.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// Where it was written, in the text that it comes from.
    pub at: At,
}

/// A way to build a term.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A bound variable.
    Var(VarId),
    /// A symbol.
    Symbol(SymbolId),
    /// An integer.
    Int(i128),
    /// An operation with a meaning of its own.
    Op(Op, Vec<Term>),
    /// A function and its arguments, at least one. A field read is one of these.
    Apply(Box<Term>, Vec<Term>),
    /// Something that binds variables, at least one.
    Bind(Quantifier, Vec<Binder>, Box<Term>),
    /// `comment ''why'' F`: means `F`.
    Comment(String, Box<Term>),
}

/// What binds variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    /// `ALL x. F`.
    Forall,
    /// `EX x. F`.
    Exists,
    /// `% x. t`.
    Lambda,
    /// `{x. F}`; with several variables a set of tuples.
    Comprehension,
}

/// The operations of the logic, after overloading is resolved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Op {
    True,
    False,
    Null,
    /// `{}`.
    EmptySet,
    /// `UNIV`.
    Universe,
    Not,
    And,
    Or,
    Implies,
    Iff,
    /// Of any type but truth values, for which it is [`Op::Iff`].
    Eq,
    Less,
    LessEq,
    /// Proper subset.
    Subset,
    SubsetEq,
    Element,
    Union,
    Inter,
    /// Of sets.
    Difference,
    Plus,
    Minus,
    Negate,
    Times,
    /// Rounds down, as in Isabelle.
    Div,
    /// Has the sign of the divisor, as in Isabelle.
    Mod,
    Card,
    If,
    /// `{a, b}`.
    Listed,
    /// `(a, b)`.
    Tuple,
    /// `[a, b]`.
    List,
    /// `r^*` of a set of pairs: reflexive and transitive closure.
    Closure,
    /// `rtrancl_pt p a b`: the same of a predicate of two arguments.
    Reaches,
    /// `old t`: in the state at entry.
    Old,
    /// `a.[i]`.
    Element1,
    /// `tree [f, …]`: no object is reached from itself over these fields, and none but null is
    /// where two of these fields, or fields of two objects, lead.
    Tree,
    /// `ptree p [f, …]`: such a forest, with `p` the way back.
    ParentTree,
    /// `fieldWrite f x v`: the function that is `v` at `x` and `f` elsewhere.
    Update,
}

/// A formula, or any other closed term, with the symbols that it mentions.
#[derive(Clone, PartialEq, Debug)]
pub struct Formula {
    /// The symbols; [`Kind::Symbol`] counts in here, and so do their definitions.
    pub symbols: Vec<Symbol>,
    /// The term.
    pub term: Term,
}

impl Term {
    /// Calls `f` on this term and on all subterms, outermost first.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Term)) {
        f(self);
        match &self.kind {
            Kind::Var(_) | Kind::Symbol(_) | Kind::Int(_) => {}
            Kind::Op(_, args) => args.iter().for_each(|a| a.visit(f)),
            Kind::Apply(head, args) => {
                head.visit(f);
                args.iter().for_each(|a| a.visit(f));
            }
            Kind::Bind(_, _, body) | Kind::Comment(_, body) => body.visit(f),
        }
    }

    /// The term without comments around it.
    pub fn bare(&self) -> &Term {
        match &self.kind {
            Kind::Comment(_, inner) => inner.bare(),
            _ => self,
        }
    }

    /// The conjuncts of a formula, without comments around them.
    pub fn conjuncts(&self) -> Vec<&Term> {
        match &self.bare().kind {
            Kind::Op(Op::And, args) => args.iter().flat_map(Term::conjuncts).collect(),
            _ => vec![self.bare()],
        }
    }
}

impl Formula {
    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// Calls `f` on all terms: of the formula, and of every definition that it uses.
    pub fn visit_all<'a>(&'a self, f: &mut dyn FnMut(&'a Term)) {
        let mut seen = BTreeSet::new();
        let mut todo = vec![&self.term];
        while let Some(term) = todo.pop() {
            term.visit(&mut |t| {
                f(t);
                if let Kind::Symbol(id) = t.kind
                    && seen.insert(id)
                    && let Some(definition) = &self.symbol(id).definition
                {
                    todo.push(definition);
                }
            });
        }
    }

    /// Whether it speaks of the state at entry.
    pub fn looks_back(&self) -> bool {
        let mut found = false;
        self.visit_all(&mut |t| found |= matches!(t.kind, Kind::Op(Op::Old, _)));
        found
    }

    /// The symbols that the formula mentions, in definitions too.
    pub fn mentioned(&self) -> BTreeSet<SymbolId> {
        let mut all = BTreeSet::new();
        self.visit_all(&mut |t| {
            if let Kind::Symbol(id) = t.kind {
                all.insert(id);
            }
        });
        all
    }
}
