//! The literals of cubes after a step, as propositions.
//!
//! * An atom without quantifiers, after path i, is its expansion by the path's update. Where all
//!   paths agree it is assumed directly; otherwise a proposition equals it on every path.
//! * A quantified literal has a proposition that implies it on every path, and nothing in the other
//!   direction: while it is not assumed, no solver has to decide it or to look for its witnesses.
//!
//! **Invariant.** A quantified formula over the state before the step is asserted once for each
//! polarity, behind the proposition that claims it. Paths and lemmas that need the same formula
//! share its witnesses that way.

use trellis_logic::{Formula, FormulaId, Quantifier, Term};
use trellis_solver::Unknown;

use super::{Space, Steps};
use crate::cube::Literal;

impl Steps {
    /// A literal after the step, as something to assume.
    pub(super) fn after(
        &mut self,
        space: &mut Space,
        literal: Literal,
    ) -> Result<FormulaId, Unknown> {
        if let Some(&known) = self.posts.get(&literal) {
            return Ok(known);
        }
        let is_ground = space.system.arena.is_quantifier_free(literal.atom);
        if !is_ground {
            let post = self.claimed_after(space, literal)?;
            self.posts.insert(literal, post);
            return Ok(post);
        }
        let holds = self.ground_after(space, literal.atom)?;
        let fails = space.system.arena.not(holds);
        self.posts.insert(Literal { positive: true, ..literal }, holds);
        self.posts.insert(Literal { positive: false, ..literal }, fails);
        Ok(if literal.positive { holds } else { fails })
    }

    /// An atom without quantifiers after the step.
    fn ground_after(&mut self, space: &mut Space, atom: FormulaId) -> Result<FormulaId, Unknown> {
        let groups = self.expansions(space, atom);
        if let [(after, _)] = groups[..]
            && is_literal(space, after)
        {
            return Ok(after);
        }
        let post = space.post(atom);
        let post = space.system.arena.rel(post, &[]);
        for (after, taken) in groups {
            let arena = &mut space.system.arena;
            let same = arena.iff(post, after);
            let definition = arena.implies(taken, same);
            self.assert(space, definition)?;
        }
        Ok(post)
    }

    /// A quantified literal after the step.
    fn claimed_after(&mut self, space: &mut Space, literal: Literal) -> Result<FormulaId, Unknown> {
        let post = space.claimed_post(literal);
        let post = space.system.arena.rel(post, &[]);
        for (after, taken) in self.expansions(space, literal.atom) {
            let claim = self.claim(space, Literal { atom: after, ..literal })?;
            let arena = &mut space.system.arena;
            let premise = arena.and([post, taken]);
            let definition = arena.implies(premise, claim);
            self.assert(space, definition)?;
        }
        Ok(post)
    }

    /// What an atom is after the paths, with the propositions that one of these paths is taken.
    fn expansions(&self, space: &mut Space, atom: FormulaId) -> Vec<(FormulaId, FormulaId)> {
        let mut groups: Vec<(FormulaId, Vec<FormulaId>)> = Vec::new();
        for &(index, selector) in &self.paths {
            let system = &mut space.system;
            let after = system.arena.expand(atom, &system.paths[index].update);
            let taken = system.arena.rel(selector, &[]);
            match groups.iter_mut().find(|(f, _)| *f == after) {
                Some((_, selectors)) => selectors.push(taken),
                None => groups.push((after, vec![taken])),
            }
        }
        let arena = &mut space.system.arena;
        groups.into_iter().map(|(after, taken)| (after, arena.or(taken))).collect()
    }

    /// A formula without quantifiers that implies a literal of the state before the step.
    fn claim(&mut self, space: &mut Space, literal: Literal) -> Result<FormulaId, Unknown> {
        let formula = literal.formula(&mut space.system.arena);
        if space.system.arena.is_quantifier_free(formula) {
            return Ok(formula);
        }
        let claim = space.claim(literal);
        let claim = space.system.arena.rel(claim, &[]);
        if self.claimed.insert(literal) {
            let meaning = space.system.arena.implies(claim, formula);
            self.assert(space, meaning)?;
        }
        Ok(claim)
    }

    /// A clause with claims in place of its quantified disjuncts.
    pub(super) fn claim_parts(
        &mut self,
        space: &mut Space,
        clause: FormulaId,
    ) -> Result<FormulaId, Unknown> {
        let parts = match space.system.arena.formula(clause) {
            Formula::Quant(Quantifier::Forall, ..) => return Ok(clause),
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![clause],
        };
        let mut claims = Vec::with_capacity(parts.len());
        for part in parts {
            let literal = match *space.system.arena.formula(part) {
                Formula::Not(atom) => Literal { atom, positive: false },
                _ => Literal { atom: part, positive: true },
            };
            claims.push(self.claim(space, literal)?);
        }
        Ok(space.system.arena.or(claims))
    }
}

fn is_literal(space: &Space, formula: FormulaId) -> bool {
    match space.system.arena.formula(formula) {
        Formula::True | Formula::False | Formula::Rel(..) => true,
        Formula::Eq(a, b) => {
            let arena = &space.system.arena;
            let plain = |t| matches!(arena.term(t), Term::App(..));
            plain(*a) && plain(*b)
        }
        Formula::Not(inner) => is_literal(space, *inner),
        _ => false,
    }
}
