//! What an annotated text adds, as insertions of lines.

use lsp_types::{Position, Range, TextEdit};

/// The edits that make one text of another which has only lines more; everything else becomes one
/// edit of all.
pub(crate) fn insertions(before: &str, after: &str) -> Vec<TextEdit> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut line = 0;
    let mut new = String::new();
    for text in after.split_inclusive('\n') {
        if old.get(line) == Some(&text) {
            insert(&mut edits, line, &mut new);
            line += 1;
        } else {
            new.push_str(text);
        }
    }
    if line < old.len() {
        let end = Position { line: old.len() as u32, character: 0 };
        let range = Range { start: Position::default(), end };
        return vec![TextEdit { range, new_text: after.to_owned() }];
    }
    insert(&mut edits, line, &mut new);
    edits
}

fn insert(edits: &mut Vec<TextEdit>, line: usize, text: &mut String) {
    if !text.is_empty() {
        let at = Position { line: line as u32, character: 0 };
        let new_text = std::mem::take(text);
        edits.push(TextEdit { range: Range { start: at, end: at }, new_text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_inserted() {
        let edits = insertions("a\nb\nc\n", "a\nx\ny\nb\nc\n");
        assert_eq!(edits.len(), 1);
        assert_eq!((edits[0].range.start.line, edits[0].new_text.as_str()), (1, "x\ny\n"));
        assert_eq!(insertions("a\n", "a\n"), []);
        let all = insertions("a\nb\n", "a\nx b\n");
        assert_eq!((all.len(), all[0].new_text.as_str()), (1, "a\nx b\n"));
    }
}
