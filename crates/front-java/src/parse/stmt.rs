//! Statements.

use trellis_program::source::Diagnostic;

use super::{Parsed, Parser, is_keyword, is_primitive};
use crate::ast::{Expr, ExprKind, Spec, Stmt};
use crate::lex::Token;

impl Parser {
    /// `{ … }`, braces included.
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let start = self.span();
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.eat("}") {
            if *self.peek() == Token::End {
                return Err(Diagnostic::error(start, "this block never ends"));
            }
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        self.deeper(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        match self.peek().clone() {
            Token::Note(text, at) => {
                self.advance();
                Ok(Stmt::Specs(self.annotation(&text, at)?))
            }
            Token::Mark("{") => Ok(Stmt::Block(self.block()?)),
            Token::Mark(";") => {
                self.advance();
                Ok(Stmt::Empty)
            }
            Token::Word(word) => match word.as_str() {
                "if" => {
                    self.advance();
                    let cond = self.condition()?;
                    let then = Box::new(self.branch()?);
                    // An annotation may stand before `else`.
                    let els = match self.eat_word("else") {
                        true => Some(Box::new(self.branch()?)),
                        false => None,
                    };
                    Ok(Stmt::If(cond, then, els))
                }
                "while" => {
                    self.advance();
                    let mut invariants = self.notes()?;
                    let cond = self.condition()?;
                    invariants.extend(self.notes()?);
                    let body = Box::new(self.branch()?);
                    Ok(Stmt::While { invariants, cond, body })
                }
                "do" => {
                    self.advance();
                    let mut invariants = self.notes()?;
                    let body = Box::new(self.branch()?);
                    if !self.eat_word("while") {
                        return Err(self.expected("`while`"));
                    }
                    invariants.extend(self.notes()?);
                    let cond = self.condition()?;
                    self.expect(";")?;
                    Ok(Stmt::DoWhile { invariants, cond, body })
                }
                "for" => self.for_loop(),
                "return" => {
                    self.advance();
                    let value = if self.is(";") { None } else { Some(self.expr()?) };
                    self.expect(";")?;
                    Ok(Stmt::Return(value, self.since(start)))
                }
                "break" | "continue" => {
                    self.advance();
                    if !self.is(";") {
                        self.name("`;`")?;
                        self.expect(";")?;
                        let what = format!("a `{word}` with a label");
                        return Ok(Stmt::Unsupported(what, self.since(start)));
                    }
                    self.expect(";")?;
                    let span = self.since(start);
                    Ok(if word == "break" { Stmt::Break(span) } else { Stmt::Continue(span) })
                }
                "assert" => {
                    self.advance();
                    let cond = self.expr()?;
                    if self.eat(":") {
                        self.expr()?;
                    }
                    self.expect(";")?;
                    Ok(Stmt::Assert(cond, self.since(start)))
                }
                "throw" | "try" | "switch" | "synchronized" | "class" => {
                    let what = format!("a `{word}` statement");
                    self.skip_statement()?;
                    Ok(Stmt::Unsupported(what, start))
                }
                _ => self.local_or_expression(),
            },
            _ => self.local_or_expression(),
        }
    }

    /// A statement that is not understood: up to the `;` or the block that ends it, and blocks
    /// that follow.
    fn skip_statement(&mut self) -> Parsed<()> {
        let start = self.span();
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Token::Mark("{") => depth += 1,
                Token::Mark("}") if depth <= 1 => {
                    self.advance();
                    if !self.is_word("catch") && !self.is_word("finally") {
                        return Ok(());
                    }
                    depth = 0;
                    continue;
                }
                Token::Mark("}") => depth -= 1,
                Token::Mark(";") if depth == 0 => {
                    self.advance();
                    return Ok(());
                }
                Token::End => return Err(Diagnostic::error(start, "this statement never ends")),
                _ => {}
            }
            self.advance();
        }
    }

    /// The annotations that come next.
    fn notes(&mut self) -> Parsed<Vec<Spec>> {
        let mut all = Vec::new();
        while let Token::Note(text, at) = self.peek().clone() {
            self.advance();
            all.extend(self.annotation(&text, at)?);
        }
        Ok(all)
    }

    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let cond = self.expr()?;
        self.expect(")")?;
        Ok(cond)
    }

    /// What depends on a condition: one statement, and the annotations in front of it.
    fn branch(&mut self) -> Parsed<Stmt> {
        let notes = self.notes()?;
        let statement = self.statement()?;
        Ok(match notes.is_empty() {
            true => statement,
            false => Stmt::Block(vec![Stmt::Specs(notes), statement]),
        })
    }

    fn for_loop(&mut self) -> Parsed<Stmt> {
        let span = self.span();
        self.advance();
        let mut invariants = self.notes()?;
        self.expect("(")?;
        let init = if self.eat(";") { vec![] } else { self.for_init()? };
        let cond = if self.is(";") { None } else { Some(self.expr()?) };
        self.expect(";")?;
        let mut update = Vec::new();
        while !self.eat(")") {
            if !update.is_empty() {
                self.expect(",")?;
            }
            update.push(self.expr()?);
        }
        invariants.extend(self.notes()?);
        let body = Box::new(self.branch()?);
        Ok(Stmt::For { init, invariants, cond, update, body, span })
    }

    fn for_init(&mut self) -> Parsed<Vec<Stmt>> {
        if self.starts_local() {
            return Ok(vec![self.local()?]);
        }
        let mut all = vec![Stmt::Expr(self.expr()?)];
        while self.eat(",") {
            all.push(Stmt::Expr(self.expr()?));
        }
        self.expect(";")?;
        Ok(all)
    }

    /// Whether a declaration comes next: a type and then a name.
    fn starts_local(&self) -> bool {
        let Token::Word(first) = self.peek() else { return false };
        if first == "final" || is_primitive(first) {
            return true;
        }
        if is_keyword(first) {
            return false;
        }
        let mut i = 1;
        while matches!(self.ahead(i), Token::Mark(".")) {
            i += 2;
        }
        if matches!(self.ahead(i), Token::Mark("<")) {
            // `List<Node> x`, but not `a < b`.
            let mut j = i + 1;
            while matches!(self.ahead(j), Token::Word(_) | Token::Mark("," | "." | "<" | "?")) {
                j += 1;
            }
            if !matches!(self.ahead(j), Token::Mark(">" | ">>")) {
                return false;
            }
            i = j + 1;
        }
        while matches!((self.ahead(i), self.ahead(i + 1)), (Token::Mark("["), Token::Mark("]"))) {
            i += 2;
        }
        matches!(self.ahead(i), Token::Word(w) if !is_keyword(w))
    }

    fn local_or_expression(&mut self) -> Parsed<Stmt> {
        if self.starts_local() {
            return self.local();
        }
        let expr = self.expr()?;
        self.expect(";")?;
        Ok(Stmt::Expr(expr))
    }

    fn local(&mut self) -> Parsed<Stmt> {
        self.eat_word("final");
        let ty = self.type_name()?;
        let mut all = Vec::new();
        loop {
            let (name, span) = self.name("the name of a variable")?;
            let dims = self.dims()?;
            let init = if self.eat("=") { Some(self.initializer()?) } else { None };
            all.push((name, span, dims, init));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Stmt::Local(ty, all))
    }

    /// An initial value.
    pub(super) fn initializer(&mut self) -> Parsed<Expr> {
        if self.is("{") {
            let span = self.span();
            let mut depth = 0usize;
            loop {
                match self.advance() {
                    Token::Mark("{") => depth += 1,
                    Token::Mark("}") => depth -= 1,
                    Token::End => return Err(Diagnostic::error(span, "this list never ends")),
                    _ => {}
                }
                if depth == 0 {
                    let kind = ExprKind::Unsupported("an array that is listed".to_owned());
                    return Ok(Expr { kind, span: self.since(span) });
                }
            }
        }
        self.expr()
    }
}
