//! Blanking out what the C parser must not see: comments, line markers, pragmas, attributes.
//!
//! **Invariant:** the text keeps its length, so an offset means the same place before and after.

use std::ops::Range;

/// How clauses begin that no prose begins with.
const CLAUSES: [&[u8]; 3] = [b"requires ", b"ensures ", b"loop invariant "];

/// The text without comments, and what was found in them.
#[derive(Debug, Default)]
pub struct Scan {
    /// The text as it was.
    pub text: String,
    /// Comments, directives and GNU attributes replaced by blanks, byte by byte.
    pub code: String,
    /// `/*@ … */` and `//@ …`, markers included; a run of `//@` lines is one annotation.
    pub annotations: Vec<Range<usize>>,
    /// `/* @ requires … */`: comments that would be annotations without the blank before their `@`.
    pub near: Vec<Range<usize>>,
    /// `__attribute__((…))`, wherever it stood.
    pub attributes: Vec<Range<usize>>,
    /// Where the `#pragma pack` lines are, and what stands in their parentheses.
    pub packs: Vec<(usize, String)>,
    /// Where a comment begins that never ends.
    pub unterminated: Option<usize>,
}

impl Scan {
    /// Puts another text behind this one.
    pub fn append(&mut self, other: Scan) {
        let by = self.text.len();
        let moved = |r: Range<usize>| r.start + by..r.end + by;
        self.text.push_str(&other.text);
        self.code.push_str(&other.code);
        self.annotations.extend(other.annotations.into_iter().map(moved));
        self.near.extend(other.near.into_iter().map(moved));
        self.attributes.extend(other.attributes.into_iter().map(moved));
        self.packs.extend(other.packs.into_iter().map(|(p, what)| (p + by, what)));
        self.unterminated = self.unterminated.or(other.unterminated.map(|at| at + by));
    }
}

/// Scans preprocessed C.
pub fn scan(text: &str) -> Scan {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        out: text.as_bytes().to_vec(),
        at: 0,
        scan: Scan::default(),
    };
    scanner.run();
    let Scanner { out, mut scan, .. } = scanner;
    // Only whole comments and ASCII are blanked, so the rest is still UTF-8.
    scan.text = text.to_owned();
    scan.code = String::from_utf8(out).unwrap_or_else(|e| {
        let ascii = |b: &u8| if b.is_ascii() { char::from(*b) } else { ' ' };
        e.as_bytes().iter().map(ascii).collect()
    });
    scan
}

struct Scanner<'a> {
    bytes: &'a [u8],
    out: Vec<u8>,
    at: usize,
    scan: Scan,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let mut line_start = true;
        while let Some(&b) = self.bytes.get(self.at) {
            match b {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.at += 1;
                    continue;
                }
                b'#' if line_start => self.directive(),
                b'/' if self.peek(1) == Some(b'*') => self.block_comment(),
                b'/' if self.peek(1) == Some(b'/') => self.line_comment(),
                b'"' | b'\'' => self.literal(b),
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.word(),
                b'0'..=b'9' => {
                    while self.peek(0).is_some_and(|c| c.is_ascii_alphanumeric()) {
                        self.at += 1;
                    }
                }
                _ => self.at += 1,
            }
            line_start = false;
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn blank(&mut self, range: Range<usize>) {
        for b in &mut self.out[range] {
            if *b != b'\n' {
                *b = b' ';
            }
        }
    }

    /// A line marker or a pragma: blank to the end of the line.
    fn directive(&mut self) {
        let start = self.at;
        let len = self.bytes[start..].iter().position(|&b| b == b'\n');
        self.at = len.map_or(self.bytes.len(), |l| start + l);
        let line = &self.bytes[start + 1..self.at];
        let line = String::from_utf8_lossy(line);
        let pragma = line.trim_start().strip_prefix("pragma").map(str::trim_start);
        if let Some(what) = pragma.and_then(|p| p.strip_prefix("pack")) {
            self.scan.packs.push((start, what.trim().to_owned()));
        }
        self.blank(start..self.at);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let close = self.bytes[start + 2..].windows(2).position(|w| w == b"*/");
        match close {
            Some(i) => self.at = start + 2 + i + 2,
            None => {
                self.at = self.bytes.len();
                self.scan.unterminated = Some(start);
            }
        }
        if self.bytes.get(start + 2) == Some(&b'@') && close.is_some() {
            self.scan.annotations.push(start..self.at);
        }
        self.comment_is_near(start);
        self.blank(start..self.at);
    }

    /// Notes a comment that somebody meant as a contract.
    fn comment_is_near(&mut self, start: usize) {
        let inside = &self.bytes[start + 2..self.at];
        let blank = inside.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let Some((b'@', clause)) = inside[blank..].split_first() else { return };
        let clause = clause.trim_ascii_start();
        let is = |word: &&[u8]| clause.starts_with(word);
        if blank > 0 && CLAUSES.iter().any(is) {
            self.scan.near.push(start..self.at);
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let len = self.bytes[start..].iter().position(|&b| b == b'\n');
        self.at = len.map_or(self.bytes.len(), |l| start + l);
        if self.bytes.get(start + 2) == Some(&b'@') {
            match self.scan.annotations.last_mut() {
                // Lines that follow each other with only blanks between are one annotation.
                Some(last)
                    if self.bytes[last.start..].starts_with(b"//")
                        && self.bytes[last.end..start].iter().all(u8::is_ascii_whitespace) =>
                {
                    last.end = self.at;
                }
                _ => self.scan.annotations.push(start..self.at),
            }
        }
        self.comment_is_near(start);
        self.blank(start..self.at);
    }

    /// A string or character literal; an unclosed one ends with its line.
    fn literal(&mut self, quote: u8) {
        self.at += 1;
        while let Some(b) = self.peek(0) {
            self.at += 1;
            match b {
                b'\\' => self.at = (self.at + 1).min(self.bytes.len()),
                b'\n' => return,
                _ if b == quote => return,
                _ => {}
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        while self.peek(0).is_some_and(|c| c == b'_' || c.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        if matches!(&self.bytes[start..self.at], b"__attribute__" | b"__attribute")
            && let Some(end) = self.closing_parenthesis()
        {
            self.blank(start..end);
            self.scan.attributes.push(start..end);
            self.at = end;
        }
        // Types that the parser does not know, by others of the same length that are outside the
        // subset as well.
        let other: &[u8] = match &self.bytes[start..self.at] {
            b"__int128" => b"_Complex",
            b"__float128" => b"_Float128 ",
            _ => return,
        };
        self.out[start..self.at].copy_from_slice(other);
    }

    /// One past the `)` that closes the `(` after the current position.
    fn closing_parenthesis(&self) -> Option<usize> {
        let mut depth = 0u32;
        let mut quote = None;
        let mut escaped = false;
        for (i, &b) in self.bytes[self.at..].iter().enumerate() {
            match (quote, b) {
                _ if escaped => escaped = false,
                (Some(_), b'\\') => escaped = true,
                (Some(q), _) if b == q => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(b),
                (None, b'(') => depth += 1,
                (None, b')') => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(self.at + i + 1);
                    }
                }
                (None, b' ' | b'\t' | b'\n' | b'\r') => {}
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_blanks_of_equal_length() {
        let text = "int x; /*@ a */ char *s = \"/* no */\"; // é\n//@ one\n  //@ two\nint y;";
        let scan = scan(text);
        assert_eq!(scan.code.len(), text.len());
        let found: Vec<_> = scan.annotations.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(found, ["/*@ a */", "//@ one\n  //@ two"]);
        assert!(scan.code.contains("\"/* no */\""));
        assert!(!scan.code.contains("//@"));
    }

    #[test]
    fn comments_that_are_nearly_contracts_are_found() {
        let text =
            "/* @ requires x; */ // @ensures y\n/* a @ requires z */ /* @param h */ //@ assert x\n";
        let found: Vec<_> = scan(text).near.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(found, ["/* @ requires x; */", "// @ensures y"]);
    }

    #[test]
    fn attributes_and_markers_are_taken_out() {
        let text = "# 1 \"a.c\"\nstruct __attribute__((packed, aligned(4))) s { int a; };";
        let scan = scan(text);
        assert_eq!(scan.code.trim(), "struct                                     s { int a; };");
        assert_eq!(scan.attributes.len(), 1);
    }
}
