//! SMT-LIB symbols for our symbols.
//!
//! The user's name is kept for the reader of a transcript; what makes a symbol unique is the id
//! after the blank, so two closures called `reach` do not meet. No symbol of SMT-LIB contains a
//! blank, so a program variable called `and` or `Int` does not meet those either.
//!
//! **Invariant**: a symbol is quoted with bars, and between them are only characters that both
//! solvers print back unquoted without breaking the nesting of parentheses (z3 forgets the bars
//! around sorts in models). Other characters are written as `%` and their number.

use std::fmt::Write;

use trellis_logic::{Arena, FormulaId, FunId, RelId, SortId, TermId, VarId, Vocabulary};

fn push_quoted(out: &mut String, name: &str, kind: char, index: usize) {
    out.push('|');
    for (at, c) in name.chars().enumerate() {
        match c {
            '|' | '\\' | '%' | '(' | ')' | '"' | ';' | '@' => push_code(out, c),
            '.' if at == 0 => push_code(out, c),
            ' '..='~' => out.push(c),
            _ => push_code(out, c),
        }
    }
    push_fmt(out, format_args!(" {kind}{index}|"));
}

fn push_code(out: &mut String, c: char) {
    push_fmt(out, format_args!("%{:X}.", u32::from(c)));
}

/// Appends formatted text.
pub(crate) fn push_fmt(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

/// Appends a sort.
pub(crate) fn push_sort(out: &mut String, vocabulary: &Vocabulary, sort: SortId) {
    match sort {
        SortId::INT => out.push_str("Int"),
        _ => push_quoted(out, &vocabulary.sort_of(sort).name, 's', sort.index()),
    }
}

/// Appends a function symbol.
pub(crate) fn push_fun(out: &mut String, vocabulary: &Vocabulary, fun: FunId) {
    push_quoted(out, &vocabulary.fun(fun).name, 'f', fun.index());
}

/// Appends a relation symbol; a closure with the name of its field.
pub(crate) fn push_rel(out: &mut String, vocabulary: &Vocabulary, rel: RelId) {
    let symbol = vocabulary.rel(rel);
    match symbol.kind.field() {
        Some(field) => {
            let name = format!("{} {}", symbol.name, vocabulary.fun(field).name);
            push_quoted(out, &name, 'r', rel.index());
        }
        None => push_quoted(out, &symbol.name, 'r', rel.index()),
    }
}

/// Appends a variable.
pub(crate) fn push_var(out: &mut String, arena: &Arena, var: VarId) {
    push_quoted(out, &arena.var(var).name, 'v', var.index());
}

/// Appends the Boolean constant that implies an assumed formula.
pub(crate) fn push_assumption(out: &mut String, formula: FormulaId) {
    push_quoted(out, "assume", 'a', formula.index());
}

/// Appends the name of a shared formula.
pub(crate) fn push_shared_formula(out: &mut String, formula: FormulaId) {
    push_quoted(out, "shared", 'g', formula.index());
}

/// Appends the name of a shared term.
pub(crate) fn push_shared_term(out: &mut String, term: TermId) {
    push_quoted(out, "shared", 't', term.index());
}

/// Appends the Boolean constant that bounds the size of a sort.
pub(crate) fn push_bound(out: &mut String, sort: SortId, size: u32) {
    push_quoted(out, &format!("at most {size}"), 'b', sort.index());
}

/// Appends the constant for one of the elements of a bounded sort.
pub(crate) fn push_member(out: &mut String, sort: SortId, number: u32) {
    push_quoted(out, &format!("member {number}"), 'm', sort.index());
}

/// A symbol as the reader of solver output has it: without bars.
pub(crate) fn bare(push: impl FnOnce(&mut String)) -> String {
    let mut quoted = String::new();
    push(&mut quoted);
    quoted.trim_matches('|').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_escaped() {
        let mut vocabulary = Vocabulary::new();
        let sort = vocabulary.sort("void (*)(int|\\ä)");
        let fun = vocabulary.constant(".@a b", sort);
        let (mut s, mut f) = (String::new(), String::new());
        push_sort(&mut s, &vocabulary, sort);
        push_fun(&mut f, &vocabulary, fun);
        assert_eq!(s, "|void %28.*%29.%28.int%7C.%5C.%E4.%29. s1|");
        assert_eq!(f, "|%2E.%40.a b f0|");
    }

    #[test]
    fn closures_are_told_apart() {
        let mut vocabulary = Vocabulary::new();
        let node = vocabulary.sort("node");
        let (next, prev) =
            (vocabulary.field("next", node, node), vocabulary.field("prev", node, node));
        let closures = [vocabulary.closure("reach", next), vocabulary.closure("reach", prev)];
        let names = closures.map(|r| bare(|out| push_rel(out, &vocabulary, r)));
        assert_eq!(names, ["reach next r0", "reach prev r1"]);
    }
}
