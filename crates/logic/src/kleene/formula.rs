//! First-order formulas with transitive closure over [predicates](super::Predicates).
//!
//! Variables are numbers. A formula that defines or updates a predicate of k places has the first
//! k variables free; [`Formula::with`] puts others in their place, renaming bound variables where
//! they would capture.

use super::predicates::{PredId, Predicates};
use super::value::Kleene;

/// A variable, bound or free.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var(u8);

impl Var {
    /// The variable with this number.
    pub const fn new(number: usize) -> Self {
        Var(number as u8)
    }

    /// Its number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Of which structure an atom speaks while an [action](super::Action) is applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Time {
    /// The one before the action; the only one in all other formulas.
    Before,
    /// The one after it.
    After,
}

/// A formula.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// A truth value.
    Const(Kleene),
    /// A predicate of variables.
    Atom(PredId, Box<[Var]>, Time),
    /// The same object.
    Eq(Var, Var),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// There is an object.
    Exists(Var, Box<Formula>),
    /// All objects.
    Forall(Var, Box<Formula>),
    /// `to` is reached from `from` by one or more steps.
    Closure(Box<Closure>),
}

/// A transitive closure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Closure {
    /// One step, from `ends[0]` to `ends[1]`, which it binds.
    pub step: Formula,
    /// The variables of a step.
    pub ends: [Var; 2],
    /// Where the path begins.
    pub from: Var,
    /// Where it ends.
    pub to: Var,
}

/// Building.
impl Formula {
    /// A predicate of variables, before the action if there is one.
    pub fn atom(predicate: PredId, args: &[Var]) -> Self {
        Formula::Atom(predicate, args.into(), Time::Before)
    }

    /// A predicate of variables, after the action.
    pub fn after(predicate: PredId, args: &[Var]) -> Self {
        Formula::Atom(predicate, args.into(), Time::After)
    }

    /// The same object.
    pub fn eq(a: Var, b: Var) -> Self {
        Formula::Eq(a, b)
    }

    /// Negation.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Self {
        match self {
            Formula::Const(value) => Formula::Const(!value),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// Conjunction; true if there are no parts.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Self {
        Self::collect(parts, Kleene::True, Formula::And)
    }

    /// Disjunction; false if there are no parts.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Self {
        Self::collect(parts, Kleene::False, Formula::Or)
    }

    fn collect(
        parts: impl IntoIterator<Item = Formula>,
        neutral: Kleene,
        combine: impl Fn(Vec<Formula>) -> Formula,
    ) -> Self {
        let mut kept: Vec<Formula> =
            parts.into_iter().filter(|part| *part != Formula::Const(neutral)).collect();
        match (kept.len(), kept.pop()) {
            (_, None) => Formula::Const(neutral),
            (1, Some(only)) => only,
            (_, Some(last)) => {
                kept.push(last);
                combine(kept)
            }
        }
    }

    /// There is an object.
    pub fn exists(var: Var, body: Formula) -> Self {
        Formula::Exists(var, Box::new(body))
    }

    /// All objects.
    pub fn forall(var: Var, body: Formula) -> Self {
        Formula::Forall(var, Box::new(body))
    }

    /// One or more steps lead from `from` to `to`; a step leads from `ends[0]` to `ends[1]`.
    pub fn closure(step: Formula, ends: [Var; 2], from: Var, to: Var) -> Self {
        Formula::Closure(Box::new(Closure { step, ends, from, to }))
    }
}

/// Looking at formulas.
impl Formula {
    fn visit(&self, f: &mut impl FnMut(&Formula)) {
        f(self);
        match self {
            Formula::Const(_) | Formula::Atom(..) | Formula::Eq(..) => {}
            Formula::Not(a) | Formula::Exists(_, a) | Formula::Forall(_, a) => a.visit(f),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| p.visit(f)),
            Formula::Closure(c) => c.step.visit(f),
        }
    }

    /// The predicates that it mentions, sorted.
    pub fn predicates(&self) -> Vec<PredId> {
        let mut all = Vec::new();
        self.visit(&mut |f| {
            if let Formula::Atom(p, ..) = f {
                all.push(*p);
            }
        });
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A number that no variable in it bears, and none after it.
    pub(super) fn unused_var(&self) -> usize {
        let mut next = 0;
        let mut see = |v: Var| next = next.max(v.index() + 1);
        self.visit(&mut |f| match f {
            Formula::Atom(_, args, _) => args.iter().for_each(|&v| see(v)),
            Formula::Eq(a, b) => [*a, *b].into_iter().for_each(&mut see),
            Formula::Exists(v, _) | Formula::Forall(v, _) => see(*v),
            Formula::Closure(c) => [c.from, c.to].into_iter().chain(c.ends).for_each(&mut see),
            Formula::Const(_) | Formula::Not(_) | Formula::And(_) | Formula::Or(_) => {}
        });
        next
    }

    /// Whether a variable occurs in it, free or bound.
    pub(super) fn mentions(&self, var: Var) -> bool {
        match self {
            Formula::Const(_) => false,
            Formula::Atom(_, args, _) => args.contains(&var),
            Formula::Eq(a, b) => *a == var || *b == var,
            Formula::Not(a) => a.mentions(var),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| p.mentions(var)),
            Formula::Exists(v, a) | Formula::Forall(v, a) => *v == var || a.mentions(var),
            Formula::Closure(c) => {
                [c.from, c.to, c.ends[0], c.ends[1]].contains(&var) || c.step.mentions(var)
            }
        }
    }

    /// The free variables, sorted.
    pub fn free_vars(&self) -> Vec<Var> {
        let mut free: Vec<Var> = match self {
            Formula::Const(_) => Vec::new(),
            Formula::Atom(_, args, _) => args.to_vec(),
            Formula::Eq(a, b) => vec![*a, *b],
            Formula::Not(a) => a.free_vars(),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().flat_map(Formula::free_vars).collect()
            }
            Formula::Exists(v, a) | Formula::Forall(v, a) => {
                a.free_vars().into_iter().filter(|w| w != v).collect()
            }
            Formula::Closure(c) => {
                let step = c.step.free_vars().into_iter().filter(|w| !c.ends.contains(w));
                step.chain([c.from, c.to]).collect()
            }
        };
        free.sort_unstable();
        free.dedup();
        free
    }

    /// The formula with `args[i]` in the place of variable i, for the first variables.
    #[must_use]
    pub fn with(&self, args: &[Var]) -> Formula {
        let highest = args.iter().map(|v| v.index() + 1).max().unwrap_or(0);
        let mut next = self.unused_var().max(highest);
        let mut map: Vec<Var> = (0..self.unused_var().max(args.len())).map(Var::new).collect();
        map[..args.len()].copy_from_slice(args);
        self.rename(&mut map, &mut next)
    }

    fn rename(&self, map: &mut Vec<Var>, next: &mut usize) -> Formula {
        let bind = |v: Var, map: &mut Vec<Var>, next: &mut usize| {
            let fresh = Var::new(*next);
            *next += 1;
            (std::mem::replace(&mut map[v.index()], fresh), fresh)
        };
        match self {
            Formula::Const(_) => self.clone(),
            Formula::Atom(p, args, time) => {
                Formula::Atom(*p, args.iter().map(|v| map[v.index()]).collect(), *time)
            }
            Formula::Eq(a, b) => Formula::Eq(map[a.index()], map[b.index()]),
            Formula::Not(a) => a.rename(map, next).not(),
            Formula::And(parts) => Formula::and(parts.iter().map(|p| p.rename(map, next))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|p| p.rename(map, next))),
            Formula::Exists(v, a) | Formula::Forall(v, a) => {
                let (outer, fresh) = bind(*v, map, next);
                let body = a.rename(map, next);
                map[v.index()] = outer;
                match self {
                    Formula::Exists(..) => Formula::exists(fresh, body),
                    _ => Formula::forall(fresh, body),
                }
            }
            Formula::Closure(c) => {
                let (from, to) = (map[c.from.index()], map[c.to.index()]);
                let (outer_a, a) = bind(c.ends[0], map, next);
                let (outer_b, b) = bind(c.ends[1], map, next);
                let step = c.step.rename(map, next);
                map[c.ends[1].index()] = outer_b;
                map[c.ends[0].index()] = outer_a;
                Formula::closure(step, [a, b], from, to)
            }
        }
    }

    /// The formula as text, with variables `v0`, `v1`, ….
    pub fn print(&self, predicates: &Predicates) -> String {
        let var = |v: Var| format!("v{}", v.index());
        let list = |parts: &[Formula], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|p| p.print(predicates)).collect();
            format!("({})", parts.join(sign))
        };
        match self {
            Formula::Const(Kleene::False) => "0".into(),
            Formula::Const(Kleene::Maybe) => "1/2".into(),
            Formula::Const(Kleene::True) => "1".into(),
            Formula::Atom(p, args, time) => {
                let args: Vec<String> = args.iter().map(|&v| var(v)).collect();
                let prime = if *time == Time::After { "'" } else { "" };
                format!("{}{prime}({})", predicates.get(*p).name, args.join(", "))
            }
            Formula::Eq(a, b) => format!("{} = {}", var(*a), var(*b)),
            Formula::Not(a) => format!("!{}", a.print(predicates)),
            Formula::And(parts) => list(parts, " & "),
            Formula::Or(parts) => list(parts, " | "),
            Formula::Exists(v, a) => format!("E {}. {}", var(*v), a.print(predicates)),
            Formula::Forall(v, a) => format!("A {}. {}", var(*v), a.print(predicates)),
            Formula::Closure(c) => format!(
                "(TC {}, {}: {})({}, {})",
                var(c.ends[0]),
                var(c.ends[1]),
                c.step.print(predicates),
                var(c.from),
                var(c.to)
            ),
        }
    }
}
