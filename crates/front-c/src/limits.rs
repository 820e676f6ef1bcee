//! Refusing input whose nesting would exhaust the stack of a recursive parser.
//!
//! Counted on raw tokens, before parsing: how deep brackets nest, how many tokens one statement
//! has (prefix operators, operator chains and unbraced `if`s nest without brackets), and how many
//! `else` follow on one another (an `else if` chain nests, too).

/// Deepest nesting of `(`, `[` and `{`.
const MAX_DEPTH: usize = 200;
/// Most tokens between two of `;`, `{`, `}`, `,`.
const MAX_RUN: usize = 4_000;
/// Most `else` in the chains of `if`s that are open at one place.
const MAX_ELSE: usize = 1_500;

/// The chains of `else` around a place, by the depth of brackets.
#[derive(Default)]
struct Chains {
    /// How many `else` belong to the `if` that may go on at this depth.
    open: Vec<usize>,
    /// Whether a statement has ended there, so that only an `else` goes on.
    ended: Vec<bool>,
    sum: usize,
}

impl Chains {
    /// A token at a depth.
    fn token(&mut self, depth: usize, is_else: bool) {
        self.leave(depth);
        self.open.resize(depth + 1, 0);
        self.ended.resize(depth + 1, false);
        if is_else {
            self.open[depth] += 1;
            self.sum += 1;
        } else if self.ended[depth] {
            self.sum -= std::mem::take(&mut self.open[depth]);
        }
        self.ended[depth] = false;
    }

    /// A statement ends at a depth; what was deeper is over.
    fn end(&mut self, depth: usize) {
        self.leave(depth);
        if let Some(ended) = self.ended.get_mut(depth) {
            *ended = true;
        }
    }

    /// What was deeper is over.
    fn leave(&mut self, depth: usize) {
        let deeper = self.open.len().min(depth + 1);
        self.sum -= self.open.drain(deeper..).sum::<usize>();
        self.ended.truncate(depth + 1);
    }
}

/// The offset at which the text nests too deeply, if it does.
pub fn too_deep(code: &str) -> Option<usize> {
    let bytes = code.as_bytes();
    let (mut depth, mut run, mut at) = (0usize, 0usize, 0usize);
    let mut chains = Chains::default();
    while at < bytes.len() {
        let start = at;
        at += 1;
        let word = bytes[start] == b'_' || bytes[start].is_ascii_alphanumeric();
        if !bytes[start].is_ascii_whitespace() && !word && !b"};)]".contains(&bytes[start]) {
            chains.token(depth, false);
        }
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
                run = 0;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                run = 0;
                chains.end(depth);
            }
            b';' => {
                run = 0;
                chains.end(depth);
            }
            b',' => run = 0,
            b if b == b'_' || b.is_ascii_alphanumeric() => {
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric()) {
                    at += 1;
                }
                chains.token(depth, &bytes[start..at] == b"else");
            }
            _ => {}
        }
        run += 1;
        if depth > MAX_DEPTH || run > MAX_RUN || chains.sum > MAX_ELSE {
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
        assert!(too_deep(&"if (x) { y; } else { if (z) w; else ".repeat(2_000)).is_some());
        assert_eq!(too_deep(&"if (x) y; else z; ".repeat(10_000)), None);
        assert_eq!(too_deep(&"if (x) { y; } else { z; } ".repeat(10_000)), None);
        let chain = "if (a) { b; } else if (c) { if (d) e; else f; } else g; ";
        assert_eq!(too_deep(&chain.repeat(10_000)), None);
    }
}
