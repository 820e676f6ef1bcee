//! Programs with a few tokens changed.
//!
//! Contracts are changed like code; comments and lines of the preprocessor are kept. Half of the
//! changes respect the role of a token, so that many of the results are still C.

use trellis_testkit::generate::Tape;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// White space, comments, directives, the marks around a contract.
    Gap,
    Word,
    Number,
    Sign,
    Quoted,
}

type Token<'a> = (Kind, &'a str);

/// Signs and words that can stand for each other.
const ALIKE: [&[&str]; 13] = [
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["+", "-", "|", "^"],
    &["/", "%", ">>", "<<"],
    &["&&", "||", "==>", "<==>"],
    &["=", "+=", "-=", "|="],
    &["++", "--"],
    &["while", "if"],
    &["break", "continue", "return"],
    &["int", "long", "unsigned", "char", "short", "unsigned long"],
    &["\\forall", "\\exists"],
    &["requires", "ensures", "assigns"],
    &["reach", "sorted", "cyclic"],
];

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "-1",
    "7",
    "16",
    "255",
    "2147483647",
    "2147483648",
    "4294967295u",
    "9223372036854775807",
    "18446744073709551615ul",
    "1.5",
    "1000000",
];

/// Words that are no names.
const KEYWORDS: [&str; 22] = [
    "if", "else", "while", "for", "do", "return", "break", "continue", "goto", "switch", "case",
    "sizeof", "struct", "union", "enum", "typedef", "static", "extern", "const", "void", "int",
    "unsigned",
];

/// Signs of more than one character, longest first.
const LONG: [&str; 22] = [
    "<==>", "==>", "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "+=", "-=", "*=", "/=", "|=", "^=",
];

/// The first token of a text that is not empty; `fresh` at the start of a line.
fn first(text: &str, fresh: bool) -> Token<'_> {
    let upto = |end: Option<usize>| &text[..end.unwrap_or(text.len())];
    let run = |more: fn(char) -> bool| upto(text.find(|c| !more(c)));
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let c = text.chars().next().expect("a text that is not empty");
    match c {
        _ if c.is_whitespace() => (Kind::Gap, run(char::is_whitespace)),
        '#' if fresh => (Kind::Gap, upto(text.find('\n'))),
        _ if text.starts_with("/*@") || text.starts_with("//@") => (Kind::Gap, &text[..3]),
        _ if text.starts_with("*/") => (Kind::Gap, &text[..2]),
        _ if text.starts_with("/*") => (Kind::Gap, upto(text.find("*/").map(|i| i + 2))),
        _ if text.starts_with("//") => (Kind::Gap, upto(text.find('\n'))),
        '"' | '\'' => {
            let mut escaped = false;
            let end = text.char_indices().skip(1).find(|&(_, d)| {
                let last = d == c && !escaped;
                escaped = d == '\\' && !escaped;
                last
            });
            (Kind::Quoted, upto(end.map(|(i, _)| i + 1)))
        }
        '0'..='9' => (Kind::Number, run(|c| c.is_alphanumeric() || c == '.')),
        '\\' => (Kind::Word, upto(text[1..].find(|c| !word(c)).map(|i| i + 1))),
        _ if word(c) => (Kind::Word, run(|c| c.is_alphanumeric() || c == '_')),
        _ => match LONG.iter().find(|s| text.starts_with(**s)) {
            Some(sign) => (Kind::Sign, &text[..sign.len()]),
            None => (Kind::Sign, &text[..c.len_utf8()]),
        },
    }
}

fn tokens(mut text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut fresh = true;
    while !text.is_empty() {
        let (kind, token) = first(text, fresh);
        fresh = if kind == Kind::Gap { fresh || token.contains('\n') } else { false };
        found.push((kind, token));
        text = &text[token.len()..];
    }
    found
}

/// The tokens that are no gaps, by their places.
fn solid(tokens: &[Token]) -> Vec<usize> {
    (0..tokens.len()).filter(|&i| tokens[i].0 != Kind::Gap).collect()
}

/// What a word does: a field is behind an arrow or a point, a function before a parenthesis.
fn role(tokens: &[Token], solid: &[usize], at: usize) -> (Kind, u8) {
    let (kind, token) = tokens[solid[at]];
    let near = |i: Option<usize>| i.and_then(|i| solid.get(i)).map_or("", |&i| tokens[i].1);
    let role = match (near(at.checked_sub(1)), near(Some(at + 1))) {
        _ if kind != Kind::Word => 0,
        _ if KEYWORDS.contains(&token) => 5,
        ("->" | ".", _) => 1,
        ("struct" | "union" | "enum" | "goto", _) => 2,
        (_, "(") => 3,
        _ => 4,
    };
    (kind, role)
}

/// Changes one place.
fn change<'a>(tokens: &mut Vec<Token<'a>>, tape: &mut Tape) {
    let solid = solid(tokens);
    if solid.len() < 2 {
        return;
    }
    let at = tape.below(solid.len() - 1);
    let place = solid[at];
    let others = |wanted: &dyn Fn(Token) -> bool| -> Vec<usize> {
        solid.iter().copied().filter(|&i| wanted(tokens[i])).collect()
    };
    match tape.below(16) {
        0 => tokens[place] = (Kind::Gap, " "),
        1 => {
            let twice = tokens[place];
            tokens.splice(place..place, [twice, (Kind::Gap, " ")]);
        }
        2 => tokens.swap(place, solid[at + 1]),
        3 => tokens[place] = tokens[tape.pick(&solid)],
        // Another token that does the same nearby.
        4..=9 => {
            let mine = role(tokens, &solid, at);
            let near = at.saturating_sub(60)..(at + 60).min(solid.len());
            let alike: Vec<usize> = near.filter(|&i| role(tokens, &solid, i) == mine).collect();
            tokens[place] = tokens[solid[tape.pick(&alike)]];
        }
        10..=13 => {
            let known = others(&|(_, s)| ALIKE.iter().any(|group| group.contains(&s)));
            if !known.is_empty() {
                let place = tape.pick(&known);
                let (kind, sign) = tokens[place];
                let groups: Vec<&[&str]> =
                    ALIKE.iter().copied().filter(|group| group.contains(&sign)).collect();
                let group = tape.pick(&groups);
                tokens[place] = (kind, tape.pick(group));
            }
        }
        _ => {
            let numbers = others(&|(kind, _)| kind == Kind::Number);
            if !numbers.is_empty() {
                let place = tape.pick(&numbers);
                tokens[place] = (Kind::Number, tape.pick(&NUMBERS));
            }
        }
    }
}

/// The text with one to three changes.
pub fn mutant(text: &str, tape: &mut Tape) -> String {
    let mut tokens = tokens(text);
    for _ in 0..tape.pick(&[1, 1, 1, 2, 2, 3]) {
        change(&mut tokens, tape);
    }
    tokens.into_iter().map(|(_, token)| token).collect()
}

#[test]
fn tokens_make_up_the_text() {
    let text =
        "#if 1\nint f(char *s) { return s->a<=\"\\\"\"[0x1f] /* c */; } //@ assert \\true;\n";
    let found = tokens(text);
    assert_eq!(found.iter().map(|(_, token)| *token).collect::<String>(), text);
    let solid: Vec<&str> =
        found.iter().filter(|(kind, _)| *kind != Kind::Gap).map(|(_, token)| *token).collect();
    assert_eq!(
        solid.join(" "),
        "int f ( char * s ) { return s -> a <= \"\\\"\" [ 0x1f ] ; } assert \\true ;"
    );
}
