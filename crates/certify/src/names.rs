//! One name for every symbol of a vocabulary.
//!
//! A symbol keeps the name that the user knows. Where an earlier symbol, or a word of the syntax,
//! bears it already, a number follows: `p`, `p#2`, `p#3`. Functions, relations and sorts never
//! stand in the same place of a formula, so each have names of their own. A closure is named by two
//! words, itself and its field: `reach next`.
//!
//! **Invariant.** Names depend on the symbols declared before only, so a vocabulary that grew gives
//! its older symbols the same names.

use std::collections::BTreeMap;

use trellis_logic::{FunId, RelId, SortId, Vocabulary};

/// Words with a meaning of their own where a relation is expected.
pub const RELATION_WORDS: [&str; 13] = [
    "true", "false", "and", "or", "not", "=>", "<=>", "=", "forall", "exists", "int<=", "int<",
    "reach",
];

/// Words with a meaning of their own where a function is expected.
pub const FUNCTION_WORDS: [&str; 5] = ["ite", "int", "int+", "int-", "int*"];

/// The names of all symbols.
#[derive(Clone, Debug)]
pub struct Names {
    sorts: Table<SortId>,
    funs: Table<FunId>,
    rels: Table<RelId>,
    /// The relation and the field of every closure.
    closures: BTreeMap<RelId, (String, FunId)>,
    closure_words: BTreeMap<(String, FunId), RelId>,
}

#[derive(Clone, Debug)]
struct Table<T> {
    names: BTreeMap<T, String>,
    symbols: BTreeMap<String, T>,
}

impl<T: Copy + Ord> Table<T> {
    fn new(reserved: &[&str], symbols: impl Iterator<Item = (T, String)>) -> Table<T> {
        let mut table = Table { names: BTreeMap::new(), symbols: BTreeMap::new() };
        for (symbol, name) in symbols {
            let free = |name: &str| !reserved.contains(&name) && !table.symbols.contains_key(name);
            let name = first_free(&name, free);
            table.names.insert(symbol, name.clone());
            table.symbols.insert(name, symbol);
        }
        table
    }
}

/// `name`, or else `name#2`, `name#3`, ….
fn first_free(name: &str, free: impl Fn(&str) -> bool) -> String {
    if free(name) {
        return name.to_owned();
    }
    let mut number = 2;
    loop {
        let candidate = format!("{name}#{number}");
        if free(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

impl Names {
    /// The names of a vocabulary's symbols.
    pub fn new(vocabulary: &Vocabulary) -> Names {
        let sorts = vocabulary.sorts().map(|s| (s, vocabulary.sort_of(s).name.clone()));
        let funs = vocabulary.funs().map(|f| (f, vocabulary.fun(f).name.clone()));
        let mut names = Names {
            sorts: Table::new(&[], sorts),
            funs: Table::new(&FUNCTION_WORDS, funs),
            rels: Table::new(&[], std::iter::empty()),
            closures: BTreeMap::new(),
            closure_words: BTreeMap::new(),
        };
        let mut plain = Vec::new();
        let mut heads: Vec<String> = RELATION_WORDS.map(str::to_owned).to_vec();
        for rel in vocabulary.rels() {
            let symbol = vocabulary.rel(rel);
            let Some(field) = symbol.kind.field() else {
                plain.push((rel, symbol.name.clone()));
                continue;
            };
            let free = |name: &str| !names.closure_words.contains_key(&(name.to_owned(), field));
            let name = first_free(&symbol.name, free);
            heads.push(name.clone());
            names.closures.insert(rel, (name.clone(), field));
            names.closure_words.insert((name, field), rel);
        }
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        names.rels = Table::new(&heads, plain.into_iter());
        names
    }

    /// The name of a sort.
    pub fn sort(&self, sort: SortId) -> &str {
        &self.sorts.names[&sort]
    }

    /// The name of a function or constant.
    pub fn fun(&self, fun: FunId) -> &str {
        &self.funs.names[&fun]
    }

    /// The name of a relation, and that of its field if it is a closure.
    pub fn rel(&self, rel: RelId) -> (&str, Option<&str>) {
        match self.closures.get(&rel) {
            Some((name, field)) => (name, Some(self.fun(*field))),
            None => (&self.rels.names[&rel], None),
        }
    }

    /// The sort of this name.
    pub fn find_sort(&self, name: &str) -> Option<SortId> {
        self.sorts.symbols.get(name).copied()
    }

    /// The function or constant of this name.
    pub fn find_fun(&self, name: &str) -> Option<FunId> {
        self.funs.symbols.get(name).copied()
    }

    /// The relation of this name that is no closure.
    pub fn find_rel(&self, name: &str) -> Option<RelId> {
        self.rels.symbols.get(name).copied()
    }

    /// Whether closures have this name.
    pub fn is_closure(&self, name: &str) -> bool {
        self.closure_words.keys().any(|(word, _)| word == name)
    }

    /// The closure of this name over this field.
    pub fn find_closure(&self, name: &str, field: FunId) -> Option<RelId> {
        self.closure_words.get(&(name.to_owned(), field)).copied()
    }

    /// The name among all functions and relations that is most like this one.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let all = self.funs.symbols.keys().chain(self.rels.symbols.keys());
        trellis_program::source::suggest(name, all.map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_one_name_are_told_apart() {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("struct node *");
        let p = vocabulary.variable("p", node);
        let inner = vocabulary.variable("p", node);
        let next = vocabulary.field("next", node, node);
        let old = vocabulary.field("\\old(next)", node, node);
        let (now, then) = (vocabulary.closure("reach", next), vocabulary.closure("reach", old));
        let mark = vocabulary.relation("reach", &[node]);
        let and = vocabulary.state_relation("and", &[]);
        let names = Names::new(&vocabulary);
        assert_eq!((names.fun(p), names.fun(inner)), ("p", "p#2"));
        assert_eq!(names.rel(now), ("reach", Some("next")));
        assert_eq!(names.rel(then), ("reach", Some("\\old(next)")));
        assert_eq!(names.rel(mark), ("reach#2", None));
        assert_eq!(names.rel(and), ("and#2", None));
        assert_eq!(names.find_rel("and#2"), Some(and));
        assert_eq!(names.find_closure("reach", old), Some(then));

        let mut grown = vocabulary.clone();
        grown.constant("p", node);
        grown.relation("and", &[]);
        let more = Names::new(&grown);
        for fun in vocabulary.funs() {
            assert_eq!(names.fun(fun), more.fun(fun));
        }
        for rel in vocabulary.rels() {
            assert_eq!(names.rel(rel), more.rel(rel));
        }
    }
}
