//! Reading and printing formulas: what is printed reads as the same, and errors say where they are.

use expect_test::{Expect, expect};
use trellis_hol::{
    Formula, Meaning, Naming, Position, Symbol, SymbolId, Type, elaborate, parse, parse_type,
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

impl Naming for Names {
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

/// A negation is an operand like any other: what follows it belongs where it would without it.
#[test]
fn a_negation_takes_nothing_away_from_what_follows() {
    for loose in ["-->", "==>", "|", "&", "<->"] {
        for tight in ["&", "|", "-->"] {
            let formula =
                |middle: &str| format!("ALL x. x = n {loose} {middle} {tight} x : content");
            let read = |text: &str| read(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            let plain = read(&formula("(first = null)")).to_string();
            let negated = read(&formula("~(first = null)")).to_string();
            assert_eq!(negated.replace("first ~= null", "first = null"), plain);
        }
    }
    check(
        "ALL x. x ~= n --> ~(reach first x) & next x = null",
        expect!["ALL (x::obj). x ~= n --> ~reach first x & x..next = null"],
    );
}

#[test]
fn formulas_are_read_and_printed() {
    check(
        "first = null | (ALL n. n..Node.next ~= first)",
        expect!["first = null | (ALL (n_::obj). n_..Node.next ~= first)"],
    );
    check(
        "ALL x y. x ~= null & next x = y --> y : content",
        expect!["ALL (x::obj) (y::obj). x ~= null & x..next = y --> y : content"],
    );
    check(
        "content = {x. x ~= null & (first, x) : {(u, v). next u = v}^*}",
        expect!["content = {x::obj. x ~= null & (first, x) : {(u::obj, v::obj). u..next = v}^*}"],
    );
    check(
        "{x. reach first x} <= content Un {n}",
        expect![[r#"{x::obj. reach first x} \<subseteq> content Un {n}"#]],
    );
    check(
        "rtrancl_pt (% x y. x..left = y | x..right = y) first n",
        expect!["rtrancl_pt (% (x::obj) (y::obj). x..left = y | x..right = y) first n"],
    );
    check(
        "tree [left, right] & ptree next [left, right]",
        expect!["tree [left, right] & ptree next [left, right]"],
    );
    check("init = (content = {})", expect!["init <-> content = ({} :: obj set)"]);
    check(
        "i - 1 <= 2 * i + 3 & content - {n} < content",
        expect![[r#"i - 1 <= 2 * i + 3 & content \<setminus> {n} \<subset> content"#]],
    );
    check(
        "old content = content & old (first..next) = n",
        expect!["old content = content & old (first..next) = n"],
    );
    check("card content = i & ~init", expect!["card content = i & ~init"]);
    check(
        "map = {(k, v). (k, v) : old map & k ~= n} Un {(n, first)}",
        expect!["map = {(k::obj, v::obj). (k, v) : old map & k ~= n} Un {(n, first)}"],
    );
    check("(if init then first else n) = null", expect!["(if init then first else n) = null"]);
    check("let x = first in x..next = x", expect!["(% (x::obj). x..next = x) first"]);
    check(
        "ALL (j::int). (0::int) <= j & j < i --> first.[j] ~= null",
        expect!["ALL (j::int). 0 <= j & j < i --> (first.[j] :: obj) ~= null"],
    );
    check("comment ''why'' (first = n) <-> init", expect!["comment ''why'' (first = n) <-> init"]);
    check("[| first = n; init |] ==> n = first", expect!["first = n & init --> n = first"]);
    check(
        "\\<forall> x. x \\<in> content \\<longrightarrow> (\\<exists> y. y..next = x \\<or> x = first)",
        expect!["ALL (x::obj). x : content --> (EX (y::obj). y..next = x | x = first)"],
    );
    check(
        "first..next..next ~= null & (first..(next)) = n",
        expect!["first..next..next ~= null & first..next = n"],
    );
    check("fieldWrite next first n first = n", expect!["(fieldWrite next first n) first = n"]);
    check(
        "(* a remark *) {} \\<subset> content",
        expect![[r#"({} :: obj set) \<subset> content"#]],
    );
    check("-i < - 3 div 2 mod 5", expect!["-i < -3 div 2 mod 5"]);
    check("~ init & ~(first = n) | n ~: content", expect!["~init & first ~= n | n ~: content"]);
    check("{first, n} = UNIV", expect!["{first, n} = (UNIV :: obj set)"]);
    check("ALL x. ALL x. x = x", expect!["ALL (x::obj). ALL (x_::obj). x_ = x_"]);
    check(
        "pointsto content next content",
        expect!["ALL (x'::obj). x' : content --> x'..next : content"],
    );
    check("first = n == init", expect!["first = n <-> init"]);
    check(
        "EX S. first : S & (ALL x. x : S --> next x : S)",
        expect!["EX (S::obj set). first : S & (ALL (x::obj). x : S --> x..next : S)"],
    );
}

#[test]
fn types_are_read_and_printed() {
    for text in ["obj", "obj set", "obj => obj => bool", "(obj * obj) set", "(int => bool) => obj"]
    {
        assert_eq!(parse_type(text).expect(text).to_string(), text);
    }
    assert_eq!(parse_type("objset").expect("a type").to_string(), "obj set");
    assert!(parse_type("obj =>").is_err());
    assert!(parse_type("object").is_err());
}

fn wrong(text: &str, expected: Expect) {
    let error = read(text).expect_err(text);
    let place = &text[error.at.start as usize..error.at.end as usize];
    let help = error.help.map(|h| format!(" ({h})")).unwrap_or_default();
    expected.assert_eq(&format!(
        "{}..{} `{place}`: {}{help}",
        error.at.start, error.at.end, error.message
    ));
}

#[test]
fn mistakes_have_places() {
    wrong("first = 3", expect!["8..9 `3`: this is of type `int`, but `obj` is needed here"]);
    wrong(
        "first & init",
        expect!["0..5 `first`: this is of type `obj`, but `bool` is needed here"],
    );
    wrong(
        "i : content",
        expect!["4..11 `content`: this is of type `obj set`, but `int set` is needed here"],
    );
    wrong(
        "first..key = first",
        expect!["13..18 `first`: this is of type `obj`, but `int` is needed here"],
    );
    wrong(
        "first first",
        expect!["0..5 `first`: this is of type `obj`, and no function of so many arguments"],
    );
    wrong(
        "ALL x. x + 1",
        expect!["7..12 `x + 1`: this is of type `int`, but `bool` is needed here"],
    );
    wrong("(first = n", expect!["10..10 ``: expected `)`, found the end of the formula"]);
    wrong(
        "first = n)",
        expect!["9..10 `)`: expected an operator or the end of the formula, found `)`"],
    );
    wrong("first = $", expect!["8..9 `$`: `$` does not belong into a formula"]);
    wrong("first = \\<foo>", expect![[r#"8..14 `\<foo>`: no X-symbol is called `\<foo>`"#]]);
    wrong(
        "tree [key]",
        expect!["6..9 `key`: this is of type `obj => int`, but `obj => obj` is needed here"],
    );
    wrong(
        "rtrancl_pt reach first",
        expect!["0..22 `rtrancl_pt reach first`: `rtrancl_pt` needs a relation and two ends"],
    );
    wrong("unknown = first", expect!["0..7 `unknown`: nothing is called `unknown`"]);
    wrong("{x. x = first", expect!["13..13 ``: expected `}`, found the end of the formula"]);
    wrong("% x. x x", expect!["5..6 `x`: this is of type `'t0`, but `'t0 => 't1` is needed here"]);
    wrong(
        "99999999999999999999999999999999999999999 = i",
        expect!["0..41 `99999999999999999999999999999999999999999`: this number is too large"],
    );
}
