//! Files, classes and members.

use trellis_program::source::{Diagnostic, Span};

use super::{Parsed, Parser, is_keyword, is_primitive};
use crate::ast::{Class, Expr, Field, Method, Param, Spec, SpecKind, TypeName};
use crate::lex::Token;

/// What stands before a declaration.
#[derive(Default)]
struct Modifiers {
    words: Vec<String>,
    specs: Vec<Spec>,
}

impl Modifiers {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// Annotations that are no modifiers, but stand on their own.
    fn members(&mut self) -> Vec<Spec> {
        let is_member = |s: &mut Spec| {
            !matches!(s.kind, SpecKind::ClaimedBy(_) | SpecKind::Hidden | SpecKind::Visibility)
        };
        self.specs.extract_if(.., is_member).collect()
    }
}

const MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "static",
    "final",
    "abstract",
    "native",
    "synchronized",
    "transient",
    "volatile",
    "strictfp",
];

impl Parser {
    pub(super) fn file(&mut self) -> Parsed<Vec<Class>> {
        let mut classes = Vec::new();
        while self.is_word("package") || self.is_word("import") {
            while !self.is(";") {
                if *self.peek() == Token::End {
                    return Err(self.expected("`;`"));
                }
                self.advance();
            }
            self.advance();
        }
        loop {
            self.modifiers()?;
            if *self.peek() == Token::End {
                return Ok(classes);
            }
            if self.eat(";") {
                continue;
            }
            classes.push(self.class()?);
        }
    }

    fn modifiers(&mut self) -> Parsed<Modifiers> {
        let mut found = Modifiers::default();
        loop {
            match self.peek().clone() {
                Token::Word(w) if MODIFIERS.contains(&w.as_str()) => {
                    self.advance();
                    found.words.push(w);
                }
                Token::Note(text, at) => {
                    self.advance();
                    found.specs.extend(self.annotation(&text, at)?);
                }
                Token::Mark("@") => {
                    self.advance();
                    self.name("the name of an annotation of Java")?;
                    if self.is("(") {
                        self.skip("(", ")")?;
                    }
                }
                _ => return Ok(found),
            }
        }
    }

    /// Skips from an opening mark to the one that closes it.
    fn skip(&mut self, open: &str, close: &str) -> Parsed<()> {
        let start = self.span();
        let mut depth = 0usize;
        loop {
            if self.is(open) {
                depth += 1;
            } else if self.is(close) {
                depth -= 1;
            } else if *self.peek() == Token::End {
                return Err(Diagnostic::error(start, format!("this `{open}` is never closed")));
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn class(&mut self) -> Parsed<Class> {
        let start = self.span();
        let mut unsupported = None;
        let mut refuse = |span: Span, what: &str| {
            unsupported.get_or_insert((span, what.to_owned()));
        };
        match self.peek() {
            Token::Word(w) if w == "class" => {}
            Token::Word(w) if w == "interface" || w == "enum" => {
                refuse(start, "a type that is no class");
            }
            _ => return Err(self.expected("`class`")),
        }
        self.advance();
        let (name, span) = self.name("the name of the class")?;
        if self.is("<") {
            refuse(self.span(), "a class with type parameters");
            self.skip("<", ">")?;
        }
        while !self.is("{") {
            match self.peek() {
                Token::Word(w)
                    if w == "extends"
                        && matches!(self.ahead(1), Token::Word(o) if o == "Object") =>
                {
                    self.advance();
                }
                Token::Word(w) if w == "extends" || w == "implements" => {
                    refuse(self.span(), "a class that inherits from another one");
                }
                Token::Word(_) | Token::Mark("," | "." | "<" | ">") => {}
                _ => return Err(self.expected("`{`")),
            }
            self.advance();
        }
        self.expect("{")?;
        let mut class =
            Class { name, span, fields: vec![], methods: vec![], specs: vec![], unsupported };
        while !self.eat("}") {
            if *self.peek() == Token::End {
                return Err(Diagnostic::error(span, "this class never ends"));
            }
            self.member(&mut class)?;
        }
        Ok(class)
    }

    fn member(&mut self, class: &mut Class) -> Parsed<()> {
        let mut modifiers = self.modifiers()?;
        class.specs.extend(modifiers.members());
        if self.eat(";") || self.is("}") {
            return Ok(());
        }
        if self.is("{") {
            let span = self.span();
            self.skip("{", "}")?;
            class.unsupported.get_or_insert((span, "code between the members".to_owned()));
            return Ok(());
        }
        if self.is_word("class") || self.is_word("interface") || self.is_word("enum") {
            let inner = self.class()?;
            class.unsupported.get_or_insert((inner.span, "a class inside a class".to_owned()));
            return Ok(());
        }
        let start = self.span();
        let mut unsupported = None;
        if self.is("<") {
            unsupported = Some((self.span(), "a method with type parameters".to_owned()));
            self.skip("<", ">")?;
        }
        let is_constructor = matches!(self.ahead(1), Token::Mark("("));
        let ty = if is_constructor { None } else { Some(self.type_name()?) };
        let (name, span) = self.name("the name of a member")?;
        if self.is("(") {
            if is_constructor && name != class.name {
                return Err(Diagnostic::error(start, "this method has no result type"));
            }
            let mut method = self.method(&modifiers, ty, name, span)?;
            if method.unsupported.is_none() {
                method.unsupported = unsupported;
            }
            class.methods.push(method);
            return Ok(());
        }
        let Some(ty) = ty else { return Err(self.expected("a member")) };
        let field = |name: String, span: Span, dims: u32, init: Option<Expr>| Field {
            name,
            span,
            ty: TypeName { dims: ty.dims + dims, ..ty.clone() },
            is_static: modifiers.has("static"),
            init,
        };
        let (mut name, mut span) = (name, span);
        loop {
            let dims = self.dims()?;
            let init = if self.eat("=") { Some(self.initializer()?) } else { None };
            class.fields.push(field(name, span, dims, init));
            if !self.eat(",") {
                break;
            }
            (name, span) = self.name("the name of a field")?;
        }
        self.expect(";")
    }

    /// How many `[]` come next.
    pub(super) fn dims(&mut self) -> Parsed<u32> {
        let mut dims = 0;
        while self.is("[") && matches!(self.ahead(1), Token::Mark("]")) {
            self.advance();
            self.advance();
            dims += 1;
            if dims > 16 {
                return Err(Diagnostic::error(self.span(), "this array has too many dimensions"));
            }
        }
        Ok(dims)
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.span();
        let mut name = match self.peek().clone() {
            Token::Word(w) if is_primitive(&w) || !is_keyword(&w) => w,
            _ => return Err(self.expected("a type")),
        };
        self.advance();
        while self.is(".") && matches!(self.ahead(1), Token::Word(w) if !is_keyword(w)) {
            self.advance();
            if let Token::Word(w) = self.advance() {
                // Packages are not looked at.
                name = w;
            }
        }
        if self.is("<") {
            self.skip("<", ">")?;
            name.push_str("<>");
        }
        let dims = self.dims()?;
        Ok(TypeName { name, dims, span: self.since(start) })
    }

    fn method(
        &mut self,
        modifiers: &Modifiers,
        ret: Option<TypeName>,
        name: String,
        span: Span,
    ) -> Parsed<Method> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            if !params.is_empty() {
                self.expect(",")?;
            }
            let _ = self.modifiers()?;
            let mut ty = self.type_name()?;
            let (name, span) = self.name("the name of a parameter")?;
            ty.dims += self.dims()?;
            params.push(Param { name, span, ty });
        }
        let mut unsupported = None;
        let mut specs = Vec::new();
        let body = loop {
            match self.peek().clone() {
                Token::Note(text, at) => {
                    self.advance();
                    specs.extend(self.annotation(&text, at)?);
                }
                Token::Word(w) if w == "throws" => {
                    unsupported = Some((self.span(), "a method that throws".to_owned()));
                    while !self.is("{") && !self.is(";") {
                        if *self.peek() == Token::End {
                            return Err(self.expected("the body of the method"));
                        }
                        self.advance();
                    }
                }
                Token::Mark(";") => {
                    self.advance();
                    break None;
                }
                Token::Mark("{") => break Some(self.block()?),
                _ => return Err(self.expected("the body of the method")),
            }
        };
        let end = self.tokens[self.next.saturating_sub(1)].1;
        Ok(Method {
            name,
            span,
            ret,
            params,
            is_static: modifiers.has("static"),
            is_private: modifiers.has("private"),
            specs,
            body,
            end,
            unsupported,
        })
    }
}
