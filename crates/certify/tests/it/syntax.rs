//! Formulas are read back as they were written.

use expect_test::expect;
use proptest::prelude::*;
use trellis_certify::names::Names;
use trellis_certify::text::{read, write};
use trellis_logic::generate::{FormulaOptions, Options, VocabularyOptions, cases, runner};
use trellis_logic::{Arena, Vocabulary};

#[test]
fn random_formulas_survive() {
    let vocabulary = VocabularyOptions { functions: 2, fields: 2, ..Default::default() };
    let formula = FormulaOptions { functions: true, ites: true, ..Default::default() };
    let options = Options { vocabulary, formula, ..Default::default() };
    let result = runner(3000).run(&cases(options), |case| {
        let (mut arena, names) = (case.arena, Names::new(&case.vocabulary));
        let text = write(&arena, &names, case.formula);
        let again = read(&text, &case.vocabulary, &names, &mut arena).expect("it can be read");
        let (meant, found) = (arena.alpha_normal(case.formula), arena.alpha_normal(again));
        prop_assert_eq!(meant, found, "{}", text);
        Ok(())
    });
    result.expect("all formulas are read back");
}

/// A list with data.
fn lists() -> (Vocabulary, Arena) {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let data = vocabulary.sort("int");
    vocabulary.order("<=", data);
    vocabulary.null("NULL", node);
    vocabulary.variable("h", node);
    for name in ["next", "\\old(next)"] {
        let field = vocabulary.field(name, node, node);
        vocabulary.closure("reach", field);
    }
    vocabulary.field("key", node, data);
    vocabulary.constant("5", data);
    vocabulary.state_relation("unset_h", &[]);
    (vocabulary, Arena::new())
}

fn read_in_lists(text: &str) -> Result<String, String> {
    let (vocabulary, mut arena) = lists();
    let names = Names::new(&vocabulary);
    let formula = read(text, &vocabulary, &names, &mut arena).map_err(|e| e.to_string())?;
    Ok(arena.print(&vocabulary, formula))
}

#[test]
fn the_syntax_is_the_documented_one() {
    let text = "(forall ((?v |struct node *|)) (or (not (reach next h ?v)) (= ?v NULL) \
                (and (reach |\\\\old(next)| ?v h) (<= 5 (key ?v))) unset_h))";
    expect![[r"\forall struct node *v; !reach(next, h, v) || v == NULL || reach(\old(next), v, h) && 5 <= v->key || unset_h"]]
        .assert_eq(&read_in_lists(text).expect("it can be read"));
    assert_eq!(read_in_lists("(int<= (int 2) (int+ (int 1) (int -1)))"), Ok("\\false".into()));
}

#[test]
fn errors_have_a_column() {
    let deep = format!("{}true{}", "(not ".repeat(1000), ")".repeat(1000));
    let cases = [
        ("", "a word should be here (column 1 of the formula)"),
        ("(and", "a word should be here (column 5 of the formula)"),
        ("(= h NULL) h", "the formula should end here (column 12 of the formula)"),
        (
            "(= h hh)",
            "the procedure has no constant `hh`; did you mean `h`? (column 6 of the formula)",
        ),
        (
            "(reach nxt h h)",
            "the procedure has no field `nxt`; did you mean `next`? (column 8 of the formula)",
        ),
        ("(reach key h h)", "the procedure has no relation `reach` (column 8 of the formula)"),
        ("(= ?v h)", "the variable `?v` is not bound (column 4 of the formula)"),
        (
            "(= (key h) h)",
            "expected a term of sort `int`, found one of sort `struct node *` (column 1 of the formula)",
        ),
        ("(reach next h)", "`reach` takes 2 arguments, not 1 (column 1 of the formula)"),
        (
            "(forall ((?v int) (?v int)) true)",
            "the variable `?v` is bound already (column 26 of the formula)",
        ),
        (
            "(forall ((?v node)) true)",
            "the procedure has no sort `node` (column 14 of the formula)",
        ),
        ("|abc", "the word between bars does not end (column 1 of the formula)"),
        (&deep, "more than 200 formulas inside each other (column 1002 of the formula)"),
    ];
    for (text, expected) in cases {
        assert_eq!(read_in_lists(text), Err(expected.to_owned()), "{text}");
    }
}
