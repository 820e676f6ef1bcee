//! Symbols of the state now and their copies of the entry.

use trellis_logic::{Arena, Definitions, FormulaId, FunId, RelId, TermId, VarId, Vocabulary};
use trellis_transys::{Flag, RegSymbol, Symbols};

/// A symbol that the code changes, with its copy of the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changing {
    /// Whether it is a variable; else it is part of the heap.
    pub is_variable: bool,
    pair: Pair,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pair {
    Rel { entry: RelId, now: RelId },
    Fun { entry: FunId, now: FunId },
}

/// All symbols that the code changes, the heap first.
pub fn changing(symbols: &Symbols) -> Vec<Changing> {
    let mut all = Vec::new();
    let mut add = |is_variable, pair| all.push(Changing { is_variable, pair });
    let flag = |entry: Flag<FunId>, now: Flag<FunId>| match (entry, now) {
        (Flag::Truth(entry), Flag::Truth(now)) => Some(Pair::Rel { entry, now }),
        (Flag::Data(entry), Flag::Data(now)) => Some(Pair::Fun { entry, now }),
        _ => None,
    };
    add(false, Pair::Rel { entry: symbols.alloc.entry, now: symbols.alloc.now });
    for field in &symbols.pointers {
        add(false, Pair::Rel { entry: field.relation.entry, now: field.relation.now });
        if let Some(edge) = field.edge {
            add(false, Pair::Rel { entry: edge.entry, now: edge.now });
        }
    }
    for field in &symbols.integers {
        if let Some(pair) = flag(field.entry, field.now) {
            add(false, pair);
        }
    }
    for twin in symbols.regs.values() {
        let pair = match (twin.entry, twin.now) {
            (RegSymbol::Ptr(entry), RegSymbol::Ptr(now)) => Some(Pair::Fun { entry, now }),
            (RegSymbol::Int(entry), RegSymbol::Int(now)) => flag(entry, now),
            _ => None,
        };
        if let Some(pair) = pair {
            add(true, pair);
        }
    }
    all.retain(|c| match c.pair {
        Pair::Rel { entry, now } => entry != now,
        Pair::Fun { entry, now } => entry != now,
    });
    all
}

impl Changing {
    /// The constant of the entry and that of now, if it is a pointer or an integer variable.
    pub fn constants(self) -> Option<(FunId, FunId)> {
        match self.pair {
            Pair::Fun { entry, now } if self.is_variable => Some((entry, now)),
            _ => None,
        }
    }

    /// Defines the copy of the entry as the symbol of now.
    pub fn define(self, arena: &mut Arena, vocabulary: &Vocabulary, out: &mut Definitions) {
        match self.pair {
            Pair::Rel { entry, now } => {
                let (vars, terms) = parameters(arena, &vocabulary.rel(entry).args);
                let body = arena.rel(now, &terms);
                out.define_rel(entry, &vars, body);
            }
            Pair::Fun { entry, now } => {
                let (vars, terms) = parameters(arena, &vocabulary.fun(entry).args);
                let body = arena.app(now, &terms);
                out.define_fun(entry, &vars, body);
            }
        }
    }

    /// That it has not changed since the entry.
    pub fn unchanged(self, arena: &mut Arena, vocabulary: &Vocabulary) -> FormulaId {
        let (vars, same) = match self.pair {
            Pair::Rel { entry, now } => {
                let (vars, terms) = parameters(arena, &vocabulary.rel(entry).args);
                let (then, here) = (arena.rel(entry, &terms), arena.rel(now, &terms));
                (vars, arena.iff(here, then))
            }
            Pair::Fun { entry, now } => {
                let (vars, terms) = parameters(arena, &vocabulary.fun(entry).args);
                let (then, here) = (arena.app(entry, &terms), arena.app(now, &terms));
                (vars, arena.eq(here, then))
            }
        };
        arena.forall(&vars, same)
    }
}

fn parameters(arena: &mut Arena, sorts: &[trellis_logic::SortId]) -> (Vec<VarId>, Vec<TermId>) {
    let names = ["a", "b", "c", "d"];
    let vars: Vec<VarId> =
        sorts.iter().zip(names).map(|(sort, name)| arena.variable(name, *sort)).collect();
    let terms = vars.iter().map(|v| arena.var_term(*v)).collect();
    (vars, terms)
}
