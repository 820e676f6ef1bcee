//! Expressions, by binding power.

use super::lex::Token;
use super::{Parsed, Parser, literal};
use crate::acsl::ast::{Expr, ExprKind, Ident, MAX_HEIGHT, UnaryOp};
use trellis_program::ir::CmpOp;
use trellis_program::source::Diagnostic;
use trellis_program::spec::ArithOp;

/// How tightly operators bind, from loosest to tightest.
mod power {
    pub(super) const ANY: u8 = 0;
    pub(super) const COND: u8 = 1;
    pub(super) const IFF: u8 = 2;
    pub(super) const IMPLIES: u8 = 3;
    pub(super) const OR: u8 = 4;
    pub(super) const AND: u8 = 5;
    pub(super) const COMPARE: u8 = 6;
    pub(super) const SUM: u8 = 7;
    pub(super) const PRODUCT: u8 = 8;
    pub(super) const PREFIX: u8 = 9;
}

/// All names with a backslash.
const LOGIC_NAMES: [&str; 19] = [
    "\\forall",
    "\\exists",
    "\\result",
    "\\old",
    "\\at",
    "\\null",
    "\\true",
    "\\false",
    "\\empty",
    "\\in",
    "\\subset",
    "\\union",
    "\\inter",
    "\\diff",
    "\\set",
    "\\valid",
    "\\separated",
    "\\nothing",
    "\\everything",
];

impl Parser<'_> {
    /// A term or formula.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.operators(power::ANY)
    }

    /// An expression of operators that bind at least as tightly as `min`.
    fn operators(&mut self, min: u8) -> Parsed<Expr> {
        self.nested(|p| {
            let start = p.start();
            let mut left = p.prefix()?;
            while let Some(power) = p.infix_power()?
                && power >= min
            {
                let kind = p.infix(left, power)?;
                left = p.node(kind, start)?;
            }
            Ok(left)
        })
    }

    /// The binding power of the next token as an infix operator, if it is one.
    fn infix_power(&self) -> Parsed<Option<u8>> {
        Ok(Some(match self.peek() {
            Some(Token::Question) => power::COND,
            Some(Token::Iff) => power::IFF,
            Some(Token::Implies) => power::IMPLIES,
            Some(Token::OrOr) => power::OR,
            Some(Token::AndAnd) => power::AND,
            Some(Token::EqEq | Token::NotEq | Token::Lt | Token::Le | Token::Gt | Token::Ge) => {
                power::COMPARE
            }
            Some(Token::Logic) if self.text_at(0) == "\\in" => power::COMPARE,
            Some(Token::Plus | Token::Minus) => power::SUM,
            Some(Token::Star | Token::Slash | Token::Percent) => power::PRODUCT,
            Some(Token::Amp | Token::Bitwise) => return Err(self.bitwise()),
            _ => return Ok(None),
        }))
    }

    /// What the next infix operator makes of its left operand.
    fn infix(&mut self, left: Expr, power: u8) -> Parsed<ExprKind> {
        let operator = self.peek();
        if power == power::COMPARE && operator != Some(Token::Logic) {
            return self.comparisons(left);
        }
        self.pos += 1;
        Ok(match operator {
            Some(Token::Question) => {
                let then = self.operators(power::ANY)?;
                self.expect(Token::Colon, "`:`")?;
                let els = self.operators(power::COND)?;
                ExprKind::Cond(Box::new(left), Box::new(then), Box::new(els))
            }
            Some(Token::Iff) => {
                let right = self.operators(power::IMPLIES)?;
                ExprKind::Iff(Box::new(left), Box::new(right))
            }
            Some(Token::Implies) => {
                let right = self.operators(power::IMPLIES)?;
                ExprKind::Implies(Box::new(left), Box::new(right))
            }
            Some(Token::OrOr) => ExprKind::Or(self.operands(left, Token::OrOr, power::AND)?),
            Some(Token::AndAnd) => {
                ExprKind::And(self.operands(left, Token::AndAnd, power::COMPARE)?)
            }
            Some(Token::Logic) => {
                let set = self.operators(power::SUM)?;
                ExprKind::In(Box::new(left), Box::new(set))
            }
            _ => {
                let (op, tighter) = match operator {
                    Some(Token::Plus) => (ArithOp::Add, power::PRODUCT),
                    Some(Token::Minus) => (ArithOp::Sub, power::PRODUCT),
                    Some(Token::Star) => (ArithOp::Mul, power::PREFIX),
                    Some(Token::Slash) => (ArithOp::Div, power::PREFIX),
                    _ => (ArithOp::Rem, power::PREFIX),
                };
                let right = self.operators(tighter)?;
                ExprKind::Arith(op, Box::new(left), Box::new(right))
            }
        })
    }

    /// The operands of `&&` or `||`; the first operator has been read.
    fn operands(&mut self, first: Expr, operator: Token, tighter: u8) -> Parsed<Vec<Expr>> {
        let mut operands = vec![first, self.operators(tighter)?];
        while self.eat(operator) {
            operands.push(self.operators(tighter)?);
        }
        Ok(operands)
    }

    /// A chain of comparisons that look in one direction.
    fn comparisons(&mut self, first: Expr) -> Parsed<ExprKind> {
        let mut rest = Vec::new();
        let (mut rising, mut falling, mut unequal) = (false, false, false);
        while let Some(op) = self.comparison() {
            match op {
                CmpOp::Lt | CmpOp::Le => rising = true,
                CmpOp::Gt | CmpOp::Ge => falling = true,
                CmpOp::Ne => unequal = true,
                CmpOp::Eq => {}
            }
            if (rising && falling) || (unequal && !rest.is_empty()) {
                let error = Diagnostic::error(self.here(), "comparisons cannot be chained so");
                return Err(error.with_help("join them with `&&`, or add parentheses"));
            }
            let span = self.here();
            self.pos += 1;
            rest.push((op, span, self.operators(power::SUM)?));
        }
        Ok(ExprKind::Compare(Box::new(first), rest))
    }

    fn comparison(&self) -> Option<CmpOp> {
        Some(match self.peek()? {
            Token::EqEq => CmpOp::Eq,
            Token::NotEq => CmpOp::Ne,
            Token::Lt => CmpOp::Lt,
            Token::Le => CmpOp::Le,
            Token::Gt => CmpOp::Gt,
            Token::Ge => CmpOp::Ge,
            _ => return None,
        })
    }

    /// An operand with its prefix operators.
    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let op = match self.peek() {
            Some(Token::Not) => UnaryOp::Not,
            Some(Token::Minus) => UnaryOp::Neg,
            Some(Token::Plus) => UnaryOp::Plus,
            Some(Token::Star) => UnaryOp::Deref,
            Some(Token::Amp) => UnaryOp::Addr,
            Some(Token::LParen) if self.is_cast() => {
                self.pos += 1;
                let ty = self.type_name()?;
                self.expect(Token::RParen, "`)`")?;
                let operand = self.operators(power::PREFIX)?;
                return self.node(ExprKind::Cast(ty, Box::new(operand)), start);
            }
            _ => return self.postfix(),
        };
        self.pos += 1;
        let operand = self.operators(power::PREFIX)?;
        self.node(ExprKind::Unary(op, Box::new(operand)), start)
    }

    /// Whether the parenthesis ahead holds a type: it begins like one, or is `(T *)`, or is `(T)`
    /// before an operand.
    fn is_cast(&self) -> bool {
        if self.is_type_word(1) {
            return true;
        }
        if self.peek_at(1) != Some(Token::Name) {
            return false;
        }
        let mut ahead = 2;
        while self.peek_at(ahead) == Some(Token::Star) {
            ahead += 1;
        }
        if self.peek_at(ahead) != Some(Token::RParen) {
            return false;
        }
        let operand_follows = match self.peek_at(3) {
            Some(Token::Logic) => self.text_at(3) != "\\in",
            Some(Token::Name | Token::Number | Token::Char | Token::LParen) => true,
            Some(Token::Not | Token::Amp | Token::LBrace) => true,
            _ => false,
        };
        ahead > 2 || operand_follows
    }

    /// An operand with what follows it: members and indices.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let mut operand = self.primary()?;
        loop {
            let kind = if self.eat(Token::Arrow) {
                ExprKind::Arrow(Box::new(operand), self.ident("a field")?)
            } else if self.eat(Token::Dot) {
                ExprKind::Member(Box::new(operand), self.ident("a field")?)
            } else if self.eat(Token::LBracket) {
                let index = self.expr()?;
                self.expect(Token::RBracket, "`]`")?;
                ExprKind::Index(Box::new(operand), Box::new(index))
            } else {
                return Ok(operand);
            };
            operand = self.node(kind, start)?;
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let kind = match self.peek() {
            Some(Token::Number) => self.literal(literal::number)?,
            Some(Token::Char) => self.literal(literal::character)?,
            Some(Token::LParen) => {
                self.pos += 1;
                let inner = self.expr()?;
                self.expect(Token::RParen, "`)`")?;
                return Ok(inner);
            }
            Some(Token::LBrace) => {
                self.pos += 1;
                let elements = self.list(Token::RBrace, "`}`")?;
                ExprKind::Set(elements)
            }
            Some(Token::Logic) => self.logic()?,
            Some(Token::Name) if self.text_at(0) == "sizeof" => {
                self.pos += 1;
                self.expect(Token::LParen, "`(`")?;
                let ty = self.type_name()?;
                self.expect(Token::RParen, "`)`")?;
                ExprKind::Sizeof(ty)
            }
            Some(Token::Name) => {
                let name = self.take_ident();
                if self.eat(Token::LParen) {
                    ExprKind::Call(name, self.list(Token::RParen, "`)`")?)
                } else {
                    ExprKind::Name(name.text)
                }
            }
            Some(Token::Bitwise) => return Err(self.bitwise()),
            _ => return Err(self.expected("an expression")),
        };
        self.node(kind, start)
    }

    fn bitwise(&self) -> Diagnostic {
        Diagnostic::error(self.here(), "bitwise operators are not supported in contracts")
    }

    fn literal(&mut self, read: fn(&str) -> Result<i128, &'static str>) -> Parsed<ExprKind> {
        let value = read(self.text_at(0)).map_err(|e| Diagnostic::error(self.here(), e))?;
        self.pos += 1;
        Ok(ExprKind::Int(value))
    }

    /// What begins with a backslash.
    fn logic(&mut self) -> Parsed<ExprKind> {
        if !LOGIC_NAMES.contains(&self.text_at(0)) {
            return Err(self.misspelt("logic name", &LOGIC_NAMES));
        }
        let name = self.take_ident();
        match name.text.as_str() {
            "\\result" => Ok(ExprKind::Result),
            "\\null" => Ok(ExprKind::Null),
            "\\true" => Ok(ExprKind::Truth(true)),
            "\\false" => Ok(ExprKind::Truth(false)),
            "\\empty" => Ok(ExprKind::EmptySet),
            "\\forall" | "\\exists" => {
                let binders = self.binders()?;
                self.expect(Token::Semi, "`;`")?;
                Ok(ExprKind::Quantifier {
                    forall: name.text == "\\forall",
                    binders,
                    body: Box::new(self.expr()?),
                })
            }
            "\\nothing" | "\\everything" => {
                let message = format!("`{}` stands alone in an `assigns` clause", name.text);
                Err(Diagnostic::error(name.span, message))
            }
            _ => {
                self.expect(Token::LParen, "`(`")?;
                self.logic_call(name)
            }
        }
    }

    /// A call of a logic name; its parenthesis has been read.
    fn logic_call(&mut self, name: Ident) -> Parsed<ExprKind> {
        match name.text.as_str() {
            "\\set" => Ok(ExprKind::Set(self.list(Token::RParen, "`)`")?)),
            "\\old" => {
                let inner = self.expr()?;
                self.expect(Token::RParen, "`)`")?;
                let label = Ident { text: "Old".into(), span: name.span };
                Ok(ExprKind::At(Box::new(inner), label))
            }
            "\\at" => {
                let inner = self.expr()?;
                self.expect(Token::Comma, "`,` and a label")?;
                let label = self.ident("a label: `Pre` or `Here`")?;
                self.expect(Token::RParen, "`)`")?;
                Ok(ExprKind::At(Box::new(inner), label))
            }
            _ => Ok(ExprKind::Call(name, self.list(Token::RParen, "`)`")?)),
        }
    }

    /// Expressions between commas, up to and including the closing token.
    fn list(&mut self, close: Token, what: &str) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expr()?);
            if !self.eat(Token::Comma) {
                self.expect(close, &format!("`,` or {what}"))?;
                return Ok(items);
            }
        }
    }

    fn node(&self, kind: ExprKind, start: usize) -> Parsed<Expr> {
        let expr = Expr::new(kind, self.since(start));
        if expr.height > MAX_HEIGHT {
            return Err(self.too_deep(expr.span));
        }
        Ok(expr)
    }
}
