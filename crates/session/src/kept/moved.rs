//! How an answer follows its procedure to other lines.
//!
//! Two programs with one fingerprint have the same parts, each with the same lines relative to its own.
//! So a place of an answer moves with the part that it lies in; one that lies in no part, or in two that
//! have moved differently, cannot be moved, and the answer is not used.

use serde_json::{Map, Value};
use trellis_program::SourceMap;
use trellis_program::source::SourceFile;

use super::fingerprint::Lines;

/// From the lines of an answer to those of a program.
pub struct Moves {
    /// The old lines of parts, and by how much each has moved.
    parts: Vec<(Lines, isize)>,
}

impl Moves {
    /// `None` if these are not the same parts.
    pub fn between(old: &[Lines], new: &[Lines]) -> Option<Moves> {
        let one = |(old, new): (&Lines, &Lines)| {
            let same = old.file == new.file
                && old.at.wrapping_sub(old.first) == new.at.wrapping_sub(new.first)
                && old.last.wrapping_sub(old.at) == new.last.wrapping_sub(new.at);
            same.then(|| (old.clone(), new.at as isize - old.at as isize))
        };
        let parts: Option<Vec<_>> = old.iter().zip(new).map(one).collect();
        parts.filter(|_| old.len() == new.len()).map(|parts| Moves { parts })
    }

    /// Whether nothing has moved.
    fn is_still(&self) -> bool {
        self.parts.iter().all(|(_, by)| *by == 0)
    }

    /// Where a line is now.
    fn line(&self, file: &str, line: usize) -> Option<usize> {
        let of_file = || self.parts.iter().filter(|(lines, _)| lines.file == file);
        if of_file().all(|(_, by)| *by == 0) {
            return Some(line);
        }
        let mut around = of_file().filter(|(l, _)| (l.first..=l.last).contains(&line));
        let (_, by) = around.next()?;
        let agreed = around.all(|(_, other)| other == by);
        line.checked_add_signed(*by).filter(|_| agreed)
    }

    /// A text in which every `file:line:column` is where it is now. What says `line 7` does not say of
    /// which file, so it cannot be moved.
    fn text(&self, text: &str) -> Option<String> {
        let numbered = |word: &str| {
            let mut after = text.split(word).skip(1);
            after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        if numbered("line ") || numbered("lines ") {
            return None;
        }
        let mut files: Vec<&str> = self.parts.iter().map(|(l, _)| l.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        let mut text = text.to_owned();
        for file in files {
            let mut from = 0;
            while let Some(at) = text[from..].find(&format!("{file}:")).map(|i| from + i) {
                from = at + file.len() + 1;
                let part_of_name = |c: char| c.is_alphanumeric() || "._-/".contains(c);
                let digits = text[from..].find(|c: char| !c.is_ascii_digit());
                let digits = digits.unwrap_or(text.len() - from);
                let is_place = text[from + digits..].starts_with(':');
                if digits == 0 || !is_place || text[..at].ends_with(part_of_name) {
                    continue;
                }
                let line = text[from..from + digits].parse().ok()?;
                let line = self.line(file, line)?.to_string();
                text.replace_range(from..from + digits, &line);
                from += line.len();
            }
        }
        Some(text)
    }
}

/// Moves all places of a document, and adds to those of reports where they are in the source map.
pub fn settle(document: &mut Value, moves: &Moves, sources: &SourceMap) -> Option<()> {
    let still = moves.is_still();
    walk(document, &mut |value| match value {
        Value::String(text) if !still => {
            *text = moves.text(text)?;
            Some(())
        }
        Value::Object(map) => place(map, moves, sources),
        _ => Some(()),
    })
}

/// Calls something with every value of a document.
fn walk(value: &mut Value, each: &mut dyn FnMut(&mut Value) -> Option<()>) -> Option<()> {
    match value {
        Value::Array(all) => all.iter_mut().try_for_each(|one| walk(one, each))?,
        Value::Object(map) => map.values_mut().try_for_each(|one| walk(one, each))?,
        _ => {}
    }
    each(value)
}

/// Settles an object, if it is a place.
fn place(map: &mut Map<String, Value>, moves: &Moves, sources: &SourceMap) -> Option<()> {
    let number = |name: &str| map.get(name).and_then(Value::as_u64).map(|n| n as usize);
    let (Some(Value::String(file)), Some(line), Some(column)) =
        (map.get("file"), number("line"), number("column"))
    else {
        return Some(());
    };
    let line = moves.line(file, line)?;
    let end = number("end_line").zip(number("end_column"));
    let mut added = vec![("line", Value::from(line))];
    if let Some((end_line, end_column)) = end {
        let end_line = moves.line(file, end_line)?;
        let id = sources.find(file)?;
        let text = sources.file(id);
        let (start, end) = (offset(text, line, column)?, offset(text, end_line, end_column)?);
        added.push(("end_line", Value::from(end_line)));
        added.push(("raw", Value::from(vec![id.0, start, end])));
    }
    added.into_iter().for_each(|(name, value)| drop(map.insert(name.to_owned(), value)));
    Some(())
}

/// The byte of a line and a column; the reverse of [`SourceFile::line_col`].
fn offset(file: &SourceFile, line: usize, column: usize) -> Option<u32> {
    if file.text.is_empty() {
        return Some(0);
    }
    let (start, _) = file.line_range(line)?;
    let rest = &file.text[start as usize..];
    let bytes = rest.char_indices().nth(column.checked_sub(1)?).map_or(rest.len(), |(i, _)| i);
    Some(start + bytes as u32)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(at: usize, first: usize, last: usize) -> Lines {
        Lines { file: "a.c".to_owned(), at, first, last }
    }

    #[test]
    fn places_move_with_their_parts() {
        let (old, new) = ([lines(3, 2, 6), lines(10, 9, 12)], [lines(3, 2, 6), lines(14, 13, 16)]);
        let moves = Moves::between(&old, &new).expect("the same parts");
        assert_eq!(moves.line("a.c", 4), Some(4));
        assert_eq!(moves.line("a.c", 12), Some(16));
        assert_eq!(moves.line("a.c", 8), None, "it is in no part");
        assert_eq!(moves.line("b.h", 8), Some(8), "nothing of this file has moved");
        let text = moves.text("x at a.c:11:5, a.c:4:1, ba.c:11:5, a.c: and a.c:11");
        let expected = "x at a.c:15:5, a.c:4:1, ba.c:11:5, a.c: and a.c:11";
        assert_eq!(text.as_deref(), Some(expected));
        assert_eq!(moves.text("a.c:8:1"), None);
        assert_eq!(moves.text("the loop in line 11"), None);
        assert!(Moves::between(&old, &new[..1]).is_none());
        assert!(Moves::between(&old[..1], &[lines(3, 2, 7)]).is_none());
    }

    #[test]
    fn places_get_their_bytes() {
        let mut sources = SourceMap::default();
        sources.add("a.c", "ä = 1;\nb = 2;\n");
        let moves = Moves::between(&[lines(1, 1, 1)], &[lines(2, 2, 2)]).expect("the same part");
        let place = json!({"file": "a.c", "line": 1, "column": 1, "end_line": 1, "end_column": 2});
        let mut document = json!([place, {"file": "a.c", "line": 1, "column": 5}, "a.c:1:1"]);
        settle(&mut document, &moves, &sources).expect("it can be moved");
        assert_eq!(document[0]["line"], 2);
        assert_eq!(document[0]["raw"], json!([0, 8, 9]));
        assert_eq!(document[1], json!({"file": "a.c", "line": 2, "column": 5}));
        assert_eq!(document[2], "a.c:2:1");
    }
}
