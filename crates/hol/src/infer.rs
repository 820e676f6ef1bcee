//! Names and types: [`Syntax`] to [`Term`].
//!
//! Types are found by unification; a variable that is bound without a type gets the one that its
//! uses agree on. What the notation overloads is decided by the types that are found: `=` between
//! truth values is equivalence, `<=` between sets inclusion, `-` between sets difference. A number
//! is meant where nothing says what `<=` or `-` is about, an object where nothing says anything.

use crate::resolve::{Meaning, Naming, Position};
use crate::syntax::{At, Bound, Error, Node, Syntax};
use crate::term::{Binder, Formula, Kind, Op, Quantifier, Symbol, Term, VarId};
use crate::types::Type;

/// Gives a tree its types; `expected` is the type that the whole must have.
///
/// # Errors
/// A name that means nothing, or types that do not fit.
pub fn elaborate(node: &Node, expected: &Type, scope: &mut dyn Naming) -> Result<Term, Error> {
    let mut infer = Infer { scope, known: Vec::new(), bound: Vec::new(), numeric: Vec::new() };
    let mut term = infer.term(node)?;
    infer.unify(&term.ty.clone(), expected, node.at)?;
    for (ty, _) in std::mem::take(&mut infer.numeric) {
        if let Type::Var(_) = infer.shallow(&ty) {
            infer.unify(&ty, &Type::Int, node.at)?;
        }
    }
    infer.finish(&mut term)?;
    Ok(term)
}

struct Infer<'s> {
    scope: &'s mut dyn Naming,
    /// What type variables stand for.
    known: Vec<Option<Type>>,
    /// Bound variables in scope, innermost last.
    bound: Vec<(String, VarId, Type)>,
    /// Operands of overloaded operators: integers or sets.
    numeric: Vec<(Type, At)>,
}

type Inferred<T> = Result<T, Error>;

impl Infer<'_> {
    fn fresh(&mut self) -> Type {
        self.known.push(None);
        Type::Var(self.known.len() as u32 - 1)
    }

    /// What is known of the outermost constructor of a type.
    fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Var(v) = ty {
            match &self.known[*v as usize] {
                Some(known) => ty = known,
                None => break,
            }
        }
        ty.clone()
    }

    /// All that is known of a type.
    fn deep(&self, ty: &Type) -> Type {
        match self.shallow(ty) {
            Type::Set(a) => Type::set(self.deep(&a)),
            Type::List(a) => Type::List(Box::new(self.deep(&a))),
            Type::Fun(a, b) => Type::fun(self.deep(&a), self.deep(&b)),
            Type::Prod(parts) => Type::Prod(parts.iter().map(|p| self.deep(p)).collect()),
            other => other,
        }
    }

    fn occurs(&self, v: u32, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Var(w) => v == w,
            Type::Set(a) | Type::List(a) => self.occurs(v, &a),
            Type::Fun(a, b) => self.occurs(v, &a) || self.occurs(v, &b),
            Type::Prod(parts) => parts.iter().any(|p| self.occurs(v, p)),
            Type::Bool | Type::Int | Type::Obj | Type::Unit => false,
        }
    }

    fn try_unify(&mut self, a: &Type, b: &Type) -> bool {
        match (self.shallow(a), self.shallow(b)) {
            (Type::Var(v), Type::Var(w)) if v == w => true,
            (Type::Var(v), ty) | (ty, Type::Var(v)) => {
                let fits = !self.occurs(v, &ty);
                if fits {
                    self.known[v as usize] = Some(ty);
                }
                fits
            }
            (Type::Set(a), Type::Set(b)) | (Type::List(a), Type::List(b)) => self.try_unify(&a, &b),
            (Type::Fun(a, r), Type::Fun(b, s)) => self.try_unify(&a, &b) && self.try_unify(&r, &s),
            (Type::Prod(a), Type::Prod(b)) => {
                a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| self.try_unify(a, b))
            }
            (a, b) => a == b,
        }
    }

    fn unify(&mut self, found: &Type, expected: &Type, at: At) -> Inferred<()> {
        let (f, e) = (self.deep(found), self.deep(expected));
        if self.try_unify(found, expected) {
            return Ok(());
        }
        Err(Error::new(at, format!("this is of type `{f}`, but `{e}` is needed here")))
    }

    fn term(&mut self, node: &Node) -> Inferred<Term> {
        let at = node.at;
        match &node.kind {
            Syntax::Name(name) => self.name(name, Position::Value, at),
            Syntax::Int(i) => Ok(Term { kind: Kind::Int(*i), ty: Type::Int, at }),
            Syntax::Op(op, args) => self.operation(op, args, at),
            Syntax::Apply(head, args) => self.application(head, args, at),
            Syntax::Field(object, field) => {
                let head = self.head(field)?;
                let object = self.term(object)?;
                self.apply(head, vec![object], at)
            }
            Syntax::Binder(mark, bound, body) => {
                let quantifier = match *mark {
                    "ALL" => Quantifier::Forall,
                    "EX" => Quantifier::Exists,
                    _ => Quantifier::Lambda,
                };
                self.binder(quantifier, bound, body, at)
            }
            Syntax::Comprehension(bound, body) => {
                self.binder(Quantifier::Comprehension, bound, body, at)
            }
            Syntax::Listed(parts) => {
                let element = self.fresh();
                let parts = self.all_of(parts, &element)?;
                Ok(op(Op::Listed, parts, Type::set(element), at))
            }
            Syntax::List(parts) => {
                let element = self.fresh();
                let parts = self.all_of(parts, &element)?;
                Ok(op(Op::List, parts, Type::List(Box::new(element)), at))
            }
            Syntax::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.term(p)).collect::<Inferred<Vec<_>>>()?;
                let ty = Type::Prod(parts.iter().map(|p| p.ty.clone()).collect());
                Ok(op(Op::Tuple, parts, ty, at))
            }
            Syntax::Let(bound, value, body) => {
                let value = self.term(value)?;
                let binders = std::slice::from_ref(bound);
                let lambda = self.binder(Quantifier::Lambda, binders, body, at)?;
                self.apply(lambda, vec![value], at)
            }
            Syntax::Typed(inner, ty) => {
                let inner = self.term(inner)?;
                self.unify(&inner.ty.clone(), ty, at)?;
                Ok(inner)
            }
            Syntax::Comment(text, inner) => {
                let inner = self.term(inner)?;
                let ty = inner.ty.clone();
                Ok(Term { kind: Kind::Comment(text.clone(), Box::new(inner)), ty, at })
            }
        }
    }

    fn all_of(&mut self, parts: &[Node], ty: &Type) -> Inferred<Vec<Term>> {
        parts.iter().map(|p| self.checked(p, ty)).collect()
    }

    fn checked(&mut self, node: &Node, ty: &Type) -> Inferred<Term> {
        let term = self.term(node)?;
        self.unify(&term.ty.clone(), ty, node.at)?;
        Ok(term)
    }

    fn find_bound(&self, name: &str) -> Option<(VarId, Type)> {
        let found = self.bound.iter().rev().find(|(n, ..)| n == name);
        found.map(|(_, id, ty)| (*id, ty.clone()))
    }

    fn name(&mut self, name: &str, position: Position, at: At) -> Inferred<Term> {
        if let Some((id, ty)) = self.find_bound(name) {
            return Ok(Term { kind: Kind::Var(id), ty, at });
        }
        let meaning = self.scope.resolve(name, position).map_err(|(message, help)| Error {
            at,
            message,
            help,
        })?;
        let symbol = |scope: &dyn Naming, id| {
            let Symbol { ty, .. } = scope.symbol(id);
            Term { kind: Kind::Symbol(id), ty: ty.clone(), at }
        };
        match meaning {
            Meaning::Symbol(id) => Ok(symbol(self.scope, id)),
            Meaning::OfThis(field) => {
                let field = symbol(self.scope, field);
                let this = self.name("this", Position::Value, at)?;
                self.apply(field, vec![this], at)
            }
        }
    }

    /// What stands where a function is needed.
    fn head(&mut self, node: &Node) -> Inferred<Term> {
        match &node.kind {
            Syntax::Name(name) => self.name(name, Position::Function, node.at),
            _ => self.term(node),
        }
    }

    fn application(&mut self, head: &Node, args: &[Node], at: At) -> Inferred<Term> {
        if let Syntax::Name(name) = &head.kind
            && self.find_bound(name).is_none()
        {
            let (own, rest) = args.split_at(arity(name).min(args.len()));
            if let Some(term) = self.constant(name, own, at)? {
                let rest = rest.iter().map(|a| self.term(a)).collect::<Inferred<Vec<_>>>()?;
                return if rest.is_empty() { Ok(term) } else { self.apply(term, rest, at) };
            }
        }
        let head = self.head(head)?;
        let args = args.iter().map(|a| self.term(a)).collect::<Inferred<Vec<_>>>()?;
        self.apply(head, args, at)
    }

    /// The constants of the logic that are written like functions.
    fn constant(&mut self, name: &str, args: &[Node], at: At) -> Inferred<Option<Term>> {
        let field = Type::fun(Type::Obj, Type::Obj);
        Ok(Some(match (name, args) {
            ("tree", [fields]) => op(Op::Tree, self.fields(fields)?, Type::Bool, at),
            ("ptree", [parent, fields]) => {
                let parent = self.head(parent)?;
                self.unify(&parent.ty.clone(), &field, parent.at)?;
                let mut all = vec![parent];
                all.extend(self.fields(fields)?);
                op(Op::ParentTree, all, Type::Bool, at)
            }
            ("rtrancl_pt", [relation, rest @ ..]) => {
                let element = self.fresh();
                let step = Type::fun(element.clone(), Type::Bool);
                let relation = {
                    let head = self.head(relation)?;
                    self.unify(&head.ty.clone(), &Type::fun(element.clone(), step), head.at)?;
                    head
                };
                let ends = self.all_of(rest, &element)?;
                let [from, to] = <[Term; 2]>::try_from(ends)
                    .map_err(|_| Error::new(at, "`rtrancl_pt` needs a relation and two ends"))?;
                op(Op::Reaches, vec![relation, from, to], Type::Bool, at)
            }
            ("fieldRead", [f, x]) => {
                let (f, x) = (self.head(f)?, self.term(x)?);
                self.apply(f, vec![x], at)?
            }
            ("fieldWrite", [f, x, v]) => {
                let (f, x, v) = (self.head(f)?, self.term(x)?, self.term(v)?);
                let ty = Type::fun(x.ty.clone(), v.ty.clone());
                self.unify(&f.ty.clone(), &ty, f.at)?;
                op(Op::Update, vec![f, x, v], ty, at)
            }
            ("pointsto", [from, f, to]) => return self.points_to(from, f, to, at).map(Some),
            _ => return Ok(None),
        }))
    }

    fn fields(&mut self, list: &Node) -> Inferred<Vec<Term>> {
        let Syntax::List(parts) = &list.kind else {
            return Err(Error::new(list.at, "a list of fields in brackets is needed here"));
        };
        let field = Type::fun(Type::Obj, Type::Obj);
        parts
            .iter()
            .map(|p| {
                let head = self.head(p)?;
                self.unify(&head.ty.clone(), &field, p.at)?;
                Ok(head)
            })
            .collect()
    }

    /// `pointsto A f B` means `ALL x. x : A --> f x : B`.
    fn points_to(&mut self, from: &Node, f: &Node, to: &Node, at: At) -> Inferred<Term> {
        let node = |kind| Node { kind, at };
        let x = || node(Syntax::Name("x'".to_owned()));
        let image = node(Syntax::Apply(Box::new(f.clone()), vec![x()]));
        let is_from = node(Syntax::Op(":", vec![x(), from.clone()]));
        let is_to = node(Syntax::Op(":", vec![image, to.clone()]));
        let body = node(Syntax::Op("-->", vec![is_from, is_to]));
        let bound = ("x'".to_owned(), Some(Type::Obj), at);
        self.term(&node(Syntax::Binder("ALL", vec![bound], Box::new(body))))
    }

    fn apply(&mut self, head: Term, args: Vec<Term>, at: At) -> Inferred<Term> {
        let mut ty = head.ty.clone();
        for arg in &args {
            ty = match self.shallow(&ty) {
                Type::Fun(from, to) => {
                    self.unify(&arg.ty.clone(), &from, arg.at)?;
                    *to
                }
                Type::Var(_) => {
                    let to = self.fresh();
                    let fun = Type::fun(arg.ty.clone(), to.clone());
                    self.unify(&ty, &fun, head.at)?;
                    to
                }
                _ => {
                    let found = self.deep(&head.ty);
                    let message = format!(
                        "this is of type `{found}`, and no function of so many \
                         arguments"
                    );
                    return Err(Error::new(head.at, message));
                }
            };
        }
        Ok(Term { kind: Kind::Apply(Box::new(head), args), ty, at })
    }

    fn binder(
        &mut self,
        quantifier: Quantifier,
        bound: &[Bound],
        body: &Node,
        at: At,
    ) -> Inferred<Term> {
        let outer = self.bound.len();
        let mut binders = Vec::new();
        for (name, ty, _) in bound {
            let id = VarId(self.scope.fresh());
            let ty = ty.clone().unwrap_or_else(|| self.fresh());
            self.bound.push((name.clone(), id, ty.clone()));
            binders.push(Binder { id, name: name.clone(), ty });
        }
        let body = self.term(body);
        self.bound.truncate(outer);
        let body = body?;
        if quantifier != Quantifier::Lambda {
            self.unify(&body.ty.clone(), &Type::Bool, body.at)?;
        }
        let ty = match quantifier {
            Quantifier::Forall | Quantifier::Exists => Type::Bool,
            Quantifier::Lambda => {
                binders.iter().rev().fold(body.ty.clone(), |to, b| Type::fun(b.ty.clone(), to))
            }
            Quantifier::Comprehension => Type::set(match &binders[..] {
                [one] => one.ty.clone(),
                all => Type::Prod(all.iter().map(|b| b.ty.clone()).collect()),
            }),
        };
        Ok(Term { kind: Kind::Bind(quantifier, binders, Box::new(body)), ty, at })
    }

    fn operation(&mut self, mark: &str, args: &[Node], at: At) -> Inferred<Term> {
        let truth = |o: Op| op(o, vec![], Type::Bool, at);
        match (mark, args) {
            ("True", _) => Ok(truth(Op::True)),
            ("False", _) => Ok(truth(Op::False)),
            ("null", _) => Ok(op(Op::Null, vec![], Type::Obj, at)),
            ("{}", _) | ("UNIV", _) => {
                let ty = Type::set(self.fresh());
                let o = if mark == "{}" { Op::EmptySet } else { Op::Universe };
                Ok(op(o, vec![], ty, at))
            }
            ("~", [a]) => {
                let a = self.checked(a, &Type::Bool)?;
                Ok(op(Op::Not, vec![a], Type::Bool, at))
            }
            ("neg", [a]) => {
                let a = self.checked(a, &Type::Int)?;
                Ok(op(Op::Negate, vec![a], Type::Int, at))
            }
            ("&" | "|", [a, b]) => self.flat(mark, a, b, at),
            ("-->" | "==>" | "<->", [a, b]) => {
                let o = if mark == "<->" { Op::Iff } else { Op::Implies };
                self.binary(o, a, b, &Type::Bool, Type::Bool, at)
            }
            ("=" | "==" | "~=", [a, b]) => {
                let ty = self.fresh();
                let equal = self.binary(Op::Eq, a, b, &ty, Type::Bool, at)?;
                Ok(match mark {
                    "~=" => op(Op::Not, vec![equal], Type::Bool, at),
                    _ => equal,
                })
            }
            ("<" | "<=", [a, b]) | (">" | ">=", [b, a]) => {
                let ty = self.overloaded(at);
                let o = if matches!(mark, "<" | ">") { Op::Less } else { Op::LessEq };
                self.binary(o, a, b, &ty, Type::Bool, at)
            }
            ("\\<subseteq>" | "\\<subset>", [a, b]) => {
                let ty = Type::set(self.fresh());
                let o = if mark == "\\<subset>" { Op::Subset } else { Op::SubsetEq };
                self.binary(o, a, b, &ty, Type::Bool, at)
            }
            (":" | "~:", [a, b]) => {
                let a = self.term(a)?;
                let b = self.checked(b, &Type::set(a.ty.clone()))?;
                let member = op(Op::Element, vec![a, b], Type::Bool, at);
                Ok(match mark {
                    "~:" => op(Op::Not, vec![member], Type::Bool, at),
                    _ => member,
                })
            }
            ("Un" | "Int" | "\\<setminus>", [a, b]) => {
                let ty = Type::set(self.fresh());
                let o = match mark {
                    "Un" => Op::Union,
                    "Int" => Op::Inter,
                    _ => Op::Difference,
                };
                self.binary(o, a, b, &ty, ty.clone(), at)
            }
            ("-", [a, b]) => {
                let ty = self.overloaded(at);
                self.binary(Op::Minus, a, b, &ty, ty.clone(), at)
            }
            ("+" | "*" | "div" | "mod", [a, b]) => {
                let o = match mark {
                    "+" => Op::Plus,
                    "*" => Op::Times,
                    "div" => Op::Div,
                    _ => Op::Mod,
                };
                self.binary(o, a, b, &Type::Int, Type::Int, at)
            }
            ("card", [a]) => {
                let ty = Type::set(self.fresh());
                let a = self.checked(a, &ty)?;
                Ok(op(Op::Card, vec![a], Type::Int, at))
            }
            ("old", [a]) => {
                let a = self.term(a)?;
                let ty = a.ty.clone();
                Ok(op(Op::Old, vec![a], ty, at))
            }
            ("^*", [a]) => {
                let element = self.fresh();
                let ty = Type::set(Type::Prod(vec![element.clone(), element]));
                let a = self.checked(a, &ty)?;
                Ok(op(Op::Closure, vec![a], ty, at))
            }
            (".[", [a, i]) => {
                let (a, i) = (self.checked(a, &Type::Obj)?, self.checked(i, &Type::Int)?);
                let ty = self.fresh();
                Ok(op(Op::Element1, vec![a, i], ty, at))
            }
            ("if", [c, a, b]) => {
                let c = self.checked(c, &Type::Bool)?;
                let a = self.term(a)?;
                let ty = a.ty.clone();
                let b = self.checked(b, &ty)?;
                Ok(op(Op::If, vec![c, a, b], ty, at))
            }
            _ => Err(Error::new(at, format!("`{mark}` cannot be used like this"))),
        }
    }

    /// The type of the operands of an overloaded operator.
    fn overloaded(&mut self, at: At) -> Type {
        let ty = self.fresh();
        self.numeric.push((ty.clone(), at));
        ty
    }

    fn binary(
        &mut self,
        o: Op,
        a: &Node,
        b: &Node,
        operands: &Type,
        ty: Type,
        at: At,
    ) -> Inferred<Term> {
        let a = self.checked(a, operands)?;
        let b = self.checked(b, operands)?;
        Ok(op(o, vec![a, b], ty, at))
    }

    /// `a & (b & c)` is one conjunction of three.
    fn flat(&mut self, mark: &str, a: &Node, b: &Node, at: At) -> Inferred<Term> {
        let o = if mark == "&" { Op::And } else { Op::Or };
        let mut parts = vec![self.checked(a, &Type::Bool)?];
        let mut rest = b;
        loop {
            match &rest.kind {
                Syntax::Op(m, args) if *m == mark && args.len() == 2 => {
                    parts.push(self.checked(&args[0], &Type::Bool)?);
                    rest = &args[1];
                }
                _ => {
                    parts.push(self.checked(rest, &Type::Bool)?);
                    return Ok(op(o, parts, Type::Bool, at));
                }
            }
        }
    }

    /// Puts final types into a term, and decides what overloaded operators are.
    fn finish(&self, term: &mut Term) -> Inferred<()> {
        term.ty = self.closed(&term.ty);
        match &mut term.kind {
            Kind::Var(_) | Kind::Symbol(_) | Kind::Int(_) => {}
            Kind::Op(o, args) => {
                args.iter_mut().try_for_each(|a| self.finish(a))?;
                if let Some(first) = args.first() {
                    *o = decide(*o, &first.ty, term.at)?;
                }
            }
            Kind::Apply(head, args) => {
                self.finish(head)?;
                args.iter_mut().try_for_each(|a| self.finish(a))?;
            }
            Kind::Bind(_, binders, body) => {
                binders.iter_mut().for_each(|b| b.ty = self.closed(&b.ty));
                self.finish(body)?;
            }
            Kind::Comment(_, inner) => self.finish(inner)?,
        }
        Ok(())
    }

    /// A type without variables.
    fn closed(&self, ty: &Type) -> Type {
        match self.shallow(ty) {
            Type::Var(_) => Type::Obj,
            Type::Set(a) => Type::set(self.closed(&a)),
            Type::List(a) => Type::List(Box::new(self.closed(&a))),
            Type::Fun(a, b) => Type::fun(self.closed(&a), self.closed(&b)),
            Type::Prod(parts) => Type::Prod(parts.iter().map(|p| self.closed(p)).collect()),
            other => other,
        }
    }
}

/// How many arguments a constant of the logic takes that is written like a function.
fn arity(name: &str) -> usize {
    match name {
        "tree" => 1,
        "ptree" | "fieldRead" => 2,
        _ => 3,
    }
}

fn op(o: Op, args: Vec<Term>, ty: Type, at: At) -> Term {
    Term { kind: Kind::Op(o, args), ty, at }
}

/// What an operator is, given the type of its operands.
fn decide(o: Op, ty: &Type, at: At) -> Inferred<Op> {
    match (o, ty) {
        (Op::Eq, Type::Bool) => Ok(Op::Iff),
        (Op::Less, Type::Set(_)) => Ok(Op::Subset),
        (Op::LessEq, Type::Set(_)) => Ok(Op::SubsetEq),
        (Op::Minus, Type::Set(_)) => Ok(Op::Difference),
        (Op::Less | Op::LessEq | Op::Minus, Type::Int) => Ok(o),
        (Op::Less | Op::LessEq | Op::Minus, _) => {
            Err(Error::new(at, format!("this is about integers or sets, not about `{ty}`")))
        }
        _ => Ok(o),
    }
}

impl Formula {
    /// A formula over the symbols of a scope.
    pub fn new(symbols: Vec<Symbol>, term: Term) -> Formula {
        Formula { symbols, term }
    }
}
