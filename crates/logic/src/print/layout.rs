//! Documents that break lines where they must: text, possible breaks, groups, indentation.
//!
//! **Invariant**: a group is either on one line entirely, or every break of its own (not of its
//! inner groups) is a new line.

/// A document.
pub(crate) enum Doc {
    Text(String),
    /// A space, or a new line if the group does not fit.
    Line,
    Concat(Vec<Doc>),
    /// Deeper by so many columns after each new line.
    Nest(usize, Box<Doc>),
    Group(Box<Doc>),
}

impl Doc {
    pub(crate) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    pub(crate) fn group(parts: Vec<Doc>) -> Doc {
        Doc::Group(Box::new(Doc::Concat(parts)))
    }

    pub(crate) fn nest(depth: usize, parts: Vec<Doc>) -> Doc {
        Doc::Nest(depth, Box::new(Doc::Concat(parts)))
    }

    /// The document with lines of at most `width` columns where that is possible.
    pub(crate) fn render(&self, width: usize) -> String {
        let mut out = String::new();
        let mut column = 0;
        let mut stack = vec![(0, false, self)];
        while let Some((indent, flat, doc)) = stack.pop() {
            match doc {
                Doc::Text(text) => {
                    out.push_str(text);
                    column += text.chars().count();
                }
                Doc::Line if flat => {
                    out.push(' ');
                    column += 1;
                }
                Doc::Line => {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent));
                    column = indent;
                }
                Doc::Concat(parts) => {
                    stack.extend(parts.iter().rev().map(|part| (indent, flat, part)));
                }
                Doc::Nest(depth, inner) => stack.push((indent + depth, flat, inner)),
                Doc::Group(inner) => {
                    // What follows on the same line, such as closing parentheses, must fit too.
                    let rest = stack.iter().rev().map(|&(_, flat, doc)| (flat, doc));
                    let fits = flat || fits(width.saturating_sub(column), inner, rest);
                    stack.push((indent, fits, inner));
                }
            }
        }
        out
    }
}

fn fits<'a>(room: usize, group: &'a Doc, rest: impl Iterator<Item = (bool, &'a Doc)>) -> bool {
    let mut room = room;
    for (flat, doc) in std::iter::once((true, group)).chain(rest) {
        let mut stack = vec![doc];
        while let Some(doc) = stack.pop() {
            match doc {
                Doc::Text(text) => match room.checked_sub(text.chars().count()) {
                    Some(left) => room = left,
                    None => return false,
                },
                Doc::Line if flat => match room.checked_sub(1) {
                    Some(left) => room = left,
                    None => return false,
                },
                Doc::Line => return true,
                Doc::Concat(parts) => stack.extend(parts.iter().rev()),
                Doc::Nest(_, inner) => stack.push(inner),
                // A group in what follows may still break, so it ends the line.
                Doc::Group(_) if !flat => return true,
                Doc::Group(inner) => stack.push(inner),
            }
        }
    }
    true
}
