//! Text to [`Syntax`], by precedence.
//!
//! From loosest to tightest: `::`; `==`; `<->`; `-->` (to the right); `==>`; `|`; `&`; `~`; `=`,
//! `:`, `~:`; `<`, `<=`, `>`, `>=`, `~=`; subsets; `Un`, `Int`; `+`, `-`; `*`, `div`, `mod` (to the
//! right); `-t`; `r^*`; application; `x..f` and `a.[i]`. Binders reach as far as they can.

use crate::lex::{Token, lex};
use crate::syntax::{At, Bound, Error, Node, Syntax};
use crate::types::Type;

/// Deeper formulas are refused, so that no recursion over one overflows the stack.
const DEEPEST: usize = 200;

/// Longer chains of one operator are refused, for the same reason.
const LONGEST: usize = 1000;

/// Reads a formula.
///
/// # Errors
/// The first place that does not fit.
pub fn parse(text: &str) -> Result<Node, Error> {
    let mut parser = Parser::new(text)?;
    let formula = parser.formula()?;
    parser.end()?;
    Ok(formula)
}

/// Reads `name == formula` (or `name = formula`), as definitions have it: the name, its place, and
/// the formula.
///
/// # Errors
/// The first place that does not fit.
pub fn parse_definition(text: &str) -> Result<(String, At, Node), Error> {
    let mut parser = Parser::new(text)?;
    let (name, at) = parser.name("the name that is defined")?;
    if !parser.eat("==") && !parser.eat("=") {
        return Err(parser.expected("`==`"));
    }
    let formula = parser.formula()?;
    parser.end()?;
    Ok((name, at, formula))
}

/// Reads a type.
///
/// # Errors
/// The first place that does not fit.
pub fn parse_type(text: &str) -> Result<Type, Error> {
    let mut parser = Parser::new(text)?;
    let ty = parser.ty()?;
    parser.end()?;
    Ok(ty)
}

struct Parser {
    tokens: Vec<(Token, At)>,
    next: usize,
    depth: usize,
}

type Parsed<T> = Result<T, Error>;

/// The operators of each level between `<->` and `-t`, loosest first; whether they group to the
/// right.
const LEVELS: &[(&[&str], bool)] = &[
    (&["=="], false),
    (&["<->"], false),
    (&["-->"], true),
    (&["==>"], true),
    (&["|"], true),
    (&["&"], true),
];
const TIGHT: &[(&[&str], bool)] = &[
    (&["=", ":", "~:"], false),
    (&["<", "<=", ">", ">=", "~="], false),
    (&["\\<subseteq>", "\\<subset>"], false),
    (&["Un", "Int"], false),
    (&["+", "-", "\\<setminus>"], false),
    (&["*", "div", "mod"], true),
];

impl Parser {
    fn new(text: &str) -> Parsed<Parser> {
        Ok(Parser { tokens: lex(text)?, next: 0, depth: 0 })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> At {
        self.tokens[self.next].1
    }

    /// The end of what was read last.
    fn since(&self, start: At) -> At {
        start.to(self.tokens[self.next.saturating_sub(1)].1)
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        token
    }

    fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(m) if *m == mark)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    fn expected(&self, what: &str) -> Error {
        let found = match self.peek() {
            Token::Name(n) => format!("`{n}`"),
            Token::Int(i) => format!("`{i}`"),
            Token::Text(t) => format!("`''{t}''`"),
            Token::Mark(m) => format!("`{m}`"),
            Token::End => "the end of the formula".to_owned(),
        };
        Error::new(self.at(), format!("expected {what}, found {found}"))
    }

    fn end(&self) -> Parsed<()> {
        match self.peek() {
            Token::End => Ok(()),
            _ => Err(self.expected("an operator or the end of the formula")),
        }
    }

    fn name(&mut self, what: &str) -> Parsed<(String, At)> {
        let at = self.at();
        match self.peek() {
            Token::Name(name) => {
                let name = name.clone();
                self.advance();
                Ok((name, at))
            }
            _ => Err(self.expected(what)),
        }
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(Error::new(self.at(), "this formula nests too deeply"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn formula(&mut self) -> Parsed<Node> {
        self.deeper(|p| {
            let start = p.at();
            let mut formula = p.infix(0)?;
            while p.eat("::") {
                let ty = p.ty()?;
                formula = p.node(start, Syntax::Typed(Box::new(formula), ty));
            }
            Ok(formula)
        })
    }

    fn node(&self, start: At, kind: Syntax) -> Node {
        Node { kind, at: self.since(start) }
    }

    /// One level of [`LEVELS`]; below the last one there is negation, then [`TIGHT`].
    fn infix(&mut self, level: usize) -> Parsed<Node> {
        match LEVELS.get(level) {
            Some((ops, right)) => self.chain(ops, *right, |p| p.infix(level + 1)),
            // Negation binds tighter than all these, so each operand may begin with one.
            None => self.negation(),
        }
    }

    fn negation(&mut self) -> Parsed<Node> {
        let start = self.at();
        if self.eat("~") {
            let inner = self.deeper(Self::negation)?;
            return Ok(self.node(start, Syntax::Op("~", vec![inner])));
        }
        self.tight(0)
    }

    fn tight(&mut self, level: usize) -> Parsed<Node> {
        match TIGHT.get(level) {
            // `~` binds looser than these, but nothing else can be meant by `x = ~y`.
            Some((ops, right)) => self.chain(ops, *right, |p| match p.is("~") {
                true => p.negation(),
                false => p.tight(level + 1),
            }),
            None => self.minus(),
        }
    }

    fn chain(
        &mut self,
        ops: &[&'static str],
        right: bool,
        operand: impl Fn(&mut Self) -> Parsed<Node>,
    ) -> Parsed<Node> {
        let start = self.at();
        let mut parts = vec![operand(self)?];
        let mut found = Vec::new();
        while let Some(op) = ops.iter().find(|op| self.is(op)) {
            self.advance();
            found.push(*op);
            if found.len() > LONGEST {
                return Err(Error::new(self.at(), "this formula is too long"));
            }
            parts.push(operand(self)?);
        }
        let join = |a: Node, op: &'static str, b: Node| {
            let at = a.at.to(b.at).to(At { start: start.start, end: start.start });
            Node { kind: Syntax::Op(op, vec![a, b]), at }
        };
        if right {
            let mut last = parts.pop().ok_or_else(|| self.expected("a formula"))?;
            for (part, op) in parts.into_iter().zip(found).rev() {
                last = join(part, op, last);
            }
            return Ok(last);
        }
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or_else(|| self.expected("a formula"))?;
        Ok(parts.zip(found).fold(first, |a, (b, op)| join(a, op, b)))
    }

    fn minus(&mut self) -> Parsed<Node> {
        let start = self.at();
        if self.eat("-") {
            let inner = self.deeper(Self::minus)?;
            return Ok(self.node(start, Syntax::Op("neg", vec![inner])));
        }
        let mut term = self.postfix()?;
        while self.eat("^") {
            self.expect("*")?;
            term = self.node(start, Syntax::Op("^*", vec![term]));
        }
        Ok(term)
    }

    /// `f x..g.[i]`: what follows applies to all that comes before.
    fn postfix(&mut self) -> Parsed<Node> {
        let start = self.at();
        let mut term = self.application()?;
        loop {
            if self.eat("..") {
                let field = match self.peek() {
                    Token::Name(_) => {
                        let (name, at) = self.name("a field")?;
                        Node { kind: Syntax::Name(name), at }
                    }
                    Token::Mark("(") => {
                        self.advance();
                        let field = self.formula()?;
                        self.expect(")")?;
                        field
                    }
                    _ => return Err(self.expected("a field")),
                };
                term = self.node(start, Syntax::Field(Box::new(term), Box::new(field)));
            } else if self.eat(".[") {
                let index = self.formula()?;
                self.expect("]")?;
                term = self.node(start, Syntax::Op(".[", vec![term, index]));
            } else {
                return Ok(term);
            }
        }
    }

    fn application(&mut self) -> Parsed<Node> {
        let start = self.at();
        for op in ["card", "old", "rtrancl"] {
            if self.eat(op) {
                let operand = self.factor()?;
                let op = if op == "rtrancl" { "^*" } else { op };
                return Ok(self.node(start, Syntax::Op(op, vec![operand])));
            }
        }
        if self.eat("comment") {
            let Token::Text(text) = self.peek().clone() else {
                return Err(self.expected("a text in two pairs of primes"));
            };
            self.advance();
            let inner = self.factor()?;
            return Ok(self.node(start, Syntax::Comment(text, Box::new(inner))));
        }
        let head = self.factor()?;
        let mut args = Vec::new();
        while self.starts_factor() {
            args.push(self.factor()?);
        }
        Ok(match args.is_empty() {
            true => head,
            false => self.node(start, Syntax::Apply(Box::new(head), args)),
        })
    }

    fn starts_factor(&self) -> bool {
        match self.peek() {
            Token::Name(_) | Token::Int(_) => true,
            Token::Mark(m) => {
                matches!(*m, "(" | "[" | "[|" | "{" | "{}" | "null" | "True" | "False" | "UNIV")
            }
            Token::Text(_) | Token::End => false,
        }
    }

    fn factor(&mut self) -> Parsed<Node> {
        self.deeper(Self::factor_here)
    }

    fn factor_here(&mut self) -> Parsed<Node> {
        let start = self.at();
        match self.peek().clone() {
            Token::Name(name) => {
                self.advance();
                Ok(self.node(start, Syntax::Name(name)))
            }
            Token::Int(i) => {
                self.advance();
                Ok(self.node(start, Syntax::Int(i)))
            }
            Token::Mark(mark) => self.marked(mark, start),
            Token::Text(_) | Token::End => Err(self.expected("a formula")),
        }
    }

    fn marked(&mut self, mark: &'static str, start: At) -> Parsed<Node> {
        match mark {
            "True" | "False" | "null" | "UNIV" | "{}" => {
                self.advance();
                Ok(self.node(start, Syntax::Op(mark, vec![])))
            }
            "(" => {
                self.advance();
                let mut parts = self.comma_list()?;
                self.expect(")")?;
                Ok(match parts.len() {
                    1 => Node { at: self.since(start), ..parts.remove(0) },
                    _ => self.node(start, Syntax::Tuple(parts)),
                })
            }
            "[" => {
                self.advance();
                let parts = if self.is("]") { vec![] } else { self.comma_list()? };
                self.expect("]")?;
                Ok(self.node(start, Syntax::List(parts)))
            }
            "[|" => self.assumptions(start),
            "{" => self.set(start),
            "ALL" | "EX" | "%" => {
                self.advance();
                let bound = self.binders()?;
                let body = self.formula()?;
                Ok(self.node(start, Syntax::Binder(mark, bound, Box::new(body))))
            }
            "let" => {
                self.advance();
                let bound = self.binder()?;
                self.expect("=")?;
                let value = self.formula()?;
                self.expect("in")?;
                let body = self.formula()?;
                Ok(self.node(start, Syntax::Let(bound, Box::new(value), Box::new(body))))
            }
            "if" => {
                self.advance();
                let cond = self.formula()?;
                self.expect("then")?;
                let then = self.formula()?;
                self.expect("else")?;
                let els = self.formula()?;
                Ok(self.node(start, Syntax::Op("if", vec![cond, then, els])))
            }
            "~" => self.negation(),
            "card" | "old" | "rtrancl" | "comment" => self.application(),
            _ => Err(self.expected("a formula")),
        }
    }

    /// `[| a; b |]`, which means `a & b`.
    fn assumptions(&mut self, start: At) -> Parsed<Node> {
        self.expect("[|")?;
        let mut parts = vec![self.formula()?];
        while self.eat(";") {
            parts.push(self.formula()?);
        }
        self.expect("|]")?;
        let mut all = parts.pop().ok_or_else(|| self.expected("a formula"))?;
        for part in parts.into_iter().rev() {
            all = self.node(start, Syntax::Op("&", vec![part, all]));
        }
        Ok(all)
    }

    fn comma_list(&mut self) -> Parsed<Vec<Node>> {
        let mut parts = vec![self.formula()?];
        while self.eat(",") {
            parts.push(self.formula()?);
        }
        Ok(parts)
    }

    /// `{a, b}`, `{x. F}` or `{(x, y). F}`; `{x.y. F}` was read as one name.
    fn set(&mut self, start: At) -> Parsed<Node> {
        self.expect("{")?;
        if self.eat("}") {
            return Ok(self.node(start, Syntax::Op("{}", vec![])));
        }
        let here = self.next;
        if let Some(bound) = self.comprehension_head()? {
            let body = self.formula()?;
            self.expect("}")?;
            return Ok(self.node(start, Syntax::Comprehension(bound, Box::new(body))));
        }
        self.next = here;
        let parts = self.comma_list()?;
        self.expect("}")?;
        Ok(self.node(start, Syntax::Listed(parts)))
    }

    /// The variables of a comprehension, if this is one, up to the dot.
    fn comprehension_head(&mut self) -> Parsed<Option<Vec<Bound>>> {
        self.split_name();
        let mut bound = Vec::new();
        if self.eat("(") {
            loop {
                let at = self.at();
                let Token::Name(name) = self.peek().clone() else { return Ok(None) };
                self.advance();
                let ty = if self.eat("::") { Some(self.ty()?) } else { None };
                bound.push((name, ty, at));
                if !self.eat(",") {
                    break;
                }
            }
            if !self.eat(")") {
                return Ok(None);
            }
        } else {
            let at = self.at();
            let Token::Name(name) = self.peek().clone() else { return Ok(None) };
            self.advance();
            let ty = if self.eat("::") { Some(self.ty()?) } else { None };
            bound.push((name, ty, at));
        }
        Ok(self.eat(".").then_some(bound))
    }

    /// A bound variable and what follows its dot may have been read as one qualified name.
    fn split_name(&mut self) {
        let (Token::Name(name), at) = &self.tokens[self.next] else { return };
        // In a set that is listed, `{Node.first}` is meant.
        let after = self.tokens.get(self.next + 1).map(|(t, _)| t);
        if matches!(after, Some(Token::Mark("}" | ","))) {
            return;
        }
        // A class is written with a capital, a variable without.
        let Some((first, rest)) = name.split_once('.') else { return };
        if first.starts_with(|c: char| c.is_ascii_uppercase()) {
            return;
        }
        let dot = at.start + first.len() as u32;
        let pieces = [
            (Token::Name(first.to_owned()), At { start: at.start, end: dot }),
            (Token::Mark("."), At { start: dot, end: dot + 1 }),
            (Token::Name(rest.to_owned()), At { start: dot + 1, end: at.end }),
        ];
        self.tokens.splice(self.next..=self.next, pieces);
    }

    fn binders(&mut self) -> Parsed<Vec<Bound>> {
        let mut bound = Vec::new();
        loop {
            self.split_name();
            bound.push(self.binder()?);
            if self.eat(".") {
                return Ok(bound);
            }
        }
    }

    fn binder(&mut self) -> Parsed<Bound> {
        let parenthesis = self.eat("(");
        let (name, at) = self.name("a variable")?;
        let ty = if self.eat("::") { Some(self.ty()?) } else { None };
        if parenthesis {
            self.expect(")")?;
        }
        Ok((name, ty, at))
    }

    fn ty(&mut self) -> Parsed<Type> {
        self.deeper(|p| {
            let from = p.product()?;
            Ok(if p.eat("=>") { Type::fun(from, p.ty()?) } else { from })
        })
    }

    fn product(&mut self) -> Parsed<Type> {
        let mut parts = vec![self.simple()?];
        while self.eat("*") {
            parts.push(self.simple()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Type::Prod(parts) })
    }

    fn simple(&mut self) -> Parsed<Type> {
        let at = self.at();
        let mut ty = if self.eat("(") {
            let inner = self.ty()?;
            self.expect(")")?;
            inner
        } else {
            let (name, at) = self.name("a type")?;
            match name.as_str() {
                "int" | "nat" => Type::Int,
                "bool" => Type::Bool,
                "obj" => Type::Obj,
                "unit" => Type::Unit,
                "objset" => Type::set(Type::Obj),
                _ => {
                    let error = Error::new(at, format!("no type is called `{name}`"));
                    return Err(error.with_help(
                        "types are int, bool, obj, objset, `a set`, \
                         `a list`, `a * b` and `a => b`",
                    ));
                }
            }
        };
        loop {
            match self.peek() {
                Token::Name(n) if n == "set" => ty = Type::set(ty),
                Token::Name(n) if n == "list" => ty = Type::List(Box::new(ty)),
                _ => return Ok(ty),
            }
            self.advance();
            if self.since(at).end - at.start > 4096 {
                return Err(Error::new(at, "this type is too long"));
            }
        }
    }
}
