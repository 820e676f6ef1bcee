//! Sequents: hypotheses and a goal.
//!
//! A condition is split on conjunctions, implications, equivalences and universal quantifiers of its
//! goal, and what is left is looked at before anyone is asked: a goal that is a hypothesis needs no
//! prover.

use std::collections::{BTreeMap, BTreeSet};

use trellis_hol::{Formula, Kind, Op, Quantifier, Symbol, SymbolId, Term, VarId};

use crate::build::{implies, not, substitute, truth};
use crate::signature::Signature;

/// That a goal follows from hypotheses, whatever the symbols stand for.
#[derive(Clone, Debug)]
pub struct Sequent {
    /// What is known.
    pub hypotheses: Vec<Term>,
    /// What follows.
    pub goal: Term,
}

/// The goal and the hypotheses in parts that need no more splitting; those that are plain to see
/// are left out.
pub fn split(v: &mut Signature, hypotheses: &[Term], goal: &Term) -> Vec<Sequent> {
    let mut known = Vec::new();
    hypotheses.iter().for_each(|h| assume(h, &mut known));
    let mut all = Vec::new();
    parts(v, known, goal, &mut all);
    all.retain(|s| !s.is_plain());
    all
}

fn assume(h: &Term, known: &mut Vec<Term>) {
    match &h.kind {
        Kind::Op(Op::And, inner) => inner.iter().for_each(|i| assume(i, known)),
        Kind::Op(Op::True, _) => {}
        _ if known.contains(h) => {}
        _ => known.push(h.clone()),
    }
}

fn parts(v: &mut Signature, known: Vec<Term>, goal: &Term, out: &mut Vec<Sequent>) {
    match &goal.kind {
        Kind::Op(Op::True, _) => {}
        Kind::Op(Op::And, goals) => goals.iter().for_each(|g| parts(v, known.clone(), g, out)),
        Kind::Op(Op::Implies, sides) => {
            let mut known = known;
            assume(&sides[0], &mut known);
            parts(v, known, &sides[1], out);
        }
        Kind::Op(Op::Iff, sides) => {
            for (a, b) in [(0, 1), (1, 0)] {
                let one = implies(sides[a].clone(), sides[b].clone());
                parts(v, known.clone(), &one, out);
            }
        }
        Kind::Op(Op::If, sides) => {
            let (c, a, b) = (&sides[0], &sides[1], &sides[2]);
            parts(v, known.clone(), &implies(c.clone(), a.clone()), out);
            parts(v, known, &implies(not(c.clone()), b.clone()), out);
        }
        Kind::Bind(Quantifier::Forall, binders, body) => {
            let by: BTreeMap<VarId, Term> =
                binders.iter().map(|b| (b.id, v.constant(&b.name, b.ty.clone()))).collect();
            parts(v, known, &substitute(body, &by), out);
        }
        _ => out.push(Sequent { hypotheses: known, goal: goal.clone() }),
    }
}

impl Sequent {
    /// Whether it can be seen without a prover that it is valid.
    pub fn is_plain(&self) -> bool {
        let goal = key(&self.goal);
        let same = match &self.goal.kind {
            Kind::Op(Op::Eq | Op::Iff | Op::LessEq, sides) => key(&sides[0]) == key(&sides[1]),
            Kind::Op(Op::True, _) => true,
            _ => false,
        };
        let known: BTreeSet<String> = self.hypotheses.iter().map(key).collect();
        same || known.contains(&goal)
            || known.contains(&key(&truth(false)))
            || self.hypotheses.iter().any(
                |h| matches!(&h.kind, Kind::Op(Op::Not, inner) if known.contains(&key(&inner[0]))),
            )
    }

    /// The symbols that it mentions.
    pub fn symbols(&self) -> BTreeSet<SymbolId> {
        let mut all = BTreeSet::new();
        for t in self.hypotheses.iter().chain([&self.goal]) {
            all.extend(symbols(t));
        }
        all
    }

    /// The hypotheses that may matter: those that share symbols with the goal, or with others that
    /// do, so many times over.
    pub fn relevant(&self, rounds: usize, shared: &dyn Fn(SymbolId) -> bool) -> Sequent {
        let mut known = symbols(&self.goal);
        let own: Vec<BTreeSet<SymbolId>> = self.hypotheses.iter().map(symbols).collect();
        let mut chosen = vec![false; own.len()];
        for _ in 0..rounds {
            let before = known.clone();
            for (i, symbols) in own.iter().enumerate() {
                let meets = symbols.iter().any(|s| before.contains(s) && !shared(*s));
                if !chosen[i] && (meets || symbols.is_empty()) {
                    chosen[i] = true;
                    known.extend(symbols);
                }
            }
        }
        let hypotheses = self.hypotheses.iter().zip(&chosen).filter(|(_, c)| **c);
        Sequent {
            hypotheses: hypotheses.map(|(h, _)| h.clone()).collect(),
            goal: self.goal.clone(),
        }
    }

    /// The sequent as text: a hypothesis a line, then the goal.
    pub fn show(&self, table: &[Symbol]) -> String {
        let formula = Formula { symbols: table.to_vec(), term: self.goal.clone() };
        let mut text: String =
            self.hypotheses.iter().map(|h| format!("  {}\n", formula.show(h))).collect();
        text.push_str(&format!("|- {}", formula.show(&self.goal)));
        text
    }
}

/// The symbols of a term.
pub fn symbols(t: &Term) -> BTreeSet<SymbolId> {
    let mut all = BTreeSet::new();
    t.visit(&mut |part| {
        if let Kind::Symbol(s) = part.kind {
            all.insert(s);
        }
    });
    all
}

/// A text that two terms have in common exactly if they differ in the names of bound variables only.
pub fn key(t: &Term) -> String {
    let mut text = String::new();
    write_key(
        t,
        &mut Vec::new(),
        &mut |s, out: &mut String| out.push_str(&format!("s{}", s.0)),
        &mut text,
    );
    text
}

/// As [`key`], with names of one's own for symbols; variables that are bound outside have their
/// numbers.
pub fn write_key(
    t: &Term,
    bound: &mut Vec<VarId>,
    name: &mut dyn FnMut(SymbolId, &mut String),
    out: &mut String,
) {
    match &t.kind {
        Kind::Var(v) => match bound.iter().rposition(|b| b == v) {
            Some(i) => out.push_str(&format!("b{}", bound.len() - 1 - i)),
            None => out.push_str(&format!("v{}", v.0)),
        },
        Kind::Symbol(s) => name(*s, out),
        Kind::Int(i) => out.push_str(&i.to_string()),
        Kind::Op(o, args) => {
            out.push_str(&format!("({o:?}"));
            for a in args {
                out.push(' ');
                write_key(a, bound, name, out);
            }
            out.push(')');
        }
        Kind::Apply(head, args) => {
            out.push('(');
            write_key(head, bound, name, out);
            for a in args {
                out.push(' ');
                write_key(a, bound, name, out);
            }
            out.push(')');
        }
        Kind::Bind(q, binders, body) => {
            out.push_str(&format!("({q:?}"));
            for b in binders {
                out.push_str(&format!(" {}", b.ty));
                bound.push(b.id);
            }
            out.push_str(". ");
            write_key(body, bound, name, out);
            bound.truncate(bound.len() - binders.len());
            out.push(')');
        }
        Kind::Comment(_, inner) => write_key(inner, bound, name, out),
    }
}
