//! Arrays of integers in a drawing: characters are a string, others a row of numbers.

use super::cells::value_text;
use crate::concrete::memory::Value;
use crate::types::Scalar;

/// Shorter arrays are shown element by element.
const LEAST: usize = 8;
/// Numbers of a row that are shown.
const MOST_NUMBERS: usize = 16;

/// A cell that is not a pointer: its name, its type, its value.
pub(super) type Cell = (String, Scalar, Value);

/// The array that begins with the first of some cells, as a name and a text, and how many cells that
/// is; nothing if there is none, or it is short.
pub(super) fn array(cells: &[Cell]) -> Option<(String, String, usize)> {
    let (name, scalar, _) = cells.first()?;
    let Scalar::Int(kind) = scalar else { return None };
    let (array, first) = index(name)?;
    let is_next = |(i, (name, other, _)): (usize, &Cell)| {
        other == scalar && index(name) == Some((array, first + i))
    };
    let length = cells.iter().enumerate().take_while(|cell| is_next(*cell)).count();
    if length < LEAST {
        return None;
    }
    let values: Vec<Value> = cells[..length].iter().map(|(_, _, value)| *value).collect();
    if kind.bits == 8 && first == 0 {
        let (name, text) = (array.to_owned(), string(&values));
        // The array is all of the object.
        return Some(if name.is_empty() { (text, name, length) } else { (name, text, length) });
    }
    let shown = values.iter().take(MOST_NUMBERS).map(|v| value_text(*scalar, *v));
    let mut text = shown.collect::<Vec<_>>().join(" ");
    if length > MOST_NUMBERS {
        text.push_str(" …");
    }
    Some((format!("{array}[{first}..{}]", first + length - 1), text, length))
}

/// `name[3]` as a name and a number.
fn index(name: &str) -> Option<(&str, usize)> {
    let (array, rest) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, rest.parse().ok()?))
}

/// Characters between quotes, without the zeros at the end; what was never written is `\?`.
fn string(values: &[Value]) -> String {
    let end = values.iter().rposition(|v| *v != Value::Int(0)).map_or(0, |last| last + 1);
    let written = values.iter().rposition(|v| *v != Value::Undef).map_or(0, |last| last + 1);
    let mut text = String::from("\"");
    for value in &values[..end.min(written)] {
        match value {
            Value::Int(c) => match u8::try_from(c & 0xff).unwrap_or_default() {
                0 => text.push_str("\\0"),
                b'\n' => text.push_str("\\n"),
                b'\t' => text.push_str("\\t"),
                c @ (b'"' | b'\\') => text.extend(['\\', char::from(c)]),
                c if c.is_ascii_graphic() || c == b' ' => text.push(char::from(c)),
                c => text.push_str(&format!("\\x{c:02x}")),
            },
            _ => text.push_str("\\?"),
        }
    }
    text.push('"');
    if written < end {
        text.push_str(&format!(" and {} never written", end - written));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::IntKind;

    fn cells(name: &str, kind: IntKind, values: &[Value]) -> Vec<Cell> {
        let cell = |(i, v): (usize, &Value)| (format!("{name}[{i}]"), Scalar::Int(kind), *v);
        values.iter().enumerate().map(cell).collect()
    }

    fn shown(name: &str, kind: IntKind, values: &[Value]) -> Option<(String, String, usize)> {
        array(&cells(name, kind, values))
    }

    #[test]
    fn characters_are_a_string() {
        let mut text: Vec<Value> = b"a \"b\"\n".iter().map(|c| Value::Int(i64::from(*c))).collect();
        text.extend([Value::Int(0); 10]);
        let (name, string, length) = shown("name", IntKind::CHAR, &text).expect("an array");
        assert_eq!((name.as_str(), string.as_str(), length), ("name", r#""a \"b\"\n""#, 16));
        let (string, nothing, _) = shown("", IntKind::CHAR, &text).expect("an array");
        assert_eq!((string.as_str(), nothing.as_str()), (r#""a \"b\"\n""#, ""));
        let mut partly = vec![Value::Undef; 8];
        partly[1] = Value::Int(-1);
        let (_, string, _) = shown("s", IntKind::CHAR, &partly).expect("an array");
        assert_eq!(string, r#""\?\xff" and 6 never written"#);
    }

    #[test]
    fn numbers_are_a_row() {
        let values: Vec<Value> = (0..20).map(Value::Int).collect();
        let (name, text, length) = shown("a", IntKind::INT, &values).expect("an array");
        assert_eq!((name.as_str(), length), ("a[0..19]", 20));
        assert_eq!(text, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 …");
        assert_eq!(shown("a", IntKind::INT, &values[..7]), None, "short ones are not folded");
    }
}
