//! The constructors of terms and formulas.
//!
//! They simplify what is obvious (constants, double negation, nested and repeated conjuncts, `x ==
//! x`, vacuous quantifiers) and nothing else, always in the same way: the operands of a conjunction
//! stay in the order in which the user wrote them.
//!
//! **Invariant**: the simplifications are valid in every structure with non-empty universes.

use crate::arena::{Arena, ArithOp, Formula, Quantifier, Term};
use crate::ids::{FormulaId, FunId, RelId, TermId, VarId};

/// Terms.
impl Arena {
    /// The variable as a term.
    pub fn var_term(&mut self, var: VarId) -> TermId {
        self.intern_term(Term::Var(var))
    }

    /// A constant as a term.
    pub fn constant(&mut self, fun: FunId) -> TermId {
        self.app(fun, &[])
    }

    /// A function applied to arguments.
    pub fn app(&mut self, fun: FunId, args: &[TermId]) -> TermId {
        self.intern_term(Term::App(fun, args.into()))
    }

    /// A numeral.
    pub fn num(&mut self, value: i128) -> TermId {
        self.intern_term(Term::Num(value))
    }

    /// Arithmetic; two numerals are computed unless the result does not fit.
    pub fn arith(&mut self, op: ArithOp, a: TermId, b: TermId) -> TermId {
        if let (&Term::Num(x), &Term::Num(y)) = (self.term(a), self.term(b))
            && let Some(value) = op.apply(x, y)
        {
            return self.num(value);
        }
        self.intern_term(Term::Arith(op, a, b))
    }

    /// `condition ? a : b`.
    pub fn ite(&mut self, condition: FormulaId, a: TermId, b: TermId) -> TermId {
        match condition {
            FormulaId::TRUE => a,
            FormulaId::FALSE => b,
            _ if a == b => a,
            _ => self.intern_term(Term::Ite(condition, a, b)),
        }
    }
}

/// Atoms.
impl Arena {
    /// A relation applied to arguments.
    pub fn rel(&mut self, rel: RelId, args: &[TermId]) -> FormulaId {
        self.intern_formula(Formula::Rel(rel, args.into()))
    }

    /// `a == b`.
    pub fn eq(&mut self, a: TermId, b: TermId) -> FormulaId {
        match (self.term(a), self.term(b)) {
            _ if a == b => FormulaId::TRUE,
            (Term::Num(_), Term::Num(_)) => FormulaId::FALSE,
            _ => self.intern_formula(Formula::Eq(a, b)),
        }
    }

    /// `a != b`.
    pub fn ne(&mut self, a: TermId, b: TermId) -> FormulaId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// `a <= b` on integers.
    pub fn le(&mut self, a: TermId, b: TermId) -> FormulaId {
        match (self.term(a), self.term(b)) {
            _ if a == b => FormulaId::TRUE,
            (Term::Num(x), Term::Num(y)) => truth(x <= y),
            _ => self.intern_formula(Formula::Le(a, b)),
        }
    }

    /// `a < b` on integers.
    pub fn lt(&mut self, a: TermId, b: TermId) -> FormulaId {
        match (self.term(a), self.term(b)) {
            _ if a == b => FormulaId::FALSE,
            (Term::Num(x), Term::Num(y)) => truth(x < y),
            _ => self.intern_formula(Formula::Lt(a, b)),
        }
    }
}

/// Connectives and quantifiers.
impl Arena {
    /// `!f`.
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        match *self.formula(f) {
            Formula::True => FormulaId::FALSE,
            Formula::False => FormulaId::TRUE,
            Formula::Not(inner) => inner,
            _ => self.intern_formula(Formula::Not(f)),
        }
    }

    /// The conjunction of any number of formulas.
    pub fn and(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        match self.flatten(parts, FormulaId::TRUE, |node| match node {
            Formula::And(parts) => Some(parts),
            _ => None,
        }) {
            None => FormulaId::FALSE,
            Some(parts) => match parts[..] {
                [] => FormulaId::TRUE,
                [only] => only,
                _ => self.intern_formula(Formula::And(parts.into())),
            },
        }
    }

    /// The disjunction of any number of formulas.
    pub fn or(&mut self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        match self.flatten(parts, FormulaId::FALSE, |node| match node {
            Formula::Or(parts) => Some(parts),
            _ => None,
        }) {
            None => FormulaId::TRUE,
            Some(parts) => match parts[..] {
                [] => FormulaId::FALSE,
                [only] => only,
                _ => self.intern_formula(Formula::Or(parts.into())),
            },
        }
    }

    /// The operands without nesting, repetition or the neutral element; `None` if the absorbing
    /// element, or a formula beside its negation, is among them.
    fn flatten(
        &mut self,
        parts: impl IntoIterator<Item = FormulaId>,
        neutral: FormulaId,
        nested: fn(&Formula) -> Option<&[FormulaId]>,
    ) -> Option<Vec<FormulaId>> {
        let absorbing = self.not(neutral);
        let mut flat: Vec<FormulaId> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for part in parts {
            match nested(self.formula(part)) {
                Some(inner) => flat.extend(inner.iter().filter(|f| seen.insert(**f))),
                None if part == neutral => {}
                None if part == absorbing => return None,
                None if seen.insert(part) => flat.push(part),
                None => {}
            }
        }
        let contradicts = flat.iter().any(|&f| match self.formula(f) {
            Formula::Not(inner) => seen.contains(inner),
            _ => false,
        });
        if contradicts { None } else { Some(flat) }
    }

    /// `a ==> b`.
    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (a, b) {
            (FormulaId::TRUE, _) => b,
            (FormulaId::FALSE, _) | (_, FormulaId::TRUE) => FormulaId::TRUE,
            (_, FormulaId::FALSE) => self.not(a),
            _ if a == b => FormulaId::TRUE,
            _ => self.intern_formula(Formula::Implies(a, b)),
        }
    }

    /// `a <==> b`.
    pub fn iff(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (a, b) {
            (FormulaId::TRUE, _) => b,
            (_, FormulaId::TRUE) => a,
            (FormulaId::FALSE, _) => self.not(b),
            (_, FormulaId::FALSE) => self.not(a),
            _ if a == b => FormulaId::TRUE,
            _ => self.intern_formula(Formula::Iff(a, b)),
        }
    }

    /// `\forall vars; body`.
    pub fn forall(&mut self, vars: &[VarId], body: FormulaId) -> FormulaId {
        self.quant(Quantifier::Forall, vars, body)
    }

    /// `\exists vars; body`.
    pub fn exists(&mut self, vars: &[VarId], body: FormulaId) -> FormulaId {
        self.quant(Quantifier::Exists, vars, body)
    }

    /// A quantified formula. Variables that are not free in the body are dropped (universes are
    /// never empty), and adjacent blocks of the same quantifier become one.
    pub fn quant(&mut self, quantifier: Quantifier, vars: &[VarId], body: FormulaId) -> FormulaId {
        let free = self.free_vars(body);
        let mut kept: Vec<VarId> = Vec::with_capacity(vars.len());
        for v in vars {
            if free.binary_search(v).is_ok() && !kept.contains(v) {
                kept.push(*v);
            }
        }
        if kept.is_empty() {
            return body;
        }
        let body = match self.formula(body) {
            Formula::Quant(q, inner, body) if *q == quantifier => {
                kept.extend_from_slice(inner);
                *body
            }
            _ => body,
        };
        self.intern_formula(Formula::Quant(quantifier, kept.into(), body))
    }
}

fn truth(value: bool) -> FormulaId {
    if value { FormulaId::TRUE } else { FormulaId::FALSE }
}
