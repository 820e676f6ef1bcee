//! Expressions, by precedence.

use super::{Parsed, Parser, is_keyword, is_primitive};
use crate::ast::{Expr, ExprKind, SpecKind, TypeName};
use crate::lex::Token;
use trellis_program::source::Span;

/// Binary operators, loosest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>", ">>>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const ASSIGNMENTS: &[(&str, &str)] = &[
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    ("%=", "%"),
    ("&=", "&"),
    ("|=", "|"),
    ("^=", "^"),
    ("<<=", "<<"),
    (">>=", ">>"),
    (">>>=", ">>>"),
];

fn boxed(kind: ExprKind, span: Span) -> Box<Expr> {
    Box::new(Expr { kind, span })
}

impl Parser {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(|p| {
            let start = p.span();
            let left = p.choice()?;
            if p.eat("=") {
                let right = p.expr()?;
                let kind = ExprKind::Assign(None, Box::new(left), Box::new(right));
                return Ok(Expr { kind, span: p.since(start) });
            }
            if let Some((mark, op)) = ASSIGNMENTS.iter().find(|(m, _)| p.is(m)) {
                p.expect(mark)?;
                let right = p.expr()?;
                let kind = ExprKind::Assign(Some(op), Box::new(left), Box::new(right));
                return Ok(Expr { kind, span: p.since(start) });
            }
            Ok(left)
        })
    }

    fn choice(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let cond = self.binary(0)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = self.expr()?;
        self.expect(":")?;
        let els = self.deeper(Self::choice)?;
        let kind = ExprKind::Choice(Box::new(cond), Box::new(then), Box::new(els));
        Ok(Expr { kind, span: self.since(start) })
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(ops) = LEVELS.get(level) else { return self.unary() };
        let start = self.span();
        let mut left = self.binary(level + 1)?;
        let mut length = 0;
        loop {
            if level == 6 && self.eat_word("instanceof") {
                self.type_name()?;
                let kind = ExprKind::Unsupported("an `instanceof`".to_owned());
                left = Expr { kind, span: self.since(start) };
                continue;
            }
            let Some(op) = ops.iter().find(|op| self.is(op)) else { return Ok(left) };
            self.advance();
            length += 1;
            if length > 500 {
                return Err(self.expected("a shorter expression"));
            }
            let right = self.binary(level + 1)?;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = Expr { kind, span: self.since(start) };
        }
    }

    fn unary(&mut self) -> Parsed<Expr> {
        self.deeper(Self::unary_here)
    }

    fn unary_here(&mut self) -> Parsed<Expr> {
        let start = self.span();
        for op in ["!", "-", "+", "~"] {
            if self.eat(op) {
                let inner = self.unary()?;
                let kind = match (op, &inner.kind) {
                    ("-", ExprKind::Int(i, long)) => ExprKind::Int(-i, *long),
                    _ => ExprKind::Unary(op, Box::new(inner)),
                };
                return Ok(Expr { kind, span: self.since(start) });
            }
        }
        for op in ["++", "--"] {
            if self.eat(op) {
                let place = Box::new(self.unary()?);
                let kind = ExprKind::Step { op, before: true, place };
                return Ok(Expr { kind, span: self.since(start) });
            }
        }
        if self.is("(") && self.is_cast() {
            self.advance();
            let ty = self.type_name()?;
            self.expect(")")?;
            let inner = Box::new(self.unary()?);
            return Ok(Expr { kind: ExprKind::Cast(ty, inner), span: self.since(start) });
        }
        self.postfix()
    }

    /// Whether `(` begins a cast: a type in parentheses and then something that begins an operand.
    fn is_cast(&self) -> bool {
        let Token::Word(first) = self.ahead(1) else { return false };
        let mut i = 2;
        while matches!(self.ahead(i), Token::Mark(".")) {
            i += 2;
        }
        while matches!((self.ahead(i), self.ahead(i + 1)), (Token::Mark("["), Token::Mark("]"))) {
            i += 2;
        }
        if !matches!(self.ahead(i), Token::Mark(")")) {
            return false;
        }
        if is_primitive(first) {
            return true;
        }
        let starts = match self.ahead(i + 1) {
            Token::Word(w) => !is_keyword(w) || matches!(w.as_str(), "this" | "new" | "null"),
            Token::Mark(m) => matches!(*m, "(" | "!" | "~"),
            Token::Int(..) | Token::Opaque(_) => true,
            Token::Note(..) | Token::End => false,
        };
        !is_keyword(first) && starts
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut expr = self.primary()?;
        let mut length = 0;
        loop {
            length += 1;
            if length > 500 {
                return Err(self.expected("a shorter expression"));
            }
            let kind = if self.eat(".") {
                let (name, name_span) = self.name("the name of a member")?;
                if self.is("(") {
                    let args = self.arguments()?;
                    ExprKind::Call { target: Some(Box::new(expr)), name, name_span, args }
                } else {
                    ExprKind::Field(Box::new(expr), name, name_span)
                }
            } else if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else if self.is("++") || self.is("--") {
                let op = if self.is("++") { "++" } else { "--" };
                self.advance();
                ExprKind::Step { op, before: false, place: Box::new(expr) }
            } else {
                return Ok(expr);
            };
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.eat(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.expr()?);
        }
        Ok(args)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Int(i, long) => {
                self.advance();
                ExprKind::Int(i, long)
            }
            Token::Opaque(what) => {
                self.advance();
                ExprKind::Unsupported(what.to_owned())
            }
            Token::Mark("(") => {
                self.advance();
                let inner = self.expr()?;
                self.expect(")")?;
                return Ok(Expr { span: self.since(start), ..inner });
            }
            Token::Word(word) => match word.as_str() {
                "true" | "false" => {
                    self.advance();
                    ExprKind::Bool(word == "true")
                }
                "null" => {
                    self.advance();
                    ExprKind::Null
                }
                "this" => {
                    self.advance();
                    ExprKind::This
                }
                "new" => return self.creation(),
                "super" => {
                    self.advance();
                    ExprKind::Unsupported("`super`".to_owned())
                }
                w if is_keyword(w) => return Err(self.expected("an expression")),
                _ => {
                    self.advance();
                    if self.is("(") {
                        let args = self.arguments()?;
                        ExprKind::Call { target: None, name: word, name_span: start, args }
                    } else {
                        ExprKind::Name(word)
                    }
                }
            },
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn creation(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.advance();
        let mut hidden = false;
        while let Token::Note(text, at) = self.peek().clone() {
            self.advance();
            let specs = self.annotation(&text, at)?;
            hidden |= specs.iter().any(|s| s.kind == SpecKind::Hidden);
        }
        let ty = self.type_name()?;
        if ty.dims > 0 {
            let inner = self.initializer()?;
            let kind = ExprKind::Unsupported("an array that is listed".to_owned());
            return Ok(Expr { kind, span: start.to(inner.span) });
        }
        if self.is("(") {
            let args = self.arguments()?;
            let mut kind = ExprKind::New { class: ty, args, hidden };
            if self.is("{") {
                self.initializer()?;
                kind = ExprKind::Unsupported("a class without a name".to_owned());
            }
            return Ok(Expr { kind, span: self.since(start) });
        }
        let mut lengths = Vec::new();
        while self.is("[") && !matches!(self.ahead(1), Token::Mark("]")) {
            self.advance();
            lengths.push(self.expr()?);
            self.expect("]")?;
        }
        if lengths.is_empty() {
            return Err(self.expected("`(` or `[`"));
        }
        let more = self.dims()?;
        let element = TypeName { dims: 0, ..ty };
        let kind = ExprKind::NewArray { element, lengths, more, hidden };
        Ok(*boxed(kind, self.since(start)))
    }
}
