//! Refusing input whose nesting would exhaust the stack of a recursive parser.
//!
//! Counted on raw tokens, before parsing: how deep brackets nest, how many tokens one statement
//! has (prefix operators, operator chains and unbraced `if`s nest without brackets), and how many
//! `else` one function has (an `else if` chain nests, too).

/// Deepest nesting of `(`, `[` and `{`.
const MAX_DEPTH: usize = 200;
/// Most tokens between two of `;`, `{`, `}`, `,`.
const MAX_RUN: usize = 4_000;
/// Most `else` in one file-scope item.
const MAX_ELSE: usize = 1_500;

/// The offset at which the text nests too deeply, if it does.
pub fn too_deep(code: &str) -> Option<usize> {
    let bytes = code.as_bytes();
    let (mut depth, mut run, mut elses, mut at) = (0usize, 0usize, 0usize, 0usize);
    let mut braces = 0usize;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b if b.is_ascii_whitespace() => continue,
            q @ (b'"' | b'\'') => {
                while at < bytes.len() && bytes[at] != q && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'{' => {
                depth += 1;
                braces += 1;
                run = 0;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                braces = braces.saturating_sub(1);
                run = 0;
                if braces == 0 {
                    elses = 0;
                }
            }
            b';' | b',' => run = 0,
            b if b == b'_' || b.is_ascii_alphanumeric() => {
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric()) {
                    at += 1;
                }
                elses += usize::from(&bytes[start..at] == b"else");
            }
            _ => {}
        }
        run += 1;
        if depth > MAX_DEPTH || run > MAX_RUN || elses > MAX_ELSE {
            return Some(start);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hostile_nesting_is_refused() {
        let nested = |n: usize| format!("int x = {}1{};", "(".repeat(n), ")".repeat(n));
        assert_eq!(too_deep(&nested(100)), None);
        assert!(too_deep(&nested(1000)).is_some());
        assert!(too_deep(&format!("int x = {}1;", "-".repeat(100_000))).is_some());
        let table = format!("int a[] = {{ {} }};", "1, ".repeat(100_000));
        assert_eq!(too_deep(&table), None);
        assert!(too_deep(&"if (x) y; else ".repeat(10_000)).is_some());
    }
}
