//! Tokens to statements.

use super::lex::{Token, lex};
use super::{At, Trouble};

/// A step into an object.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// `.f`
    Member(String),
    /// `[i]`
    Element(u64),
}

/// A name and a path from it: `a`, `a.link.next`, `p[2]`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ref {
    pub(super) name: String,
    pub(super) path: Vec<Step>,
    pub(super) at: At,
}

/// A value as written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Operand {
    Null,
    /// `?`
    Undef,
    Int(i128),
    /// An object, that is, a pointer to its start; or a variable, that is, its value.
    Name(Ref),
    /// `&a.link`, `&a + 8` (bytes).
    Address(Ref, i64),
    /// `[3, 1, 2]`
    List(Vec<i128>),
}

/// One statement.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Statement {
    /// `a : freed struct node[2]`
    Declare { name: Ref, freed: bool, ty: String, count: u64 },
    /// `place = value`
    Assign(Ref, Operand, At),
    /// `first -> … -f-> …`: the field of each arrow and where it leads.
    Chain(Operand, Vec<(Option<Vec<Step>>, At, Operand, At)>, At),
    /// `Marked(a)`
    Mark(Ref, Ref),
}

/// The statements of a text.
pub(super) fn parse(text: &str) -> Result<Vec<Statement>, Trouble> {
    let mut parser = Parser { tokens: lex(text)?, next: 0 };
    let mut out = Vec::new();
    while parser.next < parser.tokens.len() {
        if *parser.peek() == Token::End {
            parser.next += 1;
            continue;
        }
        out.push(parser.statement()?);
        if *parser.peek() != Token::End {
            return Err(parser.unexpected("`;` or the end of the line"));
        }
    }
    Ok(out)
}

struct Parser {
    tokens: Vec<(Token, At)>,
    next: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.next).map_or(&Token::End, |(t, _)| t)
    }

    fn at(&self) -> At {
        let last = self.tokens.len() - 1;
        self.tokens[self.next.min(last)].1
    }

    fn unexpected(&self, wanted: &str) -> Trouble {
        let found = match self.peek() {
            Token::Name(n) => format!("`{n}`"),
            Token::Int(i) => format!("`{i}`"),
            Token::Arrow(_) => "an arrow".into(),
            Token::Sign(c) => format!("`{c}`"),
            Token::End => "the end of the statement".into(),
        };
        Trouble::new(self.at(), format!("expected {wanted}, found {found}"))
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), Trouble> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    fn name(&mut self) -> Result<String, Trouble> {
        match self.peek().clone() {
            Token::Name(name) => {
                self.next += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn int(&mut self) -> Result<i128, Trouble> {
        match *self.peek() {
            Token::Int(i) => {
                self.next += 1;
                Ok(i)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn count(&mut self) -> Result<u64, Trouble> {
        let at = self.at();
        u64::try_from(self.int()?).map_err(|_| Trouble::new(at, "expected a number from 0"))
    }

    fn reference(&mut self) -> Result<Ref, Trouble> {
        let at = self.at();
        let name = self.name()?;
        let path = self.path()?;
        Ok(Ref { name, path, at })
    }

    fn path(&mut self) -> Result<Vec<Step>, Trouble> {
        let mut path = Vec::new();
        loop {
            if self.eat('.') {
                path.push(Step::Member(self.name()?));
            } else if self.eat('[') {
                path.push(Step::Element(self.count()?));
                self.expect(']')?;
            } else {
                return Ok(path);
            }
        }
    }

    fn statement(&mut self) -> Result<Statement, Trouble> {
        let at = self.at();
        let first = self.operand()?;
        let Operand::Name(place) = &first else {
            return self.chain(first, at);
        };
        if self.eat(':') {
            return self.declaration(place.clone());
        }
        if self.eat('=') {
            let at = self.at();
            return Ok(Statement::Assign(place.clone(), self.operand()?, at));
        }
        if self.eat('(') {
            let object = self.reference()?;
            self.expect(')')?;
            return Ok(Statement::Mark(place.clone(), object));
        }
        self.chain(first, at)
    }

    fn declaration(&mut self, name: Ref) -> Result<Statement, Trouble> {
        let mut words = Vec::new();
        let freed = *self.peek() == Token::Name("freed".into());
        self.next += usize::from(freed);
        loop {
            match self.peek().clone() {
                Token::Name(w) => words.push(w),
                Token::Sign('*') => words.push("*".into()),
                _ => break,
            }
            self.next += 1;
        }
        if words.is_empty() {
            return Err(self.unexpected("a type"));
        }
        let mut count = 1;
        if self.eat('[') {
            count = self.count()?;
            self.expect(']')?;
        }
        let ty = words.join(" ").replace("* *", "**");
        Ok(Statement::Declare { name, freed, ty, count })
    }

    fn chain(&mut self, first: Operand, at: At) -> Result<Statement, Trouble> {
        let mut links = Vec::new();
        while let Token::Arrow(field) = self.peek().clone() {
            let arrow = self.at();
            let field = field.map(|f| steps(&f, arrow)).transpose()?;
            self.next += 1;
            let at = self.at();
            links.push((field, arrow, self.operand()?, at));
        }
        if links.is_empty() {
            return Err(self.unexpected("`->`, `=` or `:`"));
        }
        Ok(Statement::Chain(first, links, at))
    }

    fn operand(&mut self) -> Result<Operand, Trouble> {
        if self.eat('?') {
            return Ok(Operand::Undef);
        }
        if self.eat('&') {
            let place = self.reference()?;
            let mut bytes = 0;
            let at = self.at();
            // A negative number carries its sign: `&a -8`.
            if self.eat('+') || matches!(self.peek(), Token::Int(i) if *i < 0) {
                bytes = i64::try_from(self.int()?)
                    .map_err(|_| Trouble::new(at, "the offset is too large"))?;
            }
            return Ok(Operand::Address(place, bytes));
        }
        if self.eat('[') {
            let mut values = Vec::new();
            while !self.eat(']') {
                if !values.is_empty() {
                    self.expect(',')?;
                }
                values.push(self.int()?);
            }
            return Ok(Operand::List(values));
        }
        match self.peek() {
            Token::Int(_) => Ok(Operand::Int(self.int()?)),
            Token::Name(n) if n == "null" || n == "NULL" => {
                self.next += 1;
                Ok(Operand::Null)
            }
            Token::Name(_) => Ok(Operand::Name(self.reference()?)),
            _ => Err(self.unexpected("a value")),
        }
    }
}

/// The path of a field on an arrow.
fn steps(field: &str, at: At) -> Result<Vec<Step>, Trouble> {
    let tokens = lex(&format!(".{field}")).map_err(|t| Trouble { at, ..t })?;
    let mut parser = Parser { tokens, next: 0 };
    let path = parser.path().map_err(|t| Trouble { at, ..t })?;
    match parser.peek() {
        Token::End => Ok(path),
        _ => Err(Trouble::new(at, format!("`{field}` is not a field"))),
    }
}
