//! When two questions are the same (*Symbolic Shape Analysis*, section 5).
//!
//! A formula is a text in which bound variables are numbers and every symbol is a hole with its
//! type; what fills the holes is beside it. A goal with its hypotheses follows from a stored one if
//! symbols can be mapped to symbols so that the goals become the same and every stored hypothesis
//! one that is known: names do not matter, nor what is known besides.

use std::collections::BTreeMap;

use trellis_hol::{Symbol, SymbolId, Term};
use trellis_sequents::sequent::write_key;

use crate::Question;

/// A formula without names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Form {
    /// The text with holes.
    pub text: String,
    /// What is in the holes, in order.
    pub symbols: Vec<u32>,
}

/// A question without names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Normal {
    /// The goal; its symbols are numbered as they come.
    pub goal: Form,
    /// The hypotheses, each once, in order.
    pub hypotheses: Vec<Form>,
}

impl Normal {
    /// The normal form of a question, with only these of its hypotheses.
    pub fn of(question: &Question<'_>, only: Option<&[usize]>) -> Normal {
        let mut numbers = BTreeMap::new();
        let goal = form(&question.sequent.goal, question.symbols, &mut numbers);
        let all = question.sequent.hypotheses.iter().enumerate();
        let chosen = all.filter(|(i, _)| only.is_none_or(|only| only.contains(i)));
        let mut hypotheses: Vec<Form> =
            chosen.map(|(_, h)| form(h, question.symbols, &mut numbers)).collect();
        hypotheses.sort();
        hypotheses.dedup();
        Normal { goal, hypotheses }
    }

    /// Whether every hypothesis of this is one of another, and the goals are the same, for some
    /// names of symbols.
    pub fn is_within(&self, other: &Normal) -> bool {
        if self.goal.text != other.goal.text {
            return false;
        }
        let mut names = BTreeMap::new();
        if !fits(&self.goal, &other.goal, &mut names) {
            return false;
        }
        // Hypotheses with fewer partners first.
        let mut todo: Vec<(&Form, Vec<&Form>)> = Vec::new();
        for h in &self.hypotheses {
            let partners: Vec<&Form> =
                other.hypotheses.iter().filter(|o| o.text == h.text).collect();
            if partners.is_empty() {
                return false;
            }
            todo.push((h, partners));
        }
        todo.sort_by_key(|(_, partners)| partners.len());
        let mut steps = MOST_STEPS;
        match_all(&todo, &names, &mut steps)
    }
}

/// Matching that takes longer finds nothing.
const MOST_STEPS: usize = 5_000;

type Names = BTreeMap<u32, u32>;

fn match_all(todo: &[(&Form, Vec<&Form>)], names: &Names, steps: &mut usize) -> bool {
    // Whatever has no unknown symbol left, or one partner, is next.
    let Some(((form, partners), rest)) = todo.split_first() else { return true };
    for partner in partners {
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let mut inner = names.clone();
        if fits(form, partner, &mut inner) && match_all(rest, &inner, steps) {
            return true;
        }
    }
    false
}

fn fits(a: &Form, b: &Form, names: &mut Names) -> bool {
    a.symbols.len() == b.symbols.len()
        && a.symbols.iter().zip(&b.symbols).all(|(x, y)| *names.entry(*x).or_insert(*y) == *y)
}

/// A term without names; symbols get numbers as they come.
fn form(t: &Term, table: &[Symbol], numbers: &mut BTreeMap<SymbolId, u32>) -> Form {
    let (mut text, mut symbols) = (String::new(), Vec::new());
    let name = &mut |s: SymbolId, out: &mut String| {
        let next = numbers.len() as u32;
        symbols.push(*numbers.entry(s).or_insert(next));
        out.push_str(&format!("#{}", table[s.0 as usize].ty));
    };
    write_key(t, &mut Vec::new(), name, &mut text);
    Form { text, symbols }
}
