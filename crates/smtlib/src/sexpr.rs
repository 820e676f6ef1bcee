//! Reading what solvers print: S-expressions.
//!
//! **Invariants**: reading terminates and does not recurse, whatever the text; nesting is bounded,
//! so that those who recurse over the result are safe. A symbol is given without its bars, also
//! where the bars are only around a part of it (`@|struct node *|_0`, as cvc5 prints elements).

/// An S-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SExpr {
    /// A symbol, keyword or numeral.
    Atom(String),
    /// A string literal.
    Text(String),
    /// Everything in parentheses.
    List(Vec<SExpr>),
}

/// No solver prints anything nested more deeply in earnest.
const MAX_DEPTH: usize = 1000;

impl SExpr {
    /// The symbol, if it is one.
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            SExpr::Atom(text) => Some(text),
            SExpr::Text(_) | SExpr::List(_) => None,
        }
    }

    /// The members, if it is a list.
    pub(crate) fn list(&self) -> Option<&[SExpr]> {
        match self {
            SExpr::List(parts) => Some(parts),
            SExpr::Atom(_) | SExpr::Text(_) => None,
        }
    }
}

/// All S-expressions of a text.
pub(crate) fn parse(text: &str) -> Result<Vec<SExpr>, String> {
    let mut open: Vec<Vec<SExpr>> = vec![Vec::new()];
    let mut rest = text.char_indices().peekable();
    while let Some(&(at, c)) = rest.peek() {
        let done = match c {
            '(' => {
                rest.next();
                if open.len() > MAX_DEPTH {
                    return Err("the nesting is too deep".into());
                }
                open.push(Vec::new());
                continue;
            }
            ')' => {
                rest.next();
                match (open.pop(), open.is_empty()) {
                    (Some(parts), false) => SExpr::List(parts),
                    _ => return Err(format!("unexpected `)` at byte {at}")),
                }
            }
            ';' => {
                while rest.next_if(|&(_, c)| c != '\n').is_some() {}
                continue;
            }
            '"' => {
                rest.next();
                SExpr::Text(string(&mut rest)?)
            }
            c if c.is_whitespace() => {
                rest.next();
                continue;
            }
            _ => SExpr::Atom(symbol(&mut rest)?),
        };
        match open.last_mut() {
            Some(parts) => parts.push(done),
            None => return Err("unbalanced parentheses".into()),
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(parts), true) => Ok(parts),
        _ => Err("missing `)`".into()),
    }
}

type Chars<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

fn string(rest: &mut Chars<'_>) -> Result<String, String> {
    let mut text = String::new();
    while let Some((_, c)) = rest.next() {
        // A doubled quote stands for one.
        if c == '"' && rest.next_if(|&(_, c)| c == '"').is_none() {
            return Ok(text);
        }
        text.push(c);
    }
    Err("a string does not end".into())
}

fn symbol(rest: &mut Chars<'_>) -> Result<String, String> {
    let mut text = String::new();
    let mut quoted = false;
    while let Some(&(_, c)) = rest.peek() {
        match c {
            '|' => quoted = !quoted,
            '(' | ')' | '"' | ';' if !quoted => break,
            c if c.is_whitespace() && !quoted => break,
            c => text.push(c),
        }
        rest.next();
    }
    if quoted { Err("a quoted symbol does not end".into()) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> SExpr {
        SExpr::Atom(text.into())
    }

    #[test]
    fn reads_what_solvers_print() {
        let text = "(as @|struct node *|_0 |struct node *|) ; note )\n sat \"a \"\"b\"";
        let element = vec![atom("as"), atom("@struct node *_0"), atom("struct node *")];
        assert_eq!(
            parse(text),
            Ok(vec![SExpr::List(element), atom("sat"), SExpr::Text("a \"b".into())])
        );
    }

    #[test]
    fn rejects_garbage() {
        for garbage in ["(", ")", "(()", "())", "\"open", "|open", "(a \"b)"] {
            assert!(parse(garbage).is_err(), "{garbage}");
        }
        assert!(parse(&"(".repeat(1_000_000)).is_err());
        assert!(parse(&(")".repeat(10) + &"(".repeat(10))).is_err());
    }
}
