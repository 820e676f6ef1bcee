//! Negation normal form: only and, or, quantifiers, and atoms or negated atoms.
//!
//! **Invariant**: the result is equivalent to the input. Conditional terms stay in atoms, except
//! those with a quantified condition, so that every quantifier is visible in the result.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Formula};
use crate::ids::FormulaId;

impl Arena {
    /// The formula in negation normal form.
    pub fn nnf(&mut self, formula: FormulaId) -> FormulaId {
        Nnf::default().go(self, formula, true)
    }
}

#[derive(Default)]
struct Nnf {
    memo: FxHashMap<(FormulaId, bool), FormulaId>,
}

impl Nnf {
    /// The normal form of the formula, or of its negation.
    fn go(&mut self, arena: &mut Arena, id: FormulaId, positive: bool) -> FormulaId {
        if let Some(&done) = self.memo.get(&(id, positive)) {
            return done;
        }
        let result = match arena.formula(id).clone() {
            Formula::True | Formula::False => literal(arena, id, positive),
            Formula::Rel(..) | Formula::Eq(..) | Formula::Le(..) | Formula::Lt(..) => {
                match arena.split_ite(id, |arena, c| !arena.is_quantifier_free(c)) {
                    None => literal(arena, id, positive),
                    Some(split) => {
                        let condition = self.go(arena, split.condition, true);
                        let other = self.go(arena, split.condition, false);
                        let if_true = self.go(arena, split.if_true, positive);
                        let if_false = self.go(arena, split.if_false, positive);
                        let yes = arena.and([condition, if_true]);
                        let no = arena.and([other, if_false]);
                        arena.or([yes, no])
                    }
                }
            }
            Formula::Not(a) => self.go(arena, a, !positive),
            Formula::And(parts) => {
                let parts = self.all(arena, &parts, positive);
                if positive { arena.and(parts) } else { arena.or(parts) }
            }
            Formula::Or(parts) => {
                let parts = self.all(arena, &parts, positive);
                if positive { arena.or(parts) } else { arena.and(parts) }
            }
            Formula::Implies(a, b) => {
                let a = self.go(arena, a, !positive);
                let b = self.go(arena, b, positive);
                if positive { arena.or([a, b]) } else { arena.and([a, b]) }
            }
            Formula::Iff(a, b) => {
                let (a_yes, a_no) = (self.go(arena, a, true), self.go(arena, a, false));
                let (same, opposite) = (self.go(arena, b, positive), self.go(arena, b, !positive));
                let forth = arena.or([a_no, same]);
                let back = arena.or([a_yes, opposite]);
                arena.and([forth, back])
            }
            Formula::Quant(q, vars, body) => {
                let body = self.go(arena, body, positive);
                arena.quant(if positive { q } else { q.dual() }, &vars, body)
            }
        };
        self.memo.insert((id, positive), result);
        result
    }

    fn all(&mut self, arena: &mut Arena, parts: &[FormulaId], positive: bool) -> Vec<FormulaId> {
        parts.iter().map(|&p| self.go(arena, p, positive)).collect()
    }
}

fn literal(arena: &mut Arena, atom: FormulaId, positive: bool) -> FormulaId {
    if positive { atom } else { arena.not(atom) }
}
