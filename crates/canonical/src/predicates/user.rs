//! Instrumentation predicates that the user defines in the contract language, beside a given set.
//!
//! `//@ predicate last(struct node *v) = v->n == NULL;` becomes a unary predicate by which
//! individuals are named. It has no update formula of its own: after a statement it is evaluated by
//! its definition, which is sound, and definite where the definition is.
//!
//! Understood: comparison of pointers, fields, `reach`, `reach1`, `cyclic`, `alloc`, `\valid`,
//! connectives, and quantifiers over pointers, which range over null and the objects that are
//! reachable.
//!
//! **Invariant**: whatever a definition says, an analysis with it is sound; it decides only what is
//! told apart.

use std::collections::BTreeMap;

use trellis_logic::kleene::{
    Constraint, Formula, Kleene, PredId, Predicate, Predicates, Update, Var,
};
use trellis_program::spec::{self, BoundId, Derived, Label, Sort, Term};
use trellis_program::{CmpOp, Program, Refusal, Span, TypeId};

use super::Instrumentation;
use crate::core::{Core, Statement, V, VarIndex};

/// A unary predicate of the user.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    parameter: BoundId,
    body: spec::Formula,
    /// Of all predicates of the user, for those that the definition mentions.
    all: Vec<spec::Predicate>,
    /// The type of list nodes.
    node: TypeId,
    span: Span,
}

impl Definition {
    /// The predicate of a program with this name, about nodes of a type.
    ///
    /// # Errors
    /// If there is none, or it is not about one node, or it has no translation.
    pub fn find(
        program: &Program,
        name: &str,
        node: TypeId,
        at: Span,
    ) -> std::result::Result<Definition, Refusal> {
        let Some(found) = program.predicates.iter().find(|p| p.name == name) else {
            return Err(Refusal::at(at, format!("a predicate {name} that is not defined")));
        };
        let refuse = |reason: &str| Err(Refusal::at(found.span, reason));
        let Some(body) = &found.body else {
            return refuse("a predicate without a definition");
        };
        let [parameter] = &found.params[..] else {
            return refuse("a predicate that is not about one list node");
        };
        if parameter.sort != Sort::Ptr(node) {
            return refuse("a predicate that is not about one list node");
        }
        let definition = Definition {
            name: found.name.clone(),
            parameter: parameter.id,
            body: body.clone(),
            all: program.predicates.clone(),
            node,
            span: found.span,
        };
        // What it says does not depend on the variables, so this tells whether it can be said.
        let mut predicates = Predicates::new();
        let core = Core::declare(&mut predicates, &[], "n", &[]);
        definition.translate(&core)?;
        Ok(definition)
    }

    /// The definition with its first variable free.
    fn translate(&self, core: &Core) -> std::result::Result<Formula, Refusal> {
        let mut translator = Translator { core, all: &self.all, node: self.node, next: 4 };
        let bound = BTreeMap::from([(self.parameter, Pointer::Object(V))]);
        let formula = translator.formula(&self.body, &bound);
        formula.map_err(|reason| Refusal::at(self.span, reason))
    }
}

/// A set of predicates, and some of the user.
#[derive(Clone, Debug)]
pub struct WithUser<I> {
    inner: I,
    user: Vec<Definition>,
    ids: Vec<PredId>,
}

impl<I> WithUser<I> {
    /// A set and some more.
    pub fn new(inner: I, user: Vec<Definition>) -> Self {
        WithUser { inner, user, ids: Vec::new() }
    }
}

impl<I: Instrumentation> Instrumentation for WithUser<I> {
    fn declare(&mut self, core: &Core, predicates: &mut Predicates) {
        self.inner.declare(core, predicates);
        for definition in &self.user {
            // Every definition has been translated once when it was made.
            if let Ok(formula) = definition.translate(core) {
                let name = definition.name.clone();
                self.ids.push(predicates.declare(Predicate::instrumentation(name, 1, formula)));
            }
        }
    }

    fn updates(&self, core: &Core, statement: Statement) -> Vec<Update> {
        self.inner.updates(core, statement)
    }

    fn constraints(&self, core: &Core) -> Vec<Constraint> {
        self.inner.constraints(core)
    }

    fn counting(&self) -> &[PredId] {
        &self.ids
    }

    fn reached(&self, core: &Core, x: VarIndex, v: Var) -> Formula {
        self.inner.reached(core, x, v)
    }

    fn on_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        self.inner.on_cycle(core, x)
    }

    fn reaches_cycle(&self, core: &Core, x: VarIndex) -> Formula {
        self.inner.reaches_cycle(core, x)
    }

    fn garbage(&self, core: &Core) -> Formula {
        self.inner.garbage(core)
    }
}

/// What a term stands for.
#[derive(Clone, Debug)]
enum Pointer {
    Null,
    Object(Var),
    Field(Box<Pointer>),
}

struct Translator<'a> {
    core: &'a Core,
    all: &'a [spec::Predicate],
    node: TypeId,
    /// The next variable that is not in use.
    next: usize,
}

type Bound = BTreeMap<BoundId, Pointer>;
type Result<T> = std::result::Result<T, String>;

impl Translator<'_> {
    /// A variable of its own for every quantifier.
    fn fresh(&mut self) -> Result<Var> {
        /// Formulas number variables with one byte, and renaming needs some.
        const MOST: usize = 100;
        if self.next >= MOST {
            return Err("a predicate with too many quantifiers".into());
        }
        self.next += 1;
        Ok(Var::new(self.next - 1))
    }

    /// There is an object.
    fn exists(&mut self, body: impl FnOnce(&mut Self, Var) -> Result<Formula>) -> Result<Formula> {
        let var = self.fresh()?;
        Ok(Formula::exists(var, body(self, var)?))
    }

    fn formula(&mut self, formula: &spec::Formula, bound: &Bound) -> Result<Formula> {
        match formula {
            spec::Formula::Const(value) => Ok(Formula::Const((*value).into())),
            spec::Formula::Not(f) => Ok(self.formula(f, bound)?.not()),
            spec::Formula::And(fs) => Ok(Formula::and(self.formulas(fs, bound)?)),
            spec::Formula::Or(fs) => Ok(Formula::or(self.formulas(fs, bound)?)),
            spec::Formula::Implies(a, b) => {
                Ok(Formula::or([self.formula(a, bound)?.not(), self.formula(b, bound)?]))
            }
            spec::Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a, bound)?, self.formula(b, bound)?);
                let both = Formula::and([a.clone(), b.clone()]);
                Ok(Formula::or([both, Formula::and([a.not(), b.not()])]))
            }
            spec::Formula::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), a, b) => {
                let (a, b) = (self.pointer(a, bound)?, self.pointer(b, bound)?);
                let equal = self.equal(&a, &b)?;
                Ok(if *op == CmpOp::Eq { equal } else { equal.not() })
            }
            spec::Formula::Reach { strict, from, to, .. } => {
                let (from, to) = (self.pointer(from, bound)?, self.pointer(to, bound)?);
                self.reach(&from, &to, *strict)
            }
            spec::Formula::Derived(derived) => match &**derived {
                Derived::Cyclic(_, x) => {
                    let x = self.pointer(x, bound)?;
                    self.reach(&x, &x, true)
                }
                _ => Err("a predicate other than reach and cyclic".into()),
            },
            spec::Formula::Alloc(t) | spec::Formula::Valid(t, _) => {
                let t = self.pointer(t, bound)?;
                let freed = self.core.freed;
                self.exists(|this, u| {
                    let live = Formula::atom(freed, &[u]).not();
                    Ok(Formula::and([this.points(&t, u)?, live]))
                })
            }
            spec::Formula::Forall(binders, body) => {
                Ok(self.some(binders, &spec::Formula::Not(body.clone()), bound)?.not())
            }
            spec::Formula::Exists(binders, body) => self.some(binders, body, bound),
            spec::Formula::Pred(id, args) => {
                let found = self.all.get(id.0 as usize);
                let Some((params, body)) =
                    found.and_then(|p| Some((p.params.clone(), p.body.clone()?)))
                else {
                    return Err("a predicate without a definition".into());
                };
                if found.is_some_and(|p| p.is_recursive) {
                    return Err("a recursive predicate".into());
                }
                let args =
                    args.iter().map(|a| self.pointer(a, bound)).collect::<Result<Vec<_>>>()?;
                self.formula(&body, &params.iter().map(|p| p.id).zip(args).collect())
            }
            spec::Formula::At(Label::Here, f) => self.formula(f, bound),
            spec::Formula::At(Label::Pre, _) => Err("a formula about the heap at entry".into()),
            spec::Formula::Cmp(..) => Err("a comparison of integers".into()),
            spec::Formula::In(..) | spec::Formula::Subset(..) => Err("a set".into()),
            spec::Formula::Separated(_) => Err("\\separated".into()),
            spec::Formula::Hol(..) => Err("a formula of higher-order logic".into()),
        }
    }

    fn formulas(&mut self, formulas: &[spec::Formula], bound: &Bound) -> Result<Vec<Formula>> {
        formulas.iter().map(|f| self.formula(f, bound)).collect()
    }

    /// Some pointers, null or not, satisfy the body.
    fn some(
        &mut self,
        binders: &[spec::Binder],
        body: &spec::Formula,
        bound: &Bound,
    ) -> Result<Formula> {
        let [first, rest @ ..] = binders else {
            return self.formula(body, bound);
        };
        if first.sort != Sort::Ptr(self.node) {
            return Err("a quantifier that is not over list nodes".into());
        }
        let with = |pointer: Pointer| {
            let mut bound = bound.clone();
            bound.insert(first.id, pointer);
            bound
        };
        let null = self.some(rest, body, &with(Pointer::Null))?;
        let object = self.exists(|this, u| this.some(rest, body, &with(Pointer::Object(u))))?;
        Ok(Formula::or([null, object]))
    }

    fn pointer(&mut self, term: &Term, bound: &Bound) -> Result<Pointer> {
        let unknown = || "a term that is no pointer of the predicate".to_string();
        match term {
            Term::Null => Ok(Pointer::Null),
            Term::Bound(id) => bound.get(id).cloned().ok_or_else(unknown),
            Term::At(Label::Here, t) => self.pointer(t, bound),
            Term::Load { addr, scalar } if scalar.is_ptr() => {
                let base = match &**addr {
                    Term::Offset(base, _) => base,
                    base => base,
                };
                Ok(Pointer::Field(Box::new(self.pointer(base, bound)?)))
            }
            _ => Err(unknown()),
        }
    }

    /// The pointer points to v.
    fn points(&mut self, pointer: &Pointer, v: Var) -> Result<Formula> {
        match pointer {
            Pointer::Null => Ok(Formula::Const(Kleene::False)),
            Pointer::Object(u) => Ok(Formula::eq(*u, v)),
            Pointer::Field(of) => self.exists(|this, u| {
                let edge = this.core.next(u, v);
                Ok(Formula::and([this.points(of, u)?, edge]))
            }),
        }
    }

    fn is_null(&mut self, pointer: &Pointer) -> Result<Formula> {
        match pointer {
            Pointer::Null => Ok(Formula::Const(Kleene::True)),
            Pointer::Object(_) => Ok(Formula::Const(Kleene::False)),
            Pointer::Field(_) => Ok(self.exists(|this, u| this.points(pointer, u))?.not()),
        }
    }

    fn equal(&mut self, a: &Pointer, b: &Pointer) -> Result<Formula> {
        let same =
            self.exists(|this, u| Ok(Formula::and([this.points(a, u)?, this.points(b, u)?])))?;
        let both_null = Formula::and([self.is_null(a)?, self.is_null(b)?]);
        Ok(Formula::or([same, both_null]))
    }

    fn reach(&mut self, from: &Pointer, to: &Pointer, strict: bool) -> Result<Formula> {
        let start = self.fresh()?;
        let end = self.fresh()?;
        let path = |a: Var, b: Var, core: &Core| {
            let zero = if strict { Formula::Const(Kleene::False) } else { Formula::eq(a, b) };
            Formula::or([zero, core.path(a, b)])
        };
        let at_end = self.points(to, end)?;
        let to_object = Formula::exists(end, Formula::and([at_end, path(start, end, self.core)]));
        // A list ends in null unless it runs into a cycle.
        let cycle = {
            let on_way = Formula::or([Formula::eq(start, end), self.core.path(start, end)]);
            Formula::exists(end, Formula::and([on_way, self.core.path(end, end)]))
        };
        let to_null = Formula::and([self.is_null(to)?, cycle.not()]);
        let at_start = self.points(from, start)?;
        let from_object =
            Formula::exists(start, Formula::and([at_start, Formula::or([to_object, to_null])]));
        if strict {
            return Ok(from_object);
        }
        let both_null = Formula::and([self.is_null(from)?, self.is_null(to)?]);
        Ok(Formula::or([from_object, both_null]))
    }
}
