//! The formats of input, and what those of input and output share.

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Blanks: any number of them is read.
    Blank,
    /// A character that must be there.
    Literal(u8),
    /// A conversion.
    Conversion(Conversion),
}

/// A conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// What is read.
    pub what: What,
    /// Whether it has an argument.
    pub assigns: bool,
    /// At most so many characters.
    pub width: Option<u32>,
}

/// What a conversion reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// An integer of so many bits, to this base.
    Number(u8, i64),
    /// One character.
    Character,
    /// At least one character that is no blank, and a zero.
    Word,
    /// At least one character that is, or is not (`true`), among these, and a zero.
    Set(Vec<u8>, bool),
    /// How much was read so far, which is no input of its own.
    Count,
}

/// The parts of a format, in order.
pub fn parts(format: &[u8], long: u8) -> Result<Vec<Part>, &'static str> {
    const REASON: &str = "this conversion of input";
    let mut all = Vec::new();
    let mut rest = format;
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        if byte.is_ascii_whitespace() || byte == 11 {
            all.push(Part::Blank);
            continue;
        }
        if byte != b'%' {
            all.push(Part::Literal(byte));
            continue;
        }
        if let Some(more) = rest.strip_prefix(b"%") {
            rest = more;
            // Blanks before it are skipped.
            all.extend([Part::Blank, Part::Literal(b'%')]);
            continue;
        }
        let assigns = !rest.starts_with(b"*");
        rest = rest.strip_prefix(b"*").unwrap_or(rest);
        let (width, more) = number(rest)?;
        rest = more;
        let (length, more) = length(rest, long);
        rest = more;
        let Some((&conversion, more)) = rest.split_first() else { return Err(REASON) };
        rest = more;
        let bits = length.unwrap_or(32);
        let what = match conversion {
            b'd' | b'u' => What::Number(bits, 10),
            b'i' => What::Number(bits, 0),
            b'x' | b'X' => What::Number(bits, 16),
            b'o' => What::Number(bits, 8),
            b'n' if length.is_none() => What::Count,
            b'c' if length.is_none() && width <= 1 => What::Character,
            b's' if length.is_none() => What::Word,
            b'[' if length.is_none() => {
                let (what, more) = set(rest).ok_or(REASON)?;
                rest = more;
                what
            }
            _ => return Err(REASON),
        };
        let width = (width > 0).then_some(width);
        all.push(Part::Conversion(Conversion { what, assigns, width }));
    }
    Ok(all)
}

/// A set of characters, `^…]` or `…]`, and what follows it.
fn set(text: &[u8]) -> Option<(What, &[u8])> {
    let without = text.starts_with(b"^");
    let text = text.strip_prefix(b"^").unwrap_or(text);
    // The first one is in the set, be it a bracket.
    let close = text.iter().skip(1).position(|b| *b == b']')? + 1;
    let (inside, rest) = text.split_at(close);
    let mut all = Vec::new();
    let mut at = 0;
    while at < inside.len() {
        match inside[at..] {
            [from, b'-', to, ..] if from <= to => {
                all.extend(from..=to);
                at += 3;
            }
            [one, ..] => {
                all.push(one);
                at += 1;
            }
            [] => {}
        }
    }
    Some((What::Set(all, without), &rest[1..]))
}

/// A number, 0 if there is none, and what follows it.
pub fn number(text: &[u8]) -> Result<(u32, &[u8]), &'static str> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let value =
        number.iter().try_fold(0u32, |n, b| n.checked_mul(10)?.checked_add((b - b'0').into()));
    value.map(|n| (n, rest)).ok_or("a very large number in a format")
}

/// The bits that a length modifier says, if there is one, and what follows it; `long` has so many.
pub fn length(text: &[u8], long: u8) -> (Option<u8>, &[u8]) {
    let all: [(&[u8], u8); 7] =
        [(b"hh", 8), (b"h", 16), (b"ll", 64), (b"l", long), (b"z", long), (b"j", 64), (b"t", long)];
    let found =
        all.into_iter().find_map(|(word, bits)| Some((Some(bits), text.strip_prefix(word)?)));
    found.unwrap_or((None, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_what_is_written() {
        let of = |f: &str| parts(f.as_bytes(), 64);
        let one = |what, width| Part::Conversion(Conversion { what, assigns: true, width });
        let some = [
            one(What::Number(32, 10), None),
            Part::Literal(b','),
            Part::Blank,
            one(What::Word, Some(9)),
            one(What::Number(64, 10), None),
        ];
        assert_eq!(of("%d, %9s%lu"), Ok(some.to_vec()));
        let skipped =
            Part::Conversion(Conversion { what: What::Word, assigns: false, width: None });
        assert_eq!(of("%*s%c"), Ok(vec![skipped, one(What::Character, None)]));
        let set = What::Set(b"]abcx".to_vec(), true);
        assert_eq!(of("%[^]a-cx]%n"), Ok(vec![one(set, None), one(What::Count, None)]));
        for wrong in ["%", "%f", "%p", "%2c", "%ls", "%[a", "%m"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
