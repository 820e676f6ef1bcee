//! Type names and typed variables.

use super::lex::Token;
use super::{Parsed, Parser};
use crate::acsl::ast::{BaseType, BinderDecl, TagKind, TypeName};
use trellis_program::IntKind;
use trellis_program::source::Diagnostic;

/// More stars than anyone needs; keeps hostile types small.
const MAX_STARS: u32 = 8;

/// Words that can only begin a type.
const TYPE_WORDS: [&str; 18] = [
    "struct", "union", "enum", "void", "char", "short", "int", "long", "signed", "unsigned",
    "_Bool", "bool", "float", "double", "const", "volatile", "integer", "restrict",
];

/// How often each word of an arithmetic type was written.
#[derive(Default)]
struct TypeWords {
    unsigned: u32,
    signed: u32,
    short: u32,
    long: u32,
    char: u32,
    int: u32,
    bool: u32,
    float: u32,
    double: u32,
}

impl TypeWords {
    fn count(&mut self, word: &str) -> bool {
        let counter = match word {
            "unsigned" => &mut self.unsigned,
            "signed" => &mut self.signed,
            "short" => &mut self.short,
            "long" => &mut self.long,
            "char" => &mut self.char,
            "int" => &mut self.int,
            "_Bool" | "bool" => &mut self.bool,
            "float" => &mut self.float,
            "double" => &mut self.double,
            _ => return false,
        };
        *counter += 1;
        true
    }

    /// The type they name; `None` if C has no such type.
    fn base_type(&self) -> Option<BaseType> {
        let w = self;
        let signs = w.unsigned + w.signed;
        let int = |bits| {
            let signed = w.unsigned == 0;
            Some(BaseType::Int(IntKind { bits, signed }))
        };
        match (w.char, w.short, w.int, w.long, w.bool, w.float, w.double) {
            _ if signs > 1 => None,
            (0, 0, 0, 0, 1, 0, 0) if signs == 0 => Some(BaseType::Int(IntKind::BOOL)),
            (0, 0, 0, 0, 0, 1, 0) if signs == 0 => Some(BaseType::Float(32)),
            (0, 0, 0, 0, 0, 0, 1) if signs == 0 => Some(BaseType::Float(64)),
            (0, 0, 0, 1, 0, 0, 1) if signs == 0 => Some(BaseType::Float(128)),
            (1, 0, 0, 0, 0, 0, 0) => int(8),
            (0, 1, 0 | 1, 0, 0, 0, 0) => int(16),
            (0, 0, 0 | 1, 1 | 2, 0, 0, 0) => int(64),
            (0, 0, 1, 0, 0, 0, 0) => int(32),
            (0, 0, 0, 0, 0, 0, 0) if signs == 1 => int(32),
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// Whether the token so far ahead can only begin a type.
    pub(super) fn is_type_word(&self, ahead: usize) -> bool {
        self.peek_at(ahead) == Some(Token::Name) && TYPE_WORDS.contains(&self.text_at(ahead))
    }

    /// A type with its stars.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.start();
        let base = self.base_type()?;
        let pointers = self.stars()?;
        Ok(TypeName { base, pointers, span: self.since(start) })
    }

    fn base_type(&mut self) -> Parsed<BaseType> {
        let start = self.start();
        let mut words = TypeWords::default();
        let mut any_word = false;
        let mut other = None;
        loop {
            if self.qualifier() {
                continue;
            }
            if self.peek() != Some(Token::Name) || other.is_some() {
                break;
            }
            if words.count(self.text_at(0)) {
                self.pos += 1;
                any_word = true;
            } else if any_word {
                break;
            } else {
                other = Some(self.other_base()?);
            }
        }
        if let Some(base) = other {
            return Ok(base);
        }
        if !any_word {
            return Err(self.expected("a type"));
        }
        words.base_type().ok_or_else(|| Diagnostic::error(self.since(start), "C has no such type"))
    }

    /// A type that is not made of arithmetic words; the next token is a name.
    fn other_base(&mut self) -> Parsed<BaseType> {
        let kind = match self.text_at(0) {
            "struct" => TagKind::Struct,
            "union" => TagKind::Union,
            "enum" => TagKind::Enum,
            "void" => {
                self.pos += 1;
                return Ok(BaseType::Void);
            }
            "integer" => {
                self.pos += 1;
                return Ok(BaseType::Integer);
            }
            "set" if self.peek_at(1) == Some(Token::Lt) => {
                self.pos += 2;
                let element = self.nested(Self::type_name)?;
                self.expect(Token::Gt, "`>`")?;
                return Ok(BaseType::Set(Box::new(element)));
            }
            _ => return Ok(BaseType::Named(self.take_ident())),
        };
        self.pos += 1;
        let what = format!("the tag of a {}", kind.keyword());
        Ok(BaseType::Tagged(kind, self.ident(&what)?))
    }

    fn qualifier(&mut self) -> bool {
        self.eat_word("const") || self.eat_word("volatile") || self.eat_word("restrict")
    }

    fn stars(&mut self) -> Parsed<u32> {
        let mut stars = 0;
        while self.eat(Token::Star) {
            while self.qualifier() {}
            stars += 1;
            if stars > MAX_STARS {
                return Err(Diagnostic::error(self.here(), "too many levels of pointers"));
            }
        }
        Ok(stars)
    }

    /// `struct node *v, *w, int i`: a declarator after a comma shares the type before it, unless
    /// it brings its own.
    pub(super) fn binders(&mut self) -> Parsed<Vec<BinderDecl>> {
        let mut binders: Vec<BinderDecl> = vec![self.binder()?];
        while self.eat(Token::Comma) {
            let declarator = self.peek() == Some(Token::Star)
                || (self.peek_at(1) != Some(Token::Name)
                    && self.peek_at(1) != Some(Token::Star)
                    && !self.is_type_word(0));
            let binder = match binders.last() {
                Some(last) if declarator => {
                    let mut ty = last.ty.clone();
                    ty.pointers = self.stars()?;
                    BinderDecl { ty, name: self.ident("a variable")? }
                }
                _ => self.binder()?,
            };
            binders.push(binder);
        }
        Ok(binders)
    }

    /// `T x`.
    pub(super) fn binder(&mut self) -> Parsed<BinderDecl> {
        let ty = self.type_name()?;
        let name = self.ident("a variable")?;
        Ok(BinderDecl { name, ty })
    }
}
