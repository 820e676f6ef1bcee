//! The words of a line.

/// The column, in bytes from zero, and what is wrong there.
pub(super) type Wrong = (usize, String);

/// The words of a line that are still to be read.
pub(super) struct LineWords<'a> {
    pub(super) line: &'a str,
    /// Where the next word begins, in bytes.
    pub(super) at: usize,
}

impl<'a> LineWords<'a> {
    /// Whether the line is at its end.
    pub(super) fn is_empty(&self) -> bool {
        self.at >= self.line.len()
    }

    /// The next word and where it begins; empty at the end of the line.
    pub(super) fn next(&mut self) -> (usize, &'a str) {
        let begin = self.at.min(self.line.len());
        let rest = &self.line[begin..];
        let word = rest.split(' ').next().unwrap_or(rest);
        self.at = begin + word.len() + 1;
        (begin, word)
    }

    /// The next word, if it is this one.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let before = self.at;
        let found = self.next().1 == word;
        if !found {
            self.at = before;
        }
        found
    }

    /// The next word begins with this letter.
    pub(super) fn begins_with(&self, letter: char) -> bool {
        self.line.get(self.at..).is_some_and(|rest| rest.starts_with(letter))
    }

    /// A string in double quotes.
    pub(super) fn string(&mut self) -> Result<String, Wrong> {
        let begin = self.at.min(self.line.len());
        let mut chars = self.line[begin..].char_indices();
        if chars.next().map(|(_, c)| c) != Some('"') {
            return Err((begin, "a string in double quotes should be here".into()));
        }
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    let end = begin + at + 1;
                    if !self.line[end..].is_empty() && !self.line[end..].starts_with(' ') {
                        return Err((end, "a blank should be here".into()));
                    }
                    self.at = end + 1;
                    return Ok(text);
                }
                '\\' => text.push(match chars.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, 'r')) => '\r',
                    Some((_, 't')) => '\t',
                    Some((_, c @ ('"' | '\\'))) => c,
                    _ => return Err((begin + at, "no such escape".into())),
                }),
                c => text.push(c),
            }
        }
        Err((begin, "the string does not end".into()))
    }

    /// A number after this letter.
    pub(super) fn number(&mut self, letter: char) -> Result<(usize, usize), Wrong> {
        let (at, word) = self.next();
        word.strip_prefix(letter)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok())
            .map(|number| (at, number))
            .ok_or_else(|| (at, format!("`{letter}` and a number should be here")))
    }

    /// The item with the number that follows.
    pub(super) fn item<T: Copy>(&mut self, letter: char, items: &[T]) -> Result<T, Wrong> {
        self.nth(letter, items.iter().copied())
    }

    /// The item with the number that follows.
    pub(super) fn nth<T>(
        &mut self,
        letter: char,
        mut items: impl Iterator<Item = T>,
    ) -> Result<T, Wrong> {
        let (at, number) = self.number(letter)?;
        items.nth(number).ok_or_else(|| (at, format!("`{letter}{number}` is not known yet")))
    }

    /// The items with all numbers up to the end of the line.
    pub(super) fn items<T: Copy>(&mut self, letter: char, items: &[T]) -> Result<Vec<T>, Wrong> {
        let mut found = Vec::new();
        while !self.is_empty() {
            found.push(self.item(letter, items)?);
        }
        Ok(found)
    }
}
