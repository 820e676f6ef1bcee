//! Sequents from text, and provers real and fake.

mod caching;
mod exports;
mod faulty;
mod proving;

use std::collections::BTreeMap;

use trellis_hol::{
    Meaning, Naming, Position, Symbol, SymbolId, Term, Type, elaborate, parse, parse_type,
};
use trellis_provers::Question;
use trellis_sequents::Sequent;
use trellis_sequents::build::{Fresh, rename};
use trellis_sequents::reduce::Reducer;

/// Symbols with their types.
struct Names {
    symbols: Vec<Symbol>,
    by_name: BTreeMap<String, SymbolId>,
    next: u32,
}

impl Naming for Names {
    fn resolve(&mut self, name: &str, _: Position) -> Result<Meaning, (String, Option<String>)> {
        let found = self.by_name.get(name).copied().map(Meaning::Symbol);
        found.ok_or_else(|| (format!("no {name}"), None))
    }

    fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

/// A sequent with its symbols.
struct Given {
    sequent: Sequent,
    symbols: Vec<Symbol>,
}

impl Given {
    fn question(&self) -> Question<'_> {
        Question { sequent: &self.sequent, symbols: &self.symbols }
    }
}

/// A sequent: symbols as `name :: type`, hypotheses, goal.
fn given(symbols: &[(&str, &str)], hypotheses: &[&str], goal: &str) -> Given {
    let mut names = Names { symbols: Vec::new(), by_name: BTreeMap::new(), next: 0 };
    for (name, ty) in symbols {
        let ty = parse_type(ty).expect("a type");
        names.by_name.insert((*name).to_owned(), SymbolId(names.symbols.len() as u32));
        names.symbols.push(Symbol { name: (*name).to_owned(), ty, definition: None });
    }
    let mut fresh = Fresh::starting_at(1000);
    let mut term = |text: &str| -> Term {
        let node = parse(text).unwrap_or_else(|e| panic!("{text}: {}", e.message));
        let term = elaborate(&node, &Type::Bool, &mut names)
            .unwrap_or_else(|e| panic!("{text}: {}", e.message));
        let term = rename(&term, &mut fresh);
        Reducer { fresh: &mut fresh, domain: None }.reduce(&term)
    };
    let hypotheses = hypotheses.iter().map(|h| term(h)).collect();
    let goal = term(goal);
    Given { sequent: Sequent { hypotheses, goal }, symbols: names.symbols }
}

const NUMBERS: &[(&str, &str)] =
    &[("i", "int"), ("j", "int"), ("n", "int"), ("f", "obj => int"), ("x", "obj"), ("y", "obj")];

const LISTS: &[(&str, &str)] = &[
    ("next", "obj => obj"),
    ("prev", "obj => obj"),
    ("data", "obj => int"),
    ("x", "obj"),
    ("y", "obj"),
    ("z", "obj"),
    ("S", "obj set"),
];

const TREES: &[(&str, &str)] = &[
    ("left", "obj => obj"),
    ("right", "obj => obj"),
    ("parent", "obj => obj"),
    ("x", "obj"),
    ("y", "obj"),
    ("z", "obj"),
];
