//! C as it was written once, and as GNU writes it, in words that the parser knows.
//!
//! `main() { … }` and `register i;` leave out `int`, `a ?: b` leaves out what stands between, and
//! `__builtin_types_compatible_p(A, B)` has types where the parser reads expressions: `sizeof (A)`.
//! What is left out is put in after preprocessing, so the places of tokens are found as those of what
//! macros expand to; where the file itself is the preprocessed text, by what was put in before them.
//! Headers of the system are left alone.
//!
//! **Invariant.** Only whole tokens are put in, and nothing where the parser would have read the text
//! as it is: no declaration begins with a name and a parenthesis, none has a storage class, a name and
//! nothing else, and no `?` is followed by a colon.

use std::ops::Range;

/// What stands for the condition between `?` and `:`.
pub const SAME: &str = "__trellis_same";

/// A function of the compiler whose operands are types.
const TYPES_COMPATIBLE: &str = "__builtin_types_compatible_p";

/// A text with what was left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Modern {
    pub text: String,
    /// The names that are declared without a type, by where they stand in the text.
    pub without_type: Vec<Range<usize>>,
    /// What was put in, by where it stands in the text.
    pub put_in: Vec<Range<usize>>,
}

/// Puts in what was left out; nothing if that is nothing.
pub fn modern(text: &str) -> Option<Modern> {
    let mut reader = Reader::default();
    tokens(text, |token, is_system| {
        // What a macro of the system expands to is a part of the user's declaration, too.
        reader.is_system = is_system;
        reader.read(&text[token.clone()], token);
    });
    if reader.found.is_empty() {
        return None;
    }
    let (mut out, mut done) = (String::new(), 0);
    let (mut without_type, mut put_in) = (Vec::new(), Vec::new());
    for Found { at, word, name } in reader.found {
        out.push_str(&text[done..at]);
        let start = out.len();
        out.push_str(&format!("{word} "));
        put_in.push(start..out.len());
        if let Some(name) = name {
            without_type.push(out.len()..out.len() + name);
        }
        done = at;
    }
    out.push_str(&text[done..]);
    Some(Modern { text: out, without_type, put_in })
}

/// Something that was left out before a place.
struct Found {
    at: usize,
    word: &'static str,
    /// The length of the name that follows.
    name: Option<usize>,
}

/// What was read of a declaration or statement so far.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// It begins here.
    #[default]
    Start,
    /// Nothing but storage classes and qualifiers.
    Storage,
    /// Those, and then a name, which may be a type or what is declared.
    Name,
    Inside,
}

#[derive(Default)]
struct Reader {
    at: At,
    /// Storage classes stand before the name.
    has_storage: bool,
    /// The last name.
    name: Range<usize>,
    /// The open braces: whether each is that of a body.
    braces: Vec<bool>,
    parens: usize,
    /// In how many parentheses the operands of every open question about types stand.
    questions: Vec<usize>,
    last: String,
    is_system: bool,
    /// The last thing that was found is not sure before its parentheses are closed.
    is_open: bool,
    found: Vec<Found>,
}

const STORAGE: [&str; 6] = ["static", "extern", "register", "auto", "const", "volatile"];

/// Words that are no names, and names that are no functions.
const WORDS: [&str; 34] = [
    "asm",
    "break",
    "case",
    "char",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "struct",
    "switch",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "while",
    "bool",
    "alignas",
    "static_assert",
    "noreturn",
];

impl Reader {
    fn read(&mut self, token: &str, place: Range<usize>) {
        // `T (f)(int)`: the name was a type, after all.
        if self.parens == 0 && self.last == ")" && self.is_open {
            self.is_open = false;
            if token == "(" {
                self.found.pop();
            }
        }
        if token == ":" && self.last == "?" && !self.is_system {
            self.put_in(&place, SAME);
        }
        self.operand(token, &place);
        self.at = match (self.at, token) {
            (At::Start | At::Storage, t) if STORAGE.contains(&t) => {
                self.has_storage = true;
                At::Storage
            }
            (At::Start | At::Storage, t) if is_name(t) => {
                self.name = place;
                At::Name
            }
            (At::Name, t) => {
                self.named(t);
                At::Inside
            }
            _ => At::Inside,
        };
        match token {
            "(" => self.parens += 1,
            ")" => self.parens = self.parens.saturating_sub(1),
            "{" => {
                let is_body = matches!(self.last.as_str(), ")" | ";" | "{" | "}" | "else" | "do");
                self.braces.push(is_body || self.last == ":");
                self.start();
            }
            // What follows a struct or an initialiser belongs to its declaration.
            "}" if self.braces.pop().unwrap_or(true) => self.start(),
            ";" if self.parens == 0 => self.start(),
            _ => {}
        }
        token.clone_into(&mut self.last);
    }

    fn put_in(&mut self, place: &Range<usize>, word: &'static str) {
        self.found.push(Found { at: place.start, word, name: None });
    }

    /// The operands of `__builtin_types_compatible_p` become those of `sizeof`.
    fn operand(&mut self, token: &str, place: &Range<usize>) {
        if token == "(" && self.last == TYPES_COMPATIBLE {
            self.questions.push(self.parens + 1);
            return;
        }
        if self.questions.last() != Some(&self.parens) {
            return;
        }
        if matches!(token, "," | ")") {
            self.put_in(place, ")");
        }
        if token == ")" {
            self.questions.pop();
        } else if matches!(self.last.as_str(), "(" | ",") {
            self.put_in(place, "sizeof (");
        }
    }

    fn start(&mut self) {
        (self.at, self.has_storage) = (At::Start, false);
    }

    /// What follows a name that may have no type.
    fn named(&mut self, next: &str) {
        let in_body = self.braces.iter().all(|b| *b);
        let has_none = match next {
            "(" => self.has_storage || self.braces.is_empty(),
            "=" | ";" | "," | "[" => self.has_storage,
            _ => false,
        };
        if has_none && in_body && self.parens == 0 && !self.is_system {
            let name = Some(self.name.len());
            self.found.push(Found { at: self.name.start, word: "int", name });
            self.is_open = next == "(";
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic()) && !WORDS.contains(&token)
}

/// The tokens of preprocessed text, and whether each comes from a header of the system.
fn tokens(text: &str, mut each: impl FnMut(Range<usize>, bool)) {
    let bytes = text.as_bytes();
    let word = |b: u8| b == b'_' || b.is_ascii_alphanumeric() || b >= 0x80;
    let (mut i, mut is_system, mut line_starts) = (0, false, true);
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            b'\n' => {
                line_starts = true;
                i += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'#' if line_starts => {
                let end = text[i..].find('\n').map_or(bytes.len(), |n| i + n);
                let mut flags = text[i..end].rsplit('"').next().unwrap_or("").split_whitespace();
                is_system = flags.any(|f| f == "3");
                i = end;
                continue;
            }
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                i = text[i..].find('\n').map_or(bytes.len(), |n| i + n);
                continue;
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                i = text[i + 2..].find("*/").map_or(bytes.len(), |n| i + n + 4);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                i += 1;
                while i < bytes.len() && bytes[i] != quote && bytes[i] != b'\n' {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i = (i + 1).min(bytes.len());
            }
            b if word(b) => {
                while i < bytes.len() && word(bytes[i]) {
                    i += 1;
                }
            }
            _ => i += 1,
        }
        line_starts = false;
        if text.is_char_boundary(start) && text.is_char_boundary(i) {
            each(start..i, is_system);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = modern(text);
        assert_eq!(found.as_ref().map_or(text, |m| &m.text), expected);
        let mut rest = expected.to_owned();
        for range in found.iter().flat_map(|m| &m.put_in).rev() {
            rest.replace_range(range.clone(), "");
        }
        assert_eq!(rest, text);
        for name in found.into_iter().flat_map(|m| m.without_type) {
            assert!(expected[..name.start].ends_with("int "), "{expected}");
        }
    }

    #[test]
    fn types_are_put_in_where_there_are_none() {
        check("main() { return 0; }", "int main() { return 0; }");
        check("add(a, b) int b; { return a; }", "int add(a, b) int b; { return a; }");
        check(
            "static n; static f(); const k = 2;",
            "static int n; static int f(); const int k = 2;",
        );
        check(
            "int f() { register i; auto j = 1, k; }",
            "int f() { register int i; auto int j = 1, k; }",
        );
        check("struct s { int a; };\nmain() { }", "struct s { int a; };\nint main() { }");
        check(
            "int f(void) { }\ng() { { static a[2]; } }",
            "int f(void) { }\nint g() { { static int a[2]; } }",
        );
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "int main(void) { f(1); x = 2; (void)g(3); return 0; }",
            "static size_t n; extern struct s x; const char *p; static T *q; T const c = 1;",
            "T f(const T, register T x); struct s { const T a; int b; } g(void), h;",
            "int a[] = { 1, 2 }; static struct s x = { .a = f(1) }, y;",
            "enum e { A, B } f(void) { return A; } typedef int T; T (g)(int);",
            "__attribute__((noreturn)) void f(void); _Static_assert(1, \"a ?: b\"); asm(\"x\");",
            "int f(void) { if (a) { g(1); } else h(2); l: g(3); switch (a) { case 1: g(4); } }",
            "# 1 \"/usr/include/x.h\" 1 3 4\nstatic f();\n",
            "# 1 \"a.c\"\n\n# 1 \"a.c\" 3 4\n_Bool\n# 1 \"a.c\"\n    f(int x) { }",
            "int c = a ? b : '?'; /* static n; a ?: b */ // main() { }\n",
        ] {
            assert_eq!(modern(text), None, "{text}");
        }
    }

    #[test]
    fn operands_that_are_types_become_expressions() {
        check(
            "int x = __builtin_types_compatible_p(typeof(f(a, b)), struct s *) || y;",
            "int x = __builtin_types_compatible_p(sizeof ( typeof(f(a, b))) , \
             sizeof ( struct s *) ) || y;",
        );
    }

    #[test]
    fn what_is_left_out_of_a_condition_is_put_in() {
        check("int x = a ?: b;", "int x = a ?__trellis_same : b;");
        check("int x = a ? : b ?: c;", "int x = a ? __trellis_same : b ?__trellis_same : c;");
    }
}
