//! Text to syntax trees.
//!
//! * `class`: files, classes, members
//! * `stmt`: statements
//! * `expr`: expressions
//! * `spec`: annotations
//!
//! The first place that does not fit ends the reading. A construct of Java that is understood as
//! far as its end, but has no meaning here, becomes an `Unsupported` node.

mod class;
mod expr;
mod spec;
mod stmt;

use trellis_program::source::{Diagnostic, FileId, Span};

use crate::ast::Class;
use crate::lex::{Token, lex};

/// Deeper nesting is refused, so that no recursion over a tree overflows the stack.
const DEEPEST: usize = 150;

/// The classes of a file.
pub(crate) fn parse(text: &str, file: FileId) -> Result<Vec<Class>, Diagnostic> {
    let tokens = lex(text, file)?;
    let mut parser = Parser { tokens, next: 0, file, depth: 0 };
    parser.file()
}

pub(crate) struct Parser {
    tokens: Vec<(Token, Span)>,
    next: usize,
    file: FileId,
    depth: usize,
}

type Parsed<T> = Result<T, Diagnostic>;

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    /// The token after the next `n` ones.
    fn ahead(&self, n: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.next + n).min(last)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.next].1
    }

    /// From a place to the end of what was read last.
    fn since(&self, start: Span) -> Span {
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

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            Token::Word(w) => format!("`{w}`"),
            Token::Int(i, _) => format!("`{i}`"),
            Token::Opaque(what) => (*what).to_owned(),
            Token::Mark(m) => format!("`{m}`"),
            Token::Note(..) => "an annotation".to_owned(),
            Token::End => "the end of the file".to_owned(),
        };
        Diagnostic::error(self.span(), format!("expected {what}, found {found}"))
    }

    fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        let span = self.span();
        match self.peek() {
            Token::Word(word) if !is_keyword(word) => {
                let word = word.clone();
                self.advance();
                Ok((word, span))
            }
            _ => Err(self.expected(what)),
        }
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(Diagnostic::error(self.span(), "this nests too deeply to be read"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }
}

/// Words of Java that are no names.
pub(crate) fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ];
    KEYWORDS.contains(&word)
}

/// The types that are no classes.
pub(crate) fn is_primitive(word: &str) -> bool {
    matches!(
        word,
        "boolean" | "byte" | "char" | "short" | "int" | "long" | "float" | "double" | "void"
    )
}
