//! Reading and printing formulas: what is printed reads as the same, and errors say where they are.

use expect_test::{Expect, expect};
use trellis_hol::{
    Formula, Meaning, Position, Scope, Symbol, SymbolId, Type, elaborate, parse, parse_type,
};

struct Names {
    symbols: Vec<Symbol>,
    next: u32,
}

fn names() -> Names {
    let field = || Type::fun(Type::Obj, Type::Obj);
    let pairs = Type::set(Type::Prod(vec![Type::Obj, Type::Obj]));
    let all = [
        ("first", Type::Obj),
        ("n", Type::Obj),
        ("i", Type::Int),
        ("init", Type::Bool),
        ("content", Type::set(Type::Obj)),
        ("map", pairs),
        ("Node.next", field()),
        ("next", field()),
        ("left", field()),
        ("right", field()),
        ("key", Type::fun(Type::Obj, Type::Int)),
        ("reach", Type::fun(Type::Obj, Type::fun(Type::Obj, Type::Bool))),
    ];
    let symbols = all
        .into_iter()
        .map(|(n, ty)| Symbol { name: n.to_owned(), ty, definition: None })
        .collect();
    Names { symbols, next: 0 }
}

impl Scope for Names {
    fn resolve(&mut self, name: &str, _: Position) -> Result<Meaning, (String, Option<String>)> {
        match self.symbols.iter().position(|s| s.name == name) {
            Some(i) => Ok(Meaning::Symbol(SymbolId(i as u32))),
            None => Err((format!("nothing is called `{name}`"), None)),
        }
    }

    fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

fn read(text: &str) -> Result<Formula, trellis_hol::Error> {
    let mut names = names();
    let term = elaborate(&parse(text)?, &Type::Bool, &mut names)?;
    Ok(Formula::new(names.symbols, term))
}

fn check(text: &str, expected: Expect) {
    let formula = read(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let printed = formula.to_string();
    expected.assert_eq(&printed);
    let again = read(&printed).unwrap_or_else(|e| panic!("{printed}: {e:?}"));
    assert_eq!(again.to_string(), printed, "what was printed reads differently");
}

#[test]
fn formulas_are_read_and_printed() {
    check("first = null | (ALL n. n..Node.next ~= first)", expect![]);
    check("x..next = y", expect![]);
}
