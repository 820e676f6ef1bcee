//! From the text of a model to a structure.
//!
//! Both solvers print definitions of functions over named elements; they name the elements in ways
//! of their own. z3 calls them `sort!val!3`, and declares them only if their number matters; cvc5
//! writes `(as @sort_3 sort)` and lists all of them in comments. So an element is whatever looks
//! like one, anywhere in the text. A sort that a model does not mention gets one element, a symbol
//! that it does not define gets the same value everywhere.
//!
//! **Invariant**: the structure is total. Whether it satisfies anything is for the caller to check.

use std::collections::BTreeMap;
use std::sync::Arc;

use trellis_logic::structure::TupleSpace;
use trellis_logic::{SortId, Structure, Value, Vocabulary};

use crate::interpret::{Datum, Definition, Interpreter};
use crate::names::{bare, push_fun, push_rel, push_sort};
use crate::sexpr::{SExpr, parse};

/// A table with more entries than this is not worth building.
const MAX_TUPLES: usize = 1 << 22;

/// What a solver printed.
struct Parsed {
    definitions: BTreeMap<String, Definition>,
    /// The number of each element within its sort.
    elements: BTreeMap<String, u32>,
    /// By sort.
    sizes: Vec<u32>,
}

/// Reads a model.
pub(crate) fn read(vocabulary: &Arc<Vocabulary>, text: &str) -> Result<Structure, String> {
    let takes_integers = |args: &[SortId]| args.contains(&SortId::INT);
    if let Some(fun) = vocabulary.funs().find(|&f| takes_integers(&vocabulary.fun(f).args)) {
        let name = &vocabulary.fun(fun).name;
        return Err(format!("`{name}` takes integers, so its model is not finite"));
    }
    if let Some(rel) = vocabulary.rels().find(|&r| takes_integers(&vocabulary.rel(r).args)) {
        let name = &vocabulary.rel(rel).name;
        return Err(format!("`{name}` takes integers, so its model is not finite"));
    }
    build(vocabulary, &Parsed::new(vocabulary, text)?)
}

impl Parsed {
    fn new(vocabulary: &Vocabulary, text: &str) -> Result<Parsed, String> {
        let sorts: BTreeMap<String, SortId> =
            vocabulary.sorts().map(|s| (bare(|out| push_sort(out, vocabulary, s)), s)).collect();
        let mut parsed = Parsed {
            definitions: BTreeMap::new(),
            elements: BTreeMap::new(),
            sizes: vec![0; vocabulary.sorts().len()],
        };
        // The comments in which cvc5 lists its elements are read like the rest.
        let items = parse(&text.replace("\n; rep: ", "\n"))?;
        let [SExpr::List(items)] = &items[..] else {
            return Err("a model should be one list".into());
        };
        parsed.find_elements(&sorts, items);
        for item in items {
            let Some([SExpr::Atom(keyword), SExpr::Atom(name), SExpr::List(parameters), .., body]) =
                item.list()
            else {
                continue;
            };
            if keyword == "define-fun" {
                let parameters = parameters
                    .iter()
                    .map(|p| Some(p.list()?.first()?.atom()?.to_string()))
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| format!("the parameters of `{name}` are malformed"))?;
                let definition = Definition { parameters, body: body.clone() };
                parsed.definitions.insert(name.clone(), definition);
            }
        }
        for size in &mut parsed.sizes {
            *size = (*size).max(1);
        }
        Ok(parsed)
    }

    /// Numbers the elements in the order in which they are met.
    fn find_elements(&mut self, sorts: &BTreeMap<String, SortId>, items: &[SExpr]) {
        let mut rest: Vec<&SExpr> = items.iter().rev().collect();
        while let Some(expr) = rest.pop() {
            let element = match expr {
                SExpr::Text(_) => None,
                SExpr::Atom(name) => name.rsplit_once("!val!").map(|(sort, _)| (name, sort)),
                SExpr::List(parts) => match &parts[..] {
                    [SExpr::Atom(head), SExpr::Atom(name), SExpr::Atom(sort)] if head == "as" => {
                        Some((name, sort.as_str()))
                    }
                    _ => {
                        rest.extend(parts.iter().rev());
                        None
                    }
                },
            };
            if let Some((name, sort)) = element
                && let Some(&sort) = sorts.get(sort)
                && !self.elements.contains_key(name)
            {
                let size = &mut self.sizes[sort.index()];
                self.elements.insert(name.clone(), *size);
                *size += 1;
            }
        }
    }
}

fn build(vocabulary: &Arc<Vocabulary>, parsed: &Parsed) -> Result<Structure, String> {
    for args in (vocabulary.funs().map(|f| &vocabulary.fun(f).args))
        .chain(vocabulary.rels().map(|r| &vocabulary.rel(r).args))
    {
        let sizes = args.iter().map(|s| parsed.sizes[s.index()] as usize);
        if sizes.fold(1_usize, usize::saturating_mul) > MAX_TUPLES {
            return Err("the model is too large".into());
        }
    }
    let mut structure = Structure::new(vocabulary.clone(), &parsed.sizes);
    let mut interpreter = Interpreter::new(&parsed.definitions, &parsed.elements);
    for fun in vocabulary.funs() {
        let name = bare(|out| push_fun(out, vocabulary, fun));
        let result = vocabulary.fun(fun).result;
        let default = if result == SortId::INT { Datum::Int(0) } else { Datum::Elem(0) };
        for (tuple, datum) in table(&mut interpreter, &structure.fun_space(fun), &name, default)? {
            let value = match datum {
                Datum::Int(n) if result == SortId::INT => Value::Int(n),
                Datum::Elem(x) if x < structure.size(result) => Value::Elem(x),
                _ => return Err(format!("`{name}` has a value of another sort")),
            };
            structure.set_fun(fun, &tuple, Some(value));
        }
    }
    for rel in vocabulary.rels() {
        let name = bare(|out| push_rel(out, vocabulary, rel));
        let space = structure.rel_space(rel);
        let mut bits = trellis_logic::bits::BitSet::new(space.len());
        for (tuple, datum) in table(&mut interpreter, &space, &name, Datum::Bool(false))? {
            match datum {
                Datum::Bool(value) => bits.set(space.index(&tuple), value),
                Datum::Int(_) | Datum::Elem(_) => {
                    return Err(format!("`{name}` has a value of another sort"));
                }
            }
        }
        structure.set_rel_table(rel, bits);
    }
    Ok(structure)
}

/// The value of a symbol at all tuples.
fn table(
    interpreter: &mut Interpreter<'_>,
    space: &TupleSpace,
    name: &str,
    default: Datum,
) -> Result<Vec<(Vec<u32>, Datum)>, String> {
    let defined = interpreter.definitions.contains_key(name);
    let row = |index| {
        let tuple = space.tuple(index);
        let datum = match defined {
            true => {
                let args: Vec<Datum> = tuple.iter().map(|&x| Datum::Elem(x)).collect();
                interpreter.apply(name, &args)?
            }
            false => default,
        };
        Ok((tuple, datum))
    };
    (0..space.len()).map(row).collect()
}
