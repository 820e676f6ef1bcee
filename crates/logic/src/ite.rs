//! Moving `c ? a : b` out of atoms: `p(c ? a : b)` is `c && p(a) || !c && p(b)`.
//!
//! **Invariant**: an atom has no binders except in the conditions of its terms, so a condition may
//! leave its atom without its variables being freed or captured.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Formula, Term};
use crate::ids::{FormulaId, TermId};

/// One case split: the condition, and the atom in either case.
pub(crate) struct Split {
    pub(crate) condition: FormulaId,
    pub(crate) if_true: FormulaId,
    pub(crate) if_false: FormulaId,
}

impl Arena {
    /// The formula with no conditional terms left.
    pub fn without_ites(&mut self, formula: FormulaId) -> FormulaId {
        lift(self, formula, &mut FxHashMap::default())
    }

    /// Splits an atom on its first conditional term whose condition satisfies `wanted`.
    pub(crate) fn split_ite(
        &mut self,
        atom: FormulaId,
        wanted: impl Fn(&Arena, FormulaId) -> bool,
    ) -> Option<Split> {
        let args = atom_args(self.formula(atom)).to_vec();
        let ite = args.iter().find_map(|&t| find(self, t, &wanted))?;
        let Term::Ite(condition, a, b) = *self.term(ite) else {
            return None;
        };
        let if_true = replace_in_atom(self, atom, &args, ite, a);
        let if_false = replace_in_atom(self, atom, &args, ite, b);
        Some(Split { condition, if_true, if_false })
    }
}

fn lift(arena: &mut Arena, id: FormulaId, memo: &mut FxHashMap<FormulaId, FormulaId>) -> FormulaId {
    if let Some(&done) = memo.get(&id) {
        return done;
    }
    let result = match arena.formula(id).clone() {
        Formula::True | Formula::False => id,
        Formula::Rel(..) | Formula::Eq(..) | Formula::Le(..) | Formula::Lt(..) => {
            match arena.split_ite(id, |_, _| true) {
                None => id,
                Some(split) => {
                    let condition = lift(arena, split.condition, memo);
                    let if_true = lift(arena, split.if_true, memo);
                    let if_false = lift(arena, split.if_false, memo);
                    let other = arena.not(condition);
                    let yes = arena.and([condition, if_true]);
                    let no = arena.and([other, if_false]);
                    arena.or([yes, no])
                }
            }
        }
        Formula::Not(a) => {
            let a = lift(arena, a, memo);
            arena.not(a)
        }
        Formula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|&p| lift(arena, p, memo)).collect();
            arena.and(parts)
        }
        Formula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|&p| lift(arena, p, memo)).collect();
            arena.or(parts)
        }
        Formula::Implies(a, b) => {
            let (a, b) = (lift(arena, a, memo), lift(arena, b, memo));
            arena.implies(a, b)
        }
        Formula::Iff(a, b) => {
            let (a, b) = (lift(arena, a, memo), lift(arena, b, memo));
            arena.iff(a, b)
        }
        Formula::Quant(q, vars, body) => {
            let body = lift(arena, body, memo);
            arena.quant(q, &vars, body)
        }
    };
    memo.insert(id, result);
    result
}

fn atom_args(atom: &Formula) -> Vec<TermId> {
    match atom {
        Formula::Rel(_, args) => args.to_vec(),
        Formula::Eq(a, b) | Formula::Le(a, b) | Formula::Lt(a, b) => vec![*a, *b],
        _ => Vec::new(),
    }
}

fn find(
    arena: &Arena,
    term: TermId,
    wanted: &impl Fn(&Arena, FormulaId) -> bool,
) -> Option<TermId> {
    match arena.term(term) {
        Term::Var(_) | Term::Num(_) => None,
        Term::App(_, args) => args.iter().find_map(|&a| find(arena, a, wanted)),
        Term::Arith(_, a, b) => find(arena, *a, wanted).or_else(|| find(arena, *b, wanted)),
        Term::Ite(c, _, _) if wanted(arena, *c) => Some(term),
        Term::Ite(_, a, b) => find(arena, *a, wanted).or_else(|| find(arena, *b, wanted)),
    }
}

fn replace_in_atom(
    arena: &mut Arena,
    atom: FormulaId,
    args: &[TermId],
    old: TermId,
    new: TermId,
) -> FormulaId {
    let args: Vec<_> = args.iter().map(|&t| replace(arena, t, old, new)).collect();
    match *arena.formula(atom) {
        Formula::Rel(rel, _) => arena.rel(rel, &args),
        Formula::Eq(..) => arena.eq(args[0], args[1]),
        Formula::Le(..) => arena.le(args[0], args[1]),
        Formula::Lt(..) => arena.lt(args[0], args[1]),
        _ => atom,
    }
}

fn replace(arena: &mut Arena, term: TermId, old: TermId, new: TermId) -> TermId {
    if term == old {
        return new;
    }
    match arena.term(term).clone() {
        Term::Var(_) | Term::Num(_) => term,
        Term::App(fun, args) => {
            let args: Vec<_> = args.iter().map(|&t| replace(arena, t, old, new)).collect();
            arena.app(fun, &args)
        }
        Term::Arith(op, a, b) => {
            let (a, b) = (replace(arena, a, old, new), replace(arena, b, old, new));
            arena.arith(op, a, b)
        }
        Term::Ite(c, a, b) => {
            let (a, b) = (replace(arena, a, old, new), replace(arena, b, old, new));
            arena.ite(c, a, b)
        }
    }
}
